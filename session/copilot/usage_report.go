package copilot

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// Numbers of the runtime are read as floating point ones: whole ones too may
// come as 30000.0 (docs/protocol.md, section 2).

// contextInfo is the result of session.metadata.contextInfo.
type contextInfo struct {
	ModelName           string  `json:"modelName"`
	Limit               float64 `json:"limit"`
	TotalTokens         float64 `json:"totalTokens"`
	CompactionThreshold float64 `json:"compactionThreshold"`
	ConversationTokens  float64 `json:"conversationTokens"`
}

// attribution is an entry of session.metadata.getContextAttribution.
type attribution struct {
	ID       string  `json:"id"`
	Label    string  `json:"label"`
	Tokens   float64 `json:"tokens"`
	ParentID string  `json:"parentId"`
}

// ContextUse implements session.ContextReporter.
func (rs reports) ContextUse(ctx context.Context) (*session.ContextUse, error) {
	use, err := rs.contextUse(ctx)
	return use, attempt(err, "read how the context is filled")
}

func (rs reports) contextUse(ctx context.Context) (*session.ContextUse, error) {
	// Without limits of ours the runtime takes the model's.
	p := object{"promptTokenLimit": 0, "outputTokenLimit": 0}
	info, err := ask[*contextInfo](ctx, rs, "session.metadata.contextInfo", p, "contextInfo")
	if err != nil || info == nil {
		return nil, err
	}
	type parts struct {
		Entries []attribution `json:"entries"`
	}
	of, err := ask[parts](ctx, rs, "session.metadata.getContextAttribution", nil, "contextAttribution")
	if err != nil {
		return nil, err
	}
	use := &session.ContextUse{
		Model: info.ModelName, Limit: int(info.Limit), Total: int(info.TotalTokens), Compaction: int(info.CompactionThreshold),
		Parts: contextParts(of.Entries),
	}
	if n := int(info.ConversationTokens); n > 0 { // no entry is about it
		use.Parts = append(use.Parts, session.ContextPart{Name: "Messages", Tokens: n})
	}
	return use, nil
}

// contextParts puts each entry after its parent, and siblings in the order of
// their size. What names no entry that is there as its parent has none.
func contextParts(entries []attribution) []session.ContextPart {
	known := map[string]bool{}
	for _, e := range entries {
		known[e.ID] = true
	}
	children := map[string][]attribution{}
	for _, e := range entries {
		if !known[e.ParentID] || e.ParentID == e.ID {
			e.ParentID = ""
		}
		children[e.ParentID] = append(children[e.ParentID], e)
	}
	parts := make([]session.ContextPart, 0, len(entries))
	var add func(parent string, depth int)
	add = func(parent string, depth int) {
		of := children[parent]
		delete(children, parent) // a ring of parents is entered once, if at all
		slices.SortStableFunc(of, func(a, b attribution) int { return cmp.Compare(b.Tokens, a.Tokens) })
		for _, e := range of {
			parts = append(parts, session.ContextPart{Name: e.Label, Tokens: int(e.Tokens), Depth: depth})
			add(e.ID, depth+1)
		}
	}
	add("", 0)
	return parts
}

// nanoCredits is how many of the runtime's nano-AI units are an AI credit.
const nanoCredits = 1e9

// modelMetrics is what one model was used for.
type modelMetrics struct {
	Requests struct {
		Count float64 `json:"count"`
		Cost  float64 `json:"cost"` // premium requests
	} `json:"requests"`
	Usage struct {
		Input      float64 `json:"inputTokens"`
		Output     float64 `json:"outputTokens"`
		CacheRead  float64 `json:"cacheReadTokens"`
		CacheWrite float64 `json:"cacheWriteTokens"`
		Reasoning  float64 `json:"reasoningTokens"`
	} `json:"usage"`
	NanoAIU float64 `json:"totalNanoAiu"`
}

