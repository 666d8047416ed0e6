package composer

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// EditedText is what the user meant who saved a text in an editor: the text of the file without what editors put
// into files by themselves. That is the line end after the last line, a byte
// order mark, and line ends of another kind than the text had.
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

// longestFileName bounds what is taken of a name.
const longestFileName = 60

// FileName is a name for the file in the editor: its last part, as far as no
// shell and no editor makes anything else of it.
func FileName(name string) string {
	keep := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}
	name = strings.TrimLeft(strings.Map(keep, path.Base(name)), "._-")
	name = name[max(0, len(name)-longestFileName):]
	return cmp.Or(strings.TrimLeft(name, "._-"), "text.txt")
}

// UsualEditors are tried if no variable names one.
var UsualEditors = []string{"nano", "vim", "vi"}

// EditorCommand is the command line of the user's editor, without the file, and where
// it was found: in the first variable that is set, in the order that the Copilot CLI
// has. env returns the value of a variable. No words at all leave the choice to
// UsualEditors.
func EditorCommand(env func(name string) string) (words []string, from string, err error) {
	for _, from := range []string{"COPILOT_EDITOR", "VISUAL", "EDITOR"} {
		if strings.TrimSpace(env(from)) == "" {
			continue
		}
		words, err := shellWords(env(from))
		if err != nil {
			return nil, from, fmt.Errorf("read %s: %w", from, err)
		}
		return waiting(words), from, nil
	}
	return nil, "", nil
}

// shellWords splits a text as a shell does (POSIX, 2.2 Quoting), but expands nothing.
func shellWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord := byte(0), false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(text) && (quote == 0 || strings.IndexByte("\"\\$`", text[i+1]) >= 0):
			i++
			word.WriteByte(text[i])
			inWord = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, inWord = c, true
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c in %q is not closed", quote, text)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
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

// Windowed reports whether a command line is that of an editor with a window of
// its own.
func Windowed(words []string) bool {
	return len(words) > 0 && waitFlags[strings.TrimSuffix(path.Base(words[0]), ".exe")] != nil
}

// waiting adds the option that lets an editor wait until the file is closed.
func waiting(words []string) []string {
	if !Windowed(words) {
		return words
	}
	flags := waitFlags[strings.TrimSuffix(path.Base(words[0]), ".exe")]
	if slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(flags, w) }) {
		return words
	}
	return slices.Insert(slices.Clone(words), 1, flags[0])
}
