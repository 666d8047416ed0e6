package terminal

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// unchangedRows leaves out what would write a row of the screen that already shows the
// same. Bubble Tea's renderer writes every row with a wide character (CJK, most emoji)
// from its start with each frame, changed or not, since a terminal may measure such a
// character differently: with a table of emoji on the screen, a word below it took 650
// bytes, and takes 50.
//
// It follows where the renderer's sequences put the cursor, and keeps what each row was
// last written as from its first column on. Whatever it does not know makes it forget
// all of that, so that everything is written as it came. The alternate screen alone is
// filtered.
type unchangedRows struct {
	size func() (width, height int) // of the terminal, now

	out           []byte
	width, height int      // 0: nothing is filtered
	rows          []string // as they were written whole; "": not known
	top, bottom   int      // the first and the last row that scroll

	row, col  int    // where the renderer has put the cursor, or unknown
	pen, link string // the colours and the hyperlink that it has set
	wrap      string // has rows wrap, or lose what goes beyond their end

	moves           []byte // of the cursor, not written yet
	skipped         bool   // a row was left out since the last move that was written
	penSet, linkSet string // what was written of pen and link
	wrapSet         string // and of wrap
}

const (
	unknown = -1
	// longestPen bounds what is kept of sequences that add to colours. The renderer starts
	// anew with each row.
	longestPen = 512

	hyperlink = "\x1b]8;"
	marks     = "<=>?!\"#$%&'()*+,-./ " // in sequences that are not those without
)

// forget takes the terminal for one of which nothing is known but its size.
func (u *unchangedRows) forget() {
	clear(u.rows)
	u.row, u.col = unknown, unknown
}

// begin is for a screen that was entered or cleared, as the renderer does after each change
// of its size.
func (u *unchangedRows) begin() {
	u.width, u.height = u.size()
	u.rows = make([]string, max(0, u.height))
	u.top, u.bottom = 0, u.height-1
}

// filtered is what is written of p. It is valid until the next call.
func (u *unchangedRows) filtered(p []byte) []byte {
	u.out = u.out[:0]
	for len(p) > 0 {
		n := tokenLength(p)
		if n == 0 { // a sequence that does not end here
			u.settle()
			u.out = append(u.out, p...)
			u.height = 0
			return u.out
		}
		switch {
		case u.height == 0:
			u.passBy(p[:n])
		case u.skips(p):
			n = u.skip(p)
		default:
			n = u.take(p, n)
		}
		p = p[n:]
	}
	u.settle()
	return u.out
}

// passBy writes what comes while nothing is filtered, and notes when the alternate
// screen is entered.
func (u *unchangedRows) passBy(token []byte) {
	u.out = append(u.out, token...)
	if string(token) == ansi.SetModeAltScreenSaveCursor {
		u.pen, u.link, u.penSet, u.linkSet = "", "", "", ""
		u.wrap, u.wrapSet = ansi.SetModeAutoWrap, ansi.SetModeAutoWrap
		u.begin()
		u.forget()
	}
}

// take does what the next token of p says, which is n bytes long, and returns how much of
// p that was.
func (u *unchangedRows) take(p []byte, n int) int {
	token := p[:n]
	switch c := token[0]; {
	case c == ansi.ESC && n > 2 && token[1] == '[':
		return u.control(p, n)
	case c == ansi.ESC:
		u.escape(token)
	case c >= ' ' && c != ansi.DEL:
		u.text(token)
	case u.moved(token):
	default:
		u.write(token)
		switch {
		case c == '\n' && u.row != unknown: // at the end of what scrolls
			u.scroll(u.top, 1)
		case c != ansi.BEL && c != ansi.NUL:
			u.forget()
		}
	}
	return n
}

// text writes characters where the cursor is.
func (u *unchangedRows) text(token []byte) {
	u.write(token)
	u.changed()
	switch end := u.col + len(token); {
	case u.col == unknown:
	case bytes.ContainsFunc(token, func(r rune) bool { return r >= ansi.DEL }):
		u.col = unknown // the terminal may take its characters for wider than others do
	case end < u.width:
		u.col = end
	case end == u.width:
		u.col = unknown
	default: // it continued in the next row
		u.forget()
	}
}

// changed notes that the row of the cursor is another now.
func (u *unchangedRows) changed() {
	if u.row == unknown {
		u.forget()
		return
	}
	u.rows[u.row] = ""
}

// escape is for sequences of ESC without a bracket, and for those with a string.
func (u *unchangedRows) escape(token []byte) {
	if bytes.HasPrefix(token, []byte(hyperlink)) {
		u.link = string(token)
		_, address, _ := bytes.Cut(token[len(hyperlink):], []byte(";"))
		if len(address) == 0 || address[0] == ansi.BEL || address[0] == ansi.ESC {
			u.link = ""
		}
		return
	}
	u.write(token)
	switch {
	case token[1] == ']': // titles, colours, notifications
	case token[1] == '_': // images
		u.row, u.col = unknown, unknown
	case string(token) != ansi.ReverseIndex || u.row == unknown:
		u.forget()
	case u.row == u.top:
		u.scroll(u.top, -1)
	default:
		u.row = max(u.row-1, 0)
	}
}

