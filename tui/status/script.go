package status

import (
	"strings"
	"time"

	"parley/render/text"
	"parley/session"
	"parley/tui/widget"
)

// ScriptInput is what the user's own program for the status line gets on its
// standard input, as one JSON object. A change of it is what makes the program
// run again, so nothing in it changes by time alone.
type ScriptInput struct {
	Version string `json:"version" doc:"the version of Parley"`
	Width   int    `json:"width" doc:"the columns that the window has"`

	SessionID session.ID `json:"session_id" doc:"the session's id"`
	Title     string     `json:"title" doc:"its title; empty while it has none"`
	Agent     string     `json:"agent" doc:"which agent answers"`
	Cwd       string     `json:"cwd" doc:"the folder in which the agent works; the program runs there too"`
	Branch    string     `json:"branch" doc:"the branch of that folder; empty where it has none"`

	Mode     session.Mode `json:"mode" doc:"interactive, plan or autopilot"`
	Model    string       `json:"model" doc:"the model"`
	Effort   string       `json:"effort" doc:"its reasoning effort; empty if that cannot be chosen"`
	AllowAll bool         `json:"allow_all" doc:"nothing is asked for"`

	Busy    bool `json:"busy" doc:"a turn runs"`
	Waiting int  `json:"waiting" doc:"how many questions wait for you"`
	Queued  int  `json:"queued" doc:"how many prompts wait to be sent"`
	Turns   int  `json:"turns" doc:"how many times the model was called"`

	Tokens  ScriptTokens  `json:"tokens"`
	Context ScriptContext `json:"context"`
	Cost    ScriptCost    `json:"cost"`
}

// ScriptTokens are the tokens of a session.
type ScriptTokens struct {
	In     int `json:"in" doc:"what the models read so far"`
	Cached int `json:"cached" doc:"how much of that was cached"`
	Out    int `json:"out" doc:"what they wrote"`
}

// ScriptContext is how full the model's context is.
type ScriptContext struct {
	Used    int  `json:"used" doc:"the tokens in the model's context; 0 while it is not known"`
	Limit   int  `json:"limit" doc:"how many it holds"`
	Percent int  `json:"percent" doc:"how full it is"`
	Stale   bool `json:"stale" doc:"the model has changed since that was reported"`
}

// ScriptCost is what a session has cost.
type ScriptCost struct {
	Credits float64 `json:"credits" doc:"AI credits"`
	Premium float64 `json:"premium" doc:"premium requests, where these are counted"`
}

// Script is the state of the user's own program for the status line, which runs when
// its input has changed: one run at a time, and at most one in ScriptInterval.
type Script struct {
	text   string // what it wrote last
	stale  bool   // it has failed since
	warned bool   // the user was warned that it fails: once is enough
	input  ScriptInput
	began  time.Time // the last run; zero before the first
	active bool      // a run has not ended
	timed  bool      // a timer waits for the time of the next run
	run    int       // the number of the run whose end counts
}

// ScriptInterval is the least time between the beginnings of two runs.
const ScriptInterval = time.Second

// Next decides whether the program is to run with an input: with run it has begun, as
// the run of that number; with wait it is to be asked again after that time, once
// Rested was called. Both are zero if there is nothing to do.
func (s *Script) Next(in ScriptInput, now time.Time) (run int, wait time.Duration) {
	if s.active || s.timed || in == s.input && !s.began.IsZero() {
		return 0, 0
	}
	if left := ScriptInterval - now.Sub(s.began); !s.began.IsZero() && left > 0 {
		s.timed = true
		return 0, left
	}
	s.input, s.began, s.active = in, now, true
	s.run++
	return s.run, 0
}

// Rested is the end of the wait that Next has asked for.
func (s *Script) Rested() { s.timed = false }

// Ended takes the end of a run, and reports whether the user is to be warned of its
// error. A run that fails leaves the text of the last, which counts as stale then.
func (s *Script) Ended(run int, content string, err error) (warn bool) {
	s.active = false
	if run != s.run {
		return false // of a program that the settings do not name any more
	}
	if s.stale = err != nil; !s.stale {
		s.text = strings.TrimSpace(text.SanitizeLine(widget.FirstLine(content)))
		return false
	}
	warn = !s.warned
	s.warned = true
	return warn
}

// Replace starts anew with another program. A run that has not ended does not count.
func (s *Script) Replace() { *s = Script{run: s.run + 1, active: s.active, timed: s.timed} }

// Text is what the program wrote last, and whether it has failed since.
func (s *Script) Text() (text string, stale bool) { return s.text, s.stale }
