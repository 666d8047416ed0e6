package keymap

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/settings"
)

// TestActionsHaveNames: every key of every row belongs to an action, each action
// has a name of its own, and the names of keys are as they are read back.
func TestActionsHaveNames(t *testing.T) {
	t.Parallel()
	contexts := map[string]string{}
	for _, c := range Commands() {
		if keys := len(c.Keys) + len(c.Twins); len(c.Acts) > keys {
			t.Errorf("%s has %d keys and names %d actions", c.ID, keys, len(c.Acts))
		}
		for i, key := range slices.Concat(c.Keys, c.Twins) {
			name := c.action(i)
			if other, ok := contexts[name]; ok && other != c.Context || name == "" || strings.HasSuffix(name, ".") {
				t.Errorf("%s of %s: %q is no name, or one of %s", key, c.ID, name, other)
			}
			contexts[name] = c.Context
			b := newBinder(settings.Keys{})
			if got, err := b.readKey(key); err != nil || got != key {
				t.Errorf("%s of %s is read as %q: %v", key, c.ID, got, err)
			}
		}
	}
	for name := range fixed {
		if contexts[name] == "" && name != "allow-all" {
			t.Errorf("%s is fixed, and no action", name)
		}
	}
	for _, name := range letterOnly {
		if contexts[name] != InQuestion {
			t.Errorf("%s answers, and is no action of a question", name)
		}
	}
	if wrong := Check(settings.Keys{}); wrong != nil {
		t.Errorf("the table's own keys are refused: %v", wrong)
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a": "a", "G": "G", "shift+g": "G", "?": "?", "+": "+", "ctrl++": "ctrl++", "ctrl+X": "ctrl+shift+x", "Ctrl+x": "ctrl+x",
		"control+x": "ctrl+x", "option+left": "alt+left", "alt+ctrl+k": "ctrl+alt+k", "cmd+k": "super+k", "return": "enter",
		"Escape": "esc", "pagedown": "pgdown", "PgUp": "pgup", "del": "delete", "space": "space", " ": "space", "f12": "f12", "F1": "f1",
		"shift+tab": "shift+tab", "ctrl+_": "ctrl+_", "ä": "ä", "shift+ä": "Ä",
	} {
		if got, err := parseKey(text); err != nil || got != want {
			t.Errorf("%q is %q, want %q (%v)", text, got, want, err)
		}
		if got := Stroke(want); Name(got) != want {
			t.Errorf("the press of %s is called %s", want, Name(got))
		}
	}
	for text, want := range map[string]string{
		"": "no key", "ctrl+": "no key", "hyper+x": "no key", "ctrl+shft+t": "did you mean shift?", "entr": "did you mean enter?",
		"f13": "no key", "ab": "no key", "ctrl+i": "it is tab", "ctrl+m": "it is enter", "ctrl+[": "it is esc", "control+h": "it is backspace",
		"\x1b": "no key", "\u200b": "no key",
	} {
		if got, err := parseKey(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q: %v, want %q", text, got, err, want)
		}
	}
}

