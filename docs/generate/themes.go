package generate

import (
	"fmt"
	"strings"

	"parley/theme"
)

const themesIntroduction = `# Themes

` + "`/theme`" + ` lists the themes; the window shows each as you move, and enter keeps it as the setting ` + "`theme`" + `. NO_COLOR wins
over all of them. A terminal with sixteen colours gets ` + "`terminal`" + `. One that does not say its background, as tmux before 3.4, is
taken at the word of COLORFGBG; without that the themes that follow the background have colours that read on dark and on
light.

| Theme | What it is |
| --- | --- |
`

const themesOwn = `
## A theme of your own

It is a file in the folder ` + "`themes`" + ` beside ` + "`settings.toml`" +
	`, and its name is that of the file without ` + "`.toml`" + `. It begins
with a built-in theme and gives other colours: ` + "`#rrggbb`" + `, or one of the terminal's own sixteen by its number or name. An
open window takes up a change at once. ` + "`parley config check`" + ` tells mistakes with their line, and which pairs are hard to
read: below 4.5 to 1.

` + "```toml" + `
# themes/dusk.toml
base = "dark"

[colors]            # on every background
accent = "#f0a45d"

[light]             # only where the terminal's background is light
accent = "#8a4b08"
` + "```" + `

| Colour | What has it |
| --- | --- |
`

// themesMarkdown has a place for the names of the standard styles.
const themesMarkdown = `
## How answers look

Answers are markdown, drawn in a style of [Glamour](https://github.com/charmbracelet/glamour): one that the theme makes, or
the one that the setting ` + "`markdown_style`" + ` names. Where that is ` + "`auto`" +
	`, the variable ` + "`GLAMOUR_STYLE`" + ` of the environment
counts. Either has the name of a standard style (%s), or the path of a JSON file such as this one. An open
window takes up a change of a file in the folder ` + "`themes`" + ` at once; one with mistakes costs a notice, and never the look.

` + "```json" + `
{
  "heading": { "color": "#f0a45d", "bold": true },
  "h2": { "prefix": "## " },
  "emph": { "italic": true },
  "code": { "prefix": "\u00a0", "suffix": "\u00a0", "background_color": "236" },
  "block_quote": { "indent": 1, "indent_token": "> ", "italic": true },
  "item": { "block_prefix": "- " },
  "image_text": { "format": "Image: {{.text}}" },
  "code_block": { "margin": 2, "theme": "monokai" }
}
` + "```" + `

The style says how headings, text, links, images, code, quotes, the marks of lists and tasks, rules and tables look. Empty
lines, margins and the indentation of lists are the window's own under every style. A file has no templates but
` + "`{{.text}}`" + `, and of a mark the first 24 characters that can be seen count.
`

// themesDocument is docs/themes.md: the themes, and the colours that they are made of.
func themesDocument() string {
	var b strings.Builder
	b.WriteString(themesIntroduction)
	for _, name := range theme.Names() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, theme.About(name))
	}
	b.WriteString(themesOwn)
	for _, c := range theme.Colours() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.About)
	}
	fmt.Fprintf(&b, themesMarkdown, styleNames())
	return b.String()
}

// styleNames are the names of the standard styles in a sentence.
func styleNames() string { return "`" + strings.Join(theme.MarkdownNames(), "`, `") + "`" }
