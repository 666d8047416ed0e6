package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
	"parley/tui/keymap"
	"parley/tui/picker"
	"parley/tui/reporttext"
	"parley/tui/widget"
)

// TestTabOfCodex: tab completes, and queues a draft while the agent works.
func TestTabOfCodex(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Keys.Preset = "codex" })
	sc.step("type", "/mod")
	sc.step("key", "tab")
	if got := sc.draft(); got != "/mode " && got != "/model " {
		t.Errorf("tab completes to %q", got)
	}
	sc.m.win.Front.Composer.SetText("")
	sc.working()
	sc.s.calls = nil
	sc.step("type", "and then this")
	sc.step("key", "tab")
	if !contains(sc.s.calls, `send enqueue "and then this"`) || sc.draft() != "" {
		t.Errorf("tab while the agent works: %v, draft %q", sc.s.calls, sc.draft())
	}
}

// TestEscFromInsert: with vim's keys esc twice while one writes neither
// interrupts nor goes back, and esc can be without any of this.
func TestEscFromInsert(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]settings.Keys{"vim": {}, "unbound": {Bindings: map[string][]string{"interrupt": {}}}} {
		sc := newScenario(t, func(c *Config) { c.Settings.Vim, c.Keys = name == "vim", keys })
		sc.m.win.Front.Composer.SetVim(name == "vim")
		for _, busy := range []bool{false, true} {
			if busy {
				sc.working()
			}
			sc.step("type", "i")
			sc.step("key", "backspace")
			sc.s.calls = nil
			sc.step("key", "esc esc")
			if name == "unbound" {
				sc.step("key", "esc esc esc")
			}
			if len(sc.s.calls) > 0 || conversation.Over[*picker.Picker](sc.m.win) != nil || !sc.m.win.Front.Aborting.IsZero() {
				t.Errorf("%s, busy %t: %v, picker %v", name, busy, sc.s.calls, conversation.Over[*picker.Picker](sc.m.win))
			}
			sc.step("type", "i")
		}
	}
}

// TestKeysReload: keys that change while the window is open hold from then on; a
// question that is open is shown anew before it listens. A file that is wrong
// changes nothing and is reported.
func TestKeysReload(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(asking("p", "git push"))
	sc.wait(time.Second)
	before := sc.m.win.Front.Questions.Generation()
	prefer := func(k settings.Keys) {
		sc.update(preferMsg{preferences: Preferences{Settings: sc.m.win.Config.Settings, Keys: k}})
	}
	prefer(settings.Keys{Bindings: map[string][]string{"approve": {"o"}, "queue": {"f9"}}})
	if sc.m.win.Front.Questions.Generation() == before {
		t.Error("the open question is not shown anew")
	}
	sc.input(keymap.Stroke("o"))
	sc.wait(time.Second)
	if got := answers(sc.s); len(got) != 0 {
		t.Errorf("o answered before it was shown: %v", got)
	}
	screen := strings.Join(sc.screen(), "\n")
	if !strings.Contains(screen, "o  Yes, once") {
		t.Errorf("the question names no o:\n%s", screen)
	}
	prefer(settings.Keys{Bindings: map[string][]string{"approve": {"ctrl+y"}}})
	if sc.m.win.KeyFor("queue") != "f9" || len(sc.m.win.Config.Keys.Bindings) != 2 {
		t.Error("keys that cannot be took the place of those before")
	}
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "What was set before stays.") {
		t.Errorf("what is wrong is not shown:\n%s", screen)
	}
	sc.input(keymap.Stroke("backspace"))
	sc.m.win.Front.Composer.SetText("")
	sc.m.win.Front.Questions.Focus(sc.at)
	sc.wait(time.Second)
	sc.calm("o")
	if got := answers(sc.s); len(got) != 1 || got[0] != "answer p approve-once" {
		t.Errorf("o: %v", got)
	}
}

// TestHintsNameTheKeys: texts that name keys name those of the user.
func TestHintsNameTheKeys(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Keys.Bindings = map[string][]string{
			"leader": {"ctrl+]"}, "queue": {"f9"}, "send": {"alt+enter"}, "newline": {"enter"}, "cancel": {"f10", "ctrl+c"}, "stash": {},
			"list-close": {"q"}, "help": {"f2"}, "view-close": {"z"}, "answer": {"f3"}, "complete": {"f4"},
		}
	})
	see := func(want ...string) {
		t.Helper()
		sc.input(tea.KeyReleaseMsg{Code: 'q'}) // draws
		screen := strings.Join(sc.screen(), "\n")
		for _, w := range want {
			if !strings.Contains(screen, w) {
				t.Errorf("no %q in\n%s", w, screen)
			}
		}
	}
	see("press alt+enter", "f2 keys", "f10 twice to quit")
	sc.step("key", "ctrl+c")
	see("f10 again to quit")
	sc.step("type", "draft")
	sc.step("key", "ctrl+c")
	see("ctrl+_ or /stash restores it")
	sc.input(keymap.Stroke("ctrl+]"))
	sc.wait(time.Second)
	see("ctrl+]  and then", "space all commands")
	sc.input(keymap.Stroke("esc"))
	sc.working()
	see("alt+enter: send for its next step · f9: send when it is done")
	sc.m.win.Front.Commands.Run("mode", "")
	see("q close")
	sc.input(keymap.Stroke("q"))
	if conversation.Over[*picker.Picker](sc.m.win) != nil {
		t.Error("q does not close the list")
	}
	sc.step("type", "a")
	sc.say(asking("p", "ls"))
	sc.wait(time.Second)
	see("keys go to your draft: f3 to answer")
	sc.m.win.Front.Commands.Run("keys", "")
	see("Your keys", "was ctrl+x")
	sc.input(keymap.Stroke("esc"))
	sc.m.win.Front.Commands.Run("help", "")
	see("f9")
}

