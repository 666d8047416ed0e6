package transcript_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"parley/render"
	"parley/session"
)

// TestVisibleAboveAndBelow: the neighbours of every entry are those that a walk
// over all entries finds, whatever was added, changed, taken back, folded or shown
// by another density.
func TestVisibleAboveAndBelow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := mixedPane(t)
		tl := p.Timeline
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			id := session.EventID(fmt.Sprint("later", step))
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				tl.Apply(numbered(1000 + step))
			case 1:
				tl.Apply(session.Event{ID: id, Body: session.SystemMessage{Role: "system", Content: string(id)}})
			case 2:
				tl.Apply(session.Event{ID: id, Body: session.ToolExecutionStart{ToolCallID: session.CallID(id), ToolName: "bash"}})
			case 3: // of a call that began before, or of none
				was := session.CallID(fmt.Sprint("later", rapid.IntRange(0, 12).Draw(t, "call")))
				tl.Apply(session.Event{ID: id, Body: session.ToolExecutionComplete{ToolCallID: was, Error: &session.ToolError{Message: "no"}}})
			case 4:
				if tl.Len() > 0 {
					e := tl.At(rapid.IntRange(0, tl.Len()-1).Draw(t, "back to"))
					if len(e.Origin) > 0 {
						tl.Apply(session.Event{ID: id, Body: session.SessionSnapshotRewind{UpToEventID: e.Origin[0]}})
					}
				}
			default:
				p.Density = rapid.SampledFrom([]render.Density{render.Normal, render.Compact, render.Verbose}).Draw(t, "by")
			}
			if tl.Len() > 0 && rapid.Bool().Draw(t, "folds") {
				p.Toggle(rapid.IntRange(0, tl.Len()-1).Draw(t, "folded"))
			}
			for i := -1; i <= tl.Len(); i++ {
				above, below := i-1, i+1
				for above >= 0 && !p.Shown(above) {
					above--
				}
				for below < tl.Len() && !p.Shown(below) {
					below++
				}
				if got := p.Above(i); got != max(above, -1) {
					t.Fatalf("above %d of %d is %d, not %d", i, tl.Len(), got, above)
				}
				if got := p.Below(i); got != min(below, tl.Len()) {
					t.Fatalf("below %d of %d is %d, not %d", i, tl.Len(), got, below)
				}
			}
		}
	})
}
