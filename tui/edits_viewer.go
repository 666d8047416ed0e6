package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/render/diff"
	"parley/timeline"
	"parley/tui/viewer"
)

// toggleSplit changes how the timeline shows the edits that it shows whole.
func (c *navigator) toggleSplit(string) tea.Cmd {
	o := &c.pane.Opts
	o.SplitDiffs = !o.SplitDiffs
	switch {
	case !o.SplitDiffs:
		c.tell("Edits in one column")
	case c.win.width < diff.SplitFrom:
		c.tell("Edits side by side, in a window of %d columns or more", diff.SplitFrom)
	case !c.pane.Expanded:
		c.tell("Edits side by side, when {expand} shows them whole")
	default:
		c.tell("Edits side by side")
	}
	return nil
}

// showDiff opens the viewer on the newest edit, or closes it. What git says
// follows behind the edits when it is there.
func (c *navigator) showDiff(string) tea.Cmd {
	open := over[*viewer.Viewer](c.win) != nil
	c.closeOverlays()
	if open {
		return nil
	}
	if edits := viewer.Edits(c.timeline); len(edits) > 0 {
		c.openViewer(edits, viewer.Tree{}, 0)
	}
	asked, dir, base := over[*viewer.Viewer](c.win), c.info.Dir, c.timeline.Status().Commit
	if c.info.Remote {
		dir = "" // it is on another machine
	}
	return ask(c.core, "find what else changed", func(ctx context.Context) (viewer.Tree, error) { return viewer.ReadTree(ctx, dir, base) },
		func(t viewer.Tree) tea.Cmd {
			c.treeRead(asked, t)
			return nil
		})
}

// openViewer opens the viewer on one of some edits.
func (c *navigator) openViewer(edits []timeline.EntryID, t viewer.Tree, n int) {
	v := viewer.New(c.timeline, &c.win.viewing, edits, t)
	c.cover(v)
	v.Open(n)
}

// treeRead puts what git says behind the edits of the viewer that was opened, or
// opens one where there are none.
func (c *navigator) treeRead(asked *viewer.Viewer, t viewer.Tree) {
	switch {
	case asked == nil:
		if c.opens(!t.Empty(), "No file was changed in this session yet.", "The changes are here: /diff shows them.") {
			c.openViewer(nil, t, 0)
		}
	case over[*viewer.Viewer](c.win) == asked:
		asked.SetTree(t)
	}
}
