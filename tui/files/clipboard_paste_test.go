package files

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
)

// tools makes programs in a folder of their own and returns an environment that
// has them on its PATH, together with vars. A script finds the image in $IMAGE.
func tools(t *testing.T, image []byte, scripts map[string]string, vars ...string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		sessiontest.Program(t, filepath.Join(dir, name), "#!/bin/sh\nPATH=/bin:/usr/bin\n"+script)
	}
	file := filepath.Join(dir, "image")
	if err := os.WriteFile(file, image, 0o600); err != nil {
		t.Fatal(err)
	}
	return append([]string{"PATH=relative:" + dir, "IMAGE=" + file}, vars...)
}

// The tools as they are called.
const (
	wlPaste = `case "$*" in
"--list-types") echo text/html; echo image/png ;;
"--no-newline --type image/png") cat "$IMAGE" ;;
*) exit 9 ;;
esac`
	xclip = `case "$*" in
"-selection clipboard -o -t TARGETS") echo TIMESTAMP; echo image/jpeg; echo image/png ;;
"-selection clipboard -o -t image/png") cat "$IMAGE" ;;
*) exit 9 ;;
esac`
	xclipText = `case "$*" in
*TARGETS) echo UTF8_STRING ;;
*) exit 9 ;;
esac`
)

