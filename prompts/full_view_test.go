package prompts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/render/diff"
	"parley/session"
)

// editOf is the question whether a file of 60 lines, "line 1" to "line 60", may be
// changed in its 30th line, and that file.
func editOf() (ask session.PermissionRequested, file string) {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprint("line ", i+1))
	}
	file = strings.Join(lines, "\n") + "\n"
	return session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{
		Kind: "write", FileName: "/w/a.txt", CanOfferSessionApproval: true,
		Diff: "--- a/w/a.txt\n+++ b/w/a.txt\n@@ -27,7 +27,7 @@\n line 27\n line 28\n line 29\n-line 30\n+other\n line 31\n line 32\n line 33\n",
	}}}, file
}

// fileOf is the question whether a file with so many lines may be made.
func fileOf(lines int) session.PermissionRequested {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "word %d\n", i+1)
	}
	return session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{
		Kind: "write", FileName: "/w/a.txt", NewFileContents: b.String(), CanOfferSessionApproval: true,
	}}}
}

// decided is how the only answer so far decides.
func (d *desk) decided() session.Decision {
	d.t.Helper()
	return d.answer().(session.PermissionAnswer).Decision
}

// TestFullView: v gives the question all the lines there are, with more of what is
// asked about than the card has, and the same keys answer; esc goes back to the card.
func TestFullView(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.height = 22
	d.ready(fileOf(199))
	words := func() int { return strings.Count(d.text(), " word ") }
	card := words()
	d.press("v")
	if !d.q.Full() || len(d.screen) != d.height || words() <= card {
		t.Fatalf("%d lines, with %d words after %d:\n%s", len(d.screen), words(), card, d.text())
	}
	d.press("y")
	d.none()
	if !strings.Contains(d.text(), "more lines to read first") {
		t.Errorf("it does not say what is missing:\n%s", d.text())
	}
	d.press("esc")
	if d.q.Full() || words() != card || !d.q.Focused() {
		t.Errorf("esc does not go back to the card:\n%s", d.text())
	}
	d.press("v", "end", "y")
	if got := d.decided(); got != session.ApproveOnce {
		t.Errorf("decided %s", got)
	}
}

// TestFullViewHasEveryLetter: in the full view space and b page, and no letter of what is
// typed there goes to the draft, leaves the view or answers.
func TestFullViewHasEveryLetter(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.height = 22
	d.ready(fileOf(199))
	d.press("v")
	top := func() int { return d.q.card().scroll.top }
	d.press("space")
	if top() == 0 {
		t.Errorf("space does not page down:\n%s", d.text())
	}
	d.press("b")
	if top() != 0 {
		t.Errorf("b does not page up:\n%s", d.text())
	}
	d.typed("yes, and now a word: yynn 1 2 ")
	d.wait(time.Second)
	d.none()
	if d.draft.Len() > 0 || !d.q.Full() || !d.q.Focused() || d.q.card().open != nil {
		t.Errorf("the draft has %q, full view %v, focus %v:\n%s", d.draft.String(), d.q.Full(), d.q.Focused(), d.text())
	}
	d.press("end", "y")
	if got := d.decided(); got != session.ApproveOnce {
		t.Errorf("decided %s", got)
	}
}

// TestTooQuickAfterTab: a letter that comes too soon after the focus was moved to the card
// is dropped, and the card says so; a word is typing and goes to the draft whole.
func TestTooQuickAfterTab(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(fileOf(3))
	d.press("esc")
	d.q.Focus(d.now)
	d.wait(200 * time.Millisecond)
	d.key(stroked("y"), time.Second)
	d.none()
	if d.draft.Len() > 0 || !d.q.Focused() || !strings.Contains(d.text(), "too quick: press y again") {
		t.Errorf("the draft has %q, focus %v:\n%s", d.draft.String(), d.q.Focused(), d.text())
	}
	d.press("esc")
	d.q.Focus(d.now)
	d.wait(50 * time.Millisecond)
	d.typed("yes please")
	if d.draft.String() != "yes please" || d.q.Focused() {
		t.Errorf("the draft has %q, focus %v:\n%s", d.draft.String(), d.q.Focused(), d.text())
	}
	d.none()
}

