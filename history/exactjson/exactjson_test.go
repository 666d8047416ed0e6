package exactjson

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// TestUnquote: a JSON string is read as the library reads it.
func TestUnquote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := `"` + strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"a", "é", `\n`, `\\`, `\"`, `\/`, `\b`, `\f`, `\r`, `\t`, `\u00e9`, `\ud83d\ude00`, `\\n`,
		})).Draw(t, "parts"), "") + `"`
		want, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unquote([]byte(raw)); got != string(want) || err != nil {
			t.Fatalf("%s: got %q, %v, want %q", raw, got, err, want)
		}
	})
}
