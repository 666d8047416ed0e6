package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// memoryStore is the store of the demo's sessions: it has them as long as it runs itself.
type memoryStore struct {
	mu      sync.Mutex // of the records too
	records map[session.ID]*record
}

// sessionData is what is stored of a session.
type sessionData struct {
	session.Stored
	named  bool // by the user
	events []session.Event
	files  map[string]string // of the scratch folder, by name; nil: those of every new one
	edits  []edit
	plan   string
}

// record is the place of a session in a memoryStore.
type record struct {
	store   *memoryStore
	data    sessionData
	open    bool
	scratch string // its scratch folder while it is open
}

var (
	errOpen    = errors.New("it is open")
	errUnknown = fmt.Errorf("the demo has no such session; it keeps those of this run only. Start a new one, or install "+
		"the Copilot CLI with %q to keep them", install)
)

// add puts a record in its place.
func (f *memoryStore) add(k sessionData) *record {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := &record{store: f, data: k}
	f.records[k.ID] = r
	return r
}

// find is the record of a session.
func (f *memoryStore) find(id session.ID) (*record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.records[id]; r != nil {
		return r, nil
	}
	return nil, errUnknown
}

// closed is the record of a session that is not open. The caller holds mu.
func (f *memoryStore) closed(id session.ID) (*record, error) {
	r := f.records[id]
	switch {
	case r == nil:
		return nil, errUnknown
	case r.open:
		return nil, errOpen
	}
	return r, nil
}

// Begin implements session.Store.
func (f *memoryStore) Begin(s session.Stored) (session.Record, error) {
	r := f.add(sessionData{Stored: s})
	r.open = true
	return r, nil
}

// Take implements session.Store.
func (f *memoryStore) Take(_ context.Context, id session.ID, _ string) (session.StoredSession, session.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, err := f.closed(id)
	if err != nil {
		return session.StoredSession{}, nil, err
	}
	stored := r.data.stored()
	r.open, r.data.InUse = true, false
	return stored, r, nil
}

// Read implements session.Store.
func (f *memoryStore) Read(_ context.Context, id session.ID) (session.StoredSession, error) {
	r, err := f.find(id)
	if err != nil {
		return session.StoredSession{}, err
	}
	return r.now().stored(), nil
}

// List implements session.Store. As in the runtime a session without a prompt
// is left out.
func (f *memoryStore) List(context.Context) ([]session.Stored, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []session.Stored
	for _, r := range f.records {
		if len(prompts(r.data.events)) > 0 {
			all = append(all, r.data.Stored)
		}
	}
	slices.SortFunc(all, func(x, y session.Stored) int {
		return cmp.Or(y.Used.Compare(x.Used), cmp.Compare(x.ID, y.ID))
	})
	return all, nil
}

// Remove implements session.Store.
func (f *memoryStore) Remove(_ context.Context, id session.ID) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.closed(id)
	if err == nil {
		delete(f.records, id)
	}
	return err
}

// Append implements session.Record.
func (r *record) Append(ev session.Event) error {
	return r.change(func(k *sessionData) { k.events, k.Used = append(k.events, ev), ev.Time })
}

// Describe implements session.Record.
func (r *record) Describe(title string, named bool) error {
	return r.change(func(k *sessionData) { k.Title, k.named = title, named })
}

// Close implements session.Record.
func (r *record) Close() error {
	now := r.now()
	return r.change(func(k *sessionData) {
		k.files, r.open, r.scratch = now.files, false, ""
	})
}

// change changes what is stored. It always can.
func (r *record) change(do func(*sessionData)) error {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	do(&r.data)
	return nil
}

// opened notes the scratch folder of a session that is open.
func (r *record) opened(scratch string) {
	_ = r.change(func(k *sessionData) {
		r.scratch, k.Dir = scratch, cmp.Or(k.Dir, scratch)
	})
}

// now is what is stored of the session, and its files, as they are now. Its lists are
// not changed any more.
func (r *record) now() sessionData {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	k := r.data
	k.events, k.edits = slices.Clip(k.events), slices.Clone(k.edits)
	if r.scratch != "" {
		k.files = filesIn(r.scratch)
	}
	return k
}

// stored is the session as its agent begins with it.
func (k sessionData) stored() session.StoredSession {
	return session.StoredSession{Stored: k.Stored, Named: k.named, Events: k.events}
}

// client is the program that makes the sessions of the demo.
const client = "parley-demo"

