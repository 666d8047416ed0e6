package prompts

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/session"
	"parley/theme"
)

// bound are keys of a user's, by name, everywhere on the cards.
func bound(meant map[string]string) *Keys {
	b := Bindings{Meant: map[string]tea.KeyPressMsg{}, Shown: map[string]string{}}
	for key, as := range meant {
		if b.Meant[key] = (tea.KeyPressMsg{}); as != "" {
			b.Meant[key], b.Shown[as] = stroked(as), key
		}
	}
	k := DefaultKeys()
	k.Card, k.Line, k.Form, k.FormLine = b, b, b, b
	return k
}

// askedWith is a card that listens, with keys of the user's.
func askedWith(t *testing.T, meant map[string]string) *witness {
	t.Helper()
	w := newWitness(t.Fatalf, theme.Plain())
	w.q.Bind(bound(meant))
	w.q.Apply(session.Event{Body: shell("git push", "git push")}, w.now)
	w.listen()
	return w
}

// listen shows the card, and waits until it listens.
func (w *witness) listen() {
	w.look()
	w.q.Focus(w.now)
	w.draw()
	w.q.Painted(w.q.Generation(), w.now)
	w.pass(time.Second, true)
}

// alone presses a key, and returns what came of it once it was alone.
func (w *witness) alone(name string) session.Answer {
	o := w.q.Key(stroked(name), w.now)
	w.draw()
	w.now = w.now.Add(time.Second)
	if o.Answer == nil {
		o = w.q.Tick(w.now)
	}
	w.draw()
	return o.Answer
}

// TestKeysAnswer: a letter of the user's answers as the card's own would, and
// that does nothing any more.
func TestKeysAnswer(t *testing.T) {
	t.Parallel()
	swapped := map[string]string{"o": "y", "y": "", "a": "s", "s": "", "z": "enter", "ctrl+w": "v", "f1": "down", "v": ""}
	for _, tt := range []struct {
		keys string
		want session.Decision
	}{
		{"o", session.ApproveOnce},
		{"a", session.ApproveForSession},
		{"y", ""},
		{"s", ""},
		{"f1 z", session.ApproveOnce},
		{"f1 enter", session.ApproveOnce},
		{"z", ""},   // no row was reached
		{"n o", ""}, // on an open line it is written
		{"esc o", ""},
	} {
		w := askedWith(t, swapped)
		var answer session.Answer
		for name := range strings.FieldsSeq(tt.keys) {
			answer = w.alone(name)
		}
		got := session.Decision("")
		if a, ok := answer.(session.PermissionAnswer); ok {
			got = a.Decision
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.keys, got, tt.want)
		}
	}
}

// TestKeysOfNoLetterAnswerNothing: whatever a file says, only a single letter or
// sign stands for a key that answers, and esc and ctrl+c stay what they are.
func TestKeysOfNoLetterAnswerNothing(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"enter", "space", "tab", "esc", "ctrl+c", "ctrl+y", "alt+y", "f1", "up", "pgdown"} {
		for _, as := range []string{"y", "s", "n", "1", "enter", "e", "c"} {
			if key == as {
				continue
			}
			w := askedWith(t, map[string]string{key: as, "down": "down"})
			w.alone("down")
			if a := w.alone(key); a != nil {
				t.Errorf("%s for %s answered %+v", key, as, a)
			}
			if w.q.Len() != 1 || len(w.q.dialogs) == 1 && w.q.dialogs[0].writing() {
				t.Errorf("%s for %s opened a line, or closed the card", key, as)
			}
		}
	}
	for _, key := range []string{"esc", "ctrl+c", "q"} {
		w := askedWith(t, map[string]string{"esc": "y", "ctrl+c": "y", "q": "esc"})
		if w.alone(key); w.q.Focused() {
			t.Errorf("%s does not leave the question", key)
		}
	}
}

