package diff

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"parley/render/lru"
	"parley/render/patch"
	"parley/render/text"
	"parley/theme"
)

// Options is how a View is laid out. It is comparable. Theme must be
// set.
type Options struct {
	Width   int // cells of a row; it takes 20 to read anything
	Theme   *theme.Theme
	Split   bool // side by side where there is something to compare and room for two sides, else unified
	Wrap    bool // long lines continue in the next row, else they are cut with a mark
	Left    int  // columns scrolled to the right, without Wrap
	Cursor  int  // the selected line, -1 for none
	Visible bool // hidden characters as visible tokens (SanitizeShowHidden): for what a user approves
}

// SplitFrom is the width from which two sides are easy to read.
const SplitFrom = 120

// splitLeast is the width below which there are no two sides: in a window of less than
// 70 columns each would have room for a few words only.
const splitLeast = 64

// View is a diff laid out for reading. Lines are the lines that one can
// select: those of the files, counted through from 0, without the rows between
// them. Rows are what is drawn; only those that are asked for cost anything.
// It is for one goroutine.
type View struct {
	d        *Diff
	pairs    []int32 // the line in the place of each, or -1
	comments map[int]string
	// inline is drawn inside the timeline: one column of numbers, nothing to
	// select, and what did not change dim and without syntax.
	inline bool

	o     Options
	sides sides
	laid  viewShape
	bands []rowSpan
	rows  int
	over  int // columns that the longest line goes beyond its side
	cuts  bool

	sizes   []measure // of all lines, for sized
	sized   bool
	visible bool
	ready   lru.Cache[int, *viewLine]
	chunks  lru.Cache[int, *viewChunk]
}

// viewShape is what of the options rows depend on.
type viewShape struct {
	width                int
	split, wrap, visible bool
	ascii, spoken, valid bool
}

// NewView returns a view of d. The diff must not change anymore.
func NewView(d *Diff) *View { return newView(d, false) }

func newView(d *Diff, inline bool) *View {
	return &View{d: d, pairs: d.partners(), comments: map[int]string{}, inline: inline}
}

// rowSpan is a run of rows that belong together.
type rowSpan struct {
	kind bandKind
	at   int32 // the file, hunk or line
	side int32 // of a pair of lines the added one, else -1
	key  int32 // the first line at or after it
	row  int32 // its first row
}

type bandKind uint8

const (
	bandLine    bandKind = iota
	bandFile             // the name of a file and what becomes of it
	bandHunk             // what is skipped before a hunk
	bandGap              // what a folded diff leaves out
	bandComment          // on a line
)

// Layout lays the diff out for o and returns the number of rows. It costs
// next to nothing when only Theme, Cursor or Left changed, and else a look at
// each line, none of which is drawn.
func (r *View) Layout(o Options) (rows int) {
	r.fit(o)
	shape := viewShape{r.o.Width, r.o.Split, r.o.Wrap, r.o.Visible, r.o.Theme.ASCII, r.o.Theme.Spoken, true}
	if r.laid != shape {
		r.laid = shape
		r.place()
	}
	return r.rows
}

// TwoSides reports whether the diff can be shown side by side at a width: there is
// something to compare, and room for it.
func (r *View) TwoSides(width int) bool {
	two := r.d.Removed > 0 && r.d.Added > 0 || r.d.Added+r.d.Removed < len(r.d.Lines)
	return two && width >= splitLeast
}

// fit takes over options and finds the columns for them.
func (r *View) fit(o Options) {
	o.Width = max(1, o.Width)
	o.Split = o.Split && !o.Theme.Spoken && r.TwoSides(o.Width)
	o.Left = max(0, o.Left)
	if o.Wrap {
		o.Left = 0
	}
	r.o = o
	r.sides = r.columns()
	if !r.sized || r.visible != o.Visible {
		r.sized, r.visible = true, o.Visible
		r.ready = lru.Cache[int, *viewLine]{Limit: keptLines}
		r.chunks = lru.Cache[int, *viewChunk]{Limit: keptChunks}
		r.sizes = make([]measure, len(r.d.Lines))
		for i, l := range r.d.Lines {
			r.sizes[i] = r.measured(l)
		}
	}
}

