package sessions

import (
	"errors"
	"reflect"
	"testing"
	"time"
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
		{"a - b", "a b", `"-" has no letter and no digit that could be found`},
		{"--force", "--force", ""},
		{`-"-rf"`, `-"-rf"`, ""},
		{"->", "", `">" has no letter and no digit that could be found`},
		{"repo:tide", "repo:tide", ""},
		{"REPO: Tide", "repo:Tide", ""},
		{`repo:"a b" x`, `repo:"a b" x`, ""},
		{`repo: "a b`, `repo:"a b"`, ""},
		{`title:"say ""hi"""`, `title:"say ""hi"""`, ""},
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
