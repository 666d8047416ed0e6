// Package consent decides which keys count as deliberate. No tool call is approved
// and no question answered but by a key that it accepted on a dialog the user could
// read. It imports only package time.
package consent

import "time"

// The times of docs/decisions.md 1 to 3.
const (
	// Quiet is how long nothing must have gone elsewhere before a card listens,
	// how long it must have been on the screen, how long before an answering
	// letter no other may have come, within which the same key again is one that is
	// held down, and how long a terminal may take to confirm that it has drawn a card.
	Quiet = 400 * time.Millisecond / Pace
	// Alone is how long nothing may come after an answering letter.
	Alone = 200 * time.Millisecond / Pace
	// Typing is the longest pause between two letters of a word: how long nothing may
	// come after a letter that answers for more than once, or chooses what Enter does.
	Typing = 650 * time.Millisecond / Pace
	// Burst is the longest pause in what is written in one go.
	Burst = time.Second / Pace
	// Flush is how long a frame may take from the model to the terminal.
	Flush = 50 * time.Millisecond / Pace
)

// Guard decides which keys count as deliberate (docs/decisions.md 1 to 3). It knows
// neither cards nor clocks: the card in front reports what a key would do, and
// every call carries the time at which its cause was read. M is what a key is to
// its owner; consent keeps keys back and returns them, and never looks inside.
//
// It fails closed. Times that run backwards, frames that are never confirmed and
// keys that are held down only ever make it take longer to listen.
type Guard[M any] struct {
	open       bool   // there is a card in front
	generation uint64 // counts the frames that must be painted before the card listens

	probe   time.Time // when to look whether the frame was drawn; zero: no need
	shown   time.Time // when the frame of this generation was known to be out
	painted time.Time // when the terminal confirmed it, or its time to do so was over

	focused    bool
	deliberate bool      // focus was moved here by the user
	aside      bool      // the user took the focus away: it does not come back by itself
	drafted    bool      // there is an unsent draft
	back       time.Time // when the focus comes back by itself; zero: it does not
	turned     bool      // the card shows a page the user went to
	same       bool      // and it is more of the one before
	whole      bool      // the card takes the window: no key of it is for the draft
	away       bool      // the terminal reports that its window is not in focus
	focusIn    time.Time
	elsewhere  time.Time // the last key that was not the card's

	text     time.Time // the last printable press, wherever it went
	letter   time.Time // the last one that was not written on a line of the card
	last     rune
	lastAt   time.Time
	released bool // last was let go of since lastAt

	kept    []M       // printable presses the card took, young enough to be taken back
	held    time.Time // when the answering press in kept counts; zero: no such press
	picked  time.Time // the last letter that chose a row
	spilled []M       // what belongs to the draft and was not yet fetched
}

// Frame is the number of the frame that must be painted before the card listens.
func (c *Guard[M]) Frame() uint64 { return c.generation }

// Awaits reports whether the frame of a generation is the one that has yet to go to
// the terminal.
func (c *Guard[M]) Awaits(generation uint64) bool {
	return c.open && c.generation == generation && c.shown.IsZero()
}

// within reports whether at comes less than d after t. A time before t does,
// too: a late stamp must not make a key look isolated.
func within(t, at time.Time, d time.Duration) bool {
	return !t.IsZero() && at.Sub(t) < d
}

// Appear puts another card in front. It takes the focus by itself only where
// there is no unsent draft.
func (c *Guard[M]) Appear(at time.Time, draftEmpty bool) {
	c.open = true
	c.focused, c.deliberate, c.turned, c.same = draftEmpty, false, false, false
	c.aside, c.drafted, c.back = false, !draftEmpty, time.Time{}
	c.Repaint(at)
}

// Whole notes whether the card takes the whole window. No press of its then goes to the
// draft, nor does the focus: what would do so is dropped.
func (c *Guard[M]) Whole(whole bool) { c.whole = whole }

// Move puts another card in front because the user asked the card that was
// there for it: focus stays, everything else starts anew.
func (c *Guard[M]) Move(at time.Time) {
	c.deliberate, c.turned, c.same = true, false, false
	c.Repaint(at)
}

// Turn puts another page of the card in front because the user asked for it.
// It listens no sooner than another card would. Only keys that move are its own once
// it was drawn, but for letters: one would choose a row that the user has not seen.
func (c *Guard[M]) Turn(at time.Time) {
	c.Move(at)
	c.turned = true
}

