package telemetry

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// scope names the instrumentation in what is exported.
const scope = "parley/telemetry"

// instruments are the metrics of all sessions.
type instruments struct {
	tokens     metric.Int64Histogram
	turns      metric.Int64Histogram
	calls      metric.Int64Counter
	spent      map[instrument]metric.Float64Counter
	histograms map[instrument]metric.Float64Histogram
}

// The boundaries of histograms that the conventions ask for.
var (
	secondsBoundaries = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	agentBoundaries   = []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6}
	tokenBoundaries   = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
	countBoundaries   = []float64{1, 2, 4, 8, 16, 32, 64, 128}
)

// newInstruments makes the metrics (GenAI semantic conventions, "Metrics").
func newInstruments(m metric.Meter) (*instruments, error) {
	var failed error
	seconds := func(name instrument, what string, boundaries []float64) metric.Float64Histogram {
		h, err := m.Float64Histogram(string(name), metric.WithUnit("s"), metric.WithDescription(what),
			metric.WithExplicitBucketBoundaries(boundaries...))
		failed = errors.Join(failed, err)
		return h
	}
	number := func(name instrument, unit, what string, boundaries []float64) metric.Int64Histogram {
		h, err := m.Int64Histogram(string(name), metric.WithUnit(unit), metric.WithDescription(what),
			metric.WithExplicitBucketBoundaries(boundaries...))
		failed = errors.Join(failed, err)
		return h
	}
	sum := func(name instrument, unit, what string) metric.Float64Counter {
		c, err := m.Float64Counter(string(name), metric.WithUnit(unit), metric.WithDescription(what))
		failed = errors.Join(failed, err)
		return c
	}
	calls, err := m.Int64Counter(string(toolCount), metric.WithUnit("{call}"), metric.WithDescription("Tool calls."))
	i := &instruments{
		tokens: number(tokenUsage, "{token}", "Number of input and output tokens used.", tokenBoundaries),
		turns:  number(turnCount, "{turn}", "Model calls that an agent needed for one message.", countBoundaries),
		calls:  calls,
		spent: map[instrument]metric.Float64Counter{
			cost:    sum(cost, "{request}", "What model calls cost, in premium requests."),
			nanoAIU: sum(nanoAIU, "{nAIU}", "What model calls cost, in billionths of an AI unit."),
		},
		histograms: map[instrument]metric.Float64Histogram{
			operationDuration: seconds(operationDuration, "GenAI operation duration.", secondsBoundaries),
			timeToFirstChunk:  seconds(timeToFirstChunk, "Time to receive the first chunk.", secondsBoundaries),
			agentDuration:     seconds(agentDuration, "How long an agent worked.", agentBoundaries),
			toolDuration:      seconds(toolDuration, "The duration of a single tool execution.", secondsBoundaries),
			waitDuration:      seconds(waitDuration, "How long a question was open.", agentBoundaries),
		},
	}
	return i, errors.Join(failed, err)
}

// recorder carries out the operations of one session with the SDK.
type recorder struct {
	tracer      trace.Tracer
	meters      *instruments
	spans       map[spanID]trace.Span // that are open
	lastRoot    trace.Link            // to the root that was begun last
	lastEnded   trace.Span            // that was ended last: what it took is measured then
	lastEndedID spanID
}

func newRecorder(t trace.Tracer, i *instruments) *recorder {
	return &recorder{tracer: t, meters: i, spans: map[spanID]trace.Span{}}
}

// do carries out operations in order.
func (r *recorder) do(ops []spanOp) {
	for _, s := range ops {
		switch s := s.(type) {
		case startOp:
			r.begin(s)
		case attributesOp:
			r.spans[s.id].SetAttributes(s.attrs...)
		case eventOp:
			r.spans[s.id].AddEvent(s.name, trace.WithTimestamp(s.at), trace.WithAttributes(s.attrs...))
		case endOp:
			r.end(s)
		case metricOp:
			r.measure(s)
		}
	}
}

func (r *recorder) begin(s startOp) {
	options := []trace.SpanStartOption{trace.WithTimestamp(s.at), trace.WithSpanKind(s.kind), trace.WithAttributes(s.attrs...)}
	if s.continues && r.lastRoot.SpanContext.IsValid() {
		options = append(options, trace.WithLinks(r.lastRoot))
	}
	ctx := context.Background()
	if s.parent != 0 {
		ctx = trace.ContextWithSpan(ctx, r.spans[s.parent])
	}
	_, span := r.tracer.Start(ctx, s.name, options...)
	r.spans[s.id] = span
	if s.parent == 0 {
		r.lastRoot = trace.Link{SpanContext: span.SpanContext()}
	}
}

func (r *recorder) end(s endOp) {
	span := r.spans[s.id]
	delete(r.spans, s.id)
	r.lastEnded, r.lastEndedID = span, s.id
	if s.failed != "" {
		span.SetStatus(codes.Error, s.detail)
	}
	span.End(trace.WithTimestamp(s.at))
}

func (r *recorder) measure(s metricOp) {
	ctx := context.Background()
	if span, ok := r.spans[s.id]; ok {
		ctx = trace.ContextWithSpan(ctx, span)
	} else if s.id == r.lastEndedID && r.lastEnded != nil {
		ctx = trace.ContextWithSpan(ctx, r.lastEnded)
	}
	as := metric.WithAttributes(s.attrs...)
	switch s.with {
	case tokenUsage:
		r.meters.tokens.Record(ctx, int64(s.value), as)
	case turnCount:
		r.meters.turns.Record(ctx, int64(s.value), as)
	case toolCount:
		r.meters.calls.Add(ctx, int64(s.value), as)
	case cost, nanoAIU:
		r.meters.spent[s.with].Add(ctx, s.value, as)
	default:
		r.meters.histograms[s.with].Record(ctx, s.value, as)
	}
}
