package reporttext

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/panel"
)

// Usage is what a session used: facts, a table with a column for each
// model, what the calls cost item by item, and facts.
type Usage struct {
	head    []panel.Fact
	columns []usageColumn
	total   timeline.Usage
	unit    string   // of Usage.Cost
	agents  []string // the share of the sub-agents
	plan    []panel.Fact
}

// usageColumn is one model, or what is no model of its own.
type usageColumn struct {
	name string
	timeline.ModelSpending
}

// Draw draws it in lines of a width.
func (r Usage) Draw(th *theme.Theme, width int) []string {
	table := panel.DrawTable(th, r.table(), width)
	if len(table) > 0 {
		for _, line := range text.Wrap("A model call is counted when it starts, a request when it is answered.", max(width-2, 1)) {
			table = append(table, strings.Repeat(" ", max(min(2, width-1), 0))+th.Render(theme.Dim, line))
		}
	}
	parts := [][]string{panel.DrawFacts(th, r.head, width), table, panel.DrawTable(th, r.costs(), width)}
	agents := panel.Known(panel.Fact{"sub-agents", strings.Join(r.agents, th.Dot())})
	parts = append(parts, panel.DrawFacts(th, agents, width), panel.DrawFacts(th, r.plan, width))
	var lines []string
	for _, part := range parts {
		if len(part) > 0 && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, part...)
	}
	return lines
}

// premium is what Usage.Cost counts unless the agent names another unit.
const premium = "premium requests"

// ReportedUsage is what the events say that the session used. Of a log without
// usage records that is the output of its messages and the number of its turns.
func ReportedUsage(tl *timeline.Timeline, zone *time.Location) Usage {
	s := tl.Status()
	models, compaction := spending(tl)
	r := Usage{columns: slices.Concat(models, compaction), total: s.Usage, unit: premium}
	r.head = panel.Known(panel.Fact{"model calls", modelCallsText(s)})
	if s.Usage.APITime > 0 {
		r.head = append(r.head, panel.Fact{"model time", text.Duration(s.Usage.APITime)})
	}
	if s.Cost.Currency != "" {
		r.head = append(r.head, panel.Fact{"cost", money(s.Cost)})
	}
	switch {
	case s.MessageOutput <= s.Usage.Output:
	case s.Usage == timeline.Usage{}:
		r.head = append(
			r.head, panel.Fact{"output tokens", text.Number(s.MessageOutput) + " by the messages"},
			panel.Fact{"not known", "input, cache and cost: this log has no usage records"},
		)
	default:
		r.head = append(r.head, panel.Fact{
			"output tokens", text.Number(s.MessageOutput) + " by the messages; the table is of the calls with a usage record",
		})
	}
	r.agents, r.plan = subagents(tl), planFacts(tl, nil, zone)
	return r
}

// money writes an amount with its currency, as exact as calls of models are priced.
func money(m session.Money) string {
	amount := strconv.FormatFloat(m.Amount, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(amount, "0"), ".") + " " + m.Currency
}

// modelCallsText says how often models were called: by the root agent, and by all.
func modelCallsText(s timeline.Status) string {
	own, rest, all := text.Number(s.Turns), s.Calls-s.Turns, text.Number(s.Calls)
	switch {
	case s.Calls == 0:
		return ""
	case rest <= 0:
		return own
	}
	return own + ", and " + text.Number(rest) + " by sub-agents (" + all + " in all)"
}

// spending is what the events say of each model, and of compactions, which have
// a column if there were any.
func spending(tl *timeline.Timeline) (models, compaction []usageColumn) {
	all := tl.Spending()
	for _, of := range all.Models {
		models = append(models, usageColumn{nameOfModel(of.Model), of})
	}
	if all.Compaction.Usage != (timeline.Usage{}) {
		compaction = []usageColumn{{"compaction", all.Compaction}}
	}
	return models, compaction
}

func nameOfModel(id string) string { return cmp.Or(id, "unknown model") }

