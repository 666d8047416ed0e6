package tui

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/settings"
	"parley/terminal/lines"
	"parley/theme"
	"parley/tui/conversation"
)

// heard is a window that says lines and reads them, and what it has said.
type heard struct {
	*scenario
	out   bytes.Buffer
	tty   *lines.Terminal
	begun int // what had been said when the line was begun that is typed
	typed int // letters of it
	lines []heardLine
	slow  bool // what is typed is late, until catchUp
	late  []tea.Msg
}

// heardLine is a line that was typed, and what had been said when it was begun.
type heardLine struct{ text, after string }

func newHeard(t *testing.T) *heard {
	t.Helper()
	h := &heard{}
	clock := lines.Clock{Now: func() time.Time { return h.at }, After: func(d time.Duration, do func()) {
		h.timers = append(h.timers, timer{h.at.Add(d), func(time.Time) tea.Msg { do(); return nil }})
	}}
	h.scenario = &scenario{at: started}
	h.scenario = newScenario(t, func(c *Config) {
		c.Lines, c.LowBandwidth, c.Now = true, "on", func() time.Time {
			if h.scenario == nil {
				return started
			}
			return h.at
		}
	})
	h.tty = lines.NewTerminal(&h.out, true, clock)
	h.m.win.Theme = theme.Plain(theme.Spoken())
	h.m.win.Front.Pane.Opts.Theme = h.m.win.Theme
	h.m.display.Resize(cardWidth, lineHeight)
	h.m.win.Flushed = h.tty.Said
	h.around = &lineWindow{panicGuard: panicGuard{end: func() {}}, lineSpeaker: lineSpeaker{model: h.m, terminal: h.tty}}
	h.wait(time.Second)
	return h
}

// key types a byte.
func (h *heard) key(b byte) {
	if h.typed == 0 {
		h.begun = h.out.Len()
	}
	before := h.out.String()[:h.begun]
	line, key := h.tty.Take(b)
	if h.typed++; b == 0x7f {
		h.typed = max(0, h.typed-2)
	}
	switch {
	case line != nil:
		h.typed = 0
		h.lines = append(h.lines, heardLine{line.Text, before})
		h.late = append(h.late, lineMsg(*line))
	case key != lines.NoKey:
		h.typed = 0
		h.late = append(h.late, keyMsg(key))
	}
	if !h.slow {
		h.catchUp()
	}
}

// catchUp gives the window what was typed.
func (h *heard) catchUp() {
	late := h.late
	h.late, h.slow = nil, false
	for _, msg := range late {
		h.update(msg)
	}
}

// line types a line.
func (h *heard) line(text string) {
	for _, b := range []byte(text + "\r") {
		h.key(b)
		h.wait(50 * time.Millisecond)
	}
	h.wait(time.Second)
}

const (
	saidChoose  = "Type the letter or the number of a choice and press Enter."
	saidConfirm = "Type yes and press Enter to confirm."
)

// TestReaderSetting has what happens said once, and a question answered by lines.
func TestReaderSetting(t *testing.T) {
	t.Parallel()
	if s := (settings.Settings{Screen: settings.Reader}); s.Screen != "reader" {
		t.Fatal(s.Screen)
	}
	h := newHeard(t)
	h.line("remove what was built")
	h.say(
		session.Event{ID: "1", Body: session.UserMessage{Content: "remove what was built"}},
		session.Event{ID: "2", Body: session.AssistantTurnStart{TurnID: "t"}},
		session.Event{ID: "3", Body: session.AssistantMessage{MessageID: "m", Content: "I **remove** it.\x1b[2J"}},
		asking("p", "rm -rf build"),
	)
	h.wait(2 * time.Second)
	said := h.out.String()
	for _, want := range []string{"Answer: I remove it.", "Run this command?, 1 of 1\n", "No, and say what to do instead", saidChoose} {
		if strings.Count(said, want) != 1 {
			t.Errorf("%q is not said once:\n%s", want, said)
		}
	}
	if strings.Contains(said, "You: ") {
		t.Errorf("the prompt is said to who typed it:\n%s", said)
	}
	if i := strings.IndexFunc(said, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\n\a\b", r) || r == 0x7f }); i >= 0 {
		t.Errorf("a control character at %d:\n%q", i, said)
	}
	h.line("y")
	if got := answers(h.s); len(got) != 0 || strings.Count(h.out.String(), saidConfirm) != 1 {
		t.Fatalf("%v after the letter alone:\n%s", got, h.out.String())
	}
	h.line("yes")
	if got := answers(h.s); len(got) != 1 || got[0] != "answer p approve-once" {
		t.Errorf("%v:\n%s", got, h.out.String())
	}
}

