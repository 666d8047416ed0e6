package headless

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// activity reports on the standard error what happens beside the answer: a line
// when a tool begins and one when it ends, and every notice. Nothing in it is
// anything but plain text.
type activity struct {
	w        io.Writer
	apart    func() // is called before a line, so that it does not run into another
	timeline *timeline.Timeline
	cache    *render.Cache
	options  render.Options
	reported timeline.EntryID // the notice that was reported last
	retry    int              // and its attempt
}

// newActivity reports what happens in lines of width cells.
func newActivity(w io.Writer, width int, home, dir string) *activity {
	return &activity{
		w: w, apart: func() {}, timeline: timeline.New(), cache: render.NewCache(1),
		options: render.Options{Width: width, Theme: theme.Plain(), Home: home, Dir: dir},
	}
}

// say writes a line of Parley's own.
func (a *activity) say(format string, args ...any) {
	a.line("parley: " + fmt.Sprintf(format, args...))
}

// line writes one line. What cannot be written to the standard error is dropped:
// there is no other place to say so.
func (a *activity) line(s string) {
	a.apart()
	_, _ = io.WriteString(a.w, strings.TrimRight(text.SanitizeLine(s), " ")+"\n")
}

// apply takes in an event and reports it. History is taken in silently.
func (a *activity) apply(ev session.Event) {
	if c, ok := ev.Body.(session.PermissionCompleted); ok && !ev.Replayed && c.Result.Kind == session.DeniedByUser {
		c.Result.Kind = session.DeniedUnasked // it was refused in the user's place
		ev.Body = c
	}
	a.timeline.Apply(ev)
	if ev.Replayed {
		return
	}
	switch b := ev.Body.(type) {
	case session.ToolExecutionStart:
		a.call(b.ToolCallID)
	case session.ToolExecutionComplete:
		a.call(b.ToolCallID)
	case session.AssistantMessageDelta, session.AssistantReasoningDelta, session.AssistantStreamingDelta,
		session.ToolShellOutput, session.ToolExecutionPartialResult:
	default:
		a.newest()
	}
}

// call reports the state of a tool call, in the row that the timeline shows.
func (a *activity) call(id session.CallID) {
	for i := a.timeline.Len() - 1; i >= 0; i-- {
		e := a.timeline.At(i)
		if c, ok := e.Body.(*timeline.ToolCall); ok && c.CallID == id {
			if lines := a.cache.Lines(e, 0, a.options); len(lines) > 0 {
				a.line(lines[0])
			}
			return
		}
	}
}

// newest reports the newest entry if it is a notice or the like, and has not been
// reported. A notice about a model that is called again is reported for each attempt.
func (a *activity) newest() {
	last := a.timeline.Len() - 1
	if last > 0 {
		if _, summary := a.timeline.At(last).Body.(*timeline.Summary); summary {
			last-- // it stands below what ended the turn
		}
	}
	if last < 0 {
		return
	}
	e := a.timeline.At(last)
	n, _ := e.Body.(*timeline.Notice)
	if e.ID == a.reported && (n == nil || e.State.Final() || n.Retry == a.retry) {
		return
	}
	text := a.words(e)
	if text == "" {
		return
	}
	a.reported, a.retry = e.ID, 0
	if n != nil {
		a.retry = n.Retry
	}
	a.line(text)
}

// words are an entry in one line; "" for an entry that is reported in another way.
func (a *activity) words(e *timeline.Entry) string {
	if e.VerboseOnly {
		return ""
	}
	switch b := e.Body.(type) {
	case *timeline.Notice:
		return a.notice(b)
	case *timeline.SessionEnd:
		if !b.Failed {
			return ""
		}
		return a.mark(theme.MarkError) + strings.TrimSuffix("The session ended with an error: "+strings.TrimSpace(b.Reason), ": ")
	case *timeline.Divider:
		return a.mark(theme.MarkBoundary) + b.Text
	case *timeline.AnsweredQuestion:
		return a.mark(theme.MarkQuestion) + strings.TrimSpace(b.Question) + " " + a.mark(theme.MarkArrow) + strings.TrimSpace(b.Answer)
	case *timeline.Prompt, *timeline.Message, *timeline.Reasoning, *timeline.ToolCall, *timeline.Summary, *timeline.Unrecognised:
	}
	return ""
}

func (a *activity) mark(m theme.Mark) string { return a.options.Theme.Glyph(m) + " " }

// notice is a notice with its small print.
func (a *activity) notice(n *timeline.Notice) string {
	mark := theme.MarkInfo
	switch n.Level {
	case timeline.Error:
		mark = theme.MarkError
	case timeline.Warning:
		mark = theme.MarkWarning
	case timeline.Success:
		mark = theme.MarkDone
	case timeline.Info:
	}
	var about []string
	if n.Level == timeline.Error && n.Category != "" {
		about = append(about, strings.ReplaceAll(n.Category, "_", " "))
	}
	if n.StatusCode != 0 {
		about = append(about, "status "+strconv.Itoa(n.StatusCode))
	}
	if n.Retry > 0 {
		about = append(about, "attempt "+strconv.Itoa(n.Retry))
	}
	text := a.mark(mark) + strings.Join(strings.Fields(n.Text), " ")
	if len(about) > 0 {
		text += " (" + strings.Join(about, ", ") + ")"
	}
	if n.URL != "" {
		text += " " + n.URL
	}
	if n.Next != "" {
		text += " What to do: " + strings.Join(strings.Fields(n.Next), " ")
	}
	return text
}
