package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
)

// talked is a scenario with a prompt, a command that failed and an answer with
// code.
func talked(t *testing.T) *scenario {
	t.Helper()
	code := 1
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "1", Body: session.UserMessage{Content: "Test it.", MessageID: "q"}},
		session.Event{ID: "2", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash", Arguments: []byte(`{"command":"go test"}`)}},
		session.Event{ID: "3", Body: session.ToolExecutionComplete{
			ToolCallID: "c", Success: true, Result: &session.ToolResult{Content: strings.Repeat("FAIL\n", 30)},
			ShellExecution: &session.ShellExecution{ExitCode: &code},
		}},
		session.Event{ID: "4", Body: session.AssistantMessage{MessageID: "m", Content: "Run `it`:\n\n```sh\ngo test -run A\n```\n\nor\n\n```sh\ngo test -run B\n```\n"}},
		session.Event{ID: "5", Ephemeral: true, Body: session.SessionIdle{}},
	)
	return sc
}

// While the timeline has the keys, none of them answers a question, and none of
// them writes.
func TestBrowsingAnswersNothing(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("tab")
	sc.say(asking("p", "git push"))
	sc.wait(2 * time.Second)
	sc.calm("y", "s", "l", "n", "enter", "1", "P", "a", "space")
	sc.wait(2 * time.Second)
	if focus(sc.m) != "browsing" && focus(sc.m) != "overlaid" {
		t.Errorf("the focus is %s", focus(sc.m))
	}
	if answered(sc) > 0 || sc.draft() != "" {
		t.Errorf("calls %q, draft %q", sc.s.calls, sc.draft())
	}
	sc.calm("esc", "esc", "ctrl+x", "p")
	sc.wait(time.Second)
	sc.calm("y")
	sc.wait(time.Second)
	if answered(sc) != 1 {
		t.Errorf("the question was to be answered then: %q", sc.s.calls)
	}
}

// answered is the number of answers that were given.
func answered(sc *scenario) int {
	n := 0
	for _, call := range sc.s.calls {
		if strings.HasPrefix(call, "answer") {
			n++
		}
	}
	return n
}

// A paste is for the draft, wherever the keys are.
func TestBrowsingLeavesAPaste(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("tab")
	sc.input(tea.PasteMsg{Content: "pasted"})
	if sc.draft() != "pasted" || focus(sc.m) != "composing" {
		t.Errorf("draft %q, focus %s", sc.draft(), focus(sc.m))
	}
}

// TestCursorBeginsOnText: on the answer, not on the summary below it, nor on the
// line that says how the turn ended.
func TestCursorBeginsOnText(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "1", Body: session.UserMessage{Content: "Test it.", MessageID: "q"}},
		session.Event{ID: "2", Body: session.AssistantTurnStart{TurnID: "0"}},
		session.Event{ID: "3", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash", Arguments: []byte(`{"command":"go test"}`)}},
		session.Event{ID: "4", Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{Content: "ok"}}},
		session.Event{ID: "5", Body: session.AssistantMessage{MessageID: "m", Content: "It passes."}},
		session.Event{ID: "6", Body: session.AssistantTurnEnd{TurnID: "0"}},
		session.Event{ID: "7", Body: session.Abort{Reason: "user_initiated"}},
		session.Event{ID: "8", Ephemeral: true, Body: session.AssistantIdle{}},
	)
	sc.contains("1 command")
	sc.contains("Interrupted")
	sc.calm("tab", "c")
	if got := sc.s.calls[len(sc.s.calls)-1]; got != `copy "It passes."` {
		t.Errorf("got %s, on the screen\n%s", got, strings.Join(sc.screen(), "\n"))
	}
}

// An answer with several pieces of code asks which.
func TestCopyWhichCode(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("tab", "y")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Copy which code?") || !strings.Contains(screen, "go test -run B") {
		t.Fatalf("no list:\n%s", screen)
	}
	sc.calm("down", "enter")
	if got := sc.s.calls[len(sc.s.calls)-1]; got != `copy "go test -run B"` {
		t.Error(got)
	}
}

// A click folds and unfolds, and the row stays under the mouse.
func TestClickFolds(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	row := func() int {
		for y, line := range sc.screen() {
			if strings.Contains(line, "shell   go test") {
				return y
			}
		}
		return -1
	}
	before := row()
	for range 2 {
		sc.click(5, before)
		e := sc.m.win.Front.Timeline.At(1)
		if sc.m.win.Front.Pane.Options(e).Fold != render.Whole && sc.m.win.Front.Pane.Options(e).Fold != render.Folded || row() != before {
			t.Fatalf("row %d became %d:\n%s", before, row(), strings.Join(sc.screen(), "\n"))
		}
	}
	if focus(sc.m) != "composing" {
		t.Error("a click on the timeline is no reason to leave the draft")
	}
}

