package chat

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestUnkept: why nothing is kept is said with what is lost and what to do.
func TestUnkept(t *testing.T) {
	t.Parallel()
	home, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	blocked := t.TempDir()
	variable, below, in := "HOME", ".local/state/parley", "HOME"
	if runtime.GOOS == "windows" {
		variable, below, in = "USERPROFILE", "AppData/Local/parley/state", "LOCALAPPDATA"
	}
	first, _, _ := strings.Cut(below, "/")
	noFolder := "(" + strings.TrimSuffix(syscall.ENOTDIR.Error(), ".") + "): "
	for _, path := range []string{file, filepath.Join(blocked, first)} {
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
		{"", nil, []string{variable + " is not set", "drafts, the history of prompts and changes of settings are not kept", "Set " + variable}},
		{file, nil, []string{filepath.Join(file, below) + " " + noFolder + "drafts, the history of prompts and changes of settings are not kept"}},
		{blocked, nil, []string{noFolder + "drafts and the history of prompts are not kept", "set " + in + ", or XDG_STATE_HOME"}},
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
