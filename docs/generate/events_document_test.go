package generate

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"parley/session"
	"parley/timeline"
)

// eventRow is a row of a table of docs/events.md: the type, what is known of its
// storage, and the columns that are written by hand.
var eventRow = regexp.MustCompile(
	"(?m)^\\| `([a-z][\\w.]*)` \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) \\| ((?:[^|\\\\]|\\\\.)*) \\| `([^`]*)` \\|$",
)

// eventsDocument is docs/events.md, whose rows say what of their types is stored, and
// which lists the types of the runtime that have no row.
func eventsDocument(repository fs.FS) (string, error) {
	stored, err := storedAs(repository)
	if err != nil {
		return "", err
	}
	var dropped, ignored []string
	for _, kind := range strangers(stored) {
		word := "`" + string(kind) + "`"
		switch {
		case kind.Noise():
			dropped = append(dropped, word)
		case timeline.New().Apply(session.Event{ID: "stranger", Body: session.Unknown{Type: kind}}) == timeline.Ignored:
			ignored = append(ignored, word)
		}
	}
	document, err := withTables(repository, "docs/events.md", map[string]string{
		"dropped": strings.Join(dropped, ", ") + ".\n", "ignored": strings.Join(ignored, ", ") + ".\n",
	})
	if rows := len(eventRow.FindAllString(document, -1)); err == nil && rows != strings.Count(document, "\n| `") {
		err = fmt.Errorf("%d rows of docs/events.md can be read, and there are more", rows)
	}
	return eventRow.ReplaceAllStringFunc(document, func(row string) string {
		cells := strings.SplitN(row, " | ", 3)
		kind := eventRow.FindStringSubmatch(row)[1]
		return cells[0] + " | " + stored[session.Kind(kind)].String() + " | " + cells[2]
	}), err
}

// strangers are the types of the runtime that the codec does not know.
func strangers(stored map[session.Kind]storage) []session.Kind {
	known := session.Kinds()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(stored)), func(kind session.Kind) bool { return slices.Contains(known, kind) })
}
