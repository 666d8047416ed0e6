package prompts

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"parley/render/text"
)

// field is a small text editor for notes, refusals and answers. Its text is
// exact, whatever was pasted; what is drawn is made safe, cluster by cluster.
// The zero field is empty.
type field struct {
	text  string
	caret int // byte offset at a cluster boundary
}

// blank reports whether nothing but white space was written.
func (f *field) blank() bool { return strings.TrimSpace(f.text) == "" }

// insert writes s at the caret. A lone CR is what terminals make of a pasted
// line end and becomes one again; CRLF stays.
func (f *field) insert(s string) {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(s, "\r\n", "\x00")
		s = strings.ReplaceAll(s, "\r", "\n")
		s = strings.ReplaceAll(s, "\x00", "\r\n")
	}
	f.text = f.text[:f.caret] + s + f.text[f.caret:]
	f.caret += len(s)
}

// newline reports whether k asks for a new line rather than for the end.
func newline(k tea.KeyPressMsg) bool {
	switch k.Keystroke() {
	case "shift+enter", "alt+enter", "ctrl+j":
		return true
	}
	return false
}

// press edits the text. Keys it does not know change nothing. Rows are those
// of the last drawing, at the given width.
func (f *field) press(k tea.KeyPressMsg, width int) {
	switch {
	case newline(k):
		f.insert("\n")
	case printable(k):
		f.insert(k.Text)
	default:
		name := k.Keystroke()
		if to, moved := f.target(name, width); moved {
			f.caret = to
			return
		}
		f.erase(name)
	}
}

// target is where a key moves the caret.
func (f *field) target(name string, width int) (to int, moved bool) {
	switch name {
	case "left", "ctrl+b":
		return f.before(f.caret), true
	case "right", "ctrl+f":
		return f.after(f.caret), true
	case "ctrl+left", "alt+left", "alt+b":
		return f.wordStart(), true
	case "ctrl+right", "alt+right", "alt+f":
		return f.wordEnd(), true
	case "up":
		return f.vertical(-1, width), true
	case "down":
		return f.vertical(1, width), true
	case "home", "ctrl+a":
		return f.lineStart(), true
	case "end", "ctrl+e":
		return f.lineEnd(), true
	case "ctrl+home":
		return 0, true
	case "ctrl+end":
		return len(f.text), true
	}
	return 0, false
}

// erase does what a key removes. Enter removes the backslash before it and
// goes on in a new line.
func (f *field) erase(name string) {
	switch name {
	case "enter":
		if strings.HasSuffix(f.text[:f.caret], `\`) {
			f.cut(f.caret-1, f.caret)
			f.insert("\n")
		}
	case "backspace", "shift+backspace", "ctrl+h":
		f.cut(f.before(f.caret), f.caret)
	case "delete", "ctrl+d":
		f.cut(f.caret, f.after(f.caret))
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		f.cut(f.wordStart(), f.caret)
	case "alt+d", "ctrl+delete":
		f.cut(f.caret, f.wordEnd())
	case "ctrl+u":
		f.cut(f.lineStart(), f.caret)
	case "ctrl+k":
		f.cut(f.caret, f.lineEnd())
	}
}

// cut removes the bytes from a to b and leaves the caret there.
func (f *field) cut(a, b int) {
	f.text, f.caret = f.text[:a]+f.text[b:], a
}

// before returns the boundary before i. Clusters do not reach over line ends,
// so the line of i is enough to look at.
func (f *field) before(i int) int {
	start := strings.LastIndexByte(f.text[:max(i-1, 0)], '\n') + 1
	last := start
	g := graphemes.FromString(f.text[start:i])
	for g.Next() {
		last = start + g.Start()
	}
	return last
}

// after returns the boundary after i.
func (f *field) after(i int) int {
	g := graphemes.FromString(f.text[i:])
	if !g.Next() {
		return i
	}
	return i + g.End()
}

func (f *field) lineStart() int { return strings.LastIndexByte(f.text[:f.caret], '\n') + 1 }

func (f *field) lineEnd() int {
	n := strings.IndexByte(f.text[f.caret:], '\n')
	if n < 0 {
		return len(f.text)
	}
	if n > 0 && f.text[f.caret+n-1] == '\r' {
		n--
	}
	return f.caret + n
}

func (f *field) wordStart() int {
	s := strings.TrimRightFunc(f.text[:f.caret], unicode.IsSpace)
	return strings.LastIndexFunc(s, unicode.IsSpace) + 1
}

func (f *field) wordEnd() int {
	rest := f.text[f.caret:]
	word := strings.TrimLeftFunc(rest, unicode.IsSpace)
	skipped := len(rest) - len(word)
	if n := strings.IndexFunc(word, unicode.IsSpace); n >= 0 {
		return f.caret + skipped + n
	}
	return len(f.text)
}

// vertical is the place above or below the caret, by rows as they are drawn.
func (f *field) vertical(by, width int) int {
	rows, x, y := f.layout(width)
	switch to := y + by; {
	case to < 0:
		return 0
	case to >= len(rows):
		return len(f.text)
	default:
		return rows[to].at(x)
	}
}

// fieldRow is one drawn row: what is shown, and where each cell comes from.
type fieldRow struct {
	text  string
	start int
	stops []fieldStop // the boundaries of the row with their columns, the end included
}

type fieldStop struct{ off, col int }

// at returns the boundary nearest to column x that does not lie beyond it.
func (r fieldRow) at(x int) int {
	off := r.start
	for _, s := range r.stops {
		if s.col > x {
			break
		}
		off = s.off
	}
	return off
}

// layout breaks the text into rows that leave a cell for the caret within
// width, at spaces where there are some, and says where the caret is.
func (f *field) layout(width int) (rows []fieldRow, x, y int) {
	width = max(width-1, 1)
	start := 0
	for {
		line, _, more := strings.Cut(f.text[start:], "\n")
		rows = append(rows, wrapField(strings.TrimSuffix(line, "\r"), start, width)...)
		if !more {
			break
		}
		start += len(line) + 1
	}
	for i, r := range rows {
		if r.start > f.caret {
			break
		}
		y = i
	}
	for _, s := range rows[y].stops {
		if s.off <= f.caret {
			x = s.col
		}
	}
	return rows, x, y
}

// wrapField breaks one line, which begins at offset base of the text.
func wrapField(line string, base, width int) []fieldRow {
	row := fieldRow{start: base, stops: []fieldStop{{base, 0}}}
	var rows []fieldRow
	col, breakText, breakStop := 0, 0, 0
	g := graphemes.FromString(line)
	for g.Next() {
		shown := text.SanitizeShowHidden(g.Value())
		w := text.Width(shown)
		for col+w > width && col > 0 {
			rest := fieldRow{start: row.stops[len(row.stops)-1].off}
			if breakStop > 0 && g.Value() != " " {
				rest = fieldRow{text: row.text[breakText:], start: row.stops[breakStop].off}
				for _, s := range row.stops[breakStop+1:] {
					rest.stops = append(rest.stops, fieldStop{s.off, s.col - row.stops[breakStop].col})
				}
				row.text, row.stops = row.text[:breakText], row.stops[:breakStop+1]
			}
			rest.stops = append([]fieldStop{{rest.start, 0}}, rest.stops...)
			rows, row = append(rows, row), rest
			col, breakText, breakStop = row.stops[len(row.stops)-1].col, 0, 0
		}
		col += w
		row.text += shown
		row.stops = append(row.stops, fieldStop{base + g.End(), col})
		if g.Value() == " " {
			breakText, breakStop = len(row.text), len(row.stops)-1
		}
	}
	return append(rows, row)
}
