package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
)

// The contexts of keys, in the order in which help shows them.
const (
	inComposer = "Composer"
	inList     = "List"
	inTimeline = "Timeline"
	inBlock    = "Block"
	inSearch   = "Search"
	inViewer   = "Edits"
	inContext  = "Context"
	inDetails  = "Details"
	inSessions = "Sessions"
	inPreview  = "Preview"
	inQuestion = "Question"
	inForm     = "Form"
	inSession  = "Session"
	inAgent    = "Agent" // its own commands; they are not in the table
)

// Commands returns the table of commands.
func Commands() []Command {
	return slices.Concat(composerCommands(), editingCommands(), listCommands(),
		timelineCommands(), blockCommands(), searchCommands(), viewerCommands(), contextCommands(),
		detailsCommands(), browserCommands(), previewCommands(),
		questionCommands(), formCommands(), sessionCommands(), workCommands(), programCommands())
}

func composerCommands() []Command {
	return []Command{
		{ID: "send", Title: "Send; while the agent works, steer it", Keys: []string{"enter"}, Context: inComposer, run: (*Model).submit},
		{ID: "queue", Title: "Queue the prompt for after this turn", Keys: []string{"ctrl+q", "ctrl+enter"}, Context: inComposer, run: (*Model).enqueue},
		{ID: "newline", Title: "New line (or \\ and enter)", Keys: []string{"shift+enter", "alt+enter", "ctrl+j"}, Context: inComposer},
		{ID: "complete", Title: "Accept the completion; on an empty draft, go to the waiting question", Keys: []string{"tab"}, Context: inComposer, run: (*Model).tab},
		{ID: "complete-queue", Title: "Accept the completion; while the agent works, queue the prompt", Context: inComposer, run: (*Model).tabQueue},
		{ID: "mention", Title: "Mention a file or folder; its lines with :10-20", Keys: []string{"@"}, Context: inComposer},
		{ID: "issue", Title: "Mention an issue, where the agent knows them", Keys: []string{"#"}, Context: inComposer},
		{ID: "shell", Title: "Run a command yourself; the agent sees it", Keys: []string{"!"}, Context: inComposer},
		{ID: "recall", Title: "Earlier and later prompts that begin as the draft does; first the one that waits", Keys: []string{"up", "down", "ctrl+p", "ctrl+n"}, acts: []string{"earlier", "later", "earlier", "later"}, Context: inComposer},
		{ID: "history", Title: "Search the prompts you sent and what you put away", Keys: []string{"ctrl+r"}, Slash: "history", Context: inComposer, run: (*Model).searchHistory},
		{ID: "stash", Title: "Put the draft away; on an empty draft, take it back", Keys: []string{"ctrl+s"}, Slash: "stash", Context: inComposer, run: (*Model).stash},
		{ID: "mention-file", Title: "Mention a file, found by its letters", Slash: "mention", Context: inComposer, run: (*Model).mentionFile},
		{ID: "attach", Title: "Attach a file or folder", Slash: "attach", Args: "path", Context: inComposer, run: (*Model).attach},
		{ID: "paste-image", Title: "Attach the picture on the clipboard", Keys: []string{"alt+v", "ctrl+v"}, Slash: "paste", Context: inComposer, run: (*Model).pasteImage},
		{ID: "edit", Title: "Write in your own editor ($COPILOT_EDITOR, $VISUAL, $EDITOR)", Keys: []string{"ctrl+g", "ctrl+x e", "ctrl+x ctrl+e"}, Slash: "editor", Context: inComposer, run: (*Model).editDraft},
		{ID: "palette", Title: "Find a command", Keys: []string{"ctrl+x space", "f1"}, Slash: "commands", Context: inComposer, run: (*Model).openPalette},
		{ID: "command", Title: "Run a command and keep the draft", Keys: []string{"ctrl+x /"}, Context: inComposer, run: (*Model).openCommandLine},
		{ID: "cancel", Title: "Copy what is selected, leave a question, clear the draft, interrupt; twice when idle: quit", Keys: []string{"ctrl+c"}, Context: inComposer, run: (*Model).cancel, always: true},
		{ID: "delete", Title: "Delete forward; twice on an empty draft: quit", Keys: []string{"ctrl+d"}, Context: inComposer, run: (*Model).quitTwice, edits: true},
	}
}

