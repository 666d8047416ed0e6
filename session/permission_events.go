package session

import "github.com/go-json-experiment/json/jsontext"

// PermissionRequested asks whether the agent may do something. It comes after
// the start of the tool call it is about, and one call may ask twice.
type PermissionRequested struct {
	body
	RequestID         RequestID         `json:"requestId"`
	PermissionRequest PermissionRequest `json:"permissionRequest"`
	// PromptRequest is what to show. Without one, PermissionRequest is.
	PromptRequest  *PromptRequest `json:"promptRequest,omitzero"`
	PermissionMode PermissionMode `json:"permissionMode,omitzero"`
	AgentMode      Mode           `json:"agentMode,omitzero"`
	OwnerSessionID ID             `json:"ownerSessionId,omitzero"`
	OwnerAgentID   AgentID        `json:"ownerAgentId,omitzero"`
	ResolvedByHook bool           `json:"resolvedByHook,omitzero"` // the user is not to be asked
	RiskAssessment jsontext.Value `json:"riskAssessment,omitzero"`
	// Options are the answers that the agent takes, where it takes no other. They are
	// Parley's own (Agent Client Protocol, session/request_permission).
	Options []PermissionOption `json:"options,omitzero"`
}

// PermissionOption is an answer that an agent offers: what it means is in its name.
type PermissionOption struct {
	ID   string     `json:"optionId"`
	Name string     `json:"name"`
	Kind OptionKind `json:"kind"`
}

// OptionKind is what an option is meant to be, as the agent says. It is a hint: two
// options of a kind may differ in what they allow.
type OptionKind string

// The kinds. Others may come.
const (
	AllowOnce    OptionKind = "allow_once"
	AllowAlways  OptionKind = "allow_always"
	RejectOnce   OptionKind = "reject_once"
	RejectAlways OptionKind = "reject_always"
)

// Refuses reports whether an option of that kind lets the agent do nothing.
func (k OptionKind) Refuses() bool { return k == RejectOnce || k == RejectAlways }

// Request implements Ask.
func (r PermissionRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r PermissionRequested) Withdrawn(why string) Body {
	return PermissionCompleted{
		RequestID: r.RequestID, ToolCallID: r.Call(), Result: PermissionResult{Kind: "cancelled", Reason: why},
	}
}

// Call returns the tool call the question is about; "" when it says none.
func (r PermissionRequested) Call() CallID {
	if r.PermissionRequest.ToolCallID == "" && r.PromptRequest != nil {
		return r.PromptRequest.ToolCallID
	}
	return r.PermissionRequest.ToolCallID
}

// PermissionRequest is what the agent wants to do.
type PermissionRequest struct {
	PermissionDetails // ToolName is prefixed with the server's name

	// Kind shell.
	ShellType               string           `json:"shellType,omitzero"`
	Commands                []ShellCommand   `json:"commands,omitzero"`
	CommandSegments         []CommandSegment `json:"commandSegments,omitzero"`
	PossiblePaths           []string         `json:"possiblePaths,omitzero"`
	PossibleURLs            []PossibleURL    `json:"possibleUrls,omitzero"`
	HasWriteFileRedirection bool             `json:"hasWriteFileRedirection,omitzero"`

	// Kind mcp, custom-tool and hook.
	SkipPermission bool `json:"skipPermission,omitzero"`

	// Kind memory.
	RepoNWO string `json:"repoNwo,omitzero"` // "owner/name"
	Scope   string `json:"scope,omitzero"`
}

// PromptRequest is the question as it is to be shown. Kind is that of
// PermissionRequest, but commands in place of shell, and path for files outside
// the folders the agent may use.
type PromptRequest struct {
	PermissionDetails // ToolName is as the server calls it

	// Kind commands.
	CommandIdentifiers []string `json:"commandIdentifiers,omitzero"` // what an Approval of commands remembers

	// Kind read, path and url.
	Paths               []string `json:"paths,omitzero"`
	AccessKind          string   `json:"accessKind,omitzero"` // read, write or shell
	ReadOnlyDirectories []string `json:"readOnlyDirectories,omitzero"`

	// CanOfferServerWideApproval is false where an approval of kind mcp may not
	// cover every tool of the server; nil is true.
	CanOfferServerWideApproval *bool `json:"canOfferServerWideApproval,omitzero"`
}

