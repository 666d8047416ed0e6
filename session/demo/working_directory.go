package demo

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/session"
)

// longestName is how many characters the runtime gives the name of a session
// (docs/protocol.md, section 8.1).
const longestName = 100

// Rename implements session.Renamer.
func (s *Session) Rename(ctx context.Context, name string) error {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n == 0 || n > longestName {
		return fmt.Errorf("rename the session: a name has from 1 to %d characters, not %d", longestName, n)
	}
	return s.Session.Rename(ctx, name)
}

// SetDir implements session.WorkdirChanger. The demo shows the folder and says that it
// stays where it is.
func (s *Session) SetDir(_ context.Context, dir string) error {
	return s.Change("change the folder", func() error {
		dir = filepath.Clean(dir)
		switch {
		case !filepath.IsAbs(dir):
			return fmt.Errorf("%q is no absolute path", dir)
		case dir == s.dir:
			return nil
		}
		s.dir = dir
		s.Log.Put(session.SessionContextChanged{Cwd: dir})
		_ = s.record.change(func(k *sessionData) { k.Dir = dir })
		if dir != s.scratch {
			s.remark("The demo only pretends to have moved to " + dir + ": its commands run in its scratch folder.")
		}
		return nil
	})
}

// Dirs implements session.Directories. The working folder comes first.
func (s *Session) Dirs(context.Context) ([]string, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return append([]string{s.dir}, s.dirs...), nil
}

// AddDir implements session.Directories. It changes nothing but the list.
func (s *Session) AddDir(_ context.Context, dir string) error {
	return s.Change("add a folder", func() error {
		dir = filepath.Clean(dir)
		switch {
		case !filepath.IsAbs(dir):
			return fmt.Errorf("%q is no absolute path", dir)
		case dir == s.dir || slices.Contains(s.dirs, dir):
			return nil
		}
		s.dirs = append(s.dirs, dir)
		s.remark("The demo only pretends to use " + dir + " too: it never leaves its scratch folder.")
		return nil
	})
}

// remark shows the user what the demo only pretends.
func (s *Session) remark(text string) {
	s.Log.Put(session.SessionInfo{InfoType: "notification", Message: text})
}
