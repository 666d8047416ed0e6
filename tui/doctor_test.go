package tui

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/terminal"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/panel"
)

// scriptedDoctor says what the window has passed to it.
func scriptedDoctor(_ context.Context, c Config, t terminal.Description) (Examination, error) {
	return func(width int, th *theme.Theme) []string {
		return []string{
			th.Render(theme.Heading, "Terminal"), fmt.Sprintf("%d by %d, keys %s, dark %s", t.Width, t.Height, t.Keys, t.Dark), "",
			fmt.Sprintf("drawn in %d cells for %s", width, c.Home),
		}
	}, nil
}

// scriptedReport says what the window has passed to it.
func scriptedReport(_ context.Context, _ Config, s Scene) (string, error) {
	text := "# A report\n\n- agent: " + s.Agent + "\n- vim: " + fmt.Sprint(s.Settings.Vim) + "\n\n```\n"
	for _, n := range s.Recent.Notes() {
		text += fmt.Sprintf("%s x%d\n", n.Kind, n.Count)
	}
	return text + "```\n", nil
}

// TestListens hears the terminal's answers, whoever asked for them.
func TestListens(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	if h := sc.m.win.Terminal(); h.Keys != terminal.Unknown || h.Dark != terminal.Unknown {
		t.Errorf("before anything was said: %+v", h)
	}
	sc.update(tea.BackgroundColorMsg{Color: color.White})
	if h := sc.m.win.Terminal(); h.Keys != terminal.No || h.Dark != terminal.No {
		t.Errorf("a terminal that speaks no protocol for keys: %+v", h)
	}
	sc.update(tea.KeyboardEnhancementsMsg{Flags: ansi.KittyDisambiguateEscapeCodes})
	sc.update(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
	sc.update(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeNotRecognized})
	sc.update(tea.TerminalVersionMsg{Name: "kitty(0.42.1)\x1b[31m"})
	sc.input(tea.BlurMsg{})
	want := terminal.Heard{Version: "kitty(0.42.1)", Dark: terminal.No, Keys: terminal.Yes, Sync: terminal.Yes, Graphemes: terminal.No, FocusEvents: terminal.Yes}
	if got := sc.m.win.Terminal().Heard; got.Keys != want.Keys || got.Sync != want.Sync || got.Graphemes != want.Graphemes ||
		got.FocusEvents != want.FocusEvents || strings.Contains(got.Version, "\x1b") || !strings.HasPrefix(got.Version, want.Version) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// command types a command and enter.
func (sc *scenario) command(name string) {
	sc.step("type", name)
	sc.step("key", "enter")
}

// TestReportIsWritten writes reports of one day beside each other, and none over
// another file.
func TestReportIsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sc := newScenario(t, func(c *Config) { c.Home = dir })
	sc.m.win.Front.Info.Dir = dir
	for _, name := range []string{"parley-report-2026-11-21.md", "parley-report-2026-11-21-2.md"} {
		sc.command("/report")
		before, _ := os.ReadDir(dir)
		sc.step("key", "w")
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(text), "# A report\n") {
			t.Fatalf("%v: %q after %v", err, text, before)
		}
		if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, filepath.FromSlash("~/")+name) {
			t.Errorf("it is not said where:\n%s", screen)
		}
	}
	sc.command("/report parley-report-2026-11-21.md")
	sc.step("editor", "my own words")
	sc.step("key", "e")
	sc.step("key", "w")
	text, err := os.ReadFile(filepath.Join(dir, "parley-report-2026-11-21.md"))
	if screen := strings.Join(sc.screen(), "\n"); err != nil || !strings.HasPrefix(string(text), "# A report\n") || !strings.Contains(screen, "is there already") || !strings.Contains(screen, "my own words") {
		t.Errorf("%v: %q\n%s", err, text, screen)
	}
	sc.step("key", "esc")
	sc.command("/report mine.md")
	sc.step("key", "e")
	sc.step("key", "w")
	if text, err := os.ReadFile(filepath.Join(dir, "mine.md")); err != nil || string(text) != "my own words" {
		t.Errorf("%v: %q", err, text)
	}
}

// TestReportOfTheSession has the events of the session that is open, and of no
// other.
func TestReportOfTheSession(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(session.Event{ID: "1", Body: session.UserMessage{Content: "a secret"}}, session.Event{ID: "2", Body: session.AssistantTurnStart{}})
	for range 3 {
		sc.say(session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{DeltaContent: "a secret"}})
	}
	if got := len(sc.m.win.Front.Recent.Notes()); got != 3 {
		t.Errorf("%d notes, want 3", got)
	}
	sc.m.win.Front.Reset()
	if got := len(sc.m.win.Front.Recent.Notes()); got != 0 {
		t.Errorf("%d notes of a session that is gone", got)
	}
}

// TestWithoutDoctor says when it is missing, and why one failed.
func TestWithoutDoctor(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Doctor, c.Report = nil, nil })
	for command, said := range map[string]string{"/doctor": "Nothing can be examined", "/report": "No report can be written"} {
		sc.command(command)
		if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, said) || conversation.Over[*panel.Panel](sc.m.win) != nil {
			t.Errorf("%s:\n%s", command, screen)
		}
	}
	sc = newScenario(t, func(c *Config) {
		c.Doctor = func(context.Context, Config, terminal.Description) (Examination, error) {
			return nil, errors.New("no time")
		}
	})
	sc.command("/doctor")
	sc.wait(time.Second)
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Could not look at what is around Parley: no time") {
		t.Errorf("it is not said why:\n%s", screen)
	}
}
