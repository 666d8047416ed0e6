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

	"parley/history/drafts"
	"parley/prompts"
	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
	"parley/tui/picker"
)

// closedID is the id of a conversation that was closed.
const closedID conversation.ID = -1

func draftOf(c *conversation.Conversation) string { return c.Composer.Text() }

// A mistake in what a session behind says loses no draft of the one on the screen:
// what is kept in the end is reported by that one.
func TestPanicBesideKeepsDrafts(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	sc.step("type", "on the screen")
	func() {
		defer func() { _ = recover() }()
		sc.update(conversation.Message{To: sc.m.all[0].ID, Msg: conversation.ResultMsg{Session: sc.m.all[0].Session, Show: func() tea.Cmd { panic("a mistake") }}})
	}()
	if s := sc.m.drafts.unsent(); s.Draft.Text != "on the screen" || s.Session != "s2" {
		t.Errorf("kept %q for %s", s.Draft.Text, s.Session)
	}
}

// What an earlier window left comes to the sessions it is of, also when it is found
// late.
func TestLateRecovery(t *testing.T) {
	t.Parallel()
	left := conversation.RecoveredMsg{States: []drafts.State{{
		Session: "s1", Draft: drafts.Draft{Text: "of the first"},
		Drafts: map[session.ID]drafts.Draft{"s2": {Text: "of the second"}, "s3": {Text: "of another"}},
	}}}
	sc, _ := sideBySide(t, 2, nil)
	sc.update(conversation.Message{To: sc.m.all[0].ID, Msg: left})
	if one, two := draftOf(sc.m.all[0]), draftOf(sc.m.all[1]); one != "of the first" || two != "of the second" ||
		sc.m.win.Unsent().Drafts["s3"].Text != "of another" || len(sc.m.win.Unsent().Drafts) != 1 || len(sc.m.win.Unsent().Stash) != 0 {
		t.Errorf("drafts %q and %q, kept %v, aside %v", one, two, sc.m.win.Unsent().Drafts, sc.m.win.Unsent().Stash)
	}
	sc, _ = sideBySide(t, 2, nil)
	sc.update(conversation.Message{To: closedID, Msg: left}) // closed meanwhile
	if !strings.Contains(sc.draft(), "of the") {
		t.Errorf("draft %q, aside %v", sc.draft(), sc.m.win.Unsent().Stash)
	}
}

// A session is open once: whoever asks for it again goes to it, and their draft
// stays where it is.
func TestOpenOnce(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"/resume s1", "/new-tab s1"} {
		sc, a := sideBySide(t, 2, nil)
		sc.step("type", command)
		sc.step("key", "enter")
		if len(a.opened) != 2 || sc.m.win.Front.Info.ID != "s1" || len(sc.m.all) != 2 || contains(a.opened[1].calls, "close") {
			t.Errorf("%s: %d opened, on %s of %d", command, len(a.opened), sc.m.win.Front.Info.ID, len(sc.m.all))
		}
	}
	sc, a := sideBySide(t, 2, nil) // and where the one before it is asked for after a failure
	sc.step("key", "ctrl+x left")
	sc.spoken("s1")
	a.fails = errors.New("no such session")
	sc.step("type", "/new-tab nonsense")
	sc.step("key", "enter")
	a.fails = nil
	sc.step("key", "enter")
	for _, s := range a.opened[2:] {
		if s.id == "s1" {
			t.Error("s1 is open twice")
		}
	}
}

// What was sent to a session that never opened is not lost when it is closed, and
// what was left for a session before is put away, not replaced.
func TestCloseKeepsAll(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 1, nil)
	sc.step("key", "ctrl+x")
	opening := sc.later("w")
	sc.step("type", "do it")
	sc.step("key", "enter")
	sc.step("type", "and more")
	sc.step("key", "ctrl+x x")
	sc.step("key", "ctrl+x x")
	if len(sc.m.all) != 1 || len(sc.m.win.Unsent().Stash) != 1 || sc.m.win.Unsent().Stash[0].Draft.Text != "do it\nand more" {
		t.Errorf("%d open, aside %v", len(sc.m.all), sc.m.win.Unsent().Stash)
	}
	sc.run(opening)

	sc, _ = sideBySide(t, 2, nil)
	sc.m.win.Journal.Drafts["s2"] = drafts.Draft{Text: "older"}
	sc.m.win.Front.Questions.Restore(prompts.Written{Texts: []prompts.WrittenText{{Request: "r", Line: prompts.LineNote, Text: "half a note"}}})
	sc.step("type", "newer")
	sc.step("key", "ctrl+x x")
	sc.step("key", "ctrl+x x")
	if sc.m.win.Unsent().Drafts["s2"].Text != "newer" || len(sc.m.win.Unsent().Stash) != 1 || sc.m.win.Unsent().Stash[0].Draft.Text != "older" {
		t.Errorf("kept %v, aside %v", sc.m.win.Unsent().Drafts, sc.m.win.Unsent().Stash)
	}
	if len(sc.m.drafts.written().Texts) != 1 {
		t.Error("what was written on its questions is gone")
	}
}

