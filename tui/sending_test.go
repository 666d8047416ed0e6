package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// handing presses a key that sends a prompt, and returns what hands it over, to be
// run later: until then the agent does not answer. All else happens.
func (sc *scenario) handing(key string) tea.Cmd {
	sc.t.Helper()
	batch, ok := sc.later(key)().(tea.BatchMsg)
	if !ok {
		sc.t.Fatal("it asks for nothing")
	}
	sc.run(tea.Batch(batch[1:]...))
	return batch[0]
}

// unanswered is how a call fails that the agent did not answer in time.
func unanswered() error {
	return fmt.Errorf("send the prompt: the Copilot CLI did not answer within 30 s (%w)", session.ErrUnanswered)
}

// waitingTexts are the prompts that are kept for the case that the window is killed.
func (sc *scenario) waitingTexts() (all []string) {
	for _, d := range sc.m.drafts.unsent().Waiting {
		all = append(all, d.Text)
	}
	return all
}

// A prompt that the agent takes at once is never shown as on its way; one that it
// does not is, and is kept until it is taken. Then nothing ticks.
func TestPromptOnItsWay(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "first thing")
	send := sc.handing("enter")
	if got := sc.waitingTexts(); !slices.Equal(got, []string{"first thing"}) || sc.draft() != "" {
		t.Errorf("kept %q, draft %q", got, sc.draft())
	}
	sc.lacks("sending")
	sc.step("type", "second thing")
	second := sc.handing("enter")
	sc.wait(time.Second)
	sc.contains("sending   first thing")
	sc.contains("sending   second thing")
	sc.lacks("queued")
	sc.step("key", "ctrl+x q")
	sc.contains("The agent has not taken it yet")
	sc.run(send)
	sc.lacks("first thing  ")
	sc.run(second)
	sc.wait(time.Minute)
	sc.lacks("sending")
	if got := sc.waitingTexts(); len(got) > 0 || len(sc.timers) > 0 {
		t.Errorf("kept %q, %d timers", got, len(sc.timers))
	}
	if want := []string{`send enqueue "first thing"`, `send enqueue "second thing"`}; !slices.Equal(sc.sends(), want) {
		t.Errorf("sent %q", sc.sends())
	}
}

// It is shown where nothing moves, too.
func TestPromptOnItsWayWithoutMotion(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Settings.Motion = "none" })
	sc.step("type", "first thing")
	send := sc.handing("enter")
	sc.wait(time.Second)
	sc.contains("sending   first thing")
	sc.run(send)
	sc.wait(time.Minute)
	if len(sc.timers) > 0 {
		t.Errorf("%d timers", len(sc.timers))
	}
}

// A window that is killed while a prompt is on its way leaves it to the next one,
// also one that is not kept among the prompts.
func TestPromptOnItsWayIsKept(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	sc := newScenario(t, keeping(state, "/src"))
	sc.step("type", " a secret thing")
	sc.handing("enter")
	sc.wait(time.Second / 2)
	if err := sc.m.win.Journal.File.Close(); err != nil { // as a window that is killed: what it wrote last stays
		t.Fatal(err)
	}
	next := newScenario(t, keeping(state, "/src"))
	if next.draft() != " a secret thing" {
		t.Errorf("draft %q", next.draft())
	}
	next.leave()
}

// What a window has sent is not in the journal that it leaves.
func TestTakenPromptIsNotKept(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	sc := newScenario(t, keeping(state, "/src"))
	sc.step("type", "a thing")
	send := sc.handing("enter")
	sc.wait(time.Second / 2)
	sc.run(send)
	sc.wait(time.Second / 2)
	if err := sc.m.win.Journal.File.Close(); err != nil {
		t.Fatal(err)
	}
	next := newScenario(t, keeping(state, "/src"))
	if next.draft() != "" {
		t.Errorf("draft %q", next.draft())
	}
	next.leave()
}

