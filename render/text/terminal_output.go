package text

import (
	"strconv"
	"strings"

	"parley/theme"
)

// ToolOutput returns tool output as lines of spans. Colours become tokens, other
// escape sequences go. A carriage return takes the cursor back to the start of
// the line and a backspace one cell back, so that what follows overwrites as in a
// terminal; "erase line" erases. Everything else is as in Sanitize.
func ToolOutput(s string) [][]Span {
	var lines [][]Span
	var pen sgrPen
	for line := range strings.Lines(s) {
		spans := pen.line(strings.TrimSuffix(line, "\n"))
		if len(spans) == 0 && strings.HasSuffix(line, "\r") {
			break // the last line was not written on yet
		}
		lines = append(lines, spans)
	}
	return lines
}

// line returns the spans of a line and goes on with the style that is set at its
// end.
func (p *sgrPen) line(text string) []Span {
	if !strings.ContainsAny(text, "\x1b\r\b\u009b") {
		text = strings.TrimRight(ExpandTabsAt(strings.ReplaceAll(Sanitize(text), "\n", " "), 0), " ")
		if text == "" {
			return nil
		}
		if _, w := Cluster(text); w > 0 {
			return []Span{{text, p.token()}}
		}
	}
	var line screenLine
	line.write(text, p)
	return line.spans()
}

// cell is one cell of a line. The second cell of a wide cluster has no text.
type cell struct {
	text  string
	token theme.Token
}

type screenLine struct {
	cells []cell
	col   int
}

// write sends text without line feeds to the line.
func (l *screenLine) write(s string, pen *sgrPen) {
	for s != "" {
		i := strings.IndexAny(s, "\x1b\r\b\u009b")
		if i < 0 {
			i = len(s)
		}
		l.print(strings.ReplaceAll(Sanitize(s[:i]), "\n", " "), pen.token())
		if s = s[i:]; s == "" {
			return
		}
		end := 1
		switch s[0] {
		case '\r':
			l.col = 0
		case '\b':
			l.col = max(l.col-1, 0)
		default:
			end = sequenceEnd(s, 0)
			l.control(strings.TrimPrefix(strings.TrimPrefix(s[:end], "\x1b["), "\u009b"), pen)
		}
		s = s[end:]
	}
}

// control obeys the CSI sequences that change a line's look: colours, and the
// erasing that progress lines use. "Erase all" takes the cursor to the start,
// which it does in every program that uses it.
func (l *screenLine) control(seq string, pen *sgrPen) {
	switch {
	case strings.HasSuffix(seq, "m"):
		pen.apply(seq[:len(seq)-1])
	case seq == "K" || seq == "0K":
		l.cells = l.cells[:min(l.col, len(l.cells))]
	case seq == "2K":
		l.cells, l.col = l.cells[:0], 0
	}
}

// print puts text at the cursor.
func (l *screenLine) print(s string, tok theme.Token) {
	s = ExpandTabsAt(s, l.col)
	for s != "" {
		n, w := Cluster(s)
		text := s[:n]
		s = s[n:]
		if w == 0 && l.col > 0 {
			l.cells[l.col-1].text += text
			continue
		}
		if w == 0 { // a mark without a character gets a blank
			text, w = " "+text, 1
		}
		l.put(l.col, cell{text, tok})
		for k := 1; k < w; k++ {
			l.put(l.col+k, cell{"", tok})
		}
		l.col += w
	}
}

// put sets one cell. What is left of a wide cluster that loses its other half
// becomes a blank.
func (l *screenLine) put(i int, c cell) {
	if i == len(l.cells) {
		l.cells = append(l.cells, c)
		return
	}
	if l.cells[i].text == "" && c.text != "" && i > 0 {
		l.cells[i-1].text = " "
	}
	l.cells[i] = c
	if i+1 < len(l.cells) && l.cells[i+1].text == "" {
		l.cells[i+1].text = " "
	}
}

// spans joins neighbours of the same role and leaves out blanks at the end.
func (l *screenLine) spans() []Span {
	n := len(l.cells)
	for n > 0 && l.cells[n-1].text == " " {
		n--
	}
	var (
		out []Span
		b   strings.Builder
	)
	for i, c := range l.cells[:n] {
		b.WriteString(c.text)
		if i+1 == n || l.cells[i+1].token != c.token {
			out = append(out, Span{b.String(), c.token})
			b.Reset()
		}
	}
	return out
}

