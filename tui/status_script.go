package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/render"
	"parley/session"
	"parley/terminal"
	"parley/tui/widget"
)

// ScriptInput is what the user's own program for the status line gets on its
// standard input, as one JSON object. A change of it is what makes the program
// run again, so nothing in it changes by time alone.
type ScriptInput struct {
	Version string `json:"version" tells:"the version of Parley"`
	Width   int    `json:"width" tells:"the columns that the window has"`

	SessionID session.ID `json:"session_id" tells:"the session's id"`
	Title     string     `json:"title" tells:"its title; empty while it has none"`
	Agent     string     `json:"agent" tells:"which agent answers"`
	Cwd       string     `json:"cwd" tells:"the folder in which the agent works; the program runs there too"`
	Branch    string     `json:"branch" tells:"the branch of that folder; empty where it has none"`

	Mode     session.Mode `json:"mode" tells:"interactive, plan or autopilot"`
	Model    string       `json:"model" tells:"the model"`
	Effort   string       `json:"effort" tells:"how hard it thinks; empty where that cannot be chosen"`
	AllowAll bool         `json:"allow_all" tells:"nothing is asked for"`

	Busy    bool `json:"busy" tells:"a turn runs"`
	Waiting int  `json:"waiting" tells:"how many questions wait for you"`
	Queued  int  `json:"queued" tells:"how many prompts wait to be sent"`
	Turns   int  `json:"turns" tells:"how many times the model was called"`

	Tokens  ScriptTokens  `json:"tokens"`
	Context ScriptContext `json:"context"`
	Cost    ScriptCost    `json:"cost"`
}

// ScriptTokens are the tokens of a session.
type ScriptTokens struct {
	In     int `json:"in" tells:"what the models read so far"`
	Cached int `json:"cached" tells:"how much of that was cached"`
	Out    int `json:"out" tells:"what they wrote"`
}

// ScriptContext is how full the model's context is.
type ScriptContext struct {
	Used    int  `json:"used" tells:"the tokens in the model's context; 0 while it is not known"`
	Limit   int  `json:"limit" tells:"how many it holds"`
	Percent int  `json:"percent" tells:"how full it is"`
	Stale   bool `json:"stale" tells:"the model is another one since that was told"`
}

// ScriptCost is what a session has cost.
type ScriptCost struct {
	Credits float64 `json:"credits" tells:"AI credits"`
	Premium float64 `json:"premium" tells:"premium requests, where these are counted"`
}

// scriptInput is what the program would be told now.
func (c *conversation) scriptInput() ScriptInput {
	s := c.timeline.Status()
	in := ScriptInput{
		Version: c.config.Version, Width: c.width,
		SessionID: c.info.ID, Title: s.Title, Agent: c.info.Agent, Cwd: c.info.Dir, Branch: s.Branch,
		Mode: c.mode(), Model: cmp.Or(s.Model, c.info.Model), Effort: s.Effort, AllowAll: c.config.AllowAll || s.AllowAll,
		Busy: s.Busy, Waiting: c.questions.Len(), Queued: c.waitingPrompts(), Turns: s.Turns,
		Tokens: ScriptTokens{In: s.Usage.Input, Cached: s.Usage.Cached, Out: s.Usage.Output},
		Cost:   ScriptCost{Credits: s.Usage.NanoAIU / nanoCredits, Premium: s.Usage.Cost},
	}
	if s.ContextLimit > 0 && c.metered {
		in.Context = ScriptContext{s.ContextTokens, s.ContextLimit, s.ContextTokens * 100 / s.ContextLimit, c.outdated}
	}
	return in
}

// script is the user's own program for the status line.
type script struct {
	text  string // what it told last
	stale bool   // it has failed since
	// warned is true when the user was told that it fails: once is enough.
	warned  bool
	told    ScriptInput // what it was given last
	began   time.Time   // when; zero before the first time
	running bool
	resting bool // a timer waits for the time of the next run
	run     int  // the number of the run whose end counts
}

// scriptRest is the least time between two runs.
const scriptRest = time.Second

// scriptMsg ends a run.
type scriptMsg struct {
	run  int
	text string
	err  error
}

// restedMsg says that the program may run again.
type restedMsg time.Time

// feedScript runs the program when what it is told has changed: one run at a
// time, and at most one in a second. Without a change there is no timer.
func (m *Model) feedScript() tea.Cmd {
	s, prefer := &m.status.script, m.config.Settings.Status
	if len(prefer.Script) == 0 || s.running || s.resting || m.session == nil || m.width == 0 || !m.status.shows("script") {
		return nil
	}
	in := m.scriptInput()
	if in == s.told && !s.began.IsZero() {
		return nil
	}
	if left := scriptRest - m.now.Sub(s.began); !s.began.IsZero() && left > 0 {
		s.resting = true
		return m.after(left, func(t time.Time) tea.Msg { return restedMsg(t) })
	}
	s.told, s.began, s.running = in, m.now, true
	s.run++
	ctx, c, run, dir, do := m.ctx, m.config, s.run, m.info.Dir, m.program
	if m.info.Remote {
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

// scriptProgram is the program with what it is to be told.
func (c Config) scriptProgram(in ScriptInput, dir string) (program, error) {
	argv, err := c.located(c.Settings.Status.Script)
	if err != nil {
		return program{}, err
	}
	input, err := json.Marshal(in, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return program{}, fmt.Errorf("tell it of the session: %w", err)
	}
	timeout := time.Duration(c.Settings.Status.ScriptTimeout) * time.Millisecond
	return program{argv: argv, env: slices.Clone(c.Env), dir: dir, input: append(input, '\n'), timeout: timeout}, nil
}

// scriptEnded takes the end of a run. What failed leaves what was told before,
// marked as out of date.
func (m *Model) scriptEnded(msg scriptMsg) {
	s := &m.status.script
	s.running = false
	if msg.run != s.run {
		return // of a program that the settings do not name any more
	}
	if s.stale = msg.err != nil; !s.stale {
		s.text = strings.TrimSpace(render.SanitizeLine(widget.FirstLine(msg.text)))
		return
	}
	if s.warned {
		return
	}
	s.warned = true
	m.warn("status line", fmt.Sprintf("The program for the status line (%s) failed: %s. What it told last stays, marked with %s. "+
		"Run it by hand to see why, or take status.script out of the settings; docs/statusline.md says what it is given.",
		m.cut(m.config.Settings.Status.Script[0], terminal.NoticeText), m.cut(msg.err.Error(), 2*terminal.NoticeText), old))
}