// mistaken parses a file of keys that is given in short, and returns what is
// wrong with it.
func mistaken(t *testing.T, text string) []string {
	t.Helper()
	k, err := settings.ParseKeys("keys.toml", []byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var said []string
	for _, err := range Check(k) {
		said = append(said, err.Error())
	}
	return said
}

// TestMistakesInKeys: each names the file, the line, what is wrong and, where
// there is one, what may be meant.
func TestMistakesInKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"preset = 'claud'":                                           `line 1: there is no preset "claud" (did you mean claude?)`,
		"[bindings]\nqeue = 'f9'":                                    `line 2: there is no action "qeue"; did you mean queue?`,
		"[bindings]\nzzzzzz = 'f9'":                                  `there is no action "zzzzzz"; ` + "`parley keys --list`",
		"[bindings]\nrecall = 'f9'":                                  "recall is several actions: recall.earlier, recall.later",
		"[bindings]\n\nqueue = 'ctrl+shft+q'":                        "line 3: queue: there is no key",
		"[bindings]\nqueue = 'a b c'":                                `"a b c" is no key`,
		"[bindings]\nqueue = 'ctrl+k k'":                             "the first of two presses is ctrl+x, the leader, not ctrl+k",
		"[bindings]\nqueue = 'ctrl+x esc'":                           "esc and ctrl+c take the first back",
		"[bindings]\n'words.back' = 'ctrl+x b'":                      "two presses run a command",
		"[bindings]\nqueue = 'q'":                                    "queue cannot be q: it is typed there",
		"[bindings]\nsearch-keep = 'q'":                              "it is typed there",
		"[bindings]\nqueue = 'esc'":                                  "it closes what is open",
		"[bindings]\nqueue = 'ctrl+c'":                               "it cancels, wherever one is",
		"[bindings]\nqueue = 'backspace'":                            "it deletes",
		"[bindings]\nqueue = 'ctrl+i'":                               "ctrl+i cannot be bound: to most terminals it is tab",
		"[bindings]\nleader = []":                                    "leader takes one key",
		"[bindings]\nleader = 'ctrl+x x'":                            "two presses run a command",
		"[bindings]\nleader = 'x'":                                   "leader cannot be x: it is typed there",
		"[bindings]\ncancel = 'f9'":                                  "cancel keeps ctrl+c",
		"[bindings]\nleave-question = []":                            "leave-question keeps esc",
		"[bindings]\nallow-all = 'f9'":                               "no key changes what is allowed",
		"[bindings]\nform-end = 'f9'":                                "what sends is enter",
		"[bindings]\nform-end = []":                                  "form-end keeps enter",
		"[bindings]\n'choose.number' = 'a'":                          "the numbers follow the rows",
		"[bindings]\nqueue = 'ctrl+r'":                               "line 2: ctrl+r is bound to both queue (line 2) and history (default) in Composer",
		"[bindings]\nqueue = 'ctrl+r'\nhistory = 'f9'\nstash = 'f9'": "line 4: f9 is bound to both history (line 3) and stash (line 4)",
		"[bindings]\n'words.back' = 'ctrl+t'":                        "ctrl+t is bound to both words.back (line 2) and reasoning (default)",
		"[bindings]\nredraw = 'ctrl+g'\nedit = []":                   "ctrl+g is bound to both redraw (line 2) and edit-answer (default) in Question",
		"[bindings]\n'list-switch.restart' = 'x'":                    "x is bound to both list-drop (default) and list-switch.restart (line 2) in List",
		"preset = 'claude'\n[bindings]\nqueue = 'ctrl+b'":            "ctrl+b is bound to both queue (line 3) and background (preset claude)",
		"[bindings]\napprove = 's'":                                  "s is bound to both approve (line 2) and approve-session (default)",
		"[bindings]\napprove = '5'":                                  "5 is bound to both approve (line 2) and choose.number (default)",
		"[bindings]\nnote = 'pgdown'":                                "it scrolls a question",
		"[bindings]\nnote = 'enter'":                                 "it belongs to what is chosen",
		"[bindings]\nnote = 'x'":                                     "it declines or cancels a form",
	} {
		if got := mistaken(t, text); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, want) && strings.HasPrefix(s, "keys.toml, line ") }) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"", "preset = 'copilot'", "[bindings]", "[bindings]\ninterrupt = []", "[bindings]\nwords.back = ['alt+h', 'alt+left']",
		"[bindings]\nqueue = 'ctrl+t'\nreasoning = 'ctrl+q'", "[bindings]\nleader = 'ctrl+b'\nletters.back = 'left'\nqueue = 'ctrl+b q'\nqueued = 'leader j'",
		"[bindings]\nsend = 'ctrl+enter'\nqueue = 'ctrl+q'\nnewline = 'enter'", "bindings = {approve = 'o', approve-session = 'y'}",
		"[bindings]\nhelp = 'f1'\npalette = 'ctrl+x space'", "[bindings]\nleave-question = ['esc', 'q']",
	} {
		if got := mistaken(t, text); got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestAnswersTakeLetters: whatever answers a question can have no key that is
// more, or less, than one letter or sign.
func TestAnswersTakeLetters(t *testing.T) {
	t.Parallel()
	for _, name := range letterOnly {
		for _, key := range []string{"space", "tab", "ctrl+y", "alt+y", "f9", "ctrl+x y", "shift+enter", "up"} {
			if len(Check(settings.Keys{Bindings: map[string][]string{name: {key}}})) == 0 {
				t.Errorf("%s can be %s", name, key)
			}
		}
	}
	for name := range fixed {
		if len(Check(settings.Keys{Bindings: map[string][]string{name: {"f9"}}})) == 0 {
			t.Errorf("%s can be f9", name)
		}
	}
}

// TestPresets: each does what it is there for, leaves what answers and what is
// allowed as it is, and conflicts with nothing.
func TestPresets(t *testing.T) {
	t.Parallel()
	if len(PresetNames()) != len(presets) {
		t.Errorf("%v are not the presets", PresetNames())
	}
	for name, want := range map[string]map[string]string{
		"copilot": {"ctrl+t": "reasoning", "ctrl+o": "expand", "ctrl+s": "stash", "tab": "complete", "ctrl+l": "redraw", "ctrl+y": "show-plan"},
		"claude": {
			"ctrl+t": "todo-band", "ctrl+o": "expand", "ctrl+r": "history", "ctrl+s": "stash", "ctrl+b": "background", "ctrl+g": "edit",
			"shift+tab": "cycle-mode", "ctrl+l": "redraw", "esc": "interrupt", "alt+v": "paste-image", "tab": "complete",
		},
		"codex": {
			"tab": "complete-queue", "ctrl+t": "expand", "ctrl+o": "copy", "ctrl+l": "clear", "ctrl+r": "history", "ctrl+g": "edit",
			"enter": "send", "esc": "interrupt", "ctrl+v": "paste-image",
		},
		"gemini": {
			"tab": "complete-queue", "ctrl+t": "todo-band", "ctrl+o": "expand", "ctrl+s": "mouse", "ctrl+l": "clear", "ctrl+b": "background",
			"ctrl+r": "history", "ctrl+g": "edit", "shift+tab": "cycle-mode", "ctrl+y": "show-plan", "esc": "interrupt",
		},
	} {
		km, wrong := New(settings.Keys{Preset: name})
		if wrong != nil {
			t.Errorf("%s: %v", name, wrong)
			continue
		}
		keys := ByKey(km.Commands)
		for key, id := range want {
			if keys[key].ID != id {
				t.Errorf("%s: %s runs %q, want %s", name, key, keys[key].ID, id)
			}
		}
		for _, a := range km.Actions {
			if a.Changed() && (a.Context == InQuestion || a.Context == InForm || a.Name == "cycle-mode" || a.Name == "allow-all" || a.Name == "mode") {
				t.Errorf("%s changes %s", name, a.Name)
			}
		}
		if _, leads := New(settings.Keys{Preset: name, Bindings: map[string][]string{"leader": {"ctrl+]"}}}); leads != nil {
			t.Errorf("%s with another leader: %v", name, leads)
		}
	}
}

// TestAnyKeys: whatever a file says, it is refused with what is wrong, or every
// action that it gives a key is reached by it.
func TestAnyKeys(t *testing.T) {
	t.Parallel()
	actions, _ := Actions(settings.Keys{})
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		names := make([]string, 0, len(actions))
		pool := []string{"f9", "f10", "alt+k", "ctrl+alt+p", "z", "&", "ctrl+x 9", "leader z", "super+k", "ctrl+]"}
		for _, a := range actions {
			names = append(names, a.Name)
			pool = append(pool, a.Keys...)
		}
		k := settings.Keys{Bindings: map[string][]string{}, Preset: rapid.SampledFrom(append(PresetNames(), "", "", "")).Draw(rt, "preset")}
		for range rapid.IntRange(0, 4).Draw(rt, "bindings") {
			k.Bindings[rapid.SampledFrom(names).Draw(rt, "action")] = rapid.SliceOfN(rapid.SampledFrom(pool), 0, 2).Draw(rt, "keys")
		}
		km, wrong := New(k)
		if wrong != nil {
			return
		}
		accepted++
		reachable(rt, km)
	})
	if accepted < 5 {
		t.Errorf("only %d files were accepted: the test sees too few to judge", accepted)
	}
}

