package tui

import (
	"context"
	"errors"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"parley/session"
	"parley/settings"
	"parley/theme"
	"parley/tui/appearance"
	"parley/tui/conversation"
	"parley/tui/picker"
)

// redress gives the window its own theme again, in place of that of scenarios.
func (sc *scenario) redress() {
	sc.m.win.Theme, _ = sc.m.appearance.Theme()
	sc.m.win.Front.Pane.Opts.Theme = sc.m.win.Theme
}

// colourful is a window on a terminal with all colours, or as env says, with the
// themes of a folder and settings that are written down.
func colourful(t *testing.T, chosen, dir string, env ...string) *scenario {
	t.Helper()
	sc := newScenario(t, func(c *Config) {
		c.Settings.Theme, c.Themes = chosen, dir
		c.Env = append([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}, env...)
		c.Prefer = nil
	})
	sc.m.appearance = appearance.New(looks(sc.m.win), looks(sc.m.win).Load()) // no terminal has said anything
	sc.redress()
	return sc
}

func ground(c color.Color) tea.BackgroundColorMsg { return tea.BackgroundColorMsg{Color: c} }

// writeTheme writes a theme of the user's own.
func writeTheme(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name+".toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestThemeOfNoName: a setting that names no theme is reported with the nearest, and
// the theme is auto. A file that is wrong is reported with its line.
func TestThemeOfNoName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTheme(t, dir, "sea", "[colors]\nacent = \"#00c0c0\"\ndim = \"grey\"\n")
	sc := colourful(t, "high-contrst", dir)
	sc.contains(`There is no theme "high-contrst"; did you mean "high-contrast"?`)
	sc.contains("The theme is auto.")
	if sc.m.win.Theme.Name != "dark" {
		t.Error(sc.m.win.Theme.Name)
	}
	sc = colourful(t, "sea", dir)
	sc.size(160, 40)
	sc.contains(`sea.toml, line 2: there is no colour "acent"; did you mean "accent"?`)
	sc.contains(`sea.toml, line 3: dim is "grey"`)
}

// TestThemeReload: what the file of settings says is taken up, and so is what a
// theme's own file says; a mistake changes nothing.
func TestThemeReload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sc := colourful(t, "auto", dir)
	sc.update(ground(color.Black))
	prefer := func(name string) {
		t.Helper()
		p := Preferences{Settings: settings.Defaults()}
		p.Settings.Theme = name
		sc.update(preferMsg{preferences: p})
	}
	is := func(want string) {
		t.Helper()
		if got := sc.m.win.Theme.Name; got != want {
			t.Errorf("theme %s, want %s", got, want)
		}
	}
	prefer("high-contrast")
	is("high-contrast-dark")
	writeTheme(t, dir, "sea", "[colors]\naccent = \"#00c0c0\"\n")
	prefer("sea")
	is("sea")
	before := sc.m.win.Theme.Render(theme.Accent, "x")
	writeTheme(t, dir, "sea", "[colors]\naccent = \"#00d0d0\"\n")
	prefer("sea")
	if is("sea"); sc.m.win.Theme.Render(theme.Accent, "x") == before {
		t.Error("a changed file changed nothing")
	}
	writeTheme(t, dir, "sea", "[colors]\naccent = \"#00d0\"\n")
	prefer("sea")
	is("sea")
	sc.contains("What was set before stays.")
	prefer("see")
	is("sea")
	sc.contains(`did you mean "sea"?`)
	sc.run(sc.m.handlers["theme"]("light"))
	sc.update(nil)
	is("light")
	prefer("see")
	is("light") // the file says what it said before
}

// TestSchemeReports: a report that the terminal changed between dark and light
// makes the window ask for its background, and counts by itself where the
// terminal does not report it. No part of it is typed.
func TestSchemeReports(t *testing.T) {
	t.Parallel()
	sc := colourful(t, "auto", "")
	sc.update(uv.LightColorSchemeEvent{})
	if sc.m.win.Theme.Name != "light" {
		t.Errorf("silent: %s", sc.m.win.Theme.Name)
	}
	sc.wait(2 * appearance.AnswerTime)
	if sc.update(uv.DarkColorSchemeEvent{}); sc.m.win.Theme.Name != "dark" {
		t.Errorf("silent, later: %s", sc.m.win.Theme.Name)
	}
	sc.update(ground(color.White))
	if sc.update(uv.DarkColorSchemeEvent{}); sc.m.win.Theme.Name != "light" {
		t.Errorf("changed to %s before it was asked for", sc.m.win.Theme.Name)
	}
	back := conversation.ReturnedMsg{At: sc.at, Edition: &conversation.Edition{ReadOnly: true}}
	for _, msg := range []tea.Msg{uv.DarkColorSchemeEvent{}, conversation.InputMsg{At: sc.at, Msg: tea.ResumeMsg{}}, back} {
		_, cmd := sc.m.Update(msg)
		if !asksBackground(cmd) {
			t.Errorf("%T: the terminal is not asked", msg)
		}
	}
	sc.update(tea.ColorProfileMsg{Profile: 0})
	if sc.m.win.Theme.Name == "light" {
		t.Error("no colours, and a theme of colours")
	}
	if sc.m.win.Front.Composer.Text() != "" {
		t.Error("something was typed")
	}
}

// asksBackground reports whether one of the commands asks for the background.
func asksBackground(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		return slices.ContainsFunc(msg, asksBackground)
	default:
		return msg == tea.RequestBackgroundColor()
	}
}

