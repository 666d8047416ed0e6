package copilot

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"github.com/google/uuid"

	"parley/session"
)

// signIns are the questions about signing in to MCP servers: the runtime's, and
// our own about the addresses to open.
type signIns struct {
	mu      sync.Mutex
	asked   map[session.RequestID]session.McpOAuthRequired
	opening map[session.RequestID]string // the server's name
}

// note takes an event in and returns the addresses that need not be opened any
// more, because somebody has signed in.
func (g *signIns) note(ev session.Event) (done []session.RequestID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch b := ev.Body.(type) {
	case session.McpOAuthRequired:
		put(&g.asked, b.RequestID, b)
	case session.McpOAuthCompleted:
		delete(g.asked, b.RequestID)
	case session.SessionMcpServerStatusChanged:
		for id, server := range g.opening {
			if server == b.ServerName && b.Status == "connected" {
				delete(g.opening, id)
				done = append(done, id)
			}
		}
	}
	return done
}

// question returns a question of the runtime that is open.
func (g *signIns) question(id session.RequestID) (session.McpOAuthRequired, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	q, ok := g.asked[id]
	return q, ok
}

// open remembers a question of our own.
func (g *signIns) open(id session.RequestID, server string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	put(&g.opening, id, server)
}

// close settles a question of our own; not ok means that it is none that is
// open.
func (g *signIns) close(id session.RequestID) (ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok = g.opening[id]
	delete(g.opening, id)
	return ok
}

// answerSignIn answers a server's wish that the user sign in. The runtime
// wants a token or a no. After a no it makes its own way, which needs a
// browser; only a token that has run out it can renew without one (docs/protocol.md,
// section 7.5).
func (s *Session) answerSignIn(ctx context.Context, a session.McpOAuthAnswer) error {
	q, open := s.signIns.question(a.RequestID)
	kind := "cancelled"
	renew := a.SignIn && q.Reason == "refresh" && q.RuntimeRefreshSupported
	if renew {
		kind = "runtimeRefresh"
	}
	err := s.settle(ctx, a.RequestID, replyTo(session.KindMcpOAuthRequired, object{"kind": kind}))
	if err != nil || !open || !a.SignIn || renew {
		return err
	}
	if err := s.signIn(ctx, q.ServerName); err != nil {
		// The question is settled: what is wrong now is shown, not asked again.
		s.warn("mcp", fmt.Sprintf("Signing in to %s did not work: %v. The agent continues without this server.", q.ServerName, err))
	}
	return nil
}

// signIn begins the runtime's own way of signing in and asks the user to open
// the address it leads to. The runtime waits for the browser to come back, and
// reports by the state of the server that it did.
func (s *Session) signIn(ctx context.Context, server string) error {
	p := object{
		"serverName": server, "clientName": "Parley",
		"callbackSuccessMessage": "You can close this window and go back to Parley.",
	}
	address, err := ask[string](ctx, s, "session.mcp.oauth.login", p, "authorizationUrl")
	if err != nil || address == "" {
		return err // it knew a token that is still good
	}
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("it leads to what is no address of a web page")
	}
	id := session.RequestID(uuid.NewString())
	s.signIns.open(id, server)
	s.queue.add(own(session.ElicitationRequested{
		RequestID: id, ElicitationSource: server, Mode: session.URLMode, URL: address,
		Message: fmt.Sprintf("Sign in to %s in your browser", server),
	}))
	return nil
}

// opened settles a question of our own about an address; not ok means that the
// question is the runtime's.
func (s *Session) opened(id session.RequestID, action session.ElicitationAction) (ok bool) {
	if !s.signIns.close(id) {
		return false
	}
	s.queue.add(own(session.ElicitationCompleted{RequestID: id, Action: action}))
	return true
}

// warn shows the user what went wrong and has no place in a call's error.
func (l *link) warn(kind, message string) {
	l.queue.add(own(session.SessionWarning{WarningType: kind, Message: message}))
}
