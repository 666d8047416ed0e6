package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/transcript"
)

// theAnswer has what a drawing changes: wraps, marks, tabs, wide letters, a list,
// a quotation, code with a long line, a table.
const theAnswer = "# The plan\n\nThe **flaky** test sleeps instead of waiting for the worker, so on a slow machine it ends too early; 漢字を含む長い文章もここにあります、そして折り返されます。\n\n" +
	"- first `one`\n- then [two](https://example.com/two)\n\n> a quotation that is rather long and goes on and on until it has to be wrapped somewhere\n\n" +
	"```go\nfunc main() {\n\tif x := 1; x > 0 {\n\t\tfmt.Println(\"a long line of code that does not fit into the width of the screen\", x)\n\t}\n}\n```\n\n" +
	"| a | b |\n|---|---|\n| 1 | two |\n\nThe end.\n"

// showing is a scenario with one answer on a screen that shows all of it.
func showing(t *testing.T, text string, change func(*Config)) *scenario {
	t.Helper()
	sc := newScenario(t, change)
	sc.size(80, 50)
	sc.say(session.Event{ID: "u", Time: sc.at, Body: session.UserMessage{Content: "What now?", MessageID: "u"}},
		session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{Content: text, MessageID: "m"}})
	return sc
}

// What is copied of a selection is what was said: no margin, no marks, no line
// ends where a line was full, and every letter whole.
func TestSelectionIsSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{"instead", "slow machine", "instead of waiting for the worker, so on a slow machine"},
		{"test", "ends too early", "test sleeps instead of waiting for the worker, so on a slow machine it ends too early"},
		{"字を", "長い", "字を含む長い"},
		{"flaky", "flaky", "flaky"},
		{"The flaky", "sleeps", "The **flaky** test sleeps"},
		{"one", "then two", "one`\n- then [two"},
		{"quotation", "wrapped", "quotation that is rather long and goes on and on until it has to be wrapped"},
		{"func main", "main() {", "func main() {"},
		{"if x", "width", "if x := 1; x > 0 {\n\t\tfmt.Println(\"a long line of code that does not fit into the width"},
		{"fmt", "screen\", x)", "fmt.Println(\"a long line of code that does not fit into the width of the screen\", x)"},
		{"What", "now", "What now"},
		{"What", "The plan", "What now?\n\n# The plan"},
		{"somewhere", "func main", "somewhere\n\nfunc main"},
	} {
		t.Run(c.from, func(t *testing.T) {
			t.Parallel()
			sc := showing(t, theAnswer, nil)
			if got := sc.sweep(c.from, c.to); got != c.want {
				t.Errorf("copied %q\nwant   %q\n%s", got, c.want, strings.Join(sc.screen(), "\n"))
			}
		})
	}
}

// What is selected whole is copied as the key for a block does it, byte by byte;
// code that is selected whole is the code.
func TestSelectionOfBlocks(t *testing.T) {
	t.Parallel()
	sc := showing(t, theAnswer, nil)
	_, top := sc.where("The plan")
	_, end := sc.where("The end.")
	sc.drag(0, top, 79, end)
	if got := sc.copied(); got != theAnswer {
		t.Errorf("the answer is %q", got)
	}
	sc.drag(79, end, 0, top) // upwards it is the same
	if got := sc.copied(); got != theAnswer {
		t.Errorf("upwards it is %q", got)
	}
	_, top = sc.where("func main")
	_, end = sc.where("1 │ two")
	sc.drag(0, top, 79, end-3)
	_, code, _ := strings.Cut(theAnswer, "```go\n")
	code, _, _ = strings.Cut(code, "\n```")
	if got := sc.copied(); got != code {
		t.Errorf("the code is %q\nwant        %q", got, code)
	}
	sc.drag(0, 0, 79, 49)
	if got := sc.copied(); got != "What now?\n\n"+strings.TrimRight(theAnswer, "\n") {
		t.Errorf("all is %q", got)
	}
}

