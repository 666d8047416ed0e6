package generate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"parley/settings"
	"parley/tui/status"
)

// statusIntroduction has places for the default order, left and right.
const statusIntroduction = `# The status line

The last line of the window tells how the agent works and what it does now. Which parts it has, and in which order, is a
setting; ` + "`/statusline`" + ` changes it in the window, and shows it at once:

` + "```toml" + `
[status]
left = %s
right = %s
` + "```" + `

That is the order by default. A part that has nothing to tell is not there.

| Part | What it tells | By default | Rank |
| --- | --- | --- | --- |
`

// statusProgram has places for the time that a program may take, and for the mark
// of an old value.
const statusProgram = `
Where the window is too narrow, the part with the lowest rank goes first, on either side. What you must know of is said
shorter before any of it goes.

A part that is there always is shown even if you leave it out of both lists; then it comes first. You can move it.

A value with a %[2]s before it is known to be old: the context was told before the model changed, or your own program has
failed since.

## Your own program

` + "```toml" + `
[status]
script = ["~/bin/status", "--short"]
script_timeout = %[1]d
` + "```" + `

The first line that the program writes is the part ` + "`script`" + `. It is started directly, not by a shell, in the folder in
which the agent works (in your home directory, if that is on another machine), with the environment of Parley and without a
terminal. A name without a slash is looked for on the
PATH; another path is relative to the folder of the settings file, or to your home directory after ` + "`~/`" + `. No file of a
project can name a program: only your own settings can.

* It runs when something that it is told has changed: a turn begins or ends, the mode, the model, the title, what was used. It
  runs once a second at most, one at a time, and never by itself while nothing happens.
* It may take ` + "`script_timeout`" + ` milliseconds. Then it is ended, with all that it started.
* Of what it writes, the first 4 kB are read. Colours and other sequences are dropped.
* When it takes too long, or ends with another exit code than 0, what it told last stays, with a %[2]s before it. The first
  time, the conversation says why.

On its standard input it gets one JSON object:

| Field | Type | What it is |
| --- | --- | --- |
`

const statusExample = `
A program that shows how much of the context is left, where that is known:

` + "```sh" + `
#!/bin/sh
jq -r 'select(.context.limit > 0) | "\(100 - .context.percent) % left"'
` + "```" + `
`

// statusDocument is docs/statusline.md: the parts of the status line, and what a
// program for it is given.
func statusDocument() string {
	var b strings.Builder
	usual := settings.Defaults().Status
	fmt.Fprintf(&b, statusIntroduction, tomlList(usual.Left), tomlList(usual.Right))
	parts := status.Items()
	slices.SortStableFunc(parts, func(a, b status.Item) int { return b.Rank - a.Rank })
	for _, p := range parts {
		where := ""
		switch {
		case slices.Contains(usual.Left, p.Name):
			where = "left"
		case slices.Contains(usual.Right, p.Name):
			where = "right"
		}
		if p.Always {
			where += ", always"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %d |\n", p.Name, p.Description, where, p.Rank)
	}
	fmt.Fprintf(&b, statusProgram, usual.ScriptTimeout, "`"+status.StaleMark+"`")
	writeFields(&b, "", reflect.TypeFor[status.ScriptInput]())
	b.WriteString(statusExample)
	return b.String()
}

// writeFields writes a row for each field of a JSON object, and of those in it.
func writeFields(b *strings.Builder, in string, t reflect.Type) {
	for f := range t.Fields() {
		name := in + f.Tag.Get("json")
		if f.Type.Kind() == reflect.Struct {
			writeFields(b, name+".", f.Type)
			continue
		}
		kind := map[reflect.Kind]string{
			reflect.String: "string", reflect.Int: "number", reflect.Float64: "number", reflect.Bool: "boolean",
		}[f.Type.Kind()]
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, kind, f.Tag.Get("doc"))
	}
}

// tomlList is a list of names as the settings have it, in lines that are not too
// long.
func tomlList(names []string) string {
	var b strings.Builder
	width := 0
	b.WriteString("[")
	for i, name := range names {
		word := fmt.Sprintf("%q", name)
		if i > 0 {
			word = ", " + word
		}
		if width += len(word); width > 100 {
			word, width = ",\n  "+strings.TrimPrefix(word, ", "), len(word)
		}
		b.WriteString(word)
	}
	b.WriteString("]")
	return b.String()
}
