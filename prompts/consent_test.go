package prompts

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// at is a time after start.
func at(d time.Duration) time.Time { return start.Add(d) }

// listening is a machine whose card has been armed since start + 1 s.
func listening() *consent[string] {
	c := &consent[string]{}
	c.window(true, at(0))
	c.appear(at(0), true)
	c.show(at(10 * ms))
	c.paint(c.generation, at(600*ms))
	return c
}

func letter(r rune) stroke { return stroke{key: r, text: true} }

func TestArmedFrom(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		do   func(c *consent[string])
		want time.Duration // 0: never
	}{
		{"painted", func(*consent[string]) {}, 1000 * ms},
		{"confirmed late, and time passed", func(c *consent[string]) { c.advance(at(700 * ms)) }, 1000 * ms},
		{"another key went elsewhere", func(c *consent[string]) { c.other(at(900 * ms)) }, 1300 * ms},
		{"window came back", func(c *consent[string]) { c.window(false, at(700*ms)); c.window(true, at(2000*ms)) }, 2400 * ms},
		{"window is away", func(c *consent[string]) { c.window(false, at(700*ms)) }, 0},
		{"repainted and confirmed", func(c *consent[string]) {
			c.repaint(at(700 * ms))
			c.show(at(710 * ms))
			c.paint(c.generation, at(720*ms))
		}, 1120 * ms},
		{"repainted, confirmation of the old frame", func(c *consent[string]) {
			old := c.generation
			c.repaint(at(700 * ms))
			c.paint(old, at(720*ms))
		}, 0},
		{"repainted, no confirmation", func(c *consent[string]) {
			c.repaint(at(700 * ms))
			c.show(at(710 * ms))
			c.advance(at(1500 * ms))
		}, 1510 * ms},
		{"repainted, and the time to confirm it is almost over", func(c *consent[string]) {
			c.repaint(at(700 * ms))
			c.show(at(710 * ms))
			c.advance(at(1110*ms - 1))
		}, 0},
		{"repainted, never drawn", func(c *consent[string]) {
			c.repaint(at(700 * ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"blurred", func(c *consent[string]) { c.blur() }, 0},
		{"blurred and focused", func(c *consent[string]) { c.blur(); c.focus(at(3000 * ms)) }, 3400 * ms},
		{"appeared over a draft", func(c *consent[string]) { c.appear(at(700*ms), false); c.paint(c.generation, at(720*ms)) }, 0},
		{"a draft came up", func(c *consent[string]) { c.draft(false, at(700*ms)) }, 0},
		{"a draft came up under a deliberate focus", func(c *consent[string]) { c.focus(at(700 * ms)); c.draft(false, at(700*ms)) }, 1100 * ms},
		{"a draft came up and went", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.advance(at(1300 * ms))
		}, 1700 * ms},
		{"a draft went, and a key came", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.other(at(1200 * ms))
			c.advance(at(1599 * ms))
		}, 0},
		{"put aside", func(c *consent[string]) { c.putAside() }, 0},
		{"put aside, and a draft came and went", func(c *consent[string]) {
			c.putAside()
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"vanished", func(c *consent[string]) { c.vanish() }, 0},
		{"put aside, and focused, and a draft came and went", func(c *consent[string]) {
			c.putAside()
			c.focus(at(700 * ms))
			c.blur()
			c.draft(false, at(750*ms))
			c.draft(true, at(900*ms))
			c.advance(at(1300 * ms))
		}, 1700 * ms},
		{"a draft came again before the focus was back", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.draft(false, at(1000*ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"a draft went a moment less than the quiet time ago", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.advance(at(1300*ms - 1))
		}, 0},
		{"a key came before the focus was back", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.other(at(1200 * ms))
			c.advance(at(1600*ms - 1))
		}, 0},
		{"a key came, and the focus is back", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.other(at(1200 * ms))
			c.advance(at(1600 * ms))
		}, 2000 * ms},
		{"the focus is back, and stays", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.advance(at(1300 * ms))
			c.advance(at(1600 * ms))
		}, 1700 * ms},
		{"the focus was back, and the user typed", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.advance(at(1300 * ms))
			c.press("e", letter('e'), ignores, at(1400*ms))
			c.advance(at(9000 * ms))
		}, 0},
		{"a draft over a focus that came back by itself, moved here by the user before", func(c *consent[string]) {
			c.focus(at(700 * ms))
			c.press("y", letter('y'), answers, at(1100*ms))
			c.other(at(1150 * ms))
			c.draft(false, at(1150*ms))
			c.draft(true, at(1200*ms))
			c.advance(at(1600 * ms))
			c.draft(false, at(1700*ms))
		}, 0},
		{"no draft, and none before", func(c *consent[string]) { c.blur(); c.draft(true, at(700*ms)); c.advance(at(9000 * ms)) }, 0},
		{"vanished while the focus was to come back", func(c *consent[string]) {
			c.draft(false, at(700*ms))
			c.draft(true, at(900*ms))
			c.vanish()
			c.advance(at(9000 * ms))
		}, 0},
		{"appeared again, put aside before", func(c *consent[string]) {
			c.putAside()
			c.appear(at(700*ms), false)
			c.draft(true, at(720*ms))
			c.paint(c.generation, at(730*ms))
			c.advance(at(1120 * ms))
		}, 1520 * ms},
		{"a paste went to the draft", func(c *consent[string]) { c.paste("", false, at(900*ms)); c.focus(at(950 * ms)) }, 1350 * ms},
		{"a paste elsewhere", func(c *consent[string]) { c.blur(); c.paste("", true, at(1900*ms)); c.focus(at(1000 * ms)) }, 2300 * ms},
		{"a key elsewhere", func(c *consent[string]) {
			c.blur()
			c.press("x", letter('x'), answers, at(1900*ms))
			c.focus(at(1000 * ms))
		}, 2300 * ms},
		{"a letter of no use", func(c *consent[string]) { c.press("x", letter('x'), ignores, at(1900*ms)); c.focus(at(1000 * ms)) }, 2300 * ms},
		{"a key of no use", func(c *consent[string]) { c.press("x", stroke{key: 1}, ignores, at(1900*ms)) }, 2300 * ms},
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
		k    stroke
		r    role
		want verdict
	}
	y := letter('y')
	enterKey := stroke{key: 13}
	for _, tc := range []struct {
		name  string
		steps []step
		fires time.Duration // 0: nothing is due in the end
		spill string
	}{
		{"alone", []step{{1000 * ms, y, answers, hold}}, 1200 * ms, ""},
		{"a moment early", []step{{999 * ms, y, answers, spill}}, 0, "y"},
		{"company after", []step{{1000 * ms, y, answers, hold}, {1199 * ms, letter('e'), ignores, spill}}, 0, "ye"},
		{"company before", []step{{1000 * ms, letter('j'), moves, act}, {1399 * ms, y, answers, spill}}, 0, "jy"},
		{"company long before", []step{{1000 * ms, letter('j'), moves, act}, {1400 * ms, y, answers, hold}}, 1600 * ms, ""},
		{"not a key of the card", []step{{1000 * ms, letter('e'), ignores, spill}, {1500 * ms, y, answers, pass}}, 0, "e"},
		{"repeat", []step{{1000 * ms, stroke{'y', true, true}, answers, swallow}}, 0, ""},
		{"held down", []step{{1000 * ms, y, answers, hold}, {1100 * ms, stroke{'y', true, true}, answers, swallow}}, 1200 * ms, ""},
		{"held down, unreported", []step{{1000 * ms, y, answers, hold}, {1100 * ms, y, answers, spill}}, 0, "yy"},
		{"enter after a letter cancels both", []step{{1000 * ms, y, answers, hold}, {1100 * ms, enterKey, chooses, swallow}}, 0, "y"},
		{"escape after a letter cancels it", []step{{1000 * ms, y, answers, hold}, {1100 * ms, stroke{key: 27}, moves, swallow}}, 0, "y"},
		{"enter on a row", []step{{1000 * ms, stroke{key: 1}, moves, act}, {1010 * ms, enterKey, chooses, act}}, 0, ""},
		{"enter twice", []step{{1000 * ms, enterKey, chooses, act}, {1300 * ms, enterKey, chooses, swallow}}, 0, ""},
		{"enter right after a letter that moved", []step{{1000 * ms, letter('j'), moves, act}, {1300 * ms, enterKey, chooses, swallow}}, 0, ""},
		{"enter before the card listens", []step{{900 * ms, enterKey, chooses, swallow}, {1200 * ms, y, answers, spill}}, 0, "y"},
		{"a key without print before", []step{{900 * ms, stroke{key: 1}, moves, pass}, {1299 * ms, y, answers, spill}}, 0, "y"},
		{"letters that move are given back", []step{
			{1000 * ms, letter('j'), moves, act}, {1200 * ms, letter('k'), moves, act}, {1300 * ms, letter('l'), ignores, spill},
		}, 0, "jkl"},
		{"letters that moved long ago are not", []step{{1000 * ms, letter('j'), moves, act}, {1500 * ms, letter('l'), ignores, spill}}, 0, "l"},
		{"typing on an open line", []step{{1000 * ms, y, types, act}, {1050 * ms, y, types, act}, {1080 * ms, enterKey, submits, act}}, 0, ""},
		{"enter on an empty line right after a letter", []step{{1000 * ms, y, types, act}, {1080 * ms, enterKey, chooses, swallow}}, 0, ""},
		{"a nanosecond early", []step{{1000*ms - 1, y, answers, spill}}, 0, "y"},
		{"company a nanosecond too near", []step{{1000 * ms, letter('j'), moves, act}, {1400*ms - 1, y, answers, spill}}, 0, "jy"},
		{"the same key a nanosecond too soon", []step{{1000 * ms, enterKey, chooses, act}, {1400*ms - 1, enterKey, chooses, swallow}}, 0, ""},
		{"the same key after the quiet time", []step{{1000 * ms, enterKey, chooses, act}, {1400 * ms, enterKey, chooses, act}}, 0, ""},
		{"enter on a line too soon after its letter", []step{
			{1000 * ms, y, types, act}, {1010 * ms, letter('j'), moves, act}, {1410*ms - 1, enterKey, submits, swallow},
		}, 0, ""},
		{"enter on a line after its letter", []step{
			{1000 * ms, y, types, act}, {1010 * ms, letter('j'), moves, act}, {1410 * ms, enterKey, submits, act},
		}, 0, ""},
		{"a letter of a key held down, unreported", []step{{1000 * ms, stroke{key: 'y'}, moves, act}, {1100 * ms, y, answers, swallow}}, 0, ""},
		{"a stamp that runs backwards", []step{{1500 * ms, letter('j'), moves, act}, {1100 * ms, y, answers, spill}}, 0, "jy"},
	} {
		c := listening()
		for i, s := range tc.steps {
			if got := c.press(string(s.k.key), s.k, s.r, at(s.at)); got != s.want {
				t.Errorf("%s: step %d: verdict %d, want %d", tc.name, i, got, s.want)
			}
		}
		if tc.fires != 0 {
			if m, ok := c.tick(at(tc.fires - 1)); ok || m != "" {
				t.Errorf("%s: counted before its time", tc.name)
			}
		}
		if m, ok := c.tick(at(20 * time.Second)); ok != (tc.fires != 0) || ok && m != "y" {
			t.Errorf("%s: counted: %v %q", tc.name, ok, m)
		}
		spilled := ""
		for _, m := range c.take() {
			spilled += m
		}
		if spilled != tc.spill {
			t.Errorf("%s: the draft got %q, want %q", tc.name, spilled, tc.spill)
		}
	}
}

