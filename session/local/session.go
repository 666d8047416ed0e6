// Package local is what the agents have in common that run in this process: the
// life of a session, the log of its events, the prompts that wait, the list of an agent's
// sessions, and the process groups that are started here.
package local

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/modelview"
)

// ErrClosed is returned by calls on a session or an agent that was closed.
var ErrClosed = errors.New("the session was closed")

// Base is what every session has. It implements part of session.Session.
type Base struct {
	Life  *Lifetime
	About session.Info // changes only before the session is handed over
}

// Info implements session.Session.
func (b *Base) Info() session.Info { return b.About }

// Ended reports whether the session is over.
func (b *Base) Ended() bool { return b.Life.Ended() }

// Wait implements session.Session.
func (b *Base) Wait() error { return b.Life.Wait() }

// Close implements session.Session.
func (b *Base) Close(ctx context.Context) error { return b.Life.Close(ctx) }

// Session is what a session has in which prompts are answered. Together with
// Abort and Respond it implements session.Session, session.QueueEditor and
// session.Renamer.
//
// One goroutine does all that takes time, and another hands the events to the
// reader. The methods change what waits for the first, or stop what it does, and
// wait for neither.
type Session struct {
	Base
	Log  *Log
	Now  func() time.Time
	Wake chan struct{} // holds one when there may be something to do
	// Steers says that a prompt can reach the model while it works.
	Steers bool

	Mu       sync.Mutex // of all below
	Title    string
	Named    bool // by the user
	Waiting  []Prompt
	Steering []Prompt           // for the next call of the model
	Stop     context.CancelFunc // stops what runs; nil: nothing does
}

// NewSession returns a session that is stored in a record, but for its ephemeral
// events. It outlives ctx, and lives from Start on.
func NewSession(
	ctx context.Context, now func() time.Time, about session.Info, record session.Record, ephemeral func(session.Body) bool,
) *Session {
	return &Session{
		Base: Base{NewLifetime(ctx), about}, Now: now, Wake: make(chan struct{}, 1),
		Log: &Log{EventBuffer: NewEventBuffer(unread), now: now, ephemeral: ephemeral, view: modelview.New(), record: record},
	}
}

// Events implements session.Session. What a reader that has stopped reading has
// not taken when the session is closed is lost to it.
func (s *Session) Events() <-chan session.Event { return s.Log.Events() }

// Start lets the session live: run does its work until Life is done, and end lets
// go of what it had, with the panic that has ended it, if one has.
func (s *Session) Start(run func(), end func(crash error) error) {
	var delivering sync.WaitGroup
	delivering.Go(func() { s.Life.Guard(func() { s.Log.Run(s.Life) }) })
	go func() {
		s.Life.Guard(run)
		delivering.Wait()
		s.Log.Finish()
		s.Life.End(end(s.Life.Crash()))
	}()
}

// Change does something with the lock held and wakes the session, unless it was
// closed. The words say what was attempted.
func (s *Session) Change(what string, do func() error) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	err := ErrClosed
	if s.Life.Err() == nil {
		err = do()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	TrySignal(s.Wake)
	return nil
}

// Rename implements session.Renamer.
func (s *Session) Rename(_ context.Context, name string) error {
	return s.Change("rename the session", func() error {
		s.entitle(name, true)
		return nil
	})
}

// Entitle titles a session by its first prompt, unless the user has named it. The
// caller holds Mu.
func (s *Session) Entitle(prompt string) {
	if !s.Named {
		s.entitle(FirstLine(prompt), false)
	}
}

func (s *Session) entitle(title string, named bool) {
	s.Title, s.Named = title, named
	s.Log.Describe(title, named)
	s.Log.Put(session.SessionTitleChanged{Title: title})
}

// FirstLine is the first line of a text, cut to what a title bar holds.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return line
}
