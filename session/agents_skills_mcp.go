package session

import "context"

// AgentPicker is a Session whose conversation can be handled by a custom agent
// (session.agent). The subagent.selected and subagent.deselected events report
// which.
type AgentPicker interface {
	// CustomAgents lists them and names the one that is selected; "" is the
	// default agent.
	CustomAgents(ctx context.Context) (agents []CustomAgent, selected string, err error)
	// SelectAgent selects one by name; "" is the default agent.
	SelectAgent(ctx context.Context, name string) error
}

// SkillManager is a Session with skills that can be switched on and off
// (session.skills).
type SkillManager interface {
	Skills(ctx context.Context) ([]Skill, error)
	EnableSkill(ctx context.Context, name string, on bool) error
}

// McpManager is a Session with MCP servers (session.mcp).
type McpManager interface {
	McpServers(ctx context.Context) ([]McpServer, error)
	// McpTools lists the tools of a server that is connected.
	McpTools(ctx context.Context, server string) ([]McpTool, error)
	EnableMcp(ctx context.Context, server string, on bool) error
	RestartMcp(ctx context.Context, server string) error
	// ReloadMcp reads the files of servers again: it starts those that are new, and ends
	// those that are not there any more.
	ReloadMcp(ctx context.Context) error
}

// McpConfigurer is a Session whose MCP servers are configured in the files of package mcpfile.
type McpConfigurer interface {
	McpManager
	// HoldMcp is called before a server is written to a file. In a folder that is not
	// trusted it keeps the agent from starting that as soon as it is there.
	HoldMcp(ctx context.Context, server string) error
}

// McpTool is one tool of a server.
type McpTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// AllowAllSetter is a Session that can be set to ask for nothing. The
// session.permissions_changed event reports that it does.
type AllowAllSetter interface {
	SetAllowAll(ctx context.Context, on bool) error
}

// Directories is a Session whose tools may work in further directories.
type Directories interface {
	Dirs(ctx context.Context) ([]string, error)
	AddDir(ctx context.Context, dir string) error
}
