package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions/fake"
	"parley/render"
	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
)

// The progress follows the turn, is sent again before a terminal hides it, and
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

// waiting is a turn in which a call waits for the user, and nothing else runs.
func waiting(sc *scenario) {
	sc.say(session.Event{ID: "u1", Time: sc.at, Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}},
		session.Event{ID: "s1", Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: "c1", ToolName: "bash", Arguments: []byte(`{"command":"git push origin main"}`)}},
		session.Decode([]byte(permissionSample)))
}

// Where nothing on the screen changes by itself, nothing is arranged for: once all is
// quiet, no timer is left. What moves is in TestMovesBesideAQuestion.
func TestIdleTimers(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(sc *scenario){
		"prompt": func(*scenario) {},
		"answered": func(sc *scenario) {
			sc.say(session.Event{ID: "u1", Time: sc.at, Body: session.UserMessage{Content: "go"}},
				session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}},
				session.Event{ID: "m1", Time: sc.at, Body: session.AssistantMessage{MessageID: "m1", Content: "Done."}},
				session.Event{Ephemeral: true, Body: session.AssistantIdle{}}, session.Event{Ephemeral: true, Body: session.SessionIdle{}})
		},
		"permission": waiting,
		"permission with its keys": func(sc *scenario) {
			waiting(sc)
			sc.step("key", "tab")
		},
		"permission put off": func(sc *scenario) {
			waiting(sc)
			sc.step("key", "esc")
		},
		"question": func(sc *scenario) {
			sc.say(session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}},
				session.Event{ID: "s1", Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: "c1", ToolName: "ask_user"}},
				session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "1", ToolCallID: "c1", Question: "Which?"}})
		},
		"question of a sub-agent": func(sc *scenario) {
			sc.say(session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}},
				session.Event{ID: "s1", Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "task"}},
				session.Event{ID: "a1", Agent: "a", Time: sc.at, Body: session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}},
				session.Event{ID: "s2", Agent: "a", Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: "c1", ToolName: "bash"}})
			ev := session.Decode([]byte(permissionSample))
			ev.Agent = "a"
			sc.say(ev)
		},
		"sessions": func(sc *scenario) { sc.step("key", "ctrl+x s") },
		"draft":    func(sc *scenario) { sc.step("type", "half a thought") },
		"commands": func(sc *scenario) { sc.step("type", "/") },
		"blurred":  func(sc *scenario) { sc.step("blur", "") },
	} {
		for _, motion := range []string{"full", "none"} {
			sc := newScenario(t, func(c *Config) {
				c.Settings.Motion = motion
				c.Sessions = fake.Some(t)
			})
			do(sc)
			sc.wait(10 * time.Second)
			for _, due := range sc.timers {
				t.Errorf("%s, motion %s: %T in %v", name, motion, due.msg(due.at), due.at.Sub(sc.at))
			}
		}
	}
}

// What else runs while a question waits is updated once a second.
func TestMovesBesideAQuestion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event   session.Event
		showing string
	}{
		"call": {session.Event{Body: session.ToolExecutionStart{
			ToolCallID: "c2", ToolName: "bash", Arguments: []byte(`{"command":"make test"}`),
		}}, "7 s"},
		"sub-agent": {session.Event{Agent: "a", Body: session.SubagentStarted{ToolCallID: "c3", AgentName: "explore"}}, "7 s"},
		"next attempt": {session.Event{Ephemeral: true, Body: session.SessionInfo{
			InfoType: "model_retry", Message: "Rate limit reached. Retrying in 20 seconds",
		}}, "again in 13 s"},
	} {
		sc := newScenario(t, nil)
		waiting(sc)
		if name == "next attempt" {
			sc.say(session.Event{Ephemeral: true, Time: sc.at, Body: session.ModelCallFailure{StatusCode: 429}},
				session.Event{Ephemeral: true, Time: sc.at, Body: session.AssistantTurnRetry{Reason: "rate_limit"}})
		}
		c.event.ID, c.event.Time = "also", sc.at
		sc.say(c.event)
		sc.wait(7500 * time.Millisecond)
		if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, c.showing) {
			t.Errorf("%s: %q is not on the screen:\n%s", name, c.showing, screen)
		}
	}
}

