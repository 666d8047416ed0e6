package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/transcript"
)

// window is a pane that is searched. Commands run on the test's own goroutine.
type window struct {
	pane   transcript.Pane
	keys   *keymap.Map
	search *Search // nil if none is open
	hint   string
}

// newWindow is a pane of 80x20 with prompts, one for each text.
func newWindow(t *testing.T, texts ...string) *window {
	t.Helper()
	keys, _ := keymap.New(settings.Keys{})
	w := &window{keys: keys}
	w.pane = transcript.New(timeline.New(), render.Options{Width: 80, Theme: theme.Plain(), Location: time.UTC})
	w.pane.Height = 20
	for i, text := range texts {
		w.say(prompted(i, text))
	}
	return w
}

// say adds events to the timeline.
func (w *window) say(events ...session.Event) {
	for _, e := range events {
		w.pane.Timeline.Apply(e)
	}
}

// open opens the bar and types a query.
func (w *window) open(t *testing.T, query string) {
	t.Helper()
	w.search = New(t.Context(), &w.pane)
	w.typed(query)
}

// typed types a text, letter by letter.
func (w *window) typed(text string) {
	for _, r := range text {
		w.do(w.search.Key(w.keys, tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
}

// press presses keys of the bar, by their names.
func (w *window) press(names string) {
	for name := range strings.FieldsSeq(names) {
		w.do(w.search.Key(w.keys, keymap.Stroke(name)))
	}
}

// do takes what came of something, and all that follows from it.
func (w *window) do(o Outcome) {
	if o.Ended {
		w.search = nil
	}
	if o.Hint != "" {
		w.hint = o.Hint
	}
	w.run(o.Next)
}

// run executes a command and everything that follows from it.
func (w *window) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			w.run(cmd)
		}
	case Msg:
		w.do(w.search.Receive(msg))
	}
}

// screen is what the pane shows.
func (w *window) screen() string { return strings.Join(w.pane.View(), "\n") }

func prompted(i int, text string) session.Event {
	return session.Event{
		ID: session.EventID(fmt.Sprint("e", i)), Time: time.Unix(1, 0),
		Body: session.UserMessage{Content: text, MessageID: session.MessageID(fmt.Sprint("m", i))},
	}
}

// called are the events of a call of a tool that was made.
func called(id, result string) []session.Event {
	return []session.Event{
		{ID: session.EventID("s" + id), Time: time.Unix(1, 0), Body: session.ToolExecutionStart{ToolCallID: session.CallID(id), ToolName: "bash"}},
		{ID: session.EventID("c" + id), Time: time.Unix(1, 0), Body: session.ToolExecutionComplete{
			ToolCallID: session.CallID(id), Success: true, Result: &session.ToolResult{Content: result},
		}},
	}
}

// TestSearchVisitsEveryMatch: n goes through all matches in their order, and
// around; N goes back the same way. The count is that of a plain search.
func TestSearchVisitsEveryMatch(t *testing.T) {
	t.Parallel()
	words := []string{"needle", "Needle", "hay", "straw", "barn"}
	rapid.Check(t, func(rt *rapid.T) {
		w := newWindow(t)
		total := 0
		for i := range rapid.IntRange(1, 8).Draw(rt, "entries") {
			text := strings.Join(
				rapid.SliceOfN(rapid.SampledFrom(words), 1, 60).Draw(rt, "words"),
				rapid.SampledFrom([]string{" ", "\n"}).Draw(rt, "between"),
			)
			total += strings.Count(strings.ToLower(text), "needle")
			if i%2 == 0 {
				w.say(prompted(i, text))
			} else {
				w.say(called(fmt.Sprint(i), text)...)
			}
		}
		w.pane.Opts.Width, w.pane.Height = rapid.IntRange(30, 100).Draw(rt, "width"), rapid.IntRange(10, 40).Draw(rt, "height")
		w.open(t, "")
		w.do(w.search.Paste("needle"))
		s := w.search
		if total == 0 {
			if s.at != nil || w.search.State() != "no match" {
				rt.Fatalf("%s at %v", w.search.State(), s.at)
			}
			return
		}
		if s.hits.Total() != total || s.at == nil {
			rt.Fatalf("%d matches, want %d; at %v", s.hits.Total(), total, s.at)
		}
		w.press("enter")
		for _, key := range []string{"n", "N"} {
			for range total + 1 {
				at, nth := *s.at, s.nth()
				w.do(s.Next(key == "N"))
				want := nth%total + 1
				if key == "N" {
					want = (nth+total-2)%total + 1
				}
				if s.nth() != want {
					rt.Fatalf("%s from %d (%v) of %d goes to %d (%v)", key, nth, at, total, s.nth(), *s.at)
				}
				i, _ := w.pane.Timeline.Find(s.at.id)
				if at := (transcript.Place{Entry: i, Unit: s.at.unit, Line: s.at.line}); !slices.Contains(w.pane.Rows(), at) {
					rt.Fatalf("match %d is not on the screen", s.nth())
				}
			}
		}
	})
}

