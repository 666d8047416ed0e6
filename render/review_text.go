package render

import (
	"slices"
	"strings"

	"parley/theme"
)

// titleIndent is where the rows begin that are no lines.
func (r *Review) titleIndent() int {
	if r.inline {
		return nested(Options{Width: r.o.Width})
	}
	return r.sides.indent
}

// textHeight is the number of rows of a band that is no line, and whether
// something of it is cut.
func (r *Review) textHeight(b band) (n int, cut bool) {
	width := max(1, r.o.Width-r.titleIndent())
	n = 0
	for _, spans := range r.titles(b) {
		switch beyond := spansWidth(spans) - width; {
		case beyond <= 0:
			n++
		case r.o.Wrap:
			n += len(HardSpans(spans, width))
		default:
			n, cut = n+1, true
		}
	}
	return n, cut
}

// textRows draws a band that is no line.
func (r *Review) textRows(b band) []string {
	indent := r.titleIndent()
	width := max(1, r.o.Width-indent)
	var out []string
	for _, spans := range r.titles(b) {
		rows := [][]Span{spans}
		if r.o.Wrap {
			rows = HardSpans(spans, width)
		}
		for _, row := range rows {
			if len(row) == 0 {
				out = append(out, "")
				continue
			}
			o := Options{Width: r.o.Width, Theme: r.o.Theme}
			out = append(out, spaces(indent)+cut(o, DrawSpans(row, r.o.Theme), width))
		}
	}
	return out
}

// titles are the lines of a band that is no line of a file, each as one row
// if it fits.
func (r *Review) titles(b band) [][]Span {
	th := r.o.Theme
	switch b.kind {
	case bandFile:
		return r.fileTitles(int(b.at))
	case bandHunk:
		h := r.d.hunks[b.at]
		text := th.Glyph(theme.MarkFolded)
		if between := text + " " + Count(h.skipped, "line"); h.skipped > 0 && Width(between) <= r.o.Width-r.titleIndent() {
			text = between
		}
		if h.section == "" {
			return [][]Span{{{text, theme.Hunk}}}
		}
		if h.skipped > 0 {
			text += " " + th.Glyph(theme.MarkDot)
		}
		return [][]Span{{{text + " ", theme.Hunk}, {r.title(h.section), theme.Hunk}}}
	case bandGap:
		return [][]Span{{{th.Glyph(theme.MarkFolded), theme.Hunk}}}
	case bandComment:
		return r.commentLines(int(b.at))
	case bandLine:
	}
	return nil
}

// title is raw text as one safe line.
func (r *Review) title(s string) string { return ExpandTabs(r.safe(s)) }

// fileTitles are the name of a file, what becomes of it, and its notes.
func (r *Review) fileTitles(file int) [][]Span {
	th, f := r.o.Theme, r.d.files[file]
	var out [][]Span
	if file > 0 {
		out = append(out, nil)
	}
	var name []Span
	if f.old != "" {
		name = append(name, Span{r.title(f.old), theme.Dim}, Span{" " + th.Glyph(theme.MarkArrow) + " ", theme.Dim})
	}
	name = append(name, Span{r.title(f.name), theme.Strong})
	facts := []Span{{f.fate, theme.Dim}}
	if f.added+f.removed > 0 {
		facts = append(facts, Span{counts(f.added, f.removed, th), theme.Dim})
	}
	if facts = joined(th, facts); len(facts) > 0 {
		name = append(append(name, Span{"  ", theme.Text}), facts...)
	}
	out = append(out, name)
	for _, note := range f.notes {
		out = append(out, []Span{{r.title(note), theme.Dim}})
	}
	return out
}

// commentLines are a comment behind a bar, on the side of its line and under
// its text.
func (r *Review) commentLines(line int) [][]Span {
	side := 0
	if r.o.Split && r.d.lines[line].op == diffAdd {
		side = 1
	}
	th := r.o.Theme
	before := []Span{{spaces(r.sides.gutter[0] - r.titleIndent()), theme.Text}}
	if side == 1 {
		before = []Span{
			{spaces(r.sides.start[1] - 1 - r.titleIndent()), theme.Text},
			{th.Glyph(theme.MarkQuote), theme.Rule},
			{spaces(r.sides.gutter[1]), theme.Text},
		}
	}
	before = append(before, Span{th.Glyph(theme.MarkQuote) + " ", theme.Accent})
	width := r.sides.text[side]
	var out [][]Span
	for _, text := range Wrap(strings.ReplaceAll(Sanitize(r.comments[line]), "\t", " "), width) {
		row := append(slices.Clone(before), Span{text, theme.Emphasis})
		if r.o.Split && side == 0 {
			row = append(row, Span{spaces(width - Width(text)), theme.Text}, Span{th.Glyph(theme.MarkQuote), theme.Rule})
		}
		out = append(out, row)
	}
	return out
}
