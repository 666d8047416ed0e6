package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/editor"
	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
)

// validBrowser checks that what is chosen is one of what was found, and in view
// where the list is.
func (m *Model) validBrowser() error {
	b, l := over[*browser](m), &over[*browser](m).list
	_, wide := over[*browser](m).listWidth()
	switch s := l.session(); {
	case len(l.hits) == 0 && (l.at != -1 || l.chosen != ""):
		return fmt.Errorf("%q is chosen of nothing", l.chosen)
	case len(l.hits) > 0 && (s == nil || s.ID != l.chosen):
		return fmt.Errorf("%q is chosen, and item %d of %d is shown as chosen", l.chosen, l.at, len(l.items))
	case s != nil && (wide || !b.looking) && (l.tops[l.at] < l.top || l.tops[l.at] >= l.top+max(1, b.rows)):
		return fmt.Errorf("line %d is chosen, %d to %d are in view", l.tops[l.at], l.top, l.top+b.rows)
	}
	return nil
}

// Whatever is pressed and whatever is found, in any order and at any size, the
// frame fits, one of the sessions is chosen and in view, and no question beneath
// is answered.
func TestBrowserProperty(t *testing.T) {
	t.Parallel()
	keys := []string{
		"up", "down", "j", "k", "pgup", "pgdown", "ctrl+u", "ctrl+d", "g", "G", "/", "t", "i", "esc", "enter", "space", "tab", "a", "s", "b",
		"p", "r", "z", "x", "u", "y", "n", "N", "}", "{", "?", "backspace", "ctrl+r", "left", "ctrl+x s", "f", "e", "o",
	}
	rapid.Check(t, func(rt *rapid.T) {
		l := pastSessions(t)
		l.indexing = slices.Repeat([]sessions.Progress{{Done: 1, All: 6}}, rapid.IntRange(0, 5).Draw(rt, "indexing"))
		sc := withPast(t, l, nil)
		sc.step("key", "ctrl+x s")
		for i := range rapid.IntRange(1, 25).Draw(rt, "steps") {
			if over[*browser](sc.m) == nil {
				sc.step("key", "ctrl+x s")
			}
			switch rapid.IntRange(0, 12).Draw(rt, "step") {
			case 0:
				sc.size(rapid.IntRange(20, 160).Draw(rt, "w"), rapid.IntRange(6, 50).Draw(rt, "h"))
			case 1:
				sc.say(asking(fmt.Sprint("p", i), "rm -rf build"))
			case 2:
				sc.input(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: rapid.IntRange(0, 160).Draw(rt, "x")})
			case 3:
				sc.input(tea.MouseClickMsg{Button: tea.MouseLeft, X: rapid.IntRange(0, 160).Draw(rt, "x"), Y: rapid.IntRange(0, 50).Draw(rt, "y")})
			case 4: // the index grows, in any order
				l.all = rapid.Permutation(l.all).Draw(rt, "order")
				l.all = l.all[:rapid.IntRange(0, len(l.all)).Draw(rt, "left")]
				l.all = append(l.all, pastSessions(t).all[rapid.IntRange(0, 5).Draw(rt, "from"):]...)
				slices.SortStableFunc(l.all, func(a, b sessions.Session) int { return strings.Compare(string(a.ID), string(b.ID)) })
				l.all = slices.CompactFunc(l.all, func(a, b sessions.Session) bool { return a.ID == b.ID })
				if b := over[*browser](sc.m); b != nil && b.library != nil {
					sc.inBrowser((*browser).lookUp)
				}
			case 5:
				sc.wait(time.Duration(rapid.IntRange(1, 600).Draw(rt, "ms")) * time.Millisecond)
			case 6:
				sc.input(tea.PasteMsg{Content: "moon\nis:failed"})
			default:
				sc.step("key", rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			sc.wait(frameTime)
			fits(t, sc.m.View().Content, sc.m.width, sc.m.height)
			if b := over[*browser](sc.m); b != nil && b.found {
				if err := sc.m.validBrowser(); err != nil {
					rt.Fatal(err)
				}
			}
		}
		if got := answers(sc.s); len(got) != 0 {
			rt.Fatalf("answered from the browser: %v", got)
		}
	})
}

// What is chosen stays so, on its line of the screen, when the index finds others
// above it.
func TestBrowserKeepsThePlace(t *testing.T) {
	t.Parallel()
	l := pastSessions(t)
	hidden := l.all[:2]
	l.all = slices.Clone(l.all[2:])
	sc := withPast(t, l, nil)
	l.finds, l.indexing = nil, []sessions.Progress{{Done: 4, All: 6}, {Done: 4, All: 6}, {Done: 4, All: 6}}
	sc.size(60, 6) // two rows of sessions
	sc.step("key", "ctrl+x s j j j")
	before := sc.screen()
	if !strings.Contains(before[0], "indexing 4 of 6") && !strings.Contains(before[0], "4 of 4") {
		t.Errorf("the heading is %q", before[0])
	}
	l.all = append(slices.Clone(hidden), l.all...)
	sc.wait(time.Second)
	after := sc.screen()
	if before[3] != after[3] || before[4] != after[4] || !strings.Contains(after[0], "6 of 6") {
		t.Errorf("before:\n%s\nafter:\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if n := len(l.finds); n > 8 {
		t.Errorf("%d times looked for", n)
	}
	finds := len(l.finds)
	sc.wait(5 * time.Second)
	if len(l.finds) != finds {
		t.Errorf("it looks on after the index is complete")
	}
}

// Typing asks once, when it has stopped, and what an older query finds does not
// count.
func TestBrowserAsksOnce(t *testing.T) {
	t.Parallel()
	l := pastSessions(t)
	sc := withPast(t, l, nil)
	sc.step("key", "ctrl+x s a /")
	n := len(l.finds)
	sc.step("burst", "moon")
	sc.wait(time.Second)
	if got := l.finds[n:]; len(got) != 1 || got[0].Query.String() != "moon" {
		t.Errorf("asked %v", got)
	}
	late := over[*browser](sc.m).lookUp()
	sc.step("burst", "x")
	sc.run(late)
	sc.wait(time.Second)
	if b := over[*browser](sc.m); len(b.list.hits) != 0 || b.list.chosen != "" {
		t.Errorf("%d sessions for moonx", len(b.list.hits))
	}
}

// startedLibrary is of the sessions that an agent keeps, of which nothing is known
// before that agent has started.
type startedLibrary struct {
	*fakeLibrary
	started, read bool
}

func (l *startedLibrary) Refresh(context.Context) error {
	l.read = l.started
	return nil
}

func (l *startedLibrary) Find(ctx context.Context, r sessions.Request) (sessions.Found, error) {
	if !l.read {
		return sessions.Found{}, nil
	}
	return l.fakeLibrary.Find(ctx, r)
}

// A list that is open while the agent starts shows the sessions which that agent
// keeps once it has started.
func TestBrowserBeforeTheAgent(t *testing.T) {
	t.Parallel()
	l := &startedLibrary{fakeLibrary: pastSessions(t)}
	sc := newScenario(t, func(c *Config) {
		c.Sessions = l
	})
	start := sc.m.newSession("")
	sc.step("key", "ctrl+x s")
	if b := over[*browser](sc.m); b == nil || !b.found || len(b.list.hits) != 0 {
		t.Fatalf("before the agent has started: %+v", b)
	}
	l.started = true
	sc.run(start)
	if b := over[*browser](sc.m); b == nil || len(b.list.hits) == 0 {
		t.Errorf("the agent has started, and the list shows nothing:\n%s", strings.Join(sc.screen(), "\n"))
	}
}

// Going through the list reads only the session at which one stays, and one that
// was read before is there at once.
func TestPreviewWaits(t *testing.T) {
	t.Parallel()
	l := pastSessions(t)
	sc := withPast(t, l, nil)
	sc.size(140, 45)
	sc.step("key", "ctrl+x s a g")
	for range 5 {
		sc.input(press(t, "down"))
		sc.wait(20 * time.Millisecond)
	}
	l.reads = nil
	sc.wait(time.Second)
	if want := []session.ID{"ffff-6"}; !slices.Equal(l.reads, want) {
		t.Errorf("read %v", l.reads)
	}
	sc.step("key", "up")
	sc.wait(time.Second)
	sc.input(press(t, "down"))
	if p := over[*browser](sc.m).preview; p == nil || p.log.ID != "ffff-6" || len(l.reads) != 2 {
		t.Errorf("it is not there at once; read %v", l.reads)
	}
	sc.step("key", "k k") // cannot be read
	sc.wait(time.Second)
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "It cannot be read: permission denied") {
		t.Errorf("nothing says why there is no preview:\n%s", screen)
	}
}

// A preview that takes long to read is read to its end, however often is looked
// meanwhile, with other words too.
func TestPreviewOfMuch(t *testing.T) {
	t.Parallel()
	sc := withPast(t, pastSessions(t), nil)
	sc.size(140, 45)
	sc.step("key", "ctrl+x s")
	b := over[*browser](sc.m)
	late := over[*browser](sc.m).readPreview()
	for range 3 {
		sc.inBrowser((*browser).lookUp)
	}
	sc.input(press(t, "/"))
	b.query.Insert("drain")
	over[*browser](sc.m).readQuery()
	sc.inBrowser((*browser).lookUp)
	if sc.run(late); b.preview == nil || b.preview.log.ID != "aaaa-1" || b.preview.nth != 1 {
		t.Errorf("the preview is %+v", b.preview)
	}
}

// What a log was cut off in does not go on in the preview.
func TestPreviewOfTheCutOff(t *testing.T) {
	t.Parallel()
	l := pastSessions(t)
	for _, body := range []session.Body{
		session.AssistantTurnStart{TurnID: "1"},
		session.ToolExecutionStart{ToolCallID: "c1", ToolName: "bash", Arguments: []byte(`{"command":"make flood"}`)},
	} {
		line, err := session.Encode(session.Event{ID: session.EventID(fmt.Sprintf("%T", body)), Time: started.Add(-time.Hour), Body: body})
		if err != nil {
			t.Fatal(err)
		}
		l.logs["aaaa-1"] += string(line) + "\n"
	}
	sc := withPast(t, l, nil)
	sc.size(140, 45)
	sc.step("key", "ctrl+x s")
	sc.wait(time.Second)
	p := over[*browser](sc.m).preview
	if p == nil || !strings.Contains(strings.Join(sc.screen(), "\n"), "make flood") {
		t.Fatalf("no preview:\n%s", strings.Join(sc.screen(), "\n"))
	}
	last := p.pane.Timeline.At(p.pane.Timeline.Len() - 1)
	if p.pane.Timeline.Status().Busy || last.State == timeline.Live {
		t.Errorf("it works on: %+v", last)
	}
}

// Letters that come as fast as no key is pressed are no keys.
func TestBrowserBurst(t *testing.T) {
	t.Parallel()
	l := pastSessions(t)
	sc := withPast(t, l, nil)
	sc.step("key", "ctrl+x s a")
	calls := len(sc.s.calls)
	for _, text := range []string{"gxxnxzfoe", "fork", "nothing else", "open it", "quick", "pin", "un", "yes", "xx", "zoo", "export"} {
		sc.step("burst", text)
		sc.input(press(t, "enter"))
		sc.wait(time.Second)
		b := over[*browser](sc.m)
		if b == nil || b.writing || b.noting != nil || !strings.Contains(b.note, "/ searches") || !strings.Contains(sc.screen()[0], "Sessions") {
			t.Fatalf("a burst of %q left the browser, or says nothing", text)
		}
		if sc.step("key", "esc"); over[*browser](sc.m) != nil {
			sc.step("key", "esc")
		}
		sc.step("key", "ctrl+x s a")
	}
	if len(sc.s.calls) != calls {
		t.Errorf("a burst did %q", sc.s.calls[calls:])
	}
	if i := slices.IndexFunc(l.all, func(s sessions.Session) bool { return !s.Deleted.IsZero() || s.Archived || s.Mark.Name != "" }); i >= 0 {
		t.Errorf("%s is gone", l.all[i].ID)
	}
}

// A command of the user's with words looks for them; with an id, or the
// beginning of one, it goes on with that session.
func TestResumeWords(t *testing.T) {
	t.Parallel()
	sc := withPast(t, pastSessions(t), nil)
	sc.step("type", "/resume tide moon")
	sc.step("key", "enter")
	sc.wait(time.Second)
	if b := over[*browser](sc.m); b == nil || b.query.Text() != "tide moon" || len(b.list.hits) != 1 || sc.m.sought.scope != sessions.Everywhere {
		t.Fatalf("the words are not looked for")
	}
	sc.step("key", "esc")
	sc.step("type", "/resume bbbb")
	sc.step("key", "enter")
	sc.wait(time.Second)
	if !contains(sc.s.calls, "resume bbbb-2") {
		t.Errorf("calls %v", sc.s.calls)
	}
	const elsewhere = "00000000-0000-4000-8000-000000000000"
	sc.step("type", "/resume "+elsewhere)
	sc.step("key", "enter")
	sc.wait(time.Second)
	if !contains(sc.s.calls, "resume "+elsewhere) {
		t.Errorf("calls %v", sc.s.calls)
	}
}

// What keeps the library from finding is told, and the window goes on.
func TestBrowserWithoutLibrary(t *testing.T) {
	t.Parallel()
	l := pastSessions(t)
	l.fails = errors.New("database disk image is malformed")
	l.trouble = []string{"The index was damaged and is built anew."}
	sc := withPast(t, l, nil)
	sc.step("key", "ctrl+x s j enter o x space / esc")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "image is malformed") {
		t.Errorf("nothing says why:\n%s", screen)
	}
	l.fails = nil
	sc.step("key", "a")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "is built anew") || !strings.Contains(screen, "Release notes") {
		t.Errorf("the trouble is not told beside the list:\n%s", screen)
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
			hits = append(hits, sessions.Hit{Session: sessions.Session{Log: sessions.Log{ID: session.ID(fmt.Sprint(i))}, Parent: parent}})
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
		l := pastSessions(t)
		for i := range l.all {
			s := &l.all[i]
			for _, text := range []*string{
				&s.Title, &s.Mark.Name, &s.Repository, &s.Branch, &s.Model, &s.Agent, &s.Dir, &s.Root, &s.Unread,
			} {
				*text = h.Text()
			}
			s.Tags = []string{h.Text()}
			l.logs[s.ID] = logOf(t, started, h.Text(), h.Text())
		}
		l.trouble = []string{h.Text()}
		w := &hostileWindow{scenario: withPast(t, l, nil), h: h, seed: seed}
		w.m.theme = []*theme.Theme{theme.Dark(), theme.Plain(), theme.Mono(theme.ASCII())}[seed%3]
		for range 3 {
			w.resize()
			w.step("key", "ctrl+x s a b b")
			for range 5 {
				w.step("key", "j")
				w.wait(100 * time.Millisecond)
				w.look("a session")
			}
			for _, key := range strings.Fields("space n esc x r esc t esc / esc") {
				w.step("key", key)
				w.look("after " + key)
			}
			w.step("key", "esc")
		}
	}
}

