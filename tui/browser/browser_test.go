package browser

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/history/sessions"
	"parley/history/sessions/fake"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
)

// valid checks that what is chosen is one of what was found, and in view
// where the list is.
func (b *Browser) valid() error {
	l := &b.list
	_, wide := b.listWidth()
	switch s, line := l.session(), l.lineOf(l.chosenItem); {
	case len(l.hits) == 0 && (l.chosenItem != -1 || l.chosen != ""):
		return fmt.Errorf("%q is chosen of nothing", l.chosen)
	case len(l.hits) > 0 && (s == nil || s.ID != l.chosen):
		return fmt.Errorf("%q is chosen, and item %d of %d is shown as chosen", l.chosen, l.chosenItem, len(l.items))
	case s != nil && (wide || !b.previewFocused) && (line < l.top || line >= l.top+max(1, b.bodyRows())):
		return fmt.Errorf("line %d is chosen, %d to %d are in view", line, l.top, l.top+b.bodyRows())
	}
	return nil
}

// Whatever is pressed and whatever is found, in any order and at any size, the
// view fits, and one of the sessions is chosen and in view.
func TestBrowserProperty(t *testing.T) {
	t.Parallel()
	keys := []string{
		"up", "down", "j", "k", "pgup", "pgdown", "ctrl+u", "ctrl+d", "g", "G", "/", "t", "i", "esc", "enter", "space", "tab", "a", "s", "b",
		"p", "r", "z", "x", "u", "y", "n", "N", "}", "{", "?", "backspace", "ctrl+r", "left", "f", "e", "o",
	}
	rapid.Check(t, func(rt *rapid.T) {
		l := fake.Some(t)
		l.Indexing = slices.Repeat([]sessions.Progress{{Done: 1, All: 6}}, rapid.IntRange(0, 5).Draw(rt, "indexing"))
		w := open(t, l, nil)
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			if w.closed {
				w.reopen("")
			}
			switch rapid.IntRange(1, 12).Draw(rt, "step") {
			case 1:
				w.size(rapid.IntRange(20, 160).Draw(rt, "w"), rapid.IntRange(6, 50).Draw(rt, "h"))
			case 2:
				x := rapid.IntRange(0, 160).Draw(rt, "x")
				w.do(func(b *Browser) tea.Cmd { return b.Wheel(x, 3) })
			case 3:
				click := tea.MouseClickMsg{Button: tea.MouseLeft, X: rapid.IntRange(0, 160).Draw(rt, "x"), Y: rapid.IntRange(0, 50).Draw(rt, "y")}
				w.do(func(b *Browser) tea.Cmd { return b.Click(click) })
			case 4: // the index grows, in any order
				l.All = rapid.Permutation(l.All).Draw(rt, "order")
				l.All = l.All[:rapid.IntRange(0, len(l.All)).Draw(rt, "left")]
				l.All = append(l.All, fake.Some(t).All[rapid.IntRange(0, 5).Draw(rt, "from"):]...)
				slices.SortStableFunc(l.All, func(a, b sessions.Session) int { return strings.Compare(string(a.ID), string(b.ID)) })
				l.All = slices.CompactFunc(l.All, func(a, b sessions.Session) bool { return a.ID == b.ID })
				w.do((*Browser).search)
			case 5:
				w.wait(time.Duration(rapid.IntRange(1, 600).Draw(rt, "ms")) * time.Millisecond)
			case 6:
				w.do(func(b *Browser) tea.Cmd {
					cmd, _ := b.Paste("moon\nis:failed")
					return cmd
				})
			default:
				w.keys(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			if err := w.fits(); err != nil {
				rt.Fatal(err)
			}
			if w.b.loaded {
				if err := w.b.valid(); err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}

// What is chosen stays so, on its line of the screen, when the index finds others
// above it.
func TestBrowserKeepsThePlace(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	hidden := l.All[:2]
	l.All = slices.Clone(l.All[2:])
	l.Indexing = []sessions.Progress{{Done: 4, All: 6}, {Done: 4, All: 6}, {Done: 4, All: 6}}
	w := open(t, l, nil)
	w.size(60, 6) // two rows of sessions
	w.types("jjj", 50*time.Millisecond)
	before := w.screen()
	if !strings.Contains(before[0], "indexing 4 of 6") && !strings.Contains(before[0], "4 of 4") {
		t.Errorf("the heading is %q", before[0])
	}
	l.All = append(slices.Clone(hidden), l.All...)
	w.wait(time.Second)
	after := w.screen()
	if before[3] != after[3] || before[4] != after[4] || !strings.Contains(after[0], "6 of 6") {
		t.Errorf("before:\n%s\nafter:\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if n := len(l.Finds); n > 8 {
		t.Errorf("%d times looked for", n)
	}
	finds := len(l.Finds)
	w.wait(5 * time.Second)
	if len(l.Finds) != finds {
		t.Errorf("it looks on after the index is complete")
	}
}

// The secrets in a title are not shown, and found as before.
func TestTitlesHideSecrets(t *testing.T) {
	t.Parallel()
	const secret = "ghp_0123456789abcdefABCDEF0123456789abcd"
	l := fake.Some(t)
	l.All = slices.Clone(l.All)
	for i := range l.All {
		l.All[i].Title = "Use " + secret
	}
	w := open(t, l, nil)
	for _, width := range []int{80, 140} {
		w.size(width, 24)
		if s := w.text(); strings.Contains(s, "ghp_") || !strings.Contains(s, "Use [github pat hidden]") {
			t.Errorf("%d cells:\n%s", width, s)
		}
	}
	w.reopen(secret)
	if s := w.text(); !strings.Contains(s, "Use [github pat hidden]") {
		t.Errorf("looked for:\n%s", s)
	}
}

// Typing asks once, when it has stopped, and what an older query finds does not
// count.
func TestBrowserAsksOnce(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	w := open(t, l, nil)
	w.keys("a /")
	n := len(l.Finds)
	w.types("moon", fast)
	w.wait(time.Second)
	if got := l.Finds[n:]; len(got) != 1 || len(got[0].Query.Words) != 1 || got[0].Query.Words[0].Text != "moon" {
		t.Errorf("asked %v", got)
	}
	late := w.b.search()
	w.types("x", fast)
	w.run(late)
	w.wait(time.Second)
	if b := w.b; len(b.list.hits) != 0 || b.list.chosen != "" {
		t.Errorf("%d sessions for moonx", len(b.list.hits))
	}
}

// Going through the list reads only the session at which one stays, and one that
// was read before is there at once.
func TestPreviewWaits(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	w := open(t, l, nil)
	w.size(140, 45)
	w.keys("a g")
	for range 5 {
		w.press(keymap.Stroke("down"))
		w.wait(20 * time.Millisecond)
	}
	l.Reads = nil
	w.wait(time.Second)
	if want := []session.ID{"ffff-6"}; !slices.Equal(l.Reads, want) {
		t.Errorf("read %v", l.Reads)
	}
	w.keys("up")
	w.wait(time.Second)
	w.press(keymap.Stroke("down"))
	if p := w.b.preview; p == nil || p.log.ID != "ffff-6" || len(l.Reads) != 2 {
		t.Errorf("it is not there at once; read %v", l.Reads)
	}
	w.keys("k k") // cannot be read
	w.wait(time.Second)
	if screen := w.text(); !strings.Contains(screen, "It cannot be read: permission denied") {
		t.Errorf("nothing says why there is no preview:\n%s", screen)
	}
}

// A preview that takes long to read is read to its end, however often is looked
// meanwhile, with other words too.
func TestPreviewOfMuch(t *testing.T) {
	t.Parallel()
	w := open(t, fake.Some(t), nil)
	w.size(140, 45)
	b := w.b
	late := w.b.readPreview()
	for range 3 {
		w.do((*Browser).search)
	}
	w.press(keymap.Stroke("/"))
	b.query.Insert("drain")
	w.b.parseQuery()
	w.do((*Browser).search)
	if w.run(late); b.preview == nil || b.preview.log.ID != "aaaa-1" || b.preview.nth() != 1 {
		t.Errorf("the preview is %+v", b.preview)
	}
}

// What a log was cut off in is not shown as running in the preview.
func TestPreviewOfTheCutOff(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	for _, body := range []session.Body{
		session.AssistantTurnStart{TurnID: "1"},
		session.ToolExecutionStart{ToolCallID: "c1", ToolName: "bash", Arguments: []byte(`{"command":"make flood"}`)},
	} {
		line, err := session.Encode(session.Event{ID: session.EventID(fmt.Sprintf("%T", body)), Time: fake.Now.Add(-time.Hour), Body: body})
		if err != nil {
			t.Fatal(err)
		}
		l.Logs["aaaa-1"] += string(line) + "\n"
	}
	w := open(t, l, nil)
	w.size(140, 45)
	w.wait(time.Second)
	p := w.b.preview
	if p == nil || !strings.Contains(w.text(), "make flood") {
		t.Fatalf("no preview:\n%s", w.text())
	}
	last := p.pane.Timeline.At(p.pane.Timeline.Len() - 1)
	if p.pane.Timeline.Status().Busy || last.State == timeline.Live {
		t.Errorf("it works on: %+v", last)
	}
}

// Letters that come as fast as no key is pressed are no keys.
func TestBrowserBurst(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	w := open(t, l, nil)
	w.keys("a")
	for _, text := range []string{"gxxnxzfoe", "fork", "nothing else", "open it", "quick", "pin", "un", "yes", "xx", "zoo", "export"} {
		w.types(text, fast)
		w.press(keymap.Stroke("enter"))
		w.wait(time.Second)
		if b := w.b; w.closed || b.queryFocused || b.input != nil || !strings.Contains(b.message, "/ searches") || !strings.Contains(w.screen()[0], "Sessions") {
			t.Fatalf("a burst of %q left the browser, or says nothing", text)
		}
		w.keys("esc")
		if asked := w.asked[len(w.asked)-1:]; !slices.Equal(asked, []string{"overlay.Close"}) {
			t.Errorf("a burst of %q did %q", text, w.asked)
		}
		w.reopen("")
		w.keys("a")
	}
	if i := slices.IndexFunc(l.All, func(s sessions.Session) bool { return !s.Deleted.IsZero() || s.Archived || s.Mark.Name != "" }); i >= 0 {
		t.Errorf("%s is gone", l.All[i].ID)
	}
}

// Words that are typed as slowly as users type do nothing but choose another session, and
// what a first letter has opened is closed again; a search can follow at once.
func TestBrowserSlowWords(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"elephant", "nothing else", "fork it", "open", "export", "find", "quick", "parser", "undo it", "yes", "agent"} {
		for _, gap := range []time.Duration{100, 150, 300, 500} {
			if gap > 150 && strings.ContainsRune("pquy", rune(word[0])) {
				continue // the first letter acts, as no other follows
			}
			l := fake.Some(t)
			w := open(t, l, nil)
			w.keys("ctrl+r")
			options := w.options
			if word[0] == 'a' {
				options.Scope = (options.Scope + 1) % (sessions.Everywhere + 1)
			}
			w.types(word, gap*time.Millisecond)
			w.press(keymap.Stroke("enter"))
			w.wait(2 * time.Second)
			if len(w.asked) > 0 || w.options != options || w.b.input != nil || w.b.previewFocused || w.b.armed.action != "" {
				t.Errorf("%q, a letter in %d ms: asked %q, %+v\n%s", word, gap, w.asked, w.options, w.text())
			}
			if i := slices.IndexFunc(l.All, func(s sessions.Session) bool { return !s.Deleted.IsZero() || s.Archived }); i >= 0 {
				t.Errorf("%q: %s is gone", word, l.All[i].ID)
			}
			if w.press(keymap.Stroke("/")); !w.b.queryFocused {
				t.Errorf("%q: / does not search", word)
			}
		}
	}
}

// A letter acts at once when a key follows that continues no word, and not at all if that
// is Esc.
func TestBrowserLetterThenKey(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{"down": true, "ctrl+r": true, "esc": false} {
		l := fake.Some(t)
		w := open(t, l, nil)
		archived := func() bool {
			return slices.ContainsFunc(l.All, func(s sessions.Session) bool { return s.ID == "aaaa-1" && s.Archived })
		}
		before := archived()
		w.types("z", 50*time.Millisecond)
		w.press(keymap.Stroke(key))
		w.wait(time.Second)
		if got := archived(); before || got != want {
			t.Errorf("%s: archived: %t", key, got)
		}
	}
}

// A new session takes a second key, n or Enter, and another key starts none.
func TestNewSessionAsks(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]int{"n": 0, "n n": 1, "n enter": 1, "n y": 0, "n esc": 0, "n down n": 0, "n down n n": 1} {
		w := open(t, fake.Some(t), nil)
		w.keys(keys)
		if len(w.asked) != want || want > 0 && w.asked[0] != "browser.Start" {
			t.Errorf("%s: asked for %q", keys, w.asked)
		}
		if last := w.screen()[23]; keys == "n" && !strings.Contains(last, "Start a new session? enter or n starts it, no other key.") {
			t.Errorf("nothing asks: %q", last)
		}
	}
}

// The line of the query says how to search until it has the focus.
func TestQueryLineWithoutFocus(t *testing.T) {
	t.Parallel()
	w := open(t, fake.Some(t), nil)
	if line := w.screen()[1]; !strings.HasPrefix(line, "  press / to search: words,") {
		t.Errorf("without the focus: %q", line)
	}
	w.keys("/")
	if line := w.screen()[1]; !strings.HasPrefix(line, "  / words,") {
		t.Errorf("with the focus: %q", line)
	}
}

// Enter confirms a deletion that is asked for, and does not open the session.
func TestEnterConfirmsADeletion(t *testing.T) {
	t.Parallel()
	w := open(t, fake.Some(t), nil)
	w.keys("a x")
	w.wait(time.Second)
	if !strings.Contains(w.text(), "enter or x deletes it, no other key.") {
		t.Fatalf("nothing asks:\n%s", w.text())
	}
	w.keys("enter")
	w.wait(time.Second)
	if text := w.text(); w.closed || !strings.Contains(text, "Deleted when you leave Parley; u undoes that.") {
		t.Errorf("asked for %v, closed: %t\n%s", w.asked, w.closed, text)
	}
}

// Another key than those that confirm a deletion does nothing but to give it up.
func TestOtherKeysDeleteNothing(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"n", "y", "p", "esc", "e"} {
		w := open(t, fake.Some(t), nil)
		w.keys("a x")
		w.wait(time.Second)
		before := len(w.asked)
		w.keys(key)
		w.wait(time.Second)
		if text := w.text(); w.closed || len(w.asked) != before || !strings.Contains(text, "Not deleted.") {
			t.Errorf("%s asked for %v, closed: %t\n%s", key, w.asked[before:], w.closed, text)
		}
		w.keys("x")
		w.wait(time.Second)
		if !strings.Contains(w.text(), "enter or x deletes it, no other key.") {
			t.Errorf("after %s the next x does not ask again", key)
		}
	}
}

// A second press that may be a key that is held down deletes nothing, and says why.
func TestHastyDeletion(t *testing.T) {
	t.Parallel()
	w := open(t, fake.Some(t), nil)
	w.keys("a")
	w.types("x", 300*time.Millisecond)
	w.keys("x")
	if !strings.Contains(w.text(), "That was too quick: x once more.") {
		t.Fatalf("it does not say that nothing was done:\n%s", w.text())
	}
	w.wait(time.Second)
	w.keys("x")
	if text := w.text(); !strings.Contains(text, "Deleted when you leave Parley; u undoes that.") {
		t.Error(text)
	}
}

// Esc takes away what is searched for, also where nothing has it; the next one closes.
func TestEscClearsSearch(t *testing.T) {
	t.Parallel()
	w := open(t, fake.Some(t), nil)
	w.keys("/")
	w.types("nosuchword", time.Second)
	if !strings.Contains(w.text(), "esc clear") {
		t.Errorf("nothing says what esc does:\n%s", w.text())
	}
	w.keys("esc")
	w.wait(time.Second)
	if !w.b.query.Empty() || w.closed || w.b.queryFocused || !strings.Contains(w.text(), "Drain the queue") {
		t.Errorf("the search is still there:\n%s", w.text())
	}
	w.keys("/ esc esc")
	if asked := w.asked[len(w.asked)-1:]; !slices.Equal(asked, []string{"overlay.Close"}) {
		t.Errorf("it asked for %q", w.asked)
	}
}

// What keeps the library from finding is shown, and the window stays usable.
func TestBrowserWithoutLibrary(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	l.Err = errors.New("database disk image is malformed")
	l.Trouble = []string{"The index was damaged and is built anew."}
	w := open(t, l, nil)
	w.keys("j enter o x space / esc")
	if screen := w.text(); !strings.Contains(screen, "image is malformed") {
		t.Errorf("nothing says why:\n%s", screen)
	}
	l.Err = nil
	w.keys("a")
	if screen := w.text(); !strings.Contains(screen, "is built anew") || !strings.Contains(screen, "Release notes") {
		t.Errorf("the trouble is not shown beside the list:\n%s", screen)
	}
}

// Copies stand below what they are copies of, whatever the logs say of each other.
func TestTreeOfCopies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "sessions")
		var hits []sessions.Hit
		for i := range n {
			parent := session.ID(fmt.Sprint(rapid.IntRange(0, n+1).Draw(t, "parent")))
			hits = append(hits, sessions.Hit{Session: sessions.Session{
				Log: sessions.Log{ID: session.ID(fmt.Sprint(i))}, Facts: sessions.Facts{Parent: parent},
			}})
		}
		l := &sessionList{hits: hits}
		l.tree()
		seen := map[int]bool{}
		for i, item := range l.items {
			if seen[item.hit] {
				t.Fatalf("session %d stands twice", item.hit)
			}
			seen[item.hit] = true
			if item.depth == 0 {
				continue
			}
			above := i - 1
			for l.items[above].depth >= item.depth {
				above--
			}
			if hits[l.items[above].hit].ID != hits[item.hit].Parent {
				t.Fatalf("%d stands below %d", item.hit, l.items[above].hit)
			}
		}
		if len(seen) != n {
			t.Fatalf("%d of %d sessions", len(seen), n)
		}
	})
}

