package panel

import (
	"strings"

	"parley/render/text"

	"parley/render"
	"parley/theme"
	"parley/tui/widget"
)

// markdownBytes bounds a text that is shown; a longer one ends with how much is not shown.
const markdownBytes = 256 << 10

// Markdown returns a panel with a text that is made safe.
func Markdown(title, markdown string, keys ...Key) *Panel {
	if len(markdown) > markdownBytes {
		markdown = strings.ToValidUTF8(markdown[:markdownBytes], "") +
			"\n\n(" + text.Size(len(markdown)-markdownBytes) + " more are not shown)"
	}
	d := render.NewDocument(markdown)
	return &Panel{Title: title, More: keys, Text: func(th *theme.Theme, width int) []string {
		rows := d.Layout(min(width, TextWidth), th)
		lines := make([]string, 0, rows)
		for _, l := range d.Rows(0, rows) {
			lines = append(lines, widget.Indent+l)
		}
		return lines
	}}
}

// TextWidth is the widest that text to read is drawn.
const TextWidth = 100
