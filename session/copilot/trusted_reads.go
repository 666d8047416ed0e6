package copilot

import (
	"context"
	"fmt"
	"path/filepath"

	"parley/session"
)

// letRead has the runtime ask for reads, or not: in a trusted folder, and in those
// that were added, it does not, unless the setting wants that. It never covers
// another path: for that the runtime asks a question of its own.
//
// Asking is what the runtime does by itself. Where it cannot be brought to let
// the agent read, reads are asked and a warning says so; that it cannot be
// brought to ask again is an error.
func (gs *grants) letRead(ctx context.Context, f folder) error {
	on := f.trusted && !gs.agent.cfg.AskReads
	err := gs.change(ctx, "configure", object{"approveAllReadPermissionRequests": on})
	switch {
	case err == nil:
		gs.folderMu.Lock()
		gs.folder.reads = on
		gs.folderMu.Unlock()
	case on:
		gs.warn("permissions", fmt.Sprintf("Reads in %s are asked, though it is trusted: %v", f.dir, err))
	default:
		return fmt.Errorf("ask for reads again: %w", err)
	}
	return nil
}

// heldReads is that reads are not asked.
func (gs *grants) heldReads(context.Context) ([]held, error) {
	f := gs.where()
	if !f.reads {
		return nil, nil
	}
	g := session.Grant{ID: "session/reads", Scope: session.GrantSession, What: "reads in " + quote(f.dir) + " and added folders"}
	if f.trusted && !f.briefly {
		g.Scope, g.Where = session.GrantLocation, f.dir
		g.Reason = "revoked, it is asked for in this session; " +
			"the folder stays trusted until it is taken out of trustedFolders in ~/.copilot/config.json"
	}
	return []held{{
		Grant:  g,
		revoke: func(ctx context.Context) error { return gs.letRead(ctx, folder{}) },
	}}, nil
}

// moved looks at a folder that the session works in by what the runtime says. When
// it was not moved from here it may be one that is not trusted: then reads are
// asked again.
func (s *Session) moved(dir string) {
	_ = s.moving.enter(context.Background()) // however long it takes
	defer s.moving.leave()
	ctx, cancel := context.WithTimeout(context.Background(), compareGrace)
	defer cancel()
	at := s.where()
	if !at.reads || resolved(at.dir) == resolved(dir) || s.agent.trusts(ctx, dir) {
		return
	}
	if err := s.grants.letRead(ctx, folder{}); err != nil {
		s.warn("permissions", fmt.Sprintf("Reads are not asked in %s, where the session was moved to: %v", dir, err))
		return
	}
	s.warn("permissions", fmt.Sprintf("The session was moved to %s, which is not trusted: reads are asked again.", dir))
}

// resolved is a path without symbolic links, as far as it is on this machine.
func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}
