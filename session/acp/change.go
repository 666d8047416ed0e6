package acp

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// contextLines is how many lines stand around a change.
const contextLines = 3

// unified is a list of changes as one unified diff.
func (t *talk) unified(diffs []toolContent) string {
	var b strings.Builder
	for _, d := range diffs {
		before, after := t.whole(d)
		edits := udiff.Lines(before, after)
		from, to := "a/"+strings.TrimPrefix(d.Path, "/"), "b/"+strings.TrimPrefix(d.Path, "/")
		if d.creates() {
			from = "/dev/null"
		}
		text, err := udiff.ToUnified(from, to, before, edits, contextLines)
		if err != nil { // the edits are of this text
			continue
		}
		b.WriteString(text)
	}
	return b.String()
}

// whole are the texts of a file before and after a change. Some agents send only the fragment that
// they replace: then the lines around it come from the file, as far as it stands there once. A
// fragment that is found nowhere is compared by itself, with lines that count from 1.
func (t *talk) whole(d toolContent) (before, after string) {
	if d.creates() {
		return "", d.New
	}
	before, after = *d.Old, d.New
	text, ok := t.file(d.Path)
	switch {
	case !ok:
	case strings.Count(text, before) == 1: // not yet made
		return text, strings.Replace(text, before, after, 1)
	case after != "" && strings.Count(text, after) == 1: // made
		return strings.Replace(text, after, before, 1), text
	}
	return before, after
}
