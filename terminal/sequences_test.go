package terminal

import "testing"

// TestTokenLength: a sequence is as long as its bytes, whatever letters are in it.
func TestTokenLength(t *testing.T) {
	t.Parallel()
	for token, rest := range map[string]string{
		"\x1b]2;Übersicht Ü\x07":  "text",
		"\x1b]8;;file:///Ü\x1b\\": "text",
		"\x1b_Gi=1;AAAA\x1b\\":    "text",
		"\x1b[38;5;12m":           "Ü",
		"\x1b[?2026h":             "\x1b[m",
		"\x1bM":                   "M",
		"Übersicht":               "\x1b[K",
		"\r":                      "\n",
	} {
		if got := tokenLength([]byte(token + rest)); got != len(token) {
			t.Errorf("%q before %q: %d, want %d", token, rest, got, len(token))
		}
		if begun := token[:len(token)-1]; token[0] == 0x1b && tokenLength([]byte(begun)) != 0 {
			t.Errorf("%q has an end", begun)
		}
	}
}
