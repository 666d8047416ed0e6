package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/picker"
)

func (sc *scenario) draft() string { return sc.m.win.Front.Composer.Text() }

// working starts a turn that does not end.
func (sc *scenario) working() {
	sc.say(
		session.Event{ID: "u1", Time: sc.at, Body: session.UserMessage{Content: "go on", MessageID: "m1"}},
		session.Event{ID: "t1", Time: sc.at, Body: session.AssistantTurnStart{TurnID: "0"}},
	)
}

func (sc *scenario) idle() {
	sc.say(
		session.Event{ID: "i1", Time: sc.at, Ephemeral: true, Body: session.AssistantIdle{}},
		session.Event{ID: "i2", Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}},
	)
}

func contains(calls []string, part string) bool {
	return slices.ContainsFunc(calls, func(c string) bool { return strings.Contains(c, part) })
}

// What was written on a card that closed by itself is in the draft, and the
// Enter that was meant for the card sends nothing.
func TestClosedCardKeepsWords(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.say(asking("p", "ls"))
	sc.wait(time.Second)
	sc.step("key", "n")
	sc.wait(500 * time.Millisecond)
	sc.step("type", "no, never delete")
	sc.say(session.Event{Body: session.PermissionCompleted{RequestID: "p", Result: session.PermissionResult{Kind: "approved"}}})
	sc.step("key", "enter")
	if sc.draft() != "no, never delete" || contains(sc.s.calls, "send") {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
}

// An answer that could not be delivered leaves the question open and the words
// with the user.
func TestFailedAnswerReopens(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(asking("p", "ls"))
	sc.wait(time.Second)
	sc.step("key", "n")
	sc.wait(500 * time.Millisecond)
	sc.step("type", "use rg")
	sc.s.fail = errors.New("broken pipe")
	sc.step("key", "enter")
	sc.wait(time.Second)
	if sc.m.win.Front.Questions.Len() != 1 || sc.draft() != "use rg" {
		t.Errorf("%d questions, draft %q\n%s", sc.m.win.Front.Questions.Len(), sc.draft(), strings.Join(sc.screen(), "\n"))
	}
	sc.s.fail = session.ErrResolved
	sc.step("key", "ctrl+c ctrl+x p")
	sc.wait(time.Second)
	sc.step("key", "y")
	sc.wait(time.Second)
	if sc.m.win.Front.Questions.Len() != 0 {
		t.Error("a question that was settled elsewhere came back")
	}
}

// Shift+Tab changes the mode from the composer, and from nowhere else.
func TestModeKeyIsTheComposers(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(asking("p", "ls"))
	sc.step("key", "shift+tab")
	sc.wait(time.Second)
	sc.step("key", "shift+tab")
	sc.step("key", "n")
	sc.wait(500 * time.Millisecond)
	sc.step("type", "no")
	sc.step("key", "shift+tab")
	sc.step("key", "esc esc esc")
	sc.m.win.Front.Commands.Run("help", "")
	sc.step("key", "shift+tab esc")
	if contains(sc.s.calls, "mode") {
		t.Errorf("the mode changed: %v", sc.s.calls)
	}
	sc.step("key", "shift+tab shift+tab")
	if got := []string{"mode plan", "mode autopilot"}; !slices.Equal(sc.s.calls, got) {
		t.Errorf("calls %v, want %v", sc.s.calls, got)
	}
}

// An interrupt that failed, or a turn that began with the batch in which the
// last one ended, leaves nothing behind; a second interrupt goes out again.
func TestInterruptState(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.step("key", "esc esc")
	sc.wait(time.Second)
	sc.step("key", "esc esc")
	if n := len(sc.s.calls); n != 2 {
		t.Errorf("%d requests to stop after two interrupts", n)
	}
	sc.update(toFront(sc.m, conversation.AbortedMsg{Session: sc.s, Err: errors.New("timeout")}))
	if !sc.m.win.Front.Aborting.IsZero() {
		t.Error("a failed request to stop still counts as cancelling")
	}
	sc.step("key", "esc esc")
	sc.say(
		session.Event{ID: "i", Ephemeral: true, Body: session.AssistantIdle{Aborted: true}},
		session.Event{ID: "u2", Body: session.UserMessage{Content: "next"}},
		session.Event{ID: "t2", Body: session.AssistantTurnStart{TurnID: "0"}},
	)
	if !sc.m.win.Front.Aborting.IsZero() || !sc.m.win.Front.Busy() {
		t.Errorf("cancelling %v, busy %t in the next turn", sc.m.win.Front.Aborting, sc.m.win.Front.Busy())
	}
}

// What waited behind an interrupted turn comes back as the prompts that it was, in its
// order, and what waited behind its end never as a part of what is being typed.
func TestInterruptGivesBackWhatWaited(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, said string
		waiting     []session.Pending
		want        []string // the drafts, one after another
	}{
		{"", "Interrupted; the queued prompt is in the composer.", []session.Pending{{Text: "then this"}}, []string{"then this"}},
		{
			"", "Interrupted with 2 prompts queued. They are stashed: ctrl+s in an empty composer restores the next.",
			[]session.Pending{{Text: "steer me", Steering: true}, {Text: "then this"}, {Text: "and that"}},
			[]string{"steer me", "then this", "and that"},
		},
		{
			"", "Interrupted with 2 prompts queued. The first is in the composer, the rest is stashed: ctrl+s in an empty composer restores the next.",
			[]session.Pending{{Text: "then this"}, {Text: "and that"}},
			[]string{"then this", "and that"},
		},
		{
			"and more", "Interrupted with 2 prompts queued. They are stashed: ctrl+s in an empty composer restores the next.",
			[]session.Pending{{Text: "then this"}, {Text: "and that"}},
			[]string{"and more", "then this", "and that"},
		},
		{
			"and more", "Interrupted with 3 prompts queued. They are stashed",
			[]session.Pending{{Text: "go on"}, {Text: "then this"}, {Text: "go on"}},
			[]string{"and more", "go on", "then this", "go on"},
		},
	} {
		sc := newScenario(t, nil)
		sc.size(140, 45)
		sc.working()
		sc.s.pending = c.waiting
		sc.say(session.Event{Ephemeral: true, Body: session.PendingMessagesModified{}})
		sc.step("type", c.typed)
		sc.say(session.Event{ID: "a", Body: session.Abort{Reason: "user_initiated"}}, session.Event{Body: session.AssistantIdle{Aborted: true}})
		sc.contains(c.said)
		if contains(sc.s.calls, "send") {
			t.Errorf("calls %q", sc.s.calls)
		}
		var got []string
		for range c.want {
			got = append(got, sc.draft())
			sc.step("key", "enter ctrl+s")
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("drafts %q, want %q", got, c.want)
		}
	}
}

