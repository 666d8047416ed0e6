package terminal

import (
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"pgregory.net/rapid"
)

// readAt is when the terminal is read first.
var readAt = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// terminalAnswers are what terminals say to queries, asked for or not.
var terminalAnswers = []string{
	"\x1b[12;40R", "\x1b[1;1R", "\x1b[?62;22;52c", "\x1b[?1;2c", "\x1b[>41;378;0c", "\x1b[0n", "\x1b[?2026;2$y", "\x1b[?2027;0$y",
	"\x1b]11;rgb:1414/1717/1f1f\x1b\\", "\x1b]11;rgb:ffff/ffff/ffff\x07", "\x1b]10;rgb:d8d8/dede/e9e9\x1b\\", "\x1b]4;1;rgb:ffff/0000/0000\x1b\\",
	"\x1b[?0u", "\x1b[?31u", "\x1bP>|XTerm(390)\x1b\\", "\x1bP1+r524742=382F382F38\x1b\\", "\x1b_Gi=31;OK\x1b\\", "\x1b[8;24;80t", "\x1b[?997;1n", "\x1b[?997;2n",
}

// typedBy decodes each read as if nothing came after it for long, which is the
// worst that can happen, and returns what it types.
func typedBy(reads [][]byte) string {
	var typed strings.Builder
	for _, read := range reads {
		var d uv.EventDecoder
		for len(read) > 0 {
			n, event := d.Decode(read)
			if key, ok := event.(uv.KeyPressEvent); ok {
				typed.WriteString(key.Text)
			}
			read = read[max(1, n):]
		}
	}
	return typed.String()
}

// However the answers of a terminal are cut into reads, and whatever is typed
// around them, only what is typed is typed.
func TestAnswersAreNeverTyped(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var r replies
		var reads [][]byte
		var want string
		at := readAt
		read := func(s string, gap time.Duration) {
			at = at.Add(gap)
			reads = append(reads, r.join([]byte(s), at))
		}
		for range rapid.IntRange(1, 8).Draw(t, "parts") {
			keys := rapid.StringMatching(`[a-z0-9;?\[\]]{0,3}`).Draw(t, "keys")
			for _, k := range keys {
				want += string(k)
				read(string(k), time.Second)
			}
			read(rapid.SampledFrom([]string{"", "\x1b[A", "\x1bOP", "\x1b[1;5C", "\x1b[97;5u", "\x1b[<64;5;5M", "\x1b[I", "\x1b\x1b[A", "\r", "\x1bb"}).Draw(t, "key"), time.Second)
			answer := rapid.SampledFrom(terminalAnswers).Draw(t, "answer")
			// Its first two bytes are keys, too: only what follows them distinguishes the two.
			short := false
			for gap := 3 * time.Second; answer != ""; gap = 70 * time.Millisecond {
				n := rapid.IntRange(1, len(answer)).Draw(t, "read")
				if short {
					n = len(answer)
				}
				short = n < 3 && gap > time.Second
				read(answer[:n], gap)
				answer = answer[n:]
			}
		}
		if got := typedBy(reads); got != want {
			t.Fatalf("typed %q, want %q: %q", got, want, reads)
		}
	})
}

