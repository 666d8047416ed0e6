package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/session"
	"parley/session/sessiontest"
	"parley/tui/conversation"
)

// What is typed while the editor has the terminal is not the window's, whether
// it comes before the terminal is back or was read before.
func TestKeysForTheEditorStayOut(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "draft")
	var out *conversation.Edition
	sc.m.win.Edit = func(e *conversation.Edition) tea.Cmd {
		out = e
		return func() tea.Msg { return nil }
	}
	sc.input(press(t, "ctrl+g"))
	if out == nil || out.Text != "draft" {
		t.Fatalf("the editor got %+v", out)
	}
	left := sc.at
	sc.step("type", ":wq")
	sc.step("paste", "secret")
	sc.input(tea.MouseClickMsg{Button: tea.MouseLeft})
	sc.wait(time.Minute)
	out.Result = "draft, longer\n"
	sc.update(conversation.ReturnedMsg{At: sc.at, Edition: out})
	sc.update(conversation.InputMsg{At: left, Msg: tea.KeyPressMsg{Code: 'x', Text: "x"}})
	if got := sc.draft(); got != "draft, longer" {
		t.Errorf("the draft is %q", got)
	}
	sc.step("type", "!")
	if got := sc.draft(); got != "draft, longer!" {
		t.Errorf("the draft is %q", got)
	}
	sc.step("key", "ctrl+_ ctrl+_")
	if got := sc.draft(); got != "draft" {
		t.Errorf("undone, the draft is %q", got)
	}
}

// Coming back from the editor answers nothing, and a card that was armed must be
// painted anew before it listens.
func TestEditorNeverAnswers(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		sc := newScenario(t, nil)
		sc.say(asking("p", "git push"))
		sc.wait(time.Second)
		var out *conversation.Edition
		sc.m.win.Edit = func(e *conversation.Edition) tea.Cmd {
			out = e
			return func() tea.Msg { return nil }
		}
		sc.step("key", "ctrl+x e")
		if out == nil {
			t.Fatal("no editor was opened")
		}
		sc.step("type", "y")
		sc.wait(time.Second)
		sc.step("type", "y")
		var err error
		if fails {
			err = errors.New("no")
		}
		generation := sc.m.win.Front.Questions.Generation()
		sc.update(conversation.ReturnedMsg{At: sc.at, Edition: out, Err: err})
		if sc.m.win.Front.Questions.Generation() == generation {
			t.Error("the card was not painted anew")
		}
		sc.step("type", "y")
		sc.wait(time.Second)
		if got := answers(sc.s); len(got) != 0 {
			t.Errorf("fails %t: answered %v", fails, got)
		}
	}
}

