package sessions

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // Windows has no time zones by name
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// noon is when the tests take place: a Sunday.
func noon() time.Time {
	return time.Date(2026, 11, 22, 12, 30, 15, 999, time.FixedZone("tide", 5400))
}

func TestParseQuery(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want, problem string }{
		{"", "", ""},
		{"  tide   moon ", "tide moon", ""},
		{`"tide table" x`, `"tide table" x`, ""},
		{`x "tide tab`, `x "tide tab"*`, ""},
		{`"tide tab"*`, `"tide tab"*`, ""},
		{`"`, "", ""},
		{`x "" y`, "x y", ""},
		{`"say ""hi"" to"`, `"say ""hi"" to"`, ""},
		{`a"b"c`, `a"b"c`, ""},
		{"-moon -tool:bash", "-tool:bash -moon", ""},
		{`-"tide table"`, `-"tide table"`, ""},
		{"-", "", ""},
		{"a - b, & c ;", "a b, c", ""},
		{"--force", "--force", ""},
		{`-"-rf"`, `-"-rf"`, ""},
		{"->", "", `"->" has no letter and no digit that could be found`},
		{"repo:tide", "repo:tide", ""},
		{"REPO: Tide", "repo:Tide", ""},
		{`repo:"a b" x`, `repo:"a b" x`, ""},
		{`repo: "a b`, `repo:"a b"`, ""},
		{`title:"say ""hi"""`, `title:"say ""hi"""`, ""},
		{`title:"""hi"`, `title:"""hi"`, ""},
		{`title:a"b`, `title:a"b`, ""},
		{"project:tide since:today", "repo:tide after:2026-11-22", ""},
		{"repo: branch:main", "branch:main", "repo: needs a value, such as repo:tide"},
		{"repo: -moon", "-moon", "repo: needs a value, such as repo:tide"},
		{"branch:-x", "branch:-x", ""},
		{"repo:", "", "repo: needs a value, such as repo:tide"},
		{`repo:"" x`, "x", "repo: needs a value, such as repo:tide"},
		{"repos:tide moon", "moon", `No filter "repos:": did you mean repo:?`},
		{"author:ada moon", "moon", `No filter "author:", to find the text write "author:ada"`},
		{"panic: moon", "panic: moon", ""},
		{"modl: x", "x", `No filter "modl:": did you mean model:?`},
		{`http://x.org C:\x foo::bar a:b 12:30 x`, `http://x.org C:\x foo::bar a:b 12:30 x`, ""},
		{"file:/etc/hosts", "file:/etc/hosts", ""},
		{"file:foo::bar", "file:foo::bar", ""},
		{"cost:>1.5", "cost:>1.5", ""},
		{"cost: > 1.5", "cost:>1.5", ""},
		{"cost:=2 cost:2 cost:>=2 cost:<=2 cost:<2", "cost:2 cost:2 cost:>=2 cost:<=2 cost:<2", ""},
		{"tokens:>10k tokens:<1.5M", "tokens:>10000 tokens:<1500000", ""},
		{"cost:much", "", "cost: needs a number, such as cost:>1"},
		{"cost:>", "", "cost: needs a number, such as cost:>1"},
		{"cost:-1 cost:1e9 cost:nan cost:inf cost:. cost:k", "", "cost: needs a number, such as cost:>1"},
		{"duration:>90s duration:>10m duration:<2h duration:1h30m duration:1.5s", "duration:>90s duration:>10m duration:<2h duration:90m duration:1.5s", ""},
		{"duration:>10", "", "duration: needs a time with its unit, such as duration:>10m"},
		{"duration:0s", "duration:0s", ""},
		{"duration:1.0019s", "duration:1.001s", ""},
		{"duration:-5m", "", "duration: needs a time with its unit, such as duration:>10m"},
		{"is:failed is:PINNED -has:edits", "is:failed is:pinned -has:edits", ""},
		{"is:fai", "", `is: knows no "fai": did you mean is:failed?`},
		{"has:wings x", "x", `has: knows no "wings", it has edits, errors, images, plan, agents and tags`},
		{"has:somethingelse", "", `has: knows no "somethingelse", it has edits, errors, images, plan, agents and tags`},
		{"a\x00b\x1b[31m\xff c", "a b [31m c", ""},
		{"\"a\x00b\xff\"", `"a b "`, ""},
	} {
		q, err := ParseQuery(c.text, noon())
		problem := ""
		if err != nil {
			problem = err.Error()
			var wrong *QueryError
			if !errors.As(err, &wrong) || wrong.Span[0] < 0 || wrong.Span[0] >= wrong.Span[1] || wrong.Span[1] > len(c.text) {
				t.Errorf("%q: %#v", c.text, err)
			}
		}
		if q.String() != c.want || problem != c.problem {
			t.Errorf("%q\n got %s (%s)\nwant %s (%s)", c.text, q, problem, c.want, c.problem)
		}
		again, err := ParseQuery(q.String(), noon())
		if err != nil || !reflect.DeepEqual(again, q) {
			t.Errorf("%q: %#v is read again as %#v (%v)", c.text, q, again, err)
		}
	}
}

