package telemetry

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// spanID counts the spans of a session from 1; 0 is no span.
type spanID int

// spanOp is one thing that an event of the log means for telemetry. A projection
// returns operations, and a recorder carries them out.
type spanOp interface{ spanOp() }

// startOp opens a span. Its parent is open, or there is none and the span is the
// root of a trace.
type startOp struct {
	id, parent spanID
	continues  bool // it continues what the root before it began, and is linked to that
	name       string
	kind       trace.SpanKind
	at         time.Time
	attrs      []attribute.KeyValue
}

// attributesOp adds attributes to an open span.
type attributesOp struct {
	id    spanID
	attrs []attribute.KeyValue
}

// eventOp is an event of an open span.
type eventOp struct {
	id    spanID
	name  string
	at    time.Time
	attrs []attribute.KeyValue
}

// endOp closes an open span.
type endOp struct {
	id     spanID
	at     time.Time
	failed string // the class of the error it ended with (error.type); "" for none
	detail string // what the error says; "" unless content is exported
}

// metricOp records a value with an instrument, in the context of a span.
type metricOp struct {
	id    spanID
	with  instrument
	value float64
	attrs []attribute.KeyValue
}

func (startOp) spanOp()      {}
func (attributesOp) spanOp() {}
func (eventOp) spanOp()      {}
func (endOp) spanOp()        {}
func (metricOp) spanOp()     {}

// instrument names a metric.
type instrument string

// The metrics. Those of gen_ai are of the GenAI semantic conventions, those of
// github.copilot have the names that the Copilot CLI gives its own, or, for what a
// call costs, an attribute.
const (
	tokenUsage        instrument = "gen_ai.client.token.usage"
	operationDuration instrument = "gen_ai.client.operation.duration"
	timeToFirstChunk  instrument = "gen_ai.client.operation.time_to_first_chunk"
	agentDuration     instrument = "gen_ai.invoke_agent.duration"
	toolDuration      instrument = "gen_ai.execute_tool.duration"
	toolCount         instrument = "github.copilot.tool.call.count"
	turnCount         instrument = "github.copilot.agent.turn.count"
	cost              instrument = "github.copilot.cost"
	nanoAIU           instrument = "github.copilot.nano_aiu"
	waitDuration      instrument = "parley.wait.duration"
)