// What a key on a question asks for outside of it.
func TestEffects(t *testing.T) {
	t.Parallel()
	opener, far := `"xdg-open"`, []string(nil)
	if runtime.GOOS == "windows" { // where a desktop is always near, but over SSH
		opener, far = `"rundll32" "url.dll,FileProtocolHandler"`, []string{"SSH_CONNECTION=c"}
	}
	for _, c := range []struct {
		name   string
		env    []string
		effect prompts.Effect
		fails  bool
		want   []string
		hint   string
	}{
		{"copy", nil, prompts.CopyText{Text: "one\ntwo\n"}, false, []string{`copy "one\ntwo\n"`}, "Copied 2 lines"},
		{"copy hidden", nil, prompts.CopyText{Text: "o\u202ene"}, false, []string{`copy "o\u202ene"`}, "hidden or control characters"},
		{"copy nothing", nil, prompts.CopyText{}, false, nil, "nothing to copy"},
		{"read", nil, prompts.OpenEditor{Text: "a plan", Name: "plan.md", ReadOnly: true}, false, []string{`edit plan.md "a plan" read-only`}, ""},
		{
			"open",
			[]string{"DISPLAY=:0"},
			prompts.OpenAddress{URL: "https://example.com/a?b=c"},
			false,
			[]string{`start [` + opener + ` "https://example.com/a?b=c"]`},
			"Opening example.com",
		},
		{
			"open in vain",
			[]string{"WAYLAND_DISPLAY=w"},
			prompts.OpenAddress{URL: "https://example.com/"},
			true,
			[]string{`start [` + opener + ` "https://example.com/"]`, `copy "https://example.com/"`},
			"on the clipboard",
		},
		{"far away", far, prompts.OpenAddress{URL: "http://example.com"}, false, []string{`copy "http://example.com"`}, "on the clipboard"},
		{"a file", []string{"DISPLAY=:0"}, prompts.OpenAddress{URL: "file:///etc/passwd"}, false, nil, "only http"},
		{"an option", []string{"DISPLAY=:0"}, prompts.OpenAddress{URL: "--help"}, false, nil, "only http"},
		{"no host", []string{"DISPLAY=:0"}, prompts.OpenAddress{URL: "https:///x"}, false, nil, "only http"},
		{"a blank", []string{"DISPLAY=:0"}, prompts.OpenAddress{URL: "https://example.com/a b"}, false, nil, "only http"},
	} {
		sc := newScenario(t, func(cfg *Config) { cfg.Env = c.env })
		sc.step("editor", "")
		if c.fails {
			sc.opens = errors.New("exit status 3")
		}
		sc.run(tea.Batch(sc.m.win.Front.Outcome(prompts.Outcome{Effect: c.effect}), sc.m.carryOut()))
		if fmt.Sprint(sc.s.calls) != fmt.Sprint(c.want) || !strings.Contains(sc.m.win.Front.Hinted(), c.hint) {
			t.Errorf("%s: %q, hint %q, want %q, hint %q", c.name, sc.s.calls, sc.m.win.Front.Hinted(), c.want, c.hint)
		}
	}
}

// An open line of a question goes to the editor, by every key of it, and comes
// back to the line; only a further deliberate key sends it.
func TestEditorForAnAnswer(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"ctrl+g", "ctrl+x e", "ctrl+x ctrl+e"} {
		sc := newScenario(t, nil)
		sc.say(asking("p", "grep -r x"))
		sc.wait(time.Second)
		sc.step("key", "n")
		sc.wait(500 * time.Millisecond)
		sc.step("type", "use rg")
		sc.wait(time.Second)
		sc.step("editor", `use rg,\nnot grep\n`)
		sc.step("key", keys)
		if want := `edit `; len(sc.s.calls) != 1 || !strings.HasPrefix(sc.s.calls[0], want) || !strings.Contains(sc.s.calls[0], `"use rg"`) {
			t.Fatalf("%s: %q", keys, sc.s.calls)
		}
		sc.wait(time.Second)
		if got := answers(sc.s); len(got) != 0 || sc.draft() != "" {
			t.Errorf("%s: answered %v, draft %q", keys, got, sc.draft())
		}
		sc.step("key", "enter")
		sc.wait(time.Second)
		if got, want := answers(sc.s), []string{"answer p reject use rg,\nnot grep"}; !slices.Equal(got, want) {
			t.Errorf("%s: answered %q, want %q\n%s", keys, got, want, strings.Join(sc.screen(), "\n"))
		}
	}
}

// What was written for a question that is gone when the editor ends is in the
// draft: settled by another client, or with the whole session.
func TestEditorOutlivesTheQuestion(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*scenario){
		"settled": func(sc *scenario) {
			sc.say(session.Event{Body: session.PermissionCompleted{RequestID: "p", Result: session.PermissionResult{Kind: "approved"}}})
		},
		"ended": func(sc *scenario) { sc.step("end", "") },
	} {
		sc := newScenario(t, nil)
		sc.say(asking("p", "grep -r x"))
		sc.wait(time.Second)
		sc.step("key", "n")
		sc.wait(time.Second)
		var out *conversation.Edition
		sc.m.win.Edit = func(e *conversation.Edition) tea.Cmd {
			out = e
			return func() tea.Msg { return nil }
		}
		sc.step("key", "ctrl+g")
		if out == nil {
			t.Fatal("no editor was opened")
		}
		end(sc)
		out.Result = "a long text\n"
		sc.update(conversation.ReturnedMsg{At: sc.at, Edition: out})
		if sc.draft() != "a long text" {
			t.Errorf("%s: the draft is %q", name, sc.draft())
		}
	}
}

