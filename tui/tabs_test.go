package tui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/session"
	"parley/theme"
	"parley/tui/composer"
	"parley/tui/conversation"
	"parley/tui/widget"
)

// manyAgent opens a session of its own each time: s1, s2 and so on.
type manyAgent struct {
	opened []*scriptedSession
	fails  error
	closed int
}

func (a *manyAgent) Open(context.Context, session.Options) (session.Session, error) {
	if a.fails != nil {
		return nil, a.fails
	}
	s := &scriptedSession{id: session.ID(fmt.Sprintf("s%d", len(a.opened)+1))}
	a.opened = append(a.opened, s)
	return s, nil
}

func (a *manyAgent) Resume(_ context.Context, id session.ID, _ session.Options) (session.Session, error) {
	if a.fails != nil {
		return nil, a.fails
	}
	s := &scriptedSession{id: id}
	a.opened = append(a.opened, s)
	return s, nil
}

func (a *manyAgent) Close(context.Context) error {
	a.closed++
	return nil
}

// sideBySide is a window with n sessions side by side, the last one on the screen.
func sideBySide(t *testing.T, n int, change func(*Config)) (*scenario, *manyAgent) {
	t.Helper()
	a := &manyAgent{}
	sc := newScenario(t, func(c *Config) {
		c.Agent = func(context.Context) (session.Agent, error) { return a, nil }
		if change != nil {
			change(c)
		}
	})
	sc.s = a.opened[0]
	for range n - 1 {
		sc.step("key", "ctrl+x w")
	}
	if len(sc.m.all) != n || len(a.opened) != n {
		t.Fatalf("%d conversations, %d sessions", len(sc.m.all), len(a.opened))
	}
	return sc, a
}

// sayIn lets one of the sessions speak, wherever it is.
func (sc *scenario) sayIn(at int, events ...session.Event) {
	c := sc.m.all[at]
	sc.update(conversation.Message{To: c.ID, Msg: conversation.EventsMsg{Session: c.Session, Events: events, At: sc.at}})
}

// A question of a session that is not on the screen waits there. It takes no key,
// shows a badge, and is answered when the user goes to it.
func TestQuestionBeside(t *testing.T) {
	t.Parallel()
	sc, a := sideBySide(t, 2, nil)
	sc.step("type", "fix the ")
	sc.sayIn(0, asking("p", "git push"))
	sc.wait(time.Second)
	sc.step("type", "yes y s n 1 test")
	sc.wait(time.Second)
	screen := strings.Join(sc.screen(), "\n")
	if sc.draft() != "fix the yes y s n 1 test" || len(answers(a.opened[0])) > 0 || strings.Contains(screen, "git push") {
		t.Errorf("draft %q, answers %v:\n%s", sc.draft(), answers(a.opened[0]), screen)
	}
	if !strings.Contains(screen, "waits for you") || !strings.Contains(screen, "◇ ") {
		t.Errorf("no badge:\n%s", screen)
	}
	sc.step("key", "ctrl+x left")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "git push") || sc.draft() != "" {
		t.Errorf("the question is not there, or a draft %q is:\n%s", sc.draft(), screen)
	}
	sc.step("key", "y")
	sc.wait(time.Second)
	if got := answers(a.opened[0]); len(got) > 0 || sc.draft() != "y" {
		t.Errorf("answered %v by a key that was not meant for it; the draft is %q", got, sc.draft())
	}
	sc.step("key", "backspace")
	sc.wait(2 * time.Second) // the keys come back to it
	sc.step("key", "y")
	sc.wait(time.Second)
	if got := answers(a.opened[0]); len(got) != 1 || len(answers(a.opened[1])) > 0 {
		t.Errorf("answers %v and %v", got, answers(a.opened[1]))
	}
	sc.step("key", "ctrl+x right")
	if sc.draft() != "fix the yes y s n 1 test" {
		t.Errorf("the draft is %q", sc.draft())
	}
}

