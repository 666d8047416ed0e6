package sessions

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// TestCutter cuts JSON that comes in pieces: what is left is JSON of the same
// shape, in which each text is the beginning of the one that it was.
func TestCutter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 1, 6).Draw(t, "texts")
		raw, err := json.Marshal(texts, jsontext.EscapeForJS(rapid.Bool().Draw(t, "escape")))
		if err != nil {
			t.Fatal(err)
		}
		most := rapid.IntRange(0, 12).Draw(t, "most")
		c := cutter{most: most}
		for rest := raw; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			c.write(rest[:n])
			rest = rest[n:]
		}
		var got []string
		if err := json.Unmarshal(c.out, &got, jsontext.AllowInvalidUTF8(true)); err != nil || len(got) != len(texts) {
			t.Fatalf("%s became %s: %v", raw, c.out, err)
		}
		for i := range got {
			// The last rune may have lost a part of it.
			kept := strings.TrimRight(got[i], string(utf8.RuneError))
			whole := len(raw) < most
			if !strings.HasPrefix(texts[i], kept) || len(got[i]) > most+9 || whole && got[i] != texts[i] {
				t.Fatalf("%q became %q", texts[i], got[i])
			}
		}
	})
}
