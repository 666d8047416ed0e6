package render

import (
	"strconv"
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// imageLabel returns what is known of an image: its name, type, size and bytes.
func imageLabel(i timeline.Image, o Options) string {
	facts := []string{strings.TrimSpace("image " + text.SanitizeCompact(brief(i.Name))), text.SanitizeCompact(brief(i.MIMEType))}
	if i.Width > 0 && i.Height > 0 {
		facts = append(facts, strconv.Itoa(i.Width)+"×"+strconv.Itoa(i.Height))
	}
	if i.Bytes > 0 {
		facts = append(facts, text.Size(i.Bytes))
	}
	return text.JoinNonEmpty(o.Theme.Dot(), facts...)
}

// blockLabel returns what is known of a part of a result that is no text and no image:
// what it is, its name, its address, its type and its size.
func blockLabel(b timeline.Block, o Options) string {
	fact := func(s string) string { return text.Cut(o.Theme, text.SanitizeCompact(brief(s)), chipCells) }
	what := fact(b.Kind)
	switch {
	case b.Kind == "audio" || strings.HasPrefix(b.MIMEType, "audio/"):
		what = "sound"
	case b.Kind == "resource_link":
		what = "link"
	case what == "":
		what = "block"
	}
	facts := []string{strings.TrimSpace(strings.ReplaceAll(what, "_", " ") + " " + fact(b.Name))}
	for _, s := range []string{b.URI, b.Description, b.MIMEType} {
		if s != b.Name {
			facts = append(facts, fact(s))
		}
	}
	if b.Bytes > 0 {
		facts = append(facts, text.Size(b.Bytes))
	}
	return text.JoinNonEmpty(o.Theme.Dot(), facts...)
}

// How many parts of a result are named, and how many cells a name, an address or a
// type takes of that.
const (
	mostChips = 50
	chipCells = 240
)

// resultLabels name what a result has beside its text, in the order of its kinds.
func resultLabels(c *timeline.ToolCall, o Options) []string {
	var names []string
	for _, i := range c.Images[:min(len(c.Images), mostChips)] {
		names = append(names, imageLabel(i, o))
	}
	for _, b := range c.Blocks[:min(len(c.Blocks), mostChips-len(names))] {
		names = append(names, blockLabel(b, o))
	}
	if rest := len(c.Images) + len(c.Blocks) - len(names); rest > 0 {
		names = append(names, "and "+text.Number(rest)+" more")
	}
	return names
}

// drawResultLabels draws a chip for each part of a result beside its text, under the row
// of the call.
func drawResultLabels(c *timeline.ToolCall, o Options) []string {
	names := resultLabels(c, o)
	if len(names) == 0 {
		return nil
	}
	for i, name := range names {
		names[i] = "[" + name + "]"
	}
	lines := packed(names, o.Width-text.Nested(o.Width))
	for i, l := range lines {
		lines[i] = o.Theme.Render(theme.Dim, l)
	}
	return nested(o, lines)
}

// packed puts short texts on as few lines as hold them in their order. None is
// torn that fits on a line.
func packed(texts []string, width int) []string {
	var lines []string
	for _, t := range texts {
		if n := len(lines) - 1; n >= 0 && text.Width(lines[n])+1+text.Width(t) <= width {
			lines[n] += " " + t
			continue
		}
		lines = append(lines, text.Wrap(t, max(1, width))...)
	}
	return lines
}
