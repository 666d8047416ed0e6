package e2e

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	chatagent "parley/session/sessiontest/chat"
	"parley/session/sse"
	"parley/timeline"
)

// TestChatIsStoredAsItWasShown: whatever an agent sends and however it fails, its
// stored session shows the same entries in the same order as the live one.
func TestChatIsStoredAsItWasShown(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&chatagent.Agent{})
	t.Cleanup(server.Close)
	keeper := sessions.StoreIn(t.TempDir())
	agent, err := sse.Open(t.Context(), sse.Config{
		Protocol: sse.Copilot, URL: server.URL, Dir: "/src", Store: keeper, Limits: sse.Limits{Event: 64 << 10, Body: 256 << 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = agent.Close(context.WithoutCancel(t.Context())) })
	for _, scene := range chatagent.Scenes() {
		if slices.Contains([]string{"long", "mute", "stall", "wait", "redirect"}, scene) {
			continue // they take long, or need more than an agent
		}
		s, err := agent.Open(t.Context(), session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := sessiontest.Read(t, s)
		if err := s.Send(t.Context(), session.Input{Prompt: scene}); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.AssistantTurnEnd](r)
		for _, q := range sessiontest.All[session.ConfirmationRequested](r.Seen()) {
			if err := s.Respond(t.Context(), session.ConfirmationAnswer{RequestID: q.RequestID, Accepted: true}); err != nil {
				t.Fatal(err)
			}
			sessiontest.Next[session.ConfirmationCompleted](r)
		}
		sessiontest.Next[session.SessionIdle](r)
		kept, err := keeper.Read(t.Context(), s.Info().ID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range kept.Events {
			kept.Events[i].Replayed = true
		}
		live, stored := shownOf(r.Seen()), shownOf(kept.Events)
		if !slices.Equal(live, stored) || len(live) < 2 {
			t.Errorf("%s: live\n%s\nstored\n%s", scene, strings.Join(live, "\n"), strings.Join(stored, "\n"))
		}
	}
}

// shownOf are the entries that events make, without those that no stored event
// made.
func shownOf(events []session.Event) []string {
	tl := timeline.New()
	for _, ev := range events {
		tl.Apply(ev)
	}
	var shown []string
	for i := range tl.Len() {
		if e := tl.At(i); len(e.Origin) > 0 {
			shown = append(shown, fmt.Sprintf("%T %v %t %s", e.Body, e.State, e.VerboseOnly, timeline.Source(e)))
		}
	}
	return shown
}