// More puts more of the same page in front, because the user asked for it. It is Turn, but
// for letters that move: the card has the rows that it had.
func (c *Guard[M]) More(at time.Time) {
	c.Turn(at)
	c.same = true
}

// Vanish notes that there is no card any more.
func (c *Guard[M]) Vanish() {
	c.giveBack()
	c.open, c.focused, c.deliberate = false, false, false
	c.back = time.Time{}
}

// Repaint notes that what is on the screen is not the card as it is now.
func (c *Guard[M]) Repaint(at time.Time) {
	c.giveBack()
	c.generation++
	c.probe, c.shown, c.painted = at.Add(Flush), time.Time{}, time.Time{}
}

// Show notes that a frame of the present generation is on its way to the
// terminal. From now on the terminal has its time to confirm it.
func (c *Guard[M]) Show(at time.Time) {
	if c.open && c.shown.IsZero() {
		c.probe, c.shown = time.Time{}, at
	}
}

// Paint notes that the terminal has confirmed a frame of generation gen.
func (c *Guard[M]) Paint(gen uint64, at time.Time) {
	if c.open && gen == c.generation && c.painted.IsZero() {
		c.Show(at)
		c.painted = at
	}
}

// Other notes that a key went elsewhere.
func (c *Guard[M]) Other(at time.Time) {
	c.giveBack()
	c.elsewhere = Later(c.elsewhere, at)
	if !c.back.IsZero() {
		c.back = Later(c.back, at.Add(Quiet))
	}
}

// giveBack returns an answering press that did not stay alone to the draft, and
// takes the focus from the card with it.
func (c *Guard[M]) giveBack() {
	if !c.held.IsZero() && !c.whole {
		c.spilled = append(c.spilled, c.kept...)
		c.focused, c.deliberate = false, false
	}
	c.kept, c.held = nil, time.Time{}
}

// spill gives m, and what was kept before it, to the draft. Whoever types
// there is not answering: the card loses the focus. A press on a card that takes the
// window is dropped in place of that.
func (c *Guard[M]) spill(m M, at time.Time) Decision {
	if c.whole {
		c.kept, c.held = nil, time.Time{}
		return Hasty
	}
	return c.toDraft(m, at)
}

// toDraft gives m, and what was kept before it, to the draft.
func (c *Guard[M]) toDraft(m M, at time.Time) Decision {
	c.spilled = append(append(c.spilled, c.kept...), m)
	c.kept, c.held = nil, time.Time{}
	c.elsewhere = Later(c.elsewhere, at)
	c.focused, c.deliberate = false, false
	return ToComposer
}

// Take returns what belongs to the draft since the last call, in order.
func (c *Guard[M]) Take() []M {
	out := c.spilled
	c.spilled = nil
	return out
}

// Release notes that a key was let go of. It can only make the next press of
// the same key a fresh one.
func (c *Guard[M]) Release(key rune) {
	if key == c.last {
		c.released = true
	}
}

// Paste decides on pasted text, which never answers anything. As with press, tick has
// let time pass before.
func (c *Guard[M]) Paste(m M, field bool, at time.Time) Decision {
	c.text = Later(c.text, at)
	switch {
	case !c.open || !c.focused:
		c.Other(at)
		return Ignore
	case field:
		return Accept
	default:
		return c.toDraft(m, at)
	}
}

// Press decides on a key press that would have role r. What is due by then, tick has
// done before: what it has not done keeps the card from listening.
func (c *Guard[M]) Press(m M, k KeyPress, r Role, at time.Time) Decision {
	burst, word := within(c.text, at, Quiet), within(c.text, at, Typing)
	repeat := k.Repeat || k.Key == c.last && !c.released && within(c.lastAt, at, Quiet)
	c.note(k, r, at)
	if !word && c.held.IsZero() {
		c.kept = nil
	}
	switch {
	case !c.open || !c.focused:
		c.Other(at)
		return Ignore
	case r.writes():
		return Accept
	case k.Repeat && k.Text && r != Moves:
		return Drop // a key still held down from an earlier card
	case !c.held.IsZero():
		return c.disturb(m, k, at)
	case c.Armed(at), c.movesOnTurned(k, r):
		burst = burst || k.Text && word && (r == Picks || within(c.picked, at, Typing))
		return c.decide(m, k, r, burst, repeat, at)
	}
	return c.early(m, k, r, burst, at)
}

// note keeps what later presses are compared with.
func (c *Guard[M]) note(k KeyPress, r Role, at time.Time) {
	c.last, c.lastAt, c.released = k.Key, Later(c.lastAt, at), false
	if !k.Text || k.Repeat {
		return
	}
	c.text = Later(c.text, at)
	if r != Types {
		c.letter = Later(c.letter, at)
	}
}

