package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// The bounds of what is held and written at a time.
const (
	mostReaders = 2
	pieceSize   = 4 << 20   // of what is read of a log, before it is passed on
	firstBatch  = 256 << 10 // of a transaction; each may be twice as large as the one before
	lastBatch   = 12 << 20
	memBatch    = 1 << 20 // in memory, where who looks for something waits for it
)

// readers is how many logs are read at once. One goroutine writes, and where there
// are few processors the window needs some of them: with two of them and two
// readers a key waited up to three times as long, and nothing was done earlier.
func readers() int { return max(1, min(mostReaders, runtime.GOMAXPROCS(0)-1)) }

// Refresh brings the index up to date, the sessions used last first, and returns
// when it is. Everything else may be called meanwhile. Of several calls, in this
// process and in others, one works and the others wait for it; ctx ends a call,
// and what it indexed stays.
//
// A session that cannot be read is no error: its Unread says why. The errors are
// those after which words are not found in some sessions; what was found before
// is found still.
func (l *Library) Refresh(ctx context.Context) error { return l.refresh(ctx, false, false) }

// Rebuild forgets the index and builds it anew, as Refresh does.
func (l *Library) Rebuild(ctx context.Context) error { return l.refresh(ctx, true, false) }

// Erase does what Refresh does, and leaves in the files of the index no text of a session that is gone. It writes
// the index once more, and removes those of older versions.
func (l *Library) Erase(ctx context.Context) error { return l.refresh(ctx, false, true) }

func (l *Library) refresh(ctx context.Context, anew, erase bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.closed, cancel)()
	select {
	case <-l.refreshing:
		defer func() { l.refreshing <- struct{}{} }()
	case <-ctx.Done():
	}
	if err := cmp.Or(l.closed.Err(), ctx.Err()); err != nil {
		return fmt.Errorf("index sessions: %w", err)
	}
	now, err := l.listSources(ctx) // before waiting for others, so that what is new is seen
	if err != nil {
		return err
	}
	waited := false
	unlock, err := l.lock(ctx, func() {
		waited = true
		if v, err := l.snapshot(ctx); err == nil {
			l.setProgress(v.byID, now.logs)
		}
	})
	if err != nil {
		return err
	}
	defer unlock()
	if waited {
		if now, err = l.listSources(ctx); err != nil {
			return err
		}
	}
	const attempts = 3 // a disk that damages everything is not worth another attempt
	for range attempts {
		var db *database
		if db, err = l.indexForWriting(ctx, anew); err == nil {
			err = l.update(ctx, db, now.logs, now.whole)
		}
		if err == nil && erase {
			err = db.erase(ctx, now.whole)
		}
		anew = false
		switch {
		case err == nil:
			l.indexRebuilt()
			l.tidy(erase)
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("index sessions: %w", ctx.Err())
		case db.unusable(ctx, err):
			l.indexFailed(db, err)
		case db == nil && !busy(err) && l.useMemory(err):
		default:
			l.writeFailed(err)
			return err
		}
	}
	return err
}

// update brings the index up to date with a list of logs.
func (l *Library) update(ctx context.Context, db *database, logs []Log, whole bool) error {
	now, err := db.load(ctx, l.storedNow(db))
	if err != nil {
		return err
	}
	l.setStored(db, now)
	todo, removed := plan(now, logs, whole)
	l.setProgress(now.byID, logs)
	if len(todo) > 0 || len(removed) > 0 {
		err = l.readAndWrite(ctx, db, todo, removed)
	}
	if err != nil || now.whole || !whole {
		return err
	}
	return db.complete(ctx)
}

