package tui

import (
	"context"
	"fmt"
	"image/color"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
)

// harness is what a test has in place of Bubble Tea and of a terminal.
type harness interface {
	run(cmd tea.Cmd)    // a command, and what follows from it
	update(msg tea.Msg) // gives the model a message, and draws
	input(msg tea.Msg)  // something the user or the terminal does now
	note(format string, args ...any)
	quits()
	clears() // the screen
}

// handle does with a message what Bubble Tea does with it.
func handle(h harness, msg tea.Msg) {
	switch msg := msg.(type) {
	case nil, tea.BackgroundColorMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			h.run(c)
		}
	case tea.QuitMsg:
		h.quits()
	case tea.ResumeMsg:
		h.input(msg)
	case tea.ColorProfileMsg:
		h.update(msg)
	case tea.RawMsg:
		h.note("terminal %q", msg.Msg)
	default:
		handleHidden(h, msg)
	}
}

// handleHidden is handle for messages whose types Bubble Tea keeps to itself.
func handleHidden(h harness, msg tea.Msg) {
	v := reflect.ValueOf(msg)
	switch {
	case v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd](): // a sequence
		for i := range v.Len() {
			h.run(v.Index(i).Interface().(tea.Cmd))
		}
	case v.Type().Name() == "requestCursorPosMsg": // the terminal answers after what was typed
		h.input(tea.CursorPositionMsg{})
	case v.Type().Name() == "setClipboardMsg":
		h.note("copy %q", v.String())
	case v.Type().Name() == "clearScreenMsg":
		h.clears()
	case strings.HasPrefix(v.Type().PkgPath(), reflect.TypeFor[Model]().PkgPath()):
		h.update(msg)
	}
}

// preferring writes settings into a file of the test's.
func preferring(t *testing.T) func(context.Context, string, any) (settings.Settings, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "settings.toml")
	return func(ctx context.Context, name string, value any) (settings.Settings, error) {
		if err := settings.Put(ctx, file, name, value); err != nil {
			return settings.Settings{}, err
		}
		return settings.Load(file)
	}
}

// dressed has the model draw for a terminal of all colours that has said what it
// is.
func dressed(m *Model) {
	m.appearance.Update(tea.BackgroundColorMsg{Color: color.Black})
	m.appearance.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	m.dress()
}

// numbered is the event of a prompt, of some lines, with a number.
func numbered(n int) session.Event {
	return session.Event{
		ID:   session.EventID(fmt.Sprintf("e%d", n)),
		Body: session.UserMessage{Content: strings.TrimRight(strings.Repeat(fmt.Sprintf("prompt %d\n", n), 1+n%4), "\n"), MessageID: session.MessageID(fmt.Sprintf("m%d", n))},
	}
}

// focus is the part of the window that has the keys.
func focus(m *Model) string {
	switch c := m.win.Front; {
	case m.win.Overlay != nil:
		return "overlaid"
	case c.Questions.Focused():
		return "answering"
	case c.Nav.Searching():
		return "searching"
	case c.Pane.Browsing:
		return "browsing"
	}
	return "composing"
}

// toFront is a message to the conversation on the screen.
func toFront(m *Model, msg tea.Msg) conversation.Message {
	return conversation.Message{To: m.win.Front.ID, Msg: msg}
}
