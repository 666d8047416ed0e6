package handover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/settings/environ"
)

// File is a text for the user's editor.
type File struct {
	Name     string // for its extension
	Text     string
	ReadOnly bool
}

// Edit shows a file in the user's editor and returns what was saved; EditedText is
// what of it is meant. The terminal is given away by lend, and only if there is an
// editor to give it to. No other user can read the file while it exists.
func (t TTY) Edit(ctx context.Context, f File, lend func(run func() error) error) (saved string, err error) {
	command, err := FindEditor(t.Env)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(environ.Get(t.Env, "TMPDIR"), "parley-edit-")
	if err != nil {
		return "", fmt.Errorf("make a place for the file: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	mode := os.FileMode(0o600)
	if f.ReadOnly {
		mode = 0o400
	}
	file := filepath.Join(dir, fileName(f.Name))
	if err := os.WriteFile(file, []byte(f.Text), mode); err != nil {
		return "", fmt.Errorf("write the file: %w", err)
	}
	err = lend(func() error {
		if waitFlagsOf(command) != nil {
			_, _ = fmt.Fprintf(t.Out, "Waiting for %s to close the text; ctrl+c gives up.", filepath.Base(command[0]))
			defer func() { _, _ = io.WriteString(t.Out, "\r"+ansi.EraseEntireLine) }()
		}
		if err := t.Run(ctx, append(command, file)); err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read what was saved: %w", err)
		}
		saved = string(text)
		return nil
	})
	return saved, err
}

// FindEditor returns the command line of the user's editor in an environment, with the
// whole path of its program.
func FindEditor(env []string) ([]string, error) {
	words, from, err := editorCommand(func(name string) string { return environ.Get(env, name) })
	if err != nil {
		return nil, err
	}
	if from != "" {
		program, err := exec.LookPath(words[0])
		if err != nil {
			return nil, fmt.Errorf("%s names the editor %q, which was not found", from, words[0])
		}
		return append([]string{program}, words[1:]...), nil
	}
	for _, name := range usualEditors {
		if program, err := exec.LookPath(name); err == nil {
			return []string{program}, nil
		}
	}
	return nil, errors.New("no variable names an editor, and none of the usual ones is installed")
}

// EditedText is what a user meant who saved a text in an editor: the text of the file
// without what editors add to files by themselves. That is the line end after the last
// line, a byte order mark, and line ends of another kind than the text had.
func EditedText(before, after string) string {
	const mark = "\ufeff"
	if !strings.HasPrefix(before, mark) {
		after = strings.TrimPrefix(after, mark)
	}
	if !strings.Contains(before, "\r\n") {
		after = strings.ReplaceAll(after, "\r\n", "\n")
	}
	if !strings.HasSuffix(before, "\n") {
		after = strings.TrimSuffix(strings.TrimSuffix(after, "\n"), "\r")
	}
	return after
}

// longestfileName bounds what is taken of a name.
const longestfileName = 60

// fileName is a name for the file in the editor: its last part, as far as no
// shell and no editor makes anything else of it.
func fileName(name string) string {
	keep := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}
	name = strings.TrimLeft(strings.Map(keep, filepath.Base(name)), "._-")
	name = name[max(0, len(name)-longestfileName):]
	return cmp.Or(strings.TrimLeft(name, "._-"), "text.txt")
}

// editorCommand is the command line of the user's editor, without the file, and where
// it was found: in the first variable that is set, in the order that the Copilot CLI
// has. env returns the value of a variable. If none is set, there are no words.
func editorCommand(env func(name string) string) (words []string, from string, err error) {
	for _, from := range []string{"COPILOT_EDITOR", "VISUAL", "EDITOR"} {
		if strings.TrimSpace(env(from)) == "" {
			continue
		}
		words, err := environ.ShellWords(env(from))
		if err != nil {
			return nil, from, fmt.Errorf("read %s: %w", from, err)
		}
		return waiting(words), from, nil
	}
	return nil, "", nil
}

// waitFlags are the options that keep an editor with a window of its own from
// returning at once, by its name; any of them does.
var waitFlags = map[string][]string{
	"code": {"--wait", "-w"}, "code-insiders": {"--wait", "-w"}, "codium": {"--wait", "-w"}, "vscodium": {"--wait", "-w"},
	"cursor": {"--wait", "-w"}, "windsurf": {"--wait", "-w"}, "positron": {"--wait", "-w"},
	"zed": {"--wait", "-w"}, "zeditor": {"--wait", "-w"}, "subl": {"--wait", "-w"}, "sublime_text": {"--wait", "-w"},
	"atom": {"--wait", "-w"}, "pulsar": {"--wait", "-w"}, "mate": {"--wait", "-w"}, "bbedit": {"--wait", "-w"}, "nova": {"--wait", "-w"},
	"idea": {"--wait"}, "goland": {"--wait"}, "pycharm": {"--wait"}, "webstorm": {"--wait"}, "clion": {"--wait"}, "rustrover": {"--wait"},
	"gedit": {"--wait", "-w"}, "xed": {"--wait", "-w"}, "pluma": {"--wait", "-w"}, "kate": {"--block", "-b"},
	"gvim": {"--nofork", "-f"}, "mvim": {"--nofork", "-f"}, "open": {"-W"},
}

// waitFlagsOf are those of the editor of a command line; nil for one without a window
// of its own.
func waitFlagsOf(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	return waitFlags[editorName(words)]
}

// editorName is the name of the program of a command line.
func editorName(words []string) string {
	name := filepath.Base(words[0])
	switch ending := strings.ToLower(filepath.Ext(name)); ending {
	case ".exe", ".cmd", ".bat": // of programs on Windows, where the case of a name does not count
		return strings.ToLower(name[:len(name)-len(ending)])
	}
	return name
}

// waiting adds the option that lets an editor wait until the file is closed.
func waiting(words []string) []string {
	flags := waitFlagsOf(words)
	if flags == nil || slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(flags, w) }) {
		return words
	}
	return slices.Insert(slices.Clone(words), 1, flags[0])
}
