package timeline_test

import (
	"reflect"
	"testing"
	"time"

	"parley/session"
	"parley/timeline"
)

func TestClosing(t *testing.T) {
	t.Parallel()
	start := clock(0).UnixMilli()
	for name, tt := range map[string]struct {
		end   session.SessionShutdown
		want  *timeline.SessionEnd
		state timeline.State
	}{
		"of nothing": {session.SessionShutdown{ShutdownType: "routine", SessionStartTime: start}, nil, 0},
		"of models that did nothing": {
			session.SessionShutdown{ModelMetrics: map[string]session.ModelMetric{"m": {}}}, nil, 0,
		},
		"of a failure": {
			session.SessionShutdown{ShutdownType: "error", ErrorReason: " out of memory\n"},
			&timeline.SessionEnd{Failed: true, Reason: "out of memory"}, timeline.Failed,
		},
		"of requests": {
			session.SessionShutdown{ShutdownType: "routine", TotalPremiumRequests: 2, SessionStartTime: start, TotalAPIDurationMs: 1500},
			&timeline.SessionEnd{Premium: 2, Took: time.Second, Thinking: 1500 * time.Millisecond}, timeline.Done,
		},
		"of changes": {
			session.SessionShutdown{CodeChanges: session.CodeChanges{LinesAdded: 3, LinesRemoved: 1, FilesModified: []string{"b.go", "a.go"}}},
			&timeline.SessionEnd{Added: 3, Removed: 1, Files: []string{"b.go", "a.go"}}, timeline.Done,
		},
		"of models, by name": {
			session.SessionShutdown{ModelMetrics: map[string]session.ModelMetric{
				"b": {Requests: session.ModelRequests{Count: 1, Cost: 0.5}},
				"a": {
					Usage: session.ModelUsage{
						InputTokens: 1, OutputTokens: 2, CacheReadTokens: 3, CacheWriteTokens: 4, ReasoningTokens: 5,
					},
					TotalNanoAIU: 6,
				},
			}},
			&timeline.SessionEnd{Models: []timeline.ModelUse{
				{Model: "a", Usage: timeline.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 5, NanoAIU: 6}},
				{Model: "b", Usage: timeline.Usage{Requests: 1, Cost: 0.5}},
			}}, timeline.Done,
		},
		"that began after its end": {
			session.SessionShutdown{TotalPremiumRequests: 1, SessionStartTime: clock(9).UnixMilli(), TotalAPIDurationMs: -1},
			&timeline.SessionEnd{Premium: 1}, timeline.Done,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().stored(tt.end)
			if !f.Status().Ended {
				t.Error("the session has not ended")
			}
			if tt.want == nil {
				f.want(t, "")
				return
			}
			e := f.At(0)
			if got, ok := e.Body.(*timeline.SessionEnd); !ok || !reflect.DeepEqual(got, tt.want) || e.State != tt.state || e.ID != "closing:e1" {
				t.Errorf("got %s, %v: %+v\nwant %+v", e.ID, e.State, e.Body, tt.want)
			}
		})
	}
}

// The time of a session is that in which a process had it: not that between its end, known
// or not, and its continuation.
func TestSessionEndCountsOpenTime(t *testing.T) {
	t.Parallel()
	end := session.SessionShutdown{TotalPremiumRequests: 1, SessionStartTime: clock(0).UnixMilli()}
	f := newFeed().stored(session.SessionStart{}, end) // at 1 s and 2 s
	f.n = 1000
	f.stored(session.SessionResume{}, session.SystemNotification{}) // and 2 s more, without an end
	f.n = 5000
	f.stored(session.SessionResume{}, end)
	var took []time.Duration
	for i := range f.Len() {
		if c, ok := f.At(i).Body.(*timeline.SessionEnd); ok {
			took = append(took, c.Took)
		}
	}
	if want := []time.Duration{2 * time.Second, 4 * time.Second}; !reflect.DeepEqual(took, want) {
		t.Errorf("%v, want %v", took, want)
	}
	g := newFeed().stored(end)
	g.n = 1000
	late := end
	late.SessionStartTime = clock(1001).UnixMilli() // of an agent that counts from the resume
	g.stored(session.SessionResume{}, late)
	if c, ok := g.At(g.Len() - 1).Body.(*timeline.SessionEnd); !ok || c.Took != time.Second {
		t.Errorf("%+v", c)
	}
}
