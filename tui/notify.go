package tui

import (
	"cmp"
	"encoding/base64"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/render"
	"parley/session"
)

// Channel is a way in which a terminal tells the user something while they
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

// told is what the user was told since they looked at the window last.
type told struct {
	needed  bool      // that a question waits
	trouble string    // the last error of the running turn: not told yet
	sent    bool      // the running turn is about a prompt of this window
	began   time.Time // when the running turn began; zero: none runs
}

// follow takes an event of the root agent. An error that another call of the
// model comes after has not stopped it.
func (t *told) follow(ev session.Event, now time.Time) {
	switch b := ev.Body.(type) {
	case session.SessionError:
		if b.ErrorType != "notification" {
			t.trouble = cmp.Or(line(b.Message), "an error")
		}
	case session.AssistantTurnStart:
		t.trouble = ""
		if t.began.IsZero() {
			t.began = now
			if !ev.Time.IsZero() {
				t.began = ev.Time
			}
		}
	}
}

// channel is the one for a wish in this environment. A terminal inside another
// program, such as tmux, is not known: whatever it is, it has a bell, and tmux
// passes others on only where it was told to.
func (c Config) channel(wish Channel) Channel {
	if wish != AutoChannel && wish != "" {
		return wish
	}
	name, program := c.env("TERM"), c.env("TERM_PROGRAM")
	switch {
	case c.multiplexer() != "":
		return Bell
	case c.env("KITTY_WINDOW_ID") != "" || name == "xterm-kitty":
		return OSC99
	case program == "ghostty" || program == "WezTerm" || program == "WarpTerminal",
		name == "xterm-ghostty" || name == "wezterm" || name == "foot" || strings.HasPrefix(name, "foot-"):
		return OSC777
	case program == "iTerm.app" || c.env("LC_TERMINAL") == "iTerm2":
		return OSC9
	}
	return Bell
}

// multiplexer is the program between the window and the terminal: tmux, screen,
// zellij, or "" for none.
func (c Config) multiplexer() string {
	name := c.env("TERM")
	switch {
	case c.env("TMUX") != "" || strings.HasPrefix(name, "tmux"):
		return "tmux"
	case c.env("ZELLIJ") != "":
		return "zellij"
	case c.env("STY") != "" || strings.HasPrefix(name, "screen"):
		return "screen"
	}
	return ""
}

const (
	// A notification is short: it lies over what the user does now.
	noticeTitle, noticeText = 40, 100
	// screenChunk is how much of a sequence GNU screen passes on at a time.
	screenChunk = 512
)

// notification is what a terminal is sent for title and text, which may hold
// anything; id is the same for all of one session. It is "" for no channel.
func notification(c Channel, through, id, title, text string) string {
	title, text = noticeLine(title, noticeTitle), noticeLine(text, noticeText)
	sequence := ""
	switch c {
	case Bell:
		return bell // a multiplexer has its own
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
	s = render.Truncate(strings.Join(strings.Fields(render.SanitizeLine(line(s))), " "), width, "...")
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

// notify tells the user something, if they look elsewhere as far as the terminal
// tells, or another program has the terminal. There the bell rings too: a
// terminal whose window has the focus may show no notification. It never answers
// anything.
func (m *Model) notify(wish, text string) tea.Cmd {
	if m.focused {
		return nil
	}
	title := "parley: " + cmp.Or(m.timeline.Status().Title, base(m.info.Dir), m.info.Agent)
	sequence := notification(m.config.channel(Channel(wish)), m.config.multiplexer(), string(m.info.ID), title, text)
	if sequence == "" {
		return nil
	}
	if m.away {
		ring := m.ring
		return func() tea.Msg {
			ring(strings.TrimPrefix(sequence, bell) + bell)
			return nil
		}
	}
	return tea.Raw(sequence)
}

// bell is the character that rings it.
const bell = "\a"

// needsYou tells of a question whose card has opened. While one that was told of
// waits, the others are no news.
func (m *Model) needsYou(ask session.Ask) tea.Cmd {
	if m.focused || m.told.needed {
		return nil
	}
	m.told.needed = true
	return m.notify(m.config.Settings.Notify.NeedsYou, wish(ask))
}

// wish is what the agent wants, in a few words.
func wish(ask session.Ask) string {
	what := topic(ask)
	switch a := ask.(type) {
	case session.PermissionRequested:
		switch a.PermissionRequest.Kind {
		case "shell":
			return "wants to run " + what
		case "write":
			return "wants to change " + what
		case "read":
			return "wants to read " + what
		case "url":
			return "wants to open " + what
		}
		return "wants to use " + what
	case session.UserInputRequested, session.ElicitationRequested:
		return "asks: " + what
	case session.ExitPlanModeRequested:
		return "has a plan for you"
	case session.FolderTrustRequested:
		return "asks for " + what
	case session.ConfirmationRequested:
		return "asks before it acts: " + what
	case session.McpOAuthRequired:
		return "needs you for " + what
	}
	return "needs an answer"
}

// turnOver follows the end of a turn: was and since are whether one ran before
// the events that came just now, and from when on; these may be all of one. A short
// one is no news, unless something in the background began it. Nor is one that the
// user stopped, and none is over while sub-agents go on or prompts wait.
func (m *Model) turnOver(was bool, since time.Time, stopped bool) tea.Cmd {
	s := m.timeline.Status()
	if m.questions.Len() == 0 {
		m.told.needed = false
	}
	began := m.told.began
	if s.Busy || !was && began.IsZero() {
		return nil
	}
	if m.told.began = (time.Time{}); !was {
		since = began
	}
	if len(m.pending) > 0 {
		return nil // the next turn begins
	}
	trouble, sent := m.told.trouble, m.told.sent
	m.told.trouble, m.told.sent = "", false
	took := m.now.Sub(since)
	m.news = m.news || m.behind()
	switch {
	case stopped || m.questions.Len() > 0 || s.Agents > 0:
		return nil
	case trouble != "":
		return m.notify(m.config.Settings.Notify.Error, "stopped: "+trouble)
	case sent && took < time.Duration(m.config.Settings.Notify.After)*time.Second:
		return nil
	}
	return m.notify(m.config.Settings.Notify.Done, "is done after "+render.Duration(took))
}

// lostTold takes the end of a session, and tells of one that nobody wanted.
func (m *Model) lostTold(msg endedMsg) tea.Cmd {
	before := m.lost
	m.lose(msg)
	if before || !m.lost {
		return nil
	}
	return m.notify(m.config.Settings.Notify.Error, "the session has ended")
}
