package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
)

// The progress follows the turn, is told again before a terminal hides it, and
// is gone when nothing runs.
func TestProgress(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Env = []string{"TERM_PROGRAM=ghostty"} })
	bar := func() *tea.ProgressBar {
		sc.screen()
		return sc.m.View().ProgressBar
	}
	if bar() != nil {
		t.Error("progress while nothing runs")
	}
	sc.say(session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}})
	first := bar()
	if first == nil || first.State != tea.ProgressBarIndeterminate {
		t.Fatalf("progress of a turn: %v", first)
	}
	sc.wait(10 * time.Second)
	if again := bar(); *again == *first || again.State != first.State {
		t.Errorf("%v after %v", again, first)
	}
	sc.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "1", Question: "Which?"}})
	if b := bar(); b == nil || b.State != tea.ProgressBarWarning || b.Value < 99 {
		t.Errorf("progress of a question: %v", b)
	}
	sc.say(session.Event{Ephemeral: true, Body: session.UserInputCompleted{RequestID: "1"}},
		session.Event{Ephemeral: true, Body: session.AssistantIdle{}}, session.Event{Ephemeral: true, Body: session.SessionIdle{}})
	if b := bar(); b != nil {
		t.Errorf("progress at the end: %v", b)
	}
}

// contains checks that a text is on the screen.
func (sc *scenario) contains(want string) {
	sc.t.Helper()
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, want) {
		sc.t.Errorf("%q is not on the screen:\n%s", want, screen)
	}
}

// With motion off nothing is arranged for, and nothing that is shown can become
// wrong by itself.
func TestStill(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Settings.Motion, c.Settings.Times = "none", "ago" })
	sc.say(session.Event{ID: "u1", Time: sc.at, Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}})
	before := sc.screen()
	sc.contains("thinking · esc esc stops                                          since 10:41")
	sc.wait(time.Second) // what the turn itself arranged for
	for _, due := range sc.timers {
		if _, tick := due.msg(due.at).(conversation.TickMsg); tick {
			t.Error("a timer ticks")
		}
	}
	drawn := sc.writes
	sc.wait(time.Hour)
	if sc.writes != drawn {
		t.Errorf("drawn %d times by itself", sc.writes-drawn)
	}
	if after := sc.screen(); !slices.Equal(before, after) {
		t.Errorf("changed by itself: %q", after)
	}
	sc.m.win.Front.Input.Interrupt()
	sc.update(conversation.WakeMsg(sc.at))
	sc.wait(10 * time.Second)
	sc.contains("/stop ends it")
}

// With motion off nothing is arranged for again and again in any of the states in
// which something moves otherwise: once all is quiet, no timer is left.
func TestStillTimers(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(sc *scenario){
		"idle": func(*scenario) {},
		"turn": func(*scenario) {},
		"question": func(sc *scenario) {
			sc.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "1", Question: "Which?"}})
		},
		"permission": func(sc *scenario) { sc.say(session.Decode([]byte(permissionSample))) },
		"todo":       func(sc *scenario) { sc.step("todo", "in_progress Look into it") },
		"task":       func(sc *scenario) { sc.step("task", "shell running 7 go test") },
		"tasks": func(sc *scenario) {
			sc.step("task", "agent running 7 Look into it")
			sc.step("type", "/tasks")
			sc.step("key", "enter")
		},
		"compaction": func(sc *scenario) { sc.say(session.Event{Body: session.SessionCompactionStart{}}) },
		"hint":       func(sc *scenario) { sc.m.win.Front.ShowHint("A hint.") },
		"draft":      func(sc *scenario) { sc.step("type", "half a thought") },
		"theme":      func(sc *scenario) { sc.step("type", "/theme"); sc.step("key", "enter down") },
		"blurred":    func(sc *scenario) { sc.step("blur", "") },
	} {
		sc := newScenario(t, func(c *Config) { c.Settings.Motion, c.Settings.Times = "none", "ago" })
		if name != "idle" {
			sc.say(session.Event{ID: "u1", Time: sc.at, Body: session.UserMessage{Content: "go"}},
				session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}})
		}
		do(sc)
		sc.wait(10 * time.Second)
		for _, due := range sc.timers {
			t.Errorf("%s: %T in %v", name, due.msg(due.at), due.at.Sub(sc.at))
		}
	}
}

