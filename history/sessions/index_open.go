package sessions

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/history/lock"
	"parley/session"
)

// openIndex is the index that a Library has open.
type openIndex struct {
	files             indexFiles // their base is "" for one in memory
	db                *database
	generation        int
	stored            *indexed // of db
	damagedGeneration int      // a generation that is damaged
	inMemory          bool     // the files cannot be had
	closed            bool     // the library is closed
}

// currentIndex is the index that is open; not known where there may be one to open.
func (l *Library) currentIndex() (db *database, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := &l.index
	if i.closed || i.db != nil && i.db.sameFile() {
		return i.db, true
	}
	l.closeIndex()
	return nil, i.files.base == "" || i.inMemory
}

// lockOpening waits until no other goroutine opens an index. What is known is not locked
// meanwhile: a database that another process writes to may take seconds to open.
func (l *Library) lockOpening(ctx context.Context) (end func(), err error) {
	select {
	case l.opening <- struct{}{}:
		return func() { <-l.opening }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("open the index: %w", ctx.Err())
	}
}

// indexForReading is the index as far as there is one; nil if no index exists or can
// be read now.
func (l *Library) indexForReading(ctx context.Context) *database {
	if db, known := l.currentIndex(); known {
		return db
	}
	end, err := l.lockOpening(ctx)
	if err != nil {
		return nil
	}
	defer end()
	db, _ := l.openNewest(ctx) // a warning was noted
	return db
}

// openNewest opens the last index there is, alone; nil if none exists. An error
// means that there is one which cannot be read now.
func (l *Library) openNewest(ctx context.Context) (*database, error) {
	if db, known := l.currentIndex(); known {
		return db, nil
	}
	l.mu.Lock()
	bad := l.index.damagedGeneration
	l.mu.Unlock()
	all := l.index.files.generations()
	if len(all) == 0 || all[len(all)-1] <= bad {
		return nil, nil
	}
	last := all[len(all)-1]
	db, err := openDatabase(ctx, l.index.files.generation(last))
	switch {
	case err == nil:
		return l.setIndex(db, last)
	case ctx.Err() != nil:
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if damaged(err) {
		l.index.damagedGeneration = last
		l.warnings[indexWarning] = damagedWarning
		return nil, nil
	}
	l.warnings[indexWarning] = unreadable(err)
	return nil, err
}

// setIndex makes a database the index that is open.
func (l *Library) setIndex(db *database, generation int) (*database, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.closed {
		_ = db.close() // it was only looked at
		return nil, fs.ErrClosed
	}
	l.index.db, l.index.generation = db, generation
	l.clearUnreadable()
	return db, nil
}

// clearUnreadable takes it back that the index cannot be read; l.mu is held.
func (l *Library) clearUnreadable() {
	if strings.HasPrefix(l.warnings[indexWarning], unreadableWarning) {
		l.warnings[indexWarning] = ""
	}
}

const unreadableWarning = "The index of the sessions cannot be read now, and words are not found: "

func unreadable(err error) string { return unreadableWarning + err.Error() }

const damagedWarning = "The index of the sessions was damaged. It is built anew; the sessions themselves are as they were."

// closeIndex closes what is open; l.mu is held. Who still reads it gets an error, and
// looks again.
func (l *Library) closeIndex() {
	if db := l.index.db; db != nil {
		l.index.db, l.index.stored, l.all = nil, nil, nil
		l.progress.Done, l.progress.Bytes = 0, 0
		_ = db.close() // it was only looked at, or is of no use
	}
}

// indexFailed notes an error of an index that was read.
func (l *Library) indexFailed(db *database, err error) {
	useless := db.unusable(l.closed, err)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.index.db != db:
		return // somebody was faster
	case !useless:
		l.warnings[indexWarning] = unreadable(err)
		return
	}
	l.index.damagedGeneration = l.index.generation
	l.warnings[indexWarning] = damagedWarning
	l.closeIndex()
}

func (l *Library) storedNow(db *database) *indexed {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.db != db {
		return nil
	}
	return l.index.stored
}

func (l *Library) setStored(db *database, now *indexed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.db != db {
		return
	}
	l.clearUnreadable()
	if l.index.stored != now {
		l.index.stored, l.all = now, nil
	}
}

