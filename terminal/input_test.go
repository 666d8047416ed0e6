package terminal

import (
	"os"
	"testing"
	"time"

	"parley/session/sessiontest"
)

// TestEscapeAlone: an Escape that nothing follows is said to be one, and one that begins a
// sequence is left as it is.
func TestEscapeAlone(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a pipe that can be waited for as a terminal")
	for name, tt := range map[string]struct{ first, rest, want string }{
		"alone":            {"\x1b", "", "\x1b[27u"},
		"after a letter":   {"x\x1b", "", "x\x1b[27u"},
		"a sequence":       {"\x1b[A", "", "\x1b[A"},
		"with a letter":    {"\x1bx", "", "\x1bx"},
		"begins one":       {"\x1b", "[A", "\x1b[A"},
		"begins another":   {"\x1b[", "A", "\x1b[A"},
		"of two keys":      {"\x1b[A\x1b", "", "\x1b[A\x1b[27u"},
		"no Escape at all": {"x", "", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer from.Close()
			if _, err := to.WriteString(tt.first); err != nil {
				t.Fatal(err)
			}
			in := NewInput(from, func() time.Time { return time.Time{} })
			if tt.rest != "" {
				// It is there before Read looks for it.
				in.Now = func() time.Time {
					if tt.rest != "" {
						_, err = to.WriteString(tt.rest)
						tt.rest = ""
					}
					return time.Time{}
				}
			}
			var got []byte
			p := make([]byte, 256)
			for range 2 {
				n, rerr := in.Read(p)
				got = append(got, p[:n]...)
				if rerr != nil {
					break
				}
				if tt.rest == "" {
					_ = to.Close()
				}
			}
			if err != nil || string(got) != tt.want {
				t.Errorf("%q, not %q (%v)", got, tt.want, err)
			}
		})
	}
}
