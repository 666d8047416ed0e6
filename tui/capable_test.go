package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// The capabilities of the scenarios' session and agent: fixed things to show,
// and a note of every change.

func (s *scriptedSession) Rename(_ context.Context, name string) error {
	s.note("rename %q", name)
	return s.fail
}

func (s *scriptedSession) SetDir(_ context.Context, dir string) error {
	s.note("dir %s", dir)
	return s.fail
}

func (s *scriptedSession) Dirs(context.Context) ([]string, error) {
	return []string{"/home/ada/src/queue", "/tmp"}, s.fail
}

func (s *scriptedSession) AddDir(_ context.Context, dir string) error {
	s.note("add dir %s", dir)
	return s.fail
}

func (s *scriptedSession) edit(what, id string) (bool, error) {
	s.note("%s %s", what, id)
	n := len(s.pending)
	if strings.HasPrefix(what, "move") || s.fail != nil {
		return true, s.fail
	}
	s.pending = slices.DeleteFunc(s.pending, func(p session.Pending) bool { return p.ID == id })
	return len(s.pending) < n, s.fail
}

func (s *scriptedSession) Withdraw(_ context.Context, id string) (bool, error) {
	return s.edit("withdraw", id)
}

func (s *scriptedSession) Reword(_ context.Context, id, text string) (bool, error) {
	s.note("reword %s %q", id, text)
	for i := range s.pending {
		if s.pending[i].ID == id {
			s.pending[i].Text = text
		}
	}
	return true, s.fail
}

func (s *scriptedSession) Move(_ context.Context, id string, to int) (bool, error) {
	return s.edit(fmt.Sprintf("move to %d", to), id)
}

func (s *scriptedSession) SendNow(_ context.Context, id string) (bool, error) {
	return s.edit("send now", id)
}

func (s *scriptedSession) RewindPoints(context.Context) ([]session.RewindPoint, error) {
	return []session.RewindPoint{
		{Event: "e1", Prompt: "Fix the flaky test", Time: started.Add(-2 * time.Hour), Files: true, FileCount: 3, Added: 12, Removed: 3},
		{Event: "e2", Prompt: "Now explain it", Time: started.Add(-time.Minute)},
	}, s.fail
}

func (s *scriptedSession) PreviewRewind(context.Context, session.EventID) ([]session.FileChange, error) {
	return []session.FileChange{
		{Path: "/home/ada/src/queue/worker.go", Change: "modified", Added: 9, Removed: 3, Compared: true},
		{Path: "/home/ada/src/queue/drain.go", Change: "created", Added: 3, Compared: true},
		{Path: "/home/ada/src/queue/build", Change: "deleted", NoCopy: true},
	}, s.fail
}

func (s *scriptedSession) Rewind(_ context.Context, at session.EventID, files bool) (session.Rewound, error) {
	s.note("rewind %s files=%t", at, files)
	r := session.Rewound{Events: 4}
	if files {
		r.Restored = []string{"/home/ada/src/queue/worker.go", "/home/ada/src/queue/drain.go"}
		r.Skipped = []string{"/home/ada/src/queue/build: what it was before is not known"}
	}
	return r, s.fail
}

func (s *scriptedSession) Redo(context.Context) (session.ID, bool, error) {
	s.note("redo")
	return "s1-before", true, s.fail
}

func (s *scriptedSession) SlashCommands(context.Context) ([]session.SlashCommand, error) {
	return []session.SlashCommand{
		{Name: "review", Description: "Review the changes", Hint: "[what]", Kind: "builtin"},
		{Name: "memory", Aliases: []string{"mem"}, Description: "What is remembered", Kind: "builtin", MidTurn: true, Choices: []string{"show", "forget"}, Hint: "[show|forget]"},
		{Name: "model", Description: "Theirs, hidden by ours", Kind: "builtin"},
		{Name: "tidy", Description: "Tidy up, a skill", Kind: "skill"},
	}, nil
}

func (s *scriptedSession) Invoke(_ context.Context, name, input string) (session.SlashResult, error) {
	s.note("invoke %s %q", name, input)
	switch name {
	case "tidy":
		return session.SlashResult{Prompt: &session.Input{Prompt: "Tidy up all of it, step by step.", Display: "/tidy"}}, s.fail
	case "memory":
		if input == "" {
			return session.SlashResult{Title: "Memory", Options: []session.SlashOption{{Input: "show", Label: "Show", Description: "all of it"}, {Input: "forget", Label: "Forget"}}}, s.fail
		}
		return session.SlashResult{Text: "# Memory\n\n- you like short answers\n- this is Go", Markdown: true}, s.fail
	}
	return session.SlashResult{Text: "Nothing to review."}, s.fail
}

func (s *scriptedSession) Complete(_ context.Context, text string, offset int) ([]session.Completion, error) {
	at := offset - 1
	for at > 0 && text[at] != '#' {
		at--
	}
	return []session.Completion{{Text: "#12", From: at, To: offset, Label: "#12 Drain before close", Detail: "open"}}, nil
}

func (s *scriptedSession) RunShell(_ context.Context, command string) error {
	s.note("shell %q", command)
	return s.fail
}

