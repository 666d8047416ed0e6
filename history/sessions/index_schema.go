package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"

	"modernc.org/sqlite" // its driver registers itself as "sqlite"
	lib "modernc.org/sqlite/lib"

	"parley/session"
)

// version is that of all that the files of an index hold: the tables, what is in
// them, how texts are folded (fold) and what is learned of a log (Digest). It is
// part of their names, so that an older and a newer program side by side have each
// their own. An index is never changed from one version to another.
const version = 6

// schema is made in one transaction, the last of which is the version: where that
// is missing, nothing is.
//
// A session's texts are rows of texts and, deflated, of parts, with the same number:
// that of the session, of the group of texts and of the part in it (rowOf). The
// table starts has the beginnings of all words of a part, each once, so that what
// is typed is found from the first letter on without all words that begin so.
var schema = []string{
	`create table sessions (
		no integer primary key autoincrement,
		id text not null unique,
		revision integer not null,
		size integer not null, -- of the log when it was read; -1 where that has not come to its end
		modified integer not null,
		parts integer not null,
		row blob not null, -- what is shown: record
		digest blob        -- what is needed to continue where reading stopped: Digest
	)`,
	`create table state (
		revision integer not null, -- grows with each transaction
		whole integer not null     -- whether all sessions were in it once
	)`,
	`insert into state values (0, 0)`,
	`create index revisions on sessions (revision)`,
	`create table parts (no integer primary key, text blob not null)`,
	`create virtual table texts using fts5 (words, content='', contentless_delete=1, tokenize='ascii')`,
	`create virtual table starts using fts5 (words, content='', contentless_delete=1, tokenize='ascii', detail=none)`,
	// What a transaction holds becomes one segment, and segments are merged by 16,
	// which halves what is written while an index is built.
	`insert into texts (texts, rank) values ('automerge', 0), ('hashsize', 33554432), ('pgsz', 16000)`,
	`insert into starts (starts, rank) values ('automerge', 0), ('hashsize', 33554432), ('pgsz', 16000)`,
	`pragma user_version = ` + strconv.Itoa(version),
}

// database is one open file of an index. A writer has the lock of the index.
type database struct {
	path  string // "" in memory
	file  fs.FileInfo
	read  *sql.DB
	write *sql.DB
}

// openDatabase opens an index, and makes its tables if it has none.
func openDatabase(ctx context.Context, path string) (*database, error) {
	db := &database{path: path}
	pragmas := []string{
		"busy_timeout(5000)", "page_size(16384)", "journal_mode(WAL)", "synchronous(NORMAL)", "journal_size_limit(67108864)",
	}
	name := session.FileURL(path)
	if path == "" {
		pragmas = []string{"busy_timeout(5000)", "page_size(16384)", "journal_mode(OFF)"}
	}
	name.RawQuery = url.Values{"_pragma": pragmas}.Encode()
	dsn := name.String()
	if path == "" {
		dsn = "file::memory:?" + name.RawQuery
	}
	var err error
	if db.write, err = sql.Open("sqlite", dsn+"&_txlock=immediate"); err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	db.write.SetMaxOpenConns(1)
	db.read = db.write
	if err = db.create(ctx); err != nil {
		_ = db.close()
		return nil, err
	}
	if path == "" {
		return db, nil
	}
	if db.file, err = identify(path); err != nil {
		_ = db.close()
		return nil, fmt.Errorf("open the index: %w", err)
	}
	if db.read, err = sql.Open("sqlite", dsn+"&_pragma=query_only(1)"); err != nil {
		_ = db.close()
		return nil, fmt.Errorf("open the index: %w", err)
	}
	const readers = 3
	db.read.SetMaxOpenConns(readers)
	db.read.SetMaxIdleConns(readers)
	return db, nil
}

func (db *database) create(ctx context.Context) error {
	var have int
	if err := db.write.QueryRowContext(ctx, "pragma user_version").Scan(&have); err != nil {
		return fmt.Errorf("open the index: %w", err)
	}
	if have == version {
		return nil
	}
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("make the index: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	// Another process may have been faster.
	if err := tx.QueryRowContext(ctx, "pragma user_version").Scan(&have); err != nil || have == version {
		return err
	}
	for _, statement := range schema {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("make the index: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("make the index: %w", err)
	}
	return nil
}

func (db *database) close() error {
	var errs []error
	if db.read != nil && db.read != db.write {
		errs = append(errs, db.read.Close())
	}
	if db.write != nil {
		errs = append(errs, db.write.Close())
	}
	return errors.Join(errs...)
}

// sameFile reports whether the file is still the one that was opened.
func (db *database) sameFile() bool {
	if db.path == "" {
		return true
	}
	info, err := os.Stat(db.path)
	return err == nil && os.SameFile(info, db.file)
}

// damaged reports whether an error of SQLite says that what a file holds is not what
// was written. That it cannot be read or written now, because it is locked, the disk
// is full or fails, or permission is denied, does not mean that it is damaged.
func damaged(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_SCHEMA, lib.SQLITE_MISMATCH:
		return true
	}
	return false
}

// busy reports whether another process was in the way for too long.
func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == lib.SQLITE_BUSY || e.Code()&0xff == lib.SQLITE_LOCKED)
}

// unusable reports whether the index cannot be used any more, after an error of it. A
// statement that SQLite does not understand is a mistake of ours, unless what it
// names is not there.
func (db *database) unusable(ctx context.Context, err error) bool {
	if damaged(err) || errors.Is(err, errDamaged) {
		return true
	}
	var e *sqlite.Error
	if db == nil || !errors.As(err, &e) || e.Code()&0xff != lib.SQLITE_ERROR {
		return false
	}
	var have int
	err = db.read.QueryRowContext(ctx, "select count(*) from sqlite_schema where name in "+
		"('sessions', 'state', 'revisions', 'parts', 'texts', 'starts')").Scan(&have)
	return damaged(err) || err == nil && have < 6
}

// full reports whether there was no room for more.
func full(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_FULL
}
