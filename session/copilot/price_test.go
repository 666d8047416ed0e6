package copilot

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// TestReadModels reads entries in the form of the runtime's schema, which
// models.list has, in that of the Copilot service, and in none.
func TestReadModels(t *testing.T) {
	t.Parallel()
	const schema = `{"id": "m", "name": "M", "vendor": "V", "modelPickerCategory": "powerful", "modelPickerPriceCategory": "very_high",
		"capabilities": {"supports": {"vision": true, "reasoningEffort": true, "reasoning_effort": ["low", "max"]},
			"limits": {"max_context_window_tokens": 3e5, "max_prompt_tokens": 200000.0, "max_output_tokens": 9}},
		"supportedReasoningEfforts": ["low", "high"], "defaultReasoningEffort": "high",
		"policy": {"state": "unconfigured", "terms": "Say yes."},
		"infoMessages": [{"code": "i", "message": "News."}], "warningMessages": [{"code": "w", "message": "Care."}],
		"warningText": {"dataRetention": "Kept."}, "provider": {"id": "copilot", "label": "GitHub Copilot", "kind": "copilot"}}`
	want := session.Model{
		ID: "m", Name: "M", Vendor: "V", Price: "very high cost", Vision: true,
		Efforts: []string{"low", "high"}, DefaultEffort: "high", ContextTokens: 300_000, PromptTokens: 200_000, OutputTokens: 9,
		Warning:  "Kept. Care. News.",
		Disabled: "not enabled for this account; it can be enabled in the Copilot settings on GitHub: Say yes.",
	}
	for name, tc := range map[string]struct {
		raw  string
		want []session.Model
	}{
		"schema":       {schema, []session.Model{want}},
		"other shape":  {`{"id": "x", "name": "X", "capabilities": 7}`, []session.Model{{ID: "x", Name: "X"}}},
		"other name":   {`{"id": "x", "name": 5}`, []session.Model{{ID: "x", Name: "x"}}},
		"no id":        {`{"name": "X"}`, []session.Model{}},
		"no object":    {`[1]`, []session.Model{}},
		"issue":        {`{"id": "x", "issues": [{"code": "missing_tool_calls"}]}`, []session.Model{{ID: "x", Name: "x", Disabled: "missing tool calls"}}},
		"issue's text": {`{"id": "x", "issues": [{"code": "a", "message": "No tools."}]}`, []session.Model{{ID: "x", Name: "x", Disabled: "No tools."}}},
		"odd default":  {`{"id": "x", "defaultReasoningEffort": "high"}`, []session.Model{{ID: "x", Name: "x"}}},
		"efforts":      {`{"id": "x", "capabilities": {"supports": {"reasoning_effort": ["a"]}}}`, []session.Model{{ID: "x", Name: "x", Efforts: []string{"a"}}}},
		"whether only": {`{"id": "x", "capabilities": {"supports": {"reasoningEffort": true}}}`, []session.Model{{ID: "x", Name: "x"}}},
	} {
		got := []session.Model{}
		for _, m := range readModels([]jsontext.Value{jsontext.Value(tc.raw)}) {
			got = append(got, m.model())
		}
		if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: got\n%+v, want\n%+v", name, got, tc.want)
		}
	}
}

func TestPrice(t *testing.T) {
	t.Parallel()
	for billing, want := range map[string]string{
		`{}`:                      "",
		`{"multiplier": 0}`:       "free",
		`{"multiplier": 1}`:       "1x",
		`{"multiplier": 1.0}`:     "1x",
		`{"multiplier": 0.333}`:   "0.33x",
		`{"multiplier": 10}`:      "10x",
		`{"multiplier": 7.5}`:     "7.5x",
		`{"discountPercent": 10}`: "10% off",
		`{"multiplier": 1, "promo": {"discountPercent": 12.5}}`: "1x, 12.5% off",
		// With prices for tokens nothing is free.
		`{"multiplier": 0, "tokenPrices": {"inputPrice": 3, "outputPrice": 15, "batchSize": 1000}}`: "3000 in, 15000 out credits per 1M tokens",
		`{"token_prices": {"default": {"input_price": 0.5}, "batch_size": 1000000}}`:                "0.5 in, 0 out credits per 1M tokens",
		`{"tokenPrices": {"inputPrice": 3, "outputPrice": 15}}`:                                     "",
		`{"multiplier": 2, "tokenPrices": {"inputPrice": 3, "outputPrice": 15, "batchSize": 1000}}`: "2x",
	} {
		m := readModels([]jsontext.Value{jsontext.Value(`{"id": "m", "provider": {"kind": "copilot"}, "billing": ` + billing + `}`)})[0]
		m.unit = "ai_credits"
		if got := m.price(); got != want {
			t.Errorf("%s: %q, want %q", billing, got, want)
		}
		m.Provider.Kind = "" // the user's own
		if got := m.price(); got != "" {
			t.Errorf("%s of the user's own: %q", billing, got)
		}
	}
	nano := readModels([]jsontext.Value{jsontext.Value(`{"id": "m", "provider": {"kind": "copilot"},
		"billing": {"tokenPrices": {"inputPrice": 2e9, "outputPrice": 5e8, "batchSize": 1000000}}}`)})[0]
	if got := nano.price(); got != "" {
		t.Errorf("a price in an unknown unit: %q", got)
	}
	nano.unit = "nano_aiu"
	if got := nano.price(); got != "2 in, 0.5 out credits per 1M tokens" {
		t.Errorf("in billionths: %q", got)
	}
}
