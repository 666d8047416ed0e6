package generate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"parley/settings"
	"parley/tui/status"
)

// statusDefault is the order of the parts of the status line by default.
func statusDefault() string {
	usual := settings.Defaults().Status
	return fmt.Sprintf("```toml\n[status]\nleft = %s\nright = %s\n```\n", tomlList(usual.Left), tomlList(usual.Right))
}

// statusParts lists the parts of the status line.
func statusParts() string {
	var b strings.Builder
	b.WriteString("| Part | What it shows | By default | Rank |\n| --- | --- | --- | --- |\n")
	usual := settings.Defaults().Status
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
	return b.String()
}

// statusFields lists what a program for the status line gets.
func statusFields() string {
	var b strings.Builder
	b.WriteString("| Field | Type | What it is |\n| --- | --- | --- |\n")
	writeFields(&b, "", reflect.TypeFor[status.ScriptInput]())
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