// Words of an answer that fails after its session was closed are put away.
func TestAnswerFailsAfterClose(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	for _, a := range []session.Answer{
		session.PermissionAnswer{Decision: session.Reject, Feedback: "not here"},
		session.PermissionAnswer{Decision: session.ApproveOnce, Note: "then stop"},
	} {
		sc.update(conversation.Message{To: closedID, Msg: conversation.RespondedMsg{Session: &scriptedSession{}, Answer: a, Err: errors.New("closed")}})
	}
	if len(sc.m.win.Unsent().Stash) != 2 || sc.m.win.Unsent().Stash[0].Draft.Text != "not here" || sc.m.win.Unsent().Stash[1].Draft.Text != "then stop" {
		t.Errorf("aside %v", sc.m.win.Unsent().Stash)
	}
}

// A key that is pressed twice for something must be pressed twice in one session.
func TestArmedHereOnly(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	for _, key := range []string{"ctrl+c", "ctrl+x left", "ctrl+c", "ctrl+x right", "ctrl+c"} {
		sc.step("key", key)
	}
	if sc.quit {
		t.Error("single presses quit")
	}
	sc.m.display.Mouse.Pointer.Held = true
	sc.step("key", "ctrl+x right")
	if sc.m.display.Mouse.Pointer.Held {
		t.Error("a drag continues in another session")
	}
}

// The user is notified again of each session that waits after the user has looked.
func TestNeedBesideIsNotifiedAgain(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	for i := range 2 {
		sc.input(tea.BlurMsg{})
		sc.bells()
		sc.sayIn(0, asking(fmt.Sprint("p", i), "git push"))
		if sc.bells() == "" {
			t.Errorf("the need %d of the session behind is not notified", i)
		}
		sc.input(tea.FocusMsg{})
	}
}

// Vim's way of editing is the window's.
func TestVimBeside(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	sc.step("type", "/vim on")
	sc.step("key", "enter")
	for i, c := range sc.m.all {
		if c.Composer.VimMode() == "" {
			t.Errorf("not in session %d", i)
		}
	}
}

// The list of open sessions follows them.
func TestOpenSessionsFollow(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	sc.step("key", "ctrl+x a")
	sc.sayIn(0, asking("p", "git push"))
	if row := conversation.Over[*picker.Picker](sc.m.win).Rows[0]; !strings.Contains(row.Right, "waits for you") {
		t.Errorf("the list says %q", row.Right)
	}
}

// What else ends with the window is counted as it is shown: with its sub-agents.
func TestEndsToo(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	sc.sayIn(0, session.Event{ID: "a", Agent: "a1", Body: session.SubagentStarted{ToolCallID: "c1", AgentName: "explore"}})
	if words, _ := sc.m.all[0].Summary.State(); words == "idle" {
		t.Fatalf("it is %q", words)
	}
	sc.step("key", "ctrl+c")
	if !strings.Contains(sc.m.win.Front.Hinted(), "1 other session") {
		t.Errorf("the hint is %q", sc.m.win.Front.Hinted())
	}
}

// No key queues what stands in the composer just after a question has closed: it
// was meant for the question.
func TestHushQueues(t *testing.T) {
	t.Parallel()
	for preset, key := range map[string]string{"copilot": "ctrl+q", "codex": "tab", "gemini": "tab"} {
		sc := newScenario(t, func(c *Config) { c.Keys = settings.Keys{Preset: preset} })
		sc.working()
		sc.step("type", "half a thought")
		sc.say(asking("p", "ls"))
		sc.wait(time.Second)
		sc.step("key", "ctrl+x p")
		sc.wait(time.Second)
		sc.say(session.Event{Body: session.PermissionCompleted{RequestID: "p", Result: session.PermissionResult{Kind: "approved"}}})
		sc.step("key", key)
		if sc.draft() != "half a thought" || contains(sc.s.calls, "send") {
			t.Errorf("%s, %s: draft %q, calls %v", preset, key, sc.draft(), sc.s.calls)
		}
		sc.wait(time.Second)
		sc.step("key", key)
		if !contains(sc.s.calls, "send") {
			t.Errorf("%s, %s: it queues nothing any more", preset, key)
		}
	}
}