// editingCommands are the keys that the editor has built in.
func editingCommands() []Command {
	return []Command{
		{ID: "undo", Title: "Undo, redo", Keys: []string{"ctrl+_", "alt+_"}, acts: []string{"undo", "redo"}, Context: inComposer},
		{ID: "words", Title: "A word back, a word forward", Keys: []string{"alt+b", "alt+f", "ctrl+left", "ctrl+right"}, acts: []string{"back", "forward", "back", "forward"}, Context: inComposer},
		{ID: "line-ends", Title: "The line's start, its end", Keys: []string{"ctrl+a", "ctrl+e", "home", "end"}, acts: []string{"start", "end", "start", "end"}, Context: inComposer},
		{ID: "letters", Title: "A letter back, a letter forward", Keys: []string{"ctrl+b", "ctrl+f", "left", "right"}, acts: []string{"back", "forward", "back", "forward"}, Context: inComposer},
		{ID: "kill", Title: "Cut to the line's end, to its start, the word before, the word after", Keys: []string{"ctrl+k", "ctrl+u", "ctrl+w", "alt+d"}, acts: []string{"line-end", "line-start", "word-before", "word-after"}, Context: inComposer},
		{ID: "yank", Title: "Put back what was cut; then, what was cut before", Keys: []string{"ctrl+y", "alt+y"}, acts: []string{"last", "earlier"}, Context: inComposer},
		{ID: "case", Title: "The word in capitals, in small letters, with a capital; swap two words", Keys: []string{"alt+u", "alt+l", "alt+c", "alt+t"}, acts: []string{"upper", "lower", "capital", "swap"}, Context: inComposer},
		{ID: "vim", Title: "Edit as in vim, or not", Slash: "vim", Args: "[on|off]", choices: []string{"on", "off"}, Context: inComposer, run: (*Model).setVim},
	}
}

// listCommands are the keys that lists have built in.
func listCommands() []Command {
	return []Command{
		{ID: "list-move", Title: "The row before, the row after", Keys: []string{"up", "down", "ctrl+p", "ctrl+n"}, acts: []string{"before", "after", "before", "after"}, Context: inList},
		{ID: "list-letters", Title: "The same where nothing is typed; the first, the last", Keys: []string{"k", "j", "g", "G"}, acts: []string{"before", "after", "first", "last"}, Context: inList},
		{ID: "list-page", Title: "A page up, a page down; the first, the last", Keys: []string{"pgup", "pgdown", "ctrl+home", "ctrl+end"}, acts: []string{"up", "down", "first", "last"}, Context: inList},
		{ID: "list-filter", Title: "Filter by typing", Keys: []string{"/"}, Context: inList},
		{ID: "list-choose", Title: "Choose the row; of tasks, what the agent did and what the shell said", Keys: []string{"enter"}, Context: inList},
		{ID: "list-close", Title: "Close; nothing is changed", Keys: []string{"esc"}, Context: inList},
		{ID: "list-scope", Title: "Of prompts: this session, this repository, everywhere; the next that matches", Keys: []string{"ctrl+r", "ctrl+s"}, acts: []string{"further", "next"}, Context: inList},
		{ID: "list-effort", Title: "Of models: think less, think more; of settings: the value before, the one after", Keys: []string{"left", "right"}, acts: []string{"less", "more"}, Context: inList},
		{ID: "list-files", Title: "Of places to go back to: files too, or the conversation only", Keys: []string{"f"}, Context: inList},
		{ID: "list-queue", Title: "Of waiting prompts: reword, send now; sooner, later, also of what the status line tells", Keys: []string{"e", "s", "shift+up", "shift+down"}, acts: []string{"reword", "send", "sooner", "later"}, Context: inList},
		{ID: "list-drop", Title: "Take the prompt back; cancel the task, or take it off the list", Keys: []string{"x"}, Context: inList},
		{ID: "list-background", Title: "Of tasks: to the background", Keys: []string{"b"}, Context: inList},
		{ID: "list-switch", Title: "Of skills, MCP servers, what the status line tells: on or off; restart the server, its tools", Keys: []string{"space", "r", "t"}, acts: []string{"toggle", "restart", "tools"}, Context: inList},
		{ID: "list-words", Title: "Of commands: write the words after it", Keys: []string{"tab"}, Context: inList},
		{ID: "list-copy", Title: "Of links: copy it", Keys: []string{"c"}, Context: inList},
	}
}

