package telemetry

import (
	"math"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/encoding/protowire"
)

// encoding is a message of OTLP in the encoding of protocol buffers. What is set to its zero
// value is left out, which means the same. The numbers of fields are those of
// opentelemetry-proto, where none ever changes.
type encoding []byte

func (m *encoding) bytes(field protowire.Number, b []byte) {
	if len(b) > 0 {
		*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), b)
	}
}

func (m *encoding) text(field protowire.Number, s string) {
	m.bytes(field, []byte(strings.ToValidUTF8(s, "\uFFFD")))
}

func (m *encoding) number(field protowire.Number, n uint64) {
	if n != 0 {
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), n)
	}
}

// fixed is 64 bits, which are written also if they are zero.
func (m *encoding) fixed(field protowire.Number, bits uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), bits)
}

func (m *encoding) time(field protowire.Number, t time.Time) {
	if !t.IsZero() {
		m.fixed(field, uint64(max(0, t.UnixNano())))
	}
}

// in adds a message in this one, also an empty one.
func (m *encoding) in(field protowire.Number, write func(m *encoding)) {
	var inner encoding
	write(&inner)
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), inner)
}

func (m *encoding) attributes(field protowire.Number, all []attribute.KeyValue) {
	for _, a := range all {
		m.in(field, func(m *encoding) {
			m.text(1, string(a.Key))
			m.in(2, func(m *encoding) { m.value(a.Value) })
		})
	}
}

// value is one of a KeyValue, whose type counts even if it is zero.
func (m *encoding) value(v attribute.Value) {
	switch v.Type() {
	case attribute.BOOL:
		*m = protowire.AppendVarint(protowire.AppendTag(*m, 2, protowire.VarintType), protowire.EncodeBool(v.AsBool()))
	case attribute.INT64:
		*m = protowire.AppendVarint(protowire.AppendTag(*m, 3, protowire.VarintType), uint64(v.AsInt64()))
	case attribute.FLOAT64:
		m.fixed(4, math.Float64bits(v.AsFloat64()))
	case attribute.STRINGSLICE:
		m.in(5, func(m *encoding) {
			for _, s := range v.AsStringSlice() {
				m.in(1, func(m *encoding) { m.value(attribute.StringValue(s)) })
			}
		})
	default: // no span and no metric has an attribute of another type
		m.in(1, func(m *encoding) { *m = append(*m, strings.ToValidUTF8(v.String(), "\uFFFD")...) })
	}
}

func (m *encoding) source(r *resource.Resource) {
	m.in(1, func(m *encoding) { m.attributes(1, r.Attributes()) })
	m.text(3, r.SchemaURL())
}

func (m *encoding) scope(s instrumentation.Scope) {
	m.in(1, func(m *encoding) { m.text(1, s.Name); m.text(2, s.Version) })
	m.text(3, s.SchemaURL)
}

// encodeSpans is a request to export spans, which are all of one resource and scope.
func encodeSpans(spans []sdktrace.ReadOnlySpan) (m encoding) {
	if len(spans) == 0 {
		return nil
	}
	m.in(1, func(m *encoding) {
		m.source(spans[0].Resource())
		m.in(2, func(m *encoding) {
			m.scope(spans[0].InstrumentationScope())
			for _, s := range spans {
				m.in(2, func(m *encoding) { m.span(s) })
			}
		})
	})
	return m
}

func (m *encoding) place(traceField, spanField protowire.Number, of trace.SpanContext) {
	id, span := of.TraceID(), of.SpanID()
	if of.HasTraceID() {
		m.bytes(traceField, id[:])
	}
	if of.HasSpanID() {
		m.bytes(spanField, span[:])
	}
}

// flags are those of the trace, and that it is known to have begun in this process.
func (m *encoding) flags(field protowire.Number, of trace.SpanContext) {
	const remoteIsKnown = 0x100
	*m = protowire.AppendFixed32(protowire.AppendTag(*m, field, protowire.Fixed32Type), remoteIsKnown|uint32(of.TraceFlags()))
}

func (m *encoding) span(s sdktrace.ReadOnlySpan) {
	m.place(1, 2, s.SpanContext())
	if parent := s.Parent().SpanID(); parent.IsValid() {
		m.bytes(4, parent[:])
	}
	m.text(5, s.Name())
	m.number(6, uint64(s.SpanKind()))
	m.time(7, s.StartTime())
	m.time(8, s.EndTime())
	m.attributes(9, s.Attributes())
	m.number(10, uint64(s.DroppedAttributes()))
	for _, e := range s.Events() {
		m.in(11, func(m *encoding) { m.time(1, e.Time); m.text(2, e.Name); m.attributes(3, e.Attributes) })
	}
	m.number(12, uint64(s.DroppedEvents()))
	for _, l := range s.Links() {
		m.in(13, func(m *encoding) {
			m.place(1, 2, l.SpanContext)
			m.attributes(4, l.Attributes)
			m.flags(6, l.SpanContext)
		})
	}
	m.number(14, uint64(s.DroppedLinks()))
	m.in(15, func(m *encoding) {
		m.text(2, s.Status().Description)
		m.number(3, uint64(slices.Index([]codes.Code{codes.Unset, codes.Ok, codes.Error}, s.Status().Code)))
	})
	m.flags(16, s.SpanContext())
}

