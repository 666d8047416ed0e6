package panel

import (
	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// Fact is one line of a report: a name and a value.
type Fact [2]string

// DrawFacts draws names and values in two columns; one without a name is a heading.
func DrawFacts(th *theme.Theme, all []Fact, width int) []string {
	name := 0
	for _, f := range all {
		name = max(name, text.Width(text.SanitizeLine(f[0])))
	}
	name = min(name, width/2)
	var lines []string
	for _, f := range all {
		switch {
		case f[1] == "" && f[0] == "":
			lines = append(lines, "")
		case f[0] == "":
			lines = append(lines, widget.Indent+th.Render(theme.Heading, widget.Cut(th, f[1], width)))
		default:
			label := widget.Cut(th, f[0], name)
			lead := th.Render(theme.Dim, label) + widget.Blank(name-text.Width(label)+widget.ColumnGap)
			for _, part := range inLines(th, f[1], max(0, width-name-widget.ColumnGap)) {
				lines = append(lines, widget.Indent+text.Truncate(lead+th.Render(theme.Text, part), width, ""))
				lead = widget.Blank(name + widget.ColumnGap)
			}
		}
	}
	return lines
}

// mostWrapped is how many lines a value takes at most.
const mostWrapped = 6

// inLines breaks a text into lines that fit. A long one ends with an ellipsis.
func inLines(th *theme.Theme, s string, width int) []string {
	if width <= 0 {
		return []string{""}
	}
	lines := text.Wrap(widget.Clip(s, mostWrapped*width), width)
	if len(lines) > mostWrapped {
		rest := lines[mostWrapped-1] + " " + lines[mostWrapped]
		lines = append(lines[:mostWrapped-1], widget.Cut(th, rest, width))
	}
	return lines
}

// Known leaves out facts without a value.
func Known(all ...Fact) []Fact {
	var out []Fact
	for _, f := range all {
		if f[1] != "" {
			out = append(out, f)
		}
	}
	return out
}
