package e2e

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"os"
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

// An image whose path is pasted is seen before it is sent, in a terminal that shows
// images, and not left to it. Elsewhere it is a chip.
func TestThumbnailInTheTerminal(t *testing.T) {
	t.Parallel()
	var dot bytes.Buffer
	if err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 64, 40))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shot.png")
	if err := os.WriteFile(path, dot.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, shows := range map[string]bool{"kitty(0.42.1)": true, "kitty(0.26.5)": false} {
		s := playImages(t, name, "TERM=xterm-kitty", "KITTY_WINDOW_ID=1")
		cells, sent := 0, 0
		if shows {
			cells, sent = 2, 2 // of the log that is played
		}
		seen := func(what string, cells, sent int) {
			s.waitFor(what, func(screen string) bool {
				return strings.Count(screen, string(kitty.Placeholder)) == cells && strings.Count(s.raw(), "\x1b_Gf=100,") == sent
			})
		}
		seen("the images of the conversation", cells, sent)
		s.paste(path)
		s.wait("[shot.png 64x40")
		if shows {
			cells, sent = cells+6*2, sent+1
		}
		seen("the thumbnail", cells, sent)
		for range len("[ ") {
			s.press("backspace") // the chip, and the space behind it
		}
		if shows {
			cells -= 6 * 2
		}
		seen("no thumbnail", cells, sent)
		s.typed("/quit")
		s.press("enter")
		if code := s.exit(); code != process.ExitOK {
			t.Errorf("exit code %d", code)
		}
		s.checkRestored()
		raw := s.raw()
		if shows && strings.LastIndex(raw, "a=d,d=I,q=2,i=5267715") < strings.LastIndex(raw, "a=p,U=1,q=2,i=5267715") {
			t.Error("the thumbnail was left to the terminal")
		}
	}
}
