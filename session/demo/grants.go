package demo

import (
	"cmp"
	"context"
	"slices"

	"parley/session"
)

// Grants implements session.GrantManager. All that is granted ends with the
// session, whatever it was granted for.
func (s *Session) Grants(context.Context) ([]session.Grant, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.grants(), nil
}

// grants is Grants for who holds mu.
func (s *Session) grants() []session.Grant {
	var all []session.Grant
	for g := range s.granted {
		all = append(all, session.Grant{ID: g.id(), Scope: session.GrantSession, What: g.what(), Revocable: true})
	}
	slices.SortFunc(all, func(a, b session.Grant) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Revoke implements session.GrantManager.
func (s *Session) Revoke(_ context.Context, revoked session.Grant) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for g := range s.granted {
		if g.id() == revoked.ID {
			delete(s.granted, g)
		}
	}
	return nil
}

func (g grant) id() string { return g.Kind + "/" + g.Name }

// what says what a grant allows.
func (g grant) what() string {
	name := "`" + g.Name + "`"
	switch g.Kind {
	case grantRead:
		return "reading any file in allowed folders"
	case grantWrite:
		return "every file change"
	case grantMemory:
		return "every memory"
	case grantPath:
		return "the path " + name
	case grantCustom, grantMCP:
		return "the tool " + name
	}
	return name
}