// place makes the bands and counts their rows.
func (r *View) place() {
	r.bands, r.rows, r.over, r.cuts = r.bands[:0], 0, 0, r.sides.text[0] < 2
	for f := range r.d.Files {
		if r.d.titled(f) {
			r.put(rowSpan{kind: bandFile, at: int32(f), side: -1, key: int32(r.d.Files[f].From)})
		}
		for h := r.d.Files[f].Hunk; h < r.d.HunksEnd(f); h++ {
			if h > r.d.Files[f].Hunk || r.d.Hunks[h].Section != "" { // before the first only if there is something to say
				r.put(rowSpan{kind: bandHunk, at: int32(h), side: -1, key: int32(r.d.Hunks[h].From)})
			}
			r.placeLines(r.d.Hunks[h].From, r.d.HunkEnd(h))
		}
	}
}

// placeLines makes the bands of the lines of a hunk.
func (r *View) placeLines(from, to int) {
	for i := from; i < to; i++ {
		b := rowSpan{at: int32(i), side: -1, key: int32(i)}
		if other := r.pairs[i]; r.o.Split && other >= 0 {
			if r.d.Lines[i].Op == patch.Add {
				continue // it stands beside the line it is in the place of
			}
			b.side = other
		}
		r.put(b)
		for _, line := range []int32{b.at, b.side} {
			if _, ok := r.comments[int(line)]; ok {
				r.put(rowSpan{kind: bandComment, at: line, side: -1, key: b.key})
			}
		}
	}
}

// put appends a band.
func (r *View) put(b rowSpan) {
	b.row = int32(r.rows)
	r.bands = append(r.bands, b)
	r.rows += r.height(b)
}

// height is the number of rows of a band, and notes what of it is cut.
func (r *View) height(b rowSpan) int {
	if b.kind != bandLine {
		rows, cut := r.titleRows(b)
		r.cuts = r.cuts || cut
		return len(rows)
	}
	n := r.lineHeight(int(b.at))
	if b.side >= 0 {
		n = max(n, r.lineHeight(int(b.side)))
	}
	return n
}

// lineHeight is the number of rows of one line on its side.
func (r *View) lineHeight(i int) int {
	width := r.sides.text[r.sideOf(i)]
	m, n := r.sizes[i], 1
	switch beyond := int(m.cells) - width; {
	case beyond <= 0:
	case !r.o.Wrap:
		r.over = max(r.over, beyond)
	case m.simple:
		n = (int(m.cells) + width - 1) / width
	default:
		n = len(text.HardWrapSpans([]text.Span{{Text: r.clean(r.d.Lines[i])}}, width, 0))
	}
	if r.d.Lines[i].Open {
		n++
	}
	return n
}

// Whole reports whether the last Layout cut nothing: every character of the
// diff is in some row.
func (r *View) Whole() bool { return !r.cuts && (r.o.Wrap || r.over == 0 && r.o.Left == 0) }

// Overflow is the number of columns by which the longest line goes beyond the
// width, as of the last Layout without Wrap: the most that Left is good for.
func (r *View) Overflow() int { return r.over }

// Lines is the number of lines that one can select.
func (r *View) Lines() int { return len(r.d.Lines) }

// LineAt returns the line at a row: the added one where a row shows two, the
// one that follows on a row between lines. It is -1 when there are no lines.
func (r *View) LineAt(row int) int {
	if len(r.d.Lines) == 0 {
		return -1
	}
	b := r.bands[r.bandAt(row)]
	switch {
	case b.kind == bandComment:
		return int(b.at)
	case b.side >= 0:
		return int(b.side)
	}
	return min(int(b.key), len(r.d.Lines)-1)
}

// bandAt is the band of a row, the nearest for one that is not there.
func (r *View) bandAt(row int) int {
	return max(0, sort.Search(len(r.bands), func(i int) bool { return int(r.bands[i].row) > row })-1)
}

