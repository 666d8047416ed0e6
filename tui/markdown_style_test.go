package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/settings"
)

// styledAnswer is a window with an answer on its screen, a setting for the look of
// markdown and an environment.
func styledAnswer(t *testing.T, dir, setting string, env ...string) *scenario {
	t.Helper()
	sc := newScenario(t, func(c *Config) {
		c.Settings.MarkdownStyle, c.Themes, c.Prefer = setting, dir, nil
		c.Env = append([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}, env...)
	})
	sc.size(160, 40)
	sc.redress()
	sc.begin("m")
	sc.delta("m", "## Title\n\n> said\n\n- item\n")
	return sc
}

// TestMarkdownStyleSetting: the setting markdown_style gives answers the look of a
// style of Glamour's, and wins over the environment.
func TestMarkdownStyleSetting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeStyle(t, dir, "own.json", `{"h2": {"prefix": "=> "}}`)
	for _, c := range []struct{ setting, env, want string }{
		{"auto", "", "Title"},
		{"auto", "GLAMOUR_STYLE=auto", "Title"},
		{"auto", "GLAMOUR_STYLE=pink", "▌ Title"},
		{"auto", "GLAMOUR_STYLE=" + filepath.Join(dir, "own.json"), "=> Title"},
		{"theme", "GLAMOUR_STYLE=pink", "Title"},
		{"dark", "GLAMOUR_STYLE=pink", "## Title"},
		{"own.json", "GLAMOUR_STYLE=pink", "=> Title"},
	} {
		sc := styledAnswer(t, dir, c.setting, c.env)
		title := ""
		for _, l := range sc.screen() {
			if strings.Contains(l, "Title") {
				title = strings.TrimSpace(strings.ReplaceAll(l, "12:00", ""))
			}
		}
		if !strings.HasPrefix(title, c.want) {
			t.Errorf("markdown_style %s, %s: %q, want %q", c.setting, c.env, title, c.want)
		}
	}
}

// writeStyle writes a style of the user's own.
func writeStyle(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestMarkdownStyleReload: a style, and what its file says, is taken up while the
// window is open, on answers that are on the screen too; a mistake costs a notice,
// once, and changes nothing. What says the same draws nothing anew.
func TestMarkdownStyleReload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sc := styledAnswer(t, dir, "auto")
	prefer := func(name string) {
		t.Helper()
		p := Preferences{Settings: settings.Defaults()}
		p.Settings.MarkdownStyle = name
		sc.update(preferMsg{preferences: p})
	}
	prefer("pink")
	sc.contains("▌ Title")
	writeStyle(t, dir, "own.json", `{"h2": {"prefix": "=> "}}`)
	prefer("own.json")
	sc.contains("=> Title")
	writeStyle(t, dir, "own.json", `{"h2": {"prefix": "-> "}}`)
	prefer("own.json")
	sc.contains("-> Title")
	drawn := sc.m.win.Theme
	prefer("own.json")
	if sc.m.win.Theme != drawn {
		t.Error("the same style made another theme")
	}
	writeStyle(t, dir, "own.json", "{\n\"h2\": {")
	prefer("own.json")
	sc.contains("own.json, line 2: ")
	sc.contains("Answers look as before.")
	sc.contains("-> Title")
	prefer("own.json")
	if screen := strings.Join(sc.screen(), "\n"); strings.Count(screen, "own.json, line 2: ") != 1 {
		t.Errorf("the same mistake is reported again:\n%s", screen)
	}
	prefer("pimk")
	sc.contains(`The setting markdown_style: there is no markdown style "pimk"; did you mean "pink"?`)
	sc.contains("-> Title")
	prefer("theme")
	sc.lacks("-> Title")
}

// TestMarkdownStyleAtTheStart: what is wrong with the style that is chosen is reported
// when the window opens, and answers have the look of the theme.
func TestMarkdownStyleAtTheStart(t *testing.T) {
	t.Parallel()
	sc := styledAnswer(t, t.TempDir(), "auto", "GLAMOUR_STYLE=drakula")
	sc.contains(`GLAMOUR_STYLE: there is no markdown style "drakula"; did you mean "dracula"?`)
	sc.contains("Answers have the look of the theme.")
	sc.contains("Title")
}

// TestMarkdownStyleWithoutColour: where there is no colour a style has none.
func TestMarkdownStyleWithoutColour(t *testing.T) {
	t.Parallel()
	sc := styledAnswer(t, "", "dracula", "NO_COLOR=1")
	sc.contains("## Title")
	for l := range strings.SplitSeq(sc.m.View().Content, "\n") {
		if strings.Contains(l, "38;") || strings.Contains(l, "48;") {
			t.Errorf("%q", l)
		}
	}
}
