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

// TestFlatIsYAML holds the reader of flat files to the library.
func TestFlatIsYAML(t *testing.T) {
	t.Parallel()
	value := rapid.OneOf(
		rapid.SampledFrom([]string{
			"main", "/home/ada/a b", "'quoted'", `"x"`, "a: b", "a #b", "a#b", "~", "null", "true", "yes", "1", "1.5", "0x1F", "2026-11-21T15:22:19.833Z",
			"[a]", "{a: b}", "|", "&a b", "*a", "!x y", "- a", "a:", " a", "a ", "ø", "", "x\ty", "1_000", "=", "<<",
		}),
		rapid.StringMatching(`[a-zA-Z0-9/@:#'" .,_-]{0,20}`),
		rapid.StringMatching(`'[a-zA-Z0-9/@:#'" .,\\_-]{0,20}'`),
	)
	key := rapid.SampledFrom([]string{"cwd", "git_root", "repository", "branch", "client_name", "name", "user_named", "created_at", "id", "other"})
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		seen := map[string]bool{}
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			if k := key.Draw(t, "key"); !seen[k] {
				seen[k] = true
				text.WriteString(k + ": " + value.Draw(t, "value") + "\n")
			}
		}
		var flat, library workspace
		if !flat.readFlat([]byte(text.String())) {
			return
		}
		library.readYAML([]byte(text.String()))
		if flat != library {
			t.Fatalf("%q\n%+v\n%+v", text.String(), flat, library)
		}
	})
}
