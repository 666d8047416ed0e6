package text

import (
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

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

// line returns the spans of a line and continues with the style that is set at its
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

// sgrPen is the style that SGR has set. Backgrounds, blinking and hiding have no
// role here: the text must be readable whatever it asks for.
type sgrPen struct{ style uv.Style }

func (p *sgrPen) token() theme.Token {
	if colour := colourToken(p.style.Fg); colour != 0 {
		return colour
	}
	switch attrs := p.style.Attrs; {
	case attrs&uv.AttrBold != 0:
		return theme.StrongText
	case attrs&uv.AttrFaint != 0:
		return theme.Dim
	case attrs&uv.AttrItalic != 0:
		return theme.Emphasis
	}
	return theme.Output
}

// basic are the roles of the eight colours of ECMA-48; black and white are the
// terminal's own ground and text and say nothing.
var basic = [8]theme.Token{
	0, theme.Error, theme.Success, theme.Warning, theme.SyntaxName, theme.SyntaxKeyword, theme.SyntaxType, 0,
}

// apply follows the parameters of one SGR sequence.
func (p *sgrPen) apply(params string) {
	if strings.Trim(params, "0123456789;:") != "" {
		return // a private sequence that ends in m
	}
	parser := ansi.GetParser()
	defer ansi.PutParser(parser)
	ansi.DecodeSequence("\x1b["+params+"m", ansi.NormalState, parser)
	uv.ReadStyle(parser.Params(), &p.style)
}

// colourToken returns the role of a colour; 0 if it has none.
func colourToken(c color.Color) theme.Token {
	n := 16
	switch c := c.(type) {
	case nil:
		return 0
	case ansi.BasicColor:
		n = int(c)
	case ansi.IndexedColor:
		n = int(c)
	}
	switch {
	case n == 8:
		return theme.Dim
	case n < 16:
		return basic[n%8]
	}
	r, g, b, _ := c.RGBA()
	return hue(int(r>>8), int(g>>8), int(b>>8))
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
