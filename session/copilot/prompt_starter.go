package copilot

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"parley/session"
)

// turnEndPoll is how often the runtime is asked whether a turn is over whose last
// event has come: no event says when it is.
const turnEndPoll = 50 * time.Millisecond

// promptStarter starts the prompts that wait though no turn runs. The runtime leaves
// its queue alone while shell commands or sub-agents run in the background
// (docs/protocol.md, section 8.2), which may run indefinitely.
type promptStarter struct {
	promptQueue

	waits   atomic.Bool // prompts may be in the queue
	running atomic.Bool // the root agent is between the beginning and the end of a step of its turn
	one     sync.Mutex  // held by the goroutine that starts prompts
}

// note takes an event and reports whether start is to be called now.
func (p *promptStarter) note(ev session.Event) bool {
	if ev.Agent != "" {
		return false
	}
	switch ev.Body.(type) {
	case session.AssistantTurnStart:
		p.running.Store(true)
	case session.Abort:
		p.waits.Store(false) // it empties the queue: nothing that was in it may begin now
	case session.AssistantTurnEnd, session.AssistantIdle:
		p.running.Store(false)
		return p.waits.Load()
	case session.SessionCompactionComplete: // nothing is sent during one
		return p.waits.Load()
	}
	return false
}

// start starts the first prompt that waits as soon as no turn runs. It returns when a turn
// continues or begins, whose end is noted. The runtime refuses to send a prompt that does not
// wait any more, an item that is no prompt, and any prompt during a compaction.
func (p *promptStarter) start() {
	p.one.Lock()
	defer p.one.Unlock()
	ctx := context.Background()
	for p.waits.Load() {
		p.waits.Store(false) // a prompt that is sent while the runtime is asked sets it again
		queued, err := p.Pending(ctx)
		if err == nil && len(queued) == 0 {
			continue
		}
		p.waits.Store(true)
		if err != nil {
			return
		}
		running, err := ask[bool](ctx, p, "session.metadata.isProcessing", nil, "processing")
		switch {
		case err != nil, running && p.running.Load():
			return
		case !running && p.waits.Load():
			p.sendFirst(ctx, queued)
			return
		}
		select {
		case <-p.done:
			return
		case <-time.After(turnEndPoll):
		}
	}
}

// sendFirst sends the first prompt of the queue that can be sent.
func (p *promptStarter) sendFirst(ctx context.Context, queued []session.Pending) {
	for _, q := range queued {
		if q.ID == "" {
			continue // it steers a turn
		}
		if _, err := p.SendNow(ctx, q.ID); err == nil {
			return
		}
	}
}
