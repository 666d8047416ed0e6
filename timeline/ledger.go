package timeline

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"parley/session"
)

// The initiators that Parley itself names.
const (
	ByUser       = "user"       // a prompt of the user's led to the call
	ByCompaction = "compaction" // the context was nearly full, or the user asked for a summary
)

// Spending is what a session used, split up, as far as its events report it. The
// sum is Status.Usage.
type Spending struct {
	Models     []ModelSpending // by name
	Compaction ModelSpending   // of calls that summarised the conversation and are not among Models; zero without such calls
}

// ModelSpending is what one model was used for. Only reports of single calls hold
// who started a call, what it cost item by item, and how long it took; a log may
// have fewer of those than Usage.Requests.
type ModelSpending struct {
	ModelUse
	Timed      int         // calls in Usage.APITime
	Initiators []Initiator // the user first, then by name
	Items      []CostItem  // in the order in which they came
}

// Initiator is who started calls of a model: ByUser, or what the agent calls it,
// such as "sub-agent".
type Initiator struct {
	Name  string
	Calls int
}

// CostItem is one kind of tokens at one price (assistant.usage, copilotUsage).
type CostItem struct {
	Type      string // such as "input"
	Tokens    int
	BatchSize int     // the price is for so many tokens; 0 if that is not known
	Price     float64 // AI units, in billionths
	NanoAIU   float64 // what the tokens cost
}

// ledger keeps what a session used. Calls are reported one by one while it runs;
// a stored log has a record of each, or a checkpoint or the end of the session
// that sum up what was before.
type ledger struct {
	sum        Usage // of all calls but those in compaction
	models     map[string]*ModelSpending
	compaction ModelSpending
	summaries  Usage // of calls in sum that the agent said made summaries
}

// The most that is kept apart, so that no log makes the report long. What is
// beyond counts as one more.
const (
	maxModels     = 64
	maxInitiators = 16
	maxItems      = 32
	allOthers     = "others"
)

func (l *ledger) model(name string) *ModelSpending {
	m := l.models[name]
	if m == nil && len(l.models) >= maxModels {
		name = allOthers
		m = l.models[name]
	}
	if m == nil {
		m = &ModelSpending{ModelUse: ModelUse{Model: name}}
		l.models[name] = m
	}
	return m
}

// call adds what one call of a model used.
func (l *ledger) call(u session.AssistantUsage) {
	use := callUsage(u)
	l.sum.Add(use)
	l.model(u.Model).call(u, use)
	if u.InteractionType == "conversation-compaction" || u.Initiator == ByCompaction {
		l.summaries.Add(use)
	}
}

func (m *ModelSpending) call(u session.AssistantUsage, use Usage) {
	m.Usage.Add(use)
	if use.APITime > 0 {
		m.Timed += use.Requests
	}
	m.initiated(cmp.Or(u.Initiator, ByUser), use.Requests)
	if u.CopilotUsage != nil {
		for _, d := range u.CopilotUsage.TokenDetails {
			m.item(d)
		}
	}
}

func (m *ModelSpending) initiated(by string, calls int) {
	at := func() int { return slices.IndexFunc(m.Initiators, func(i Initiator) bool { return i.Name == by }) }
	i := at()
	if i < 0 && len(m.Initiators) >= maxInitiators {
		by = allOthers
		i = at()
	}
	if i < 0 {
		i = len(m.Initiators)
		m.Initiators = append(m.Initiators, Initiator{Name: by})
	}
	m.Initiators[i].Calls = plus(m.Initiators[i].Calls, calls)
}

func (m *ModelSpending) item(d session.TokenDetail) {
	add := CostItem{Type: d.TokenType, Tokens: counted(d.TokenCount), BatchSize: counted(d.BatchSize), Price: amount(d.CostPerBatch)}
	if add.BatchSize > 0 {
		add.NanoAIU = amount(float64(add.Tokens) / float64(add.BatchSize) * add.Price)
	}
	at := func() int {
		return slices.IndexFunc(m.Items, func(i CostItem) bool {
			return i.Type == add.Type && i.BatchSize == add.BatchSize && i.Price == add.Price
		})
	}
	i := at()
	if i < 0 && len(m.Items) >= maxItems {
		add.Type, add.BatchSize, add.Price = allOthers, 0, 0
		i = at()
	}
	if i < 0 {
		m.Items = append(m.Items, add)
		return
	}
	m.Items[i].Tokens = plus(m.Items[i].Tokens, add.Tokens)
	m.Items[i].NanoAIU = amount(m.Items[i].NanoAIU + add.NanoAIU)
}

// compacted adds what making a summary used.
func (l *ledger) compacted(used session.CompactionTokensUsed) {
	u := used.Usage()
	use := callUsage(u)
	use.Requests = max(1, counted(used.RequestCount))
	u.Initiator = ByCompaction
	l.compaction.call(u, use)
}

