package copilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/session"
)

// nameLimit is how many characters a session's name may have (session.name.set).
// The runtime does not hold anybody to it.
const nameLimit = 100

// Rename implements session.Renamer.
func (s *Session) Rename(ctx context.Context, name string) error {
	name = strings.TrimSpace(name)
	var err error
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		err = errors.New("a name needs at least one character")
	case n > nameLimit:
		err = fmt.Errorf("a name may have %d characters, this one has %d", nameLimit, n)
	case strings.ContainsFunc(name, unicode.IsControl):
		err = errors.New("a name is one line without control characters")
	default:
		err = s.call(ctx, "session.name.set", object{"name": name}, nil)
	}
	return attempt(err, "rename the session")
}

// name is the session's name, or "".
func (s *Session) name(ctx context.Context) (string, error) {
	return ask[string](ctx, s, "session.name.get", nil, "name")
}

// where is the folder the session works in.
func (l *link) where() folder {
	l.folderMu.Lock()
	defer l.folderMu.Unlock()
	return l.folder
}

// setFolder changes the folder the session works in.
func (l *link) setFolder(f folder) {
	l.folderMu.Lock()
	defer l.folderMu.Unlock()
	l.folder = f
}

// SetDir implements session.WorkdirChanger. What the new folder brings along is loaded
// only if it is trusted; else the user is asked about it, as when a session
// opens. The runtime itself would load it with the discovery of the old folder.
func (s *Session) SetDir(ctx context.Context, dir string) error {
	dir, err := s.folderAt(dir)
	if err != nil {
		return fmt.Errorf("work in another folder: %w", err)
	}
	if err := s.moving.enter(ctx); err != nil {
		return fmt.Errorf("work in %s: %w", dir, err)
	}
	defer s.moving.leave()
	if err := s.move(ctx, s.where(), s.agent.inspect(ctx, dir)); err != nil {
		return fmt.Errorf("work in %s: %w", dir, err)
	}
	s.askTrust()
	return nil
}

// folderAt checks that dir is a folder, as far as it is on this machine, and
// makes its path short.
func (s *Session) folderAt(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%q is not an absolute path", dir)
	}
	dir = filepath.Clean(dir)
	if s.info.Remote {
		return dir, nil // the runtime knows
	}
	at, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !at.IsDir() {
		return "", fmt.Errorf("%s is not a folder", dir)
	}
	return dir, nil
}

// move goes from one folder to another with everything off that a folder can
// bring along, and switches on what the new one may load when it is there. It
// goes back when the runtime does not move.
func (s *Session) move(ctx context.Context, from, to folder) error {
	shut := folder{dir: from.dir, loads: []session.FolderContents{{}}, off: slices.Concat(from.off, to.off)}
	if err := s.grants.letRead(ctx, folder{}); err != nil {
		return err
	}
	if err := s.reload(ctx, shut); err != nil {
		return err
	}
	if err := s.call(ctx, "session.metadata.setWorkingDirectory", object{"workingDirectory": to.dir}, nil); err != nil {
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachGrace)
		defer cancel()
		return errors.Join(err, s.reload(back, from), s.grants.letRead(back, from))
	}
	s.setFolder(to)
	if asked := s.swapTrust(trustQuestion{}); asked.id != "" {
		s.queue.add(own(session.FolderTrustCompleted{RequestID: asked.id}))
	}
	if err := s.reload(ctx, to); err != nil || !to.trusted {
		return err
	}
	return s.grants.letRead(ctx, to)
}

// Dirs implements session.Directories: the working folder first, then those
// that were added and the runtime's own.
func (s *Session) Dirs(ctx context.Context) ([]string, error) {
	p, err := s.grants.paths(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the folders: %w", err)
	}
	others := slices.DeleteFunc(p.Directories, func(dir string) bool { return dir == p.Primary })
	return append([]string{p.Primary}, others...), nil
}

// AddDir implements session.Directories. With a folder the runtime would load
// the skills and agents in it, at once or when the working folder is trusted,
// so one that has any is added only if it is trusted.
func (s *Session) AddDir(ctx context.Context, dir string) error {
	dir, err := s.folderAt(dir)
	if err != nil {
		return fmt.Errorf("add a folder: %w", err)
	}
	if err := s.moving.enter(ctx); err != nil {
		return fmt.Errorf("add %s: %w", dir, err)
	}
	defer s.moving.leave()
	f := s.agent.inspect(ctx, dir)
	brings := slices.DeleteFunc(f.loads, func(c session.FolderContents) bool {
		return !strings.HasPrefix(c.What, aSkill) && !strings.HasPrefix(c.What, anAgent)
	})
	if len(brings) > 0 {
		return fmt.Errorf("add %s: it is not trusted and brings %s, which would be loaded; "+
			"start a session there, trust it for good, and add it again", dir, brings[0].What)
	}
	return attempt(s.grants.change(ctx, "paths.add", object{"path": dir}), "add %s", dir)
}
