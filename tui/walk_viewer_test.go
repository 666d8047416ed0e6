package tui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/replay"
)

// viewerRounds press the keys of the edits in full screen. The demo makes no edit
// that is longer than the window, so this one plays a log.
func viewerRounds() []round {
	size := [2]int{80, 14}
	return []round{
		{name: "reading edits", size: size, agent: playsLog(walkEdits()...), begin: openEdits, steps: readingSteps()},
		{name: "using edits", size: size, agent: playsLog(walkEdits()...), begin: openEdits, steps: usingSteps()},
	}
}

// playsLog plays events as an agent does, and stays at their end.
func playsLog(bodies ...session.Body) func(context.Context, *testing.T) (session.Agent, error) {
	return func(ctx context.Context, t *testing.T) (session.Agent, error) {
		t.Helper()
		var log bytes.Buffer
		at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
		bodies := append(bodies[:len(bodies):len(bodies)], session.SessionIdle{})
		for i, b := range bodies {
			if i == len(bodies)-1 {
				at = at.Add(time.Hour) // it is never reached, so that nothing is settled
			}
			line, err := session.Encode(session.Event{ID: session.EventID("e" + strconv.Itoa(i)), Time: at, Body: b})
			if err != nil {
				t.Fatal(err)
			}
			log.Write(line)
			log.WriteByte('\n')
		}
		path := filepath.Join(t.TempDir(), "walk.jsonl")
		if err := os.WriteFile(path, log.Bytes(), 0o600); err != nil {
			return nil, err
		}
		return replay.Open(ctx, replay.Config{Path: path, Speed: 0.01})
	}
}

// walkDiff is a change of a file in three places, ten lines each. One line is
// longer than the window.
func walkDiff(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n", name)
	for _, from := range []int{10, 50, 90} {
		fmt.Fprintf(&b, "@@ -%[1]d,10 +%[1]d,10 @@\n", from)
		for n := from; n < from+10; n++ {
			switch n {
			case 11:
				fmt.Fprintf(&b, " line 11 %s the end\n", strings.Repeat("goes on ", 10))
			case from + 3:
				fmt.Fprintf(&b, "-old %[1]d\n+new %[1]d\n", n)
			default:
				fmt.Fprintf(&b, " line %d\n", n)
			}
		}
	}
	return b.String()
}

// walkEdits are two edits, an older and a newer one.
func walkEdits() []session.Body {
	all := []session.Body{session.UserMessage{Content: "Edit it."}, session.AssistantTurnStart{TurnID: "0"}}
	for _, name := range []string{"older.txt", "newer.txt"} {
		id := session.CallID("call-" + name)
		all = append(all,
			session.ToolExecutionStart{ToolCallID: id, ToolName: "edit", Arguments: jsontext.Value(`{"path":"` + name + `"}`)},
			session.ToolExecutionComplete{
				ToolCallID: id, Success: true, FileEdits: []session.FileEdit{{Path: name, Kind: "edit"}},
				Result: &session.ToolResult{Content: "Edited.", DetailedContent: walkDiff(name)},
			})
	}
	return append(all, session.AssistantTurnEnd{TurnID: "0"})
}

const textViewer = "esc close · ←→ newer/older edit"

// openEdits opens the newer of the two edits.
func openEdits(w *walker) {
	w.t.Helper()
	w.wait("⋯ 2 more lines")
	w.press("ctrl+x", "d")
	w.awaits("the first line of the newer edit", both(selected("line 10"), sees("newer.txt", "1 of 2", textViewer)))
}

// selected is that the selected line of a change is the one with a text.
func selected(text string) sign {
	return sign{fmt.Sprintf("the line %q selected", text), func(_ *walker, screen string) bool {
		for line := range strings.Lines(screen) {
			margin, marked, ok := strings.Cut(line, "❯")
			if ok && strings.Trim(margin, "│ ") == "" && strings.HasSuffix(strings.TrimRight(marked, " │↑↓\n"), text) {
				return true
			}
		}
		return false
	}}
}

// readingSteps go through the newer edit, of which a third fits into the window.
func readingSteps() []step {
	line := func(row, key, text string) step { return step{row: row, key: key, want: selected(text)} }
	second := sees("older.txt", "2 of 2")
	first := sees("newer.txt", "1 of 2")
	return []step{
		line("view-line", "j", "…"), line("view-line", "down", "line 12"), // line 11 is cut
		line("view-line", "k", "…"), line("view-line", "up", "line 10"),
		line("view-change", "n", "old 13"), line("view-change", "n", "old 53"), line("view-change", "N", "old 13"),
		line("view-ends", "G", "line 99"), line("view-ends", "g", "line 10"),
		line("view-ends", "end", "line 99"), line("view-ends", "home", "line 10"),
		line("view-page", "pgdown", "line 18"),
		{row: "view-page", key: "pgup", want: sees("line 10")},
		{row: "view-page", key: "ctrl+d", want: both(gone("line 10", "new 13"), sees("line 14"))},
		{row: "view-page", key: "ctrl+u", want: sees("line 10", "line 14")},
		{row: "view-edit", key: "right", want: second},
		{row: "view-edit", key: "left", want: first},
		{row: "view-edit", key: "l", want: second},
		{row: "view-edit", key: "h", want: first},
		{row: "view-since", key: "s", lead: inOrder(pressing("right"), until("older.txt")), want: first},
		{row: "view-split", key: "t", want: both(inOneLine("old 13", "new 13"), sees("t one column"))},
		{row: "view-split", key: "t", want: sees("t side by side")},
		{row: "view-wrap", key: "w", want: sees("the end")},
		{row: "view-wrap", key: "w", want: gone("the end")},
		{row: "view-wrap", key: ">", want: gone("line 1")},
		{row: "view-wrap", key: "<", want: sees("line 10", "line 11")},
	}
}

// usingSteps do something with the newer edit.
func usingSteps() []step {
	open := func(w *walker) {
		w.press("ctrl+x", "d")
		w.wait(textViewer)
	}
	return []step{
		{row: "view-copy", key: "y", want: copied("line 10")},
		{row: "view-copy", key: "Y", want: copied(walkDiff("newer.txt"))},
		{row: "view-editor", key: "e", want: edits("newer.txt.diff 400 [diff --git"), back: comesBack(textViewer)},
		{row: "view-keys", key: "?", want: sees("Type to filter", "The next change"), back: closes("esc", "Type to filter")},
		{row: "view-close", key: "esc", want: gone(textViewer), back: open},
		{row: "view-close", key: "q", want: gone(textViewer), back: open},
		{row: "view-comment", key: "c", lead: pressing("j", "j"), want: both(gone(textViewer), draft("newer.txt:12\n>  line 12\n"))},
	}
}