// A session that ends during a turn leaves a window that can be left, and no
// timer.
func TestLostSession(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.step("end", "")
	sc.wait(time.Minute)
	if sc.m.win.Front.Busy() || len(sc.timers) != 0 || sc.m.win.Front.Agent != nil {
		t.Errorf("busy %t, %d timers, agent %v", sc.m.win.Front.Busy(), len(sc.timers), sc.m.win.Front.Agent)
	}
	sc.step("key", "ctrl+c ctrl+c")
	if !sc.quit {
		t.Error("ctrl+c twice does not leave")
	}
}

// A note for yes that cannot be sent any more is in the draft.
func TestNoteSurvivesInterrupt(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.say(asking("p", "go test"))
	sc.update(toFront(sc.m, conversation.RespondedMsg{Session: sc.s, Answer: session.Refusal{}})) // of something else
	sc.m.win.Front.Answers.KeepNote(session.PermissionAnswer{RequestID: "p", Decision: session.ApproveOnce, Note: "then commit"})
	sc.say(
		session.Event{ID: "a", Body: session.Abort{Reason: "user_initiated"}},
		session.Event{ID: "c", Body: session.ToolExecutionComplete{ToolCallID: "call-p"}},
	)
	if sc.draft() != "then commit" || contains(sc.s.calls, "send") {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
}

// A list of models that comes late takes no keys from the draft, and no model
// is chosen before the user chose one.
func TestModelsComeLate(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	all := []session.Model{{ID: "a-first"}, {ID: "b"}}
	models := conversation.ResultMsg{Session: sc.s, Show: func() tea.Cmd { return sc.m.win.Front.Options.PickModel(all) }}
	sc.step("type", "fix the")
	sc.update(toFront(sc.m, models))
	sc.step("type", " bug")
	if sc.draft() != "fix the bug" || conversation.Over[*picker.Picker](sc.m.win) != nil {
		t.Errorf("draft %q, list %v", sc.draft(), conversation.Over[*picker.Picker](sc.m.win))
	}
	sc.step("key", "ctrl+c")
	models.Pressed = sc.m.win.Pressed
	sc.update(toFront(sc.m, models))
	sc.step("key", "enter")
	if contains(sc.s.calls, "model") {
		t.Errorf("calls %v", sc.s.calls)
	}
	sc.step("key", "down enter")
	if !contains(sc.s.calls, "model a-first") {
		t.Errorf("calls %v", sc.s.calls)
	}
	sc.update(conversation.ResultMsg{Session: &scriptedSession{}, Show: models.Show})
	if conversation.Over[*picker.Picker](sc.m.win) != nil {
		t.Error("the models of another session are shown")
	}
}

// Going back in what was sent loses neither the draft nor a changed prompt.
func TestRecallKeepsDrafts(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	for _, p := range []string{"one", "two"} {
		sc.step("type", p)
		sc.step("key", "enter")
	}
	for _, c := range []struct{ typed, keys, want string }{
		{"", "up", "two"},
		{"", "up up", "one"},
		{"", "up up up", "one"},
		{"", "up up down down", ""},
		{"o", "up", "one"},
		{"o", "ctrl+p ctrl+n", "o"},
		{"t", "up up", "two"},
		{"neither", "up", "neither"},
	} {
		sc.m.win.Front.Draft.SetDraft(drafts.Draft{})
		sc.step("type", c.typed)
		sc.step("key", c.keys)
		if sc.draft() != c.want {
			t.Errorf("%q, then %s: draft %q, want %q", c.typed, c.keys, sc.draft(), c.want)
		}
	}
	sc.m.win.Front.Draft.SetDraft(drafts.Draft{})
	sc.step("key", "up")
	sc.step("type", " changed")
	sc.step("key", "up down")
	if sc.draft() != "two changed" {
		t.Errorf("draft %q", sc.draft())
	}
}

// At the very start a failure to open ends the program with its reason; once
// something was written, it is said in the window and nothing is lost.
func TestAgentThatDoesNotStart(t *testing.T) {
	t.Parallel()
	fails := func(c *Config) {
		c.Agent = func(context.Context) (session.Agent, error) { return nil, errors.New("too old") }
	}
	sc := newScenario(t, fails)
	if !sc.quit || sc.m.switcher.failed == nil {
		t.Errorf("quit %t, failed %v", sc.quit, sc.m.switcher.failed)
	}
	sc = newScenario(t, nil)
	sc.m.win.Front.Session, sc.m.win.Front.Opening = nil, true
	sc.step("type", "hello")
	sc.step("key", "enter")
	sc.step("type", "more")
	sc.update(toFront(sc.m, conversation.OpenedMsg{Err: errors.New("too old")}))
	if sc.quit || sc.draft() != "hello\nmore" || !strings.Contains(strings.Join(sc.screen(), "\n"), "too old") {
		t.Errorf("quit %t, draft %q\n%s", sc.quit, sc.draft(), strings.Join(sc.screen(), "\n"))
	}
}

// TestSessionIsStarting: what a session can do is not known before it is there.
func TestSessionIsStarting(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Front.Session, sc.m.win.Front.Opening = nil, true
	sc.step("key", "shift+tab")
	sc.contains("The session is starting: try again in a moment.")
}

// Prompts reach the session in the order in which they were sent, however the
// commands are run.
func TestPromptsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	first, second := sc.m.win.Front.Queue.SendText("1", session.Enqueue), sc.m.win.Front.Queue.SendText("2", session.Enqueue)
	done := make(chan struct{})
	go func() { second(); close(done) }()
	first()
	<-done
	if want := []string{`send enqueue "1"`, `send enqueue "2"`}; !slices.Equal(sc.s.calls, want) {
		t.Errorf("%v", sc.s.calls)
	}
}