// reachable sees that each key of each action leads to it.
func reachable(t *rapid.T, km *Map) {
	keys := ByKey(km.Commands)
	for _, a := range km.Actions {
		for _, key := range a.Keys {
			switch {
			case a.Name == leaderAction:
				if key != km.Leader {
					t.Fatalf("the leader is %s, not %s", km.Leader, key)
				}
			case !a.BuiltIn:
				if keys[key].ID != a.Name {
					t.Fatalf("%s runs %q, not %s", key, keys[key].ID, a.Name)
				}
			case slices.Contains(parts(), a.Context):
				if got := km.Action(a.Context, Stroke(key)); got != a.Name {
					t.Fatalf("%s does %q in %s, not %s", key, got, a.Context, a.Name)
				}
			default:
				as, ok := km.Press(a.Context, Stroke(key))
				if !ok || !slices.Contains(a.Default, Name(as)) {
					t.Fatalf("%s is %s to %s, not %s", key, Name(as), a.Context, a.Name)
				}
			}
		}
	}
}

// FuzzKeys: no file of keys panics, and what is wrong with it names the file.
func FuzzKeys(f *testing.F) {
	for _, text := range []string{
		"preset = 'claude'\n[bindings]\nwords.back = ['alt+h']\n'undo.undo' = []\n", "bindings = {a = {b = 'c'}}", "[bindings.words]\nback = 'f9'",
		"[bindings]\na = 3", "bindings = 1", "preset = 1", "x = 1", "[[bindings]]", "= ", "[bindings]\nqueue = '\\u0000'", "[bindings]\nleader = 'é'",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := settings.ParseKeys("keys.toml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "keys.toml") {
				t.Errorf("%q: %v does not name the file", text, err)
			}
			return
		}
		km, wrong := New(k)
		for _, err := range wrong {
			if !strings.HasPrefix(err.Error(), "keys.toml, line ") {
				t.Errorf("%q: %v does not name the file and the line", text, err)
			}
		}
		if len(km.Actions) == 0 || len(km.Commands) == 0 {
			t.Error("no keys at all")
		}
	})
}
