package generate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"parley/session"
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

// eventRow is a row of a table of docs/events.md: the type, what is known of its
// storage, and the columns that are written by hand.
var eventRow = regexp.MustCompile(
	"(?m)^\\| `([a-z][\\w.]*)` \\| [^|]* \\| ([^|]*) \\| ([^|]*) \\| ((?:[^|\\\\]|\\\\.)*) \\| `([^`]*)` \\|$",
)

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
		rows = append(rows, decision{empty.Body, row[2], row[3], strings.ReplaceAll(row[4], `\|`, "|"), row[5]})
	}
	return rows, nil
}

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

// seenByModel are the answers to whether the model sees an event.
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
	{"message_events.go", "What is said"},
	{"tool_events.go", "Calls of tools"},
	{"turn_events.go", "Turns, and what the agent is about"},
	{"subagent_events.go", "Sub-agents, skills, hooks and workflows"},
	{"context_events.go", "The model's context and what it costs"},
	{"permission_events.go", "Permissions"},
	{"question_events.go", "Questions, forms and plans"},
	{"client_request_events.go", "What else the agent asks for"},
	{"ask.go", "Parley's own question"},
	{"confirmation_events.go", "What SSE chat agents say besides"},
	{"notice_events.go", "Notices"},
	{"setting_events.go", "Settings"},
	{"catalog_events.go", "What the session has to work with"},
	{"lifecycle_events.go", "The session"},
}

// places are where the event appears.
func (d decision) places() []string { return strings.Split(d.where, ", ") }

// eventsDocument is docs/events.md.
func eventsDocument(repository fs.FS) (string, error) {
	stored, err := storedAs(repository)
	if err != nil {
		return "", err
	}
	sources, err := sourceFiles(repository)
	if err != nil {
		return "", err
	}
	written, err := decisions(repository)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# Where each event appears\n\n" +
		"What becomes of every type of event that Parley reads. The rows are written here, in any section; `make docs` puts\n" +
		"them in theirs and fills in what is stored. A test fails when a type has no row, when what happens is not what its\n" +
		"row says, and when the test that a row names is gone. What a sub-agent says appears in the same way in a timeline of\n" +
		"its own, inside the call that runs it.\n\n")
	b.WriteString("**Where**\n\n")
	legend(&b, places, "entry", "minor entry", "part of an entry", "status", "title", "panel", "badge", "question", "nothing")
	b.WriteString("\n**Model**: whether the model sees it\n\n")
	legend(&b, seenByModel, "yes", "as a user message", "as a system prompt", "as a result", "in part", "no")
	b.WriteString("\n**Stored**: `persisted` events are in the session's log and come again when it is resumed, `ephemeral` ones are\n" +
		"gone once they were shown; of `either`, the sender chooses. Where the documents say otherwise than the runtime does, the\n" +
		"row has both; Parley goes by each event.\n")
	rows := map[string][]decision{}
	for _, d := range written {
		file := sources[reflect.TypeOf(d.body).Name()]
		rows[file] = append(rows[file], d)
	}
	for _, s := range subjects {
		fmt.Fprintf(&b, "\n## %s\n\n| type | stored | where | model | what the user sees | test |\n|---|---|---|---|---|---|\n", s.title)
		for _, d := range rows[s.file] {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | `%s` |\n",
				session.KindOf(d.body), stored[session.KindOf(d.body)], d.where, d.model, cell(d.shows), d.test)
		}
		delete(rows, s.file)
	}
	for file := range rows {
		return "", fmt.Errorf("session/%s declares types and has no heading: add it to subjects in docs/generate/events.go", file)
	}
	withoutRow(&b, stored)
	return b.String(), nil
}

func legend(b *strings.Builder, words map[string]string, order ...string) {
	for _, word := range order {
		fmt.Fprintf(b, "- `%s`: %s\n", word, words[word])
	}
}

// withoutRow lists the types of the runtime that have no row.
func withoutRow(b *strings.Builder, stored map[session.Kind]storage) {
	var dropped, books []string
	for _, kind := range strangers(stored) {
		word := "`" + string(kind) + "`"
		switch {
		case kind.Noise():
			dropped = append(dropped, word)
		case timeline.New().Apply(session.Event{ID: "stranger", Body: session.Unknown{Type: kind}}) == timeline.Ignored:
			books = append(books, word)
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

// strangers are the types of the runtime that the codec does not know.
func strangers(stored map[session.Kind]storage) []session.Kind {
	known := session.Kinds()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(stored)), func(kind session.Kind) bool { return slices.Contains(known, kind) })
}

// sourceFiles returns which file of the session package declares a Go type.
func sourceFiles(repository fs.FS) (map[string]string, error) {
	paths, err := fs.Glob(repository, "session/*.go")
	if err != nil {
		return nil, err
	}
	declared := map[string]string{}
	for _, name := range paths {
		source, err := fs.ReadFile(repository, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok {
				declared[s.Name.Name] = path.Base(name)
			}
			_, inside := n.(*ast.FuncDecl)
			return !inside
		})
	}
	return declared, nil
}
