package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"parley/session/sessiontest"
	"parley/terminal/terminaltest"
)

// patience is how long a test may take from its first program on, and is never
// taken when things go well. In the soak each test may take ten times as long.
const patience = 2 * time.Minute

// lookTime is the least time between two looks at a screen that changes.
const lookTime = 5 * time.Millisecond

// lastWord ends what a program writes: it is written when the program has ended,
// and no terminal shows it.
const lastWord = "\x1b_the program has ended\x1b\\"

// launch is how a program is started in a terminal.
type launch struct {
	width, height int                    // 0 is 100 by 30
	program       string                 // "" is the parley binary under test
	args          []string               // of the program
	inline        bool                   // the window is below what the terminal has, instead of on all of it
	home          string                 // home directory; "" is a new empty one
	dir           string                 // working directory; "" is a new empty one
	env           []string               // on top of a small fixed environment
	light         bool                   // the terminal answers that its background is light
	own           bool                   // the agent is a runtime of its own: it ends, or what it keeps is looked at
	kitty         bool                   // the terminal speaks the kitty keyboard protocol, and shows what is written in one go at once
	mirror        *terminaltest.Terminal // has all that is written too, and its size
	// answers carries the terminal's answers to the program; nil is at once and
	// in one piece.
	answers func(to io.Writer, from io.Reader)
}

// terminal is a program in a pseudo-terminal and the screen that a user
// would see. All methods may be used from one test goroutine.
type terminal struct {
	t       testing.TB
	cmd     *exec.Cmd
	master  *os.File
	inline  bool        // the window need not reach the last row
	marker  string      // environment entry that every descendant inherits
	cooked  *term.State // the line discipline before the program ran
	left    *term.State // and after it, valid after ended
	ended   chan struct{}
	drained chan struct{} // closed when all that it wrote before it ended is on the screen
	closed  chan struct{} // closed when no process has the terminal any more
	began   time.Time     // when the program was started
	result  error         // of the program, valid after ended
	end     time.Time     // of the test's time
	seen    []sight       // the last screens that differ, as the test looked

	mu      sync.Mutex
	mirror  *terminaltest.Terminal // or nil
	emu     *vt.Emulator
	written strings.Builder // everything the program wrote
	changed chan struct{}   // closed and replaced when the screen changed
	rows    string          // the visible text; "" is not known since it changed
	modes   map[ansi.Mode]bool
	kitty   []int // stack of keyboard flags
	other   int   // xterm's modifyOtherKeys
	asked   bool  // kitty flags are answered
}

// sight is what the screen showed, and how long after the start.
type sight struct {
	after  time.Duration
	screen string
}

// deadlines has the end of each test's time by its testing.TB.
var deadlines = &sync.Map{}

// deadline is when the time of a test ends. It begins with the first call.
func deadline(t testing.TB) time.Time {
	t.Helper()
	whole := patience * time.Duration(sessiontest.Soak(t, 1, 10))
	end, known := deadlines.LoadOrStore(t, time.Now().Add(whole))
	if !known {
		t.Cleanup(func() { deadlines.Delete(t) })
	}
	at, _ := end.(time.Time)
	return at
}

