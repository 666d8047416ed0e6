package viewer

import (
	"context"
	"slices"
	"strings"

	"parley/render/diff"
	"parley/render/text"
	"parley/timeline"
	"parley/tui/files"
)

// Trees are all that changed in the checkout, by commands too and in files that are not
// tracked, as git reports it: since the session began, and since the last commit. If that is
// the same, there is one.
type Trees []tree

type tree struct {
	files.Changed
	since []string // what it is compared with
	diff  *diff.Diff
}

// wholeTree stands for one in a list of edits, with what it is compared with.
const wholeTree = "tree since "

// id is what stands for it in a list of edits.
func (t tree) id() timeline.EntryID { return timeline.EntryID(wholeTree + t.since[len(t.since)-1]) }

// find is the tree that stands in a list of edits.
func (t Trees) find(id timeline.EntryID) (tree, bool) {
	i := slices.IndexFunc(t, func(t tree) bool { return t.id() == id })
	if i < 0 {
		return tree{}, false
	}
	return t[i], true
}

// with is a list of edits with the trees before them.
func (t Trees) with(edits []timeline.EntryID) []timeline.EntryID {
	all := make([]timeline.EntryID, 0, len(t)+len(edits))
	for _, tree := range t {
		all = append(all, tree.id())
	}
	return append(all, edits...)
}

// name is what the tree is compared with.
func (t tree) name() string {
	since := "All files, before the first commit"
	if t.Base != "" {
		since = "Since " + strings.Join(t.since, " and ") + " " + t.Base
	}
	return since + ", " + text.Count(len(t.diff.Names()), "file")
}

// ReadTrees asks git what changed. base is the commit at which the session began; "" is not
// known.
func ReadTrees(ctx context.Context, dir, base string) (Trees, error) {
	const began, commit = "session start", "last commit"
	if dir == "" {
		return nil, nil
	}
	found, err := files.Changes(ctx, dir, base)
	if err != nil {
		return nil, err
	}
	var all Trees
	for i, changed := range found {
		t := tree{Changed: changed}
		if i == 0 && base != "" && strings.HasPrefix(base, changed.Base) {
			t.since = append(t.since, began)
		}
		if i == len(found)-1 {
			t.since = append(t.since, commit)
		}
		all = append(all, t)
	}
	for i := range all {
		all[i].diff, _ = diff.Parse(all[i].Diff)
	}
	return slices.DeleteFunc(all, func(t tree) bool { return t.diff == nil }), nil
}