// What comes in one piece, and what a user types, goes through as it is and
// at once.
func TestKeysAreNeverHeld(t *testing.T) {
	t.Parallel()
	for _, s := range append([]string{
		"a", "\x1b", "\x1b[A", "\x1b[1;5C", "\x1bOP", "\x1b[", "\x1b]", "\x1b]x", "\x1bP", "\x1bPa", "\x1b\x1b", "\x1b\x1b[A", "\x1b[[A", "\x1b[200~1\x1b[201~",
		"日本\x1b[Bx\x1b", "\x1b[12\r", "\x1b[<0;1;1m",
	}, terminalAnswers...) {
		var r replies
		if got := string(r.join([]byte(s), readAt)); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	var r replies
	got := ""
	for i, key := range []string{"\x1b", "[", "?", "6", "2", "c", "\x1b[", "x", "]", "1", "1", ";"} {
		got += string(r.join([]byte(key), readAt.Add(time.Duration(i)*60*time.Millisecond)))
	}
	if got != "\x1b[?62c\x1b[x]11;" {
		t.Errorf("typed by hand, %q came through", got)
	}
}

// A sequence that never ends gives way, by time and by length, and so does one
// that is broken off by a key.
func TestSequenceWithoutEnd(t *testing.T) {
	t.Parallel()
	var r replies
	at := readAt
	next := func(s string, gap time.Duration) string {
		at = at.Add(gap)
		return string(r.join([]byte(s), at))
	}
	if got := next("\x1b]11;rgb", 0) + next("hello", partTime+time.Millisecond); got != "hello" {
		t.Errorf("after a long time %q came through", got)
	}
	if got := next("\x1b]11;", time.Minute) + next("\r", time.Second) + next("x", time.Second); got != "\rx" {
		t.Errorf("after enter %q came through", got)
	}
	long := next("\x1b]52;c;", time.Minute)
	for range 100 {
		long += next(strings.Repeat("A", 100), time.Millisecond)
		if len(r.held) > mostHeld {
			t.Fatalf("%d bytes are held", len(r.held))
		}
	}
	if long += next("\x07y", time.Millisecond); long != "y" {
		t.Errorf("of a long answer %q came through", long)
	}
}

// The start of a paste that came in parts is still one.
func TestPasteMarkInParts(t *testing.T) {
	t.Parallel()
	in := &Input{}
	got, at := "", readAt
	for _, part := range []string{"x\x1b[2", "00", "~rm -rf /\r", "y\x1b[20", "1~z"} {
		at = at.Add(70 * time.Millisecond)
		out := in.filter([]byte(part), testRoom)
		keys, _ := in.settle(testRoom)
		got += string(in.join(append(out, keys...), at))
	}
	if want := "x" + pasteStart + "1" + pasteEnd + "z"; got != want || in.kept["1"] != "rm -rf /\ry" {
		t.Errorf("%q, kept %q", got, in.kept)
	}
}

// Leaving waits for the answers to what was asked, no longer than they may
// take, and not at all when no answers are to come.
func TestAnswersAreWaitedFor(t *testing.T) {
	t.Parallel()
	var r replies
	if until, _ := r.due(); !until.IsZero() {
		t.Error("waits though nothing was asked")
	}
	for i, q := range queries {
		r.ask([]byte("\x1b[H"+q.ask+"text"), readAt.Add(time.Duration(i)*time.Second))
	}
	r.ask([]byte("no query"), readAt.Add(time.Hour))
	for _, answer := range []string{"\x1b[?0u", "\x1b]11;rgb:1/2/3\x07", "\x1b[3;4R", "\x1b[?2027;0$y", "\x1bP>|kitty(0.42.1)\x1b\\", "\x1b[?62;22c"} {
		_, changed := r.due()
		r.join([]byte(answer), readAt.Add(time.Hour))
		select {
		case <-changed:
		default:
			t.Errorf("%q was not noticed", answer)
		}
	}
	if until, _ := r.due(); !until.Equal(readAt.Add(time.Duration(len(queries)-1)*time.Second + replyTime)) {
		t.Errorf("waits until %v", until)
	}
	r.join([]byte("\x1b[?2026;2$y\x1b[1;2R"), readAt.Add(time.Hour)) // and a key that looks like an answer
	if until, _ := r.due(); !until.IsZero() {
		t.Error("waits though all was answered")
	}
	r.Hush(true)
	if got := string(r.ask([]byte("a"+queries[0].ask+"b"), readAt)); got != "ab" {
		t.Errorf("a terminal that is given back is asked: %q", got)
	}
	if until, _ := r.due(); !until.IsZero() {
		t.Error("waits for the answer to what was not asked")
	}
}

// FuzzJoin: whatever a terminal sends, in whatever parts, little is held back,
// and nothing is made up.
func FuzzJoin(f *testing.F) {
	for _, answer := range terminalAnswers {
		f.Add("x"+answer, uint8(3), uint16(70))
	}
	f.Add("\x1b]11;\x1b\x1b[\x1b\x1b", uint8(1), uint16(30))
	f.Fuzz(func(t *testing.T, input string, part uint8, gap uint16) {
		var r replies
		out := 0
		at := readAt
		for i := 0; i < len(input); i += int(part)%16 + 1 {
			at = at.Add(time.Duration(gap) * time.Millisecond)
			out += len(r.join([]byte(input[i:min(len(input), i+int(part)%16+1)]), at))
			if len(r.held) > mostHeld || out > i+int(part)%16+1 {
				t.Fatalf("%d bytes held, %d out of %d", len(r.held), out, i)
			}
		}
		if one := string(new(replies).join([]byte(input), readAt)); !strings.HasPrefix(input, one) {
			t.Fatalf("in one piece %q became %q", input, one)
		}
	})
}
