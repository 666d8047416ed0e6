package drafts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parley/history/exactjson"
	"parley/history/lock"
	"parley/session"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/robustio"
)

// journalName is the name of a journal's folder. A folder of any other
// name is left alone.
var journalName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{8}-\d{6}-\d+$`) })

// damagedPrefix begins the name of a journal that could not be read.
const damagedPrefix = "damaged-"

// orphan is the journal of a window that is orphan. Its lock is held.
type orphan struct {
	name string
	lock *lock.Lock
	header
}

// header is what shows whom a state concerns, without its texts.
type header struct {
	Dir       string                        `json:"dir"`
	Session   session.ID                    `json:"session"`
	Drafts    map[session.ID]jsontext.Value `json:"drafts"`
	Recovered []string                      `json:"adopted"`
}

// concerns reports whether a state is for a window in dir that shows id.
func (h header) concerns(dir string, id session.ID) bool {
	_, held := h.Drafts[id]
	return h.Dir == dir || id != "" && (h.Session == id || held)
}

// Recover takes over what windows that are gone left unsent and what concerns
// this one: states of the same folder, states that show the session or hold a
// draft for it. They come newest first. Each names itself in its Recovered; its
// files go with the first Save of a state that has that name, and until then no
// other window takes it, unless this one dies before it: then nothing was lost.
//
// A journal that is damaged is set aside under another name, and the error says
// so; one of a newer version is left alone; one that cannot be locked belongs
// to a window that lives. With an error there may be states nevertheless.
func (j *Store) Recover(dir string, id session.ID) ([]State, error) {
	if j == nil {
		return nil, nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil, fmt.Errorf("find drafts: %w", os.ErrClosed)
	}
	left, err := j.orphans()
	replaced := j.replaced(left) // by a window that died before it had removed them
	var states []State
	for _, g := range left {
		switch {
		case replaced[g.name]:
			err = errors.Join(err, remove(filepath.Join(j.dir, g.name), g.lock))
		case g.concerns(dir, id):
			state, failed := j.take(g)
			if err = errors.Join(err, failed); failed == nil && !state.Empty() {
				states = append(states, state)
			}
		default:
			err = errors.Join(err, g.lock.Release())
		}
	}
	slices.SortStableFunc(states, func(a, b State) int { return b.Time.Compare(a.Time) })
	if err != nil {
		err = fmt.Errorf("find drafts: %w", err)
	}
	return states, err
}

// take reads a journal and holds it until its content is stored.
func (j *Store) take(g orphan) (State, error) {
	folder := filepath.Join(j.dir, g.name)
	state, err := read(folder)
	switch {
	case err != nil:
		return State{}, errors.Join(g.lock.Yield(), j.setAside(g.name, err), g.lock.Release())
	case state.Empty():
		return State{}, remove(folder, g.lock)
	}
	j.taken[g.name] = g.lock
	// What it recovered itself is passed on only if that is still there.
	state.Recovered = append(slices.DeleteFunc(state.Recovered, func(name string) bool {
		return !exists(filepath.Join(j.dir, name))
	}), g.name)
	return state, nil
}

// orphans returns the journals of windows that are orphans, and locks each.
func (j *Store) orphans() ([]orphan, error) {
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		return nil, err
	}
	var left []orphan
	var errs []error
	for _, e := range entries {
		folder := filepath.Join(j.dir, e.Name())
		if strings.HasPrefix(e.Name(), removingPrefix) {
			_ = os.RemoveAll(folder) // who removed it died; it does no harm
		}
		if !isJournal(e) || folder == j.own {
			continue
		}
		held, err := lock.Try(filepath.Join(folder, lockName))
		if held == nil || err != nil {
			continue // it lives, as far as can be known
		}
		h, err := readHeader(folder)
		switch {
		case err == nil:
			left = append(left, orphan{e.Name(), held, h})
		case errors.Is(err, os.ErrNotExist):
			errs = append(errs, remove(folder, held))
		case errors.Is(err, exactjson.ErrNewer):
			errs = append(errs, held.Release())
		default:
			errs = append(errs, held.Yield(), j.setAside(e.Name(), err), held.Release())
		}
	}
	return left, errors.Join(errs...)
}

// replaced are the journals whose content is in another one: of those left, or of
// those of windows that live. These are read once those left are locked: whoever
// took one of them over before has stored that by now.
func (j *Store) replaced(left []orphan) map[string]bool {
	all, known := map[string]bool{}, map[string]bool{}
	add := func(h header) {
		for _, name := range h.Recovered {
			all[name] = true
		}
	}
	for _, g := range left {
		known[g.name] = true
		add(g.header)
	}
	entries, _ := os.ReadDir(j.dir) // what cannot be listed was complained about
	for _, e := range entries {
		if !isJournal(e) || known[e.Name()] {
			continue
		}
		if h, err := readHeader(filepath.Join(j.dir, e.Name())); err == nil { // else nothing is stored in it
			add(h)
		}
	}
	return all
}

func isJournal(e fs.DirEntry) bool { return e.IsDir() && journalName().MatchString(e.Name()) }

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// setAside renames a damaged journal and returns what to say of it. One that
// could not be read because of the disk stays: it may be read another time.
func (j *Store) setAside(name string, why error) error {
	if errors.As(why, new(*fs.PathError)) && !errors.Is(why, os.ErrNotExist) {
		return why
	}
	to := filepath.Join(j.dir, damagedPrefix+name)
	if err := robustio.Rename(filepath.Join(j.dir, name), to); err != nil {
		return fmt.Errorf("%w; setting it aside: %w", why, err)
	}
	return fmt.Errorf("%w; what could not be read is kept in %s", why, to)
}

// readSnapshot reads the file of the journal in folder.
func readSnapshot(folder string) (snapshot, error) {
	file := filepath.Join(folder, stateName)
	content, err := robustio.ReadFile(file)
	if err != nil {
		return snapshot{}, err
	}
	f, err := decodeSnapshot(content)
	if err != nil {
		return snapshot{}, fmt.Errorf("read %s: %w", file, err)
	}
	return f, nil
}

func decodeSnapshot(content []byte) (snapshot, error) {
	var f snapshot
	if err := json.Unmarshal(content, &f); err != nil {
		return f, exactjson.Error(content, err)
	}
	if f.Version > exactjson.Version {
		return f, exactjson.ErrNewer
	}
	if f.Version < 1 {
		return f, errors.New("it has no version")
	}
	return f, nil
}

func readHeader(folder string) (header, error) {
	f, err := readSnapshot(folder)
	if err != nil {
		return header{}, err
	}
	var h header
	if err := exactjson.Unmarshal(f.State, &h); err != nil {
		return header{}, fmt.Errorf("read %s: %w", filepath.Join(folder, stateName), exactjson.Error(nil, err))
	}
	return h, nil
}

// read reads the state in the folder of a journal.
func read(folder string) (State, error) {
	f, err := readSnapshot(folder)
	if err != nil {
		return State{}, err
	}
	s := State{Time: f.Time.UTC()}
	if err := json.Unmarshal(f.State, &s, readLongTexts(folder)); err != nil {
		return State{}, fmt.Errorf("read %s: %w", filepath.Join(folder, stateName), exactjson.Error(nil, err))
	}
	s.Draft = s.Draft.Normalized()
	for id, d := range s.Drafts {
		s.Drafts[id] = d.Normalized()
	}
	for i, stashed := range s.Stash {
		s.Stash[i].Draft = stashed.Draft.Normalized()
	}
	return s, nil
}
