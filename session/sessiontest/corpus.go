// Package sessiontest is what tests of several packages share: the corpus of
// events and logs, golden files, the conformance suite of agents, and what
// benchmarks play and report.
package sessiontest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Events returns one event of each kind in its wire form, from
// testdata/events/<kind>.json: a recorded one where there is one, otherwise one
// made from the protocol's table. Each call reads anew; the caller may change
// what it gets.
func Events(tb testing.TB) map[session.Kind][]byte {
	tb.Helper()
	files := glob(tb, "testdata/events/*.json")
	events := make(map[session.Kind][]byte, len(files))
	for _, f := range files {
		line, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		kind := session.Kind(strings.TrimSuffix(filepath.Base(f), ".json"))
		events[kind] = bytes.TrimSpace(line)
	}
	return events
}

// Payload is a line of testdata/protocol/documented.jsonl: an event in the form
// that is documented for it.
type Payload struct {
	Kind session.Kind   `json:"type"`
	Data jsontext.Value `json:"data"`
}

// Reference returns the lines of testdata/protocol/documented.jsonl: every type
// of event that is documented, with every documented field, in the documented
// form where the runtime's differs (docs/protocol.md, section 12). A type that
// is documented without fields has none.
func Reference(tb testing.TB) []Payload {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(Root(tb), "testdata", "protocol", "documented.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	var all []Payload
	for line := range bytes.Lines(text) {
		var p Payload
		if err := json.Unmarshal(line, &p); err != nil {
			tb.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// Logs returns the paths of the recorded logs in testdata/sessions, sorted by
// name. They are JSON lines, as session.ReadLog takes them.
func Logs(tb testing.TB) []string {
	tb.Helper()
	return glob(tb, "testdata/sessions/*.jsonl")
}

// LogNames returns every recorded log and every one written by hand, by the
// names that Log takes.
func LogNames(tb testing.TB) []string {
	tb.Helper()
	root := filepath.Join(Root(tb), "testdata", "sessions")
	var names []string
	for _, path := range slices.Concat(Logs(tb), glob(tb, "testdata/sessions/hand/*.jsonl")) {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			tb.Fatal(err)
		}
		names = append(names, strings.TrimSuffix(filepath.ToSlash(rel), ".jsonl"))
	}
	return names
}

// Log returns the events of one recorded log, by its name without the folder
// and the extension. A line that is no event fails the test.
func Log(tb testing.TB, name string) []session.Event {
	tb.Helper()
	f, err := os.Open(filepath.Join(Root(tb), "testdata", "sessions", name+".jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var events []session.Event
	for ev, err := range session.ReadLog(f) {
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		events = append(events, ev)
	}
	return events
}

// Root returns the folder of the module's go.mod, wherever the test runs.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("no go.mod above the folder of the test")
		}
		dir = up
	}
}

// glob returns the files that match a pattern relative to the module's root. No
// match fails the test, so that a corpus that is missing cannot pass for a good one.
func glob(tb testing.TB, pattern string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(Root(tb), filepath.FromSlash(pattern)))
	if err != nil {
		tb.Fatal(err)
	}
	if len(files) == 0 {
		tb.Fatalf("no files match %s", pattern)
	}
	slices.Sort(files)
	return files
}
