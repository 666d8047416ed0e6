package session

import "github.com/go-json-experiment/json/jsontext"

// ToolUserRequested says that the user, not the model, wants a tool to run: a shell
// command, or any other.
type ToolUserRequested struct {
	body
	ToolCallID CallID         `json:"toolCallId"`
	ToolName   string         `json:"toolName"`
	Arguments  jsontext.Value `json:"arguments,omitzero"`
}

// ToolExecutionStart says that a tool begins. It comes before the permission
// question about the same call (docs/protocol.md, section 6.2).
type ToolExecutionStart struct {
	body
	ToolCallID       CallID         `json:"toolCallId"`
	ToolName         string         `json:"toolName"`
	ToolTitle        string         `json:"toolTitle,omitzero"`
	Arguments        jsontext.Value `json:"arguments,omitzero"`
	ShellToolInfo    *ShellToolInfo `json:"shellToolInfo,omitzero"`
	TurnID           string         `json:"turnId,omitzero"`
	Model            string         `json:"model,omitzero"`
	McpServerName    string         `json:"mcpServerName,omitzero"`
	McpToolName      string         `json:"mcpToolName,omitzero"`
	ParentToolCallID CallID         `json:"parentToolCallId,omitzero"`
}

// ShellToolInfo is what the runtime read out of a shell command.
type ShellToolInfo struct {
	PossiblePaths []string       `json:"possiblePaths"`
	Extra         jsontext.Value `json:",embed"`
}

// ToolExecutionPartialResult is output of a running tool. Some agents
// send an increment; the runtime sends a snapshot, which replaces the one before and
// is only the tail of large output. Nothing in the event says which. Ephemeral.
type ToolExecutionPartialResult struct {
	body
	ToolCallID    CallID `json:"toolCallId"`
	PartialOutput string `json:"partialOutput"`
}

// ToolShellOutput is a chunk of a shell command's output to append. Ephemeral.
type ToolShellOutput struct {
	body
	ToolCallID CallID `json:"toolCallId"`
	Stream     string `json:"stream,omitzero"` // stdout, stderr or terminal
	Text       string `json:"text"`
	Sequence   int    `json:"sequence"` // counts the chunks of a call from 0
}

// ToolExecutionProgress says a running tool is alive: one line of status that
// replaces the one before. Ephemeral.
type ToolExecutionProgress struct {
	body
	ToolCallID      CallID `json:"toolCallId"`
	ProgressMessage string `json:"progressMessage"`
}

// ToolExecutionComplete says that a tool has ended. Success means that the tool
// ran: a command that failed has Success and a ShellExecution with its exit
// code. A failed MCP tool has both an Error and a Result.
type ToolExecutionComplete struct {
	body
	ToolCallID       CallID          `json:"toolCallId"`
	Success          bool            `json:"success"`
	Model            string          `json:"model,omitzero"`
	InteractionID    string          `json:"interactionId,omitzero"`
	TurnID           string          `json:"turnId,omitzero"`
	IsUserRequested  bool            `json:"isUserRequested,omitzero"`
	Result           *ToolResult     `json:"result,omitzero"`
	Error            *ToolError      `json:"error,omitzero"`
	ShellExecution   *ShellExecution `json:"shellExecution,omitzero"`
	FileEdits        []FileEdit      `json:"fileEdits,omitzero"`
	ParentToolCallID CallID          `json:"parentToolCallId,omitzero"`
	ToolTelemetry    jsontext.Value  `json:"toolTelemetry,omitzero"`
}

// ToolResult is what a tool gave back.
type ToolResult struct {
	Content string `json:"content"` // what the model saw, perhaps cut
	// DetailedContent is the full result for display, such as a unified diff.
	// Stored logs leave it out when it equals Content.
	DetailedContent     string         `json:"detailedContent,omitzero"`
	Contents            []ContentBlock `json:"contents,omitzero"` // never in stored logs
	BinaryResultsForLLM []BinaryResult `json:"binaryResultsForLlm,omitzero"`
	Extra               jsontext.Value `json:",embed"`
}