// TestTooQuickIsSaid: a key that came too soon to count, or with others, is named at the
// bottom of the card, with what to do; no row moves, nothing is answered, and the next key
// takes the words away.
func TestTooQuickIsSaid(t *testing.T) {
	t.Parallel()
	const soon = 60 * time.Millisecond
	for name, tt := range map[string]struct {
		ask   session.Body
		early bool // pressed before the card listens
		keys  []string
		says  string
		draft string
		then  []string // answer
	}{
		"enter, early":               {shell("ls", "ls"), true, []string{"enter"}, "too quick: press enter again", "", nil},
		"a letter, early":            {shell("ls", "ls"), true, []string{"s"}, "too quick, s went to your draft: ctrl+x p to answer", "s", nil},
		"a letter, and enter":        {shell("ls", "ls"), false, []string{"s", "enter"}, "too quick, s went to your draft: ctrl+x p to answer", "s", nil},
		"the same letter twice":      {shell("ls", "ls"), false, []string{"down", "y", "y"}, "too quick, y went to your draft: ctrl+x p to answer", "yy", nil},
		"enter on a row, at once":    {shell("ls", "ls"), false, []string{"j", "enter"}, "too quick: press enter again", "", []string{"enter"}},
		"enter after y of danger":    {shell("rm -rf /", "rm"), false, []string{"y", "enter"}, "too quick: enter again allows it", "", []string{"enter"}},
		"a letter in the full view":  {shell("ls", "ls"), false, []string{"v", "wait", "y", "e"}, "too quick: press y again, alone", "", []string{"y"}},
		"enter after y in full view": {shell("ls", "ls"), false, []string{"v", "wait", "y", "enter"}, "too quick: press y again, alone", "", []string{"y"}},
	} {
		d := newDesk(t)
		d.apply(tt.ask)
		if !tt.early {
			d.settle()
		}
		var rows []string
		for _, key := range tt.keys {
			if key == "wait" {
				d.wait(time.Second)
				continue
			}
			rows = d.screen
			d.key(stroked(key), soon)
		}
		d.none()
		if !strings.Contains(d.screen[len(d.screen)-1], tt.says) || d.draft.String() != tt.draft || len(d.screen) != len(rows) {
			t.Errorf("%s: not %q, or draft %q, or %d lines after %d:\n%s", name, tt.says, d.draft.String(), len(d.screen), len(rows), d.text())
		}
		d.wait(time.Second)
		d.none()
		if tt.then == nil {
			d.q.Elsewhere(d.now)
			if d.draw(); strings.Contains(d.text(), "too quick") {
				t.Errorf("%s: it stays:\n%s", name, d.text())
			}
			continue
		}
		d.press(tt.then...)
		if got := d.decided(); got != session.ApproveOnce {
			t.Errorf("%s: decided %s", name, got)
		}
	}
}

// TestFullViewNeedsNoScrolling: what fits in the full view is read there.
func TestFullViewNeedsNoScrolling(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.height = 22
	d.ready(fileOf(14))
	d.press("v", "y")
	if got := d.decided(); got != session.ApproveOnce {
		t.Errorf("decided %s", got)
	}
}

