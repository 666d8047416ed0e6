package copilot

import (
	"maps"
	"slices"
	"sort"
	"time"

	"parley/session"
)

const (
	// provenAfter is how many increments in a row must be where the counts of a
	// response say before these are believed.
	provenAfter = 8
	// togetherWithin is the longest time between what the runtime makes at once, by
	// its clock: a count and the increment that it announces, or two increments that
	// the model sent in one go. What is further apart may come of two deliveries.
	togetherWithin = 2 * time.Millisecond
	// apartWithin is that time when the runtime pauses between the two.
	apartWithin = 25 * time.Millisecond
	// disorderWithin is how long a gap is taken for disorder, by the runtime's clock,
	// while nothing older than what is behind the gap has come. The runtime's two
	// deliveries take turns after a few events.
	disorderWithin = 500 * time.Millisecond
)

// order puts the increments of a model's response into the order in which the
// model sent them. When a response comes faster than the runtime passes it on, the
// runtime makes several deliveries at once: pieces of one are hundreds of
// events ahead of those of another, without a sign in the events themselves.
// The runtime announces each piece by the size of the response with it
// (assistant.streaming_delta), so a piece has a place in the response, and one
// that is ahead waits until those before it have come. Where the runtime cuts between
// a size and its piece, two pieces of one length and one time cannot be distinguished:
// they may change places until the message is complete.
//
// The sizes of other providers may count what is no piece. They are believed only
// once they have been right for some pieces, and not any longer when a gap stays
// though nothing comes late, or more waits than a session may hold.
type order struct {
	responses map[session.AgentID]*response
}

// response is what a model sends in answer to one request.
type response struct {
	whole  int       // bytes of the pieces that were handed on
	proven int       // pieces in a row that were where the counts said
	counts []count   // whose piece has not come
	loose  *piece    // came just before, without a place
	held   []*piece  // ahead of one that has not come, by time
	newest time.Time // of all that came
	late   bool      // something has come that is older than what is held
}

// count is the size of a response with one more piece.
type count struct {
	total int
	at    time.Time
}

// piece is an increment of a response that waits.
type piece struct {
	event session.Event
	size  int
	start int // its place in the response; -1 if its count has not come
	maybe int // its place if a count that is older is its own nevertheless; -1 if not
}

// put takes an event as it came, and gives it and what waited for it on.
func (o *order) put(ev session.Event, give func(session.Event)) {
	switch b := ev.Body.(type) {
	case session.AssistantStreamingDelta:
		o.response(ev.Agent).announce(count{b.TotalResponseSizeBytes, ev.Time}, give)
	case session.AssistantMessageDelta:
		o.response(ev.Agent).add(&piece{ev, len(b.DeltaContent), -1, -1}, give)
		return
	case session.AssistantReasoningDelta:
		o.response(ev.Agent).add(&piece{ev, len(b.DeltaContent), -1, -1}, give)
		return
	case session.AssistantToolCallDelta:
		o.response(ev.Agent).add(&piece{ev, len(b.InputDelta), -1, -1}, give)
		return
	case session.AssistantMessage:
		o.response(ev.Agent).complete(b.MessageID)
		o.end(ev.Agent, give)
	case session.AssistantTurnStart, session.AssistantTurnEnd:
		o.end(ev.Agent, give)
	case session.Abort, session.SessionError, session.SessionIdle:
		o.endAll(give)
	}
	give(ev)
}

func (o *order) response(agent session.AgentID) *response {
	r := o.responses[agent]
	if r == nil {
		r = &response{}
		put(&o.responses, agent, r)
	}
	return r
}

// end gives what an agent's response still holds: nothing more of it comes.
func (o *order) end(agent session.AgentID, give func(session.Event)) {
	if r := o.responses[agent]; r != nil {
		r.release(give)
		delete(o.responses, agent)
	}
}

// endAll is end for every agent.
func (o *order) endAll(give func(session.Event)) {
	for _, agent := range slices.Sorted(maps.Keys(o.responses)) {
		o.end(agent, give)
	}
}

// announce takes the count that belongs to a piece. One that is lower than what
// was handed on, and newer than all, begins another response: the runtime tries
// again.
func (r *response) announce(c count, give func(session.Event)) {
	if c.total < r.whole && c.at.After(r.newest) {
		r.release(give)
		*r = response{}
	}
	r.see(c.at)
	if c.total > r.whole {
		r.counts = append(r.counts, c)
	}
}

// see notes the time of what came.
func (r *response) see(at time.Time) {
	if at.After(r.newest) {
		r.newest = at
	}
	r.late = r.late || len(r.held) > 0 && at.Before(r.held[0].event.Time)
}

