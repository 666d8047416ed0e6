package terminal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"parley/theme"
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
		if dark != c.dark || known != c.known || e.HidesBackground() != c.hidden || (theme.Dark(e.Glyphs()...).Glyph(theme.MarkChosen) == "❯") != c.full {
			t.Errorf("%v: dark %v, known %v, hidden %v, %d options", c.env, dark, known, e.HidesBackground(), len(e.Glyphs()))
		}
	}
}

// A terminal never gets colours that its name, or a variable, does not promise; italics
// only where they are not shown as something else; and Escape goes before the mouse.
func TestCapabilitiesByName(t *testing.T) {
	t.Parallel()
	const none, few, many, all = colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor
	for _, c := range []struct {
		env     string
		colours colorprofile.Profile
		upright bool
		holds   bool
	}{
		{"TERM=xterm", few, false, false},
		{"TERM=xterm COLORTERM=truecolor", all, false, false},
		{"TERM=xterm-16color", few, false, false},
		{"TERM=xterm-256color", many, false, false},
		{"TERM=xterm-256color NO_COLOR=1", none, false, false},
		{"TERM=xterm-kitty", all, false, false},
		{"TERM=xterm-mono", none, true, false},
		{"TERM=linux", few, true, false},
		{"TERM=linux-m", none, true, false},
		{"TERM=vt100", none, true, false},
		{"TERM=vt220 COLORTERM=truecolor", none, true, false},
		{"TERM=vt100 CLICOLOR_FORCE=1", few, true, false},
		{"TERM=vte-256color", many, false, false},
		{"TERM=screen", many, true, true},
		{"TERM=screen.xterm-kitty STY=1", many, true, true},
		{"TERM=screen-256color COLORTERM=truecolor TMUX=/tmp/1", many, true, false},
		{"TERM=tmux-256color TMUX=/tmp/1", many, false, false},
	} {
		e := Environment{Vars: strings.Fields(c.env)}
		th := theme.Dark(e.Glyphs()...)
		emphasis, comment := th.Style(theme.Emphasis), th.Style(theme.SyntaxComment)
		upright := !emphasis.GetItalic() && emphasis.GetUnderline() && !comment.GetItalic()
		if e.Colours() != c.colours || upright != c.upright || e.HoldsEscape("") != c.holds || e.HoldsEscape("tmux 3.3a") {
			t.Errorf("%s: %v, upright %v, holds Escape %v", c.env, e.Colours(), upright, e.HoldsEscape(""))
		}
		if e.ErasesToOwn() != c.holds { // GNU screen does both
			t.Errorf("%s: erases to its own background: %v", c.env, e.ErasesToOwn())
		}
	}
}

// TestReflow: what a terminal does to lines is known by its name, and its version once it has said that.
func TestReflow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env, version string
		want         Reflow
	}{
		{"TERM=xterm-256color", "", ReflowLines},
		{"TERM=xterm-256color", "XTerm(379)", NoReflow},
		{"TERM=xterm-256color", "xterm.js(5.5.0)", ReflowAround},
		{"TERM_PROGRAM=vscode", "", ReflowAround},
		{"TERM=xterm-kitty", "", ReflowLow},
		{"TERM=xterm-kitty", "kitty(0.26.5)", ReflowLow},
		{"TERM=xterm-kitty", "kitty(0.41.1)", ReflowLines},
		{"TERM=tmux-256color", "tmux 3.3a", ReflowAll},
		{"TERM=screen", "", NoReflow},
		{"TERM=linux", "", NoReflow},
	} {
		if got := (Environment{Vars: []string{tt.env}}).Reflow(tt.version); got != tt.want {
			t.Errorf("%s, %q: %q instead of %q", tt.env, tt.version, got, tt.want)
		}
	}
}
