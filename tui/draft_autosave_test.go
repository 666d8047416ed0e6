package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/conversation"
)

// keeping gives a scenario a folder for what outlives the window.
func keeping(state, dir string) func(*Config) {
	return func(c *Config) {
		c.StateDir, c.Options.Dir = state, dir
		c.Now = func() time.Time { return started }
	}
}

// leave ends the scenario's window as the program does.
func (sc *scenario) leave() {
	sc.t.Helper()
	if err := sc.m.drafts.end(true); err != nil {
		sc.t.Fatal(err)
	}
}

// What was not sent is there again in the next window of the folder, and in no
// other folder's.
func TestUnsentComesBack(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	sc := newScenario(t, keeping(state, "/src/queue"))
	sc.step("type", "put away")
	sc.step("key", "ctrl+s")
	sc.step("type", "half a thought")
	sc.step("key", "left left")
	long := strings.Repeat("a line of a paste\n", 50)
	sc.input(tea.PasteMsg{Content: long})
	sc.wait(time.Second / 2)
	sc.leave()

	other := newScenario(t, keeping(state, "/src/site"))
	if other.draft() != "" {
		t.Errorf("in another folder: %q", other.draft())
	}
	other.leave()

	next := newScenario(t, keeping(state, "/src/queue"))
	if !strings.Contains(strings.Join(next.screen(), "\n"), "What you had not sent is here again") {
		t.Errorf("not shown:\n%s", strings.Join(next.screen(), "\n"))
	}
	if want := "half a thoug" + long + "ht"; next.draft() != want {
		t.Errorf("draft %q, want %q", next.draft(), want)
	}
	if e := next.m.win.Front.Composer.Editor; len(e.Draft().Chips) != 1 {
		t.Errorf("%d chips", len(e.Draft().Chips))
	}
	next.step("type", "|")
	if !strings.HasSuffix(next.draft(), long+"|ht") {
		t.Errorf("the caret is elsewhere: %q", next.draft())
	}
	next.step("key", "ctrl+s ctrl+s ctrl+s")
	if got := next.m.win.Unsent().Stash; len(got) != 2 {
		t.Errorf("stash %v", got)
	}
	next.leave()
}

// TestDraftOfAnotherSession: a new session offers what a window that is gone had
// not sent, and never puts it into the composer by itself.
func TestDraftOfAnotherSession(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	open := func(id session.ID, after time.Duration) *scenario {
		s := &scriptedSession{id: id}
		sc := newScenario(t, func(c *Config) {
			keeping(state, "/src")(c)
			c.Now = func() time.Time { return started.Add(after) }
			c.Agent = func(context.Context) (session.Agent, error) { return scriptedAgent{s}, nil }
		})
		sc.s, sc.at = s, started.Add(after)
		return sc
	}
	first := open("first", 0)
	first.step("type", "older thought")
	first.leave()
	second := open("second", time.Minute)
	if second.draft() != "" {
		t.Fatalf("the draft is %q", second.draft())
	}
	second.contains("Restore the draft of 10:41? ctrl+s")
	second.step("type", "newer thought")
	second.lacks("Restore")
	second.wait(time.Second)
	second.leave()

	third := open("third", 26*time.Hour)
	third.contains("Restore the draft of 21 November, 10:42? ctrl+s")
	third.step("key", "ctrl+s")
	if third.draft() != "newer thought" {
		t.Errorf("the draft is %q", third.draft())
	}
	third.step("key", "ctrl+u")
	third.contains("Restore the draft of 21 November, 10:41? ctrl+s")
	third.step("type", "go")
	third.step("key", "enter")
	third.say(session.Event{Body: session.UserMessage{Content: "go"}})
	third.lacks("Restore")
	third.step("key", "ctrl+s") // it is still there
	if third.draft() != "older thought" {
		t.Errorf("the draft is %q", third.draft())
	}
	third.leave()

	again := open("third", 0)
	if again.draft() != "older thought" {
		t.Errorf("the draft of the same session is %q", again.draft())
	}
	again.leave()
}

// A draft stays with its session when the window continues with another one.
func TestDraftPerSession(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	sc := newScenario(t, keeping(state, "/src"))
	sc.step("type", "for this session")
	sc.m.win.Front.Info.ID = "s-first" // the scenario's agent gives every session one id
	sc.step("key", "ctrl+x s")
	sc.step("key", "down enter")
	if sc.draft() != "" || sc.m.win.Unsent().Drafts["s-first"].Text != "for this session" {
		t.Errorf("draft %q, kept %v", sc.draft(), sc.m.win.Unsent().Drafts)
	}
	sc.wait(time.Second)
	sc.leave()
	next := newScenario(t, func(c *Config) {
		keeping(state, "/elsewhere")(c)
		c.Resume = "s-first"
	})
	next.m.win.Front.Info.ID = "s-first"
	next.m.win.Front.Draft.ReturnTo("s-first")
	if next.draft() != "for this session" {
		t.Errorf("draft %q", next.draft())
	}
	next.leave()
}