// A prompt that the agent does not take in time is a draft again, with those behind
// it, in their order. It is said that it may have arrived, and only a key sends it
// again.
func TestPromptThatIsNotTaken(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "first")
	first := sc.handing("enter")
	sc.step("type", "second")
	second := sc.handing("enter")
	sc.step("type", "third")
	sc.s.fail = unanswered()
	sc.run(first)
	sc.s.fail = nil
	if sc.draft() != "first\nsecond\nthird" {
		t.Errorf("draft %q", sc.draft())
	}
	for _, text := range []string{"did not answer within 30 s", "It is not known whether it arrived", "enter sends it again"} {
		if screen := strings.Join(strings.Fields(strings.Join(sc.screen(), " ")), " "); !strings.Contains(screen, text) {
			t.Errorf("%q is not on the screen:\n%s", text, screen)
		}
	}
	sc.lacks("sending")
	sc.s.calls = nil
	sc.run(second)
	sc.wait(time.Minute)
	if len(sc.sends()) > 0 || sc.draft() != "first\nsecond\nthird" {
		t.Errorf("sent %q, draft %q", sc.sends(), sc.draft())
	}
	sc.step("key", "enter")
	if want := []string{`send enqueue "first\nsecond\nthird"`}; !slices.Equal(sc.sends(), want) || sc.draft() != "" {
		t.Errorf("sent %q, draft %q", sc.sends(), sc.draft())
	}
}

// When the session ends while a prompt is on its way, it is said that this one may
// have arrived.
func TestPromptOnItsWayWhenTheSessionEnds(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "first")
	send := sc.handing("enter")
	sc.step("end", "")
	sc.s.fail = unanswered()
	sc.run(send)
	if sc.draft() != "first" {
		t.Errorf("draft %q", sc.draft())
	}
	sc.contains("It is not known whether it arrived")
}

// When the session ends, the prompts that wait in it, those on their way and what is
// being typed are in the composer in the order in which they were written.
func TestOrderOfPromptsWhenTheSessionEnds(t *testing.T) {
	t.Parallel()
	for _, fails := range []error{nil, unanswered()} {
		sc := newScenario(t, nil)
		sc.working()
		sc.step("queue", "q1 first")
		sc.m.win.Front.Composer.InsertChip(image("AAAA"))
		sc.step("type", " second")
		send := sc.handing("ctrl+q")
		sc.step("type", "third")
		sc.step("end", "")
		sc.s.fail = fails
		sc.run(send)
		d := sc.m.win.Front.Composer.Draft()
		if d.Prompt() != "first\n[image-1.png] second\nthird" || len(d.Attachments()) != 1 {
			t.Errorf("draft %q with %d attachments", d.Prompt(), len(d.Attachments()))
		}
		if got := sc.waitingTexts(); len(got) > 0 || len(sc.m.win.Front.Queue.Sending) > 0 {
			t.Errorf("kept %q, %d on their way", got, len(sc.m.win.Front.Queue.Sending))
		}
		if fails == nil {
			sc.contains("had arrived when the session ended")
		} else {
			sc.contains("It is not known whether it arrived")
		}
	}
}

// A prompt that is written after another one failed goes, though one that was
// behind that one has not come back yet.
func TestPromptAfterOneThatFailed(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "first")
	first := sc.handing("enter")
	sc.step("type", "second")
	second := sc.handing("enter")
	sc.s.fail = errors.New("broken pipe")
	sc.run(first)
	sc.s.fail, sc.s.calls = nil, nil
	sc.lacks("not known whether")
	sc.step("key", "ctrl+c")
	sc.step("type", "fourth")
	fourth := sc.handing("enter")
	sc.run(second)
	sc.run(fourth)
	if want := []string{`send enqueue "fourth"`}; !slices.Equal(sc.sends(), want) || sc.draft() != "" || len(sc.m.win.Front.Queue.Sending) > 0 {
		t.Errorf("sent %q, draft %q, %d on their way", sc.sends(), sc.draft(), len(sc.m.win.Front.Queue.Sending))
	}
}

