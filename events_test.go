package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// decision says what becomes of the events of one type. docs/events.md is made
// of them.
type decision struct {
	body  session.Body // an empty payload of the type
	where string       // places, with commas between
	model string       // whether the model sees it
	shows string       // what a user sees there; for nothing, why
	test  string       // package.Test or package.Test/subtest
}

func decisions() []decision { return slices.Concat(talkDecisions, stateDecisions, sessionDecisions) }

// places are where an event may appear. TestEventPlaces sees the first group
// happen; for the second, the test that the row names must show it.
var places = map[string]string{
	"entry":            "an entry comes, or goes",
	"minor entry":      "an entry that only the verbose density shows",
	"part of an entry": "an entry that is there changes",
	"status":           "what the session is doing and with what changes: the status line, `/status`, `/context`, `/usage`",
	"question":         "a question opens, or closes",
	"nothing":          "nobody sees it; the row says why",

	"title": "the title of the terminal's window",
	"panel": "a list or a panel that is open, or is opened, shows it",
	"badge": "a mark or a number beside the prompt or in the status line",
}

// seenByModel are the answers to whether the model sees an event (System Events
// and UI Projection; protocol note, sections 5 to 9).
var seenByModel = map[string]string{
	"yes":                "it is part of the conversation that the model reads",
	"as a user message":  "the model reads it as if the user had written it",
	"as a system prompt": "the model reads it before the conversation",
	"as a result":        "the model reads what came of it, in the result of the call it is about",
	"in part":            "the model reads some of it; the row says what",
	"no":                 "it is for people and programs",
}

// subjects are the headings of the document: the files of the session package,
// in the order in which a user meets them.
var subjects = []struct{ file, title string }{
	{"message.go", "What is said"},
	{"tool.go", "Calls of tools"},
	{"turn.go", "Turns, and what the agent is about"},
	{"agent.go", "Sub-agents, skills, hooks and workflows"},
	{"context.go", "The model's context and what it costs"},
	{"permission.go", "Permissions"},
	{"input.go", "Questions, forms and plans"},
	{"request.go", "What else the agent asks for"},
	{"ask.go", "Parley's own question"},
	{"chat.go", "What SSE chat agents say besides"},
	{"notice.go", "Notices"},
	{"setting.go", "Settings"},
	{"catalog.go", "What the session has to work with"},
	{"lifecycle.go", "The session"},
}

// TestEventDecisions holds docs/events.md to the decisions, and the decisions to
// the types that the codec knows. With -update it writes the document.
func TestEventDecisions(t *testing.T) {
	t.Parallel()
	for _, complaint := range faults(decisions()) {
		t.Error(complaint)
	}
	checkDocument(t, "docs/events.md", eventsDocument(t))
}

// TestEventComplaints: no row can go, come twice or say less than it must
// without a complaint that names its type.
func TestEventComplaints(t *testing.T) {
	t.Parallel()
	rows := decisions()
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
			if found := faults(rows); len(found) != 1 || !strings.Contains(found[0], string(d.body.Kind())+" ") {
				t.Errorf("%s of %s: %q", what, d.body.Kind(), found)
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
		kind := d.body.Kind()
		count[kind]++
		switch {
		case count[kind] > 1:
			complain("%s has two rows in decisions: keep one", kind)
			continue
		case !slices.Contains(known, kind):
			complain("%s has a row in decisions and no codec: remove the row", kind)
		}
		if bad := d.badPlace(); bad != "" {
			complain("the row of %s names the place %q: it must be one of %s, and nothing stands alone", kind, bad, choices(places))
		}
		if seenByModel[d.model] == "" {
			complain("the row of %s says %q of the model: it must be one of %s", kind, d.model, choices(seenByModel))
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
			complain("%s has no row: decide where it appears, add the row to the decisions of its subject, "+
				"and write docs/events.md with make docs", kind)
		}
	}
	return found
}

func choices(words map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(words)), ", ")
}

// badPlace returns a place that the row may not name.
func (d decision) badPlace() string {
	for _, place := range d.places() {
		if places[place] == "" || place == "nothing" && d.where != place {
			return cmp.Or(place, "none")
		}
	}
	return ""
}

// places are where the event appears.
func (d decision) places() []string { return strings.Split(d.where, ", ") }

// eventsDocument is docs/events.md.
func eventsDocument(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("# Where each event appears\n\n" +
		"What becomes of every type of event that Parley reads. `make docs` writes this file from the decisions in\n" +
		"`events_talk_test.go`, `events_state_test.go` and `events_session_test.go`. A test fails when a type has no row, when\n" +
		"what happens is not what its row says, and when the test that a row names is gone. What a sub-agent says appears in\n" +
		"the same way in a timeline of its own, inside the call that runs it.\n\n")
	b.WriteString("**Where**\n\n")
	legend(&b, places, "entry", "minor entry", "part of an entry", "status", "title", "panel", "badge", "question", "nothing")
	b.WriteString("\n**Model**: whether the model sees it\n\n")
	legend(&b, seenByModel, "yes", "as a user message", "as a system prompt", "as a result", "in part", "no")
	b.WriteString("\n**Stored**: `persisted` events are in the session's log and come again when it is resumed, `ephemeral` ones are\n" +
		"gone once they were shown; of `either`, the sender chooses. Where the documents say otherwise than the runtime does, the\n" +
		"row has both; Parley goes by each event.\n")
	stored, sources := storedAs(t), sourceFiles(t)
	rows := map[string][]decision{}
	for _, d := range decisions() {
		file := sources[d.body.Kind()]
		rows[file] = append(rows[file], d)
	}
	for _, s := range subjects {
		fmt.Fprintf(&b, "\n## %s\n\n| type | stored | where | model | what the user sees | test |\n|---|---|---|---|---|---|\n", s.title)
		for _, d := range rows[s.file] {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | `%s` |\n",
				d.body.Kind(), stored[d.body.Kind()], d.where, d.model, cell(d.shows), d.test)
		}
		delete(rows, s.file)
	}
	for file := range rows {
		t.Errorf("session/%s declares types and has no heading: add it to subjects in events_test.go", file)
	}
	strangers(t, &b, stored)
	return b.String()
}