// TestThemeList: the window shows the theme that the list stands at, esc brings
// back what was there, and so does whatever else closes the list; enter keeps it
// and writes it down.
func TestThemeList(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTheme(t, dir, "sea", "[colors]\naccent = \"#00c0c0\"\n")
	writeTheme(t, dir, "broken", "[colors\n")
	sc := colourful(t, "auto", dir)
	sc.update(ground(color.Black))
	written, wrong := "", error(nil)
	sc.m.win.Config.Prefer = func(_ context.Context, name string, value any) (settings.Settings, error) {
		written = name + " " + value.(string)
		return settings.Settings{}, wrong
	}
	open := func() {
		sc.step("type", "/theme")
		sc.step("key", "enter")
		if conversation.Over[*picker.Picker](sc.m.win) == nil {
			t.Fatalf("no list:\n%s", strings.Join(sc.screen(), "\n"))
		}
	}
	is := func(what, want string) {
		t.Helper()
		if got := sc.m.win.Theme.Name; got != want {
			t.Errorf("%s: theme %s, want %s", what, got, want)
		}
	}
	open()
	sc.contains("broken.toml, line 1")
	is("opened", "dark")
	sc.step("key", "down down")
	is("moved", "light")
	sc.step("key", "esc")
	is("closed", "dark")
	open()
	sc.step("type", "sea")
	is("typed", "sea")
	sc.step("key", "ctrl+c")
	if conversation.Over[*picker.Picker](sc.m.win) == nil {
		is("left", "dark")
	}
	sc.m.win.Front.CloseOverlays()
	sc.wait(frameTime)
	sc.update(ground(color.Black))
	is("closed in another way", "dark")
	open()
	sc.step("type", "sea")
	sc.step("key", "enter")
	is("chosen", "sea")
	if written != "theme sea" {
		t.Errorf("written: %q", written)
	}
	sc.contains("The theme is sea now.")
	wrong = errors.New("the disk is full")
	sc.step("type", "/theme colorblind")
	sc.step("key", "enter")
	is("by name", "colorblind-dark")
	sc.contains("the disk is full")
	sc.step("type", "/theme see")
	sc.step("key", "enter")
	is("of no name", "colorblind-dark")
	sc.contains(`did you mean "sea"?`)
}

// TestThemeIsEverywhere: after a change of the theme the whole window is as if it
// had been there from the start.
func TestThemeIsEverywhere(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"", "alt+up", "ctrl+f", "?", "ctrl+x d", "ctrl+x space"} {
		draw := func(first, then string) string {
			sc := colourful(t, first, "")
			sc.update(ground(color.Black))
			sc.say(sampleTurn()...)
			sc.step("key", keys)
			sc.wait(frameTime)
			sc.m.View()
			sc.run(sc.m.handlers["theme"](then))
			sc.m.win.Front.Hint = conversation.Hint{}
			sc.update(nil)
			sc.wait(frameTime)
			return sc.m.View().Content
		}
		if a, b := draw("light", "high-contrast-dark"), draw("high-contrast-dark", "high-contrast-dark"); a != b {
			t.Errorf("after %q: something keeps the theme before:\n%s", keys, difference(b, a))
		}
	}
}

// sampleTurn is a turn with most of what has a style.
func sampleTurn() []session.Event {
	var events []session.Event
	for _, e := range []string{
		`{"id":"u1","type":"user.message","timestamp":"2026-11-21T10:41:00Z","data":{"content":"Fix the flaky test"}}`,
		`{"id":"t1","type":"assistant.turn_start","timestamp":"2026-11-21T10:41:01Z","data":{"turnId":"0"}}`,
		`{"id":"m1","type":"assistant.message","timestamp":"2026-11-21T10:41:02Z","data":{"messageId":"m1","content":"The test **sleeps**; see ` + "`Drained`" + `.\n\n` + "```go\\nfunc name() string { return \\\"queue\\\" } // why\\n```" + `\n"}}`,
		`{"id":"s1","type":"tool.execution_start","timestamp":"2026-11-21T10:41:03Z","data":{"toolCallId":"c1","toolName":"edit","arguments":{"path":"/home/ada/src/queue/worker_test.go","old_str":"time.Sleep(second)\n","new_str":"<-worker.Drained()\n"}}}`,
		`{"id":"e1","type":"tool.execution_complete","timestamp":"2026-11-21T10:41:04Z","data":{"toolCallId":"c1","success":true,"result":{"content":"ok","detailedContent":"diff --git a/worker_test.go b/worker_test.go\n--- a/worker_test.go\n+++ b/worker_test.go\n@@ -41,2 +41,2 @@\n \tcheck(t)\n-\ttime.Sleep(second)\n+\ttime.After(second)\n"}}}`,
		`{"id":"s2","type":"tool.execution_start","timestamp":"2026-11-21T10:41:05Z","data":{"toolCallId":"c2","toolName":"bash","arguments":{"command":"go test ./queue"}}}`,
		`{"id":"e2","type":"tool.execution_complete","timestamp":"2026-11-21T10:41:06Z","data":{"toolCallId":"c2","success":false,"error":{"message":"exit status 1: FAIL queue"}}}`,
		`{"id":"w1","type":"session.warning","timestamp":"2026-11-21T10:41:07Z","data":{"warningType":"limit","message":"The rate limit is near."}}`,
	} {
		events = append(events, session.Decode([]byte(e)))
	}
	return events
}
