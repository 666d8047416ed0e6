package timeline

import (
	"path/filepath"
	"strings"

	"parley/render/patch"
	"parley/render/text"
	"parley/session"
)

// Changes returns what an ended call did to files: which, if the agent
// reports it, else by the call's own arguments; and how many lines, by the diff it
// came back with, else by those arguments.
func (c *ToolCall) Changes() []FileChange {
	writes := c.Family().ChangesFiles()
	if c.UserRequested || len(c.Edits) == 0 && (!writes || c.failed()) {
		return nil
	}
	diffs := diffFiles(c.Detail)
	if len(diffs) == 0 {
		diffs = diffFiles(c.Result)
	}
	if len(c.Edits) == 0 {
		if f, ok := c.written(diffs); ok {
			return []FileChange{f}
		}
		return diffs
	}
	list := make([]FileChange, len(c.Edits))
	for i, e := range c.Edits {
		list[i] = FileChange{Path: e.Path, Kind: e.Kind}
		switch d := diffOf(diffs, c.Edits, i); {
		case d != nil:
			list[i].Added, list[i].Removed = d.Added, d.Removed
		case len(c.Edits) == 1 && len(diffs) == 0:
			f, _ := c.written(nil)
			list[i].Added, list[i].Removed = f.Added, f.Removed
		}
	}
	return list
}

// wrote takes the remarks away that the files were made which a call has changed:
// it shows that itself.
func (t *toolCalls) wrote(c *ToolCall) {
	if len(t.created) == 0 {
		return
	}
	for _, f := range c.Changes() {
		path := t.status.absolute(f.Path)
		if e := t.created[path]; e != nil {
			t.remove(e)
			delete(t.created, path)
		}
	}
}

// absolute returns a path from the root, as far as the working folder is known.
func (s *Status) absolute(path string) string {
	if path == "" || s.Dir == "" {
		return path
	}
	return text.JoinPath(s.Dir, path)
}

func (c *ToolCall) failed() bool { return c.Error != "" || c.ErrorCode != "" }

// diffOf finds the part of a diff that is about edit i: by its path, else by
// its place when there are as many of one as of the other.
func diffOf(diffs []FileChange, edits []session.FileEdit, i int) *FileChange {
	path := filepath.ToSlash(edits[i].Path) // a diff of Git has slashes on every system
	for n := range diffs {
		if d := filepath.ToSlash(diffs[n].Path); d == path || d != "" && strings.HasSuffix(path, "/"+d) {
			return &diffs[n]
		}
	}
	if len(diffs) == len(edits) {
		return &diffs[i]
	}
	return nil
}

// written reads from the arguments of a call that writes a file what it did.
// The diff of it is better for the lines.
func (c *ToolCall) written(diffs []FileChange) (FileChange, bool) {
	args := arguments(c.Arguments)
	f := FileChange{Path: args.first(session.EditFile.Subject()), Kind: "edit"}
	if f.Path == "" || args["command"] == "view" {
		return f, false
	}
	before, after, whole := session.EditArguments()
	switch {
	case len(diffs) == 1:
		f.Kind, f.Added, f.Removed = diffs[0].Kind, diffs[0].Added, diffs[0].Removed
	case c.Family() == session.DeleteFile:
		f.Kind = "delete"
	case args.has(whole):
		f.Kind, f.Added = "create", countLines(args.first(whole))
	default:
		f.Removed, f.Added = changedLines(args.first(before), args.first(after))
	}
	return f, true
}

// changedLines counts the lines that differ between a text and what takes its
// place. What both begin and end with is not changed.
func changedLines(before, after string) (removed, added int) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	if before == "" {
		return 0, countLines(after)
	}
	if after == "" {
		return countLines(before), 0
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a), len(b)
}

// countLines counts the lines of a text; the last needs no line break.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// diffFiles counts the lines of a unified diff, file by file. A text that is no
// diff has none.
func diffFiles(text string) []FileChange {
	if !strings.Contains(text, "@@ -") {
		return nil
	}
	p, ok := patch.Parse(text)
	if !ok {
		return nil
	}
	var list []FileChange
	for i, f := range p.Files {
		if f.Name == "" || f.Hunk == p.HunksEnd(i) {
			continue
		}
		c := FileChange{Path: f.Name, Kind: "edit", Added: f.Added, Removed: f.Removed}
		switch f.Fate {
		case patch.Created:
			c.Kind = "create"
		case patch.Deleted:
			c.Kind = "delete"
		}
		list = append(list, c)
	}
	return list
}
