package tui

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"parley/session"
	"parley/session/sessiontest"
	"parley/terminal"
)

// realScreen is a terminal to which Bubble Tea writes views: by its own loop and renderer,
// through the output of the window, into a pseudo-terminal and the model of a screen.
type realScreen struct {
	t       *testing.T
	program *tea.Program
	resize  func(width, height int)
	frames  chan string // the title of each frame that is whole
	steps   int

	mu  sync.Mutex // of the screen, which is written as the program writes
	emu *vt.Emulator
}

// screenPatience is how long a frame may take, and never takes when things go well.
const screenPatience = time.Minute

// shownViews is a program that shows the view that it was given last.
type shownViews struct{ view tea.View }

func (shownViews) Init() tea.Cmd { return nil }

func (s shownViews) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if v, ok := msg.(tea.View); ok {
		s.view = v
	}
	return s, nil
}

func (s shownViews) View() tea.View { return s.view }

// newRealScreen starts the program, and ends it with the test or when end is called.
func newRealScreen(t *testing.T, width, height int) (x *realScreen, end func()) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	size := func(width, height int) {
		if err := pty.Setsize(master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
			t.Error(err)
		}
	}
	size(width, height)
	x = &realScreen{t: t, resize: size, frames: make(chan string, 8), emu: vt.NewEmulator(width, height)}
	title := ""
	x.emu.SetCallbacks(vt.Callbacks{
		Title: func(s string) { title = s },
		DisableMode: func(m ansi.Mode) {
			if m == ansi.ModeSynchronizedOutput {
				x.frames <- title
			}
		},
	})
	go func() { _, _ = io.Copy(io.Discard, x.emu) }() // what a terminal answers
	read := make(chan struct{})
	go func() {
		defer close(read)
		b := make([]byte, 4096)
		var frame []byte // the screen takes it whole: where a write ends, so does a letter of more than one rune
		for {
			n, err := master.Read(b)
			if err != nil {
				return
			}
			if frame = append(frame, b[:n]...); !bytes.HasSuffix(frame, []byte(ansi.ResetModeSynchronizedOutput)) {
				continue
			}
			x.mu.Lock()
			_, _ = x.emu.Write(frame)
			x.mu.Unlock()
			frame = frame[:0]
		}
	}()
	in := terminal.NewInput(slave, time.Now)
	x.program = tea.NewProgram(shownViews{}, tea.WithoutSignalHandler(), tea.WithInput(in), tea.WithOutput(terminal.NewOutput(slave, in)),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}), tea.WithColorProfile(colorprofile.TrueColor), tea.WithFPS(120))
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		_, _ = x.program.Run()
	}()
	for _, mode := range []ansi.Mode{ansi.ModeSynchronizedOutput, ansi.ModeUnicodeCore} { // by which the screen measures, too
		x.program.Send(tea.ModeReportMsg{Mode: mode, Value: ansi.ModeReset})
	}
	end = sync.OnceFunc(func() {
		x.program.Quit()
		for done := false; !done; { // what it still writes is read
			select {
			case <-x.frames:
			case <-ran:
				done = true
			}
		}
		_ = slave.Close()
		for done := false; !done; {
			select {
			case <-x.frames:
			case <-read:
				done = true
			}
		}
		_ = master.Close()
		_ = x.emu.InputPipe().(io.Closer).Close()
	})
	t.Cleanup(end)
	return x, end
}

// size gives the terminal another size. What it makes of the lines on it is not known.
func (x *realScreen) size(width, height int) {
	x.mu.Lock()
	x.emu.Resize(width, height)
	_, _ = x.emu.WriteString(ansi.SaveCursor + ansi.CursorHomePosition + strings.Repeat("#", width*height) + ansi.RestoreCursor)
	x.mu.Unlock()
	x.resize(width, height)
	x.program.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// show shows a view and waits until its frame is on the screen.
func (x *realScreen) show(v tea.View) {
	x.t.Helper()
	x.steps++
	v.WindowTitle = fmt.Sprint("step ", x.steps)
	x.program.Send(v)
	for late := time.After(screenPatience); ; {
		select {
		case title := <-x.frames:
			if title == v.WindowTitle {
				return
			}
		case <-late:
			x.t.Fatalf("the frame of %s never came", v.WindowTitle)
		}
	}
}

// look is what is seen of a cell.
func look(c *uv.Cell) string {
	if c == nil || c.Content == "" && c.Width == 0 {
		return ""
	}
	content := c.Content
	if content == "" {
		content = " "
	}
	rgb := func(c color.Color) string {
		if c == nil {
			return "-"
		}
		r, g, b, _ := c.RGBA()
		return fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	s := c.Style
	if content == " " && s.Underline == ansi.UnderlineNone && s.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) == 0 {
		s.Fg, s.Attrs = nil, 0
	}
	return fmt.Sprint(content, " ", rgb(s.Fg), " ", rgb(s.Bg), " ", s.Underline, " ", s.Attrs)
}

// differs says in what the screen differs from a view that is drawn alone; "" in nothing.
func (x *realScreen) differs(v tea.View) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	width, height := x.emu.Width(), x.emu.Height()
	alone := uv.NewScreenBuffer(width, height)
	alone.Method = ansi.GraphemeWidth
	uv.NewStyledString(v.Content).Draw(alone, alone.Bounds())
	for row := range height {
		for col := range width {
			want, got := look(alone.CellAt(col, row)), look(x.emu.CellAt(col, row))
			if want != got {
				return fmt.Sprintf("row %d, column %d: %q, want %q\n%s\nwant\n%s", row, col, got, want, x.emu.String(), alone.Render())
			}
		}
	}
	if at := x.emu.CursorPosition(); v.Cursor != nil && (at.X != v.Cursor.X || at.Y != v.Cursor.Y) {
		return fmt.Sprintf("the cursor is at %v, want %v", at, v.Cursor.Position)
	}
	return ""
}

