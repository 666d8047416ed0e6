package drafts

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"parley/history/exactjson"
	"parley/history/lock"
	"parley/session"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/robustio"
)

// State is what one window holds unsent.
type State struct {
	// Dir is the working directory of the window.
	Dir string `json:"dir,omitzero"`
	// Session is the session that the window shows.
	Session session.ID `json:"session,omitzero"`
	// Open are the sessions of the window that can be resumed. A window that its user
	// leaves has none, so that what is found here was open when its process was killed.
	Open []session.ID `json:"open,omitzero"`
	// Time is when the state was so. A state that differs in nothing else is not
	// written again.
	Time time.Time `json:"-"`
	// Draft is what is in the composer.
	Draft Draft `json:"draft,omitzero"`
	// Drafts are what was left in the composer of other sessions.
	Drafts map[session.ID]Draft `json:"drafts,omitzero"`
	// Stash is what was put aside, in the order of the window.
	Stash []Stashed `json:"stash,omitzero"`
	// Written is what was written on open questions, as prompts has it. It must
	// be JSON.
	Written jsontext.Value `json:"written,omitzero"`
	// Unsent are texts that were given up and not sent, in the order of the
	// window.
	Unsent []string `json:"unsent,omitzero"`
	// Waiting are prompts that were sent and not taken yet: by a session that
	// still opens, or by a queue that ends with its agent.
	Waiting []Draft `json:"waiting,omitzero"`
	// Recovered names the journals whose content this state has taken over. Recover
	// says them; a window that takes a state over appends its names to its own
	// and keeps them in every state that it saves from then on.
	Recovered []string `json:"adopted,omitzero"`
}

// Stashed is a draft that was put aside.
type Stashed struct {
	Draft Draft     `json:"draft"`
	Time  time.Time `json:"time,omitzero"`
	Why   string    `json:"why,omitzero"` // what put it aside, such as "stashed" or "cleared"
	// Session is that of the conversation in which it was put aside; "" is not known.
	Session session.ID `json:"session,omitzero"`
}

// Empty reports whether there is nothing unsent in the state, and nothing open.
func (s State) Empty() bool {
	for _, d := range s.Drafts {
		if !d.Empty() {
			return false
		}
	}
	return s.Draft.Empty() && len(s.Open) == 0 && len(s.Stash) == 0 && len(s.Unsent) == 0 && len(s.Waiting) == 0 &&
		(len(s.Written) == 0 || s.Written.Kind() == 'n')
}

// A journal is a folder of its own in the folder of all journals. It holds
// stateName, which is replaced in one step and never changed, a file for each
// long text in it, and lockName, which is locked as long as the window lives.
// A process that dies at any instant leaves the last state that was saved. A
// machine that dies may leave the one before, or none: nothing waits for the
// disk, since a slow one would keep newer words from being saved.
const (
	stateName = "state.json"
	lockName  = "lock"
	newSuffix = ".new" // of a file that is not complete yet
)

// snapshot is what a journal's file holds.
type snapshot struct {
	Version int            `json:"version"`
	Time    time.Time      `json:"time,omitzero"`
	State   jsontext.Value `json:"state"`
}

// Store keeps what one window holds unsent, so that it comes back whatever
// happens to the window. It is safe for concurrent use. The nil Store keeps
// nothing and reports no error: it is for when none could be opened.
type Store struct {
	dir  string // of all journals
	own  string // of this one
	lock *lock.Lock

	mu     sync.Mutex
	seq    uint64                // of the last state that was saved
	last   []byte                // that state as JSON
	blobs  map[string]bool       // the long texts that are in the folder
	taken  map[string]*lock.Lock // journals of gone windows that are held, by name
	closed bool
}

