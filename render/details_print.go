package render

import (
	"bufio"
	"io"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// PrintDetails writes a timeline entry by entry, as Print does, and below each the
// events that made it, with every field. Entries that Print leaves out are
// written too, and so are those of sub-agents. Of the options the width, the
// theme and the zone count; a nil theme is theme.Plain.
func PrintDetails(w io.Writer, t *timeline.Timeline, o Options) error {
	return printed(w, o, "the details of the timeline", func(out *bufio.Writer, o Options) { detailsOf(out, t, o, 0) })
}

// detailsOf writes a timeline that is so many sub-agents deep.
func detailsOf(out *bufio.Writer, t *timeline.Timeline, o Options, depth int) {
	lead := text.Spaces(min(depth*text.Nested(o.Width), o.Width/2))
	inner := o
	inner.Width -= len(lead)
	cache := NewCache(1)
	for _, e := range all(t) {
		e, entry := *e, inner
		e.VerboseOnly = false
		if entry.Fold = FoldOf(&e, Normal); entry.Fold == Hidden {
			entry.Fold = Folded
		}
		for unit := range cache.Units(&e, entry) {
			writeWith(out, lead, cache.Lines(&e, unit, entry))
		}
		events(out, e.Events, lead, inner)
		if c, ok := e.Body.(*timeline.ToolCall); ok && c.Agent != nil {
			detailsOf(out, c.Agent.Timeline, o, depth+1)
		}
	}
	if rest := t.Unplaced(); len(rest) > 0 {
		writeWith(out, lead, []string{inner.Theme.Render(theme.Dim, "events of no entry")})
		events(out, rest, lead, inner)
	}
}

// events writes the fields of events, all open.
func events(out *bufio.Writer, list []timeline.Record, lead string, o Options) {
	indent := text.Nested(o.Width)
	d := NewDetails(list, 0, o.Location)
	d.OpenAll()
	write(out, []string{""})
	for from := range d.Layout(o.Width - indent) {
		writeWith(out, lead+text.Spaces(indent), d.Rows(from, from+1, nil, "", o.Theme))
	}
	write(out, []string{""})
}

func writeWith(out *bufio.Writer, lead string, lines []string) {
	for _, l := range lines {
		write(out, []string{lead + l})
	}
}
