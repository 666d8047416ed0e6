package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/cli/process"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// The texts of windows without a real agent.
const (
	textDemo    = "Demo mode"
	textNoCLI   = "There is no Copilot CLI on the PATH"
	textPromise = "It asks before it changes anything."
)

// demoWindow is a window with the embedded agent, ready for a prompt.
func demoWindow(t *testing.T, l launch) *stage {
	t.Helper()
	l.args = append([]string{"--agent", "demo"}, l.args...)
	s := &stage{terminal: start(t, l), launch: l}
	s.started(textReady)
	return s
}

// imageClipboard is a program that reads a clipboard with an image of one pixel.
const imageClipboard = `#!/bin/sh
case "$*" in *--list-types*) echo image/png; exit;; esac
printf '\211PNG\r\n\032\n\000\000\000\rIHDR\000\000\000\001\000\000\000\001\010\002\000\000\000\220wS\336'
printf '\000\000\000\014IDATx\234c\370\317\300\000\000\003\001\001\000\311\376\222\357\000\000\000\000IEND\256B` + "`" + `\202'
`

// TestWindow: the first screen, what the program gives the window to know of itself
// and of the machine, a turn, and another size of the terminal.
func TestWindow(t *testing.T) {
	t.Parallel()
	tools, report := t.TempDir(), filepath.Join(t.TempDir(), "report.md")
	sessiontest.Program(t, filepath.Join(tools, "wl-paste"), imageClipboard)
	s := demoWindow(t, launch{env: []string{"PATH=" + tools + ":/usr/bin:/bin", "WAYLAND_DISPLAY=near"}})
	s.wait("Parley "+process.Release, textDemo, textPromise, "/ commands")
	col, row, visible := s.cursor()
	lines := strings.Split(s.screen(), "\n")
	if !visible || !strings.Contains(lines[row], textReady) || col != strings.Index(lines[row], textReady)-len("❯")+1 {
		t.Errorf("the cursor is at %d, %d (visible %t), not in the draft", col, row, visible)
	}
	s.press("alt+v")
	s.wait("[image-1.png 1x1, 69 bytes]")
	s.press("ctrl+c")
	s.says("/version", "Parley "+process.Release+" · demo")
	s.says("/doctor", "Terminal", "100 by 30")
	s.press("esc")
	s.waitGone("100 by 30")
	s.says("/report "+report, "# A report about Parley", "This is all that would be written")
	s.press("w")
	s.wait("The report is in")
	if text, err := os.ReadFile(report); err != nil || !strings.Contains(string(text), "agent: demo") {
		t.Errorf("%v: %s", err, text)
	}
	s.paste("a line\nand another, /quit\n")
	s.wait("a line\n", "and another, /quit\n")
	for _, size := range [][2]int{{40, 12}, {24, 8}, {200, 60}} {
		s.fit(size[0], size[1])
		s.wait("and another")
	}
	s.resize(6, 3)
	s.wait("too")
	s.fit(100, 30)
	s.wait("and another")
	s.press("ctrl+c")
	s.wait(textReady)
	s.say("show me what you do")
	s.answer("y", textOnce)
	s.idle("The real thing")
	s.press("ctrl+home")
	s.wait("show me what you do", "✓ shell", "touch hello.txt")
	s.press("ctrl+d")
	s.wait("ctrl+d again to quit")
	s.press("ctrl+d")
	s.endsWell()
}

