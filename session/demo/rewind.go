package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"parley/session"
)

// edit is a change that a tool of the demo made to a file of its scratch
// folder. What a command does there is not noted, as in the runtime (docs/protocol.md,
// section 8.3).
type edit struct {
	At            int    // how many events were stored before it
	Path          string // below the scratch folder
	Before, After string

	Pretended      bool // then there are no texts, but these lines
	Added, Removed int
}

// since are the changes of a file since a prompt, the last of which left it as
// after.
type since struct {
	session.FileChange
	before, after string
	pretended     bool
}

// changes are what edits after the event at that index did, file by file.
func changes(edits []edit, index int) []since {
	var files []since
	for _, e := range edits {
		if e.At <= index {
			continue
		}
		i := slices.IndexFunc(files, func(f since) bool { return f.Path == e.Path })
		if i < 0 {
			i = len(files)
			files = append(files, since{
				FileChange: session.FileChange{Path: e.Path, Change: "modified"}, before: e.Before, pretended: e.Pretended,
			})
		}
		files[i].after = e.After
		files[i].Added += e.Added
		files[i].Removed += e.Removed
	}
	for i := range files {
		f := &files[i]
		if f.NoCopy = f.pretended; !f.pretended {
			f.Added, f.Removed = lines(f.before, f.after)
		} else if f.Removed == 0 {
			f.Change = "created"
		}
	}
	return slices.DeleteFunc(files, func(f since) bool { return !f.pretended && f.before == f.after })
}

// lines counts what differs between two texts, but for what they begin and end
// with alike.
func lines(before, after string) (added, removed int) {
	a, b := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(b), len(a)
}

// edited notes that a tool has changed a file.
func (s *Session) edited(path, before, after string) {
	_ = s.record.change(func(k *sessionData) {
		k.edits = append(k.edits, edit{At: len(k.events), Path: path, Before: before, After: after})
	})
}

// RewindPoints implements session.Rewinder.
func (s *Session) RewindPoints(context.Context) ([]session.RewindPoint, error) {
	now := s.record.now()
	var points []session.RewindPoint
	for _, i := range prompts(now.events) {
		ev := now.events[i]
		u, _ := ev.Body.(session.UserMessage)
		p := session.RewindPoint{Event: ev.ID, Prompt: u.Content, Time: ev.Time}
		for _, f := range changes(now.edits, i) {
			p.Files = true
			p.FileCount, p.Added, p.Removed = p.FileCount+1, p.Added+f.Added, p.Removed+f.Removed
		}
		points = append(points, p)
	}
	return points, nil
}

// PreviewRewind implements session.Rewinder.
func (s *Session) PreviewRewind(_ context.Context, at session.EventID) ([]session.FileChange, error) {
	now := s.record.now()
	index, err := promptAt(now.events, at)
	if err != nil {
		return nil, fmt.Errorf("look at a rewind: %w", err)
	}
	var files []session.FileChange
	for _, f := range changes(now.edits, index) {
		if !f.pretended {
			left, err := os.ReadFile(filepath.Join(s.scratch, f.Path))
			f.Compared, f.Foreign = true, err != nil || string(left) != f.after
		}
		files = append(files, f.FileChange)
	}
	return files, nil
}

// promptAt is the index of a prompt one can go back to.
func promptAt(events []session.Event, at session.EventID) (int, error) {
	for _, i := range prompts(events) {
		if events[i].ID == at {
			return i, nil
		}
	}
	return 0, fmt.Errorf("there is no prompt %s any more", at)
}

// Rewind implements session.Rewinder. What was removed is stored for Redo.
func (s *Session) Rewind(_ context.Context, at session.EventID, files bool) (done session.Rewound, err error) {
	err = s.Change("rewind", func() error {
		if s.Stop != nil || len(s.Waiting) > 0 {
			return errors.New("the agent is at work; interrupt it first")
		}
		before := s.record.now()
		index, err := promptAt(before.events, at)
		if err != nil {
			return err
		}
		undone := before.copied(session.ID(uuid.NewString()), before.events)
		undone.Started, undone.Used = s.cfg.Now(), s.cfg.Now()
		s.undone = &undone
		edits := before.edits
		if files {
			done.Restored, done.Skipped = putBack(s.scratch, changes(edits, index))
			edits = slices.DeleteFunc(edits, func(e edit) bool { return e.At > index })
		}
		for i := range edits { // the files that stay are as the prompt before left them
			edits[i].At = min(edits[i].At, index)
		}
		done.Events = s.cut(before.events, edits, index)
		return nil
	})
	if err == nil {
		s.Log.Put(s.usage(false))
	}
	return done, err
}

// cut removes the stored events from the one at that index on, and reports it as
// the runtime does (docs/protocol.md, section 8.3).
func (s *Session) cut(events []session.Event, edits []edit, index int) int {
	removed := session.SessionSnapshotRewind{UpToEventID: events[index].ID, EventsRemoved: len(events) - index}
	for _, ev := range events[index:] {
		removed.EventIDs = append(removed.EventIDs, ev.ID)
	}
	_ = s.record.change(func(k *sessionData) { k.events, k.edits = slices.Clip(events[:index]), edits })
	s.Log.Cut(events[index].Parent, removed)
	return removed.EventsRemoved
}

// putBack makes files what they were. One that is not what the demo left there
// stays as it is.
func putBack(scratch string, files []since) (restored, skipped []string) {
	for _, f := range files {
		path := filepath.Join(scratch, f.Path)
		now, err := os.ReadFile(path)
		switch {
		case f.pretended:
			err = errors.New("the demo only pretended to change it")
		case err == nil && string(now) != f.after:
			err = errors.New("something else has changed it since")
		case err == nil:
			err = os.WriteFile(path, []byte(f.before), 0o600)
		}
		if err != nil {
			skipped = append(skipped, f.Path+": "+err.Error())
			continue
		}
		restored = append(restored, f.Path)
	}
	return restored, skipped
}

// Redo implements session.Rewinder. The session that continues is a copy of what
// this one was.
func (s *Session) Redo(context.Context) (id session.ID, ok bool, err error) {
	var undone *sessionData
	err = s.Change("take a rewind back", func() error {
		undone, s.undone = s.undone, nil
		return nil
	})
	if undone == nil {
		return "", false, err
	}
	s.store.add(*undone)
	return undone.ID, true, nil
}
