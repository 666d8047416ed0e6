package sessions

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"parley/session"
)

// record is what the index keeps of a session to show it.
type record struct {
	Log    Log      `json:"log"`
	Noted  stamp    `json:"noted,omitzero"` // Log.noted
	Facts  Facts    `json:"facts"`
	Files  []string `json:"files,omitzero"`
	Unread string   `json:"unread,omitzero"`
}

func recordOf(log Log, d *Digest) record {
	return record{storedLog(log), log.noted, d.Summary(), slices.Sorted(maps.Keys(d.Files)), d.Unread()}
}

// storedLog is what is listed of a log as it is stored. That it is in use is asked anew
// each time, and JSON holds nothing that is not UTF-8.
func storedLog(log Log) Log {
	log.InUse, log.Held = false, false
	for _, s := range []*string{
		&log.Path, &log.Name, &log.Agent, &log.AgentSessionID, &log.Dir, &log.Root, &log.Repository, &log.Branch, &log.Client,
	} {
		*s = strings.ToValidUTF8(*s, "\ufffd")
	}
	return log
}

// session is a record with what its source says of it now.
func (r *record) session(log Log) Session {
	s := Session{Log: log, Facts: r.Facts, Files: r.Files, ReadProblem: r.Unread}
	s.Title = cmp.Or(log.Name, s.Title)
	s.Dir, s.Root = cmp.Or(log.Dir, s.Place.Dir), cmp.Or(log.Root, s.Place.Root)
	s.Repository, s.Branch = cmp.Or(log.Repository, s.Place.Repository), cmp.Or(log.Branch, s.Place.Branch)
	return withTimes(s)
}

// withTimes gives a session the times that its events do not have.
func withTimes(s Session) Session {
	if s.Started.IsZero() {
		s.Started = first(s.Created, s.Modified)
	}
	if s.Used.IsZero() {
		s.Used = first(s.Modified, s.Created)
	}
	return s
}

func first(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// entry is a session in memory. It is never changed.
type entry struct {
	Session        // without its Mark
	record  record // zero if the index has none
	no      int64  // in the index; 0 if it is not there
	size    int64  // as it was read; -1 if it was not
	changed int64  // likewise, in nanoseconds
	parts   int
	words   string // of what is found without the texts
}

// newEntry is a session that the index does not have.
func newEntry(log Log) *entry {
	e := &entry{Session: withTimes(Session{Log: log, Facts: Facts{Title: log.Name}}), size: -1}
	e.words = e.named()
	return e
}

// withLog is the entry with what its source says now.
func (e *entry) withLog(log Log) *entry {
	now := *e
	now.Session = e.record.session(log)
	now.words = now.named()
	return &now
}

// current reports whether the index has read the log as it is.
func (e *entry) current(log Log) bool {
	return e.no != 0 && e.size == log.Size && e.changed == log.Modified.UnixNano()
}

// upToDate reports whether the index knows all of a log, and what its source says.
func (e *entry) upToDate(log Log) bool {
	return e != nil && e.current(log) && sameLog(e.record.Log, storedLog(log))
}

// apart parts the words of two values; no word is like it.
const apart = "| "

// named are the words of what a session is called and where it was held, with a
// blank before each.
func (e *entry) named() string {
	out := []byte{' '}
	for _, text := range []string{e.Title, e.Log.Name, e.Repository, e.Branch, e.Dir, e.Model} {
		out = append(fold(out, text), apart...)
	}
	return string(out)
}

// noted are the words of a mark, likewise.
func (m Mark) noted() string {
	out := fold([]byte{' '}, m.Name)
	for _, tag := range m.Tags {
		out = fold(append(out, apart...), tag)
	}
	return string(out)
}

// shown is the entry with what the user noted.
func (e *entry) shown(m Mark) Session {
	s := e.Session
	s.Mark, s.Title = m, cmp.Or(m.Name, s.Title)
	return s
}

// marshal is JSON as the index has it.
func marshal(value any) ([]byte, error) {
	b, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true), jsonv1.FormatDurationAsNano(true))
	if err != nil {
		return nil, fmt.Errorf("keep what is known of a session: %w", err)
	}
	return b, nil
}

// unmarshal reads what marshal wrote. An error says that the index is damaged.
func unmarshal(b []byte, to any) error {
	if err := json.Unmarshal(b, to, jsonv1.FormatDurationAsNano(true)); err != nil {
		return fmt.Errorf("%w: %s", errDamaged, session.JSONProblem(err))
	}
	return nil
}
