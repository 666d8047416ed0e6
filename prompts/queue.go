// Package prompts asks the user what the agent waits for. A Queue holds the
// open questions, shows one of them as a card above the composer, and turns
// deliberate keys, and nothing else, into answers. It follows
// docs/decisions.md 1 to 11.
package prompts

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/render/text"
	"parley/session"
)

// Outcome is what became of a message.
type Outcome struct {
	// Answer, when there is one, is to be given to the agent; its card is
	// closed.
	Answer session.Answer
	// Draft are key presses and pastes that were not meant for a card. They
	// belong to the composer, in this order, before anything that follows.
	Draft []tea.Msg
	// Taken is true when the message is not for anything else: a card used it, holds
	// it back for now, or it is part of Draft.
	Taken bool
	// Own, when there is one, is the answer to the window's own question Question; its card
	// is closed.
	Own      *OwnAnswer
	Question *OwnQuestion
	// Effect is what a key asked for outside; nil if it asked for nothing.
	Effect Effect
	// Wake is when Tick must be called; zero when there is no need.
	Wake time.Time
}

// Queue holds the questions of one session in the order they came. It reads no
// clock: every call carries the time at which its cause was read. It is not
// safe for concurrent use.
type Queue struct {
	dialogs []dialog
	front   int    // of the dialog that is shown
	shown   dialog // the one the consent machine knows of
	agents  map[session.AgentID]string
	asked   map[session.RequestID]session.Ask
	// contents are what questions are about, each hashed once it matters.
	contents map[session.RequestID]string
	plans    map[session.AgentID]*choiceDialog // the last of each
	unsent   []string
	dropped  []Dropped
	forms    formMemory
	earlier  []WrittenText // on questions that were not asked again
	written  uint64        // counts the changes of what is written
	editing  dialog        // asked for an editor; nil: none did
	reading  dialog        // asked for a file; nil: none did
	marked   dialog        // shows what a key that is held back would choose; nil: none does
	places   places
	keys     *Keys

	consent    consent.Guard[tea.Msg]
	draftEmpty bool
	away       bool      // neither the card nor the draft has the keys
	begun      time.Time // until when a draft that was begun on a card is not sent; zero: no such draft
	now        time.Time // the latest time of any call
	hasty      hastyKey  // the last key, if it was not taken

	window  windowSize // as it was reported last
	drawn   frameSize  // of the card that was drawn last
	agreed  frameSize  // of the card that the user has in front of them
	changed bool       // they changed it since it was drawn
	focused bool       // the card knows that it has the focus
	noRoom  bool       // there was no room for it since it was drawn
}

// windowSize is the size of the window in cells.
type windowSize struct{ width, height int }

// frameSize is what a card looks like from outside. When it changes and the
// user did not ask for it, the card moved under their eyes.
type frameSize struct {
	generation   uint64
	width, lines int
}

// NewQueue returns a queue without questions and with an empty draft.
func NewQueue() *Queue {
	return &Queue{
		agents: map[session.AgentID]string{}, asked: map[session.RequestID]session.Ask{},
		contents: map[session.RequestID]string{}, plans: map[session.AgentID]*choiceDialog{}, draftEmpty: true,
		keys: DefaultKeys(),
	}
}

// Folders sets the user's home directory, which is shown as ~, and the
// session's working folder, which a request need not name. Either may be empty.
func (q *Queue) Folders(home, dir string) { q.places = places{home: home, dir: dir} }

// Apply follows the session: it opens a card for a question and closes it when
// the question is settled, when its tool call ends, with an abort or the end of
// the session (docs/decisions.md 9). History opens nothing (docs/decisions.md 10). It returns
// refusals, with feedback, for questions that have no dialog; they are to be
// given to the agent.
func (q *Queue) Apply(ev session.Event, at time.Time) []session.Answer {
	q.begin(at)
	defer q.present(at)
	switch b := ev.Body.(type) {
	case session.Ask:
		if !ev.Replayed {
			return q.ask(ev, b)
		}
	case session.Resolved:
		q.drop(func(of about) bool { return of.request == b.Resolves() })
		q.forms.confirm(b.Resolves())
		q.written++
	case session.ToolExecutionComplete:
		q.drop(func(of about) bool { return of.call != "" && of.call == b.ToolCallID })
	case session.Abort:
		q.drop(func(of about) bool { return of.ends != withNone && (ev.Agent == "" || of.agent == ev.Agent) })
	case session.AssistantIdle:
		q.drop(func(of about) bool { return of.ends == withTurn && ev.Agent == "" && of.agent == "" })
	case session.SessionShutdown:
		q.drop(func(about) bool { return true })
	case session.SubagentStarted:
		q.agents[ev.Agent] = text.SanitizeLine(cmp.Or(b.AgentDisplayName, b.AgentName))
	}
	return nil
}

