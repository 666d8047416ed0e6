package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/transcript"
)

// searchScenario is a window with prompts, one for each text.
func searchScenario(t *testing.T, texts ...string) *scenario {
	t.Helper()
	sc := newScenario(t, nil)
	for i, text := range texts {
		sc.say(prompted(i, text))
	}
	sc.screen()
	return sc
}

func prompted(i int, text string) session.Event {
	return session.Event{
		ID: session.EventID(fmt.Sprint("e", i)), Time: started,
		Body: session.UserMessage{Content: text, MessageID: session.MessageID(fmt.Sprint("m", i))},
	}
}

// called are the events of a call of a tool that was made.
func called(id, result string) []session.Event {
	return []session.Event{
		{ID: session.EventID("s" + id), Time: started, Body: session.ToolExecutionStart{ToolCallID: session.CallID(id), ToolName: "bash"}},
		{ID: session.EventID("c" + id), Time: started, Body: session.ToolExecutionComplete{
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
		sc := searchScenario(t)
		total := 0
		for i := range rapid.IntRange(1, 8).Draw(rt, "entries") {
			text := strings.Join(
				rapid.SliceOfN(rapid.SampledFrom(words), 1, 60).Draw(rt, "words"),
				rapid.SampledFrom([]string{" ", "\n"}).Draw(rt, "between"),
			)
			total += strings.Count(strings.ToLower(text), "needle")
			if i%2 == 0 {
				sc.say(prompted(i, text))
			} else {
				sc.say(called(fmt.Sprint(i), text)...)
			}
		}
		sc.size(rapid.IntRange(30, 100).Draw(rt, "width"), rapid.IntRange(10, 40).Draw(rt, "height"))
		sc.screen()
		sc.step("key", "ctrl+f")
		sc.step("paste", "needle")
		s := sc.m.front.search
		if total == 0 {
			if s.at != nil || sc.m.front.search.state() != "no match" {
				rt.Fatalf("%s at %v", sc.m.front.search.state(), s.at)
			}
			return
		}
		if s.hits.Total() != total || s.at == nil {
			rt.Fatalf("%d matches, want %d; at %v", s.hits.Total(), total, s.at)
		}
		sc.step("key", "enter")
		for _, key := range []string{"n", "N"} {
			for range total + 1 {
				at, nth := *s.at, s.nth()
				sc.step("key", key)
				want := nth%total + 1
				if key == "N" {
					want = (nth+total-2)%total + 1
				}
				if s.nth() != want {
					rt.Fatalf("%s from %d (%v) of %d goes to %d (%v)", key, nth, at, total, s.nth(), *s.at)
				}
				i, _ := sc.m.front.timeline.Find(s.at.id)
				if at := (transcript.Place{Entry: i, Unit: s.at.unit, Line: s.at.line}); !slices.Contains(sc.m.front.pane.Rows(), at) {
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
	sc := newScenario(t, nil)
	sc.size(60, 14)
	output := strings.Repeat("hay\n", 20) + "needle\n" + strings.Repeat("hay\n", 20)
	for i := range 6 {
		sc.say(prompted(i, fmt.Sprint("prompt ", i)))
		sc.say(called(fmt.Sprint(i), output)...)
	}
	sc.m.front.pane.Unfold("call:2")
	for _, scrolled := range []int{0, -5, -30, -200} {
		sc.m.front.pane.End()
		sc.m.front.pane.Scroll(scrolled)
		sc.screen()
		before := sc.m.front.pane.View()
		sc.step("key", "ctrl+f")
		sc.step("type", "needle")
		for range 4 {
			sc.step("key", "down")
			if i, ok := sc.m.front.timeline.Find(sc.m.front.search.at.id); !ok ||
				sc.m.front.pane.Options(sc.m.front.timeline.At(i)).Fold != render.Whole {
				t.Errorf("the match at %v is in a folded entry", sc.m.front.search.at)
			}
		}
		if n := len(sc.m.front.pane.Folds); n > 2 {
			t.Errorf("%d entries are unfolded", n)
		}
		sc.step("key", "esc")
		if after := sc.m.front.pane.View(); !slices.Equal(before, after) {
			t.Errorf("scrolled by %d, esc shows\n%s\nwant\n%s", scrolled, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
		if len(sc.m.front.pane.Folds) != 1 || sc.m.front.pane.Folds["call:2"] != render.Whole || sc.m.front.search != nil ||
			sc.m.front.pane.Highlight != nil {
			t.Errorf("left behind: %v", sc.m.front.pane.Folds)
		}
	}
}

// TestSearchKeeps: enter keeps the match on the screen, and what the user
// folds themselves is theirs.
func TestSearchKeeps(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "a")
	output := strings.Repeat("hay\n", 20) + "needle\n" + strings.Repeat("hay\n", 20)
	sc.say(called("1", output)...)
	sc.say(called("2", output)...)
	sc.step("key", "ctrl+f")
	sc.step("type", "needle")
	sc.step("key", "enter")
	if !sc.m.front.pane.Browsing || sc.m.front.pane.Cursor != sc.m.front.search.at.id || sc.m.front.search.open {
		t.Fatalf("the keys are not for the match: %q", sc.m.front.pane.Cursor)
	}
	i, _ := sc.m.front.timeline.Find(sc.m.front.search.at.id)
	sc.m.front.pane.Toggle(i) // the user folds it
	sc.step("key", "n")
	if got := sc.m.front.pane.Folds["call:1"]; got == render.Whole || sc.m.front.search.at.id != "call:2" {
		t.Errorf("the user's fold became %d, at %v", got, sc.m.front.search.at)
	}
	sc.m.front.nav.closeSearch(false)
	if sc.m.front.pane.Folds["call:1"] == render.Whole || sc.m.front.pane.Folds["call:2"] == render.Whole || sc.m.front.search != nil {
		t.Errorf("left behind: %v", sc.m.front.pane.Folds)
	}
	if sc.m.front.nav.nextMatch(false) != nil || !strings.Contains(sc.m.front.hint.text, "Nothing is searched for") {
		t.Errorf("n without a search says %q", sc.m.front.hint.text)
	}
}

// TestSearchWhileStreaming: what comes while one searches is found.
func TestSearchWhileStreaming(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "needle")
	sc.step("key", "ctrl+f")
	sc.step("type", "needle")
	if got := sc.m.front.search.state(); got != "1 of 1" {
		t.Fatal(got)
	}
	sc.say(prompted(7, "another needle"))
	sc.step("key", "down")
	if got := sc.m.front.search.state(); got != "2 of 2" {
		t.Errorf("after n: %s", got)
	}
	sc.say(prompted(8, "needles"))
	sc.step("type", "s")
	if got := sc.m.front.search.state(); got != "1 of 1" {
		t.Errorf("after a letter: %s", got)
	}
}

// TestSearchNewestWins: the end of an older job changes nothing.
func TestSearchNewestWins(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "needle in the hay", "hay")
	m := sc.m
	m.front.nav.openSearch("")
	m.front.search.query.SetText("hay")
	older := m.front.nav.searched(m.front.search.find())
	m.front.search.query.SetText("needle")
	newer := m.front.nav.searched(m.front.search.find())
	sc.run(newer)
	if got := m.front.search.state(); got != "1 of 1" {
		t.Fatal(got)
	}
	sc.run(older)
	if got := m.front.search.state(); got != "1 of 1" {
		t.Errorf("an older query's result is shown: %s", got)
	}
	m.front.search.query.SetText("hay")
	last := m.front.nav.searched(m.front.search.find())
	m.front.nav.closeSearch(false)
	sc.run(last)
	if m.front.search != nil || m.front.pane.Highlight != nil {
		t.Error("a job opened the search again")
	}
}

// TestSearchSlowExpression: a search that takes long tells what it has so far,
// and ends with all.
func TestSearchSlowExpression(t *testing.T) {
	t.Parallel()
	line := "some words and a number 7 "
	sc := searchScenario(t, strings.Repeat(line+"\n", 30_000), strings.Repeat(line+"\n", 30_000))
	m := sc.m
	m.front.nav.openSearch("")
	m.front.search.query.SetText(`\d+ `)
	cmd := m.front.nav.searched(m.front.search.find())
	m.front.search.then = stay
	if got := m.front.search.state(); got != "searching · regex" {
		t.Errorf("at once: %s", got)
	}
	stretches := 0
	for m.front.search.running != nil {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			msg = batch[0]()
		}
		cmd = m.front.receive(msg.(inMsg).msg)
		stretches++
		if !m.front.search.done && !strings.Contains(m.front.search.state(), "+") && m.front.search.hits != nil {
			t.Errorf("so far: %s", m.front.search.state())
		}
	}
	if got := m.front.search.state(); got != text.Count(60_000, "match")+" · regex" || stretches < 3 {
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
		{"FOO", "", "no match"},
	} {
		sc := searchScenario(t, "x = foo(a[0])\nfoo")
		sc.step("key", "ctrl+f")
		sc.step("type", c.query)
		sc.step("key", c.keys)
		sc.step("key", "up") // from the first around to the last
		if got := sc.m.front.search.state(); got != c.want {
			t.Errorf("%q %s: %s, want %s", c.query, c.keys, got, c.want)
		}
	}
}

// TestSearchMarks: the match one is at looks other than the rest, also where a
// line was wrapped in the middle of it.
func TestSearchMarks(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "one needle two needle", strings.Repeat("x", 58)+" "+strings.Repeat("x", 42)+" broken over two lines")
	sc.m.win.theme, sc.m.front.pane.Opts.Theme = theme.Probe(), theme.Probe()
	sc.size(64, 20)
	shown := func() string {
		sc.screen()
		return theme.Reveal(strings.Join(sc.m.front.pane.View(), "\n"))
	}
	sc.step("key", "ctrl+f")
	sc.step("type", "needle")
	if got := shown(); strings.Count(got, "[match]needle") != 1 || strings.Count(got, "[match-now]needle") != 1 {
		t.Errorf("typed:\n%s", got)
	}
	first := shown()
	sc.step("key", "enter n")
	if got := shown(); strings.Count(got, "[match-now]needle") != 1 || strings.Index(got, "[match-now]") < strings.Index(got, "[match]") ||
		got == first {
		t.Errorf("the next:\n%s", got)
	}
	sc.step("key", "/")
	sc.step("type", "broken over two")
	if got := shown(); strings.Count(got, "[match-now]") < 2 || sc.m.front.search.state() != "1 of 1" {
		t.Errorf("broken:\n%s\n%s", got, sc.m.front.search.state())
	}
	sc.step("key", "ctrl+u")
	if got := shown(); strings.Contains(got, "[match") {
		t.Errorf("without a query:\n%s", got)
	}
}

// TestSearchUnseen: a match that no drawn line has, such as the address of a
// link, leads to its entry.
func TestSearchUnseen(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "a", "b")
	sc.say(
		session.Event{
			ID:   "x",
			Time: started,
			Body: session.AssistantMessage{MessageID: "x", Content: "See [the page](https://example.com/needle)."},
		},
	)
	for i := range 30 {
		sc.say(prompted(10+i, "more"))
	}
	sc.step("key", "ctrl+f")
	sc.step("type", "needle")
	if s := sc.m.front.search; s.at == nil || s.at.id != "message:x" || sc.m.front.search.state() != "1 of 1" {
		t.Fatalf("%s at %+v", sc.m.front.search.state(), s.at)
	}
	if got := strings.Join(sc.screen(), "\n"); !strings.Contains(got, "the page") {
		t.Errorf("it is not on the screen:\n%s", got)
	}
	sc.step("key", "down")
	if got := sc.m.front.search.state(); got != "1 of 1" || sc.m.front.hint.text != "There is only this match." {
		t.Errorf("the next: %s, %q", got, sc.m.front.hint.text)
	}
}

// TestSearchHiddenEntry: an entry that nothing is shown of is found and shown.
func TestSearchHiddenEntry(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "a")
	i := sc.m.front.timeline.Len()
	sc.say(prompted(1, "needle"))
	sc.m.front.timeline.At(i).VerboseOnly = true
	sc.m.front.pane.Cache = render.NewCache(transcript.CacheLines)
	if got := strings.Join(sc.screen(), "\n"); strings.Contains(got, "needle") {
		t.Skip("minor entries are shown")
	}
	sc.step("key", "ctrl+f")
	sc.step("type", "need")
	if got := strings.Join(sc.screen(), "\n"); !strings.Contains(got, "needle") {
		t.Errorf("not shown:\n%s", got)
	}
	sc.step("key", "esc")
	if got := strings.Join(sc.screen(), "\n"); strings.Contains(got, "needle") {
		t.Errorf("still shown:\n%s", got)
	}
}

// TestSearchEntryIsGone: hits whose entries went away are passed over.
func TestSearchEntryIsGone(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "needle 0", "needle 1", "needle 2")
	m := sc.m
	sc.step("key", "ctrl+f")
	sc.step("type", "needle")
	m.front.search.hits = timeline.SearchHits{{ID: "gone", Count: 1}, {ID: "away", Pos: 9, Count: 2, Before: 1}}
	sc.run(m.front.nav.nextMatch(false))
	sc.run(m.front.nav.nextMatch(true))
	if m.front.search.seek != nil {
		t.Error("it looks for ever")
	}
}