func TestClipboardImage(t *testing.T) {
	t.Parallel()
	shot := encoded(t, "png", 80, 60)
	cat := `cat "$IMAGE"`
	for _, c := range []struct {
		name    string
		goos    string
		image   []byte // what the tool writes; "" is shot
		scripts map[string]string
		vars    []string
		want    string // of the error; "" is the image
	}{
		{"Wayland", "linux", nil, map[string]string{"wl-paste": wlPaste, "xclip": "exit 9"}, []string{"WAYLAND_DISPLAY=w", "DISPLAY=:0"}, ""},
		{"X11", "linux", nil, map[string]string{"xclip": xclip}, []string{"DISPLAY=:0"}, ""},
		{"X11 where Wayland is too", "linux", nil, map[string]string{"xclip": xclip}, []string{"WAYLAND_DISPLAY=w", "DISPLAY=:0"}, ""},
		{"X11 over SSH", "linux", nil, map[string]string{"xclip": xclip}, []string{"DISPLAY=:10", "SSH_CONNECTION=c"}, ""},
		{"text on it", "linux", nil, map[string]string{"xclip": xclipText}, []string{"DISPLAY=:0"}, ErrNoImage.Error()},
		{"nothing on it", "linux", nil, map[string]string{"wl-paste": "exit 1"}, []string{"WAYLAND_DISPLAY=w"}, ErrNoImage.Error()},
		{"no image after all", "linux", []byte("no image, whatever was said"), map[string]string{"xclip": xclip}, []string{"DISPLAY=:0"}, "none that can be sent"},
		{"an image of no bytes", "linux", []byte{}, map[string]string{"xclip": xclip}, []string{"DISPLAY=:0"}, ErrNoImage.Error()},
		{"too large", "linux", append(shot, make([]byte, MaxImage)...), map[string]string{"xclip": xclip}, []string{"DISPLAY=:0"}, ErrImageTooLarge.Error()},
		{"the tool fails", "linux", nil, map[string]string{"xclip": "case \"$*\" in *TARGETS) echo image/png ;; *) exit 3 ;; esac"}, []string{"DISPLAY=:0"}, "run xclip: exit status 3"},
		{"no tool, Wayland", "linux", nil, nil, []string{"WAYLAND_DISPLAY=w"}, "install wl-clipboard"},
		{"no tool, X11", "linux", nil, nil, []string{"DISPLAY=:0"}, "install xclip"},
		{"over SSH", "linux", nil, map[string]string{"xclip": xclip}, []string{"SSH_TTY=/dev/pts/1"}, "over SSH: give the path"},
		{"no desktop", "linux", nil, nil, nil, ErrNoClipboard.Error()},
		{"Windows itself", "windows", nil, map[string]string{"powershell.exe": `base64 "$IMAGE"`}, nil, ""},
		{"Windows itself over SSH", "windows", nil, map[string]string{"powershell.exe": `base64 "$IMAGE"`}, []string{"SSH_CONNECTION=c"}, "over SSH"},
		{"Windows", "linux", nil, map[string]string{"powershell.exe": `base64 "$IMAGE"`}, []string{"WSL_DISTRO_NAME=d", "DISPLAY=:0"}, ""},
		{"Windows, nothing on it", "linux", []byte{}, map[string]string{"powershell.exe": "exit 0"}, []string{"WSL_INTEROP=i"}, ErrNoImage.Error()},
		{"Windows fails", "linux", nil, map[string]string{"powershell.exe": "exit 1"}, []string{"WSL_INTEROP=i"}, "could not be read"},
		{"Windows says something else", "linux", nil, map[string]string{"powershell.exe": "echo '(-: hello'"}, []string{"WSL_INTEROP=i"}, "not understood"},
		{"Windows cannot be reached", "linux", nil, nil, []string{"WSL_INTEROP=i"}, "appendWindowsPath"},
		{"Mac with pngpaste", "darwin", nil, map[string]string{"pngpaste": cat, "osascript": "exit 9"}, nil, ""},
		{"Mac with pngpaste, nothing on it", "darwin", nil, map[string]string{"pngpaste": "exit 1"}, nil, ErrNoImage.Error()},
		{"Mac", "darwin", nil, map[string]string{"osascript": "printf '«data PNGf%s»\\n' " + strings.ToUpper(hex.EncodeToString(shot))}, nil, ""},
		{"Mac, nothing on it", "darwin", nil, map[string]string{"osascript": "exit 1"}, nil, ErrNoImage.Error()},
		{"Mac says something else", "darwin", nil, map[string]string{"osascript": "echo hello"}, nil, "not understood"},
		{"Mac, too large", "darwin", nil, map[string]string{"osascript": "printf '«data PNGf00'"}, nil, ErrImageTooLarge.Error()},
		{"Mac without tools", "darwin", nil, nil, nil, "osascript"},
		{"Mac over SSH", "darwin", nil, map[string]string{"pngpaste": cat}, []string{"SSH_CONNECTION=c"}, "over SSH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if len(c.scripts) > 0 {
				sessiontest.UnixOnly(t, "a POSIX shell")
			}
			if c.image == nil {
				c.image = shot
			}
			data, err := ClipboardImage(t.Context(), tools(t, c.image, c.scripts, c.vars...), c.goos)
			switch {
			case c.want == "" && (err != nil || !bytes.Equal(data, shot)):
				t.Errorf("%d bytes, %v", len(data), err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestClipboardThatHangs(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a POSIX shell")
	ctx, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	env := tools(t, nil, map[string]string{"xclip": "sleep 9 & wait"}, "DISPLAY=:0") // the sleep keeps the pipe open
	if _, err := ClipboardImage(ctx, env, "linux"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestClipboardToolFromHere keeps a program that lies in the folder of the
// window from being run.
func TestClipboardToolFromHere(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "xclip=#!/bin/sh\ntouch ran\n")
	if err := os.Chmod("xclip", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", ".", ":", "./"} {
		if _, err := ClipboardImage(t.Context(), []string{"PATH=" + path, "DISPLAY=:0"}, "linux"); err == nil {
			t.Errorf("PATH %q: no error", path)
		}
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("it was run")
	}
}

// TestPowershellScript: WSL joins arguments with spaces and quotes, and a double
// quote or a line break in one of them would end it.
func TestPowershellScript(t *testing.T) {
	t.Parallel()
	if strings.ContainsAny(powershell, "\"\n") {
		t.Errorf("the script is not one argument: %s", powershell)
	}
}