// wideAnswer is an answer with every kind of block, and with letters that are two cells
// wide, which the renderer writes again with each frame.
func wideAnswer(turn int) (all []session.Event) {
	id := session.MessageID(fmt.Sprint("wide", turn))
	content := mixedAnswer + "| 名前 | 🎉 |\n|---|---|\n| 日本語 | 👩‍👩‍👧 |\n| 한국어 | 🚀 |\n"
	for rest := content; rest != ""; {
		n := min(len(rest), 7)
		all = append(all, session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: id, DeltaContent: rest[:n]}})
		rest = rest[n:]
	}
	return append(all, session.Event{ID: session.EventID(id), Body: session.AssistantMessage{MessageID: id, Content: content}})
}

// A long session is on the screen as each of its frames was meant: with pictures, with
// cards, whatever is scrolled, typed and resized, and no frame is lost. Only what changes
// is written, and lines are scrolled.
func TestSoakScreen(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a pseudo-terminal")
	sc := kittyTerminal(t)
	width, height := 100, 30
	sc.size(width, height)
	x, _ := newRealScreen(t, width, height)
	r := rand.New(rand.NewPCG(3, 1))
	keys := strings.Fields("pgup pgdown ctrl+home ctrl+end up down a b backspace ctrl+t ctrl+o tab esc")
	image := sessiontest.Image(t, "png", 200, 100)
	log := &longSession{at: started}
	frames, turns, asked := 0, 0, 0
	show := func(what string) {
		sc.wait(frameTime)
		v := sc.m.View()
		x.show(v)
		frames++
		if d := x.differs(v); d != "" {
			t.Fatalf("frame %d, turn %d, %s: %s", frames, turns, what, d)
		}
	}
	for total := sessiontest.Soak(t, 10_000, 1_000_000); log.given < total; turns++ {
		events := log.next()
		plain := len(events)
		if turns%8 == 0 {
			events = append(wideAnswer(turns), events...)
		}
		if turns%5 == 0 {
			sc.say(viewed(turns, image)...)
			show("a picture")
		}
		for asks := turns%3 == 0; len(events) > 0; {
			n := min(1+r.IntN(200), len(events))
			if len(events) > plain {
				n = 1 + r.IntN(12)
			}
			sc.say(events[:n]...)
			events = events[n:]
			show("events")
			if asks && r.IntN(2) == 0 {
				asks = false
				asked++
				id := fmt.Sprint("soak", asked)
				sc.say(asking(id, "git push origin main"))
				show("a card")
				sc.step("key", keys[r.IntN(len(keys))])
				show("a key beside a card")
				sc.say(session.Event{Ephemeral: true, Body: session.PermissionCompleted{RequestID: session.RequestID(id), Result: session.PermissionResult{Kind: "approved"}}})
				show("no card")
			}
		}
		key := keys[r.IntN(len(keys))]
		sc.step("key", key)
		show(key)
		if turns%10 == 9 {
			width, height = 30+r.IntN(120), 8+r.IntN(40)
			sc.size(width, height)
			x.size(width, height)
			show("another size")
		}
		sc.s.calls = nil
	}
	t.Logf("%d events in %d frames, %d pictures, %d cards", log.given, frames, (turns+4)/5, asked)
}

// However often the size changes, what is on the screen is what a new terminal of that size
// shows of a new window that was given the same events.
func TestSoakResizes(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a pseudo-terminal")
	kept, _ := newRealScreen(t, 80, 24)
	resizing(t, sessiontest.Soak(t, 40, 500), func(i, width, height int, view, want tea.View) {
		if width == 0 || height == 0 {
			return // there is no such terminal
		}
		kept.size(width, height)
		kept.show(view)
		fresh, end := newRealScreen(t, width, height)
		defer end()
		fresh.show(want)
		for _, x := range []*realScreen{kept, fresh} {
			if d := x.differs(want); d != "" {
				t.Fatalf("step %d, %dx%d, new: %t: %s", i, width, height, x == fresh, d)
			}
		}
	})
}
