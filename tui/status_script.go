package tui

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/terminal"
	"parley/timeline"
	"parley/tui/status"
)

// scriptMsg ends a run of the user's program for the status line.
type scriptMsg struct {
	run  int
	text string
	err  error
}

// restedMsg says that the program may run again.
type restedMsg time.Time

// scriptInput is what the program gets now.
func (c *conversation) scriptInput() status.ScriptInput {
	s := c.timeline.Status()
	in := status.ScriptInput{
		Version: c.win.config.Version, Width: c.win.width,
		SessionID: c.info.ID, Title: s.Title, Agent: c.info.Agent, Cwd: c.info.Dir, Branch: s.Branch,
		Mode: c.mode(), Model: cmp.Or(s.Model, c.info.Model), Effort: s.Effort, AllowAll: c.win.config.AllowAll || s.AllowAll,
		Busy: s.Busy, Waiting: c.questions.Len(), Queued: c.queue.waitingPrompts(), Turns: s.Turns,
		Tokens: status.ScriptTokens{In: s.Usage.Input, Cached: s.Usage.CacheRead, Out: s.Usage.Output},
		Cost:   status.ScriptCost{Credits: s.Usage.NanoAIU / timeline.NanoAIUPerCredit, Premium: s.Usage.Cost},
	}
	if s.ContextLimit > 0 && c.metered {
		in.Context = status.ScriptContext{
			Used: s.ContextTokens, Limit: s.ContextLimit, Percent: s.ContextTokens * 100 / s.ContextLimit, Stale: c.outdated,
		}
	}
	return in
}

// runScript runs the program if its input, which is of a conversation, has changed.
// Without a change there is no timer.
func (s *statusBar) runScript(of *conversation) tea.Cmd {
	if len(s.win.config.Settings.Status.Script) == 0 || of.session == nil || s.win.width == 0 || !s.Shows("script") {
		return nil
	}
	in := of.scriptInput()
	run, wait := s.script.Next(in, s.win.now)
	switch {
	case wait > 0:
		return s.win.after(wait, func(t time.Time) tea.Msg { return restedMsg(t) })
	case run == 0:
		return nil
	}
	c := s.win.config
	ctx, dir, do := s.win.ctx, of.info.Dir, s.win.program
	if of.info.Remote {
		dir = c.Home // the folder is on another machine
	}
	script := status.ScriptCommand{
		Argv: c.Settings.Status.Script, Timeout: time.Duration(c.Settings.Status.ScriptTimeout) * time.Millisecond,
		Env: c.Env, Home: c.Home, SettingsFile: c.SettingsFile,
	}
	return func() tea.Msg {
		p, err := script.Program(in, dir)
		text := ""
		if err == nil {
			text, err = do(ctx, p)
		}
		if ctx.Err() != nil {
			return nil
		}
		return scriptMsg{run, text, err}
	}
}

// scriptEnded takes the end of a run.
func (s *statusBar) scriptEnded(msg scriptMsg, in *core) {
	if s.script.Ended(msg.run, msg.text, msg.err) {
		in.warn("status line", fmt.Sprintf("The program for the status line (%s) failed: %s. "+
			"What it wrote last stays, marked with %s. "+
			"Run it by hand to see why, or take status.script out of the settings; "+
			"docs/statusline.md says what it is given.",
			s.win.cut(s.win.config.Settings.Status.Script[0], terminal.NoticeText),
			s.win.cut(msg.err.Error(), 2*terminal.NoticeText), status.StaleMark))
	}
}
