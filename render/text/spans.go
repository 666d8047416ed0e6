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
// An empty line stays one line.
func HardWrapSpans(line []Span, width, hang int) [][]Span {
	width = max(width, 1)
	var (
		rows [][]Span
		row  []Span
		col  int
	)
	for _, s := range JoinClusters(line) {
		text := ExpandTabsAt(s.Text, col)
		text = fitClusters(text, width)
		start := 0
		for i := 0; i < len(text); {
			n, w := unit(text[i:], width)
			if col+w > width {
				if i > start {
					row = append(row, Span{text[start:i], s.Token})
				}
				if rows, row = append(rows, row), nil; len(rows) == 1 {
					width = max(width-hang, 1)
				}
				start, col = i, 0
			}
			col += w
			i += n
		}
		if start < len(text) {
			row = append(row, Span{text[start:], s.Token})
		}
	}
	return append(rows, row)
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
			out = append(out, Span{" " + th.Glyph(theme.MarkDot) + " ", theme.Dim})
		}
		out = append(out, s)
	}
	return out
}
