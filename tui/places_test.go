package tui

import (
	"strings"
	"testing"

	"parley/session"
)

// TestPlacesBesideTheTimeline: what an event changes in the window that is not
// on the timeline: the title, what stands under it, the status line and the
// lists. Each is there after the event and not before.
func TestPlacesBesideTheTimeline(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		body  session.Body
		given func(sc *scenario) // what the session answers when it is asked
		press string             // a key that makes the window look again
		shown string
	}{
		{"title", session.SessionTitleChanged{Title: "Fix the queue"}, nil, "", "Fix the queue"},
		{"chosen model", session.SessionAutoModeResolved{ChosenModel: "gpt-5.4-mini"}, nil, "", "gpt-5.4-mini"},
		{"queue", session.PendingMessagesModified{}, func(sc *scenario) {
			sc.s.pending = []session.Pending{{ID: "q1", Text: "and then the docs"}}
		}, "", "and then the docs"},
		{"number waiting", session.PendingMessagesModified{}, func(sc *scenario) {
			sc.s.pending = []session.Pending{{ID: "q1", Text: "a"}, {ID: "q2", Text: "b"}}
		}, "", "2 queued"},
		{"todos", session.SessionTodosChanged{}, func(sc *scenario) {
			sc.s.todos = []session.Todo{{Title: "Write the test", Status: "in_progress"}, {Title: "Fix it", Status: "pending"}}
		}, "", "Write the test"},
		{"tasks", session.SessionBackgroundTasksChanged{}, func(sc *scenario) {
			sc.s.tasks = []session.Task{{ID: "t1", Status: "running", Title: "make bench"}}
		}, "", "1 shell"},
		{"commands", session.CommandsChanged{}, func(sc *scenario) {
			sc.m.win.Front.AgentCommands = nil
			sc.step("type", "/tidy")
		}, "backspace", "Tidy up, a skill"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, nil)
			if tt.given != nil {
				tt.given(sc)
			}
			window := func() string {
				if tt.press != "" {
					sc.step("key", tt.press)
				}
				screen := strings.Join(sc.screen(), "\n")
				return sc.m.View().WindowTitle + "\n" + screen
			}
			if strings.Contains(window(), tt.shown) {
				t.Errorf("%q is there before the event:\n%s", tt.shown, window())
			}
			sc.say(session.Event{Ephemeral: true, Body: tt.body})
			if !strings.Contains(window(), tt.shown) {
				t.Errorf("%q is not there after the event:\n%s", tt.shown, window())
			}
		})
	}
}
