package viewer

import (
	"context"
	"slices"

	"parley/render/diff"
	"parley/render/text"

	"parley/timeline"
	"parley/tui/files"
)

// Tree is all that changed in the checkout since the session began, by commands
// too, as git reports it.
type Tree struct {
	files.Changed
	diff *diff.Diff // nil for no change
}

// Empty reports whether nothing changed.
func (t Tree) Empty() bool { return t.diff == nil }

// wholeTree stands for it in a list of edits.
const wholeTree timeline.EntryID = "tree"

// with is a list of edits with the tree behind them.
func (t Tree) with(edits []timeline.EntryID) []timeline.EntryID {
	if t.Empty() {
		return edits
	}
	return append(slices.Clip(edits), wholeTree)
}

// name is what the tree is compared with.
func (t Tree) name() string {
	since := "All files, before the first commit"
	if t.Base != "" {
		since = "All changes since " + t.Base
	}
	return since + ", in " + text.Count(len(t.diff.Names()), "file")
}

// ReadTree asks git what changed.
func ReadTree(ctx context.Context, dir, base string) (Tree, error) {
	if dir == "" {
		return Tree{}, nil
	}
	c, err := files.Changes(ctx, dir, base)
	t := Tree{Changed: c}
	if d, ok := diff.Parse(c.Diff); ok {
		t.diff = d
	}
	return t, err
}