// ask opens a card, or refuses.
func (q *Queue) ask(ev session.Event, ask session.Ask) []session.Answer {
	if p, ok := ask.(session.PermissionRequested); ok && p.ResolvedByHook {
		return nil
	}
	same := func(of about) bool { return of.request == ask.Request() }
	if slices.ContainsFunc(q.dialogs, func(d dialog) bool { return same(d.about()) }) {
		if reflect.DeepEqual(q.asked[ask.Request()], ask) && len(unreadOf(ev)) == 0 {
			return nil
		}
		q.drop(same) // what was read there is not what is asked now
	}
	d := q.open(ev, ask)
	if d == nil {
		feedback, _ := refusal(ask)
		return []session.Answer{session.Refuse(ask, feedback)}
	}
	q.dialogs, q.asked[ask.Request()] = append(q.dialogs, d), ask
	q.resume(d)
	return nil
}

// drop closes the dialogs that ended. The one in front stays there.
func (q *Queue) drop(ended func(about) bool) {
	var front dialog
	if len(q.dialogs) > 0 {
		front = q.dialogs[q.front]
	}
	q.dialogs = slices.DeleteFunc(q.dialogs, func(d dialog) bool {
		over := ended(d.about())
		if over {
			q.close(d)
		}
		return over
	})
	q.front = max(slices.Index(q.dialogs, front), 0)
}

// close keeps what was written on a dialog that goes and was not sent.
func (q *Queue) close(d dialog) {
	q.collect(d)
	delete(q.asked, d.about().request)
	delete(q.contents, d.about().request)
}

// present makes the consent machine follow the card in front.
func (q *Queue) present(at time.Time) {
	switch {
	case len(q.dialogs) == 0:
		if q.shown != nil {
			q.shown = nil
			q.consent.Vanish()
		}
	case q.dialogs[q.front] != q.shown:
		q.shown, q.hasty = q.dialogs[q.front], hastyKey{}
		q.shown.leave()
		q.consent.Appear(at, q.draftEmpty)
		q.focused = q.consent.HasFocus()
	}
}

// begin starts every call: it keeps the latest time, and holds the card in front to
// what the user had in front of them.
func (q *Queue) begin(at time.Time) {
	q.now = consent.Later(q.now, at)
	if len(q.dialogs) == 0 {
		return
	}
	q.compare(at)
	if c, ok := q.dialogs[q.front].(*choiceDialog); ok && !q.consent.Armed(at) {
		c.attend(false) // what is typed now was begun before it listened
	}
}

// compare starts the card anew when it is not what was drawn last.
func (q *Queue) compare(at time.Time) {
	if q.drawn.generation != q.consent.Frame() {
		return
	}
	q.consent.Show(at)
	switch {
	case q.noRoom:
		q.noRoom = false
		q.consent.Repaint(at)
	case q.agreed.generation != q.drawn.generation:
		q.agreed = q.drawn
	case q.agreed != q.drawn && !q.changed:
		q.consent.Repaint(at)
	}
}

// follow lets the card know that it lost the focus, or that it came back.
func (q *Queue) follow() {
	if _, held := q.consent.Held(); !held && q.marked != nil { // it did not stay alone
		q.marked.unmark()
		q.marked, q.changed = nil, true
	}
	if q.focused != q.consent.HasFocus() && len(q.dialogs) > 0 {
		if d := q.dialogs[q.front]; !q.consent.HasFocus() {
			page := pageOf(d)
			if d.leave(); pageOf(d) != page { // what was on the screen counts for no other page
				q.consent.Repaint(q.now)
			}
		}
		q.changed = true
	}
	q.focused = q.consent.HasFocus()
}

// Len is the number of questions.
func (q *Queue) Len() int { return len(q.dialogs) }

// Waits reports whether a question has a dialog that is open.
func (q *Queue) Waits(request session.RequestID) bool { _, ok := q.asked[request]; return ok }

// Focused reports whether keys are to be given to Key first.
func (q *Queue) Focused() bool { return len(q.dialogs) > 0 && q.consent.HasFocus() }

// Full reports whether the card wants all the room there is.
func (q *Queue) Full() bool { return len(q.dialogs) > 0 && q.dialogs[q.front].full() }

// Generation changes whenever a card must be painted anew before it listens.
func (q *Queue) Generation() uint64 { return q.consent.Frame() }