// Nothing that a log or a mark says reaches the terminal but as text.
func TestHostileSessions(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		h := sessiontest.NewHostile(seed)
		l := fake.Some(t)
		for i := range l.All {
			s := &l.All[i]
			for _, text := range []*string{
				&s.Title, &s.Mark.Name, &s.Repository, &s.Branch, &s.Model, &s.Agent, &s.Dir, &s.Root, &s.ReadProblem,
			} {
				*text = h.Text()
			}
			s.Tags = []string{h.Text()}
			l.Logs[s.ID] = fake.Log(t, fake.Now, h.Text(), h.Text())
		}
		l.Trouble = []string{h.Text()}
		w := open(t, l, nil)
		w.facts.Theme = []*theme.Theme{theme.Dark(), theme.Plain(), theme.Mono(theme.ASCII())}[seed%3]
		for range 3 {
			width, height := 20+h.IntN(120), 6+h.IntN(50)
			guard := sessiontest.NewGuard(width, height)
			w.size(width, height)
			w.reopen("")
			w.keys("a b b")
			for _, key := range strings.Fields("j j j j j space n esc x r esc t esc / esc") {
				w.keys(key)
				w.wait(100 * time.Millisecond)
				lines, _ := w.b.View(width, height)
				if found := guard.Draw(strings.Join(lines, "\n")); found != "" || w.fits() != nil {
					t.Fatalf("seed %d, after %s at %dx%d: %s %v", seed, key, width, height, found, w.fits())
				}
			}
		}
	}
}

