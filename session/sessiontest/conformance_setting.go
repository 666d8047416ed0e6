package sessiontest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// The part of the conformance suite about optional capabilities that need no
// turn. One that a session has not is not looked at, and an agent may have
// nothing to list.

// settings changes what can be changed of a session at rest, and reads it back.
func (s *suite) settings() {
	s.readsAnswers()
	sess, r := s.open()
	with(sess, func(c session.ModelSetter) { s.models(c, sess, r) })
	with(sess, func(c session.Renamer) { s.rename(c, r) })
	with(sess, s.plan)
	with(sess, func(c session.AgentPicker) { s.customAgents(c, r) })
	with(sess, s.skills)
	with(sess, s.servers)
	with(sess, s.commands)
	s.folders(sess, r)
	with(sess, s.completions)
	s.sane(r.Seen())
}

func (s *suite) must(what string, err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%s: %v", what, err)
	}
}

// with looks at a capability of a session that has it.
func with[C any](sess session.Session, look func(C)) {
	if c, ok := session.As[C](sess); ok {
		look(c)
	}
}

// models chooses another model, where there is one.
func (s *suite) models(setter session.ModelSetter, sess session.Session, r *Reader) {
	all, err := setter.Models(s.Context())
	s.must("list the models", err)
	for _, m := range all {
		if m.ID == "" || m.DefaultEffort != "" && !slices.Contains(m.Efforts, m.DefaultEffort) {
			s.Errorf("a model is offered as %+v", m)
		}
	}
	i := slices.IndexFunc(all, func(m session.Model) bool { return m.Disabled == "" && m.ID != sess.Info().Model })
	if i < 0 {
		return
	}
	s.must("set the model", setter.SetModel(s.Context(), all[i].ID, ""))
	r.Until("the model that was set", func(ev session.Event) bool {
		b, ok := ev.Body.(session.SessionModelChange)
		return ok && b.NewModel == all[i].ID
	})
}

func (s *suite) rename(renamer session.Renamer, r *Reader) {
	const name = "A name that was given"
	s.must("rename", renamer.Rename(s.Context(), name))
	r.Until("the name that was given", func(ev session.Event) bool {
		b, ok := ev.Body.(session.SessionTitleChanged)
		return ok && b.Title == name
	})
}

func (s *suite) plan(manager session.PlanManager) {
	if text, err := manager.ReadPlan(s.Context()); err != nil || text != "" {
		s.Errorf("at first the plan is %q, %v", text, err)
	}
	const plan = "# Plan\n\n1. nothing\n"
	s.must("write the plan", manager.WritePlan(s.Context(), plan))
	if text, err := manager.ReadPlan(s.Context()); err != nil || strings.TrimSpace(text) != strings.TrimSpace(plan) {
		s.Errorf("the plan that was written is read as %q, %v", text, err)
	}
}

// customAgents selects a custom agent, where there is one, and the default agent
// again.
func (s *suite) customAgents(picker session.AgentPicker, r *Reader) {
	all, selected, err := picker.CustomAgents(s.Context())
	s.must("list the agents", err)
	if err := picker.SelectAgent(s.Context(), "no-such-agent"); err == nil {
		s.Error("an agent that does not exist was selected")
	}
	if len(all) == 0 || selected != "" {
		return
	}
	s.must("select an agent", picker.SelectAgent(s.Context(), all[0].Name))
	if b := Next[session.SubagentSelected](r); b.AgentName != all[0].Name {
		s.Errorf("selected %q, reported is %q", all[0].Name, b.AgentName)
	}
	s.must("select the default agent", picker.SelectAgent(s.Context(), ""))
	Next[session.SubagentDeselected](r)
}

// skills switches a skill to and fro, where there is one.
func (s *suite) skills(manager session.SkillManager) {
	all, err := manager.Skills(s.Context())
	s.must("list the skills", err)
	if len(all) == 0 {
		return
	}
	name := all[0].Name
	for _, on := range []bool{!all[0].Enabled, all[0].Enabled} {
		s.must("switch a skill", manager.EnableSkill(s.Context(), name, on))
		now, err := manager.Skills(s.Context())
		s.must("list the skills", err)
		if !slices.ContainsFunc(now, func(k session.Skill) bool { return k.Name == name && k.Enabled == on }) {
			s.Errorf("skill %s was switched to %t; there are %+v", name, on, now)
		}
	}
}

func (s *suite) servers(manager session.McpManager) {
	if err := manager.ReloadMcp(s.Context()); err != nil && !strings.Contains(err.Error(), "not trusted") {
		s.must("reload the MCP servers", err) // an agent may read no files of a folder that is not trusted, and says so
	}
	all, err := manager.McpServers(s.Context())
	s.must("list the MCP servers", err)
	for _, m := range all {
		if m.Name == "" || m.Status == "" {
			s.Errorf("an MCP server is %+v", m)
		}
		if m.Status == "connected" {
			_, err := manager.McpTools(s.Context(), m.Name)
			s.must("list the tools of "+m.Name, err)
		}
	}
}

func (s *suite) commands(commander session.SlashCommandRunner) {
	all, err := commander.SlashCommands(s.Context())
	s.must("list the commands", err)
	names := map[string]bool{}
	for _, c := range all {
		if c.Name == "" || strings.HasPrefix(c.Name, "/") || names[c.Name] {
			s.Errorf("a command is named %q, or two are", c.Name)
		}
		names[c.Name] = true
	}
	if result, err := commander.Invoke(s.Context(), "no-such-command", ""); err == nil {
		s.Errorf("a command that does not exist gave %+v", result)
	}
}

