package copilot

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// compareGrace is how long the runtime may take to list its open questions. It
// ends the comparison, not the questions.
const compareGrace = 10 * time.Second

// permissions are the questions about permissions that are open as far as the
// events report. Some of them the runtime drops without an event.
type permissions struct {
	mu        sync.Mutex
	open      map[session.RequestID]session.Event
	comparing bool // a comparison is under way
	again     bool // and another one is due
}

// note takes an event in and reports whether a comparison is due now: when the
// root agent has come to rest while a question is open (docs/decisions.md 9).
func (p *permissions) note(ev session.Event) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch b := ev.Body.(type) {
	case session.PermissionRequested:
		put(&p.open, b.RequestID, ev)
	case session.PermissionCompleted:
		delete(p.open, b.RequestID)
	case session.AssistantIdle:
		if ev.Agent != "" || len(p.open) == 0 {
			return false
		}
		p.again = p.comparing
		due := !p.comparing
		p.comparing = true
		return due
	}
	return false
}

// ids are the questions that are open now.
func (p *permissions) ids() []session.RequestID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.open))
}

// drop forgets a question and returns it; not ok means that it was settled.
func (p *permissions) drop(id session.RequestID) (ev session.Event, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ev, ok = p.open[id]
	delete(p.open, id)
	return ev, ok
}

// compared ends a comparison and reports whether to make another one.
func (p *permissions) compared() (again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	again, p.again = p.again, false
	p.comparing = again
	return again
}

// compare settles, as cancelled, the open questions that the runtime does not
// have any more. A background agent's that waits is on its list. When the list
// cannot be had, all stay open.
func (s *Session) compare() {
	for again := true; again; again = s.asked.compared() {
		ids := s.asked.ids() // before the list: what is asked meanwhile is not looked at
		ctx, cancel := context.WithTimeout(context.Background(), compareGrace)
		pending, err := s.pendingPermissions(ctx)
		cancel()
		if err != nil {
			continue
		}
		for _, id := range ids {
			waits := func(p pendingPermission) bool { return p.RequestID == id }
			if !slices.ContainsFunc(pending, waits) {
				s.cancelled(id)
			}
		}
	}
}

// cancelled says that a question is settled, as the runtime should have.
func (s *Session) cancelled(id session.RequestID) {
	asked, ok := s.asked.drop(id)
	if !ok {
		return
	}
	b := session.PermissionCompleted{
		RequestID: id,
		Result:    session.PermissionResult{Kind: "cancelled", Reason: "The agent no longer waits for an answer"},
	}
	if q, ok := asked.Body.(session.PermissionRequested); ok {
		b.ToolCallID = q.Call()
	}
	ev := own(b)
	ev.Agent = asked.Agent
	s.queue.add(ev)
}

// pendingPermission is a question the runtime waits on.
type pendingPermission struct {
	RequestID session.RequestID      `json:"requestId"`
	Request   *session.PromptRequest `json:"request"`
}

// pendingPermissions asks the runtime what it waits on.
func (s *Session) pendingPermissions(ctx context.Context) ([]pendingPermission, error) {
	return ask[[]pendingPermission](ctx, s, "session.permissions.pendingRequests", nil, "items")
}
