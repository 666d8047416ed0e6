package conversation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
	"parley/settings"
	"parley/tui/widget"
)

// Hint is a line of words in the status line that goes away.
type Hint struct {
	text  string
	until time.Time
}

// hintTime is how long a hint stays.
const hintTime = 4 * time.Second

// Armed is something that happens only when a key is pressed again soon.
type Armed struct {
	what  string
	by    string // the command whose key it is
	until time.Time
}

// armTime is how long the second press may take.
const armTime = 3 * time.Second

// AddNotice puts a notice of Parley's own on the timeline.
func (c *core) AddNotice(b session.Body) {
	c.Timeline.Apply(session.Event{
		ID: session.EventID(fmt.Sprintf("parley-%d", c.Timeline.Len())), Time: c.win.Now, Ephemeral: true, Body: b,
	})
}

// Warn puts a warning of Parley's own on the timeline.
func (c *core) Warn(category, text string) {
	c.AddNotice(session.SessionWarning{WarningType: category, Message: text})
}

// Fail puts an error of Parley's own on the timeline: what was attempted, why
// it failed, and what to do. On the timeline it stands beside what runs: no
// request of a model, whose errors it has advice for.
func (c *core) Fail(what string, err error, next string) {
	if next == "" && silent(err) {
		next = "Try again; " + endsSilent
	}
	c.AddNotice(session.SessionError{
		ErrorType: "notification", Message: "Could not " + once(what+": "+err.Error()), Remediation: remedy(next),
	})
}

// endsSilent is what can be done about an agent that does not answer.
const endsSilent = "/stop ends an agent that does not answer."

// silent reports whether the agent did not answer in time.
func silent(err error) bool {
	return errors.Is(err, session.ErrUnanswered) && errors.Is(err, context.DeadlineExceeded)
}

// once leaves out what an error says twice in a row, as when two layers attempt
// the same.
func once(text string) string {
	parts := strings.Split(text, ": ")
	return strings.Join(slices.CompactFunc(parts, strings.EqualFold), ": ")
}

// remedy is what to do about an error, as an event has it.
func remedy(s string) jsontext.Value {
	if s == "" {
		return nil
	}
	v, _ := jsontext.AppendQuote(nil, s) // what is not UTF-8 is replaced
	return v
}

// ShowHint shows a hint for a while. {name} in format is the user's key for that
// action. It returns nil, for callers that return a command.
func (c *core) ShowHint(format string, args ...any) tea.Cmd {
	c.Hint = Hint{fmt.Sprintf(c.win.Keymap.FillFormat(format), args...), c.win.Now.Add(hintTime)}
	return nil
}

// Again reports whether the key of command by was pressed a second time soon
// enough for what it does, and if not, arms it.
func (c *core) Again(what, by string) bool {
	second := c.Armed.what == what && c.Armed.by == by && c.win.Now.Before(c.Armed.until)
	c.Armed = Armed{what, by, c.win.Now.Add(armTime)}
	if second {
		c.Armed = Armed{}
	}
	return second
}

// Hinted is the hint that is to be shown now, if any.
func (c *core) Hinted() string {
	switch {
	case c.win.Chord.Pressed:
		return c.win.Keymap.Leader + " …"
	case !c.Aborting.IsZero() && c.win.Now.Sub(c.Aborting) >= abortPatience:
		end := "/stop ends it"
		if c.Info.Remote {
			end = "/stop leaves it, and the turn continues there"
		}
		waited := text.Duration(c.win.Now.Sub(c.Aborting))
		return fmt.Sprintf("not stopped after %s: %s, /new starts another, or wait", waited, end)
	case c.win.Now.Before(c.Hint.until):
		return c.Hint.text
	}
	return ""
}

// abortPatience is how long an interrupt may take before a way out is offered.
const abortPatience = 10 * time.Second

// Mistaken shows what is wrong in the user's files, each mistake in a line,
// and what that means.
func (c *core) Mistaken(err error, so string) {
	var lines []string
	for _, e := range settings.Mistakes(err) {
		lines = append(lines, widget.ShortPath(e.Error(), c.win.Config.Home))
	}
	c.Warn("settings", strings.Join(append(lines, so), "\n"))
	c.Pane.ToEnd()
}
