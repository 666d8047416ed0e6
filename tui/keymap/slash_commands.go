package keymap

import "parley/theme"

// The contexts of keys, in the order in which help shows them.
const (
	InComposer = "Composer"
	InList     = "List"
	inTimeline = "Timeline"
	InBlock    = "Block"
	InSearch   = "Search"
	InViewer   = "Edits"
	InContext  = "Context"
	InDetails  = "Details"
	InSessions = "Sessions"
	InPreview  = "Preview"
	InQuestion = "Question"
	InForm     = "Form"
	InSession  = "Session"
	InAgent    = "Agent" // its own commands; they are not in the table
)

// commandGroup is rows of the table whose keys work in one place.
type commandGroup struct {
	context  string
	builtIn  bool // the part of the window with the focus has the keys built in
	commands []Command
}

// table is the table of commands. Of a group that is not built in whole, some rows
// may be.
var table = []commandGroup{
	{InComposer, false, []Command{
		{ID: "send", Title: "Send; while the agent works, steer it", Keys: []string{"enter"}},
		{ID: "queue", Title: "Queue the prompt for after this turn", Keys: []string{"ctrl+q", "ctrl+enter"}},
		{ID: "newline", Title: "New line (or \\ and enter)", Keys: []string{"shift+enter", "alt+enter", "ctrl+j"}, BuiltIn: true},
		{ID: "complete", Title: "Accept the completion; on an empty draft, go to the pending question", Keys: []string{"tab"}},
		{ID: "complete-queue", Title: "Accept the completion; while the agent works, queue the prompt"},
		{ID: "mention", Title: "Mention a file or folder; its lines with :10-20", Keys: []string{"@"}, BuiltIn: true},
		{ID: "issue", Title: "Mention an issue, where the agent knows them", Keys: []string{"#"}, BuiltIn: true},
		{ID: "shell", Title: "Run a command yourself; the agent sees it", Keys: []string{"!"}, BuiltIn: true},
		{ID: "recall", Title: "Previous and next prompt that begins as the draft does; a queued one first", Keys: []string{"up", "down", "ctrl+p", "ctrl+n"}, Acts: []string{"earlier", "later"}, BuiltIn: true},
		{ID: "history", Title: "Search sent prompts and stashed drafts", Keys: []string{"ctrl+r"}, Slash: "history"},
		{ID: "stash", Title: "Put the draft away; on an empty draft, take it back", Keys: []string{"ctrl+s"}, Slash: "stash"},
		{ID: "mention-file", Title: "Mention a file, found by its letters", Slash: "mention"},
		{ID: "attach", Title: "Attach a file or folder", Slash: "attach", Args: "path"},
		{ID: "paste-image", Title: "Attach the image on the clipboard", Keys: []string{"alt+v", "ctrl+v"}, Slash: "paste"},
		{ID: "edit", Title: "Write in your own editor ($COPILOT_EDITOR, $VISUAL, $EDITOR)", Keys: []string{"ctrl+g", "ctrl+x e", "ctrl+x ctrl+e"}, Slash: "editor"},
		{ID: "palette", Title: "Find a command", Keys: []string{"ctrl+x space", "f1"}, Slash: "commands"},
		{ID: "command", Title: "Run a command and keep the draft", Keys: []string{"ctrl+x /"}},
		{ID: "cancel", Title: "Copy what is selected, leave a question, clear the draft, interrupt; twice when idle: quit", Keys: []string{"ctrl+c"}, Always: true},
		{ID: "delete", Title: "Delete forward; twice on an empty draft: quit", Keys: []string{"ctrl+d"}, Edits: true},

		{ID: "undo", Title: "Undo, redo", Keys: []string{"ctrl+_", "alt+_"}, Twins: []string{"ctrl+-", "alt+shift+-", "ctrl+shift+-", "alt+shift+_", "ctrl+shift+_"}, Acts: []string{"undo", "redo"}, BuiltIn: true},
		{ID: "words", Title: "A word back, a word forward", Keys: []string{"alt+b", "alt+f", "ctrl+left", "ctrl+right"}, Twins: []string{"alt+left", "alt+right"}, Acts: []string{"back", "forward"}, BuiltIn: true},
		{ID: "line-ends", Title: "The line's start, its end", Keys: []string{"ctrl+a", "ctrl+e", "home", "end"}, Acts: []string{"start", "end"}, BuiltIn: true},
		{ID: "letters", Title: "A letter back, a letter forward", Keys: []string{"ctrl+b", "ctrl+f", "left", "right"}, Acts: []string{"back", "forward"}, BuiltIn: true},
		{ID: "kill", Title: "Cut to the line's end, to its start, the word before, the word after", Keys: []string{"ctrl+k", "ctrl+u", "ctrl+w", "alt+d"}, Twins: []string{"alt+backspace", "alt+delete", "ctrl+backspace", "ctrl+delete"}, Acts: []string{"line-end", "line-start", "word-before", "word-after", "word-before", "word-after", "word-before", "word-after"}, BuiltIn: true},
		{ID: "yank", Title: "Put back what was cut; then, what was cut before", Keys: []string{"ctrl+y", "alt+y"}, Acts: []string{"last", "earlier"}, BuiltIn: true},
		{ID: "case", Title: "The word in capitals, in small letters, with a capital; swap two words", Keys: []string{"alt+u", "alt+l", "alt+c", "alt+t"}, Acts: []string{"upper", "lower", "capital", "swap"}, BuiltIn: true},
		{ID: "vim", Title: "Edit as in vim, or not", Slash: "vim", Args: "[on|off]", Choices: []string{"on", "off"}},
	}},
	{InList, true, []Command{
		{ID: "list-move", Title: "The row before, the row after", Keys: []string{"up", "down", "ctrl+p", "ctrl+n"}, Acts: []string{"before", "after"}},
		{ID: "list-letters", Title: "The same where nothing is typed; the first, the last", Keys: []string{"k", "j", "g", "G"}, Twins: []string{"home", "end"}, Acts: []string{"before", "after", "first", "last", "first", "last"}},
		{ID: "list-page", Title: "A page up, a page down; the first, the last", Keys: []string{"pgup", "pgdown", "ctrl+home", "ctrl+end"}, Acts: []string{"up", "down", "first", "last"}},
		{ID: "list-filter", Title: "Filter by typing", Keys: []string{"/"}},
		{ID: "list-choose", Title: "Choose the row; of tasks, what the agent did and what the shell said", Keys: []string{"enter"}},
		{ID: "list-close", Title: "Close; nothing is changed", Keys: []string{"esc"}},
		{ID: "list-scope", Title: "Of prompts: this session, this repository, everywhere; the next that matches", Keys: []string{"ctrl+r", "ctrl+s"}, Acts: []string{"further", "next"}},
		{ID: "list-effort", Title: "Of models: think less, think more; of settings: the value before, the one after", Keys: []string{"left", "right"}, Acts: []string{"less", "more"}},
		{ID: "list-files", Title: "Of places to go back to: files too, or the conversation only", Keys: []string{"f"}},
		{ID: "list-queue", Title: "Queued prompts: edit, send now, move; also moves parts of the status line", Keys: []string{"e", "s", "shift+up", "shift+down"}, Acts: []string{"reword", "send", "sooner", "later"}},
		{ID: "list-drop", Title: "Take the prompt back; cancel the task, or take it off the list", Keys: []string{"x"}},
		{ID: "list-background", Title: "Of tasks: to the background", Keys: []string{"b"}},
		{ID: "list-switch", Title: "Of skills, MCP servers, what the status line shows: on or off; restart the server, its tools", Keys: []string{"space", "r", "t"}, Acts: []string{"toggle", "restart", "tools"}},
		{ID: "list-words", Title: "Of commands: write the words after it", Keys: []string{"tab"}},
		{ID: "list-copy", Title: "Of links: copy it", Keys: []string{"c"}},
	}},
	{inTimeline, false, []Command{
		{ID: "page-up", Title: "Scroll up a page", Keys: []string{"pgup"}, Held: true},
		{ID: "page-down", Title: "Scroll down a page", Keys: []string{"pgdown"}, Held: true},
		{ID: "line-up", Title: "Scroll up a line", Keys: []string{"shift+up"}, Held: true},
		{ID: "line-down", Title: "Scroll down a line", Keys: []string{"shift+down"}, Held: true},
		{ID: "top", Title: "The start of the conversation", Keys: []string{"ctrl+home"}},
		{ID: "end", Title: "The end, and follow it", Keys: []string{"ctrl+end"}},
		{ID: "block-above", Title: "The block before; the keys below are for it", Keys: []string{"alt+up"}, Held: true},
		{ID: "block-below", Title: "The block after", Keys: []string{"alt+down"}, Held: true},
		{ID: "search", Title: "Search in the conversation", Keys: []string{"ctrl+f"}, Slash: "search", Aliases: []string{"find"}, Args: "[text]"},
		{ID: "last-failure", Title: "The last failure; again, the one before", Keys: []string{"ctrl+x f"}},
		{ID: "unread", Title: "The first that came while you were elsewhere", Keys: []string{"ctrl+x u"}},
		{ID: "density", Title: "Show more of the conversation, or less", Keys: []string{"ctrl+x y"}, Slash: "density", Args: "[compact|normal|verbose]", Choices: []string{"compact", "normal", "verbose"}},
		{ID: "times", Title: "Show times: none, the time of day, how long ago, the date too", Slash: "timestamps", Args: "[off|clock|ago|full]", Choices: []string{"off", "clock", "ago", "full"}},
		{ID: "expand", Title: "Show entries whole, or folded; on a paste in the draft, show its text", Keys: []string{"ctrl+o"}},
		{ID: "expand-all", Title: "The same, without a draft", Keys: []string{"ctrl+e"}},
		{ID: "reasoning", Title: "Show reasoning whole, or folded", Keys: []string{"ctrl+t"}},
		{ID: "details", Title: "The events that made the block or the last entry, with every field", Slash: "details"},
		{ID: "diff", Title: "The edits of this session, in a checkout all changes since it began; full screen", Keys: []string{"ctrl+x d"}, Slash: "diff"},
		{ID: "split", Title: "Edits shown whole: side by side where there is room, or in one column", Keys: []string{"ctrl+x 2"}, Slash: "split"},
		{ID: "copy", Title: "Copy the last answer, its last code, or the whole conversation", Slash: "copy", Args: "[answer|code|all]", Choices: []string{"answer", "code", "all"}},
		{ID: "open-link", Title: "Open the last link", Keys: []string{"ctrl+x o"}, Slash: "open"},
		{ID: "export", Title: "Write the conversation, or turns such as 3-5, to a file: .md, .html, .txt or .jsonl", Slash: "export", Aliases: []string{"share"}, Args: "[turns] [path]"},
		{ID: "mouse", Title: "Give the mouse to the terminal, or take it back; it has shift and drag anyway", Keys: []string{"ctrl+x m"}, Slash: "mouse"},
		{ID: "redraw", Title: "Redraw the screen and go to the end", Keys: []string{"ctrl+l"}, Always: true},
		{ID: "clear", Title: "Clear the screen; the conversation continues", Slash: "clear", Queued: true},
	}},
	{InBlock, true, []Command{
		{ID: "block-move", Title: "The block before, the block after", Keys: []string{"up", "down", "k", "j"}, Acts: []string{"before", "after"}},
		{ID: "block-prompt", Title: "The prompt before, the prompt after", Keys: []string{"{", "}"}, Acts: []string{"before", "after"}},
		{ID: "block-ends", Title: "The first block, the last", Keys: []string{"g", "G", "home", "end"}, Acts: []string{"first", "last"}},
		{ID: "block-fold", Title: "Show it whole, or folded", Keys: []string{"space"}},
		{ID: "block-open", Title: "What lies behind it: a sub-agent's timeline, an edit in full screen", Keys: []string{"enter"}},
		{ID: "block-details", Title: "The events that made it, with every field", Keys: []string{"i"}},
		{ID: "block-copy", Title: "Copy its source, its command or code, the whole turn", Keys: []string{"c", "y", "Y"}, Acts: []string{"source", "code", "turn"}},
		{ID: "block-editor", Title: "Read it in your own editor", Keys: []string{"e"}},
		{ID: "block-save", Title: "Save its images, sounds and documents to files", Keys: []string{"s"}},
		{ID: "block-fork", Title: "Continue in a copy of all up to here; from a prompt, of what was before it", Keys: []string{"F"}},
		{ID: "block-search", Title: "Search; the next match, the one before", Keys: []string{"/", "n", "N"}, Acts: []string{"open", "next", "before"}},
		{ID: "block-leave", Title: "Back to the draft; from a sub-agent, to the conversation", Keys: []string{"esc", "tab"}},
	}},
	{InSearch, true, []Command{
		{ID: "search-keep", Title: "Stay at the match; n and N continue", Keys: []string{"enter"}},
		{ID: "search-back", Title: "Back to where the search began", Keys: []string{"esc"}},
		{ID: "search-move", Title: "The match before, the match after", Keys: []string{"up", "down", "ctrl+p", "ctrl+n"}, Acts: []string{"before", "after"}},
		{ID: "search-kind", Title: "Only prompts, answers, thinking, tools, failures, notices; back through them", Keys: []string{"tab", "shift+tab"}, Acts: []string{"next", "before"}},
		{ID: "search-regex", Title: "As a regular expression, or as text", Keys: []string{"ctrl+r"}},
		{ID: "search-page", Title: "Scroll a page up, a page down", Keys: []string{"pgup", "pgdown"}, Acts: []string{"up", "down"}},
	}},
	{InViewer, true, []Command{
		{ID: "view-line", Title: "The line before, the line after", Keys: []string{"up", "down", "k", "j"}, Twins: []string{"ctrl+p", "ctrl+n"}, Acts: []string{"before", "after"}},
		{ID: "view-page", Title: "A page up, a page down; half a page", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, Twins: []string{"space"}, Acts: []string{"up", "down", "half-up", "half-down", "down"}},
		{ID: "view-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, Twins: []string{"ctrl+home", "ctrl+end"}, Acts: []string{"start", "end"}},
		{ID: "view-change", Title: "The next change, the one before", Keys: []string{"n", "N"}, Twins: []string{"}", "{"}, Acts: []string{"next", "before"}},
		{ID: "view-edit", Title: "The newer edit, the older edit", Keys: []string{"left", "right", "h", "l"}, Acts: []string{"newer", "older"}},
		{ID: "view-split", Title: "Side by side, or in one column", Keys: []string{"t"}},
		{ID: "view-wrap", Title: "Wrap long lines, or cut them; move to the side", Keys: []string{"w", "<", ">"}, Twins: []string{"shift+left", "shift+right"}, Acts: []string{"wrap", "left", "right", "left", "right"}},
		{ID: "view-comment", Title: "Comment on the line, in the draft", Keys: []string{"c"}},
		{ID: "view-copy", Title: "Copy the line, the whole edit", Keys: []string{"y", "Y"}, Acts: []string{"line", "edit"}},
		{ID: "view-editor", Title: "Read it in your own editor", Keys: []string{"e"}, Twins: []string{"ctrl+g"}},
		{ID: "view-close", Title: "Close", Keys: []string{"esc", "q"}},
	}},
	{InContext, true, []Command{
		{ID: "context-message", Title: "The message before, the message after", Keys: []string{"up", "down", "k", "j"}, Twins: []string{"ctrl+p", "ctrl+n"}, Acts: []string{"before", "after"}},
		{ID: "context-page", Title: "A page up, a page down", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, Acts: []string{"up", "down"}},
		{ID: "context-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, Twins: []string{"ctrl+home", "ctrl+end"}, Acts: []string{"start", "end"}},
		{ID: "context-fold", Title: "Unfold the message, fold it", Keys: []string{"enter", "space", "right", "left"}, Acts: []string{"turn", "turn", "unfold", "fold"}},
		{ID: "context-agent", Title: "What the next sub-agent's model sees, the one's before", Keys: []string{"tab", "shift+tab"}, Acts: []string{"next", "before"}},
		{ID: "context-copy", Title: "Copy the message as it is sent", Keys: []string{"y"}},
		{ID: "context-editor", Title: "Read the message in your own editor", Keys: []string{"e", "ctrl+g"}},
		{ID: "context-close", Title: "Close", Keys: []string{"esc", "q"}},
	}},
	{InDetails, true, []Command{
		{ID: "details-field", Title: "The field before, the field after", Keys: []string{"up", "down", "k", "j"}, Twins: []string{"ctrl+p", "ctrl+n"}, Acts: []string{"before", "after"}},
		{ID: "details-page", Title: "A page up, a page down", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, Acts: []string{"up", "down"}},
		{ID: "details-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, Twins: []string{"ctrl+home", "ctrl+end"}, Acts: []string{"start", "end"}},
		{ID: "details-fold", Title: "Unfold the field, fold it; from a field to what it is in", Keys: []string{"enter", "space", "right", "left"}, Acts: []string{"turn", "turn", "unfold", "fold"}},
		{ID: "details-search", Title: "Search the fields; the next match, the previous one", Keys: []string{"/", "n", "N"}, Acts: []string{"open", "next", "before"}},
		{ID: "details-copy", Title: "Copy the event as the JSON it came as", Keys: []string{"y"}},
		{ID: "details-editor", Title: "Read the event in your own editor", Keys: []string{"e", "ctrl+g"}},
		{ID: "details-read", Title: "Read the events again", Keys: []string{"r"}},
		{ID: "details-close", Title: "Close", Keys: []string{"esc", "q"}},
	}},
	{InSessions, true, []Command{
		{ID: "session-move", Title: "The session before, the session after", Keys: []string{"up", "down", "k", "j"}, Twins: []string{"ctrl+p", "ctrl+n"}, Acts: []string{"before", "after"}},
		{ID: "session-page", Title: "A page up, a page down; half a page", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, Acts: []string{"up", "down", "half-up", "half-down"}},
		{ID: "session-ends", Title: "The first session, the last", Keys: []string{"g", "G", "home", "end"}, Twins: []string{"ctrl+home", "ctrl+end"}, Acts: []string{"first", "last"}},
		{ID: "session-query", Title: "Write what to look for; enter goes back to the list", Keys: []string{"/"}},
		{ID: "session-open", Title: "Resume it; one that is open elsewhere, read it first", Keys: []string{"enter"}},
		{ID: "session-read", Title: "Read it, and change nothing", Keys: []string{"o"}},
		{ID: "session-preview", Title: "To the preview", Keys: []string{"space", "tab"}},
		{ID: "session-hit", Title: "In the preview, the next line with the words, the one before", Keys: []string{"}", "{"}, Acts: []string{"next", "before"}},
		{ID: "session-scope", Title: "Those of this folder, of this repository, all", Keys: []string{"a", "ctrl+r"}},
		{ID: "session-sort", Title: "Sort by relevance, use, start, name, cost", Keys: []string{"s"}},
		{ID: "session-group", Title: "Group by day, by repository, copies below their originals, or not", Keys: []string{"b"}},
		{ID: "session-fork", Title: "Continue in a copy", Keys: []string{"f", "ctrl+f"}},
		{ID: "session-new", Title: "Start a new session", Keys: []string{"n"}},
		{ID: "session-pin", Title: "Pin it above the others, or not", Keys: []string{"p"}},
		{ID: "session-tag", Title: "Give it tags", Keys: []string{"t"}},
		{ID: "session-rename", Title: "Give it a name", Keys: []string{"r"}},
		{ID: "session-archive", Title: "Archive it, or not any more", Keys: []string{"z"}},
		{ID: "session-delete", Title: "Delete it (press twice); take the last deletion or archiving back", Keys: []string{"x", "u"}, Acts: []string{"delete", "undo"}},
		{ID: "session-copy", Title: "Copy the command that resumes it", Keys: []string{"y", "c"}},
		{ID: "session-export", Title: "Write it to a file", Keys: []string{"e"}},
		{ID: "session-keys", Title: "The keys that there was no room for", Keys: []string{"?"}},
		{ID: "session-close", Title: "Close", Keys: []string{"esc", "q"}},
	}},
	{InPreview, true, []Command{
		{ID: "preview-line", Title: "A line up, a line down", Keys: []string{"up", "down", "k", "j"}, Twins: []string{"ctrl+p", "ctrl+n"}, Acts: []string{"up", "down"}},
		{ID: "preview-page", Title: "A page up, a page down; half a page", Keys: []string{"pgup", "pgdown", "ctrl+u", "ctrl+d"}, Acts: []string{"up", "down", "half-up", "half-down"}},
		{ID: "preview-ends", Title: "The start, the end", Keys: []string{"g", "G", "home", "end"}, Twins: []string{"ctrl+home", "ctrl+end"}, Acts: []string{"start", "end"}},
		{ID: "preview-hit", Title: "The next line with the words, the one before", Keys: []string{"n", "N"}, Twins: []string{"}", "{"}, Acts: []string{"next", "before"}},
		{ID: "preview-open", Title: "Resume the session; read it, and change nothing", Keys: []string{"enter", "o"}, Acts: []string{"resume", "read"}},
		{ID: "preview-close", Title: "Back to the list", Keys: []string{"esc", "space", "tab"}, Twins: []string{"q"}},
	}},
	{InQuestion, false, []Command{
		{ID: "answer", Title: "Go to the pending question", Keys: []string{"ctrl+x p"}},
		{ID: "approve", Title: "Yes, once", Keys: []string{"y"}, BuiltIn: true},
		{ID: "approve-session", Title: "Yes, for this session", Keys: []string{"s"}, BuiltIn: true},
		{ID: "approve-location", Title: "Yes, always in this project", Keys: []string{"l"}, BuiltIn: true},
		{ID: "approve-permanently", Title: "Yes, everywhere (asks to type yes)", Keys: []string{"P"}, BuiltIn: true},
		{ID: "approve-unseen", Title: "Yes, once, with the rest unread (asks to type yes)", Keys: []string{"u"}, BuiltIn: true},
		{ID: "refuse", Title: "No, and say what to do instead", Keys: []string{"n"}, BuiltIn: true},
		{ID: "choose", Title: "Choose a row", Keys: []string{"up", "down", "1", "enter"}, Twins: []string{"k", "ctrl+p", "j", "ctrl+n", "2", "3", "4", "5", "6", "7", "8", "9"}, Acts: []string{"before", "after", "number", "take", "before", "before", "after", "after", "number", "number", "number", "number", "number", "number", "number", "number"}, BuiltIn: true},
		{ID: "note", Title: "Add a note to yes", Keys: []string{"tab"}, BuiltIn: true},
		{ID: "full-view", Title: "Show as much of it as fits", Keys: []string{"v"}, Twins: []string{"ctrl+f"}, BuiltIn: true},
		{ID: "why", Title: "Why it is asked", Keys: []string{"?"}, BuiltIn: true},
		{ID: "question-copy", Title: "Copy what is asked about; in a change, comment on the line", Keys: []string{"c"}, BuiltIn: true},
		{ID: "question-editor", Title: "Read it in your own editor; a plan: change it there", Keys: []string{"e"}, Twins: []string{"ctrl+y"}, BuiltIn: true},
		{ID: "question-change", Title: "In a change: side by side, wrapped, the change before and after", Keys: []string{"t", "w", "{", "}"}, Acts: []string{"split", "wrap", "before", "after"}, BuiltIn: true},
		{ID: "question-plan", Title: "A plan: keep planning and say what to change; what is new in it, or all of it", Keys: []string{"f", "d"}, Acts: []string{"refuse", "changes"}, BuiltIn: true},
		{ID: "other-question", Title: "The question before, the question after", Keys: []string{"[", "]"}, Acts: []string{"before", "after"}, BuiltIn: true},
		{ID: "edit-answer", Title: "Write the open line in your own editor", Keys: []string{"ctrl+g"}, BuiltIn: true},
		{ID: "leave-question", Title: "Leave it for later", Keys: []string{"esc"}, BuiltIn: true},
	}},
	{InForm, true, []Command{
		{ID: "form-step", Title: "The next answer, the one before", Keys: []string{"tab", "shift+tab"}, Acts: []string{"next", "before"}},
		{ID: "form-choose", Title: "Go through what there is to choose from; choose it", Keys: []string{"up", "down", "space"}, Twins: []string{"ctrl+p", "ctrl+n"}, Acts: []string{"before", "after", "take"}},
		{ID: "form-end", Title: "End the answer and continue; the only one is sent, several are shown first", Keys: []string{"enter"}},
		{ID: "form-end-lines", Title: "The same in an answer of several lines", Keys: []string{"ctrl+enter"}},
	}},
	{InSession, false, []Command{
		{ID: "interrupt", Title: "Interrupt the agent (press twice); idle: put the draft away, or go back", Keys: []string{"esc"}},
		{ID: "cycle-mode", Title: "Next mode: interactive, plan, autopilot", Keys: []string{"shift+tab"}},
		{ID: "mode", Title: "Choose the mode", Slash: "mode", Args: "[interactive|plan|autopilot]", Choices: []string{"interactive", "plan", "autopilot"}, Live: true},
		{ID: "plan", Title: "Plan first: switch to plan mode, and send the prompt", Slash: "plan", Args: "[prompt]", Live: true},
		{ID: "show-plan", Title: "Show the plan; e edits it in your editor (the key: in plan mode, without a draft)", Keys: []string{"ctrl+y"}, Slash: "show-plan", Live: true},
		{ID: "model", Title: "Choose the model and its reasoning effort", Keys: []string{"ctrl+x l"}, Slash: "model", Aliases: []string{"models"}, Args: "[name] [effort]", Live: true},
		{ID: "new", Title: "Start a new session; this one can be resumed", Slash: "new", Aliases: []string{"reset"}},
		{ID: "resume", Title: "Past sessions: find, read, resume", Keys: []string{"ctrl+x s"}, Slash: "resume", Aliases: []string{"continue", "sessions"}, Args: "[id or words]"},
		{ID: "continue-here", Title: "Continue the session that is read-only here", Keys: []string{"ctrl+x g"}, Slash: "continue-here"},
		{ID: "new-tab", Title: "Start a session in a new tab; with an id, resume that one", Keys: []string{"ctrl+x w"}, Slash: "new-tab", Args: "[id]"},
		{ID: "next-session", Title: "The session after this one, of those open here", Keys: []string{"ctrl+x right"}},
		{ID: "previous-session", Title: "The session before this one", Keys: []string{"ctrl+x left"}},
		{ID: "open-sessions", Title: "The sessions that are open here, and how they stand", Keys: []string{"ctrl+x a"}, Slash: "open-sessions", Aliases: []string{"tabs"}},
		{ID: "rename", Title: "Give the session a name", Slash: "rename", Args: "name", Live: true, Reads: true},
		{ID: "fork", Title: "Continue in a copy of this session", Slash: "fork", Aliases: []string{"branch"}, Live: true, Reads: true},
		{ID: "rewind", Title: "Go back to before a prompt", Slash: "rewind", Aliases: []string{"undo"}, Live: true},
		{ID: "redo", Title: "Undo the last rewind", Slash: "redo", Live: true},
		{ID: "compact", Title: "Summarise the conversation to free context", Slash: "compact", Aliases: []string{"summarize"}, Args: "[what to keep]", Live: true},
		{ID: "session", Title: "What this session is", Slash: "session", Aliases: []string{"status"}, Queued: true},
		{ID: "context", Title: "What the model sees, and what fills its context", Keys: []string{"ctrl+x c"}, Slash: "context", Live: true, Reads: true},
		{ID: "usage", Title: "What this session used", Slash: "usage", Aliases: []string{"cost", "stats"}, Live: true, Reads: true, Queued: true},
		{ID: "restart", Title: "Restart the agent and resume this session", Slash: "restart"},
		{ID: "login", Title: "Sign in to the agent's account, then resume this session", Slash: "login"},
		{ID: "logout", Title: "Sign out of the agent's account", Slash: "logout"},
		{ID: "close", Title: "Close this tab, or start a new session in it (press twice)", Keys: []string{"ctrl+x x"}},
		{ID: "stop", Title: "End an agent that does not answer", Slash: "stop"},

		{ID: "queued", Title: "The prompts that wait", Keys: []string{"ctrl+x q"}, Slash: "queue", Live: true},
		{ID: "tasks", Title: "What runs in the background", Slash: "tasks", Live: true, Reads: true},
		{ID: "background", Title: "Move what runs to the background", Keys: []string{"ctrl+x b"}, Slash: "background", Live: true},
		{ID: "todos", Title: "What is to be done", Slash: "todos", Live: true, Queued: true},
		{ID: "todo-band", Title: "What is to be done, above the draft: one line, a list, or not", Keys: []string{"ctrl+x t"}},
		{ID: "ask", Title: "Ask on the side: not part of the conversation", Slash: "ask", Aliases: []string{"btw"}, Args: "question", Live: true},
		{ID: "agent", Title: "Choose who handles the conversation", Slash: "agent", Aliases: []string{"agents"}, Args: "[name]", Live: true},
		{ID: "skills", Title: "The skills, on or off", Slash: "skills", Live: true},
		{ID: "mcp", Title: "The MCP servers, on or off", Slash: "mcp", Args: "[server]", Live: true},
		{ID: "grants", Title: "What is allowed without asking; revoke it", Slash: "grants", Aliases: []string{"permissions", "approvals"}, Live: true},
		{ID: "allow-all", Title: "Ask for nothing until the session ends, or ask again", Slash: "allow-all", Aliases: []string{"yolo"}, Args: "[on|off]", Choices: []string{"on", "off"}, Live: true},
		{ID: "add-dir", Title: "Let the agent work in another folder too", Slash: "add-dir", Args: "path", Live: true},
		{ID: "list-dirs", Title: "The folders the agent may work in", Slash: "list-dirs", Live: true, Queued: true},
		{ID: "cwd", Title: "Work in another folder", Slash: "cwd", Aliases: []string{"cd"}, Args: "[path]"},

		{ID: "help", Title: "Keys and commands", Keys: []string{"?"}, Slash: "help", Queued: true},
		{ID: "keys", Title: "The keys you have, and what they are called in your file", Slash: "keys", Aliases: []string{"keymap", "keybindings"}, Queued: true},
		{ID: "settings", Title: "Settings: what they are, and change them", Slash: "settings", Aliases: []string{"config"}, Args: "[name [value]]"},
		{ID: "status-line", Title: "What the status line shows, and in which order", Slash: "statusline", Aliases: []string{"footer"}},
		{ID: "theme", Title: "Choose the theme: the window shows each as you move", Slash: "theme", Aliases: []string{"themes"}, Args: "[name]", Choices: theme.Names()},
		{ID: "version", Title: "Which Parley and which agent this is", Slash: "version", Queued: true},
		{ID: "terminal-setup", Title: "What your terminal needs for all the keys", Slash: "terminal-setup"},
		{ID: "doctor", Title: "What is missing in the terminal, the agent, folders, files", Slash: "doctor", Aliases: []string{"diagnose"}},
		{ID: "report", Title: "Report a mistake; you see all of it first", Slash: "report", Aliases: []string{"bug", "feedback"}, Args: "[path]"},
		{ID: "suspend", Title: "Suspend to the shell; fg comes back", Keys: []string{"ctrl+z"}, Always: true},
		{ID: "quit", Title: "Leave; the session can be resumed", Slash: "quit", Aliases: []string{"exit", "q"}},
	}},
}

// Commands returns the table of commands.
func Commands() []Command {
	var all []Command
	for _, g := range table {
		for _, c := range g.commands {
			c.Context, c.BuiltIn = g.context, g.builtIn || c.BuiltIn
			all = append(all, c)
		}
	}
	return all
}
