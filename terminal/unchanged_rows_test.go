package terminal

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// twoScreens shows frames, drawn by Bubble Tea's renderer, on a terminal that gets all of
// what it writes, and on one that gets what is left of that.
type twoScreens struct {
	t          *testing.T
	out        bytes.Buffer
	scr        *uv.TerminalRenderer
	cells      uv.ScreenBuffer
	rows       unchangedRows
	all, less  *vt.Emulator
	sum, saved int
}

func newTwoScreens(t *testing.T, term string, width, height int) *twoScreens {
	t.Helper()
	s := &twoScreens{t: t, all: vt.NewEmulator(width, height), less: vt.NewEmulator(width, height)}
	for _, e := range []*vt.Emulator{s.all, s.less} {
		go func() { _, _ = io.Copy(io.Discard, e) }()
		t.Cleanup(func() { _ = e.InputPipe().(io.Closer).Close() })
	}
	s.rows.size = func() (int, int) { return s.all.Width(), s.all.Height() }
	s.scr = uv.NewTerminalRenderer(&s.out, []string{"TERM=" + term})
	s.scr.SetColorProfile(colorprofile.TrueColor)
	s.scr.SetTabStops(width)
	s.scr.SetBackspace(true)
	s.scr.SetScrollOptim(true)
	s.scr.SetFullscreen(true)
	s.scr.Erase()
	s.cells = uv.NewScreenBuffer(width, height)
	s.write(ansi.SetModeAltScreenSaveCursor)
	return s
}

// resize gives the terminals and the renderer another size, as Bubble Tea does.
func (s *twoScreens) resize(width, height int) {
	s.all.Resize(width, height)
	s.less.Resize(width, height)
	s.scr.Erase()
	s.scr.Resize(width, height)
	s.cells.Touched = nil
	s.cells.Resize(width, height)
}

// draw shows a frame, and returns how many bytes that took.
func (s *twoScreens) draw(frame string, x, y int) int {
	s.t.Helper()
	s.cells.Clear()
	uv.NewStyledString(frame).Draw(s.cells, s.cells.Bounds())
	s.scr.Render(s.cells.RenderBuffer)
	s.scr.MoveTo(x, y)
	if err := s.scr.Flush(); err != nil {
		s.t.Fatal(err)
	}
	defer s.out.Reset()
	return s.write(s.out.String())
}

func (s *twoScreens) write(frame string) int {
	s.t.Helper()
	less := slices.Clone(s.rows.filtered([]byte(frame)))
	_, _ = s.all.WriteString(frame)
	_, _ = s.less.Write(less)
	s.sum, s.saved = s.sum+len(frame), s.saved+len(frame)-len(less)
	if s.all.Render() != s.less.Render() {
		s.t.Fatalf("want\n%s\ngot\n%s\nof %q\nas %q", s.all.Render(), s.less.Render(), frame, less)
	}
	if got, want := s.less.CursorPosition(), s.all.CursorPosition(); got != want {
		s.t.Fatalf("the cursor is at %v, want %v, of %q as %q", got, want, frame, less)
	}
	return len(less)
}

// randomLine is a row as conversations have them: empty, of letters, with characters of two
// columns, colours and links, and what a terminal may measure otherwise.
func randomLine(r *rand.Rand, width int) string {
	words := []string{
		"word", "a", "deployed", "日本語", "한글", "✅ done", "🚀", "👩‍👩‍👧", "⚠️", "│", "—", "   ",
		"\x1b[1mbold\x1b[m", "\x1b[38;5;66;48;5;22mhue 日\x1b[m", "\x1b[7m宽\x1b[27m", "\x1b]8;;https://a.example/?q=1;2\x1b\\link 🔗\x1b]8;;\x1b\\", "日\x1b[4m",
	}
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString(strings.Repeat(" ", r.IntN(3)))
	}
	return ansi.Truncate(b.String(), r.IntN(width+1), "") + "\x1b[m\x1b]8;;\x1b\\"
}