// TestSearchBarFits: the bar is as wide as it may be, whatever is in it.
func TestSearchBarFits(t *testing.T) {
	t.Parallel()
	sc := searchScenario(t, "needle")
	m := sc.m
	m.front.nav.openSearch("")
	for _, query := range []string{"", "needle", "日本語日本語日本語", strings.Repeat("long ", 100), "\x1b[31m\u202e", "(x"} {
		m.front.search.query.SetText(query)
		sc.run(m.front.nav.searched(m.front.search.find()))
		for width := 1; width < 120; width++ {
			line, caret := m.front.search.bar(width)
			if text.Width(line) > width || caret < 0 || caret >= width {
				t.Errorf("%q at %d: %q is %d wide, the caret at %d", query, width, line, text.Width(line), caret)
			}
		}
	}
	sc.step("paste", `one\ntwo`)
	if got := m.front.search.query.Text(); got != "(xone" {
		t.Errorf("pasted: %q", got)
	}
}

// TestSearchNothing: there is a word for a conversation without anything.
func TestSearchNothing(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.front.nav.openSearch("x")
	if sc.m.front.search != nil || sc.m.front.hint.text == "" {
		t.Error("a bar over nothing")
	}
	sc.say(prompted(0, "x"))
	sc.run(sc.m.front.nav.openSearch("x"))
	if got := sc.m.front.search.state(); got != "1 of 1" {
		t.Errorf("/search x: %s", got)
	}
	sc.step("key", "backspace backspace")
	if sc.m.front.search != nil {
		t.Error("backspace on an empty query leaves the bar open")
	}
}
