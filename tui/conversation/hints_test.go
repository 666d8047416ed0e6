package conversation

import (
	"testing"

	"parley/render/text"
)

// TestSpinnerFrames: each frame is one cell, and ASCII where only that is shown; it
// stands still where nothing may move.
func TestSpinnerFrames(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{{"LANG=C.UTF-8"}, {"LANG=C"}} {
		c := Config{Env: env}
		for _, f := range c.Spinner().model.Spinner.Frames {
			if text.Width(f) != 1 || !c.Environment().Unicode() && f[0] > 0x7e {
				t.Errorf("%v: %q", env, f)
			}
		}
	}
}