// TestNot: one minus is a not, two are a word.
func TestNot(t *testing.T) {
	t.Parallel()
	q, err := ParseQuery(`-moon --force -"a b" -repo:tide -http://x`, noon())
	equal(t, "query", q, Query{
		Words: []Word{
			{Text: "moon", Not: true, Prefix: true},
			{Text: "--force", Prefix: true},
			{Text: "a b", Exact: true, Not: true},
			{Text: "http://x", Not: true, Prefix: true},
		},
		Filters: []Filter{{Field: "repo", Value: "tide", Not: true}},
	})
	equal(t, "error", err, nil)
}

// TestMoments reads dates at noon of a Sunday, and in a place where the clocks
// are changed.
func TestMoments(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	changed := time.Date(2026, 10, 25, 12, 0, 0, 0, berlin) // the day has 25 hours
	for _, c := range []struct {
		text string
		now  time.Time
		want string
	}{
		{"2026-11-01", noon(), "2026-11-01T00:00:00+01:30"},
		{"2026-11", noon(), "2026-11-01T00:00:00+01:30"},
		{"2026", noon(), "2026-01-01T00:00:00+01:30"},
		{"2026-11-01T15:04", noon(), "2026-11-01T15:04:00+01:30"},
		{"2026-11-01t15:04:05", noon(), "2026-11-01T15:04:05+01:30"},
		{"2026-11-01T15:04:05Z", noon(), "2026-11-01T16:34:05+01:30"},
		{"Today", noon(), "2026-11-22T00:00:00+01:30"},
		{"yesterday", noon(), "2026-11-21T00:00:00+01:30"},
		{"now", noon(), "2026-11-22T12:30:15+01:30"},
		{"sunday", noon(), "2026-11-22T00:00:00+01:30"},
		{"monday", noon(), "2026-11-16T00:00:00+01:30"},
		{"saturday", noon(), "2026-11-21T00:00:00+01:30"},
		{"90m", noon(), "2026-11-22T11:00:15+01:30"},
		{"2h", noon(), "2026-11-22T10:30:15+01:30"},
		{"0d", noon(), "2026-11-22T00:00:00+01:30"},
		{"7d", noon(), "2026-11-15T00:00:00+01:30"},
		{"7 days ago", noon(), "2026-11-15T00:00:00+01:30"},
		{"2w", noon(), "2026-11-08T00:00:00+01:30"},
		{"3mo", noon(), "2026-08-22T00:00:00+01:30"},
		{"1y", noon(), "2025-11-22T00:00:00+01:30"},
		{"today", changed, "2026-10-25T00:00:00+02:00"},
		{"1d", changed, "2026-10-24T00:00:00+02:00"},
		{"12h", changed, "2026-10-25T01:00:00+02:00"},
		{"2026-10-26", changed, "2026-10-26T00:00:00+01:00"},
		{"2026-13-01", noon(), ""},
		{"2026-02-30", noon(), ""},
		{"9999999d", noon(), ""},
		{"99999y", noon(), ""},
		{"0000-01-01", noon(), ""},
		{"-7d", noon(), ""},
		{"+7d", noon(), ""},
		{"7", noon(), ""},
		{"7x", noon(), ""},
		{"d", noon(), ""},
		{"ago", noon(), ""},
		{"soon", noon(), ""},
	} {
		got := ""
		if m, ok := moment(c.text, c.now); ok {
			got = m.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
	_, err = ParseQuery("after:soon", noon())
	equal(t, "error", err.Error(), `after: "soon" is no date, such as after:2026-11-01, after:yesterday or after:7d`)
}

// TestNearestField: what may be mistyped is suggested, and what is far away is not.
func TestNearestField(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"repos": "repo", "tools": "tool", "tags": "tag", "branches": "branch", "titel": "title", "token": "tokens", "befor": "before",
		"projects": "repo", "author": "", "panic": "", "x": "", "internationalisation": "",
	} {
		if got := nearestField(typed); got != want {
			t.Errorf("%s: got %q, want %q", typed, got, want)
		}
	}
}

// TestFields holds the table to itself: every name is there once, every example
// is understood, and every field asks something of a session.
func TestFields(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range Fields() {
		for _, name := range append([]string{f.Name}, f.Also...) {
			if seen[name] || len(name) < 2 {
				t.Errorf("%s is there twice, or is too short", name)
			}
			seen[name] = true
		}
		if f.Title == "" || f.Kind == Part != (f.texts != nil) || (f.Kind == Number || f.Kind == Duration) != (f.number != nil) {
			t.Errorf("%s is not whole", f.Name)
		}
		for _, v := range f.Values {
			q, err := ParseQuery(f.Name+":"+v.Name, noon())
			if err != nil || len(q.Filters) != 1 || v.Title == "" || f.Kind == Choices != (v.holds != nil) {
				t.Errorf("%s:%s: %v %v", f.Name, v.Name, q, err)
			}
		}
		if _, err := ParseQuery(f.example(), noon()); err != nil {
			t.Error(err)
		}
	}
}

// fragments are what queries are made of.
func fragments() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"tide", "Moon", `"tide table"`, `"tide tab`, `"tide tab"*`, "-", "--", "-x", `"`, `""`, "*", ":", "::", " ", "\t", "repo:", "branch: ",
			`title:"a b"`, "panic:", "http://x", `C:\x`, "cost:>1.5", "cost: >", "tokens:<10k", "duration:1h30m", "duration:>1.0009s", "is:failed",
			"is:", "has:edits", "has:x", "after:7d", "after:2h", "before:2026-11", "before:soon", "since:monday", "=", ">", "<=", "潮", "ü", "\xff", "\x00",
		}),
		rapid.StringN(0, 4, -1),
	)
}