func timelineCommands() []Command {
	return []Command{
		{ID: "page-up", Title: "Scroll up a page", Keys: []string{"pgup"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(-m.page()) }, held: true},
		{ID: "page-down", Title: "Scroll down a page", Keys: []string{"pgdown"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(m.page()) }, held: true},
		{ID: "line-up", Title: "Scroll up a line", Keys: []string{"shift+up"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(-1) }, held: true},
		{ID: "line-down", Title: "Scroll down a line", Keys: []string{"shift+down"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.scroll(1) }, held: true},
		{ID: "top", Title: "The start of the conversation", Keys: []string{"ctrl+home"}, Context: inTimeline, run: (*Model).goHome},
		{ID: "end", Title: "The end, and follow it", Keys: []string{"ctrl+end"}, Context: inTimeline, run: (*Model).goEnd},
		{ID: "block-above", Title: "The block before; the keys below are for it", Keys: []string{"alt+up"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.stepBlock(false) }, held: true},
		{ID: "block-below", Title: "The block after", Keys: []string{"alt+down"}, Context: inTimeline, run: func(m *Model, _ string) tea.Cmd { return m.stepBlock(true) }, held: true},
		{ID: "search", Title: "Search in the conversation", Keys: []string{"ctrl+f"}, Slash: "search", Aliases: []string{"find"}, Args: "[text]", Context: inTimeline, run: (*Model).openSearch},
		{ID: "last-failure", Title: "The last failure; again, the one before", Keys: []string{"ctrl+x f"}, Context: inTimeline, run: (*Model).lastFailure},
		{ID: "unread", Title: "The first that came while you were elsewhere", Keys: []string{"ctrl+x u"}, Context: inTimeline, run: (*Model).firstUnread},
		{ID: "density", Title: "Show more of the conversation, or less", Keys: []string{"ctrl+x y"}, Slash: "density", Args: "[compact|normal|verbose]", choices: []string{"compact", "normal", "verbose"}, Context: inTimeline, run: (*Model).setDensity},
		{ID: "times", Title: "Show times: none, the time of day, how long ago, the date too", Slash: "timestamps", Args: "[off|clock|ago|full]", choices: timesNames(), Context: inTimeline, run: (*Model).setTimes},
		{ID: "expand", Title: "Show entries whole, or folded; on a paste in the draft, show its text", Keys: []string{"ctrl+o"}, Context: inTimeline, run: (*Model).toggleExpanded},
		{ID: "expand-all", Title: "The same, without a draft", Keys: []string{"ctrl+e"}, Context: inTimeline, run: (*Model).toggleExpanded},
		{ID: "reasoning", Title: "Show reasoning whole, or folded", Keys: []string{"ctrl+t"}, Context: inTimeline, run: (*Model).toggleReasoning},
		{ID: "details", Title: "The events that made the block or the last entry, with every field", Slash: "details", Context: inTimeline, run: (*Model).openDetails},
		{ID: "diff", Title: "The edits of this session, in a checkout all changes since it began; full screen", Keys: []string{"ctrl+x d"}, Slash: "diff", Context: inTimeline, run: (*Model).showDiff},
		{ID: "split", Title: "Edits shown whole: side by side where there is room, or in one column", Keys: []string{"ctrl+x 2"}, Slash: "split", Context: inTimeline, run: (*Model).toggleSplit},
		{ID: "copy", Title: "Copy the last answer, its last code, or the whole conversation", Slash: "copy", Args: "[answer|code|all]", choices: []string{"answer", "code", "all"}, Context: inTimeline, run: (*Model).copyAnswer},
		{ID: "open-link", Title: "Open the last link", Keys: []string{"ctrl+x o"}, Slash: "open", Context: inTimeline, run: (*Model).openLink},
		{ID: "export", Title: "Write the conversation, or turns such as 3-5, to a file: .md, .html, .txt or .jsonl", Slash: "export", Aliases: []string{"share"}, Args: "[turns] [path]", Context: inTimeline, run: (*Model).export},
		{ID: "mouse", Title: "Give the mouse to the terminal, or take it back; it has shift and drag anyway", Keys: []string{"ctrl+x m"}, Slash: "mouse", Context: inTimeline, run: (*Model).toggleMouse},
		{ID: "redraw", Title: "Redraw the screen and go to the end", Keys: []string{"ctrl+l"}, Context: inTimeline, run: (*Model).redraw, always: true},
		{ID: "clear", Title: "Clear the screen; the conversation goes on", Slash: "clear", Context: inTimeline, run: (*Model).clearScreen, queued: true},
	}
}