// indexForWriting is the index to write to, under the lock: the latest that is of use, or a
// new one.
func (l *Library) indexForWriting(ctx context.Context, anew bool) (*database, error) {
	end, err := l.lockOpening(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if !anew {
		if db, err := l.openNewest(ctx); db != nil || err != nil {
			return db, err
		}
	}
	l.mu.Lock()
	i := &l.index
	over, inMemory, next := i.closed, i.files.base == "" || i.inMemory, i.damagedGeneration+1
	l.closeIndex()
	l.mu.Unlock()
	switch {
	case over:
		return nil, fs.ErrClosed
	case inMemory:
		db, err := openDatabase(ctx, "")
		if err != nil {
			return nil, err
		}
		return l.setIndex(db, 0)
	}
	all := i.files.generations()
	if len(all) > 0 {
		next = max(next, all[len(all)-1]+1)
	}
	err = i.files.make(ctx, next)
	var db *database
	if err == nil {
		db, err = openDatabase(ctx, i.files.generation(next))
	}
	if err != nil {
		i.files.remove(next)
		return nil, err
	}
	for _, n := range all {
		i.files.remove(n)
	}
	return l.setIndex(db, next)
}

// tidy removes files of the index that are not needed any more, with all those of older versions, under the lock.
func (l *Library) tidy(all bool) {
	l.mu.Lock()
	i := &l.index
	inMemory, used := i.files.base == "" || i.inMemory, i.generation
	l.mu.Unlock()
	if !inMemory {
		i.files.tidy(used, all)
	}
}

// lock waits until no other process changes the index, if it has a file to lock. Without
// an error unlock ends that.
func (l *Library) lock(ctx context.Context, waiting func()) (unlock func(), err error) {
	l.mu.Lock()
	inMemory := l.index.files.base == "" || l.index.inMemory
	l.mu.Unlock()
	if inMemory {
		return func() {}, nil
	}
	name := l.index.files.lock()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return l.withoutLock(fmt.Errorf("make the folder of the index: %w", err))
	}
	held, err := lock.WaitLong(ctx, name, 100*time.Millisecond, waiting)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("wait for the index: %w", ctx.Err())
	case err != nil:
		return l.withoutLock(fmt.Errorf("lock the index: %w", err))
	}
	return func() { _ = held.Release() }, nil
}

// withoutLock has the index in memory, if its files cannot be locked.
func (l *Library) withoutLock(why error) (unlock func(), err error) {
	if !l.useMemory(why) {
		return nil, why
	}
	return func() {}, nil
}

// useMemory has the index in memory from now on, since its files cannot be had.
func (l *Library) useMemory(why error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.files.base == "" || l.index.inMemory {
		return false // it is there already
	}
	l.closeIndex()
	l.index.inMemory = true
	l.warnings[indexWarning] = "The index of the sessions cannot be kept, and is built anew each time: " + why.Error()
	return true
}

// writeFailed says that the index could not be completed.
func (l *Library) writeFailed(err error) {
	what := "The index of the sessions could not be written, and words are not found in all of them: " + err.Error()
	if full(err) {
		what = "There is no room for the index of the sessions, and words are not found in all of them. Make room at " +
			filepath.Dir(l.index.files.base) + "."
	}
	l.warn(writeWarning, what)
}

const rebuiltWarning = "The index of the sessions was damaged, and was built anew. The sessions themselves are as they were."

// indexRebuilt clears the warnings that do not hold any more. That an index was damaged
// is reported once more, for the time until now may have been short.
func (l *Library) indexRebuilt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.warnings[writeWarning] = ""
	switch l.warnings[indexWarning] {
	case damagedWarning:
		l.warnings[indexWarning] = rebuiltWarning
	case rebuiltWarning:
		l.warnings[indexWarning] = ""
	}
}

// setProgress says how far the index is.
func (l *Library) setProgress(have map[session.ID]*entry, logs []Log) {
	var p Progress
	for _, log := range logs {
		p.All++
		p.Size += log.Size
		if have[log.ID].upToDate(log) {
			p.Done++
			p.Bytes += log.Size
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress = p
}

// addProgress says that a log is in the index.
func (l *Library) addProgress(log Log) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress.Done++
	l.progress.Bytes += log.Size
}