// Whatever is typed in one session, and however it is switched, no question of
// another is answered, and no letter is lost.
func TestNothingBesideIsAnswered(t *testing.T) {
	t.Parallel()
	keys := []string{"y", "n", "s", "l", "P", "1", "enter", "tab", "esc", "up", "down", "space", "v", "?", "ctrl+x left", "ctrl+x right", "ctrl+x a", "pgup"}
	rapid.Check(t, func(rt *rapid.T) {
		sc, a := sideBySide(t, 3, nil)
		on := func() int { return slices.Index(sc.m.all, sc.m.win.Front) }
		for i := range rapid.IntRange(5, 40).Draw(rt, "steps") {
			here := on()
			before := make([]int, len(a.opened))
			for j, s := range a.opened {
				before[j] = len(answers(s))
			}
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				sc.sayIn(rapid.IntRange(0, 2).Draw(rt, "of"), asking(fmt.Sprint("p", i), "rm -rf build"))
			case 1:
				sc.wait(time.Duration(rapid.IntRange(0, 2000).Draw(rt, "ms")) * time.Millisecond)
			case 2:
				sc.size(rapid.IntRange(20, 140).Draw(rt, "w"), rapid.IntRange(6, 50).Draw(rt, "h"))
			default:
				sc.step("key", rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			for j, s := range a.opened {
				if j != here && j != on() && len(answers(s)) != before[j] {
					rt.Fatalf("session %d was answered while %d was on the screen: %v", j, here, answers(s))
				}
			}
			for j, c := range sc.m.all {
				if c != sc.m.win.Front && c.Questions.Focused() {
					rt.Fatalf("a question of session %d has the focus behind the screen", j)
				}
			}
		}
	})
}

// Each session has its own draft and its own place, and news of the one behind
// changes neither the screen nor the keys.
func TestOwnDrafts(t *testing.T) {
	t.Parallel()
	sc, a := sideBySide(t, 2, nil)
	sc.step("type", "second")
	sc.step("key", "ctrl+x left")
	sc.step("type", "first")
	sc.step("key", "enter")
	if !contains(a.opened[0].calls, "first") || contains(a.opened[1].calls, "first") {
		t.Errorf("sent %v and %v", a.opened[0].calls, a.opened[1].calls)
	}
	sc.step("key", "ctrl+x right")
	if sc.draft() != "second" {
		t.Errorf("the draft is %q", sc.draft())
	}
	sc.sayIn(0, session.Event{ID: "t", Body: session.AssistantTurnStart{}},
		session.Event{ID: "m", Body: session.AssistantMessage{Content: "Done with the first."}})
	if screen := strings.Join(sc.screen(), "\n"); strings.Contains(screen, "Done with the first.") {
		t.Errorf("the other session is on the screen:\n%s", screen)
	}
	sc.wait(10 * time.Second)
	sc.sayIn(0, session.Event{ID: "i", Body: session.AssistantIdle{}}, session.Event{ID: "j", Body: session.SessionIdle{}})
	if !sc.m.all[0].News || sc.m.all[1].News {
		t.Error("nothing shows that the other one is done")
	}
	sc.step("key", "ctrl+x left")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Done with the first.") || sc.m.all[0].News {
		t.Errorf("not there:\n%s", screen)
	}
}

// A session that is closed goes to its neighbour; its draft waits for it, and one
// that opens too late is left.
func TestCloseBeside(t *testing.T) {
	t.Parallel()
	sc, a := sideBySide(t, 2, nil)
	sc.step("type", "not sent")
	sc.step("key", "ctrl+x x")
	if len(sc.m.all) != 2 {
		t.Fatal("one press closed it")
	}
	sc.step("key", "ctrl+x x")
	if len(sc.m.all) != 1 || sc.m.win.Front.Info.ID != "s1" || sc.draft() != "" || sc.m.win.Unsent().Drafts["s2"].Text != "not sent" || !contains(a.opened[1].calls, "close") {
		t.Errorf("%d open, on %s, draft %q, kept %v, calls %v", len(sc.m.all), sc.m.win.Front.Info.ID, sc.draft(), sc.m.win.Unsent().Drafts, a.opened[1].calls)
	}
	late := &scriptedSession{id: "s9"}
	sc.update(conversation.Message{To: closedID, Msg: conversation.OpenedMsg{Agent: a, Session: late}})
	sc.update(conversation.Message{To: closedID, Msg: conversation.SentMsg{Prompt: &conversation.Sending{Session: late, Outgoing: composer.Outgoing{Draft: drafts.Draft{Text: "too late"}}}, Err: errors.New("closed")}})
	if !contains(late.calls, "close") || len(sc.m.win.Unsent().Stash) != 1 || sc.m.win.Unsent().Stash[0].Draft.Text != "too late" ||
		sc.m.win.Front.Info.ID != "s1" {
		t.Errorf("calls %v, aside %v, on %s", late.calls, sc.m.win.Unsent().Stash, sc.m.win.Front.Info.ID)
	}
}

// One that cannot be opened says so in its own place; the others continue.
func TestBesideFails(t *testing.T) {
	t.Parallel()
	sc, a := sideBySide(t, 1, nil)
	sc.step("type", "a draft")
	a.fails = errors.New("no more sessions")
	sc.step("key", "ctrl+x w")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "no more sessions") || sc.quit || len(sc.m.all) != 2 {
		t.Errorf("quit %t, %d open:\n%s", sc.quit, len(sc.m.all), screen)
	}
	sc.step("key", "ctrl+x left")
	if sc.draft() != "a draft" || sc.m.win.Front.Disconnected {
		t.Errorf("draft %q, lost %t", sc.draft(), sc.m.win.Front.Disconnected)
	}
}