// TestSearchRestores: esc goes back to the very screen that was there, and folds
// what the search unfolded; what the user unfolded stays.
func TestSearchRestores(t *testing.T) {
	t.Parallel()
	w := newWindow(t)
	w.pane.Opts.Width, w.pane.Height = 60, 14
	output := strings.Repeat("hay\n", 20) + "needle\n" + strings.Repeat("hay\n", 20)
	for i := range 6 {
		w.say(prompted(i, fmt.Sprint("prompt ", i)))
		w.say(called(fmt.Sprint(i), output)...)
	}
	w.pane.Unfold("call:2")
	for _, scrolled := range []int{0, -5, -30, -200} {
		w.pane.End()
		w.pane.Scroll(scrolled)
		before := w.pane.View()
		w.open(t, "needle")
		for range 4 {
			w.press("down")
			if i, ok := w.pane.Timeline.Find(w.search.at.id); !ok ||
				w.pane.Options(w.pane.Timeline.At(i)).Fold != render.Whole {
				t.Errorf("the match at %v is in a folded entry", w.search.at)
			}
		}
		if n := len(w.pane.Folds); n > 2 {
			t.Errorf("%d entries are unfolded", n)
		}
		w.press("esc")
		if after := w.pane.View(); !slices.Equal(before, after) {
			t.Errorf("scrolled by %d, esc shows\n%s\nwant\n%s", scrolled, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
		if len(w.pane.Folds) != 1 || w.pane.Folds["call:2"] != render.Whole || w.search != nil ||
			w.pane.Highlight != nil {
			t.Errorf("left behind: %v", w.pane.Folds)
		}
	}
}

// TestSearchKeeps: enter keeps the match on the screen, and what the user
// folds themselves is theirs.
func TestSearchKeeps(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "a")
	output := strings.Repeat("hay\n", 20) + "needle\n" + strings.Repeat("hay\n", 20)
	w.say(called("1", output)...)
	w.say(called("2", output)...)
	w.open(t, "needle")
	w.press("enter")
	if !w.pane.Browsing || w.pane.Cursor != w.search.at.id || w.search.open {
		t.Fatalf("the keys are not for the match: %q", w.pane.Cursor)
	}
	i, _ := w.pane.Timeline.Find(w.search.at.id)
	w.pane.Toggle(i) // the user folds it
	w.do(w.search.Next(false))
	if got := w.pane.Folds["call:1"]; got == render.Whole || w.search.at.id != "call:2" {
		t.Errorf("the user's fold became %d, at %v", got, w.search.at)
	}
	w.do(w.search.Close(false))
	if w.pane.Folds["call:1"] == render.Whole || w.pane.Folds["call:2"] == render.Whole || w.search != nil {
		t.Errorf("left behind: %v", w.pane.Folds)
	}
	if w.do(w.search.Next(false)); !strings.Contains(w.hint, "Nothing is searched for") {
		t.Errorf("n without a search says %q", w.hint)
	}
}

// TestSearchWhileStreaming: what comes while one searches is found.
func TestSearchWhileStreaming(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "needle")
	w.open(t, "needle")
	if got := w.search.State(); got != "1 of 1" {
		t.Fatal(got)
	}
	w.say(prompted(7, "another needle"))
	w.press("down")
	if got := w.search.State(); got != "2 of 2" {
		t.Errorf("after n: %s", got)
	}
	w.say(prompted(8, "needles"))
	w.typed("s")
	if got := w.search.State(); got != "1 of 1" {
		t.Errorf("after a letter: %s", got)
	}
}

