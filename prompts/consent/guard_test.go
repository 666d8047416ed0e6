package consent

import (
	"testing"
	"time"
)

// listening is a machine whose card has been armed since start + 1 s.
func listening() *Guard[string] {
	c := &Guard[string]{}
	c.Window(true, at(0))
	c.Appear(at(0), true)
	c.Show(at(10 * ms))
	c.Paint(c.generation, at(600*ms))
	return c
}

func letter(r rune) KeyPress { return KeyPress{Key: r, Text: true} }

func TestArmedFrom(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		do   func(c *Guard[string])
		want time.Duration // 0: never
	}{
		{"painted", func(*Guard[string]) {}, 1000 * ms},
		{"confirmed late, and time passed", func(c *Guard[string]) { c.advance(at(700 * ms)) }, 1000 * ms},
		{"another key went elsewhere", func(c *Guard[string]) { c.Other(at(900 * ms)) }, 1300 * ms},
		{"window came back", func(c *Guard[string]) { c.Window(false, at(700*ms)); c.Window(true, at(2000*ms)) }, 2400 * ms},
		{"window is away", func(c *Guard[string]) { c.Window(false, at(700*ms)) }, 0},
		{"repainted and confirmed", func(c *Guard[string]) {
			c.Repaint(at(700 * ms))
			c.Show(at(710 * ms))
			c.Paint(c.generation, at(720*ms))
		}, 1120 * ms},
		{"repainted, confirmation of the old frame", func(c *Guard[string]) {
			old := c.generation
			c.Repaint(at(700 * ms))
			c.Paint(old, at(720*ms))
		}, 0},
		{"repainted, no confirmation", func(c *Guard[string]) {
			c.Repaint(at(700 * ms))
			c.Show(at(710 * ms))
			c.advance(at(1500 * ms))
		}, 1510 * ms},
		{"repainted, and the time to confirm it is almost over", func(c *Guard[string]) {
			c.Repaint(at(700 * ms))
			c.Show(at(710 * ms))
			c.advance(at(1110*ms - 1))
		}, 0},
		{"repainted, never drawn", func(c *Guard[string]) {
			c.Repaint(at(700 * ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"blurred", func(c *Guard[string]) { c.blur() }, 0},
		{"blurred and focused", func(c *Guard[string]) { c.blur(); c.Focus(at(3000 * ms)) }, 3400 * ms},
		{"appeared over a draft", func(c *Guard[string]) { c.Appear(at(700*ms), false); c.Paint(c.generation, at(720*ms)) }, 0},
		{"a draft came up", func(c *Guard[string]) { c.Draft(false, at(700*ms)) }, 0},
		{"a draft came up under a deliberate focus", func(c *Guard[string]) { c.Focus(at(700 * ms)); c.Draft(false, at(700*ms)) }, 1100 * ms},
		{"a draft came up and went", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.advance(at(1300 * ms))
		}, 1700 * ms},
		{"a draft went, and a key came", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.Other(at(1200 * ms))
			c.advance(at(1599 * ms))
		}, 0},
		{"put aside", func(c *Guard[string]) { c.PutAside() }, 0},
		{"put aside, and a draft came and went", func(c *Guard[string]) {
			c.PutAside()
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"vanished", func(c *Guard[string]) { c.Vanish() }, 0},
		{"put aside, and focused, and a draft came and went", func(c *Guard[string]) {
			c.PutAside()
			c.Focus(at(700 * ms))
			c.blur()
			c.Draft(false, at(750*ms))
			c.Draft(true, at(900*ms))
			c.advance(at(1300 * ms))
		}, 1700 * ms},
		{"a draft came again before the focus was back", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.Draft(false, at(1000*ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"a draft went a moment less than the quiet time ago", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.advance(at(1300*ms - 1))
		}, 0},
		{"a key came before the focus was back", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.Other(at(1200 * ms))
			c.advance(at(1600*ms - 1))
		}, 0},
		{"a key came, and the focus is back", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.Other(at(1200 * ms))
			c.advance(at(1600 * ms))
		}, 2000 * ms},
		{"the focus is back, and stays", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.advance(at(1300 * ms))
			c.advance(at(1600 * ms))
		}, 1700 * ms},
		{"the focus was back, and the user typed", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.advance(at(1300 * ms))
			c.Press("e", letter('e'), Unused, at(1400*ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"a draft over a focus that came back by itself, moved here by the user before", func(c *Guard[string]) {
			c.Focus(at(700 * ms))
			c.Press("y", letter('y'), Answers, at(1100*ms))
			c.Other(at(1150 * ms))
			c.Draft(false, at(1150*ms))
			c.Draft(true, at(1200*ms))
			c.advance(at(1600 * ms))
			c.Draft(false, at(1700*ms))
		}, 0},
		{"no draft, and none before", func(c *Guard[string]) { c.blur(); c.Draft(true, at(700*ms)); c.advance(at(9000 * ms)) }, 0},
		{"vanished while the focus was to come back", func(c *Guard[string]) {
			c.Draft(false, at(700*ms))
			c.Draft(true, at(900*ms))
			c.Vanish()
			c.advance(at(9000 * ms))
		}, 0},
		{"appeared again, put aside before", func(c *Guard[string]) {
			c.PutAside()
			c.Appear(at(700*ms), false)
			c.Draft(true, at(720*ms))
			c.Paint(c.generation, at(730*ms))
			c.advance(at(1120 * ms))
		}, 1520 * ms},
		{"a paste went to the draft", func(c *Guard[string]) { c.Paste("", false, at(900*ms)); c.Focus(at(950 * ms)) }, 1350 * ms},
		{"a paste elsewhere", func(c *Guard[string]) { c.blur(); c.Paste("", true, at(1900*ms)); c.Focus(at(1000 * ms)) }, 2300 * ms},
		{"a key elsewhere", func(c *Guard[string]) {
			c.blur()
			c.Press("x", letter('x'), Answers, at(1900*ms))
			c.Focus(at(1000 * ms))
		}, 2300 * ms},
		{"a letter of no use", func(c *Guard[string]) { c.Press("x", letter('x'), Unused, at(1900*ms)); c.Focus(at(1000 * ms)) }, 2300 * ms},
		{"a key of no use", func(c *Guard[string]) { c.Press("x", KeyPress{Key: 1}, Unused, at(1900*ms)) }, 2300 * ms},
	} {
		c := listening()
		tc.do(c)
		from, ok := c.armedFrom()
		if ok != (tc.want != 0) || ok && !from.Equal(at(tc.want)) {
			t.Errorf("%s: armed from %v (%v), want %v", tc.name, from.Sub(start), ok, tc.want)
		}
	}
}

func TestPress(t *testing.T) {
	t.Parallel()
	type step struct {
		at   time.Duration
		k    KeyPress
		r    Role
		want Decision
	}
	y := letter('y')
	enterKey := KeyPress{Key: 13}
	for _, tc := range []struct {
		name  string
		steps []step
		fires time.Duration // 0: nothing is due in the end
		spill string
	}{
		{"alone", []step{{1000 * ms, y, Answers, Defer}}, 1200 * ms, ""},
		{"a moment early", []step{{999 * ms, y, Answers, ToComposer}}, 0, "y"},
		{"company after", []step{{1000 * ms, y, Answers, Defer}, {1199 * ms, letter('e'), Unused, ToComposer}}, 0, "ye"},
		{"company before", []step{{1000 * ms, letter('j'), Moves, Accept}, {1399 * ms, y, Answers, ToComposer}}, 0, "jy"},
		{"company long before", []step{{1000 * ms, letter('j'), Moves, Accept}, {1400 * ms, y, Answers, Defer}}, 1600 * ms, ""},
		{"not a key of the card", []step{{1000 * ms, letter('e'), Unused, ToComposer}, {1500 * ms, y, Answers, Ignore}}, 0, "e"},
		{"repeat", []step{{1000 * ms, KeyPress{'y', true, true}, Answers, Drop}}, 0, ""},
		{"held down", []step{{1000 * ms, y, Answers, Defer}, {1100 * ms, KeyPress{'y', true, true}, Answers, Drop}}, 1200 * ms, ""},
		{"held down, unreported", []step{{1000 * ms, y, Answers, Defer}, {1100 * ms, y, Answers, ToComposer}}, 0, "yy"},
		{"enter after a letter cancels both", []step{{1000 * ms, y, Answers, Defer}, {1100 * ms, enterKey, Chooses, Hasty}}, 0, "y"},
		{"escape after a letter cancels it", []step{{1000 * ms, y, Answers, Defer}, {1100 * ms, KeyPress{Key: 27}, Moves, Hasty}}, 0, "y"},
		{"enter on a row", []step{{1000 * ms, KeyPress{Key: 1}, Moves, Accept}, {1010 * ms, enterKey, Chooses, Accept}}, 0, ""},
		{"enter twice", []step{{1000 * ms, enterKey, Chooses, Accept}, {1300 * ms, enterKey, Chooses, Hasty}}, 0, ""},
		{"enter right after a letter that moved", []step{{1000 * ms, letter('j'), Moves, Accept}, {1300 * ms, enterKey, Chooses, Hasty}}, 0, ""},
		{"enter before the card listens", []step{{900 * ms, enterKey, Chooses, Hasty}, {1200 * ms, y, Answers, ToComposer}}, 0, "y"},
		{"a key without print before", []step{{900 * ms, KeyPress{Key: 1}, Moves, Ignore}, {1299 * ms, y, Answers, ToComposer}}, 0, "y"},
		{"letters that move are given back", []step{
			{1000 * ms, letter('j'), Moves, Accept}, {1200 * ms, letter('k'), Moves, Accept}, {1300 * ms, letter('l'), Unused, ToComposer},
		}, 0, "jkl"},
		{"letters that moved long ago are not", []step{{1000 * ms, letter('j'), Moves, Accept}, {1650 * ms, letter('l'), Unused, ToComposer}}, 0, "l"},
		{"typing on an open line", []step{{1000 * ms, y, Types, Accept}, {1050 * ms, y, Types, Accept}, {1080 * ms, enterKey, Submits, Accept}}, 0, ""},
		{"enter on an empty line right after a letter", []step{{1000 * ms, y, Types, Accept}, {1080 * ms, enterKey, Chooses, Hasty}}, 0, ""},
		{"a nanosecond early", []step{{1000*ms - 1, y, Answers, ToComposer}}, 0, "y"},
		{"company a nanosecond too near", []step{{1000 * ms, letter('j'), Moves, Accept}, {1400*ms - 1, y, Answers, ToComposer}}, 0, "jy"},
		{"the same key a nanosecond too soon", []step{{1000 * ms, enterKey, Chooses, Accept}, {1400*ms - 1, enterKey, Chooses, Hasty}}, 0, ""},
		{"the same key after the quiet time", []step{{1000 * ms, enterKey, Chooses, Accept}, {1400 * ms, enterKey, Chooses, Accept}}, 0, ""},
		{"enter on a line too soon after its letter", []step{
			{1000 * ms, y, Types, Accept}, {1010 * ms, letter('j'), Moves, Accept}, {1410*ms - 1, enterKey, Submits, Hasty},
		}, 0, ""},
		{"enter on a line after its letter", []step{
			{1000 * ms, y, Types, Accept}, {1010 * ms, letter('j'), Moves, Accept}, {1410 * ms, enterKey, Submits, Accept},
		}, 0, ""},
		{"a letter of a key held down, unreported", []step{{1000 * ms, KeyPress{Key: 'y'}, Moves, Accept}, {1100 * ms, y, Answers, Hasty}}, 0, ""},
		{"a stamp that runs backwards", []step{{1500 * ms, letter('j'), Moves, Accept}, {1100 * ms, y, Answers, ToComposer}}, 0, "jy"},
	} {
		c := listening()
		for i, s := range tc.steps {
			if got := c.Press(string(s.k.Key), s.k, s.r, at(s.at)); got != s.want {
				t.Errorf("%s: step %d: verdict %d, want %d", tc.name, i, got, s.want)
			}
		}
		if tc.fires != 0 {
			if m, ok := c.Tick(at(tc.fires - 1)); ok || m != "" {
				t.Errorf("%s: counted before its time", tc.name)
			}
		}
		if m, ok := c.Tick(at(20 * time.Second)); ok != (tc.fires != 0) || ok && m != "y" {
			t.Errorf("%s: counted: %v %q", tc.name, ok, m)
		}
		spilled := ""
		for _, m := range c.Take() {
			spilled += m
		}
		if spilled != tc.spill {
			t.Errorf("%s: the draft got %q, want %q", tc.name, spilled, tc.spill)
		}
	}
}

// TestFreshPress: with releases reported, the same key soon after is a press
// of its own; without, it is the same press continued.
func TestFreshPress(t *testing.T) {
	t.Parallel()
	for _, released := range []bool{false, true} {
		c := listening()
		c.Press("enter", KeyPress{Key: 13}, Chooses, at(1000*ms))
		if released {
			c.Release(13)
		}
		if got := c.Press("enter", KeyPress{Key: 13}, Chooses, at(1200*ms)); (got == Accept) != released {
			t.Errorf("released %v: verdict %d", released, got)
		}
	}
}

// TestSlowTyping: who types a word slowly and ends it with Enter has opened a
// line with its first letter, and does not send the rest.
func TestSlowTyping(t *testing.T) {
	t.Parallel()
	for pause, want := range map[time.Duration]Decision{150 * ms: Hasty, 250 * ms: Accept} {
		c := listening()
		c.Press("n", letter('n'), Answers, at(1000*ms))
		if _, ok := c.Tick(at(1200 * ms)); !ok {
			t.Fatal("the letter does not count")
		}
		c.Press("o", letter('o'), Types, at(1220*ms))
		if got := c.Press("enter", KeyPress{Key: 13}, Submits, at(1220*ms+pause)); got != want {
			t.Errorf("enter %v after the second letter: verdict %d, want %d", pause, got, want)
		}
	}
}

// TestHoldEnds: whatever happens to the card while a letter is held back, the
// letter goes to the draft and not to a card, and the focus goes with it.
func TestHoldEnds(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(c *Guard[string]){
		"resize":            func(c *Guard[string]) { c.Repaint(at(1100 * ms)) },
		"window loses":      func(c *Guard[string]) { c.Window(false, at(1100*ms)) },
		"another card":      func(c *Guard[string]) { c.Appear(at(1100*ms), true) },
		"no card":           func(c *Guard[string]) { c.Vanish() },
		"blur":              func(c *Guard[string]) { c.blur() },
		"put aside":         func(c *Guard[string]) { c.PutAside() },
		"a key elsewhere":   func(c *Guard[string]) { c.Other(at(1100 * ms)) },
		"a paste":           func(c *Guard[string]) { c.Paste("", false, at(1100*ms)) },
		"a draft came up":   func(c *Guard[string]) { c.Draft(false, at(700*ms)) },
		"a paste elsewhere": func(c *Guard[string]) { c.blur(); c.Paste("", false, at(1100*ms)) },
	} {
		c := listening()
		if got := c.Press("y", letter('y'), Answers, at(1000*ms)); got != Defer {
			t.Fatalf("verdict %d", got)
		}
		do(c)
		if _, ok := c.Tick(at(5000 * ms)); ok {
			t.Errorf("%s: the letter counted", name)
		}
		if got := c.Take(); len(got) == 0 || got[0] != "y" {
			t.Errorf("%s: the draft got %q", name, got)
		}
		if c.focused {
			t.Errorf("%s: the card has the focus", name)
		}
	}
}

// TestEarliestDeadline: of all that is due the first wakes, nothing wakes twice, and
// without a card nothing does.
func TestEarliestDeadline(t *testing.T) {
	t.Parallel()
	draftWent := func(c *Guard[string]) { c.Draft(false, at(700*ms)); c.Draft(true, at(900*ms)) }
	for _, tc := range []struct {
		name     string
		do       func(c *Guard[string])
		at, want time.Duration // want 0: never
	}{
		{"the focus is to come back", draftWent, 900 * ms, 1300 * ms},
		{"and the card was repainted", func(c *Guard[string]) { draftWent(c); c.Repaint(at(950 * ms)) }, 950 * ms, 1000 * ms},
		{"and it was shown", func(c *Guard[string]) {
			draftWent(c)
			c.Repaint(at(950 * ms))
			c.Show(at(960 * ms))
		}, 960 * ms, 1300 * ms},
		{"the focus came back", func(c *Guard[string]) { draftWent(c); c.advance(at(1300 * ms)) }, 1300 * ms, 1700 * ms},
		{"the card vanished before", func(c *Guard[string]) { draftWent(c); c.Vanish() }, 900 * ms, 0},
		{"vanished before it was shown", func(c *Guard[string]) { c.Repaint(at(700 * ms)); c.Vanish() }, 700 * ms, 0},
		{"time passed, but too little to be shown", func(c *Guard[string]) {
			c.Repaint(at(700 * ms))
			c.advance(at(750*ms - 1))
		}, 750*ms - 1, 750 * ms},
	} {
		c := listening()
		tc.do(c)
		want := time.Time{}
		if tc.want != 0 {
			want = at(tc.want)
		}
		if got := c.Deadline(at(tc.at)); !got.Equal(want) {
			t.Errorf("%s: deadline %v, want %v", tc.name, got.Sub(start), tc.want)
		}
	}
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	c := &Guard[string]{}
	if got := c.Deadline(at(0)); !got.IsZero() {
		t.Errorf("without a card: %v", got)
	}
	c.Appear(at(0), true)
	for i, want := range []time.Duration{50 * ms, 450 * ms, 850 * ms} {
		if got := c.Deadline(c.lastDue()); !got.Equal(at(want)) {
			t.Fatalf("deadline %d is %v, want %v", i, got.Sub(start), want)
		}
		if i == 0 {
			c.Show(at(want))
		}
		c.advance(at(want))
		c.lastAt = at(want)
	}
	if got := c.Deadline(at(850 * ms)); !got.IsZero() {
		t.Errorf("an armed card wants to be woken at %v", got.Sub(start))
	}
	c.lastAt = time.Time{}
	c.Press("y", letter('y'), Answers, at(2000*ms))
	if got := c.Deadline(at(2000 * ms)); !got.Equal(at(2200 * ms)) {
		t.Errorf("hold ends at %v", got.Sub(start))
	}
	c.Other(at(2100 * ms))
	if got := c.Deadline(at(2100 * ms)); !got.Equal(at(2100 * ms)) {
		t.Errorf("what belongs to the draft waits until %v", got.Sub(start))
	}
}

// lastDue is the time up to which TestDeadline has let time pass.
func (c *Guard[M]) lastDue() time.Time { return Later(start, c.lastAt) }

// TestTurn: a page the user went to answers no sooner than another card, and
// takes the keys that move once it was drawn.
func TestTurn(t *testing.T) {
	t.Parallel()
	turned := func() *Guard[string] {
		c := listening()
		c.Turn(at(2000 * ms))
		return c
	}
	enterKey, down, y := KeyPress{Key: 13}, KeyPress{Key: 1}, letter('y')
	for _, tc := range []struct {
		name        string
		k           KeyPress
		r           Role
		want, drawn Decision // before and after it was drawn
	}{
		{"moves", down, Moves, Drop, Accept},
		{"moves by letter", y, Moves, Drop, Drop},
		{"answers", y, Answers, Hasty, Hasty},
		{"enter", enterKey, Chooses, Hasty, Hasty},
		{"submits", enterKey, Submits, Hasty, Hasty},
		{"ignored", down, Unused, Ignore, Ignore},
		{"writes", y, Types, Accept, Accept},
	} {
		c := turned()
		if got := c.Press("k", tc.k, tc.r, at(2500*ms)); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
		c = turned()
		c.Show(at(2400 * ms))
		if got := c.Press("k", tc.k, tc.r, at(2500*ms)); got != tc.drawn {
			t.Errorf("%s on a page that was drawn: got %v, want %v", tc.name, got, tc.drawn)
		}
	}
	c := turned()
	if c.Paint(c.generation-1, at(2100*ms)); c.Armed(at(9000 * ms)) {
		t.Error("a frame of the page before arms it")
	}
	c.Paint(c.generation, at(2100*ms))
	if from, ok := c.armedFrom(); !ok || !from.Equal(at(2500*ms)) {
		t.Errorf("armed from %v", from.Sub(start))
	}
	if got := c.Press("k", down, Moves, at(2200*ms)); got != Accept {
		t.Errorf("a page that the terminal has confirmed does not move: %v", got)
	}
	c.Move(at(3000 * ms))
	if got := c.Press("k", down, Moves, at(3100*ms)); got != Ignore {
		t.Errorf("another card takes keys at once: %v", got)
	}
}

// TestPaste: pasted text is written where a field of the card has the focus, goes
// elsewhere where the card has none, and else to the draft; it is company of a letter.
func TestPaste(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name         string
		open, focus  bool
		field        bool
		want         Decision
		spill        int
		letterBehind Decision
	}{
		{"into a field", true, true, true, Accept, 0, ToComposer},
		{"on rows", true, true, false, ToComposer, 1, Ignore}, // whoever pastes is not answering
		{"into a field without focus", true, false, true, Ignore, 0, Ignore},
		{"on rows without focus", true, false, false, Ignore, 0, Ignore},
		{"without a card", false, false, false, Ignore, 0, Ignore},
		{"without a card, where a field was", false, false, true, Ignore, 0, Ignore},
	} {
		c := listening()
		switch {
		case !tc.open:
			c.Vanish()
		case !tc.focus:
			c.blur()
		}
		if got := c.Paste("text", tc.field, at(1000*ms)); got != tc.want {
			t.Errorf("%s: verdict %d, want %d", tc.name, got, tc.want)
		}
		if got := len(c.Take()); got != tc.spill {
			t.Errorf("%s: %d for the draft", tc.name, got)
		}
		if got := c.Press("y", letter('y'), Answers, at(1300*ms)); got != tc.letterBehind {
			t.Errorf("%s: a letter behind it: verdict %d, want %d", tc.name, got, tc.letterBehind)
		}
	}
}

