package composer

import (
	"slices"
	"strings"
	"testing"
)

// environment finds variables in an environment; the last of a name counts.
func environment(env []string) func(string) string {
	return func(name string) (value string) {
		for _, v := range env {
			if got, ok := strings.CutPrefix(v, name+"="); ok {
				value = got
			}
		}
		return value
	}
}

func TestEditorCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  []string
		from string
		want []string
	}{
		{"none", nil, "", nil},
		{"the first that is set", []string{"EDITOR=vi", "VISUAL=emacs", "COPILOT_EDITOR=nano"}, "COPILOT_EDITOR", []string{"nano"}},
		{"blank is not set", []string{"EDITOR=vi", "VISUAL= "}, "EDITOR", []string{"vi"}},
		{"the last entry counts", []string{"EDITOR=vi", "EDITOR=nano"}, "EDITOR", []string{"nano"}},
		{"arguments", []string{"EDITOR=emacs -nw  --no-splash"}, "EDITOR", []string{"emacs", "-nw", "--no-splash"}},
		{"quotes", []string{`EDITOR="/opt/My Editor/bin/ed" 'a b' c\ d "q\"\$\x" ''`}, "EDITOR", []string{"/opt/My Editor/bin/ed", "a b", "c d", `q"$\x`, ""}},
		{"a window of its own", []string{"EDITOR=code"}, "EDITOR", []string{"code", "--wait"}},
		{"that waits already", []string{"EDITOR=code -n -w"}, "EDITOR", []string{"code", "-n", "-w"}},
		{"with a path", []string{"EDITOR=/usr/local/bin/subl -n"}, "EDITOR", []string{"/usr/local/bin/subl", "--wait", "-n"}},
		{"other flags", []string{"EDITOR=gvim -f"}, "EDITOR", []string{"gvim", "-f"}},
		{"and none", []string{"EDITOR=kate"}, "EDITOR", []string{"kate", "--block"}},
	} {
		words, from, err := EditorCommand(environment(c.env))
		if err != nil || from != c.from || !slices.Equal(words, c.want) {
			t.Errorf("%s: %q from %q (%v), want %q from %q", c.name, words, from, err, c.want, c.from)
		}
	}
	if _, _, err := EditorCommand(environment([]string{"EDITOR=vi 'unclosed"})); err == nil || !strings.Contains(err.Error(), "EDITOR") {
		t.Errorf("an open quote: %v", err)
	}
}

func TestSavedText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after, want string }{
		{"", "", ""},
		{"", "\n", ""},
		{"a", "a\n", "a"},
		{"a", "a\n\n", "a\n"},
		{"a\n", "a\n", "a\n"},
		{"a\n", "a", "a"},
		{"a\nb", "a\r\nb\r\n", "a\nb"},
		{"a\r\nb", "a\r\nb\r\n", "a\r\nb"},
		{"a", "\ufeffa\n", "a"},
		{"\ufeffa", "\ufeffa", "\ufeffa"},
		{"a\xffb", "a\xffb\n", "a\xffb"},
	} {
		if got := EditedText(c.before, c.after); got != c.want {
			t.Errorf("EditedText(%q, %q) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

func TestFileName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"plan.md": "plan.md", "": "text.txt", "../../etc/passwd": "passwd", "-rf": "rf", ".vimrc": "vimrc",
		"a b;c$(d).go": "a_b_c__d_.go", "/": "text.txt", strings.Repeat("x", 100) + ".diff": strings.Repeat("x", 55) + ".diff",
	} {
		if got := FileName(name); got != want {
			t.Errorf("FileName(%q) = %q, want %q", name, got, want)
		}
	}
}
