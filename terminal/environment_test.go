package terminal

import (
	"fmt"
	"testing"
)

// Where there is no screen to show a browser on, none is started.
func TestBrowser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		system string
		env    []string
		want   string
	}{
		{"linux", nil, "[]"},
		{"linux", []string{"DISPLAY=:0", "SSH_TTY=/dev/pts/1"}, "[xdg-open u]"},
		{"freebsd", []string{"DISPLAY=:0"}, "[xdg-open u]"},
		{"darwin", nil, "[open u]"},
		{"darwin", []string{"SSH_CONNECTION=a"}, "[]"},
		{"windows", nil, "[rundll32 url.dll,FileProtocolHandler u]"},
	} {
		if got := fmt.Sprint(Environment{Vars: c.env}.Browser(c.system, "u")); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.system, c.env, got, c.want)
		}
	}
}

// TestKnownWithoutAsking: what of a terminal is known from its variables.
func TestKnownWithoutAsking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env                       []string
		dark, known, hidden, full bool
	}{
		{[]string{"TERM=xterm-256color"}, false, false, false, true},
		{[]string{"TERM=xterm-256color", "COLORFGBG=0;15"}, false, true, false, true},
		{[]string{"TERM=linux"}, true, true, false, false},
		{[]string{"TERM=screen.linux", "COLORFGBG=0;15"}, false, true, false, false},
		{[]string{"TERM=xterm", "LANG=C.ISO-8859-1"}, false, false, false, false},
		{[]string{"TERM=tmux-256color", "TERM_PROGRAM=tmux", "TERM_PROGRAM_VERSION=3.3a"}, false, false, true, true},
		{[]string{"TERM=tmux-256color", "TERM_PROGRAM=tmux", "TERM_PROGRAM_VERSION=2.9"}, false, false, true, true},
		{[]string{"TERM=tmux-256color", "TERM_PROGRAM=tmux", "TERM_PROGRAM_VERSION=3.4"}, false, false, false, true},
		{[]string{"TERM=tmux-256color", "TERM_PROGRAM=tmux", "TERM_PROGRAM_VERSION=next-3.6"}, false, false, false, true},
		{[]string{"TERM=tmux-256color", "TERM_PROGRAM=tmux", "TERM_PROGRAM_VERSION=master"}, false, false, false, true},
		{[]string{"TERM=xterm-256color", "TERM_PROGRAM=WezTerm", "TERM_PROGRAM_VERSION=3.3"}, false, false, false, true},
	} {
		e := Environment{Vars: c.env}
		dark, known := e.Background()
		if dark != c.dark || known != c.known || e.HidesBackground() != c.hidden || (len(e.Glyphs()) == 0) != c.full {
			t.Errorf("%v: dark %v, known %v, hidden %v, %d options", c.env, dark, known, e.HidesBackground(), len(e.Glyphs()))
		}
	}
}
