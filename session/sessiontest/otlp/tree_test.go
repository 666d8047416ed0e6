package otlp

import (
	"testing"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
)

// TestTreeDoesNotDependOnArrival: calls that run side by side begin in one
// millisecond, and either may end first.
func TestTreeDoesNotDependOnArrival(t *testing.T) {
	t.Parallel()
	span := func(id, parent, name string, begin uint64) *trace.Span {
		return &trace.Span{SpanId: []byte(id), ParentSpanId: []byte(parent), Name: name, StartTimeUnixNano: begin}
	}
	root, first, one, other := span("r", "", "turn", 1), span("z", "r", "z before", 2), span("a", "r", "a call", 3), span("b", "r", "b call", 3)
	const want = "turn\n  z before\n  a call\n  b call\n"
	for _, spans := range [][]*trace.Span{{one, other, first, root}, {other, first, one, root}} {
		r := Receiver{traces: []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: spans}}}}}
		if got := r.Tree(); got != want {
			t.Errorf("the tree is\n%s", got)
		}
	}
}
