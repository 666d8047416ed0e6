package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"parley/session"
)

// opened is the index that a Library has open.
type opened struct {
	files      files // their base is "" for one in memory
	db         *database
	generation int
	stored     *stored // of db
	bad        int     // a generation that is damaged
	memory     bool    // the files cannot be had
	over       bool    // the library is closed
}

// reader is the index as far as there is one; nil where there is none.
func (l *Library) reader(ctx context.Context) *database {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := &l.index
	if i.over || i.db != nil && i.db.there() {
		return i.db
	}
	l.drop()
	if i.files.base == "" || i.memory {
		return nil
	}
	all := i.files.generations()
	if len(all) == 0 || all[len(all)-1] <= i.bad {
		return nil
	}
	last := all[len(all)-1]
	db, err := openDatabase(ctx, i.files.generation(last))
	if err != nil {
		if damaged(err) {
			i.bad = last
			l.trouble[indexTrouble] = damageTrouble
		}
		return nil
	}
	i.db, i.generation = db, last
	return db
}

const damageTrouble = "The index of the sessions was damaged. It is built anew; the sessions themselves are as they were."

// drop closes what is open; l.mu is held. Who still reads it gets an error, and
// looks again.
func (l *Library) drop() {
	if db := l.index.db; db != nil {
		l.index.db, l.index.stored, l.all = nil, nil, nil
		l.progress.Done, l.progress.Bytes = 0, 0
		_ = db.close() // it was only looked at, or is of no use
	}
}

// failed notes an error of an index that was read.
func (l *Library) failed(db *database, err error) {
	if !damaged(err) && !errors.Is(err, errDamaged) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.db != db {
		return // somebody was faster
	}
	l.index.bad = l.index.generation
	l.trouble[indexTrouble] = damageTrouble
	l.drop()
}

func (l *Library) storedNow(db *database) *stored {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.db != db {
		return nil
	}
	return l.index.stored
}

func (l *Library) setStored(db *database, now *stored) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.db == db && l.index.stored != now {
		l.index.stored, l.all = now, nil
	}
}

// lock waits until no other process changes the index. Without an error unlock
// ends that.
func (l *Library) lock(ctx context.Context, waiting func()) (unlock func(), err error) {
	name := l.index.files.lock()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the index: %w", err)
	}
	lock := flock.New(name, flock.SetPermissions(0o600))
	for {
		switch got, err := lock.TryLock(); {
		case err != nil:
			return nil, fmt.Errorf("lock the index: %w", err)
		case got:
			return func() { _ = lock.Close() }, nil
		}
		waiting()
		const again = 100 * time.Millisecond
		wait := time.NewTimer(again)
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return nil, fmt.Errorf("wait for the index: %w", ctx.Err())
		}
	}
}

// writer is the index to write to, under the lock: the latest that is of use, or a
// new one.
func (l *Library) writer(ctx context.Context, anew bool) (*database, error) {
	if db := l.reader(ctx); db != nil && !anew {
		return db, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	i := &l.index
	if i.over {
		return nil, fs.ErrClosed
	}
	l.drop()
	if i.files.base == "" || i.memory {
		db, err := openDatabase(ctx, "")
		i.db = db
		return db, err
	}
	all := i.files.generations()
	next := i.bad + 1
	if len(all) > 0 {
		next = max(next, all[len(all)-1]+1)
	}
	path := i.files.generation(next)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite gives its other files the same rights
	if err != nil {
		return nil, fmt.Errorf("make the index: %w", err)
	}
	_ = f.Close() // nothing was written
	db, err := openDatabase(ctx, path)
	if err != nil {
		i.files.remove(next)
		return nil, err
	}
	for _, n := range all {
		i.files.remove(n)
	}
	i.db, i.generation = db, next
	return db, nil
}

// tidy removes files of the index that nobody needs any more, under the lock.
func (l *Library) tidy() {
	l.mu.Lock()
	i := &l.index
	inMemory, used := i.files.base == "" || i.memory, i.generation
	l.mu.Unlock()
	if !inMemory {
		i.files.tidy(used)
	}
}

// locked is lock, where there is a file to lock.
func (l *Library) locked(ctx context.Context, waiting func()) (unlock func(), err error) {
	l.mu.Lock()
	inMemory := l.index.files.base == "" || l.index.memory
	l.mu.Unlock()
	if !inMemory {
		unlock, err = l.lock(ctx, waiting)
		if err == nil || ctx.Err() != nil || !l.inMemory(err) {
			return unlock, err
		}
	}
	return func() {}, nil
}

// inMemory has the index in memory from now on, since its files cannot be had.
func (l *Library) inMemory(why error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index.files.base == "" || l.index.memory {
		return false // it is there already
	}
	l.drop()
	l.index.memory = true
	l.trouble[indexTrouble] = "The index of the sessions cannot be kept, and is built anew each time: " + why.Error()
	return true
}

// unwritten says that the index could not be completed.
func (l *Library) unwritten(err error) {
	what := "The index of the sessions could not be written, and words are not found in all of them: " + err.Error()
	if full(err) {
		what = "There is no room for the index of the sessions, and words are not found in all of them. Make room at " +
			filepath.Dir(l.index.files.base) + "."
	}
	l.tell(writeTrouble, what)
}

const mendedTrouble = "The index of the sessions was damaged, and was built anew. The sessions themselves are as they were."

// mended takes back what is wrong no more. That an index was damaged is told once
// more, for it may have been short.
func (l *Library) mended() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trouble[writeTrouble] = ""
	switch l.trouble[indexTrouble] {
	case damageTrouble:
		l.trouble[indexTrouble] = mendedTrouble
	case mendedTrouble:
		l.trouble[indexTrouble] = ""
	}
}

// count says how far the index is.
func (l *Library) count(have map[session.ID]*entry, logs []Log) {
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

// progressed says that a log is in the index.
func (l *Library) progressed(log Log) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress.Done++
	l.progress.Bytes += log.Size
}
