package tui

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
	prompthistory "parley/history/prompts"
	"parley/prompts"
	"parley/session"
	"parley/tui/composer"
)

// journal keeps what the user wrote and did not send, so that it comes back
// whatever ends the window. It is written outside the loop, soon after a
// change, and never while nothing changes.
type journal struct {
	dir     string // of the journals; "" keeps nothing
	file    *drafts.Store
	session session.ID                  // that what was left is taken over for; "" is any
	drafts  map[session.ID]drafts.Draft // of sessions that the window left
	changed bool                        // since the last writing began
	timed   bool                        // a writing is arranged
	asked   uint64                      // revision of the questions that was written
	adopted []string                    // journals of windows that have ended, taken over by this one
	seq     uint64
	warned  bool // that something cannot be kept was said
}

// draftSaver writes what the conversations of the window have unsent into the journal.
type draftSaver struct {
	win  *windowState
	tabs *tabs
}

// saveTime is how soon after a change it is written.
const saveTime = 250 * time.Millisecond

// leftByEnded marks a draft on the stash that a window that has ended had not sent.
const leftByEnded = "left by another window"

// offer says how the draft of a window that has ended comes back, as long as it
// is the next that comes from the stash and the session has not had a prompt.
func (c *firstScreen) offer() string {
	n := len(c.win.stashed)
	if n == 0 || c.win.stashed[n-1].Why != leftByEnded || c.answers.heard {
		return ""
	}
	at, layout := c.win.stashed[n-1].Time.In(c.win.zone), "15:04"
	if at.Format(time.DateOnly) != c.win.now.In(c.win.zone).Format(time.DateOnly) {
		layout = "2 January, 15:04"
	}
	return c.win.says("Restore the draft of " + at.Format(layout) + "? {stash}")
}

// saveMsg is the time to write.
type saveMsg time.Time

// savedMsg ends a writing.
type savedMsg struct{ err error }

func newJournal(c Config) journal {
	j := journal{drafts: map[session.ID]drafts.Draft{}}
	if c.StateDir != "" {
		j.dir = filepath.Join(c.StateDir, "drafts")
	}
	return j
}

// prompts are those sent before, from all windows.
func (c Config) prompts() *prompthistory.History {
	if c.StateDir == "" {
		return prompthistory.Open("")
	}
	return prompthistory.Open(filepath.Join(c.StateDir, "prompts.jsonl"))
}

// touch notes a change.
func (j *journal) touch() { j.changed = true }

// draftRecovery saves what is not sent, and takes over what windows that have ended left.
type draftRecovery struct {
	*core
	draft *promptDraft
}

// keep arranges for the writing of what changed.
func (c *draftRecovery) keep() tea.Cmd {
	j := &c.win.journal
	if r := c.questions.Revision(); r != j.asked {
		j.asked, j.changed = r, true
	}
	if !j.changed || j.timed || j.file == nil {
		return nil
	}
	j.timed = true
	return c.win.after(saveTime, func(t time.Time) tea.Msg { return saveMsg(t) })
}

// save writes what is not sent.
func (d *draftSaver) save() tea.Cmd {
	j := &d.win.journal
	j.timed, j.changed = false, false
	j.seq++
	file, seq, state, written := j.file, j.seq, d.unsent(), d.written()
	return func() tea.Msg {
		state.Written = marshalled(written)
		return savedMsg{file.Save(seq, state)}
	}
}

// saved says once that nothing can be kept.
func (c *draftRecovery) saved(msg savedMsg) {
	if msg.err != nil && !c.win.journal.warned {
		c.win.journal.warned = true
		c.warn("drafts", "What you write is not kept: "+msg.err.Error())
	}
}

// unsent is all that the user wrote and did not send, but for what stands in
// questions.
func (d *draftSaver) unsent() drafts.State {
	s := drafts.State{
		Dir: d.win.config.Options.Dir, Session: d.tabs.front.info.ID, Time: d.win.now,
		Draft: d.tabs.front.composer.Draft(), Drafts: maps.Clone(d.win.journal.drafts), Stash: slices.Clone(d.win.stashed),
		Recovered: d.win.journal.adopted,
	}
	s.Waiting, s.Unsent = d.tabs.front.waitingDrafts()
	for _, c := range d.tabs.all {
		if c == d.tabs.front {
			continue
		}
		waiting, unsent := c.waitingDrafts()
		draft := composer.Join(slices.Concat(waiting, composer.Plain(unsent...), []drafts.Draft{c.composer.Draft()})...)
		switch {
		case draft.Empty():
		case c.info.ID == "":
			s.Stash = append(s.Stash, drafts.Stashed{Draft: draft, Time: s.Time, Why: "not sent"})
		default:
			s.Drafts[c.info.ID] = composer.Join(s.Drafts[c.info.ID], draft)
		}
	}
	return s
}

