package files

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/settings/environ"
)

// MaxImage is the size of the largest image that is taken, in bytes.
const MaxImage = 20 << 20

// ClipboardTime is how long the clipboard may take to answer. The program that
// owns what is on it may be slow, or hang.
const ClipboardTime = 5 * time.Second

// What keeps an image from being read from the clipboard, in words for the user.
var (
	ErrNoImage       = errors.New("there is no image on the clipboard")
	ErrFarClipboard  = errors.New("no clipboard is reached over SSH: give the path of the image")
	ErrNoClipboard   = errors.New("no desktop, no clipboard here: give the path of the image")
	ErrImageTooLarge = errors.New("the image on the clipboard is larger than 20 MB: save it smaller and give its path")
)

// ClipboardImage reads the image on the clipboard of the desktop: a PNG, JPEG,
// GIF or WebP of at most 20 MB. env is the environment of the window, in which
// the tools are looked for, and goos its system, such as "linux". It waits as long
// as ctx lets it; see ClipboardTime. Its errors are sentences that say what to do.
func ClipboardImage(ctx context.Context, env []string, goos string) ([]byte, error) {
	c := clipboard{env: env}
	data, err := c.image(ctx, goos)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the clipboard did not answer: %w", ctx.Err())
	case err != nil:
		return nil, err
	case len(data) > MaxImage:
		return nil, ErrImageTooLarge
	case len(data) == 0:
		return nil, ErrNoImage
	}
	if _, _, _, err := ImageSize(bytes.NewReader(data)); err != nil {
		return nil, fmt.Errorf("the image on the clipboard is none that can be sent (PNG, JPEG, GIF or WebP): %w", err)
	}
	return data, nil
}

// clipboard reads with the tools of an environment.
type clipboard struct{ env []string }

// image picks the tool. A desktop whose programs are shown here is near, also
// when this is a line to another machine.
func (c clipboard) image(ctx context.Context, goos string) ([]byte, error) {
	far := environ.Get(c.env, "SSH_CONNECTION") != "" || environ.Get(c.env, "SSH_TTY") != ""
	wsl := environ.Get(c.env, "WSL_DISTRO_NAME") != "" || environ.Get(c.env, "WSL_INTEROP") != ""
	switch {
	case (goos == "darwin" || goos == "windows") && far:
		return nil, ErrFarClipboard
	case goos == "darwin":
		return c.mac(ctx)
	case goos == "windows", wsl && c.find("powershell.exe") != "":
		return c.windows(ctx)
	case environ.Get(c.env, "WAYLAND_DISPLAY") != "" && c.find("wl-paste") != "":
		return c.offered(ctx, []string{"wl-paste", "--list-types"}, "wl-paste", "--no-newline", "--type")
	case environ.Get(c.env, "DISPLAY") != "" && c.find("xclip") != "":
		return c.offered(ctx, []string{"xclip", "-selection", "clipboard", "-o", "-t", "TARGETS"},
			"xclip", "-selection", "clipboard", "-o", "-t")
	case environ.Get(c.env, "WAYLAND_DISPLAY") != "":
		return nil, missing("wl-paste", "wl-clipboard")
	case environ.Get(c.env, "DISPLAY") != "":
		return nil, missing("xclip", "xclip")
	case wsl:
		return nil, errors.New("powershell.exe not on the PATH (appendWindowsPath): give the path")
	case far:
		return nil, ErrFarClipboard
	}
	return nil, ErrNoClipboard
}

func missing(tool, from string) error {
	return fmt.Errorf("%s is missing: install %s, or give the path of the image", tool, from)
}

// offered reads the best type of image that a clipboard offers, if any. The
// type is the last argument of read.
func (c clipboard) offered(ctx context.Context, list []string, read ...string) ([]byte, error) {
	types, err := c.output(ctx, maxTypes, list...)
	if err != nil {
		return nil, ErrNoImage // so do the tools end when nothing is on it
	}
	offered := strings.Fields(string(types))
	for _, mime := range []string{"image/png", "image/jpeg", "image/webp", "image/gif"} {
		if slices.Contains(offered, mime) {
			return c.output(ctx, MaxImage+1, append(read, mime)...)
		}
	}
	return nil, ErrNoImage
}

// maxTypes is how much of a list of types is read, in bytes.
const maxTypes = 64 << 10

// mac reads with pngpaste, which is fast, or with what every Mac has.
func (c clipboard) mac(ctx context.Context) ([]byte, error) {
	if c.find("pngpaste") != "" {
		data, err := c.output(ctx, MaxImage+1, "pngpaste", "-")
		if err != nil {
			return nil, ErrNoImage
		}
		return data, nil
	}
	if c.find("osascript") == "" {
		return nil, missing("osascript or pngpaste", "pngpaste")
	}
	// It answers in hexadecimal: «data PNGf89504E...».
	text, err := c.output(ctx, 2*MaxImage+64, "osascript", "-e", "the clipboard as «class PNGf»")
	if err != nil {
		return nil, ErrNoImage
	}
	_, digits, ok := strings.Cut(string(text), "PNGf")
	digits, _, closed := strings.Cut(digits, "»")
	if ok && !closed {
		return nil, ErrImageTooLarge
	}
	data, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return nil, fmt.Errorf("the clipboard's answer was not understood: %w", errors.Join(err, ErrNoImage))
	}
	return data, nil
}

// powershell prints the image of the clipboard of Windows in base64, if any.
const powershell = `Add-Type -AssemblyName System.Windows.Forms,System.Drawing; ` +
	`$image = [Windows.Forms.Clipboard]::GetImage(); if ($image -eq $null) { exit 0 }; ` +
	`$bytes = New-Object IO.MemoryStream; $image.Save($bytes, [Drawing.Imaging.ImageFormat]::Png); ` +
	`[Console]::Out.Write([Convert]::ToBase64String($bytes.ToArray()))`

// windows reads the clipboard of Windows, which may be the one that this Linux runs in.
func (c clipboard) windows(ctx context.Context) ([]byte, error) {
	most := int64(base64.StdEncoding.EncodedLen(MaxImage)) + 1
	text, err := c.output(ctx, most, "powershell.exe", "-NoProfile", "-NonInteractive", "-STA", "-Command", powershell)
	if err != nil {
		return nil, fmt.Errorf("the clipboard of Windows could not be read: %w", err)
	}
	if int64(len(text)) == most {
		return nil, ErrImageTooLarge
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("the clipboard's answer was not understood: %w", err)
	}
	return data, nil
}

// output runs a tool and returns what it writes, up to a number of bytes.
func (c clipboard) output(ctx context.Context, most int64, argv ...string) ([]byte, error) {
	tool := c.find(argv[0])
	if tool == "" {
		return nil, fmt.Errorf("%s is not installed", argv[0])
	}
	cmd := exec.CommandContext(ctx, tool, argv[1:]...)
	cmd.Env, cmd.WaitDelay = c.env, time.Second
	data, err := output(ctx, cmd, most)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", argv[0], err)
	}
	return data, nil
}

// find is where a tool is; "" if nowhere. A folder that is not absolute is not
// looked at: it is another one wherever the window was started.
func (c clipboard) find(tool string) string {
	for _, dir := range filepath.SplitList(environ.Get(c.env, "PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, tool)); err == nil && filepath.IsAbs(dir) {
			return path
		}
	}
	return ""
}
