package otlp

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Spans are all spans that came, in the order in which they began.
func (r *Receiver) Spans() []*trace.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	var spans []*trace.Span
	for _, from := range r.traces {
		for _, scope := range from.GetScopeSpans() {
			spans = append(spans, scope.GetSpans()...)
		}
	}
	slices.SortStableFunc(spans, func(a, b *trace.Span) int {
		return int(int64(a.GetStartTimeUnixNano()) - int64(b.GetStartTimeUnixNano()))
	})
	return spans
}

// Resource is who sent the spans: attributes by name.
func (r *Receiver) Resource() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	source := map[string]string{}
	for _, from := range r.traces {
		for _, a := range from.GetResource().GetAttributes() {
			source[a.GetKey()] = text(a.GetValue())
		}
	}
	return source
}

// Metrics are the names of all metrics that came, each with its unit.
func (r *Receiver) Metrics() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	units := map[string]string{}
	for _, from := range r.metrics {
		for _, scope := range from.GetScopeMetrics() {
			for _, m := range scope.GetMetrics() {
				units[m.GetName()] = m.GetUnit()
			}
		}
	}
	return units
}

// Tree prints the spans as trees of names, each with its events and those of its
// attributes that are named. Spans that begin in one moment stand in the order of
// what is printed of them: which of them ends first, and so arrives first, varies.
func (r *Receiver) Tree(attributes ...string) string {
	return printSpans(r.Spans(), nil, attributes, 0)
}

// printSpans prints the spans with a parent.
func printSpans(all []*trace.Span, parent []byte, attributes []string, depth int) string {
	type printed struct {
		begin uint64
		text  string
	}
	var spans []printed
	for _, s := range all {
		if bytes.Equal(s.GetParentSpanId(), parent) {
			spans = append(spans, printed{s.GetStartTimeUnixNano(), printSpan(all, s, attributes, depth)})
		}
	}
	slices.SortFunc(spans, func(a, b printed) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.text, b.text)) })
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	return b.String()
}

func printSpan(all []*trace.Span, s *trace.Span, attributes []string, depth int) string {
	var b strings.Builder
	indent := strings.Repeat("  ", depth)
	b.WriteString(indent + s.GetName())
	if s.GetStatus().GetCode() == trace.Status_STATUS_CODE_ERROR {
		b.WriteString(" (failed)")
	}
	if len(s.GetLinks()) > 0 {
		b.WriteString(" (follows)")
	}
	printAttributes(&b, s.GetAttributes(), attributes)
	for _, e := range s.GetEvents() {
		fmt.Fprintf(&b, "%s  * %s", indent, e.GetName())
		printAttributes(&b, e.GetAttributes(), attributes)
	}
	return b.String() + printSpans(all, s.GetSpanId(), attributes, depth+1)
}

func printAttributes(b *strings.Builder, all []*common.KeyValue, names []string) {
	for _, name := range names {
		for _, a := range all {
			if a.GetKey() == name {
				fmt.Fprintf(b, " %s=%s", name, text(a.GetValue()))
			}
		}
	}
	b.WriteByte('\n')
}

// Attribute is an attribute of a span; "" if it has none of that name.
func Attribute(s *trace.Span, name string) string {
	for _, a := range s.GetAttributes() {
		if a.GetKey() == name {
			return text(a.GetValue())
		}
	}
	return ""
}

// text is a value as text.
func text(v *common.AnyValue) string {
	switch v := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		return v.StringValue
	case *common.AnyValue_ArrayValue:
		var all []string
		for _, e := range v.ArrayValue.GetValues() {
			all = append(all, text(e))
		}
		return "[" + strings.Join(all, " ") + "]"
	case *common.AnyValue_IntValue:
		return fmt.Sprint(v.IntValue)
	case *common.AnyValue_DoubleValue:
		return fmt.Sprint(v.DoubleValue)
	case *common.AnyValue_BoolValue:
		return fmt.Sprint(v.BoolValue)
	}
	return ""
}
