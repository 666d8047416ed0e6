package reporttext

import (
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// DrawBugReport draws a report as it stands in the file, below what it is.
func DrawBugReport(th *theme.Theme, s string, width int) []string {
	lines := []string{}
	add := func(token theme.Token, s string) {
		for _, l := range text.Wrap(text.Sanitize(s), width) {
			lines = append(lines, strings.TrimRight(widget.Indent+th.Render(token, l), " "))
		}
	}
	add(theme.Dim, "This is all that would be written. Nothing is sent anywhere.")
	lines = append(lines, "")
	for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		switch {
		case l == "":
			lines = append(lines, "")
		case strings.HasPrefix(l, "#"):
			add(theme.Heading, l)
		default:
			add(theme.Text, l)
		}
	}
	return lines
}
