package keymap

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/session/sessiontest"
)

// TestKeyboards: whatever keyboard a terminal has, each key of the table of commands
// comes through Bubble Tea's reader as the press that the table means.
func TestKeyboards(t *testing.T) {
	t.Parallel()
	// A legacy terminal sends the same for them as for Enter alone.
	missing := map[sessiontest.Keyboard][]string{sessiontest.Legacy: {"ctrl+enter", "shift+enter"}}
	for _, k := range sessiontest.Keyboards {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			var keys, sequences, absent []string
			for _, key := range tableKeys() {
				if sequence, ok := k.Sequence(key); ok {
					keys, sequences = append(keys, key), append(sequences, sequence)
				} else {
					absent = append(absent, key)
				}
			}
			if !slices.Equal(absent, missing[k]) {
				t.Errorf("the keyboard has no %q, and is known to have no %q", absent, missing[k])
			}
			synctest.Test(t, func(t *testing.T) {
				for i, press := range read(t, sequences) {
					if got, want := meaning(press), meaning(Stroke(keys[i])); got != want {
						t.Errorf("%s is sent as %q and comes as: %s; want: %s", keys[i], sequences[i], got, want)
					}
				}
			})
		})
	}
}

// tableKeys are the keys of the table of commands, each once.
func tableKeys() []string {
	var keys []string
	for _, c := range Commands() {
		for _, k := range c.Keys {
			keys = append(keys, strings.Fields(k)...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// meaning is what the window looks at in a press: its names and what it writes, or
// what it does to a draft, where the editor knows a key by more than one name.
func meaning(k tea.KeyPressMsg) string {
	all := Commands()
	undo := all[slices.IndexFunc(all, func(c Command) bool { return c.ID == "undo" })]
	if slices.Contains(slices.Concat(undo.Keys, undo.Twins), Name(k)) {
		e := editor.New()
		for _, key := range []string{"a", "ctrl+w", "b", "ctrl+_"} {
			e.Update(Stroke(key))
		}
		e.Update(k)
		return fmt.Sprintf("makes the draft %q", e.Text())
	}
	return fmt.Sprintf("%s, %s, %q", Name(k), k.Keystroke(), k.Text)
}

// typist types sequences, each a second after the one before.
type typist struct {
	sequences []string
	done      func()
}

// Read implements io.Reader.
func (r *typist) Read(p []byte) (int, error) {
	time.Sleep(time.Second)
	if len(r.sequences) == 0 {
		r.done()
		return 0, io.EOF
	}
	n := copy(p, r.sequences[0])
	r.sequences = r.sequences[1:]
	return n, nil
}

// listener notes the presses that come.
type listener struct{ presses []tea.KeyPressMsg }

func (l *listener) Init() tea.Cmd { return nil }

func (l *listener) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		l.presses = append(l.presses, k)
	}
	return l, nil
}

func (l *listener) View() tea.View { return tea.View{} }

// read has Bubble Tea read sequences, one press each.
func read(t *testing.T, sequences []string) []tea.KeyPressMsg {
	t.Helper()
	in, l := &typist{sequences: sequences}, &listener{}
	p := tea.NewProgram(l, tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithoutRenderer())
	in.done = p.Quit
	if _, err := p.Run(); err != nil {
		t.Fatal(err)
	}
	if len(l.presses) != len(sequences) {
		t.Fatalf("%d presses of %d sequences: %+v", len(l.presses), len(sequences), l.presses)
	}
	return l.presses
}

// TestWin32InputMode: the keys of a Windows console that sends them with the numbers of
// Windows (CSI Vk;Sc;Uc;Kd;Cs;Rc _), which Parley does not ask for, come as the same presses.
func TestWin32InputMode(t *testing.T) {
	t.Parallel()
	keys := []struct{ key, sequence string }{
		{"a", "\x1b[65;30;97;1;0;1_"},
		{"enter", "\x1b[13;28;13;1;0;1_"},
		{"shift+enter", "\x1b[13;28;13;1;16;1_"},
		{"ctrl+enter", "\x1b[13;28;10;1;8;1_"},
		{"tab", "\x1b[9;15;9;1;0;1_"},
		{"shift+tab", "\x1b[9;15;9;1;16;1_"},
		{"esc", "\x1b[27;1;27;1;0;1_"},
		{"backspace", "\x1b[8;14;8;1;0;1_"},
		{"ctrl+c", "\x1b[67;46;3;1;8;1_"},
		{"ctrl+z", "\x1b[90;44;26;1;8;1_"},
		{"up", "\x1b[38;72;0;1;256;1_"},
		{"pgdown", "\x1b[34;81;0;1;256;1_"},
		{"alt+enter", "\x1b[13;28;13;1;2;1_"},
	}
	synctest.Test(t, func(t *testing.T) {
		var sequences []string
		for _, k := range keys {
			sequences = append(sequences, k.sequence)
		}
		for i, press := range read(t, sequences) {
			if got, want := meaning(press), meaning(Stroke(keys[i].key)); got != want {
				t.Errorf("%s is sent as %q and comes as: %s; want: %s", keys[i].key, keys[i].sequence, got, want)
			}
		}
	})
}
