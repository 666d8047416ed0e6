package generate

import (
	"fmt"
	"strings"

	"parley/theme"
)

// themeTable lists the built-in themes.
func themeTable() string {
	var b strings.Builder
	b.WriteString("| Theme | What it is |\n| --- | --- |\n")
	for _, name := range theme.Names() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, theme.About(name))
	}
	return b.String()
}

// colourTable lists the colours that a theme is made of.
func colourTable() string {
	var b strings.Builder
	b.WriteString("| Colour | What has it |\n| --- | --- |\n")
	for _, c := range theme.Colours() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.About)
	}
	return b.String()
}

// styleNames are the names of the standard styles of markdown.
func styleNames() string { return "`" + strings.Join(theme.MarkdownNames(), "`, `") + "`\n" }
