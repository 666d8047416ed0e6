package render

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseArguments(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, raw string
		want      arguments
	}{
		{"nothing", "", arguments{}},
		{"no object", `"*** Begin Patch"`, arguments{{"", "*** Begin Patch"}}},
		{"empty", "{}", arguments{}},
		{"flat", `{"b":"x","a":3,"t":true,"f":false,"n":null}`, arguments{{"b", "x"}, {"a", "3"}, {"t", "yes"}, {"f", "no"}, {"n", "none"}}},
		{"nested", `{"o":{"p":1,"q":{"r":"s"}},"e":{}}`, arguments{{"o.p", "1"}, {"o.q.r", "s"}, {"e", "none"}}},
		{"lists", `{"l":["a","b"],"e":[],"m":[{"x":1},{"x":2}],"c":["a,b"]}`, arguments{
			{"l", "a, b"}, {"e", "none"}, {"m[0].x", "1"}, {"m[1].x", "2"}, {"c[0]", "a,b"},
		}},
		{"doubled name", `{"a":1,"a":2}`, arguments{{"a", "1"}, {"a", "2"}}},
		{"cut in a string", `{"path":"/tmp/x","file_text":"line one\nline tw`, arguments{{"path", "/tmp/x"}, {"file_text", "line one\nline tw"}}},
		{"cut in an escape", `{"a":"one \u26`, arguments{{"a", "one "}}},
		{"cut in a name", `{"a":1,"bc`, arguments{{"a", "1"}}},
		{"cut in a number", `{"a":"x","b":12`, arguments{{"a", "x"}, {"b", "12"}}},
		{"broken", `{"a":1,,}`, arguments{{"a", "1"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := parseArguments([]byte(tc.raw)); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestArgumentsAreTotal: any bytes give some arguments, and what is complete
// before a cut stays the same after it.
func TestArgumentsAreTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOf(rapid.Byte()).Draw(t, "raw")
		parseArguments(raw)
		const whole = `{"path":"/a/b","view_range":[1,2],"old_str":"x\ny \"q\" é","n":{"deep":[{"k":"v"}]}}`
		cut := rapid.IntRange(0, len(whole)).Draw(t, "cut")
		full, part := parseArguments([]byte(whole)), parseArguments([]byte(whole[:cut]))
		for i, a := range part[:max(0, len(part)-2)] {
			if a != full[i] {
				t.Fatalf("cut at %d: %q instead of %q", cut, a, full[i])
			}
		}
	})
}

func TestReadableArguments(t *testing.T) {
	t.Parallel()
	a := arguments{{"city", "Oslo"}, {"note", "two words"}, {"text", "a\nb"}, {"", "bare"}, {"empty", ""}}
	if got, want := a.inline(), `city=Oslo note="two words" text="a\nb" bare empty=""`; got != want {
		t.Errorf("inline: %s", got)
	}
	if got, want := a.lines(), "city: Oslo\nnote: two words\ntext: \n  a\n  b\nbare\nempty: "; got != want {
		t.Errorf("lines: %q", got)
	}
	huge := arguments{{"a", strings.Repeat("x", 1<<20)}, {"b", strings.Repeat("y", 1<<20)}}
	if n := len(huge.inline()); n > 3*briefBytes {
		t.Errorf("inline is %d bytes", n)
	}
}

func TestReadable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"plain", "plain"},
		{`{"a":1,"b":{"c":"d"}}`, "a: 1\nb.c: d"},
		{"[\n {\"a\": 1}\n]", "[0].a: 1"},
		{`said: {"action": "cancel"}`, "said: action=cancel"},
		{"first\n{\"k\":1}\nlast", "first\nk=1\nlast"},
		{"func f() { return }", "func f() { return }"},
		{`{"broken": `, `{"broken": `},
		{"[1, 2]", "[1, 2]"},
		{"x[0] {}", "x[0] {}"},
	} {
		if got := readable(tc.in); got != tc.want {
			t.Errorf("%q becomes %q, want %q", tc.in, got, tc.want)
		}
	}
}
