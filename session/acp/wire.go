package acp

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// protocolVersion is the version that is asked for. Some agents answer a larger number with a
// version that is a draft.
const protocolVersion = 1

// capabilities are what this client can do. It offers neither files nor terminals: an agent has
// both itself, and a client that writes for it controls nothing by that.
type capabilities struct {
	FS struct {
		Read  bool `json:"readTextFile"`
		Write bool `json:"writeTextFile"`
	} `json:"fs"`
	Terminal bool         `json:"terminal"`
	Session  sessionExtra `json:"session"`
	Forms    formKinds    `json:"elicitation"`
	Auth     struct {
		Terminal bool `json:"terminal"`
	} `json:"auth"`
	Meta struct {
		TerminalOutput bool `json:"terminal_output"`
		TerminalAuth   bool `json:"terminal-auth"`
	} `json:"_meta"`
}

type sessionExtra struct {
	Compaction struct{} `json:"compaction"`
	Options    struct {
		Boolean struct{} `json:"boolean"`
	} `json:"configOptions"`
}

// formKinds are the questions that can be asked.
type formKinds struct {
	Form struct{} `json:"form"`
	URL  struct{} `json:"url"`
}

type initializeParams struct {
	Version      int          `json:"protocolVersion"`
	Capabilities capabilities `json:"clientCapabilities"`
	Client       program      `json:"clientInfo"`
}

// program is a program that speaks the protocol.
type program struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitzero"`
	Version string `json:"version"`
}

type initializeResult struct {
	Version      int `json:"protocolVersion"`
	Capabilities struct {
		Load   bool `json:"loadSession"`
		Prompt struct {
			Image bool `json:"image"`
		} `json:"promptCapabilities"`
		Session struct {
			List   jsontext.Value `json:"list"`
			Fork   jsontext.Value `json:"fork"`
			Resume jsontext.Value `json:"resume"`
			Close  jsontext.Value `json:"close"`
		} `json:"sessionCapabilities"`
	} `json:"agentCapabilities"`
	Agent       program      `json:"agentInfo"`
	AuthMethods []authMethod `json:"authMethods"`
	Meta        struct {
		Steering struct {
			Supported bool `json:"supported"`
		} `json:"steering"`
	} `json:"_meta"`
}

// authMethod is a way to sign in. One of the type terminal is the agent's own command with other
// arguments; some agents have the whole command line in _meta.
type authMethod struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Type        string   `json:"type"`
	Args        []string `json:"args"`
	Meta        struct {
		Terminal struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"terminal-auth"`
	} `json:"_meta"`
}

type newSessionParams struct {
	Cwd        string     `json:"cwd"`
	MCPServers []struct{} `json:"mcpServers"`
	SessionID  string     `json:"sessionId,omitzero"` // of resume, load and fork
}

// opened is the answer to session/new, and to session/resume and session/load, which do not
// repeat the id.
type opened struct {
	SessionID string `json:"sessionId"`
	Modes     struct {
		Current   string `json:"currentModeId"`
		Available []struct {
			ID          string `json:"id"`
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"availableModes"`
	} `json:"modes"`
	Models struct {
		Current   string `json:"currentModelId"`
		Available []struct {
			ModelID     string `json:"modelId"`
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"availableModels"`
	} `json:"models"`
	Options []configOption `json:"configOptions"`
}

type promptParams struct {
	SessionID string         `json:"sessionId"`
	Prompt    []contentBlock `json:"prompt"`
}

// promptResult is the end of a turn.
type promptResult struct {
	StopReason string       `json:"stopReason"`
	Usage      *promptUsage `json:"usage"`
}

// promptUsage is what a turn used, in tokens.
type promptUsage struct {
	Input     int `json:"inputTokens"`
	Output    int `json:"outputTokens"`
	CacheRead int `json:"cachedReadTokens"`
}

// contentBlock is a piece of a prompt or of an answer; Type says which members count.
type contentBlock struct {
	Type     string    `json:"type"` // text, image, audio, resource or resource_link
	Text     string    `json:"text,omitzero"`
	Data     string    `json:"data,omitzero"` // base64
	MIMEType string    `json:"mimeType,omitzero"`
	URI      string    `json:"uri,omitzero"`
	Name     string    `json:"name,omitzero"`
	Resource *resource `json:"resource,omitzero"`
}

type resource struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitzero"`
	Text     string `json:"text,omitzero"`
	Blob     string `json:"blob,omitzero"`
}

type updateParams struct {
	SessionID string         `json:"sessionId"`
	Update    jsontext.Value `json:"update"`
}

// update is a session/update; Kind says which members count.
type update struct {
	Kind      string         `json:"sessionUpdate"`
	MessageID string         `json:"messageId"`
	Content   jsontext.Value `json:"content"` // a block of a chunk, a list of a tool call
	toolCall  `json:",embed"`
	Entries   []planEntry    `json:"entries"`
	Title     *string        `json:"title"` // of a tool call, or of the session
	Cost      *session.Money `json:"cost"`  // of the session so far
	Used      int            `json:"used"`
	Size      int            `json:"size"`
	Options   []configOption `json:"configOptions"`

	CompactionID string `json:"compactionId"`
}

// toolCall is what is said of a call at once, in an update or with a question. A member that
// is absent, null or empty says nothing new.
type toolCall struct {
	ID        session.CallID `json:"toolCallId"`
	Name      string         `json:"name"`
	Kind      string         `json:"kind"`
	Status    string         `json:"status"` // pending, in_progress, completed or failed
	RawInput  jsontext.Value `json:"rawInput"`
	RawOutput jsontext.Value `json:"rawOutput"`
	Locations []location     `json:"locations"`
	Meta      callMeta       `json:"_meta"`
}

type location struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1; 0 is not said
}