func queryText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for _, part := range rapid.SliceOfN(fragments(), 0, 8).Draw(t, "parts") {
			b.WriteString(part)
			b.WriteString(rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		}
		return b.String()
	})
}

// checkQuery holds whatever is read to what is promised of it.
func checkQuery(t interface{ Errorf(string, ...any) }, text string) {
	q, err := ParseQuery(text, noon())
	var wrong *QueryError
	if errors.As(err, &wrong) {
		if wrong.Span[0] < 0 || wrong.Span[0] >= wrong.Span[1] || wrong.Span[1] > len(text) || strings.ContainsAny(wrong.Error(), "\n\x1b\x00") {
			t.Errorf("%q: %q at %v", text, wrong, wrong.Span)
		}
	} else if err != nil {
		t.Errorf("%q: %v", text, err)
	}
	for _, w := range q.Words {
		if len(tokens(w.Text)) == 0 || !utf8.ValidString(w.Text) || strings.ContainsFunc(w.Text, unicode.IsControl) {
			t.Errorf("%q: the word %q", text, w.Text)
		}
	}
	canonical := q.String()
	again, err := ParseQuery(canonical, noon())
	if err != nil && len(canonical) <= queryLimit || len(canonical) <= queryLimit && !reflect.DeepEqual(q, again) {
		t.Errorf("%q\n is %#v\nand %q\n is %#v (%v)", text, q, canonical, again, err)
	}
	q.Accepts(Session{})
}

func TestQueriesAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkQuery(t, queryText().Draw(t, "text")) })
}

func FuzzParseQuery(f *testing.F) {
	for _, text := range []string{"tide -moon", `repo:"a b" "x`, "cost:>1.5k after:7d is:failed", `-title:"a ""b"""`, "branch: x: http://x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkQuery(t, text)
		checkMarks(t, text, text)
	})
}