// TestReadToTheEnd: however the last line comes onto the screen, it is read; of
// something dangerous each line must have been there.
func TestReadToTheEnd(t *testing.T) {
	t.Parallel()
	dangerous := shell("rm -rf build\n"+strings.Repeat("echo more\n", 80), "rm")
	for name, goes := range map[string]func(*desk){
		"end": func(d *desk) { d.press("end") },
		"G":   func(d *desk) { d.press("G") },
		"the wheel": func(d *desk) {
			for d.q.Scroll(50) && d.q.card().scroll.top+d.q.card().scroll.height < d.q.card().scroll.total {
				d.draw()
			}
			d.draw()
		},
		"pages": func(d *desk) { d.press("pgdown*40") },
	} {
		for _, view := range []string{"card", "full view"} {
			for _, ask := range []session.PermissionRequested{fileOf(199), dangerous} {
				d := newDesk(t)
				d.ready(ask)
				if view != "card" {
					d.press("v")
				}
				goes(d)
				locked := len(d.q.card().alerts) > 0 && !slices.Contains([]string{"pages"}, name)
				if got := d.q.card().locked(); got != locked {
					t.Errorf("%s, %s, %s: approving is off: %v, want %v", name, view, ask.PermissionRequest.Kind, got, locked)
				}
			}
		}
	}
}

// searching is a desk with a new file of 199 lines in full view, in which a text was looked
// for.
func searching(t *testing.T, words string) *desk {
	t.Helper()
	d := newDesk(t)
	d.ready(fileOf(199))
	d.press("v", "/")
	d.typed(words)
	d.press("enter")
	return d
}

// TestFullViewSearch: while something is searched for, > and < go to its matches, and
// n refuses as ever.
func TestFullViewSearch(t *testing.T) {
	t.Parallel()
	d := searching(t, "word 15")
	if !strings.Contains(d.text(), "match 1 of 11") || !strings.Contains(d.text(), "word 15 ") {
		t.Fatalf("not found:\n%s", d.text())
	}
	d.press(">")
	if !strings.Contains(d.text(), "match 2 of 11") || !strings.Contains(d.text(), "word 150 ") || d.q.card().open != nil {
		t.Fatalf("> does not go to the next match:\n%s", d.text())
	}
	d.press("<", "<")
	if !strings.Contains(d.text(), "match 11 of 11") || !strings.Contains(d.text(), "n  No") {
		t.Errorf("< does not go back, or n is not offered for no:\n%s", d.text())
	}
	d.none()
	d.press("n")
	if d.q.card().open == nil {
		t.Errorf("n does not refuse:\n%s", d.text())
	}
	d.press("esc", "esc")
	if !d.q.Full() || strings.Contains(d.text(), "match") {
		t.Errorf("esc does not end the search alone:\n%s", d.text())
	}
	d.press("n")
	if d.q.card().open == nil {
		t.Errorf("n does not refuse any more:\n%s", d.text())
	}
	d.press("esc", "/")
	d.typed("nowhere")
	d.press("enter")
	if !strings.Contains(d.text(), "not found: nowhere") {
		t.Errorf("it does not say that nothing was found:\n%s", d.text())
	}
	if d.draft.Len() > 0 {
		t.Errorf("the draft has %q", d.draft.String())
	}
}

// TestCommentOnAMatch: a comment after a search is on the line that was found.
func TestCommentOnAMatch(t *testing.T) {
	t.Parallel()
	d := searching(t, "word 150")
	d.press("c")
	d.typed("why")
	d.press("enter")
	lines := strings.Split(d.text(), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "word 150 ") })
	if at < 0 || !strings.Contains(lines[at+1], "why") {
		t.Errorf("the comment is elsewhere:\n%s", d.text())
	}
}