// folders adds a folder and then works in another.
func (s *suite) folders(sess session.Session, r *Reader) {
	same := func(a, b string) bool {
		x, errX := filepath.EvalSymlinks(a)
		y, errY := filepath.EvalSymlinks(b)
		return a == b || errX == nil && errY == nil && x == y
	}
	if manager, ok := session.As[session.Directories](sess); ok {
		dir := s.TempDir()
		s.must("add a folder", manager.AddDir(s.Context(), dir))
		all, err := manager.Dirs(s.Context())
		s.must("list the folders", err)
		if !slices.ContainsFunc(all, func(d string) bool { return same(d, dir) }) {
			s.Errorf("%s was added; there are %q", dir, all)
		}
	}
	if mover, ok := session.As[session.WorkdirChanger](sess); ok {
		dir := s.TempDir()
		s.must("change the folder", mover.SetDir(s.Context(), dir))
		r.Until("the new folder", func(ev session.Event) bool {
			b, ok := ev.Body.(session.SessionContextChanged)
			return ok && same(b.Cwd, dir)
		})
	}
}

func (s *suite) completions(completer session.Completer) {
	const text = "see #"
	all, err := completer.Complete(s.Context(), text, len(text))
	s.must("complete", err)
	for _, c := range all {
		if c.Text == "" || c.From < 0 || c.From > c.To || c.To > len(text) {
			s.Errorf("a completion of %q is %+v", text, c)
		}
	}
}

// outsideTurns does what is not part of the conversation, after a turn.
func (s *suite) outsideTurns() {
	s.readsAnswers()
	sess, r := s.start(s.Answer)
	s.idle(r)
	with(sess, func(c session.ShellRunner) { s.shell(c, r) })
	said := len(All[session.UserMessage](r.Seen()))
	with(sess, s.aside)
	s.tasks(sess)
	s.reports(sess)
	s.send(sess, s.Answer)
	s.idle(r)
	if n := len(All[session.UserMessage](r.Seen())); n != said+1 {
		s.Errorf("%d messages of the user, want %d: what is asked aside is none", n, said+1)
	}
	s.sane(r.Seen())
}

// shell runs commands as the user would: one that succeeds, and one that
// fails, which is no error.
func (s *suite) shell(runner session.ShellRunner, r *Reader) {
	for command, success := range map[string]bool{"true": true, "false": false} {
		s.must("run "+command, runner.RunShell(s.Context(), command))
		id := Next[session.ToolUserRequested](r).ToolCallID
		done := Next[session.ToolExecutionComplete](r)
		if done.ToolCallID != id || !done.IsUserRequested || done.Success != success {
			s.Errorf("%s as call %s has ended with %+v", command, id, done)
		}
	}
}

func (s *suite) aside(asker session.SideQuestionAsker) {
	if answer, err := asker.AskAside(s.Context(), s.Answer); err != nil || answer == "" {
		s.Errorf("the answer on the side is %q, %v", answer, err)
	}
}

// tasks cancels what does not exist, which is an error, and no hang.
func (s *suite) tasks(sess session.Session) {
	manager, ok := session.As[session.TaskManager](sess)
	if ok {
		all, err := manager.Tasks(s.Context())
		s.must("list the tasks", err)
		for _, t := range all {
			if t.ID == "" || t.Status == "" {
				s.Errorf("a task is %+v", t)
			}
		}
		ctx, cancel := context.WithTimeout(s.Context(), patience/2)
		defer cancel()
		if err := manager.CancelTask(ctx, "no-such-task"); err == nil || errors.Is(err, context.DeadlineExceeded) {
			s.Errorf("cancelling a task that does not exist: %v", err)
		}
	}
	if manager, ok := session.As[session.TodoLister](sess); ok {
		_, err := manager.Todos(s.Context())
		s.must("list the todos", err)
	}
}

// reports reads what was used, after a turn.
func (s *suite) reports(sess session.Session) {
	if reporter, ok := session.As[session.ContextReporter](sess); ok {
		use, err := reporter.ContextUse(s.Context())
		s.must("read the context", err)
		if use != nil && (use.Total < 0 || use.Limit <= 0 || len(use.Parts) > 0 && use.Parts[0].Depth != 0) {
			s.Errorf("the context is filled with %+v", use)
		}
	}
	if reporter, ok := session.As[session.UsageReporter](sess); ok {
		used, err := reporter.Usage(s.Context())
		s.must("read the usage", err)
		if used.Requests < 0 || used.Started.After(time.Now().Add(time.Hour)) {
			s.Errorf("used were %+v", used)
		}
	}
}

// allowAll switches the questions off, and on again.
func (s *suite) allowAll() {
	s.readsAnswers()
	sess, r := s.open()
	setter, ok := session.As[session.AllowAllSetter](sess)
	if !ok {
		s.Skip("this backend always asks")
	}
	switched := func(on bool) {
		s.must("allow all", setter.SetAllowAll(s.Context(), on))
		if _, mode := Next[session.SessionPermissionsChanged](r).Modes(); (mode == session.AllowAll) != on {
			s.Fatalf("allow all was set to %t; reported is %q", on, mode)
		}
	}
	switched(true)
	if q := s.asks(sess, r); q != nil {
		s.Fatalf("it asks although everything is allowed: %+v", q)
	}
	if !s.Ran() {
		s.Error("the agent was allowed to and did not")
	}
	switched(false)
	if s.asks(sess, r) == nil {
		s.Error("it does not ask although nothing is allowed any more")
	}
	s.sane(r.Seen())
}