// A prompt is not sent when the mode that it is meant for could not be set.
func TestPromptBehindAModeThatFailed(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.failMode = errors.New("no such mode")
	sc.step("type", "/plan tidy up")
	sc.step("key", "enter")
	if len(sc.sends()) > 0 || sc.draft() != "tidy up" {
		t.Errorf("sent %q, draft %q", sc.sends(), sc.draft())
	}
	sc.contains("no such mode")
	sc.step("key", "enter")
	if want := []string{`send enqueue "tidy up"`}; !slices.Equal(sc.sends(), want) {
		t.Errorf("sent %q", sc.sends())
	}
}

// A prompt that is on its way when its session is left is not shown in another one,
// does not hold that one's prompts up, and is kept until it is known what became
// of it.
func TestPromptOnItsWayOfASessionThatWasLeft(t *testing.T) {
	t.Parallel()
	sc, a := sideBySide(t, 1, nil)
	sc.step("type", "for the first")
	send := sc.handing("enter")
	sc.do(func(m *Model) tea.Cmd { return m.switcher.newSession("") })
	sc.wait(time.Second)
	sc.lacks("sending")
	if got := sc.waitingTexts(); !slices.Equal(got, []string{"for the first"}) {
		t.Errorf("kept %q", got)
	}
	sc.step("type", "for the second")
	sc.run(sc.handing("enter")) // which would wait for ever behind the first
	if !contains(a.opened[1].calls, `send enqueue "for the second"`) {
		t.Errorf("calls %q", a.opened[1].calls)
	}
	a.opened[0].fail = unanswered()
	sc.run(send)
	if got := sc.waitingTexts(); len(got) > 0 || sc.draft() != "for the first" {
		t.Errorf("kept %q, draft %q", got, sc.draft())
	}
}

// A prompt that is on its way when its conversation is closed is put away until it
// is known that it was taken.
func TestPromptOnItsWayOfAClosedConversation(t *testing.T) {
	t.Parallel()
	for _, fails := range []error{nil, unanswered()} {
		sc, a := sideBySide(t, 2, nil)
		sc.step("type", "do it")
		send := sc.handing("enter")
		sc.step("key", "ctrl+x x")
		sc.step("key", "ctrl+x x")
		if len(sc.m.all) != 1 || len(sc.m.win.Unsent().Stash) != 1 || sc.m.win.Unsent().Stash[0].Draft.Text != "do it" {
			t.Fatalf("%d open, put away %v", len(sc.m.all), sc.m.win.Unsent().Stash)
		}
		a.opened[1].fail = fails
		sc.run(send)
		if want := map[bool]int{false: 1}[fails == nil]; len(sc.m.win.Unsent().Stash) != want {
			t.Errorf("%v: put away %v", fails, sc.m.win.Unsent().Stash)
		}
	}
}

// What the agent did not answer is reported with what to do about it, and nothing is
// said of it that is not known.
func TestUnansweredCalls(t *testing.T) {
	t.Parallel()
	late := fmt.Errorf("the Copilot CLI did not answer within 30 s (%w)", errors.Join(session.ErrUnanswered, context.DeadlineExceeded))
	sc := newScenario(t, nil)
	sc.s.failMode = late
	sc.step("key", "shift+tab")
	sc.contains("did not answer within 30 s")
	sc.contains("Try again; /stop ends an agent that does not answer.")

	sc, a := sideBySide(t, 1, nil)
	a.fails = late
	sc.step("key", "ctrl+x w")
	sc.contains("Enter tries again")
	sc.contains("/stop ends an agent that does not answer.")

	sc, a = sideBySide(t, 1, nil)
	a.fails = fmt.Errorf("resume session s9: %w", session.ErrNotStored)
	sc.step("key", "ctrl+x w")
	sc.contains("/new starts another")
	sc.lacks("tries again")

	sc = newScenario(t, nil)
	sc.working()
	sc.say(asking("p", "git push"))
	sc.wait(time.Second)
	sc.s.fail = late
	sc.step("key", "ctrl+x p")
	sc.wait(time.Second)
	sc.step("key", "y")
	sc.wait(time.Second)
	sc.lacks("Nothing was approved by it")
	sc.contains("It is not known whether it arrived; the question is open again.")
	if sc.m.win.Front.Questions.Len() != 1 {
		t.Errorf("%d questions", sc.m.win.Front.Questions.Len())
	}
	sc.say(session.Event{Body: session.PermissionCompleted{RequestID: "p", Result: session.PermissionResult{Kind: "approved"}}})
	if sc.m.win.Front.Questions.Len() != 0 { // it had arrived
		t.Errorf("%d questions", sc.m.win.Front.Questions.Len())
	}
}

