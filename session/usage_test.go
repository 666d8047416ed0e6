package session_test

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// TestCompactionTokens: the tokens of a compaction are read by the names of
// Streaming Session Events and by those that the Copilot CLI sends.
func TestCompactionTokens(t *testing.T) {
	t.Parallel()
	for used, want := range map[string]session.AssistantUsage{
		`{"input":100,"output":20,"cachedInput":7}`: {InputTokens: 100, OutputTokens: 20, CacheReadTokens: 7},
		`{"requestCount":1,"model":"m","modelDisplayName":"M","inputTokens":100,"outputTokens":20,"cacheReadTokens":7,"cacheWriteTokens":3,` +
			`"duration":2.5,"copilotUsage":{"totalNanoAiu":9}}`: {
			Model: "m", InputTokens: 100, OutputTokens: 20, CacheReadTokens: 7, CacheWriteTokens: 3, Duration: 2.5,
			CopilotUsage: &session.CopilotUsage{TotalNanoAIU: 9},
		},
		`{"input":"many","output":20}`: {OutputTokens: 20},
		`{}`:                           {},
	} {
		line := `{"type":"session.compaction_complete","data":{"success":true,"compactionTokensUsed":` + used + `},"id":"e"}`
		b, ok := session.Decode([]byte(line)).Body.(session.SessionCompactionComplete)
		if !ok || b.CompactionTokensUsed == nil {
			t.Errorf("%s: read as %+v", used, b)
			continue
		}
		if got := b.CompactionTokensUsed.Usage(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v", used, got)
		}
	}
}

// TestUsageRecords: what of a record has the wrong type costs only itself.
func TestUsageRecords(t *testing.T) {
	t.Parallel()
	for usage, want := range map[string]struct {
		input int
		ok    bool
	}{
		`{"model":"m","inputTokens":10,"brandNew":[{}]}`:        {10, true},
		`{"model":7,"inputTokens":1e1,"quotaSnapshots":"many"}`: {10, true},
		`{"inputTokens":[]}`: {0, true},
		`{"inputTokens":1.}`: {},
		`null`:               {},
		`[]`:                 {},
		`"x"`:                {},
		``:                   {},
	} {
		u, ok := session.SessionUsageRecord{Usage: jsontext.Value(usage)}.Call()
		if u.InputTokens != want.input || ok != want.ok {
			t.Errorf("%s: got %+v, %v", usage, u, ok)
		}
	}
}

// TestUsageCheckpoints reads the sums, of a shape that is not promised.
func TestUsageCheckpoints(t *testing.T) {
	t.Parallel()
	c := session.SessionUsageCheckpoint{
		ProviderModelMetrics: jsontext.Value(`[
			{"provider":null,"modelId":"a","metrics":{"requests":{"count":2,"cost":"dear"},"usage":{"inputTokens":7,"outputTokens":6}}},
			{"provider":{"id":"x"},"modelId":null,"metrics":null}]`),
		AccountingSnapshot: jsontext.Value(`{"totalApiDurationMs":36,"totalUserRequests":[]}`),
	}
	models := c.Models()
	if len(models) != 1 || models[0].ModelID != "a" || models[0].Metrics.Requests.Count != 2 || models[0].Metrics.Usage.OutputTokens != 6 {
		t.Errorf("got %+v", models)
	}
	if got := c.APIDurationMs(); got != 36 {
		t.Errorf("waited %v ms", got)
	}
	for metric, want := range map[string]int{ // what says anything of a model stays
		`{"modelId":"a"}`:                                                1,
		`{"metrics":{"requests":{"count":1}}}`:                           1,
		`{"metrics":{"usage":{"inputTokens":1}}}`:                        1,
		`{"metrics":{"usage":{"outputTokens":1}}}`:                       1,
		`{"metrics":{"usage":{"inputTokens":1,"outputTokens":1}}}`:       1,
		`{"provider":{"id":"x"},"modelId":"","metrics":{"requests":{}}}`: 0,
	} {
		c := session.SessionUsageCheckpoint{ProviderModelMetrics: jsontext.Value(`[` + metric + `]`)}
		if got := c.Models(); len(got) != want {
			t.Errorf("%s: %+v, want %d", metric, got, want)
		}
	}
	for _, odd := range []string{``, `null`, `{}`, `[7]`, `"x"`} {
		c := session.SessionUsageCheckpoint{ProviderModelMetrics: jsontext.Value(odd), AccountingSnapshot: jsontext.Value(odd)}
		if len(c.Models()) != 0 || c.APIDurationMs() != 0 {
			t.Errorf("%s: %+v, %v", odd, c.Models(), c.APIDurationMs())
		}
	}
}