// Without colour, what is chosen, what it is and how it stands are still shown.
func TestBrowserWithoutColour(t *testing.T) {
	t.Parallel()
	w := open(t, fake.Some(t), nil)
	w.keys("a j")
	plain := w.screen()
	w.facts.Theme = theme.Dark()
	if coloured := w.screen(); !slices.Equal(coloured, plain) {
		t.Errorf("colour says more than the text:\n%s\n%s", strings.Join(plain, "\n"), strings.Join(coloured, "\n"))
	}
}

// manySessions is a browser over n sessions, and them.
func manySessions(tb testing.TB, n int) (*window, []sessions.Hit) {
	tb.Helper()
	w := open(tb, fake.Some(tb), nil)
	hits := make([]sessions.Hit, n)
	for i := range hits {
		hits[i].Session = w.library.All[0]
		hits[i].ID = session.ID(fmt.Sprint("id-", i))
		hits[i].Used = fake.Now.Add(-time.Duration(i) * time.Hour)
	}
	w.options.group = byDay
	w.b.showResults(sessions.Found{Sessions: hits, Total: n}, nil)
	w.size(140, 45)
	return w, hits
}

// A key in a list of 2,000 sessions costs what is on the screen.
func BenchmarkBrowserMove(b *testing.B) {
	for _, n := range []int{20, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, _ := manySessions(b, n)
			l := &w.b.list
			b.ReportAllocs()
			for b.Loop() {
				if l.chosenItem == len(l.items)-1 {
					l.moveByAction("session-ends.first", 40)
				}
				l.moveByAction("session-move.after", 40)
				w.b.View(w.facts.Width, w.facts.Height)
			}
		})
	}
}