// AskedUsage is what the agent says that the session used. What only events hold
// of a model, who started its calls and what they cost item by item, is added,
// and so is a compaction, which the agent does not count.
func AskedUsage(tl *timeline.Timeline, u session.Usage, zone *time.Location) Usage {
	cost, since := "", ""
	if u.CostUnit != "" {
		cost = text.Amount(u.Cost) + " " + u.CostUnit
	}
	if !u.Started.IsZero() {
		since = u.Started.In(zone).Format("2006-01-02 15:04")
	}
	r := Usage{unit: u.CostUnit, head: panel.Known(
		panel.Fact{"since", since}, panel.Fact{"prompts", text.Number(u.Requests)}, panel.Fact{"model calls", modelCallsText(tl.Status())},
		panel.Fact{"cost", cost},
		panel.Fact{"model time", text.Duration(u.APITime)},
		panel.Fact{"lines changed", fmt.Sprintf("+%d -%d in %s", u.Added, u.Removed, text.Count(len(u.Files), "file"))},
	)}
	models, compaction := spending(tl)
	for _, t := range u.Models {
		one := usageColumn{name: nameOfModel(t.Model)}
		if i := slices.IndexFunc(models, func(one usageColumn) bool { return one.Model == t.Model }); i >= 0 {
			one = models[i]
		}
		one.Usage = timeline.Usage{
			Requests: t.Requests, Input: t.Tokens.InputTokens, Output: t.Tokens.OutputTokens, CacheRead: t.Tokens.CacheReadTokens,
			CacheWrite: t.Tokens.CacheWriteTokens, Reasoning: t.Tokens.ReasoningTokens, Cost: t.Cost, APITime: one.Usage.APITime,
		}
		r.columns = append(r.columns, one)
	}
	r.columns = append(r.columns, compaction...)
	for _, one := range r.columns {
		r.total.Add(one.Usage)
	}
	r.total.APITime = max(r.total.APITime, u.APITime)
	r.agents, r.plan = subagents(tl), planFacts(tl, u.Quotas, zone)
	return r
}

// subagents is the share of the sub-agents, as far as it is known.
func subagents(tl *timeline.Timeline) []string {
	count, calls, tokens := 0, 0, 0
	for i := range tl.Len() {
		if call, ok := tl.At(i).Body.(*timeline.ToolCall); ok && call.Agent != nil {
			count, calls, tokens = count+1, calls+call.Agent.Calls, tokens+call.Agent.Tokens
		}
	}
	if count == 0 {
		return nil
	}
	parts := []string{text.Number(count), text.Count(calls, "tool call")}
	if tokens > 0 {
		parts = append(parts, text.Tokens(tokens)+" tokens")
	}
	return parts
}

// planFacts are what the user's plan still gives: as the agent says, or else as
// its events report.
func planFacts(tl *timeline.Timeline, plan []session.Quota, zone *time.Location) []panel.Fact {
	if len(plan) == 0 {
		plan = tl.Status().Quotas
	}
	if len(plan) == 0 {
		return nil
	}
	all := []panel.Fact{{"", "Plan"}}
	for _, q := range plan {
		value := text.Amount(q.Used) + " used, without limit"
		if q.Limit > 0 {
			value = text.Amount(q.Used) + " of " + text.Amount(q.Limit) + " used"
		}
		if q.Overage > 0 {
			value += ", " + text.Amount(q.Overage) + " over the quota"
		}
		if !q.Resets.IsZero() {
			value += ", resets " + q.Resets.In(zone).Format(time.DateOnly)
		}
		all = append(all, panel.Fact{strings.ReplaceAll(q.Name, "_", " "), value})
		for _, f := range []struct {
			what string
			is   *bool
		}{{"use continues when it is exhausted", q.UsageAllowed}, {"use beyond the quota is allowed", q.OverageAllowed}} {
			if f.is != nil {
				all = append(all, panel.Fact{" ", f.what + ": " + map[bool]string{true: "yes", false: "no"}[*f.is]})
			}
		}
	}
	return all
}
