package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
)

// pastLibrary are past sessions in memory.
type pastLibrary struct {
	mu       sync.Mutex
	sessions map[session.ID]sessions.Session
	calls    []string
	fails    error
	log      string // what Read returns
	problem  string // what ReadProblem returns

	refreshed func() // what a refresh finds
}

func (l *pastLibrary) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, fmt.Sprintf(format, args...))
}

func (l *pastLibrary) Refresh(context.Context) error {
	if l.note("refresh"); l.refreshed != nil {
		l.refreshed()
	}
	return l.fails
}

func (l *pastLibrary) Find(_ context.Context, r sessions.Request) (sessions.Found, error) {
	l.note("find in %s", r.Dir)
	var f sessions.Found
	for _, s := range slices.SortedFunc(maps.Values(l.sessions), func(a, b sessions.Session) int {
		return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.ID, b.ID))
	}) {
		if r.Deleted || s.Deleted.IsZero() {
			f.Sessions = append(f.Sessions, sessions.Hit{Session: s})
		}
	}
	return f, l.fails
}

func (l *pastLibrary) Get(_ context.Context, id session.ID) (sessions.Session, error) {
	s, ok := l.sessions[id]
	if !ok {
		return s, errors.New("there is no such session")
	}
	return s, l.fails
}

func (l *pastLibrary) Read(context.Context, session.ID) (io.ReadCloser, error) {
	if l.log == "" {
		return nil, errors.New("the tests say what is read")
	}
	return io.NopCloser(strings.NewReader(l.log)), nil
}

func (l *pastLibrary) ReadProblem(context.Context, session.ID) (string, error) {
	return l.problem, l.fails
}

func (l *pastLibrary) Mark(_ context.Context, id session.ID, change func(*sessions.Mark)) error {
	s := l.sessions[id]
	change(&s.Mark)
	s.Title = cmp.Or(s.Mark.Name, s.Title)
	l.sessions[id] = s
	l.note("mark %s name %q deleted %t", id, s.Mark.Name, !s.Deleted.IsZero())
	return l.fails
}

func (l *pastLibrary) ListKept(context.Context) error { return nil }

func (l *pastLibrary) Known(context.Context) (sessions.Known, error) { return sessions.Known{}, nil }

func (l *pastLibrary) Deleted(context.Context) ([]sessions.Session, error) {
	return slices.DeleteFunc(slices.Collect(maps.Values(l.sessions)), func(s sessions.Session) bool { return s.Deleted.IsZero() }), l.fails
}

// tide is a past session.
func tide(change func(*sessions.Session)) *pastLibrary {
	s := sessions.Session{
		Log: sessions.Log{
			ID: "old", Agent: "copilot", Dir: "/home/ada/src/tide", Client: "copilot-cli", Branch: "main",
			Created: started.Add(-3 * time.Hour),
		},
		Facts: sessions.Facts{Title: "Tide table on one screen", Used: started.Add(-2 * time.Hour), State: sessions.Done, Prompts: 2},
	}
	if change != nil {
		change(&s)
	}
	return &pastLibrary{sessions: map[session.ID]sessions.Session{s.ID: s}}
}

// pastAgent reads; its sessions have all that a session can have, and note it.
type pastAgent struct {
	opened []*scriptedSession
	closed int
}

func (a *pastAgent) Open(context.Context, session.Options) (session.Session, error) {
	return nil, errors.New("only read")
}

func (a *pastAgent) Resume(_ context.Context, id session.ID, _ session.Options) (session.Session, error) {
	s := &scriptedSession{id: id}
	a.opened = append(a.opened, s)
	return s, nil
}

func (a *pastAgent) Close(context.Context) error {
	a.closed++
	return nil
}

// keepingAgent keeps its sessions, too.
type keepingAgent struct {
	manyAgent
	calls []string
	fails error
}

func (a *keepingAgent) List(context.Context) ([]session.Stored, error) { return nil, nil }

func (a *keepingAgent) Fork(_ context.Context, id session.ID, before session.EventID) (session.ID, error) {
	a.calls = append(a.calls, fmt.Sprintf("fork %s before %q", id, before))
	return "copy", a.fails
}

func (a *keepingAgent) Delete(_ context.Context, id session.ID) error {
	a.calls = append(a.calls, fmt.Sprintf("delete %s", id))
	return a.fails
}

// pasts is a window with a library, which reads.
type pasts struct {
	*scenario
	agent   *keepingAgent
	reader  *pastAgent
	library *pastLibrary
}

func newPasts(t *testing.T, lib *pastLibrary, change func(*Config)) *pasts {
	t.Helper()
	p := &pasts{agent: &keepingAgent{}, reader: &pastAgent{}, library: lib}
	p.scenario = newScenario(t, func(c *Config) {
		c.Agent = func(context.Context) (session.Agent, error) { return p.agent, nil }
		c.Sessions = lib
		c.Reading = func(context.Context) (session.Agent, error) { return p.reader, nil }
		if change != nil {
			change(c)
		}
	})
	return p
}

// do does something that the table has no key for, as whoever calls it does.
func (sc *scenario) do(f func(m *Model) tea.Cmd) {
	sc.t.Helper()
	sc.run(tea.Batch(f(sc.m), sc.m.carryOut()))
	sc.m.frame.open = true
	sc.m.draw()
	sc.m.View()
}

// read opens the past session and reads it whole.
func (p *pasts) read() {
	p.t.Helper()
	p.do(func(m *Model) tea.Cmd { return m.switcher.read("old") })
	if p.m.win.Front.ReadOnly == nil || p.m.win.Front.Session == nil {
		p.t.Fatalf("it is not read:\n%s", strings.Join(p.screen(), "\n"))
	}
	p.sayIn(slices.Index(p.m.all, p.m.win.Front), past()...)
}

// past is a log of two prompts, the second interrupted by the end of its program.
func past() []session.Event {
	at := started.Add(-3 * time.Hour)
	var events []session.Event
	for i, b := range []session.Body{
		session.SessionStart{SessionID: "old", SelectedModel: "gpt-5.4"},
		session.UserMessage{Content: "Can the tide table be one screen?", MessageID: "m0"},
		session.AssistantTurnStart{TurnID: "0"},
		session.AssistantMessage{MessageID: "a0", Content: "Yes: six hours to a row."},
		session.AssistantTurnEnd{TurnID: "0"},
		session.UserMessage{Content: "And the moon?", MessageID: "m1"},
		session.AssistantTurnStart{TurnID: "1"},
		session.AssistantMessage{MessageID: "a1", Content: "I look for the phase."},
		asking("p1", "rm -rf moon").Body,
	} {
		events = append(events, session.Event{
			ID: session.EventID(fmt.Sprintf("e%d", i)), Time: at.Add(time.Duration(i) * time.Minute), Replayed: true, Body: b,
		})
	}
	return append(events, session.Event{ID: "end", Ephemeral: true, Replayed: true, Body: session.SessionShutdown{}})
}

func (p *pasts) sees(texts ...string) {
	p.t.Helper()
	screen := strings.Join(p.screen(), "\n")
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			p.t.Errorf("%q is not on the screen:\n%s", text, screen)
		}
	}
}
