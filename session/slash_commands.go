package session

import "context"

// SlashCommandRunner is a Session whose agent has slash commands of its own (docs/protocol.md,
// section 8.4).
type SlashCommandRunner interface {
	// SlashCommands lists them. The commands.changed event reports that there
	// are others.
	SlashCommands(ctx context.Context) ([]SlashCommand, error)
	// Invoke runs one, by name or alias, with the words after it.
	Invoke(ctx context.Context, name, input string) (SlashResult, error)
}

// CommandHost is a Session whose agent has the client's commands in its queue, and
// asks the client to carry them out when it is their turn (command.queued).
type CommandHost interface {
	// CommandHandled says that the client has carried the command out. A Refusal
	// says that it has not.
	CommandHandled(ctx context.Context, id RequestID) error
}

// SlashCommand is a command of the agent.
type SlashCommand struct {
	Name        string   `json:"name"` // without the slash
	Aliases     []string `json:"aliases"`
	Description string   `json:"description"`
	Kind        string   `json:"kind"` // builtin, skill or client
	Hint        string   `json:"hint"` // what the words after it are; "" for none
	Choices     []string `json:"choices"`
	// Required is true when it does nothing without words after it.
	Required bool `json:"required"`
	// Confirm is what is asked before it is run, for it cannot be undone; "" asks
	// nothing.
	Confirm string `json:"-"`
	// MidTurn is true when it may run while a turn runs.
	MidTurn bool `json:"allowDuringAgentExecution"`
	// Path is the file that it is from; "" if it is from none.
	Path string `json:"-"`
}

// SlashResult is what came of a command. More than one field may be set.
type SlashResult struct {
	// Text is to be shown. It is markdown if Markdown is set.
	Text     string
	Markdown bool
	// Entries are for the timeline, in order.
	Entries []SlashEntry
	// Draft is for the composer, to be sent by the user or not; "" for none.
	Draft string
	// Prompt is to be sent as the user's own, shown as Display.
	Prompt *Input
	// Options are ways to continue: each is the whole input of the same command.
	Title   string
	Options []SlashOption
	// Dialog names a dialog of the client's own that is to open, such as
	// "model-picker"; "" for none.
	Dialog string
}

// SlashEntry is one entry that a command puts on the timeline.
type SlashEntry struct {
	Kind   string `json:"type"` // info, warning, error, copilot and others of the runtime's
	Text   string `json:"text"` // markdown where Kind is copilot
	URL    string `json:"url"`
	Remedy string `json:"remediation"` // what to do about an error, as session.error has it
}

// SlashOption is one way to continue a command.
type SlashOption struct {
	Input       string // the words after the command's name
	Label       string
	Description string
}

// Completer is a Session that completes what is typed in a prompt, such as
// issues after "#" (session.completions.request).
type Completer interface {
	Complete(ctx context.Context, text string, offset int) ([]Completion, error)
}

// Completion is one text to put in the place of bytes From to To of a draft.
type Completion struct {
	Text          string
	From, To      int
	Label, Detail string
}

// ShellRunner is a Session that runs commands the user typed, without asking
// and for the model to see (session.shell.executeUserRequested). The
// tool.user_requested event and those after it show it.
type ShellRunner interface {
	// RunShell runs a command to its end. A non-zero exit is no error. When ctx
	// ends, the command is stopped.
	RunShell(ctx context.Context, command string) error
}

// SideQuestionAsker is a Session that answers a question on the side: what is said is
// not part of the conversation (session.ui.ephemeralQuery).
type SideQuestionAsker interface {
	AskAside(ctx context.Context, question string) (answer string, err error)
}
