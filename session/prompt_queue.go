package session

import "context"

// Queuer is a Session that keeps prompts which wait for their turn. Read it
// again after each pending_messages.modified event.
type Queuer interface {
	Pending(ctx context.Context) ([]Pending, error)
}

// Pending is a prompt the agent holds but has not given to the model.
type Pending struct {
	// ID names the prompt for QueueEditor; "" where it cannot be changed any
	// more.
	ID string `json:"id"`
	// MessageID is that of the UserMessage it will be; "" where it steers or the agent
	// does not say it.
	MessageID MessageID `json:"messageId,omitzero"`
	Text      string    `json:"displayText"`
	Steering  bool      `json:"-"` // waits for the next model call of this turn, not for the next turn
}

// QueueEditor is a Queuer whose waiting prompts can be changed. Each method
// reports whether the prompt still waited; one that does not is left alone and
// is no error (docs/protocol.md, section 8.2).
type QueueEditor interface {
	Queuer
	// Withdraw takes a prompt out of the queue.
	Withdraw(ctx context.Context, id string) (bool, error)
	// Reword changes its text.
	Reword(ctx context.Context, id, text string) (bool, error)
	// Move gives it another position; 0 is the next to be sent.
	Move(ctx context.Context, id string, to int) (bool, error)
	// SendNow steers the running turn with it.
	SendNow(ctx context.Context, id string) (bool, error)
}
