package demo

import (
	"context"
	"slices"
	"time"

	"parley/session"
	"parley/session/modelview"
)

// What a request would hold of the tools, apart from its messages, in tokens that are
// counted roughly.
const (
	toolTokens   = 3_100
	serverTokens = 900
)

// weight is what messages weigh, in tokens.
type weight struct {
	instructions, conversation int
	messages                   int // of the conversation
}

func weigh(all []modelview.Message) weight {
	var w weight
	for _, m := range all {
		if m.Role == modelview.System || m.Role == modelview.Developer {
			w.instructions += tokens(m.Size())
			continue
		}
		w.conversation += tokens(m.Size())
		w.messages++
	}
	return w
}

func (w weight) system() int { return w.instructions + toolTokens + serverTokens }

func (w weight) total() int { return w.system() + w.conversation }

// tokens is roughly how many tokens so many bytes are.
func tokens(bytes int) int { return (bytes + 3) / 4 }

// compactionShare is the part of the context, in percent, from which on a real
// agent would summarise it by itself.
const compactionShare = 80

// ContextUse implements session.ContextReporter.
func (s *Session) ContextUse(context.Context) (*session.ContextUse, error) {
	w := weigh(s.Log.Messages(""))
	if w.messages == 0 {
		return nil, nil
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	limit := modelOr(s.model).ContextTokens
	return &session.ContextUse{
		Model: s.model, Limit: limit, Compaction: limit / 100 * compactionShare, Total: w.total(),
		Parts: []session.ContextPart{
			{Name: "Instructions", Tokens: w.instructions},
			{Name: "Tools", Tokens: toolTokens + serverTokens},
			{Name: "Built in", Tokens: toolTokens, Depth: 1},
			{Name: pretended().Servers[0].Name, Tokens: serverTokens, Depth: 1},
			{Name: "Conversation", Tokens: w.conversation},
		},
	}, nil
}

// spending is what a session has used.
type spending struct {
	prompts int
	cost    float64
	took    time.Duration
	models  []session.ModelTotal
}

// account notes what a model call has used.
func (s *Session) account(u session.AssistantUsage) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.spent.took += time.Duration(u.Duration * float64(time.Millisecond))
	i := slices.IndexFunc(s.spent.models, func(m session.ModelTotal) bool { return m.Model == u.Model })
	if i < 0 {
		i = len(s.spent.models)
		s.spent.models = append(s.spent.models, session.ModelTotal{Model: u.Model})
	}
	m := &s.spent.models[i]
	m.Requests++
	m.Tokens.InputTokens += u.InputTokens
	m.Tokens.CacheReadTokens += u.CacheReadTokens
	m.Tokens.OutputTokens += u.OutputTokens
	m.Tokens.ReasoningTokens += u.ReasoningTokens
}

// The pretended quota of a month, and what of it was used before.
const quotaLimit, quotaUsed = 300, 61

// Usage implements session.UsageReporter. Nothing of it was ever paid.
func (s *Session) Usage(context.Context) (session.Usage, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	stored, now := s.record.now(), s.cfg.Now()
	u := session.Usage{
		Requests: s.spent.prompts, Cost: s.spent.cost, CostUnit: "pretended requests", APITime: s.spent.took, Started: stored.Started,
		Models: slices.Clone(s.spent.models),
		Quotas: []session.Quota{
			{
				Name: "Requests (pretended)", Used: quotaUsed + s.spent.cost, Limit: quotaLimit,
				Resets: time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC),
			},
			{Name: "Chat (pretended)"},
		},
	}
	for _, f := range changes(stored.edits, -1) {
		u.Added, u.Removed, u.Files = u.Added+f.Added, u.Removed+f.Removed, append(u.Files, f.Path)
	}
	return u, nil
}
