package tui

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/settings"
)

// One write at a time: what was changed meanwhile is written after it, and the
// file's own change does not undo it.
func TestStatusIsKept(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Config.Prefer = func(_ context.Context, name string, value any) (settings.Settings, error) {
		sc.s.note("%s %v", name, value)
		return settings.Settings{}, nil
	}
	sc.only("mode")
	first := sc.m.status.save()()
	sc.only("model")
	if sc.m.status.save() != nil {
		t.Error("a second write began")
	}
	sc.prefer(func(s *settings.Settings) { s.Status.Left = []string{"mode"} }) // the file has the first
	if sc.line() != "gpt-5.4" {
		t.Errorf("the file has undone it: %q", sc.line())
	}
	sc.s.calls = nil
	sc.update(first)
	if len(sc.s.calls) != 2 || !strings.Contains(sc.s.calls[0], "status.left [activity rewording allow-all sessions demo model]") {
		t.Errorf("%q", sc.s.calls)
	}
	sc.prefer(func(s *settings.Settings) { s.Status.Left = []string{"folder"} })
	if sc.line() != "queue" {
		t.Errorf("the file was changed, and %q is shown", sc.line())
	}
	sc.prefer(func(s *settings.Settings) { s.Vim = true })
	sc.only("mode")
	sc.prefer(func(s *settings.Settings) { s.Vim = false })
	if sc.line() != "interactive" {
		t.Errorf("another setting has undone it: %q", sc.line())
	}
}

// What cannot be kept is reported, and holds.
func TestStatusIsNotKept(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Config.Prefer = func(context.Context, string, any) (settings.Settings, error) {
		return settings.Settings{}, errors.New("the disk is full")
	}
	sc.step("type", "/statusline")
	sc.step("key", "enter down down down down down down space esc")
	sc.contains("Could not save the order of the status line: the disk is full")
	if strings.Contains(sc.line(), "interactive") {
		t.Errorf("it does not hold: %q", sc.line())
	}
	sc = newScenario(t, func(c *Config) { c.Prefer = nil })
	sc.step("type", "/statusline")
	sc.step("key", "enter down down down down down down space")
	sc.contains("there is no file for settings")
	if strings.Contains(sc.line(), "interactive") {
		t.Errorf("it does not hold: %q", sc.line())
	}
}

// The branch and the mark of changed files are as they are after the user's own command
// and after a turn.
func TestStatusFollowsTheCheckout(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	sc := newScenario(t, nil)
	dir := sc.inFolder("a.go")
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), git, args...)
		if cmd.Dir = dir; cmd.Run() != nil {
			t.Fatal(args)
		}
	}
	run("init", "-q", "-b", "trunk")
	sc.types("!ls")
	sc.step("key", "enter")
	sc.contains("(trunk*)")
	run("checkout", "-q", "-b", "other")
	if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	sc.working()
	sc.say(session.Event{ID: "i", Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
	sc.contains("(other)")
}
