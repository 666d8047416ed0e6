package conversation

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/history/drafts"
	"parley/prompts"
	"parley/session"
	"parley/tui/composer"
)

// journal keeps what the user wrote and did not send, so that it comes back
// whatever ends the window. It is written outside the loop, soon after a
// change, and never while nothing changes.
type journal struct {
	dir     string // of the journals; "" keeps nothing
	File    *drafts.Store
	Session session.ID                  // that what was left is taken over for; "" is any
	Drafts  map[session.ID]drafts.Draft // of sessions that the window left
	Changed bool                        // since the last writing began
	timed   bool                        // a writing is arranged
	asked   uint64                      // revision of the questions that was written
	adopted []string                    // journals of windows that have ended, taken over by this one
	Seq     uint64
	Reopen  []session.ID // what was open in windows that were killed
	warned  bool         // that something cannot be kept was said
}

// saveTime is how soon after a change it is written.
const saveTime = 250 * time.Millisecond

// leftByEnded marks a draft on the stash that a window that has ended had not sent.
const leftByEnded = "left by another window"

// SaveMsg is the time to write.
type SaveMsg time.Time

// SavedMsg ends a writing.
type SavedMsg struct{ Err error }

func newJournal(c Config) journal {
	j := journal{Drafts: map[session.ID]drafts.Draft{}}
	if c.StateDir != "" {
		j.dir = filepath.Join(c.StateDir, "drafts")
	}
	return j
}

// awaited reports whether what is kept was not read yet.
func (j *journal) awaited() bool { return j.dir != "" && j.File == nil }

// Touch notes a change.
func (j *journal) Touch() { j.Changed = true }

// draftRecovery saves what is not sent, and takes over what windows that have ended left.
type draftRecovery struct {
	*core
	draft *promptDraft
}

// Keep arranges for the writing of what changed.
func (c *draftRecovery) Keep() tea.Cmd {
	j := &c.win.Journal
	if r := c.Questions.Revision(); r != j.asked {
		j.asked, j.Changed = r, true
	}
	if !j.Changed || j.timed || j.File == nil {
		return nil
	}
	j.timed = true
	return c.win.After(saveTime, func(t time.Time) tea.Msg { return SaveMsg(t) })
}

// Save writes the state of the window, with what was written on questions.
func (j *journal) Save(s drafts.State, w prompts.Written) tea.Cmd {
	j.timed, j.Changed = false, false
	j.Seq++
	file, seq := j.File, j.Seq
	return func() tea.Msg {
		s.Written = marshalled(w)
		return SavedMsg{file.Save(seq, s)}
	}
}

// End writes the state of the window when it ends, and leaves it for the next one.
func (j *journal) End(s drafts.State, w prompts.Written) error {
	if j.File == nil {
		return nil
	}
	j.Seq++
	s.Written = marshalled(w)
	if err := j.File.Save(j.Seq, s); err != nil {
		return fmt.Errorf("keep what was not sent: %w", err)
	}
	return j.File.Close()
}

// Saved says once that nothing can be kept.
func (c *draftRecovery) Saved(msg SavedMsg) {
	if msg.Err != nil && !c.win.Journal.warned {
		c.win.Journal.warned = true
		c.Warn("drafts", "What you write is not kept: "+msg.Err.Error())
	}
}

// Unsent is what was left unsent: on the stash, and with sessions that were left.
func (w *Window) Unsent() drafts.State {
	return drafts.State{
		Dir: w.Config.Options.Dir, Time: w.Now, Drafts: maps.Clone(w.Journal.Drafts), Stash: slices.Clone(w.stashed),
		Recovered: w.Journal.adopted,
	}
}

// WaitingDrafts are the prompts that were sent and wait, or are on their way, and
// the notes that wait.
func (c *Conversation) WaitingDrafts() (waiting []drafts.Draft, notes []string) {
	for _, out := range c.Queue.Early {
		waiting = append(waiting, out.Draft)
	}
	for _, p := range c.Queue.Pending { // the agent keeps them only as long as it runs
		waiting = append(waiting, c.Composer.Drafts(p.Text)...)
	}
	for _, p := range c.Queue.Sending {
		if !p.back {
			waiting = append(waiting, p.Draft)
		}
	}
	return waiting, c.Queue.Notes.texts()
}