// Without colour, what is chosen, what it is and how it stands are still told.
func TestBrowserWithoutColour(t *testing.T) {
	t.Parallel()
	sc := withPast(t, pastSessions(t), nil)
	sc.step("key", "ctrl+x s a j")
	plain := sc.screen()
	sc.m.theme = theme.Dark()
	sc.m.frame.open = true
	coloured := sc.screen()
	if got, want := strings.Join(coloured, "\n"), strings.Join(plain, "\n"); got != want {
		t.Errorf("colour says more than the text:\n%s", difference(want, got))
	}
}

// manySessions is a browser over n sessions.
func manySessions(tb testing.TB, n int) *Model {
	tb.Helper()
	m := newModel(tb.Context(), Config{Settings: settings.Defaults()}, effects{
		after: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
	})
	m.resize(140, 45)
	m.opening = false
	m.cover(&browser{query: editor.New(), list: sessionList{at: -1}})
	one := pastSessions(tb).all[0]
	hits := make([]sessions.Hit, n)
	for i := range hits {
		hits[i].Session = one
		hits[i].ID = session.ID(fmt.Sprint("id-", i))
		hits[i].Used = started.Add(-time.Duration(i) * time.Hour)
	}
	m.sought.group = byDay
	over[*browser](m).foundSessions(sessions.Found{Sessions: hits, Total: n}, nil)
	over[*browser](m).View(m.width, m.height)
	return m
}

