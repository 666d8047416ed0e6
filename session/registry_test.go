package session_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// source is what the files of the package declare about kinds.
type source struct {
	bodies     []string          // types that embed body
	constants  map[string]string // constant to wire type
	registered map[string]string // types in the codec tables, to the constant of their row, "" for none
	rows       int
}

// TestEveryBodyRegistered holds the places together that a new kind touches: its
// type, its row in a codec table, and its constant if it has one.
func TestEveryBodyRegistered(t *testing.T) {
	t.Parallel()
	src := readSource(t)
	if len(src.bodies) < 100 {
		t.Fatalf("found only %d payload types", len(src.bodies))
	}
	for _, typ := range src.bodies {
		constant, ok := src.registered[typ]
		if !ok {
			t.Errorf("%s is in no codec table", typ)
		}
		if want := "Kind" + typ; constant != want && constant != "" {
			t.Errorf("the row of %s has %s, want %s", typ, constant, want)
		}
	}
	kinds := session.Kinds()
	for constant, wire := range src.constants {
		if typ := strings.TrimPrefix(constant, "Kind"); src.registered[typ] != constant {
			t.Errorf("%s is not in the row of %s", constant, typ)
		}
		if !slices.Contains(kinds, session.Kind(wire)) {
			t.Errorf("%s (%s) is not in Kinds", constant, wire)
		}
	}
	if len(kinds) != len(src.bodies) || len(kinds) != src.rows {
		t.Errorf("%d kinds, %d payload types, %d table entries", len(kinds), len(src.bodies), src.rows)
	}
}

func readSource(t *testing.T) source {
	t.Helper()
	src := source{constants: map[string]string{}, registered: map[string]string{}}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			src.add(n)
			return true
		})
	}
	return src
}

func (s *source) add(n ast.Node) {
	switch n := n.(type) {
	case *ast.TypeSpec:
		if f, ok := n.Type.(*ast.StructType); ok && len(f.Fields.List) > 0 && len(f.Fields.List[0].Names) == 0 {
			if id, ok := f.Fields.List[0].Type.(*ast.Ident); ok && id.Name == "body" {
				s.bodies = append(s.bodies, n.Name.Name)
			}
		}
	case *ast.ValueSpec:
		if typ, ok := n.Type.(*ast.Ident); ok && typ.Name == "Kind" && len(n.Values) == 1 {
			if lit, ok := n.Values[0].(*ast.BasicLit); ok {
				s.constants[n.Names[0].Name], _ = strconv.Unquote(lit.Value)
			}
		}
	case *ast.CallExpr:
		index, _ := n.Fun.(*ast.IndexExpr)
		if index == nil {
			return
		}
		if f, ok := index.X.(*ast.Ident); ok && f.Name == "of" {
			typ, _ := index.Index.(*ast.Ident)
			constant, _ := n.Args[0].(*ast.Ident)
			s.rows++
			if s.registered[typ.Name] = ""; constant != nil {
				s.registered[typ.Name] = constant.Name
			}
		}
	}
}

// TestEveryKindHasSample keeps the corpus complete, and free of samples that
// nothing reads.
func TestEveryKindHasSample(t *testing.T) {
	t.Parallel()
	samples := sessiontest.Events(t)
	for _, k := range session.Kinds() {
		line, ok := samples[k]
		if !ok {
			t.Errorf("there is no testdata/events/%s.json", k)
			continue
		}
		ev := session.Decode(line)
		if u, ok := ev.Body.(session.Unknown); ok {
			t.Errorf("%s does not decode: %v", k, u.Reason)
		}
		if ev.Kind() != k {
			t.Errorf("testdata/events/%s.json holds a %s", k, ev.Kind())
		}
		if ev.ID == "" || ev.Time.IsZero() {
			t.Errorf("testdata/events/%s.json has no id or no time", k)
		}
		delete(samples, k)
	}
	for k := range samples {
		t.Errorf("testdata/events/%s.json is of no kind", k)
	}
}

// TestSamplesAreDecodedWhole lists what the samples hold that no field is for.
// The list is in the golden file, so that a new field of the protocol is seen.
func TestSamplesAreDecodedWhole(t *testing.T) {
	t.Parallel()
	var found []string
	for _, line := range sessiontest.Events(t) {
		ev := session.Decode(line)
		found = append(found, extras(ev)...)
	}
	slices.Sort(found)
	sessiontest.Golden(t, "session/extra", strings.Join(found, "\n"))
}

// leftUnknown are the types of the protocol's table that have no payload type
// on purpose, and why. A trailing * stands for any rest.
var leftUnknown = map[string]string{
	"model.*":                                   "dropped as noise",
	"sandbox.decision":                          "dropped as noise",
	"session.managed_settings_resolved":         "dropped as noise",
	"session.indexed_search":                    "dropped as noise",
	"assistant.fusion_phase_*":                  "experimental, not seen, and the table does not list all members",
	"session.fusion_*":                          "experimental, not seen, and the table does not list all members",
	"session.canvas.*":                          "for clients that host canvases of extensions",
	"session.extensions.attachments_pushed":     "for clients that host extensions",
	"permission.assentDetected":                 "how the runtime reads messages for consent, nothing that happened",
	"permission.contextualAuthorization":        "the same",
	"permission.messageAuthorization*":          "the same",
	"human_response.recorded":                   "repeats an answer for the runtime's own books",
	"prompt_cache_break":                        "accounting",
	"session.quota_observation":                 "accounting",
	"session.completion_receipt":                "accounting",
	"session.auto_tier_recommendation":          "an offer for a picker that does not exist here",
	"session.memory_changed":                    "empty and internal",
	"session.request_body_compression_disabled": "transport",
}

// TestProtocolTable checks that every member that the protocol's table names is
// a field, and that every type in it has a payload or a reason to have none.
func TestProtocolTable(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile(filepath.Join(sessiontest.Root(t), "testdata", "protocol", "members.txt"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := session.Kinds()
	types := 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		types++
		kind, members, _ := strings.Cut(strings.TrimSpace(line), " ")
		known := slices.Contains(kinds, session.Kind(kind))
		if left := isLeft(kind); known == left {
			t.Errorf("%s: in the set %t, left unknown on purpose %t", kind, known, left)
		}
		for _, m := range strings.Fields(members) {
			ev := session.Decode([]byte(`{"type":"` + kind + `","data":{"` + m + `":null}}`))
			if got := extras(ev); known && len(got) > 0 {
				t.Errorf("%s has no field for %s", kind, m)
			}
		}
	}
	if types != 178 {
		t.Errorf("the table has %d types, want 178", types)
	}
}

func isLeft(kind string) bool {
	for pattern := range leftUnknown {
		prefix, open := strings.CutSuffix(pattern, "*")
		if kind == pattern || open && strings.HasPrefix(kind, prefix) && kind != "model.call_failure" {
			return true
		}
	}
	return false
}