// While the model is waited for, the screen counts down to the next attempt if the agent
// said when it is made, and else says that it did not: nothing is guessed. What stops it
// stands beside.
func TestCountdownOfRetry(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(session.Event{ID: "u1", Time: sc.at, Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{TurnID: "0"}},
		session.Event{Ephemeral: true, Time: sc.at, Body: session.ModelCallFailure{StatusCode: 429}})
	sc.wait(4 * time.Second)
	sc.contains("Waiting to try again, no time given.")
	sc.contains("waiting to try again (attempt 2) · esc esc stops")
	sc.say(session.Event{Ephemeral: true, Time: sc.at, Body: session.SessionInfo{
		InfoType: "model_retry", Message: "Slow down. Retrying in 7 s",
	}})
	sc.contains("Slow down. Trying again.")
	sc.contains("again in 7 s")
	sc.contains("trying again in 7 s (attempt 2) · esc esc stops")
	sc.wait(4500 * time.Millisecond)
	sc.contains("again in 3 s")
	sc.contains("trying again in 3 s (attempt 2) · esc esc stops")
	sc.wait(4 * time.Second)
	sc.contains("trying again (attempt 2) · esc esc stops")
	sc.say(session.Event{Ephemeral: true, Time: sc.at, Body: session.ModelCallFailure{StatusCode: 429, RetryAttempt: 1}})
	sc.contains("waiting to try again (attempt 3) · esc esc stops")
}

// For a terminal that hides progress which is not repeated, it is repeated while a question waits.
func TestProgressOfAQuestion(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Env = []string{"TERM_PROGRAM=ghostty"} })
	waiting(sc)
	sc.wait(time.Second)
	first := *sc.m.View().ProgressBar
	sc.wait(10 * time.Second)
	if again := *sc.m.View().ProgressBar; again == first || again.State != tea.ProgressBarWarning {
		t.Errorf("%v after %v", again, first)
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

// How long ago something was advances by itself, a minute at a time.
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

// No place that shows the title of a session shows the secrets in it.
func TestTitlesHideSecrets(t *testing.T) {
	t.Parallel()
	const secret = "ghp_0123456789abcdefABCDEF0123456789abcd"
	sc := newScenario(t, func(c *Config) { c.Settings.Terminal.Title = true })
	sc.size(140, 45)
	sc.say(session.Event{ID: "t", Time: sc.at, Body: session.SessionTitleChanged{Title: "Use " + secret + " for the release"}})
	sc.screen()
	front := sc.m.win.Front
	for where, text := range map[string]string{
		"terminal": sc.m.View().WindowTitle, "tab": front.Summary.Name(), "program of the status line": front.Summary.ScriptInput().Title,
		"report": strings.Join(front.Reports.SessionReport().Draw(sc.m.win.Theme, 140), "\n"),
	} {
		if strings.Contains(text, "ghp_") || !strings.Contains(text, "Use [github pat hidden]") {
			t.Errorf("%s: %q", where, text)
		}
	}
	if name := front.Exports.NameFor(secret); strings.Contains(name, "0123") {
		t.Errorf("the name of an export: %q", name)
	}
}

// uses are what the window does to the terminal other than drawing. The bells are of
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
		`\a`:       func(s *settings.Settings) { s.Notify.Question = "bell" },
	} {
		sc := newScenario(t, func(c *Config) {
			c.Env = []string{"TERM_PROGRAM=ghostty", "TERM=xterm-ghostty", "COLORTERM=truecolor"}
			c.Settings.Mouse, c.Settings.Terminal = settings.Mouse{}, settings.Terminal{}
			c.Settings.Notify = settings.Notify{Approval: "off", Question: "off", Done: "off", Error: "off"}
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
