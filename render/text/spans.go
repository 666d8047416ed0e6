package text

import (
	"strings"
	"unicode/utf8"

	"parley/theme"
)

// Span is a piece of text with one role: safe to write, without line ends.
type Span struct {
	Text  string
	Token theme.Token
}

// DrawSpans joins a line of spans in the styles of th.
func DrawSpans(line []Span, th *theme.Theme) string {
	if len(line) == 1 {
		return th.Render(line[0].Token, line[0].Text)
	}
	var b strings.Builder
	for _, s := range line {
		b.WriteString(th.Render(s.Token, s.Text))
	}
	return b.String()
}

// HardWrapSpans breaks a line of spans into lines of at most width cells, those
// after the first narrower by hang, and keeps all characters. Tabs are expanded.
// An empty line stays one line. With a hang, a line ends after the last blank of its
// last third, if there is one, so that a name is seldom broken.
func HardWrapSpans(line []Span, width, hang int) [][]Span {
	width = max(width, 1)
	var (
		rows [][]Span
		row  []Span
		col  int

		size, cut, cutCol int // bytes of row; those up to the last blank, and its column
	)
	for _, s := range JoinClusters(line) {
		text := ExpandTabsAt(s.Text, col)
		text = fitClusters(text, width)
		start := 0
		for i := 0; i < len(text); {
			n, w := unit(text[i:], width)
			for col > 0 && col+w > width {
				if i > start {
					row = append(row, Span{text[start:i], s.Token})
				}
				var rest []Span
				if hang == 0 || 3*cutCol < 2*width {
					cut, cutCol = size, col
				}
				row, rest = splitSpans(row, cut)
				if rows, row = append(rows, row), rest; len(rows) == 1 {
					width = max(width-hang, 1)
				}
				start, col, size = i, col-cutCol, size-cut
				cut, cutCol = 0, 0
			}
			col += w
			i += n
			if size += n; text[i-n] == ' ' && n == 1 {
				cut, cutCol = size, col
			}
		}
		if start < len(text) {
			row = append(row, Span{text[start:], s.Token})
		}
	}
	return append(rows, row)
}

// splitSpans cuts a row of spans after so many bytes.
func splitSpans(row []Span, at int) (head, rest []Span) {
	for i, s := range row {
		if at < len(s.Text) {
			rest = append([]Span{{s.Text[at:], s.Token}}, row[i+1:]...)
			if row = row[:i:i]; at > 0 {
				row = append(row, Span{s.Text[:at], s.Token})
			}
			return row, rest
		}
		at -= len(s.Text)
	}
	return row, nil
}

// JoinClusters gives a cluster that goes over from one span to the next, which
// a terminal would draw as one, to the span where it begins.
func JoinClusters(line []Span) []Span {
	var out []Span
	for _, s := range line {
		if len(out) > 0 && s.Text != "" && s.Text[0] >= utf8.RuneSelf {
			prev := &out[len(out)-1]
			last := lastCluster(prev.Text)
			if n, _ := Cluster(last + s.Text); last != "" && n > len(last) {
				prev.Text += s.Text[:n-len(last)]
				s.Text = s.Text[n-len(last):]
			}
		}
		if s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}

// lastCluster returns the last cluster of s. Of a very long text only the end
// is looked at.
func lastCluster(s string) string {
	s = s[max(0, len(s)-512):]
	for s != "" {
		n, _ := Cluster(s)
		if n == len(s) {
			break
		}
		s = s[n:]
	}
	return s
}

// SpansText is the text of spans.
func SpansText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// SpansWidth is the number of cells of spans.
func SpansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += Width(s.Text)
	}
	return n
}

// JoinSpans puts a dim dot between spans.
func JoinSpans(th *theme.Theme, spans []Span) []Span {
	var out []Span
	for _, s := range spans {
		if s.Text == "" {
			continue
		}
		if len(out) > 0 {
			out = append(out, Span{th.Dot(), theme.Dim})
		}
		out = append(out, s)
	}
	return out
}
