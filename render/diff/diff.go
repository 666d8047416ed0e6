// Package diff reads, finds, compares and draws changes of texts: unified, side by
// side, for reading line by line (View), or as a part of an entry (Inline).
package diff

import (
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"parley/render/patch"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// Diff is a change of one or more files: what a tool did, what it asks to do,
// or what became of a text. It is parsed once, and drawn by a View.
type Diff struct {
	patch.Patch
	oldDigits, newDigits int  // of the largest line numbers, 0 if lines have no numbers
	returns              bool // all lines end with CRLF
	NeedsTitle           bool // the name of its file is shown nowhere else
}

// Parse reads what patch.Parse does. ok is false when s changes no file.
func Parse(s string) (d *Diff, ok bool) {
	p, ok := patch.Parse(s)
	if !ok {
		return nil, false
	}
	d = &Diff{Patch: *p}
	d.measure()
	return d, true
}

// OfCall finds the change that the fuller result of a call holds: what it says,
// its own text, and the text around it. A diff with line numbers is found
// whatever the tool is called; that of a tool that changes files may have any
// form that Parse reads.
func OfCall(c *timeline.ToolCall) (d *Diff, s, rest string, ok bool) {
	before, s, after := patch.Cut(c.Detail)
	if s != "" {
		if d, ok = Parse(s); ok {
			return d, s, text.Paragraphs(strings.TrimSpace(before), strings.TrimSpace(after)), true
		}
	}
	if c.Family().ChangesFiles() {
		d, ok = Parse(c.Detail)
	}
	return d, c.Detail, "", ok
}

// NewFile returns the change that makes a file: every line is added.
func NewFile(name, contents string) *Diff {
	d := &Diff{Patch: patch.Patch{Files: []patch.File{{Name: name, Fate: patch.Created}}}}
	if contents == "" {
		return d
	}
	d.Hunks = []patch.Hunk{{}}
	number := 0
	for l := range strings.Lines(contents) {
		number++
		text, ended := strings.CutSuffix(l, "\n")
		d.Lines = append(d.Lines, patch.Line{Op: patch.Add, Open: !ended, New: number, Text: text})
	}
	d.measure()
	return d
}

// Compare returns the change that makes after of before, with three lines
// around each place that differs. It has no lines when the texts are equal.
func Compare(name, before, after string) *Diff {
	d := &Diff{Patch: patch.Patch{Files: []patch.File{{Name: name}}}}
	u, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), udiff.DefaultContextLines)
	if err != nil { // the edits were made of this very text
		return d
	}
	end := 1
	for _, h := range u.Hunks {
		d.Hunks = append(d.Hunks, patch.Hunk{From: len(d.Lines), Skipped: max(0, h.FromLine-end)})
		before, after := h.FromLine, h.ToLine
		for _, l := range h.Lines {
			text, ended := strings.CutSuffix(l.Content, "\n")
			line := patch.Line{Text: text, Open: !ended}
			if l.Kind != udiff.Insert {
				line.Op, line.Old = patch.Delete, before
				before++
			}
			if l.Kind != udiff.Delete {
				line.Op, line.New = patch.Add, after
				after++
			}
			if l.Kind == udiff.Equal {
				line.Op = patch.Same
			}
			d.Lines = append(d.Lines, line)
		}
		end = before
	}
	d.measure()
	return d
}

// Planned is the change that the arguments of a call ask for, as long as
// there is no result that reports what was done. Its place in the file is not known
// yet, so its lines have no numbers.
func Planned(name, before, after string) *Diff {
	d := Compare(name, before, after)
	for i := range d.Lines {
		d.Lines[i].Old, d.Lines[i].New, d.Lines[i].Open = 0, 0, false
	}
	for i := range d.Hunks {
		d.Hunks[i].Skipped = -1
	}
	d.oldDigits, d.newDigits = 0, 0
	return d
}

// measure counts the lines of a change that was made here, and takes what
// drawing needs to know of all of them.
func (d *Diff) measure() {
	d.Count()
	highOld, highNew, returns, ends := 0, 0, 0, 0
	for _, l := range d.Lines {
		highOld, highNew = max(highOld, l.Old), max(highNew, l.New)
		if !l.Open {
			ends++
		}
		if strings.HasSuffix(l.Text, "\r") {
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

// Names returns the names of the files in order, raw, as the diff has them:
// git's have no slash in front. Of a renamed file it is the new one.
func (d *Diff) Names() []string {
	names := make([]string, len(d.Files))
	for i, f := range d.Files {
		names[i] = f.Name
	}
	return names
}

// Name gives the file of a change of one file the name it goes by elsewhere,
// such as the path in the request that carries the diff. A change of several
// files keeps its names.
func (d *Diff) Name(name string) {
	if len(d.Files) == 1 && name != "" {
		d.Files[0].Name = name
	}
}

// Changes reports whether any line is added or removed.
func (d *Diff) Changes() bool { return d.Added+d.Removed > 0 }

// ChangedLines is how many lines are added and removed: "+6 −4".
func (d *Diff) ChangedLines(th *theme.Theme) string { return counts(d.Added, d.Removed, th) }

// Unified returns the lines in the form of a unified diff, raw, without headers of
// files and without line numbers.
func (d *Diff) Unified() string {
	var b strings.Builder
	for i, l := range d.Lines {
		if h := d.HunkOf(i); h > 0 && d.Hunks[h].From == i {
			b.WriteString("@@ @@\n")
		}
		b.WriteString([...]string{patch.Same: " ", patch.Add: "+", patch.Delete: "-"}[l.Op] + l.Text + "\n")
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

// Titled reports whether d is the change of one file, and is drawn with the name of it.
func (d *Diff) Titled() bool { return len(d.Files) == 1 && d.titled(0) }

// titled reports whether a file has a row of its own: always among several,
// alone only when there is more to say than its name, or that stands nowhere else.
func (d *Diff) titled(file int) bool {
	f := d.Files[file]
	if len(d.Files) > 1 || d.NeedsTitle && f.Name != "" {
		return true
	}
	return f.Old != "" || f.Fate == patch.Deleted || len(f.Notes) > 0 || d.HunksEnd(file) == f.Hunk
}

// partners pairs removed lines with the added ones in their place: the first
// with the first, as far as both go. A line without a partner has -1.
func (d *Diff) partners() []int32 {
	out := make([]int32, len(d.Lines))
	for i := range out {
		out[i] = -1
	}
	for h := range d.Hunks {
		for i, end := d.Hunks[h].From, d.HunkEnd(h); i < end; {
			gone := i
			for i < end && d.Lines[i].Op == patch.Delete {
				i++
			}
			come := i
			for i < end && d.Lines[i].Op == patch.Add {
				i++
			}
			for k := range min(come-gone, i-come) {
				out[gone+k], out[come+k] = int32(come+k), int32(gone+k)
			}
			for i < end && d.Lines[i].Op == patch.Same {
				i++
			}
		}
	}
	return out
}
