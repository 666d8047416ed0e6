package telemetry

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/metric"
)

// scope names the instrumentation in what is exported.
const scope = "parley/telemetry"

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

// The boundaries of histograms that the conventions ask for.
var (
	secondsBoundaries = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	agentBoundaries   = []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6}
	tokenBoundaries   = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
	countBoundaries   = []float64{1, 2, 4, 8, 16, 32, 64, 128}
)

// instruments are the metrics of all sessions: what records a value with each.
type instruments map[instrument]func(context.Context, float64, metric.MeasurementOption)

// newInstruments makes the metrics (GenAI semantic conventions, "Metrics").
func newInstruments(m metric.Meter) (instruments, error) {
	all := instruments{}
	var failed error
	seconds := func(name instrument, what string, boundaries []float64) {
		h, err := m.Float64Histogram(string(name), metric.WithUnit("s"), metric.WithDescription(what),
			metric.WithExplicitBucketBoundaries(boundaries...))
		failed = errors.Join(failed, err)
		all[name] = func(ctx context.Context, value float64, a metric.MeasurementOption) { h.Record(ctx, value, a) }
	}
	number := func(name instrument, unit, what string, boundaries []float64) {
		h, err := m.Int64Histogram(string(name), metric.WithUnit(unit), metric.WithDescription(what),
			metric.WithExplicitBucketBoundaries(boundaries...))
		failed = errors.Join(failed, err)
		all[name] = func(ctx context.Context, value float64, a metric.MeasurementOption) { h.Record(ctx, int64(value), a) }
	}
	sum := func(name instrument, unit, what string) {
		c, err := m.Float64Counter(string(name), metric.WithUnit(unit), metric.WithDescription(what))
		failed = errors.Join(failed, err)
		all[name] = func(ctx context.Context, value float64, a metric.MeasurementOption) { c.Add(ctx, value, a) }
	}
	number(tokenUsage, "{token}", "Number of input and output tokens used.", tokenBoundaries)
	number(turnCount, "{turn}", "Model calls that an agent needed for one message.", countBoundaries)
	sum(cost, "{request}", "What model calls cost, in premium requests.")
	sum(nanoAIU, "{nAIU}", "What model calls cost, in billionths of an AI unit.")
	seconds(operationDuration, "GenAI operation duration.", secondsBoundaries)
	seconds(timeToFirstChunk, "Time to receive the first chunk.", secondsBoundaries)
	seconds(agentDuration, "How long an agent worked.", agentBoundaries)
	seconds(toolDuration, "The duration of a single tool execution.", secondsBoundaries)
	seconds(waitDuration, "How long a question was open.", agentBoundaries)
	calls, err := m.Int64Counter(string(toolCount), metric.WithUnit("{call}"), metric.WithDescription("Tool calls."))
	all[toolCount] = func(ctx context.Context, value float64, a metric.MeasurementOption) { calls.Add(ctx, int64(value), a) }
	return all, errors.Join(failed, err)
}
