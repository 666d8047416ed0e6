package tui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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

// feedScript runs the program when its input has changed. Without a change there is
// no timer.
func (m *Model) feedScript() tea.Cmd {
	if len(m.win.config.Settings.Status.Script) == 0 || m.front.session == nil || m.win.width == 0 || !m.status.Shows("script") {
		return nil
	}
	in := m.front.scriptInput()
	run, wait := m.status.script.Next(in, m.win.now)
	switch {
	case wait > 0:
		return m.win.after(wait, func(t time.Time) tea.Msg { return restedMsg(t) })
	case run == 0:
		return nil
	}
	ctx, c, dir, do := m.win.ctx, m.win.config, m.front.info.Dir, m.win.program
	if m.front.info.Remote {
		dir = c.Home // the folder is on another machine
	}
	return func() tea.Msg {
		p, err := c.scriptProgram(in, dir)
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

// scriptProgram is the program with its input.
func (c Config) scriptProgram(in status.ScriptInput, dir string) (program, error) {
	argv, err := c.located(c.Settings.Status.Script)
	if err != nil {
		return program{}, err
	}
	input, err := json.Marshal(in, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return program{}, fmt.Errorf("encode its input: %w", err)
	}
	timeout := time.Duration(c.Settings.Status.ScriptTimeout) * time.Millisecond
	return program{argv: argv, env: slices.Clone(c.Env), dir: dir, input: append(input, '\n'), timeout: timeout}, nil
}

// scriptEnded takes the end of a run.
func (m *Model) scriptEnded(msg scriptMsg) {
	if m.status.script.Ended(msg.run, msg.text, msg.err) {
		m.front.warn("status line", fmt.Sprintf("The program for the status line (%s) failed: %s. "+
			"What it wrote last stays, marked with %s. "+
			"Run it by hand to see why, or take status.script out of the settings; "+
			"docs/statusline.md says what it is given.",
			m.win.cut(m.win.config.Settings.Status.Script[0], terminal.NoticeText),
			m.win.cut(msg.err.Error(), 2*terminal.NoticeText), status.StaleMark))
	}
}
