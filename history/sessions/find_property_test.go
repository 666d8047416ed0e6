package sessions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/session"
)

// TestFindIsAsAccepts: what the index finds is what a look at every session and
// every text finds, for filters, words, phrases and what must not be there.
func TestFindIsAsAccepts(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{"tide", "tides", "tidal", "table", "moon", "MOON", "moonlight", "marée", "ebb", "table.go", "潮", "潮時"})
	said := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "said"), " ") })
	term := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"", "", "-"}).Draw(t, "not") + rapid.OneOf(
			words,
			rapid.SampledFrom([]string{
				"mo", "tid", "maree", "repo:tide", "repo:ADA", "branch:main", "title:moon", "tag:work", "is:pinned", "is:named", "is:deleted", "is:archived",
				"has:tags", "turns:0", "prompts:>0", "after:2026-11-20", "before:2026-11-20", "id:s1", "dir:/w", "tool:bash", "is:open", "agent:cop",
			}),
			rapid.Custom(func(t *rapid.T) string { return `"` + words.Draw(t, "first") + " " + words.Draw(t, "second") + `"` }),
		).Draw(t, "term")
	})
	rapid.Check(t, func(r *rapid.T) {
		source := newShelf()
		texts := map[session.ID][]string{}
		l := openedIn(r, "", source)
		for i := range rapid.IntRange(1, 5).Draw(r, "sessions") {
			id := session.ID(fmt.Sprintf("s%d-session", i))
			texts[id] = []string{said.Draw(r, "prompt"), said.Draw(r, "answer")}
			source.put(id, asked(texts[id][0]), answered(texts[id][1]))
			source.change(id, func(log *Log) {
				log.Repository = rapid.SampledFrom([]string{"", "ada/x-tide-x", "ada/y"}).Draw(r, "repository")
				log.Branch = rapid.SampledFrom([]string{"", "main", "xmainx"}).Draw(r, "branch")
				log.InUse = rapid.Bool().Draw(r, "open")
				texts[id] = append(texts[id], log.Repository, log.Branch, log.Dir, log.Root)
			})
		}
		mustRefresh(r, l)
		for _, id := range slices.Sorted(maps.Keys(texts)) {
			mark := Mark{
				Name: rapid.SampledFrom([]string{"", "", "moon table"}).Draw(r, "name"), Tags: rapid.SampledFrom([][]string{nil, {"work"}, {"ebb"}}).Draw(r, "tags"),
				Pinned: rapid.Bool().Draw(r, "pinned"), Archived: rapid.Bool().Draw(r, "archived"),
			}
			if rapid.Bool().Draw(r, "deleted") {
				mark.Deleted = midday.Add(-time.Hour)
			}
			if err := l.Mark(t.Context(), id, func(m *Mark) { *m = mark }); err != nil {
				r.Fatal(err)
			}
			texts[id] = append(append(texts[id], mark.Name), mark.Tags...)
		}
		find := func(q Query) []Hit {
			found, err := l.Find(t.Context(), Request{Query: q, Scope: Everywhere, Archived: true, Deleted: true})
			if err != nil {
				r.Fatal(err)
			}
			return found.Sessions
		}
		q, err := ParseQuery(strings.Join(rapid.SliceOfN(term, 0, 4).Draw(r, "query"), " "), midday)
		if err != nil {
			r.Fatal(err)
		}
		var got, want []session.ID
		for _, hit := range find(q) {
			got = append(got, hit.ID)
		}
		for _, hit := range find(Query{}) {
			if q.Accepts(hit.Session) && hasWords(q, texts[hit.ID]) {
				want = append(want, hit.ID)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			r.Errorf("%s finds %v, and not %v, in %q", q, got, want, texts)
		}
	})
}

// hasWords looks through texts one after the other.
func hasWords(q Query, texts []string) bool {
	for _, w := range q.Words {
		not := w.Not
		w.Not = false
		has := slices.ContainsFunc(texts, func(text string) bool { return len(Query{Words: []Word{w}}.Matches(text)) > 0 })
		if has == not {
			return false
		}
	}
	return true
}
