package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/agnivade/levenshtein"
	"github.com/sahilm/fuzzy"
)

// Command is one thing a person can do. The table of commands is the only
// place where keys and slash names are written down; completion, help and the
// README derive from it.
type Command struct {
	ID      string   // stable, for settings
	Title   string   // what it does, in the imperative
	Keys    []string // as key presses print themselves; "ctrl+x p" is two presses
	Slash   string   // name after the slash; "" has none
	Aliases []string // further slash names
	Args    string   // hint for the words after the name
	Context string   // where its keys work
	// run does it. Nil where the focused part has the key built in, and the
	// row is there to be read.
	run func(m *Model, args string) tea.Cmd
	// always is true when its keys work whatever has the focus. None of these
	// commands answers a question.
	always bool
	// held is true when holding its key does it again and again. The others
	// count a key that is held down once.
	held bool
}

// The contexts of keys, in the order in which help shows them.
const (
	inComposer = "Composer"
	inTimeline = "Timeline"
	inViewer   = "Edits"
	inQuestion = "Question"
	inForm     = "Form"
	inSession  = "Session"
)

// Commands returns the table of commands.
func Commands() []Command {
	return slices.Concat(composerCommands(), timelineCommands(), viewerCommands(), questionCommands(), formCommands(), sessionCommands())
}

func composerCommands() []Command {
	return []Command{
		{ID: "send", Title: "Send; while the agent works, steer it", Keys: []string{"enter"}, Context: inComposer, run: (*Model).submit},
		{ID: "queue", Title: "Queue the prompt for after this turn", Keys: []string{"ctrl+q", "ctrl+enter"}, Context: inComposer, run: (*Model).enqueue},
		{ID: "newline", Title: "New line (or \\ and enter)", Keys: []string{"shift+enter", "alt+enter", "ctrl+j"}, Context: inComposer},
		{ID: "complete", Title: "Accept the completion; on an empty draft, go to the waiting question", Keys: []string{"tab"}, Context: inComposer, run: (*Model).tab},
		{ID: "recall", Title: "Earlier and later prompts", Keys: []string{"up", "down", "ctrl+p", "ctrl+n"}, Context: inComposer},
		{ID: "undo", Title: "Undo, redo", Keys: []string{"ctrl+_", "alt+_"}, Context: inComposer},
		{ID: "kill", Title: "Cut to the line's end, to its start, the word before; put back", Keys: []string{"ctrl+k", "ctrl+u", "ctrl+w", "ctrl+y"}, Context: inComposer},
		{ID: "edit", Title: "Write in your own editor ($COPILOT_EDITOR, $VISUAL, $EDITOR)", Keys: []string{"ctrl+g", "ctrl+x e", "ctrl+x ctrl+e"}, Slash: "editor", Context: inComposer, run: (*Model).editDraft},
		{ID: "cancel", Title: "Leave a question, clear the draft, interrupt; twice when idle: quit", Keys: []string{"ctrl+c"}, Context: inComposer, run: (*Model).cancel, always: true},
		{ID: "delete", Title: "Delete forward; twice on an empty draft: quit", Keys: []string{"ctrl+d"}, Context: inComposer, run: (*Model).quitTwice},
	}
}

func timelineCommands() []Command {
	return []Command{
		{ID: "page-up", Title: "A page up", Keys: []string{"pgup"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(-m.page()) }, held: true},
		{ID: "page-down", Title: "A page down", Keys: []string{"pgdown"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(m.page()) }, held: true},
		{ID: "line-up", Title: "A line up", Keys: []string{"shift+up"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(-1) }, held: true},
		{ID: "line-down", Title: "A line down", Keys: []string{"shift+down"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(1) }, held: true},
		{ID: "top", Title: "The start of the conversation", Keys: []string{"ctrl+home"}, Context: inTimeline, run: (*Model).goHome},
		{ID: "end", Title: "The end, and follow it", Keys: []string{"ctrl+end"}, Context: inTimeline, run: (*Model).goEnd},
		{ID: "expand", Title: "Show entries whole, or folded", Keys: []string{"ctrl+o"}, Context: inTimeline, run: (*Model).toggleExpanded},
		{ID: "reasoning", Title: "Show reasoning whole, or folded", Keys: []string{"ctrl+t"}, Context: inTimeline, run: (*Model).toggleReasoning},
		{ID: "diff", Title: "The edits of this session, full screen", Keys: []string{"ctrl+x d"}, Slash: "diff", Context: inTimeline, run: (*Model).showDiff},
		{ID: "split", Title: "Edits shown whole: side by side where there is room, or in one column", Keys: []string{"ctrl+x 2"}, Slash: "split", Context: inTimeline, run: (*Model).toggleSplit},
		{ID: "redraw", Title: "Redraw the screen and go to the end", Keys: []string{"ctrl+l"}, Context: inTimeline, run: (*Model).redraw, always: true},
		{ID: "clear", Title: "Clear the screen; the conversation goes on", Slash: "clear", Context: inTimeline, run: (*Model).clearScreen},
	}
}