// metrics is the result of session.usage.getMetrics.
type metrics struct {
	PremiumCost float64   `json:"totalPremiumRequestCost"`
	Requests    float64   `json:"totalUserRequests"`
	NanoAIU     float64   `json:"totalNanoAiu"`
	APIMs       float64   `json:"totalApiDurationMs"`
	Started     time.Time `json:"sessionStartTime"`
	Changes     struct {
		Added   float64  `json:"linesAdded"`
		Removed float64  `json:"linesRemoved"`
		Files   []string `json:"filesModified"`
	} `json:"codeChanges"`
	Models map[string]modelMetrics `json:"modelMetrics"`
}

// quotas is the result of session.quota.get.
type quotas struct {
	Snapshots map[string]struct {
		Unlimited   bool    `json:"isUnlimitedEntitlement"`
		Entitlement float64 `json:"entitlementRequests"`
		Used        float64 `json:"usedRequests"`
		Overage     float64 `json:"overage"`
		ResetsMs    float64 `json:"resetDateEpochMs"`

		UsageAllowed   *bool `json:"usageAllowedWithExhaustedQuota"`
		OverageAllowed *bool `json:"overageAllowedWithExhaustedQuota"`
	} `json:"snapshots"`
	TokenBilling bool `json:"isTbbUser"`
}

// Usage implements session.UsageReporter. The quotas are those the runtime heard
// of last; it asks nobody for them.
func (rs reports) Usage(ctx context.Context) (session.Usage, error) {
	var m metrics
	var q quotas
	err := attempt(rs.call(ctx, "session.usage.getMetrics", nil, &m), "read the usage")
	if err == nil {
		err = attempt(rs.call(ctx, "session.quota.get", nil, &q), "read the quotas")
	}
	if err != nil {
		return session.Usage{}, err
	}
	return usage(m, q, rs.agent.cfg.Provider != nil), nil
}

// usage is what the runtime reports, in one. With a provider of the user's own
// it counts no cost.
func usage(m metrics, q quotas, ownProvider bool) session.Usage {
	u := session.Usage{
		Requests: int(m.Requests), Cost: m.PremiumCost, APITime: time.Duration(m.APIMs) * time.Millisecond,
		Started: m.Started, Added: int(m.Changes.Added), Removed: int(m.Changes.Removed), Files: m.Changes.Files,
	}
	credits := q.TokenBilling || m.NanoAIU > 0
	switch {
	case credits:
		u.Cost, u.CostUnit = m.NanoAIU/nanoCredits, "AI credits"
	case !ownProvider || m.PremiumCost > 0:
		u.CostUnit = "premium requests"
	}
	for _, name := range slices.Sorted(maps.Keys(m.Models)) {
		of := m.Models[name]
		total := session.ModelTotal{Model: name, Requests: int(of.Requests.Count), Cost: of.Requests.Cost}
		total.Tokens = session.ModelUsage{
			InputTokens: int(of.Usage.Input), OutputTokens: int(of.Usage.Output), ReasoningTokens: int(of.Usage.Reasoning),
			CacheReadTokens: int(of.Usage.CacheRead), CacheWriteTokens: int(of.Usage.CacheWrite),
		}
		if credits {
			total.Cost = of.NanoAIU / nanoCredits
		}
		u.Models = append(u.Models, total)
	}
	for _, name := range slices.Sorted(maps.Keys(q.Snapshots)) {
		of := q.Snapshots[name]
		if !of.Unlimited && of.Entitlement == 0 {
			continue // not part of the plan
		}
		left := session.Quota{
			Name: strings.ReplaceAll(name, "_", " "), Used: of.Used,
			Overage: of.Overage, UsageAllowed: of.UsageAllowed, OverageAllowed: of.OverageAllowed,
		}
		if !of.Unlimited {
			left.Limit = max(0, of.Entitlement) // -1 is without a limit, too
		}
		if of.ResetsMs > 0 {
			left.Resets = time.UnixMilli(int64(of.ResetsMs)).UTC()
		}
		u.Quotas = append(u.Quotas, left)
	}
	return u
}
