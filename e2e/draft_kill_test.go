package e2e

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/session/sessiontest"
	"parley/theme"
)

// The window is killed so many times while a user writes in each place; in
// make soak as often as a release must stand.
const (
	writingKills     = 1
	soakWritingKills = 12
)

// lostAtMost is how much of what was written last may be missing after a kill.
const lostAtMost = time.Second

// copyScript is an editor that keeps a copy of the text beside itself and
// leaves none.
const copyScript = `#!/bin/sh
for file; do :; done
cp "$file" "$0.copy" && : > "$file" && echo "a copy is made"
`

// author is a user who writes and notes what stood on the screen, and when.
type author struct {
	*stage
	random *rand.Rand
	words  int
	marks  []inscription
	killed time.Time // valid after dead
	dead   chan struct{}
}

// inscription is a text that must not get lost.
type inscription struct {
	text  string
	since time.Time // on the screen
}

// TestKilledWhileWriting kills the window with SIGKILL at random points of
// typing, pasting, putting drafts aside, filling in a form and refusing a
// permission. Another window in the same folder has all that had been on the
// screen for a second, exactly and once.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	kills := sessiontest.Soak(t, writingKills, soakWritingKills)
	for name, play := range map[string]func(*author){
		"draft": (*author).writeDraft, "form": (*author).writeForm, "feedback": (*author).writeFeedback,
	} {
		for range kills {
			seed := rand.Uint64()
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				t.Parallel()
				killWhile(t, seed, play)
			})
		}
	}
}

// killWhile lets a user write until the window is killed, and looks what
// another one has.
func killWhile(t *testing.T, seed uint64, play func(*author)) {
	t.Helper()
	editor := filepath.Join(t.TempDir(), "editor")
	sessiontest.Program(t, editor, copyScript)
	l := launch{dir: t.TempDir(), home: t.TempDir(), env: []string{"EDITOR=" + editor, "XDG_STATE_HOME=" + t.TempDir()}}
	a := &author{stage: demoWindow(t, l), random: rand.New(rand.NewPCG(seed, 5)), dead: make(chan struct{})}
	play(a)
	<-a.dead
	l.args = []string{"--agent", "demo"}
	next := &author{stage: &stage{terminal: start(t, l), launch: l}}
	next.started("interactive")
	found := next.drafts(editor)
	judged := 0
	for _, m := range a.marks {
		age := a.killed.Sub(m.since)
		switch n := strings.Count(found, m.text); {
		case n > 1:
			t.Errorf("%s is there %d times", short(m.text), n)
		case n == 0 && age > lostAtMost:
			t.Errorf("%s is missing; it had been there for %v", short(m.text), age)
		case age > lostAtMost:
			judged++
		}
	}
	t.Logf("%d of %d texts were older than %v", judged, len(a.marks), lostAtMost)
	if t.Failed() {
		t.Logf("there is %s", short(found))
	}
}

// short is a text as it fits into a message.
func short(s string) string {
	const most = 600
	if len(s) > most {
		return fmt.Sprintf("%q ... %q (%d bytes)", s[:most/2], s[len(s)-most/2:], len(s))
	}
	return fmt.Sprintf("%q", s)
}

// soon kills the window after a while.
func (a *author) soon() {
	after := time.Duration(1500+a.random.IntN(3000)) * time.Millisecond
	go func() {
		defer close(a.dead)
		<-time.After(after)
		a.killed = time.Now()
		_ = a.cmd.Process.Signal(syscall.SIGKILL)
		<-a.ended
	}()
}

// over reports whether the window is gone.
func (a *author) over() bool {
	select {
	case <-a.ended:
		return true
	default:
		return false
	}
}

// put sends raw input, as long as it is read. When it no longer is, a
// terminal that is full never takes the rest.
func (a *author) put(s string) {
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.WriteString(a.master, s)
	}()
	select {
	case <-sent:
	case <-a.ended:
	}
}

// until waits until the screen is as wanted, and reports whether it ever was: it
// is not when the window is killed, and gives up after a while.
func (a *author) until(while time.Duration, ok func(screen string) bool) bool {
	for deadline := time.After(while); ; {
		a.mu.Lock()
		screen, changed := a.text(), a.changed
		a.mu.Unlock()
		if ok(screen) {
			return true
		}
		select {
		case <-changed:
		case <-a.ended:
			return false
		case <-deadline:
			return false
		}
	}
}

func (a *author) sees(text string) bool {
	return a.until(2*time.Second, func(screen string) bool { return strings.Contains(screen, text) })
}

// does sends input and waits until the screen shows something else.
func (a *author) does(input string) {
	before := a.screen()
	a.put(input)
	a.until(2*time.Second, func(screen string) bool { return screen != before })
}

// pause is what a user needs between two things, if anything.
func (a *author) pause() {
	select {
	case <-a.ended:
	case <-time.After(time.Duration(a.random.IntN(100)) * time.Millisecond):
	}
}

// mark notes that a text stands on the screen.
func (a *author) mark(text string) {
	a.marks = append(a.marks, inscription{text: text, since: time.Now()})
}

// word is a word that was never written before.
func (a *author) word() string {
	a.words++
	return fmt.Sprintf("k%04dk", a.words)
}