// TestMoreAround: + shows more of the file around a change, up to all of it, and -
// less; comments stay on their lines, and what is shown anew is painted before the
// card listens.
func TestMoreAround(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.width, d.height = 100, 90
	ask, file := editOf()
	d.ready(ask)
	d.press("down") // no row of the change
	d.press("c")
	d.typed("why")
	d.press("enter")
	if !strings.Contains(d.text(), "│ why") {
		t.Fatalf("no comment:\n%s", d.text())
	}
	commented := d.q.card().reviewed().place(0)
	for i, want := range []struct{ with, without string }{{"line 17", "line 16 "}, {"line 60", "no such"}} {
		d.press("+")
		got, ok := d.effects[len(d.effects)-1].(ReadFile)
		if !ok || got.Path != "/w/a.txt" {
			t.Fatalf("+ asks for %+v", d.effects)
		}
		d.q.FileRead(file, nil, d.now)
		d.draw()
		if i == 0 && d.q.consent.Armed(d.now) {
			t.Error("the card listens before it was painted again")
		}
		d.settle()
		if !strings.Contains(d.text(), want.with) || strings.Contains(d.text(), want.without) {
			t.Fatalf("%d: no %s, or %s:\n%s", i, want.with, want.without, d.text())
		}
		if got := d.q.card().reviewed().place(0); got != commented || !strings.Contains(d.text(), "│ why") {
			t.Errorf("the comment is at %s, and not %s:\n%s", got, commented, d.text())
		}
	}
	if !strings.Contains(d.text(), "- less") {
		t.Errorf("it does not say how to see less:\n%s", d.text())
	}
	d.press("-", "-")
	if strings.Contains(d.text(), "line 26") || !strings.Contains(d.text(), "│ why") {
		t.Errorf("not as it was asked:\n%s", d.text())
	}
	d.press("y")
	if got := d.decided(); got != session.ApproveOnce {
		t.Errorf("decided %s", got)
	}
}

// TestMoreAroundKeepsChange: with more of the file around it the change stays in view,
// on the card and in the full view, at any size and from wherever it was pressed, and
// nothing is selected by it.
func TestMoreAroundKeepsChange(t *testing.T) {
	t.Parallel()
	ask, file := editOf()
	for _, size := range [][2]int{{80, 18}, {80, 12}, {60, 20}, {140, 40}} {
		for _, first := range [][]string{nil, {"pgdown"}, {"v"}, {"v", "end"}} {
			d := newDesk(t)
			d.width, d.height = size[0], size[1]
			d.ready(ask)
			d.press(first...)
			for _, key := range []string{"+", "+", "-"} {
				d.press(key)
				if key == "+" {
					d.q.FileRead(file, nil, d.now)
					d.draw()
					d.settle()
				}
				if !strings.Contains(d.text(), "line 30") || !strings.Contains(d.text(), "other") || strings.Contains(d.text(), "❯") {
					t.Fatalf("%v, %v, after %s:\n%s", size, first, key, d.text())
				}
			}
		}
	}
}

// TestMoreAroundNearest: of several changes that stays in view which + was pressed at.
func TestMoreAroundNearest(t *testing.T) {
	t.Parallel()
	ask, file := editOf()
	ask.PermissionRequest.Diff += "@@ -52,7 +52,7 @@\n line 52\n line 53\n line 54\n-line 55\n+the second\n line 56\n line 57\n line 58\n"
	for key, want := range map[string]string{"home": "other", "end": "the second"} {
		d := newDesk(t)
		d.height = 14
		d.ready(ask)
		d.press(key, "+")
		d.q.FileRead(file, nil, d.now)
		d.draw()
		d.settle()
		if !strings.Contains(d.text(), want) {
			t.Errorf("from %s, without %q:\n%s", key, want, d.text())
		}
	}
}

// TestLinesInView: the full view counts the lines that are asked about, and neither the
// name of the file above them nor what is known below, nor blank rows at the end.
func TestLinesInView(t *testing.T) {
	t.Parallel()
	blank := shell("echo a\n"+strings.Repeat("echo more\n", 80)+strings.Repeat("\n", 18), "echo")
	for name, tt := range map[string]struct {
		ask        session.PermissionRequested
		key        string
		says, last string
	}{
		"at the top":       {fileOf(199), "home", "lines 1 to 15 of 199", "word 15 "},
		"at the end":       {fileOf(199), "end", "lines 184 to 199 of 199", "word 199 "},
		"blank at the end": {blank, "end", "of 81", "echo more"},
	} {
		d := newDesk(t)
		d.height = 22
		d.ready(tt.ask)
		d.press("v", tt.key)
		above, _, _ := strings.Cut(strings.Replace(d.text(), "in   ", "why   ", 1), "why   ")
		rows := strings.Split(strings.TrimRight(above, "│ \n"), "\n")
		if !strings.Contains(d.screen[0], tt.says) || !strings.Contains(rows[len(rows)-1]+" ", tt.last) {
			t.Errorf("%s: not %q, or %q is not the last line:\n%s", name, tt.says, tt.last, d.text())
		}
	}
}

