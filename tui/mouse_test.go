package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/session"
	"parley/settings"
	"parley/theme"
)

// click presses the left button and lets it go, and waits until the next click is
// not the second of two.
func (sc *scenario) click(x, y int) {
	sc.input(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	sc.input(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	sc.wait(time.Second)
}

// drag presses the left button in one place and lets it go in another.
func (sc *scenario) drag(fromX, fromY, toX, toY int) {
	sc.input(tea.MouseClickMsg{X: fromX, Y: fromY, Button: tea.MouseLeft})
	for _, at := range [][2]int{{(fromX + toX) / 2, (fromY + toY) / 2}, {toX, toY}} {
		sc.input(tea.MouseMotionMsg{X: at[0], Y: at[1], Button: tea.MouseLeft})
	}
	sc.input(tea.MouseReleaseMsg{X: toX, Y: toY, Button: tea.MouseLeft})
}

// where is the cell at which a text begins on the screen.
func (sc *scenario) where(text string) (x, y int) {
	sc.t.Helper()
	for y, line := range sc.screen() {
		if before, _, ok := strings.Cut(line, text); ok {
			return ansi.StringWidth(before), y
		}
	}
	sc.t.Fatalf("%q is not on the screen:\n%s", text, strings.Join(sc.screen(), "\n"))
	return 0, 0
}

// sweep drags over the screen from the first letter of one text to the last of
// another, copies, and returns what was copied.
func (sc *scenario) sweep(from, to string) string {
	sc.t.Helper()
	x, y := sc.where(from)
	toX, toY := sc.where(to)
	sc.drag(x, y, toX+ansi.StringWidth(to)-1, toY)
	return sc.copied()
}

// copied is what ctrl+c copies now.
func (sc *scenario) copied() string {
	sc.t.Helper()
	sc.s.calls = nil
	sc.step("key", "ctrl+c")
	for _, c := range sc.s.calls {
		if text, ok := strings.CutPrefix(c, "copy "); ok {
			var out string
			if _, err := fmt.Sscanf(text, "%q", &out); err != nil {
				sc.t.Fatal(err)
			}
			return out
		}
	}
	return ""
}

// theAnswer has what a drawing changes: wraps, marks, tabs, wide letters, a list,
// a quotation, code with a long line, a table.
const theAnswer = "# The plan\n\nThe **flaky** test sleeps instead of waiting for the worker, so on a slow machine it ends too early; 漢字を含む長い文章もここにあります、そして折り返されます。\n\n" +
	"- first `one`\n- then [two](https://example.com/two)\n\n> a quotation that is rather long and goes on and on until it has to be wrapped somewhere\n\n" +
	"```go\nfunc main() {\n\tif x := 1; x > 0 {\n\t\tfmt.Println(\"a long line of code that does not fit into the width of the screen\", x)\n\t}\n}\n```\n\n" +
	"| a | b |\n|---|---|\n| 1 | two |\n\nThe end.\n"

// showing is a scenario with one answer on a screen that shows all of it.
func showing(t *testing.T, text string, change func(*Config)) *scenario {
	t.Helper()
	sc := newScenario(t, change)
	sc.size(80, 50)
	sc.say(session.Event{ID: "u", Time: sc.at, Body: session.UserMessage{Content: "What now?", MessageID: "u"}},
		session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{Content: text, MessageID: "m"}})
	return sc
}

// TestMouseSettings: the wheel, clicks and selecting are switched each by itself,
// and with all of them off the mouse is the terminal's.
func TestMouseSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []settings.Mouse{{}, {Wheel: true}, {Click: true}, {Select: true}, {Wheel: true, Click: true, Select: true}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, func(config *Config) { config.Settings.Mouse = c })
			sc.say(session.Event{ID: "c", Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash", Arguments: []byte(`{"command":"go test"}`)}},
				session.Event{ID: "d", Time: sc.at, Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{Content: "ok\n"}}})
			for i := range 40 {
				sc.say(numbered(i))
			}
			want := tea.MouseModeCellMotion
			if c == (settings.Mouse{}) {
				want = tea.MouseModeNone
			}
			if got := sc.m.View().MouseMode; got != want {
				t.Errorf("mode %d, want %d", got, want)
			}
			for range 30 {
				sc.input(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
			}
			if got := !sc.m.pane.follow; got != c.Wheel {
				t.Errorf("the wheel scrolled: %t", got)
			}
			sc.m.pane.home()
			sc.screen()
			x, y := sc.where("go test")
			sc.click(x, y)
			if _, got := sc.m.pane.folds[sc.m.timeline.At(0).ID]; got != c.Click {
				t.Errorf("the click unfolded: %t", got)
			}
			sc.drag(x, y, x+4, y)
			if got := sc.m.pane.selection.on; got != c.Select {
				t.Errorf("dragging selected: %t", got)
			}
		})
	}
}