// TestPromptLargerThanTheContext: a prompt that the model cannot take is sent by a
// second press only, and stays in the composer until then.
func TestPromptLargerThanTheContext(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(session.Event{ID: "u", Ephemeral: true, Body: session.SessionUsageInfo{TokenLimit: 1000, CurrentTokens: 10}})
	sc.input(tea.PasteMsg{Content: strings.Repeat("word ", 900)}) // 4500 bytes
	sc.step("key", "enter")
	if screen := strings.Join(sc.screen(), "\n"); len(sc.sends()) > 0 || !strings.Contains(screen, "About 1.1 k tokens, of 1 k that the model takes: enter again") {
		t.Errorf("sent %d\n%s", len(sc.sends()), screen)
	}
	sc.step("key", "enter")
	if len(sc.sends()) != 1 {
		t.Errorf("sent %d after the second press", len(sc.sends()))
	}
}

// TestQuestionBesideABlock: a card that comes while a block has the keys does not say that the
// draft has them.
func TestQuestionBesideABlock(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("tab")
	sc.say(session.Event{Body: session.UserInputRequested{RequestID: "p", Question: "Which format?", Choices: []string{"JSON", "CSV"}}})
	sc.wait(time.Second)
	sc.contains("Keys are for the block")
	sc.contains("waiting: ctrl+x p to answer")
	sc.lacks("your draft")
}

// TestDraftAsAnswer: Enter on a draft while a question of the agent's takes words offers both
// uses of it, the answer first, and answers nothing by itself.
func TestDraftAsAnswer(t *testing.T) {
	t.Parallel()
	free := true
	asked := func() *scenario {
		sc := newScenario(t, nil)
		sc.working()
		sc.types("as a table")
		sc.say(session.Event{Body: session.UserInputRequested{RequestID: "p", Question: "Which format?", Choices: []string{"JSON", "CSV"}, AllowFreeform: &free}})
		sc.wait(time.Second)
		sc.contains("keys go to your draft: ctrl+x p to answer, enter offers your draft")
		sc.calm("enter")
		sc.contains("What is it for?")
		if answered(sc) > 0 || len(sc.sends()) > 0 {
			t.Fatalf("calls %q", sc.s.calls)
		}
		return sc
	}
	sc := asked()
	sc.calm("enter")
	if answered(sc) > 0 || sc.draft() != "" || focus(sc.m) != "answering" {
		t.Fatalf("calls %q, draft %q, focus %s", sc.s.calls, sc.draft(), focus(sc.m))
	}
	sc.contains("as a table")
	sc.calm("enter")
	if got := strings.Join(sc.s.calls, " "); !strings.Contains(got, "as a table") || len(sc.sends()) > 0 {
		t.Errorf("calls %q", sc.s.calls)
	}
	sc = asked()
	sc.calm("down", "enter")
	if got := sc.sends(); len(got) != 1 || answered(sc) > 0 {
		t.Errorf("calls %q", sc.s.calls)
	}
}
