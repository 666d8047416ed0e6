package render

import (
	"sort"
	"strings"

	"parley/render/text"
)

// inlineDiff is a diff in the timeline: folded to its first changes, or whole
// and drawn in units of diffUnit lines.
type inlineDiff struct {
	*Diff
	review *Review
	short  []band // what a folded one shows: the changes and a line around
}

const (
	diffFolded = 12 // rows shown of a folded diff
	diffUnit   = 64 // lines of one unit
)

func newInlineDiff(d *Diff) *inlineDiff { return &inlineDiff{d, newReview(d, true), d.short()} }

// short chooses what a folded diff shows.
func (d *Diff) short() []band {
	var out []band
	for f := range d.files {
		if d.titled(f) {
			out = append(out, band{kind: bandFile, at: int32(f), side: -1})
		}
		from, to := d.files[f].from, len(d.lines)
		if f+1 < len(d.files) {
			to = d.files[f+1].from
		}
		near := func(i int) bool { return i >= from && i < to && d.lines[i].op.change() }
		last := -1
		for i := from; i < to; i++ {
			if !near(i) && !near(i-1) && !near(i+1) {
				continue
			}
			if last >= 0 && (last+1 < i || d.hunkOf(last) != d.hunkOf(i)) {
				out = append(out, band{kind: bandGap, side: -1})
			}
			out, last = append(out, band{at: int32(i), side: -1}), i
		}
	}
	return out
}

// options are those of a review in the timeline.
func (d *inlineDiff) options(o Options, whole bool) ReviewOptions {
	return ReviewOptions{
		Width: o.Width, Theme: o.Theme, Cursor: -1, Wrap: whole,
		Split: whole && o.SplitDiffs && o.Width >= SplitFrom,
	}
}

// units is the number of units of the whole diff.
func (d *inlineDiff) units() int { return max(1, (len(d.lines)+diffUnit-1)/diffUnit) }

// draw draws one unit of the whole diff. What stands before a line belongs to
// its unit.
func (d *inlineDiff) draw(unit int, o Options) []string {
	d.review.Layout(d.options(o, true))
	return d.review.Rows(d.unitRow(unit), d.unitRow(unit+1))
}

// source is the text of the lines of one unit.
func (d *inlineDiff) source(unit int) string {
	var bands []band
	for i := unit * diffUnit; i < min(len(d.lines), (unit+1)*diffUnit); i++ {
		bands = append(bands, band{at: int32(i)})
	}
	return d.text(bands)
}

// text is what the lines among some bands say.
func (d *inlineDiff) text(bands []band) string {
	var b strings.Builder
	for _, line := range bands {
		if line.kind == bandLine {
			b.WriteString(text.Sanitize(d.lines[line.at].text) + "\n")
		}
	}
	return b.String()
}

// unitRow is the first row of a unit.
func (d *inlineDiff) unitRow(unit int) int {
	bands := d.review.bands
	if unit >= d.units() {
		return d.review.rows
	}
	i := sort.Search(len(bands), func(i int) bool { return int(bands[i].key) >= unit*diffUnit })
	if i == len(bands) {
		return d.review.rows
	}
	return int(bands[i].row)
}

// drawFolded draws the first changes.
func (d *inlineDiff) drawFolded(o Options) []string {
	d.review.fit(d.options(o, false))
	shown := d.short[:min(len(d.short), diffFolded)]
	for len(shown) > 0 && shown[len(shown)-1].kind == bandGap {
		shown = shown[:len(shown)-1]
	}
	var out []string
	for _, b := range shown {
		out = append(out, d.review.draw(b, 0, d.review.height(b))...)
	}
	if rest := len(d.short) - len(shown); rest > 0 {
		out = append(out, text.FoldedLines(o.Theme, o.Width, rest, text.Nested(o.Width), "more"))
	}
	return text.Clip(out, o.Width)
}