// A session starts on a new agent without ending what others do on the old one.
func TestRestartBeside(t *testing.T) {
	t.Parallel()
	var agents []*manyAgent
	own := func(c *Config) {
		c.Agent = func(context.Context) (session.Agent, error) {
			agents = append(agents, &manyAgent{})
			return agents[len(agents)-1], nil
		}
	}
	sc := newScenario(t, own)
	sc.step("key", "ctrl+x w")
	sc.spoken("s2")
	sc.step("type", "/restart")
	sc.step("key", "enter")
	if len(agents) != 2 || agents[0].closed != 0 || !contains(agents[0].opened[1].calls, "close") || sc.m.win.Front.Agent != agents[1] {
		t.Fatalf("%d agents, the first closed %d times", len(agents), agents[0].closed)
	}
	sc.step("key", "ctrl+x left")
	sc.step("type", "/restart")
	sc.step("key", "enter")
	if len(agents) != 3 || agents[0].closed != 1 {
		t.Errorf("%d agents; the first, which is not needed, closed %d times", len(agents), agents[0].closed)
	}
	sc.step("key", "ctrl+x x")
	sc.step("key", "ctrl+x x")
	if len(sc.m.all) != 1 || agents[2].closed != 1 || agents[1].closed != 0 || sc.m.win.Front.Session == nil {
		t.Errorf("the agent of the session that was closed was closed %d times, the other %d", agents[2].closed, agents[1].closed)
	}
}

// A session that was to open on an agent that ended starts another agent.
func TestOpeningOnDeadAgent(t *testing.T) {
	t.Parallel()
	var agents []*manyAgent
	sc := newScenario(t, func(c *Config) {
		c.Agent = func(context.Context) (session.Agent, error) {
			agents = append(agents, &manyAgent{})
			return agents[len(agents)-1], nil
		}
	})
	sc.step("key", "ctrl+x")
	opening := sc.later("w")
	sc.step("type", "a draft")
	agents[0].fails = errors.New("the agent has ended")
	first := sc.m.all[0]
	sc.update(conversation.Message{To: first.ID, Msg: conversation.EventsMsg{Session: first.Session, Ended: true, At: sc.at}})
	sc.run(opening)
	if !sc.m.win.Front.Disconnected || sc.draft() != "a draft" {
		t.Fatalf("lost %t, draft %q", sc.m.win.Front.Disconnected, sc.draft())
	}
	sc.step("key", "enter")
	if sc.m.win.Front.Session == nil || len(agents) != 2 || sc.draft() != "" || !contains(agents[1].opened[0].calls, `send enqueue "a draft"`) {
		t.Errorf("session %v on %d agents, draft %q", sc.m.win.Front.Session, len(agents), sc.draft())
	}
}

// However many sessions there are, the line of them shows the one on the screen,
// keeps to the width, and counts the others.
func TestManyTabs(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 100, nil)
	for i, c := range sc.m.all {
		title := fmt.Sprintf("%d 漢字\x1b]0;x\a\u202e title", i)
		sc.sayIn(slices.Index(sc.m.all, c), session.Event{Body: session.SessionTitleChanged{Title: title}})
	}
	for _, on := range []int{0, 1, 50, 98, 99} {
		sc.update(conversation.InputMsg{At: sc.at, Msg: tea.FocusMsg{}})
		sc.m.tabs.show(sc.m.all[on])
		for w := 20; w <= 200; w += 9 {
			sc.size(w, 24)
			line := sc.screen()[0]
			if !strings.Contains(line, fmt.Sprint(on, " ")) || !strings.Contains(line, "+") {
				t.Fatalf("on %d at width %d: %q", on, w, line)
			}
		}
	}
	sc, _ = sideBySide(t, 3, nil)
	sc.size(80, 24)
	if line := sc.screen()[0]; strings.Count(line, "queue") != 3 || slices.Contains(strings.Fields(line), "+0") {
		t.Errorf("three of them: %q", line)
	}
}