// movesOnTurned reports whether a key moves on a page that was turned to, and drawn: it
// counts before the card listens.
func (c *Guard[M]) movesOnTurned(k KeyPress, r Role) bool {
	return c.turned && !c.shown.IsZero() && r == Moves && (!k.Text || c.same)
}

// disturb ends a hold: a letter with company is typing. A key that prints
// nothing, Enter or Esc, cancels the letter and does no more, so that "y" and
// Enter typed in one go neither answer nor send anything.
func (c *Guard[M]) disturb(m M, k KeyPress, at time.Time) Decision {
	if k.Text {
		return c.spill(m, at)
	}
	c.Other(at)
	return Hasty
}

// early decides on a key for a card that has the focus and does not listen
// yet. Enter is lost rather than sent on: it would send a draft the user is
// not looking at. So is a letter alone where the user moved the focus to the card; with
// another it is typing.
func (c *Guard[M]) early(m M, k KeyPress, r Role, burst bool, at time.Time) Decision {
	switch {
	case c.turned && r == Moves:
		return Drop // a letter, or the page was not drawn
	case k.Text && c.deliberate && !burst:
		c.kept = []M{m}
		return Hasty
	case k.Text:
		return c.spill(m, at)
	}
	c.Other(at)
	if r == Chooses || r == Submits {
		return Hasty
	}
	return Ignore
}

// decide is for a card that listens.
func (c *Guard[M]) decide(m M, k KeyPress, r Role, burst, repeat bool, at time.Time) Decision {
	switch r {
	case Moves, Opens:
		if k.Text {
			c.kept = append(c.kept, m)
		}
		return Accept
	case Answers, Lasts, Picks:
		switch {
		case repeat:
			return Hasty
		case burst && c.deliberate && len(c.kept) > 0: // behind keys that the card took from a user who went there
			c.kept = append(c.kept, m)
			return Hasty
		case burst:
			return c.spill(m, at)
		}
		c.kept = []M{m}
		switch r {
		case Picks:
			c.picked = at
			return Accept
		case Lasts:
			c.held = at.Add(Typing)
		default:
			c.held = at.Add(Alone)
		}
		return Defer
	case Chooses:
		if repeat || burst {
			return Hasty
		}
		return Accept
	case Submits:
		if repeat || within(c.letter, at, Quiet) {
			return Hasty
		}
		return Accept
	default:
		if k.Text {
			return c.spill(m, at)
		}
		c.Other(at)
		return Ignore
	}
}

// Tick returns the held press once it has stayed alone for long enough.
func (c *Guard[M]) Tick(at time.Time) (m M, ok bool) {
	c.advance(at)
	if due := c.HeldUntil(); due.IsZero() || at.Before(due) {
		return m, false
	}
	m = c.kept[0]
	c.kept, c.held = nil, time.Time{}
	return m, true
}

// Held returns the press that is held back, if there is one.
func (c *Guard[M]) Held() (m M, ok bool) {
	if c.held.IsZero() {
		return m, false
	}
	return c.kept[0], true
}

// HeldUntil is when a press that is held back counts; zero if no press is held back.
func (c *Guard[M]) HeldUntil() time.Time { return c.held }

// advance lets the terminal's time to confirm a frame run out, and the quiet time
// after which the focus comes back.
func (c *Guard[M]) advance(at time.Time) {
	if !c.back.IsZero() && !at.Before(c.back) {
		c.back = time.Time{}
		c.focused, c.focusIn = true, Later(c.focusIn, at)
	}
	if !c.probe.IsZero() && !at.Before(c.probe) {
		c.probe = time.Time{}
	}
	if c.open && c.painted.IsZero() && !c.shown.IsZero() && !at.Before(c.shown.Add(Quiet)) {
		c.painted = c.shown.Add(Quiet)
	}
}

// Armed reports whether the card listens at that time.
func (c *Guard[M]) Armed(at time.Time) bool {
	from, ok := c.armedFrom()
	return ok && !at.Before(from)
}

// armedFrom returns when the card begins to listen if nothing else happens.
func (c *Guard[M]) armedFrom() (time.Time, bool) {
	if !c.open || !c.focused || c.away || c.painted.IsZero() {
		return time.Time{}, false
	}
	return Later(c.painted, Later(c.focusIn, c.elsewhere)).Add(Quiet), true
}
