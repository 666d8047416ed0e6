package terminal

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/terminal/terminaltest"
)

// sizesTest is an output to a terminal that breaks lines when its size changes.
type sizesTest struct {
	*Output
	random        *rand.Rand
	width, height int
	shown         *terminaltest.Terminal
	read          int64    // of the output
	above         []string // what was written above the window
}

// flush has the terminal show what was written.
func (s *sizesTest) flush(t *testing.T) {
	t.Helper()
	all, err := os.ReadFile(s.Name())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = s.shown.Write(all[s.read:])
	s.read = int64(len(all))
}

// resize gives the terminal another size in which there is room for a window that is there: nothing can take back what has
// scrolled out.
func (s *sizesTest) resize(window []string) {
	for fits := false; !fits; fits = rowsIn(window, s.width) < s.height {
		s.width, s.height = 40+s.random.IntN(60), 16+s.random.IntN(20)
	}
	s.shown.Resize(s.width, s.height)
	s.Resized()
}

// frame is any window for the terminal.
func (s *sizesTest) frame(rows int) Frame {
	f := Frame{Width: s.width, Height: s.height, Reflow: ReflowAround, Cursor: true, X: 2}
	for i := range min(rows, s.height/2) {
		l := fmt.Sprintf("row %d ", i)
		f.Lines = append(f.Lines, l+strings.Repeat("-", max(0, s.width-1-s.random.IntN(3)*s.random.IntN(s.width)-len(l))))
	}
	f.Y = max(0, len(f.Lines)-1-s.random.IntN(3))
	return f
}

// TestInlineSizes changes the size of a terminal, which breaks its lines, also while it gets what was drawn for another, and on
// the alternate screen: it always has what was written above the window, each line once, and below it the window.
func TestInlineSizes(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "written"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := &sizesTest{Output: NewOutput(file, NewInput(file, nil)), random: rand.New(rand.NewPCG(1, 0)), width: 80, height: 24}
	s.filter = func(p []byte) []byte { return p }
	s.size = func() (int, int) { return s.width, s.height }
	s.Inline()
	s.shown = terminaltest.Start(t, s.width, s.height)
	fmt.Fprint(s, "$ parley\r\n")
	rows, late := 3, 0
	for step := range 500 {
		switch s.random.IntN(6) {
		case 0:
			s.resize(lines(s.inline.drawn.Lines))
		case 1:
			for range 1 + s.random.IntN(30) {
				l := fmt.Sprintf("line %d %s", len(s.above), strings.Repeat("x", s.random.IntN(s.width-12)))
				s.above = append(s.above, l)
				s.Above([]string{l})
			}
		case 2:
			rows = 1 + s.random.IntN(12)
		case 3:
			fmt.Fprint(s, ansi.SetModeAltScreenSaveCursor+"the other screen")
			s.flush(t)
			for range s.random.IntN(3) {
				s.resize(nil)
			}
			fmt.Fprint(s, ansi.ResetModeAltScreenSaveCursor)
		case 4: // the terminal gets another size before it gets the next frame
			f, width, height := s.frame(rows), s.width, s.height
			s.flush(t)
			s.resize(slices.Concat(lines(s.inline.drawn.Lines), f.Lines))
			calls := 0
			s.size = func() (int, int) {
				if calls++; calls == 1 {
					return width, height
				}
				return s.width, s.height
			}
			s.Show(f)
			s.flush(t)
			late++
		}
		f := s.frame(rows)
		s.Show(f)
		s.flush(t)
		want := slices.Concat([]string{"$ parley"}, s.above, f.Lines)
		if got := lines(s.shown.Lines()); !slices.Equal(got, lines(want)) {
			t.Fatalf("step %d at %dx%d: the terminal has\n%s\ninstead of\n%s", step, s.width, s.height,
				strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if late < 50 {
		t.Errorf("only %d frames came too late", late)
	}
}

// TestInlineComesBack: after the alternate screen a terminal shows what it did before, also where the window is at the end of the
// screen; after another program had the terminal, it is there again.
func TestInlineComesBack(t *testing.T) {
	t.Parallel()
	for _, reflow := range []Reflow{NoReflow, ReflowLines, ReflowAll, ReflowAround, ReflowLow} {
		file, err := os.Create(filepath.Join(t.TempDir(), "written"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		s := &sizesTest{Output: NewOutput(file, NewInput(file, nil)), width: 40, height: 16, shown: terminaltest.Start(t, 40, 16)}
		s.filter = func(p []byte) []byte { return p }
		s.size = func() (int, int) { return s.width, s.height }
		s.Inline()
		f := Frame{Lines: []string{"one", "two", "three"}, Y: 1, Width: s.width, Height: s.height, Reflow: reflow, Cursor: true}
		screen := func() []string {
			s.Show(f)
			s.flush(t)
			return s.shown.Screen()
		}
		fmt.Fprint(s, "$ parley\r\n")
		screen()
		s.Above([]string{"said", "and answered"})
		before := screen()
		fmt.Fprint(s, ansi.SetModeAltScreenSaveCursor+"the other screen")
		s.flush(t)
		fmt.Fprint(s, ansi.ResetModeAltScreenSaveCursor)
		if after := screen(); !slices.Equal(after, before) {
			t.Errorf("%q: after the alternate screen there is\n%s\ninstead of\n%s", reflow, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
		s.Show(Frame{})
		fmt.Fprint(s, "$ fg\r\n")
		if got := lines(screen()); !slices.Equal(got[max(0, len(got)-len(f.Lines)):], f.Lines) {
			t.Errorf("%q: after the shell there is %q", reflow, got)
		}
	}
}

// lines are those that are not blank, without blanks at their ends.
func lines(all []string) (kept []string) {
	for _, l := range all {
		if l = strings.TrimRight(l, " "); l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
