package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// output is the text of a call as it is shown without its change.
func (d *toolDoc) output(e *timeline.Entry, c *timeline.ToolCall, f family) string {
	if !e.State.Final() {
		return c.Output.String()
	}
	result := c.Shown()
	if d.change != "" {
		result = c.Result
	}
	if result == d.result {
		return d.shown
	}
	d.result, d.shown = result, result
	switch f.fold {
	case foldTail:
		d.shown = trimShell(result)
	case foldHead:
		d.shown = readable(result)
	case foldAway, foldDiff:
	}
	return d.shown
}

// around is what is shown with the change of a call, of its output: what the result
// says around it. That it was made is not worth saying.
func (d *toolDoc) around(c *timeline.ToolCall, out string) string {
	switch {
	case d.change != "":
		return d.rest
	case c.Detail == "":
		return ""
	}
	return out
}

// trimShell takes the runtime's own words off a shell's output: a last line
// such as "<shellId: 3 completed with exit code 0>", the brackets of a notice.
func trimShell(s string) string {
	s = strings.TrimRight(s, "\r\n ")
	const most = 400
	open := strings.LastIndexByte(s, '<')
	if open < 0 || len(s)-open > most || !strings.HasSuffix(s, ">") || strings.Contains(s[open:], "\n") {
		return s
	}
	switch note := s[open+1 : len(s)-1]; {
	case strings.Contains(note, "with exit code "):
		return strings.TrimRight(s[:open], "\r\n")
	case open == 0:
		return note
	}
	return s
}

// outputStoredElsewhere begins what the runtime puts in the place of an output that is too
// large: where that is, and how it begins, so that its end says nothing (Copilot
// CLI, results of commands).
const outputStoredElsewhere = "Output too large to read at once"

func (d *toolDoc) body(e *timeline.Entry, c *timeline.ToolCall, f family, out string, expanded bool, lines int) part {
	p := part{kind: partOutput, units: 1, stamp: at(e.Version), source: func(int) string {
		return shownText(text.LastLines(out, failedLines))
	}}
	switch {
	case lines == 0:
		return part{}
	case expanded:
		out = out[:len(out)-text.LineEnds(out)]
		p.units, p.text = text.Chunks(out), out
		p.tail = e.Failure() || f.fold == foldTail && !strings.HasPrefix(out, outputStoredElsewhere)
		p.draw = func(i int, o Options) []string { return drawOutput(text.Chunk(out, i), o) }
		p.source = func(i int) string { return shownText(text.ChunkWithEnd(out, i)) }
		if !e.State.Final() || f.fold == foldTail && c.Output.Len() > 0 {
			p.stamp = func(i int) uint64 { return uint64(c.Replaced)<<32 | uint64(len(text.Chunk(out, i))) }
		}
	case e.Failure():
		p.draw = func(_ int, o Options) []string { return drawTail(out, lines, failedLines, o) }
	case !e.State.Final(), f.fold == foldTail && !strings.HasPrefix(out, outputStoredElsewhere):
		p.draw = func(_ int, o Options) []string { return drawTail(out, lines, liveLines, o) }
	case f.fold == foldTail, f.fold == foldHead, c.Detail != "" && f.fold == foldDiff:
		p.draw = func(_ int, o Options) []string { return drawHead(out, lines, o) }
		p.source = func(int) string { return shownText(text.FirstLines(out, headLines)) }
	default:
		return part{}
	}
	return p
}

// shownText is output as the text that it shows, with its tabs.
func shownText(s string) string {
	if !strings.ContainsAny(s, "\x1b\r\b\u009b") {
		return text.Sanitize(s)
	}
	text := text.OutputText(s)
	if !strings.HasSuffix(s, "\n") {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

func drawOutput(s string, o Options) []string {
	indent := text.Nested(o.Width)
	var out []string
	for _, line := range text.ToolOutput(s) {
		for _, row := range text.HardWrapSpans(line, o.Width-indent, 0) {
			out = append(out, indented(row, indent, o))
		}
	}
	return out
}

// drawTail draws the last most lines of output, each cut to the width, and how
// many came before.
func drawTail(s string, lines, most int, o Options) []string {
	shown := text.ToolOutput(text.LastLines(s, most))
	shown = shown[max(0, len(shown)-most):]
	var out []string
	if rest := lines - len(shown); rest > 0 {
		out = append(out, text.FoldedLines(o.Theme, o.Width, rest, text.Nested(o.Width), "earlier"))
	}
	return append(out, drawCut(shown, o)...)
}

// drawHead draws the first lines of a result, and how many follow.
func drawHead(s string, lines int, o Options) []string {
	shown := text.ToolOutput(text.FirstLines(s, headLines))
	for len(shown) > 0 && len(shown[len(shown)-1]) == 0 {
		shown = shown[:len(shown)-1]
	}
	out := drawCut(shown, o)
	if rest := lines - len(shown); rest > 0 {
		out = append(out, text.FoldedLines(o.Theme, o.Width, rest, text.Nested(o.Width), "more"))
	}
	return out
}

func drawCut(lines [][]text.Span, o Options) []string {
	indent := text.Nested(o.Width)
	var out []string
	for _, line := range lines {
		for i := range line {
			line[i].Text = text.ExpandTabs(line[i].Text)
		}
		out = append(out, text.Cut(o.Theme, indented(line, indent, o), o.Width))
	}
	return out
}

func indented(line []text.Span, indent int, o Options) string {
	if len(line) == 0 {
		return ""
	}
	return text.Spaces(indent) + text.DrawSpans(line, o.Theme)
}

// wrappedHard is wrapped for text whose blanks count.
func wrappedHard(o Options, tok theme.Token, s string, width int) []string {
	lines := text.HardWrap(s, max(1, width))
	for i, l := range lines {
		lines[i] = o.Theme.Render(tok, strings.TrimRight(l, " "))
	}
	return lines
}
