package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/session"
	"parley/settings"
	"parley/theme"
	"parley/tui/transcript"
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
			if got := !sc.m.win.Front.Pane.Follow; got != c.Wheel {
				t.Errorf("the wheel scrolled: %t", got)
			}
			sc.m.win.Front.Pane.Home()
			sc.screen()
			x, y := sc.where("go test")
			sc.click(x, y)
			if _, got := sc.m.win.Front.Pane.Folds[sc.m.win.Front.Timeline.At(0).ID]; got != c.Click {
				t.Errorf("the click unfolded: %t", got)
			}
			sc.drag(x, y, x+4, y)
			if got := sc.m.win.Front.Pane.Selection.On; got != c.Select {
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
	if mode() != tea.MouseModeNone || sc.m.win.Front.Pane.Selection.On {
		t.Error("switching all off did not give the mouse back")
	}
	sc.step("key", "ctrl+x m")
	sc.contains("The settings leave the mouse to the terminal")
	if mode() != tea.MouseModeNone {
		t.Error("the mouse was taken")
	}
}

// Whatever the mouse does while things are said and asked, nothing panics, every
// line fits, a selection changes no width, and nothing is answered.
func TestMouseNeverAnswers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		sc := newScenario(t, nil)
		sc.m.win.Theme, sc.m.win.Front.Pane.Opts.Theme = theme.Dark(), theme.Dark()
		draw := func(name string, most int) int { return rapid.IntRange(-1, most).Draw(rt, name) }
		for i := range rapid.IntRange(5, 50).Draw(rt, "steps") {
			switch rapid.IntRange(0, 11).Draw(rt, "step") {
			case 0:
				sc.say(asking(fmt.Sprint("p", i), "rm -rf build"))
			case 1:
				sc.size(rapid.IntRange(1, 140).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h"))
			case 2:
				sc.input(tea.MouseWheelMsg{Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "wheel")})
			case 3:
				sc.say(session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantMessageDelta{
					MessageID: session.MessageID(fmt.Sprint("m", i/10)), DeltaContent: rapid.SampledFrom([]string{theAnswer, "a ", "漢字", "\n\n", "\x1b[31m\u202e", "\t| x |"}).Draw(rt, "text"),
				}})
			case 4:
				sc.say(numbered(i))
			case 5:
				sc.wait(time.Duration(rapid.IntRange(0, 900).Draw(rt, "ms")) * time.Millisecond)
			case 6, 7:
				sc.input(tea.MouseClickMsg{X: draw("x", 90), Y: draw("y", 50), Button: tea.MouseLeft})
			case 8, 9:
				sc.input(tea.MouseMotionMsg{X: draw("x", 90), Y: draw("y", 50), Button: tea.MouseLeft})
			case 10:
				sc.input(tea.MouseReleaseMsg{X: draw("x", 90), Y: draw("y", 50), Button: tea.MouseLeft})
			case 11:
				sc.step("key", rapid.SampledFrom([]string{"ctrl+c", "ctrl+o", "ctrl+x m", "ctrl+t", "pgup", "ctrl+end"}).Draw(rt, "key"))
			}
			sc.m.frame.open = true
			sc.m.draw()
			shown := strings.Split(sc.m.View().Content, "\n")
			for _, line := range shown {
				if w := ansi.StringWidth(line); w > max(sc.m.win.Width, 0) {
					rt.Fatalf("%d cells of %d: %q", w, sc.m.win.Width, line)
				}
			}
			if s := sc.m.win.Front.Pane.Selection; s.On {
				sc.m.win.Front.Pane.Selection = transcript.Selection{}
				sc.m.frame.open = true
				sc.m.draw()
				bare := strings.Split(sc.m.View().Content, "\n")
				sc.m.win.Front.Pane.Selection = s
				for i := range min(len(bare), len(shown)) {
					l := sc.m.display.View.Layout
					if i < l.Rule.Y && i != l.Card.Y-1 && ansi.Strip(shown[i]) != ansi.Strip(bare[i]) {
						rt.Fatalf("selected %q, else %q", shown[i], bare[i])
					}
				}
			}
		}
		sc.wait(5 * time.Second)
		if got := answers(sc.s); len(got) != 0 {
			rt.Fatalf("answered by the mouse: %v", got)
		}
	})
}

// GNU screen keeps Escape back until the next key while a program has the mouse, so the
// window does not take it there. tmux, where TERM may be the same, says what it is.
func TestEscapeGoesBeforeTheMouse(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Config.Env = []string{"TERM=screen"}
	sc.screen()
	if got := sc.m.View().MouseMode; got != tea.MouseModeNone {
		t.Errorf("in screen: %v", got)
	}
	sc.step("key", "ctrl+x m")
	sc.contains("GNU screen keeps Escape back")
	sc.update(tea.TerminalVersionMsg{Name: "tmux 3.3a"})
	sc.screen()
	if got := sc.m.View().MouseMode; got != tea.MouseModeCellMotion {
		t.Errorf("in tmux: %v", got)
	}
}
