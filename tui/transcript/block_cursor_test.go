package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/render"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// mixedPane is a pane over prompts, calls with output, and entries that are
// hidden.
func mixedPane(t *rapid.T) *transcript.Pane {
	tl := timeline.New()
	for i, n := range rapid.SliceOfN(rapid.IntRange(0, 40), 1, 25).Draw(t, "entries") {
		id := session.EventID(fmt.Sprintf("e%d", i))
		call := session.CallID(fmt.Sprintf("c%d", i))
		lines := strings.TrimRight(strings.Repeat(fmt.Sprintf("line of %d\n", i), n), "\n")
		switch n % 3 {
		case 0:
			tl.Apply(numbered(i))
		case 1:
			tl.Apply(session.Event{ID: id, Body: session.SystemMessage{Role: "system", Content: "prompt " + string(id) + lines}})
		default:
			tl.Apply(session.Event{ID: id + "s", Body: session.ToolExecutionStart{ToolCallID: call, ToolName: "bash"}})
			tl.Apply(session.Event{ID: id, Body: session.ToolExecutionComplete{
				ToolCallID: call, Success: true, Result: &session.ToolResult{Content: lines},
			}})
		}
	}
	p := transcript.New(tl, render.Options{Width: rapid.IntRange(10, 60).Draw(t, "width"), Theme: theme.Plain()})
	p.Height = rapid.IntRange(1, 20).Draw(t, "height")
	p.Density = rapid.SampledFrom([]render.Density{render.Normal, render.Compact, render.Verbose}).Draw(t, "density")
	return &p
}

// headRow is the row of the screen with the first line of an entry; -1 is none.
func headRow(p *transcript.Pane, entry int) int {
	return slices.IndexFunc(p.Rows(), func(at transcript.Place) bool { return at.Entry == entry && at.Unit >= 0 })
}

// The cursor stands on what is shown, goes through all of it in order, and is on
// the screen.
func TestBlockCursorIsSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := mixedPane(t)
		p.Scroll(rapid.IntRange(-60, 0).Draw(t, "scroll"))
		before := -1
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			down := rapid.Bool().Draw(t, "down")
			p.Step(down)
			e, ok := p.Block()
			if !ok {
				if p.Lowest() >= 0 {
					t.Fatal("there is something to stand on, and the cursor stands on nothing")
				}
				return
			}
			i, _ := p.Timeline.Find(e.ID)
			if headRow(p, i) < 0 {
				t.Fatalf("entry %d has the cursor and is not on the screen", i)
			}
			if before >= 0 && down && i < before || before >= 0 && !down && i > before {
				t.Fatalf("down is %v, and the cursor went from %d to %d", down, before, i)
			}
			before = i
			marked := 0
			for _, line := range p.View() {
				if strings.HasPrefix(ansi.TruncateLeft(line, 1, ""), "|") || strings.HasPrefix(ansi.TruncateLeft(line, 1, ""), "▏") {
					marked++
				}
				if ansi.StringWidth(line) > p.Opts.Width {
					t.Fatalf("%q is wider than %d", line, p.Opts.Width)
				}
			}
			if marked == 0 && p.Opts.Width > widget.Margin {
				t.Fatalf("no line is marked:\n%s", strings.Join(p.View(), "\n"))
			}
		}
	})
}

// What is folded or unfolded stays on its row, and so does all above it.
func TestToggleStaysInPlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := mixedPane(t)
		p.Scroll(rapid.IntRange(-60, 0).Draw(t, "scroll"))
		for range rapid.IntRange(1, 6).Draw(t, "toggles") {
			rows := p.Rows()
			if len(rows) == 0 {
				return
			}
			y := rapid.IntRange(0, len(rows)-1).Draw(t, "row")
			at := rows[y]
			if at.Unit < 0 || at.Unit == 0 && y > 0 && rows[y-1].Entry == at.Entry && rows[y-1].Unit >= 0 && at.Line > 0 {
				continue
			}
			before, row := p.View(), headRow(p, at.Entry)
			p.Toggle(at.Entry)
			after := p.View()
			if at.Unit > 0 && row == 0 {
				continue // its first line was above the screen
			}
			if headRow(p, at.Entry) != row {
				t.Fatalf("row %d became %d:\n%s\n---\n%s", row, headRow(p, at.Entry), strings.Join(before, "\n"), strings.Join(after, "\n"))
			}
			if !slices.Equal(before[:row], after[:row]) {
				t.Fatalf("what is above moved:\n%s\n---\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
			}
		}
	})
}

// A fold at the end does not stop the end from being followed once more comes.
func TestFoldedEndIsFollowed(t *testing.T) {
	t.Parallel()
	tl := timeline.New()
	for i := range 30 {
		tl.Apply(numbered(i))
	}
	tl.Apply(session.Event{ID: "s", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash"}})
	tl.Apply(session.Event{ID: "e", Body: session.ToolExecutionComplete{
		ToolCallID: "c", Success: true, Result: &session.ToolResult{Content: strings.Repeat("line\n", 6)},
	}})
	p := transcript.New(tl, render.Options{Width: 40, Theme: theme.Plain()})
	p.Height = 10
	p.Folds[tl.At(tl.Len()-1).ID] = render.Whole
	p.Toggle(tl.Len() - 1)
	if p.Follow || !p.Ends() {
		t.Fatal("folding the last entry moved the screen")
	}
	for i := range 40 {
		tl.Apply(numbered(100 + i))
		p.Resettle()
	}
	if !p.Follow {
		t.Error("the end is out of view and not followed")
	}
}

// A cleared screen begins with the first entry that is shown, also where hidden
// ones lie before it.
func TestClearedBeforeHiddenEntries(t *testing.T) {
	t.Parallel()
	p := testPane(3, 40, 10)
	p.Clear()
	p.Timeline.Apply(session.Event{ID: "s", Body: session.SystemMessage{Role: "system", Content: "hidden"}})
	p.Timeline.Apply(numbered(100))
	if shown := p.View(); len(shown) == 0 || strings.TrimSpace(shown[0]) == "" {
		t.Errorf("it begins with an empty line: %q", shown)
	}
}

// TestEveryBlockHasAText: of each entry with a row there is a text to copy and to open in the
// editor, also of a summary that names no file.
func TestEveryBlockHasAText(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		tl := timeline.New()
		for _, ev := range sessiontest.Log(t, name) {
			tl.Apply(ev)
		}
		p := transcript.New(tl, render.Options{Width: 80, Theme: theme.Plain()})
		p.Height, p.Density = 40, render.Verbose
		for i := range tl.Len() {
			shown := ""
			for unit := range p.Units(i) {
				shown += ansi.Strip(strings.Join(p.Lines(i, unit), "\n"))
			}
			if strings.TrimSpace(shown) != "" && strings.TrimSpace(p.Text(i)) == "" {
				t.Errorf("%s: no text of %T, which shows\n%s", name, tl.At(i).Body, shown)
			}
		}
	}
}
