package tui

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"parley/session/sessiontest"
	"parley/terminal"
	"parley/tui/conversation"
)

// counted draws views as Bubble Tea does for TERM=xterm-256color, on a terminal that
// counts the bytes that reach it.
type counted struct {
	tb    testing.TB
	frame bytes.Buffer
	scr   *uv.TerminalRenderer
	cells uv.ScreenBuffer
	out   io.Writer
	slave *os.File
	read  chan int64
}

func newCounted(tb testing.TB, width, height int) *counted {
	tb.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = master.Close() })
	if err := pty.Setsize(master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		tb.Fatal(err)
	}
	if _, err := term.MakeRaw(slave.Fd()); err != nil {
		tb.Fatal(err)
	}
	c := &counted{tb: tb, out: slave, slave: slave, read: make(chan int64), cells: uv.NewScreenBuffer(width, height)}
	go func() {
		n, _ := io.Copy(io.Discard, master)
		c.read <- n
	}()
	c.scr = uv.NewTerminalRenderer(&c.frame, []string{"TERM=xterm-256color"})
	c.scr.SetColorProfile(colorprofile.ANSI256)
	c.scr.SetTabStops(width)
	c.scr.SetBackspace(true)
	c.scr.SetScrollOptim(true)
	c.scr.SetFullscreen(true)
	c.scr.Erase()
	return c
}

// show draws a view.
func (c *counted) show(v tea.View) {
	c.cells.Clear()
	uv.NewStyledString(v.Content).Draw(c.cells, c.cells.Bounds())
	c.scr.Render(c.cells.RenderBuffer)
	if v.Cursor != nil {
		c.scr.MoveTo(v.Cursor.X, v.Cursor.Y)
	}
	if err := c.scr.Flush(); err != nil {
		c.tb.Fatal(err)
	}
	if c.frame.Len() == 0 {
		return
	}
	c.write(ansi.ResetModeTextCursorEnable + c.frame.String() + ansi.SetModeTextCursorEnable)
	c.frame.Reset()
}

// write does not write as a string: that is the file's own way, past the output.
func (c *counted) write(frame string) {
	if _, err := c.out.Write([]byte(frame)); err != nil {
		c.tb.Fatal(err)
	}
}

// kilobytes ends the terminal, and returns what reached it.
func (c *counted) kilobytes() float64 {
	_ = c.slave.Close()
	return float64(<-c.read) / 1000
}

// BenchmarkStreamBytes is what reaches the terminal of an answer of 20 KB in 100 deltas a
// second, without wide characters and with some in each table, list and quotation; beside
// a bare program on the same renderer, which shows the text as it is.
func BenchmarkStreamBytes(b *testing.B) {
	wide := strings.NewReplacer("| events", "| ✅ events", "frames per second", "🚀 毎秒のフレーム数", "orders of magnitude", "桁だけを見る", "run it", "🧪 run it")
	for _, size := range []struct{ width, height int }{{80, 24}, {140, 45}} {
		for name, answer := range map[string]string{"letters": sessiontest.Answer(20 << 10), "wide": wide.Replace(sessiontest.Answer(20 << 10))} {
			b.Run(fmt.Sprintf("%s-%dx%d", name, size.width, size.height), func(b *testing.B) {
				var ours, bare float64
				for b.Loop() {
					ours = streamed20KB(b, answer, size.width, size.height)
					bare = streamedBare(b, answer, size.width, size.height)
				}
				b.ReportMetric(bare, "KB-bare")
				b.ReportMetric(ours/bare, "ratio")
				sessiontest.Figure(b, ours, "KB", 120)
			})
		}
	}
}

// deltasPerFrame is what comes while a batch of events waits for more.
const deltasPerFrame = int(streamTime / (10 * time.Millisecond))

func streamed20KB(b *testing.B, answer string, width, height int) float64 {
	b.Helper()
	c := newCounted(b, width, height)
	c.out = terminal.NewOutput(c.slave, terminal.NewInput(c.slave, time.Now))
	c.write(ansi.SetModeAltScreenSaveCursor)
	m := newBench(b)
	dressed(m.Model)
	m.display.Resize(width, height)
	var w sessiontest.Workload
	w.Stream(answer, 12, 10*time.Millisecond)
	at := w.Events[0].Time
	ticked := at
	for events := w.Events; len(events) > 0; {
		n := min(deltasPerFrame, len(events))
		m.frame(events[:n]...)
		events = events[n:]
		if at = at.Add(streamTime); at.Sub(ticked) >= 250*time.Millisecond {
			ticked = at
			m.Update(conversation.TickMsg(at))
		}
		c.show(m.draw())
	}
	return c.kilobytes()
}

// streamedBare shows the end of the text over a rule and a prompt.
func streamedBare(b *testing.B, answer string, width, height int) float64 {
	b.Helper()
	c := newCounted(b, width, height)
	for shown := 0; shown < len(answer); {
		shown = min(shown+12*deltasPerFrame, len(answer))
		lines := strings.Split(ansi.Hardwrap(strings.ToValidUTF8(answer[:shown], ""), width, true), "\n")
		lines = lines[max(0, len(lines)-height+3):]
		for len(lines) < height-3 {
			lines = append(lines, "")
		}
		c.show(tea.View{Content: strings.Join(append(lines, strings.Repeat("─", width), "❯ "), "\n"), Cursor: tea.NewCursor(2, height-2)})
	}
	return c.kilobytes()
}
