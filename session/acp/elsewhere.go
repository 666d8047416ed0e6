package acp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// mostPages bounds the pages of the list of an agent's sessions.
const mostPages = 50

// listed is a page of the sessions that an agent keeps.
type listed struct {
	Sessions []jsontext.Value `json:"sessions"`
	Next     string           `json:"nextCursor"`
}

// listedSession is one of them.
type listedSession struct {
	ID      string `json:"sessionId"`
	Dir     string `json:"cwd"`
	Title   string `json:"title"`
	Updated string `json:"updatedAt"`
}

// List implements session.Library: the sessions of the store, and those that the agent keeps. An agent
// that fails keeps none.
func (a *Agent) List(ctx context.Context) ([]session.Stored, error) {
	all, err := a.Agent.List(ctx)
	if kept, failed := a.Kept(ctx); failed == nil {
		all = append(all, kept...)
		slices.SortStableFunc(all, func(x, y session.Stored) int { return y.Used.Compare(x.Used) })
	}
	return all, err
}

// Kept lists the sessions that the agent keeps and that the store does not have, the one used last
// first. The agent is started if it does not run, but no session is opened, so nothing that is in
// a folder is run. Resume reads and continues one of them.
func (a *Agent) Kept(ctx context.Context) ([]session.Stored, error) {
	stored, err := a.Store.List(ctx)
	if err != nil {
		return nil, err
	}
	ours := map[string]bool{}
	for _, s := range stored {
		ours[s.AgentSessionID], ours[string(s.ID)] = true, true
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	l, err := a.connected(ctx)
	if err != nil {
		return nil, err
	}
	all, err := l.list(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the sessions of %s: %w", l.name(), err)
	}
	all = slices.DeleteFunc(all, func(s session.Stored) bool { return ours[s.AgentSessionID] || ours[string(s.ID)] })
	for i := range all {
		all[i].Agent, all[i].Client = a.cfg.Name, l.name()
	}
	return all, nil
}

// list are the sessions that an agent lists, if it does.
func (l *link) list(ctx context.Context) (all []session.Stored, err error) {
	can := l.info.Capabilities
	if null(can.Session.List) || !can.Load && null(can.Session.Resume) {
		return nil, nil
	}
	var p struct {
		Cursor string `json:"cursor,omitzero"`
	}
	for range mostPages {
		var page listed
		if err := l.call(ctx, "session/list", p, &page); err != nil {
			return nil, err
		}
		for _, raw := range page.Sessions {
			var s listedSession
			if session.ReadWhatFits(raw, &s); s.ID != "" {
				all = append(all, s.stored())
			}
		}
		if page.Next == "" || page.Next == p.Cursor {
			break
		}
		p.Cursor = page.Next
	}
	slices.SortStableFunc(all, func(x, y session.Stored) int { return y.Used.Compare(x.Used) })
	return all, nil
}

// stored is how a session is listed.
func (s listedSession) stored() session.Stored {
	used, _ := time.Parse(time.RFC3339Nano, s.Updated) // without it, it is not known
	return session.Stored{
		ID: ownID(s.ID), AgentSessionID: s.ID, Title: local.FirstLine(s.Title), Started: used, Used: used, Dir: s.Dir,
	}
}

// ownID is the id under which a session of the agent's is stored: the agent's own, so that what is noted of it
// stays, and its id in other programs can be used here. One that is no plain word is made one.
func ownID(wire string) session.ID {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	if len(wire) > 64 || strings.Trim(wire, plain) != "" || wire[0] == '-' {
		return session.ID(uuid.NewSHA1(uuid.NameSpaceURL, []byte(wire)).String())
	}
	return session.ID(wire)
}

// Resume implements session.Agent. A session that the store does not have may be one that the agent
// keeps: then it is opened as one of ours.
func (a *Agent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	s, err := a.Agent.Resume(ctx, id, o)
	if !errors.Is(err, session.ErrNotStored) {
		return s, err
	}
	kept, failed := a.Kept(ctx)
	i := slices.IndexFunc(kept, func(s session.Stored) bool { return s.ID == id })
	switch {
	case failed != nil:
		return nil, errors.Join(err, failed)
	case i < 0:
		return nil, err
	}
	s, err = a.Start(func() (local.Running, error) {
		stored := kept[i]
		stored.Client = producer
		record, err := a.Store.Begin(stored)
		if err != nil {
			return nil, err
		}
		return a.begin(ctx, o, session.StoredSession{Stored: stored}, record)
	})
	if err != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	return s, nil
}
