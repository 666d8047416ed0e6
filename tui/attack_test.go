package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/session"
	"parley/tui/conversation"
)

// words that a user wrote on a question, and that must not get lost.
const precious = "precious words"

// writing is a question on which the words were written, with the keys that
// lead to its line.
var writing = map[string]struct {
	body session.Body
	keys []string
	send []string // keys that send them
}{
	"reason":  {asking("p", "git push").Body, []string{"n"}, []string{"enter"}},
	"note":    {asking("p", "git push").Body, []string{"tab"}, []string{"enter", "y"}},
	"answer":  {session.UserInputRequested{RequestID: "p", Question: "Why?"}, []string{"tab"}, []string{"enter"}},
	"plan":    {session.ExitPlanModeRequested{RequestID: "p", PlanContent: "1. Do it"}, []string{"n"}, []string{"enter"}},
	"form":    {form(`{"why":{"type":"string"}}`), []string{"tab"}, []string{"enter"}},
	"fields":  {form(`{"why":{"type":"string"},"how":{"type":"string"}}`), []string{"tab"}, []string{"tab", "tab", "y"}},
	"comment": {changing, []string{"c"}, []string{"enter", "n", "enter"}},
}

var changing = session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{
	PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a", ToolCallID: "call-p", Diff: "--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-a\n+b\n"},
}}

func form(properties string) session.Body {
	return session.ElicitationRequested{RequestID: "p", RequestedSchema: []byte(`{"type":"object","properties":` + properties + `}`)}
}

// written opens a question and writes the words on it.
func written(t *testing.T, name string, body session.Body, keys []string) *scenario {
	t.Helper()
	sc := newScenario(t, nil)
	sc.say(session.Event{Body: body})
	sc.wait(time.Second)
	sc.calm(keys...)
	for _, r := range precious {
		sc.input(tea.KeyPressMsg{Code: r, Text: string(r)})
		sc.wait(50 * time.Millisecond)
	}
	sc.wait(time.Second)
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, precious) || sc.draft() != "" {
		t.Fatalf("%s: not written there\n%s", name, screen)
	}
	return sc
}

// calm presses keys a second apart.
func (sc *scenario) calm(keys ...string) {
	for _, k := range keys {
		sc.input(press(sc.t, k))
		sc.wait(time.Second)
	}
}

// have counts the words: in the draft, on the question, on the stash as those of a form
// that closed, and sent with an answer that arrived or as a prompt.
func (sc *scenario) have() int {
	stashed := 0
	for _, s := range sc.m.win.Unsent().Stash {
		if s.Why == prompts.UnsentForm {
			stashed += strings.Count(s.Draft.Text, precious)
		}
	}
	return stashed + strings.Count(sc.draft()+strings.Join(sc.screen()[:len(sc.screen())-2-sc.m.display.View.Layout.Composer.Height], "\n"), precious)
}

// TestWordsSurvive: what a user wrote on a question is in the draft, or on
// the question, once, whatever happens to the question, the session or the
// answer.
func TestWordsSurvive(t *testing.T) {
	t.Parallel()
	for name, w := range writing {
		for what, happen := range map[string]func(sc *scenario){
			"settled": func(sc *scenario) { sc.say(session.Event{Body: session.PermissionCompleted{RequestID: "p"}}) },
			"aborted": func(sc *scenario) { sc.say(session.Event{Body: session.Abort{}}) },
			"ended":   func(sc *scenario) { sc.step("end", "") },
			"left": func(sc *scenario) {
				if name == "comment" { // which esc cancels
					sc.calm("ctrl+c")
				} else {
					sc.calm("esc", "esc")
				}
				sc.step("type", "/new")
				sc.calm("enter")
			},
			"resized": func(sc *scenario) { sc.size(40, 12); sc.size(100, 40) },
			"laid aside": func(sc *scenario) {
				sc.calm("ctrl+c", "ctrl+x", "p")
				if name != "answer" { // its line opens by itself
					sc.calm(w.keys...)
				}
			},
			"refused by the agent": func(sc *scenario) {
				sc.s.fail = errors.New("no")
				sc.calm(w.send...)
			},
			"answered elsewhere meanwhile": func(sc *scenario) {
				sc.s.fail = session.ErrResolved
				sc.calm(w.send...)
			},
		} {
			sc := written(t, name, w.body, w.keys)
			happen(sc)
			sc.wait(time.Second)
			sent := 0
			for _, call := range sc.s.calls {
				if strings.HasPrefix(call, "send ") {
					sent += strings.Count(call, precious)
				}
			}
			if n := sc.have() + sent; n != 1 {
				t.Errorf("%s, %s: %d times\ndraft %q, calls %q\n%s", name, what, n, sc.draft(), sc.s.calls, strings.Join(sc.screen(), "\n"))
			}
		}
	}
}

