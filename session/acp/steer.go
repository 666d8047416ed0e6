package acp

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/local"
)

// steerParams is _session/steering, of the agents that say that they have it.
type steerParams struct {
	SessionID string         `json:"sessionId"`
	Prompt    []contentBlock `json:"prompt"`
	Meta      steerMeta      `json:"_meta"`
}

// steerMeta says what to do when the turn has ended meanwhile.
type steerMeta struct {
	Steering struct {
		Idle string `json:"idleBehavior"`
	} `json:"steering"`
}

// promptRequired is that nothing is done then, and what came of a prompt for which nothing was.
const promptRequired = "promptRequired"

// SendNow implements session.QueueEditor.
func (s *Session) SendNow(ctx context.Context, id string) (bool, error) {
	found, err := s.Session.SendNow(ctx, id)
	if err == nil {
		err = s.steer()
	}
	return found, err
}

// steer sends the prompts that are to reach the running turn.
func (s *Session) steer() error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for ; s.steered < len(s.Steering); s.steered++ {
		p := s.Steering[s.steered]
		params := steerParams{SessionID: s.wire, Prompt: s.blocks(p.Input)}
		params.Meta.Steering.Idle = promptRequired
		if err := s.link.request("_session/steering", params, func(answer message) { s.injected(p, answer) }); err != nil {
			s.Steering = slices.Delete(slices.Clone(s.Steering), s.steered, s.steered+1) // the user has it back
			return fmt.Errorf("send a prompt into the turn: %w", err)
		}
	}
	return nil
}

// injected takes the answer to a prompt that was sent into the turn: there it was said, or it is the next one.
// It is called on the goroutine that reads.
func (s *Session) injected(p local.Prompt, answer message) {
	var r struct {
		Outcome string `json:"outcome"`
	}
	session.ReadWhatFits(answer.Result, &r)
	taken := answer.Error == nil && r.Outcome != promptRequired
	s.talking.Lock()
	defer s.talking.Unlock()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	i := slices.IndexFunc(s.Steering, func(waits local.Prompt) bool { return waits.ID == p.ID })
	if i < 0 { // the turn has ended
		return
	}
	if !taken { // the end of the turn makes it the next one, behind those before it
		return
	}
	s.Steering = slices.Delete(slices.Clone(s.Steering), i, i+1)
	s.steered--
	s.Log.Put(session.PendingMessagesModified{})
	s.Log.Put(append(s.talk.endThought(), s.talk.endMessage()...)...)
	s.talk.asked, s.talk.unheard = p.ID, true
	s.Log.Put(p.Message(session.DeliveredSteering, s.shownMode()))
}

// unsteer makes the prompts that did not reach the turn the next ones; of a turn that was stopped they are
// dropped.
func (s *Session) unsteer(stopped bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if len(s.Steering) == 0 {
		return
	}
	if !stopped {
		s.Waiting = append(s.Steering, s.Waiting...)
	}
	s.Steering, s.steered = nil, 0
	s.Log.Put(session.PendingMessagesModified{})
}

// request makes a request whose answer is taken in its place among what the agent says, on the goroutine that
// reads. Its id is a text, which those of calls are not.
func (l *link) request(method string, params any, take func(message)) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	l.mu.Lock()
	l.requests++
	id := fmt.Sprintf(`"parley-%d"`, l.requests)
	l.takes[id] = take
	l.mu.Unlock()
	return l.send(message{ID: jsontext.Value(id), Method: method, Params: raw})
}

// answered hands over the answer to a request.
func (l *link) answered(m message) {
	l.mu.Lock()
	take := l.takes[string(m.ID)]
	delete(l.takes, string(m.ID))
	l.mu.Unlock()
	if take != nil {
		take(m)
	}
}