// Painted notes that a frame with that generation was flushed and that the
// terminal answered a request that was sent after it (docs/decisions.md 2).
func (q *Queue) Painted(gen uint64, at time.Time) {
	q.begin(at)
	if q.drawn.generation == gen {
		q.consent.Paint(gen, at)
	}
}

// Resize notes that the window changed its size, or that the program was
// resumed: what is on the screen is not the card.
func (q *Queue) Resize(at time.Time) {
	q.begin(at)
	if len(q.dialogs) > 0 {
		q.consent.Repaint(at)
		q.follow()
	}
}

// Sized is Resize with the size of the window. What was read in another is to be read
// anew where it does not fit whole into this one (docs/decisions.md 48).
func (q *Queue) Sized(width, height int, at time.Time) {
	if size := (windowSize{width, height}); size != q.window {
		q.window = size
		for _, d := range q.dialogs {
			d.unread()
		}
	}
	q.Resize(at)
}

// Focus moves the focus to the card because the user asked for it: by ctrl+x
// p, Tab on an empty draft, or a click. It reports whether there is a card.
func (q *Queue) Focus(at time.Time) bool {
	q.begin(at)
	if len(q.dialogs) == 0 {
		return false
	}
	if !q.consent.HasFocus() || !q.consent.WasFocused() {
		q.consent.Focus(at)
		q.hasty = hastyKey{}
		q.dialogs[q.front].enter()
		q.changed, q.focused = true, true
	}
	return true
}

// Blur takes the focus from the card. The question stays.
func (q *Queue) Blur(at time.Time) {
	q.begin(at)
	q.consent.PutAside()
	q.follow()
}

// WindowFocus notes whether the terminal's window has the focus, where it is
// reported. After a suspension it is to be called with true.
func (q *Queue) WindowFocus(focused bool, at time.Time) {
	q.begin(at)
	q.consent.Window(focused, at)
	q.follow()
}

// Elsewhere notes that a key was not given to Key, or not taken by it.
func (q *Queue) Elsewhere(at time.Time) {
	q.begin(at)
	q.hasty = hastyKey{}
	q.consent.Other(at)
	q.follow()
	if !q.begun.IsZero() {
		q.begunUntil(at, consent.Burst)
	}
}

// begunUntil keeps a draft that was begun on a card from being sent for a while longer,
// if it still is.
func (q *Queue) begunUntil(at time.Time, longer time.Duration) {
	if before := q.begun; at.Before(before) {
		q.begun = at.Add(longer)
	} else {
		q.begun = time.Time{}
	}
}

// BegunOnCard reports whether the draft was begun on the card that waits and written in
// one go: it may have been meant for the card, and is not sent (docs/decisions.md 44).
// Enter counts again after the quiet time.
func (q *Queue) BegunOnCard(at time.Time) bool {
	if len(q.dialogs) == 0 || !at.Before(q.begun) {
		return false
	}
	q.begunUntil(at, consent.Quiet)
	return true
}

// Draft notes whether the composer is empty now.
func (q *Queue) Draft(empty bool) {
	if q.draftEmpty = empty; empty {
		q.begun = time.Time{}
	}
	q.consent.Draft(empty, q.now)
	q.follow()
}

// KeysAway notes whether something else than the card and the draft has the keys now.
func (q *Queue) KeysAway(away bool) { q.away = away }

// Wake is when Tick must be called next; zero when there is no need. It is the
// same as Outcome.Wake and covers the calls that return none, View among them.
func (q *Queue) Wake() time.Time {
	if q.consent.Awaits(q.drawn.generation) {
		return q.now // a card that was drawn late has its time from now on
	}
	return q.consent.Deadline(q.now)
}

// Tick lets time pass. Call it at Wake.
func (q *Queue) Tick(at time.Time) Outcome {
	q.begin(at)
	var o Outcome
	q.releaseDue(&o, at)
	return q.finish(o)
}

// releaseDue lets the key count that was held back and stayed alone.
func (q *Queue) releaseDue(o *Outcome, at time.Time) {
	msg, due := q.consent.Tick(at)
	if key, ok := msg.(tea.KeyPressMsg); due && ok && len(q.dialogs) > 0 {
		q.handle(o, key, at)
	}
}

// finish completes an outcome with what belongs to the draft.
func (q *Queue) finish(o Outcome) Outcome {
	q.follow()
	if given := q.consent.Take(); len(given) > 0 {
		o.Draft = append(o.Draft, given...)
		q.begun = q.now.Add(consent.Burst)
	}
	o.Wake = q.Wake()
	return o
}
