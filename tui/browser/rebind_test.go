package browser

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/history/sessions/fake"
	"parley/settings"
	"parley/tui/keymap"
)

// stage has a browser open where the keys of an action mean something: with past
// sessions found by a query, of which the second is chosen. It presses no key.
func stage(t *testing.T, a keymap.Action, bindings map[string][]string) *window {
	t.Helper()
	w := open(t, fake.Some(t), bindings)
	w.size(120, 12)
	w.options = Options{Scope: sessions.Everywhere, setByUser: true}
	row, _, _ := strings.Cut(a.Name, ".")
	query := ""
	if row == "session-hit" || a.Context == keymap.InPreview {
		query = "moon"
	}
	w.reopen(query)
	w.wait(time.Second)
	w.b.list.moveByAction("session-move.after", 4)
	if a.Name == "session-ends.first" {
		w.b.list.moveByAction("session-ends.last", 4)
	}
	w.do((*Browser).previewSoon)
	w.wait(time.Second)
	switch a.Name {
	case "session-delete.delete":
		w.do(func(b *Browser) tea.Cmd { return b.deleteSession(*b.list.session()) })
	case "session-delete.undo":
		w.do(func(b *Browser) tea.Cmd { return b.archiveSession(*b.list.session()) })
	}
	if a.Context == keymap.InPreview {
		w.b.previewFocused = true
		w.b.preview.pane.Home()
		w.b.preview.pane.Scroll(5)
	}
	if a.Name == "preview-ends.end" {
		w.size(120, 14)
		w.b.preview.pane.Home()
	}
	w.wait(time.Second)
	w.screen()
	return w
}

// state is all that keys may change, without what names keys.
func (w *window) state() string {
	w.screen()
	var b strings.Builder
	l := &w.b.list
	fmt.Fprintf(&b, "%s of %d, %+v, query %t, looking %t, note %q, undone %d, asked %q\n",
		l.chosen, len(l.hits), w.options, w.b.queryFocused, w.b.previewFocused, w.b.message, len(w.b.undoStack), w.asked)
	if n := w.b.input; n != nil {
		fmt.Fprintln(&b, n.label, n.editor.Text())
	}
	if s := l.session(); s != nil {
		fmt.Fprintf(&b, "%+v\n", s.Mark)
	}
	if p := w.b.preview; p != nil {
		fmt.Fprintln(&b, p.pane.Top, p.pane.Follow, p.nth())
	}
	return b.String()
}

// TestEveryActionCanBeRebound gives each action of the browser another key, and
// compares what that does with what its own key does. Its own keys then do nothing.
func TestEveryActionCanBeRebound(t *testing.T) {
	t.Parallel()
	actions, _ := keymap.Actions(settings.Keys{})
	tried := map[string]int{}
	for _, a := range actions {
		if a.Context != keymap.InSessions && a.Context != keymap.InPreview || a.Fixed != "" {
			continue
		}
		tried[a.Context]++
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			own := a.Default[len(a.Default)-1]
			state := func(bindings map[string][]string, key string) string {
				w := stage(t, a, bindings)
				if key != "" {
					w.press(keymap.Stroke(key))
					w.wait(time.Second)
				}
				return strings.ReplaceAll(w.state(), "f9", own)
			}
			before := state(nil, "")
			want := state(nil, own)
			if before == want {
				t.Fatalf("it does nothing:\n%s", before)
			}
			bindings := map[string][]string{a.Name: {"f9"}}
			if wrong := keymap.Check(settings.Keys{Bindings: bindings}); len(wrong) > 0 {
				t.Fatal(wrong)
			}
			if got := state(bindings, "f9"); got != want {
				t.Errorf("f9 does\n%sand not\n%s", got, want)
			}
			if a.Name == "session-delete.delete" { // any other key leaves what waits for it
				before = regexp.MustCompile(`note "[^\n]*", undone`).ReplaceAllString(before, `note "Not deleted.", undone`)
			}
			for _, old := range a.Default {
				if got := state(bindings, old); got != before {
					t.Errorf("%s still does\n%s", old, got)
				}
			}
		})
	}
	if tried[keymap.InSessions] == 0 || tried[keymap.InPreview] == 0 {
		t.Errorf("tried %v", tried)
	}
}
