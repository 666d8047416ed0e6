package render

import (
	"slices"

	"parley/render/text"
	"parley/theme"
)

// The right edge: facts end where a row ends them, a duration stands in its own
// column, and what does not fit beside the text goes under it or away.

// fact is a short text of the right edge that is never torn.
type fact []text.Span

// dim is a fact in the usual weight.
func dim(text string) fact { return fact{{Text: text, Token: theme.Dim}} }

// dimKnown is a fact in the usual weight; none for "".
func dimKnown(text string) []fact {
	if text == "" {
		return nil
	}
	return []fact{dim(text)}
}

// joinFacts puts a dim dot between facts.
func joinFacts(o Options, facts []fact) []text.Span {
	var out []text.Span
	for _, f := range facts {
		if len(out) > 0 {
			out = append(out, text.Span{Text: o.Theme.Dot(), Token: theme.Dim})
		}
		out = append(out, f...)
	}
	return out
}

func factsWidth(o Options, facts []fact) int { return text.SpansWidth(joinFacts(o, facts)) }

// layoutRow draws words at the left of a line, behind first, which is indent cells
// wide, and facts and a duration at its right edge. The words and the facts that do
// not fit stand under them; where only one line is wanted (Line), they are left out.
func layoutRow(o Options, first string, indent int, words, facts []fact, took string) []string {
	if o.Width < text.NarrowBelow {
		return layoutNarrowRow(o, first, indent, words, facts, took)
	}
	said := joinFacts(o, words)
	left := indent + text.SpansWidth(said)
	if o.Fold != Line && len(words) > 1 && left+2+tookCells > o.Width {
		n := min(len(words)-1, max(1, len(factsThatFit(o, words, o.Width-indent))))
		line := first + text.DrawSpans(joinFacts(o, words[:n]), o.Theme)
		return append([]string{line}, layoutRow(o, text.Spaces(indent), indent, words[n:], facts, took)...)
	}
	line, column := first+text.DrawSpans(said, o.Theme), tookCells
	kept := factsThatFit(o, facts, o.Width-left-2-column)
	if short := text.Width(took) + 2; len(kept) < len(facts) && took != "" {
		if all := factsThatFit(o, facts, o.Width-left-2-short); len(all) == len(facts) {
			kept, column = all, short
		}
	}
	if len(kept) == len(facts) || o.Fold == Line {
		return []string{alignRight(o, line, left, kept, took, column)}
	}
	out := []string{alignRight(o, line, left, kept, took, column)}
	for facts = facts[len(kept):]; len(facts) > 0; {
		n := max(1, len(factsThatFit(o, facts, o.Width-text.Nested(o.Width)-tookCells)))
		out = append(out, alignRight(o, "", 0, facts[:n], "", tookCells))
		facts = facts[n:]
	}
	return out
}

// layoutNarrowRow is layoutRow if there is no room for columns.
func layoutNarrowRow(o Options, first string, indent int, words, facts []fact, took string) []string {
	facts = append(slices.Clone(facts), dimKnown(took)...)
	said := joinFacts(o, words)
	left := indent + text.SpansWidth(said)
	kept := factsThatFit(o, facts, o.Width-left-2)
	if len(kept) == len(facts) || o.Fold == Line {
		return []string{alignRight(o, first+text.DrawSpans(said, o.Theme), left, kept, "", 0)}
	}
	lines := text.HangingIndent(first, wrapFacts(o, words, o.Width-indent), indent)
	return append(lines, text.HangingIndent(text.Spaces(text.Nested(o.Width)), wrapFacts(o, facts, o.Width-text.Nested(o.Width)),
		text.Nested(o.Width))...)
}

// alignRight puts facts at the right edge of a line that is left cells wide, and a
// duration into a column of its own behind them. There must be room for them.
func alignRight(o Options, line string, left int, facts []fact, took string, column int) string {
	if len(facts) == 0 && took == "" {
		return line
	}
	right := joinFacts(o, facts)
	line += text.Spaces(o.Width-left-column-text.SpansWidth(right)) + text.DrawSpans(right, o.Theme)
	if took != "" {
		line += text.Spaces(column-text.Width(took)) + o.Theme.Render(theme.Dim, took)
	}
	return line
}

// factsThatFit is as many of the first facts as fit into width.
func factsThatFit(o Options, facts []fact, width int) []fact {
	for len(facts) > 0 && factsWidth(o, facts) > width {
		facts = facts[:len(facts)-1]
	}
	return facts
}

// wrapFacts draws facts on as many lines as they need.
func wrapFacts(o Options, facts []fact, width int) []string {
	var lines []string
	for len(facts) > 0 {
		n := max(1, len(factsThatFit(o, facts, width)))
		lines = append(lines, text.Cut(o.Theme, text.DrawSpans(joinFacts(o, facts[:n]), o.Theme), max(1, width)))
		facts = facts[n:]
	}
	return lines
}

// labelledText draws a short text behind a word for it, under the line they belong
// to.
func labelledText(o Options, label, s string) []string {
	return labelColumn(o, label, text.WrapStyled(o.Theme, theme.Dim, s, labelRoom(o)))
}

// labelColumn puts a word before the first of lines and hangs them under the line
// they belong to.
func labelColumn(o Options, label string, lines []string) []string {
	first := text.Nested(o.Width)
	if o.Width < text.TinyBelow {
		if label != "" {
			lines = append([]string{o.Theme.Render(theme.Dim, text.Cut(o.Theme, label, o.Width-first))}, lines...)
		}
		return text.HangingIndent(text.Spaces(first), lines, first)
	}
	head := text.Spaces(first) + o.Theme.Render(theme.Dim, label) + text.Spaces(verbCells-text.Width(label))
	return text.HangingIndent(head, lines, first+verbCells)
}

// labelRoom is the width of lines behind a word.
func labelRoom(o Options) int {
	if o.Width < text.TinyBelow {
		return max(1, o.Width-text.Nested(o.Width))
	}
	return o.Width - text.Nested(o.Width) - verbCells
}

// foldMark ends a line of at most width cells in the mark for what is folded
// away.
func foldMark(o Options, line string, width int) string {
	line = text.Truncate(line, max(0, width-foldMarkCells(o)), "")
	return line + o.Theme.Render(theme.Dim, "  "+o.Theme.Glyph(theme.MarkFolded))
}

// foldMarkCells is the width of the mark and the space before it.
func foldMarkCells(o Options) int { return 2 + text.Width(o.Theme.Glyph(theme.MarkFolded)) }

// oneWrapped is text wrapped to width, or only its first line, marked, where only
// one line is wanted (Line).
func oneWrapped(o Options, tok theme.Token, s string, width int) []string {
	if o.Fold != Line {
		return text.WrapStyled(o.Theme, tok, s, width)
	}
	lines := text.WrapStyled(o.Theme, tok, s, width-foldMarkCells(o))
	if len(lines) > 1 {
		lines = []string{foldMark(o, lines[0], width)}
	}
	return lines
}