// start runs a program in a terminal of its own and a scratch home. The test's
// end kills what is left of it.
func start(t testing.TB, l launch) *terminal {
	t.Helper()
	if l.width == 0 {
		l.width, l.height = 100, 30
	}
	if l.program == "" {
		l.program = parley(t)
		if l.inline {
			l.args = append([]string{"--inline"}, l.args...)
		}
	}
	if l.dir == "" {
		l.dir = t.TempDir()
	}
	if l.home == "" {
		l.home = t.TempDir()
	}
	x := &terminal{
		t: t, ended: make(chan struct{}), drained: make(chan struct{}), closed: make(chan struct{}), changed: make(chan struct{}),
		modes: map[ansi.Mode]bool{}, asked: l.kitty, mirror: l.mirror, inline: l.inline, marker: "PARLEY_TEST=" + t.TempDir(), end: deadline(t),
	}
	x.model(l)
	race, err := races()
	if err != nil {
		t.Fatal(err)
	}
	x.cmd = exec.CommandContext(context.Background(), l.program, l.args...)
	x.cmd.Dir = l.dir
	x.cmd.Env = append([]string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + l.home, "TMPDIR=" + t.TempDir(), "TZ=UTC", "LANG=C.UTF-8",
		"TERM=xterm-256color", "COLORTERM=truecolor", "GORACE=exitcode=0 log_path=" + race, x.marker,
	}, l.env...)
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	x.master = master
	x.setSize(l.width, l.height)
	if x.cooked, err = term.GetState(slave.Fd()); err != nil {
		t.Fatal(err)
	}
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.SysProcAttr = sessiontest.OwnTerminal()
	x.began = time.Now()
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	replied := make(chan struct{})
	if l.answers == nil {
		l.answers = func(to io.Writer, from io.Reader) { _, _ = io.Copy(to, from) }
	}
	go func() { defer close(replied); l.answers(master, x.emu) }()
	go func() { defer close(x.closed); x.read() }()
	go func() {
		defer close(x.ended)
		x.result = x.cmd.Wait()
		x.left, _ = term.GetState(slave.Fd())
		_, _ = io.WriteString(slave, lastWord) // a terminal that is closed takes none, and reads none
		_ = slave.Close()                      // so that reading ends when no descendant holds it
	}()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		<-x.ended
		for _, p := range x.descendants() {
			_ = sessiontest.Signal(p.pid, syscall.SIGKILL)
		}
		<-x.closed
		_ = x.emu.InputPipe().(io.Closer).Close()
		<-replied
		_ = master.Close()
		if t.Failed() {
			x.report()
		}
	})
	return x
}

// model makes the screen and teaches it what it does not know by itself: the
// kitty keyboard protocol and modifyOtherKeys.
func (x *terminal) model(l launch) {
	x.emu = vt.NewEmulator(l.width, l.height)
	fg, bg := color.RGBA{0xd8, 0xde, 0xe9, 0xff}, color.RGBA{0x14, 0x17, 0x1f, 0xff}
	if l.light {
		fg, bg = color.RGBA{0x20, 0x24, 0x2c, 0xff}, color.RGBA{0xfc, 0xfc, 0xfa, 0xff}
	}
	x.emu.SetDefaultForegroundColor(fg)
	x.emu.SetDefaultBackgroundColor(bg)
	x.emu.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { x.modes[m] = true },
		DisableMode: func(m ansi.Mode) { x.modes[m] = false },
	})
	on := func(prefix byte, final int, do func(first int)) {
		x.emu.RegisterCsiHandler(ansi.Command(prefix, 0, byte(final)), func(p ansi.Params) bool {
			first, _, _ := p.Param(0, 0)
			do(first)
			return true
		})
	}
	x.emu.RegisterCsiHandler(ansi.Command('>', 0, 'm'), func(p ansi.Params) bool {
		x.other, _, _ = p.Param(1, 0)
		return true
	})
	if !l.kitty {
		return
	}
	on('>', 'u', func(flags int) { x.kitty = append(x.kitty, flags) })
	on('<', 'u', func(n int) { x.kitty = x.kitty[:max(0, len(x.kitty)-max(1, n))] })
	on('=', 'u', func(flags int) {
		if len(x.kitty) == 0 {
			x.kitty = append(x.kitty, 0)
		}
		x.kitty[len(x.kitty)-1] = flags
	})
	x.emu.RegisterCsiHandler(ansi.Command('?', '$', 'p'), func(p ansi.Params) bool {
		mode, _, _ := p.Param(0, 0)
		if mode != ansi.ModeSynchronizedOutput.Mode() {
			return false
		}
		_, _ = fmt.Fprintf(x.emu.InputPipe(), "\x1b[?%d;2$y", mode)
		return true
	})
	on('?', 'u', func(int) { _, _ = fmt.Fprintf(x.emu.InputPipe(), "\x1b[?%du", x.flags()) })
}

// flags are the keyboard flags in force; the caller holds mu.
func (x *terminal) flags() int {
	if len(x.kitty) == 0 {
		return 0
	}
	return x.kitty[len(x.kitty)-1]
}

// read feeds the screen until every holder of the terminal is gone.
func (x *terminal) read() {
	drained := sync.OnceFunc(func() { close(x.drained) })
	defer drained()
	b := make([]byte, 32<<10)
	for sessiontest.Readable(x.master, -1) {
		x.mu.Lock()
		n, err := x.master.Read(b)
		if n > 0 {
			_, _ = x.emu.Write(b[:n])
			x.written.Write(b[:n])
			if x.mirror != nil {
				_, _ = x.mirror.Write(b[:n])
			}
		}
		all := x.written.String()
		recent := max(0, len(all)-n-len(lastWord))
		before, after, over := strings.Cut(all[recent:], lastWord)
		if over {
			x.written.Reset()
			x.written.WriteString(all[:recent] + before + after)
		}
		x.update()
		x.mu.Unlock()
		if over {
			drained()
		}
		if err != nil {
			return
		}
	}
}

