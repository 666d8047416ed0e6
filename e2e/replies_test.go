package e2e

import (
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"
)

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

// TestAnswersAfterTheEnd: a user who leaves before the terminal has answered what
// Parley asked finds nothing of the answers on the shell's command line.
func TestAnswersAfterTheEnd(t *testing.T) {
	t.Parallel()
	s := inShell(t, launch{kitty: true, height: 60, width: 100, answers: late(100 * time.Millisecond)})
	for i, leave := range []func(){
		func() {
			s.press("ctrl+d")
			s.wait("ctrl+d again to quit")
			s.press("ctrl+d")
		},
		func() { s.signal("--agent demo", syscall.SIGTERM) },
		func() { s.press("ctrl+z") },
	} {
		s.send(parley(t) + " --agent demo\r")
		s.wait(textReady)
		leave()
		s.waitFor("the shell's prompt", func(screen string) bool { return strings.Count(screen, "shell>") == 2*i+2 })
		s.typed(fmt.Sprintf("echo done-$((%d+1))", i))
		s.press("enter")
		screen := s.wait(fmt.Sprintf("done-%d", i+1))
		if !strings.Contains(screen, fmt.Sprintf("shell> echo done-$((%d+1))\n", i)) {
			t.Errorf("the command line was not empty:\n%s", screen)
		}
		for _, part := range []string{"rgb:", "$y", "^[", "command not found"} {
			if strings.Contains(screen, part) {
				t.Errorf("%q of an answer is on the screen:\n%s", part, screen)
			}
		}
		s.checkModes()
	}
}
