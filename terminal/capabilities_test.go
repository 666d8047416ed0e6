package terminal

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"parley/settings"
)

func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env     []string
		heard   Heard
		program string
		notices Channel
		mux     string
		links   bool
		image   Known
	}{
		{nil, Heard{}, "", Bell, "", false, No},
		{[]string{"TERM=xterm-kitty", "COLORTERM=truecolor"}, Heard{Version: "kitty(0.42.1)"}, "kitty(0.42.1)", OSC99, "", true, Yes},
		{[]string{"TERM=xterm-kitty", "COLORTERM=truecolor"}, Heard{Version: "kitty(0.20.0)"}, "kitty(0.20.0)", OSC99, "", true, No},
		{[]string{"TERM=xterm-kitty", "COLORTERM=truecolor", "KITTY_WINDOW_ID=1"}, Heard{}, "kitty", OSC99, "", true, Unknown},
		{[]string{"TERM=xterm-kitty", "COLORTERM=truecolor"}, Heard{Unanswered: true}, "", OSC99, "", true, No},
		{[]string{"TERM=xterm-256color", "TERM_PROGRAM=WezTerm", "TERM_PROGRAM_VERSION=20250101"}, Heard{}, "WezTerm 20250101", OSC777, "", true, No},
		{[]string{"TERM=tmux-256color", "TMUX=/tmp/x", "SSH_TTY=/dev/pts/1"}, Heard{}, "", Bell, "tmux", false, No},
		{[]string{"TERM=xterm-256color", "VTE_VERSION=7900"}, Heard{}, "VTE 7900", Bell, "", true, No},
		{[]string{"TERM=xterm-256color", "WT_SESSION=x"}, Heard{}, "Windows Terminal", Bell, "", true, No},
	} {
		got := Environment{Vars: c.env, Prefer: settings.Defaults().Terminal}.Describe(c.heard, 80, 24)
		if got.Program != c.program || got.Notices != c.notices || got.Multiplexer != c.mux || got.Links != c.links ||
			got.Images != c.image {
			t.Errorf("%q, %+v: %+v", c.env, c.heard, got)
		}
		if got.Far != (c.mux == "tmux") || got.Clipboard == Yes && (c.mux != "" || !c.links) || got.Width != 80 {
			t.Errorf("%q: %+v", c.env, got)
		}
	}
	plain := Environment{Vars: []string{"TERM=xterm-256color", "LANG=C.ISO-8859-1", "NO_COLOR=1"}}.Describe(Heard{}, 80, 24)
	if plain.Unicode || !plain.NoColour || plain.Colours > colorprofile.ASCII {
		t.Errorf("without colours and letters: %+v", plain)
	}
}
