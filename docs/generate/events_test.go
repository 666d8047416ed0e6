package generate

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// decision is what becomes of the events of one type: a row of docs/events.md.
type decision struct {
	body  session.Body // an empty payload of the type
	where string       // places, with commas between
	model string       // whether the model sees it
	shows string       // what a user sees there; for nothing, why
	test  string       // package.Test or package.Test/subtest
}

// decisions reads the rows of docs/events.md.
func decisions(repository fs.FS) ([]decision, error) {
	text, err := fs.ReadFile(repository, "docs/events.md")
	if err != nil {
		return nil, err
	}
	found := eventRow.FindAllStringSubmatch(string(text), -1)
	if n := strings.Count(string(text), "\n| `"); n != len(found) {
		return nil, fmt.Errorf("docs/events.md has %d rows, and %d can be read", n, len(found))
	}
	var rows []decision
	for _, row := range found {
		empty := session.Decode([]byte(`{"type":"` + row[1] + `","data":{}}`))
		rows = append(rows, decision{empty.Body, row[3], row[4], strings.ReplaceAll(row[5], `\|`, "|"), row[6]})
	}
	return rows, nil
}

// places are where an event may appear, as docs/events.md explains it. TestEventPlaces sees
// the first group happen; for title, panel and badge, the test that the row names must
// show it.
var places = []string{"entry", "minor entry", "part of an entry", "status", "question", "nothing", "title", "panel", "badge"}

// seenByModel are the answers to whether the model sees an event.
var seenByModel = []string{"yes", "as a user message", "as a system prompt", "as a result", "in part", "no"}

// places are where the event appears.
func (d decision) places() []string { return strings.Split(d.where, ", ") }

// TestEventDecisions holds the decisions to the types that the codec knows, and
// what they say of the others to what becomes of those.
func TestEventDecisions(t *testing.T) {
	t.Parallel()
	for _, complaint := range faults(rows(t)) {
		t.Error(complaint)
	}
	for _, kind := range strangers(storedKinds(t)) {
		tl := timeline.New()
		out := tl.Apply(session.Event{ID: "stranger", Body: session.Unknown{Type: kind}})
		if !kind.Noise() && out != timeline.Ignored && tl.Len() != 1 {
			t.Errorf("%s has no codec, and makes %d entries: want the one that says so", kind, tl.Len())
		}
	}
}

// rows are the decisions of docs/events.md.
func rows(t *testing.T) []decision {
	t.Helper()
	rows, err := decisions(os.DirFS(root))
	if err != nil || len(rows) < len(session.Kinds()) {
		t.Fatalf("docs/events.md has %d rows: %v", len(rows), err)
	}
	text, err := fs.ReadFile(os.DirFS(root), "docs/events.md")
	for _, word := range slices.Concat(places, seenByModel) {
		if err != nil || !strings.Contains(string(text), "\n- `"+word+"`: ") {
			t.Errorf("docs/events.md does not explain %q: %v", word, err)
		}
	}
	return rows
}

// TestEventStorage holds the samples and the recorded logs to what is known of
// whether an event is stored.
func TestEventStorage(t *testing.T) {
	t.Parallel()
	stored := storedKinds(t)
	for kind, line := range sessiontest.Events(t) {
		word := storageOf(session.Decode(line))
		switch known, is := stored[kind]; {
		case !is:
			t.Errorf("%s is not in testdata/protocol/persistence.txt: add it, by the runtime's schema", kind)
		case !known.holds(word):
			t.Errorf("testdata/events/%s.json is %s, and such events are %s by testdata/protocol/persistence.txt: mend one of them",
				kind, word, known)
		}
	}
	for _, path := range sessiontest.Logs(t) {
		for _, ev := range sessiontest.Log(t, strings.TrimSuffix(filepath.Base(path), ".jsonl")) {
			if word, known := storageOf(ev), stored[ev.Kind()]; !known.holds(word) {
				t.Errorf("%s has a %s %s, and such events are %q by testdata/protocol/persistence.txt: mend that",
					path, word, ev.Kind(), known)
			}
		}
	}
}

func storedKinds(t *testing.T) map[session.Kind]storage {
	t.Helper()
	stored, err := storedAs(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// TestEventComplaints: no row can go, come twice or say less than it must
// without a complaint that names its type.
func TestEventComplaints(t *testing.T) {
	t.Parallel()
	rows := rows(t)
	if len(faults(rows)) > 0 {
		t.Skip("TestEventDecisions says what is wrong with the rows as they are")
	}
	for i, d := range rows {
		spoiled := map[string][]decision{"no row": slices.Delete(slices.Clone(rows), i, i+1), "two rows": append(slices.Clone(rows), d)}
		for what, spoil := range map[string]func(*decision){
			"no place":       func(d *decision) { d.where = "" },
			"nothing beside": func(d *decision) { d.where = "entry, nothing" },
			"no model":       func(d *decision) { d.model = "" },
			"no words":       func(d *decision) { d.shows = "" },
			"no test":        func(d *decision) { d.test = "" },
		} {
			spoiled[what] = slices.Clone(rows)
			spoil(&spoiled[what][i])
		}
		for what, rows := range spoiled {
			if found := faults(rows); len(found) != 1 || !strings.Contains(found[0], string(session.KindOf(d.body))+" ") {
				t.Errorf("%s of %s: %q", what, session.KindOf(d.body), found)
			}
		}
	}
}

// faults say what is wrong with the rows, and what to do about it.
func faults(rows []decision) []string {
	var found []string
	complain := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	count := map[session.Kind]int{}
	known := session.Kinds()
	for _, d := range rows {
		kind := session.KindOf(d.body)
		count[kind]++
		switch {
		case count[kind] > 1:
			complain("%s has two rows in docs/events.md: keep one", kind)
			continue
		case !slices.Contains(known, kind):
			complain("%s has a row in docs/events.md and no codec: remove the row", kind)
		}
		if bad := d.badPlace(); bad != "" {
			complain("the row of %s names the place %q: it must be one of %s, and nothing stands alone", kind, bad, strings.Join(places, ", "))
		}
		if !slices.Contains(seenByModel, d.model) {
			complain("the row of %s says %q of the model: it must be one of %s", kind, d.model, strings.Join(seenByModel, ", "))
		}
		if d.shows == "" {
			complain("the row of %s does not say what the user sees, or why nothing: say it", kind)
		}
		if d.test == "" {
			complain("the row of %s names no test: write one that shows the event in its place, and name it", kind)
		}
	}
	for _, kind := range known {
		if count[kind] == 0 {
			complain("%s has no row: decide where it appears, add the row to docs/events.md, and run make docs", kind)
		}
	}
	return found
}

// badPlace returns a place that the row may not name.
func (d decision) badPlace() string {
	for _, place := range d.places() {
		if !slices.Contains(places, place) || place == "nothing" && d.where != place {
			return cmp.Or(place, "none")
		}
	}
	return ""
}