// readAndWrite reads logs and writes what is in them, and removes what is gone.
func (l *Library) readAndWrite(ctx context.Context, db *database, todo []job, removed []session.ID) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs, read := make(chan job), make(chan readResult, readers())
	var working sync.WaitGroup
	for range min(readers(), len(todo)) {
		working.Go(func() {
			g := newChunker()
			for j := range jobs {
				l.read(ctx, db, g, j, read)
			}
		})
	}
	go func() {
		defer close(read)
		defer working.Wait()
		defer close(jobs)
		for _, j := range todo {
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	err := l.write(ctx, db, read, removed)
	cancel()
	for range read { // a reader may wait to pass something on
	}
	return err
}

// job is a log to read.
type job struct {
	log  Log
	have *entry // nil if the index has nothing of it
}

// plan says what is to be read, in the order of the logs, and what is gone. Where
// not all logs could be listed, nothing is gone.
func plan(now *indexed, logs []Log, whole bool) (todo []job, removed []session.ID) {
	there := make(map[session.ID]bool, len(logs))
	for _, log := range logs {
		there[log.ID] = true
		if have := now.byID[log.ID]; !have.upToDate(log) {
			todo = append(todo, job{log, have})
		}
	}
	for id := range now.byID {
		if whole && !there[id] {
			removed = append(removed, id)
		}
	}
	return todo, removed
}

// sameLog compares what is stored.
func sameLog(a, b Log) bool {
	same := a.Modified.Equal(b.Modified) && a.Created.Equal(b.Created)
	a.Modified, a.Created, b.Modified, b.Created = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	return same && a == b
}

// write writes what is read, until there is no more.
func (l *Library) write(ctx context.Context, db *database, read <-chan readResult, removed []session.ID) error {
	var batch []readResult
	size, most := 0, firstBatch
	last := lastBatch
	if db.path == "" {
		last = memBatch
	}
	end := func() error {
		if len(batch) == 0 && len(removed) == 0 {
			return nil
		}
		err := db.change(ctx, batch, removed)
		if err == nil {
			for _, r := range batch {
				if r.done {
					l.addProgress(r.log)
				}
			}
		}
		clear(batch)
		batch, removed, size, most = batch[:0], nil, 0, min(2*most, last)
		return err
	}
	for r := range read {
		if r.same {
			l.addProgress(r.log)
			continue
		}
		batch = append(batch, r)
		for _, p := range r.parts {
			size += p.size()
		}
		if size >= most || len(batch) >= maxBatch {
			if err := end(); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("index sessions: %w", err)
	}
	return end()
}

// maxBatch is how many sessions a transaction has at most.
const maxBatch = 256

// read reads a log, or what was appended to it, and passes on what it holds.
func (l *Library) read(ctx context.Context, db *database, g *chunker, j job, to chan<- readResult) {
	pass := func(r readResult) {
		select {
		case to <- r:
		case <-ctx.Done():
		}
	}
	last := readResult{log: j.log, done: true, size: j.log.Size}
	if j.have != nil && j.have.current(j.log) { // only what its source says of it is new
		last.row = j.have.record
		last.row.Log, last.row.Noted = storedLog(j.log), j.log.noted
		pass(last)
		return
	}
	d := &Digest{}
	fresh := true
	if j.have != nil && j.have.size >= 0 && j.log.Size > j.have.size && j.have.parts <= maxChunks(j.log.Size) {
		if known, err := db.digest(ctx, j.have.no); err == nil {
			d, fresh = known, false
		}
	}
	err := l.digest(ctx, g, d, j.log, fresh, pass)
	if errors.Is(err, ErrReplaced) {
		d, fresh = &Digest{}, true
		err = l.digest(ctx, g, d, j.log, fresh, pass)
	}
	if ctx.Err() != nil {
		g.drop()
		return
	}
	last.row = recordOf(j.log, d)
	if err != nil {
		last.row.Unread = unread(err)
		if d.Offset == 0 { // it may be readable the next time, and look the same
			last.size = -1
			last.same = j.have != nil && j.have.size == -1 &&
				j.have.record.Unread == last.row.Unread && sameLog(j.have.record.Log, last.row.Log)
		}
	}
	last.fresh, last.parts, last.d = fresh && !g.passed, g.take(true), d
	g.passed = false
	pass(last)
}

// maxChunks is of how many parts a session is at most, before it is read anew: what
// is appended makes parts that are small.
func maxChunks(size int64) int { return 32 + int(size/chunkSize) }

// digest reads a log on, and passes on parts of it while there are many.
func (l *Library) digest(ctx context.Context, g *chunker, d *Digest, log Log, fresh bool, pass func(readResult)) error {
	in, err := l.open(ctx, log)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	return d.Read(ctx, in, func(t Text) {
		g.add(t)
		if g.size >= pieceSize {
			pass(readResult{log: log, row: recordOf(log, d), fresh: fresh && !g.passed, parts: g.take(false)})
			g.passed = true
		}
	})
}

// unread says for a user why a log could not be read.
func unread(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "its log may not be read"
	case errors.Is(err, fs.ErrNotExist):
		return "its log is gone"
	}
	return "its log could not be read: " + err.Error()
}

func (l *Library) open(ctx context.Context, log Log) (io.ReadCloser, error) {
	if log.Keeper == AgentKeeper {
		return nil, ErrKept
	}
	i := slices.IndexFunc(l.config.Sources, func(s Source) bool { return s.Keeper() == log.Keeper })
	if i < 0 {
		return nil, fmt.Errorf("%w: nothing stores sessions of %s here", ErrNotFound, log.Keeper)
	}
	return l.config.Sources[i].Open(ctx, log.ID)
}