// What came while the user was elsewhere is shown, and can be gone to.
func TestUnread(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.input(tea.BlurMsg{})
	for i := range 30 {
		sc.say(numbered(i))
	}
	sc.input(tea.FocusMsg{})
	if hint := sc.m.win.Front.Hinted(); !strings.HasPrefix(hint, "30 new since you left") {
		t.Errorf("%q", hint)
	}
	sc.calm("ctrl+x", "u")
	if e, ok := sc.m.win.Front.Pane.Block(); !ok || e.ID != "prompt:e0" {
		t.Errorf("at %+v", e)
	}
	if first := sc.screen()[0] + sc.screen()[1]; !strings.Contains(first, "prompt 0") {
		t.Errorf("the first is not on top: %q", first)
	}
}

// TestUnreadBelow: what came below while the user read above is unread, and comes before
// what was gone to already.
func TestUnreadBelow(t *testing.T) {
	t.Parallel()
	for _, away := range []bool{false, true} {
		sc := talked(t)
		for i := range 30 {
			sc.say(numbered(i))
		}
		if away {
			sc.input(tea.BlurMsg{})
			sc.say(numbered(30))
			sc.input(tea.FocusMsg{})
		}
		sc.step("key", "pgup")
		for i := range 30 {
			sc.say(numbered(100 + i))
		}
		if sc.m.win.Front.Pane.Fresh() == 0 {
			t.Fatal("nothing came below")
		}
		sc.calm("ctrl+x", "u")
		if first := sc.screen()[0] + sc.screen()[1]; !strings.Contains(first, "prompt 100") {
			t.Errorf("away before: %t, on top is %q", away, first)
		}
	}
}

// TestUnreadAnswer: an answer of which the user saw the beginning is unread if it grew while
// they were elsewhere.
func TestUnreadAnswer(t *testing.T) {
	t.Parallel()
	for _, grows := range []bool{true, false} {
		sc := talked(t)
		says := func(text string) {
			sc.say(session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "long", DeltaContent: text}})
		}
		says("It begins")
		sc.input(tea.BlurMsg{})
		if grows {
			says(" and continues.")
			sc.say(numbered(1))
		}
		sc.input(tea.FocusMsg{})
		if hint := sc.m.win.Front.Hinted(); strings.HasPrefix(hint, "2 new since you left") != grows {
			t.Errorf("it grows: %t; %q", grows, hint)
		}
		sc.calm("ctrl+x", "u")
		e, ok := sc.m.win.Front.Pane.Block()
		if grows && (!ok || !strings.Contains(string(e.ID), "long")) {
			t.Errorf("at %+v", e)
		}
		if hint := sc.m.win.Front.Hinted(); !grows && hint != "You have seen all of it." {
			t.Errorf("%q", hint)
		}
	}
}

// What is sent from a sub-agent's timeline is seen.
func TestSendingLeavesTheSubagent(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "1", Body: session.UserMessage{Content: "Look.", MessageID: "q"}},
		session.Event{ID: "2", Agent: "a", Body: session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}},
		session.Event{ID: "3", Agent: "a", Body: session.AssistantMessage{MessageID: "m", Content: "Inside."}},
		session.Event{ID: "4", Ephemeral: true, Body: session.SessionIdle{}},
	)
	sc.m.win.Front.OpenAgent("a")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Inside.") || strings.Contains(screen, "Look.") {
		t.Fatalf("not the sub-agent's:\n%s", screen)
	}
	sc.m.win.Front.Pane.Browsing = false
	for _, r := range "more" {
		sc.input(tea.KeyPressMsg{Code: r, Text: string(r)})
		sc.wait(100 * time.Millisecond)
	}
	sc.calm("enter")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Look.") {
		t.Errorf("not the conversation:\n%s", screen)
	}
}

// TestCopyAllIsAJob: the whole conversation is written outside the loop, as it was
// when it was asked for.
func TestCopyAllIsAJob(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.step("type", "/copy all")
	sc.step("key", "esc")
	late := sc.later("enter")
	sc.say(session.Event{ID: "9", Body: session.AssistantMessage{MessageID: "n", Content: "Too late."}})
	for _, call := range sc.s.calls {
		if strings.HasPrefix(call, "copy") {
			t.Fatalf("copied in the loop: %s", call)
		}
	}
	sc.run(late)
	got := sc.s.calls[len(sc.s.calls)-1]
	if !strings.HasPrefix(got, "copy ") || !strings.Contains(got, "Test it.") || !strings.Contains(got, "go test -run B") || strings.Contains(got, "Too late.") {
		t.Errorf("got %s", got)
	}
}

