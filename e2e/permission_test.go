package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/session/sessiontest/llm"
)

// asking is a way to make the runtime ask for a permission.
type asking struct {
	name string
	// call is the nth thing of its kind that the model wants; none is done twice.
	call func(s *stage, n int) llm.Call
	// card is what the question says of it.
	card func(n int) []string
	// rest are the questions that come when this one is allowed.
	rest [][]string
	// heard is what the model reads when the nth was done.
	heard func(n int) string
	// done reports whether the nth was done; nil where nothing is left behind.
	done func(s *stage, n int) bool
}

// always is what the model reads whatever the number is.
func always(text string) func(int) string { return func(int) string { return text } }

// numbered puts the number into the text.
func numbered(text string) func(int) string {
	return func(n int) string { return fmt.Sprintf(text, n) }
}

// says is what a question says: texts that have the number, and others.
func says(numbered string, others ...string) func(int) []string {
	return func(n int) []string { return append(slices.Clone(others), fmt.Sprintf(numbered, n)) }
}

// outside is a file that no folder of the agent's has.
func outside(n int) string { return []string{"", "/etc/passwd", "/etc/hosts"}[n] }

func askings() []asking {
	return []asking{
		{
			name: "shell", card: says("touch made%d", "Run these commands?", "not allowed yet: `touch`", "Yes, `touch` for this session"),
			call:  func(_ *stage, n int) llm.Call { return bash(fmt.Sprintf("touch made%d && echo 'made '%d", n, n)) },
			heard: numbered("made %d"),
			done:  func(s *stage, n int) bool { return s.exists(fmt.Sprintf("made%d", n)) },
		}, {
			name: "create",
			card: says("new%d.txt", "Create this file?", "1 + first line", "2 + second line", "Yes, every file change for this session"),
			call: func(s *stage, n int) llm.Call {
				return call("create", object{"path": s.path(fmt.Sprintf("new%d.txt", n)), "file_text": "first line\nsecond line\n"})
			},
			heard: numbered("new%d.txt"),
			done:  func(s *stage, n int) bool { return s.exists(fmt.Sprintf("new%d.txt", n)) },
		}, {
			name: "edit", card: says("− old %d", "Change this file?", "list.txt", "+ changed", "Yes, every file change for this session"),
			call: func(s *stage, n int) llm.Call {
				old, changed := fmt.Sprintf("old %d", n), fmt.Sprintf("changed %d", n)
				return call("edit", object{"path": s.path("list.txt"), "old_str": old, "new_str": changed})
			},
			heard: always("list.txt"),
			done:  func(s *stage, n int) bool { return strings.Contains(s.file("list.txt"), fmt.Sprintf("changed %d", n)) },
		}, {
			name: "read",
			card: says("secret%d", "Read this path?", "not allowed yet", "Yes, reading any file in allowed folders for this session"),
			call: func(s *stage, n int) llm.Call {
				return call("view", object{"path": s.path(fmt.Sprintf("secret%d", n))})
			},
			heard: numbered("it is %d"),
		}, {
			name: "path", card: func(n int) []string {
				return []string{"Read this path?", outside(n), "outside the folders", "Yes, reading in `/etc` for this session"}
			},
			call: func(_ *stage, n int) llm.Call { return call("view", object{"path": outside(n)}) },
			rest: [][]string{{"Read this path?", outside(2), "not allowed yet"}}, heard: always("localhost"),
		}, {
			name: "url",
			card: says("/v1/nothing%d", "Fetch this address?", "http://127.0.0.1", "for this session", "in every session (asks to type yes)"),
			call: func(s *stage, n int) llm.Call {
				return bash(fmt.Sprintf("curl -s %s/nothing%d; echo 'fetched '%d", s.model.URL, n, n))
			},
			rest: [][]string{{"Run", "curl -s"}}, heard: numbered("fetched %d"),
		}, {
			name: "mcp", card: says("hello-%d", "Call this tool?", "echo (asker)", "Yes, `echo` of `asker` for this session"),
			call:  func(_ *stage, n int) llm.Call { return call("asker-echo", object{"about": fmt.Sprintf("hello-%d", n)}) },
			heard: numbered("received: hello-%d"),
		}, {
			name: "hook", card: says("hooked-%d", "A hook asks: continue with this tool?", "glob", "a hook says: look twice"),
			call:  func(_ *stage, n int) llm.Call { return call("glob", object{"pattern": fmt.Sprintf("hooked-%d*", n)}) },
			heard: numbered("hooked-%d.txt"),
		},
	}
}

