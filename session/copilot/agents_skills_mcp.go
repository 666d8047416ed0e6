package copilot

import (
	"context"
	"errors"
	"slices"

	"parley/session"
)

// equipment is what an agent works with: custom agents, skills and MCP servers.
type equipment struct{ *link }

// CustomAgents implements session.AgentPicker. The agents the runtime brings
// along are not among them: they are for tasks, not for conversations.
func (e equipment) CustomAgents(ctx context.Context) (agents []session.CustomAgent, selected string, err error) {
	agents, err = ask[[]session.CustomAgent](ctx, e, "session.agent.list", nil, "agents")
	if err == nil {
		var current session.CustomAgent // null is the default agent
		current, err = ask[session.CustomAgent](ctx, e, "session.agent.getCurrent", nil, "agent")
		selected = current.Name
	}
	return agents, selected, attempt(err, "list the custom agents")
}

// SelectAgent implements session.AgentPicker.
func (e equipment) SelectAgent(ctx context.Context, name string) error {
	if name == "" {
		return attempt(e.call(ctx, "session.agent.deselect", nil, nil), "go back to the default agent")
	}
	return attempt(e.call(ctx, "session.agent.select", object{"name": name}, nil), "select the agent %s", name)
}

// Skills implements session.SkillManager.
func (e equipment) Skills(ctx context.Context) ([]session.Skill, error) {
	skills, err := e.skills(ctx)
	return skills, attempt(err, "list the skills")
}

func (e equipment) skills(ctx context.Context) ([]session.Skill, error) {
	skills, err := ask[[]session.Skill](ctx, e, "session.skills.list", nil, "skills")
	for i := range skills {
		if k := &skills[i]; !k.UserInvocable || !k.Enabled {
			k.Command = ""
		}
	}
	return skills, err
}

// EnableSkill implements session.SkillManager.
func (e equipment) EnableSkill(ctx context.Context, name string, on bool) error {
	method, what := "session.skills.disable", "switch off"
	if on {
		method, what = "session.skills.enable", "switch on"
	}
	err := e.call(ctx, method, object{"name": name}, nil)
	if err == nil {
		err = e.skillIs(ctx, name, on)
	}
	return attempt(err, "%s the skill %s", what, name)
}

// skillIs makes sure of what became of a skill: the runtime takes any name.
func (e equipment) skillIs(ctx context.Context, name string, on bool) error {
	skills, err := e.skills(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(skills, func(k session.Skill) bool { return k.Name == name })
	switch {
	case i < 0:
		return errors.New("there is no such skill")
	case skills[i].Enabled != on:
		return errors.New("the runtime left it as it was")
	}
	return nil
}

// McpServers implements session.McpManager. Before the first prompt it can take
// as long as the servers take to start.
func (e equipment) McpServers(ctx context.Context) ([]session.McpServer, error) {
	servers, err := e.servers(ctx)
	return servers, attempt(err, "list the MCP servers")
}

func (e equipment) servers(ctx context.Context) ([]session.McpServer, error) {
	return ask[[]session.McpServer](ctx, e, "session.mcp.list", nil, "servers")
}

// McpTools implements session.McpManager.
func (e equipment) McpTools(ctx context.Context, server string) ([]session.McpTool, error) {
	tools, err := ask[[]session.McpTool](ctx, e, "session.mcp.listTools", object{"serverName": server}, "tools")
	return tools, attempt(err, "list the tools of the MCP server %s", server)
}

// EnableMcp implements session.McpManager.
func (e equipment) EnableMcp(ctx context.Context, server string, on bool) error {
	method, what := "session.mcp.disable", "switch off"
	if on {
		method, what = "session.mcp.enable", "switch on"
	}
	return attempt(e.onServer(ctx, method, server), "%s the MCP server %s", what, server)
}

// RestartMcp implements session.McpManager.
func (e equipment) RestartMcp(ctx context.Context, server string) error {
	return attempt(e.onServer(ctx, "session.mcp.restartServer", server), "restart the MCP server %s", server)
}

// ReloadMcp implements session.McpManager. Listing the servers starts the runtime's part
// for them, without which there is nothing to reload.
func (e equipment) ReloadMcp(ctx context.Context) error {
	_, err := e.servers(ctx)
	if err == nil {
		err = e.mayStart()
	}
	if err == nil {
		err = e.renewServers(ctx)
	}
	if err == nil {
		err = e.call(ctx, "session.mcp.reload", nil, nil)
	}
	return attempt(err, "reload the MCP servers")
}

// renewServers reads the servers of a folder again that is trusted for this session only:
// the runtime knows only those that it was given.
func (e equipment) renewServers(ctx context.Context) error {
	if err := e.moving.enter(ctx); err != nil {
		return err
	}
	defer e.moving.leave()
	f := e.where()
	if !f.trusted || !f.briefly {
		return nil
	}
	_, f.servers = folderServers(f.dir)
	e.setFolder(f)
	return e.reload(ctx, f)
}

// HoldMcp implements session.McpConfigurer. The runtime watches the user's file, and starts at
// once what is added to it by others.
func (e equipment) HoldMcp(ctx context.Context, server string) error {
	if err := e.moving.enter(ctx); err != nil {
		return err
	}
	defer e.moving.leave()
	f := e.where()
	if f.trusted || slices.Contains(f.off, server) {
		return nil
	}
	f.off = append(slices.Clip(f.off), server)
	e.setFolder(f)
	return attempt(e.reload(ctx, f), "keep the MCP server %s from starting", server)
}

// mayStart reports why no MCP server is started, if that is so: the runtime itself would
// start those of the user in any folder.
func (e equipment) mayStart() error {
	if e.where().trusted {
		return nil
	}
	return errors.New("the agent starts no servers here, as the folder is not trusted")
}

// onServer makes a call about a server, if there is one of that name: the
// runtime takes any. Listing them starts the runtime's part for them, too.
func (e equipment) onServer(ctx context.Context, method, server string) error {
	servers, err := e.servers(ctx)
	switch {
	case err != nil:
		return err
	case !slices.ContainsFunc(servers, func(m session.McpServer) bool { return m.Name == server }):
		return errors.New("there is no such server")
	case method != "session.mcp.disable":
		if err := e.mayStart(); err != nil {
			return err
		}
	}
	return e.call(ctx, method, object{"serverName": server}, nil)
}
