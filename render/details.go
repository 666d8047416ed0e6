package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// Details shows events field by field, as a tree of rows whose branches open and
// close: each event with the members of its payload and of its envelope, by the
// names that they have in the wire form. Everything in it is safe to show, and
// nothing is hidden. Rows costs what it returns, Layout a pass over the rows that
// are open, after a change. It is for one goroutine.
type Details struct {
	events []*Field
	width  int
	rows   []detailRow
	stale  bool
	zone   *time.Location
}

// detailRow is a line of a field.
type detailRow struct {
	field *Field
	line  int // 0 is the line with its name
	names int // the width of the column of names
}

// manyEvents is from how many events on all but the last are closed at first.
const manyEvents = 12

// NewDetails returns the details of events. Of a long text no more than the first
// so many bytes are shown, with a word on the rest; 0 for all. Times are shown in
// a zone; nil is UTC.
func NewDetails(list []timeline.Record, most int, zone *time.Location) *Details {
	d := &Details{zone: zone, stale: true}
	for i, r := range list {
		f := newEvent(r, most)
		f.open = f.open || len(list) < manyEvents || i == len(list)-1
		d.events = append(d.events, f)
	}
	return d
}

// Len is the number of events.
func (d *Details) Len() int { return len(d.events) }

// First is the first field; nil without fields.
func (d *Details) First() *Field {
	if len(d.events) == 0 {
		return nil
	}
	return d.events[0]
}

// OpenAll opens every field.
func (d *Details) OpenAll() {
	for f := range d.all() {
		f.open = true
	}
	d.stale = true
}

// SetOpen opens or closes a field, as far as there is something in it.
func (d *Details) SetOpen(f *Field, open bool) {
	f.open = open
	d.stale = true
}

// Reveal opens whatever a field is in.
func (d *Details) Reveal(f *Field) {
	for f = f.parent; f != nil; f = f.parent {
		d.SetOpen(f, true)
	}
}

// all yields every field, the closed ones too, in the order of the rows.
func (d *Details) all() func(yield func(*Field) bool) {
	var walk func(list []*Field, yield func(*Field) bool) bool
	walk = func(list []*Field, yield func(*Field) bool) bool {
		for _, f := range list {
			if !yield(f) || !walk(f.Inside(), yield) {
				return false
			}
		}
		return true
	}
	return func(yield func(*Field) bool) { walk(d.events, yield) }
}

// Find returns the fields whose name or value has a text, whatever the case of
// its letters, also those that are closed.
func (d *Details) Find(query string) []*Field {
	query = strings.ToLower(query)
	var found []*Field
	for f := range d.all() {
		if query != "" && f.matches(query) {
			found = append(found, f)
		}
	}
	return found
}

// Layout breaks the open fields into rows of at most width cells, and returns
// their number. A blank row stands around each event that is open.
func (d *Details) Layout(width int) (rows int) {
	width = max(width, 1)
	if d.width != width || d.stale {
		d.width, d.stale, d.rows = width, false, d.rows[:0]
		for i, f := range d.events {
			if i > 0 && (f.open || d.events[i-1].open) {
				d.rows = append(d.rows, detailRow{})
			}
			d.lay(f, 0)
		}
	}
	return len(d.rows)
}

// lay appends the rows of a field and of what is open in it.
func (d *Details) lay(f *Field, names int) {
	d.rows = append(d.rows, detailRow{field: f, names: names})
	if !f.open {
		return
	}
	if f.long(d.valueRoom(f, names)) {
		d.wrap(f)
		for i := range f.lines {
			d.rows = append(d.rows, detailRow{field: f, line: i + 1, names: names})
		}
	}
	const mostNames = 27 // of preCompactionMessagesLength
	names = 0
	for _, c := range f.Inside() {
		names = min(max(names, text.Width(plainLine(c.name))), mostNames)
	}
	for _, c := range f.inside {
		d.lay(c, names)
	}
}

// wrap breaks the text of an open field into lines.
func (d *Details) wrap(f *Field) {
	room := max(1, d.width-d.indent(f)-text.MarginCells)
	if f.width == room {
		return
	}
	f.width, f.lines = room, text.WrapKeepBlanks(f.shown(), room)
	if f.rest > 0 {
		f.lines = append(f.lines, text.Size(f.rest)+" more are not shown")
	}
}

// long reports whether a value that is no compound takes more than the room
// beside its name.
func (f *Field) long(room int) bool {
	if f.head != nil || f.compound() {
		return false
	}
	return strings.Contains(f.text, "\n") || max(len(f.text), len(f.value)) > room && text.Width(f.shown()) > room
}

// shown is a value that is no compound on one line.
func (f *Field) shown() string {
	if f.value.Kind() == jsontext.KindString && f.text != "" {
		return f.text
	}
	return text.SanitizeShowHidden(string(f.value))
}

// indent is where the name of a field begins, behind its mark.
func (d *Details) indent(f *Field) int {
	step := text.MarginCells
	if d.width < text.TinyBelow {
		step = 1
	}
	return min(f.depth*step, d.width/2) + min(text.MarginCells, d.width/2)
}

// valueRoom is the room for a value beside its name.
func (d *Details) valueRoom(f *Field, names int) int {
	return max(1, d.width-d.indent(f)-names-text.MarginCells)
}

// Foldable reports whether a field opens and closes.
func (d *Details) Foldable(f *Field) bool {
	if f.head != nil || f.compound() {
		return len(f.Inside()) > 0
	}
	first, n := d.RowOf(f)
	return n > 1 || f.long(d.valueRoom(f, d.rows[first].names))
}