// update says that the screen has changed; the caller holds mu.
func (x *terminal) update() {
	x.rows = ""
	close(x.changed)
	x.changed = make(chan struct{})
}

// screen is the visible text, one line a row, without trailing blanks.
func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.text()
}

// text is screen; the caller holds mu.
func (x *terminal) text() string {
	if x.rows != "" {
		return x.rows
	}
	var b strings.Builder
	for y := range x.emu.Height() {
		var line strings.Builder
		for col := 0; col < x.emu.Width(); {
			c := x.emu.CellAt(col, y)
			if c == nil || c.Content == "" {
				line.WriteByte(' ')
				col++
				continue
			}
			line.WriteString(c.Content)
			col += max(1, c.Width)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	x.rows = b.String()
	return x.rows
}

// waitFor waits until the screen is as ok wants it, and fails the test when its
// time is over or the program ended first. Half a frame is not looked at where the
// terminal would not show it.
func (x *terminal) waitFor(what string, ok func(screen string) bool) string {
	x.t.Helper()
	late, stop := context.WithDeadline(x.t.Context(), x.end)
	defer stop()
	for over := false; ; {
		x.mu.Lock()
		screen, changed, half := x.text(), x.changed, x.modes[ansi.ModeSynchronizedOutput]
		x.mu.Unlock()
		x.note(screen)
		switch {
		case (over || !half) && ok(screen):
			return screen
		case over:
			x.t.Fatalf("the program ended (%v) while the test waited for %s", x.result, what)
		}
		select {
		case <-changed:
			<-time.After(lookTime) // more of it may come at once
		case <-x.drained:
			over = true
		case <-late.Done():
			x.t.Fatalf("the test's time was over while it waited for %s", what)
		}
	}
}

// note keeps a screen for the report of a failure.
func (x *terminal) note(screen string) {
	const most = 6
	if n := len(x.seen); n > 0 && x.seen[n-1].screen == screen {
		return
	}
	x.seen = append(x.seen[max(0, len(x.seen)-most+1):], sight{time.Since(x.began), screen})
}

// report logs the screens that led to a failure.
func (x *terminal) report() {
	x.note(x.screen())
	for _, l := range x.seen {
		x.t.Logf("the screen after %v:\n%s", l.after.Round(time.Millisecond), l.screen)
	}
}

// until waits for what no screen shows, such as a file or a process.
func (x *terminal) until(what string, ok func() bool) {
	x.t.Helper()
	for !ok() {
		if time.Now().After(x.end) {
			x.t.Fatalf("the test's time was over while it waited for %s", what)
		}
		<-time.After(lookTime)
	}
}

// wait waits until every text is on the screen at once.
func (x *terminal) wait(texts ...string) string {
	x.t.Helper()
	return x.waitFor(fmt.Sprintf("%q", texts), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(screen, s) })
	})
}

// waitGone waits until none of the texts is on the screen.
func (x *terminal) waitGone(texts ...string) string {
	x.t.Helper()
	return x.waitFor(fmt.Sprintf("%q to go", texts), func(screen string) bool {
		return !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(screen, s) })
	})
}

// started waits until all texts are on the screen and the session has started, in
// one look: of a frame that is drawn in parts the first can be an empty screen, on
// which nothing says that it is starting. The status line is the last row, in an inline window
// the last that is not empty, and the first screen, where it may have nothing to say, names
// the agent.
func (x *terminal) started(texts ...string) string {
	x.t.Helper()
	return x.waitFor(fmt.Sprintf("%q in a session that has started", texts), func(screen string) bool {
		all := !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(screen, s) })
		lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
		status := !strings.HasSuffix(screen, "\n\n") || x.inline && strings.Contains(lines[len(lines)-1], " · ")
		drawn := status || strings.Contains(screen, "  agent         ")
		return all && drawn && !strings.Contains(screen, "starting")
	})
}

// send writes raw input, as a keyboard would.
func (x *terminal) send(s string) {
	x.t.Helper()
	if _, err := io.WriteString(x.master, s); err != nil {
		x.t.Fatalf("send %q: %v", s, err)
	}
}