func (s *scriptedSession) AskAside(_ context.Context, question string) (string, error) {
	s.note("aside %q", question)
	return "It is the worker that drains the queue.", s.fail
}

func (s *scriptedSession) Tasks(context.Context) ([]session.Task, error) {
	s.reads++
	return slices.Clone(s.tasks), s.fail
}

func (s *scriptedSession) CancelTask(_ context.Context, id string) error {
	s.note("cancel task %s", id)
	return s.fail
}

func (s *scriptedSession) RemoveTask(_ context.Context, id string) error {
	s.note("remove task %s", id)
	return s.fail
}

func (s *scriptedSession) Background(_ context.Context, id string) error {
	s.note("background %q", id)
	return s.fail
}

func (s *scriptedSession) Todos(context.Context) ([]session.Todo, error) {
	return slices.Clone(s.todos), s.fail
}

func (s *scriptedSession) ReadPlan(context.Context) (string, error) {
	return "# Plan\n\n1. Wait for the worker.\n2. Run it fifty times.\n", s.fail
}

func (s *scriptedSession) WritePlan(_ context.Context, markdown string) error {
	s.note("plan %q", markdown)
	return s.fail
}

func (s *scriptedSession) ContextUse(context.Context) (*session.ContextUse, error) {
	return &session.ContextUse{Model: "gpt-5.4", Limit: 128_000, Total: 41_200, Compaction: 102_400, Parts: []session.ContextPart{
		{Name: "system", Tokens: 9_200}, {Name: "tools", Tokens: 12_000}, {Name: "of MCP servers", Tokens: 4_000, Depth: 1}, {Name: "conversation", Tokens: 20_000},
	}}, s.fail
}

func (s *scriptedSession) Usage(context.Context) (session.Usage, error) {
	return session.Usage{
		Requests: 7, Cost: 7, CostUnit: "premium requests", APITime: 95 * time.Second, Started: started.Add(-time.Hour), Added: 30, Removed: 4,
		Files:  []string{"worker.go"},
		Models: []session.ModelTotal{{Model: "gpt-5.4", Requests: 12, Tokens: session.ModelUsage{InputTokens: 120_000, OutputTokens: 4_000, CacheReadTokens: 90_000}}},
		Quotas: []session.Quota{{Name: "premium requests", Used: 120, Limit: 300, Resets: started.Add(24 * time.Hour)}},
	}, s.fail
}

func (s *scriptedSession) CustomAgents(context.Context) ([]session.CustomAgent, string, error) {
	return []session.CustomAgent{{Name: "reviewer", DisplayName: "Reviewer", Description: "reads changes"}}, "", s.fail
}

func (s *scriptedSession) SelectAgent(_ context.Context, name string) error {
	s.note("agent %q", name)
	return s.fail
}

func (s *scriptedSession) Skills(context.Context) ([]session.Skill, error) {
	return []session.Skill{{Name: "tidy", Description: "tidies up", Source: "project", Enabled: true}, {Name: "draw", Description: "draws", Source: "user"}}, s.fail
}

func (s *scriptedSession) EnableSkill(_ context.Context, name string, on bool) error {
	s.note("skill %s %t", name, on)
	return s.fail
}

func (s *scriptedSession) HoldMcp(_ context.Context, server string) error {
	s.note("hold %s", server)
	return s.fail
}

func (s *scriptedSession) McpServers(context.Context) ([]session.McpServer, error) {
	if s.servers != nil {
		return s.servers, s.fail
	}
	return []session.McpServer{{Name: "notes", Status: "connected", Source: "user"}, {Name: "weather", Status: "failed", Error: "exit code 1"}, {Name: "old", Status: "disabled"}}, s.fail
}

func (s *scriptedSession) McpTools(context.Context, string) ([]session.McpTool, error) {
	if s.tools != nil {
		return s.tools, s.fail
	}
	return []session.McpTool{{Name: "read", Description: "reads a note"}, {Name: "write"}}, s.fail
}

func (s *scriptedSession) EnableMcp(_ context.Context, server string, on bool) error {
	s.note("mcp %s %t", server, on)
	return s.fail
}

func (s *scriptedSession) ReloadMcp(context.Context) error {
	s.note("reload mcp")
	return s.fail
}

func (s *scriptedSession) RestartMcp(_ context.Context, server string) error {
	s.note("restart %s", server)
	return s.fail
}

func (s *scriptedSession) SetAllowAll(_ context.Context, on bool) error {
	s.note("allow all %t", on)
	return s.fail
}

func (a scriptedAgent) List(context.Context) ([]session.Stored, error) {
	return []session.Stored{
		{ID: "s0", Title: "Drain the queue", Dir: "/home/ada/src/queue", Branch: "main", Used: started.Add(-3 * time.Hour)},
		{ID: "s1", Title: "This one"},
		{ID: "s2", Title: "Release notes", Dir: "/home/ada/src/site", InUse: true, Used: started.Add(-50 * time.Hour)},
	}, a.s.fail
}

func (a scriptedAgent) Fork(_ context.Context, id session.ID, before session.EventID) (session.ID, error) {
	a.s.note("fork %s %q", id, before)
	return id + "-copy", a.s.fail
}

func (a scriptedAgent) Delete(context.Context, session.ID) error {
	return errors.ErrUnsupported
}