// The settings work at once, and what was switched in the window stays while its
// lines do.
func TestMouseLive(t *testing.T) {
	t.Parallel()
	sc := showing(t, "Hello.", nil)
	mode := func() tea.MouseMode {
		sc.screen()
		return sc.m.View().MouseMode
	}
	sc.step("key", "ctrl+x m")
	if mode() != tea.MouseModeNone {
		t.Error("the terminal has not got the mouse")
	}
	now := settings.Defaults()
	now.Density = "compact"
	sc.update(preferMsg{preferences: Preferences{Settings: now}})
	if mode() != tea.MouseModeNone {
		t.Error("another setting took the mouse back")
	}
	now.Mouse.Wheel = false
	sc.update(preferMsg{preferences: Preferences{Settings: now}})
	if mode() != tea.MouseModeCellMotion {
		t.Error("the setting did not take the mouse back")
	}
	sc.drag(2, 2, 5, 2)
	now.Mouse = settings.Mouse{}
	sc.update(preferMsg{preferences: Preferences{Settings: now}})
	if mode() != tea.MouseModeNone || sc.m.pane.selection.on {
		t.Error("switching all off did not give the mouse back")
	}
	sc.step("key", "ctrl+x m")
	sc.contains("The settings leave the mouse to the terminal")
	if mode() != tea.MouseModeNone {
		t.Error("the mouse was taken")
	}
}

// What is copied of a selection is what was said: no margin, no marks, no line
// ends where a line was full, and every letter whole.
func TestSelectionIsSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{"instead", "slow machine", "instead of waiting for the worker, so on a slow machine"},
		{"test", "ends too early", "test sleeps instead of waiting for the worker, so on a slow machine it ends too early"},
		{"字を", "長い", "字を含む長い"},
		{"flaky", "flaky", "flaky"},
		{"The flaky", "sleeps", "The **flaky** test sleeps"},
		{"one", "two", "one`\n- then [two"},
		{"quotation", "wrapped", "quotation that is rather long and goes on and on until it has to be wrapped"},
		{"func main", "}\n", "func main() {"},
		{"if x", "width", "if x := 1; x > 0 {\n\t\tfmt.Println(\"a long line of code that does not fit into the width"},
		{"fmt", "screen\", x)", "fmt.Println(\"a long line of code that does not fit into the width of the screen\", x)"},
		{"What", "now", "What now"},
		{"What", "The plan", "What now?\n\n# The plan"},
		{"ere", "ere", ""},
	} {
		t.Run(c.from, func(t *testing.T) {
			t.Parallel()
			sc := showing(t, theAnswer, nil)
			if c.to == "}\n" {
				c.to = "func main() {"
			}
			if c.want == "" {
				return
			}
			if got := sc.sweep(c.from, c.to); got != c.want {
				t.Errorf("copied %q\nwant   %q\n%s", got, c.want, strings.Join(sc.screen(), "\n"))
			}
		})
	}
}

var _ = slices.Sorted[int]
var _ = rapid.Check
var _ = theme.Selected
