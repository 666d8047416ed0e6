package sessions

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func known() Known {
	return Known{
		Repositories: []string{"ada/tide", "ada/moon table", "hostile\x1b[2J", ""},
		Dirs:         []string{"/src/tide"},
		Branches:     []string{"main", "feature/tide"},
		Models:       []string{"gpt-5", "claude"},
		Agents:       []string{"copilot", "demo"},
		Tools:        []string{"bash", "edit"},
		Tags:         []string{"work", "urgent"},
	}
}

// TestComplete has the caret at the |, and what is replaced between brackets.
func TestComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, span, want string }{
		{"|", "[]", ""},
		{"re|", "[re]", "repo:"},
		{"moon RE|", "moon [RE]", "repo:"},
		{"-re|", "-[re]", "repo:"},
		{"proj|", "[proj]", "repo:"},
		{"re| x", "[re] x", "repo:"},
		{"r|e", "r[]e", ""},
		{"moon |", "moon []", ""},
		{"xyz|", "[xyz]", ""},
		{`"re|`, `"re[]`, ""},
		{"t|", "[t]", "tool: tag: title: tokens: turns:"},
		{"repo:|", "repo:[]", `ada/tide "ada/moon table"`},
		{"repo: |", "repo: []", `ada/tide "ada/moon table"`},
		{"repo:| x", "repo:[] x", ""}, // x is its value
		{"repo: | branch:main", "repo: [] branch:main", `ada/tide "ada/moon table"`},
		{"project:MOON|", "project:[MOON]", `"ada/moon table"`},
		{`repo:"ada/moon t|`, `repo:["ada/moon t]`, `"ada/moon table"`},
		{`repo:"ada/moon t|" x`, `repo:"ada/moon t[]" x`, ""},
		{"repo:ada/tide|", "repo:[ada/tide]", ""},
		{"-branch:tide|", "-branch:[tide]", "feature/tide"},
		{"tool:b|", "tool:[b]", "bash"},
		{"tag:|", "tag:[]", "work urgent"},
		{"model:|", "model:[]", "gpt-5 claude"},
		{"agent:d|", "agent:[d]", "demo"},
		{"dir:src|", "dir:[src]", "/src/tide"},
		{"file:|", "file:[]", ""},
		{"is:p|", "is:[p]", "pinned"},
		{"is:PIN|", "is:[PIN]", "pinned"},
		{"is:pinned|", "is:[pinned]", ""},
		{"has:e|", "has:[e]", "edits errors"},
		{"after:|", "after:[]", "today yesterday monday 7d 2w 3mo 2h 2026-11-01 2026-11"},
		{"after:y|", "after:[y]", "yesterday"},
		{"cost:|", "cost:[]", ">1 >10 <1"},
		{"cost:>|", "cost:[>]", ">1 >10"},
		{"cost: >|", "cost: [>]", ">1 >10"},
		{"tokens:>1|", "tokens:[>1]", ">10k >100k >1M"},
		{"duration:<|", "duration:[<]", "<30s"},
		{"repos:|", "repos:[]", ""},
		{"http://x|", "[http://x]", ""},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		text := before + after
		span, choices := Complete(text, len(before), known())
		var names []string
		for _, choice := range choices {
			names = append(names, choice.Text)
			if strings.HasSuffix(choice.Text, ":") && choice.Detail == "" {
				t.Errorf("%s says nothing", choice.Text)
			}
		}
		shown := text[:span[0]] + "[" + text[span[0]:span[1]] + "]" + text[span[1]:]
		if got := strings.Join(names, " "); got != c.want || got != "" && shown != c.span {
			t.Errorf("%s\n got %s %s\nwant %s %s", c.text, shown, got, c.span, c.want)
		}
	}
}

// TestCompletionIsUnderstood: what is offered may be written, wherever it is
// offered, and is a filter.
func TestCompletionIsUnderstood(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := queryText().Draw(t, "text")
		k := known()
		k.Repositories = append(k.Repositories, rapid.String().Draw(t, "repository"))
		caret := rapid.IntRange(-1, len(text)+1).Draw(t, "caret")
		span, choices := Complete(text, caret, k)
		if span[0] < 0 || span[0] > span[1] || span[1] > len(text) {
			t.Fatalf("%v", span)
		}
		for _, c := range choices {
			written := text[:span[0]] + c.Text
			if strings.HasSuffix(c.Text, ":") {
				written += "1"
			}
			before, _ := ParseQuery(text[:span[0]], noon()) // what is understood
			q, _ := ParseQuery(written, noon())
			unread := strings.HasSuffix(c.Text, ":") && !slices.Contains([]string{"repo:", "branch:", "cost:", "tokens:"}, c.Text)
			if !unread && len(q.Filters) <= len(before.Filters) {
				t.Errorf("%q, where %q is offered, is %q", text, c.Text, q)
			}
		}
	})
}