// types writes a word key by key.
func (a *author) types() {
	word := a.word()
	for _, r := range word + " " {
		a.put(string(r))
	}
	if a.sees(word) {
		a.mark(word)
	}
}

// pastes writes so many bytes at once, or a few more.
func (a *author) pastes(size int) {
	var b strings.Builder
	for b.WriteString(a.word()); b.Len() < size; {
		b.WriteString([]string{" plain words", "\n\tindented", " 漢字", " e\u0301", "\n", " 👩‍👩‍👧"}[a.random.IntN(6)])
	}
	b.WriteString(" " + a.word())
	a.does("\x1b[200~" + b.String() + "\x1b[201~")
	a.mark(b.String())
}

// writeDraft writes prompts, and sends none.
func (a *author) writeDraft() {
	for a.soon(); !a.over(); a.pause() {
		switch a.random.IntN(16) {
		case 0, 1:
			a.put([]string{"\n", "\x1b\r", "\\\r"}[a.random.IntN(3)]) // ctrl+j, alt+enter, a backslash before enter
		case 2: // at the start of a line
			a.put("\n")
			a.types()
			a.put("\x01")
			a.types()
			a.put("\x05")
		case 3: // a chord that writes nothing
			a.put("\x18v")
		case 4, 5:
			a.pastes(10 + a.random.IntN(300))
		case 6:
			a.pastes(1000<<a.random.IntN(8) + a.random.IntN(70_000))
		case 7: // put aside; on an empty draft it brings one back
			a.put("\x13")
			a.sees(textReady)
		default:
			a.types()
		}
	}
}

// writeForm fills in a form, leaves it perhaps, and continues in the draft. The form is of
// a session that the next window does not continue, so it is found among what was put aside.
func (a *author) writeForm() {
	a.say("form")
	a.card("What should the note be like?")
	a.press("tab")
	a.wait("What the note is called")
	a.soon()
	for range 1 + a.random.IntN(3) {
		a.types()
	}
	a.goes("Size")
	a.does("3")
	a.mark("Large")
	a.goes("Pinned", "Copies", "Weight", "Due", "Tags", "Text")
	for steps := a.random.IntN(30); steps > 0 && !a.over(); steps-- {
		switch a.random.IntN(8) {
		case 0:
			a.put("\r")
		case 1:
			a.pastes(10 + a.random.IntN(300))
		case 2:
			a.pastes(1000 << a.random.IntN(8))
		default:
			a.types()
		}
		a.pause()
	}
	a.does("\x03") // ctrl+c leaves it waiting
	if a.sees(textTyping) {
		for !a.over() {
			a.types()
			a.pause()
		}
	}
}

// goes goes from field to field, each time once the form listens: one that is drawn
// anew lets the key pass.
func (a *author) goes(fields ...string) {
	armed := theme.Dark().Style(theme.BorderArmed).GetForeground()
	for _, field := range fields {
		a.until(patience, func(string) bool {
			frame, shown := a.findCell(textCard)
			return shown && sameColour(frame.Style.Fg, armed)
		})
		a.put("\t")
		a.until(patience, func(screen string) bool { return strings.Contains(screen, "❯ "+field) })
	}
}

// writeFeedback says what to do instead, and does not send it.
func (a *author) writeFeedback() {
	a.say("url")
	a.card(textOnce)
	a.press("n")
	a.wait(textFeedback)
	for a.soon(); !a.over(); a.pause() {
		switch a.random.IntN(8) {
		case 0:
			a.put("\n")
		case 1:
			a.pastes(10 + a.random.IntN(3000))
		default:
			a.types()
		}
	}
}

// edited is what the user's editor is given. It leaves nothing of it.
func (a *author) edited(editor string) string {
	a.t.Helper()
	count := func() int { return strings.Count(a.raw(), "a copy is made") }
	before, from := count(), len(a.raw())
	a.press("ctrl+g")
	a.waitFor("the editor", func(string) bool { return count() > before })
	text, err := os.ReadFile(editor + ".copy")
	if err != nil {
		a.t.Fatal(err)
	}
	a.waitFor("the window, and what it asks when it is back", func(string) bool {
		_, window, back := strings.Cut(a.raw()[from:], ansi.SetModeAltScreenSaveCursor)
		return back && strings.Contains(window, ansi.RequestBackgroundColor)
	})
	a.wait("interactive")
	return string(text)
}

// vacant reports whether the composer is empty, and says what to do in it.
func vacant(screen string) bool {
	return strings.Contains(screen, textReady) || strings.Contains(screen, "Restore the draft of")
}

// drafts are what is in the composer and what was put aside.
func (a *author) drafts(editor string) string {
	a.t.Helper()
	var texts []string
	for {
		texts = append(texts, a.edited(editor))
		a.waitFor("an empty composer", vacant)
		a.press("ctrl+s")
		const none = "Nothing is stashed."
		screen := a.waitFor("what was put aside", func(screen string) bool { return !vacant(screen) || strings.Contains(screen, none) })
		if strings.Contains(screen, none) {
			return strings.Join(texts, "\x00")
		}
	}
}
