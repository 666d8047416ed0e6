// Package sse chats with agents that answer over server-sent events: chat
// agents with confirmations, errors and references of their own,
// and every endpoint that speaks the chat completions of OpenAI, whose stream is
// the default event of the former. An agent holds nothing of a conversation:
// each request has all of it, made by modelview from the log, and the log is
// stored here.
package sse

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/local"
)

// Protocol is how an agent is spoken to.
type Protocol string

// The protocols (docs/decisions.md 25).
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
// session.Latest. A session continues with this agent, whoever answered before, and
// the user is informed if that was another.
type Agent struct {
	local.Agent
	cfg    Config
	client *client
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
		cfg.Store = local.NoStore{}
	}
	c, err := newClient(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Name == "" {
		cfg.Name = string(cfg.Protocol) + ":" + c.shown
	}
	a := &Agent{cfg: cfg, client: c}
	a.Agent = local.Agent{Name: cfg.Name, Client: producer, Store: cfg.Store, Now: cfg.Now, Begin: a.begin}
	return a, nil
}

// Open implements session.Agent.
func (a *Agent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	o.Dir = cmp.Or(o.Dir, a.cfg.Dir)
	return a.Agent.Open(ctx, o)
}

// begin begins a session with what is stored of it.
func (a *Agent) begin(
	ctx context.Context, o session.Options, stored session.StoredSession, record session.Record,
) (local.Running, error) {
	info := session.Info{ID: stored.ID, Agent: a.cfg.Name, Mode: session.Interactive, Dir: cmp.Or(o.Dir, a.cfg.Dir)}
	if a.cfg.Protocol == OpenAI {
		info.Model = cmp.Or(o.Model, a.cfg.Model)
	}
	s := &Session{
		Session: local.NewSession(ctx, a.cfg.Now, info, record, ephemeral),
		cfg:     a.cfg, client: a.client, record: record, model: info.Model,
	}
	s.begin(stored)
	s.Start(s.live, s.end)
	if len(stored.Events) > 0 && o.Model != "" {
		_ = s.SetModel(ctx, o.Model, "") // it can: any name is one
	}
	return s, nil
}

// Close implements session.Agent.
func (a *Agent) Close(ctx context.Context) error {
	defer a.client.http.CloseIdleConnections()
	return a.Agent.Close(ctx)
}