// The draft of a window that was killed is offered in another session, and comes back by
// itself in its own, however that is opened.
func TestDraftOfEndedWindowReturns(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(m *Model) tea.Cmd{
		"read":    func(m *Model) tea.Cmd { return m.switcher.read("old") },
		"resumed": func(m *Model) tea.Cmd { return m.switcher.resume(m.win.Front, "old") },
	} {
		state := t.TempDir()
		sc := newScenario(t, keeping(state, "/src"))
		sc.m.win.Front.Info.ID = "old"
		sc.step("type", "half a thought")
		sc.wait(time.Second)
		sc.leave()

		p := newPasts(t, tide(nil), keeping(state, "/src"))
		p.sees("Restore the draft of")
		if p.draft() != "" {
			t.Errorf("another session has the draft %q", p.draft())
		}
		p.do(open)
		if stashed := len(p.m.win.Unsent().Stash); p.draft() != "half a thought" || stashed != 0 {
			t.Errorf("%s, it has the draft %q, and %d are stashed", name, p.draft(), stashed)
		}
		p.leave()
	}
}

// What waits for a session, or in the agent's queue, is kept too: both end with
// the agent.
func TestWaitingIsKept(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	sc := newScenario(t, keeping(state, "/src"))
	sc.s.pending = []session.Pending{{ID: "q", Text: "in the queue"}}
	sc.say(session.Event{Ephemeral: true, Body: session.PendingMessagesModified{}})
	sc.m.win.Front.Queue.Notes = conversation.HeldNotes{{Call: "c", Text: "a note"}}
	sc.wait(time.Second / 2)
	sc.leave()
	next := newScenario(t, keeping(state, "/src"))
	if next.draft() != "in the queue\na note" {
		t.Errorf("draft %q", next.draft())
	}
	next.leave()
}

// A folder that cannot be written is reported once, and everything else works.
func TestNothingCanBeKept(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sc := newScenario(t, keeping(state, "/src"))
	sc.step("type", "hello")
	sc.step("key", "enter")
	sc.wait(time.Second)
	screen := strings.Join(sc.screen(), "\n")
	if n := strings.Count(screen, "not kept"); n != 1 {
		t.Errorf("reported %d times:\n%s", n, screen)
	}
	if !contains(sc.s.calls, "send") {
		t.Errorf("calls %v", sc.s.calls)
	}
	sc.leave()
}

// Nothing is written while nothing changes.
func TestJournalRests(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, keeping(t.TempDir(), "/src"))
	sc.wait(time.Second)
	seq := sc.m.win.Journal.Seq
	sc.wait(time.Minute)
	if sc.m.win.Journal.Seq != seq {
		t.Errorf("written %d times in an idle minute", sc.m.win.Journal.Seq-seq)
	}
	sc.step("type", "abcdefghij")
	sc.wait(time.Second)
	if n := sc.m.win.Journal.Seq - seq; n < 2 || n > 6 {
		t.Errorf("written %d times for a second of typing", n)
	}
	sc.leave()
}

// A prompt that could not be sent is a draft again, with what was attached.
func TestFailedSendGivesTheDraftBack(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.fail = errors.New("broken pipe")
	sc.m.win.Front.Composer.InsertChip(drafts.Chip{Attachment: &session.Attachment{Type: "file", Path: "/src/a.go", DisplayName: "a.go"}})
	sc.step("type", " what is this?")
	sc.step("key", "enter")
	d := sc.m.win.Front.Composer.Draft()
	if d.Text != " what is this?" || len(d.Attachments()) != 1 {
		t.Errorf("draft %+v", d)
	}
}

// TestClearedIsNotAnnounced: what was cleared, and what a form of another session was
// answered with, is found where it belongs, and the next window says nothing of it.
func TestClearedIsNotAnnounced(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	open := func(id session.ID) *scenario {
		s := &scriptedSession{id: id}
		sc := newScenario(t, func(c *Config) {
			keeping(state, "/src")(c)
			c.Agent = func(context.Context) (session.Agent, error) { return scriptedAgent{s}, nil }
		})
		sc.s = s
		return sc
	}
	asks := session.Event{Body: form(`{"why":{"type":"string"}}`)}
	first := open("first")
	first.types("a cleared thought")
	first.calm("ctrl+c")
	first.say(asks)
	first.wait(time.Second)
	first.screen()
	first.calm("tab", "N", "o", "r", "d")
	if !strings.Contains(strings.Join(first.screen(), "\n"), "Nord") {
		t.Fatalf("nothing is written on the form:\n%s", strings.Join(first.screen(), "\n"))
	}
	first.wait(time.Second)
	first.leave()

	next := open("second")
	next.lacks("is here again")
	next.lacks("Restore")
	next.say(asks)
	next.wait(time.Second)
	next.lacks("Nord")
	next.calm("esc")
	next.types("its own")
	next.calm("ctrl+c", "ctrl+r")
	next.contains("its own")
	next.lacks("a cleared thought")
	next.lacks("Nord")
	next.calm("ctrl+r")
	next.contains("a cleared thought")
	next.contains("why: Nord")
	next.leave()
}

// TestInterruptedForm: what a form was filled in with is not in the draft once the turn was
// interrupted, and is found.
func TestInterruptedForm(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(session.Event{Body: form(`{"why":{"type":"string"}}`)})
	sc.wait(time.Second)
	sc.screen()
	sc.calm("tab", "N", "o", "r", "d")
	sc.say(session.Event{Body: session.Abort{}})
	if sc.draft() != "" {
		t.Errorf("the draft is %q", sc.draft())
	}
	sc.contains("The form closed; ctrl+r finds what you filled in.")
	sc.calm("ctrl+r")
	sc.contains("why: Nord")
}
