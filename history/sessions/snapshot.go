package sessions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"

	"parley/session"
)

// listing is what the sources had.
type listing struct {
	logs  []Log // the one used last first, each id once
	whole bool  // no source failed
}

// view is all sessions that are known. But for what was looked up in it, it is
// never changed.
type view struct {
	entries []*entry // the one used last first
	byID    map[session.ID]*entry
	db      *database // with the texts of the entries; nil for none

	mu    sync.Mutex
	found map[string][]int64 // the rows with some words
}

// troubleKind is what is wrong. Of each kind only the last is told.
type troubleKind uint8

const (
	listTrouble troubleKind = iota
	indexTrouble
	writeTrouble
	markTrouble
)

// tell notes what the user should know; "" takes it back.
func (l *Library) tell(kind troubleKind, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trouble[kind] = what
}

func (l *Library) troubles() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(l.trouble)) {
		if what := l.trouble[kind]; what != "" {
			all = append(all, what)
		}
	}
	return all
}

// list asks the sources what they have.
func (l *Library) list(ctx context.Context) (*listing, error) {
	l.recall(ctx)
	now := &listing{whole: true}
	var failed []error
	seen := map[session.ID]bool{}
	for _, source := range l.config.Sources {
		logs, err := source.List(ctx)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("list sessions: %w", ctx.Err())
		}
		if err != nil {
			failed = append(failed, err)
		}
		for _, log := range logs {
			if !seen[log.ID] && utf8.ValidString(string(log.ID)) {
				seen[log.ID] = true
				now.logs = append(now.logs, log)
			}
		}
	}
	slices.SortStableFunc(now.logs, func(a, b Log) int { return b.Modified.Compare(a.Modified) })
	trouble := ""
	if err := errors.Join(failed...); err != nil {
		now.whole = false
		trouble = "Not all sessions could be listed: " + err.Error()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listed, l.all, l.trouble[listTrouble] = now, nil, trouble
	return now, nil
}

// recall tells the sources, before they list for the first time, what the index
// knows of what they listed earlier.
func (l *Library) recall(ctx context.Context) {
	l.mu.Lock()
	first := l.listed == nil
	l.mu.Unlock()
	if !first || l.load(ctx) != nil {
		return
	}
	l.mu.Lock()
	known := l.index.stored
	l.mu.Unlock()
	if known == nil {
		return
	}
	logs := map[string][]Log{}
	for _, e := range known.byID {
		logs[e.Keeper] = append(logs[e.Keeper], e.record.Log)
	}
	for _, source := range l.config.Sources {
		if s, ok := source.(recaller); ok {
			s.recall(logs[source.Keeper()])
		}
	}
}

// load reads what changed in the index. Its only error is that ctx has ended.
func (l *Library) load(ctx context.Context) error {
	db := l.reader(ctx)
	if db == nil {
		return nil
	}
	now, err := db.load(ctx, l.storedNow(db))
	switch {
	case err == nil:
		l.setStored(db, now)
	case ctx.Err() != nil:
		return fmt.Errorf("look at the index: %w", ctx.Err())
	default:
		l.failed(db, err)
	}
	return nil
}

// look returns what is known now. It reads what changed in the index, and lists
// the sources where nothing is known at all.
func (l *Library) look(ctx context.Context) (*view, error) {
	if err := l.load(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	all, known := l.all, l.listed != nil || l.index.stored != nil && l.index.stored.whole
	l.mu.Unlock()
	if all != nil {
		return all, nil
	}
	if !known {
		if _, err := l.list(ctx); err != nil {
			return nil, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = together(l.listed, l.index.stored)
	if l.index.stored != nil {
		l.all.db = l.index.db
	}
	return l.all, nil
}

// together is what the sources have, with what the index knows of it. Before they
// were asked it is what the index has.
func together(listed *listing, index *stored) *view {
	if index == nil {
		index = &stored{}
	}
	v := &view{byID: map[session.ID]*entry{}, found: map[string][]int64{}}
	if listed == nil || !listed.whole {
		maps.Copy(v.byID, index.byID)
	}
	if listed != nil {
		for _, log := range listed.logs {
			switch e := index.byID[log.ID]; {
			case e == nil:
				v.byID[log.ID] = newEntry(log)
			case !e.InUse && !log.InUse && e.Path == log.Path && sameLog(e.record.Log, kept(log)):
				v.byID[log.ID] = e
			default:
				v.byID[log.ID] = e.as(log)
			}
		}
	}
	for _, e := range v.byID {
		v.entries = append(v.entries, e)
	}
	slices.SortFunc(v.entries, lastUsed)
	return v
}

// lastUsed sorts the one used last first, and those of one time by their ids.
func lastUsed(a, b *entry) int { return byUse(&a.Session, &b.Session) }