// What is written in each of them comes back after a crash.
func TestDraftsBesideAreKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := func(c *Config) { c.StateDir, c.Now = dir, func() time.Time { return started } }
	sc, _ := sideBySide(t, 2, kept)
	sc.step("type", "of the second")
	sc.step("key", "ctrl+x left")
	sc.step("type", "of the first")
	sc.wait(time.Second)
	state := sc.m.drafts.unsent()
	if state.Draft.Text != "of the first" || state.Drafts["s2"].Text != "of the second" {
		t.Errorf("draft %q, drafts %v", state.Draft.Text, state.Drafts)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "drafts", "*")); err != nil || len(files) == 0 {
		t.Errorf("nothing is written: %v", err)
	}
	if commands := sc.m.resumeCommands(); len(commands) != 0 {
		t.Errorf("nothing was said, and %v resumes it", commands)
	}
	sc.spoken("s1")
	sc.step("key", "ctrl+x right")
	sc.sayIn(1, session.Event{Body: session.AssistantTurnStart{}}, session.Event{Body: session.AssistantIdle{}},
		session.Event{Body: session.SessionIdle{}})
	if commands := sc.m.resumeCommands(); !slices.Equal(commands, []string{"parley --resume s1", "parley --resume s2"}) {
		t.Errorf("resumed with %v", commands)
	}
}

// The list of those that are open goes to any of them, and the tabs keep to the
// width.
func TestOpenSessions(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 6, nil)
	sc.step("key", "ctrl+x a")
	sc.step("key", "ctrl+home enter")
	if sc.m.win.Front.Info.ID != "s1" {
		t.Errorf("on %s:\n%s", sc.m.win.Front.Info.ID, strings.Join(sc.screen(), "\n"))
	}
	sc.say(session.Event{ID: "t", Body: session.SessionTitleChanged{Title: strings.Repeat("a very long title ", 9) + "\x1b[2J"}})
	for w := 20; w < 160; w += 7 {
		sc.size(w, 24)
		sc.screen() // checks the width
	}
	sc.input(tea.BlurMsg{})
	sc.step("key", "ctrl+x right")
	sc.input(tea.FocusMsg{})
	if sc.m.win.Front.Info.ID != "s2" {
		t.Errorf("on %s", sc.m.win.Front.Info.ID)
	}
}

// The line of the sessions leaves a question that is open all it was drawn for:
// every answer and the line of its keys, at any height.
func TestTabsLeaveTheCardWhole(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	sc.sayIn(1, asking("p", strings.TrimSuffix(strings.Repeat("git push\n", 9), "\n")))
	sc.wait(time.Second)
	for height := tabScreen; height <= conversation.TallScreen+4; height++ {
		sc.size(60, height)
		screen := strings.Join(sc.screen(), "\n")
		if got, want := sc.m.display.View.Layout.Card.Height, len(sc.m.display.View.Card); got != want || !strings.Contains(screen, "╰") {
			t.Errorf("60x%d: the card has %d of its %d lines:\n%s", height, got, want, screen)
		}
	}
}

// The session on the screen looks like no other in the line of them, without
// colour too, where one that waits is as bold.
func TestTabOnTheScreen(t *testing.T) {
	t.Parallel()
	sc, _ := sideBySide(t, 2, nil)
	sc.sayIn(0, asking("p", "git push"))
	for _, th := range []*theme.Theme{theme.Mono(), theme.Dark(), theme.Terminal()} {
		sc.m.win.Theme = th
		tabs := sc.m.tabs.view(sc.m.win.Theme, sc.m.win.Width, sc.m.win.Height)[0]
		front, other := sc.m.win.Front.Summary.Name(), sc.m.all[0].Summary.Name()
		marked := th.Render(theme.Selected, other) + widget.Blank(1)
		if !strings.HasSuffix(tabs, th.Render(theme.Selected, front)) || strings.Contains(tabs, marked) {
			t.Errorf("%s: %q", th.Name, tabs)
		}
	}
}

// TestClickTab: a click on a tab shows its conversation; one beside the tabs does nothing.
func TestClickTab(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.command("/new-tab")
	sc.wait(time.Second)
	if len(sc.m.all) != 2 || sc.m.win.Front != sc.m.all[1] {
		t.Fatalf("%d tabs", len(sc.m.all))
	}
	sc.screen()
	sc.click(sc.m.win.Width-2, 0)
	if sc.m.win.Front != sc.m.all[1] {
		t.Error("a click beside the tabs shows another")
	}
	sc.click(4, 0)
	if sc.m.win.Front != sc.m.all[0] {
		t.Errorf("the click does nothing:\n%s", strings.Join(sc.screen(), "\n"))
	}
}
