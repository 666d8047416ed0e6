package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/settings"
)

// However the parts are switched and moved, each stays once, what is shown is what
// the settings then say, and a step and the step back are none.
func TestStatusOrderMoves(t *testing.T) {
	t.Parallel()
	all := settings.StatusItems()
	names := rapid.SliceOfDistinct(rapid.SampledFrom(all), rapid.ID[string])
	rapid.Check(t, func(rt *rapid.T) {
		m := &Model{shared: &shared{}}
		left := names.Draw(rt, "left")
		right := slices.DeleteFunc(names.Draw(rt, "right"), func(name string) bool { return slices.Contains(left, name) })
		m.status.arrange(settings.Status{Left: left, Right: right})
		o := m.statusOrder()
		if !sameSides(o.shown(), m.status.names()) {
			rt.Fatalf("it opens with %v, shown is %v", o.shown(), m.status.names())
		}
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			name, by := rapid.SampledFrom(o.names).Draw(rt, "name"), rapid.SampledFrom([]int{-1, 0, 1}).Draw(rt, "by")
			before, was, side := o.shown(), slices.Clone(o.names), o.left
			if by == 0 {
				if standing(name) {
					continue
				}
				o.on[name] = !o.on[name]
			} else {
				o.move(name, by)
				if !slices.Equal(was, o.names) || o.left != side {
					o.move(name, -by)
					if !slices.Equal(was, o.names) || o.left != side || !sameSides(o.shown(), before) {
						rt.Fatalf("%s by %d and back: %v, was %v", name, by, o.shown(), before)
					}
					o.move(name, by)
				}
			}
			if sorted := slices.Sorted(slices.Values(o.names)); !slices.Equal(sorted, slices.Sorted(slices.Values(all))) {
				rt.Fatalf("%q", o.names)
			}
			m.status.arrange(o.shown())
			if !sameSides(m.status.names(), o.shown()) {
				rt.Fatalf("shown is %v, chosen %v", m.status.names(), o.shown())
			}
		}
	})
}

// One write at a time: what was changed meanwhile is written after it, and the
// file's own change does not undo it.
func TestStatusIsKept(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.config.Prefer = func(_ context.Context, name string, value any) (settings.Settings, error) {
		sc.s.note("%s %v", name, value)
		return settings.Settings{}, nil
	}
	sc.only("mode")
	first := sc.m.saveStatus()()
	sc.only("model")
	if sc.m.saveStatus() != nil {
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

// What cannot be kept is told, and holds.
func TestStatusIsNotKept(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.config.Prefer = func(context.Context, string, any) (settings.Settings, error) {
		return settings.Settings{}, errors.New("the disk is full")
	}
	sc.step("type", "/statusline")
	sc.step("key", "enter down down down down down down space esc")
	sc.contains("Could not keep the order of the status line: the disk is full")
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
