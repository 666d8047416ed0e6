package tui

import (
	"strings"
	"testing"
	"time"
)

// Help begins with the keys that matter first. What is typed filters it at once: nothing is
// lost, and nothing gets into the draft. What is typed after it was closed, however soon,
// is the draft's.
func TestHelpIsFiltered(t *testing.T) {
	t.Parallel()
	const title = "Keys and commands"
	sc := newScenario(t, nil)
	shown := func() string { return strings.Join(sc.screen(), "\n") }
	sc.step("key", "?")
	for _, want := range []string{title, "The keys that matter first", "ctrl+f       search the text", "Composer", "Type to filter", "↓"} {
		if !strings.Contains(shown(), want) {
			t.Errorf("no %q in\n%s", want, shown())
		}
	}
	sc.step("type", "copy c")
	for _, want := range []string{title, "/ copy c", "Copy the last answer", "Timeline", "Block"} {
		if !strings.Contains(shown(), want) {
			t.Errorf("no %q in\n%s", want, shown())
		}
	}
	if strings.Contains(shown(), "matter first") || strings.Contains(shown(), "Queue the prompt") || sc.draft() != "" {
		t.Errorf("not filtered, or the draft is %q:\n%s", sc.draft(), shown())
	}
	sc.step("type", " zzz")
	if !strings.Contains(shown(), "Nothing matches.") {
		t.Errorf("\n%s", shown())
	}
	sc.step("key", "ctrl+u")
	sc.step("type", "?")
	if sc.draft() != "?" || strings.Contains(shown(), title) {
		t.Errorf("? again writes one: the draft is %q\n%s", sc.draft(), shown())
	}
	sc.step("key", "backspace ? esc")
	for _, wait := range []time.Duration{0, 100 * time.Millisecond, 390 * time.Millisecond} {
		sc.wait(wait)
		sc.step("type", "n")
	}
	if sc.draft() != "nnn" || strings.Contains(shown(), title) {
		t.Errorf("closed, the draft is %q\n%s", sc.draft(), shown())
	}
	sc.step("key", "ctrl+c")
	sc.step("key", "ctrl+x ?")
	sc.step("type", "tab")
	for _, want := range []string{"/ ctrl+x tab", "ctrl+x x", "ctrl+x w"} {
		if !strings.Contains(shown(), want) {
			t.Errorf("no %q among the keys after the leader:\n%s", want, shown())
		}
	}
	if strings.Contains(shown(), "Queue the prompt") || sc.draft() != "" {
		t.Errorf("the keys after the leader are not filtered:\n%s", shown())
	}
	sc.step("key", "esc")
	sc.step("type", "/keys")
	sc.step("key", "enter")
	sc.step("type", "todo")
	if !strings.Contains(shown(), "todo-band") || strings.Contains(shown(), "block-fold") || sc.draft() != "" {
		t.Errorf("the keys are not filtered:\n%s", shown())
	}
}