// TestSideBySideHasRoom: t is offered where it does something, and says why where not.
func TestSideBySideHasRoom(t *testing.T) {
	t.Parallel()
	edit, _ := editOf()
	for _, tt := range []struct {
		width int
		ask   session.PermissionRequested
		says  string // "" where there are two sides
	}{
		{70, edit, ""},
		{68, edit, "side by side needs a wider window"},
		{80, fileOf(5), "there is nothing to compare side by side"},
	} {
		d := newDesk(t)
		d.width, d.height = tt.width, 22
		d.ready(tt.ask)
		d.press("v")
		if offered := slices.Contains(d.q.card().payload.hints(true), keyHint{"t", "side by side"}); offered != (tt.says == "") {
			t.Errorf("%d columns: offered %v:\n%s", tt.width, offered, d.text())
		}
		d.press("t")
		if split := strings.Contains(d.text(), "│ 27   line 27"); split != (tt.says == "") || !strings.Contains(d.text(), tt.says) {
			t.Errorf("%d columns: two sides %v, not %q:\n%s", tt.width, split, tt.says, d.text())
		}
	}
}

// TestCommentsOnTheCard: the card says that comments are kept, and which key shows them.
func TestCommentsOnTheCard(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(fileOf(199))
	d.press("v", "end", "c")
	d.typed("why")
	d.press("enter")
	const says = "comments  1, sent when you refuse"
	if strings.Contains(d.text(), says) || !strings.Contains(d.text(), "│ why") {
		t.Errorf("in the full view:\n%s", d.text())
	}
	d.press("esc", "home")
	if !strings.Contains(d.text(), says+": v to read") {
		t.Errorf("on the card:\n%s", d.text())
	}
	d.press("n")
	if !strings.Contains(d.text(), "press enter to refuse with your comments") || strings.Contains(d.text(), "stop the turn") {
		t.Errorf("the refusal:\n%s", d.text())
	}
	d.press("esc", "v", "c", "backspace*3", "enter", "esc")
	if strings.Contains(d.text(), "comments") {
		t.Errorf("without a comment:\n%s", d.text())
	}
}

// TestMoreAroundRefused: of a file that cannot be read, or is not the one that is
// changed, nothing is shown, and the card says so.
func TestMoreAroundRefused(t *testing.T) {
	t.Parallel()
	ask, file := editOf()
	for name, tt := range map[string]struct {
		text string
		err  error
		says string
	}{
		"another file": {strings.Replace(file, "line 28", "secret", 1), nil, "the file is not the one that this changes"},
		"unreadable":   {"", errors.New("denied"), "the file cannot be read"},
	} {
		d := newDesk(t)
		d.ready(ask)
		before := d.q.card().reviewed().review
		d.press("+")
		d.q.FileRead(tt.text, tt.err, d.now)
		d.draw()
		d.settle()
		if !strings.Contains(d.text(), tt.says) || d.q.card().reviewed().review != before {
			t.Errorf("%s:\n%s", name, d.text())
		}
		d.q.FileRead(file, nil, d.now) // not asked for
		if d.q.card().reviewed().review != before {
			t.Errorf("%s: a file that was not asked for is shown", name)
		}
	}
	if doc := newDiffDocument(nil, diff.NewFile("a", "b\n"), "", "a"); doc.uses(stroked("+"), true) {
		t.Error("+ on what has nothing around it")
	}
}

