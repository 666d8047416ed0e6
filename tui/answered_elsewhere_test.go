package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
)

// delegating is a scenario with a turn that runs, and a sub-agent in it.
func delegating(t *testing.T) *scenario {
	t.Helper()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "1", Body: session.UserMessage{Content: "root", MessageID: "q"}},
		session.Event{ID: "2", Body: session.AssistantTurnStart{}},
		session.Event{ID: "3", Agent: "a", Body: session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}},
		session.Event{ID: "4", Agent: "a", Body: session.AssistantMessage{MessageID: "m", Content: "inside"}},
	)
	sc.screen()
	return sc
}

// The first press of ctrl+c on a card takes the keys from it, and says what the second does.
func TestCancelOnACard(t *testing.T) {
	t.Parallel()
	for draft, want := range map[string]string{"": "ctrl+c again interrupts the agent", "mine": "ctrl+c again clears the draft"} {
		sc := newScenario(t, nil)
		sc.working()
		sc.step("type", draft)
		sc.say(asking("p", "git push"))
		sc.wait(time.Second)
		sc.step("key", "ctrl+x p")
		sc.calm("ctrl+c")
		sc.contains(want)
		if !sc.m.win.Front.Aborting.IsZero() || sc.draft() != draft {
			t.Errorf("the first press did more, draft %q", sc.draft())
		}
		sc.calm("ctrl+c")
		if sc.m.win.Front.Aborting.IsZero() == (draft == "") || sc.draft() != "" {
			t.Errorf("the second press did not do it, draft %q", sc.draft())
		}
	}
}

// What lies over the conversation takes esc and ctrl+c before the turn does,
// whatever has the keys meanwhile.
func TestTheUppermostClosesFirst(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(sc *scenario){
		"the bar of a search": func(sc *scenario) { sc.calm("ctrl+f", "r", "o") },
		"a search that is kept": func(sc *scenario) {
			sc.calm("ctrl+f", "r", "o", "enter")
			sc.input(tea.PasteMsg{Content: "pasted"})
		},
		"a sub-agent": func(sc *scenario) { sc.m.win.Front.OpenAgent("a") },
		"a sub-agent, and a paste": func(sc *scenario) {
			sc.m.win.Front.OpenAgent("a")
			sc.input(tea.PasteMsg{Content: "pasted"})
		},
	} {
		for _, key := range []string{"esc", "ctrl+c"} {
			t.Run(name+", "+key, func(t *testing.T) {
				t.Parallel()
				sc := delegating(t)
				open(sc)
				draft := sc.draft()
				sc.calm(key)
				if !sc.m.win.Front.Aborting.IsZero() || sc.draft() != draft || sc.quit {
					t.Errorf("calls %q, draft %q, quit %v", sc.s.calls, sc.draft(), sc.quit)
				}
				if sc.m.win.Front.Nav.Beneath() {
					t.Error("it is still there")
				}
			})
		}
	}
}

// A draft that comes while the timeline has the keys takes them.
func TestADraftTakesTheKeys(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	for _, r := range "words" {
		sc.input(tea.KeyPressMsg{Code: r, Text: string(r)})
		sc.wait(100 * time.Millisecond)
	}
	sc.calm("ctrl+s", "tab")
	if focus(sc.m) != "browsing" {
		t.Fatalf("the focus is %s", focus(sc.m))
	}
	sc.calm("ctrl+s", "y")
	if focus(sc.m) != "composing" || sc.draft() != "wordsy" {
		t.Errorf("focus %s, draft %q", focus(sc.m), sc.draft())
	}
}

// Keys that are for the draft do nothing to it while the timeline has them.
func TestBrowsingLeavesTheDraft(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	for _, r := range "words" {
		sc.input(tea.KeyPressMsg{Code: r, Text: string(r)})
		sc.wait(100 * time.Millisecond)
	}
	sc.calm("alt+up", "ctrl+q", "ctrl+d", "ctrl+d", "a")
	if sc.draft() != "words" || len(sc.s.calls) > 0 || sc.quit {
		t.Errorf("draft %q, calls %q, quit %v", sc.draft(), sc.s.calls, sc.quit)
	}
}

