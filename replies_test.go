package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slowly carries answers in parts of a few bytes, with pauses that are longer
// than an Escape key takes to be one.
func slowly(parts ...int) func(to io.Writer, from io.Reader) {
	return func(to io.Writer, from io.Reader) {
		b := make([]byte, 4096)
		for i := 0; ; {
			n, err := from.Read(b)
			for rest := b[:n]; len(rest) > 0; i++ {
				part := min(len(rest), parts[i%len(parts)])
				if _, err := to.Write(rest[:part]); err != nil {
					return
				}
				rest = rest[part:]
				<-time.After(70 * time.Millisecond)
			}
			if err != nil {
				return
			}
		}
	}
}

// late carries answers a while after they were given.
func late(latency time.Duration) func(to io.Writer, from io.Reader) {
	return func(to io.Writer, from io.Reader) {
		b := make([]byte, 4096)
		for {
			n, err := from.Read(b)
			<-time.After(latency)
			if _, werr := to.Write(b[:n]); err != nil || werr != nil {
				return
			}
		}
	}
}

// strays are answers to what nobody asked.
var strays = []string{
	"\x1b[?62;22;52c", "\x1b[>41;378;0c", "\x1b[12;40R", "\x1b]11;rgb:1414/1717/1f1f\x1b\\", "\x1b]10;rgb:d8d8/dede/e9e9\x07",
	"\x1b[?2026;2$y", "\x1b[?31u", "\x1bP>|XTerm(390)\x1b\\", "\x1b_Gi=31;OK\x1b\\",
}

// Answers of the terminal that come in parts, and answers to what nobody asked,
// show nowhere and get into no draft.
func TestAnswersInParts(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{kitty: true, answers: slowly(3, 5, 1, 9, 4)})
	for _, said := range append(strays, "only this") {
		if _, err := io.WriteString(s.emu.InputPipe(), said); err != nil {
			t.Fatal(err)
		}
	}
	s.wait("only this")
	screen := s.screen()
	for _, part := range []string{"rgb:", "$y", "62;22", "378", "40R", "31u", "XTerm", "Gi=", "2026", "11;"} {
		if strings.Contains(screen, part) {
			t.Errorf("%q of an answer is on the screen:\n%s", part, screen)
		}
	}
	if !strings.Contains(screen, "❯ only this\n") {
		t.Errorf("the draft is not what was typed:\n%s", screen)
	}
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// Whoever leaves before the terminal has answered what Parley asked finds
// nothing of the answers on the shell's command line.
func TestAnswersAfterTheEnd(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(s *stage){
		"ctrl+d": func(s *stage) {
			s.press("ctrl+d")
			s.wait("ctrl+d again to quit")
			s.press("ctrl+d")
		},
		"suspend": func(s *stage) { s.press("ctrl+z") },
		"signal": func(s *stage) {
			for _, p := range s.descendants() {
				if strings.Contains(p.command, "--agent demo") {
					terminate(t, p.pid)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inputrc := filepath.Join(t.TempDir(), "inputrc") // so that every mode that is on is ours
			if err := os.WriteFile(inputrc, []byte("set enable-bracketed-paste off\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			s := &stage{terminal: start(t, launch{
				program: "/bin/bash", args: []string{"--norc", "--noprofile", "-i"}, env: []string{"PS1=shell> ", "INPUTRC=" + inputrc},
				kitty: true, answers: late(100 * time.Millisecond),
			})}
			s.wait("shell>")
			s.send(parley(t) + " --agent demo\r")
			s.wait(textReady)
			leave(s)
			s.waitFor("the shell's prompt", func(screen string) bool { return strings.Count(screen, "shell>") == 2 })
			s.typed("echo done-$((1+1))")
			s.press("enter")
			screen := s.wait("done-2")
			if !strings.Contains(screen, "shell> echo done-$((1+1))\n") {
				t.Errorf("the command line was not empty:\n%s", screen)
			}
			for _, part := range []string{"rgb:", "$y", "^[", "command not found"} {
				if strings.Contains(screen, part) {
					t.Errorf("%q of an answer is on the screen:\n%s", part, screen)
				}
			}
			s.checkModes()
		})
	}
}

func terminate(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}