// FieldAt is the field that a row of the last Layout is of, or the nearest one
// above.
func (d *Details) FieldAt(row int) *Field {
	for i := min(row, len(d.rows)-1); i >= 0; i-- {
		if f := d.rows[i].field; f != nil {
			return f
		}
	}
	return d.First()
}

// RowOf is the first row of a field in the last Layout, and the number of its
// rows; of one that is not shown, those of what it is in.
func (d *Details) RowOf(f *Field) (first, rows int) {
	for ; f != nil; f = f.parent {
		if first = slices.IndexFunc(d.rows, func(r detailRow) bool { return r.field == f }); first >= 0 {
			rest := d.rows[first:]
			if rows = slices.IndexFunc(rest, func(r detailRow) bool { return r.field != f }); rows < 0 {
				rows = len(rest)
			}
			return first, rows
		}
	}
	return 0, 0
}

// Rows draws the rows of the last Layout from one to before another. The name of
// the chosen field stands out, and so does each place that has the query in it;
// nil and "" mark none.
func (d *Details) Rows(from, to int, chosen *Field, query string, th *theme.Theme) []string {
	find := timeline.NewMatcher(query, true, timeline.AnyCase).Find
	out := make([]string, 0, to-from)
	for _, r := range d.rows[from:to] {
		line := text.Truncate(d.draw(r, r.field != nil && r.field == chosen, th), d.width, th.Glyph(theme.MarkEllipsis))
		if query != "" {
			line = text.Highlight(line, find, theme.Match, th)
		}
		out = append(out, line)
	}
	return out
}

func (d *Details) draw(r detailRow, chosen bool, th *theme.Theme) string {
	f := r.field
	switch {
	case f == nil:
		return ""
	case r.line > 0:
		return text.Spaces(d.indent(f)+text.MarginCells) + text.DrawVisible(f.lines[r.line-1], f.token(), th)
	}
	mark := " "
	switch {
	case f.open && (f.head != nil || f.compound()) && len(f.Inside()) > 0, f.open && len(f.lines) > 0:
		mark = th.Glyph(theme.MarkOpen)
	case f.head != nil || f.compound() && len(f.Inside()) > 0, f.long(d.valueRoom(f, r.names)):
		mark = th.Glyph(theme.MarkClosed)
	}
	token := theme.Dim
	if chosen {
		token = theme.Accent
	}
	line := text.Spaces(max(0, d.indent(f)-text.MarginCells)) + th.Render(token, mark) + " "
	if f.head != nil {
		return line + d.drawHead(f, chosen, th)
	}
	return line + d.drawField(f, r.names, chosen, th)
}

func (d *Details) drawHead(f *Field, chosen bool, th *theme.Theme) string {
	h, token := f.head, theme.Heading
	if chosen {
		token = theme.Accent
	}
	line := text.DrawVisible(plainLine(f.name), token, th)
	var facts []text.Span
	if h.unreadable > 0 {
		facts = append(facts, text.Span{Text: text.Count(h.unreadable, "field") + " could not be read", Token: theme.Warning})
	}
	if !h.time.IsZero() {
		at := local(h.time, Options{Location: d.zone})
		facts = append(facts, text.Span{Text: at.Format("15:04:05.000"), Token: theme.Dim})
	}
	if h.agent != "" {
		facts = append(facts, text.Span{Text: th.Glyph(theme.MarkSubAgent) + " " + plainLine(string(h.agent)), Token: theme.Dim})
	}
	if h.count > 1 {
		facts = append(facts, text.Span{Text: text.Count(h.count, "time") + ", the last one", Token: theme.Dim})
	}
	for _, s := range facts {
		line += "   " + th.Render(s.Token, s.Text)
	}
	return line
}

// drawField draws the name of a field and its value, or how that begins.
func (d *Details) drawField(f *Field, names int, chosen bool, th *theme.Theme) string {
	token := theme.ToolSubject
	switch {
	case chosen:
		token = theme.Accent
	case f.envelope:
		token = theme.Dim
	}
	name := plainLine(f.name)
	line := text.DrawVisible(name, token, th) + text.Spaces(max(0, names-text.Width(name))+text.MarginCells)
	room := d.valueRoom(f, max(names, text.Width(name)))
	if f.problem != "" {
		problem := "could not be read: " + plainLine(f.problem)
		value := text.Truncate(plainLine(string(f.value)),
			max(leastHead, room-text.Width(problem)-text.MarginCells), th.Glyph(theme.MarkEllipsis))
		return line + text.DrawVisible(value, f.token(), th) + text.Spaces(text.MarginCells) + th.Render(theme.Warning, problem)
	}
	if f.open && len(f.lines) > 0 && f.long(d.valueRoom(f, names)) {
		return line + th.Render(theme.Dim, text.Size(len(f.text)+f.rest))
	}
	switch {
	case f.compound() && f.open:
		return line + th.Render(theme.Dim, f.summary())
	case f.compound():
		return line + th.Render(theme.Dim, f.summary()+" ") + text.DrawVisible(plainLine(string(f.value)), theme.Dim, th)
	}
	first, rest, more := strings.Cut(f.shown(), "\n")
	if more {
		count := strconv.Itoa(strings.Count(rest, "\n")+2) + " lines"
		first = text.Truncate(brief(first), max(1, room-text.Width(count)-text.MarginCells), th.Glyph(theme.MarkEllipsis))
		return line + text.DrawVisible(first, f.token(), th) + "  " + th.Render(theme.Dim, count)
	}
	return line + text.DrawVisible(brief(first), f.token(), th)
}

// token is how a value is drawn, by its type.
func (f *Field) token() theme.Token {
	switch {
	case f.value.Kind() == jsontext.KindString && f.text != "":
		return theme.Text
	case f.value.Kind() == jsontext.KindNumber:
		return theme.SyntaxNumber
	}
	return theme.SyntaxKeyword
}
