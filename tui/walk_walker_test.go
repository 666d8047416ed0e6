package tui

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/session/replay"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/keymap"
)

// walker is a user who walks a round. It stands in for Bubble Tea too: on one
// goroutine of a synctest bubble it gives the model what commands on others
// return, and the time advances when there is nothing else to do.
type walker struct {
	t       *testing.T
	m       *Model
	ctx     context.Context
	end     func()
	msgs    chan tea.Msg
	jobs    sync.WaitGroup
	writes  uint64
	back    chan string // ends what has the terminal; a line for the editor to append
	folder  string
	content string   // last drawn
	shown   []string // the last screens

	mu    sync.Mutex
	notes []string // what reached the terminal, the editor and other programs
	from  int      // how many there were when the last key was pressed
}

const (
	// keyGap is how far apart the walker presses keys.
	keyGap = 100 * time.Millisecond
	// patience is how long the walker waits for something.
	patience = 2 * time.Minute
	// memory is how many screens the walker shows when something does not come.
	memory = 4
)

// newWalker opens the window of a round, in which nothing of the machine matters
// but what is in two folders of the walker's.
func newWalker(t *testing.T, r round) *walker {
	t.Helper()
	time.Sleep(time.Until(started))
	w := &walker{t: t, msgs: make(chan tea.Msg), back: make(chan string), folder: t.TempDir()}
	open := r.agent
	var past demoSessions
	library := past.library(t)
	if open == nil {
		open = past.start
	}
	owner := &agentLifecycle{}
	ctx, cancel := context.WithCancel(t.Context())
	w.ctx = ctx
	home := t.TempDir()
	w.m = newModel(ctx, Config{
		Agent:     owner.owning(func(ctx context.Context) (session.Agent, error) { return open(ctx, t) }),
		AgentName: "demo", Keeper: "demo", Version: "0.1.0", Home: home, StateDir: t.TempDir(),
		Options: session.Options{Dir: t.TempDir()}, Settings: settings.Defaults(), Keys: settings.Keys{Path: filepath.Join(home, "keys.toml")},
		Prefer: preferring(t), Doctor: scriptedDoctor, Report: scriptedReport,
		Sessions: library, Reading: owner.owning(func(context.Context) (session.Agent, error) {
			return replay.NewReader(library.Read), nil
		}),
		Env: []string{"PATH=" + clipboardTools(t), "WAYLAND_DISPLAY=walk", "TERM=xterm-256color"},
		Now: func() time.Time { return time.Now().UTC() },
	}, w.effects())
	dressed(w.m)
	w.end = func() {
		if err := w.m.drafts.end(true); err != nil {
			t.Error(err)
		}
		cancel()
		if err := owner.close(context.WithoutCancel(ctx)); err != nil {
			t.Error(err)
		}
		if err := library.Close(); err != nil {
			t.Error(err)
		}
		w.jobs.Wait()
	}
	w.m.win.Pass(time.Now())
	w.update(tea.WindowSizeMsg{Width: cmp.Or(r.size[0], 100), Height: cmp.Or(r.size[1], 30)})
	w.run(w.m.Init())
	w.wait("❯", "interactive")
	return w
}

// effects are what the window has of the outside.
func (w *walker) effects() conversation.Effects {
	return conversation.Effects{
		After: func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg {
				select {
				case at := <-time.After(d):
					return msg(at)
				case <-w.ctx.Done():
					return nil
				}
			}
		},
		Pump:    func(last conversation.EventsMsg) tea.Cmd { return pump(last, time.Now) },
		Flushed: func() uint64 { return w.writes },
		Settle:  func() {},
		Ring:    func(sequence string) { w.note("rings %q", sequence) },
		Lend: func(_ func() error, back func(error) tea.Msg) tea.Cmd { // only the shell gets it by this
			w.note("suspend")
			return func() tea.Msg { return w.away(func(string) tea.Msg { return back(nil) }) }
		},
		Edit: func(e *conversation.Edition) tea.Cmd {
			line, _, _ := strings.Cut(e.Text, "\n")
			w.note("edit %s %s [%s]", filepath.Base(e.Name), map[bool]string{true: "400", false: "600"}[e.ReadOnly], line)
			return func() tea.Msg {
				return w.away(func(line string) tea.Msg {
					if e.Result = e.Text; line != "" {
						e.Result += line + "\n"
					}
					return conversation.ReturnedMsg{At: time.Now(), Edition: e}
				})
			}
		},
		Start: func(_ context.Context, argv, _ []string) error {
			w.note("start %q", argv)
			return nil
		},
	}
}

// away waits until what has the terminal gives it back.
func (w *walker) away(back func(line string) tea.Msg) tea.Msg {
	select {
	case line := <-w.back:
		return back(line)
	case <-w.ctx.Done():
		return nil
	}
}