// marshalled is what was written on questions as it is stored.
func marshalled(w prompts.Written) jsontext.Value {
	if w.Empty() {
		return nil
	}
	raw, err := json.Marshal(w)
	if err != nil {
		return nil // it has nothing that could fail: every text of it is stored exactly
	}
	return raw
}

// RecoveredMsg is what windows that have ended had not sent.
type RecoveredMsg struct {
	At     time.Time
	file   *drafts.Store
	States []drafts.State
	err    error
}

// Recover takes over what was not sent in this session, or in this folder, by
// windows that have ended.
func (c *draftRecovery) Recover() tea.Cmd {
	j, id := c.win.Journal, cmp.Or(c.Resume, c.Info.ID)
	if j.dir == "" || j.File != nil || id == "" && c.Continued {
		return nil // which session it is, is known when it is open
	}
	dir, now := c.win.Config.Options.Dir, c.win.Config.Now
	c.win.Journal.Session = id
	return c.own(func() tea.Msg {
		file, err := drafts.Open(j.dir, now())
		if err != nil {
			return RecoveredMsg{At: now(), err: err}
		}
		states, err := file.Recover(dir, id)
		return RecoveredMsg{now(), file, states, err}
	})
}

// recovered puts back what was not sent: the newest draft of this session into
// the composer, all others on the stash, where the empty composer offers the
// newest, and answers of this session into its questions when they come again.
func (c *draftRecovery) recovered(msg RecoveredMsg) tea.Cmd {
	c.win.Pass(msg.At)
	c.win.Journal.File = msg.file
	c.Saved(SavedMsg{msg.err})
	back := false
	for i := len(msg.States) - 1; i >= 0; i-- { // the newest last: it is offered first
		s := msg.States[i]
		for _, id := range slices.Sorted(maps.Keys(s.Drafts)) {
			c.win.KeepDraftOf(id, s.Drafts[id])
		}
		for _, put := range s.Stash {
			c.win.putOnStash(put)
		}
		c.win.Journal.adopted = append(c.win.Journal.adopted, s.Recovered...)
	}
	for i := len(msg.States) - 1; i >= 0; i-- {
		back = c.takeOver(msg.States[i], i == 0) || back
	}
	if back {
		c.ShowHint("What you had not sent is here again; {history} shows all of it.")
	}
	c.win.Journal.Touch()
	return c.request(DraftsRecovered{})
}

// KeepDraftOf keeps a draft for its session. Of two, the older is put away.
func (w *Window) KeepDraftOf(id session.ID, d drafts.Draft) {
	if d.Empty() {
		return
	}
	w.Stash(w.Journal.Drafts[id], "not sent")
	w.Journal.Drafts[id] = d
}

// takeOver takes the draft and the answers of one window over, and reports
// whether the draft is in the composer again.
func (c *draftRecovery) takeOver(s drafts.State, newest bool) (back bool) {
	c.win.Journal.Reopen = append(c.win.Journal.Reopen, s.Open...)
	d := composer.Join(slices.Concat(s.Waiting, composer.Plain(s.Unsent...), []drafts.Draft{s.Draft})...)
	if s.Session != "" && s.Session != c.win.Journal.Session && c.win.Journal.Session != "" {
		c.win.KeepDraftOf(s.Session, d) // it waits for its session
		d = drafts.Draft{}
	}
	same := s.Session != "" && (s.Session == c.win.Journal.Session || s.Session == c.Info.ID)
	switch {
	case d.Empty():
	case newest && same && c.Composer.Empty():
		c.draft.SetDraft(d)
		back = true
	default:
		c.win.putOnStash(drafts.Stashed{Draft: d, Time: s.Time, Why: leftByEnded, Session: s.Session})
	}
	var w prompts.Written
	if json.Unmarshal(s.Written, &w) != nil || w.Empty() {
		return back
	}
	if same {
		c.Questions.Restore(w)
		return back
	}
	for _, answer := range composer.Plain(w.Lines()...) { // no question of another session gets it
		c.win.putOnStash(drafts.Stashed{Draft: answer, Time: s.Time, Why: "answer", Session: s.Session})
	}
	return back
}