// TestSearchNewestWins: the end of an older job changes nothing.
func TestSearchNewestWins(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "needle in the hay", "hay")
	w.open(t, "")
	w.search.query.SetText("hay")
	older := w.search.find()
	w.search.query.SetText("needle")
	newer := w.search.find()
	w.run(newer)
	if got := w.search.State(); got != "1 of 1" {
		t.Fatal(got)
	}
	w.run(older)
	if got := w.search.State(); got != "1 of 1" {
		t.Errorf("an older query's result is shown: %s", got)
	}
	w.search.query.SetText("hay")
	last := w.search.find()
	w.do(w.search.Close(false))
	w.run(last)
	if w.search != nil || w.pane.Highlight != nil {
		t.Error("a job opened the search again")
	}
}

// TestSearchSlowExpression: a search that takes long shows what it has so far,
// and ends with all.
func TestSearchSlowExpression(t *testing.T) {
	t.Parallel()
	line := "some words and a number 7 "
	w := newWindow(t, strings.Repeat(line+"\n", 30_000), strings.Repeat(line+"\n", 30_000))
	w.open(t, "")
	w.search.query.SetText(`\d+ `)
	cmd := w.search.find()
	w.search.then = stay
	if got := w.search.State(); got != "searching · regex" {
		t.Errorf("at once: %s", got)
	}
	stretches := 0
	for w.search.running != nil {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			msg = batch[0]()
		}
		cmd = w.search.Receive(msg.(Msg)).Next
		stretches++
		if !w.search.done && !strings.Contains(w.search.State(), "+") && w.search.hits != nil {
			t.Errorf("so far: %s", w.search.State())
		}
	}
	if got := w.search.State(); got != text.Count(60_000, "match")+" · regex" || stretches < 3 {
		t.Errorf("%s after %d stretches", got, stretches)
	}
}

// TestSearchReadings: how a query is taken, and that the bar says so.
func TestSearchReadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, keys, want string }{
		{"foo", "", "2 of 2"},
		{"fo+", "", "2 of 2 · regex"},
		{"foo(", "", "1 of 1 · not a regex, taken literally"},
		{"a[0]", "", "1 of 1 · literal"}, // no match as an expression, one as a text
		{"a[x]", "", "no match · regex"},
		{"foo|bar", "ctrl+r", "no match · literal"},
		{"foo|bar", "ctrl+r ctrl+r", "2 of 2 · regex"},
		{"foo", "tab", "2 of 2 · prompts"},
		{"foo", "tab tab", "no match · answers"},
		{"foo", "shift+tab", "no match · notices"},
		{"FOO", "", "no match · exact case"}, // the capital makes it so
		{"FOO", "alt+c", "2 of 2 · any case"},
		{"FOO", "alt+c alt+c", "no match · exact case"},
		{"foo", "alt+c", "2 of 2 · exact case"},
		{"x", "alt+c", "1 of 1 · exact case"},
		{"X|FO+", "alt+c", "3 of 3 · regex · any case"},
		{"A[0]", "alt+c", "1 of 1 · literal · any case"},
		{"", "alt+c", "exact case"},
	} {
		w := newWindow(t, "x = foo(a[0])\nfoo")
		w.open(t, c.query)
		w.press(c.keys)
		w.press("up") // from the first around to the last
		if got := w.search.State(); got != c.want {
			t.Errorf("%q %s: %s, want %s", c.query, c.keys, got, c.want)
		}
	}
}

// TestSearchMarks: the match one is at looks other than the rest, also where a
// line was wrapped in the middle of it.
func TestSearchMarks(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "one needle two needle", strings.Repeat("x", 58)+" "+strings.Repeat("x", 42)+" broken over two lines")
	w.pane.Opts.Theme = theme.Probe()
	w.pane.Opts.Width = 59
	shown := func() string { return theme.Reveal(w.screen()) }
	w.open(t, "needle")
	if got := shown(); strings.Count(got, "[match]needle") != 1 || strings.Count(got, "[match-now]needle") != 1 {
		t.Errorf("typed:\n%s", got)
	}
	first := shown()
	w.press("enter")
	w.do(w.search.Next(false))
	if got := shown(); strings.Count(got, "[match-now]needle") != 1 || strings.Index(got, "[match-now]") < strings.Index(got, "[match]") ||
		got == first {
		t.Errorf("the next:\n%s", got)
	}
	w.search.End()
	w.open(t, "broken over two")
	if got := shown(); strings.Count(got, "[match-now]") < 2 || w.search.State() != "1 of 1" {
		t.Errorf("broken:\n%s\n%s", got, w.search.State())
	}
	w.press("ctrl+u")
	if got := shown(); strings.Contains(got, "[match") {
		t.Errorf("without a query:\n%s", got)
	}
}

