package copilot

import (
	"reflect"
	"testing"
	"time"

	"parley/session"
)

func TestContextParts(t *testing.T) {
	t.Parallel()
	part := func(name string, tokens, depth int) session.ContextPart {
		return session.ContextPart{Name: name, Tokens: tokens, Depth: depth}
	}
	for name, test := range map[string]struct {
		in   []attribution
		want []session.ContextPart
	}{
		"nested": {
			[]attribution{
				{"bash", "bash", 1, "tools"},
				{"system", "System", 5, ""},
				{"tools", "Tools", 9, ""},
				{"task", "task", 7, "tools"},
				{"deep", "deep", 3, "task"},
			},
			[]session.ContextPart{
				part("Tools", 9, 0), part("task", 7, 1), part("deep", 3, 2), part("bash", 1, 1), part("System", 5, 0),
			},
		},
		"an unknown parent": {[]attribution{{"a", "A", 1, "gone"}}, []session.ContextPart{part("A", 1, 0)}},
		"its own parent":    {[]attribution{{"a", "A", 1, "a"}}, []session.ContextPart{part("A", 1, 0)}},
		"a ring": {
			[]attribution{{"a", "A", 1, "b"}, {"b", "B", 1, "a"}, {"c", "C", 1, ""}},
			[]session.ContextPart{part("C", 1, 0)},
		},
		"an id twice": {
			[]attribution{{"a", "A", 2, ""}, {"a", "A", 1, ""}, {"b", "B", 1, "a"}},
			[]session.ContextPart{part("A", 2, 0), part("B", 1, 1), part("A", 1, 0)},
		},
		"none": {nil, []session.ContextPart{}},
	} {
		if got := contextParts(test.in); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}

// TestUsageOfAPlan reads what a signed-in runtime reports, which the ones
// of the tests are not.
func TestUsageOfAPlan(t *testing.T) {
	t.Parallel()
	metrics := func(nano string) string {
		model := func(requests, usage, nano string) string {
			return `{"requests":{` + requests + `},"usage":{` + usage + `},"totalNanoAiu":` + nano + `}`
		}
		return `{"totalPremiumRequestCost":1.33,"totalUserRequests":3.0,"totalNanoAiu":` + nano + `,
		"totalApiDurationMs":1500,"sessionStartTime":"2026-01-02T03:04:05.000Z",
		"codeChanges":{"linesAdded":4,"linesRemoved":2,"filesModifiedCount":1,"filesModified":["a.txt"]},
		"modelMetrics":{"m-2":` + model(`"count":1,"cost":0.33`, `"inputTokens":1,"outputTokens":0`, "0") + `,"m-1":` +
			model(`"count":2,"cost":1`, `"inputTokens":30000.0,"outputTokens":20,"cacheReadTokens":3,"cacheWriteTokens":4,"reasoningTokens":5`,
				nano) + `}}`
	}
	const quota = `{"snapshots":{
		"premium_interactions":{"isUnlimitedEntitlement":false,"entitlementRequests":300,"usedRequests":12.5,
			"overage":4.5,"usageAllowedWithExhaustedQuota":false,"overageAllowedWithExhaustedQuota":true,
			"resetDateEpochMs":1767225600000},
		"chat":{"isUnlimitedEntitlement":true,"entitlementRequests":-1,"usedRequests":7},
		"code":{"isUnlimitedEntitlement":false,"entitlementRequests":-1,"usedRequests":1},
		"none":{"isUnlimitedEntitlement":false,"entitlementRequests":0,"usedRequests":0}},
		"isTbbUser":false,"planTier":"pro"}`
	a := can(t, map[string]string{"session.usage.getMetrics": metrics("0"), "session.quota.get": quota})
	got, err := a.Usage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	allowed := true
	want := session.Usage{
		Requests: 3, Cost: 1.33, CostUnit: "premium requests", APITime: 1500 * time.Millisecond,
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Added: 4, Removed: 2, Files: []string{"a.txt"},
		Models: []session.ModelTotal{
			{Model: "m-1", Requests: 2, Cost: 1, Tokens: session.ModelUsage{
				InputTokens: 30000, OutputTokens: 20, CacheReadTokens: 3, CacheWriteTokens: 4, ReasoningTokens: 5,
			}},
			{Model: "m-2", Requests: 1, Cost: 0.33, Tokens: session.ModelUsage{InputTokens: 1}},
		},
		Quotas: []session.Quota{
			{Name: "chat", Used: 7},
			{Name: "code", Used: 1},
			{
				Name: "premium interactions", Used: 12.5, Limit: 300, Overage: 4.5, UsageAllowed: new(bool), OverageAllowed: &allowed,
				Resets: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	a = can(t, map[string]string{"session.usage.getMetrics": metrics("2500000000"), "session.quota.get": quota})
	if got, err = a.Usage(t.Context()); err != nil || got.Cost != 2.5 || got.CostUnit != "AI credits" || got.Models[0].Cost != 2.5 {
		t.Errorf("with credits: %+v, %v", got, err)
	}
	a = can(t, map[string]string{
		"session.usage.getMetrics": `{"sessionStartTime":"2026-01-02T03:04:05Z"}`, "session.quota.get": `{"snapshots":{}}`,
	})
	a.agent.cfg.Provider = &Provider{}
	if got, err = a.Usage(t.Context()); err != nil || got.CostUnit != "" || got.Quotas != nil {
		t.Errorf("with a provider of one's own: %+v, %v", got, err)
	}
}
