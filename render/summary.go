package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// summaryParts draw what a prompt led to: one line, and under it, when it is
// whole, the files and where the tokens went.
func summaryParts(e *timeline.Entry, s *timeline.Summary, fold Fold) []part {
	head := shortPart(e, s, never, drawSummary)
	head.source = nil // its row says more than one text does
	if fold != Whole {
		return []part{head}
	}
	return []part{
		head,
		listed(e, len(s.Files), func(i int, o Options) []string { return drawFile(o, s.Files[i]) }),
		{kind: partFoot, units: 1, stamp: at(e.Version), draw: func(_ int, o Options) []string { return drawUse(s, o) }},
	}
}

// listRun is how many lines of a list are drawn as one unit.
const listRun = 64

// listed is the part that draws n things one below the other.
func listed(e *timeline.Entry, n int, draw func(i int, o Options) []string) part {
	return part{
		kind: partText, units: (n + listRun - 1) / listRun, stamp: at(e.Version),
		draw: func(unit int, o Options) []string {
			var out []string
			for i := unit * listRun; i < min(n, (unit+1)*listRun); i++ {
				out = append(out, draw(i, o)...)
			}
			return out
		},
	}
}

// drawSummary draws what was done at the left, its numbers at the right edge.
func drawSummary(_ *timeline.Entry, s *timeline.Summary, o Options) []string {
	facts := append(changed(s.Added, s.Removed, o.Theme), usageFacts(s.Usage)...)
	return layoutRow(o, text.MarginMark(o.Theme, o.Width, theme.Dim, theme.MarkBoundary), text.Margin(o.Width),
		summaryWords(s), facts, elapsed(s.Took, false))
}

// drawUse draws where the tokens and the calls of a summary went, which are those of the
// agent itself: the tokens are also of its sub-agents.
func drawUse(s *timeline.Summary, o Options) []string {
	var out []string
	u := s.Usage
	for _, l := range []struct {
		label string
		facts []string
	}{
		{"tokens", []string{
			some(u.Input, "in"), some(u.CacheRead, "cached"), some(u.CacheWrite, "put into the cache"),
			some(u.Output, "out"), some(u.Reasoning, "thinking"),
		}},
		{"calls", []string{some(s.Calls, "of tools"), some(s.Turns, "of models")}},
		{"cost", costParts(u)},
	} {
		if text := strings.Join(text.NonEmpty(l.facts), o.Theme.Dot()); text != "" {
			out = append(out, labelledText(o, l.label, text)...)
		}
	}
	return out
}

// drawFile draws what was done to one file, under the line that sums it up.
func drawFile(o Options, f timeline.FileChange) []string {
	facts, left := changed(f.Added, f.Removed, o.Theme), text.Nested(o.Width)
	line := text.Spaces(left)
	if kind := text.Cut(o.Theme, text.SanitizeCompact(brief(f.Kind)), verbCells-1); kind != "" && o.Width >= text.TinyBelow {
		line += o.Theme.Render(theme.Dim, kind) + text.Spaces(verbCells-text.Width(kind))
		left += verbCells
	}
	column, right := 0, 0
	if len(facts) > 0 {
		right = factsWidth(o, facts) + 2
	}
	if o.Width >= text.NarrowBelow {
		column = tookCells
	}
	path := text.CutMiddle(o.Theme, text.SanitizeCompact(shortPath(brief(f.Path), o)), max(0, o.Width-left-right-column))
	return []string{alignRight(o, line+o.Theme.Render(theme.Dim, path), left+text.Width(path), facts, "", column)}
}

// summaryWords say what was done. Where nothing was, they say how often the
// model was asked.
func summaryWords(s *timeline.Summary) []fact {
	var out []fact
	for _, f := range []struct {
		n    int
		noun string
	}{{len(s.Files), "file"}, {s.Commands, "command"}, {s.Agents, "agent"}} {
		if f.n > 0 {
			out = append(out, dim(text.Count(f.n, f.noun)))
		}
	}
	if len(out) == 0 && s.Calls > 0 {
		out = append(out, dim(text.Count(s.Calls, "tool call")))
	}
	if len(out) == 0 {
		out = append(out, dim(text.Count(s.Turns, "model call")))
	}
	if s.Failures > 0 {
		out = append(out, fact{{Text: text.Number(s.Failures) + " failed", Token: theme.Error}})
	}
	s.Refused.Each(func(by timeline.Refuser, n int) {
		out = append(out, fact{{Text: text.Number(n) + " refused" + by.String(), Token: theme.Warning}})
	})
	return out
}

// usageFacts are what something used: its tokens and what it cost.
func usageFacts(u timeline.Usage) []fact {
	var out []fact
	if n := u.Input + u.Output; n > 0 {
		out = append(out, dim(text.Tokens(n)+" tokens"))
	}
	if u.Cost > 0 {
		out = append(out, dim(text.CountAmount(u.Cost, "request")))
	}
	return out
}

// changed are the lines that were added and removed; none are no fact.
func changed(added, removed int, th *theme.Theme) []fact {
	var out fact
	if added > 0 {
		out = fact{{Text: "+" + text.Number(added), Token: theme.Added}}
	}
	if removed > 0 && added > 0 {
		out = append(out, text.Span{Text: " ", Token: theme.Dim})
	}
	if removed > 0 {
		out = append(out, text.Span{Text: th.Glyph(theme.MarkMinus) + text.Number(removed), Token: theme.Removed})
	}
	if out == nil {
		return nil
	}
	return []fact{out}
}

// costParts are what was charged, in premium requests and in AI units.
func costParts(u timeline.Usage) []string {
	var out []string
	if u.Cost > 0 {
		out = append(out, text.CountAmount(u.Cost, "premium request"))
	}
	if units := u.NanoAIU / 1e9; units >= 0.005 {
		out = append(out, text.CountAmount(units, "AI unit"))
	}
	return out
}

// some is a number of something, or nothing for none.
func some(n int, what string) string {
	if n == 0 {
		return ""
	}
	return text.Number(n) + " " + what
}
