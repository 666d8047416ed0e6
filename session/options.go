package session

import "context"

// OptionSetter is a Session with settings of the agent's own.
type OptionSetter interface {
	// Options lists them as they are now, in the agent's order; none before the agent has
	// opened the session.
	Options(ctx context.Context) ([]Option, error)
	// SetOption sets the one of an id to a value. What it is then, and which options there
	// are, is for the agent to say: Options has it.
	SetOption(ctx context.Context, id, value string) error
}

// Option is a setting of a session, named and described by the agent (Agent Client
// Protocol, session config options). Texts are as they came.
type Option struct {
	ID, Name, Description string
	// Category is what it is about: OptionMode, OptionModel, OptionEffort, or another word
	// of the agent's; it may be "".
	Category string
	Value    string // the ID of the current one
	Values   []OptionValue
}

// The categories of options that Parley knows.
const (
	OptionMode   = "mode"
	OptionModel  = "model"
	OptionEffort = "thought_level"
)

// OptionValue is a value that an option can have.
type OptionValue struct {
	ID, Name, Description string
	// Unasked says that the agent then acts without asking the user.
	Unasked bool
}

// OptionOf returns the option of a category; not ok if there is none.
func OptionOf(options []Option, category string) (o Option, ok bool) {
	for _, o := range options {
		if o.Category == category {
			return o, true
		}
	}
	return Option{}, false
}
