package lines_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/terminal/lines"
)

// written is what a terminal was written, on whatever goroutine.
type written struct {
	mu sync.Mutex
	bytes.Buffer
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Buffer.Write(b)
}

func (w *written) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Buffer.String()
}

// typed types bytes, and returns the lines and keys that came of them.
func typed(t *lines.Terminal, s string) (got []lines.Line, keys []lines.Key) {
	for _, b := range []byte(s) {
		line, key := t.Take(b)
		if line != nil {
			got = append(got, *line)
		}
		if key != lines.NoKey {
			keys = append(keys, key)
		}
	}
	return got, keys
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, typed, line, echo string }{
		{"a line", "yes\r", "yes", "yes\n"},
		{"a line feed ends one, too", "yes\n", "yes", "yes\n"},
		{"and with the carriage return before it only one", "yes\r\n", "yes", "yes\n"},
		{"a letter is taken away", "yex\x7fs\r", "yes", "yex\b \bs\n"},
		{"a wide one with both of its cells", "a世\b\r", "a", "a世\b \b\b \b\n"},
		{"nothing is taken away where there is nothing", "\x7fa\r", "a", "a\n"},
		{"the line is taken away", "no\x15yes\r", "yes", "no\b \b\b \byes\n"},
		{"arrows do nothing", "\x1b[Aye\x1b[1;5Ds\x1bOP\r", "yes", "yes\n"},
		{"nor do other control characters", "y\x00e\x0es\r", "yes", "yes\n"},
		{"half a letter is none", "a\xe4\xb8\r", "a", "a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			tty := lines.NewTerminal(&out, true, lines.Real(time.Now))
			if got, _ := typed(tty, c.typed); len(got) != 1 || got[0].Text != c.line || out.String() != c.echo {
				t.Errorf("%v, echoed as %q; want %q, %q", got, out.String(), c.line, c.echo)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	tty := lines.NewTerminal(&bytes.Buffer{}, true, lines.Real(time.Now))
	got, keys := typed(tty, "\x04half a line\x04\x03\x04\r")
	want := []lines.Key{lines.EndOfText, lines.Interrupt, lines.EndOfText}
	if len(keys) != 3 || keys[0] != want[0] || keys[1] != want[1] || keys[2] != want[2] || len(got) != 1 || got[0].Text != "" {
		t.Errorf("%v, %v", keys, got)
	}
}

// FuzzTake has a terminal echo and give nothing but letters, whatever is typed.
func FuzzTake(f *testing.F) {
	f.Add([]byte("yes\r\x1b[2J\x7f\x15\xff\xc2\x9b31m\r"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		tty := lines.NewTerminal(&out, true, lines.Real(time.Now))
		got, _ := typed(tty, string(b))
		for _, l := range got {
			if strings.ContainsFunc(l.Text, func(r rune) bool { return r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 }) {
				t.Errorf("the line %q", l.Text)
			}
		}
		if strings.ContainsFunc(out.String(), func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\b' && r != '\t' || r >= 0x7f && r < 0xa0
		}) {
			t.Errorf("%q is echoed as %q", b, out.String())
		}
	})
}

// TestSay says nothing between the letters of a line, as long as the user types; and what
// was said later was not known to who began the line.
func TestSay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out written
		tty := lines.NewTerminal(&out, true, lines.Real(time.Now))
		tty.Say("one\x1b[31m")
		typed(tty, "y")
		tty.Say("two", "three")
		if tty.Asked() != 2 || tty.Said() != 1 {
			t.Errorf("%d of %d are said", tty.Said(), tty.Asked())
		}
		got, _ := typed(tty, "es\r")
		if want := "one\nyes\ntwo\nthree\n"; out.String() != want || got[0].Heard != 1 {
			t.Errorf("%q, %d heard; want %q", out.String(), got[0].Heard, want)
		}
		out.Reset()
		typed(tty, "half")
		tty.Say("four")
		time.Sleep(2 * time.Second)
		typed(tty, " a")
		time.Sleep(2 * time.Second)
		if out.String() != "half a" {
			t.Errorf("%q while the user types", out.String())
		}
		time.Sleep(2 * time.Second)
		if want := "half a\nfour\nYou were typing: half a"; out.String() != want {
			t.Errorf("%q after a pause, want %q", out.String(), want)
		}
		if got, _ := typed(tty, " line\r"); got[0].Text != "half a line" || got[0].Heard != 2 {
			t.Errorf("%+v", got)
		}
	})
}