// blockCommands are the keys for the block under the cursor, which the timeline
// has built in.
func blockCommands() []Command {
	return []Command{
		{ID: "block-move", Title: "The block before, the block after", Keys: []string{"up", "down", "k", "j"}, acts: []string{"before", "after", "before", "after"}, Context: inBlock},
		{ID: "block-prompt", Title: "The prompt before, the prompt after", Keys: []string{"{", "}"}, acts: []string{"before", "after"}, Context: inBlock},
		{ID: "block-ends", Title: "The first block, the last", Keys: []string{"g", "G", "home", "end"}, acts: []string{"first", "last", "first", "last"}, Context: inBlock},
		{ID: "block-fold", Title: "Show it whole, or folded", Keys: []string{"space"}, Context: inBlock},
		{ID: "block-open", Title: "What lies behind it: a sub-agent's timeline, an edit in full screen", Keys: []string{"enter"}, Context: inBlock},
		{ID: "block-details", Title: "The events that made it, with every field", Keys: []string{"i"}, Context: inBlock},
		{ID: "block-copy", Title: "Copy its source, its command or code, the whole turn", Keys: []string{"c", "y", "Y"}, acts: []string{"source", "code", "turn"}, Context: inBlock},
		{ID: "block-editor", Title: "Read it in your own editor", Keys: []string{"e"}, Context: inBlock},
		{ID: "block-save", Title: "Save its pictures, sounds and documents to files", Keys: []string{"s"}, Context: inBlock},
		{ID: "block-fork", Title: "Go on in a copy: of all up to here; from a prompt, of what was before it", Keys: []string{"F"}, Context: inBlock},
		{ID: "block-search", Title: "Search; the next match, the one before", Keys: []string{"/", "n", "N"}, acts: []string{"open", "next", "before"}, Context: inBlock},
		{ID: "block-leave", Title: "Back to the draft; from a sub-agent, to the conversation", Keys: []string{"esc", "tab"}, Context: inBlock},
	}
}

// searchCommands are the keys that the bar of a search has built in.
func searchCommands() []Command {
	return []Command{
		{ID: "search-keep", Title: "Stay at what was found; n and N go on", Keys: []string{"enter"}, Context: inSearch},
		{ID: "search-back", Title: "Back to where the search began", Keys: []string{"esc"}, Context: inSearch},
		{ID: "search-move", Title: "The match before, the match after", Keys: []string{"up", "down", "ctrl+p", "ctrl+n"}, acts: []string{"before", "after", "before", "after"}, Context: inSearch},
		{ID: "search-kind", Title: "Only prompts, answers, thinking, tools, failures, notices; back through them", Keys: []string{"tab", "shift+tab"}, acts: []string{"next", "before"}, Context: inSearch},
		{ID: "search-regex", Title: "As a regular expression, or as text", Keys: []string{"ctrl+r"}, Context: inSearch},
		{ID: "search-page", Title: "Scroll a page up, a page down", Keys: []string{"pgup", "pgdown"}, acts: []string{"up", "down"}, Context: inSearch},
	}
}

