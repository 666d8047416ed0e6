package terminal

import (
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/session/sessiontest"
)

// testRoom is how many bytes behind an end may be keys.
const testRoom = 64

// However the terminal's bytes are cut into reads, keys stay as they are, in
// their order with the pastes, and pasted bytes come back exactly.
func TestPastesAreExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var input, want strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			keys := rapid.StringMatching(`[a-z\x1b\[~0-9]{0,6}`).Draw(t, "keys")
			keys = strings.ReplaceAll(keys, "\x1b[20", "")
			pasted := strings.ReplaceAll(string(rapid.SliceOf(rapid.SampledFrom([]byte("a\x1b[201~\r\n\x00\xff\t"))).Draw(t, "pasted")), pasteEnd, "")
			input.WriteString(keys + pasteStart + pasted + pasteEnd)
			want.WriteString(keys + "<" + pasted + ">")
		}
		var p pastes
		var got []byte
		for rest := []byte(input.String()); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "read")
			got = append(got, p.filter(rest[:n], testRoom)...)
			if rapid.Bool().Draw(t, "quiet") {
				keys, _ := p.settle(testRoom)
				got = append(got, keys...)
			}
			rest = rest[n:]
		}
		keys, _ := p.settle(testRoom)
		got = append(got, keys...)
		if s := refill(&p, string(got)); s != want.String() {
			t.Fatalf("\n%q became\n%q, want\n%q", input.String(), s, want.String())
		}
		if len(p.kept) != 0 || len(p.mark) != 0 {
			t.Fatalf("left behind: %v %q", p.kept, p.mark)
		}
	})
}

// refill puts the pastes back where their numbers stand.
func refill(p *pastes, s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, pasteStart)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		number, rest, _ := strings.Cut(after, pasteEnd)
		b.WriteString("<" + p.Resolve(tea.PasteMsg{Content: number}).Content + ">")
		s = rest
	}
}

// Escape alone, and what may be the start of any other key, is never held back.
func TestPastesDoNotHoldKeys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"\x1b", "\x1b[", "\x1b[A", "\x1b[2", "\x1b[20", "\x1b[3~", "x"} {
		var p pastes
		if got := string(p.filter([]byte(key), testRoom)); got != key {
			t.Errorf("%q became %q", key, got)
		}
	}
}

// A paste that is no number of ours stays what it is.
func TestPastesLeaveOthers(t *testing.T) {
	t.Parallel()
	var p pastes
	if got := p.Resolve(tea.PasteMsg{Content: "7"}).Content; got != "7" {
		t.Errorf("%q", got)
	}
}

func BenchmarkPaste5MB(b *testing.B) {
	input := []byte(pasteStart + strings.Repeat("some pasted words\r\n", 5<<20/19) + pasteEnd)
	b.SetBytes(int64(len(input)))
	for b.Loop() {
		var p pastes
		var out []byte
		for rest := input; len(rest) > 0; rest = rest[min(len(rest), 4096):] {
			out = append(out, p.filter(rest[:min(len(rest), 4096)], testRoom)...)
		}
		keys, _ := p.settle(testRoom)
		out = append(out, keys...)
		p.Resolve(tea.PasteMsg{Content: string(out[len(pasteStart) : len(out)-len(pasteEnd)])})
	}
}

// TestPasteWithItsEnd: a paste that has the mark of its end in it, and comes at once, is one
// paste: a line behind that mark would else be sent.
func TestPasteWithItsEnd(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		pasteStart + "a" + pasteEnd + "b\r" + pasteEnd + "x":                             "<a" + pasteEnd + "b\r>x",
		pasteStart + "a" + pasteEnd + "b" + pasteEnd + "c" + pasteEnd:                    "<a" + pasteEnd + "b" + pasteEnd + "c>",
		pasteStart + "a" + pasteEnd + "x" + pasteStart + "b" + pasteEnd + "c" + pasteEnd: "<a>x<b" + pasteEnd + "c>",
		pasteStart + "a" + pasteEnd + "x\r":                                              "<a>x\r",
	} {
		var p pastes
		out := p.filter([]byte(input), testRoom)
		keys, _ := p.settle(testRoom)
		if got := refill(&p, string(append(out, keys...))); got != want {
			t.Errorf("%q became %q, not %q", input, got, want)
		}
	}
}

// TestLongPasteWithItsEnd: a paste with the mark of its end in it is one paste too where it
// takes many reads, and what is typed behind it are keys. One whose end never comes ends by itself.
func TestLongPasteWithItsEnd(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a pipe that can be waited for as a terminal")
	lines, report := strings.Repeat("a line\r", 1000), "\x1b[<32;20;10M"
	for name, tt := range map[string]struct{ input, want string }{
		"its end at the start": {pasteStart + pasteEnd + lines + pasteEnd, "<" + pasteEnd + lines + ">"},
		"its end at the end":   {pasteStart + lines + pasteEnd + "x\r" + pasteEnd, "<" + lines + pasteEnd + "x\r>"},
		"keys behind":          {pasteStart + lines + pasteEnd + lines + pasteEnd + "\r", "<" + lines + pasteEnd + lines + ">\r"},
		"a paste behind":       {pasteStart + lines + pasteEnd + "x" + pasteStart + "b" + pasteEnd, "<" + lines + ">x<b>"},
		"a start in it":        {pasteStart + pasteEnd + lines + pasteStart + lines + pasteEnd, "<" + pasteEnd + lines + pasteStart + lines + ">"},
		"few reports behind":   {pasteStart + lines + pasteEnd + report + "x", "<" + lines + ">" + report + "x"},
		"many reports behind":  {pasteStart + lines + pasteEnd + strings.Repeat(report, 300) + "x", "<" + lines + ">x"},
		"no end":               {pasteStart + pasteEnd + lines, "<" + pasteEnd + lines + ">"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer from.Close()
			now := time.Time{}
			in := NewInput(from, func() time.Time { return now })
			if _, err := to.WriteString(tt.input); err != nil { // which a pipe takes whole
				t.Fatal(err)
			}
			var got []byte
			p := make([]byte, 512)
			for more := true; more; more = in.Follows(pasteGap) {
				n, rerr := in.Read(p)
				if rerr != nil {
					t.Fatal(rerr)
				}
				got = append(got, p[:n]...)
			}
			now = now.Add(2 * pasteLost)
			_ = to.Close()
			n, _ := in.Read(p)
			if got = append(got, p[:n]...); refill(&in.pastes, string(got)) != tt.want {
				t.Errorf("%.200q", got)
			}
		})
	}
}
