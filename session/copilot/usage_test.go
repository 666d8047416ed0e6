package copilot_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// TestContextUse shows what fills the context: with nothing of a folder first,
// then with all that one brings along.
func TestContextUse(t *testing.T) {
	b := on(t, answers())
	b.git()
	b.furnish()
	s, r := b.open()
	if got, err := s.ContextUse(t.Context()); err != nil || got != nil {
		t.Errorf("before the first turn: %+v, %v", got, err)
	}
	b.trustFolder(s, r, true)
	b.loaded(s, r)
	got, err := s.ContextUse(t.Context())
	b.must(err)
	if got == nil || got.Model != llm.Model || got.Limit < 100_000 || got.Total < 1000 || got.Total > got.Limit ||
		got.Compaction <= got.Total || got.Compaction >= got.Limit {
		t.Fatalf("%+v", got)
	}
	sum, depth := 0, 0
	for _, p := range got.Parts {
		if p.Depth > depth+1 {
			t.Errorf("%+v is below nothing", p)
		}
		if depth = p.Depth; depth == 0 {
			sum += p.Tokens
		}
	}
	if sum < got.Total*95/100 || sum > got.Total*105/100 {
		t.Errorf("the parts are %d tokens of %d", sum, got.Total)
	}
	for _, name := range []string{"System prompt", "Tool definitions", "Messages"} {
		named := func(p session.ContextPart) bool { return p.Name == name && p.Depth == 0 && p.Tokens > 0 }
		if !slices.ContainsFunc(got.Parts, named) {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestUsage counts what a session used: two prompts, with an edit.
func TestUsage(t *testing.T) {
	b := on(t, llm.Script{"a": {{Text: "A.", Usage: llm.Usage{Prompt: 1500, Completion: 7}}}})
	before := time.Now().Add(-time.Second)
	s, r := allowing(b)
	got, err := s.Usage(t.Context())
	if err != nil || got.Requests != 0 || len(got.Models) != 0 || got.Started.Before(before) || got.Started.After(time.Now()) {
		t.Errorf("at first: %+v, %v", got, err)
	}
	b.model.Add("edit", llm.Step{
		Calls: []llm.Call{{Name: "create", Args: map[string]any{"path": b.path("new.txt"), "file_text": "one\ntwo\n"}}},
		Usage: llm.Usage{Prompt: 2000, Completion: 30},
	}, llm.Step{Text: "Written.", Usage: llm.Usage{Prompt: 2100, Completion: 5}})
	for _, script := range []string{"edit", "a"} {
		b.send(s, "@@"+script)
		next[session.SessionIdle](r)
	}
	got, err = s.Usage(t.Context())
	b.must(err)
	if got.Requests != 2 || got.Cost != 0 || got.CostUnit != "" || got.Added != 2 || got.Removed != 0 ||
		!slices.Equal(got.Files, []string{b.path("new.txt")}) || got.APITime <= 0 || len(got.Quotas) != 0 {
		t.Errorf("%+v", got)
	}
	if len(got.Models) != 1 || got.Models[0].Model != llm.Model || got.Models[0].Requests != 3 ||
		got.Models[0].Tokens.InputTokens != 5600 || got.Models[0].Tokens.OutputTokens != 42 {
		t.Errorf("%+v", got.Models)
	}
}

// TestCompactionIsCountedApart: what a compaction used is in its own event and
// not in what the runtime counts of models, which a resume does not change.
func TestCompactionIsCountedApart(t *testing.T) {
	used := llm.Usage{Prompt: 3333, Completion: 44}
	talk(llm.Script{"a": answer("A."), llm.CompactScript: {{Text: "<summary>S</summary>", Usage: used}}}, func(p *part) {
		p.ask("0 @@a")
		p.ask("1 @@a")
		models := func() []session.ModelTotal {
			u, err := p.s.Usage(p.Context())
			p.must(err)
			return u.Models
		}
		before := models()
		p.must(p.s.Compact(p.Context(), ""))
		reported := next[session.SessionCompactionComplete](p.r).CompactionTokensUsed
		if reported == nil || reported.Usage().InputTokens != used.Prompt || reported.Usage().OutputTokens != used.Completion {
			p.Errorf("the compaction used %+v", reported)
		}
		if after := models(); !reflect.DeepEqual(before, after) {
			p.Errorf("before %+v\nafter  %+v", before, after)
		}
		p.again()
		if resumed := models(); !reflect.DeepEqual(before, resumed) {
			p.Errorf("before  %+v\nresumed %+v", before, resumed)
		}
	})(t)
}
