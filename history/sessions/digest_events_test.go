package sessions_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// stored is a recorded log as the runtime stores it: without what was streamed.
func stored(tb testing.TB, name string) ([]session.Event, []byte) {
	tb.Helper()
	var events []session.Event
	var log bytes.Buffer
	for _, ev := range sessiontest.Log(tb, name) {
		if ev.Ephemeral {
			continue
		}
		line, err := session.Encode(ev)
		if err != nil {
			tb.Fatal(err)
		}
		log.Write(line)
		log.WriteByte('\n')
		ev.Replayed = true
		events = append(events, ev)
	}
	return events, log.Bytes()
}

func digest(tb testing.TB, log []byte) (*sessions.Digest, []sessions.Text) {
	tb.Helper()
	var d sessions.Digest
	var texts []sessions.Text
	if err := d.Read(context.Background(), bytes.NewReader(log), func(t sessions.Text) { texts = append(texts, t) }); err != nil {
		tb.Fatal(err)
	}
	return &d, texts
}

// below counts the calls of a sub-agent that failed.
func below(tl *timeline.Timeline) int {
	n := 0
	for i := range tl.Len() {
		if c, ok := tl.At(i).Body.(*timeline.ToolCall); ok && tl.At(i).State == timeline.Failed && !c.UserRequested {
			n++
		}
	}
	return n
}

type counts struct {
	Turns, Calls, Failures, Added, Removed, In, Out int
	Cost                                            float64
	Took                                            time.Duration
}

// of counts what the entries of a timeline show.
func (c *counts) of(tl *timeline.Timeline) {
	for i := range tl.Len() {
		e := tl.At(i)
		switch b := e.Body.(type) {
		case *timeline.Summary:
			c.Added += b.Added
			c.Removed += b.Removed
			c.Took += b.Took
		case *timeline.ToolCall:
			if b.Agent != nil {
				failed := c.Failures // what its sub-agent met is the call's failure, or none
				c.of(b.Agent.Timeline)
				c.Failures = failed + below(b.Agent.Timeline)
			}
			if b.UserRequested {
				continue
			}
			c.Calls++
			if e.State == timeline.Failed {
				c.Failures++
			}
		case *timeline.Notice:
			if b.Level == timeline.Error {
				c.Failures++
			}
		}
	}
}

// TestCountsAreTheTimelines holds what is counted to what the window shows of the
// same log.
func TestCountsAreTheTimelines(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "hand/subagents" || name == "hand/questions" {
				t.Skip("it has calls that nothing asked for, which the window shows for their questions")
			}
			events, log := stored(t, name)
			tl := timeline.New()
			for _, ev := range events {
				tl.Apply(ev)
			}
			d, _ := digest(t, log)
			tl.Apply(session.Event{ID: "end", Replayed: true, Body: session.SessionShutdown{}}) // every prompt has a summary now
			var want, got counts
			want.of(tl)
			u := tl.Status().Usage
			want.Turns, want.In, want.Out, want.Cost = tl.Status().Turns, u.Input, u.Output, u.Cost
			shown := d.Summary()
			got.Turns, got.Failures, got.Added, got.Removed, got.Took = d.Turns, d.Failures, d.Added, d.Removed, shown.Busy
			got.In, got.Out, got.Cost = shown.Tokens.In, shown.Tokens.Out, shown.Cost
			for _, n := range d.Tools {
				got.Calls += n
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// TestEveryFormOfTime: a log has its times, whatever form of ISO 8601 they have, and
// one that cannot be read costs nothing else.
func TestEveryFormOfTime(t *testing.T) {
	t.Parallel()
	nine := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	for stamp, want := range map[string]time.Time{
		`"2026-05-01T09:00:00Z"`:      nine,
		`"2026-05-01T11:00:00+02:00"`: nine,
		`"2026-05-01T11:00:00+0200"`:  nine,
		`"20260501T090000Z"`:          nine,
		`"2026-05-01T09:00:00"`:       nine,
		`"2026-05-01T09:00Z"`:         nine,
		`"yesterday"`:                 {},
		`""`:                          {},
		`7`:                           {},
		`null`:                        {},
	} {
		d, texts := digest(t, []byte(`{"type":"user.message","timestamp":`+stamp+`,"data":{"content":"find me"}}`+"\n"))
		if !d.Started.Equal(want) || !d.Used.Equal(want) || d.Damaged > 0 || len(texts) != 1 {
			t.Errorf("%s: from %v to %v, %d damaged, texts %v", stamp, d.Started, d.Used, d.Damaged, texts)
		}
	}
}

// TestFieldsOfTheWrongType: a field that has another type than is documented costs
// that field, and not the event.
func TestFieldsOfTheWrongType(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]sessions.Text{
		`{"type":"user.message","agentId":7,"data":{"content":"find me","source":{"a":1},"attachments":"none"}}`:                                        {Kind: sessions.Prompt, Text: "find me"},
		`{"type":"assistant.message","data":{"messageId":["m"],"content":"find me","reasoningText":7,"toolRequests":[7,{"toolCallId":1}]}}`:             {Kind: sessions.Answer, Text: "find me"},
		`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":"yes","error":"no","result":{"content":"find me","detailedContent":[]}}}`: {Kind: sessions.Output, Text: "find me"},
		`{"type":"session.error","data":{"errorType":[],"message":"find me","statusCode":"many"}}`:                                                      {Kind: sessions.Failure, Text: "find me"},
	} {
		d, texts := digest(t, []byte(line+"\n"))
		if d.Damaged > 0 || !slices.Contains(texts, want) {
			t.Errorf("%s: %d damaged, texts %v", line, d.Damaged, texts)
		}
	}
}