// ContentBlock is one piece of a structured result; Type says which fields
// count: text, terminal, shell_exit, image, audio, resource or resource_link.
type ContentBlock struct {
	Type           string            `json:"type"`
	Text           string            `json:"text,omitzero"`
	Data           string            `json:"data,omitzero"` // base64, of image and audio
	MIMEType       string            `json:"mimeType,omitzero"`
	ShellID        string            `json:"shellId,omitzero"`
	ExitCode       *int              `json:"exitCode,omitzero"` // of terminal and shell_exit
	Cwd            string            `json:"cwd,omitzero"`
	OutputPreview  string            `json:"outputPreview,omitzero"`
	OutputFilePath string            `json:"outputFilePath,omitzero"`
	Resource       *EmbeddedResource `json:"resource,omitzero"`
	URI            string            `json:"uri,omitzero"` // of resource_link
	Name           string            `json:"name,omitzero"`
	Title          string            `json:"title,omitzero"`
	Description    string            `json:"description,omitzero"`
	Size           *int              `json:"size,omitzero"` // bytes, of resource_link
	Extra          jsontext.Value    `json:",embed"`
}

// EmbeddedResource is a document inside a result; it has a Text or a Blob.
type EmbeddedResource struct {
	URI      string         `json:"uri"`
	MIMEType string         `json:"mimeType,omitzero"`
	Text     string         `json:"text,omitzero"`
	Blob     string         `json:"blob,omitzero"` // base64
	Extra    jsontext.Value `json:",embed"`
}

// BinaryResult is an image or document the model got. Stored logs have AssetID
// and ByteLength in place of Data; the bytes are in a SessionBinaryAsset.
type BinaryResult struct {
	Type        string         `json:"type"` // image or resource
	Data        string         `json:"data,omitzero"`
	AssetID     string         `json:"assetId,omitzero"`
	ByteLength  int            `json:"byteLength,omitzero"`
	MIMEType    string         `json:"mimeType,omitzero"`
	Description string         `json:"description,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// ToolError says why a tool failed.
type ToolError struct {
	Message string         `json:"message"`
	Code    string         `json:"code,omitzero"` // denied, rejected, failure
	Extra   jsontext.Value `json:",embed"`
}

// ShellExecution is how a shell command ended. ExitCode is nil for one that
// still runs or was killed.
type ShellExecution struct {
	ExitCode *int           `json:"exitCode,omitzero"`
	Extra    jsontext.Value `json:",embed"`
}

// FileEdit is a change a tool made to a file.
type FileEdit struct {
	Path  string         `json:"path"`
	Kind  string         `json:"kind"` // create, edit or delete
	Extra jsontext.Value `json:",embed"`
}

// ToolSearchActivated says that tools were added by searching for them.
type ToolSearchActivated struct {
	body
	ToolNames []string `json:"toolNames"`
}

// McpAppToolCallComplete says that an interface which an MCP server brought
// along has called a tool of it. Ephemeral.
type McpAppToolCallComplete struct {
	body
	ServerName string         `json:"serverName"`
	ToolName   string         `json:"toolName"`
	Arguments  jsontext.Value `json:"arguments,omitzero"`
	Success    bool           `json:"success"`
	Result     jsontext.Value `json:"result,omitzero"`
	Error      *ToolError     `json:"error,omitzero"`
}

// SessionBinaryAsset holds the bytes that results refer to by AssetID. It is in
// stored logs only.
type SessionBinaryAsset struct {
	body
	AssetID    string `json:"assetId"` // "sha256:" and hex digits
	Type       string `json:"type"`    // image or resource
	MIMEType   string `json:"mimeType"`
	ByteLength int    `json:"byteLength"`
	Data       string `json:"data"` // base64
}

// The kinds of tools.
const (
	KindToolExecutionStart         Kind = "tool.execution_start"
	KindToolExecutionComplete      Kind = "tool.execution_complete"
	KindToolExecutionPartialResult Kind = "tool.execution_partial_result"
	KindToolShellOutput            Kind = "tool.shell_output"
	KindToolExecutionProgress      Kind = "tool.execution_progress"
)

var toolCodecs = []codec{
	of[ToolUserRequested]("tool.user_requested"),
	of[ToolExecutionStart](KindToolExecutionStart),
	of[ToolExecutionPartialResult](KindToolExecutionPartialResult),
	of[ToolShellOutput](KindToolShellOutput),
	of[ToolExecutionProgress](KindToolExecutionProgress),
	of[ToolExecutionComplete](KindToolExecutionComplete),
	of[ToolSearchActivated]("tool_search.activated"),
	of[McpAppToolCallComplete]("mcp_app.tool_call_complete"),
	of[SessionBinaryAsset]("session.binary_asset"),
}