// TestFreshPress: with releases reported, the same key soon after is a press
// of its own; without, it is the same press going on.
func TestFreshPress(t *testing.T) {
	t.Parallel()
	for _, released := range []bool{false, true} {
		c := listening()
		c.press("enter", stroke{key: 13}, chooses, at(1000*ms))
		if released {
			c.release(13)
		}
		if got := c.press("enter", stroke{key: 13}, chooses, at(1200*ms)); (got == act) != released {
			t.Errorf("released %v: verdict %d", released, got)
		}
	}
}

// TestSlowTyping: who types a word slowly and ends it with Enter has opened a
// line with its first letter, and does not send the rest.
func TestSlowTyping(t *testing.T) {
	t.Parallel()
	for pause, want := range map[time.Duration]verdict{150 * ms: swallow, 250 * ms: act} {
		c := listening()
		c.press("n", letter('n'), answers, at(1000*ms))
		if _, ok := c.tick(at(1200 * ms)); !ok {
			t.Fatal("the letter does not count")
		}
		c.press("o", letter('o'), types, at(1220*ms))
		if got := c.press("enter", stroke{key: 13}, submits, at(1220*ms+pause)); got != want {
			t.Errorf("enter %v after the second letter: verdict %d, want %d", pause, got, want)
		}
	}
}

