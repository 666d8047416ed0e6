// Package patch reads changes of files: unified diffs of any program, and patches.
package patch

import "sort"

// Patch is a change of one or more files.
type Patch struct {
	Files          []File
	Hunks          []Hunk
	Lines          []Line
	Added, Removed int // lines
}

// File is one file of a patch. Its hunks and lines go to those of the next.
type File struct {
	Name, Old      string   // Old is the name before, if it was another
	Fate           string   // Created, Deleted, "" for one that stays
	Notes          []string // what else its header says: raw text
	Hunk, From     int      // its first hunk, its first line
	Added, Removed int      // lines
}

// Hunk is a run of lines that follow each other in their file.
type Hunk struct {
	From    int    // its first line
	Section string // what its header says of the place, raw
	Skipped int    // unchanged lines before it, since the hunk before; -1 if unknown
}

// Line is one line of a patch: raw text without line end, with its numbers
// on both sides, 0 where it is not or where that is unknown.
type Line struct {
	Op       Op
	Open     bool // the file ends with it, without a line end
	Old, New int
	Text     string
}

// Op is what becomes of a line.
type Op uint8

// The operations.
const (
	Same Op = iota
	Add
	Delete
)

// The fates of files, in words.
const (
	Created = "new file"
	Deleted = "deleted"
)

// Count counts the lines that are added and removed, of each file and of all.
func (p *Patch) Count() {
	p.Added, p.Removed = 0, 0
	for i := range p.Files {
		f := &p.Files[i]
		f.Added, f.Removed = 0, 0
		for _, l := range p.Lines[f.From:p.LinesEnd(i)] {
			switch l.Op {
			case Add:
				f.Added++
			case Delete:
				f.Removed++
			case Same:
			}
		}
		p.Added, p.Removed = p.Added+f.Added, p.Removed+f.Removed
	}
}

// HunkOf returns the hunk that a line is in.
func (p *Patch) HunkOf(line int) int {
	return sort.Search(len(p.Hunks), func(i int) bool { return p.Hunks[i].From > line }) - 1
}

// FileOf returns the file that a line is in.
func (p *Patch) FileOf(line int) int {
	return sort.Search(len(p.Files), func(i int) bool { return p.Files[i].From > line }) - 1
}

// HunkEnd returns where the lines of a hunk end.
func (p *Patch) HunkEnd(hunk int) int {
	if hunk+1 < len(p.Hunks) {
		return p.Hunks[hunk+1].From
	}
	return len(p.Lines)
}

// HunksEnd returns where the hunks of a file end.
func (p *Patch) HunksEnd(file int) int {
	if file+1 < len(p.Files) {
		return p.Files[file+1].Hunk
	}
	return len(p.Hunks)
}

// LinesEnd returns where the lines of a file end.
func (p *Patch) LinesEnd(file int) int {
	if file+1 < len(p.Files) {
		return p.Files[file+1].From
	}
	return len(p.Lines)
}
