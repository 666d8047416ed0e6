package files

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"parley/settings/environ"
)

// CopyText puts a text on the clipboard of the desktop, or of the terminal that tmux is
// in, and returns the tool that did it; "" if there is no desktop near, or no tool of it,
// so that only the terminal can. A tool that fails gives way to the next one; the error
// says which failed if none has done it. env is the environment of the window, and goos its
// system.
func CopyText(ctx context.Context, env []string, goos, text string) (tool string, err error) {
	c := clipboard{env: env}
	var failed error
	for _, argv := range c.writers(goos) {
		if err := c.give(ctx, argv, text); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		return argv[0], nil
	}
	return "", failed
}

// give runs a tool with a text for its input.
func (c clipboard) give(ctx context.Context, argv []string, text string) error {
	ctx, cancel := context.WithTimeout(ctx, ClipboardTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.find(argv[0]), argv[1:]...)
	// The tools of X11 and Wayland stay behind to serve the text.
	cmd.Env, cmd.WaitDelay, cmd.Stdin = c.env, time.Second, strings.NewReader(text)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w", argv[0], err)
	}
	return nil
}

// Writer is the tool that CopyText would use first; "" for none.
func Writer(env []string, goos string) string {
	for _, argv := range (clipboard{env: env}).writers(goos) {
		return argv[0]
	}
	return ""
}

// setClipboard has PowerShell set the clipboard to a text in UTF-8, which clip.exe does not take.
const setClipboard = "[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard -Value ([Console]::In.ReadToEnd())"

// writers are the commands that take a text for the clipboard, the best one first. Over
// SSH the clipboard of the other machine is not used, except that of a desktop whose
// programs are shown here. tmux keeps what a program writes for the clipboard to
// itself, unless it is configured otherwise, but passes on what it is given.
func (c clipboard) writers(goos string) (all [][]string) {
	far := environ.Get(c.env, "SSH_CONNECTION") != "" || environ.Get(c.env, "SSH_TTY") != ""
	for _, w := range []struct {
		here bool
		argv []string
	}{
		{goos == "darwin" && !far, []string{"pbcopy"}},
		{goos == "windows" && !far, []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", setClipboard}},
		{environ.Get(c.env, "WSL_DISTRO_NAME") != "" && !far, []string{"clip.exe"}},
		{environ.Get(c.env, "WAYLAND_DISPLAY") != "", []string{"wl-copy"}},
		{environ.Get(c.env, "DISPLAY") != "", []string{"xclip", "-selection", "clipboard", "-i"}},
		{environ.Get(c.env, "DISPLAY") != "", []string{"xsel", "--clipboard", "--input"}},
		{environ.Get(c.env, "TMUX") != "", []string{"tmux", "load-buffer", "-w", "-"}},
	} {
		if w.here && c.find(w.argv[0]) != "" {
			all = append(all, w.argv)
		}
	}
	return all
}