// Calls are copied as what they did, without the numbers at their edge; a diff as
// its lines.
func TestSelectionOfCalls(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	long := strings.Repeat("0123456789", 12)
	sc.say(
		session.Event{ID: "c", Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash", Arguments: []byte(`{"command":"go test ./queue"}`)}},
		session.Event{ID: "d", Time: sc.at.Add(3 * time.Second), Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{Content: "ok\tqueue\t0.1s\n" + long + "\nbye\n"}}},
	)
	_, y := sc.where("go test")
	sc.drag(0, y, 79, y)
	if got := sc.copied(); got != "go test ./queue" {
		t.Errorf("the row is %q", got)
	}
	sc.step("key", "ctrl+o")
	_, y = sc.where("ok ")
	_, end := sc.where("bye")
	sc.drag(0, y, 79, end)
	if got := sc.copied(); got != "ok\tqueue\t0.1s\n"+long+"\nbye" {
		t.Errorf("the output is %q", got)
	}
	sc.drag(0, y-1, 79, end)
	if got, want := sc.copied(), "go test ./queue\nok\tqueue\t0.1s\n"+long+"\nbye\n"; strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
		t.Errorf("the call is %q", got)
	}
	x, _ := sc.where("go test")
	sc.drag(x+3, y-1, 5, y)
	if got := sc.copied(); got != "test ./queue\nok" {
		t.Errorf("the end of the row and the start of the output are %q", got)
	}
	sc.drag(x+3, y-1, 79, end)
	if got := sc.copied(); got != "test ./queue\nok\tqueue\t0.1s\n"+long+"\nbye" {
		t.Errorf("the end of the row and the output are %q", got)
	}
}

// The time at the edge of a prompt is never copied, also where more of it than of the prompt
// is selected.
func TestSelectionHasNoTimes(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "u", Time: sc.at, Body: session.UserMessage{Content: "go", MessageID: "u"}},
		session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{Content: "Done.", MessageID: "m"}},
		session.Event{ID: "r", Time: sc.at, Body: session.SessionResume{}},
		session.Event{ID: "s", Time: sc.at, Body: session.UserMessage{Content: strings.Repeat("word ", 13) + "edge", MessageID: "s", Source: "loop"}},
	)
	for _, c := range []struct{ from, to, want string }{
		{"o ", "10:41", "o"},
		{"o ", "Done", "o\n\nDone"},
		{"esumed", "loop", "esumed\n\nloop"},
		{"word", "edge", strings.Repeat("word ", 13) + "edge"}, // what has no time has all the width
	} {
		if got := sc.sweep(c.from, c.to); got != c.want {
			t.Errorf("from %q to %q, copied %q, want %q\n%s", c.from, c.to, got, c.want, strings.Join(sc.screen(), "\n"))
		}
	}
	x, y := sc.where("10:41")
	sc.drag(x-1, y, 79, y)
	if got := sc.copied(); strings.Contains(got, "10:41") {
		t.Errorf("the time alone is %q", got)
	}
}

