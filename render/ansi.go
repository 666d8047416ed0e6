package render

import (
	"strings"
	"unicode/utf8"

	"parley/theme"
)

// closed makes every line stand by itself: styles and links that are open at
// its start are opened there, those open at its end are closed there. Only SGR
// and links that safeURL accepts survive; whatever else a library may have put
// out is dropped. With trim, blanks at the end of a line go.
func closed(lines []string, trim bool) []string {
	var p penState
	for i, line := range lines {
		if !p.open() && strings.IndexByte(line, 0x1b) < 0 {
			if trim {
				lines[i] = strings.TrimRight(line, " ")
			}
			continue
		}
		lines[i] = p.line(line, trim)
	}
	return lines
}

// penState is what a terminal would carry from one line to the next.
type penState struct {
	sgr  string // the sequences since the last reset
	link string // the OSC 8 sequence that opened the current link
}

const (
	resetSGR  = "\x1b[m"
	closeLink = "\x1b]8;;\x1b\\"
)

func (p *penState) open() bool { return p.sgr != "" || p.link != "" }

// line rewrites one line so that it opens and closes its own styles.
func (p *penState) line(s string, trim bool) string {
	var b strings.Builder
	b.WriteString(p.link)
	b.WriteString(p.sgr)
	ink := 0             // length of b after the last thing to keep
	inkPen := penState{} // what was open there
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], 0x1b)
		if j < 0 {
			j = len(s) - i
		}
		if text := s[i : i+j]; text != "" {
			kept := text
			if trim {
				kept = strings.TrimRight(text, " ")
			}
			at := b.Len()
			b.WriteString(text)
			if kept != "" {
				ink, inkPen = at+len(kept), *p
			}
		}
		i += j
		if i == len(s) {
			break
		}
		end := escapeEnd(s, i)
		b.WriteString(p.take(s[i:end]))
		i = end
	}
	out := b.String()[:ink]
	if inkPen.sgr != "" {
		out += resetSGR
	}
	if inkPen.link != "" {
		out += closeLink
	}
	return out
}

// take applies one escape sequence and returns what of it may be written.
func (p *penState) take(seq string) string {
	switch {
	case isSGR(seq):
		if seq == resetSGR || seq == "\x1b[0m" {
			p.sgr = ""
			return resetSGR
		}
		p.sgr += seq
		return seq
	case strings.HasPrefix(seq, "\x1b]8;"):
		body := strings.TrimSuffix(strings.TrimSuffix(seq[len("\x1b]8;"):], "\x1b\\"), "\x07")
		_, url, _ := strings.Cut(body, ";")
		switch {
		case url == "" && p.link != "":
			p.link = ""
			return closeLink
		case !safeURL(url):
			return ""
		}
		p.link = "\x1b]8;;" + url + "\x1b\\"
		return p.link
	}
	return ""
}

func isSGR(seq string) bool {
	return strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") &&
		strings.Trim(seq[2:len(seq)-1], "0123456789;:") == ""
}

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

// HardSpans breaks a line of spans into lines of at most width cells and keeps
// all characters. Tabs are expanded. An empty line stays one line.
func HardSpans(line []Span, width int) [][]Span { return hardSpans(line, width, 0) }

// hardSpans is HardSpans with rows after the first that are narrower by hang.
func hardSpans(line []Span, width, hang int) [][]Span {
	width = max(width, 1)
	var (
		rows [][]Span
		row  []Span
		col  int
	)
	for _, s := range joinClusters(line) {
		text := expandTabsAt(s.Text, col)
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

// joinClusters gives a cluster that goes over from one span to the next, which
// a terminal would draw as one, to the span where it begins.
func joinClusters(line []Span) []Span {
	var out []Span
	for _, s := range line {
		if len(out) > 0 && s.Text != "" && s.Text[0] >= utf8.RuneSelf {
			prev := &out[len(out)-1]
			last := lastCluster(prev.Text)
			if n, _ := cluster(last + s.Text); last != "" && n > len(last) {
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
		n, _ := cluster(s)
		if n == len(s) {
			break
		}
		s = s[n:]
	}
	return s
}