// A key in a list of 2,000 sessions costs what is on the screen.
func BenchmarkBrowserMove(b *testing.B) {
	for _, n := range []int{20, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := manySessions(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if over[*browser](m).list.at == len(over[*browser](m).list.items)-1 {
					over[*browser](m).list.moveBy("session-ends.first", 40)
				}
				over[*browser](m).list.moveBy("session-move.after", 40)
				over[*browser](m).View(m.width, m.height)
			}
		})
	}
}

// BenchmarkBrowserFound is the arranging of 2,000 sessions that were found.
func BenchmarkBrowserFound(b *testing.B) {
	m := manySessions(b, 2000)
	hits := over[*browser](m).list.hits
	b.ReportAllocs()
	for b.Loop() {
		over[*browser](m).list.take(over[*browser](m), hits)
	}
}

// What is only told for completeness, such as a system prompt, has no hits.
func TestPreviewHits(t *testing.T) {
	t.Parallel()
	l := timeline.New()
	for i, b := range []session.Body{
		session.UserMessage{Content: "a tool"},
		session.SystemMessage{Role: "system", Content: "a tool, and a tool"},
		session.AssistantMessage{MessageID: "m", Content: "tool by tool"},
	} {
		l.Apply(session.Event{ID: session.EventID(fmt.Sprint("e", i)), Body: b})
	}
	hits := hitsIn(t.Context(), l, l.SearchCorpus(nil), timeline.NewMatcher("tool", true))
	if len(hits) != 2 || hits.Total() != 3 || hits[1].Before != 1 {
		t.Errorf("%+v", hits)
	}
}
