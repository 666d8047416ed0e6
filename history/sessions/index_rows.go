package sessions

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"parley/session"
)

// errDamaged is that the index holds what was never written to it.
var errDamaged = errors.New("the index is damaged")

// indexed is what an index holds, as it was at a revision. It is never changed.
type indexed struct {
	revision int64
	whole    bool // it was built to its end once
	byID     map[session.ID]*entry
}

// load returns what the index holds now; before where nothing changed since.
func (db *database) load(ctx context.Context, before *indexed) (*indexed, error) {
	tx, err := db.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	now := &indexed{}
	if err := tx.QueryRowContext(ctx, "select revision, whole from state").Scan(&now.revision, &now.whole); err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	if before != nil && before.revision == now.revision {
		return before, nil
	}
	if before == nil {
		before = &indexed{revision: -1}
	}
	if now.byID = maps.Clone(before.byID); now.byID == nil {
		now.byID = map[session.ID]*entry{}
	}
	if err := now.changes(ctx, tx, before.revision); err != nil {
		return nil, err
	}
	var count int
	if err := tx.QueryRowContext(ctx, "select count(*) from sessions").Scan(&count); err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	if count != len(now.byID) {
		return now, now.forget(ctx, tx)
	}
	return now, nil
}

// changes takes over what was written after a revision.
func (s *indexed) changes(ctx context.Context, tx *sql.Tx, after int64) error {
	var row sql.RawBytes
	query := "select no, size, modified, parts, row from sessions where revision > ?"
	return eachRow(ctx, tx, query, []any{after}, func(rows *sql.Rows) error {
		e := &entry{}
		if err := rows.Scan(&e.no, &e.size, &e.changed, &e.parts, &row); err != nil {
			return err
		}
		if err := unmarshal(row, &e.record); err != nil {
			return err
		}
		e.record.Log.noted = e.record.Noted
		e = e.withLog(e.record.Log)
		s.byID[e.ID] = e
		return nil
	})
}

// forget leaves out what the index does not hold any more.
func (s *indexed) forget(ctx context.Context, tx *sql.Tx) error {
	there := map[session.ID]bool{}
	err := eachRow(ctx, tx, "select id from sessions", nil, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		there[session.ID(id)] = true
		return err
	})
	maps.DeleteFunc(s.byID, func(id session.ID, _ *entry) bool { return !there[id] })
	return err
}

// eachRow calls take with each row of a query.
func eachRow(
	ctx context.Context,
	db interface {
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	},
	query string, args []any, take func(*sql.Rows) error,
) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for err == nil && rows.Next() {
		err = take(rows)
	}
	if err = cmp.Or(err, rows.Err()); err != nil {
		return fmt.Errorf("read the index: %w", err)
	}
	return nil
}

// rows are those of a table with what is looked for, in their order.
func (db *database) rows(ctx context.Context, table, match string) (all []int64, err error) {
	query := "select rowid from " + table + " where " + table + " match ? order by rowid"
	err = eachRow(ctx, db.read, query, []any{match}, func(rows *sql.Rows) error {
		var row int64
		err := rows.Scan(&row)
		all = append(all, row)
		return err
	})
	return all, err
}

// text is that of a row.
func (db *database) text(ctx context.Context, row int64) (string, error) {
	var deflated []byte
	if err := db.read.QueryRowContext(ctx, "select text from parts where no = ?", row).Scan(&deflated); err != nil {
		return "", fmt.Errorf("read the index: %w", err)
	}
	text, err := inflate(deflated)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errDamaged, err)
	}
	return text, nil
}

// digest is where the reading of a log stopped.
func (db *database) digest(ctx context.Context, no int64) (*Digest, error) {
	var b []byte
	if err := db.read.QueryRowContext(ctx, "select digest from sessions where no = ?", no).Scan(&b); err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	d := &Digest{}
	return d, unmarshal(b, d)
}

// complete notes that all sessions are in the index.
func (db *database) complete(ctx context.Context) error {
	if _, err := db.write.ExecContext(ctx, "update state set revision = revision + 1, whole = 1"); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}

// erase leaves nothing in the file, nor in its journal, of what was removed: FTS5 only marks rows of such tables
// as deleted until their segments are merged, and SQLite keeps what is in pages that are free.
func (db *database) erase(ctx context.Context, whole bool) error {
	if !whole {
		return errors.New("not all sessions could be listed")
	}
	for _, statement := range []string{
		"insert into texts (texts) values ('optimize')", "insert into starts (starts) values ('optimize')", "vacuum",
	} {
		if _, err := db.write.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("write the index: %w", err)
		}
	}
	var inUse, pages, moved int
	if err := db.write.QueryRowContext(ctx, "pragma wal_checkpoint(truncate)").Scan(&inUse, &pages, &moved); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	if inUse != 0 {
		return errors.New("write the index: another process reads it")
	}
	return nil
}

