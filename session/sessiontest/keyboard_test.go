package sessiontest_test

import (
	"testing"

	"parley/session/sessiontest"
)

// TestKeyboardSequence holds a sample of each form.
func TestKeyboardSequence(t *testing.T) {
	t.Parallel()
	for key, want := range map[string][3]string{ // of sessiontest.Keyboards
		"y":          {"y", "y", "y"},
		"ctrl+c":     {"\x03", "\x1b[27;5;99~", "\x1b[99;5u"},
		"alt+b":      {"\x1bb", "\x1b[27;3;98~", "\x1b[98;3u"},
		"esc":        {"\x1b", "\x1b", "\x1b[27;1u"},
		"enter":      {"\r", "\r", "\r"},
		"alt+enter":  {"\x1b\r", "\x1b[27;3;13~", "\x1b[13;3u"},
		"ctrl+enter": {"", "\x1b[27;5;13~", "\x1b[13;5u"},
		"shift+tab":  {"\x1b[Z", "\x1b[Z", "\x1b[9;2u"},
		"ctrl+_":     {"\x1f", "\x1b[27;6;95~", "\x1b[45;6u"},
		"up":         {"\x1b[A", "\x1b[A", "\x1b[A"},
		"ctrl+end":   {"\x1b[1;5F", "\x1b[1;5F", "\x1b[1;5F"},
		"focus":      {"\x1b[I", "\x1b[I", "\x1b[I"},
		"nothing":    {"", "", ""},
	} {
		for i, k := range sessiontest.Keyboards {
			if got, ok := k.Sequence(key); got != want[i] || ok != (want[i] != "") {
				t.Errorf("%s, %s: got %q, want %q", k, key, got, want[i])
			}
		}
	}
}
