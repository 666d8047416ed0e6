package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/history/sessions/fake"
	"parley/tui/keymap"
	"parley/tui/transcript"
)

// previewing is a scenario with the preview of a session of these texts, in which
// a word is looked for.
func previewing(t *testing.T, word string, texts ...string) (*window, *preview) {
	t.Helper()
	l := fake.Some(t)
	l.All = l.All[:1]
	l.Logs["aaaa-1"] = fake.Log(t, fake.Now.Add(-time.Hour), texts...)
	w := open(t, l, nil)
	w.size(140, 45)
	w.wait(time.Second)
	w.keys("/")
	w.types(word, 100*time.Millisecond)
	w.wait(time.Second)
	w.keys("esc")
	p := w.b.preview
	if p == nil || p.currentNumber != 1 {
		t.Fatalf("no hit is shown:\n%s", w.text())
	}
	return w, p
}

// turns presses a key and lets the loop turn until nothing more comes of it, or
// on says so. It returns how often the loop turned.
func (w *window) turns(key string, on func(turn int) bool) (n int) {
	w.t.Helper()
	w.b.SetFacts(w.facts)
	cmds := []tea.Cmd{w.b.Key(keymap.Stroke(key))}
	for ; len(cmds) > 0; cmds = cmds[1:] {
		if n++; !on(n) {
			return n
		}
		if cmds[0] == nil {
			continue
		}
		switch msg := cmds[0]().(type) {
		case tea.BatchMsg:
			cmds = append(cmds, msg...)
		case Msg:
			cmds = append(cmds, w.b.Update(msg))
		}
	}
	return n
}

// looked is how many lines a way down has come past since the first of the log.
func (p *preview) looked() (lines int) {
	to, _ := p.pane.Timeline.Find(p.matchLines.entry)
	for i := range to + 1 {
		units := p.pane.Units(i)
		if i == to {
			units = p.matchLines.units
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
	w, p := previewing(t, "needle", "A needle.", much+"A needle.\n\n"+much, "A needle.")
	top, before, most := p.pane.Top, p.looked(), 0
	within := func(int) bool {
		now := p.looked()
		most, before = max(most, now-before), now
		return true
	}
	if n := w.turns("}", within); n < 10 || most > 2*stepLines {
		t.Errorf("up to %d lines in one of %d turns", most, n)
	}
	if p.currentNumber != 2 || p.pane.Top == top {
		t.Fatalf("at hit %d", p.currentNumber)
	}
	top = p.pane.Top
	if n := w.turns("}", func(n int) bool { return n < 5 }); n != 5 || p.hop == nil || p.pane.Top != top {
		t.Fatalf("after %d turns it is at %v", n, p.pane.Top)
	}
	rest := w.b.continueHop(p, p.hop)
	w.keys("s") // sorts the list
	if w.run(rest); p.hop != nil || p.currentNumber != 2 || p.pane.Top != top {
		t.Errorf("a key did not end the way: at hit %d", p.currentNumber)
	}
	w.keys("}")
	if p.currentNumber != 3 {
		t.Errorf("at hit %d", p.currentNumber)
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
		w, p := previewing(t, "needle", texts...)
		type stop struct {
			transcript.Spot
			nth int
		}
		here := func() stop {
			w.screen()
			if !slices.Contains(p.pane.Rows(), p.currentPlace()) {
				rt.Fatalf("hit %d is not in view", p.currentNumber)
			}
			return stop{*p.current, p.currentNumber}
		}
		round := func() []stop {
			all := []stop{here()}
			for {
				w.keys("}")
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
				w.keys("{")
				if want := all[len(all)-1-i]; here() != want {
					rt.Fatalf("back at %v, not %v", here(), want)
				}
			}
		}
		check()
		w.size(rapid.IntRange(100, 180).Draw(rt, "width"), 45)
		w.keys("}")
		for p.currentNumber > 1 {
			w.keys("}")
		}
		check()
	})
}

// placeOf is where a spot is.
func (p *preview) placeOf(s transcript.Spot) transcript.Place {
	at, _ := p.pane.Find(s)
	return at
}