// Open starts the journal of one window in the folder of all journals,
// which it makes. now goes into the name.
func Open(dir string, now time.Time) (*Store, error) {
	if !filepath.IsAbs(dir) {
		return nil, errors.New("keep drafts: there is no folder for them; neither XDG_STATE_HOME nor a home folder is set")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("keep drafts: %w", err)
	}
	const tries = 10 // another window may sweep a folder before it is locked
	for range tries {
		own, err := os.MkdirTemp(dir, now.UTC().Format("20060102-150405-"))
		if err != nil {
			return nil, fmt.Errorf("keep drafts: %w", err)
		}
		held, err := lock.Try(filepath.Join(own, lockName))
		if err != nil {
			_ = os.RemoveAll(own) // the error is the lock's
			return nil, fmt.Errorf("keep drafts: %w", err)
		}
		if held != nil {
			return &Store{dir: dir, own: own, lock: held, blobs: map[string]bool{}, taken: map[string]*lock.Lock{}}, nil
		}
	}
	return nil, fmt.Errorf("keep drafts: no folder in %s could be locked", dir)
}

// Save stores what the window holds now. States are numbered as they were, and
// one older than what is stored is ignored, since jobs may pass each other. A
// state without content removes what was stored. When it returns without an
// error, the state survives the process; then the journals that it names as
// recovered are removed. After an error, what was stored before still is.
func (j *Store) Save(seq uint64, s State) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return fmt.Errorf("save drafts: %w", os.ErrClosed)
	}
	if seq < j.seq {
		return nil
	}
	if err := j.save(s); err != nil {
		return fmt.Errorf("save drafts: %w", err)
	}
	j.seq = seq
	return j.drop(s.Recovered)
}

func (j *Store) save(s State) error {
	if s.Empty() {
		j.last = nil
		if err := os.Remove(filepath.Join(j.own, stateName)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		j.sweep(nil)
		return nil
	}
	long := map[string]string{}
	content, err := json.Marshal(s, json.Deterministic(true), separateLongTexts(long))
	if err != nil {
		return err
	}
	if string(content) == string(j.last) {
		return nil
	}
	for name, text := range long {
		if j.blobs[name] {
			continue
		}
		if err := j.write(name, []byte(text)); err != nil {
			return err
		}
		j.blobs[name] = true
	}
	file, err := json.Marshal(snapshot{exactjson.Version, s.Time.UTC(), content})
	if err != nil {
		return err
	}
	if err := j.write(stateName, file); err != nil {
		return err
	}
	j.last = content
	j.sweep(long)
	return nil
}

// write replaces a file of the journal in one step.
func (j *Store) write(name string, content []byte) error {
	file := filepath.Join(j.own, name)
	if err := os.WriteFile(file+newSuffix, content, 0o600); err != nil {
		_ = os.Remove(file + newSuffix) // gives back what a full disk needs
		return err
	}
	return robustio.Rename(file+newSuffix, file)
}

// sweep removes the long texts that are not in keep. What it fails to remove
// goes with the folder.
func (j *Store) sweep(keep map[string]string) {
	for name := range j.blobs {
		if _, ok := keep[name]; !ok {
			_ = os.Remove(filepath.Join(j.own, name))
			delete(j.blobs, name)
		}
	}
}

// drop removes recovered journals.
func (j *Store) drop(names []string) error {
	var errs []error
	for _, name := range names {
		if held := j.taken[name]; held != nil {
			delete(j.taken, name)
			errs = append(errs, remove(filepath.Join(j.dir, name), held))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove drafts that were taken over: %w", err)
	}
	return nil
}

// removingPrefix begins the name of a journal that is being removed.
const removingPrefix = "gone-"

// remove removes a journal and gives its lock back. It goes in one step: under
// its new name no window recovers it or makes files in it.
func remove(folder string, held *lock.Lock) error {
	to := filepath.Join(filepath.Dir(folder), removingPrefix+filepath.Base(folder))
	err := held.Yield()
	if err == nil {
		err = robustio.Rename(folder, to)
	}
	if !lock.MovesOpen && errors.Is(err, os.ErrNotExist) {
		return nil // another window has removed it since its lock was given back
	}
	if err == nil {
		err = robustio.RemoveAll(to)
	}
	return errors.Join(err, held.Release())
}

// Close ends the journal. What was saved last stays for the next window; a
// journal without content is removed. What was recovered and not saved stays too.
func (j *Store) Close() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	j.closed = true
	var errs []error
	for _, held := range j.taken {
		errs = append(errs, held.Release())
	}
	if j.last == nil {
		errs = append(errs, remove(j.own, j.lock))
	} else {
		errs = append(errs, j.lock.Release())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the journal of drafts: %w", err)
	}
	return nil
}
