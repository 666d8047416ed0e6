package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// keyboard is how a terminal sends keys.
type keyboard string

const (
	plainKeys keyboard = "plain" // as terminals always did
	kittyKeys keyboard = "kitty" // by the kitty keyboard protocol
	otherKeys keyboard = "xterm" // by modifyOtherKeys 2 of xterm
)

// everyKeyboard are those that differ in the keys of the composer.
func everyKeyboard() []keyboard { return []keyboard{plainKeys, kittyKeys, otherKeys} }

// has reports whether the keyboard can send the key of a step.
func (k keyboard) has(s step) bool {
	return k != plainKeys || !slices.Contains([]string{"shift+enter", "ctrl+enter"}, s.key)
}

// sequence is what a key sends.
func (k keyboard) sequence(t testing.TB, name string) string {
	t.Helper()
	base, bits := name, 0
	for prefix, bit := range map[string]int{"shift+": 1, "alt+": 2, "ctrl+": 4} {
		if rest, ok := strings.CutPrefix(base, prefix); ok {
			base, bits = rest, bits|bit
		}
	}
	switch {
	case bits > 0 && (base == "left" || base == "right"):
		return fmt.Sprintf("\x1b[1;%d%c", bits+1, map[string]rune{"right": 'C', "left": 'D'}[base])
	case k == otherKeys && bits > 0 && base == "_":
		return fmt.Sprintf("\x1b[27;%d;95~", bits+2) // shift is held, too
	case k == kittyKeys && bits > 0 && base == "_":
		return fmt.Sprintf("\x1b[45;%du", bits+2) // the key is that of the minus
	case k == otherKeys && bits > 0 && base == "enter":
		return fmt.Sprintf("\x1b[27;%d;13~", bits+1)
	case k == otherKeys && bits > 0 && len(base) == 1:
		return fmt.Sprintf("\x1b[27;%d;%d~", bits+1, base[0])
	}
	return keySequence(t, name, k == kittyKeys)
}

// walker is a user who walks a round.
type walker struct {
	*stage
	keyboard keyboard
	from     int // how much the window had written when the last key was pressed
	folder   string
}

// walkEditor is an editor that shows what it was given and appends a line, if it
// is given one.
const walkEditor = `#!/bin/sh
for file; do :; done
echo "editing $(basename "$file") $(stat -c %a "$file") [$(head -n 1 "$file")]"
read -r line || exit 8
[ -z "$line" ] || printf "%s\n" "$line" >> "$file"
`

// walkClipboard is a clipboard with a picture of one pixel.
const walkClipboard = `#!/bin/sh
case "$*" in *--list-types*) echo image/png; exit;; esac
printf '\211PNG\r\n\032\n\000\000\000\rIHDR\000\000\000\001\000\000\000\001\010\002\000\000\000\220wS\336'
printf '\000\000\000\014IDATx\234c\370\317\300\000\000\003\001\001\000\311\376\222\357\000\000\000\000IEND\256B` + "`" + `\202'
`

