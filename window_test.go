package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The texts of windows without a real agent.
const (
	textDemo    = "This is the demo"
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

// TestColoursOfTheTerminal: no frame, and not the first, has a colour that the
// terminal does not have.
func TestColoursOfTheTerminal(t *testing.T) {
	t.Parallel()
	for term, never := range map[string][]string{
		"xterm-256color": {"8;2;"},
		"tmux-256color":  {"8;2;"},
		"screen":         {"8;2;"},
		"xterm":          {"8;2;", "8;5;"},
	} {
		t.Run(term, func(t *testing.T) {
			t.Parallel()
			s := demoWindow(t, launch{env: []string{"TERM=" + term, "COLORTERM="}})
			s.leave()
			for _, colour := range never {
				if at := strings.Index(s.raw(), colour); at >= 0 {
					t.Errorf("%q at byte %d: %q", colour, at, s.raw()[max(0, at-20):at+20])
				}
			}
		})
	}
}

func TestFirstScreen(t *testing.T) {
	t.Parallel()
	for _, l := range []launch{
		{width: 80, height: 24},
		{width: 140, height: 45, light: true},
		{width: 60, height: 15, kitty: true},
		{width: 80, height: 24, env: []string{"NO_COLOR=1"}},
	} {
		t.Run(fmt.Sprintf("%dx%d", l.width, l.height), func(t *testing.T) {
			t.Parallel()
			s := demoWindow(t, l)
			s.waitFor("the first screen", func(screen string) bool {
				words := strings.Join(strings.Fields(screen), " ")
				return strings.Contains(words, "Parley "+release) && strings.Contains(words, textDemo) &&
					strings.Contains(words, textPromise) && strings.Contains(words, "/ commands")
			})
			col, row, visible := s.cursor()
			lines := strings.Split(s.screen(), "\n")
			if !visible || !strings.Contains(lines[row], textReady) || col != strings.Index(lines[row], textReady)-len("❯")+1 {
				t.Errorf("the cursor is at %d, %d (visible %t), not in the draft", col, row, visible)
			}
			if len(l.env) > 0 && s.cellOf("Parley").Style.Fg != nil {
				t.Error("a colour under NO_COLOR")
			}
			s.leave()
			if strings.Contains(s.screen(), "--resume") {
				t.Error("a hint to resume where nothing was said")
			}
		})
	}
}

func TestDemoTurn(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{})
	s.say("show me what you do")
	s.card(textOnce)
	s.press("y")
	s.idle("The real thing")
	s.press("ctrl+home")
	s.wait("show me what you do", "✓ shell", "touch hello.txt")
	s.leave()
}

func TestPromptOnTheCommandLine(t *testing.T) {
	t.Parallel()
	s := &stage{terminal: start(t, launch{args: []string{"--agent", "demo", "--", "print"}})}
	s.card(textOnce)
	s.press("n")
	s.wait(textFeedback)
	s.typed("not this time")
	s.enter(textFeedback)
	s.wait("▌ print", "⊘ shell", "not this time")
	s.interrupt()
	s.leave()
}

func TestWithoutACopilotCLI(t *testing.T) {
	t.Parallel()
	nowhere := []string{"PATH=" + t.TempDir()}
	s := &stage{terminal: start(t, launch{env: nowhere})}
	s.wait(textNoCLI, textReady)
	s.leave()
	x := start(t, launch{env: nowhere, args: []string{"--agent", "copilot"}})
	if code := x.exit(); code != exitFailure {
		t.Errorf("exit code %d", code)
	}
	x.wait("parley: no Copilot CLI found", "npm install -g @github/copilot")
	x.checkRestored()
}

func TestBrokenCopilotCLI(t *testing.T) {
	t.Parallel()
	cli := filepath.Join(t.TempDir(), "copilot")
	if err := os.WriteFile(cli, []byte("#!/bin/sh\necho 'the frobnicator is jammed' >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := start(t, launch{args: []string{"--copilot-path", cli}})
	if code := x.exit(); code != exitFailure {
		t.Errorf("exit code %d", code)
	}
	x.wait("parley: ", "the frobnicator is jammed")
	x.checkRestored()
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := demoWindow(t, launch{kitty: true})
			s.say("show me what you do")
			s.card(textOnce)
			if err := s.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := s.exit(); code != 128+int(signal) {
				t.Errorf("exit code %d", code)
			}
			s.checkRestored()
			s.checkAlone()
		})
	}
}

