package browser

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/history/sessions/fake"
	"parley/tui/keymap"
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
	w.keys("enter")
	p := w.b.preview
	if p == nil || p.nth() != 1 {
		t.Fatalf("no hit is shown:\n%s", w.text())
	}
	return w, p
}

// nth is the number of the hit that is shown.
func (p *preview) nth() int {
	n, _ := p.search.Place()
	return n
}

// turns presses a key and lets the loop turn until nothing more comes of it, or it has
// turned most times. It returns how often it did, and what is still to come.
func (w *window) turns(key string, most int) (n int, rest []tea.Cmd) {
	w.t.Helper()
	w.b.SetFacts(w.facts)
	rest = []tea.Cmd{w.b.Key(keymap.Stroke(key))}
	for ; len(rest) > 0 && n < most; n++ {
		cmd := rest[0]
		if rest = rest[1:]; cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			rest = append(rest, msg...)
		case Msg:
			rest = append(rest, w.b.Update(msg))
		}
	}
	return n, rest
}

// TestHopInSteps: the loop turns many times while it looks for a hit in thousands of
// lines; nothing moves meanwhile, and any key ends it.
func TestHopInSteps(t *testing.T) {
	t.Parallel()
	much := strings.Repeat("A line of straw.\n\n", 2000)
	w, p := previewing(t, "needle", "A needle.", much+"A needle.\n\n"+much, "A needle.")
	top := p.pane.Top
	if n, _ := w.turns("}", 1000); n < 10 || p.nth() != 2 || p.pane.Top == top {
		t.Fatalf("at hit %d after %d turns", p.nth(), n)
	}
	top = p.pane.Top
	n, rest := w.turns("}", 5)
	if n != 5 || p.nth() != 2 || p.pane.Top != top {
		t.Fatalf("after %d turns it is at %v", n, p.pane.Top)
	}
	w.keys("s") // sorts the list
	for _, cmd := range rest {
		w.run(cmd)
	}
	if p.nth() != 2 || p.pane.Top != top {
		t.Errorf("a key did not end the way: at hit %d", p.nth())
	}
	w.keys("}")
	if p.nth() != 3 {
		t.Errorf("at hit %d", p.nth())
	}
}

// TestHopVisitsEveryHit: next goes through all hits in their order, and around; before
// goes back the same way, also at another width.
func TestHopVisitsEveryHit(t *testing.T) {
	t.Parallel()
	words := []string{"needle", "Needle", "hay", "straw", "barn"}
	rapid.Check(t, func(rt *rapid.T) {
		texts := []string{"The first needle."}
		for range rapid.IntRange(0, 6).Draw(rt, "entries") {
			texts = append(texts, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 100).Draw(rt, "words"), rapid.SampledFrom([]string{" ", "\n", "\n\n"}).Draw(rt, "between")))
		}
		w, p := previewing(t, "needle", texts...)
		total := strings.Count(strings.ToLower(strings.Join(texts, " ")), "needle")
		for range 2 {
			for _, key := range []string{"}", "{"} {
				for range total {
					before := p.nth()
					want := before%total + 1
					if key == "{" {
						want = (before+total-2)%total + 1
					}
					if w.keys(key); p.nth() != want {
						rt.Fatalf("%s goes from hit %d to %d of %d", key, before, p.nth(), total)
					}
				}
			}
			w.size(rapid.IntRange(100, 180).Draw(rt, "width"), 45)
		}
	})
}
