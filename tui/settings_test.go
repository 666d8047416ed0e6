package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/settings"
)

// watched is a window whose file of settings changes while it is open.
type watched struct {
	sc  *scenario
	now Preferences
}

// watching opens a window whose file is as change makes it.
func watching(t *testing.T, change func(*settings.Settings)) *watched {
	t.Helper()
	c := &watched{now: Preferences{Settings: settings.Defaults()}}
	if change != nil {
		change(&c.now.Settings)
	}
	c.sc = newScenario(t, func(config *Config) { config.Settings = c.now.Settings })
	return c
}

// set is the file with another text.
func (c *watched) set(change func(*settings.Settings)) {
	c.sc.t.Helper()
	change(&c.now.Settings)
	c.sc.update(preferMsg{preferences: c.now})
}

// keys presses keys.
func (sc *scenario) keys(names ...string) {
	for _, name := range names {
		sc.step("key", name)
	}
}

// TestVimSetting: the draft has vim's modes at the start, and from the change of
// the file on. What the user switched stays while its line does.
func TestVimSetting(t *testing.T) {
	t.Parallel()
	on := func(s *settings.Settings) { s.Vim = true }
	c := watching(t, on)
	c.sc.contains("INSERT")
	c.sc.keys("esc")
	c.sc.contains("NORMAL")
	c.set(func(s *settings.Settings) { s.Vim = false })
	c.sc.lacks("NORMAL")
	c.set(on)
	c.sc.contains("INSERT")
	c.sc.m.setVim("off")
	c.set(func(s *settings.Settings) { s.Theme = "dark" })
	c.sc.lacks("INSERT")
}

// TestMotionSetting: with full the time that a turn takes advances by itself, with
// none nothing does, from the change of the file on.
func TestMotionSetting(t *testing.T) {
	t.Parallel()
	c := watching(t, nil)
	c.sc.say(session.Event{ID: "u", Time: c.sc.at, Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "t", Time: c.sc.at, Body: session.AssistantTurnStart{}})
	drawn := c.sc.writes
	c.sc.wait(10 * time.Second)
	if c.sc.writes == drawn {
		t.Error("full: nothing moves")
	}
	c.sc.contains("10 s")
	c.set(func(s *settings.Settings) { s.Motion = "none" })
	c.sc.contains("since 10:41")
	drawn = c.sc.writes
	c.sc.wait(time.Hour)
	if c.sc.writes != drawn {
		t.Errorf("none: drawn %d times by itself", c.sc.writes-drawn)
	}
}

// TestTimesSetting is what stands at the right of an entry.
func TestTimesSetting(t *testing.T) {
	t.Parallel()
	for times, want := range map[string]string{"clock": "10:41", "ago": "3 m ago", "full": "2026-11-21 10:41", "off": ""} {
		set := func(s *settings.Settings) { s.Times = times }
		for name, c := range map[string]*watched{"at the start": watching(t, set), "later": watching(t, nil)} {
			c.sc.say(session.Event{ID: "u", Time: c.sc.at, Body: session.UserMessage{Content: "the prompt"}})
			c.sc.wait(3 * time.Minute)
			c.set(set)
			got := ""
			for _, line := range c.sc.screen() {
				if _, right, ok := strings.Cut(line, "the prompt"); ok {
					got = strings.TrimSpace(right)
				}
			}
			if got != want {
				t.Errorf("%s %s: %q, want %q", times, name, got, want)
			}
		}
	}
}

// TestDensitySetting is how much of a thought is shown.
func TestDensitySetting(t *testing.T) {
	t.Parallel()
	const end = "and so it ends"
	for density, want := range map[string]bool{"compact": false, "normal": false, "verbose": true} {
		set := func(s *settings.Settings) { s.Density = density }
		for name, c := range map[string]*watched{"at the start": watching(t, set), "later": watching(t, nil)} {
			c.sc.say(session.Event{ID: "m", Time: c.sc.at, Body: session.AssistantMessage{
				MessageID: "m", Content: "Done.", ReasoningText: strings.Repeat("I think of it once more.\n\n", 8) + end,
			}})
			c.set(set)
			if got := strings.Contains(strings.Join(c.sc.screen(), "\n"), end); got != want {
				t.Errorf("%s %s: the end of the thought is shown: %t", density, name, got)
			}
			c.sc.contains("Done.")
		}
	}
}