// A screen to which only what changed is written shows what it shows when all is.
func TestUnchangedRows(t *testing.T) {
	t.Parallel()
	for i, term := range []string{"xterm-256color", "xterm", "screen-256color", "tmux-256color", "linux", "xterm-kitty", "vt100"} {
		t.Run(term, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(21, uint64(i)))
			width, height := 60, 20
			s := newTwoScreens(t, term, width, height)
			lines := make([]string, height)
			for step := range 900 {
				switch r.IntN(12) {
				case 0, 1, 2, 3: // text at the end, and what stands there scrolls
					n, last := 1+r.IntN(3), height-min(height, r.IntN(4))
					for range n {
						lines = slices.Insert(slices.Delete(lines, 0, 1), max(0, last-1), randomLine(r, width))
					}
				case 4, 5, 6: // a row grows
					y := r.IntN(height)
					lines[y] = ansi.Truncate(lines[y]+randomLine(r, width), width, "")
				case 7: // back
					for range 1 + r.IntN(4) {
						lines = slices.Insert(lines[:height-1], r.IntN(height), randomLine(r, width))
					}
				case 8: // a list opens
					for y := range min(height, 5) {
						lines[y] = randomLine(r, width)
					}
				case 9:
					clear(lines[r.IntN(height):])
				case 10:
					width, height = 20+r.IntN(80), 6+r.IntN(30)
					s.resize(width, height)
					lines = append(lines, make([]string, 40)...)[:height]
					for y := range lines {
						lines[y] = ansi.Truncate(lines[y], width, "")
					}
				case 11:
					switch r.IntN(8) {
					case 0:
						s.scr.MoveTo(0, 0)
						s.scr.Erase()
					case 1: // another program had the terminal
						s.write(ansi.ResetModeAltScreenSaveCursor + "other\r\n" + ansi.SetModeAltScreenSaveCursor)
						s.scr.Erase()
					case 2:
						s.write("\x1b_Ga=p,U=1,q=2,i=1,p=1\x1b\\" + ansi.SetWindowTitle("日本") + "\a")
					}
				}
				if frame := strings.Join(lines, "\n"); step > 0 || frame != "" {
					s.draw(frame, r.IntN(width), r.IntN(height))
				}
			}
			t.Logf("%d of %d bytes were left out", s.saved, s.sum)
			if s.saved < s.sum/8 {
				t.Errorf("only %d of %d bytes were left out", s.saved, s.sum)
			}
		})
	}
}

// With wide characters all over the screen, a word at the end takes what a word takes.
func TestUnchangedWideRowsCostNothing(t *testing.T) {
	t.Parallel()
	s := newTwoScreens(t, "xterm-256color", 100, 40)
	var lines []string
	for y := range 36 {
		lines = append(lines, fmt.Sprintf("stage-%d \x1b[38;5;66m│\x1b[m 41.04 \x1b[38;5;66m│\x1b[m 📦 第%d章", y, y))
	}
	lines = append(lines, "the end", "", "❯ ", "status")
	s.draw(strings.Join(lines, "\n"), 2, 38)
	lines[36] += " of it"
	if n := s.draw(strings.Join(lines, "\n"), 2, 38); n > 40 {
		t.Errorf("a word takes %d bytes", n)
	}
	lines = slices.Insert(lines[1:], 36, "and a line 二")
	if n := s.draw(strings.Join(lines, "\n"), 2, 38); n > 120 {
		t.Errorf("a line takes %d bytes", n)
	}
}

