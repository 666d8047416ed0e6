// Package diff reads, finds, compares and draws changes of texts: unified, side by
// side, for reading line by line (View), or as a part of an entry (Inline).
package diff

import (
	"sort"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"parley/render/text"
	"parley/theme"
)

// Diff is a change of one or more files: what a tool did, what it asks to do,
// or what became of a text. It is parsed once, and drawn by a View.
type Diff struct {
	files                []diffFile
	hunks                []diffHunk
	lines                []diffLine
	added, removed       int
	oldDigits, newDigits int  // of the largest line numbers, 0 if there are none
	returns              bool // all lines end with CRLF
	NeedsTitle           bool // the name of its file is shown nowhere else
}

// diffFile is one file of a diff. Its hunks and lines go to those of the next.
type diffFile struct {
	name, old      string   // old is the name before, if it was another
	fate           string   // "new file", "deleted", "" for one that stays
	notes          []string // what else its header says: raw text
	hunk, from     int      // its first hunk, its first line
	added, removed int
}

// diffHunk is a run of lines that follow each other in their file.
type diffHunk struct {
	from    int    // its first line
	section string // what its header says of the place, raw
	skipped int    // unchanged lines before it, since the hunk before; -1 if unknown
}

// diffLine is one line of a diff: raw text without line end, with its numbers
// on both sides, 0 where it is not or where that is unknown.
type diffLine struct {
	op       diffOp
	open     bool // the file ends with it, without a line end
	old, new int
	text     string
}

type diffOp uint8

const (
	diffSame diffOp = iota
	diffAdd
	diffDel
)

func (op diffOp) change() bool { return op != diffSame }

// The fates of files.
const (
	fateNew     = "new file"
	fateDeleted = "deleted"
)

// NewFile returns the change that makes a file: every line is added.
func NewFile(name, contents string) *Diff {
	d := &Diff{files: []diffFile{{name: name, fate: fateNew}}}
	if contents == "" {
		return d
	}
	d.hunks = []diffHunk{{}}
	number := 0
	for l := range strings.Lines(contents) {
		number++
		text, ended := strings.CutSuffix(l, "\n")
		d.lines = append(d.lines, diffLine{op: diffAdd, open: !ended, new: number, text: text})
	}
	d.finish()
	return d
}

// Compare returns the change that makes after of before, with three lines
// around each place that differs. It has no lines when the texts are equal.
func Compare(name, before, after string) *Diff {
	d := &Diff{files: []diffFile{{name: name}}}
	u, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), udiff.DefaultContextLines)
	if err != nil { // the edits were made of this very text
		return d
	}
	end := 1
	for _, h := range u.Hunks {
		d.hunks = append(d.hunks, diffHunk{from: len(d.lines), skipped: max(0, h.FromLine-end)})
		before, after := h.FromLine, h.ToLine
		for _, l := range h.Lines {
			text, ended := strings.CutSuffix(l.Content, "\n")
			line := diffLine{text: text, open: !ended}
			if l.Kind != udiff.Insert {
				line.op, line.old = diffDel, before
				before++
			}
			if l.Kind != udiff.Delete {
				line.op, line.new = diffAdd, after
				after++
			}
			if l.Kind == udiff.Equal {
				line.op = diffSame
			}
			d.lines = append(d.lines, line)
		}
		end = before
	}
	d.finish()
	return d
}

// Planned is the change that the arguments of a call ask for, as long as
// there is no result that reports what was done. Where in the file it is nobody
// knows yet, so its lines have no numbers.
func Planned(name, before, after string) *Diff {
	d := Compare(name, before, after)
	for i := range d.lines {
		d.lines[i].old, d.lines[i].new, d.lines[i].open = 0, 0, false
	}
	for i := range d.hunks {
		d.hunks[i].skipped = -1
	}
	d.oldDigits, d.newDigits = 0, 0
	return d
}

// finish counts what drawing needs to know of all lines.
func (d *Diff) finish() {
	file, highOld, highNew, returns, ends := 0, 0, 0, 0, 0
	for i := range d.lines {
		l := &d.lines[i]
		for file+1 < len(d.files) && i >= d.files[file+1].from {
			file++
		}
		switch l.op {
		case diffAdd:
			d.added++
			d.files[file].added++
		case diffDel:
			d.removed++
			d.files[file].removed++
		case diffSame:
		}
		highOld, highNew = max(highOld, l.old), max(highNew, l.new)
		if !l.open {
			ends++
		}
		if strings.HasSuffix(l.text, "\r") {
			returns++
		}
	}
	d.returns = returns > 0 && returns == ends
	d.oldDigits, d.newDigits = digits(highOld), digits(highNew)
}

