package acp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// past is what the agent says, before the first prompt is sent, of a session that was there
// before. What it gives back is most of the time all there before it answers that the session is open, but
// not of every agent.
type past struct {
	is      pastIs
	holding bool // the session is being opened: what comes is for later
	held    []message
	at      time.Time // of what was said, as far as that is known
}

// pastIs is what the log has of the past.
type pastIs uint8

const (
	none     pastIs = iota // there is none: what the agent says is news
	logged                 // the log has it
	unlogged               // the log has nothing of it
)

// drainTime is how long an agent that has opened a session may take to say the rest of its past.
const drainTime = 5 * time.Second

// enter opens a new session of the agent, or the one that the log is of. An agent that cannot find
// that one any more begins anew, and the user is informed.
func (s *Session) enter() (o opened, err error) {
	p := newSessionParams{Cwd: s.About.Dir, MCPServers: []struct{}{}, SessionID: s.wire}
	unknown := ""
	switch {
	case s.wire != "":
		if o, err = s.reopen(p); err == nil || s.kept {
			return o, err
		}
		unknown = fmt.Sprintf("does not remember this session (%v)", err)
	case s.forkOf != "" && !null(s.link.info.Capabilities.Session.Fork):
		if o, err = s.fork(p); err == nil {
			return o, nil
		}
		unknown = fmt.Sprintf("does not know what was said in this copy (%v)", err)
	case s.resumed:
		unknown = "does not know what was said in this copy"
	}
	if s.Life.Err() != nil {
		return o, s.Life.Err()
	}
	if unknown != "" {
		s.Log.Put(session.SessionWarning{WarningType: "agent", Message: s.link.name() + " " + unknown +
			". It is shown as it was, and the agent begins anew."})
	}
	o, p.SessionID = opened{}, ""
	if err = s.link.call(s.Life, "session/new", p, &o); err != nil {
		return o, err
	}
	s.wire = o.SessionID
	return o, nil
}

// reopen opens a session of the agent's again: without what was said in it where the log has that,
// and where the agent can.
func (s *Session) reopen(p newSessionParams) (o opened, err error) {
	can := s.link.info.Capabilities
	method, is := "session/load", logged
	switch resumes := !null(can.Session.Resume); {
	case s.kept && can.Load:
		is = unlogged
	case resumes:
		method, is = "session/resume", none
	}
	s.hold(is)
	s.link.attach(s.wire, s) // what it says of the past comes before its answer
	if err = s.link.call(s.Life, method, p, &o); err != nil {
		s.link.detach(s.wire)
		s.hold(none)
		s.release()
		return o, err
	}
	if s.kept && is == none {
		s.Log.Put(session.SessionWarning{WarningType: "agent", Message: s.link.name() +
			" remembers this session, and does not give back what was said in it. So that is not shown."})
	}
	if is != none {
		s.drain(o)
	}
	return o, nil
}

// fork has the agent copy its session, as it is now. What it says of the past is what the log has.
func (s *Session) fork(p newSessionParams) (o opened, err error) {
	p.SessionID = s.forkOf
	s.hold(logged)
	if err = s.link.call(s.Life, "session/fork", p, &o); err == nil && o.SessionID == "" {
		err = errors.New("it did not say how the copy is called")
	}
	if err != nil {
		s.hold(none)
		s.release()
		return o, err
	}
	s.wire = o.SessionID
	return o, nil
}

// drain waits until the agent has said what it says of the past: Gemini CLI answers before it has,
// and reads the next request after it has.
func (s *Session) drain(o opened) {
	if o.Modes.Current == "" {
		return
	}
	ctx, cancel := context.WithTimeout(s.Life, drainTime)
	defer cancel()
	_ = s.requestMode(ctx, o.Modes.Current) // it is in it already; that it answers is what counts
}

// hold keeps what the agent says until the session is open.
func (s *Session) hold(is pastIs) {
	s.talking.Lock()
	defer s.talking.Unlock()
	s.past.is, s.past.holding, s.past.held = is, true, nil
}

