package render

import (
	"strconv"
	"strings"

	"parley/render/text"
	"parley/timeline"
)

// The facts of a finished call: what a user wants to know of its result
// without opening it. lines is the number of lines of the result.

func backgroundFacts(_ *timeline.ToolCall, a arguments, _ int) string {
	if mode := a.get("mode"); a.get("detach") == "yes" || mode == "async" || mode == "background" {
		return "background"
	}
	return ""
}

func readFacts(c *timeline.ToolCall, a arguments, lines int) string {
	if len(c.Images) > 0 {
		return "" // the image shows it
	}
	if r := a.get("view_range"); r != "" {
		from, to, ok := strings.Cut(r, ", ")
		switch {
		case ok && to == "-1":
			return "from line " + from
		case ok:
			return "lines " + from + "–" + to
		}
	}
	return text.Count(lines, "line")
}

func grepFacts(c *timeline.ToolCall, a arguments, lines int) string {
	switch {
	case none(c.Result) || lines == 0:
		return "no matches"
	case a.get("output_mode") == "content":
		return text.Count(lines, "match")
	}
	return text.Count(lines, "file")
}

func globFacts(c *timeline.ToolCall, _ arguments, lines int) string {
	if none(c.Result) || lines == 0 {
		return "no files"
	}
	return text.Count(lines, "file")
}

// none reports whether a search says that it found nothing.
func none(result string) bool {
	s := strings.ToLower(text.CutBytes(result, 40))
	return strings.HasPrefix(s, "no matches") || strings.HasPrefix(s, "no files")
}

func listFacts(_ *timeline.ToolCall, _ arguments, lines int) string {
	if lines == 0 {
		return "empty"
	}
	return text.Count(lines, "item")
}

func sizeFacts(c *timeline.ToolCall, _ arguments, _ int) string { return text.Size(len(c.Shown())) }

// sqlRows matches how the tool begins its report of a change or a query.
var sqlRows = text.Regexp(`^(\d+) row\(s\) ([a-z]+)`)

func sqlFacts(c *timeline.ToolCall, _ arguments, _ int) string {
	m := sqlRows().FindStringSubmatch(text.CutBytes(c.Result, 80))
	if m == nil {
		return ""
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return ""
	}
	return text.Count(n, "row") + " " + m[2]
}
