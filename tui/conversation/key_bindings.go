package conversation

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/settings"
	"parley/tui/composer"
	"parley/tui/keymap"
	"parley/tui/navigation"
)

// keyring is what keys do now.
type keyring struct {
	Keymap   *keymap.Map
	commands []keymap.Command          // the table
	keys     map[string]keymap.Command // those that run, by their keys
	cards    *prompts.Keys             // what all questions look at
}

// Bind takes the keys of a user, and reports what is wrong with them; then
// those that were bound before stay.
func (w *Window) Bind(k settings.Keys) []error {
	km, wrong := keymap.New(k)
	if wrong != nil && w.Keymap != nil {
		return wrong
	}
	if w.cards == nil {
		w.cards = &prompts.Keys{}
	}
	w.Keymap, w.commands, w.keys, *w.cards = km, km.Commands, keymap.ByKey(km.Commands), cards(km)
	if w.Config.Lines {
		w.cards.Card, w.cards.Line, w.cards.Form, w.cards.FormLine = byWord("yes"), byWord(""), byWord("an empty line"), byWord("")
	}
	return wrong
}

// byWord are the words that are typed for the keys of questions where lines are read; keys that
// have none are left out.
func byWord(enter string) prompts.Bindings {
	return prompts.Bindings{Shown: map[string]string{
		"enter": enter, "esc": ".", "tab": ".tab", "pgdn": ".more", "pgup": ".back", "end": "", "up": "", "down": "", "space": "a number",
		"shift+tab": "", "shift+enter": "", "ctrl+g": "", "v": "", "t": "", "w": "", "{": "", "}": "",
	}}
}

// cards are the user's keys on questions and forms.
func cards(km *keymap.Map) prompts.Keys {
	in := func(scope string) prompts.Bindings { return prompts.Bindings(km.Own(scope)) }
	behind := map[string]bool{}
	for _, c := range km.Commands {
		if slices.Contains([]string{"page-up", "page-down", "line-up", "line-down", "block-above", "block-below"}, c.ID) {
			for _, name := range c.Keys {
				behind[name] = true
			}
		}
	}
	return prompts.Keys{
		Card: in(keymap.InQuestion), Line: in(keymap.InLine), Form: in(keymap.InForm), FormLine: in(keymap.InFormLine),
		Focus: km.KeyFor("answer"), Turn: km.Show("complete"), Behind: behind,
	}
}

// KeyFor is how the user gets to an action: its first key, or its command.
func (w *Window) KeyFor(name string) string { return w.Keymap.KeyFor(name) }

// says is a text with the user's keys.
func (w *Window) says(text string) string { return w.Keymap.Fill(text) }

// Ways are hints of actions, with the user's keys for them: pairs of actions, which
// are separated by blanks, and what they do.
func (w *Window) Ways(pairs ...string) []key.Binding {
	return w.Keymap.Hints(w.Config.Environment().Unicode(), pairs...)
}

// KeyHints draws hints in a line.
func (w *Window) KeyHints(hints ...key.Binding) string { return w.hinting.Draw(w.Theme, hints) }

// FittingHints draws as many hints, from the first, as there is room for; the first
// stays.
func (w *Window) FittingHints(room int, hints ...key.Binding) string {
	return w.hinting.Fitted(room, w.Theme, hints)
}

// completes is the key of the completions that a key of the table stands for.
// Esc always closes them.
func (w *Window) completes(press tea.KeyPressMsg) string {
	name := keymap.Name(press)
	as, ok := w.Keymap.Press(keymap.InComposer, press)
	c := w.keys[name]
	switch {
	case name == "esc", name == "pgup", name == "pgdown":
		return name
	case c.ID == "complete" || c.ID == "complete-queue":
		return "tab"
	case c.ID == "send":
		return "enter"
	case !ok || name == "tab" || name == "enter" || name == "ctrl+y" && c.ID != "" && c.ID != "show-plan":
		return ""
	}
	return as.Keystroke()
}

// Handler does what a command is for, with the words after its name.
type Handler func(args string) tea.Cmd

// does is a handler that needs no words and asks for nothing.
func does(what func()) Handler {
	return func(string) tea.Cmd {
		what()
		return nil
	}
}

// stepBlock moves the cursor on blocks. A question that had the keys waits meanwhile.
func stepBlock(c *Conversation, down bool) navigation.Action {
	if c.Questions.Focused() {
		c.Questions.Blur(c.win.Now)
	}
	return c.Nav.Step(down)
}

