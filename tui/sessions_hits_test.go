package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/tui/transcript"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// previewing is a scenario with the preview of a session of these texts, in which
// a word is looked for.
func previewing(t *testing.T, word string, texts ...string) (*scenario, *preview) {
	t.Helper()
	l := pastSessions(t)
	l.all = l.all[:1]
	l.logs["aaaa-1"] = logOf(t, started.Add(-time.Hour), texts...)
	sc := withPast(t, l, nil)
	sc.size(140, 45)
	sc.step("key", "ctrl+x s")
	sc.wait(time.Second)
	sc.step("key", "/")
	sc.step("type", word)
	sc.wait(time.Second)
	sc.step("key", "esc")
	p := over[*browser](sc.m).preview
	if p == nil || p.nth != 1 {
		t.Fatalf("no hit is shown:\n%s", strings.Join(sc.screen(), "\n"))
	}
	return sc, p
}

// turns presses a key and lets the loop turn until nothing more comes of it, or
// on says so. It returns how often the loop turned.
func (sc *scenario) turns(key string, on func(turn int) bool) (n int) {
	sc.t.Helper()
	msgs := []tea.Msg{inputMsg{At: sc.at, Msg: press(sc.t, key)}}
	for ; len(msgs) > 0; msgs = msgs[1:] {
		switch msg := msgs[0].(type) {
		case nil, timer:
		case tea.BatchMsg:
			for _, cmd := range msg {
				msgs = append(msgs, cmd())
			}
		default:
			_, cmd := sc.m.Update(msg)
			if n++; !on(n) {
				return n
			}
			if cmd != nil {
				msgs = append(msgs, cmd())
			}
		}
	}
	return n
}

// looked is how many lines a way down has come past since the first of the log.
func (p *preview) looked() (lines int) {
	to, _ := p.pane.Timeline.Find(p.stops.entry)
	for i := range to + 1 {
		units := p.pane.Units(i)
		if i == to {
			units = p.stops.units
		}
		for unit := range units {
			lines += len(p.pane.Lines(i, unit))
		}
	}
	return lines
}

// TestHopInSteps: a hop over thousands of lines looks at about a screen of them for
// each turn of the loop, and any key ends it.
func TestHopInSteps(t *testing.T) {
	t.Parallel()
	much := strings.Repeat("A line of straw.\n\n", 2000)
	sc, p := previewing(t, "needle", "A needle.", much+"A needle.\n\n"+much, "A needle.")
	top, before, most := p.pane.Top, p.looked(), 0
	within := func(int) bool {
		now := p.looked()
		most, before = max(most, now-before), now
		return true
	}
	if n := sc.turns("}", within); n < 10 || most > 2*seekLines {
		t.Errorf("up to %d lines in one of %d turns", most, n)
	}
	if p.nth != 2 || p.pane.Top == top {
		t.Fatalf("at hit %d", p.nth)
	}
	top = p.pane.Top
	if n := sc.turns("}", func(n int) bool { return n < 5 }); n != 5 || p.way == nil || p.pane.Top != top {
		t.Fatalf("after %d turns it is at %v", n, p.pane.Top)
	}
	rest := over[*browser](sc.m).walkIn(p, p.way)
	sc.step("key", "s") // sorts the list
	if sc.run(rest); p.way != nil || p.nth != 2 || p.pane.Top != top {
		t.Errorf("a key did not end the way: at hit %d", p.nth)
	}
	sc.step("key", "}")
	if p.nth != 3 {
		t.Errorf("at hit %d", p.nth)
	}
}

// TestHopVisitsEveryHit: next goes through all lines with hits in their order, and
// around; before goes back the same way. The number of a line is the same on both
// ways, also at another width.
func TestHopVisitsEveryHit(t *testing.T) {
	t.Parallel()
	words := []string{"needle", "Needle", "hay", "straw", "barn"}
	rapid.Check(t, func(rt *rapid.T) {
		texts := []string{"The first needle."}
		for range rapid.IntRange(0, 6).Draw(rt, "entries") {
			texts = append(texts, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 400).Draw(rt, "words"), rapid.SampledFrom([]string{" ", "\n", "\n\n"}).Draw(rt, "between")))
		}
		sc, p := previewing(t, "needle", texts...)
		type stop struct {
			transcript.Spot
			nth int
		}
		here := func() stop {
			sc.screen()
			if !slices.Contains(p.pane.Rows(), p.place()) {
				rt.Fatalf("hit %d is not in view", p.nth)
			}
			return stop{*p.now, p.nth}
		}
		round := func() []stop {
			all := []stop{here()}
			for {
				sc.step("key", "}")
				if now := here(); now != all[0] {
					all = append(all, now)
				} else {
					return all
				}
				if a, b := all[len(all)-2], all[len(all)-1]; !transcript.Before(p.placeOf(a.Spot), p.placeOf(b.Spot)) || a.nth > b.nth {
					rt.Fatalf("from %v on to %v", a, b)
				}
			}
		}
		check := func() {
			all := round()
			for i := range all {
				sc.step("key", "{")
				if want := all[len(all)-1-i]; here() != want {
					rt.Fatalf("back at %v, not %v", here(), want)
				}
			}
		}
		check()
		sc.size(rapid.IntRange(100, 180).Draw(rt, "width"), 45)
		sc.step("key", "}")
		for p.nth > 1 {
			sc.step("key", "}")
		}
		check()
	})
}

// placeOf is where a spot is.
func (p *preview) placeOf(s transcript.Spot) transcript.Place {
	at, _ := p.pane.Find(s)
	return at
}