func TestTimesAndDensity(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]render.Times{
		"": render.TimesClock, "clock": render.TimesClock, "ago": render.TimesAgo, "full": render.TimesFull, "off": render.TimesOff,
	} {
		if got := (Config{Settings: settings.Settings{Times: name}}).Times(); got != want {
			t.Errorf("times %q: %v", name, got)
		}
	}
	for name, want := range map[string]render.Density{"": render.Normal, "normal": render.Normal, "compact": render.Compact, "verbose": render.Verbose} {
		sc := newScenario(t, func(c *Config) { c.Settings.Density = name })
		if got := sc.m.win.Front.Pane.Density; got != want {
			t.Errorf("density %q: %v", name, got)
		}
	}
}

// How long ago something was goes on by itself, a minute at a time.
func TestTimesAgo(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Settings.Times = "ago" })
	sc.say(session.Event{ID: "u1", Time: sc.at, Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "i1", Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
	sc.contains("now")
	sc.wait(5 * time.Minute)
	sc.contains("5 m ago")
	ticks := 0
	for _, due := range sc.timers {
		if _, is := due.msg(due.at).(conversation.AgeMsg); is {
			ticks++
		}
	}
	if ticks != 1 {
		t.Errorf("%d timers", ticks)
	}
}

// The title is the session's, and can be left alone.
func TestNoTitle(t *testing.T) {
	t.Parallel()
	for _, off := range []bool{false, true} {
		sc := newScenario(t, func(c *Config) { c.Settings.Terminal.Title = !off })
		sc.screen()
		if title := sc.m.View().WindowTitle; (title == "") != off {
			t.Errorf("off %t: title %q", off, title)
		}
	}
}

// uses are what the window does to the terminal besides drawing. The bells are of
// the notes of the scenario.
func (sc *scenario) uses() string {
	sc.screen()
	v := sc.m.View()
	var all []string
	for name, is := range map[string]bool{
		"title": v.WindowTitle != "", "progress": v.ProgressBar != nil, "mouse": v.MouseMode != tea.MouseModeNone,
		"links": strings.Contains(v.Content, "\x1b]8;"), "images": sc.m.win.Config.Environment().MayShowImages(),
	} {
		if is {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return strings.Join(append(all, strings.Fields(sc.bells())...), " ")
}

// TestEachTerminalFeatureByItself: with everything off the window does nothing to
// the terminal but draw, and each setting brings one thing back and nothing else.
func TestEachTerminalFeatureByItself(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*settings.Settings){
		"":         func(*settings.Settings) {},
		"mouse":    func(s *settings.Settings) { s.Mouse.Wheel = true },
		"title":    func(s *settings.Settings) { s.Terminal.Title = true },
		"progress": func(s *settings.Settings) { s.Terminal.Progress = true },
		"images":   func(s *settings.Settings) { s.Terminal.Pictures = true },
		"links":    func(s *settings.Settings) { s.Terminal.Links = true },
		`\a`:       func(s *settings.Settings) { s.Notify.NeedsYou = "bell" },
	} {
		sc := newScenario(t, func(c *Config) {
			c.Env = []string{"TERM_PROGRAM=ghostty", "TERM=xterm-ghostty", "COLORTERM=truecolor"}
			c.Settings.Mouse, c.Settings.Terminal = settings.Mouse{}, settings.Terminal{}
			c.Settings.Notify = settings.Notify{NeedsYou: "off", Done: "off", Error: "off"}
			change(&c.Settings)
		})
		sc.redress()
		sc.step("blur", "")
		sc.s.calls = nil
		sc.begin("1")
		sc.say(session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{MessageID: "m", Content: "Read [the guide](https://example.com/guide) first."}})
		sc.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "1", Question: "Which?"}})
		if got := sc.uses(); got != want {
			t.Errorf("the window uses %q, want %q", got, want)
		}
	}
}