// A row is written again after anything that may have changed it or that is not known, and
// where it then stands; and what is left out changes nothing for what comes after it.
func TestRowsAreWrittenAgain(t *testing.T) {
	t.Parallel()
	row := func(y int) string { return ansi.CursorPosition(1, y) + "\x1b[K日本 and more\x1b[15G" }
	for _, c := range []struct {
		name, between string
		y             int // where the row is then written
		skipped       bool
	}{
		{"nothing", "", 5, true},
		{"another row", "\x1b[6;1Hother", 5, true},
		{"moves", "\r\n\n\x1b[A\b\x1b[3C\x1b[2D\t\x1b[7d\x1b[4`\x1b[B\x1bM", 5, true},
		{"modes, a title, a question", "\x1b[?25l\x1b]2;a\a\x1b[?2026h\x1b[6n\x1b[2 q\x1b[>4;2m", 5, true},
		{"colours that end", "\x1b[6;1H\x1b[41mred\x1b[m", 5, true},
		{"a link that ends", "\x1b[6;1H\x1b]8;;https://a.example\athere\x1b]8;;\a", 5, true},
		{"colours", "\x1b[41m", 5, false},
		{"a link", "\x1b]8;;https://a.example\a", 5, false},
		{"text", "\x1b[5;1Hx", 5, false},
		{"text from the row above", "\x1b[4;29Hbeyond", 5, false},
		{"cleared to its end", "\x1b[5;3H\x1b[K", 5, false},
		{"cleared from its start", "\x1b[5;3H\x1b[1K", 5, false},
		{"erased characters", "\x1b[5;1H\x1b[4X", 5, false},
		{"inserted characters", "\x1b[5;1H\x1b[2@", 5, false},
		{"deleted characters", "\x1b[5;1H\x1b[2P", 5, false},
		{"repeated characters", "\x1b[4;1Ha\x1b[5;1H\x1b[3b", 5, false},
		{"cleared screen", "\x1b[2J", 5, false},
		{"cleared below", "\x1b[3;1H\x1b[J", 5, false},
		{"up", "\x1b[2S", 3, true},
		{"up, and written in its old place", "\x1b[2S", 5, false},
		{"down", "\x1b[2T", 7, true},
		{"up in a region", "\x1b[3;8r\x1b[S\x1b[1;12r", 4, true},
		{"down in a region", "\x1b[3;8r\x1b[T\x1b[1;12r", 6, true},
		{"up in a region below", "\x1b[6;8r\x1b[S\x1b[1;12r", 5, true},
		{"out of a region", "\x1b[5;8r\x1b[S\x1b[1;12r", 5, false},
		{"a region moves the cursor", "\x1b[1;12rx", 5, true},
		{"a new line in a region", "\x1b[3;8r\x1b[8;1H\n\x1b[1;12r", 4, true},
		{"a new line at the end", "\x1b[12;1H\n", 4, true},
		{"a new line below a region", "\x1b[3;8r\x1b[12;1H\n\x1b[1;12r", 5, true},
		{"back at the start", "\x1b[1;1H\x1bM", 6, true},
		{"a deleted line", "\x1b[3;1H\x1b[M", 4, true},
		{"an inserted line", "\x1b[3;1H\x1b[2L", 7, true},
		{"a deleted line below", "\x1b[6;1H\x1b[M", 5, true},
		{"itself deleted", "\x1b[5;1H\x1b[M", 5, false},
		{"the cursor is somewhere", "\x1b[s\x1b[u", 5, false},
		{"text somewhere", "\x1b_Ga=d\x1b\\x", 5, false},
		{"another mode of widths", ansi.SetModeUnicodeCore, 5, false},
		{"the screen entered anew", ansi.SetModeAltScreenSaveCursor, 5, false},
		{"the screen left", ansi.ResetModeAltScreenSaveCursor, 5, false},
		{"a sequence that does not end", "\x1b[12", 5, false},
	} {
		s := newTwoScreens(t, "xterm", 30, 12)
		s.write(row(5))
		s.write(c.between)
		if c.between == "\x1b[12" {
			s.write("m")
		}
		saved := s.saved
		s.write(row(c.y) + "\x1b[2Cz\x1b[10;1Hend")
		if skipped := s.saved > saved+8; skipped != c.skipped {
			t.Errorf("%s: left out is %t, want %t", c.name, skipped, c.skipped)
		}
		s.write("\x1b[9;1Hlast")
	}
}
