package trace

import (
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"parley/session"
)

// MaxEvents is how many of the last events are known, those that are alike and come
// together counted as one.
const MaxEvents = 200

// back is how far the kinds of a stream may alternate and still be counted
// together: text, reasoning and usage come in turns.
const back = 6

// RecentEvents are the last events of a session. It costs an event next to nothing:
// what there is to say of it is computed by Notes. The zero value has
// none; it belongs to one goroutine.
type RecentEvents struct{ runs []run }

// run is an event, or several of one kind.
type run struct {
	event session.Event // the first
	count int
}

// Add takes the next event, of which it keeps a copy.
func (r *RecentEvents) Add(ev *session.Event) {
	streamed := ev.Ephemeral && requestOf(ev.Body) == ""
	for i := len(r.runs) - 1; streamed && i >= 0 && i >= len(r.runs)-back && r.runs[i].event.Ephemeral; i-- {
		if e := &r.runs[i].event; e.Kind() == ev.Kind() && e.Agent == ev.Agent && requestOf(e.Body) == "" {
			r.runs[i].count++
			return
		}
	}
	if len(r.runs) == 2*MaxEvents {
		n := copy(r.runs, r.runs[MaxEvents:])
		clear(r.runs[n:])
		r.runs = r.runs[:n]
	}
	r.runs = append(r.runs, run{*ev, 1})
}

// Clone returns the same events for another goroutine.
func (r *RecentEvents) Clone() RecentEvents {
	return RecentEvents{slices.Clone(r.runs[max(0, len(r.runs)-MaxEvents):])}
}

// Note is what there is to say of an event, or of several of one kind.
type Note struct {
	Time  time.Time // of the first
	Kind  string
	Count int
	Attrs []slog.Attr
}

// Notes are the last events, the oldest first. Identifiers that are no UUIDs, of
// which the first eight digits are given, are running numbers: an agent may call
// its things as it likes.
func (r *RecentEvents) Notes() []Note {
	calls, short := NewCalls(), shortener{}
	var notes []Note
	for _, run := range r.runs[max(0, len(r.runs)-MaxEvents):] {
		n := Note{Time: run.event.Time, Count: run.count}
		for _, a := range Describe(run.event, calls) {
			switch a.Key {
			case "kind":
				n.Kind = a.Value.String()
			case "ephemeral": // its kind says so
			case "bytes":
				if run.count == 1 {
					n.Attrs = append(n.Attrs, a)
				}
			case "id", "by", "request", "message":
				n.Attrs = append(n.Attrs, slog.String(a.Key, short.id(a.Value.String())))
			default:
				n.Attrs = append(n.Attrs, a)
			}
		}
		notes = append(notes, n)
	}
	return notes
}

// uuid is what an identifier looks like that is generated.
var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})

// shortener gives identifiers a short form, each always the same.
type shortener map[string]string

func (s shortener) id(id string) string {
	if uuid().MatchString(id) {
		return id[:8]
	}
	if _, known := s[id]; !known {
		s[id] = "#" + strconv.Itoa(len(s)+1)
	}
	return s[id]
}
