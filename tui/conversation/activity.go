package conversation

import (
	"parley/timeline"
	"parley/tui/overlay"
	"parley/tui/status"
)

// StatusFacts is what the status line shows of the conversation on the screen now.
func (v *view) StatusFacts() status.Facts {
	f := v.win.Front.Summary.statusFacts(len(v.Card) == 0 && !v.win.covered())
	f.TodosShown, f.ActivityShown = v.Layout.todo.Height > 0, v.Facts.ActivityShown
	return f
}

// follows reports whether the end of the conversation is on the screen, where what the
// session does now belongs.
func (v *view) follows() bool {
	c := v.win.Front
	covered := v.win.Overlay != nil && v.win.Overlay.Cover() != overlay.AboveDraft
	return !covered && c.Pane.Follow && c.Pane.Agent == nil && c.ReadOnly == nil && c.conversing()
}

// activityHeight is the lines that are kept free for what the session does now: while a
// turn runs, and after it as long as nothing new stands at the end, so that the text does
// not move when the turn is over.
func (v *view) activityHeight() int {
	c := v.win.Front
	if !v.follows() {
		return 0
	}
	last := timeline.EntryID("")
	if i := c.Pane.Above(c.Timeline.Len()); i >= 0 {
		last = c.Timeline.At(i).ID
	}
	switch {
	case c.Questions.Len() > 0: // its card needs the room
		return 0
	case c.Busy() || len(c.shells) > 0:
		c.settled = last
	case c.settled != last:
		return 0
	}
	return activityRows
}

// withActivity puts what the session does now under the lines of the conversation, if
// their end is among them and there is room.
func (v *view) withActivity(lines []string, height int) []string {
	if !v.follows() || len(lines)+activityRows > height {
		return lines
	}
	if !v.Facts.Moves() {
		return lines
	}
	v.Facts.ActivityShown = true
	return append(lines, "", v.Facts.Activity())
}
