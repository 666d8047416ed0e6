package copilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/session"
)

// The runtime cannot take a rewind back. So before each the session is copied,
// and the copy continues when it is taken back. A copy that is not needed
// any more is deleted: when something new is said in the session, and when that
// is closed. A command of the user's own says nothing.

// undo is what the sessions of an agent can take back.
type undo struct {
	mu    sync.Mutex
	of    map[session.ID][]undone // the latest is last
	names map[session.ID]string   // of copies that continue, until they are resumed
}

// undone is a rewind that can be taken back.
type undone struct {
	copy  session.ID // the session as it was
	title string     // its name
	files []keptFile
}

// room is for how many bytes of files there is room. What a rewind of another session
// keeps that is under way is not counted yet.
func (u *undo) room() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	room := keepLimit
	for _, all := range u.of {
		for _, w := range all {
			for _, f := range w.files {
				room -= len(f.before.text)
			}
		}
	}
	return room
}

func (u *undo) push(id session.ID, w undone) {
	u.mu.Lock()
	defer u.mu.Unlock()
	put(&u.of, id, append(u.of[id], w))
}

// last is the rewind of a session that can be taken back.
func (u *undo) last(id session.ID) (w undone, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if all := u.of[id]; len(all) > 0 {
		return all[len(all)-1], true
	}
	return w, false
}

// redone notes that the last rewind of a session was taken back: the copy
// continues, with the session's name and the rewinds before that one. It reports false
// where that rewind is no longer the last one.
func (u *undo) redone(id session.ID, w undone) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.of[id]
	if len(all) == 0 || all[len(all)-1].copy != w.copy {
		return false
	}
	delete(u.of, id)
	if rest := all[:len(all)-1]; len(rest) > 0 {
		u.of[w.copy] = rest
	}
	put(&u.names, w.copy, w.title)
	return true
}

// drop forgets the rewinds of a session and returns them.
func (u *undo) drop(id session.ID) []undone {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.of[id]
	delete(u.of, id)
	return all
}

// holds reports whether a session is a copy kept for a redo.
func (u *undo) holds(id session.ID) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, all := range u.of {
		if slices.ContainsFunc(all, func(w undone) bool { return w.copy == id }) {
			return true
		}
	}
	return false
}

// takeName returns the name a copy should have once it continues, once.
func (u *undo) takeName(id session.ID) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	name := u.names[id]
	delete(u.names, id)
	return name
}

// discard deletes copies. It waits no longer than leaving a session may take,
// and what is left then is a session whose name says what it is.
func (a *Agent) discard(ctx context.Context, all ...undone) {
	if len(all) == 0 {
		return
	}
	ids := make([]session.ID, 0, len(all))
	for _, w := range all {
		ids = append(ids, w.copy)
	}
	ctx, cancel := context.WithTimeout(ctx, detachGrace)
	defer cancel()
	_ = a.call(ctx, "sessions.bulkDelete", object{"sessionIds": ids}, nil)
}

// forget ends the chance to take a rewind back once something is said.
func (s *Session) forget(ev session.Event) {
	if ev.Agent != "" || ev.Replayed {
		return
	}
	switch ev.Body.(type) {
	case session.ToolUserRequested:
		s.commands.Store(true)
	case session.UserMessage:
		if all := s.agent.undo.drop(s.info.ID); len(all) > 0 {
			go s.agent.guard(func() { s.agent.discard(context.Background(), all...) })
		}
	}
}

const (
	copyPrefix = "before rewind: " // names of copies
	leftPrefix = "rewound: "       // of what a copy took the place of
)

// keep copies the session and the files that a rewind will change.
func (s *Session) keep(ctx context.Context, changes []session.FileChange) (w undone, err error) {
	if w.title, err = s.name(ctx); err != nil {
		return w, attempt(err, "keep a copy to come back to")
	}
	// A copy of which the answer is not awaited could not be deleted.
	awaited, cancel := within(context.WithoutCancel(ctx), detachGrace)
	defer cancel()
	// The runtime takes quotes in the name of a session, but not in that of a copy.
	w.copy, err = s.agent.fork(awaited, object{"sessionId": s.info.ID, "name": strings.ReplaceAll(named(copyPrefix, w.title), `"`, "'")})
	if err != nil {
		return w, attempt(err, "keep a copy to come back to")
	}
	room := s.agent.undo.room()
	for _, c := range changes {
		f := keptFile{path: c.Path}
		f.before, f.lost = readContents(c.Path, room)
		room -= len(f.before.text)
		w.files = append(w.files, f)
	}
	return w, nil
}

// named is a name of allowed length.
func named(prefix, title string) string {
	name := []rune(prefix + title)
	return strings.TrimSpace(string(name[:min(len(name), nameLimit)]))
}

// Redo implements session.Rewinder. The session that continues is the copy that
// was made before the rewind. A file that was changed since the rewind is left
// alone: then, as for one whose contents could not be kept, there is an error
// beside the id that is to be resumed all the same. It names these files.
//
// In the copy files of earlier prompts cannot be put back any more: the runtime
// does not copy what it keeps of them.
func (s *Session) Redo(ctx context.Context) (session.ID, bool, error) {
	w, ok := s.agent.undo.last(s.info.ID)
	if !ok {
		return "", false, nil
	}
	type stored struct {
		SessionID session.ID `json:"sessionId"`
	}
	meta, err := ask[stored](ctx, s.agent, "session.getMetadata", object{"sessionId": w.copy}, "session")
	if err == nil && meta.SessionID == "" {
		s.agent.undo.drop(s.info.ID)
		err = errors.New("the copy of the session was deleted")
	}
	if err != nil {
		return "", false, attempt(err, "take the rewind back")
	}
	if !s.agent.undo.redone(s.info.ID, w) {
		return "", false, nil // somebody was faster
	}
	// Two sessions of one name would be hard to distinguish.
	_ = s.Rename(ctx, named(leftPrefix, w.title))
	s.redone.Store(!s.commands.Load())
	var left []string
	for _, f := range w.files {
		if err := f.restore(); err != nil {
			left = append(left, f.path+": "+err.Error())
		}
	}
	if len(left) > 0 {
		return w.copy, true, fmt.Errorf("the conversation is back, and these files were left alone: %s", strings.Join(left, "; "))
	}
	return w.copy, true, nil
}

// regainName gives a copy that continues the name of its original.
func (s *Session) regainName(ctx context.Context) {
	if name := s.agent.undo.takeName(s.info.ID); name != "" {
		_ = s.Rename(ctx, named("", name)) // its name says what it is otherwise
	}
}