func (w *walker) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// begin has since forget what was noted so far.
func (w *walker) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.from = len(w.notes)
}

// since are the notes since the last key.
func (w *walker) since() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.notes[w.from:])
}

func (w *walker) quits() { w.note("quit") }

func (w *walker) clears() { w.note("clear") }

func (w *walker) input(msg tea.Msg) { w.update(conversation.InputMsg{At: time.Now(), Msg: msg}) }

func (w *walker) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	w.jobs.Go(func() {
		msg := cmd()
		select {
		case w.msgs <- msg:
		case <-w.ctx.Done():
		}
	})
}

func (w *walker) update(msg tea.Msg) {
	_, cmd := w.m.Update(msg)
	if content := w.m.View().Content; content != w.content {
		w.writes++
		w.content = content
		w.shown = append(w.shown[max(0, len(w.shown)-memory+1):], unstyled(content))
	}
	w.run(cmd)
}

// unstyled is what is drawn, without styles and blanks at the ends.
func unstyled(content string) string {
	lines := strings.Split(ansi.Strip(content), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// screen is what is drawn now.
func (w *walker) screen() string { return w.shown[len(w.shown)-1] }

// settle has all happen that can happen now.
func (w *walker) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-w.msgs:
			handle(w, msg)
		default:
			return
		}
	}
}

// until lets time pass until a state is there, and reports whether it came in
// time.
func (w *walker) until(limit time.Duration, ok func() bool) bool {
	over := time.NewTimer(limit)
	defer over.Stop()
	for {
		w.settle()
		if ok() {
			return true
		}
		select {
		case msg := <-w.msgs:
			handle(w, msg)
		case <-over.C:
			return false
		}
	}
}

// pass lets time pass.
func (w *walker) pass(d time.Duration) { w.until(d, func() bool { return false }) }

// waitFor waits for what the screen shows.
func (w *walker) waitFor(what string, ok func(screen string) bool) string {
	w.t.Helper()
	if !w.until(patience, func() bool { return ok(w.screen()) }) {
		w.t.Fatalf("waited for %s; the last screens:\n%s\nsince the key: %q", what, strings.Join(w.shown, "\n▔▔▔\n"), w.since())
	}
	return w.screen()
}

// wait waits for texts, all on one screen.
func (w *walker) wait(texts ...string) string {
	w.t.Helper()
	return w.waitFor(fmt.Sprintf("%q", texts), func(screen string) bool { return sees(texts...).ok(w, screen) })
}

// waitGone waits until none of the texts is there.
func (w *walker) waitGone(texts ...string) {
	w.t.Helper()
	w.awaits("", gone(texts...))
}

// awaits waits for a sign.
func (w *walker) awaits(what string, s sign) {
	w.t.Helper()
	w.waitFor(strings.TrimSpace(what+" "+s.what), func(screen string) bool { return s.ok(w, screen) })
}

// take takes a step.
func (w *walker) take(s step) {
	w.t.Helper()
	if s.lead != nil {
		s.lead(w)
	}
	if s.slash() {
		command := s.key
		if s.args != nil {
			command += " " + s.args(w)
		}
		typing(command)(w)
	}
	w.pass(keyGap)
	w.begin()
	if s.want.ok(w, w.screen()) {
		w.t.Fatalf("%s, %s: it shows %s before the key is pressed:\n%s", s.row, s.key, s.want.what, w.screen())
	}
	if s.slash() {
		w.press("enter")
	} else {
		w.press(strings.Fields(s.key)...)
	}
	if s.rest != nil {
		s.rest(w)
	}
	w.awaits(fmt.Sprintf("%s, %s:", s.row, s.key), s.want)
	if s.back != nil {
		s.back(w)
	}
}

// press presses keys.
func (w *walker) press(names ...string) {
	w.t.Helper()
	for _, name := range names {
		w.input(keymap.Stroke(name))
		w.pass(keyGap)
	}
}

// send types a text as it is.
func (w *walker) send(text string) {
	for _, r := range text {
		w.input(tea.KeyPressMsg{Code: r, Text: string(r)})
		w.pass(keyGap)
	}
}

// typed types a text and waits until it is on the screen.
func (w *walker) typed(text string) {
	w.t.Helper()
	w.send(text)
	w.wait(text)
}

// say types a prompt and sends it.
func (w *walker) say(prompt string) {
	w.t.Helper()
	w.typed(prompt)
	w.press("enter")
	w.waitGone("❯ " + prompt)
}

// idle waits until no turn runs and the texts are there.
func (w *walker) idle(texts ...string) {
	w.t.Helper()
	w.wait(append(texts, textReady)...)
}