// filesIn is the files of a scratch folder. What cannot be read is left out.
func filesIn(dir string) map[string]string {
	files := map[string]string{}
	entries, _ := os.ReadDir(dir) // a folder that was removed has no files
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil {
			files[e.Name()] = string(text)
		}
	}
	return files
}

// copied is what is stored as a session of its own, of which the events are given.
func (k sessionData) copied(id session.ID, events []session.Event) sessionData {
	k.ID, k.events = id, events
	k.edits = slices.DeleteFunc(slices.Clone(k.edits), func(e edit) bool { return e.At > len(events) })
	return k
}

// instructions are those that the stored events hold; "" after a rewind that has
// taken them out.
func (k sessionData) instructions() string {
	for _, ev := range slices.Backward(k.events) {
		if b, ok := ev.Body.(session.SystemMessage); ok && ev.Agent == "" {
			return b.Content
		}
	}
	return ""
}

// prompts are the indices of the prompts that began a turn.
func prompts(events []session.Event) []int {
	var at []int
	for i, ev := range events {
		if u, ok := ev.Body.(session.UserMessage); ok && ev.Agent == "" && u.Delivery != session.DeliveredSteering {
			at = append(at, i)
		}
	}
	return at
}

// Log is what is stored of a session that List lists, in the form of a stored log:
// JSON lines, as session.ReadLog reads them. The log of a session that continues
// begins with the same bytes.
func (a *Agent) Log(ctx context.Context, id session.ID) ([]byte, error) {
	stored, err := a.store.Read(ctx, id)
	var log []byte
	for _, ev := range stored.Events {
		var line []byte
		if line, err = session.Encode(ev); err != nil {
			break
		}
		log = append(append(log, line...), '\n')
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	return log, nil
}

// Fork implements session.Library. The copy has the files and the plan too.
func (a *Agent) Fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	fork, err := a.Agent.Fork(ctx, id, before)
	if err != nil {
		return "", err
	}
	from, err := a.store.find(id)
	if err != nil {
		return "", err
	}
	to, err := a.store.find(fork)
	if err != nil {
		return "", err
	}
	original := from.now()
	return fork, to.change(func(k *sessionData) {
		c := original.copied(k.ID, k.events)
		k.files, k.edits, k.plan = c.files, c.edits, c.plan
	})
}

// resume begins with what a session was, replayed, and what the options change
// of it.
func (s *Session) resume(stored session.StoredSession, o session.Options) {
	s.Title, s.Named = stored.Title, stored.Named
	s.Log.Replay(stored.Events)
	s.recall(stored.Events)
	s.Log.Put(session.SessionResume{
		ResumeTime: s.cfg.Now().Format(time.RFC3339Nano), EventCount: len(stored.Events), SelectedModel: s.model, ReasoningEffort: s.effort,
		Context:      &session.WorkingContext{Cwd: s.scratch, Repository: stored.Repository, Branch: stored.Branch},
		AlreadyInUse: stored.InUse,
	})
	s.Log.Put(session.SessionContextChanged{Cwd: s.scratch, Repository: stored.Repository, Branch: stored.Branch})
	s.Log.Put(session.SessionTitleChanged{Title: s.Title})
	s.Log.Put(s.usage(true))
	if m, err := modelOf(o.Model); err == nil && m.ID != s.model {
		_ = s.SetModel(s.Life, m.ID, "") // it can: the model is there
	}
	if o.Mode != "" {
		_ = s.SetMode(s.Life, o.Mode) // one that there is not is not set
	}
	s.About.Model, s.About.Mode = s.model, s.mode
}

// recall sets what the stored events of an earlier life report.
func (s *Session) recall(events []session.Event) {
	for _, ev := range events {
		if ev.Agent != "" {
			continue
		}
		switch b := ev.Body.(type) {
		case session.SessionStart:
			s.model, s.effort = modelOr(b.SelectedModel).ID, b.ReasoningEffort
		case session.SessionModelChange:
			s.model, s.effort = modelOr(b.NewModel).ID, b.ReasoningEffort
		case session.SessionModeChanged:
			s.mode = b.NewMode
		case session.SessionPermissionsChanged:
			_, mode := b.Modes()
			s.allowAll = mode == session.AllowAll
		case session.SubagentSelected:
			s.selected = b.AgentName
		case session.SubagentDeselected:
			s.selected = ""
		case session.UserMessage:
			if b.Delivery != session.DeliveredSteering {
				s.spent.prompts++
				s.spent.cost += modelOr(s.model).Cost
			}
		case session.SessionUsageRecord:
			if u, ok := b.Call(); ok {
				s.account(u)
			}
		}
	}
}
