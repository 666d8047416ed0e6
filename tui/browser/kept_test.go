package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/history/sessions/fake"
	"parley/tui/keymap"
)

// TestKeptByAgent: a session that the agent keeps is listed as such once the agent has listed it. It can be opened and
// noted, and what cannot be done with it is said.
func TestKeptByAgent(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	l.Kept = []sessions.Session{{
		Log:   sessions.Log{ID: "ses_1", Keeper: sessions.AgentKeeper, Agent: "opencode", Dir: "/home/ada/src/queue", Modified: fake.Now},
		Facts: sessions.Facts{Title: "Harbour lights", Used: fake.Now},
	}}
	w := open(t, l, nil)
	w.wait(time.Second)
	if s := w.b.list.session(); s == nil || len(l.Kept) > 0 {
		t.Fatal("the agent was not asked")
	}
	for w.b.list.session().ID != "ses_1" {
		before := w.b.list.session().ID
		if w.keys("k"); w.b.list.session().ID == before {
			t.Fatal("it is not the one used last")
		}
	}
	if s := strings.Join(w.screen(), "\n"); !strings.Contains(s, "Harbour lights") || !strings.Contains(s, "kept by agent") {
		t.Errorf("the list shows\n%s", s)
	}
	for key, want := range map[string]string{"f": "can be copied", "e": "can be exported", "x": "does not delete it"} {
		w.press(keymap.Stroke(key))
		w.wait(time.Second)
		if s := strings.Join(w.screen(), "\n"); !strings.Contains(s, want) {
			t.Errorf("after %s the window shows\n%s", key, s)
		}
	}
	if w.keys("p"); !w.b.list.session().Pinned || len(w.asked) > 0 && slices.Contains(w.asked, "browser.Fork") {
		t.Errorf("it is not pinned, or asked for was %v", w.asked)
	}
	w.asked = nil
	if w.keys("o"); !slices.Equal(w.asked, []string{"browser.Resume"}) {
		t.Errorf("to read it the window is asked for %v", w.asked)
	}
}

// TestAgentIsAsked: as long as the agent has not listed its sessions, the list says that it is asked.
func TestAgentIsAsked(t *testing.T) {
	t.Parallel()
	l := &fake.Library{Asking: true}
	w := open(t, l, nil)
	screen := func() string { return strings.Join(strings.Fields(strings.Join(w.screen(), " ")), " ") }
	if s := screen(); !strings.Contains(s, "asking the agent") || !strings.Contains(s, "Nothing so far; the agent is still asked for its own sessions.") {
		t.Errorf("the list shows\n%s", s)
	}
	l.Asking = false
	w.do(func(b *Browser) tea.Cmd { return b.Refresh() })
	if s := screen(); strings.Contains(s, "asking") || !strings.Contains(s, "There is no session") {
		t.Errorf("the list shows\n%s", s)
	}
}
