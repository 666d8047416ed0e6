package session

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ConfirmationRequested is a chat agent's question before it acts
// (copilot_confirmation of the SSE chat agents). Parley does nothing for the
// answer but to send it with the next request.
type ConfirmationRequested struct {
	body
	RequestID RequestID `json:"requestId"`
	MessageID MessageID `json:"messageId,omitzero"` // of the answer it came with
	Type      string    `json:"type,omitzero"`      // "action" is the only documented one
	Title     string    `json:"title,omitzero"`
	Message   string    `json:"message,omitzero"`
	// Confirmation is the agent's own data about what is confirmed, unchanged.
	Confirmation jsontext.Value `json:"confirmation,omitzero"`
}

// Request implements Ask.
func (r ConfirmationRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r ConfirmationRequested) Withdrawn(string) Body {
	return ConfirmationCompleted{RequestID: r.RequestID, State: Withdrawn}
}

// ConfirmationState is what became of a confirmation.
type ConfirmationState string

// The states. An agent gets the first two only (copilot_confirmations).
const (
	Accepted  ConfirmationState = "accepted"
	Dismissed ConfirmationState = "dismissed"
	Withdrawn ConfirmationState = "withdrawn" // not answered, and no longer to be answered
)

// ConfirmationCompleted resolves ConfirmationRequested. It comes when the answer
// is sent: the next user.message carries those before it.
type ConfirmationCompleted struct {
	body
	RequestID    RequestID         `json:"requestId"`
	State        ConfirmationState `json:"state"`
	Confirmation jsontext.Value    `json:"confirmation,omitzero"` // of the request
}

// Resolves implements Resolved.
func (c ConfirmationCompleted) Resolves() RequestID { return c.RequestID }

// ConfirmationAnswer answers ConfirmationRequested.
type ConfirmationAnswer struct {
	RequestID RequestID
	Accepted  bool // else it is dismissed
}

// Request implements Answer.
func (a ConfirmationAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a ConfirmationAnswer) Summary() string {
	return fmt.Sprintf("confirmation accepted %t", a.Accepted)
}

func (ConfirmationAnswer) answer() {}

// References are what a chat agent used for an answer (copilot_references). They
// come after the answer's assistant.message.
type References struct {
	body
	MessageID MessageID `json:"messageId"`
	// Items are the references as the agent sent them: it gets them back with the
	// conversation.
	Items []jsontext.Value `json:"items"`
}

// Reference is one item of References. What Metadata lacks is empty.
type Reference struct {
	Type       string            `json:"type"`
	ID         string            `json:"id"`
	Data       jsontext.Value    `json:"data"`
	IsImplicit bool              `json:"is_implicit"`
	Metadata   ReferenceMetadata `json:"metadata"`
}

// ReferenceMetadata is how a Reference is shown.
type ReferenceMetadata struct {
	DisplayName string `json:"display_name"`
	DisplayIcon string `json:"display_icon"`
	DisplayURL  string `json:"display_url"`
}

// Shown reports whether a reference may be shown: one whose metadata is not
// complete may not (copilot_references).
func (r Reference) Shown() bool {
	m := r.Metadata
	return m.DisplayName != "" && m.DisplayIcon != "" && m.DisplayURL != ""
}

// List reads the items, without those that are no references.
func (r References) List() []Reference {
	list := make([]Reference, 0, len(r.Items))
	for _, raw := range r.Items {
		var item Reference
		if json.Unmarshal(raw, &item, lenient()) == nil {
			list = append(list, item)
		}
	}
	return list
}

// AgentError is an error that a chat agent met on the way to its answer
// (copilot_errors). It comes after the answer's assistant.message, and ends
// nothing.
type AgentError struct {
	body
	MessageID  MessageID `json:"messageId,omitzero"` // of the answer it came with
	Type       string    `json:"type"`               // reference, function or agent
	Code       string    `json:"code,omitzero"`
	Message    string    `json:"message,omitzero"`
	Identifier string    `json:"identifier,omitzero"` // of the reference or the function
	// About is the name of what the identifier belongs to, where that is known.
	About string `json:"about,omitzero"`
}

// The kinds of what only chat agents say. The names are Parley's own.
const (
	KindConfirmationRequested Kind = "parley.confirmation.requested"
)

var chatCodecs = []codec{
	of[ConfirmationRequested](KindConfirmationRequested),
	of[ConfirmationCompleted]("parley.confirmation.completed"),
	of[References]("parley.references"),
	of[AgentError]("parley.agent_error"),
}
