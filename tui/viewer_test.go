package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/session"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/viewer"
)

// edited says that a file was changed by lines that were added.
func (sc *scenario) editFile(n, lines int) {
	call := session.CallID(fmt.Sprint("edit", n))
	path := fmt.Sprintf("/home/ada/src/queue/f%d.go", n)
	var diff strings.Builder
	fmt.Fprintf(&diff, "\ndiff --git a%s b%s\n--- a%s\n+++ b%s\n@@ -1,0 +1,%d @@\n", path, path, path, path, lines)
	for i := range lines {
		fmt.Fprintf(&diff, "+line %d of file %d %s\n", i, n, strings.Repeat("long ", i%40))
	}
	sc.say(
		session.Event{ID: session.EventID("es-" + call), Time: sc.at, Body: session.ToolExecutionStart{ToolCallID: call, ToolName: "edit"}},
		session.Event{ID: session.EventID("ee-" + call), Time: sc.at, Body: session.ToolExecutionComplete{
			ToolCallID: call, Success: true, FileEdits: []session.FileEdit{{Path: path, Kind: "edit"}},
			Result: &session.ToolResult{Content: "done", DetailedContent: diff.String()},
		}},
	)
}

// Whatever is pressed in the viewer, at any size, the frame fits, the selected
// line is one of the diff, and the question behind it is not answered.
func TestViewerProperty(t *testing.T) {
	t.Parallel()
	keys := []string{
		"up", "down", "j", "k", "pgup", "pgdown", "ctrl+u", "ctrl+d", "g", "G", "home", "end", "n", "N", "left", "right", "h", "l",
		"t", "w", "<", ">", "y", "Y", "s", "1", "enter", "space", "ctrl+x d", "esc", "q", "c",
	}
	rapid.Check(t, func(rt *rapid.T) {
		sc := newScenario(t, nil)
		for i := range rapid.IntRange(1, 3).Draw(rt, "edits") {
			sc.editFile(i, rapid.IntRange(1, 120).Draw(rt, "lines"))
		}
		sc.step("key", "ctrl+x d")
		for i := range rapid.IntRange(1, 30).Draw(rt, "steps") {
			if conversation.Over[*viewer.Viewer](sc.m.win) == nil {
				sc.step("key", "ctrl+x d")
			}
			switch rapid.IntRange(0, 12).Draw(rt, "step") {
			case 0:
				sc.size(rapid.IntRange(20, 160).Draw(rt, "w"), rapid.IntRange(6, 50).Draw(rt, "h"))
			case 1:
				sc.say(asking(fmt.Sprint("p", i), "rm -rf build"))
			case 2:
				sc.input(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
			case 3:
				sc.input(tea.MouseClickMsg{Button: tea.MouseLeft, Y: rapid.IntRange(0, 50).Draw(rt, "y")})
			case 4:
				sc.editFile(10+i, 3)
			case 5:
				sc.wait(time.Second)
			default:
				sc.step("key", rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			sc.wait(frameTime)
			fits(t, sc.m.View().Content, sc.m.win.Width, sc.m.win.Height)
			if n := sc.selectedLines(); conversation.Over[*viewer.Viewer](sc.m.win) != nil && n > 1 {
				rt.Fatalf("%d lines are selected:\n%s", n, strings.Join(sc.screen(), "\n"))
			}
		}
		if got := answers(sc.s); len(got) != 0 {
			rt.Fatalf("answered from the viewer: %v", got)
		}
	})
}

// selectedLines counts the rows of the screen that are marked as selected.
func (sc *scenario) selectedLines() int {
	n := 0
	for _, line := range sc.screen() {
		if strings.HasPrefix(line, " "+sc.m.win.Theme.Glyph(theme.MarkChosen)) {
			n++
		}
	}
	return n
}

// The selected line is on the screen after every key that moves it and after
// every change of the size.
func TestViewerShowsTheSelectedLine(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.editFile(0, 100)
	sc.step("key", "ctrl+x d")
	for _, keys := range []string{"j j j", "G", "k k", "w", "g", "pgdown", "ctrl+d", "pgup", "t", "end", "up", "home", "N", "n"} {
		sc.step("key", keys)
		for _, size := range []string{"60x16", "140x45", "80x24"} {
			sc.step("size", size)
			if sc.selectedLines() == 0 {
				t.Errorf("after %s at %s, the selected line is not shown:\n%s", keys, size, strings.Join(sc.screen(), "\n"))
			}
		}
	}
}

// The viewer leaves the timeline where it was.
func TestViewerKeepsThePlace(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	for i := range 30 {
		sc.editFile(i, 10)
	}
	sc.idle()
	sc.step("key", "pgup pgup")
	before := strings.Join(sc.screen(), "\n")
	sc.step("key", "ctrl+x d")
	sc.step("key", "j j right pgdown")
	sc.step("size", "60x16")
	sc.step("size", "80x24")
	sc.step("key", "esc")
	sc.wait(4 * time.Second)
	if after := strings.Join(sc.screen(), "\n"); after != before {
		t.Errorf("the timeline moved:\n%s", difference(before, after))
	}
}

// A card that was armed before the viewer came must be painted anew before it
// listens.
func TestViewerDisarms(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.editFile(0, 10)
	sc.say(asking("p", "git push"))
	sc.wait(time.Second)
	sc.step("key", "ctrl+x d")
	sc.wait(time.Second)
	sc.step("key", "esc")
	sc.input(press(t, "y"))
	sc.wait(300 * time.Millisecond)
	if got := answers(sc.s); len(got) != 0 {
		t.Fatalf("answered %v by a key right after the viewer closed", got)
	}
	if got := sc.draft(); got != "y" {
		t.Errorf("the key is not in the draft: %q", got)
	}
}

// TestViewerComments: a comment names the file from the session's folder, whether the
// agent told the path or only a diff did, and a file elsewhere as it is.
func TestViewerComments(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/home/ada/src/queue/sub/a.go": "sub/a.go:1", "/home/ada/src/queue2/a.go": "/home/ada/src/queue2/a.go:1",
	} {
		for _, told := range [][]session.FileEdit{nil, {{Path: path, Kind: "edit"}}, {{Path: path, Kind: "edit"}, {Path: path + ".x", Kind: "edit"}}} {
			sc := newScenario(t, nil)
			diff := fmt.Sprintf("diff --git a%[1]s b%[1]s\n--- a%[1]s\n+++ b%[1]s\n@@ -0,0 +1 @@\n+new\n", path)
			if len(told) > 1 {
				diff += strings.ReplaceAll(diff, path, path+".x")
			}
			sc.say(
				session.Event{ID: "s", Time: sc.at, Body: session.ToolExecutionStart{
					ToolCallID: "c", ToolName: "edit", Arguments: jsontext.Value(`{"path":"` + path + `"}`),
				}},
				session.Event{ID: "e", Time: sc.at, Body: session.ToolExecutionComplete{
					ToolCallID: "c", Success: true, FileEdits: told, Result: &session.ToolResult{Content: "done", DetailedContent: "\n" + diff},
				}},
			)
			sc.step("key", "ctrl+x d")
			sc.step("key", "c")
			if got := sc.draft(); got != want+"\n> +new\n" {
				t.Errorf("of %d told files, the comment is %q, not about %s", len(told), got, want)
			}
		}
	}
}

// TestViewerReopens: the viewer is at the line where it was left, until there is another
// edit.
func TestViewerReopens(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.editFile(0, 3)
	sc.editFile(1, 200)
	for _, key := range []string{"ctrl+x d", "pgdown pgdown down", "c", "ctrl+x d", "down", "c"} {
		sc.step("key", key)
	}
	lines := strings.Split(sc.draft(), "\n")
	number := func(line string) (n int) {
		if _, err := fmt.Sscanf(line[strings.LastIndexByte(line, ':')+1:], "%d", &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		return n
	}
	if first, second := number(lines[0]), number(lines[2]); first < 20 || second != first+1 {
		t.Errorf("comments on lines %d and %d:\n%s", first, second, sc.draft())
	}
	sc.step("key", "ctrl+x d")
	sc.step("key", "right")
	before := strings.Join(sc.screen(), "\n")
	sc.step("key", "esc")
	sc.step("key", "ctrl+x d")
	if got := strings.Join(sc.screen(), "\n"); got != before {
		t.Errorf("it was left at\n%s\nand is at\n%s", before, got)
	}
	sc.step("key", "esc")
	sc.editFile(2, 3)
	sc.step("key", "ctrl+x d")
	sc.sees("line 0 of file 2")
}

// An edit of 50,000 lines opens at once, and a key in it costs what is on the
// screen.
func TestViewerOpensHugeEdits(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.editFile(0, 50_000)
	sc.step("key", "ctrl+x d")
	sc.step("key", "G")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "line 49999 of file 0") {
		t.Errorf("the end is not on the screen:\n%s", screen)
	}
}