// PermissionDetails are the members that PermissionRequest and PromptRequest both
// have. Kind says which of the other fields count: shell, write, read, mcp, url,
// memory, custom-tool, hook, extension-management, workflow,
// extension-permission-access or extension-env-access.
type PermissionDetails struct {
	Kind       string `json:"kind"`
	ToolCallID CallID `json:"toolCallId,omitzero"`
	Intention  string `json:"intention,omitzero"` // why, in the agent's words
	Warning    string `json:"warning,omitzero"`

	// Kind shell.
	FullCommandText         string `json:"fullCommandText,omitzero"`
	CanOfferSessionApproval bool   `json:"canOfferSessionApproval,omitzero"` // of write too

	// Kind write.
	FileName        string           `json:"fileName,omitzero"`
	Diff            string           `json:"diff,omitzero"`
	NewFileContents string           `json:"newFileContents,omitzero"`
	FileEdits       []FileEditChange `json:"fileEdits,omitzero"`

	// Kind read and url.
	Path string `json:"path,omitzero"`
	URL  string `json:"url,omitzero"`
	// RedirectedFrom is the address that led to URL.
	RedirectedFrom string `json:"redirectedFrom,omitzero"`

	// Kind mcp, custom-tool and hook.
	ServerName      string         `json:"serverName,omitzero"`
	ToolName        string         `json:"toolName,omitzero"`
	ToolTitle       string         `json:"toolTitle,omitzero"`
	ToolDescription string         `json:"toolDescription,omitzero"`
	Args            jsontext.Value `json:"args,omitzero"`
	ToolArgs        jsontext.Value `json:"toolArgs,omitzero"`
	HookMessage     string         `json:"hookMessage,omitzero"`
	ReadOnly        bool           `json:"readOnly,omitzero"`

	// Kind memory.
	Action    string         `json:"action,omitzero"`
	Subject   string         `json:"subject,omitzero"`
	Fact      string         `json:"fact,omitzero"`
	Citations jsontext.Value `json:"citations,omitzero"` // a string, or a list
	Direction string         `json:"direction,omitzero"`
	Reason    string         `json:"reason,omitzero"`

	// Kinds extension-management, extension-permission-access and
	// extension-env-access.
	ExtensionName        string   `json:"extensionName,omitzero"`
	Operation            string   `json:"operation,omitzero"` // of workflow too
	Capabilities         []string `json:"capabilities,omitzero"`
	EnvironmentVariables []string `json:"environmentVariables,omitzero"` // names

	// Kind workflow. A limit of 0 is none.
	Name                   string          `json:"name,omitzero"`
	Description            string          `json:"description,omitzero"`
	Phases                 []WorkflowPhase `json:"phases,omitzero"`
	ApprovalKey            string          `json:"approvalKey,omitzero"`
	CanPersistApproval     bool            `json:"canPersistApproval,omitzero"`
	MaxAICredits           float64         `json:"maxAiCredits,omitzero"`
	MaxConcurrentSubagents int             `json:"maxConcurrentSubagents,omitzero"`
	MaxTotalSubagents      int             `json:"maxTotalSubagents,omitzero"`
	TimeoutSeconds         float64         `json:"timeoutSeconds,omitzero"`

	PermissionRecommendation   jsontext.Value `json:"permissionRecommendation,omitzero"`
	ManagedApprovalRequired    bool           `json:"managedApprovalRequired,omitzero"`
	AssistedApproval           jsontext.Value `json:"assistedApproval,omitzero"`
	RequestSandboxBypass       bool           `json:"requestSandboxBypass,omitzero"`
	RequestSandboxBypassReason string         `json:"requestSandboxBypassReason,omitzero"`
	Extra                      jsontext.Value `json:",embed"`
}