// viewerCommands are the keys that the open edits have built in.
func viewerCommands() []Command {
	return []Command{
		{ID: "view-line", Title: "The line before, the line after", Keys: []string{"up", "down", "k", "j"}, acts: []string{"before", "after", "before", "after"}, Context: inViewer},
		{ID: "view-page", Title: "A page up, a page down; half a page", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, acts: []string{"up", "down", "half-up", "half-down"}, Context: inViewer},
		{ID: "view-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, acts: []string{"start", "end", "start", "end"}, Context: inViewer},
		{ID: "view-change", Title: "The next change, the one before", Keys: []string{"n", "N"}, acts: []string{"next", "before"}, Context: inViewer},
		{ID: "view-edit", Title: "The newer edit, the older edit", Keys: []string{"left", "right", "h", "l"}, acts: []string{"newer", "older", "newer", "older"}, Context: inViewer},
		{ID: "view-split", Title: "Side by side, or in one column", Keys: []string{"t"}, Context: inViewer},
		{ID: "view-wrap", Title: "Wrap long lines, or cut them; move to the side", Keys: []string{"w", "<", ">"}, acts: []string{"wrap", "left", "right"}, Context: inViewer},
		{ID: "view-comment", Title: "Comment on the line, in the draft", Keys: []string{"c"}, Context: inViewer},
		{ID: "view-copy", Title: "Copy the line, the whole edit", Keys: []string{"y", "Y"}, acts: []string{"line", "edit"}, Context: inViewer},
		{ID: "view-editor", Title: "Read it in your own editor", Keys: []string{"e"}, Context: inViewer},
		{ID: "view-close", Title: "Close", Keys: []string{"esc", "q"}, Context: inViewer},
	}
}

// contextCommands are the keys that the inspector of the context has built in.
func contextCommands() []Command {
	return []Command{
		{ID: "context-message", Title: "The message before, the message after", Keys: []string{"up", "down", "k", "j"}, acts: []string{"before", "after", "before", "after"}, Context: inContext},
		{ID: "context-page", Title: "A page up, a page down", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, acts: []string{"up", "down", "up", "down"}, Context: inContext},
		{ID: "context-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, acts: []string{"start", "end", "start", "end"}, Context: inContext},
		{ID: "context-fold", Title: "Unfold the message, fold it", Keys: []string{"enter", "space", "right", "left"}, acts: []string{"turn", "turn", "unfold", "fold"}, Context: inContext},
		{ID: "context-agent", Title: "What the next sub-agent's model sees, the one's before", Keys: []string{"tab", "shift+tab"}, acts: []string{"next", "before"}, Context: inContext},
		{ID: "context-copy", Title: "Copy the message as it is sent", Keys: []string{"y"}, Context: inContext},
		{ID: "context-editor", Title: "Read the message in your own editor", Keys: []string{"e", "ctrl+g"}, Context: inContext},
		{ID: "context-close", Title: "Close", Keys: []string{"esc", "q"}, Context: inContext},
	}
}

// detailsCommands are the keys that the details of an entry have built in.
func detailsCommands() []Command {
	return []Command{
		{ID: "details-field", Title: "The field before, the field after", Keys: []string{"up", "down", "k", "j"}, acts: []string{"before", "after", "before", "after"}, Context: inDetails},
		{ID: "details-page", Title: "A page up, a page down", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, acts: []string{"up", "down", "up", "down"}, Context: inDetails},
		{ID: "details-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, acts: []string{"start", "end", "start", "end"}, Context: inDetails},
		{ID: "details-fold", Title: "Unfold the field, fold it; from a field to what it is in", Keys: []string{"enter", "space", "right", "left"}, acts: []string{"turn", "turn", "unfold", "fold"}, Context: inDetails},
		{ID: "details-search", Title: "Search the fields; the next match, the previous one", Keys: []string{"/", "n", "N"}, acts: []string{"open", "next", "before"}, Context: inDetails},
		{ID: "details-copy", Title: "Copy the event as the JSON it came as", Keys: []string{"y"}, Context: inDetails},
		{ID: "details-editor", Title: "Read the event in your own editor", Keys: []string{"e", "ctrl+g"}, Context: inDetails},
		{ID: "details-read", Title: "Read the events again", Keys: []string{"r"}, Context: inDetails},
		{ID: "details-close", Title: "Close", Keys: []string{"esc", "q"}, Context: inDetails},
	}
}

// browserCommands are the keys that the browser of past sessions has built in.
func browserCommands() []Command {
	return []Command{
		{ID: "session-move", Title: "The session before, the session after", Keys: []string{"up", "down", "k", "j"}, acts: []string{"before", "after", "before", "after"}, Context: inSessions},
		{ID: "session-page", Title: "A page up, a page down; half a page", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, acts: []string{"up", "down", "half-up", "half-down"}, Context: inSessions},
		{ID: "session-ends", Title: "The first session, the last", Keys: []string{"g", "G", "home", "end"}, acts: []string{"first", "last", "first", "last"}, Context: inSessions},
		{ID: "session-query", Title: "Write what to look for; enter goes back to the list", Keys: []string{"/"}, Context: inSessions},
		{ID: "session-open", Title: "Go on with it; one that is open elsewhere, read it first", Keys: []string{"enter"}, Context: inSessions},
		{ID: "session-read", Title: "Read it, and change nothing", Keys: []string{"o"}, Context: inSessions},
		{ID: "session-preview", Title: "To the preview", Keys: []string{"space", "tab"}, Context: inSessions},
		{ID: "session-hit", Title: "In the preview, the next line with the words, the one before", Keys: []string{"}", "{"}, acts: []string{"next", "before"}, Context: inSessions},
		{ID: "session-scope", Title: "Those of this folder, of this repository, all", Keys: []string{"a", "ctrl+r"}, Context: inSessions},
		{ID: "session-sort", Title: "Sort by relevance, use, start, name, cost", Keys: []string{"s"}, Context: inSessions},
		{ID: "session-group", Title: "Group by day, by repository, copies below their originals, or not", Keys: []string{"b"}, Context: inSessions},
		{ID: "session-fork", Title: "Go on in a copy", Keys: []string{"f", "ctrl+f"}, Context: inSessions},
		{ID: "session-new", Title: "Start a new session", Keys: []string{"n"}, Context: inSessions},
		{ID: "session-pin", Title: "Pin it above the others, or not", Keys: []string{"p"}, Context: inSessions},
		{ID: "session-tag", Title: "Give it tags", Keys: []string{"t"}, Context: inSessions},
		{ID: "session-rename", Title: "Give it a name", Keys: []string{"r"}, Context: inSessions},
		{ID: "session-archive", Title: "Archive it, or not any more", Keys: []string{"z"}, Context: inSessions},
		{ID: "session-delete", Title: "Delete it (press twice); take the last deletion or archiving back", Keys: []string{"x", "u"}, acts: []string{"delete", "undo"}, Context: inSessions},
		{ID: "session-copy", Title: "Copy the command that goes on with it", Keys: []string{"y", "c"}, Context: inSessions},
		{ID: "session-export", Title: "Write it to a file", Keys: []string{"e"}, Context: inSessions},
		{ID: "session-keys", Title: "The keys that there was no room for", Keys: []string{"?"}, Context: inSessions},
		{ID: "session-close", Title: "Close", Keys: []string{"esc", "q"}, Context: inSessions},
	}
}

// previewCommands are the keys that the preview of a past session has built in.
func previewCommands() []Command {
	return []Command{
		{ID: "preview-line", Title: "A line up, a line down", Keys: []string{"up", "down", "k", "j"}, acts: []string{"up", "down", "up", "down"}, Context: inPreview},
		{ID: "preview-page", Title: "A page up, a page down; half a page", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, acts: []string{"up", "down", "half-up", "half-down"}, Context: inPreview},
		{ID: "preview-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, acts: []string{"start", "end", "start", "end"}, Context: inPreview},
		{ID: "preview-hit", Title: "The next line with the words, the one before", Keys: []string{"n", "N"}, acts: []string{"next", "before"}, Context: inPreview},
		{ID: "preview-open", Title: "Go on with the session; read it, and change nothing", Keys: []string{"enter", "o"}, acts: []string{"resume", "read"}, Context: inPreview},
		{ID: "preview-close", Title: "Back to the list", Keys: []string{"esc", "space", "tab"}, Context: inPreview},
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
		{ID: "choose", Title: "Choose a row", Keys: []string{"up", "down", "1", "enter"}, acts: []string{"before", "after", "number", "take"}, Context: inQuestion},
		{ID: "note", Title: "Add a note to yes", Keys: []string{"tab"}, Context: inQuestion},
		{ID: "full-view", Title: "Show as much of it as fits", Keys: []string{"v"}, Context: inQuestion},
		{ID: "why", Title: "Why it is asked", Keys: []string{"?"}, Context: inQuestion},
		{ID: "question-copy", Title: "Copy what is asked about; in a change, comment on the line", Keys: []string{"c"}, Context: inQuestion},
		{ID: "question-editor", Title: "Read it in your own editor; a plan: change it there", Keys: []string{"e"}, Context: inQuestion},
		{ID: "question-change", Title: "In a change: side by side, wrapped, the change before and after", Keys: []string{"t", "w", "{", "}"}, acts: []string{"split", "wrap", "before", "after"}, Context: inQuestion},
		{ID: "question-plan", Title: "A plan: keep planning and say what to change; what is new in it, or all of it", Keys: []string{"f", "d"}, acts: []string{"refuse", "changes"}, Context: inQuestion},
		{ID: "other-question", Title: "The question before, the question after", Keys: []string{"[", "]"}, acts: []string{"before", "after"}, Context: inQuestion},
		{ID: "edit-answer", Title: "Write the open line in your own editor", Keys: []string{"ctrl+g"}, Context: inQuestion},
		{ID: "leave-question", Title: "Leave it for later", Keys: []string{"esc"}, Context: inQuestion},
	}
}

// formCommands are the keys that a form has built in.
func formCommands() []Command {
	return []Command{
		{ID: "form-step", Title: "The next answer, the one before", Keys: []string{"tab", "shift+tab"}, acts: []string{"next", "before"}, Context: inForm},
		{ID: "form-choose", Title: "Go through what there is to choose from; choose it", Keys: []string{"up", "down", "space"}, acts: []string{"before", "after", "take"}, Context: inForm},
		{ID: "form-end", Title: "End the answer and go on; the only one is sent, several are shown first", Keys: []string{"enter"}, Context: inForm},
		{ID: "form-end-lines", Title: "The same in an answer of several lines", Keys: []string{"ctrl+enter"}, Context: inForm},
	}
}

func sessionCommands() []Command {
	return []Command{
		{ID: "interrupt", Title: "Interrupt the agent (press twice); idle: put the draft away, or go back", Keys: []string{"esc"}, Context: inSession, run: (*Model).escape},
		{ID: "cycle-mode", Title: "Next mode: interactive, plan, autopilot", Keys: []string{"shift+tab"}, Context: inSession, run: (*Model).cycleMode},
		{ID: "mode", Title: "Choose the mode", Slash: "mode", Args: "[interactive|plan|autopilot]", choices: modeNames(), Context: inSession, run: (*Model).setMode, live: true},
		{
			ID: "plan", Title: "Plan first: switch to plan mode, and send the prompt", Slash: "plan", Args: "[prompt]", Context: inSession,
			run:   func(m *Model, args string) tea.Cmd { return m.planFirst(plainDrafts([]string{args})[0]) },
			draft: (*Model).planFirst, live: true,
		},
		{ID: "show-plan", Title: "The plan of this session; e changes it in your editor (the key: in plan mode, without a draft)", Keys: []string{"ctrl+y"}, Slash: "show-plan", Context: inSession, run: (*Model).showPlan, live: true},
		{ID: "model", Title: "Choose the model and how hard it thinks", Keys: []string{"ctrl+x l"}, Slash: "model", Aliases: []string{"models"}, Args: "[name] [effort]", Context: inSession, run: (*Model).setModel, live: true},
		{ID: "new", Title: "Start a new session; this one can be resumed", Slash: "new", Aliases: []string{"reset"}, Context: inSession, run: (*Model).newSession},
		{ID: "resume", Title: "Past sessions: find one, read it, go on with it", Keys: []string{"ctrl+x s"}, Slash: "resume", Aliases: []string{"continue", "sessions"}, Args: "[id or words]", Context: inSession, run: (*Model).resumeSession},
		{ID: "go-on", Title: "Go on with the session that is only read here", Keys: []string{"ctrl+x g"}, Slash: "go-on", Context: inSession, run: (*Model).goOn},
		{ID: "beside", Title: "Start a session beside this one; with an id, go on with that one", Keys: []string{"ctrl+x w"}, Slash: "beside", Args: "[id]", Context: inSession, run: (*Model).openBeside},
		{ID: "next-session", Title: "The session after this one, of those open here", Keys: []string{"ctrl+x right"}, Context: inSession, run: func(m *Model, _ string) tea.Cmd { return m.stepConversation(1) }},
		{ID: "previous-session", Title: "The session before this one", Keys: []string{"ctrl+x left"}, Context: inSession, run: func(m *Model, _ string) tea.Cmd { return m.stepConversation(-1) }},
		{ID: "open-sessions", Title: "The sessions that are open here, and how they stand", Keys: []string{"ctrl+x a"}, Slash: "open-sessions", Aliases: []string{"tabs"}, Context: inSession, run: (*Model).pickConversation},
		{ID: "rename", Title: "Give the session a name", Slash: "rename", Args: "name", Context: inSession, run: (*Model).rename, live: true, reads: true},
		{ID: "fork", Title: "Go on in a copy of this session", Slash: "fork", Aliases: []string{"branch"}, Context: inSession, run: (*Model).fork, live: true, reads: true},
		{ID: "rewind", Title: "Go back to before a prompt", Slash: "rewind", Aliases: []string{"undo"}, Context: inSession, run: (*Model).rewind, live: true},
		{ID: "redo", Title: "Take the last rewind back", Slash: "redo", Context: inSession, run: (*Model).redo, live: true},
		{ID: "compact", Title: "Summarise the conversation to free context", Slash: "compact", Aliases: []string{"summarize"}, Args: "[what to keep]", Context: inSession, run: (*Model).compact, live: true},
		{ID: "session", Title: "What this session is", Slash: "session", Aliases: []string{"status"}, Context: inSession, run: (*Model).showSession, queued: true},
		{ID: "context", Title: "What the model sees, and what fills its context", Keys: []string{"ctrl+x c"}, Slash: "context", Context: inSession, run: (*Model).showContext, live: true, reads: true},
		{ID: "usage", Title: "What this session used", Slash: "usage", Aliases: []string{"cost", "stats"}, Context: inSession, run: (*Model).showUsage, live: true, reads: true, queued: true},
		{ID: "restart", Title: "Start the agent anew and go on with this session", Slash: "restart", Context: inSession, run: (*Model).restart},
		{ID: "login", Title: "Sign in to the agent's account, then go on with this session", Slash: "login", Context: inSession, run: (*Model).signIn},
		{ID: "logout", Title: "Sign out of the agent's account", Slash: "logout", Context: inSession, run: (*Model).signOut},
		{ID: "close", Title: "Leave this session for the one beside it, or for a new one (press twice)", Keys: []string{"ctrl+x x"}, Context: inSession, run: (*Model).closeSession},
		{ID: "stop", Title: "End an agent that does not answer", Slash: "stop", Context: inSession, run: (*Model).stopAgent},
	}
}

func workCommands() []Command {
	return []Command{
		{ID: "queued", Title: "The prompts that wait", Keys: []string{"ctrl+x q"}, Slash: "queue", Context: inSession, run: (*Model).showQueue, live: true},
		{ID: "tasks", Title: "What runs in the background", Slash: "tasks", Context: inSession, run: (*Model).showTasks, live: true, reads: true},
		{ID: "background", Title: "Let what runs go on in the background", Keys: []string{"ctrl+x b"}, Slash: "background", Context: inSession, run: (*Model).background, live: true},
		{ID: "todos", Title: "What is to be done", Slash: "todos", Context: inSession, run: (*Model).showTodos, live: true, queued: true},
		{ID: "todo-band", Title: "What is to be done, above the draft: one line, a list, or not", Keys: []string{"ctrl+x t"}, Context: inSession, run: (*Model).cycleTodos},
		{ID: "ask", Title: "Ask on the side: not part of the conversation", Slash: "ask", Aliases: []string{"btw"}, Args: "question", Context: inSession, run: (*Model).ask, live: true},
		{ID: "agent", Title: "Choose who handles the conversation", Slash: "agent", Aliases: []string{"agents"}, Args: "[name]", Context: inSession, run: (*Model).setAgent, live: true},
		{ID: "skills", Title: "The skills, on or off", Slash: "skills", Context: inSession, run: (*Model).showSkills, live: true},
		{ID: "mcp", Title: "The MCP servers, on or off", Slash: "mcp", Args: "[server]", Context: inSession, run: (*Model).showMcp, live: true},
		{ID: "grants", Title: "What is allowed without asking; revoke it", Slash: "grants", Aliases: []string{"permissions", "approvals"}, Context: inSession, run: (*Model).showGrants, live: true},
		{ID: "allow-all", Title: "Ask for nothing until the session ends, or ask again", Slash: "allow-all", Aliases: []string{"yolo"}, Args: "[on|off]", choices: []string{"on", "off"}, Context: inSession, run: (*Model).setAllowAll, live: true},
		{ID: "add-dir", Title: "Let the agent work in another folder too", Slash: "add-dir", Args: "path", Context: inSession, run: (*Model).addDir, live: true},
		{ID: "list-dirs", Title: "The folders the agent may work in", Slash: "list-dirs", Context: inSession, run: (*Model).listDirs, live: true, queued: true},
		{ID: "cwd", Title: "Work in another folder", Slash: "cwd", Aliases: []string{"cd"}, Args: "[path]", Context: inSession, run: (*Model).setDir},
	}
}

func programCommands() []Command {
	return []Command{
		{ID: "help", Title: "Keys and commands", Keys: []string{"?"}, Slash: "help", Context: inSession, run: (*Model).showHelp, queued: true},
		{ID: "keys", Title: "The keys you have, and what they are called in your file", Slash: "keys", Aliases: []string{"keymap", "keybindings"}, Context: inSession, run: (*Model).showKeys, queued: true},
		{ID: "settings", Title: "Settings: what they are, and change them", Slash: "settings", Aliases: []string{"config"}, Args: "[name [value]]", Context: inSession, run: (*Model).openSettings},
		{ID: "status-line", Title: "What the status line tells, and in which order", Slash: "statusline", Aliases: []string{"footer"}, Context: inSession, run: (*Model).showStatusItems},
		{ID: "theme", Title: "Choose the theme: the window shows each as you move", Slash: "theme", Aliases: []string{"themes"}, Args: "[name]", choices: theme.Names(), Context: inSession, run: (*Model).setTheme},
		{ID: "version", Title: "Which Parley and which agent this is", Slash: "version", Context: inSession, run: (*Model).showVersion, queued: true},
		{ID: "terminal-setup", Title: "What your terminal needs for all the keys", Slash: "terminal-setup", Context: inSession, run: (*Model).showTerminalSetup},
		{ID: "doctor", Title: "What is missing in the terminal, the agent, folders, files", Slash: "doctor", Aliases: []string{"diagnose"}, Context: inSession, run: (*Model).showDoctor},
		{ID: "report", Title: "Report a mistake; you see all of it first", Slash: "report", Aliases: []string{"bug", "feedback"}, Args: "[path]", Context: inSession, run: (*Model).showReport},
		{ID: "suspend", Title: "Suspend to the shell; fg comes back", Keys: []string{"ctrl+z"}, Context: inSession, run: (*Model).suspend, always: true},
		{ID: "quit", Title: "Leave; the session can be resumed", Slash: "quit", Aliases: []string{"exit", "q"}, Context: inSession, run: (*Model).quit},
	}
}
