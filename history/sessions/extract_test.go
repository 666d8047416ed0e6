package sessions_test

import (
	"bytes"
	"context"
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

// TestCountsAreTheTimelines holds what is counted to what the window shows of the
// same log.
func TestCountsAreTheTimelines(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events, log := stored(t, name)
			tl := timeline.New()
			for _, ev := range events {
				tl.Apply(ev)
			}
			d, _ := digest(t, log)
			var want, got struct {
				Turns, Calls, Added, Removed, Files, In, Out int
				Cost                                         float64
				Took                                         time.Duration
			}
			for i := range tl.Len() {
				if s, ok := tl.At(i).Body.(*timeline.Summary); ok {
					want.Calls += s.Calls
					want.Added += s.Added
					want.Removed += s.Removed
					want.Took += s.Took
				}
			}
			u := tl.Status().Usage
			want.Turns, want.In, want.Out, want.Cost = tl.Status().Turns, u.Input, u.Output, u.Cost
			got.Turns, got.Added, got.Removed, got.Took = d.Turns, d.Added, d.Removed, d.Busy
			got.In, got.Out, got.Cost = d.Tokens.In, d.Tokens.Out, d.Cost
			for _, n := range d.Tools {
				got.Calls += n
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}