// A card is never taller than the room it has, and what it hides is not
// approved: with any draft, at any size.
func TestHiddenLinesAreNotApproved(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"60x20", "80x24", "100x30"} {
		for rows := range 6 {
			for lines := 1; lines < 24; lines++ {
				sc := newScenario(t, nil)
				sc.step("size", size)
				sc.m.win.Front.Draft.Insert(strings.Repeat("draft\n", rows) + "x")
				sc.say(asking("p", strings.TrimRight(strings.Repeat("echo a\n", lines), "\n")))
				sc.wait(time.Second)
				sc.step("key", "ctrl+x p")
				sc.wait(time.Second)
				hidden := strings.Contains(strings.Join(sc.screen(), "\n"), " lines: ")
				sc.step("key", "y")
				sc.wait(time.Second)
				if got := answers(sc.s); hidden == (len(got) != 0) {
					t.Fatalf("%s, %d rows of draft, %d lines: hidden %t, answers %v\n%s",
						size, rows, lines, hidden, got, strings.Join(sc.screen(), "\n"))
				}
			}
		}
	}
}

// Without a terminal's colours and letters every mark has a plain form, and
// nothing is drawn that is not ASCII but what the texts hold.
func TestPlainTerminal(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Env = []string{"LANG=de_DE.ISO-8859-1", "NO_COLOR=1"} })
	sc.redress()
	if !sc.m.win.Theme.ASCII || sc.m.win.Theme.Name != theme.Mono().Name {
		t.Fatalf("theme %s, ASCII %t", sc.m.win.Theme.Name, sc.m.win.Theme.ASCII)
	}
	sc.working()
	for _, line := range sc.screen() {
		for _, r := range line {
			if r > 0x7e {
				t.Errorf("%q in %q", r, line)
			}
		}
	}
	sc.idle()
}