// digits is how many digits n has; 0 has none.
func digits(n int) int {
	if n == 0 {
		return 0
	}
	return len(strconv.Itoa(n))
}

// Counts returns the number of lines that are added and that are removed.
func (d *Diff) Counts() (added, removed int) { return d.added, d.removed }

// Names returns the names of the files in order, raw, as the diff has them:
// git's have no slash in front. Of a renamed file it is the new one.
func (d *Diff) Names() []string {
	names := make([]string, len(d.files))
	for i, f := range d.files {
		names[i] = f.name
	}
	return names
}

// Name gives the file of a change of one file the name it goes by elsewhere,
// such as the path in the request that carries the diff. A change of several
// files keeps its names.
func (d *Diff) Name(name string) {
	if len(d.files) == 1 && name != "" {
		d.files[0].name = name
	}
}

// Changes reports whether any line is added or removed.
func (d *Diff) Changes() bool { return d.added+d.removed > 0 }

// ChangedLines is how many lines are added and removed: "+6 −4".
func (d *Diff) ChangedLines(th *theme.Theme) string { return counts(d.added, d.removed, th) }

// Unified returns the lines in the form of a unified diff, raw, without headers of
// files and without line numbers.
func (d *Diff) Unified() string {
	var b strings.Builder
	for i, l := range d.lines {
		if h := d.hunkOf(i); h > 0 && d.hunks[h].from == i {
			b.WriteString("@@ @@\n")
		}
		b.WriteString([...]string{diffSame: " ", diffAdd: "+", diffDel: "-"}[l.op] + l.text + "\n")
	}
	return b.String()
}

// counts is the numbers of added and removed lines: "+6 −4".
func counts(added, removed int, th *theme.Theme) string {
	var out []string
	if added > 0 || removed == 0 {
		out = append(out, "+"+text.Number(added))
	}
	if removed > 0 {
		out = append(out, th.Glyph(theme.MarkMinus)+text.Number(removed))
	}
	return strings.Join(out, " ")
}

func (d *Diff) hunkOf(line int) int {
	return sort.Search(len(d.hunks), func(i int) bool { return d.hunks[i].from > line }) - 1
}

func (d *Diff) fileOf(line int) int {
	return sort.Search(len(d.files), func(i int) bool { return d.files[i].from > line }) - 1
}

// hunkEnd is the end of a hunk's lines.
func (d *Diff) hunkEnd(hunk int) int {
	if hunk+1 < len(d.hunks) {
		return d.hunks[hunk+1].from
	}
	return len(d.lines)
}

// fileHunks is the end of a file's hunks.
func (d *Diff) fileHunks(file int) int {
	if file+1 < len(d.files) {
		return d.files[file+1].hunk
	}
	return len(d.hunks)
}

// titled reports whether a file has a row of its own: always among several,
// alone only when there is more to say than its name, or that stands nowhere else.
func (d *Diff) titled(file int) bool {
	f := d.files[file]
	if len(d.files) > 1 || d.NeedsTitle && f.name != "" {
		return true
	}
	return f.old != "" || f.fate == fateDeleted || len(f.notes) > 0 || d.fileHunks(file) == f.hunk
}

// partners pairs removed lines with the added ones in their place: the first
// with the first, as far as both go. A line without a partner has -1.
func (d *Diff) partners() []int32 {
	out := make([]int32, len(d.lines))
	for i := range out {
		out[i] = -1
	}
	for h := range d.hunks {
		for i, end := d.hunks[h].from, d.hunkEnd(h); i < end; {
			gone := i
			for i < end && d.lines[i].op == diffDel {
				i++
			}
			come := i
			for i < end && d.lines[i].op == diffAdd {
				i++
			}
			for k := range min(come-gone, i-come) {
				out[gone+k], out[come+k] = int32(come+k), int32(gone+k)
			}
			for i < end && d.lines[i].op == diffSame {
				i++
			}
		}
	}
	return out
}