// newWalker starts the window of a round, in which nothing of the machine
// matters.
func newWalker(t *testing.T, r round, k keyboard) *walker {
	t.Helper()
	tools, folder := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"editor": walkEditor, "wl-paste": walkClipboard,
		"xdg-open": "#!/bin/sh\n",
	} {
		if err := os.WriteFile(filepath.Join(tools, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	l := launch{width: r.size[0], height: r.size[1], kitty: k == kittyKeys, args: []string{"--agent", "demo"}, env: []string{
		"EDITOR=" + filepath.Join(tools, "editor"), "PATH=" + tools + ":/usr/local/bin:/usr/bin:/bin", "WAYLAND_DISPLAY=walk",
		"XDG_STATE_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir(),
	}}
	if r.args != nil {
		l.args = r.args(t)
	}
	line := strings.Join(append([]string{parley(t)}, l.args...), " ")
	if r.shell {
		l.program, l.args, l.env = "/bin/sh", []string{"-i"}, append(l.env, "PS1=shell> ")
	}
	w := &walker{stage: &stage{terminal: start(t, l), launch: l}, keyboard: k, folder: folder}
	if r.shell {
		w.wait("shell>")
		w.send(line + "\r")
	}
	w.started("❯", "interactive")
	return w
}

// take takes a step.
func (w *walker) take(s step) {
	w.t.Helper()
	if !w.keyboard.has(s) {
		return
	}
	if s.lead != nil {
		s.lead(w)
	}
	if s.slash() {
		command := s.key
		if s.args != nil {
			command += " " + s.args(w)
		}
		types(command)(w)
	}
	w.from = len(w.raw())
	if !s.ends && s.want.ok(w, w.screen()) {
		w.t.Fatalf("%s, %s: it shows %s before the key is pressed:\n%s", s.row, s.key, s.want.what, w.screen())
	}
	if s.slash() {
		w.press("enter")
	} else {
		w.press(strings.Fields(s.key)...)
	}
	if s.rest != nil {
		s.rest(w)
	}
	if s.ends {
		if code := w.exit(); code != exitOK {
			w.t.Errorf("%s, %s: exit code %d", s.row, s.key, code)
		}
		w.checkRestored()
		w.checkAlone()
		return
	}
	w.awaits(fmt.Sprintf("%s, %s: %s", s.row, s.key, s.want.what), s.want)
	if s.back != nil {
		s.back(w)
	}
}

// press presses keys of the walker's keyboard.
func (w *walker) press(names ...string) {
	w.t.Helper()
	for _, name := range names {
		w.send(w.keyboard.sequence(w.t, name))
	}
}

// awaits waits for a sign.
func (w *walker) awaits(what string, s sign) {
	w.t.Helper()
	w.waitFor(what, func(screen string) bool { return s.ok(w, screen) })
}

// keys presses keys one after the other, each of which must change the screen or
// move the caret.
func keys(names ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		for _, name := range names {
			screen, x, y := w.look()
			w.press(strings.Fields(name)...)
			w.waitFor(name+" to do something", func(string) bool {
				s, col, row := w.look()
				return s != screen || col != x || row != y
			})
		}
	}
}

// look is the screen and where the caret is.
func (w *walker) look() (screen string, col, row int) {
	col, row, _ = w.cursor()
	return w.screen(), col, row
}

// types writes a text at the end of the draft.
func types(text string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.send(text)
		w.waitFor(fmt.Sprintf("the draft to end with %q", text), func(screen string) bool {
			return strings.HasSuffix(composed(screen), text)
		})
	}
}

// enters sends a text as it is to what has the keys and waits for texts.
func enters(text string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.send(text)
		w.wait(texts...)
	}
}

// comesBack ends the editor, and waits until the window has taken the terminal
// back: it asks for the background then. What it looked like before may be on the
// screen sooner, while keys still count as typed into the editor.
func comesBack(texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.from = len(w.raw())
		w.send("\r")
		w.awaits("the window, and what it asks when it is back", sign{"", func(w *walker, _ string) bool {
			_, window, back := strings.Cut(w.raw()[w.from:], ansi.SetModeAltScreenSaveCursor)
			return back && strings.Contains(window, ansi.RequestBackgroundColor)
		}})
		w.wait(texts...)
	}
}

// all does one thing after the other.
func all(things ...func(*walker)) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		for _, do := range things {
			do(w)
		}
	}
}

// until waits for texts.
func until(texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.wait(texts...)
	}
}

// sends types a command and waits for texts.
func sends(command string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		types(command)(w)
		w.press("enter")
		w.wait(texts...)
	}
}

// edited presses a key that starts the editor, and writes a line there.
func edited(key, text, line string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.from = len(w.raw())
		w.press(key)
		w.awaits("the editor", edits(text))
		w.send(line + "\r")
	}
}

// chooses goes down in the list that opens until the row with a text is chosen.
func chooses(text string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		for row := chosen(w.wait("esc close", text)); !strings.HasPrefix(row, text); {
			before := row
			w.press("down")
			w.waitFor("another row to be chosen", func(screen string) bool {
				row = chosen(screen)
				return row != before
			})
		}
	}
}

// chosen is the chosen row of the list above the composer; "" is none.
func chosen(screen string) string {
	above := screen[:max(0, strings.LastIndex(screen, "\n  ────"))]
	_, row, _ := strings.Cut("\n"+above, "\n❯ ")
	row, _, _ = strings.Cut(row, "\n")
	return row
}

// sure presses Enter on what asks for it twice.
func sure(w *walker) {
	w.t.Helper()
	w.press("enter")
	w.wait("enter again does it")
	w.breathe()
	w.press("enter")
}

// closes presses a key and waits until the texts are gone.
func closes(key string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.press(key)
		w.waitGone(texts...)
	}
}

// empties clears the draft.
func empties(w *walker) {
	w.t.Helper()
	w.press("ctrl+c")
	w.wait("Draft cleared")
}
