package sessions

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// excerpts is how many hits have an excerpt: those that are seen without going
// far.
const excerpts = 40

// Find returns what was asked for, of what is known so far: before the first
// Refresh that is what the index of an earlier run holds, or, without one,
// what the sources list. Where Found.Indexing is busy and no refresh runs, Refresh
// is worth a call. The first hits have an excerpt, where words are looked for.
func (l *Library) Find(ctx context.Context, r Request) (Found, error) {
	hits, search, err := l.find(ctx, r)
	if err != nil {
		return Found{}, err
	}
	slices.SortFunc(hits, r.Order.compare(len(search.words) > 0))
	found := Found{Total: len(hits), Warnings: l.warningTexts(), Asking: l.asking()}
	if p := l.Progress(); p.Busy() {
		found.Indexing = p
	}
	if r.Limit > 0 && len(hits) > r.Limit {
		hits = hits[:r.Limit]
	}
	found.Sessions = make([]Hit, len(hits))
	for i, h := range hits {
		found.Sessions[i] = *h
	}
	for i := range found.Sessions[:min(len(found.Sessions), excerpts)] {
		if err := l.excerpt(ctx, r.Query, search, &found.Sessions[i]); err != nil {
			return Found{}, err
		}
	}
	return found, nil
}

// find returns what was asked for, in no order.
func (l *Library) find(ctx context.Context, r Request) ([]*Hit, search, error) {
	in, err := l.search(ctx, r.Query)
	if err != nil {
		return nil, search{}, err
	}
	v := in.view
	marks, err := l.marks.All()
	l.warn(marksWarning, markText(err))
	archived, deleted := r.Archived || r.Query.AsksFor("archived"), r.Deleted || r.Query.AsksFor("deleted")
	now := l.config.Now()
	var hits []*Hit
	for _, e := range v.entries {
		m, noted := marks[e.ID], ""
		if m.Archived && !archived || !m.Deleted.IsZero() && !deleted || !r.within(e) {
			continue
		}
		if m.Name != "" || len(m.Tags) > 0 {
			noted = m.noted()
		}
		points, ok := score(in.words, e, noted, len(v.entries))
		if !ok {
			continue
		}
		if s := e.shown(m); r.Query.Accepts(s) {
			hits = append(hits, &Hit{Session: s, Score: points * recent(now.Sub(s.Used))})
		}
	}
	return hits, in, nil
}

// search is where the words of a query are, in the texts of the sessions of a view.
type search struct {
	words []*queryTerm
	view  *snapshot
}

func (l *Library) search(ctx context.Context, q Query) (search, error) {
	for {
		v, err := l.snapshot(ctx)
		if err != nil {
			return search{}, err
		}
		words, err := l.findTerms(ctx, v, q)
		if err != nil {
			return search{}, fmt.Errorf("find sessions: %w", err)
		}
		// What was written between the two is seen by neither or in part: a session
		// that is found with a part of its words is so from the next time on. An
		// index that was damaged is followed by another, or by none.
		if l.indexForReading(ctx) == v.db || v.db == nil {
			return search{words, v}, nil
		}
	}
}

func markText(err error) string {
	if err == nil {
		return ""
	}
	return "What you noted about sessions could not be read: " + err.Error()
}

// recent is how much more a hit counts in a session that was used lately.
func recent(age time.Duration) float64 {
	const month = 30 * 24 * time.Hour
	return 1 + 1/(1+max(0, age.Hours())/month.Hours())
}

// AsksFor reports whether the query is for sessions that are, as one says, "archived"
// or "deleted": those that are left out otherwise.
func (q Query) AsksFor(is string) bool {
	return slices.ContainsFunc(q.Filters, func(f Filter) bool { return f.Field == "is" && f.Value == is && !f.Not })
}

// within reports whether a session belongs to the scope.
func (r Request) within(e *entry) bool {
	switch {
	case r.Scope == Everywhere:
		return true
	case r.Scope == InRepository && r.Root != "":
		return e.Root != "" && sameDir(e.Root, r.Root) || below(e.Dir, r.Root)
	default:
		return sameDir(e.Dir, r.Dir)
	}
}

func sameDir(a, b string) bool { return clean(a) == clean(b) }

func below(dir, root string) bool {
	const separator = string(filepath.Separator)
	dir, root = clean(dir), clean(root)
	return dir == root || strings.HasPrefix(dir, strings.TrimSuffix(root, separator)+separator)
}

// clean is a path as it is compared: on Windows a folder has the same name in capitals.
func clean(path string) string {
	if path = filepath.Clean(path); filepath.Separator == '\\' {
		path = strings.ToLower(path)
	}
	return path
}

// compare says which of two hits comes first.
func (o Order) compare(words bool) func(a, b *Hit) int {
	by := func(_, _ *Hit) int { return 0 }
	switch o {
	case ByRelevance:
		if words {
			by = func(a, b *Hit) int { return cmp.Compare(b.Score, a.Score) }
		}
	case ByUsed:
	case ByStarted:
		by = func(a, b *Hit) int { return b.Started.Compare(a.Started) }
	case ByTitle:
		by = func(a, b *Hit) int { return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) }
	case ByCost:
		by = func(a, b *Hit) int { return cmp.Compare(b.Cost, a.Cost) }
	}
	return func(a, b *Hit) int {
		if a.Pinned != b.Pinned {
			if a.Pinned {
				return -1
			}
			return 1
		}
		return cmp.Or(by(a, b), byUse(&a.Session, &b.Session))
	}
}

// byUse sorts the one used last first, and those of one time by their ids.
func byUse(a, b *Session) int {
	return cmp.Or(b.Used.Compare(a.Used), strings.Compare(string(a.ID), string(b.ID)))
}

// excerpt gives a hit the line that it is for. Where that cannot be read it has
// none.
func (l *Library) excerpt(ctx context.Context, q Query, in search, h *Hit) error {
	row := best(in.words, in.view.byID[h.ID].no)
	if row == 0 {
		return nil
	}
	text, err := in.view.db.text(ctx, row)
	if ctx.Err() != nil {
		return fmt.Errorf("find sessions: %w", ctx.Err())
	}
	if errors.Is(err, sql.ErrNoRows) { // it was written anew meanwhile
		return nil
	}
	if err != nil {
		l.indexFailed(in.view.db, err)
		return nil
	}
	h.Excerpt, h.Spans = excerpt(q, in.words, text)
	return nil
}
