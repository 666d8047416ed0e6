package tui

import (
	"testing"
	"time"
)

// TestHurriedEscapes: escapes that follow the one that closed something go back to no prompt,
// however many they are. After a pause two do, and the first of them says so.
func TestHurriedEscapes(t *testing.T) {
	t.Parallel()
	const picker, hint = "Go back to before", "esc again to go back to an earlier prompt"
	for name, open := range map[string]func(*scenario){
		"a list":                       func(sc *scenario) { sc.step("type", "/settings"); sc.step("key", "enter") },
		"a panel":                      func(sc *scenario) { sc.step("key", "?") },
		"blocks":                       func(sc *scenario) { sc.step("key", "tab") },
		"a search":                     func(sc *scenario) { sc.step("key", "ctrl+f") },
		"a list over the first of two": func(sc *scenario) { sc.step("key", "esc ctrl+x"); sc.step("type", " ") },
		"an answer":                    func(sc *scenario) { sc.say(asking("p", "make")); sc.wait(2 * time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, nil)
			sc.working()
			sc.idle()
			open(sc)
			for range 5 {
				sc.step("key", "esc")
				sc.wait(500 * time.Millisecond)
				sc.lacks(picker)
				sc.lacks(hint)
			}
			sc.wait(time.Second)
			sc.step("key", "esc")
			sc.contains(hint)
			sc.step("key", "esc")
			sc.contains(picker)
		})
	}
}
