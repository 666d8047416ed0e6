package observe

import (
	"context"
	"errors"
	"slices"

	"parley/session"
	"parley/session/trace"
)

// The capabilities that are about commands, tasks and what an agent is
// equipped with.

// SlashCommands implements session.SlashCommandRunner. It remembers which there are.
func (s *observedSession) SlashCommands(ctx context.Context) ([]session.SlashCommand, error) {
	all, err := read(ctx, s.Session, session.SlashCommandRunner.SlashCommands)
	if err == nil {
		s.commands.Store(&all)
	}
	return all, err
}

// Invoke implements session.SlashCommandRunner. The name is logged if the agent has
// listed it: what a user mistyped may say anything.
func (s *observedSession) Invoke(ctx context.Context, name, input string) (session.SlashResult, error) {
	return act(s.Session, s.called, "invoke",
		func(c session.SlashCommandRunner) (session.SlashResult, error) { return c.Invoke(ctx, name, input) },
		"command", s.listed(name), "bytes", len(input))
}

// CommandHandled implements session.CommandHost.
func (s *observedSession) CommandHandled(ctx context.Context, id session.RequestID) error {
	return set(s, "command handled", func(c session.CommandHost) error { return c.CommandHandled(ctx, id) })
}

// listed is the name of a command that the agent has, or what stands for
// another.
func (s *observedSession) listed(name string) string {
	if all := s.commands.Load(); all != nil && slices.ContainsFunc(*all, func(c session.SlashCommand) bool {
		return c.Name == name || slices.Contains(c.Aliases, name)
	}) {
		return trace.ID(name)
	}
	return "(other)"
}

// RunShell implements session.ShellRunner.
func (s *observedSession) RunShell(ctx context.Context, command string) error {
	return set(s, "run shell", func(c session.ShellRunner) error { return c.RunShell(ctx, command) }, "bytes", len(command))
}

// AskAside implements session.SideQuestionAsker.
func (s *observedSession) AskAside(ctx context.Context, question string) (string, error) {
	return act(s.Session, s.called, "ask aside", func(c session.SideQuestionAsker) (string, error) { return c.AskAside(ctx, question) },
		"bytes", len(question))
}

// Tasks implements session.TaskManager.
func (s *observedSession) Tasks(ctx context.Context) ([]session.Task, error) {
	return read(ctx, s.Session, session.TaskManager.Tasks)
}

// CancelTask implements session.TaskManager.
func (s *observedSession) CancelTask(ctx context.Context, id string) error {
	return set(s, "cancel task", func(c session.TaskManager) error { return c.CancelTask(ctx, id) }, "task", trace.ID(id))
}

// RemoveTask implements session.TaskManager.
func (s *observedSession) RemoveTask(ctx context.Context, id string) error {
	return set(s, "remove task", func(c session.TaskManager) error { return c.RemoveTask(ctx, id) }, "task", trace.ID(id))
}

// Background implements session.TaskManager.
func (s *observedSession) Background(ctx context.Context, id string) error {
	return set(s, "background", func(c session.TaskManager) error { return c.Background(ctx, id) }, "task", trace.ID(id))
}

// ReadPlan implements session.PlanManager.
func (s *observedSession) ReadPlan(ctx context.Context) (string, error) {
	return read(ctx, s.Session, session.PlanManager.ReadPlan)
}

// WritePlan implements session.PlanManager.
func (s *observedSession) WritePlan(ctx context.Context, markdown string) error {
	return set(s, "write plan", func(c session.PlanManager) error { return c.WritePlan(ctx, markdown) }, "bytes", len(markdown))
}

// CustomAgents implements session.AgentPicker.
func (s *observedSession) CustomAgents(ctx context.Context) (agents []session.CustomAgent, selected string, err error) {
	c, ok := session.As[session.AgentPicker](s.Session)
	if !ok {
		return nil, "", errors.ErrUnsupported
	}
	return c.CustomAgents(ctx)
}

// SelectAgent implements session.AgentPicker.
func (s *observedSession) SelectAgent(ctx context.Context, name string) error {
	return set(s, "select agent", func(c session.AgentPicker) error { return c.SelectAgent(ctx, name) }, "default", name == "")
}

// Skills implements session.SkillManager.
func (s *observedSession) Skills(ctx context.Context) ([]session.Skill, error) {
	return read(ctx, s.Session, session.SkillManager.Skills)
}

// EnableSkill implements session.SkillManager.
func (s *observedSession) EnableSkill(ctx context.Context, name string, on bool) error {
	return set(s, "enable skill", func(c session.SkillManager) error { return c.EnableSkill(ctx, name, on) }, "on", on)
}

// FolderTrusted implements session.FolderTruster.
func (s *observedSession) FolderTrusted() bool {
	c, ok := session.As[session.FolderTruster](s.Session)
	return ok && c.FolderTrusted()
}

// AskTrust implements session.FolderTruster.
func (s *observedSession) AskTrust(ctx context.Context) error {
	return set(s, "ask trust", func(c session.FolderTruster) error { return c.AskTrust(ctx) })
}

// McpServers implements session.McpManager.
func (s *observedSession) McpServers(ctx context.Context) ([]session.McpServer, error) {
	return read(ctx, s.Session, session.McpManager.McpServers)
}

// McpTools implements session.McpManager.
func (s *observedSession) McpTools(ctx context.Context, server string) ([]session.McpTool, error) {
	return read(ctx, s.Session, func(c session.McpManager, ctx context.Context) ([]session.McpTool, error) {
		return c.McpTools(ctx, server)
	})
}

// EnableMcp implements session.McpManager.
func (s *observedSession) EnableMcp(ctx context.Context, server string, on bool) error {
	return set(s, "enable MCP server", func(c session.McpManager) error { return c.EnableMcp(ctx, server, on) }, "on", on)
}

// RestartMcp implements session.McpManager.
func (s *observedSession) RestartMcp(ctx context.Context, server string) error {
	return set(s, "restart MCP server", func(c session.McpManager) error { return c.RestartMcp(ctx, server) })
}

// HoldMcp implements session.McpConfigurer.
func (s *observedSession) HoldMcp(ctx context.Context, server string) error {
	return set(s, "hold MCP server", func(c session.McpConfigurer) error { return c.HoldMcp(ctx, server) })
}

// ReloadMcp implements session.McpManager.
func (s *observedSession) ReloadMcp(ctx context.Context) error {
	return set(s, "reload MCP servers", func(c session.McpManager) error { return c.ReloadMcp(ctx) })
}
