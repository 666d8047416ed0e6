package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// pieces is text whose lines may be very long, torn by escape sequences.
func pieces() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			unit := rapid.SampledFrom([]string{"word ", "line\n", "日本", "\x1b[31m", "\n", "e\u0301"}).Draw(t, "unit")
			b.WriteString(strings.Repeat(unit, rapid.IntRange(0, 2500).Draw(t, "times")))
		}
		return b.String()
	})
}

// TestRunsCoverText: the runs of a text are the whole text, in order, in pieces
// of bounded size; and all but the last stay as they are when it grows.
func TestRunsCoverText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := pieces().Draw(t, "text")
		n := Chunks(s)
		pos := 0
		for i := range n {
			if got := ChunkStart(s, i); i > 0 && got <= pos-1 || got < 0 {
				t.Fatalf("run %d begins at %d, after %d", i, got, pos)
			}
			r := Chunk(s, i)
			if !strings.HasPrefix(s[pos:], r) {
				t.Fatalf("run %d does not follow the one before", i)
			}
			if len(r) > 2*ChunkBytes {
				t.Fatalf("run %d has %d bytes", i, len(r))
			}
			if !utf8.ValidString(r) {
				t.Fatalf("run %d tears a character", i)
			}
			pos += len(r)
			pos += len(s[pos:]) - len(strings.TrimPrefix(s[pos:], "\n"))
			if i+1 < n && pos != ChunkStart(s, i+1) && pos != ChunkStart(s, i+1)+1 && pos+1 != ChunkStart(s, i+1) {
				t.Fatalf("run %d ends at %d, the next begins at %d", i, pos, ChunkStart(s, i+1))
			}
			if i+1 < n {
				pos = ChunkStart(s, i+1)
			}
		}
		if n > 0 && pos != len(s) {
			t.Fatalf("the runs end at %d of %d", pos, len(s))
		}
		longer := s + pieces().Draw(t, "more")
		for i := range n - 1 {
			if Chunk(longer, i) != Chunk(s, i) {
				t.Fatalf("run %d changed when the text grew", i)
			}
		}
	})
}

// TestTally: counting as a text grows gives what counting it at once gives.
func TestTally(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var kept LineCounter
		text := ""
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			piece := rapid.StringMatching(`[a\n\r]{0,6}`).Draw(t, "piece")
			if text += piece; rapid.IntRange(0, 5).Draw(t, "replace") == 0 {
				text = piece
			}
			want := 0
			if body := strings.TrimRight(text, "\r\n"); body != "" {
				want = strings.Count(body, "\n") + 1
			}
			if got := kept.Lines(text); got != want {
				t.Fatalf("%q has %d lines, counted %d", text, want, got)
			}
		}
	})
}

func TestFirstAndLastLines(t *testing.T) {
	t.Parallel()
	const five = "1\n2\n3\n4\n5\n\n\r\n"
	long := strings.Repeat("日", 10*ChunkBytes)
	for _, tc := range []struct{ got, want string }{
		{LastLines(five, 2), "4\n5"},
		{LastLines(five, 5), "1\n2\n3\n4\n5"},
		{LastLines(five, 9), "1\n2\n3\n4\n5"},
		{LastLines("", 3), ""},
		{LastLines("\n\n", 3), ""},
		{FirstLines(five, 2), "1\n2"},
		{FirstLines("one", 2), "one"},
		{FirstLines("", 2), ""},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
	for _, s := range []string{LastLines(long, 3), FirstLines(long, 3)} {
		if len(s) > ChunkBytes || !utf8.ValidString(s) {
			t.Errorf("%d bytes, valid %v", len(s), utf8.ValidString(s))
		}
	}
}
