package sessions

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// Stats adds up what Find would find; Limit and Order have no meaning. A session
// counts on the local day on which it was used last. If the
// repository or the model is not known, the name is "". What a copy repeats of a session that
// is still there counts there alone.
func (l *Library) Stats(ctx context.Context, r Request) (Stats, error) {
	hits, in, err := l.find(ctx, r)
	if err != nil {
		return Stats{}, err
	}
	var all Stats
	days, repositories, models, tools := shares{}, shares{}, shares{}, shares{}
	for i := range hits {
		s := hits[i].own(in.view.byID[hits[i].Parent])
		sum := sumOf(&s)
		all.All.add(sum)
		days.add(s.Used.In(l.config.Location).Format(time.DateOnly), sum)
		repositories.add(cmp.Or(s.Repository, s.Root), sum)
		models.add(s.Model, sum)
		for tool, calls := range s.Tools {
			tools.add(tool, Sum{Sessions: 1, Calls: calls})
		}
	}
	most := func(of func(Share) int) func(a, b Share) int {
		return func(a, b Share) int { return cmp.Or(of(b)-of(a), strings.Compare(a.Name, b.Name)) }
	}
	all.Days = filled(days.sorted(func(a, b Share) int { return strings.Compare(a.Name, b.Name) }))
	all.Repositories = repositories.sorted(most(func(s Share) int { return s.Sessions }))
	all.Models = models.sorted(most(func(s Share) int { return s.Sessions }))
	all.Tools = tools.sorted(most(func(s Share) int { return s.Calls }))
	return all, nil
}

// own is a session without what it repeats of its parent; nil is none that is
// still there. A parent that was rewound since does not have it all any more.
func (s Session) own(parent *entry) Session {
	c := s.Copied
	if c == nil || parent == nil || parent.ID == s.ID {
		return s
	}
	less := func(n *int, copied, there int) { *n -= max(0, min(copied, there, *n)) }
	less(&s.Prompts, c.Prompts, parent.Prompts)
	less(&s.Turns, c.Turns, parent.Turns)
	less(&s.Failures, c.Failures, parent.Failures)
	less(&s.Added, c.Added, parent.Added)
	less(&s.Removed, c.Removed, parent.Removed)
	less(&s.Tokens.In, c.Tokens.In, parent.Tokens.In)
	less(&s.Tokens.Out, c.Tokens.Out, parent.Tokens.Out)
	less(&s.Tokens.CacheRead, c.Tokens.CacheRead, parent.Tokens.CacheRead)
	less(&s.Tokens.CacheWrite, c.Tokens.CacheWrite, parent.Tokens.CacheWrite)
	s.Cost -= max(0, min(c.Cost, parent.Cost, s.Cost))
	s.Busy -= max(0, min(c.Busy, parent.Busy, s.Busy))
	s.Tools = maps.Clone(s.Tools)
	for tool, calls := range s.Tools {
		less(&calls, c.Tools[tool], parent.Tools[tool])
		if s.Tools[tool] = calls; calls == 0 {
			delete(s.Tools, tool)
		}
	}
	return s
}

func sumOf(s *Session) Sum {
	sum := Sum{
		Sessions: 1, Prompts: s.Prompts, Turns: s.Turns, Failures: s.Failures,
		Added: s.Added, Removed: s.Removed, Tokens: s.Tokens, Cost: s.Cost, Busy: s.Busy,
	}
	for _, calls := range s.Tools {
		sum.Calls += calls
	}
	return sum
}

func (s *Sum) add(t Sum) {
	s.Sessions += t.Sessions
	s.Prompts += t.Prompts
	s.Turns += t.Turns
	s.Calls += t.Calls
	s.Failures += t.Failures
	s.Added += t.Added
	s.Removed += t.Removed
	s.Tokens = s.Tokens.plus(t.Tokens)
	s.Cost += t.Cost
	s.Busy += t.Busy
}

// shares are sums by name.
type shares map[string]*Sum

func (s shares) add(name string, sum Sum) {
	if s[name] == nil {
		s[name] = &Sum{}
	}
	s[name].add(sum)
}

func (s shares) sorted(compare func(a, b Share) int) []Share {
	all := make([]Share, 0, len(s))
	for name, sum := range s {
		all = append(all, Share{name, *sum})
	}
	slices.SortFunc(all, compare)
	return all
}

// filled puts in the days without sessions. A longer time without any, such as a
// clock that was wrong makes, is left out.
func filled(days []Share) []Share {
	const longest = 366
	var all []Share
	for _, day := range days {
		at, err := time.Parse(time.DateOnly, day.Name)
		if n := len(all); n > 0 && err == nil {
			before, _ := time.Parse(time.DateOnly, all[n-1].Name) // it is one of ours
			gap := int(at.Sub(before)/(24*time.Hour)) - 1
			for i := 1; i <= gap && gap <= longest; i++ {
				all = append(all, Share{Name: before.AddDate(0, 0, i).Format(time.DateOnly)})
			}
		}
		all = append(all, day)
	}
	return all
}

// Known returns what the sessions have, for completion.
func (l *Library) Known(ctx context.Context) (Known, error) {
	v, err := l.snapshot(ctx)
	if err != nil {
		return Known{}, err
	}
	marks, err := l.marks.All()
	l.warn(marksWarning, markText(err))
	var k Known
	seen := map[string]bool{}
	add := func(to *[]string, kind, value string) {
		if key := kind + "\x00" + value; value != "" && !seen[key] {
			seen[key] = true
			*to = append(*to, value)
		}
	}
	for _, e := range v.entries {
		add(&k.Repositories, "repository", e.Repository)
		add(&k.Dirs, "dir", e.Dir)
		add(&k.Branches, "branch", e.Branch)
		add(&k.Models, "model", e.Model)
		add(&k.Agents, "agent", e.Agent)
		for _, tag := range marks[e.ID].Tags {
			add(&k.Tags, "tag", tag)
		}
		mostCalled := func(a, b string) int { return cmp.Or(e.Tools[b]-e.Tools[a], strings.Compare(a, b)) }
		for _, tool := range slices.SortedFunc(maps.Keys(e.Tools), mostCalled) {
			add(&k.Tools, "tool", tool)
		}
	}
	return k, nil
}