// TestSaysWhatIsResumed has it said once, while the agent starts, which session is resumed.
func TestSaysWhatIsResumed(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	front := h.m.win.Front
	front.Session, front.Agent, front.Opening, front.Resume = nil, nil, true, "tide\x1b[2J"
	open := front.Open()
	h.wait(time.Second)
	h.run(open)
	h.wait(time.Second)
	if n := strings.Count(h.out.String(), "Resuming “tide”.\n"); n != 1 {
		t.Errorf("it is said %d times:\n%q", n, h.out.String())
	}
}

// TestStillWorks has it said every half minute that the agent works, also after a question.
func TestStillWorks(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	said := func() int { return strings.Count(h.out.String(), "Working: ") }
	start := func(id string) {
		h.say(
			session.Event{ID: session.EventID("u" + id), Time: h.at, Body: session.UserMessage{Content: "go on " + id}},
			session.Event{ID: session.EventID("t" + id), Time: h.at, Body: session.AssistantTurnStart{TurnID: id}},
		)
	}
	end := func(id string) {
		h.say(
			session.Event{ID: session.EventID("e" + id), Body: session.AssistantTurnEnd{TurnID: id}},
			session.Event{Ephemeral: true, Body: session.SessionIdle{}},
		)
	}
	start("1")
	h.wait(10 * time.Second)
	end("1")
	start("2")
	if h.wait(65 * time.Second); said() != 2 || !strings.Contains(h.out.String(), "Working: thinking since ") {
		t.Errorf("said %d times in 65 s:\n%s", said(), h.out.String())
	}
	h.say(asking("p", "git push"))
	if h.wait(70 * time.Second); said() != 2 {
		t.Errorf("said while a question waits:\n%s", h.out.String())
	}
	h.line("n")
	h.line("")
	if h.wait(65 * time.Second); said() < 4 {
		t.Errorf("said %d times after the answer:\n%s", said(), h.out.String())
	}
}

// works has the agent work.
func (h *heard) works() {
	h.say(
		session.Event{ID: "u", Time: h.at, Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "t", Time: h.at, Body: session.AssistantTurnStart{TurnID: "t"}},
	)
}

// prefers changes the settings as their file does.
func (h *heard) prefers(change func(*settings.Settings)) {
	next := h.m.win.Config.Settings
	change(&next)
	h.run(h.m.apply(Preferences{Settings: next, Keys: h.m.win.Config.Keys}))
}

// TestReaderProgress says how often it is set that the agent works, also where that changes
// while it does, and what it does when the user asks.
func TestReaderProgress(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	said := func(what string) int { return strings.Count(h.out.String(), what) }
	h.prefers(func(s *settings.Settings) { s.Reader.Progress = 0 })
	h.works()
	if h.wait(10 * time.Minute); said("Working: ") != 0 {
		t.Errorf("said though it is off:\n%s", h.out.String())
	}
	h.line("/status")
	for _, want := range []string{"activity: ", "model: gpt-5.4", "mode: interactive"} {
		if said(want) != 1 {
			t.Errorf("%q is not said once:\n%s", want, h.out.String())
		}
	}
	h.prefers(func(s *settings.Settings) { s.Reader.Progress = 5 })
	if h.wait(21 * time.Second); said("Working: ") != 4 {
		t.Errorf("said %d times in 21 s:\n%s", said("Working: "), h.out.String())
	}
}

// TestReaderAnswers says an answer whole, or sentence by sentence.
func TestReaderAnswers(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	h.works()
	comes := func(id, s string) {
		h.say(session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: session.MessageID(id), DeltaContent: s}})
	}
	check := func(want ...string) {
		t.Helper()
		if got := slices.Collect(strings.SplitSeq(strings.TrimSuffix(h.out.String(), "\n"), "\n")); !slices.Equal(got[len(got)-len(want):], want) {
			t.Errorf("said %q, want %q", got, want)
		}
	}
	comes("a", "One. Two. Th")
	before := h.out.String()
	h.say(session.Event{ID: "a", Body: session.AssistantMessage{MessageID: "a", Content: "One. Two. Three."}})
	if strings.Contains(before, "One.") {
		t.Errorf("said before it is complete:\n%s", before)
	}
	check("Answer: One. Two. Three.")
	h.prefers(func(s *settings.Settings) { s.Reader.Answers = settings.Sentences })
	comes("b", "Four. Fi")
	check("Answer: Four.")
	comes("b", "ve. Six")
	h.say(session.Event{ID: "b", Body: session.AssistantMessage{MessageID: "b", Content: "Four. Five. Six"}})
	check("Answer: Four.", "Five.", "Six")
}