// What is typed after an answer goes to one place, also when a search was open.
func TestAnswerFromASearch(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("ctrl+f", "g", "o")
	sc.say(asking("p", "git push"))
	sc.wait(2 * time.Second)
	sc.calm("ctrl+x", "p")
	sc.wait(time.Second)
	for _, r := range "hello" {
		sc.input(tea.KeyPressMsg{Code: r, Text: string(r)})
		sc.wait(50 * time.Millisecond)
	}
	sc.wait(2 * time.Second)
	if sc.draft() != "hello" || answered(sc) > 0 {
		t.Errorf("draft %q, calls %q", sc.draft(), sc.s.calls)
	}
}

// A question that comes after one that was answered from the timeline takes the
// focus as always (docs/decisions.md 3).
func TestNextQuestionAfterBrowsing(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("tab")
	sc.say(asking("p", "git push"))
	sc.wait(2 * time.Second)
	sc.calm("ctrl+x", "p")
	sc.wait(time.Second)
	sc.calm("y")
	sc.say(session.Event{Body: session.PermissionCompleted{RequestID: "p"}}, asking("q", "git fetch"))
	sc.wait(2 * time.Second)
	if focus(sc.m) != "answering" {
		t.Errorf("the focus is %s", focus(sc.m))
	}
}

// A window that the user did not leave has nothing unread.
func TestNothingUnread(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("ctrl+x", "u")
	if sc.m.win.Front.Pane.Browsing || sc.m.win.Front.Hinted() != "You have seen all of it." {
		t.Errorf("%q", sc.m.win.Front.Hinted())
	}
}

// A clipboard that fails is no reason to leave what one reads.
func TestCopyWithABrokenClipboard(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Env = []string{"DISPLAY=:0", "PATH=/nowhere"} })
	sc.say(numbered(1))
	before := sc.m.win.Front.Timeline.Len()
	sc.calm("tab", "c")
	if sc.m.win.Front.Timeline.Len() != before || focus(sc.m) != "browsing" || !strings.HasPrefix(sc.m.win.Front.Hinted(), "Copied") {
		t.Errorf("%d entries, %q", sc.m.win.Front.Timeline.Len()-before, sc.m.win.Front.Hinted())
	}
}

// What a command says is no answer of the agent, and its turn stays as it was.
func TestSummaryOutlivesACommand(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	at := func(s int) time.Time { return started.Add(time.Duration(s) * time.Second) }
	sc.say(
		session.Event{ID: "1", Time: at(0), Body: session.UserMessage{Content: "Test it.", MessageID: "q"}},
		session.Event{ID: "2", Time: at(0), Body: session.AssistantTurnStart{}},
		session.Event{ID: "3", Time: at(1), Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash"}},
		session.Event{ID: "4", Time: at(9), Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true}},
		session.Event{ID: "5", Time: at(20), Body: session.AssistantMessage{MessageID: "m", Content: "Done."}},
		session.Event{ID: "6", Time: at(21), Body: session.AssistantTurnEnd{}},
		session.Event{ID: "7", Time: at(21), Ephemeral: true, Body: session.SessionIdle{}},
	)
	sc.wait(time.Hour)
	sc.m.win.Front.Commands.SayEntry(session.SlashEntry{Kind: "copilot", Text: "Here is **help**."})
	sc.say(session.Event{ID: "8", Time: sc.at, Body: session.UserMessage{Content: "Go on.", MessageID: "r"}})
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "─ 1 command") || !strings.Contains(screen, "21 s") {
		t.Errorf("the summary:\n%s", screen)
	}
	if answer, _, _ := sc.m.win.Front.Timeline.LastAnswer(); answer != "Done." {
		t.Errorf("the last answer is %q", answer)
	}
}

// Folding by click does not end following for good.
func TestClicksKeepFollowing(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	row := 0
	for y, line := range sc.screen() {
		if strings.Contains(line, "shell   go test") {
			row = y
		}
	}
	for range 2 {
		sc.click(5, row)
	}
	for i := range 30 {
		sc.say(numbered(i))
	}
	if !sc.m.win.Front.Pane.Follow {
		t.Error("the end is not followed any more")
	}
}

// The densest view of a sub-agent is that of the conversation too.
func TestDensityOfASubagent(t *testing.T) {
	t.Parallel()
	sc := delegating(t)
	sc.m.win.Front.OpenAgent("a")
	sc.m.win.Front.Nav.SetDensity("compact")
	sc.m.win.Front.Pane.LeaveAgents()
	if sc.m.win.Front.Pane.Density != render.Compact {
		t.Errorf("density %s", sc.m.win.Front.Pane.Density)
	}
}