// BenchmarkBrowserFound is the arranging of 2,000 sessions that were found.
func BenchmarkBrowserFound(b *testing.B) {
	w, hits := manySessions(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		w.b.list.setHits(w.b, hits)
	}
}

// A place that all the sessions share is said once, in the title, and has no column.
func TestBrowserSharedPlace(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	w := open(t, l, nil)
	w.size(100, 10)
	w.keys("a")
	if s := w.screen(); !strings.Contains(s[3], "ada/site (main)") || strings.Contains(s[0], "ada/") {
		t.Errorf("of several repositories:\n%s", w.text())
	}
	l.All = l.All[:2]
	w.do((*Browser).search)
	if s := w.screen(); !strings.Contains(s[0], "everywhere, all in ada/queue · ") || strings.Contains(s[3], "ada/") || !strings.Contains(s[3], "  drain  ") {
		t.Errorf("of one repository:\n%s", w.text())
	}
	l.All[0].Branch = "main"
	w.do((*Browser).search)
	if s := w.screen(); !strings.Contains(s[0], "everywhere, all in ada/queue (main) · ") || strings.Contains(s[3]+s[4], "main") {
		t.Errorf("of one branch:\n%s", w.text())
	}
	w.size(140, 10)
	if s := w.screen(); strings.Contains(strings.Join(s[1:], "\n"), "ada/") {
		t.Errorf("beside the preview:\n%s", w.text())
	}
}

// A letter that means another thing in the list than in the preview is in the hints of both.
func TestBrowserHintsOfLetters(t *testing.T) {
	t.Parallel()
	w := open(t, fake.Some(t), nil)
	if last := w.screen()[23]; !strings.Contains(last, "? keys") || !strings.Contains(last, "r rename · e export · n new") {
		t.Errorf("the list: %q", last)
	}
	w.keys("space")
	if last := w.screen()[23]; strings.Contains(last, "hit") {
		t.Errorf("the preview, with nothing looked for: %q", last)
	}
	w.reopen("moon")
	w.keys("space")
	if last := w.screen()[23]; !strings.Contains(last, "n N next/prev hit") {
		t.Errorf("the preview: %q", last)
	}
}
