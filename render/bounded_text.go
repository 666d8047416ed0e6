package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// VerboseBytes is how much of each text of an entry the verbose density shows
// unasked, some thousand lines.
const VerboseBytes = 64_000

// bounded cuts the parts of an entry that are longer than VerboseBytes: to their
// beginning, or to their end where that says more, with a line for the rest. The
// parts are those of Whole.
func bounded(e *timeline.Entry, parts []part) []part {
	var out []part
	for _, p := range parts {
		from, to := p.within(VerboseBytes)
		if from > 0 {
			out = append(out, hiddenLines(e, p, p.count(0, from), "earlier"))
		}
		out = append(out, p.slice(from, to))
		if to < p.units {
			out = append(out, hiddenLines(e, p, p.count(to, p.units), "more"))
		}
	}
	return out
}

// within are the units of a part that hold the first n bytes of it, or the last.
func (p *part) within(n int) (from, to int) {
	if p.units <= 1 {
		return 0, p.units
	}
	size := func(unit int) int {
		if p.source == nil {
			return text.ChunkBytes
		}
		return len(p.source(unit))
	}
	if p.tail {
		for from = p.units; from > 0; from-- {
			if n -= size(from - 1); n < 0 && from < p.units {
				break
			}
		}
		return from, p.units
	}
	for unit := range p.units {
		if n -= size(unit); n < 0 && unit > 0 {
			return 0, unit
		}
	}
	return 0, p.units
}

// slice is a part of the units of p from one up to another, drawn as Whole draws
// them.
func (p *part) slice(from, to int) part {
	cut := *p
	cut.units = to - from
	cut.draw = func(unit int, o Options) []string {
		o.Fold = Whole
		return p.draw(unit+from, o)
	}
	if p.stamp != nil {
		cut.stamp = func(unit int) uint64 { return p.stamp(unit + from) }
	}
	if p.source != nil {
		cut.source = func(unit int) string { return p.source(unit + from) }
	}
	return cut
}

// count is the number of lines in the units of a part from one up to another.
func (p *part) count(from, to int) int {
	if p.text != "" {
		end := len(p.text)
		if to < p.units {
			end = text.ChunkStart(p.text, to)
		}
		rest := p.text[text.ChunkStart(p.text, from):end]
		n := strings.Count(rest, "\n")
		if rest != "" && !strings.HasSuffix(rest, "\n") {
			n++
		}
		return n
	}
	n := 0
	for unit := from; unit < to; unit++ {
		if p.source == nil {
			n += listRun
			continue
		}
		n += strings.Count(p.source(unit), "\n")
	}
	return n
}

// hiddenLines is the part that stands for n lines of p that are not shown.
func hiddenLines(e *timeline.Entry, p part, n int, what string) part {
	return part{
		kind: partHidden | p.kind, units: 1, stamp: at(e.Version),
		draw: func(_ int, o Options) []string {
			s := o.Theme.Glyph(theme.MarkFolded) + " " + text.Count(max(1, n), what+" line")
			if o.Unfold != "" {
				s += o.Theme.Dot() + o.Unfold
			}
			indent := imageIndent(e, o)
			return []string{text.Spaces(indent) + o.Theme.Render(theme.Dim, text.Cut(o.Theme, s, max(1, o.Width-indent)))}
		},
	}
}