// A second click selects the word, a third the line, all of one that was wrapped.
func TestClicksSelect(t *testing.T) {
	t.Parallel()
	sc := showing(t, theAnswer+"\nSee https://example.com/a?b=c.\n", nil)
	for _, c := range []struct {
		at     string
		clicks int
		want   string
	}{
		{"flaky", 2, "flaky"},
		{"example.com/a", 2, "https://example.com/a?b=c"},
		{"字", 2, "漢字を含む長い文章もここにあります"},
		{"worker", 3, strings.Split(theAnswer, "\n")[2]},
		{"Println", 3, "\t\tfmt.Println(\"a long line of code that does not fit into the width of the screen\", x)"},
		{"if x", 3, "\tif x := 1; x > 0 {"},
	} {
		x, y := sc.where(c.at)
		for range c.clicks {
			sc.input(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			sc.input(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
		}
		if got := sc.copied(); got != c.want {
			t.Errorf("%d clicks on %s copy %q, want %q", c.clicks, c.at, got, c.want)
		}
		sc.wait(time.Second)
	}
}

// ctrl+c copies what is selected before it does anything else; esc and typing let
// it go; a click does too, and nothing else.
func TestSelectionGoes(t *testing.T) {
	t.Parallel()
	sc := showing(t, theAnswer, nil)
	x, y := sc.where("sleeps")
	sc.step("type", "draft")
	sc.drag(x, y, x+5, y)
	if got := sc.copied(); got != "sleeps" || sc.draft() != "draft" || sc.m.win.Front.Pane.Selection.On {
		t.Errorf("copied %q, the draft is %q", got, sc.draft())
	}
	sc.contains("Copied 1 line")
	for name, let := range map[string]func(){
		"esc":     func() { sc.step("key", "esc") },
		"a key":   func() { sc.step("type", "x"); sc.step("key", "backspace") },
		"a paste": func() { sc.step("paste", "x"); sc.step("key", "backspace") },
		"a click": func() { sc.click(x, y) },
		"a width": func() { sc.size(100, 50); sc.size(80, 50) },
	} {
		sc.drag(x, y, x+5, y)
		if !sc.m.win.Front.Pane.Selection.On {
			t.Fatalf("%s: nothing is selected", name)
		}
		let()
		if sc.m.win.Front.Pane.Selection.On || sc.draft() != "draft" {
			t.Errorf("%s: selected %t, the draft is %q", name, sc.m.win.Front.Pane.Selection.On, sc.draft())
		}
		sc.wait(time.Second)
	}
	sc.step("key", "ctrl+c")
	if sc.draft() != "" {
		t.Error("ctrl+c does not clear the draft any more")
	}
}

// What is said meanwhile moves neither the selection nor the lines on the screen;
// then the end is followed as before.
func TestSelectionStays(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	say := func(text string) {
		sc.say(session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: text}})
	}
	sc.say(session.Event{ID: "t", Time: sc.at, Body: session.AssistantTurnStart{}})
	for i := range 30 {
		say(fmt.Sprintf("This is paragraph %d of it.\n\n", i))
	}
	x, y := sc.where("paragraph 25")
	before := sc.screen()[:15]
	sc.drag(x, y, x+len("paragraph 25")-1, y)
	for i := range 30 {
		say(fmt.Sprintf("More is said, part %d.\n\n", i))
	}
	if now := sc.screen()[:15]; !slices.Equal(before, now) {
		t.Errorf("the screen moved:\n%s", strings.Join(now, "\n"))
	}
	if got := sc.copied(); got != "paragraph 25" {
		t.Errorf("copied %q", got)
	}
	sc.contains("part 29")
	if !sc.m.win.Front.Pane.Follow {
		t.Error("the end is not followed any more")
	}
}

// A drag beyond the edge scrolls for as long as the button is down, and not
// longer than there is something.
func TestDragScrolls(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	for i := range 60 {
		sc.say(numbered(i))
	}
	area := sc.m.display.View.Layout.Timeline
	sc.input(tea.MouseClickMsg{X: 4, Y: 5, Button: tea.MouseLeft})
	sc.input(tea.MouseMotionMsg{X: 4, Y: 0, Button: tea.MouseLeft})
	sc.wait(time.Minute)
	if at, _ := sc.m.win.Front.Pane.First(); at.Entry != 0 {
		t.Errorf("at entry %d", at.Entry)
	}
	sc.input(tea.MouseMotionMsg{X: 4, Y: area.Y + area.Height + 1, Button: tea.MouseLeft})
	sc.wait(time.Second)
	sc.input(tea.MouseReleaseMsg{X: 4, Y: area.Y + area.Height + 1, Button: tea.MouseLeft})
	stopped := sc.m.win.Front.Pane.Top
	sc.wait(time.Minute)
	if stopped != sc.m.win.Front.Pane.Top || stopped == (transcript.Spot{}) {
		t.Errorf("scrolled on, from %v to %v", stopped, sc.m.win.Front.Pane.Top)
	}
	if !sc.m.win.Front.Pane.Selection.On {
		t.Error("nothing is selected")
	}
}

// Selecting over a conversation with a question leaves the question alone.
func TestSelectionAnswersNothing(t *testing.T) {
	t.Parallel()
	sc := showing(t, theAnswer, nil)
	sc.say(asking("p", "rm -rf build"))
	sc.wait(time.Second)
	if !sc.m.win.Front.Questions.Focused() {
		t.Fatal("the question has not got the focus")
	}
	x, y := sc.where("quotation")
	sc.drag(x, y, x+8, y)
	if !sc.m.win.Front.Questions.Focused() {
		t.Error("selecting took the focus from the question")
	}
	if got := sc.copied(); got != "quotation" || !sc.m.win.Front.Questions.Focused() {
		t.Errorf("copied %q, focused %t", got, sc.m.win.Front.Questions.Focused())
	}
	if got := answers(sc.s); len(got) > 0 {
		t.Errorf("answered %v", got)
	}
}