// TestLateFailure: an answer that fails after its session went gives its words
// back.
func TestLateFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer session.Answer
		want   string
	}{
		"reason": {session.PermissionAnswer{RequestID: "p", Decision: session.Reject, Feedback: precious}, precious},
		"answer": {session.UserInputAnswer{RequestID: "p", Text: precious, Freeform: true}, precious},
		"choice": {session.UserInputAnswer{RequestID: "p", Text: precious}, ""},
		"form":   {session.ElicitationAnswer{RequestID: "p", Action: session.Accept, Content: map[string]any{"why": precious, "n": int64(3)}}, "n: 3\nwhy: " + precious},
	} {
		sc := newScenario(t, nil)
		s := sc.m.win.Front.Session
		sc.step("end", "")
		sc.update(toFront(sc.m, conversation.RespondedMsg{Session: s, Answer: c.answer, Err: errors.New("no")}))
		if got := sc.draft(); got != c.want {
			t.Errorf("%s: the draft is %q, want %q", name, got, c.want)
		}
	}
}

// TestOneNoteFails: of two notes for one call, the one whose answer could not
// be delivered comes back, and the other is sent.
func TestOneNoteFails(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	for _, id := range []string{"first", "second"} {
		ev := asking(id, "git push")
		p := ev.Body.(session.PermissionRequested)
		p.PermissionRequest.ToolCallID = "call"
		sc.say(session.Event{Body: p})
		sc.m.win.Front.Answers.KeepNote(session.PermissionAnswer{RequestID: session.RequestID(id), Decision: session.ApproveOnce, Note: "note " + id})
	}
	failed := session.PermissionAnswer{RequestID: "second", Decision: session.ApproveOnce, Note: "note second"}
	sc.update(toFront(sc.m, conversation.RespondedMsg{Session: sc.s, Answer: failed, Err: errors.New("no")}))
	sc.say(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "call"}})
	if got := strings.Join(sc.s.calls, "\n"); sc.draft() != "note second" || !strings.Contains(got, `"note first"`) || strings.Contains(got, "note second") {
		t.Errorf("draft %q, calls %q", sc.draft(), got)
	}
}

// TestHiddenQuestionsDoNotAnswer: while something lies over a question, or just
// did, no key answers it.
func TestHiddenQuestionsDoNotAnswer(t *testing.T) {
	t.Parallel()
	for name, over := range map[string]struct{ open, close func(sc *scenario) }{
		"edits":  {func(sc *scenario) { sc.calm("ctrl+x", "d") }, func(sc *scenario) { sc.input(press(sc.t, "q")) }},
		"help":   {func(sc *scenario) { sc.m.win.Front.Commands.Run("help", "") }, func(sc *scenario) { sc.input(press(sc.t, "esc")) }},
		"picker": {func(sc *scenario) { sc.m.win.Front.Commands.Run("mode", "") }, func(sc *scenario) { sc.input(press(sc.t, "esc")) }},
		"tiny":   {func(sc *scenario) { sc.size(15, 5) }, func(sc *scenario) { sc.size(80, 24) }},
		"window": {func(sc *scenario) { sc.input(tea.BlurMsg{}) }, func(sc *scenario) { sc.input(tea.FocusMsg{}) }},
	} {
		for _, first := range []bool{true, false} { // what comes first: the question, or what lies over it
			sc := newScenario(t, nil)
			sc.editFile(1, 3)
			if first {
				sc.say(asking("p", "git push"))
				sc.wait(time.Second)
			}
			over.open(sc)
			if !first {
				sc.say(asking("p", "git push"))
			}
			sc.wait(2 * time.Second)
			for _, key := range []string{"y", "1", "enter", "s"} {
				sc.input(press(t, key))
				sc.wait(600 * time.Millisecond)
				if name == "picker" && key == "enter" {
					break
				}
			}
			if got := answers(sc.s); len(got) != 0 {
				t.Errorf("%s, question first %v: answered under it: %v", name, first, got)
			}
			over.close(sc)
			sc.wait(300 * time.Millisecond)
			sc.input(press(t, "y"))
			sc.wait(time.Second)
			if got := answers(sc.s); len(got) != 0 {
				t.Errorf("%s, question first %v: answered right after it: %v", name, first, got)
			}
		}
	}
}

