package session_test

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestEveryReferenceType decodes all of testdata/protocol/documented.jsonl into
// fields, and writes all of it back.
func TestEveryReferenceType(t *testing.T) {
	t.Parallel()
	kinds := map[session.Kind]bool{}
	for _, p := range sessiontest.Reference(t) {
		kinds[p.Kind] = true
		line := `{"type":"` + string(p.Kind) + `","data":` + string(p.Data) + `,"id":"i","timestamp":"2026-11-21T11:00:00.000Z","parentId":null}`
		ev := session.Decode([]byte(line))
		if u, ok := ev.Body.(session.Unknown); ok {
			t.Errorf("%s is Unknown: %v", p.Kind, u.Reason)
			continue
		}
		if left := extras(ev); len(left) > 0 {
			t.Errorf("no field for %s", strings.Join(left, ", "))
		}
		out, err := session.Encode(ev)
		if err != nil {
			t.Fatal(err)
		}
		// Members that only the runtime requires are added; none may be lost.
		if lost, err := omitted(out, []byte(line)); err != nil || !empty(lost) {
			t.Errorf("%s became %s: %v, with %v", line, out, err, lost)
		}
	}
	// 44 types have a section in the first document and 12 more are in the second.
	if len(kinds) != 56 {
		t.Errorf("%d types, want 56", len(kinds))
	}
}