// RowOf returns where a line is drawn: its first row and how many it takes,
// comments not counted. For a line that is not there it is 0, 0.
func (r *View) RowOf(line int) (first, n int) {
	if line < 0 || line >= len(r.d.Lines) || r.rows == 0 {
		return 0, 0
	}
	key := int32(line)
	if other := r.pairs[line]; r.o.Split && other >= 0 {
		key = min(key, other)
	}
	i := sort.Search(len(r.bands), func(i int) bool { return r.bands[i].key >= key })
	for r.bands[i].kind != bandLine {
		i++
	}
	return int(r.bands[i].row), r.bandEnd(i) - int(r.bands[i].row)
}

func (r *View) bandEnd(i int) int {
	if i+1 < len(r.bands) {
		return int(r.bands[i+1].row)
	}
	return r.rows
}

// Change returns the first line of another change, which is lines that differ, one after the
// other in a hunk: by is 1 for the next, -1 for the one before. It is the same line if there
// is none.
func (r *View) Change(line, by int) int {
	differs := func(i int) bool { return i >= 0 && i < len(r.d.Lines) && r.d.Lines[i].Op != patch.Same }
	for i := line + by; i >= 0 && i < len(r.d.Lines); i += by {
		if differs(i) && (!differs(i-1) || r.d.HunkOf(i) != r.d.HunkOf(i-1)) {
			return i
		}
	}
	return line
}

// File is the name of the file that a line is of, on one line and safe to show.
func (r *View) File(line int) string {
	if line < 0 || line >= len(r.d.Lines) {
		return ""
	}
	return text.SanitizeLine(r.d.Files[r.d.FileOf(line)].Name)
}

// Place says where a line is, as people write it: "queue/worker.go:41", from dir if the
// file is in it, with "(removed)" behind it for a line that goes, whose number is that
// before the change. It is one line and safe to show.
func (r *View) Place(line int, dir string) string {
	if line < 0 || line >= len(r.d.Lines) {
		return ""
	}
	l := r.d.Lines[line]
	place := text.SanitizeLine(text.PathFrom(dir, r.d.Files[r.d.FileOf(line)].Name))
	number := l.New
	if l.Op == patch.Delete {
		number = l.Old
	}
	switch {
	case number > 0 && place == "":
		place = "line " + strconv.Itoa(number)
	case number > 0:
		place += ":" + strconv.Itoa(number)
	}
	if l.Op == patch.Delete {
		place = strings.TrimPrefix(place+" (removed)", " ")
	}
	return place
}

// Text returns the raw text of a line after its sign: "+", "-" or a space.
func (r *View) Text(line int) string {
	if line < 0 || line >= len(r.d.Lines) {
		return ""
	}
	l := r.d.Lines[line]
	return " +-"[l.Op:l.Op+1] + l.Text
}

// Comment shows a comment under a line, in the place of one that is there;
// an empty one takes it away. The next Layout knows of it.
func (r *View) Comment(line int, text string) {
	if line < 0 || line >= len(r.d.Lines) {
		return
	}
	text = strings.TrimSpace(text)
	if text == "" {
		delete(r.comments, line)
	} else {
		r.comments[line] = text
	}
	r.laid.valid = false
}

// CommentAt returns the comment on a line, "" for none.
func (r *View) CommentAt(line int) string { return r.comments[line] }

// quotedBytes is how much of a line a comment quotes.
const quotedBytes = 400

// Comments returns all comments in the order of their lines, each with its
// place, from dir as Place has it, and the line it is about, as feedback for an
// agent. It is "" without comments.
func (r *View) Comments(dir string) string {
	var out []string
	for _, line := range slices.Sorted(maps.Keys(r.comments)) {
		s, quote := r.comments[line], strings.TrimSuffix(r.Text(line), "\r")
		if place := r.Place(line, dir); place != "" {
			s = place + ": " + s
		}
		if len(quote) > quotedBytes {
			quote = text.CutBytes(quote, quotedBytes) + "..."
		}
		out = append(out, s+"\n> "+quote)
	}
	return strings.Join(out, "\n\n")
}
