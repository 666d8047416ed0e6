package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/tui/conversation"
)

// mixedAnswer has every kind of block that an answer is made of.
const mixedAnswer = "# Why the queue stalls\n\nThe consumer **waits** for `done`, which nobody closes; see [the docs](https://example.com/docs/channels).\n\n" +
	"1. The producer sends its last item and returns.\n2. The consumer ranges over the channel:\n   - with one worker that is enough,\n   - with two it is not 日本語の行も。\n\n" +
	"```go\nfor item := range queue {\n\tif err := handle(item); err != nil {\n\t\treturn fmt.Errorf(\"handle %v: %w\", item, err)\n\t}\n}\n```\n\n" +
	"| worker | items | time |\n|---|--:|---|\n| a | 12 | 3 s |\n| b with a long name | 1200 | 40 s |\n\n> Close the channel where the last send is.\n\n" +
	"Then the tests end 👩‍👩‍👧, and nothing waits any more.\n"

// streamed is a turn as it comes: reasoning, an answer in small deltas, a tool
// with output, a question and its end, and the next answer.
func streamed() []session.Event {
	var all []session.Event
	at := started
	add := func(ephemeral bool, b session.Body) {
		at = at.Add(10 * time.Millisecond)
		all = append(all, session.Event{ID: session.EventID(fmt.Sprint("ev", len(all))), Time: at, Ephemeral: ephemeral, Body: b})
	}
	add(false, session.UserMessage{Content: "why does the queue stall? ここも見て", MessageID: "u"})
	add(false, session.AssistantTurnStart{TurnID: "0"})
	for i := range 12 {
		add(true, session.AssistantReasoningDelta{ReasoningID: "r", DeltaContent: fmt.Sprintf("Thought %d about the channel. ", i)})
	}
	answer := func(id session.MessageID) {
		for rest := mixedAnswer; rest != ""; {
			n := min(len(rest), 19)
			add(true, session.AssistantMessageDelta{MessageID: id, DeltaContent: rest[:n]})
			rest = rest[n:]
		}
		add(false, session.AssistantMessage{MessageID: id, Content: mixedAnswer})
	}
	answer("m1")
	add(false, session.ToolExecutionStart{ToolCallID: "call-p", ToolName: "bash", Arguments: []byte(`{"command":"go test ./queue/..."}`)})
	add(true, session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "call-p", FullCommandText: "go test ./queue/...", Intention: "Run the tests of the queue", CanOfferSessionApproval: true},
		Commands:          []session.ShellCommand{{Identifier: "go test"}},
	}})
	for i := range 25 {
		add(true, session.AssistantMessageDelta{MessageID: "m2", DeltaContent: fmt.Sprintf("Meanwhile, part %d.\n\n", i)})
	}
	add(true, session.PermissionCompleted{RequestID: "p", Result: session.PermissionResult{Kind: "approved"}})
	out := ""
	for i := range 40 {
		out += fmt.Sprintf("--- PASS: Test%d (0.0%d s)\t\x1b[32mok\x1b[0m\n", i, i%10)
		add(true, session.ToolExecutionPartialResult{ToolCallID: "call-p", PartialOutput: out})
	}
	add(false, session.ToolExecutionComplete{ToolCallID: "call-p", Success: true, Result: &session.ToolResult{Content: out}})
	answer("m3")
	return all
}

// sizes are 500 sizes of a terminal, the extreme ones among them.
func sizes() [][2]int {
	r := rand.New(rand.NewPCG(4, 9))
	all := [][2]int{{1, 1}, {20, 6}, {300, 100}, {19, 6}, {20, 5}, {0, 0}, {1, 100}, {300, 1}, {21, 7}}
	for len(all) < 500 {
		all = append(all, [2]int{1 + r.IntN(160), 1 + r.IntN(60)})
	}
	return all
}

