package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
)

// bells are the notifications since the last look.
func (sc *scenario) bells() string {
	var all []string
	for _, call := range sc.s.calls {
		if text, ok := strings.CutPrefix(call, "terminal "); ok {
			all = append(all, strings.Trim(text, `"`))
		}
	}
	sc.s.calls = nil
	return strings.Join(all, " ")
}

// TestBellBehindTheEditor: a question rings while the user's own editor has the
// terminal, though the window had the focus.
func TestBellBehindTheEditor(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Settings.Notify = settings.Notify{Question: "osc9"} })
	var rung []string
	sc.m.win.Ring = func(s string) { rung = append(rung, s) }
	sc.m.win.Edit = func(*conversation.Edition) tea.Cmd { return func() tea.Msg { return nil } }
	sc.step("focus", "")
	sc.input(press(t, "ctrl+g"))
	sc.say(session.Event{ID: "e", Ephemeral: true, Body: session.UserInputRequested{RequestID: "1", Question: "Which?"}})
	if len(rung) != 1 || !strings.Contains(rung[0], "Which?") || !strings.HasSuffix(rung[0], "\a") {
		t.Errorf("rung %q", rung)
	}
}

// The user is notified once of each need, and only while they look elsewhere.
func TestNotifications(t *testing.T) {
	t.Parallel()
	const card = `"permissionRequest":{"kind":"shell","fullCommandText":"git push","commands":[]},"promptRequest":{"kind":"commands","fullCommandText":"git push"}`
	asks := func(sc *scenario, id string) {
		sc.step("event", `{"type":"permission.requested","data":{"requestId":"`+id+`",`+card+`},"id":"e`+id+`","ephemeral":true}`)
	}
	answers := func(sc *scenario, id string) {
		sc.step("event", `{"type":"permission.completed","data":{"requestId":"`+id+`","result":{"kind":"approved"}},"ephemeral":true}`)
	}
	turn := func(sc *scenario, id string, last time.Duration) {
		sc.say(session.Event{ID: session.EventID("u" + id), Time: sc.at, Body: session.UserMessage{Content: "go"}},
			session.Event{ID: session.EventID("t" + id), Time: sc.at, Body: session.AssistantTurnStart{}})
		sc.wait(last)
	}
	idle := func(sc *scenario) {
		sc.say(session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantTurnEnd{}},
			session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantIdle{}},
			session.Event{Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
	}
	const needs, done = `\x1b]9;parley: queue: wants to run git push\a`, `\x1b]9;parley: queue: is done after `
	for _, c := range []struct {
		name string
		play func(sc *scenario)
		want string
	}{
		{"in sight", func(sc *scenario) { sc.step("focus", ""); asks(sc, "1"); turn(sc, "1", time.Minute); idle(sc) }, ""},
		{"a question", func(sc *scenario) { asks(sc, "1") }, needs},
		{"two questions", func(sc *scenario) { asks(sc, "1"); sc.wait(time.Second); asks(sc, "2") }, needs},
		{"one after another", func(sc *scenario) { asks(sc, "1"); answers(sc, "1"); asks(sc, "2") }, needs + " " + needs},
		{
			"again, after a look", func(sc *scenario) {
				asks(sc, "1")
				sc.step("focus", "")
				sc.step("blur", "")
				asks(sc, "2")
			}, needs + " " + needs,
		},
		{"of history", func(sc *scenario) {
			sc.step("replay", `{"type":"permission.requested","data":{"requestId":"1",`+card+`},"id":"e1"}`)
		}, ""},
		{"a long turn", func(sc *scenario) { sc.m.win.Front.Queue.Prompted = true; turn(sc, "1", 45*time.Second); idle(sc) }, done + `45 s\a`},
		{"a short turn", func(sc *scenario) { sc.m.win.Front.Queue.Prompted = true; turn(sc, "1", 4*time.Second); idle(sc) }, ""},
		{"a short turn that was not asked for", func(sc *scenario) { turn(sc, "1", 2*time.Second); idle(sc) }, done + `2 s\a`},
		{
			"a whole turn at once", func(sc *scenario) {
				sc.say(session.Event{ID: "t", Time: sc.at, Body: session.AssistantTurnStart{}},
					session.Event{Time: sc.at, Body: session.AssistantTurnEnd{}},
					session.Event{Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
				idle(sc)
			}, done + `0 s\a`,
		},
		{
			"a whole turn at once, which fails", func(sc *scenario) {
				sc.say(session.Event{ID: "t", Time: sc.at, Body: session.AssistantTurnStart{}},
					session.Event{Time: sc.at, Body: session.SessionError{ErrorType: "query", Message: "jammed"}},
					session.Event{Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
			}, `\x1b]9;parley: queue: stopped: jammed\a`,
		},
		{
			"stopped by the user", func(sc *scenario) {
				turn(sc, "1", time.Minute)
				sc.m.win.Front.Input.Interrupt()
				idle(sc)
			}, "",
		},
		{
			"a queue continues", func(sc *scenario) {
				turn(sc, "1", time.Minute)
				sc.step("queue", "q1 next")
				idle(sc)
			}, "",
		},
		{
			"an error", func(sc *scenario) {
				turn(sc, "1", time.Minute)
				sc.say(session.Event{Time: sc.at, Body: session.SessionError{ErrorType: "quota", Message: "No more requests.\nBye"}})
				idle(sc)
			}, `\x1b]9;parley: queue: stopped: No more requests.\a`,
		},
		{
			"an error that was overcome", func(sc *scenario) {
				turn(sc, "1", time.Minute)
				sc.say(session.Event{Time: sc.at, Body: session.SessionError{Message: "once"}},
					session.Event{ID: "t2", Time: sc.at, Body: session.AssistantTurnStart{}})
				idle(sc)
			}, done + `1 m 00 s\a`,
		},
		{"the end of the session", func(sc *scenario) { sc.step("end", "") }, `\x1b]9;parley: queue: the session has ended\a`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, func(c *Config) {
				c.Settings.Notify = settings.Notify{Approval: "osc9", Question: "osc9", Done: "osc9", Error: "osc9", After: 5}
			})
			sc.step("blur", "")
			sc.s.calls = nil
			c.play(sc)
			if got := sc.bells(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestNotifiedOnLeaving: a card or an error that came just before the user looked away was
// hardly seen: they are notified of it then, once, if it still waits.
func TestNotifiedOnLeaving(t *testing.T) {
	t.Parallel()
	asks := func(sc *scenario, id session.RequestID) {
		sc.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: id, Question: "Which " + string(id) + "?"}})
	}
	answered := func(sc *scenario, id session.RequestID) {
		sc.say(session.Event{Ephemeral: true, Body: session.UserInputCompleted{RequestID: id}})
	}
	fails := func(sc *scenario) {
		sc.begin("1")
		sc.wait(time.Minute)
		sc.say(session.Event{Time: sc.at, Body: session.SessionError{ErrorType: "quota", Message: "No more requests."}},
			session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantIdle{}},
			session.Event{Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
	}
	leaves := func(sc *scenario, after time.Duration) { sc.wait(after); sc.step("blur", "") }
	const soon, late = 400 * time.Millisecond, 3 * time.Second
	which := func(id string) string { return `\x1b]9;parley: queue: asks: Which ` + id + `?\a` }
	const stopped = `\x1b]9;parley: queue: stopped: No more requests.\a`
	for name, c := range map[string]struct {
		play func(sc *scenario)
		want string
	}{
		"a question":         {func(sc *scenario) { asks(sc, "1"); leaves(sc, soon) }, which("1")},
		"an error":           {func(sc *scenario) { fails(sc); leaves(sc, soon) }, stopped},
		"a question, read":   {func(sc *scenario) { asks(sc, "1"); leaves(sc, late) }, ""},
		"an error, read":     {func(sc *scenario) { fails(sc); leaves(sc, late) }, ""},
		"answered":           {func(sc *scenario) { asks(sc, "1"); answered(sc, "1"); leaves(sc, soon) }, ""},
		"another waits":      {func(sc *scenario) { asks(sc, "1"); sc.wait(late); asks(sc, "2"); answered(sc, "2"); leaves(sc, soon) }, ""},
		"overcome":           {func(sc *scenario) { fails(sc); sc.begin("2"); leaves(sc, soon) }, ""},
		"left again":         {func(sc *scenario) { asks(sc, "1"); leaves(sc, soon); sc.step("focus", ""); leaves(sc, soon) }, which("1")},
		"one more, behind":   {func(sc *scenario) { asks(sc, "1"); leaves(sc, soon); asks(sc, "2") }, which("1")},
		"after it, behind":   {func(sc *scenario) { asks(sc, "1"); leaves(sc, soon); answered(sc, "1"); asks(sc, "2") }, which("1") + " " + which("2")},
		"read, then another": {func(sc *scenario) { asks(sc, "1"); leaves(sc, late); asks(sc, "2") }, which("2")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, func(c *Config) {
				c.Settings.Notify = settings.Notify{Approval: "off", Question: "osc9", Done: "off", Error: "osc9", After: 5}
			})
			sc.step("focus", "")
			sc.s.calls = nil
			c.play(sc)
			if got := sc.bells(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Each need has a switch of its own, one that is off does not stand for another, and the
// bell rings by itself.
func TestNotificationSwitches(t *testing.T) {
	t.Parallel()
	off := settings.Notify{Approval: "off", Question: "off", Done: "off", Error: "off"}
	for name, c := range map[string]struct {
		on   func(*settings.Notify)
		want string // after the approval, the question, the end of a turn, an error
	}{
		"none":     {func(*settings.Notify) {}, ", , , "},
		"approval": {func(n *settings.Notify) { n.Approval = "auto" }, `\a, , , `},
		"question": {func(n *settings.Notify) { n.Question = "auto" }, `, \a, , `},
		"both":     {func(n *settings.Notify) { n.Approval, n.Question = "auto", "auto" }, `\a, , , `},
		"done":     {func(n *settings.Notify) { n.Done = "auto" }, `, , \a, `},
		"error":    {func(n *settings.Notify) { n.Error = "auto" }, `, , , \a`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, func(cfg *Config) { cfg.Settings.Notify = off; c.on(&cfg.Settings.Notify) })
			sc.step("blur", "")
			sc.s.calls = nil
			sc.say(session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{}})
			sc.say(session.Event{Ephemeral: true, Body: session.ExitPlanModeRequested{RequestID: "1", PlanContent: "Drain the queue"}})
			rung := []string{sc.bells()}
			sc.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "2", Question: "Which?"}})
			rung = append(rung, sc.bells())
			if sc.m.win.Front.Questions.Len() != 2 {
				t.Errorf("%d cards", sc.m.win.Front.Questions.Len())
			}
			idle := []session.Event{
				{Time: sc.at, Ephemeral: true, Body: session.AssistantIdle{}}, {Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}},
			}
			sc.say(session.Event{Ephemeral: true, Body: session.ExitPlanModeCompleted{RequestID: "1"}},
				session.Event{Ephemeral: true, Body: session.UserInputCompleted{RequestID: "2"}})
			sc.wait(time.Minute)
			sc.say(idle...)
			rung = append(rung, sc.bells())
			sc.say(session.Event{ID: "t2", Time: sc.at, Body: session.AssistantTurnStart{}},
				session.Event{Time: sc.at, Body: session.SessionError{ErrorType: "quota", Message: "No more requests."}})
			sc.say(idle...)
			if got := strings.Join(append(rung, sc.bells()), ", "); got != c.want {
				t.Errorf("rung %s, want %s", got, c.want)
			}
		})
	}
}
