package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// writeAsked is the question whether a file may be changed, as the Copilot CLI asks it.
func writeAsked(name, diff string) session.Event {
	return session.Event{ID: "ev-p", Body: session.PermissionRequested{
		RequestID: "p",
		PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{
			Kind: "write", ToolCallID: "call-p", Intention: "Edit file", FileName: "/home/ada/src/queue/" + name, Diff: diff,
			CanOfferSessionApproval: true,
		}},
	}}
}

// editAsked is a change in the middle of a file: a line for each of removed and added,
// between three lines that stay.
func editAsked(name string, removed, added int) session.Event {
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n@@ -40,%d +40,%d @@ func work() {\n", name, name, 6+removed, 6+added)
	line := func(op string, n int) { fmt.Fprintf(&b, "%s\tjob.Run(ctx, %d) // and wait\n", op, n) }
	for i := range 3 {
		line(" ", i)
	}
	for i := range removed {
		line("-", 100+i)
	}
	for i := range added {
		line("+", 200+i)
	}
	for i := range 3 {
		line(" ", 10+i)
	}
	return writeAsked(name, b.String())
}

// newFileAsked is a new file of n lines.
func newFileAsked(name string, n int) session.Event {
	var b strings.Builder
	fmt.Fprintf(&b, "create file mode 100644\n--- a/dev/null\n+++ b/%s\n@@ -1,0 +1,%d @@\n", name, n)
	for i := range n {
		fmt.Fprintf(&b, "+\tjob.Run(ctx, %d) // and wait\n", i)
	}
	return writeAsked(name, b.String())
}

// keysToApprove returns how few keys approve a question, and which.
func keysToApprove(t *testing.T, ev session.Event, width, height int) (best []string) {
	t.Helper()
	pages := func(first ...string) [][]string {
		var plans [][]string
		for n := range 6 {
			plan := append([]string{}, first...)
			for range n {
				plan = append(plan, "pgdown")
			}
			plans = append(plans, plan)
		}
		return plans
	}
	plans := append(pages(), pages("v")...)
	plans = append(plans, []string{"end"}, []string{"v", "end"})
	for _, plan := range plans {
		if best != nil && len(plan)+1 >= len(best) {
			continue
		}
		sc := newScenario(t, nil)
		sc.size(width, height)
		sc.say(ev)
		sc.wait(time.Second)
		for _, last := range []string{"y", "enter"} {
			plan = append(plan, last)
			if last == "y" {
				for _, key := range plan {
					sc.step("key", key)
					sc.wait(500 * time.Millisecond)
				}
			} else {
				sc.step("key", last)
				sc.wait(500 * time.Millisecond)
			}
			if got := answers(sc.s); len(got) == 1 && got[0] == "answer p approve-once" {
				if best == nil || len(plan) < len(best) {
					best = plan
				}
				break
			}
		}
	}
	return best
}

// TestKeysToApprove: real work is approved with a few keys, at any size.
func TestKeysToApprove(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{80, 24}, {100, 30}, {140, 45}}
	for _, q := range []struct {
		name string
		ev   session.Event
		most [3]int // keys, by size
	}{
		{"three-line edit", editAsked("queue/worker.go", 0, 3), [3]int{1, 1, 1}},
		{"40-line diff", editAsked("queue/worker.go", 10, 30), [3]int{2, 2, 2}},
		{"199-line new file", newFileAsked("queue/pool.go", 199), [3]int{2, 2, 2}},
		{"50,000-line diff", editAsked("queue/table.go", 10_000, 40_000), [3]int{2, 2, 2}},
		{"dangerous command", asking("p", "rm -rf build"), [3]int{2, 2, 2}},
	} {
		for i, size := range sizes {
			got := keysToApprove(t, q.ev, size[0], size[1])
			t.Logf("%-18s %dx%d: %d %v", q.name, size[0], size[1], len(got), got)
			if len(got) == 0 || len(got) > q.most[i] {
				t.Errorf("%s at %dx%d takes %d keys, %v, and not %d", q.name, size[0], size[1], len(got), got, q.most[i])
			}
		}
	}
}

// TestWheelReadsQuestion: the wheel over a question scrolls what it asks about, and
// counts as any other way to its end; elsewhere it scrolls the conversation.
func TestWheelReadsQuestion(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(newFileAsked("queue/pool.go", 199))
	sc.wait(time.Second)
	card := sc.m.display.View.Layout.Card
	before := sc.screen()[card.Y : card.Y+card.Height]
	sc.input(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if got := sc.screen()[card.Y : card.Y+card.Height]; strings.Join(got, "\n") != strings.Join(before, "\n") {
		t.Errorf("the wheel above the question scrolls it:\n%s", strings.Join(got, "\n"))
	}
	for range 80 {
		sc.input(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: 5, Y: card.Y + 2})
	}
	sc.wait(time.Second)
	if got := answers(sc.s); len(got) != 0 {
		t.Fatalf("the wheel answers: %v", got)
	}
	sc.step("key", "y")
	sc.wait(time.Second)
	if got := answers(sc.s); len(got) != 1 {
		t.Errorf("%v\n%s", got, strings.Join(sc.screen(), "\n"))
	}
}