// reached raises the sums to those that were kept elsewhere: of each model, and
// what of all of them is not split by model.
func (l *ledger) reached(models []session.ProviderModelMetric, all Usage) {
	totals := map[string]Usage{}
	var sum Usage
	for _, m := range models {
		use, total := modelUsage(m.Metrics), totals[m.ModelID]
		sum.Add(use)
		total.Add(use)
		totals[m.ModelID] = total
	}
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		if totals[name] != (Usage{}) {
			l.model(name).Usage.atLeast(totals[name])
		}
	}
	sum.atLeast(all)
	l.sum.atLeast(sum)
}

// ofModels is a map of models as the list of them that a checkpoint has.
func ofModels(metrics map[string]session.ModelMetric) []session.ProviderModelMetric {
	list := make([]session.ProviderModelMetric, 0, len(metrics))
	for name, m := range metrics {
		list = append(list, session.ProviderModelMetric{ModelID: name, Metrics: m})
	}
	return list
}

// uncounted is what compactions used that is not in the sum of calls.
func (l *ledger) uncounted() Usage {
	return l.compaction.Usage.with(l.summaries,
		func(all, in int) int { return max(0, all-in) }, func(all, in float64) float64 { return max(0, all-in) })
}

func (l *ledger) total() Usage {
	u := l.sum
	u.Add(l.uncounted())
	return u
}

// Spending returns what the session used, split up.
func (t *Timeline) Spending() Spending {
	var s Spending
	for _, name := range slices.Sorted(maps.Keys(t.usage.ledger.models)) {
		s.Models = append(s.Models, t.usage.ledger.models[name].copy())
	}
	if rest := t.usage.ledger.uncounted(); rest != (Usage{}) {
		s.Compaction = t.usage.ledger.compaction.copy()
		s.Compaction.Usage = rest
	}
	return s
}

// copy returns a value that does not change when more is counted.
func (m *ModelSpending) copy() ModelSpending {
	c := *m
	c.Initiators, c.Items = slices.Clone(m.Initiators), slices.Clone(m.Items)
	slices.SortFunc(c.Initiators, func(a, b Initiator) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Name, b.Name))
	})
	return c
}

// rank puts the user first.
func rank(i Initiator) int {
	if i.Name == ByUser {
		return 0
	}
	return 1
}

func callUsage(b session.AssistantUsage) Usage {
	u := Usage{
		Requests:   1,
		Input:      counted(b.InputTokens),
		Output:     counted(b.OutputTokens),
		CacheRead:  counted(b.CacheReadTokens),
		CacheWrite: counted(b.CacheWriteTokens),
		Reasoning:  counted(b.ReasoningTokens),
		Cost:       amount(b.Cost),
		APITime:    milliseconds(b.Duration),
	}
	if c := b.CopilotUsage; c != nil {
		u.NanoAIU = amount(c.TotalNanoAIU)
	}
	return u
}

func modelUsage(m session.ModelMetric) Usage {
	return Usage{
		Requests:   counted(m.Requests.Count),
		Input:      counted(m.Usage.InputTokens),
		Output:     counted(m.Usage.OutputTokens),
		CacheRead:  counted(m.Usage.CacheReadTokens),
		CacheWrite: counted(m.Usage.CacheWriteTokens),
		Reasoning:  counted(m.Usage.ReasoningTokens),
		Cost:       amount(m.Requests.Cost),
		NanoAIU:    amount(m.TotalNanoAIU),
	}
}

// with puts each field of two uses together: whole numbers in one way, amounts in
// another.
func (u Usage) with(other Usage, whole func(a, b int) int, amounts func(a, b float64) float64) Usage {
	return Usage{
		Requests:   whole(u.Requests, other.Requests),
		Input:      whole(u.Input, other.Input),
		Output:     whole(u.Output, other.Output),
		CacheRead:  whole(u.CacheRead, other.CacheRead),
		CacheWrite: whole(u.CacheWrite, other.CacheWrite),
		Reasoning:  whole(u.Reasoning, other.Reasoning),
		Cost:       amounts(u.Cost, other.Cost),
		NanoAIU:    amounts(u.NanoAIU, other.NanoAIU),
		APITime:    time.Duration(whole(int(u.APITime), int(other.APITime))),
	}
}

// Add adds another use.
func (u *Usage) Add(more Usage) {
	took := min(u.APITime+more.APITime, maxTime) // which has a bound of its own
	*u = u.with(more, plus, func(a, b float64) float64 { return amount(a + b) })
	u.APITime = took
}

// atLeast raises u to sums that were kept elsewhere. What was counted here since
// the session began may be more than they had, and less when it continued after a
// restart.
func (u *Usage) atLeast(sum Usage) {
	*u = u.with(sum, func(a, b int) int { return max(a, b) }, func(a, b float64) float64 { return max(a, b) })
}

// What is counted is bounded, so that no sum of what a log says overflows.
const (
	maxCounted = 1_000_000_000_000_000
	maxTime    = 1<<62 - 1 // that milliseconds returns
)

// counted is a number that a log gives, within bounds.
func counted(n int) int { return max(0, min(n, maxCounted)) }

// plus adds two numbers within bounds.
func plus(a, b int) int { return min(a+b, maxCounted) }

// amount is a number that need not be whole, within bounds.
func amount(f float64) float64 {
	if f > 0 { // and not NaN
		return min(f, maxCounted)
	}
	return 0
}
