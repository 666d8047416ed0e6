package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/timeline"
)

// showUsage shows what the session used. An agent that cannot be asked has told
// it in its events, if at all.
func (m *Model) showUsage(string) tea.Cmd {
	s, ok := session.As[session.UsageTeller](m.session)
	switch told := m.timeline.Status().Usage; {
	case ok:
	case told == (timeline.Usage{}):
		m.tell("This agent has not told what it used.")
		return nil
	default:
		m.openUsage(slices.Concat(sums(told), m.agentFacts(), m.planFacts(nil)))
		return nil
	}
	return ask(m, "look at the usage", s.Usage, func(m *Model, u session.Usage) tea.Cmd {
		if m.elsewhere() {
			m.tell("The usage is here: /usage shows it.")
			return nil
		}
		m.openUsage(m.usageFacts(u))
		return nil
	})
}

func (m *Model) openUsage(all []fact) {
	m.openPanel(&panel{title: "Usage", lines: func(m *Model, width int) []string { return m.facts(all, width) }})
}

// usageFacts are what the agent says it used.
func (m *Model) usageFacts(u session.Usage) []fact {
	cost, since := "", ""
	if u.CostUnit != "" {
		cost = amount(u.Cost) + " " + u.CostUnit
	}
	if !u.Started.IsZero() {
		since = u.Started.In(m.zone).Format("2006-01-02 15:04")
	}
	all := known(
		fact{"since", since}, fact{"prompts", render.Number(u.Requests)}, fact{"cost", cost},
		fact{"waited for models", seconds(u.APITime)},
		fact{"lines changed", fmt.Sprintf("+%d -%d in %s", u.Added, u.Removed, render.Count(len(u.Files), "file"))},
	)
	var sum timeline.Usage
	for _, t := range u.Models {
		one := timeline.Usage{
			Requests: t.Requests, Input: t.Tokens.InputTokens, Output: t.Tokens.OutputTokens,
			Cached: t.Tokens.CacheReadTokens, Written: t.Tokens.CacheWriteTokens, Thought: t.Tokens.ReasoningTokens,
		}
		sum = plus(sum, one)
		all = append(append(all, fact{}, fact{"", t.Model}), sums(one)...)
		if len(u.Models) > 1 && t.Cost > 0 {
			all = append(all, fact{"cost", amount(t.Cost) + " " + u.CostUnit})
		}
	}
	if len(u.Models) > 1 {
		all = append(append(all, fact{}, fact{"", "All models"}), sums(sum)...)
	}
	return slices.Concat(all, m.agentFacts(), m.planFacts(u.Quotas))
}

// plus adds two uses of models.
func plus(a, b timeline.Usage) timeline.Usage {
	return timeline.Usage{
		Requests: a.Requests + b.Requests, Input: a.Input + b.Input, Output: a.Output + b.Output,
		Cached: a.Cached + b.Cached, Written: a.Written + b.Written, Thought: a.Thought + b.Thought,
		Cost: a.Cost + b.Cost, NanoAIU: a.NanoAIU + b.NanoAIU,
	}
}

// sums are calls of models and their tokens. What is nothing is left out where
// that says nothing.
func sums(u timeline.Usage) []fact {
	some := func(n int) string {
		if n == 0 {
			return ""
		}
		return render.Number(n)
	}
	return known(
		fact{"calls", render.Number(u.Requests)}, fact{"tokens in", render.Number(u.Input)},
		fact{"of them cached", render.Number(u.Cached)}, fact{"put into the cache", some(u.Written)},
		fact{"tokens out", render.Number(u.Output)}, fact{"of them reasoning", some(u.Thought)}, fact{"cost", spent(u)},
	)
}

// agentFacts are the share of the sub-agents, as far as it is known.
func (m *Model) agentFacts() []fact {
	count, calls, tokens := 0, 0, 0
	for i := range m.timeline.Len() {
		if c, ok := m.timeline.At(i).Body.(*timeline.ToolCall); ok && c.Agent != nil {
			count, calls, tokens = count+1, calls+c.Agent.Calls, tokens+c.Agent.Tokens
		}
	}
	if count == 0 {
		return nil
	}
	parts := []string{render.Number(count), render.Count(calls, "tool call")}
	if tokens > 0 {
		parts = append(parts, render.Tokens(tokens)+" tokens")
	}
	return []fact{{}, {"sub-agents", strings.Join(parts, m.dot())}}
}

// planFacts are what the person's plan still gives: as the agent says, or else
// as its events told.
func (m *Model) planFacts(plan []session.Quota) []fact {
	if len(plan) == 0 {
		for _, q := range m.timeline.Status().Quotas {
			resets, _ := time.Parse(time.RFC3339, q.Resets)
			plan = append(plan, session.Quota{Name: q.Name, Used: q.Used, Limit: q.Limit, Resets: resets})
		}
	}
	var all []fact
	for _, q := range plan {
		value := amount(q.Used) + " used, without limit"
		if q.Limit > 0 {
			value = amount(q.Used) + " of " + amount(q.Limit) + " used"
		}
		if !q.Resets.IsZero() {
			value += ", resets " + q.Resets.In(m.zone).Format(time.DateOnly)
		}
		all = append(all, fact{strings.ReplaceAll(q.Name, "_", " "), value})
	}
	if len(all) == 0 {
		return nil
	}
	return append([]fact{{}, {"", "Plan"}}, all...)
}