// control is for the sequences with a bracket.
func (u *unchangedRows) control(p []byte, n int) int {
	token := p[:n]
	final, params := token[n-1], string(token[2:n-1])
	a, b := numbers(params)
	switch {
	case string(token) == ansi.ResetModeAutoWrap, string(token) == ansi.SetModeAutoWrap:
		u.wrap = string(token)
		return n
	case strings.ContainsAny(params, marks):
		u.write(token)
		u.mode(string(token))
		return n
	case final == 'm':
		if u.pen += string(token); params == "" || params == "0" {
			u.pen = ""
		}
		return n
	case u.movedTo(final, a, b):
		u.moves = append(u.moves, token...)
		return n
	case final == 'K' && params == "" && u.col == 0 && u.row != unknown:
		return u.writeRow(p)
	}
	u.write(token)
	u.changedBy(final, a, b)
	return n
}

// changedBy notes what a sequence with these numbers did that was written.
func (u *unchangedRows) changedBy(final byte, a, b int) {
	switch final {
	case 'K', 'X', '@', 'P':
		u.changed()
	case 'b':
		u.changed()
		u.col = unknown
	case 'J':
		row, col := u.row, u.col
		u.begin()
		u.row, u.col = min(row, u.height-1), col
	case 'r':
		u.top, u.bottom = max(a, 1)-1, u.height-1
		if b > 0 {
			u.bottom = min(b, u.height) - 1
		}
		if u.top >= u.bottom {
			u.top, u.bottom = 0, u.height-1
		}
		u.row, u.col = 0, 0
	case 'S':
		u.scroll(u.top, max(a, 1))
	case 'T':
		u.scroll(u.top, -max(a, 1))
	case 'M', 'L':
		if u.row < u.top || u.row > u.bottom {
			u.forget()
			break
		}
		lines := max(a, 1)
		if final == 'L' {
			lines = -lines
		}
		u.scroll(u.row, lines)
		u.col = 0
	case 'c', 'n', 't': // questions
	default:
		u.forget()
	}
}

// mode is for a sequence with a mark before its numbers.
func (u *unchangedRows) mode(token string) {
	switch token {
	case ansi.SetModeAltScreenSaveCursor:
		u.begin()
		u.forget()
	case ansi.ResetModeAltScreenSaveCursor:
		u.height = 0
	case ansi.SetModeUnicodeCore, ansi.ResetModeUnicodeCore: // characters have other widths
		u.forget()
	}
}

// scroll notes that the rows from one on, to the last that scrolls, moved up by lines, or
// down if that is negative.
func (u *unchangedRows) scroll(from, lines int) {
	rows := u.rows[from : u.bottom+1]
	switch n := min(max(lines, -lines), len(rows)); {
	case lines > 0:
		clear(rows[copy(rows, rows[n:]):])
	default:
		copy(rows[n:], rows)
		clear(rows[:n])
	}
}

// writeRow writes a row from its start: that it is cleared, and what then stands in it.
// It returns how much of p that was.
func (u *unchangedRows) writeRow(p []byte) int {
	n := rowLength(p)
	key := u.rowKey(p[:n])
	u.settle()
	u.out = append(u.out, p[:n]...)
	u.styles(p[:n])
	u.penSet, u.linkSet = u.pen, u.link
	u.rows[u.row], u.col = key, unknown
	return n
}

// skips reports whether p begins with a row, written from its start, that is on the
// screen, and it is known where the cursor is then.
func (u *unchangedRows) skips(p []byte) bool {
	if u.col != 0 || u.row == unknown || u.rows[u.row] == "" || !bytes.HasPrefix(p, []byte(ansi.EraseLineRight)) {
		return false
	}
	n := rowLength(p)
	rest := bytes.TrimPrefix(p[n:], []byte(ansi.SetModeAutoWrap))
	next := tokenLength(rest)
	return next > 0 && (rest[0] == '\r' || bytes.HasPrefix(rest, []byte("\x1b[")) && (rest[next-1] == 'G' || rest[next-1] == 'H')) &&
		len(u.pen) < longestPen && u.rows[u.row] == u.rowKey(p[:n])
}

// skip leaves the row out that p begins with, and returns how long it is.
func (u *unchangedRows) skip(p []byte) int {
	n := rowLength(p)
	u.styles(p[:n])
	u.col, u.skipped = unknown, true
	return n
}

// rowKey is what a row is kept as, so that the same looks the same.
func (u *unchangedRows) rowKey(row []byte) string {
	return u.wrap + u.pen + u.link + string(row)
}

// styles notes the colours and links of a row.
func (u *unchangedRows) styles(row []byte) {
	for len(row) > 0 {
		n := tokenLength(row)
		switch {
		case row[0] != ansi.ESC:
		case row[1] == ']':
			u.escape(row[:n])
		case row[n-1] == 'm':
			u.control(row, n)
		}
		row = row[n:]
	}
}

// write writes what does more than to move the cursor.
func (u *unchangedRows) write(token []byte) {
	u.settle()
	u.out = append(u.out, token...)
}

// settle has the terminal's cursor, colours and wrapping be what the renderer takes them for.
func (u *unchangedRows) settle() {
	if u.wrap != u.wrapSet {
		u.out = append(u.out, u.wrap...)
		u.wrapSet = u.wrap
	}
	switch {
	case u.skipped:
		u.out = append(u.out, ansi.CursorPosition(u.col+1, u.row+1)...)
	default:
		u.out = append(u.out, u.moves...)
	}
	u.moves, u.skipped = u.moves[:0], false
	if u.pen != u.penSet {
		more, added := strings.CutPrefix(u.pen, u.penSet)
		if !added {
			more = ansi.ResetStyle + u.pen
		}
		u.out = append(u.out, more...)
		u.penSet = u.pen
	}
	if u.link != u.linkSet {
		if u.link == "" {
			u.out = append(u.out, ansi.ResetHyperlink()...)
		}
		u.out = append(u.out, u.link...)
		u.linkSet = u.link
	}
}
