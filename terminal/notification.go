package terminal

import (
	"encoding/base64"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
)

// Channel is a way in which a terminal notifies the user while they
// look elsewhere.
type Channel string

// The channels.
const (
	AutoChannel Channel = "auto" // what the terminal is known to have; "" is the same
	NoChannel   Channel = "off"
	Bell        Channel = "bell"
	OSC9        Channel = "osc9"   // iTerm2's: one text
	OSC777      Channel = "osc777" // rxvt's: a title and a text
	OSC99       Channel = "osc99"  // kitty's: the same, and a newer one takes the place of an older
)

// Channel is the one for a wish in this environment. A terminal inside another
// program, such as tmux, is not known: whatever it is, it has a bell, and tmux
// passes others on only where it is configured to.
func (e Environment) Channel(wish Channel) Channel {
	if wish != AutoChannel && wish != "" {
		return wish
	}
	name, program := e.Get("TERM"), e.Get("TERM_PROGRAM")
	switch {
	case e.Multiplexer() != "":
		return Bell
	case e.Get("KITTY_WINDOW_ID") != "" || name == "xterm-kitty":
		return OSC99
	case program == "ghostty" || program == "WezTerm" || program == "WarpTerminal",
		name == "xterm-ghostty" || name == "wezterm" || name == "foot" || strings.HasPrefix(name, "foot-"):
		return OSC777
	case program == "iTerm.app" || e.Get("LC_TERMINAL") == "iTerm2":
		return OSC9
	}
	return Bell
}

const (
	// A notification is short: it lies over what the user does now.
	noticeTitle = 40
	// NoticeText is how long the text of a notification is, in cells.
	NoticeText = 100
	// screenChunk is how much of a sequence GNU screen passes on at a time.
	screenChunk = 512
)

// Notification is what a terminal is sent for title and text, which may hold
// anything; id is the same for all of one session. It is "" for no channel.
func Notification(c Channel, through, id, title, text string) string {
	title, text = noticeLine(title, noticeTitle), noticeLine(text, NoticeText)
	sequence := ""
	switch c {
	case Bell:
		return BellCharacter // a multiplexer has its own
	case OSC9:
		sequence = ansi.Notify(title + ": " + text)
	case OSC777:
		title = strings.ReplaceAll(title, ";", ",") // it ends at one
		sequence = "\x1b]777;notify;" + title + ";" + text + "\a"
	case OSC99:
		own := "i=" + noticeID(id)
		encoded := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
		sequence = ansi.DesktopNotification(encoded(title), own, "d=0", "e=1", "o=unfocused") +
			ansi.DesktopNotification(encoded(text), own, "d=1", "e=1", "p=body", "o=unfocused")
	case AutoChannel, NoChannel:
	}
	switch {
	case sequence == "":
	case through == "tmux":
		sequence = ansi.TmuxPassthrough(sequence)
	case through == "screen":
		sequence = ansi.ScreenPassthrough(sequence, screenChunk)
	}
	return sequence
}

// noticeLine makes a text safe inside a sequence, and short.
func noticeLine(s string, width int) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	s = text.Truncate(strings.Join(strings.Fields(text.SanitizeLine(first)), " "), width, "...")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

// noticeID is an id as the kitty protocol takes it.
func noticeID(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, "parley-"+s[:min(len(s), noticeTitle)])
}