// commandHandlers are what a conversation does for each command of the table that is about
// it, by its ID.
func commandHandlers(c *Conversation) map[string]Handler { //nolint:funlen // a table
	moves := func(do func(args string) navigation.Action) Handler {
		return func(args string) tea.Cmd { return c.Blocks.Do(do(args)) }
	}
	goes := func(do func() navigation.Action) Handler {
		return func(string) tea.Cmd { return c.Blocks.Do(do()) }
	}
	return map[string]Handler{
		"send":           c.Input.submit,
		"queue":          c.Input.enqueue,
		"complete":       c.Input.tab,
		"complete-queue": c.Input.tabQueue,
		"history":        c.recall.searchHistory,
		"stash":          c.Draft.stash,
		"mention-file":   c.Draft.mentionFile,
		"ignored-files":  c.Draft.toggleIgnored,
		"attach":         c.Draft.attach,
		"paste-image":    c.Draft.pasteImage,
		"edit":           c.Draft.editDraft,
		"palette":        does(func() { c.Commands.Palette("") }),
		"command":        does(func() { c.Commands.Palette("/") }),
		"page-up":        does(func() { c.Pane.Scroll(-c.Nav.Page()) }),
		"page-down":      does(func() { c.Pane.Scroll(c.Nav.Page()) }),
		"line-up":        does(func() { c.Pane.Scroll(-1) }),
		"line-down":      does(func() { c.Pane.Scroll(1) }),
		"top":            does(c.Pane.Home),
		"end":            does(c.Nav.End),
		"block-above":    goes(func() navigation.Action { return stepBlock(c, false) }),
		"block-below":    goes(func() navigation.Action { return stepBlock(c, true) }),
		"search":         moves(c.Nav.Search),
		"last-failure":   goes(c.Nav.LastFailure),
		"unread":         goes(c.Nav.FirstUnread),
		"density":        moves(c.Nav.SetDensity),
		"times":          moves(c.Nav.SetTimes),
		"expand":         c.Input.toggleExpanded,
		"expand-all":     c.Input.toggleExpanded,
		"reasoning":      does(func() { c.Pane.Thinking = !c.Pane.Thinking }),
		"details":        goes(c.Nav.Details),
		"diff":           c.Blocks.showDiff,
		"split":          goes(func() navigation.Action { return c.Nav.ToggleSplit(c.win.Width) }),
		"copy":           c.Exports.copyAnswer,
		"open-link":      goes(c.Nav.Links),
		"export":         c.Exports.export,
		"redraw": func(string) tea.Cmd {
			c.Pane.End()
			return tea.ClearScreen
		},
		"clear":          does(c.Pane.Clear),
		"answer":         c.Input.focusQuestion,
		"interrupt":      c.Input.escape,
		"cycle-mode":     c.Options.cycleMode,
		"mode":           c.Options.setMode,
		"plan":           func(args string) tea.Cmd { return c.Commands.planFirst(composer.Plain(args)[0]) },
		"show-plan":      c.Options.showPlan,
		"model":          c.Options.setModel,
		"options":        c.Options.setOption,
		"rename":         c.titles.rename,
		"rewind":         c.Checkpoints.rewind,
		"redo":           c.Checkpoints.redo,
		"commit":         c.Queue.commit,
		"compact":        c.Commands.compact,
		"session":        c.Reports.showSession,
		"context":        c.Reports.showContext,
		"usage":          c.Reports.showUsage,
		"login":          c.account.signIn,
		"logout":         c.account.signOut,
		"queued":         c.Queue.showQueue,
		"tasks":          c.Tasks.showTasks,
		"background":     c.Tasks.background,
		"todos":          c.Todos.showTodos,
		"todo-band":      c.Todos.cycleTodos,
		"ask":            c.shell.ask,
		"agent":          c.Options.setAgent,
		"skills":         c.Options.showSkills,
		"hooks":          c.Options.showHooks,
		"mcp":            c.MCP.showMcp,
		"trust":          c.MCP.trust,
		"grants":         c.Options.showGrants,
		"allow-all":      c.Options.setAllowAll,
		"add-dir":        c.folders.addDir,
		"list-dirs":      c.folders.listDirs,
		"cwd":            c.folders.setDir,
		"help":           c.Reports.showHelp,
		"chords":         c.Reports.showChords,
		"keys":           c.Reports.showKeys,
		"version":        c.Reports.showVersion,
		"terminal-setup": c.Reports.showTerminalSetup,
		"doctor":         c.Reports.showDoctor,
		"report":         c.Reports.showReport,
	}
}
