package e2e

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"parley/cli/process"
)

// playImages is a window that plays a log with two images, in a terminal that
// says its name as it is asked.
func playImages(t *testing.T, name string, env ...string) *stage {
	t.Helper()
	log, err := filepath.Abs(filepath.Join("testdata", "sessions", "attachment_image_vision.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	l := launch{width: 80, height: 24, env: env, args: []string{"--agent", "replay:" + log, "--speed", "0"}}
	s := &stage{terminal: start(t, l), launch: l}
	s.wait("pasted.png")
	if name != "" {
		s.waitFor("the terminal to be asked for its name", func(string) bool { return strings.Contains(s.raw(), ansi.RequestNameVersion) })
		_, _ = io.WriteString(s.master, "\x1bP>|"+name+"\x1b\\")
	}
	return s
}

// A terminal that shows images gets each once, and none of them is left to it:
// not to the shell while the window is suspended, and not at the end.
func TestImagesInTheTerminal(t *testing.T) {
	t.Parallel()
	s := playImages(t, "kitty(0.42.1)", "TERM=xterm-kitty", "KITTY_WINDOW_ID=1")
	shown := func(times int) {
		s.waitFor("two images", func(screen string) bool {
			return strings.Count(screen, string(kitty.Placeholder)) == 2 && strings.Count(s.raw(), "\x1b_Gf=100,") == 2*times
		})
	}
	shown(1)
	s.press("ctrl+z")
	shown(2)
	s.typed("/quit")
	s.press("enter")
	if code := s.exit(); code != process.ExitOK {
		t.Errorf("exit code %d", code)
	}
	s.checkRestored()
	screens := strings.Split(s.raw(), ansi.ResetModeAltScreenSaveCursor)
	if len(screens) != 3 {
		t.Fatalf("the alternate screen was left %d times", len(screens)-1)
	}
	for i, screen := range screens {
		shell, window, _ := strings.Cut(screen, ansi.SetModeAltScreenSaveCursor)
		if strings.Contains(shell, "\x1b_") {
			t.Errorf("graphics outside of the alternate screen: %q", shell)
		}
		for _, id := range []string{"i=5267713", "i=5267714"} {
			if n := strings.Count(window, "f=100,q=2,"+id); i < 2 && n != 1 {
				t.Errorf("image %s was sent %d times", id, n)
			}
			if strings.LastIndex(window, "a=d,d=I,q=2,"+id) < strings.LastIndex(window, "a=p,U=1,q=2,"+id) {
				t.Errorf("image %s was left to the terminal", id)
			}
		}
	}
}