// TestSearchUnseen: a match that no drawn line has, such as the address of a
// link, leads to its entry.
func TestSearchUnseen(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "a", "b")
	w.say(
		session.Event{
			ID:   "x",
			Time: time.Unix(1, 0),
			Body: session.AssistantMessage{MessageID: "x", Content: "See [the page](https://example.com/needle)."},
		},
	)
	for i := range 30 {
		w.say(prompted(10+i, "more"))
	}
	w.open(t, "needle")
	if s := w.search; s.at == nil || s.at.id != "message:x" || w.search.State() != "1 of 1" {
		t.Fatalf("%s at %+v", w.search.State(), s.at)
	}
	if got := w.screen(); !strings.Contains(got, "the page") {
		t.Errorf("it is not on the screen:\n%s", got)
	}
	w.press("down")
	if got := w.search.State(); got != "1 of 1" || w.hint != "There is only this match." {
		t.Errorf("the next: %s, %q", got, w.hint)
	}
}

// TestSearchHiddenEntry: an entry that nothing is shown of is found and shown.
func TestSearchHiddenEntry(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "a")
	i := w.pane.Timeline.Len()
	w.say(prompted(1, "needle"))
	w.pane.Timeline.At(i).VerboseOnly = true
	w.pane.Cache = render.NewCache(transcript.CacheLines)
	if got := w.screen(); strings.Contains(got, "needle") {
		t.Skip("minor entries are shown")
	}
	w.open(t, "need")
	if got := w.screen(); !strings.Contains(got, "needle") {
		t.Errorf("not shown:\n%s", got)
	}
	w.press("esc")
	if got := w.screen(); strings.Contains(got, "needle") {
		t.Errorf("still shown:\n%s", got)
	}
}

// TestSearchEntryIsGone: hits whose entries went away are passed over.
func TestSearchEntryIsGone(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "needle 0", "needle 1", "needle 2")
	w.open(t, "needle")
	w.search.hits = timeline.SearchHits{{ID: "gone", Count: 1}, {ID: "away", Pos: 9, Count: 2, Before: 1}}
	w.do(w.search.Next(false))
	w.do(w.search.Next(true))
	if w.search.seek != nil {
		t.Error("it looks for ever")
	}
}

// TestSearchBarFits: the bar is as wide as it may be, whatever is in it.
func TestSearchBarFits(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "needle")
	w.open(t, "")
	for _, query := range []string{"", "needle", "日本語日本語日本語", strings.Repeat("long ", 100), "\x1b[31m\u202e", "(x"} {
		w.search.query.SetText(query)
		w.run(w.search.find())
		for width := 1; width < 120; width++ {
			line, caret := w.search.Bar(width)
			if text.Width(line) > width || caret < 0 || caret >= width {
				t.Errorf("%q at %d: %q is %d wide, the caret at %d", query, width, line, text.Width(line), caret)
			}
		}
	}
	w.do(w.search.Paste("one\ntwo"))
	if got := w.search.query.Text(); got != "(xone" {
		t.Errorf("pasted: %q", got)
	}
}

// TestBackspaceCloses: backspace without a query closes the bar.
func TestBackspaceCloses(t *testing.T) {
	t.Parallel()
	w := newWindow(t, "x")
	w.open(t, "x")
	w.press("backspace backspace")
	if w.search != nil {
		t.Error("backspace on an empty query leaves the bar open")
	}
}

// nth is the number of the present match.
func (s *Search) nth() int {
	n, _ := s.Place()
	return n
}

// TestCountWithoutBar: what only the verbose density shows, such as a system prompt, has
// no matches.
func TestCountWithoutBar(t *testing.T) {
	t.Parallel()
	l := timeline.New()
	for i, b := range []session.Body{
		session.UserMessage{Content: "a tool"},
		session.SystemMessage{Role: "system", Content: "a tool, and a tool"},
		session.AssistantMessage{MessageID: "m", Content: "tool by tool"},
	} {
		l.Apply(session.Event{ID: session.EventID(fmt.Sprint("e", i)), Body: b})
	}
	p := transcript.New(l, render.Options{})
	s := Of(t.Context(), &p, timeline.NewMatcher("tool", true, timeline.SmartCase), nil)
	if err := s.Count(t.Context()); err != nil || len(s.hits) != 2 || s.hits.Total() != 3 || s.hits[1].Before != 1 {
		t.Errorf("%+v, %v", s.hits, err)
	}
}