// TestQuestionLeftWaiting leaves a question, writes a prompt, and comes back to it.
func TestQuestionLeftWaiting(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	h.say(asking("p", "git push"))
	h.wait(2 * time.Second)
	h.line(".")
	for range 2 {
		if h.line(".question"); h.m.win.Front.Composer.Text() != "" {
			t.Errorf("the draft is %q", h.m.win.Front.Composer.Text())
		}
		h.wait(4 * time.Second)
	}
	if n := strings.Count(h.out.String(), saidChoose); n != 3 {
		t.Errorf("the question was said %d times:\n%s", n, h.out.String())
	}
	h.line("y")
	if got := answers(h.s); len(got) != 1 || got[0] != "answer p approve-once" {
		t.Errorf("%v:\n%s", got, h.out.String())
	}
}

// TestFormByLines fills in a form: a line is the whole answer to a field, and is not said to
// who typed it.
func TestFormByLines(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	h.say(session.Event{Body: form(`{"name":{"type":"string"},"copies":{"type":"integer","default":1,"maximum":9}}`)})
	h.wait(2 * time.Second)
	for _, line := range []string{"Ann", "99", "y", "3", "", "y"} {
		h.line(line)
		h.wait(2 * time.Second)
	}
	said := h.out.String()
	for _, want := range []string{
		"Type your answer and press Enter.", "\nAnn\n> copies", "x At most 9", "your answers", "A question waits: type",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	if got := answers(h.s); len(got) != 1 || got[0] != "answer p accept map[copies:3 name:Ann]" {
		t.Errorf("%v:\n%s", got, h.out.String())
	}
}

// TestFormSaysAll says what belongs to a field, also where it ends as the answer before does.
func TestFormSaysAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, answer, want string }{
		{`{"env":{"type":"string"},"target":{"type":"string","enum":["staging","production"]}}`, "production", "2   production"},
		{`{"copies":{"type":"integer","minimum":10}}`, "0", "x At least 10"},
	} {
		h := newHeard(t)
		h.say(session.Event{Body: form(c.schema)})
		h.wait(2 * time.Second)
		h.line(c.answer)
		h.wait(2 * time.Second)
		if !strings.Contains(h.out.String(), c.want) {
			t.Errorf("%q is not said:\n%s", c.want, h.out.String())
		}
	}
}

// TestSaidAsItListens says a card when it is drawn as one that takes an answer, not before.
func TestSaidAsItListens(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	h.say(asking("p", "git push"))
	for range 40 {
		h.at = h.at.Add(100 * time.Millisecond)
		h.update(conversation.SaveMsg(h.at)) // the time is known, and no timer has run
	}
	h.wait(3 * time.Second)
	said := h.out.String()
	if strings.Contains(said, "in a moment") || !strings.Contains(said, saidChoose) {
		t.Errorf("said:\n%s", said)
	}
}

