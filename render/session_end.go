package render

import (
	"cmp"
	"slices"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// foldedModels is how many models a closing card names while it is folded.
const foldedModels = 2

// sessionEndParts draw the card that ends a session: what was changed and charged,
// why it failed, and what each model was used for; whole, also the files.
func sessionEndParts(e *timeline.Entry, c *timeline.SessionEnd, fold Fold) []part {
	head := shortPart(e, c, never, drawSessionEnd)
	head.source = nil // its row says more than one text does
	if fold != Whole {
		return []part{head}
	}
	return []part{head, listed(e, len(c.Files), func(i int, o Options) []string {
		return drawFile(o, timeline.FileChange{Path: c.Files[i]})
	})}
}

func drawSessionEnd(_ *timeline.Entry, c *timeline.SessionEnd, o Options) []string {
	first, tok := text.MarginMark(o.Theme, o.Width, theme.Dim, theme.MarkBoundary), theme.Text
	if c.Failed {
		first, tok = text.MarginMark(o.Theme, o.Width, theme.Error, theme.MarkError), theme.Strong
	}
	head, facts := sessionEndHead(c, o)
	words := []fact{{{Text: head, Token: tok}}}
	if n := len(c.Files); n > 0 {
		words, facts = append(words, facts[0]), facts[1:]
	}
	out := layoutRow(o, first, text.Margin(o.Width), words, facts, elapsed(c.Took, true))
	if o.Fold == Line {
		return out
	}
	if reason := cutText(c.Reason); c.Failed && reason != "" {
		out = append(out, drawReason(o, theme.Strong, reason)...)
	}
	models := c.Models
	if o.Fold != Whole && len(models) > foldedModels {
		models = mostUsed(models)
	}
	left := text.Nested(o.Width)
	for _, m := range models {
		name := text.Cut(o.Theme, modelName(m), max(1, o.Width-left))
		out = append(out, layoutRow(o, text.Spaces(left), left, []fact{dim(name)}, modelFacts(m.Usage, o.Fold == Whole), "")...)
	}
	if rest := len(c.Models) - len(models); rest > 0 {
		s := o.Theme.Glyph(theme.MarkFolded) + " " + text.Count(rest, "more model")
		out = append(out, text.Spaces(left)+o.Theme.Render(theme.Dim, s))
	}
	if waited := elapsed(c.Thinking, false); o.Fold == Whole && waited != "" {
		out = append(out, labelledText(o, "waited", waited+" for models")...)
	}
	return out
}

// sessionEndHead is how a session ended, and what it changed and was charged: the
// number of files comes first, if there are any.
func sessionEndHead(c *timeline.SessionEnd, o Options) (head string, facts []fact) {
	head = "Session ended"
	if c.Failed {
		head = "Session failed"
	}
	if n := len(c.Files); n > 0 {
		facts = append(facts, dim(text.Count(n, "file")+" changed"))
	}
	facts = append(facts, changed(c.Added, c.Removed, o.Theme)...)
	if c.Premium > 0 {
		facts = append(facts, dim(text.CountAmount(c.Premium, "premium request")))
	}
	return head, facts
}

// mostUsed are the models that used most tokens, in the order they came.
func mostUsed(models []timeline.ModelUse) []timeline.ModelUse {
	most := slices.Clone(models)
	used := func(m timeline.ModelUse) int { return m.Usage.Input + m.Usage.Output }
	slices.SortStableFunc(most, func(a, b timeline.ModelUse) int { return used(b) - used(a) })
	most = most[:foldedModels]
	slices.SortStableFunc(most, func(a, b timeline.ModelUse) int { return slices.Index(models, a) - slices.Index(models, b) })
	return most
}

func modelName(m timeline.ModelUse) string {
	return cmp.Or(text.SanitizeCompact(brief(m.Model)), "unknown model")
}

// modelFacts are the requests to a model and its tokens; all of them, also what it
// thought and cost.
func modelFacts(u timeline.Usage, all bool) []fact {
	var out []fact
	if u.Requests > 0 {
		out = append(out, dim(text.Count(u.Requests, "request")))
	}
	for _, p := range []struct {
		n     int
		what  string
		small bool
	}{{u.Input, "in", false}, {u.CacheRead, "cached", false}, {u.Output, "out", false}, {u.Reasoning, "thinking", true}} {
		if p.n > 0 && (all || !p.small) {
			out = append(out, dim(text.Tokens(p.n)+" "+p.what))
		}
	}
	if all {
		for _, cost := range costParts(u) {
			out = append(out, dim(cost))
		}
	}
	return out
}
