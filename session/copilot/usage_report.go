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

// attribution is an entry of session.metadata.getContextAttribution.
type attribution struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Tokens   int    `json:"tokens"`
	ParentID string `json:"parentId"`
}

// ContextUse implements session.ContextReporter.
func (rs reports) ContextUse(ctx context.Context) (*session.ContextUse, error) {
	use, err := rs.contextUse(ctx)
	return use, attempt(err, "read how the context is filled")
}

func (rs reports) contextUse(ctx context.Context) (*session.ContextUse, error) {
	// Without limits of ours the runtime takes the model's.
	p := object{"promptTokenLimit": 0, "outputTokenLimit": 0}
	type contextInfo struct {
		session.ContextUse
		ConversationTokens int `json:"conversationTokens"`
	}
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
	info.Parts = contextParts(of.Entries)
	if n := info.ConversationTokens; n > 0 { // no entry is about it
		info.Parts = append(info.Parts, session.ContextPart{Name: "Messages", Tokens: n})
	}
	return &info.ContextUse, nil
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
			parts = append(parts, session.ContextPart{Name: e.Label, Tokens: e.Tokens, Depth: depth})
			add(e.ID, depth+1)
		}
	}
	add("", 0)
	return parts
}

// nanoCredits is how many of the runtime's nano-AI units are an AI credit.
const nanoCredits = 1e9

// metrics is the result of session.usage.getMetrics.
type metrics struct {
	PremiumCost float64                        `json:"totalPremiumRequestCost"`
	Requests    int                            `json:"totalUserRequests"`
	NanoAIU     float64                        `json:"totalNanoAiu"`
	APIMs       float64                        `json:"totalApiDurationMs"`
	Started     time.Time                      `json:"sessionStartTime"`
	Changes     session.CodeChanges            `json:"codeChanges"`
	Models      map[string]session.ModelMetric `json:"modelMetrics"`
}

// quotas is the result of session.quota.get.
type quotas struct {
	Snapshots map[string]struct {
		session.QuotaSnapshot
		ResetsMs int64 `json:"resetDateEpochMs"`
	} `json:"snapshots"`
	TokenBilling bool `json:"isTbbUser"`
}

// Usage implements session.UsageReporter. The quotas are those the runtime heard
// of last; it asks no server for them.
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
		Requests: m.Requests, Cost: m.PremiumCost, APITime: time.Duration(m.APIMs) * time.Millisecond,
		Started: m.Started, Added: m.Changes.LinesAdded, Removed: m.Changes.LinesRemoved, Files: m.Changes.FilesModified,
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
		total := session.ModelTotal{Model: name, Requests: of.Requests.Count, Cost: of.Requests.Cost, Tokens: of.Usage}
		if credits {
			total.Cost = of.TotalNanoAIU / nanoCredits
		}
		u.Models = append(u.Models, total)
	}
	for _, name := range slices.Sorted(maps.Keys(q.Snapshots)) {
		of := q.Snapshots[name]
		if !of.IsUnlimitedEntitlement && of.EntitlementRequests == 0 {
			continue // not part of the plan
		}
		left := session.Quota{
			Name: strings.ReplaceAll(name, "_", " "), Used: of.UsedRequests, Overage: of.Overage,
			UsageAllowed: of.UsageAllowedWithExhaustedQuota, OverageAllowed: of.OverageAllowedWithExhaustedQuota,
		}
		if !of.IsUnlimitedEntitlement {
			left.Limit = max(0, of.EntitlementRequests) // -1 is without a limit, too
		}
		if of.ResetsMs > 0 {
			left.Resets = time.UnixMilli(of.ResetsMs).UTC()
		}
		u.Quotas = append(u.Quotas, left)
	}
	return u
}