// TestFewRows: the answers to a permission take at most three lines where they fit
// side by side, and each still answers with its letter.
func TestFewRows(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 100, 140} {
		d := newDesk(t)
		d.width, d.height = width, 18
		d.ready(fileOf(199))
		rows := slices.IndexFunc(d.screen, func(l string) bool { return strings.Contains(l, "y  Yes, once") })
		if rows < 0 || len(d.screen)-1-rows > 3 {
			t.Errorf("%d columns: more than three lines of answers:\n%s", width, d.text())
		}
		for _, label := range []string{"s  Yes, every", "l  Yes, every", "n  No, and say", "u  Yes, rest unread"} {
			if !strings.Contains(d.text(), label) {
				t.Errorf("%d columns: no %q:\n%s", width, label, d.text())
			}
		}
		d.press("right", "right")
		if !strings.Contains(d.text(), "❯ s") {
			t.Errorf("right does not choose the next:\n%s", d.text())
		}
	}
}

// TestFullViewNamesFile: the full view says on its frame what it shows, wherever it was
// scrolled to, and a card does whose file was scrolled out of view.
func TestFullViewNamesFile(t *testing.T) {
	t.Parallel()
	edit, _ := editOf()
	long := fileOf(199)
	long.PermissionRequest.FileName = "/home/ada/src/" + strings.Repeat("folder/", 20) + "name.go"
	two := edit
	two.PermissionRequest.Diff = "--- a/w/a.txt\n+++ b/w/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n--- a/w/b.txt\n+++ b/w/b.txt\n@@ -1,30 +1,30 @@\n" +
		strings.Repeat(" same\n", 29) + "-one\n+two\n"
	tool := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{
		Kind: "mcp", ToolName: "create_issue", ServerName: "github", Args: []byte(`{"body": "` + strings.Repeat("text ", 400) + `"}`),
	}}}
	for name, tt := range map[string]struct {
		ask   session.PermissionRequested
		press []string
		says  string
	}{
		"at the top":    {fileOf(199), []string{"v"}, "Change this file? · /w/a.txt "},
		"at the end":    {fileOf(199), []string{"v", "end"}, "Change this file? · /w/a.txt "},
		"on a card":     {fileOf(199), []string{"end"}, "Change this file? · /w/a.txt "},
		"a long path":   {long, []string{"v"}, "name.go "},
		"the first":     {two, []string{"v"}, "· w/a.txt "},
		"the second":    {two, []string{"v", "end"}, "· w/b.txt "},
		"a tool":        {tool, []string{"v", "end"}, "Call this tool? · create_issue (github) "},
		"nothing so on": {shell(strings.Repeat("echo\n", 60), "echo"), []string{"v"}, "Run this command? ─"},
	} {
		d := newDesk(t)
		d.height = 22
		d.ready(tt.ask)
		d.press(tt.press...)
		if !strings.Contains(d.screen[0], tt.says) {
			t.Errorf("%s: no %q:\n%s", name, tt.says, d.text())
		}
	}
}

// TestFullViewKeepsPlace: it begins where the card was, whatever was selected before.
func TestFullViewKeepsPlace(t *testing.T) {
	t.Parallel()
	ask, file := editOf()
	d := newDesk(t)
	d.height = 18
	d.ready(ask)
	d.press("v", "c", "esc", "esc", "+") // a comment was begun, on the first line in view
	d.q.FileRead(file, nil, d.now)
	d.draw()
	d.settle()
	d.press("pgdown", "v")
	if !strings.Contains(d.text(), "line 37") || strings.Contains(d.text(), "line 26 ") {
		t.Errorf("it begins elsewhere:\n%s", d.text())
	}
}

// TestCommentOnAChange: a comment without a selection is about the first changed line in
// view, and about an unchanged one where no other is.
func TestCommentOnAChange(t *testing.T) {
	t.Parallel()
	ask, _ := editOf()
	far, _ := editOf()
	far.PermissionRequest.Diff = "--- a/w/a.txt\n+++ b/w/a.txt\n@@ -1,31 +1,31 @@\n" + strings.Repeat(" same\n", 30) + "-one\n+two\n"
	for name, tt := range map[string]struct {
		ask   session.PermissionRequested
		press []string
		about string
	}{
		"on the card":        {ask, []string{"c"}, "a.txt:30 (removed)"},
		"in the full view":   {ask, []string{"v", "c"}, "a.txt:30 (removed)"},
		"where one selected": {ask, []string{"v", "down", "down", "c"}, "a.txt:28"},
		"nothing in view":    {far, []string{"v", "c"}, "a.txt:1"},
	} {
		d := newDesk(t)
		d.height = 18
		d.ready(tt.ask)
		d.press(tt.press...)
		if says := "About `" + tt.about + "`"; !strings.Contains(d.text(), says) {
			t.Errorf("%s: no %s:\n%s", name, says, d.text())
		}
	}
}