// TestNoWindow: where there can be no window, one line says why and what to do, and
// the terminal is as it was; a log is printed with all that it says elsewhere.
func TestNoWindow(t *testing.T) {
	t.Parallel()
	nowhere := []string{"PATH=" + t.TempDir()}
	cli := filepath.Join(t.TempDir(), "copilot")
	sessiontest.Program(t, cli, "#!/bin/sh\necho 'the frobnicator is jammed' >&2\nexit 3\n")
	for name, c := range map[string]struct {
		launch launch
		says   []string
	}{
		"no Copilot CLI":       {launch{env: nowhere, args: []string{"--agent", "copilot"}}, []string{"parley: no Copilot CLI found", "npm install -g @github/copilot"}},
		"a broken Copilot CLI": {launch{args: []string{"--copilot-path", cli}}, []string{"parley: ", "the frobnicator is jammed"}},
	} {
		x := start(t, c.launch)
		if code := x.exit(); code != process.ExitFailure {
			t.Errorf("%s: exit code %d", name, code)
		}
		said := x.raw() // the screen may break a line within a word
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: no %q in %q", name, want, said)
			}
		}
		x.checkRestored()
	}
	log := filepath.Join("testdata", "sessions", "subagent_task_background.jsonl")
	printed := start(t, launch{args: []string{"print", absolute(t, log), "--width", "80"}, env: []string{"TERM=dumb"}, width: 100, height: 500})
	printed.exit()
	want := lineIn(t, nil, "", "print", log, "--width", "80")
	if got := strings.ReplaceAll(printed.raw(), "\r\n", "\n"); got != want.Out || strings.Contains(got, "\x1b") {
		t.Errorf("printed %q, want %q", got, want.Out)
	}
	// Without a wish for an agent the demo answers, and says why. No frame, and not the
	// first, has a colour that the terminal does not have.
	s := &stage{terminal: start(t, launch{env: append(nowhere, "COLORTERM=")})}
	s.started(textNoCLI, textReady)
	s.leave()
	past := start(t, launch{env: nowhere, args: []string{"sessions"}, home: t.TempDir()})
	past.wait("There is no session yet.", "No Copilot CLI is on the PATH", "parley --agent demo -r")
	past.press("q")
	past.exit()
	if at := strings.Index(s.raw(), "8;2;"); at >= 0 {
		t.Errorf("a colour at byte %d: %q", at, s.raw()[max(0, at-20):at+20])
	}
}

// TestSignals: a prompt on the command line is sent as soon as there is a session.
// A signal ends the window while a question waits, and leaves the terminal as it was
// and nothing behind. Those that ask for a trace give the
// terminal back first, so that it can be read.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal syscall.Signal
		trace  bool
	}{{syscall.SIGTERM, false}, {syscall.SIGHUP, false}, {syscall.SIGINT, false}, {syscall.SIGQUIT, true}, {syscall.SIGABRT, true}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			t.Parallel()
			s := &stage{terminal: start(t, launch{kitty: true, height: 60, width: 140, args: []string{"--agent", "demo", "--", "print"}})}
			s.card(textOnce)
			s.wait("▌ print")
			s.signal("--agent demo", c.signal)
			if code := s.exit(); code != 128+int(c.signal) {
				t.Errorf("exit code %d", code)
			}
			s.checkRestored()
			s.checkAlone()
			said := s.raw()[max(0, strings.LastIndex(s.raw(), ansi.ResetModeAltScreenSaveCursor)):]
			if got := strings.Contains(said, "goroutine 1 ["); got != c.trace {
				t.Errorf("a trace on the screen of the shell: %t: %q", got, said)
			}
		})
	}
}

// TestRuntimeEndsWithTheWindow: with the real CLI, whatever ends the window ends the
// runtime and the command that runs too, and answers no question that waits.
func TestRuntimeEndsWithTheWindow(t *testing.T) {
	t.Parallel()
	script := llm.Script{"slow": {shell("touch begun.txt; sleep 600")}}
	t.Run("a signal", func(t *testing.T) {
		t.Parallel()
		s := play(t, script, launch{own: true})
		s.say("@@slow")
		s.answer("y", textOnce, "begun.txt")
		s.until("the command to run", func() bool { return s.exists("begun.txt") })
		s.signal("parley-test-", syscall.SIGTERM)
		s.exit()
		s.checkRestored()
		s.checkAlone()
	})
	t.Run("a closed terminal", func(t *testing.T) {
		t.Parallel()
		s := play(t, script, launch{own: true})
		s.say("@@slow")
		s.card(textOnce, "begun.txt")
		s.hangUp()
		s.checkAlone()
		if s.exists("begun.txt") {
			t.Error("the end of the window answered the question")
		}
	})
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