// TestProgressSetting: the terminal's tab shows a turn, or not.
func TestProgressSetting(t *testing.T) {
	t.Parallel()
	c := watching(t, nil)
	c.sc.m.win.Config.Env = []string{"TERM_PROGRAM=ghostty"}
	c.sc.say(session.Event{ID: "t", Time: c.sc.at, Body: session.AssistantTurnStart{}})
	if c.sc.m.win.Front.Summary.Progress() == nil {
		t.Error("on: no progress")
	}
	c.set(func(s *settings.Settings) { s.Terminal.Progress = false })
	if c.sc.m.win.Front.Summary.Progress() != nil {
		t.Error("off: progress")
	}
}

// TestMistakesOfTheFiles: each is reported in a line of its own, and what was set
// before stays.
func TestMistakesOfTheFiles(t *testing.T) {
	t.Parallel()
	c := watching(t, func(s *settings.Settings) { s.Vim = true })
	c.sc.update(preferMsg{err: errors.Join(
		&settings.MistakeError{Path: "/home/ada/.config/parley/settings.toml", Line: 3, What: `there is no setting "vmi"`},
		&settings.MistakeError{Path: "/home/ada/.config/parley/keys.toml", Line: 7, What: "\x1b[31mno key"},
	)})
	c.sc.contains("~/.config/parley/settings.toml, line 3: there is no setting \"vmi\"\n")
	c.sc.contains("~/.config/parley/keys.toml, line 7: ")
	c.sc.contains("What was set before stays.")
	if strings.Contains(c.sc.m.View().Content, "\x1b[31mno key") {
		t.Error("what a file says reached the terminal")
	}
	c.sc.contains("INSERT")
}

// TestNothingIsWatched: where changes cannot be seen, that is reported once, and
// nothing is tried again.
func TestNothingIsWatched(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Config.Changed = func(context.Context) (Preferences, error) { return Preferences{}, nil }
	if cmd := sc.m.preferred(preferMsg{err: &settings.WatchError{Err: errors.New("too many open files")}}); cmd != nil {
		t.Error("it is tried again")
	}
	sc.contains("too many open files")
}

// TestSettingStays: a setting that cannot be written is as it was, and why is
// reported.
func TestSettingStays(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Prefer = func(context.Context, string, any) (settings.Settings, error) {
			return settings.Settings{}, errors.New("the disk is full")
		}
	})
	sc.step("type", "/settings vim true")
	sc.keys("enter")
	sc.contains("the disk is full")
	sc.contains("vim stays as it is.")
	sc.lacks("INSERT")
	sc.m.win.Config.Prefer = nil
	sc.step("type", "/settings")
	sc.keys("enter")
	sc.contains("There is no folder for settings here.")
}

// TestSettingKeepsTheKeys: a setting that is written changes no key.
func TestSettingKeepsTheKeys(t *testing.T) {
	t.Parallel()
	keys := settings.Keys{Bindings: map[string][]string{"help": {"f2"}}}
	sc := newScenario(t, func(c *Config) { c.Keys = keys })
	sc.step("type", "/settings vim true")
	sc.keys("enter")
	sc.contains("vim is on now.")
	if got := sc.m.win.Config.Keys.Bindings["help"]; len(got) != 1 || got[0] != "f2" {
		t.Errorf("help has the keys %q", got)
	}
}

// A setting is found by its title, its name in the file, its value, what it may be and its
// group; what is shown of it are words.
func TestSettingsInWords(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"enter while", "busy_enter", "sends it", "steer waits", "composer agent works"} {
		sc := newScenario(t, nil)
		sc.step("type", "/settings")
		sc.keys("enter")
		sc.contains("Appearance\n")
		sc.step("type", query)
		sc.contains("❯ Enter while the agent works  sends it for the next step")
		sc.contains("busy_enter\n")
		sc.contains("Default: steer.")
	}
}

// TestDescriptionsFit: in a window of the usual size nothing of what is said of a setting is
// cut off.
func TestDescriptionsFit(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.types("/settings")
	sc.keys("enter")
	for range settings.Table() {
		sc.lacks("\n  ⋯\n")
		sc.keys("down")
	}
}
