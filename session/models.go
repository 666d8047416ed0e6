package session

import "context"

// ModelSetter is a Session whose model can be changed and listed.
type ModelSetter interface {
	// SetModel changes the model, and how hard it thinks. An effort of ""
	// leaves the choice to the agent. During a turn the change may wait for
	// its end: the session.model_change event reports when it holds.
	SetModel(ctx context.Context, id, effort string) error
	// Models lists what the agent offers, in the agent's order. It is empty
	// if the agent does not know.
	Models(ctx context.Context) ([]Model, error)
}

// Model is one model an agent offers. A zero field is not known, or not so.
type Model struct {
	ID, Name string
	// Vendor is who makes or serves it.
	Vendor string
	// Efforts are the reasoning efforts that can be chosen, in the agent's
	// order; nil where none can. DefaultEffort is one of them, or "".
	Efforts       []string
	DefaultEffort string
	// ContextTokens is all it holds, PromptTokens what of it a prompt may
	// take, OutputTokens the most of an answer.
	ContextTokens, PromptTokens, OutputTokens int
	Vision                                    bool
	// Price is what it costs in words ready for a user, such as "1x",
	// "0.33x" or "free": the multiplier of a request, or a price for tokens.
	Price string
	// Warning is what the agent says the user should know before choosing
	// it.
	Warning string
	// Disabled is why it cannot be chosen now; "" where it can.
	Disabled string
}
