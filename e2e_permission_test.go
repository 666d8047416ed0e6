package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// asking is a way to make the runtime ask for a permission.
type asking struct {
	name string
	// folder is what the working folder brings along; trust is the key that
	// allows that.
	folder func(t *testing.T, dir string)
	trust  string
	// call is the nth thing of its kind that the model wants; none is done twice.
	call func(s *stage, n int) llm.Call
	// card is what the question says.
	card []string
	// session is the row that allows it for the session; "" when none is offered.
	session string
	// forgets is true where the runtime takes that and asks again all the same.
	forgets bool
	// mild is true where refusing without a word does not stop the turn.
	mild bool
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

func askings() []asking {
	return []asking{
		{
			name: "shell",
			call: func(_ *stage, n int) llm.Call { return bash(fmt.Sprintf("touch made%d && echo 'made '%d", n, n)) },
			card: []string{"Run this command?", "touch made", "no rule allows `touch`"}, session: "Yes, `touch` for this session",
			heard: numbered("made %d"),
			done:  func(s *stage, n int) bool { return s.exists(fmt.Sprintf("made%d", n)) },
		}, {
			name: "create",
			call: func(s *stage, n int) llm.Call {
				return llm.Call{Name: "create", Args: object{
					"path": s.path(fmt.Sprintf("new%d.txt", n)), "file_text": "first line\nsecond line\n",
				}}
			},
			card: []string{"Create this file?", "new", "1 + first line", "2 + second line"}, session: "Yes, every file change for this session",
			heard: numbered("new%d.txt"),
			done:  func(s *stage, n int) bool { return s.exists(fmt.Sprintf("new%d.txt", n)) },
		}, {
			name: "edit",
			call: func(s *stage, n int) llm.Call {
				return llm.Call{Name: "edit", Args: object{
					"path": s.path("list.txt"), "old_str": fmt.Sprintf("old %d", n), "new_str": fmt.Sprintf("changed %d", n),
				}}
			},
			card: []string{"Change this file?", "list.txt", "− old", "+ changed"}, session: "Yes, every file change for this session",
			heard: always("list.txt"),
			done:  func(s *stage, n int) bool { return strings.Contains(s.file("list.txt"), fmt.Sprintf("changed %d", n)) },
		}, {
			name: "read",
			call: func(s *stage, n int) llm.Call {
				return llm.Call{Name: "view", Args: object{"path": s.path(fmt.Sprintf("secret%d", n))}}
			},
			card: []string{"Read this path?", "secret", "no rule allows"}, session: "Yes, reading any file in the folders it may use for this session",
			heard: numbered("it is %d"),
		}, {
			name: "path",
			call: func(*stage, int) llm.Call { return llm.Call{Name: "view", Args: object{"path": "/etc/hosts"}} },
			card: []string{"Read this path?", "/etc/hosts", "outside the folders"}, session: "Yes, reading in `/etc` for this session", forgets: true,
			rest: [][]string{{"Read this path?", "/etc/hosts", "no rule allows"}}, heard: always("localhost"),
		}, {
			name: "url",
			call: func(s *stage, n int) llm.Call {
				return bash(fmt.Sprintf("curl -s %s/nothing; echo 'fetched '%d", s.model.URL, n))
			},
			card: []string{"Fetch this address?", "/v1/nothing", "http://127.0.0.1"}, session: "for this session",
			rest: [][]string{{"Run", "curl -s"}}, heard: numbered("fetched %d"),
		}, {
			name: "mcp", folder: withMCP, trust: "y",
			call: func(_ *stage, n int) llm.Call {
				return llm.Call{Name: "asker-echo", Args: object{"about": fmt.Sprintf("hello-%d", n)}}
			},
			card: []string{"Call this tool?", "echo (asker)", "hello-"}, session: "Yes, `echo` of `asker` for this session",
			heard: numbered("received: hello-%d"),
		}, {
			name: "hook", folder: withHook, trust: "l", mild: true,
			call:  func(_ *stage, n int) llm.Call { return bash(fmt.Sprintf("echo 'said '%d", n)) },
			card:  []string{"A hook asks: go on with this tool?", "bash", "echo 'said '", "a hook says: look twice"},
			heard: numbered("said %d"),
		},
	}
}

// TestPermissions makes the runtime ask for each permission and gives each
// answer that a question of its kind has.
func TestPermissions(t *testing.T) {
	t.Parallel()
	for _, a := range askings() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, filepath.Join(dir, "list.txt"), "top\nold 1\nold 2\nold 3\nold 4\nold 5\n")
			for n := range 6 {
				put(t, filepath.Join(dir, fmt.Sprintf("secret%d", n)), fmt.Sprintf("it is %d\n", n))
			}
			if a.folder != nil {
				a.folder(t, dir)
			}
			s := play(t, nil, launch{dir: dir})
			if a.folder != nil {
				s.answer(a.trust, "Trust this folder?")
				s.waitGone("Trust this folder?")
			}
			a.refusedPlainly(s, 1)
			a.refused(s, 2)
			a.allowed(s, 3, "y")
			if a.session != "" {
				a.card = append(a.card, a.session)
				a.allowed(s, 4, "s")
				a.again(s, 5)
			}
			s.leave()
		})
	}
}