// TestCopyAllHasNoTimes: neither when it was nor how long it took is copied.
func TestCopyAllHasNoTimes(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "1", Time: sc.at, Body: session.UserMessage{Content: "Test it.", MessageID: "q"}},
		session.Event{ID: "2", Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash", Arguments: []byte(`{"command":"go test"}`)}},
		session.Event{ID: "3", Time: sc.at.Add(time.Minute), Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true}},
	)
	sc.step("type", "/copy all")
	sc.step("key", "esc enter")
	got, want := sc.s.calls[len(sc.s.calls)-1], "## Prompt 1\\n\\n> Test it.\\n\\n✓ **shell** `go test`\\n\""
	if !strings.HasSuffix(got, want) {
		t.Errorf("got %s\nwant it to end in %s", got, want)
	}
}

// TestSearchNothing: there is a word for a conversation without anything.
func TestSearchNothing(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Front.Blocks.Do(sc.m.win.Front.Nav.Search("x"))
	if sc.m.win.Front.Nav.Searching() || sc.m.win.Front.Hinted() == "" {
		t.Error("a bar over nothing")
	}
	sc.say(session.Event{ID: "e", Time: started, Body: session.UserMessage{Content: "x", MessageID: "m"}})
	sc.run(sc.m.win.Front.Blocks.Do(sc.m.win.Front.Nav.Search("x")))
	if got, _ := sc.m.win.Front.Nav.SearchBar(80); !strings.HasSuffix(got, "1 of 1") {
		t.Errorf("/search x: %s", got)
	}
}

// types writes as fast as people write.
func (sc *scenario) types(text string) {
	for _, r := range text {
		sc.input(press(sc.t, string(r)))
		sc.wait(80 * time.Millisecond)
	}
	sc.wait(time.Second)
}

// TestTypingIsNoCommand: a word that is typed while the timeline has the keys runs none of
// its letters and is in the draft; a letter alone is for the block.
func TestTypingIsNoCommand(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"hello", "continue", "go on", "yes", "save it"} {
		sc := talked(t)
		sc.calm("tab")
		if got := strings.Join(sc.screen(), "\n"); !strings.Contains(got, "Keys are for the block · esc returns here") {
			t.Fatalf("the composer looks as if it had the keys:\n%s", got)
		}
		sc.types(word)
		if sc.draft() != word || focus(sc.m) != "composing" || len(sc.s.calls) > 0 || sc.m.win.Overlay != nil {
			t.Errorf("%s: draft %q, focus %s, calls %q", word, sc.draft(), focus(sc.m), sc.s.calls)
		}
	}
	sc := talked(t)
	sc.calm("tab", "c")
	if !slices.ContainsFunc(sc.s.calls, func(c string) bool { return strings.HasPrefix(c, "copy ") }) {
		t.Error("c alone does not copy the block")
	}
}

// TestSearchLeadsBack: after a search that was begun in the draft, esc goes back to it
// with one press.
func TestSearchLeadsBack(t *testing.T) {
	t.Parallel()
	sc := talked(t)
	sc.calm("ctrl+f")
	sc.types("FAIL")
	sc.calm("enter")
	if focus(sc.m) != "browsing" {
		t.Fatalf("the focus is %s", focus(sc.m))
	}
	sc.calm("esc")
	if focus(sc.m) != "composing" {
		t.Errorf("the focus is %s", focus(sc.m))
	}
	sc.calm("tab", "/")
	sc.types("FAIL")
	sc.calm("enter", "esc")
	if focus(sc.m) != "browsing" {
		t.Errorf("a search that was begun on a block: the focus is %s", focus(sc.m))
	}
}

// TestRewindSaysWhatToDo: the list says what goes back, and Enter asks before it does.
func TestRewindSaysWhatToDo(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Front.Checkpoints.PickRewind(nil, []session.RewindPoint{{Event: "e", Prompt: "first"}})
	sc.contains("conversation only · f: include files")
	sc.calm("enter")
	sc.contains("Go back, files stay?")
	sc.step("key", "esc") // is a no as any other key
	sc.lacks("Go back, files stay?")
	sc.contains("Go back to before")
	sc.step("key", "esc")
	sc.lacks("Go back to before")
}

// TestRewindBehindACommand: of a command it is not known what it changed, and no prompt
// that ran one is said to have changed no file.
func TestRewindBehindACommand(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]string{
		"bash": "No changed file is known; commands ran since that may have changed some.",
		"grep": "The agent has changed no files since.",
	} {
		sc := newScenario(t, nil)
		sc.step("event", `{"type":"user.message","id":"e2","data":{"content":"go"}}`)
		sc.step("event", `{"type":"tool.execution_start","id":"e3","data":{"toolCallId":"c","toolName":"`+tool+`","arguments":{}}}`)
		sc.step("event", `{"type":"tool.execution_complete","id":"e4","data":{"toolCallId":"c","success":true}}`)
		sc.step("event", `{"type":"session.idle","id":"e5","ephemeral":true,"data":{}}`)
		sc.run(sc.m.win.Front.Checkpoints.PickRewind(staticRewinder{}, []session.RewindPoint{{Event: "e2", Prompt: "go"}}))
		sc.contains(want)
		sc.step("key", "f")
		sc.contains("No changed file is known to put back.")
	}
}