// playAskings starts in a folder with all that the questions are about, and trusts
// it.
func playAskings(t *testing.T, l launch) *stage {
	t.Helper()
	l.dir, l.home = t.TempDir(), t.TempDir()
	clitest.Put(t, filepath.Join(l.dir, "list.txt"), "top\nold 1\nold 2\n")
	for n := range 3 {
		clitest.Put(t, filepath.Join(l.dir, fmt.Sprintf("secret%d", n)), fmt.Sprintf("it is %d\n", n))
		clitest.Put(t, filepath.Join(l.dir, fmt.Sprintf("hooked-%d.txt", n)), "")
	}
	withMCP(t, l.dir)
	withHook(t, l.dir)
	clitest.Folder(t, filepath.Join(l.home, ".config", "parley"))
	clitest.Put(t, filepath.Join(l.home, ".config", "parley", "settings.toml"), "reads = \"ask\"\n")
	s := play(t, nil, l)
	s.card("Trust this folder?")
	s.readOn()
	s.answer("l", "l  Yes, always", ".mcp.json: an MCP server")
	s.enter("enter allows it")
	s.waitGone("Trust this folder?")
	return s
}

// withHook makes a folder bring a hook along that wants one tool to be asked for.
func withHook(t *testing.T, dir string) {
	t.Helper()
	hooks := filepath.Join(dir, ".github", "hooks")
	clitest.Folder(t, hooks)
	clitest.Put(t, filepath.Join(hooks, "ask.json"), `{"version":1,"hooks":{"preToolUse":[{"type":"command",`+
		`"bash":"grep -q hooked- && echo '{\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"look twice\"}' || true"}]}}`)
}

// TestPermissions makes the runtime ask for each permission, and then in words, in
// one session: each question is answered no with words and yes, once also without a
// word, and once for the session.
func TestPermissions(t *testing.T) { bothWindows(t, journeyPermissions) }

// journeyPermissions is it in one window.
func journeyPermissions(t *testing.T, l launch) {
	t.Helper()
	s := playAskings(t, l)
	for _, a := range askings() {
		s.model.Add(a.name, calling(a.call(s, 1)), calling(a.call(s, 2)), said("The turn "+a.name+" is over."))
		s.say("do it @@" + a.name)
		s.card(a.card(1)...)
		s.refuse("better not the " + a.name)
		s.card(a.card(2)...)
		s.requested("tool", "better not the "+a.name)
		a.check(s, 1, false)
		a.check(s, 2, false)
		s.press("y")
		for _, card := range a.rest {
			s.answer("y", card...)
		}
		s.over(a.name)
		a.check(s, 1, false)
		a.check(s, 2, true)
	}
	s.refusesPlainly()
	s.allowsForTheSession()
	s.asksForWords()
	s.leave()
}

// check checks whether the nth was done.
func (a asking) check(s *stage, n int, want bool) {
	s.t.Helper()
	if a.done != nil && a.done(s, n) != want {
		s.t.Errorf("%s %d: done is %t, want %t", a.name, n, !want, want)
	}
	if heard := s.heard("tool"); want && !strings.Contains(heard, a.heard(n)) {
		s.t.Errorf("%s %d: the model heard %q", a.name, n, heard)
	}
}

// refusesPlainly says no without a word, which stops the turn.
func (s *stage) refusesPlainly() {
	s.t.Helper()
	asked := len(s.model.Requests())
	s.turn("stopped", bash("touch stopped.txt"))
	s.answer("n", "touch stopped.txt", textOnce)
	s.wait(textFeedback, "refuse and stop the turn")
	s.enter(textFeedback)
	s.idle("⊘")
	if n := len(s.model.Requests()); n != asked+1 || s.exists("stopped.txt") {
		s.t.Errorf("the model was asked %d times more; the file exists: %t", n-asked, s.exists("stopped.txt"))
	}
}

// allowsForTheSession allows a command for the session: the next one like it is not
// asked for.
func (s *stage) allowsForTheSession() {
	s.t.Helper()
	s.model.Add("session", shell("touch one.txt"), shell("touch two.txt"), said("The turn session is over."))
	s.say("do it @@session")
	s.answer("s", "touch one.txt", "Yes, `touch` for this session")
	s.over("session")
	if !s.exists("one.txt") || !s.exists("two.txt") {
		s.t.Error("what was allowed was not done")
	}
}

// asksForWords answers a question with a choice, with what was not offered, and one
// where nothing is.
func (s *stage) asksForWords() {
	s.t.Helper()
	choice := func(question string) llm.Step {
		return calling(call("ask_user", object{"question": question, "choices": []string{"red", "green"}}))
	}
	s.model.Add("words", choice("Which colour?"), choice("Which shade?"), calling(call("ask_user", object{"question": "And why?"})), said("The turn words is over."))
	s.say("do it @@words")
	s.answer("2", "Which colour?", "1  red", "2  green", "3  Something else")
	s.card("Which shade?")
	s.requested("tool", "green")
	s.answer("3", "3  Something else")
	s.wait("Your answer:")
	s.typed("mauve")
	s.enter("3  Something else")
	s.card("And why?", "Your answer:", "enter answer")
	s.requested("tool", "mauve")
	s.typed("it is a test")
	s.enter("Your answer:")
	s.over("words")
	s.requested("tool", "it is a test")
}
