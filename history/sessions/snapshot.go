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

// snapshot is all sessions that are known. But for what was looked up in it, it is
// never changed.
type snapshot struct {
	entries []*entry // the one used last first
	byID    map[session.ID]*entry
	db      *database // with the texts of the entries; nil for none

	mu         sync.Mutex
	cachedRows map[string][]int64 // the rows with some words
}

// warningKind is the subject of a warning. Only the last of each kind is shown.
type warningKind uint8

const (
	listWarning warningKind = iota
	indexWarning
	writeWarning
	marksWarning
	keptWarning
)

// warn notes what the user should know; "" takes it back.
func (l *Library) warn(kind warningKind, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.warnings[kind] = what
}

func (l *Library) warningTexts() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(l.warnings)) {
		if what := l.warnings[kind]; what != "" {
			all = append(all, what)
		}
	}
	return all
}

// listSources asks the sources what they have.
func (l *Library) listSources(ctx context.Context) (*listing, error) {
	l.recallLogs(ctx)
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
	l.listed, l.all, l.warnings[listWarning] = now, nil, trouble
	return now, nil
}

// recallLogs gives the sources, before they list for the first time, the logs that the
// index has of them.
func (l *Library) recallLogs(ctx context.Context) {
	l.mu.Lock()
	first := l.listed == nil
	l.mu.Unlock()
	if !first || l.loadIndex(ctx) != nil {
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

// loadIndex reads what changed in the index. Its only error is that ctx has ended.
func (l *Library) loadIndex(ctx context.Context) error {
	db := l.indexForReading(ctx)
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
		l.indexFailed(db, err)
	}
	return nil
}

// snapshot returns what is known now. It reads what changed in the index, and lists
// the sources where nothing is known at all.
func (l *Library) snapshot(ctx context.Context) (*snapshot, error) {
	if err := l.loadIndex(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	all, known := l.all, l.listed != nil || l.index.stored != nil && l.index.stored.whole
	l.mu.Unlock()
	if all != nil {
		return all, nil
	}
	if !known {
		if _, err := l.listSources(ctx); err != nil {
			return nil, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = merge(l.listed, l.index.stored, l.kept)
	if l.index.stored != nil {
		l.all.db = l.index.db
	}
	return l.all, nil
}

// merge is what the sources have, with what the index knows of it. Before they
// were asked it is what the index has. What an agent keeps counts if nothing else has it.
func merge(listed *listing, index *indexed, kept []Log) *snapshot {
	if index == nil {
		index = &indexed{}
	}
	v := &snapshot{byID: map[session.ID]*entry{}, cachedRows: map[string][]int64{}}
	if listed == nil || !listed.whole {
		maps.Copy(v.byID, index.byID)
	}
	if listed != nil {
		for _, log := range listed.logs {
			switch e := index.byID[log.ID]; {
			case e == nil:
				v.byID[log.ID] = newEntry(log)
			case !e.InUse && !log.InUse && e.Path == log.Path && sameLog(e.record.Log, storedLog(log)):
				v.byID[log.ID] = e
			default:
				v.byID[log.ID] = e.withLog(log)
			}
		}
	}
	for _, log := range kept {
		if v.byID[log.ID] == nil && utf8.ValidString(string(log.ID)) {
			v.byID[log.ID] = newEntry(storedLog(log))
		}
	}
	v.entries = slices.SortedFunc(maps.Values(v.byID), func(a, b *entry) int { return byUse(&a.Session, &b.Session) })
	return v
}
