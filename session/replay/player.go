package replay

import (
	"context"
	"fmt"
	"io"
	"iter"

	"parley/session"
	"parley/session/local"
)

// log is a stored log that is read a line at a time.
type log struct {
	event session.Event // what was read and not played
	err   error         // in its place: why a line is no event, or cannot be read
	more  bool          // there is something in event, or in err
	next  func() (session.Event, error, bool)
	stop  func()
	file  io.Closer
}

// newLog reads the first line of a log.
func newLog(file io.ReadCloser) *log {
	l := &log{file: file}
	l.next, l.stop = iter.Pull2(session.ReadLog(file))
	l.read()
	return l
}

// read reads the next line.
func (l *log) read() { l.event, l.err, l.more = l.next() }

// close gives back what reading took.
func (l *log) close() {
	l.stop()
	_ = l.file.Close() // it was only read
}

// player is a session whose events are those of a log.
type player struct {
	local.Base
	log    *log
	events chan session.Event
	made   int // events of its own
}

// newPlayer returns the session of a log, whose first event completes the info.
func newPlayer(life *local.Lifetime, info session.Info, l *log) *player {
	if start, ok := l.event.Body.(session.SessionStart); ok {
		info.Model = start.SelectedModel
		if start.Context != nil {
			info.Dir = start.Context.Cwd
		}
	}
	return &player{Base: local.Base{Life: life, About: info}, log: l, events: make(chan session.Event, ahead)}
}

// ahead is how many events the reader may leave untaken before the player waits
// for it.
const ahead = 64

// Events implements session.Session. What was not taken when the session is
// closed may be lost.
func (p *player) Events() <-chan session.Event { return p.events }

// live runs the session, which also ends with a panic in it.
func (p *player) live(what string, run func()) {
	p.Life.Guard(run)
	p.log.close()
	close(p.events)
	err := p.Life.Crash()
	if err != nil {
		err = fmt.Errorf("%s has ended: %w; open it anew to play it from its start", what, err)
	}
	p.Life.End(err)
}

// own is an event that is not in the log.
func own(b session.Body) session.Event { return session.Event{Ephemeral: true, Body: b} }

// deliver hands an event to the reader, with an id if it has none.
func (p *player) deliver(ctx context.Context, ev session.Event) error {
	if ev.ID == "" {
		p.made++
		ev.ID = session.EventID(fmt.Sprintf("%s-%d", p.About.ID, p.made))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.events <- ev:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