// fits holds a frame to the size of the screen: exactly its lines, none wider.
func fits(t *testing.T, content string, width, height int) {
	t.Helper()
	lines := strings.Split(content, "\n")
	tiny := width < 20 || height < 6
	if !tiny && len(lines) != height || tiny && len(lines) > max(1, height) {
		t.Fatalf("%d lines on a screen of %dx%d:\n%s", len(lines), width, height, content)
	}
	for i, line := range lines {
		if w := text.Width(line); w > width {
			t.Fatalf("line %d is %d cells on a screen of %dx%d: %q", i, w, width, height, line)
		}
	}
}

// readWhole shows the window at a size at which nothing of a question is
// hidden: what was read of it stays read at any other.
func (sc *scenario) readWhole() {
	sc.size(300, 100)
	sc.wait(frameTime)
}

// settled is the frame once everything that was to happen has happened, without
// what depends on how often the clock ticked.
func (sc *scenario) settled() tea.View {
	sc.wait(time.Second)
	sc.m.win.Pass(sc.at)
	sc.m.win.Spin, sc.m.win.Front.Hint = sc.m.win.Config.Spinner(), conversation.Hint{}
	sc.m.frame.open = true
	sc.m.draw()
	return sc.m.View()
}

// However often the terminal changes its size while an answer, a tool's output
// and a question stream in, the screen is what a new window shows at that
// size that was given the same events.
func TestResizingEqualsAFreshWindow(t *testing.T) {
	t.Parallel()
	steps := 500
	if testing.Short() {
		steps = 100
	}
	resizing(t, steps, func(i, width, height int, view, want tea.View) {
		if view.Content != want.Content {
			t.Fatalf("step %d, %dx%d:\n%s", i, width, height, difference(want.Content, view.Content))
		}
		if got, want := caret(view), caret(want); got != want {
			t.Fatalf("step %d, %dx%d: the cursor is at %v, want %v", i, width, height, got, want)
		}
	})
}

// resizing gives a window events and sizes in turn, and to compare what it shows after each
// and what a new window shows.
func resizing(t *testing.T, times int, compare func(i, width, height int, view, want tea.View)) {
	t.Helper()
	all, steps := streamed(), sizes()[:times]
	kept := newScenario(t, nil)
	given := 0
	for i, size := range steps {
		width, height := size[0], size[1]
		next := len(all) * (i + 1) / len(steps)
		kept.say(all[given:next]...)
		given = next
		kept.readWhole()
		kept.size(width, height)
		kept.wait(frameTime)
		fits(t, kept.m.View().Content, width, height)
		view := kept.settled()
		fits(t, view.Content, width, height)

		fresh := newScenario(t, nil)
		fresh.at = kept.at.Add(-time.Second - frameTime)
		fresh.say(all[:given]...)
		fresh.readWhole()
		fresh.size(width, height)
		compare(i, width, height, view, fresh.settled())
	}
	if given != len(all) {
		t.Fatalf("%d of %d events were given", given, len(all))
	}
}

// caret is where the cursor of a frame is; nowhere is negative.
func caret(v tea.View) tea.Position {
	if v.Cursor == nil {
		return tea.Position{X: -1, Y: -1}
	}
	return v.Cursor.Position
}

// TestNothingBelowIsSaid: a reader who is further up is told that more is below only as long
// as that is so; a card that gives its lines back may bring all of it into view.
func TestNothingBelowIsSaid(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.size(80, 24)
	sc.say(
		session.Event{ID: "u", Body: session.UserMessage{Content: "form", MessageID: "u"}},
		session.Event{ID: "m", Body: session.AssistantMessage{MessageID: "m", Content: "One.\n\nTwo.\n\nThree."}},
		session.Event{Ephemeral: true, Body: session.ElicitationRequested{RequestID: "f", RequestedSchema: []byte(
			`{"properties":{"a":{"type":"string","description":"What\n\nis\n\nit?"},"b":{},"c":{},"d":{},"e":{}}}`,
		)}},
	)
	sc.wait(2 * time.Second)
	sc.step("key", "tab pgup")
	sc.lacks("Three.")
	sc.step("key", "esc")
	sc.contains("Three.")
	sc.lacks("more below")
}