// TestKeysAreTypedAsTheyAre: what was typed and not meant for the card goes to
// the draft as it was typed, not as what it stands for.
func TestKeysAreTypedAsTheyAre(t *testing.T) {
	t.Parallel()
	w := askedWith(t, map[string]string{"o": "y", "p": "v"})
	var draft []tea.Msg
	for _, name := range []string{"o", "p", "e", "n"} {
		o := w.q.Key(stroked(name), w.now)
		draft = append(draft, o.Draft...)
		if o.Answer != nil || !o.Taken && len(draft) < 2 {
			t.Fatalf("%s: %+v", name, o)
		}
		if !o.Taken {
			draft = append(draft, stroked(name))
		}
		w.now = w.now.Add(20 * ms)
	}
	text := ""
	for _, msg := range draft {
		text += msg.(tea.KeyPressMsg).Text
	}
	if text != "open" {
		t.Errorf("the draft got %q", text)
	}
}

// TestKeysAreShown: a card names the keys that the user has.
func TestKeysAreShown(t *testing.T) {
	t.Parallel()
	w := askedWith(t, map[string]string{"o": "y", "z": "v", "f1": "tab", "Q": "?", "?": ""})
	lines := strings.Join(w.q.View(80, 40, theme.Plain()), "\n")
	for _, want := range []string{"o  Yes, once", "f1 note", "n  No"} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, lines)
		}
	}
	w = newWitness(t.Fatalf, theme.Plain())
	w.q.Bind(bound(map[string]string{"o": "y", "z": "enter"}))
	w.q.Apply(session.Event{Body: shell("rm -rf /", "rm")}, w.now)
	w.listen()
	if lines := strings.Join(w.q.View(80, 40, theme.Plain()), "\n"); !strings.Contains(lines, "Yes, once (o, then z)") {
		t.Errorf("the second key is not named:\n%s", lines)
	}
	w.alone("o")
	if lines := strings.Join(w.q.View(80, 40, theme.Plain()), "\n"); !strings.Contains(lines, "z allows it") {
		t.Errorf("the second key is not asked for:\n%s", lines)
	}
	if a := w.alone("z"); a == nil {
		t.Error("z for enter does not allow it")
	}
}

// TestKeysChange: a card whose keys have changed is painted anew before it
// listens.
func TestKeysChange(t *testing.T) {
	t.Parallel()
	keys := bound(nil)
	w := askedWith(t, nil)
	w.q.Bind(keys)
	before := w.q.Generation()
	*keys = *bound(map[string]string{"n": "y", "y": "n"})
	w.q.Resize(w.now)
	if w.q.Generation() == before || w.alone("n") != nil {
		t.Error("the card listens though it shows other keys")
	}
}

// TestNoAnswerWithoutIntentUnderAnyKeys is TestNoAnswerWithoutIntent with keys
// that are not checked: any key may stand for any other.
func TestNoAnswerWithoutIntentUnderAnyKeys(t *testing.T) {
	t.Parallel()
	pool := []string{
		"y", "s", "l", "n", "P", "j", "k", "v", "?", "1", "2", "3", "[", "]", "a", "e", "t", "b", "x", "d",
		"enter", "up", "down", "tab", "esc", "ctrl+c", "pgdown", "backspace", "f1", "space", "shift+tab", "ctrl+enter",
	}
	targets := append(slices.Clone(pool), "", "")
	answers, runs, th := 0, 0, theme.Plain()
	rapid.Check(t, func(t *rapid.T) {
		meant := map[string]string{}
		for _, key := range rapid.SliceOfN(rapid.SampledFrom(pool), 0, 8).Draw(t, "keys") {
			meant[key] = rapid.SampledFrom(targets).Draw(t, "as")
		}
		for range 30 {
			runs++
			w := interleavingWith(t, th, meant)
			answers += w.answers
		}
	})
	t.Logf("%d answers in %d interleavings", answers, runs)
	if answers < runs/40 {
		t.Errorf("%d answers in %d interleavings: the test sees too few to judge", answers, runs)
	}
}