const ms = time.Millisecond

var start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// at is a time after start.
func at(d time.Duration) time.Time { return start.Add(d) }

// TestWhole: while the card takes the window no press goes to the draft, and the focus
// stays, whatever ends the wait of a letter.
func TestWhole(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(*Guard[string]) Decision{
		"another letter": func(c *Guard[string]) Decision {
			return c.Press("e", KeyPress{Key: 'e', Text: true}, Unused, at(9100*ms))
		},
		"a key without a letter": func(c *Guard[string]) Decision { return c.Press("", KeyPress{Key: 1}, Moves, at(9100*ms)) },
		"another frame":          func(c *Guard[string]) Decision { c.Repaint(at(9100 * ms)); return Drop },
	} {
		var c Guard[string]
		c.Appear(at(0), true)
		c.Paint(c.generation, at(10*ms))
		c.advance(at(8000 * ms))
		c.Whole(true)
		if got := c.Press("y", KeyPress{Key: 'y', Text: true}, Answers, at(9000*ms)); got != Defer {
			t.Fatalf("%s: the letter is not held back: %v", name, got)
		}
		if got := ends(&c); got == ToComposer || got == Ignore || got == Accept {
			t.Errorf("%s: got %v", name, got)
		}
		if _, due := c.Tick(at(9900 * ms)); due || len(c.Take()) > 0 || !c.HasFocus() {
			t.Errorf("%s: it counts, or goes to the draft, or takes the focus", name)
		}
	}
}
