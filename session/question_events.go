package session

import "github.com/go-json-experiment/json/jsontext"

// UserInputRequested asks the user a question. Ephemeral.
type UserInputRequested struct {
	body
	RequestID     RequestID `json:"requestId"`
	Question      string    `json:"question"`
	Choices       []string  `json:"choices,omitzero"`
	AllowFreeform *bool     `json:"allowFreeform,omitzero"` // nil is true
	ToolCallID    CallID    `json:"toolCallId,omitzero"`
}

// Request implements Ask.
func (r UserInputRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r UserInputRequested) Withdrawn(string) Body {
	return UserInputCompleted{RequestID: r.RequestID, Withdrawn: true}
}

// Freeform reports whether the user may type an answer of their own. A
// question without choices can be answered in no other way.
func (r UserInputRequested) Freeform() bool {
	return len(r.Choices) == 0 || r.AllowFreeform == nil || *r.AllowFreeform
}

// UserInputCompleted resolves UserInputRequested. Ephemeral.
type UserInputCompleted struct {
	body
	RequestID   RequestID `json:"requestId"`
	Answer      string    `json:"answer,omitzero"`
	WasFreeform bool      `json:"wasFreeform,omitzero"`
	// Withdrawn is true where the question was closed without an answer. It is
	// Parley's own: agents do not say this.
	Withdrawn bool `json:"withdrawn,omitzero"`
}

// Resolves implements Resolved.
func (c UserInputCompleted) Resolves() RequestID { return c.RequestID }

// ElicitationRequested asks the user to fill in a form, or to visit an
// address. Ephemeral.
type ElicitationRequested struct {
	body
	RequestID         RequestID       `json:"requestId"`
	ToolCallID        CallID          `json:"toolCallId,omitzero"`
	ElicitationSource string          `json:"elicitationSource,omitzero"` // the MCP server
	ElicitationID     string          `json:"elicitationId,omitzero"`
	Message           string          `json:"message"`
	Mode              ElicitationMode `json:"mode,omitzero"`            // read it through IsForm
	RequestedSchema   jsontext.Value  `json:"requestedSchema,omitzero"` // JSON Schema of an object
	URL               string          `json:"url,omitzero"`             // of mode url
}

// ElicitationMode is what is asked for.
type ElicitationMode string

// The modes of an elicitation.
const (
	FormMode ElicitationMode = "form"
	URLMode  ElicitationMode = "url"
)

// Request implements Ask.
func (r ElicitationRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r ElicitationRequested) Withdrawn(string) Body {
	return ElicitationCompleted{RequestID: r.RequestID, Action: Cancel}
}

// IsForm reports whether a form is asked for, which is so if there is no mode.
func (r ElicitationRequested) IsForm() bool { return r.Mode == "" || r.Mode == FormMode }

// ElicitationCompleted resolves ElicitationRequested. Ephemeral.
type ElicitationCompleted struct {
	body
	RequestID RequestID         `json:"requestId"`
	Action    ElicitationAction `json:"action,omitzero"`
	Content   jsontext.Value    `json:"content,omitzero"` // field to value
}

// Resolves implements Resolved.
func (c ElicitationCompleted) Resolves() RequestID { return c.RequestID }

// ExitPlanModeRequested asks whether a plan may be carried out. Ephemeral.
type ExitPlanModeRequested struct {
	body
	RequestID         RequestID `json:"requestId"`
	Summary           string    `json:"summary"`
	PlanContent       string    `json:"planContent"`       // markdown; "" when there is no plan file
	Actions           []string  `json:"actions"`           // such as autopilot, interactive, exit_only, autopilot_fleet
	RecommendedAction string    `json:"recommendedAction"` // one of them
	ToolCallID        CallID    `json:"toolCallId,omitzero"`
	Model             string    `json:"model,omitzero"`
}

// Request implements Ask.
func (r ExitPlanModeRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r ExitPlanModeRequested) Withdrawn(why string) Body {
	return ExitPlanModeCompleted{RequestID: r.RequestID, Approved: new(bool), Feedback: why}
}

// ExitPlanModeCompleted resolves ExitPlanModeRequested. Ephemeral.
type ExitPlanModeCompleted struct {
	body
	RequestID        RequestID `json:"requestId"`
	Approved         *bool     `json:"approved,omitzero"` // nil is not known
	SelectedAction   string    `json:"selectedAction,omitzero"`
	AutoApproveEdits bool      `json:"autoApproveEdits,omitzero"`
	Feedback         string    `json:"feedback,omitzero"`
}

// Resolves implements Resolved.
func (c ExitPlanModeCompleted) Resolves() RequestID { return c.RequestID }

// SamplingRequested says that an MCP server wants to use the model. It hangs
// until it is answered, so a client that does not do this must refuse.
// Ephemeral.
type SamplingRequested struct {
	body
	RequestID  RequestID      `json:"requestId"`
	ServerName string         `json:"serverName"`
	Sampling   jsontext.Value `json:"request,omitzero"`
}

// Request implements Ask.
func (r SamplingRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (SamplingRequested) Withdrawn(string) Body { return nil }

// SamplingCompleted resolves SamplingRequested. Ephemeral.
type SamplingCompleted struct {
	body
	RequestID RequestID `json:"requestId"`
}

// Resolves implements Resolved.
func (c SamplingCompleted) Resolves() RequestID { return c.RequestID }

// The kinds of questions.
const (
	KindUserInputRequested    Kind = "user_input.requested"
	KindElicitationRequested  Kind = "elicitation.requested"
	KindExitPlanModeRequested Kind = "exit_plan_mode.requested"
	KindSamplingRequested     Kind = "sampling.requested"
)

var inputCodecs = []codec{
	of[UserInputRequested](KindUserInputRequested),
	of[UserInputCompleted]("user_input.completed"),
	of[ElicitationRequested](KindElicitationRequested),
	of[ElicitationCompleted]("elicitation.completed"),
	of[ExitPlanModeRequested](KindExitPlanModeRequested),
	of[ExitPlanModeCompleted]("exit_plan_mode.completed"),
	of[SamplingRequested](KindSamplingRequested),
	of[SamplingCompleted]("sampling.completed"),
}
