package tui

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/session"
)

// TestInlineWindow: what is finished is written above the window, once and in order; the window takes at most half of the
// terminal, and all of it for what is not the end of the conversation.
func TestInlineWindow(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Inline = true })
	above := func() []string { return aboveIn(t, sc) }
	fits := func(alternate bool, most int) {
		t.Helper()
		sc.wait(time.Second)
		v := sc.m.View()
		if n := strings.Count(v.Content, "\n") + 1; n > most || v.AltScreen != alternate {
			t.Errorf("it takes %d lines, on the alternate screen %t\n%s", n, v.AltScreen, v.Content)
		}
	}
	fits(false, 12)
	sc.say(
		session.Event{ID: "u", Body: session.UserMessage{Content: "how high?", MessageID: "m"}},
		session.Event{ID: "t", Body: session.AssistantTurnStart{TurnID: "0"}},
		session.Event{ID: "a", Body: session.AssistantMessage{MessageID: "a", Content: strings.Repeat("one more line\n\n", 40)}},
	)
	fits(false, 12)
	if s := strings.Join(above(), "\n"); !strings.Contains(s, "how high?") || strings.Contains(s, "one more line") {
		t.Errorf("while it answers, above stands\n%s", s)
	}
	sc.say(session.Event{ID: "e", Body: session.AssistantTurnEnd{TurnID: "0"}}, session.Event{ID: "i", Body: session.SessionIdle{}})
	fits(false, 12)
	if s := strings.Join(above(), "\n"); strings.Count(s, "how high?") != 1 || strings.Count(s, "one more line") != 40 {
		t.Errorf("after the turn, above stands\n%s", s)
	}
	sc.lacks("one more line")
	for key, back := range map[string]string{"pgup": "end", "alt+up": "esc", "ctrl+f": "esc", "ctrl+o": "ctrl+o"} {
		sc.step("key", key)
		fits(true, 24)
		sc.contains("one more line")
		sc.step("key", back)
		sc.step("key", "ctrl+end")
		fits(false, 12)
	}
	sc.step("type", "/help")
	sc.step("key", "enter")
	fits(true, 24)
	sc.step("key", "esc")
	fits(false, 12)
	sc.say(asking("p", "git push"))
	fits(false, 12)
	sc.contains("git push")
	sc.step("key", "y")
	sc.wait(time.Second)
	if got := answers(sc.s); len(got) != 1 || got[0] != "answer p approve-once" {
		t.Errorf("answered %q", got)
	}
}

// aboveIn are the lines that were written above the window.
func aboveIn(t *testing.T, sc *scenario) (all []string) {
	t.Helper()
	for _, c := range sc.s.calls {
		if quoted, ok := strings.CutPrefix(c, "above "); ok {
			lines, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, strings.Split(lines, "\n")...)
		}
	}
	return all
}

// TestInlineTabs: where what is written is of another conversation than what is above it, that one is named.
func TestInlineTabs(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, func(c *Config) { c.Inline = true })
	for i, key := range []string{"ctrl+x left", "ctrl+x right", ""} {
		id := strconv.Itoa(i)
		sc.sayIn(1-i%2, session.Event{ID: session.EventID("u" + id), Body: session.UserMessage{Content: "prompt " + id, MessageID: session.MessageID("m" + id)}},
			session.Event{ID: session.EventID("i" + id), Body: session.SessionIdle{}})
		sc.wait(time.Second)
		if key != "" {
			sc.step("key", key)
			sc.wait(time.Second)
		}
	}
	var order []string
	for _, l := range aboveIn(t, sc) {
		for _, what := range []string{"prompt 0", "prompt 1", "prompt 2"} {
			if plain := ansi.Strip(l); strings.HasPrefix(plain, "─ ") {
				order = append(order, "name")
				break
			} else if strings.Contains(plain, what) {
				order = append(order, what)
			}
		}
	}
	if got := strings.Join(order, ", "); got != "prompt 0, name, prompt 1, name, prompt 2" {
		t.Errorf("in order were written %s:\n%s", got, strings.Join(aboveIn(t, sc), "\n"))
	}
}