// release takes what was kept, now that the session is open. It returns how many events of the past there are.
func (s *Session) release() (stored int) {
	s.talking.Lock()
	defer s.talking.Unlock()
	held := s.past.held
	s.past.holding, s.past.held = false, nil
	for _, m := range held {
		s.hear(m)
	}
	if s.past.is == unlogged {
		s.addPast(s.talk.endPast())
	}
	return s.stored
}

// repeated reports whether a message says what the log has. talking is held.
func (s *Session) repeated(m message) bool {
	var p updateParams
	session.ReadWhatFits(m.Params, &p)
	return s.repeats(p)
}

// repeats takes an update of what was said in the past, and reports whether it is one. talking is held.
func (s *Session) repeats(p updateParams) bool {
	var u update
	session.ReadWhatFits(p.Update, &u)
	switch u.Kind {
	case "plan", "available_commands_update", "current_mode_update", "config_option_update", "usage_update":
		return false // how the session is now
	}
	if s.past.is == unlogged {
		s.addPast(s.talk.past(p.Update))
	}
	return s.past.is != none
}

// addPast adds what was said in the past to the log. talking is held.
func (s *Session) addPast(bodies []session.Body) {
	for _, b := range bodies {
		if _, is := b.(session.UserMessage); is {
			s.Mu.Lock()
			s.said = true
			s.Mu.Unlock()
		}
	}
	s.stored += s.Log.PutPast(s.past.at, bodies...)
}

// endPast ends the past: what is said from now on is news. talking is held.
func (s *Session) endPast() {
	if s.past.is == unlogged {
		s.addPast(s.talk.endPast())
	}
	s.past.is = none
}

// replayedPast is how far the past has come that the agent replays.
type replayedPast struct {
	on     bool
	prompt speech
	turn   bool  // one was begun
	call   *call // that has ended, but of which the next update may have the output; nil is none
}

// past turns an update of what was said in the past into events. It has no end of a turn: one ends
// where the next prompt begins.
func (t *talk) past(raw jsontext.Value) []session.Body {
	var u update
	session.ReadWhatFits(raw, &u)
	_, text := readChunk(u.Content)
	m := &t.replayed.prompt
	switch {
	case u.Kind != "user_message_chunk":
		var out []session.Body
		if c := t.replayed.call; c != nil && c.ID != u.ID {
			out = t.endCall()
		}
		out = append(out, t.endPrompt()...)
		t.replayed.on = true
		out = append(out, t.update(raw)...)
		t.replayed.on = false
		return out
	case text == "":
		return nil
	case m.id != "" && m.wire == u.MessageID: // another piece of it
		m.text.WriteString("\n" + text)
		return nil
	}
	out := t.endPast()
	m.id, m.wire = t.newID(), u.MessageID
	m.text.WriteString(text)
	return out
}

// endPrompt begins the turn of the prompt that was replayed last.
func (t *talk) endPrompt() []session.Body {
	p := &t.replayed.prompt
	if p.id == "" {
		return nil
	}
	m := session.UserMessage{MessageID: session.MessageID(p.id), Content: p.text.String(), Delivery: session.DeliveredIdle}
	t.asked, t.replayed.prompt, t.replayed.turn = m.MessageID, speech{}, true
	return []session.Body{m, session.AssistantTurnStart{TurnID: "0", Model: t.model}}
}

// endCall ends the call that was replayed last.
func (t *talk) endCall() (out []session.Body) {
	if c := t.replayed.call; c != nil {
		out = t.complete(c, c.result())
		t.sweep()
	}
	t.replayed.call = nil
	return out
}

// endPast ends the turn that was replayed last.
func (t *talk) endPast() []session.Body {
	out := append(t.endPrompt(), t.endCall()...)
	out = append(out, t.end(false, true)...)
	if t.replayed.turn {
		out = append(out, session.AssistantTurnEnd{TurnID: "0", Model: t.model})
	}
	t.replayed.turn = false
	return out
}