// encodeMetrics is a request to export metrics.
func encodeMetrics(all *metricdata.ResourceMetrics) (m encoding) {
	m.in(1, func(m *encoding) {
		m.source(all.Resource)
		for _, s := range all.ScopeMetrics {
			m.in(2, func(m *encoding) {
				m.scope(s.Scope)
				for _, one := range s.Metrics {
					m.in(2, func(m *encoding) { m.metric(one) })
				}
			})
		}
	})
	return m
}

func (m *encoding) metric(one metricdata.Metrics) {
	m.text(1, one.Name)
	m.text(2, one.Description)
	m.text(3, one.Unit)
	switch data := one.Data.(type) { // of the kinds of instruments that there are
	case metricdata.Sum[int64]:
		sum(m, data)
	case metricdata.Sum[float64]:
		sum(m, data)
	case metricdata.Histogram[int64]:
		histogram(m, data)
	case metricdata.Histogram[float64]:
		histogram(m, data)
	}
}

func sum[N int64 | float64](m *encoding, data metricdata.Sum[N]) {
	m.in(7, func(m *encoding) {
		for _, p := range data.DataPoints {
			m.in(1, func(m *encoding) {
				m.time(2, p.StartTime)
				m.time(3, p.Time)
				m.amount(4, 6, any(p.Value))
				exemplars(m, 5, p.Exemplars)
				m.attributes(7, p.Attributes.ToSlice())
			})
		}
		m.temporality(2, data.Temporality)
		m.number(3, protowire.EncodeBool(data.IsMonotonic))
	})
}

func histogram[N int64 | float64](m *encoding, data metricdata.Histogram[N]) {
	m.in(9, func(m *encoding) {
		for _, p := range data.DataPoints {
			m.in(1, func(m *encoding) {
				m.time(2, p.StartTime)
				m.time(3, p.Time)
				m.fixed(4, p.Count)
				m.fixed(5, math.Float64bits(float64(p.Sum)))
				m.in(6, func(m *encoding) {
					for _, n := range p.BucketCounts {
						*m = protowire.AppendFixed64(*m, n)
					}
				})
				m.in(7, func(m *encoding) {
					for _, b := range p.Bounds {
						*m = protowire.AppendFixed64(*m, math.Float64bits(b))
					}
				})
				exemplars(m, 8, p.Exemplars)
				m.attributes(9, p.Attributes.ToSlice())
				for field, extreme := range map[protowire.Number]metricdata.Extrema[N]{11: p.Min, 12: p.Max} {
					if v, ok := extreme.Value(); ok {
						m.fixed(field, math.Float64bits(float64(v)))
					}
				}
			})
		}
		m.temporality(2, data.Temporality)
	})
}

func exemplars[N int64 | float64](m *encoding, field protowire.Number, all []metricdata.Exemplar[N]) {
	for _, e := range all {
		m.in(field, func(m *encoding) {
			m.time(2, e.Time)
			m.amount(3, 6, any(e.Value))
			m.bytes(4, e.SpanID)
			m.bytes(5, e.TraceID)
			m.attributes(7, e.FilteredAttributes)
		})
	}
}

// amount is a number in the field for its type.
func (m *encoding) amount(asFloat, asInt protowire.Number, v any) {
	switch v := v.(type) {
	case float64:
		m.fixed(asFloat, math.Float64bits(v))
	case int64:
		m.fixed(asInt, uint64(v))
	}
}

// temporality says whether points count since the start, 2, or since the last request, 1.
func (m *encoding) temporality(field protowire.Number, t metricdata.Temporality) {
	if t == metricdata.DeltaTemporality {
		m.number(field, 1)
		return
	}
	m.number(field, 2)
}

// field returns the bytes of a field in a message, nil if it has none.
func field(wanted protowire.Number, m []byte) []byte {
	for len(m) > 0 {
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			return nil
		}
		m = m[n:]
		if number == wanted && kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(m)
			return value
		}
		if n = protowire.ConsumeFieldValue(number, kind, m); n < 0 {
			return nil
		}
		m = m[n:]
	}
	return nil
}
