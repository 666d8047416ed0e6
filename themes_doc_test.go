package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/theme"
)

// TestThemesDocument holds docs/themes.md to the themes and the colours that they
// are made of, and reads the theme that it shows. With -update it writes the
// document.
func TestThemesDocument(t *testing.T) {
	t.Parallel()
	text := themesDocument()
	checkDocument(t, "docs/themes.md", text)
	example := regexp.MustCompile("(?s)```toml\n(.*?)```").FindStringSubmatch(text)
	path := filepath.Join(t.TempDir(), "dusk.toml")
	put(t, path, example[1])
	if f, err := theme.Load(path); err != nil || len(f.Warnings) > 0 {
		t.Errorf("the theme that is shown: %v, %v", err, f)
	}
}

func themesDocument() string {
	var b strings.Builder
	b.WriteString(`# Themes

` + "`/theme`" + ` lists the themes; the window shows each as you move, and enter keeps it as the setting ` + "`theme`" + `. NO_COLOR wins
over all of them. A terminal with sixteen colours gets ` + "`terminal`" + `. One that does not say its background, as tmux before 3.4, is
taken at the word of COLORFGBG; without that the themes that follow the background have colours that read on dark and on
light.

| Theme | What it is |
| --- | --- |
`)
	for _, name := range theme.Names() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, theme.About(name))
	}
	b.WriteString(`
## A theme of your own

It is a file in the folder ` + "`themes`" + ` beside ` + "`settings.toml`" + `, and its name is that of the file without ` + "`.toml`" + `. It begins
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
`)
	for _, c := range theme.Colours() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.About)
	}
	return b.String()
}