// WorkflowPhase is one step of a workflow.
type WorkflowPhase struct {
	Title  string         `json:"title"`
	Detail string         `json:"detail,omitzero"`
	Extra  jsontext.Value `json:",embed"`
}

// ShellCommand is one program of a command line.
type ShellCommand struct {
	Identifier           string         `json:"identifier"`
	ReadOnly             bool           `json:"readOnly"`
	AllowMatchIdentifier string         `json:"allowMatchIdentifier,omitzero"`
	Extra                jsontext.Value `json:",embed"`
}

// CommandSegment is one program of a command line with its arguments.
type CommandSegment struct {
	Identifier                  string         `json:"identifier"`
	FullCommandText             string         `json:"fullCommandText"`
	AllowMatchIdentifier        string         `json:"allowMatchIdentifier,omitzero"`
	StaticTokens                []string       `json:"staticTokens,omitzero"`
	HasUnboundExecutableContent bool           `json:"hasUnboundExecutableContent"`
	WorkingDirectory            string         `json:"workingDirectory,omitzero"`
	Extra                       jsontext.Value `json:",embed"`
}

// PossibleURL is an address found in a command line.
type PossibleURL struct {
	URL   string         `json:"url"`
	Extra jsontext.Value `json:",embed"`
}

// FileEditChange is a file before and after an edit. Before is nil for a new
// file, After for one that goes.
type FileEditChange struct {
	Before *FileVersion   `json:"before,omitzero"`
	After  *FileVersion   `json:"after,omitzero"`
	Extra  jsontext.Value `json:",embed"`
}

// FileVersion is a file's whole text.
type FileVersion struct {
	Path    string         `json:"path"`
	Content string         `json:"content"`
	Extra   jsontext.Value `json:",embed"`
}

// PermissionCompleted resolves PermissionRequested.
type PermissionCompleted struct {
	body
	RequestID  RequestID        `json:"requestId"`
	ToolCallID CallID           `json:"toolCallId,omitzero"`
	Result     PermissionResult `json:"result"`
}

// Resolves implements Resolved.
func (c PermissionCompleted) Resolves() RequestID { return c.RequestID }

// PermissionResult is how a question about a permission ended.
type PermissionResult struct {
	// Kind is approved, approved-for-session, approved-for-location,
	// approved-read-only-for-session, cancelled, or one of the denials.
	Kind     string           `json:"kind"`
	Reason   string           `json:"reason,omitzero"`
	Feedback string           `json:"feedback,omitzero"`
	Approval *Approval        `json:"approval,omitzero"`
	Rules    []PermissionRule `json:"rules,omitzero"`
	Path     string           `json:"path,omitzero"`
	Message  string           `json:"message,omitzero"`
	Extra    jsontext.Value   `json:",embed"`
}

// The kinds of a PermissionResult that say who refused.
const (
	DeniedByUser   = "denied-interactively-by-user"
	DeniedByRules  = "denied-by-rules"
	DeniedByPolicy = "denied-by-content-exclusion-policy"
	DeniedByHook   = "denied-by-permission-request-hook"
	DeniedUnasked  = "denied-no-approval-rule-and-could-not-request-from-user"
)

// PermissionRule is a rule that decided in a user's place, such as
// shell(rm).
type PermissionRule struct {
	Kind     string         `json:"kind"`
	Argument string         `json:"argument,omitzero"`
	Extra    jsontext.Value `json:",embed"`
}

// Approved reports whether the agent was allowed to continue.
func (r PermissionResult) Approved() bool {
	switch r.Kind {
	case "approved", "approved-for-session", "approved-for-location", "approved-read-only-for-session":
		return true
	}
	return false
}

// PermissionCarriedForward says that an earlier answer decided about a call
// without asking again.
type PermissionCarriedForward struct {
	body
	ToolCallID CallID `json:"toolCallId"`
}

// The kinds of permissions.
const (
	KindPermissionRequested Kind = "permission.requested"
)

var permissionCodecs = []codec{
	of[PermissionRequested](KindPermissionRequested),
	of[PermissionCompleted]("permission.completed"),
	of[PermissionCarriedForward]("permission.carriedForward"),
}