// typed writes text key by key and waits until it stands on the screen.
func (x *terminal) typed(s string) {
	x.t.Helper()
	x.send(s)
	x.wait(s)
}

// press sends keys by name, such as "enter", "ctrl+x" or "y".
func (x *terminal) press(names ...string) {
	x.t.Helper()
	for _, name := range names {
		x.mu.Lock()
		keyboard := sessiontest.Legacy
		if x.flags()&1 != 0 {
			keyboard = sessiontest.Kitty
		}
		x.mu.Unlock()
		sequence, ok := keyboard.Sequence(name)
		if !ok {
			x.t.Fatalf("no keyboard %s sends %q", keyboard, name)
		}
		x.send(sequence)
	}
}

// paste sends text in the brackets of a paste.
func (x *terminal) paste(s string) {
	x.t.Helper()
	x.send(ansi.BracketedPasteStart + s + ansi.BracketedPasteEnd)
}

// resize changes the terminal's size.
func (x *terminal) resize(width, height int) {
	x.t.Helper()
	x.mu.Lock()
	x.emu.Resize(width, height)
	x.update()
	x.mu.Unlock()
	x.setSize(width, height)
}

// sized changes the size of the terminal and of its mirror between two frames of the program, which stands still for that: what
// is on its way to a terminal when its size changes was drawn for another. It waits for the first frame for the new size.
func (x *terminal) sized(width, height int) {
	x.t.Helper()
	if x.emu.Width() == width && x.emu.Height() == height {
		return
	}
	for quiet := false; !quiet; {
		x.mu.Lock()
		before := x.written.Len()
		x.mu.Unlock()
		asleep := x.asleep() // else it may be about to compare the size after a frame with that before it
		_ = x.cmd.Process.Signal(sessiontest.Freeze)
		<-time.After(time.Millisecond)
		x.mu.Lock()
		whole := x.written.Len() == before && !x.modes[ansi.ModeSynchronizedOutput]
		if quiet = asleep && whole && !sessiontest.Readable(x.master, 0); quiet {
			x.mirror.Resize(width, height)
			x.emu.Resize(width, height)
			x.update()
			x.setSize(width, height)
		}
		x.mu.Unlock()
		_ = x.cmd.Process.Signal(sessiontest.Thaw)
		<-time.After(time.Millisecond)
	}
	x.until("a frame for the new size", func() bool { return fits(strings.Join(x.mirror.Screen(), "\n"), width) })
}

// asleep reports whether no thread of the program runs, or could.
func (x *terminal) asleep() bool {
	x.t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", x.cmd.Process.Pid))
	if err != nil {
		x.t.Fatal(err)
	}
	return !slices.ContainsFunc(threads, func(path string) bool {
		stat, err := os.ReadFile(path) // a thread that has ended has none
		return err == nil && bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" R"))
	})
}

func (x *terminal) setSize(width, height int) {
	x.t.Helper()
	if err := pty.Setsize(x.master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		x.t.Fatal(err)
	}
}

// cursor is where the cursor stands, counted from 0, and whether it shows.
func (x *terminal) cursor() (col, row int, visible bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.emu.CursorPosition()
	shown, set := x.modes[ansi.ModeTextCursorEnable]
	return p.X, p.Y, shown || !set
}

// cellOf is the first cell of a text on the screen.
func (x *terminal) cellOf(text string) uv.Cell {
	x.t.Helper()
	c, ok := x.findCell(text)
	if !ok {
		x.t.Fatalf("%q is not on the screen:\n%s", text, x.screen())
	}
	return c
}

func (x *terminal) findCell(text string) (c uv.Cell, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for y, line := range strings.Split(x.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return *x.emu.CellAt(ansi.StringWidth(before), y), true
		}
	}
	return uv.Cell{}, false
}

// raw is everything the program wrote so far.
func (x *terminal) raw() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.written.String()
}

// exit waits for the program's end and returns its exit code.
func (x *terminal) exit() int {
	x.t.Helper()
	late, stop := context.WithDeadline(x.t.Context(), x.end)
	defer stop()
	for _, end := range []chan struct{}{x.ended, x.drained} {
		select {
		case <-end:
		case <-late.Done():
			x.t.Fatal("the program did not end in the test's time")
		}
	}
	var failed *exec.ExitError
	if errors.As(x.result, &failed) {
		return failed.ExitCode()
	}
	if x.result != nil {
		x.t.Fatal(x.result)
	}
	return 0
}