// waitingDrafts are the prompts that were sent and wait, or are on their way, and
// the notes that wait.
func (c *conversation) waitingDrafts() (waiting []drafts.Draft, notes []string) {
	for _, out := range c.queue.held {
		waiting = append(waiting, out.Draft)
	}
	for _, p := range c.queue.pending { // the agent keeps them only as long as it runs
		waiting = append(waiting, c.composer.Drafts(p.Text)...)
	}
	for _, p := range c.queue.sending {
		if !p.back {
			waiting = append(waiting, p.Draft)
		}
	}
	return waiting, c.answers.notes.texts()
}

// written is what was written on questions of all conversations and not sent.
func (d *draftSaver) written() prompts.Written {
	var all prompts.Written
	for _, c := range d.tabs.all {
		w := c.questions.Written()
		all.Forms, all.Texts = append(all.Forms, w.Forms...), append(all.Texts, w.Texts...)
	}
	return all
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

// recoveredMsg is what windows that have ended had not sent.
type recoveredMsg struct {
	at     time.Time
	file   *drafts.Store
	states []drafts.State
	err    error
}

// recover takes over what was not sent in this session, or in this folder, by
// windows that have ended.
func (c *draftRecovery) recover() tea.Cmd {
	j, id := c.win.journal, cmp.Or(c.resume, c.info.ID)
	if j.dir == "" || j.file != nil || id == "" && c.continued {
		return nil // which session it is, is known when it is open
	}
	dir, now := c.win.config.Options.Dir, c.win.config.Now
	c.win.journal.session = id
	return c.own(func() tea.Msg {
		file, err := drafts.Open(j.dir, now())
		if err != nil {
			return recoveredMsg{at: now(), err: err}
		}
		states, err := file.Recover(dir, id)
		return recoveredMsg{now(), file, states, err}
	})
}

// recovered puts back what was not sent: the newest draft of this session into
// the composer, all others on the stash, where the empty composer offers the
// newest, and answers into the questions when they come again.
func (c *draftRecovery) recovered(msg recoveredMsg) tea.Cmd {
	c.win.pass(msg.at)
	c.win.journal.file = msg.file
	c.saved(savedMsg{msg.err})
	back := false
	for i := len(msg.states) - 1; i >= 0; i-- { // the newest last: it is offered first
		s := msg.states[i]
		for _, id := range slices.Sorted(maps.Keys(s.Drafts)) {
			c.win.keepDraftOf(id, s.Drafts[id])
		}
		for _, put := range s.Stash {
			c.win.putOnStash(put)
		}
		c.win.journal.adopted = append(c.win.journal.adopted, s.Recovered...)
	}
	for i := len(msg.states) - 1; i >= 0; i-- {
		back = c.takeOver(msg.states[i], i == 0) || back
	}
	if back {
		c.showHint("What you had not sent is here again; {history} shows all of it.")
	}
	c.win.journal.touch()
	return c.request(draftsRecovered{})
}

// keepDraftOf keeps a draft for its session. Of two, the older is put away.
func (w *windowState) keepDraftOf(id session.ID, d drafts.Draft) {
	if d.Empty() {
		return
	}
	w.stash(w.journal.drafts[id], "not sent")
	w.journal.drafts[id] = d
}

// takeOver takes the draft and the answers of one window over, and reports
// whether any of it is in the composer or in a question again.
func (c *draftRecovery) takeOver(s drafts.State, newest bool) (back bool) {
	d := composer.Join(slices.Concat(s.Waiting, composer.Plain(s.Unsent...), []drafts.Draft{s.Draft})...)
	if s.Session != "" && s.Session != c.win.journal.session && c.win.journal.session != "" {
		c.win.keepDraftOf(s.Session, d) // it waits for its session
		d = drafts.Draft{}
	}
	switch {
	case d.Empty():
	case newest && s.Session != "" && (s.Session == c.win.journal.session || s.Session == c.info.ID) && c.composer.Empty():
		c.draft.setDraft(d)
		back = true
	default:
		c.win.putOnStash(drafts.Stashed{Draft: d, Time: s.Time, Why: leftByEnded})
	}
	var w prompts.Written
	if json.Unmarshal(s.Written, &w) == nil && !w.Empty() {
		c.questions.Restore(w)
		back = true
	}
	return back
}

// end writes what is left when the window ends, and leaves it for the
// next one.
func (d *draftSaver) end() error {
	j := &d.win.journal
	if j.file == nil {
		return nil
	}
	j.seq++
	state := d.unsent()
	state.Written = marshalled(d.written())
	if err := j.file.Save(j.seq, state); err != nil {
		return fmt.Errorf("keep what was not sent: %w", err)
	}
	return j.file.Close()
}