func TestAccepts(t *testing.T) {
	t.Parallel()
	s := Session{
		Log: Log{
			ID: "abcd-1234", Keeper: "copilot", Agent: "copilot", Name: "Ebb", Dir: "/src/Tide/table", Root: "/src/Tide", Repository: "ada/Tide-Table",
			Branch: "feature/moon", InUse: true,
		},
		Mark: Mark{Name: "Flood", Tags: []string{"work"}, Pinned: true},
		Facts: Facts{
			Title: "Où est la marée", Model: "gpt-5", Used: noon().Add(-time.Hour), Prompts: 2, Turns: 5,
			Tokens: Tokens{In: 9000, Out: 2000, CacheRead: 50000}, Cost: 1.5, Busy: 10 * time.Minute, Edits: 1, Added: 70, Removed: 40,
			Tools: map[string]int{"bash": 2, "edit": 0}, State: Failed, Plan: true,
		},
		Files: []string{"/src/Tide/table.go"},
	}
	for text, want := range map[string]bool{
		"":          true,
		"repo:tide": true, "repo:ADA/": true, "repo:/src": true, "repo:sun": false, "-repo:sun": true, "-repo:tide": false,
		"branch:moon": true, "dir:table": true, "file:table.go": true, "file:moon.go": false, "tool:bash": true, "tool:edit": false,
		"model:gpt": true, "agent:copilot": true, "tag:work": true, "tag:w": true, "id:1234": true,
		"title:maree": true, "title:OÙ": true, "title:flood": true, "title:ebb": true, "title:moon": false,
		"cost:1.5": true, "cost:>1.5": false, "cost:>=1.5": true, "cost:<1.5": false, "cost:<=1.5": true,
		"tokens:11k": true, "tokens:>10k": true, "turns:<6": true, "prompts:2": true, "lines:110": true, "duration:10m": true, "duration:>10m": false,
		"after:today": true, "after:1h": true, "before:1h": false, "after:59m": false, "before:59m": true, "-before:59m": false, "before:today": false,
		"is:failed": true, "is:done": false, "is:interrupted": false, "is:open": true, "is:pinned": true, "is:archived": false, "is:deleted": false,
		"is:named": true, "is:fork": false, "is:damaged": false, "-is:fork": true,
		"has:edits": true, "has:errors": false, "has:images": false, "has:plan": true, "has:agents": false, "has:tags": true,
		"repo:tide cost:1.5": true, "repo:tide cost:2": false, "tide moon": true,
	} {
		q, err := ParseQuery(text, noon())
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Accepts(s); got != want {
			t.Errorf("%s: got %v", text, got)
		}
		if got := q.Accepts(Session{}); text != "" && got && !strings.HasPrefix(text, "-") && !strings.Contains(text, "<") && !strings.Contains(text, "before") && len(q.Filters) > 0 {
			t.Errorf("%s holds for a session of which nothing is known", text)
		}
	}
}

func TestMarksOfWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, text, want string }{
		{"tide", "The tides of Tide-water, intide", "The [tides] of [Tide]-water, intide"},
		{`"tide"`, "tides tide", "tides [tide]"},
		{`"tide table"`, "a tide-table, tide tables", "a [tide-table], tide tables"},
		{`"tide tab"*`, "tide tables", "[tide tables]"},
		{"table.go", "see table.go:12 and table go", "see [table.go]:12 and [table go]"},
		{"-tide moon", "tide moon", "tide [moon]"},
		{"maree", "la MARÉE", "la [MARÉE]"},
		{"marée", "la mare\u0301e", "la [mare\u0301e]"},
		{"潮", "満潮時", "満[潮]時"},
		{"tide \"high tide\"", "high tide", "[high tide]"},
		{`high tide "high tide table"`, "high tide table tide", "[high tide table] [tide]"},
		{"repo:tide", "tide", "tide"},
		{"", "tide", "tide"},
		{"tide", "", ""},
		{"tide", "\xfftide\xff", "\xff[tide]\xff"},
	} {
		q, err := ParseQuery(c.query, noon())
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		at := 0
		for _, m := range q.Matches(c.text) {
			b.WriteString(c.text[at:m[0]] + "[" + c.text[m[0]:m[1]] + "]")
			at = m[1]
		}
		if got := b.String() + c.text[at:]; got != c.want {
			t.Errorf("%s: got %s, want %s", c.query, got, c.want)
		}
	}
	if n := len(Query{Words: []Word{{Text: "a"}}}.Matches(strings.Repeat("a ", maxMatchText))); n != maxMatches {
		t.Errorf("%d hits", n)
	}
}

func checkMarks(t interface{ Errorf(string, ...any) }, query, text string) {
	q, _ := ParseQuery(query, noon()) // what is understood
	end := 0
	for _, m := range q.Matches(text) {
		if m[0] < end || m[1] <= m[0] || m[1] > len(text) {
			t.Errorf("%q in %q: %v", query, text, m)
		}
		end = m[1]
	}
}
