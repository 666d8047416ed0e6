package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/session"
)

// atCursor is what is on the screen from the cursor on; "" where there is none.
func (sc *scenario) atCursor() string {
	screen := sc.screen()
	c := sc.m.View().Cursor
	if c == nil || c.Y >= len(screen) {
		return ""
	}
	return ansi.Cut(screen[c.Y], c.X, ansi.StringWidth(screen[c.Y]))
}

// TestCursorAtTheChosenRow: whatever follows the terminal's cursor, such as a magnifier, follows
// what is chosen in cards, forms and lists, and what is typed there.
func TestCursorAtTheChosenRow(t *testing.T) {
	t.Parallel()
	card := func(sc *scenario) { sc.say(asking("p", "git push")); sc.wait(time.Second) }
	for name, c := range map[string]struct {
		open func(sc *scenario)
		keys string
		want string // that the rest of the line begins with
	}{
		"a card without a choice": {card, "", ""},
		"a card":                  {card, "down", "❯ y  Yes, once"},
		"another row of it":       {card, "down down", "❯ s  Yes, `git push`"},
		"rows side by side": {func(sc *scenario) {
			sc.size(80, 12)
			sc.say(session.Event{Body: session.UserInputRequested{RequestID: "p", Question: "Which?", Choices: []string{"red", "green", "blue", "black", "white"}}})
			sc.wait(time.Second)
		}, "down down", "❯ 2  green"},
		"a form": {func(sc *scenario) {
			sc.say(session.Event{Body: form(`{"what":{"type":"string","enum":["one","two"]}}`)})
			sc.wait(time.Second)
		}, "down down", "❯ 1   one"},
		"a list with what is typed in it": {func(sc *scenario) { sc.step("type", "/model"); sc.step("key", "enter") }, "o", ""},
		"a list":                          {func(sc *scenario) { sc.step("type", "/model"); sc.step("key", "enter") }, "down", "❯ "},
		"edits": {func(sc *scenario) {
			sc.editFile(1, 5)
			sc.step("type", "/diff")
			sc.step("key", "enter")
		}, "down down", " ❯3"},
		"the context": {func(sc *scenario) {
			sc.say(numbered(1))
			sc.step("type", "/context")
			sc.step("key", "enter")
		}, "down", "❯ "},
	} {
		sc := newScenario(t, nil)
		c.open(sc)
		sc.step("key", c.keys)
		sc.wait(time.Second)
		if got := sc.atCursor(); !strings.HasPrefix(got, c.want) || c.want == "" && strings.HasPrefix(got, "❯") {
			t.Errorf("%s: at the cursor is %q, want %q:\n%s", name, got, c.want, strings.Join(sc.screen(), "\n"))
		}
	}
}
