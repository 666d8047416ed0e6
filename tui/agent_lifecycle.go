package tui

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/conversation"
)

// agentLifecycle ends what the window started: every agent, also one that was still
// starting when the window closed.
type agentLifecycle struct {
	pending sync.WaitGroup
	mu      sync.Mutex
	agents  []session.Agent
}

// owning starts an agent that close ends; nil remains nil.
func (o *agentLifecycle) owning(start func(context.Context) (session.Agent, error)) func(context.Context) (session.Agent, error) {
	if start == nil {
		return nil
	}
	return func(ctx context.Context) (session.Agent, error) {
		o.pending.Add(1)
		defer o.pending.Done()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, err := start(ctx)
		if err != nil {
			return nil, err
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		o.agents = append(o.agents, a)
		return a, nil
	}
}

// purgeTimeout is how long the window may be kept from ending by deleting
// sessions.
const purgeTimeout = 3 * time.Second

// purge deletes the sessions for good that the user deleted, by the agents that
// run and keep them (docs/decisions.md 24). Those of another keeper, those that are held here
// or by anybody else, and those that cannot be deleted now, stay marked for the next time. So do all
// when the window is ended from outside, which may not wait.
func (o *agentLifecycle) purge(ctx context.Context, lib conversation.Library, keeper string, held []session.ID) {
	if lib == nil || ctx.Err() != nil {
		return
	}
	ctx, done := context.WithTimeout(ctx, purgeTimeout)
	defer done()
	if len(deleted(ctx, lib, keeper, held)) == 0 || lib.Refresh(ctx) != nil {
		return // who has one open since is not known
	}
	o.mu.Lock()
	agents := slices.Clone(o.agents)
	o.mu.Unlock()
	var gone bool
	for _, s := range deleted(ctx, lib, keeper, held) {
		if s.Modified.Sub(s.Deleted) > usedSince {
			_ = lib.Mark(ctx, s.ID, func(m *sessions.Mark) { m.Deleted = time.Time{} }) // else it stays hidden, and is there
			continue
		}
		if slices.ContainsFunc(agents, func(a session.Agent) bool {
			l, ok := session.As[session.Library](a)
			return ok && ctx.Err() == nil && l.Delete(ctx, s.ID) == nil
		}) {
			// A mark that stays would delete a session that is brought back from a
			// copy of the folder.
			_ = lib.Mark(ctx, s.ID, func(m *sessions.Mark) { *m = sessions.Mark{} })
			gone = true
		}
	}
	if gone {
		_ = lib.Refresh(ctx) // whoever looks next does it too
	}
}

// usedSince is how long after it was deleted the last words of a session are
// written, when it was just left. What is written later is of a user who resumed it
// with it, elsewhere: such a session is not deleted any more.
const usedSince = time.Minute

// deleted are the sessions of a keeper that are marked for deletion and that no conversation
// holds; "" are those of any.
func deleted(ctx context.Context, lib conversation.Library, keeper string, held []session.ID) []sessions.Session {
	all, _ := lib.Deleted(ctx)
	return slices.DeleteFunc(all, func(s sessions.Session) bool {
		return s.InUse || s.Keeper != keeper && keeper != "" || slices.Contains(held, s.ID)
	})
}

// close ends the agents and their sessions. It comes after the window's
// context has ended, so that none is starting for long.
func (o *agentLifecycle) close(ctx context.Context) error {
	o.pending.Wait()
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := session.CloseAll(ctx, o.agents); err != nil {
		return fmt.Errorf("close the agent: %w", err)
	}
	return nil
}

// agents are those that the conversations of the window have.
type agents struct {
	win  *conversation.Window
	tabs *tabs
}

// shared reports whether another conversation needs the agent of one.
func (a *agents) shared(of *conversation.Conversation) bool {
	return slices.ContainsFunc(a.tabs.all, func(c *conversation.Conversation) bool {
		return c != of && c.Agent == of.Agent && (c.Session != nil || c.Opening)
	})
}

// uses reports whether a conversation has an agent.
func (a *agents) uses(agent session.Agent) bool {
	return slices.ContainsFunc(a.tabs.all, func(c *conversation.Conversation) bool { return c.Agent == agent })
}

// forget drops an agent that has ended, for one conversation and for all that have
// no session on it: they start another one.
func (a *agents) forget(agent session.Agent, of *conversation.Conversation) {
	for _, c := range a.tabs.all {
		if c.Agent == agent && (c.Session == nil || c == of) {
			c.Agent = nil
		}
	}
}

// running is the agent of a conversation that is live: this one's, or that of another which is held with
// the same; nil if none runs.
func (a *agents) running(first *conversation.Conversation) session.Agent {
	for _, c := range append([]*conversation.Conversation{first}, a.tabs.all...) {
		if c.ReadOnly == nil && c.Agent != nil && c.Backend == first.Backend {
			return c.Agent
		}
	}
	return nil
}

// library is the agent's, if it keeps sessions.
func (a *agents) library() (session.Library, bool) {
	l, ok := session.As[session.Library](a.running(a.win.Front))
	if !ok {
		a.win.Front.ShowHint("This agent keeps no sessions.")
	}
	return l, ok
}

// stop ends an agent that does not answer, by force if need be. That it
// had to be killed is no failure: it is what was asked for.
func (a *agents) stop(string) tea.Cmd {
	switch {
	case a.win.Front.ReadOnly != nil:
		return a.win.Front.OnlyRead()
	case a.win.Front.Agent == nil:
		return a.win.Front.ShowHint("No agent is running yet.")
	}
	a.win.Front.ShowHint("Stopping the agent")
	return a.end(a.win.Front.Agent, a.win.Front, time.Second)
}

// end closes an agent. Conversations that have no session on it start another.
func (a *agents) end(agent session.Agent, of *conversation.Conversation, patience time.Duration) tea.Cmd {
	a.forget(agent, of)
	return conversation.Close(a.win.Ctx, agent, patience)
}
