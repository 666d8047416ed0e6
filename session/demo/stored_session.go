package demo

import (
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// record is what the agent keeps of a session, for as long as it lives itself.
type record struct {
	session.Stored
	named  bool // by the user
	events []session.Event
	files  map[string]string // of the scratch folder, by name
	edits  []edit
	plan   string
}

// record is the session as it is now.
func (s *Session) record() *record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recordLocked()
}

// recordLocked is record for who holds mu.
func (s *Session) recordLocked() *record {
	r := &record{
		Stored: s.origin, named: s.named, events: s.out.stored(), files: filesIn(s.scratch),
		edits: append([]edit(nil), s.edits...), plan: s.plan,
	}
	r.Title, r.Used = s.title, r.Started
	if s.dir != s.scratch {
		r.Dir = s.dir
	}
	if n := len(r.events); n > 0 {
		r.Used = r.events[n-1].Time
	}
	return r
}

// client is the program that makes the sessions of the demo.
const client = "parley-demo"

// filesIn is the files of a scratch folder. What cannot be read is left out.
func filesIn(dir string) map[string]string {
	files := map[string]string{}
	entries, _ := os.ReadDir(dir) // a folder that is gone has no files
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

// said reports whether the user ever said anything.
func (r *record) said() bool { return len(prompts(r.events)) > 0 }

// copied is the record as a session of its own that ends before the event at
// that index.
func (r *record) copied(end int, now time.Time) *record {
	c := *r
	c.ID, c.InUse, c.Started, c.Used = session.ID(uuid.NewString()), false, now, now
	c.events = append([]session.Event(nil), r.events[:end]...)
	c.edits = nil
	for _, e := range r.edits {
		if e.at <= end {
			c.edits = append(c.edits, e)
		}
	}
	return &c
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

// recall sets what the stored events of an earlier life tell. It is called
// before anything else is.
func (s *Session) recall(r *record) {
	s.origin, s.origin.InUse = r.Stored, false
	s.title, s.named, s.edits, s.plan = r.Title, r.named, r.edits, r.plan
	for _, ev := range r.events {
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
			s.persona = b.AgentName
		case session.SubagentDeselected:
			s.persona = ""
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
	s.info.Model, s.info.Mode = s.model, s.mode
}
