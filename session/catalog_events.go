package session

import "github.com/go-json-experiment/json/jsontext"

// SessionToolsUpdated says that the tools changed, for a model. Ephemeral.
type SessionToolsUpdated struct {
	body
	Model string `json:"model"`
}

// SessionSkillsLoaded lists the skills there are. Ephemeral.
type SessionSkillsLoaded struct {
	body
	Skills []Skill `json:"skills"`
}

// Skill is a text with instructions that the agent can load.
type Skill struct {
	Name          string         `json:"name"`
	Command       string         `json:"commandName,omitzero"` // its slash command; "" if it has none
	Description   string         `json:"description,omitzero"`
	Source        string         `json:"source,omitzero"`
	UserInvocable bool           `json:"userInvocable,omitzero"`
	Enabled       bool           `json:"enabled,omitzero"`
	Path          string         `json:"path,omitzero"`
	ArgumentHint  string         `json:"argumentHint,omitzero"` // what the words after its command are; "" for none
	Extra         jsontext.Value `json:",embed"`
}

// SessionCustomAgentsUpdated lists the custom agents there are. Ephemeral.
type SessionCustomAgentsUpdated struct {
	body
	Agents   []CustomAgent `json:"agents"`
	Warnings []string      `json:"warnings,omitzero"`
	Errors   []string      `json:"errors,omitzero"`
}

// CustomAgent is one agent of a catalogue.
type CustomAgent struct {
	Name        string         `json:"name"`
	DisplayName string         `json:"displayName,omitzero"`
	Description string         `json:"description,omitzero"`
	Source      string         `json:"source,omitzero"`
	Tools       []string       `json:"tools,omitzero"` // nil is all
	Model       string         `json:"model,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// SessionExtensionsLoaded lists the extensions there are. Ephemeral.
type SessionExtensionsLoaded struct {
	body
	Extensions []Extension `json:"extensions"`
}

// Extension is one extension of a catalogue.
type Extension struct {
	Name   string         `json:"name"`
	Status string         `json:"status,omitzero"`
	Error  string         `json:"error,omitzero"`
	Extra  jsontext.Value `json:",embed"`
}

// SessionMcpServersLoaded lists the MCP servers and their states. Ephemeral.
type SessionMcpServersLoaded struct {
	body
	Servers []McpServer `json:"servers"`
}

// McpServer is an MCP server and its state: connected, failed, needs-auth,
// pending, disabled, stopped or not_configured.
type McpServer struct {
	Name   string         `json:"name"`
	Status string         `json:"status"`
	Source string         `json:"source,omitzero"`
	Error  string         `json:"error,omitzero"`
	Extra  jsontext.Value `json:",embed"`
}

// SessionMcpServerStatusChanged is the new state of one MCP server. Ephemeral.
type SessionMcpServerStatusChanged struct {
	body
	ServerName   string `json:"serverName"`
	Status       string `json:"status"` // as in McpServer
	Error        string `json:"error,omitzero"`
	ConfigSource string `json:"configSource,omitzero"`
}

// SessionMcpServerToolsLoaded counts the tools of an MCP server. Ephemeral.
type SessionMcpServerToolsLoaded struct {
	body
	ServerName string `json:"serverName"`
	ToolCount  int    `json:"toolCount"`
}

// SessionMcpServerRemoved says that an MCP server was removed. Ephemeral.
type SessionMcpServerRemoved struct {
	body
	ServerName string `json:"serverName"`
}

// SessionMcpServerNeedsReconnect says that an MCP server was disconnected.
// Ephemeral.
type SessionMcpServerNeedsReconnect struct {
	body
	ServerName string `json:"serverName"`
}

// McpToolsListChanged says that an MCP server has other tools now. Ephemeral.
type McpToolsListChanged struct{ body }

// McpResourcesListChanged says that an MCP server has other resources now.
// Ephemeral.
type McpResourcesListChanged struct{ body }

// McpPromptsListChanged says that an MCP server has other prompts now.
// Ephemeral.
type McpPromptsListChanged struct{ body }

// CommandsChanged says that the slash commands changed: ask a SlashCommandRunner.
// Ephemeral.
type CommandsChanged struct{ body }

// CapabilitiesChanged says what the attached clients can show. Ephemeral.
type CapabilitiesChanged struct{ body }

var catalogCodecs = []codec{
	of[SessionToolsUpdated]("session.tools_updated"),
	of[SessionSkillsLoaded]("session.skills_loaded"),
	of[SessionCustomAgentsUpdated]("session.custom_agents_updated"),
	of[SessionExtensionsLoaded]("session.extensions_loaded"),
	of[SessionMcpServersLoaded]("session.mcp_servers_loaded"),
	of[SessionMcpServerStatusChanged]("session.mcp_server_status_changed"),
	of[SessionMcpServerToolsLoaded]("session.mcp_server_tools_loaded"),
	of[SessionMcpServerRemoved]("session.mcp_server_removed"),
	of[SessionMcpServerNeedsReconnect]("session.mcp_server_needs_reconnect"),
	of[McpToolsListChanged]("mcp.tools.list_changed"),
	of[McpResourcesListChanged]("mcp.resources.list_changed"),
	of[McpPromptsListChanged]("mcp.prompts.list_changed"),
	of[CommandsChanged]("commands.changed"),
	of[CapabilitiesChanged]("capabilities.changed"),
}