// card waits until a question with these texts listens to keys, which its frame
// shows by its colour.
func (w *walker) card(texts ...string) {
	w.t.Helper()
	corner := w.m.win.Theme.Render(theme.BorderArmed, w.m.win.Theme.Frame().TopLeft)
	w.waitFor(fmt.Sprintf("a question with %q to listen", texts), func(screen string) bool {
		return strings.Contains(w.content, corner) && sees(texts...).ok(w, screen)
	})
}

// answer presses a key when a question with these texts listens.
func (w *walker) answer(key string, texts ...string) {
	w.t.Helper()
	w.card(texts...)
	w.press(key)
}

// enter presses Enter on the question once it listens, and no letter that chose
// something is too young.
func (w *walker) enter() {
	w.t.Helper()
	ready(w)
	w.press("enter")
}

// breathe waits until a key is no part of a word with the letter before it.
func (w *walker) breathe() { w.pass(450 * time.Millisecond) }

// pressing presses keys one after the other, each of which must change the screen or
// move the caret.
func pressing(names ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		for _, name := range names {
			screen, x, y := w.look()
			w.press(strings.Fields(name)...)
			w.waitFor(name+" to do something", func(string) bool {
				s, col, row := w.look()
				return s != screen || col != x || row != y
			})
		}
	}
}

// look is the screen and where the caret is.
func (w *walker) look() (screen string, col, row int) {
	col, row, _ = w.cursor()
	return w.screen(), col, row
}

// cursor is where the caret is.
func (w *walker) cursor() (col, row int, visible bool) {
	at := w.m.View().Cursor
	if at == nil {
		return 0, 0, false
	}
	return at.X, at.Y, true
}

// typing writes a text at the end of the draft.
func typing(text string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.send(text)
		w.waitFor(fmt.Sprintf("the draft to end with %q", text), func(screen string) bool {
			return strings.HasSuffix(composed(screen), text)
		})
	}
}

// enters types a text as it is to what has the keys and waits for texts.
func enters(text string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.send(text)
		w.wait(texts...)
	}
}

// saves ends the editor, which appends a line if there is one, and waits for texts.
func saves(line string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.back <- line
		w.wait(texts...)
	}
}

// comesBack ends the editor and waits for texts.
func comesBack(texts ...string) func(*walker) { return saves("", texts...) }

// inOrder does one thing after the other.
func inOrder(things ...func(*walker)) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		for _, do := range things {
			do(w)
		}
	}
}

// until waits for texts.
func until(texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.wait(texts...)
	}
}

// sends types a command and waits for texts.
func sends(command string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		typing(command)(w)
		w.press("enter")
		w.wait(texts...)
	}
}

// edited presses a key that starts the editor, and writes a line there.
func edited(key, text, line string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.press(key)
		w.awaits("", edits(text))
		w.back <- line
	}
}

// chooses goes down in the list that opens until the row with a text is chosen.
func chooses(text string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		for row, line := chosen(w.wait("esc close", text)); !strings.HasPrefix(row, text); {
			before := line
			w.press("down")
			w.waitFor("another row to be chosen", func(screen string) bool {
				row, line = chosen(screen)
				return line != before
			})
		}
	}
}

// chosen is the chosen row of the list above the composer and the line of the screen that
// it is on: two rows may look alike. "" is none.
func chosen(screen string) (row string, line int) {
	above := screen[:max(0, strings.LastIndex(screen, "\n  ────"))]
	before, row, _ := strings.Cut("\n"+above, "\n❯ ")
	row, _, _ = strings.Cut(row, "\n")
	return row, strings.Count(before, "\n")
}

// sure presses Enter on what asks for it twice.
func sure(w *walker) {
	w.t.Helper()
	w.press("enter")
	w.wait("enter again does it")
	w.breathe()
	w.press("enter")
}

// closes presses a key and waits until the texts are gone.
func closes(key string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.press(key)
		w.waitGone(texts...)
	}
}

// empties clears the draft.
func empties(w *walker) {
	w.t.Helper()
	w.press("ctrl+c")
	w.wait("Draft cleared")
}

// walkClipboard is a clipboard with an image of one pixel.
const walkClipboard = `#!/bin/sh
case "$*" in *--list-types*) echo image/png; exit;; esac
printf '\211PNG\r\n\032\n\000\000\000\rIHDR\000\000\000\001\000\000\000\001\010\002\000\000\000\220wS\336'
printf '\000\000\000\014IDATx\234c\370\317\300\000\000\003\001\001\000\311\376\222\357\000\000\000\000IEND\256B` + "`" + `\202'
`

// clipboardTools is a folder with a program that reads the clipboard.
func clipboardTools(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	sessiontest.Program(t, filepath.Join(dir, "wl-paste"), walkClipboard)
	return dir
}
