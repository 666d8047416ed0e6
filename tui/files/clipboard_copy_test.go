package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/tui/files"
)

func TestCopyText(t *testing.T) {
	t.Parallel()
	const text = "two\nlines, \x1b[31mexactly\n"
	for _, c := range []struct {
		name, goos string
		env        []string
		tools      []string
		want       string // the tool; "" for none
	}{
		{"no desktop", "linux", nil, []string{"wl-copy", "xclip"}, ""},
		{"wayland", "linux", []string{"WAYLAND_DISPLAY=w"}, []string{"xclip", "wl-copy"}, "wl-copy"},
		{"wayland without its tool", "linux", []string{"WAYLAND_DISPLAY=w", "DISPLAY=:0"}, []string{"xclip"}, "xclip"},
		{"x11", "linux", []string{"DISPLAY=:0"}, []string{"xsel"}, "xsel"},
		{"x11 without a tool", "linux", []string{"DISPLAY=:0"}, nil, ""},
		{"mac", "darwin", nil, []string{"pbcopy"}, "pbcopy"},
		{"mac, far", "darwin", []string{"SSH_TTY=/dev/pts/1"}, []string{"pbcopy"}, ""},
		{"tmux", "linux", []string{"TMUX=/tmp/tmux-0/default,1,0", "SSH_TTY=/dev/pts/1"}, []string{"tmux"}, "tmux"},
		{"tmux on a desktop", "linux", []string{"TMUX=/tmp/tmux-0/default,1,0", "DISPLAY=:0"}, []string{"tmux", "xsel"}, "xsel"},
		{"tmux, not in it", "linux", nil, []string{"tmux"}, ""},
		{"windows itself", "windows", nil, []string{"powershell.exe"}, "powershell.exe"},
		{"windows, far", "windows", []string{"SSH_TTY=/dev/pts/1"}, []string{"powershell.exe"}, ""},
		{"windows", "linux", []string{"WSL_DISTRO_NAME=u"}, []string{"clip.exe"}, "clip.exe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.want != "" {
				sessiontest.UnixOnly(t, "a POSIX shell")
			}
			dir := t.TempDir()
			for _, tool := range c.tools {
				script := "#!/bin/sh\n[ ${0##*/} != tmux ] || [ \"$*\" = 'load-buffer -w -' ] || exit 1\n/bin/cat > " + filepath.Join(dir, "got") + "\n"
				sessiontest.Program(t, filepath.Join(dir, tool), script)
			}
			tool, err := files.CopyText(t.Context(), append(c.env, "PATH="+dir), c.goos, text)
			if err != nil || tool != c.want {
				t.Fatalf("%q, %v", tool, err)
			}
			if got, _ := os.ReadFile(filepath.Join(dir, "got")); c.want != "" && string(got) != text {
				t.Errorf("the clipboard has %q", got)
			}
		})
	}
}

func TestCopyTextFails(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a POSIX shell")
	dir := t.TempDir()
	sessiontest.Program(t, filepath.Join(dir, "wl-copy"), "#!/bin/sh\nexit 3\n")
	tool, err := files.CopyText(t.Context(), []string{"PATH=" + dir, "WAYLAND_DISPLAY=w"}, "linux", "x")
	if tool != "" || err == nil || !strings.Contains(err.Error(), "wl-copy") {
		t.Errorf("%q, %v", tool, err)
	}
	// The next one is tried: a desktop that is gone does not keep tmux from it.
	sessiontest.Program(t, filepath.Join(dir, "tmux"), "#!/bin/sh\n/bin/cat >/dev/null\n")
	tool, err = files.CopyText(t.Context(), []string{"PATH=" + dir, "WAYLAND_DISPLAY=w", "TMUX=x"}, "linux", "x")
	if tool != "tmux" || err != nil {
		t.Errorf("%q, %v", tool, err)
	}
}