// viewerCommands are the keys that the open edits have built in.
func viewerCommands() []Command {
	return []Command{
		{ID: "view-line", Title: "The line before, the line after", Keys: []string{"up", "down", "k", "j"}, Context: inViewer},
		{ID: "view-page", Title: "A page up, a page down; half a page", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, Context: inViewer},
		{ID: "view-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, Context: inViewer},
		{ID: "view-change", Title: "The next change, the one before", Keys: []string{"n", "N"}, Context: inViewer},
		{ID: "view-edit", Title: "The newer edit, the older edit", Keys: []string{"left", "right", "h", "l"}, Context: inViewer},
		{ID: "view-split", Title: "Side by side, or in one column", Keys: []string{"t"}, Context: inViewer},
		{ID: "view-wrap", Title: "Wrap long lines, or cut them; move to the side", Keys: []string{"w", "<", ">"}, Context: inViewer},
		{ID: "view-comment", Title: "Comment on the line, in the draft", Keys: []string{"c"}, Context: inViewer},
		{ID: "view-copy", Title: "Copy the line, the whole edit", Keys: []string{"y", "Y"}, Context: inViewer},
		{ID: "view-editor", Title: "Read it in your own editor", Keys: []string{"e"}, Context: inViewer},
		{ID: "view-close", Title: "Close", Keys: []string{"esc", "q"}, Context: inViewer},
	}
}

func questionCommands() []Command {
	return []Command{
		{ID: "answer", Title: "Go to the waiting question", Keys: []string{"ctrl+x p"}, Context: inQuestion, run: (*Model).focusQuestion},
		{ID: "approve", Title: "Yes, once", Keys: []string{"y"}, Context: inQuestion},
		{ID: "approve-session", Title: "Yes, for this session", Keys: []string{"s"}, Context: inQuestion},
		{ID: "approve-location", Title: "Yes, always in this project", Keys: []string{"l"}, Context: inQuestion},
		{ID: "approve-permanently", Title: "Yes, everywhere (asks to type yes)", Keys: []string{"P"}, Context: inQuestion},
		{ID: "approve-unseen", Title: "Yes, once, with the rest unread (asks to type yes)", Keys: []string{"u"}, Context: inQuestion},
		{ID: "refuse", Title: "No, and say what to do instead", Keys: []string{"n"}, Context: inQuestion},
		{ID: "choose", Title: "Choose a row", Keys: []string{"up", "down", "1", "enter"}, Context: inQuestion},
		{ID: "note", Title: "Add a note to yes", Keys: []string{"tab"}, Context: inQuestion},
		{ID: "full-view", Title: "Show as much of it as fits", Keys: []string{"v"}, Context: inQuestion},
		{ID: "why", Title: "Why it is asked", Keys: []string{"?"}, Context: inQuestion},
		{ID: "question-copy", Title: "Copy what is asked about; in a change, comment on the line", Keys: []string{"c"}, Context: inQuestion},
		{ID: "question-editor", Title: "Read it in your own editor; a plan: change it there", Keys: []string{"e"}, Context: inQuestion},
		{ID: "question-change", Title: "In a change: side by side, wrapped, the change before and after", Keys: []string{"t", "w", "{", "}"}, Context: inQuestion},
		{ID: "question-plan", Title: "A plan: keep planning and say what to change; what is new in it, or all of it", Keys: []string{"f", "d"}, Context: inQuestion},
		{ID: "other-question", Title: "The question before, the question after", Keys: []string{"[", "]"}, Context: inQuestion},
		{ID: "edit-answer", Title: "Write the open line in your own editor", Keys: []string{"ctrl+g"}, Context: inQuestion},
		{ID: "leave-question", Title: "Leave it for later", Keys: []string{"esc"}, Context: inQuestion},
	}
}

// formCommands are the keys that a form has built in.
func formCommands() []Command {
	return []Command{
		{ID: "form-step", Title: "The next answer, the one before", Keys: []string{"tab", "shift+tab"}, Context: inForm},
		{ID: "form-choose", Title: "Go through what there is to choose from; choose it", Keys: []string{"up", "down", "space"}, Context: inForm},
		{ID: "form-end", Title: "End the answer and go on; the only one is sent, several are shown first", Keys: []string{"enter"}, Context: inForm},
		{ID: "form-end-lines", Title: "The same in an answer of several lines", Keys: []string{"ctrl+enter"}, Context: inForm},
	}
}

func sessionCommands() []Command {
	return []Command{
		{ID: "interrupt", Title: "Interrupt the agent (press twice)", Keys: []string{"esc"}, Context: inSession, run: (*Model).escape},
		{ID: "cycle-mode", Title: "Next mode: interactive, plan, autopilot", Keys: []string{"shift+tab"}, Context: inSession, run: (*Model).cycleMode},
		{ID: "mode", Title: "Choose the mode", Slash: "mode", Args: "[interactive|plan|autopilot]", Context: inSession, run: (*Model).setMode},
		{ID: "model", Title: "Choose the model", Slash: "model", Aliases: []string{"models"}, Args: "[name]", Context: inSession, run: (*Model).setModel},
		{ID: "grants", Title: "What is allowed without asking; revoke it", Slash: "grants", Aliases: []string{"permissions", "approvals"}, Context: inSession, run: (*Model).showGrants},
		{ID: "compact", Title: "Summarise the conversation to free context", Slash: "compact", Aliases: []string{"summarize"}, Args: "[what to keep]", Context: inSession, run: (*Model).compact},
		{ID: "new", Title: "Start a new session; this one can be resumed", Slash: "new", Aliases: []string{"reset"}, Context: inSession, run: (*Model).newSession},
		{ID: "stop", Title: "End an agent that does not answer", Slash: "stop", Context: inSession, run: (*Model).stopAgent},
		{ID: "help", Title: "Keys and commands", Keys: []string{"?"}, Slash: "help", Aliases: []string{"keys"}, Context: inSession, run: (*Model).showHelp},
		{ID: "suspend", Title: "Suspend to the shell; fg comes back", Keys: []string{"ctrl+z"}, Context: inSession, run: (*Model).suspend, always: true},
		{ID: "quit", Title: "Leave; the session can be resumed", Slash: "quit", Aliases: []string{"exit", "q"}, Context: inSession, run: (*Model).quit},
	}
}

// leader starts the chords of two key presses.
const leader = "ctrl+x"

// bindings are the keys that work wherever the focus is, by what they run.
func bindings(table []Command) map[string]Command {
	keys := map[string]Command{}
	for _, c := range table {
		for _, k := range c.Keys {
			if c.run != nil {
				keys[k] = c
			}
		}
	}
	return keys
}

// slash finds a command by its name or an alias.
func slash(table []Command, name string) (Command, bool) {
	i := slices.IndexFunc(table, func(c Command) bool {
		return c.Slash != "" && (c.Slash == name || slices.Contains(c.Aliases, name))
	})
	if i < 0 {
		return Command{}, false
	}
	return table[i], true
}

// complete returns the commands that match what was typed after the slash,
// best first.
func complete(table []Command, typed string) []Command {
	var named []Command
	var names []string
	for _, c := range table {
		if c.Slash != "" {
			named, names = append(named, c), append(names, c.Slash)
		}
	}
	if typed == "" {
		return named
	}
	var out []Command
	for _, match := range fuzzy.Find(typed, names) {
		out = append(out, named[match.Index])
	}
	return out
}

// longestName is more than any command's name has: beyond it no other is meant.
const longestName = 40

// unknown says that there is no such command, and which one may be meant.
func unknown(table []Command, name string) string {
	best, distance := "", min(3, len(name)) // further apart than two letters is another word
	if len(name) > longestName {
		name, table = name[:longestName]+"...", nil
	}
	if i := slices.IndexFunc(table, func(c Command) bool { return name != "" && strings.HasPrefix(c.Slash, name) }); i >= 0 {
		best, distance = table[i].Slash, 0
	}
	for _, c := range table {
		for _, s := range append([]string{c.Slash}, c.Aliases...) {
			if d := levenshtein.ComputeDistance(name, s); s != "" && d < distance {
				best, distance = s, d
			}
		}
	}
	text := fmt.Sprintf("There is no command /%s.", name)
	if best != "" {
		text += fmt.Sprintf(" Did you mean /%s?", best)
	}
	return text + " A space before the slash sends it as a prompt."
}

// parseCommand splits "/name words" into the name and the words. Everything
// that begins with a slash is a command, known or not, so that none is sent to
// a model by mistake (decision 23).
func parseCommand(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	name, args, _ = strings.Cut(rest, " ")
	if line, more, cut := strings.Cut(name, "\n"); cut {
		name, args = line, strings.TrimSpace(more+" "+args)
	}
	return name, strings.TrimSpace(args), true
}