// TestPickerTypes: a letter that is bound in lists is typed where a query is.
func TestPickerTypes(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Keys.Bindings = map[string][]string{"list-move.after": {"i"}, "list-close": {"esc", "u"}}
	})
	sc.m.win.Front.Commands.Palette("")
	for _, key := range []string{"i", "u"} {
		sc.input(keymap.Stroke(key))
	}
	if p := conversation.Over[*picker.Picker](sc.m.win); p == nil || p.Query.Text() != "iu" {
		t.Fatalf("letters are not typed: %v", p)
	}
	sc.m.win.Front.CloseOverlays()
	sc.m.win.Front.Commands.Run("mode", "")
	at := conversation.Over[*picker.Picker](sc.m.win).Chosen
	sc.input(keymap.Stroke("i"))
	if conversation.Over[*picker.Picker](sc.m.win).Chosen == at {
		t.Error("i does not move where nothing is typed")
	}
	sc.input(tea.KeyPressMsg{Code: 'u', Text: "u"})
	if conversation.Over[*picker.Picker](sc.m.win) != nil {
		t.Error("u does not close the list")
	}
}

// The list of keys cuts no key, name or title at any width.
func TestKeyListIsWhole(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	for _, width := range []int{37, 57, 77, 137} {
		lines := reporttext.DrawKeys(sc.m.win.Theme, sc.m.win.Keymap.Actions, sc.m.win.Config.Keys, sc.m.win.Config.Home, "", width)
		for _, l := range lines {
			if text.Width(l) > width+widget.Margin {
				t.Errorf("%d columns: too wide: %q", width, ansi.Strip(l))
			}
		}
		if text := ansi.Strip(strings.Join(lines, "\n")); strings.Contains(text, "…") {
			t.Errorf("%d columns: something is cut:\n%s", width, text)
		}
	}
}

// The example in the list of keys is one that the file of keys takes.
func TestKeyListExample(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Config.Keys.Path = "/home/ada/.config/parley/keys.toml"
	for _, l := range reporttext.DrawKeys(sc.m.win.Theme, sc.m.win.Keymap.Actions, sc.m.win.Config.Keys, sc.m.win.Config.Home, "", 57) {
		if l = strings.TrimSpace(ansi.Strip(l)); strings.Contains(l, " = ") {
			k, err := settings.ParseKeys("keys.toml", []byte(l))
			if bad := keymap.Check(k); err != nil || bad != nil || !strings.HasPrefix(l, "bindings.") {
				t.Errorf("%s: %v, %v", l, err, bad)
			}
			return
		}
	}
	t.Error("there is no example")
}

// TestHintsNameTheUsersKeys: what a hint says to press is the user's key.
func TestHintsNameTheUsersKeys(t *testing.T) {
	t.Parallel()
	keys := settings.Keys{Bindings: map[string][]string{
		"end": {"alt+9"}, "mouse": {"alt+8"}, "send": {"alt+7", "enter"}, "interrupt": {"alt+6", "esc"},
	}}
	sc := newScenario(t, func(c *Config) { c.Keys = keys })
	for i := range 40 {
		sc.say(session.Event{ID: session.EventID(fmt.Sprint("u", i)), Body: session.UserMessage{Content: fmt.Sprint("line ", i)}})
	}
	sc.step("key", "pgup")
	sc.contains("below · alt+9")
	sc.step("key", "alt+9")
	sc.step("key", "alt+8")
	sc.contains("alt+8 takes it back")
	sc.working()
	sc.s.pending = []session.Pending{{ID: "q", Text: "later"}}
	sc.say(session.Event{Ephemeral: true, Body: session.PendingMessagesModified{}})
	sc.m.win.Front.Queue.Reword(sc.s.pending[0])
	sc.contains("alt+7 changes the prompt in its place, alt+6 leaves it as it was.")
	sc.wait(8 * time.Second)
	sc.contains("editing: alt+7 keeps it, alt+6 does not")
}

// TestCompletedByCtrlY: where no command has the key, it takes a completion as in
// other editors.
func TestCompletedByCtrlY(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Keys.Bindings = map[string][]string{"show-plan": {"f9"}} })
	sc.step("type", "/mod")
	sc.step("key", "ctrl+y")
	if got := sc.draft(); got != "/mode " && got != "/model " {
		t.Errorf("it completes to %q", got)
	}
}
