package conversation

import (
	"testing"

	"parley/render/text"
)

// TestSpinnerFrames: each frame is one cell, and ASCII where the terminal shows little
// else; it stands still where nothing may move.
func TestSpinnerFrames(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{{"LANG=C.UTF-8"}, {"LANG=C.ISO-8859-1"}, {"TERM=linux"}} {
		c := Config{Env: env}
		for _, f := range c.Spinner().model.Spinner.Frames {
			if text.Width(f) != 1 || len(env[0]) != len("LANG=C.UTF-8") && f[0] > 0x7e {
				t.Errorf("%v: %q", env, f)
			}
		}
	}
}
