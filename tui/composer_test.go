package tui

import (
	"strings"
	"testing"

	"parley/history/drafts"
)

// TestEnterAfterABackslash: enter behind a backslash makes a line of it, and sends
// nothing.
func TestEnterAfterABackslash(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", `first\`)
	sc.step("key", "enter")
	sc.step("type", "second")
	if got := sc.draft(); got != "first\nsecond" || len(sc.s.calls) != 0 {
		t.Errorf("the draft is %q; %q", got, sc.s.calls)
	}
}

// TestRecallGoesByWholePrompts: while an earlier prompt is as it was recalled, up and down
// go on to the next one, also where it has several rows. A change of it or a motion in it
// gives them the rows back.
func TestRecallGoesByWholePrompts(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("words that wrap ", 20)
	for name, c := range map[string]struct{ typed, keys, want string }{
		"up":                      {"", "up up", wide},
		"up to the oldest":        {"", "up up up", "1\n2\n3"},
		"at the oldest":           {"", "up up up up", "1\n2\n3"},
		"down":                    {"", "up up up down", wide},
		"back to the draft":       {"", "up up up down down down", ""},
		"with a prefix":           {"1", "up up", "1\n2\n3"},
		"back to the prefix":      {"1", "up up down down", "1"},
		"after a motion":          {"", "up left up up", "1\n4\n5"},
		"there and back":          {"", "up left right up up", "1\n4\n5"},
		"a motion nowhere":        {"", "up right up up", "1\n4\n5"},
		"from the first row":      {"", "up left up up up", wide},
		"on after the first row":  {"", "up ctrl+home up up", "1\n2\n3"},
		"down from the last row":  {"", "up up up home down", wide},
		"the other keys are none": {"", "up left ctrl+p ctrl+p", "1\n2\n3"},
		"after a change":          {"", "up x up up", "1\n4\n5x"},
		"not what was typed":      {"", "a ctrl+j b up", "a\nb"},
	} {
		sc := newScenario(t, nil)
		for _, p := range []string{"1\n2\n3", wide, "1\n4\n5"} {
			sc.m.win.Front.Draft.SetDraft(drafts.Draft{Text: p})
			sc.step("key", "enter")
		}
		sc.step("type", c.typed)
		sc.step("key", c.keys)
		if sc.draft() != c.want {
			t.Errorf("%s: %s gives %q, want %q", name, c.keys, sc.draft(), c.want)
		}
	}
}

// TestRecallInVim: in NORMAL, k and j go by whole prompts too, and esc, which moves the
// caret, ends that.
func TestRecallInVim(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"esc k k":     "1\n2",
		"esc k k j":   "3\n4",
		"esc k h k":   "3\n4",
		"up esc up k": "1\n2",
		"esc k d k":   "",
	} {
		sc := newScenario(t, func(c *Config) { c.Settings.Vim = true })
		for _, p := range []string{"1\n2", "3\n4"} {
			sc.m.win.Front.Draft.SetDraft(drafts.Draft{Text: p})
			sc.step("key", "enter")
		}
		sc.step("key", keys)
		if sc.draft() != want {
			t.Errorf("%s gives %q, want %q", keys, sc.draft(), want)
		}
	}
}

// TestRecallByOtherKeys: up goes by rows where the user gave the recall to other keys.
func TestRecallByOtherKeys(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"ctrl+alt+k ctrl+alt+k": "1\n2",
		"ctrl+alt+k up x":       "3x\n4",
		"ctrl+alt+k up up":      "3\n4",
	} {
		sc := newScenario(t, func(c *Config) { c.Keys.Bindings = map[string][]string{"recall.earlier": {"ctrl+alt+k"}} })
		for _, p := range []string{"1\n2", "3\n4"} {
			sc.m.win.Front.Draft.SetDraft(drafts.Draft{Text: p})
			sc.step("key", "enter")
		}
		sc.step("key", keys)
		if sc.draft() != want {
			t.Errorf("%s gives %q, want %q", keys, sc.draft(), want)
		}
	}
}
