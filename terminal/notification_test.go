package terminal

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestChannel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		wish Channel
		env  []string
		want Channel
	}{
		{"nothing known", AutoChannel, []string{"TERM=xterm-256color"}, Bell},
		{"no wish is auto", "", []string{"TERM=xterm-kitty"}, OSC99},
		{"no environment", AutoChannel, nil, Bell},
		{"kitty", AutoChannel, []string{"KITTY_WINDOW_ID=1", "TERM=xterm-256color"}, OSC99},
		{"ghostty", AutoChannel, []string{"TERM_PROGRAM=ghostty"}, OSC777},
		{"ghostty afar", AutoChannel, []string{"TERM=xterm-ghostty"}, OSC777},
		{"wezterm", AutoChannel, []string{"TERM_PROGRAM=WezTerm"}, OSC777},
		{"warp", AutoChannel, []string{"TERM_PROGRAM=WarpTerminal"}, OSC777},
		{"foot", AutoChannel, []string{"TERM=foot-direct"}, OSC777},
		{"iterm", AutoChannel, []string{"TERM_PROGRAM=iTerm.app"}, OSC9},
		{"iterm afar", AutoChannel, []string{"LC_TERMINAL=iTerm2", "TERM=xterm-256color"}, OSC9},
		{"vs code", AutoChannel, []string{"TERM_PROGRAM=vscode"}, Bell},
		{"windows terminal", AutoChannel, []string{"WT_SESSION=1"}, Bell},
		{"tmux in kitty", AutoChannel, []string{"KITTY_WINDOW_ID=1", "TMUX=/tmp/t,1,0"}, Bell},
		{"screen in iterm", AutoChannel, []string{"TERM=screen-256color", "LC_TERMINAL=iTerm2"}, Bell},
		{"zellij", AutoChannel, []string{"ZELLIJ=0", "TERM_PROGRAM=ghostty"}, Bell},
		{"the wish counts", OSC9, []string{"KITTY_WINDOW_ID=1"}, OSC9},
		{"the wish counts in tmux", OSC777, []string{"TMUX=1"}, OSC777},
		{"off", NoChannel, []string{"KITTY_WINDOW_ID=1"}, NoChannel},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := (Environment{Vars: c.env}).Channel(c.wish); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNotification(t *testing.T) {
	t.Parallel()
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for _, c := range []struct {
		name                 string
		channel              Channel
		through, title, text string
		want                 string
	}{
		{"off", NoChannel, "", "t", "x", ""},
		{"bell", Bell, "", "t", "x", "\a"},
		{"bell in tmux", Bell, "tmux", "t", "x", "\a"},
		{"osc9", OSC9, "", "parley: a", "wants to run ls", "\x1b]9;parley: a: wants to run ls\a"},
		{"osc777", OSC777, "", "parley: a;b", "x;y", "\x1b]777;notify;parley: a,b;x;y\a"},
		{
			"osc99", OSC99, "", "parley: ü", "x",
			"\x1b]99;i=parley-s-1:d=0:e=1:o=unfocused;" + b64("parley: ü") + "\a\x1b]99;i=parley-s-1:d=1:e=1:p=body:o=unfocused;" + b64("x") + "\a",
		},
		{"through tmux", OSC9, "tmux", "t", "x", "\x1bPtmux;\x1b\x1b]9;t: x\a\x1b\\"},
		{"through screen", OSC9, "screen", "t", "x", "\x1bP\x1b]9;t: x\a\x1b\\"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Notification(c.channel, c.through, "s:1", c.title, c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What an agent says ends no sequence and begins none, and is short.
func TestNotificationIsSafe(t *testing.T) {
	t.Parallel()
	for _, hostile := range []string{
		"\a\x1b]0;owned\a", "x\x1b\\\x1b]52;c;cm0gLXJm\a", "\u009d52;c;x\u009c", "a\nb\r\tc", "\x00\x7f\x9b\xff", "\u202eevil\u2066",
		strings.Repeat("long ", 5000), "\x1bPtmux;\x1b\x1b]9;x\a\x1b\\",
	} {
		for channel, ends := range map[Channel]int{OSC9: 1, OSC777: 1, OSC99: 2} {
			got := Notification(channel, "", hostile, "parley: "+hostile, hostile)
			if strings.Count(got, "\x1b") != ends || strings.Count(got, "\a") != ends || !strings.HasSuffix(got, "\a") {
				t.Errorf("%s of %.20q: %.300q", channel, hostile, got)
			}
			if strings.ContainsAny(got, "\x00\x7f\n\r\u009b\u009c\u009d") || len(got) > 1200 {
				t.Errorf("%s of %.20q: %.300q", channel, hostile, got)
			}
		}
	}
}
