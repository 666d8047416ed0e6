package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// edition is a text on its way through the user's own editor and back.
type edition struct {
	ctx      context.Context
	text     string
	name     string // of the file, for its extension
	readOnly bool
	env      []string
	result   string // what the user saved
	// back takes what was saved. It is called only when the editor ended well
	// and the text was to be written on.
	back func(text string) tea.Cmd
}

// returnedMsg ends an edition, or another program that had the terminal: it is
// the window's again.
type returnedMsg struct {
	at      time.Time
	edition *edition
	err     error
	then    func(err error) tea.Cmd // takes the end of another program; nil for an edition
}

// visit hands the terminal to the user's editor. Until it comes back, what is
// typed is meant for the editor.
func (m *Model) visit(e *edition) tea.Cmd {
	if m.away {
		return nil
	}
	e.ctx, e.env, e.name = m.ctx, m.config.Env, fileName(e.name)
	m.away = true
	m.front.lookAway(m.now)
	return m.edit(e)
}

// visitProgram hands the terminal to another program, as visit does to the
// editor.
func (m *Model) visitProgram(argv []string, then func(err error) tea.Cmd) tea.Cmd {
	if m.away {
		return nil
	}
	m.away = true
	m.front.lookAway(m.now)
	return m.handOver(m.ctx, argv, func(err error) tea.Msg { return returnedMsg{err: err, then: then} })
}

// retaken follows the terminal back to the window. A question that was open must
// be painted anew before it listens. What the window drew so far may have been
// before that: it draws all again.
func (m *Model) retaken(at time.Time) tea.Cmd {
	m.pictures.Gone()
	m.front.questions.Resize(at)
	m.frame.open = true                                           // the screen is cleared next: what is drawn then is this view
	return tea.Batch(tea.ClearScreen, tea.RequestBackgroundColor) // no report came if it changed meanwhile
}

// returned takes the terminal back from another program. Nothing that happened
// meanwhile answers a question.
func (m *Model) returned(msg returnedMsg) tea.Cmd {
	m.pass(msg.at)
	m.away, m.since = false, msg.at
	m.lookBack(msg.at)
	return tea.Batch(m.retaken(msg.at), m.front.brought(msg))
}

// brought takes what came of the other program.
func (c *conversation) brought(msg returnedMsg) tea.Cmd {
	if msg.then != nil {
		return msg.then(msg.err)
	}
	e := msg.edition
	if msg.err != nil {
		next := "Set EDITOR to an editor that is installed, such as EDITOR=vim."
		var failed *programError
		if errors.As(msg.err, &failed) {
			next = "Your text is unchanged."
		}
		c.fail("edit the text", msg.err, next)
		return nil
	}
	if e.readOnly {
		return nil
	}
	return e.back(saved(e.text, e.result))
}

// programError is the error of a program that had the terminal, ran and said that
// it failed.
type programError struct {
	name, how string
}

// Error implements error.
func (e *programError) Error() string { return e.name + " " + e.how }

// editDraft opens the draft in the editor.
func (m *conversation) editDraft(string) tea.Cmd {
	before := m.composer.editor.Draft()
	return m.request(editText{&edition{text: before.Prompt(), name: "prompt.md", back: func(text string) tea.Cmd {
		if text == m.composer.editor.Text() {
			return nil
		}
		if now := m.composer.editor.Draft(); now.Prompt() != before.Prompt() {
			m.keepAside(now, "replaced") // something came back meanwhile
		}
		m.composer.editor.SetDraft(before.Edited(text))
		return m.edited()
	}}})
}

// saved is what the user meant: the text of the file without what editors put
// into files by themselves. That is the line end after the last line, a byte
// order mark, and line ends of another kind than the text had.
func saved(before, after string) string {
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

// fileName is a name for the file in the editor: its last part, as far as no
// shell and no editor makes anything else of it.
func fileName(name string) string {
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

// usualEditors are tried when no variable names one.
var usualEditors = []string{"nano", "vim", "vi"}

// editorCommand is the command line of the user's editor, without the file,
// and where it was found: in the first variable that is set, in the order that
// the Copilot CLI has. No words at all leave the choice to usualEditors.
func editorCommand(c Config) (words []string, from string, err error) {
	for _, from := range []string{"COPILOT_EDITOR", "VISUAL", "EDITOR"} {
		if strings.TrimSpace(c.env(from)) == "" {
			continue
		}
		words, err := splitWords(c.env(from))
		if err != nil {
			return nil, from, fmt.Errorf("read %s: %w", from, err)
		}
		return waiting(words), from, nil
	}
	return nil, "", nil
}

// splitWords splits a command line as a shell does (POSIX, 2.2 Quoting), but
// expands nothing.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord := rune(0), false
	rest := []rune(line)
	for i := 0; i < len(rest); i++ {
		switch r := rest[i]; {
		case r == '\\' && quote != '\'' && i+1 < len(rest) && (quote == 0 || strings.ContainsRune("\"\\$`", rest[i+1])):
			i++
			word.WriteRune(rest[i])
			inWord = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && strings.ContainsRune(" \t\n", r):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c in %q is not closed", quote, line)
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

// windowed reports whether a command line is that of an editor with a window of
// its own.
func windowed(words []string) bool {
	return len(words) > 0 && waitFlags[strings.TrimSuffix(path.Base(words[0]), ".exe")] != nil
}

// waiting adds the option that lets an editor wait until the file is closed.
func waiting(words []string) []string {
	if !windowed(words) {
		return words
	}
	flags := waitFlags[strings.TrimSuffix(path.Base(words[0]), ".exe")]
	if slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(flags, w) }) {
		return words
	}
	return slices.Insert(slices.Clone(words), 1, flags[0])
}
