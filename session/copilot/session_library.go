package copilot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"parley/session"
)

// storedSession is an entry of sessions.list.
type storedSession struct {
	SessionID    session.ID `json:"sessionId"`
	StartTime    time.Time  `json:"startTime"`
	ModifiedTime time.Time  `json:"modifiedTime"`
	IsRemote     bool       `json:"isRemote"`
	IsDetached   bool       `json:"isDetached"`
	Name         string     `json:"name"`
	Summary      string     `json:"summary"`
	ClientName   string     `json:"clientName"`
	Context      struct {
		Cwd        string `json:"cwd"`
		GitRoot    string `json:"gitRoot"`
		Repository string `json:"repository"`
		Branch     string `json:"branch"`
	} `json:"context"`
}

// stored lists the user's sessions of this machine, the one used last first.
// Copies kept for a redo are none of them.
func (a *Agent) stored(ctx context.Context, filter object) ([]storedSession, error) {
	list, err := ask[[]storedSession](ctx, a, "sessions.list", object{"filter": filter}, "sessions")
	kept := slices.DeleteFunc(list, func(s storedSession) bool {
		return s.IsRemote || s.IsDetached || a.undo.holds(s.SessionID)
	})
	slices.SortStableFunc(kept, func(x, y storedSession) int { return y.ModifiedTime.Compare(x.ModifiedTime) })
	return kept, err
}

// List implements session.Library. A session is stored once a prompt was sent
// in it.
func (a *Agent) List(ctx context.Context) ([]session.Stored, error) {
	found, err := a.stored(ctx, object{})
	if err != nil {
		return nil, attempt(err, "list the sessions")
	}
	ids := make([]session.ID, 0, len(found))
	for _, s := range found {
		ids = append(ids, s.SessionID)
	}
	var used []session.ID // by another process
	if len(ids) > 0 {
		if used, err = ask[[]session.ID](ctx, a, "sessions.checkInUse", object{"sessionIds": ids}, "inUse"); err != nil {
			return nil, attempt(err, "list the sessions")
		}
	}
	list := make([]session.Stored, 0, len(found))
	for _, s := range found {
		list = append(list, session.Stored{
			ID: s.SessionID, Title: cmp.Or(s.Name, s.Summary), Started: s.StartTime, Used: s.ModifiedTime, Dir: s.Context.Cwd,
			Repository: cmp.Or(s.Context.Repository, s.Context.GitRoot), Branch: s.Context.Branch,
			InUse: slices.Contains(used, s.SessionID), Client: s.ClientName,
		})
	}
	return list, nil
}

// Fork implements session.Library. Of the files that the agent changed the
// runtime gives a copy nothing: in it only the conversation can be rewound.
func (a *Agent) Fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	p := object{"sessionId": id}
	optional(p, "toEventId", before)
	forked, err := a.fork(ctx, p)
	return forked, attempt(explained(err), "copy session %s", id)
}

func (a *Agent) fork(ctx context.Context, params object) (session.ID, error) {
	id, err := ask[session.ID](ctx, a, "sessions.fork", params, "sessionId")
	if err == nil && id == "" {
		err = errors.New("the runtime does not say what became of it")
	}
	return id, err
}

// Delete implements session.Library. A session that is open is not deleted.
func (a *Agent) Delete(ctx context.Context, id session.ID) error {
	return attempt(explained(a.remove(ctx, id)), "delete session %s", id)
}

func (a *Agent) remove(ctx context.Context, id session.ID) error {
	a.mu.Lock()
	_, open := a.sessions[id]
	a.mu.Unlock()
	if open {
		return errors.New("it is open here: close it first")
	}
	if _, err := a.claim(ctx, id); err != nil {
		return err
	}
	defer a.unclaim(id)
	// What a session of the runtime answers, somebody else has open: the
	// runtime would delete it all the same.
	switch err := a.call(ctx, "session.metadata.isProcessing", object{"sessionId": id}, nil); {
	case err == nil:
		return errors.New("it is open in another window: close it there first")
	case errors.Is(err, session.ErrUnanswered) || ctx.Err() != nil:
		return err // it is not known
	}
	var done struct {
		Success bool   `json:"success"`
		Error   string `json:"error"`
	}
	err := a.call(ctx, "session.delete", object{"sessionId": id}, &done)
	if err == nil && !done.Success {
		err = &callError{message: done.Error}
	}
	return err
}

// LatestID implements session.Latest.
func (a *Agent) LatestID(ctx context.Context, dir string, except ...session.ID) (session.ID, error) {
	found, err := a.stored(ctx, object{"cwd": dir})
	for _, s := range found {
		if !slices.Contains(except, s.SessionID) {
			return s.SessionID, nil
		}
	}
	return "", attempt(err, "list the sessions of %s", dir)
}