// TestMoreAtOnce: who wants yet more of the file need not wait until the card listens
// again, nor do the other keys that only move; a key that answers does.
func TestMoreAtOnce(t *testing.T) {
	t.Parallel()
	ask, file := editOf()
	d := newDesk(t)
	d.height = 18
	d.ready(ask)
	more := func() {
		d.key(stroked("+"), 20*time.Millisecond)
		d.q.FileRead(file, nil, d.now)
		d.draw()
		d.wait(100 * time.Millisecond)
	}
	more()
	more()
	if len(d.effects) != 2 || !strings.Contains(d.text(), "26 lines above") || strings.Contains(d.text(), "too quick") {
		t.Fatalf("the second + did nothing, %d:\n%s", len(d.effects), d.text())
	}
	d.key(stroked("v"), 100*time.Millisecond)
	d.key(stroked("b"), 10*time.Millisecond)
	if !d.q.Full() || d.draft.Len() > 0 {
		t.Errorf("v did nothing, or went to the draft %q:\n%s", d.draft.String(), d.text())
	}
	d.key(stroked("y"), time.Second)
	d.none()
}

// TestReadAnewAtAnotherSize: who has read what is asked in one window has not read it in
// another in which it does not fit whole; one End or one full view does it.
func TestReadAnewAtAnotherSize(t *testing.T) {
	t.Parallel()
	edit, _ := editOf()
	for name, tt := range map[string]struct {
		ask           session.PermissionRequested
		width, height int
		read          []string // again
	}{
		"too large now": {edit, 40, 15, []string{"end"}},
		"fits":          {edit, 100, 20, nil},
		"never fitted":  {fileOf(199), 80, 23, []string{"end"}},
		"dangerous":     {shell(strings.Repeat("rm -rf /\n", 30), "rm"), 80, 20, []string{"pgdown*9"}},
	} {
		d := newDesk(t)
		d.q.Sized(d.width, d.height, d.now)
		d.ready(tt.ask)
		d.press("pgdown*9", "end")
		if d.q.card().locked() {
			t.Fatalf("%s: not read:\n%s", name, d.text())
		}
		d.width, d.height = tt.width, tt.height
		d.q.Sized(d.width, d.height, d.now)
		d.draw()
		d.settle()
		if tt.read != nil {
			d.press("home", "y", "enter")
			d.none()
			d.press(tt.read...)
		}
		d.press("y", "enter")
		if got := d.decided(); got != session.ApproveOnce {
			t.Errorf("%s: decided %s:\n%s", name, got, d.text())
		}
	}
}

// TestSidesByWidth: a change is shown side by side in a window of so many columns that two
// sides are easy to read, in the card and in the full view; the frame is part of them.
func TestSidesByWidth(t *testing.T) {
	t.Parallel()
	edit, _ := editOf()
	for width, split := range map[int]bool{diff.SplitFrom - 1: false, diff.SplitFrom: true} {
		d := newDesk(t)
		d.width, d.height = width, 30
		d.ready(edit)
		for _, view := range []string{"card", "full view"} {
			sides := slices.ContainsFunc(d.screen, func(row string) bool {
				return strings.Contains(row, "line 30") && strings.Contains(row, "other")
			})
			if sides != split {
				t.Errorf("%d columns, %s: side by side is %v:\n%s", width, view, sides, d.text())
			}
			d.press("v")
		}
	}
}
