package browser

import (
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/history/sessions/fake"
	"parley/render"
	"parley/render/text"
	"parley/settings"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
)

// window is what a browser is in: with a clock of the test's, and every command on
// the test's own goroutine.
type window struct {
	t       testing.TB
	b       *Browser
	facts   overlay.Facts
	options Options
	library *fake.Library
	timers  []timer
	asked   []string // requests, as text
	closed  bool
}

// timer is a message that is due.
type timer struct {
	at  time.Time
	msg func(time.Time) tea.Msg
}

// open opens a browser of 80x24 over past sessions, with a user's keys.
func open(t testing.TB, l *fake.Library, bindings map[string][]string) *window {
	t.Helper()
	keys, _ := keymap.New(settings.Keys{Bindings: bindings})
	w := &window{t: t, library: l, facts: overlay.Facts{
		Theme: theme.Plain(), Keys: keys, Unicode: true, Width: 80, Height: 24, Now: fake.Now, Zone: time.UTC,
		Home: "/home/ada", Dir: "/home/ada/src/queue", Options: render.Options{Theme: theme.Plain()},
	}}
	w.reopen("")
	return w
}

// reopen opens another browser, with a query.
func (w *window) reopen(query string) {
	w.closed = false
	c := Config{Library: w.library, Options: &w.options, ExportName: func(string) string { return "session.md" }, After: func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
		return func() tea.Msg { return timer{w.facts.Now.Add(max(0, d)), msg} }
	}}
	var begin tea.Cmd
	w.b, begin = New(w.t.Context(), c, w.facts, query)
	w.run(begin)
	w.screen()
}

// do lets the browser do something, and runs what follows.
func (w *window) do(f func(b *Browser) tea.Cmd) {
	w.b.SetFacts(w.facts)
	cmd := f(w.b)
	for _, r := range w.b.Requests() {
		w.asked = append(w.asked, fmt.Sprintf("%T", r))
		switch r.(type) {
		case overlay.Close, Start, Resume, Read, Fork:
			w.b.Close()
			w.closed = true
		}
	}
	w.run(cmd)
}

// run executes a command and everything that follows from it.
func (w *window) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case timer:
		w.timers = append(w.timers, msg)
	case tea.BatchMsg:
		for _, cmd := range msg {
			w.run(cmd)
		}
	case Msg:
		w.take(msg)
	}
}

// take gives the browser a message, if it is for this one.
func (w *window) take(msg Msg) {
	if msg.Of == w.b {
		w.do(func(b *Browser) tea.Cmd { return b.Update(msg) })
	}
}

// wait lets time pass and gives out the messages that are due, in order.
func (w *window) wait(d time.Duration) {
	end := w.facts.Now.Add(d)
	for {
		sort.SliceStable(w.timers, func(i, j int) bool { return w.timers[i].at.Before(w.timers[j].at) })
		if len(w.timers) == 0 || w.timers[0].at.After(end) {
			break
		}
		next := w.timers[0]
		w.timers = w.timers[1:]
		if next.at.After(w.facts.Now) {
			w.facts.Now = next.at
		}
		w.take(next.msg(w.facts.Now).(Msg))
	}
	w.facts.Now = end
}

func (w *window) press(key tea.KeyPressMsg) { w.do(func(b *Browser) tea.Cmd { return b.Key(key) }) }

// keys presses keys, each once the one before has acted.
func (w *window) keys(names string) {
	for name := range strings.FieldsSeq(names) {
		w.press(keymap.Stroke(name))
		w.screen()
		w.wait(700 * time.Millisecond)
	}
}

// types presses the keys of a text.
func (w *window) types(text string, gap time.Duration) {
	for _, r := range text {
		w.press(tea.KeyPressMsg{Code: r, Text: string(r)})
		w.wait(gap)
	}
}

// fast is faster than anybody presses keys.
const fast = 10 * time.Millisecond

func (w *window) size(width, height int) {
	w.facts.Width, w.facts.Height = width, height
	w.screen()
}

// screen is what is drawn, without styles and blanks at the ends.
func (w *window) screen() []string {
	w.b.SetFacts(w.facts)
	lines, _ := w.b.View(w.facts.Width, w.facts.Height)
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return lines
}

func (w *window) text() string { return strings.Join(w.screen(), "\n") }

// fits reports what of the view is larger than the window.
func (w *window) fits() error {
	lines := w.screen()
	if len(lines) > w.facts.Height {
		return fmt.Errorf("%d lines on a screen of %dx%d", len(lines), w.facts.Width, w.facts.Height)
	}
	for i, line := range lines {
		if n := text.Width(line); n > w.facts.Width {
			return fmt.Errorf("line %d is %d cells on a screen of %dx%d: %q", i, n, w.facts.Width, w.facts.Height, line)
		}
	}
	return nil
}
