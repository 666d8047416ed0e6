package diff

import (
	"slices"
	"strings"

	"parley/render/patch"
	"parley/render/text"
	"parley/theme"
)

// titleIndent is where the rows begin that are no lines.
func (r *View) titleIndent() int {
	if r.inline {
		return text.Nested(r.o.Width)
	}
	return r.sides.indent
}

// titleRows are the rows of a band that is no line, and whether something of it
// is cut when it is drawn.
func (r *View) titleRows(b rowSpan) (rows [][]text.Span, cut bool) {
	width := max(1, r.o.Width-r.titleIndent())
	for _, spans := range r.titles(b) {
		over := text.SpansWidth(spans) > width
		if over && r.o.Wrap {
			rows = append(rows, text.HardWrapSpans(spans, width, 0)...)
			continue
		}
		rows, cut = append(rows, spans), cut || over
	}
	return rows, cut
}

// drawTitles draws a band that is no line.
func (r *View) drawTitles(b rowSpan) []string {
	rows, _ := r.titleRows(b)
	out := make([]string, len(rows))
	for i, row := range rows {
		if indent := r.titleIndent(); len(row) > 0 {
			out[i] = text.Spaces(indent) + text.Cut(r.o.Theme, text.DrawSpans(row, r.o.Theme), max(1, r.o.Width-indent))
		}
	}
	return out
}

// titles are the lines of a band that is no line of a file, each as one row
// if it fits.
func (r *View) titles(b rowSpan) [][]text.Span {
	th := r.o.Theme
	switch b.kind {
	case bandFile:
		return r.fileTitles(int(b.at))
	case bandHunk:
		h := r.d.Hunks[b.at]
		s := th.Glyph(theme.MarkFolded)
		if between := s + " " + text.Count(h.Skipped, "line"); h.Skipped > 0 && text.Width(between) <= r.o.Width-r.titleIndent() {
			s = between
		}
		if h.Section == "" {
			return [][]text.Span{{{Text: s, Token: theme.Hunk}}}
		}
		if h.Skipped > 0 {
			s += " " + th.Glyph(theme.MarkDot)
		}
		return [][]text.Span{{{Text: s + " ", Token: theme.Hunk}, {Text: r.title(h.Section), Token: theme.Hunk}}}
	case bandGap:
		return [][]text.Span{{{Text: th.Glyph(theme.MarkFolded), Token: theme.Hunk}}}
	case bandComment:
		return r.commentLines(int(b.at))
	case bandLine:
	}
	return nil
}

// title is raw text as one safe line.
func (r *View) title(s string) string { return text.ExpandTabs(r.safe(s)) }

// fileTitles are the name of a file, what becomes of it, and its notes.
func (r *View) fileTitles(file int) [][]text.Span {
	th, f := r.o.Theme, r.d.Files[file]
	var out [][]text.Span
	if file > 0 {
		out = append(out, nil)
	}
	var name []text.Span
	if f.Old != "" {
		name = append(
			name,
			text.Span{Text: r.title(f.Old), Token: theme.Dim},
			text.Span{Text: " " + th.Glyph(theme.MarkArrow) + " ", Token: theme.Dim},
		)
	}
	name = append(name, text.Span{Text: r.title(f.Name), Token: theme.Strong})
	facts := []text.Span{{Text: f.Fate, Token: theme.Dim}}
	if f.Added+f.Removed > 0 {
		facts = append(facts, text.Span{Text: counts(f.Added, f.Removed, th), Token: theme.Dim})
	}
	if facts = text.JoinSpans(th, facts); len(facts) > 0 {
		name = append(append(name, text.Span{Text: "  ", Token: theme.Text}), facts...)
	}
	out = append(out, name)
	for _, note := range f.Notes {
		out = append(out, []text.Span{{Text: r.title(note), Token: theme.Dim}})
	}
	return out
}

// commentLines are a comment behind a bar, on the side of its line and under
// its text.
func (r *View) commentLines(line int) [][]text.Span {
	side := 0
	if r.o.Split && r.d.Lines[line].Op == patch.Add {
		side = 1
	}
	th := r.o.Theme
	before := []text.Span{{Text: text.Spaces(r.sides.gutter[0] - r.titleIndent()), Token: theme.Text}}
	if side == 1 {
		before = []text.Span{
			{Text: text.Spaces(r.sides.start[1] - 1 - r.titleIndent()), Token: theme.Text},
			{Text: th.Glyph(theme.MarkQuote), Token: theme.Rule},
			{Text: text.Spaces(r.sides.gutter[1]), Token: theme.Text},
		}
	}
	before = append(before, text.Span{Text: th.Glyph(theme.MarkQuote) + " ", Token: theme.Accent})
	width := r.sides.text[side]
	var out [][]text.Span
	for _, s := range text.Wrap(strings.ReplaceAll(text.Sanitize(r.comments[line]), "\t", " "), width) {
		row := append(slices.Clone(before), text.Span{Text: s, Token: theme.Emphasis})
		if r.o.Split && side == 0 {
			row = append(
				row,
				text.Span{Text: text.Spaces(width - text.Width(s)), Token: theme.Text},
				text.Span{Text: th.Glyph(theme.MarkQuote), Token: theme.Rule},
			)
		}
		out = append(out, row)
	}
	return out
}