// TestHoldEnds: whatever happens to the card while a letter is held back, the
// letter goes to the draft and not to a card, and the focus goes with it.
func TestHoldEnds(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(c *consent[string]){
		"resize":            func(c *consent[string]) { c.repaint(at(1100 * ms)) },
		"window loses":      func(c *consent[string]) { c.window(false, at(1100*ms)) },
		"another card":      func(c *consent[string]) { c.appear(at(1100*ms), true) },
		"no card":           func(c *consent[string]) { c.vanish() },
		"blur":              func(c *consent[string]) { c.blur() },
		"put aside":         func(c *consent[string]) { c.putAside() },
		"a key elsewhere":   func(c *consent[string]) { c.other(at(1100 * ms)) },
		"a paste":           func(c *consent[string]) { c.paste("", false, at(1100*ms)) },
		"a draft came up":   func(c *consent[string]) { c.draft(false, at(700*ms)) },
		"a paste elsewhere": func(c *consent[string]) { c.blur(); c.paste("", false, at(1100*ms)) },
	} {
		c := listening()
		if got := c.press("y", letter('y'), answers, at(1000*ms)); got != hold {
			t.Fatalf("verdict %d", got)
		}
		do(c)
		if _, ok := c.tick(at(5000 * ms)); ok {
			t.Errorf("%s: the letter counted", name)
		}
		if got := c.take(); len(got) == 0 || got[0] != "y" {
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
	draftWent := func(c *consent[string]) { c.draft(false, at(700*ms)); c.draft(true, at(900*ms)) }
	for _, tc := range []struct {
		name     string
		do       func(c *consent[string])
		at, want time.Duration // want 0: never
	}{
		{"the focus is to come back", draftWent, 900 * ms, 1300 * ms},
		{"and the card was repainted", func(c *consent[string]) { draftWent(c); c.repaint(at(950 * ms)) }, 950 * ms, 1000 * ms},
		{"and it was shown", func(c *consent[string]) {
			draftWent(c)
			c.repaint(at(950 * ms))
			c.show(at(960 * ms))
		}, 960 * ms, 1300 * ms},
		{"the focus came back", func(c *consent[string]) { draftWent(c); c.advance(at(1300 * ms)) }, 1300 * ms, 1700 * ms},
		{"the card vanished before", func(c *consent[string]) { draftWent(c); c.vanish() }, 900 * ms, 0},
		{"vanished before it was shown", func(c *consent[string]) { c.repaint(at(700 * ms)); c.vanish() }, 700 * ms, 0},
		{"time passed, but too little to be shown", func(c *consent[string]) {
			c.repaint(at(700 * ms))
			c.advance(at(750*ms - 1))
		}, 750*ms - 1, 750 * ms},
	} {
		c := listening()
		tc.do(c)
		want := time.Time{}
		if tc.want != 0 {
			want = at(tc.want)
		}
		if got := c.deadline(at(tc.at)); !got.Equal(want) {
			t.Errorf("%s: deadline %v, want %v", tc.name, got.Sub(start), tc.want)
		}
	}
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	c := &consent[string]{}
	if got := c.deadline(at(0)); !got.IsZero() {
		t.Errorf("without a card: %v", got)
	}
	c.appear(at(0), true)
	for i, want := range []time.Duration{50 * ms, 450 * ms, 850 * ms} {
		if got := c.deadline(c.lastDue()); !got.Equal(at(want)) {
			t.Fatalf("deadline %d is %v, want %v", i, got.Sub(start), want)
		}
		if i == 0 {
			c.show(at(want))
		}
		c.advance(at(want))
		c.lastAt = at(want)
	}
	if got := c.deadline(at(850 * ms)); !got.IsZero() {
		t.Errorf("an armed card wants to be woken at %v", got.Sub(start))
	}
	c.lastAt = time.Time{}
	c.press("y", letter('y'), answers, at(2000*ms))
	if got := c.deadline(at(2000 * ms)); !got.Equal(at(2200 * ms)) {
		t.Errorf("hold ends at %v", got.Sub(start))
	}
	c.other(at(2100 * ms))
	if got := c.deadline(at(2100 * ms)); !got.Equal(at(2100 * ms)) {
		t.Errorf("what belongs to the draft waits until %v", got.Sub(start))
	}
}

// lastDue is the time up to which TestDeadline has let time pass.
func (c *consent[M]) lastDue() time.Time { return later(start, c.lastAt) }

// TestTurn: a page the user went to answers no sooner than another card, and
// takes the keys that move once it was drawn.
func TestTurn(t *testing.T) {
	t.Parallel()
	turned := func() *consent[string] {
		c := listening()
		c.turn(at(2000 * ms))
		return c
	}
	enterKey, down, y := stroke{key: 13}, stroke{key: 1}, letter('y')
	for _, tc := range []struct {
		name        string
		k           stroke
		r           role
		want, drawn verdict // before and after it was drawn
	}{
		{"moves", down, moves, swallow, act},
		{"moves by letter", y, moves, swallow, swallow},
		{"answers", y, answers, spill, spill},
		{"enter", enterKey, chooses, swallow, swallow},
		{"submits", enterKey, submits, swallow, swallow},
		{"ignored", down, ignores, pass, pass},
		{"writes", y, types, act, act},
	} {
		c := turned()
		if got := c.press("k", tc.k, tc.r, at(2500*ms)); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
		c = turned()
		c.show(at(2400 * ms))
		if got := c.press("k", tc.k, tc.r, at(2500*ms)); got != tc.drawn {
			t.Errorf("%s on a page that was drawn: got %v, want %v", tc.name, got, tc.drawn)
		}
	}
	c := turned()
	if c.paint(c.generation-1, at(2100*ms)); c.armed(at(9000 * ms)) {
		t.Error("a frame of the page before arms it")
	}
	c.paint(c.generation, at(2100*ms))
	if from, ok := c.armedFrom(); !ok || !from.Equal(at(2500*ms)) {
		t.Errorf("armed from %v", from.Sub(start))
	}
	if got := c.press("k", down, moves, at(2200*ms)); got != act {
		t.Errorf("a page that the terminal has confirmed does not move: %v", got)
	}
	c.move(at(3000 * ms))
	if got := c.press("k", down, moves, at(3100*ms)); got != pass {
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
		want         verdict
		spill        int
		letterBehind verdict
	}{
		{"into a field", true, true, true, act, 0, spill},
		{"on rows", true, true, false, spill, 1, pass}, // whoever pastes is not answering
		{"into a field without focus", true, false, true, pass, 0, pass},
		{"on rows without focus", true, false, false, pass, 0, pass},
		{"without a card", false, false, false, pass, 0, pass},
		{"without a card, where a field was", false, false, true, pass, 0, pass},
	} {
		c := listening()
		switch {
		case !tc.open:
			c.vanish()
		case !tc.focus:
			c.blur()
		}
		if got := c.paste("text", tc.field, at(1000*ms)); got != tc.want {
			t.Errorf("%s: verdict %d, want %d", tc.name, got, tc.want)
		}
		if got := len(c.take()); got != tc.spill {
			t.Errorf("%s: %d for the draft", tc.name, got)
		}
		if got := c.press("y", letter('y'), answers, at(1300*ms)); got != tc.letterBehind {
			t.Errorf("%s: a letter behind it: verdict %d, want %d", tc.name, got, tc.letterBehind)
		}
	}
}
