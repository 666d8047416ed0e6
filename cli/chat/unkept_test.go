package chat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnkept: why nothing is kept is said with what is lost and what to do.
func TestUnkept(t *testing.T) {
	t.Parallel()
	home, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	blocked := t.TempDir()
	for _, path := range []string{file, filepath.Join(blocked, ".local")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		home string
		env  []string
		want []string // none: all is kept
	}{
		{home, nil, nil},
		{"", []string{"XDG_STATE_HOME=" + home}, nil},
		{file, []string{"XDG_STATE_HOME=" + home}, nil},
		{"", nil, []string{"HOME is not set", "drafts, the history of prompts and changes of settings are not kept", "Set HOME"}},
		{file, nil, []string{file + "/.local/state/parley (not a directory): drafts, the history of prompts and changes of settings are not kept"}},
		{blocked, nil, []string{"(not a directory): drafts and the history of prompts are not kept", "XDG_STATE_HOME"}},
	} {
		got := unkept(c.env, c.home)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s, %v: %q, want %q in it", c.home, c.env, got, want)
			}
		}
		if c.want == nil && got != "" {
			t.Errorf("%s, %v: %q", c.home, c.env, got)
		}
	}
}