// readResult is a piece of what was read of a log.
type readResult struct {
	log   Log
	fresh bool // it was read from its start: what the index has of it goes
	parts []chunk
	done  bool    // it is the last piece; else only log, fresh and parts are there
	size  int64   // as it is kept: log.Size, or -1 to have it read again
	d     *Digest // nil leaves that of the index
	row   record
	same  bool // the index has it so already
}

// change writes what was read, and removes what is gone.
func (db *database) change(ctx context.Context, read []readResult, removed []session.ID) error {
	tx, err := db.write.BeginTx(ctx, nil)
	if err == nil {
		defer func() { _ = tx.Rollback() }() // nothing, after a commit
		w := &indexTx{tx: tx}
		if err = w.change(ctx, read, removed); err == nil {
			err = tx.Commit()
		}
	}
	if err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}

func (w *indexTx) change(ctx context.Context, read []readResult, removed []session.ID) error {
	if err := w.tx.QueryRowContext(ctx, "update state set revision = revision + 1 returning revision").Scan(&w.revision); err != nil {
		return err
	}
	for _, r := range read {
		if err := w.session(ctx, r); err != nil {
			return err
		}
	}
	for _, id := range removed {
		if err := w.remove(ctx, id); err != nil {
			return err
		}
	}
	return w.texts(ctx)
}

// indexTx is a transaction that changes an index. FTS5 keeps what a transaction
// adds in memory as long as its rows come in order, and no other statement comes
// between that may have to be undone alone; so the texts come last.
type indexTx struct {
	tx       *sql.Tx
	revision int64
	rows     []row
}

// row is a part and its number.
type row struct {
	no int64
	chunk
}

func (w *indexTx) session(ctx context.Context, r readResult) error {
	known, err := marshal(&r.row)
	if err != nil { // it is no reason to keep nothing of the others
		log := Log{ID: r.log.ID, Keeper: r.log.Keeper, Agent: r.log.Agent, Path: r.row.Log.Path}
		r.d, r.row = nil, record{Log: log, Unread: "what is known of it could not be kept: " + err.Error()}
		if known, err = marshal(&r.row); err != nil {
			return err
		}
	}
	var no int64
	var parts int
	err = w.tx.QueryRowContext(ctx, `insert into sessions (id, revision, size, modified, parts, row) values (?, ?, -1, 0, 0, ?)
		on conflict (id) do update set revision = excluded.revision, size = -1 returning no, parts`,
		string(r.log.ID), w.revision, known).Scan(&no, &parts)
	if err != nil {
		return err
	}
	if r.fresh && parts > 0 {
		if err := w.clear(ctx, no); err != nil {
			return err
		}
		parts = 0
	}
	for i, p := range r.parts {
		w.rows = append(w.rows, row{rowOf(no, p.group, parts+i), p})
	}
	parts += len(r.parts)
	if !r.done {
		_, err = w.tx.ExecContext(ctx, "update sessions set parts = ? where no = ?", parts, no)
		return err
	}
	_, err = w.tx.ExecContext(ctx, "update sessions set parts = ?, size = ?, modified = ?, row = ? where no = ?",
		parts, r.size, r.log.Modified.UnixNano(), known, no)
	if err != nil || r.d == nil {
		return err
	}
	digest, err := marshal(r.d)
	if err != nil {
		return err
	}
	_, err = w.tx.ExecContext(ctx, "update sessions set digest = ? where no = ?", digest, no)
	return err
}

// texts adds those of all sessions.
func (w *indexTx) texts(ctx context.Context) error {
	slices.SortFunc(w.rows, func(a, b row) int { return cmp.Compare(a.no, b.no) })
	for _, table := range []struct {
		into  string
		value func(row) any
	}{
		{"texts (rowid, words)", func(r row) any { return string(r.words) }},
		{"starts (rowid, words)", func(r row) any { return string(r.starts) }},
		{"parts (no, text)", func(r row) any { return r.text }},
	} {
		insert, err := w.tx.PrepareContext(ctx, "insert into "+table.into+" values (?, ?)")
		if err != nil {
			return err
		}
		for _, r := range w.rows {
			if _, err := insert.ExecContext(ctx, r.no, table.value(r)); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear removes the texts of a session.
func (w *indexTx) clear(ctx context.Context, no int64) error {
	from, to := rowOf(no, 0, 0), rowOf(no+1, 0, 0)
	for _, statement := range []string{
		"delete from texts where rowid in (select no from parts where no >= ? and no < ?)",
		"delete from starts where rowid in (select no from parts where no >= ? and no < ?)",
		"delete from parts where no >= ? and no < ?",
	} {
		if _, err := w.tx.ExecContext(ctx, statement, from, to); err != nil {
			return err
		}
	}
	return nil
}

func (w *indexTx) remove(ctx context.Context, id session.ID) error {
	var no int64
	err := w.tx.QueryRowContext(ctx, "delete from sessions where id = ? returning no", string(id)).Scan(&no)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return w.clear(ctx, no)
}