func TestSuspendAndComeBack(t *testing.T) {
	t.Parallel()
	s := &stage{terminal: start(t, launch{program: "/bin/sh", args: []string{"-i"}, env: []string{"PS1=shell> "}})}
	s.wait("shell>")
	s.send(parley(t) + " --agent demo\r")
	s.started(textReady)
	s.typed("half a thought")
	s.press("ctrl+z")
	s.wait("Stopped")
	s.checkModes()
	s.send("fg\r")
	s.wait("half a thought", textPromise)
	s.typed(" and the rest")
	s.press("ctrl+c")
	s.typed("/quit")
	s.press("enter")
	s.waitFor("the shell's prompt", func(screen string) bool { return strings.Count(screen, "shell>") == 3 })
	s.send("exit\r")
	s.exit()
	s.checkRestored()
	s.checkAlone()
}

func TestQuitKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"ctrl+c", "ctrl+d"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			s := demoWindow(t, launch{})
			s.press(key)
			s.wait(key + " again to quit")
			s.press(key)
			if code := s.exit(); code != exitOK {
				t.Errorf("exit code %d", code)
			}
			s.checkRestored()
		})
	}
}

// pictureClipboard is a program that reads a clipboard with a picture of one pixel.
const pictureClipboard = `#!/bin/sh
case "$*" in *--list-types*) echo image/png; exit;; esac
printf '\211PNG\r\n\032\n\000\000\000\rIHDR\000\000\000\001\000\000\000\001\010\002\000\000\000\220wS\336'
printf '\000\000\000\014IDATx\234c\370\317\300\000\000\003\001\001\000\311\376\222\357\000\000\000\000IEND\256B` + "`" + `\202'
`

// TestAroundTheWindow: what the program gives the window to know of itself and of
// the machine is there.
func TestAroundTheWindow(t *testing.T) {
	t.Parallel()
	tools, report := t.TempDir(), filepath.Join(t.TempDir(), "report.md")
	if err := os.WriteFile(filepath.Join(tools, "wl-paste"), []byte(pictureClipboard), 0o700); err != nil {
		t.Fatal(err)
	}
	s := demoWindow(t, launch{env: []string{"PATH=" + tools + ":/usr/bin:/bin", "WAYLAND_DISPLAY=near"}})
	s.press("alt+v")
	s.wait("[image-1.png 1x1, 69 B]")
	s.press("ctrl+c")
	s.says("/version", "Parley "+release+" · demo")
	s.says("/doctor", "Terminal", "100 by 30")
	s.press("esc")
	s.waitGone("100 by 30")
	s.says("/report "+report, "# A report about Parley", "This is all that would be written")
	s.press("w")
	s.wait("The report is in")
	if text, err := os.ReadFile(report); err != nil || !strings.Contains(string(text), "agent: demo") {
		t.Errorf("%v: %s", err, text)
	}
	s.leave()
}

func TestNewlines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		keys  []string
		kitty bool
	}{
		{"shift+enter", []string{"shift+enter"}, true},
		{"alt+enter", []string{"alt+enter"}, false},
		{"ctrl+j", []string{"ctrl+j"}, false},
		{"backslash", []string{`\`, "enter"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := demoWindow(t, launch{kitty: c.kitty})
			s.typed("first")
			s.press(c.keys...)
			s.typed("second")
			screen := s.wait("first\n", "second\n")
			if strings.Contains(screen, `\`) {
				t.Errorf("the backslash stayed:\n%s", screen)
			}
			s.press("ctrl+c")
			s.wait(textReady)
			s.leave()
		})
	}
}

func TestSlashCommands(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{height: 40, width: 100})
	s.typed("/")
	s.wait("/mode", "/model", "/resume")
	s.typed("hlep")
	s.press("enter")
	s.wait("There is no command /hlep. Did you mean /help?")
	s.press("ctrl+c")
	s.typed("/help")
	s.press("enter")
	s.wait("Keys and commands", "Composer")
	s.press("esc")
	s.waitGone("Keys and commands")
	s.leave()
}

func TestSizes(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{width: 140, height: 45})
	s.typed("a draft that stays")
	for _, size := range [][2]int{{40, 12}, {24, 8}, {200, 60}, {80, 24}} {
		s.fit(size[0], size[1])
		s.wait("a draft that stays")
	}
	s.resize(6, 3)
	s.wait("too")
	s.fit(80, 24)
	s.wait("a draft that stays")
	s.press("ctrl+c")
	s.leave()
}