// TestAnotherScreen: after a question was off the screen it must be painted
// anew, and a key that was pressed on an older screen does not answer it.
func TestAnotherScreen(t *testing.T) {
	t.Parallel()
	y := press(t, "y")
	for name, c := range map[string]struct {
		happen func(sc *scenario)
		anew   bool
	}{
		"edits closed": {func(sc *scenario) { sc.calm("ctrl+x", "d"); sc.input(press(sc.t, "q")) }, true},
		"suspended":    {func(sc *scenario) { sc.input(tea.ResumeMsg{}) }, true},
		"late key": {func(sc *scenario) {
			sc.wait(2 * lateInput)
			sc.update(conversation.InputMsg{At: sc.at.Add(-2 * lateInput), Msg: y, Late: true})
		}, false},
	} {
		sc := newScenario(t, nil)
		sc.editFile(1, 3)
		sc.say(asking("p", "git push"))
		sc.wait(2 * time.Second)
		before := sc.m.win.Front.Questions.Generation()
		c.happen(sc)
		if anew := sc.m.win.Front.Questions.Generation() != before; anew != c.anew {
			t.Errorf("%s: painted anew: %v", name, anew)
		}
		sc.wait(300 * time.Millisecond)
		sc.input(y)
		sc.wait(time.Second)
		if got := answers(sc.s); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestEnterInOneGo: arrows, letters and Enter that a program types in one go,
// as a paste without brackets does, answer nothing.
func TestEnterInOneGo(t *testing.T) {
	t.Parallel()
	bodies := map[string]session.Body{"change": changing}
	for name, w := range writing {
		bodies[name] = w.body
	}
	for name, body := range bodies {
		for _, text := range []string{"y\r", "1\r", "y\n", "yes\r", "u\ryes\r", "\r", "\r\r\r", "1y\r\r", "\t\r", "\ty\r", "\x1by\r", "n\r", "d", "dd"} {
			sc := newScenario(t, nil)
			sc.say(session.Event{Body: body})
			sc.wait(2 * time.Second)
			for _, r := range text {
				key := tea.KeyPressMsg{Code: r, Text: string(r)}
				switch r {
				case '\r', '\n':
					key = map[rune]tea.KeyPressMsg{'\r': {Code: tea.KeyEnter}, '\n': {Code: 'j', Mod: tea.ModCtrl}}[r]
				case '\t':
					key = tea.KeyPressMsg{Code: tea.KeyTab}
				case '\x1b':
					key = tea.KeyPressMsg{Code: tea.KeyEscape}
				}
				sc.input(key)
			}
			if text == "\ty\r" && (name == "form" || name == "answer") {
				continue // on a line that is written on, Enter comes as fast as letters do
			}
			sc.wait(150 * time.Millisecond) // a letter that stays alone for longer is meant
			if got := answers(sc.s); len(got) != 0 {
				t.Errorf("%s, %q: %v", name, text, got)
			}
		}
	}
}

// TestBackslashes: an address that programs read in two ways is not opened.
func TestBackslashes(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"https://example.com/a":                      true,
		`https://example.com/\@evil.example`:         false,
		`https://example.com\@evil.example/`:         false,
		"https://example.com/\u202egro":              false,
		"javascript:alert(1)":                        false,
		"https:example.com":                          false,
		fmt.Sprintf("https://a%cb.example/", 0x200b): false,
	} {
		if _, got := prompts.WebHost(address); got != ok {
			t.Errorf("%q: %v", address, got)
		}
	}
}
