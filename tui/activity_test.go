package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/settings"
)

// rowOf is the row of the screen with a text; -1 is none.
func (sc *scenario) rowOf(text string) int {
	return slices.IndexFunc(sc.screen(), func(line string) bool { return strings.Contains(line, text) })
}

// readsAbove has the reader further up in a long conversation.
func (sc *scenario) readsAbove() {
	for n := range 60 {
		sc.say(numbered(n))
	}
	sc.step("key", "pgup")
}

// What the agent does stands right under the last text, once, and how to stop it: by the
// keys that the user has. Where the reader is further up, the status line has it.
func TestActivityUnderTheText(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.size(140, 45)
	sc.working()
	sc.wait(3 * time.Second)
	at := sc.rowOf("thinking · esc esc stops")
	if last := sc.rowOf("go on"); at != last+2 || strings.Count(strings.Join(sc.screen(), "\n"), "thinking") != 1 {
		t.Errorf("it is in row %d, the last text in row %d:\n%s", at, last, strings.Join(sc.screen(), "\n"))
	}
	if line := sc.screen()[at]; !strings.HasSuffix(line, " 3 s") {
		t.Errorf("without the time: %q", line)
	}
	sc.say(session.Event{Ephemeral: true, Body: session.AssistantUsage{InputTokens: 4000, OutputTokens: 100}})
	sc.contains("4.1 k tokens")
	sc.m.win.Config.Settings.Interrupt = "single"
	sc.update(tea.WindowSizeMsg{Width: 139, Height: 45})
	sc.contains("thinking · esc stops")
	if wrong := sc.m.win.Bind(settings.Keys{Bindings: map[string][]string{"interrupt": {"f7"}}}); wrong != nil {
		t.Fatal(wrong)
	}
	sc.update(tea.WindowSizeMsg{Width: 140, Height: 45})
	sc.contains("thinking · f7 stops")
	sc.readsAbove()
	if got := sc.screen(); !strings.Contains(got[44], "thinking · f7 stops") || strings.Contains(strings.Join(got[:44], "\n"), "thinking") {
		t.Errorf("further up:\n%s", strings.Join(got, "\n"))
	}
}

// That a call waits for the user stands at the call and in the status line, and nowhere
// else, however much room there is.
func TestWaitingStandsTwice(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.size(140, 45)
	sc.working()
	sc.say(asking("p", "make"))
	screen := sc.screen()
	if n := strings.Count(strings.Join(screen, "\n"), "waiting for you"); n != 2 || !strings.Contains(screen[44], "◇ waiting for you") {
		t.Errorf("%d times:\n%s", n, strings.Join(screen, "\n"))
	}
}

// The end of an answer moves no text: not where it fills the screen either.
func TestActivityEndsWithoutAJump(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{3, 60} {
		sc := newScenario(t, nil)
		sc.working()
		text := strings.Repeat("a line\n\n", lines) + "the last line"
		sc.say(session.Event{Ephemeral: true, Body: session.AssistantMessageStart{MessageID: "a"}},
			session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "a", DeltaContent: text}})
		at := sc.rowOf("the last line")
		if at < 0 || sc.rowOf("answering") != at+2 {
			t.Fatalf("%d lines: text in row %d, activity in row %d", lines, at, sc.rowOf("answering"))
		}
		sc.say(session.Event{ID: "m", Body: session.AssistantMessage{MessageID: "a", Content: text}},
			session.Event{ID: "e", Body: session.AssistantTurnEnd{}}, session.Event{Ephemeral: true, Body: session.AssistantIdle{}},
			session.Event{Ephemeral: true, Body: session.SessionIdle{}})
		if now := sc.rowOf("the last line"); now != at || sc.rowOf("answering") >= 0 {
			t.Errorf("%d lines: it went from row %d to %d", lines, at, now)
		}
	}
}