// TestReturnIsInTheNextView: a question is painted anew by the view that follows
// the return of a program, however young the frame is: only that one is flushed
// after the screen was cleared.
func TestReturnIsInTheNextView(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]func(*scenario) tea.Msg{
		"editor": func(sc *scenario) tea.Msg {
			return conversation.ReturnedMsg{At: sc.at, Edition: &conversation.Edition{ReadOnly: true}}
		},
		"suspension": func(sc *scenario) tea.Msg { return conversation.InputMsg{At: sc.at, Msg: tea.ResumeMsg{}} },
	} {
		sc := newScenario(t, nil)
		sc.say(asking("p", "git push"))
		sc.wait(time.Second)
		sc.screen()
		sc.m.frame.timed, sc.m.frame.input, sc.m.frame.open = true, true, false
		sc.m.Update(back(sc))
		sc.m.View()
		if now := sc.m.win.Front.Questions.Generation(); sc.m.win.Front.Painting.Drawn != now {
			t.Errorf("%s: the view shows the question of before: %d, now %d", name, sc.m.win.Front.Painting.Drawn, now)
		}
	}
}

// A file that was named with a line is opened there, in the terminal or in a window of the
// editor; only what is a file of the session's folder is offered.
func TestOpenPlace(t *testing.T) {
	t.Parallel()
	dir, bin := t.TempDir(), t.TempDir()
	for _, name := range []string{"main.go", "sub/b.go", "sub/only_test.go", "sub/twice.go", "other/twice.go"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ending := map[string]string{"windows": ".exe"}[runtime.GOOS]
	for _, name := range []string{"vim", "code"} {
		sessiontest.Program(t, filepath.Join(bin, name+ending), "#!/bin/sh\n")
	}
	for editor, want := range map[string]string{
		"vim":  fmt.Sprintf("terminal for [%q \"+call cursor(12,5)\" %q]", filepath.Join(bin, "vim"+ending), filepath.Join(dir, "main.go")),
		"code": fmt.Sprintf("start [%q \"-g\" %q]", filepath.Join(bin, "code"+ending), filepath.Join(dir, "main.go")+":12:5"),
	} {
		for _, key := range []string{"ctrl+x o", "o"} {
			sc := newScenario(t, func(c *Config) {
				c.Env = []string{"EDITOR=" + filepath.Join(bin, editor+ending)}
			})
			sc.m.win.Front.Info.Dir = dir
			sc.say(
				session.Event{Body: session.AssistantTurnStart{TurnID: "0"}},
				session.Event{Body: session.AssistantMessage{
					MessageID: "m", Content: "See https://example.com/x, sub/b.go:3, only_test.go:4: got 1, twice.go:9, gone.go:7, sub:1, ../main.go:2, /etc/passwd:1 and main.go:12:5.",
				}},
				session.Event{Body: session.AssistantTurnEnd{TurnID: "0"}},
			)
			if key == "o" {
				sc.step("key", "alt+up")
			}
			sc.step("key", key)
			sc.wait(time.Second)
			screen := strings.Join(sc.screen(), "\n")
			list := screen[max(0, strings.Index(screen, "Open a link")):]
			for text, offered := range map[string]bool{
				"❯ main.go:12:5": true, "sub/b.go:3": true, "https://example.com/x": true, "sub/only_test.go:4": true, "twice.go": false, "gone.go:7": false, "sub:1": false, "passwd": false, "../": false,
			} {
				if strings.Contains(list, text) != offered {
					t.Errorf("%s: %q offered: %v\n%s", key, text, !offered, screen)
				}
			}
			sc.step("key", "enter")
			if got := sc.s.calls; len(got) == 0 || got[len(got)-1] != want {
				t.Errorf("%s by %s: %q, want %q", editor, key, got, want)
			}
		}
	}
}
