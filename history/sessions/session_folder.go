package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"parley/session"
	"parley/settings/environ"
)

const eventsFile = "events.jsonl"

// Home is the folder in which the Copilot CLI keeps its state, by the environment
// it is started with and the user's home folder (docs/protocol.md, section 9); ""
// where neither says.
func Home(env []string, home string) string {
	dir := environ.Get(env, "COPILOT_HOME")
	if dir != "" || home == "" {
		return dir
	}
	return filepath.Join(home, ".copilot")
}

// Folder is sessions that are stored in the layout of the Copilot CLI (docs/protocol.md,
// section 9): a folder for each, with its events and what there is to know
// without reading them. They are only read. A folder that is not there holds none,
// and neither does "". It implements Source.
type Folder struct {
	keeper string
	whose  string // in an error
	dir    string
	claims *Claims // of windows of Parley
	mu     sync.Mutex
	known  map[string]Log // by id, with what their files said last, here or in an earlier process
}

var _ Source = (*Folder)(nil)

// The keepers of sessions that are stored in folders.
const (
	CopilotKeeper = "copilot" // the Copilot CLI
	ParleyKeeper  = "parley"  // for agents that keep none themselves
)

// Copilot returns the sessions of the Copilot CLI whose state is in a folder. claims
// say which of them windows of Parley have open, which the CLI does not know before
// something was said there.
func Copilot(home string, claims *Claims) *Folder {
	dir := home
	if home != "" {
		dir = filepath.Join(home, "session-state")
	}
	return &Folder{keeper: CopilotKeeper, whose: "the Copilot CLI", dir: dir, claims: claims, known: map[string]Log{}}
}

// Own returns the sessions that a Keeper has in a folder.
func Own(dir string) *Folder {
	claims := ClaimsIn(filepath.Join(dir, ".locks"))
	return &Folder{keeper: ParleyKeeper, whose: "Parley", dir: dir, claims: claims, known: map[string]Log{}}
}

// Keeper implements Source.
func (f *Folder) Keeper() string { return f.keeper }

// Log is what there is to know of one session; ErrNotFound if it is not there.
func (f *Folder) Log(id session.ID) (Log, error) {
	if f.dir != "" && validID(string(id)) {
		held, err := f.claims.held(context.Background()) // its own bound is a short one
		if err != nil {
			return Log{}, err
		}
		switch l, err := f.look(string(id), held); {
		case err != nil:
			return Log{}, err
		case l != nil:
			return *l, nil
		}
	}
	return Log{}, fmt.Errorf("%w: %q", ErrNotFound, string(id))
}

// IDs are the ids of stored sessions that begin with a prefix.
func (f *Folder) IDs(prefix string) []session.ID {
	entries, _ := os.ReadDir(f.dir) // List says what is wrong with it
	var ids []session.ID
	for _, e := range entries {
		if e.IsDir() && validID(e.Name()) && strings.HasPrefix(e.Name(), prefix) {
			ids = append(ids, session.ID(e.Name()))
		}
	}
	return ids
}

// List implements Source. A folder counts that has a log; one whose name is no
// plain name, and links, do not.
func (f *Folder) List(ctx context.Context) ([]Log, error) {
	if f.dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the sessions of %s: %w", f.whose, err)
	}
	ids := make([]string, 0, len(entries))
	for _, e := range entries {
		if e.IsDir() && validID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	held, err := f.claims.held(ctx)
	if err != nil {
		return nil, err
	}
	logs, errs := make([]*Log, len(ids)), make([]error, len(ids))
	var work sync.WaitGroup
	workers := min(len(ids), runtime.GOMAXPROCS(0))
	for w := range workers {
		work.Go(func() {
			for i := w; i < len(ids) && ctx.Err() == nil; i += workers {
				logs[i], errs[i] = f.look(ids[i], held)
			}
		})
	}
	work.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("list the sessions of %s: %w", f.whose, ctx.Err())
	}
	list := make([]Log, 0, len(logs))
	for _, l := range logs {
		if l != nil {
			list = append(list, *l)
		}
	}
	slices.SortFunc(list, func(a, b Log) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.ID, b.ID))
	})
	return list, f.unreadable(errs)
}

// unreadable is one error for all folders that could not be looked into.
func (f *Folder) unreadable(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("a session of %s cannot be read: %w", f.whose, errs[0])
	}
	return fmt.Errorf("%d sessions of %s cannot be read: %w", len(errs), f.whose, errs[0])
}

// look reads what there is to know of a session without its events; nil if it
// has none. held are those that windows of Parley have open.
func (f *Folder) look(id string, held map[session.ID]bool) (*Log, error) {
	dir := filepath.Join(f.dir, id)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, ignoreNotExist(err)
	}
	var l Log
	var log fs.FileInfo
	inUse := held[session.ID(id)]
	for _, e := range entries {
		switch name := e.Name(); {
		case name == eventsFile && e.Type().IsRegular():
			if log, err = e.Info(); err != nil {
				return nil, ignoreNotExist(err)
			}
		case name == workspaceFile && e.Type().IsRegular():
			l = f.workspace(id, e)
		case f.keeper == CopilotKeeper && !inUse:
			inUse = isInUse(dir, e)
		}
	}
	if log == nil {
		return nil, nil
	}
	l.ID, l.Keeper, l.Held, l.InUse = session.ID(id), f.keeper, held[session.ID(id)], inUse
	l.Path, l.Size, l.Modified = filepath.Join(dir, eventsFile), log.Size(), log.ModTime()
	if f.keeper == CopilotKeeper {
		l.Agent = f.keeper
	}
	return &l, nil
}

// ignoreNotExist leaves out the error of what was deleted while it was looked at.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Open implements Source. What is written to the log while it is read may be read
// or not.
func (f *Folder) Open(ctx context.Context, id session.ID) (io.ReadCloser, error) {
	failed := func(err error) (io.ReadCloser, error) {
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	if err := ctx.Err(); err != nil {
		return failed(err)
	}
	if !validID(string(id)) || f.dir == "" {
		return nil, fmt.Errorf("read session %q: %w", string(id), fs.ErrNotExist)
	}
	root, err := os.OpenRoot(f.dir) // what leads out of it is not opened
	if err != nil {
		return failed(err)
	}
	defer func() { _ = root.Close() }()
	name := filepath.Join(string(id), eventsFile)
	if info, err := root.Lstat(name); err != nil {
		return failed(err)
	} else if !info.Mode().IsRegular() {
		return failed(errors.New("its log is no regular file"))
	}
	log, err := root.Open(name)
	if err != nil {
		return failed(err)
	}
	return log, nil
}