func (a asking) begin(s *stage, n int) (turn string) {
	s.t.Helper()
	turn = fmt.Sprintf("%s-%d", a.name, n)
	s.turn(turn, a.call(s, n))
	return turn
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

func (a asking) refusedPlainly(s *stage, n int) {
	s.t.Helper()
	turn := a.begin(s, n)
	s.answer("n", a.card...)
	s.wait(textFeedback)
	if stops := strings.Contains(s.screen(), "refuses and stops the turn"); stops == a.mild {
		s.t.Errorf("says that it stops the turn: %t", stops)
	}
	s.enter(textFeedback)
	want := 1 // the turn stops
	if a.mild {
		s.over(turn)
		want = 2
	}
	s.idle("⊘")
	a.check(s, n, false)
	if asked := len(s.model.Requests()); asked != want {
		s.t.Errorf("the model was asked %d times, not %d", asked, want)
	}
}

func (a asking) refused(s *stage, n int) {
	s.t.Helper()
	turn := a.begin(s, n)
	s.card(a.card...)
	s.refuse(fmt.Sprintf("better not number %d", n))
	s.over(turn)
	a.check(s, n, false)
	s.told("tool", fmt.Sprintf("better not number %d", n))
}

// allowed says yes, for once or for longer, and yes to all that comes after.
func (a asking) allowed(s *stage, n int, key string) {
	s.t.Helper()
	turn := a.begin(s, n)
	s.card(a.card...)
	a.check(s, n, false)
	s.press(key)
	a.further(s)
	s.over(turn)
	a.check(s, n, true)
}

func (a asking) further(s *stage) {
	s.t.Helper()
	for _, card := range a.rest {
		s.answer("y", card...)
	}
}

// again wants once more what was allowed for the session.
func (a asking) again(s *stage, n int) {
	s.t.Helper()
	turn := a.begin(s, n)
	if a.forgets {
		s.answer("y", a.card...)
	}
	a.further(s)
	s.over(turn)
	a.check(s, n, true)
}

// withHook makes a folder bring a hook along that wants every tool to be asked
// for.
func withHook(t *testing.T, dir string) {
	t.Helper()
	hooks := filepath.Join(dir, ".github", "hooks")
	if err := os.MkdirAll(hooks, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(hooks, "ask.json"), `{"version":1,"hooks":{"preToolUse":[{"type":"command",`+
		`"bash":"echo '{\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"look twice\"}'"}]}}`)
}

// TestAllowedForTheLocation allows a tool, and the folder that brings it along,
// for always: nothing of it is asked in the next window.
func TestAllowedForTheLocation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	withMCP(t, dir)
	s := play(t, nil, launch{own: true, dir: dir})
	s.answer("l", "Trust this folder?", "l  Yes, always", ".mcp.json: an MCP server")
	s.waitGone("Trust this folder?")
	call := llm.Call{Name: "asker-echo", Args: object{"about": "hello"}}
	s.turn("first", call)
	s.answer("l", "Call this tool?", "l  Yes, `echo` of `asker`")
	s.over("first")
	s.leave()
	again := s.again()
	again.turn("second", call)
	again.over("second")
	again.told("tool", "received: hello")
	again.leave()
}

// TestAddressAllowedForGood allows an address in every session, with a word, and
// with no other.
func TestAddressAllowedForGood(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{own: true})
	call := bash("curl -s " + s.model.URL + "/nothing; echo fetched")
	s.turn("first", call)
	s.answer("P", "Fetch this address?", "in every session (asks to type yes)")
	s.wait("Type yes to allow")
	s.typed("yeah")
	s.enter()
	s.wait("only yes allows it")
	s.press("backspace", "backspace", "backspace", "backspace")
	s.typed("yes")
	s.enter("Type yes to allow")
	s.answer("y", "Run", "curl -s")
	s.over("first")
	s.leave()
	again := s.again()
	again.turn("second", call)
	again.answer("y", "Run", "curl -s") // and no word of the address
	again.over("second")
	again.told("tool", "fetched")
	again.leave()
}

// TestDangerTakesTwoKeys allows what deletes: once, and with Enter besides y.
func TestDangerTakesTwoKeys(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{})
	s.put("old.txt", "old")
	s.turn("go", bash("rm old.txt"))
	s.card("deletes or overwrites", textOnce, "y, then enter")
	if screen := s.screen(); strings.Contains(screen, "for this session") {
		t.Errorf("more than once is offered:\n%s", screen)
	}
	s.press("y")
	s.wait("enter to allow it")
	if !s.exists("old.txt") {
		t.Error("y alone allowed it")
	}
	s.enter(textOnce)
	s.over("go")
	if s.exists("old.txt") {
		t.Error("it was not done")
	}
	s.leave()
}

// TestNoteWithYes allows a command and says something to it: the agent hears
// that when the command is over.
func TestNoteWithYes(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{})
	s.turn("go", bash("touch made.txt"))
	s.card(textOnce)
	s.press("tab")
	s.wait("A note for the agent")
	s.typed("mind the gap")
	s.press("enter")
	s.waitGone("A note for the agent")
	s.wait("note", "mind the gap")
	if s.exists("made.txt") {
		t.Error("the note allowed the command")
	}
	s.breathe()
	s.press("y")
	s.over("go")
	s.waitFor("the model to hear the note", func(string) bool { return strings.Contains(s.heard("user"), "mind the gap") })
	if !s.exists("made.txt") {
		t.Error("the command was not run")
	}
	s.idle()
	s.leave()
}