// TestKeptLines has each line stand alone that no question takes: an empty line sends them, and
// a line that is sent does not take them along.
func TestKeptLines(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	h.say(asking("p", "git push"))
	h.wait(2 * time.Second)
	h.line("abc")
	h.line("def")
	if got := h.m.win.Front.Composer.Text(); got != "abc\ndef" {
		t.Errorf("the draft is %q", got)
	}
	h.line(".")
	h.line(".tab")
	h.line("/rename Pushed")
	h.say(session.Event{Ephemeral: true, Body: session.PermissionCompleted{RequestID: "p"}})
	h.line("/end")
	h.line(`foo\`)
	h.line("bar")
	h.line("")
	if got := fmt.Sprint(h.s.calls); got != `[rename "Pushed" send enqueue "foo\nbar" send enqueue "abc\ndef"]` {
		t.Errorf("%s:\n%s", got, h.out.String())
	}
	for _, want := range []string{"Nothing takes that key now.", "No command /end"} {
		if !strings.Contains(h.out.String(), want) {
			t.Errorf("%q is not said:\n%s", want, h.out.String())
		}
	}
}

// TestLineBegunBefore keeps a line that was begun before the question as the draft.
func TestLineBegunBefore(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	h.key('y')
	h.say(asking("p", "git push"))
	h.wait(2 * time.Second)
	if strings.Contains(h.out.String(), "git push") {
		t.Errorf("the question was said between the letters of a line:\n%s", h.out.String())
	}
	h.line("")
	if got := answers(h.s); len(got) != 0 || h.m.win.Front.Composer.Text() != "y" {
		t.Fatalf("%v, the draft is %q:\n%s", got, h.m.win.Front.Composer.Text(), h.out.String())
	}
	h.line("s")
	if got := answers(h.s); len(got) != 1 {
		t.Errorf("%v:\n%s", got, h.out.String())
	}
}

// TestQuestionByLines says what is asked as it is, a line of it in a line, a change in words, and
// of the keys of the full window only what can be typed.
func TestQuestionByLines(t *testing.T) {
	t.Parallel()
	long := "make " + strings.Repeat("word ", 200) + "--- | done,"
	for name, c := range map[string]struct {
		body session.Body
		want []string
	}{
		"command": {shellOf("p", "mark", long), []string{
			"\n" + long + "\n", "\nl  Yes, `" + long + "`, always in this project (l, then yes)\n",
			"\nOr type .tab for note, c for copy, ? for why, . for later.\n",
		}},
		"change": {session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{
			Kind: "write", FileName: "/w/a.txt", Diff: "--- a/w/a.txt\n+++ b/w/a.txt\n@@ -11,2 +11,2 @@\n one\n-two\n+  " + long + "\n",
		}}}, []string{"\nline 11: one\nline 12 removed: two\nline 12 added:   " + long + "\n", "+ for more context"}},
		"long": {kinds[2].ask("p", "mark"), []string{" more lines: .more\n", "Or type .more for read on"}},
		"form": {form(`{"size":{"enum":["s","m"]},"why":{"type":"string"}}`), []string{"Or type an empty line for next, a number for choose, . for leave."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHeard(t)
			h.say(session.Event{ID: "e", Body: c.body})
			h.wait(2 * time.Second)
			said := h.out.String()
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not said:\n%s", want, said)
				}
			}
			for _, key := range []string{"tab note", "esc ", "enter", "pgdn", "full view", "side by side", "ctrl+", "shift+"} {
				if strings.Contains(strings.ReplaceAll(said, "press Enter", ""), key) && !strings.Contains(said, "."+key) {
					t.Errorf("%q is said:\n%s", key, said)
				}
			}
		})
	}
}

// TestYesBegunBefore: a yes that was begun before it was asked for confirms nothing, also where
// it was asked for before, and the yes to that came too soon.
func TestYesBegunBefore(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	asked := func() int { return strings.Count(h.out.String(), saidConfirm) }
	h.say(asking("p", "rm -rf build"))
	h.wait(2 * time.Second)
	h.key('1')
	for h.key('\r'); asked() == 0; {
		h.wait(time.Millisecond)
	}
	for _, b := range []byte("yes\r") {
		h.key(b)
	}
	h.slow = true
	for _, b := range []byte("yes\ry") {
		h.key(b)
	}
	h.catchUp()
	h.wait(time.Second)
	h.line("es")
	if got := answers(h.s); len(got) != 0 || asked() != 3 {
		t.Fatalf("%v, and yes is asked for %d times:\n%s", got, asked(), h.out.String())
	}
	h.line("yes")
	if got := answers(h.s); len(got) != 1 {
		t.Errorf("%v:\n%s", got, h.out.String())
	}
}

// TestEnterByNameAnswersNothing: a line with .enter does not answer with the row that was chosen,
// also where another key and another question came after that and yes is not asked for any more.
func TestEnterByNameAnswersNothing(t *testing.T) {
	t.Parallel()
	h := newHeard(t)
	h.say(asking("p", "git push"))
	h.wait(2 * time.Second)
	h.line("1")
	h.line("e")
	h.say(asking("q", "rm -rf build"))
	h.wait(2 * time.Second)
	h.line(".enter")
	if got := answers(h.s); len(got) != 0 {
		t.Fatalf("%v:\n%s", got, h.out.String())
	}
	h.line("1")
	h.line("yes")
	if got := answers(h.s); len(got) != 1 {
		t.Errorf("%v:\n%s", got, h.out.String())
	}
}