// add takes a piece, and gives all that is in order now.
func (r *response) add(p *piece, give func(session.Event)) {
	r.see(p.event.Time)
	r.place(p)
	switch {
	case r.proven < provenAfter:
		r.learn(p)
		give(p.event)
	case p.start == r.whole:
		r.whole += p.size
		give(p.event)
	default:
		r.hold(p)
	}
	r.drain(give)
	if len(r.held) >= callLimit || len(r.held) > 0 && !r.late && r.newest.Sub(r.held[0].event.Time) > disorderWithin {
		r.release(give)
	}
	if len(r.counts) > 0 {
		r.counts = slices.DeleteFunc(r.counts, func(c count) bool { return c.total <= r.whole })
	}
}

// learn compares a piece with its count while the counts are not believed.
func (r *response) learn(p *piece) {
	switch {
	case p.start < 0:
		r.proven = 0
		r.whole += p.size
		return
	case p.start == r.whole:
		r.proven++
	default:
		r.proven = 0
	}
	r.whole = p.start + p.size
}

// place finds the place of a piece by the last count before it, and that of the
// piece before it, if that has none, by its own.
func (r *response) place(p *piece) {
	best := -1
	for i, c := range r.counts {
		if follows(p.event.Time, c.at, apartWithin) && (best < 0 || !c.at.Before(r.counts[best].at)) {
			best = i
		}
	}
	if best >= 0 {
		c := r.counts[best]
		r.counts = slices.Delete(r.counts, best, best+1)
		if follows(p.event.Time, c.at, togetherWithin) {
			p.start = c.total - p.size
		} else {
			p.maybe = c.total - p.size
		}
	}
	if x := r.loose; x != nil && p.start >= 0 && follows(p.event.Time, x.event.Time, togetherWithin) {
		x.start = p.start - x.size
	}
	if r.loose = nil; p.start < 0 {
		r.loose = p
	}
}

// follows reports whether at is not before another time, and not long after it.
func follows(at, before time.Time, within time.Duration) bool {
	d := at.Sub(before)
	return d >= 0 && d <= within
}

// hold keeps a piece that is ahead.
func (r *response) hold(p *piece) {
	i := sort.Search(len(r.held), func(i int) bool { return r.held[i].event.Time.After(p.event.Time) })
	r.held = slices.Insert(r.held, i, p)
}

// drain gives the pieces whose place has come.
func (r *response) drain(give func(session.Event)) {
	for n := r.ready(); n > 0; n = r.ready() {
		for _, p := range r.held[:n] {
			give(p.event)
			r.whole += p.size
		}
		r.held = r.held[n:]
	}
	if len(r.held) == 0 {
		r.held, r.late = nil, false
	}
}

// ready is how many of the pieces held come next: one that has that place, or some
// without a place that fill just what is before one that has its own.
func (r *response) ready() int {
	for i, p := range r.held {
		if !follows(p.event.Time, r.held[0].event.Time, togetherWithin) {
			break
		}
		if p.start == r.whole {
			copy(r.held[1:i+1], r.held[:i])
			r.held[0] = p
			return 1
		}
	}
	start := r.whole
	for i := range r.held {
		if p := r.held[i]; p.start >= 0 {
			if p.start == start {
				return i + 1
			}
			break
		}
		r.first(i, start)
		start += r.held[i].size
	}
	return 0
}

// first puts the piece that begins at start at i, of those of one time that have no
// place: the one with that count before it, or the one that came first.
func (r *response) first(i, start int) {
	for j := i; j < len(r.held) && r.held[j].event.Time.Equal(r.held[i].event.Time); j++ {
		if p := r.held[j]; p.start < 0 && p.maybe == start {
			copy(r.held[i+1:j+1], r.held[i:j])
			r.held[i] = p
			return
		}
	}
}

// complete drops the pieces of a message behind a gap: the message has come whole.
func (r *response) complete(message session.MessageID) {
	if !slices.ContainsFunc(r.held, func(p *piece) bool { return p.start >= 0 }) {
		return
	}
	r.held = slices.DeleteFunc(r.held, func(p *piece) bool {
		d, ok := p.event.Body.(session.AssistantMessageDelta)
		return ok && d.MessageID == message
	})
}

// release gives all that is held, in the order of its time, and believes the
// counts no longer.
func (r *response) release(give func(session.Event)) {
	for _, p := range r.held {
		give(p.event)
		if r.whole += p.size; p.start >= 0 {
			r.whole = p.start + p.size
		}
	}
	r.held, r.loose, r.late, r.proven = nil, nil, false, 0
}
