// Package sse chats with agents that answer over server-sent events: chat
// agents with confirmations, errors and references of their own (sse-agents),
// and every endpoint that speaks the chat completions of OpenAI, whose stream is
// the default event of the former. An agent holds nothing of a conversation:
// each request has all of it, made by modelview from the log, and the log is
// kept here.
package sse

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// ErrClosed is returned by calls on a session or an agent that was closed.
var ErrClosed = errors.New("the session was closed")

// Protocol is how an agent is spoken to.
type Protocol string

// The protocols (decision 25).
const (
	// Copilot posts to the address itself, with the copilot_ keys.
	Copilot Protocol = "sse"
	// OpenAI posts to the address with /chat/completions behind it.
	OpenAI Protocol = "openai"
)

// TokenHeader says how a token is sent.
type TokenHeader string

// The headers.
const (
	Bearer TokenHeader = "bearer" // Authorization: Bearer ...
	GitHub TokenHeader = "github" // X-GitHub-Token: ...
)

// Config is where an agent is and how it is spoken to.
type Config struct {
	Protocol Protocol
	URL      string
	Name     string // shown; "" shows the address
	Model    string // of OpenAI; "" takes the first that is offered
	// Options go into each request to an OpenAI endpoint, such as temperature.
	Options map[string]jsontext.Value
	// Token returns what authorizes requests; nil sends none. It is asked again
	// after the agent refused what it returned.
	Token       func(ctx context.Context) (string, error)
	TokenHeader TokenHeader // "" is GitHub for Copilot, Bearer for OpenAI
	Headers     map[string]string
	Dir         string        // where sessions work if their options do not say
	Store       session.Store // nil stores nothing
	Limits      Limits
	// Now gives events their time; nil is time.Now.
	Now func() time.Time
	// Transport carries the requests; nil is one of the agent's own.
	Transport http.RoundTripper
}

// Agent is a chat agent. It implements session.Agent, session.Library and
// session.Latest.
type Agent struct {
	cfg    Config
	client *client

	mu       sync.Mutex
	sessions []*Session
	closed   bool
}

var (
	_ session.Agent   = (*Agent)(nil)
	_ session.Library = (*Agent)(nil)
	_ session.Latest  = (*Agent)(nil)
)

// Open returns the agent of a configuration; it asks it nothing yet. It must be
// closed.
func Open(ctx context.Context, cfg Config) (*Agent, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open the agent: %w", err)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Limits = cfg.Limits.filled()
	if cfg.Store == nil {
		cfg.Store = nowhere{}
	}
	c, err := newClient(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Name == "" {
		cfg.Name = string(cfg.Protocol) + ":" + c.shown
	}
	return &Agent{cfg: cfg, client: c}, nil
}

// Open implements session.Agent.
func (a *Agent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	now := a.cfg.Now()
	info := session.Info{
		ID: session.ID(uuid.NewString()), Agent: a.cfg.Name, Model: a.model(o.Model), Mode: session.Interactive, Dir: a.dir(o.Dir),
	}
	kept := session.StoredSession{
		Stored: session.Stored{ID: info.ID, Started: now, Used: now, Dir: info.Dir, Client: producer, Agent: a.cfg.Name},
	}
	s, err := a.start(ctx, info, func() (session.StoredSession, session.Record, error) {
		r, err := a.cfg.Store.Begin(kept.Stored)
		return kept, r, err
	})
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	return s, nil
}

// Resume implements session.Agent. The session continues with this agent, whoever
// answered before, and the user is told if that was another.
func (a *Agent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	info := session.Info{ID: id, Agent: a.cfg.Name, Model: a.model(o.Model), Mode: session.Interactive, Dir: a.dir(o.Dir)}
	s, err := a.start(ctx, info, func() (session.StoredSession, session.Record, error) { return a.cfg.Store.Take(ctx, id, a.cfg.Name) })
	if err != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	if o.Model != "" {
		_ = s.SetModel(ctx, o.Model, "") // it can: any name is one
	}
	return s, nil
}

// model is the model that a session begins with.
func (a *Agent) model(wanted string) string {
	switch {
	case a.cfg.Protocol != OpenAI:
		return ""
	case wanted != "":
		return wanted
	}
	return a.cfg.Model
}

func (a *Agent) dir(wanted string) string {
	if wanted != "" {
		return wanted
	}
	return a.cfg.Dir
}

// start begins a session with what is kept of it.
func (a *Agent) start(
	ctx context.Context,
	info session.Info,
	take func() (session.StoredSession, session.Record, error),
) (*Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, ErrClosed
	}
	kept, record, err := take()
	if err != nil {
		return nil, err
	}
	s := newSession(ctx, a.cfg, a.client, info, record)
	s.begin(kept)
	a.sessions = append(slices.DeleteFunc(a.sessions, func(s *Session) bool { return s.life.Ended() }), s)
	s.goOn()
	return s, nil
}

// Close implements session.Agent.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	sessions := slices.Clone(a.sessions)
	a.mu.Unlock()
	defer a.client.close()
	return session.CloseAll(ctx, sessions)
}

// List implements session.Library.
func (a *Agent) List(ctx context.Context) ([]session.Stored, error) { return a.cfg.Store.List(ctx) }

// LatestID implements session.Latest, among the sessions of this agent. It may be open
// elsewhere: then Resume says so.
func (a *Agent) LatestID(ctx context.Context, dir string) (session.ID, error) {
	all, err := a.cfg.Store.List(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range all {
		if s.Dir == dir && s.Agent == a.cfg.Name {
			return s.ID, nil
		}
	}
	return "", nil
}

// Delete implements session.Library.
func (a *Agent) Delete(ctx context.Context, id session.ID) error { return a.cfg.Store.Remove(ctx, id) }

// Fork implements session.Library.
func (a *Agent) Fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	copied, err := a.fork(ctx, id, before)
	if err != nil {
		return "", fmt.Errorf("copy session %s: %w", id, err)
	}
	return copied, nil
}

func (a *Agent) fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	kept, err := a.cfg.Store.Read(ctx, id)
	if err != nil {
		return "", err
	}
	events := kept.Events
	if before != "" {
		end := slices.IndexFunc(events, func(ev session.Event) bool { return ev.ID == before })
		if end < 0 {
			return "", fmt.Errorf("it has no event %s", before)
		}
		events = events[:end]
	}
	stored := kept.Stored
	stored.ID, stored.Started, stored.Used, stored.InUse = session.ID(uuid.NewString()), a.cfg.Now(), a.cfg.Now(), false
	record, err := a.cfg.Store.Begin(stored)
	if err != nil {
		return "", err
	}
	err = record.Describe(stored.Title+" (fork)", true) // as the runtime calls it (docs/protocol.md, section 4.3)
	for _, ev := range events {
		err = errors.Join(err, record.Append(ev))
	}
	return stored.ID, errors.Join(err, record.Close())
}