// sgrPen is the part of SGR that has a role here. Backgrounds, blinking and
// hiding have none: the text must be readable whatever it asks for.
type sgrPen struct {
	bold, dim, italic bool
	colour            theme.Token // 0 (Text) is none
}

func (p sgrPen) token() theme.Token {
	switch {
	case p.colour != 0:
		return p.colour
	case p.bold:
		return theme.StrongText
	case p.dim:
		return theme.Dim
	case p.italic:
		return theme.Emphasis
	}
	return theme.Output
}

// basic are the roles of the eight colours of ECMA-48; black and white are the
// terminal's own ground and text and say nothing.
var basic = [8]theme.Token{
	0, theme.Error, theme.Success, theme.Warning, theme.SyntaxName, theme.SyntaxKeyword, theme.SyntaxType, 0,
}

// apply follows the parameters of one SGR sequence (ECMA-48 8.3.117; extended
// colours as in ISO 8613-6, with colons or semicolons).
func (p *sgrPen) apply(params string) {
	if strings.Trim(params, "0123456789;:") != "" {
		return // a private sequence that ends in m
	}
	fields := strings.Split(params, ";")
	for i := 0; i < len(fields); i++ {
		code, args, colons := strings.Cut(fields[i], ":")
		n, _ := strconv.Atoi(code)
		if n != 38 && n != 48 && n != 58 {
			p.set(n)
			continue
		}
		list := strings.Split(args, ":")
		if !colons {
			list = fields[i+1:]
			switch {
			case len(list) > 1 && list[0] == "5":
				list = list[:2]
			case len(list) > 3 && list[0] == "2":
				list = list[:4]
			}
			i += len(list)
		}
		if n == 38 {
			p.colour = extended(list)
		}
	}
}

func (p *sgrPen) set(n int) {
	switch {
	case n == 0:
		*p = sgrPen{}
	case n == 1:
		p.bold = true
	case n == 2:
		p.dim = true
	case n == 3:
		p.italic = true
	case n == 22:
		p.bold, p.dim = false, false
	case n == 23:
		p.italic = false
	case n >= 30 && n <= 37:
		p.colour = basic[n-30]
	case n == 39:
		p.colour = 0
	case n == 90:
		p.colour = theme.Dim
	case n >= 91 && n <= 97:
		p.colour = basic[n-90]
	}
}

// extended finds the role of a colour of the 256 or of 24 bits, given as the
// arguments of SGR 38.
func extended(args []string) theme.Token {
	var v []int
	for _, a := range args {
		n, _ := strconv.Atoi(a)
		v = append(v, min(max(n, 0), 255))
	}
	switch {
	case len(v) >= 2 && v[0] == 5:
		switch n := v[1]; {
		case n == 8:
			return theme.Dim
		case n < 16:
			return basic[n%8]
		case n >= 232:
			return hue((n-232)*10+8, (n-232)*10+8, (n-232)*10+8)
		default:
			n -= 16
			return hue(n/36*51, n/6%6*51, n%6*51)
		}
	case len(v) >= 4 && v[0] == 2:
		v = v[len(v)-3:]
		return hue(v[0], v[1], v[2])
	}
	return 0
}

// hue returns the role of the basic colour nearest to one of 24 bits. Greys
// have none, but dark ones are dim.
func hue(r, g, b int) theme.Token {
	high, low := max(r, g, b), min(r, g, b)
	if high-low < 40 {
		if high > 40 && high < 150 {
			return theme.Dim
		}
		return 0
	}
	mid := (high + low) / 2
	n := 0
	for i, v := range [3]int{r, g, b} {
		if v > mid {
			n |= 1 << i
		}
	}
	return basic[n]
}

// OutputText is the output of a tool as a terminal would leave it, without its
// colours.
func OutputText(out string) string {
	var b strings.Builder
	for _, line := range ToolOutput(out) {
		b.WriteString(SpansText(line) + "\n")
	}
	return b.String()
}