// callMeta is what agents add to a call.
type callMeta struct {
	Claude struct {
		ToolName string         `json:"toolName"`
		Parent   session.CallID `json:"parentToolUseId"`
	} `json:"claudeCode"`
	Copilot struct {
		Agent session.AgentID `json:"agentId"` // the sub-agent that makes the call
	} `json:"github.com/copilot"`
	Output      *terminalOutput `json:"terminal_output"`
	OutputDelta *terminalOutput `json:"terminal_output_delta"`
	Exit        *struct {
		Code *int `json:"exit_code"`
	} `json:"terminal_exit"`
}

// terminalOutput is output to append.
type terminalOutput struct {
	Data string `json:"data"`
}

// toolContent is a piece of what a call shows; Type is content, diff or terminal.
type toolContent struct {
	Type    string       `json:"type"`
	Content contentBlock `json:"content"`
	Path    string       `json:"path"`
	Old     *string      `json:"oldText"`
	New     string       `json:"newText"`
}

// planEntry is something to do.
type planEntry struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending, in_progress or completed
}

// permissionParams is session/request_permission.
type permissionParams struct {
	SessionID string `json:"sessionId"`
	ToolCall  struct {
		toolCall `json:",embed"`
		Title    *string        `json:"title"`
		Content  jsontext.Value `json:"content"`
	} `json:"toolCall"`
	Options []permissionOption `json:"options"`
}

// permissionOption is an answer that the agent takes. Kind is a hint: allow_once, allow_always,
// reject_once, reject_always or another.
type permissionOption struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// outcome is the answer to a permission.
type outcome struct {
	Outcome struct {
		Outcome string `json:"outcome"` // selected or cancelled
		Option  string `json:"optionId,omitzero"`
	} `json:"outcome"`
}

// asking is the mode of codex-acp in which a user is asked. It begins in another.
const asking = "workspace-write"

// askingMode is the mode in which a user is asked, of an agent that does not begin in it; ""
// for others.
func (o *opened) askingMode() string {
	for _, m := range o.Modes.Available {
		if m.ID == asking {
			return asking
		}
	}
	return ""
}

// freeModes are the modes in which no user is asked, or a model decides, by a word in the agent's name.
var freeModes = map[string][]string{
	"gemini":   {"yolo"},
	"claude":   {"bypassPermissions", "auto"},
	"codex":    {"agent", "agent-full-access", "full-access", "auto"},
	"copilot":  {"autopilot"},
	"opencode": nil,
}

// neverAsks reports whether a mode of an agent is one in which no user is asked. Of an agent that is
// not known it is one that is called so by any other.
func neverAsks(agent program, mode string) bool {
	if _, name, found := strings.Cut(mode, "#"); found {
		mode = name
	}
	known, free := false, false
	for word, modes := range freeModes {
		is := strings.Contains(strings.ToLower(agent.Name), word)
		known = known || is
		free = free || is && slices.Contains(modes, mode)
	}
	return free || !known && slices.Contains([]string{"yolo", "bypassPermissions", "autopilot", "full-access"}, mode)
}
