package diff

import (
	"sort"
	"strings"

	"parley/render/patch"
	"parley/render/text"
	"parley/theme"
)

// Inline is a diff in the timeline: folded to its first changes, or whole
// and drawn in units of diffUnit lines.
type Inline struct {
	*Diff
	view  *View
	short []rowSpan // what a folded one shows: the changes and a line around
}

const (
	diffFolded = 12 // rows shown of a folded diff
	diffUnit   = 64 // lines of one unit
)

// NewInline returns a change as it is drawn between other entries.
func NewInline(d *Diff) *Inline { return &Inline{d, newView(d, true), d.short()} }

// short chooses what a folded diff shows.
func (d *Diff) short() []rowSpan {
	var out []rowSpan
	for f := range d.Files {
		if d.titled(f) {
			out = append(out, rowSpan{kind: bandFile, at: int32(f), side: -1})
		}
		from, to := d.Files[f].From, d.LinesEnd(f)
		near := func(i int) bool { return i >= from && i < to && d.Lines[i].Op != patch.Same }
		last := -1
		for i := from; i < to; i++ {
			if !near(i) && !near(i-1) && !near(i+1) {
				continue
			}
			if last >= 0 && (last+1 < i || d.HunkOf(last) != d.HunkOf(i)) {
				out = append(out, rowSpan{kind: bandGap, side: -1})
			}
			out, last = append(out, rowSpan{at: int32(i), side: -1}), i
		}
	}
	return out
}

// Units is the number of units of the whole diff.
func (d *Inline) Units() int { return max(1, (len(d.Lines)+diffUnit-1)/diffUnit) }

// Draw draws one unit of the whole diff, with split side by side if there is room
// for it. What stands before a line belongs to its unit.
func (d *Inline) Draw(unit, width int, th *theme.Theme, split bool) []string {
	d.view.Layout(Options{Width: width, Theme: th, Cursor: -1, Wrap: true, Split: split && width >= SplitFrom})
	return d.view.Rows(d.unitRow(unit), d.unitRow(unit+1))
}

// Source is the text of the lines of one unit.
func (d *Inline) Source(unit int) string {
	var bands []rowSpan
	for i := unit * diffUnit; i < min(len(d.Lines), (unit+1)*diffUnit); i++ {
		bands = append(bands, rowSpan{at: int32(i)})
	}
	return d.text(bands)
}

// FoldedSource is the text of the lines that DrawFolded shows.
func (d *Inline) FoldedSource() string { return d.text(d.short) }

// text is what the lines among some bands say.
func (d *Inline) text(bands []rowSpan) string {
	var b strings.Builder
	for _, line := range bands {
		if line.kind == bandLine {
			b.WriteString(text.Sanitize(d.Lines[line.at].Text) + "\n")
		}
	}
	return b.String()
}

func (d *Inline) unitRow(unit int) int {
	bands := d.view.bands
	if unit >= d.Units() {
		return d.view.rows
	}
	i := sort.Search(len(bands), func(i int) bool { return int(bands[i].key) >= unit*diffUnit })
	if i == len(bands) {
		return d.view.rows
	}
	return int(bands[i].row)
}

// DrawFolded draws the first changes.
func (d *Inline) DrawFolded(width int, th *theme.Theme) []string {
	d.view.fit(Options{Width: width, Theme: th, Cursor: -1})
	shown := d.short[:min(len(d.short), diffFolded)]
	for len(shown) > 0 && shown[len(shown)-1].kind == bandGap {
		shown = shown[:len(shown)-1]
	}
	var out []string
	for _, b := range shown {
		out = append(out, d.view.draw(b, 0, d.view.height(b))...)
	}
	if rest := len(d.short) - len(shown); rest > 0 {
		out = append(out, text.FoldedLines(th, width, rest, text.Nested(width), "more"))
	}
	return text.Clip(out, width)
}