// What the command line permits is answered without a card, everything else is
// asked; that nothing asks is said all the time.
func TestPermittedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.AllowAll = true
		c.Permit = func(p session.PermissionRequested) bool { return p.PermissionRequest.FullCommandText == "ls" }
	})
	hook := asking("h", "ls")
	body, _ := hook.Body.(session.PermissionRequested)
	body.ResolvedByHook = true
	hook.Body = body
	replayed := asking("r", "ls")
	replayed.Replayed = true
	sc.say(asking("before", "ls")) // of an earlier run of the session
	if got := answers(sc.s); len(got) != 0 || sc.m.win.Front.Questions.Len() != 1 {
		t.Fatalf("answers %v, %d questions", got, sc.m.win.Front.Questions.Len())
	}
	sc.say(session.Event{Body: session.PermissionCompleted{RequestID: "before"}})
	sc.wait(4 * time.Second)
	sc.working()
	sc.say(asking("p", "ls"), asking("q", "rm"), hook, replayed)
	if want := []string{"answer p approve-once"}; !slices.Equal(answers(sc.s), want) || sc.m.win.Front.Questions.Len() != 1 {
		t.Errorf("answers %v, %d questions", answers(sc.s), sc.m.win.Front.Questions.Len())
	}
	if status := sc.screen()[23]; !strings.Contains(status, "allow-all") {
		t.Errorf("status line: %s", status)
	}
	sc.s.fail = errors.New("broken pipe")
	sc.say(asking("x", "ls"))
	if sc.m.win.Front.Questions.Len() != 2 {
		t.Error("a permission whose answer was not delivered has no card")
	}
	unread := asking("u", "ls")
	unread.Unreadable = []session.Unreadable{{Path: "/data/permissionRequest/warning"}}
	sc.say(unread)
	if got := answers(sc.s); len(got) != 2 || sc.m.win.Front.Questions.Len() != 3 {
		t.Errorf("a part could not be read: answers %v, %d questions", got, sc.m.win.Front.Questions.Len())
	}
}
