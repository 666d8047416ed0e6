package copilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// resume attaches to a stored session. Live events are held back until the
// history is there, so that both can be put in order.
func (s *Session) resume(ctx context.Context, o session.Options) error {
	a := s.agent
	if o.Dir == "" {
		dir, err := s.storedDir(ctx)
		if err != nil {
			return err
		}
		o.Dir = dir
	}
	s.queue.hold()
	s.folder = a.trustKept(a.inspect(ctx, o.Dir))
	if s.folder.briefly {
		// An earlier look into the folder is remembered by the runtime.
		if err := a.call(ctx, "instructions.clearCache", nil, nil); err != nil {
			return err
		}
	}
	p := a.params(s.info.ID, o, s.folder)
	p["continuePendingWork"] = true
	var r opened
	if err := a.call(ctx, "session.resume", p, &r); err != nil {
		return err
	}
	s.learn(r)
	if err := s.listen(ctx); err != nil {
		return err
	}
	if err := s.grants.askAgain(ctx); err != nil {
		return err
	}
	if err := s.grants.letRead(ctx, s.folder); err != nil {
		return err
	}
	stored, err := s.history(ctx)
	if err != nil {
		return err
	}
	open, err := s.unanswered(ctx, stored)
	if err != nil {
		return err
	}
	events := s.queue.replay(stored, open)
	for _, ev := range events {
		if b, ok := ev.Body.(session.SessionResume); ok {
			s.info.InUse = b.AlreadyInUse && !b.SessionWasActive // the last one is ours
		}
	}
	if s.info.Remote { // in a runtime that has just been started nothing is left of a session's approvals
		s.grants.ledger.learn(events)
	}
	s.grants.allowAddresses(ctx, !s.info.Remote)
	s.askTrust()
	s.regainName(ctx)
	return s.adopt(ctx, o.Mode)
}

// storedDir is the folder a stored session was in.
func (s *Session) storedDir(ctx context.Context) (string, error) {
	type stored struct {
		Context struct {
			Cwd string `json:"cwd"`
		} `json:"context"`
	}
	meta, err := ask[stored](ctx, s, "session.getMetadata", nil, "session")
	return cmp.Or(meta.Context.Cwd, s.agent.cfg.Dir), err
}

// history fetches the stored events.
func (s *Session) history(ctx context.Context) ([]session.Event, error) {
	leave := s.agent.valve.heap.enter()
	var events []session.Event
	defer func() {
		if len(events) <= longHistory {
			leave()
			return
		}
		go s.agent.guard(func() {
			<-s.done
			leave()
		})
	}()
	stored := struct {
		Events eachValue `json:"events"`
	}{func(raw jsontext.Value) {
		if ev, ok := s.decode(raw); ok {
			ev.Replayed = true
			events = append(events, ev)
		}
	}}
	if err := s.call(ctx, "session.getMessages", nil, &stored); err != nil {
		return nil, fmt.Errorf("fetch the history: %w", err)
	}
	return events, nil
}

// eachValue gets the values of an array one after the other. They are not to be kept.
type eachValue func(jsontext.Value)

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (each eachValue) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if t, err := d.ReadToken(); err != nil || t.Kind() == jsontext.KindNull {
		return err
	} else if t.Kind() != jsontext.KindBeginArray {
		return errors.New("it is no list")
	}
	for d.PeekKind() != jsontext.KindEndArray {
		v, err := d.ReadValue()
		if err != nil {
			return err
		}
		each(v)
	}
	_, err := d.ReadToken()
	return err
}

// merge puts stored and live events into one order without repeating any. What
// came since the session was attached is in both; then the live event stands,
// with the ephemeral ones around it. Of the stored events that stand, known has
// the ids, since they may still come live.
func merge(stored, live []session.Event) (events []session.Event, known map[session.EventID]struct{}) {
	at := make(map[session.EventID]int, len(live))
	for i, ev := range live {
		at[ev.ID] = i
	}
	known = make(map[session.EventID]struct{}, len(stored))
	events = make([]session.Event, 0, len(stored)+len(live))
	next := 0 // the first live event that is not placed
	for _, ev := range stored {
		if i, ok := at[ev.ID]; !ok {
			known[ev.ID] = struct{}{}
			events = append(events, ev)
		} else if i >= next {
			events = append(events, live[next:i+1]...)
			next = i + 1
		}
	}
	return append(events, live[next:]...), known
}

// unanswered returns the questions that an earlier run left open, as events of
// now with their old ids.
func (s *Session) unanswered(ctx context.Context, stored []session.Event) ([]session.Event, error) {
	pending, err := s.pendingPermissions(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the open questions: %w", err)
	}
	asked := map[session.RequestID]session.Event{}
	for _, ev := range stored {
		if b, ok := ev.Body.(session.PermissionRequested); ok {
			asked[b.RequestID] = ev
		}
	}
	open := make([]session.Event, 0, len(pending))
	for _, p := range pending {
		before := asked[p.RequestID]
		b, _ := before.Body.(session.PermissionRequested) // the stored form says more than the list
		b.RequestID = p.RequestID
		if p.Request != nil {
			b.PromptRequest = p.Request
		}
		ev := own(b)
		ev.Agent = before.Agent
		s.asked.note(ev)
		open = append(open, ev)
	}
	return open, nil
}

// prompts remembers the system prompts of a session's agents: the runtime sends
// the same 44 KB on every turn (docs/protocol.md, section 2).
type prompts struct {
	mu   sync.Mutex
	seed maphash.Seed
	last map[string]uint64
}

// repeats reports whether an event is a system message equal to the one before.
func (p *prompts) repeats(ev session.Event) bool {
	m, ok := ev.Body.(session.SystemMessage)
	if !ok {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last == nil {
		p.seed, p.last = maphash.MakeSeed(), map[string]uint64{}
	}
	key, sum := string(ev.Agent)+"\x00"+m.Role+"\x00"+m.Name, maphash.String(p.seed, m.Content)
	before, seen := p.last[key]
	p.last[key] = sum
	return seen && before == sum
}