func legend(b *bytes.Buffer, words map[string]string, order ...string) {
	for _, word := range order {
		fmt.Fprintf(b, "- `%s`: %s\n", word, words[word])
	}
}

// strangers lists the types of the runtime that have no row: what is dropped
// before it is decoded, and what only keeps the runtime's books. Any other must
// be shown as one that Parley does not know.
func strangers(t *testing.T, b *bytes.Buffer, stored map[session.Kind]storage) {
	t.Helper()
	var dropped, books []string
	for _, kind := range slices.Sorted(maps.Keys(stored)) {
		if slices.Contains(session.Kinds(), kind) {
			continue
		}
		word := "`" + string(kind) + "`"
		tl := timeline.New()
		out := tl.Apply(session.Event{ID: "stranger", Body: session.Unknown{Type: kind}})
		switch {
		case kind.Noise():
			dropped = append(dropped, word)
		case out == timeline.Ignored:
			books = append(books, word)
		case tl.Len() != 1:
			t.Errorf("%s has no codec, and makes %d entries: want the one that says so", kind, tl.Len())
		}
	}
	fmt.Fprintf(b, "\n## What has no row\n\n"+
		"Dropped before it is decoded, because it is the runtime's insides with whole prompts in them (decision 12):\n"+
		"any `model.*` but `model.call_failure`, and `sandbox.decision`, `session.indexed_search` and\n"+
		"`session.managed_settings_resolved`. Of the types that are known these are %s.\n\n"+
		"Ignored, because it only keeps the runtime's books: %s.\n\n"+
		"Any other type, one of a later version too, and any event that does not decode, is shown as `Unrecognised`: one\n"+
		"entry for each type, with a count and the raw text. An ephemeral one is gone anyway and is ignored\n"+
		"(`timeline.TestUnknownEvents`).\n", strings.Join(dropped, ", "), strings.Join(books, ", "))
}

// sourceFiles tells which file of the session package declares a type.
func sourceFiles(t *testing.T) map[session.Kind]string {
	t.Helper()
	declared := map[string]string{}
	files, err := filepath.Glob("session/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if types, ok := d.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				for _, spec := range types.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						declared[s.Name.Name] = filepath.Base(path)
					}
				}
			}
		}
	}
	sources := map[session.Kind]string{}
	for _, d := range decisions() {
		sources[d.body.Kind()] = declared[reflect.TypeOf(d.body).Name()]
	}
	return sources
}

// storage says whether the events of a type are stored: by what was seen of them
// and else by the runtime's schema, and by the documents.
type storage struct{ runtime, document string }

// String implements fmt.Stringer. Where the two differ it has both.
func (s storage) String() string {
	switch {
	case s.runtime == "either" || s.document == "either":
		return "either"
	case s.document == "-" || s.document == "" || s.document == s.runtime:
		return s.runtime
	}
	return s.runtime + " (documented: " + s.document + ")"
}

// holds reports whether an event may be stored as a word says.
func (s storage) holds(word string) bool { return s.String() == "either" || s.runtime == word }

// storedAs returns of each type whether its events are persisted
// (testdata/protocol). Parley's own types are not there: their samples say it. A
// sample or a recorded log that says otherwise than the runtime fails.
func storedAs(t *testing.T) map[session.Kind]storage {
	t.Helper()
	text, err := os.ReadFile("testdata/protocol/persistence.txt")
	if err != nil {
		t.Fatal(err)
	}
	stored := map[session.Kind]storage{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); words[0] != "#" {
			s := storage{words[2], words[3]}
			if s.runtime == "-" {
				s.runtime = words[1]
			}
			stored[session.Kind(words[0])] = s
		}
	}
	said := map[bool]string{true: "ephemeral", false: "persisted"}
	for kind, line := range sessiontest.Events(t) {
		word := said[session.Decode(line).Ephemeral]
		switch known, is := stored[kind]; {
		case !is:
			if stored[kind] = (storage{runtime: word}); !strings.HasPrefix(string(kind), "parley.") {
				t.Errorf("%s is not in testdata/protocol/persistence.txt: add it, by the runtime's schema", kind)
			}
		case !known.holds(word):
			t.Errorf("testdata/events/%s.json is %s, and such events are %s by testdata/protocol/persistence.txt: mend one of them",
				kind, word, known)
		}
	}
	for _, path := range sessiontest.Logs(t) {
		for _, ev := range sessiontest.Log(t, strings.TrimSuffix(filepath.Base(path), ".jsonl")) {
			if word, known := said[ev.Ephemeral], stored[ev.Kind()]; !known.holds(word) {
				t.Errorf("%s has a %s %s, and such events are %q by testdata/protocol/persistence.txt: mend that",
					path, word, ev.Kind(), known)
			}
		}
	}
	return stored
}
