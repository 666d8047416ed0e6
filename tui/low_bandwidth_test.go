package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/tui/conversation"
)

// answering lets the session begin a turn.
func (sc *scenario) answering() {
	sc.say(session.Event{ID: "u", Time: sc.at, Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "t", Time: sc.at, Body: session.AssistantTurnStart{}})
}

// streams lets the session answer for a while, a hundred times a second.
func (sc *scenario) streams(d time.Duration) {
	for end := sc.at.Add(d); sc.at.Before(end); sc.wait(10 * time.Millisecond) {
		sc.say(session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: "word "}})
	}
}

// framesOf is how often something is drawn while an answer comes for ten seconds.
func (sc *scenario) framesOf() int {
	sc.wait(time.Second)
	before := sc.writes
	sc.streams(10 * time.Second)
	return int(sc.writes - before)
}

// TestLowBandwidthSetting: little is drawn where the setting says so, or leaves it to the time
// that the terminal takes to answer; also from the change of the file on. What the command line
// says holds until the line of the file is another one.
func TestLowBandwidthSetting(t *testing.T) {
	t.Parallel()
	const slow, quick = 600 * time.Millisecond, 20 * time.Millisecond
	for _, c := range []struct {
		setting, flag string
		answers       time.Duration
		low           bool
	}{
		{"auto", "", 0, false},
		{"auto", "", quick, false},
		{"auto", "", slow, true},
		{"on", "", quick, true},
		{"off", "", slow, false},
		{"off", "on", 0, true},
		{"on", "off", slow, false},
		{"off", "auto", slow, true},
	} {
		set := func(s *settings.Settings) { s.Terminal.LowBandwidth = c.setting }
		started := newScenario(t, func(config *Config) {
			config.Settings = settings.Defaults()
			set(&config.Settings)
			config.LowBandwidth = c.flag
		})
		all := map[string]*scenario{"at the start": started}
		if c.flag == "" {
			later := watching(t, func(s *settings.Settings) {
				s.Terminal.LowBandwidth = map[bool]string{true: "off", false: "on"}[c.low]
			})
			later.set(set)
			all["later"] = later.sc
		}
		for when, sc := range all {
			sc.update(conversation.RoundTripMsg(c.answers))
			sc.answering()
			if got := sc.framesOf(); (got <= 40) != c.low {
				t.Errorf("%+v, %s: %d frames in ten seconds", c, when, got)
			}
		}
		if c.flag == "on" {
			sc := &watched{sc: started, now: Preferences{Settings: started.m.win.Config.Settings}}
			sc.set(func(s *settings.Settings) { s.Vim = true })
			if !started.m.win.LowBandwidth() {
				t.Error("a change of another setting ends what the command line says")
			}
			sc.set(func(s *settings.Settings) { s.Terminal.LowBandwidth = "auto" })
			if started.m.win.LowBandwidth() {
				t.Error("the setting is not heard after the command line")
			}
		}
	}
}

// TestLowBandwidthNotice: that the mode is on by itself is said once, with the way out.
func TestLowBandwidthNotice(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Settings.Terminal.LowBandwidth = "auto"
		c.Prefer = preferring(t)
	})
	for range 2 {
		sc.update(conversation.RoundTripMsg(612 * time.Millisecond))
		sc.wait(time.Second)
	}
	sc.contains("The terminal takes 612 ms to answer")
	sc.contains("/settings")
	sc.contains("terminal.low_bandwidth off turns")
	if n := strings.Count(strings.Join(sc.screen(), "\n"), "low-bandwidth mode"); n != 1 {
		t.Errorf("said %d times", n)
	}
	sc.step("type", "/settings terminal.low_bandwidth off")
	sc.keys("enter")
	sc.wait(time.Second)
	if sc.m.win.LowBandwidth() {
		t.Errorf("what the notice says does not turn it off:\n%s", strings.Join(sc.screen(), "\n"))
	}
	set := newScenario(t, func(c *Config) { c.Settings.Terminal.LowBandwidth = "on" })
	set.update(conversation.RoundTripMsg(612 * time.Millisecond))
	set.wait(time.Second)
	set.lacks("low-bandwidth")
}

// TestLowBandwidthFrames: while an answer comes there are four frames a second, the first word
// of it is drawn at once, and so is each key that comes alone. Keys that follow each other
// sooner than anybody types are drawn together, within a twelfth of a second.
func TestLowBandwidthFrames(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Settings.Terminal.LowBandwidth = "on" })
	sc.answering()
	if got := sc.framesOf(); got < 36 || got > 41 {
		t.Errorf("%d frames in ten seconds", got)
	}
	typed := ""
	shown := func() bool { return strings.Contains(sc.m.View().Content, typed) }
	for i := range 20 {
		sc.streams(time.Duration(83+7*i) * time.Millisecond)
		typed += string(rune('a' + i))
		if sc.input(tea.KeyPressMsg{Code: rune('a' + i), Text: typed[i:]}); !shown() {
			t.Errorf("%q is not drawn at once", typed)
		}
	}
	before := sc.writes
	for i := range 20 {
		typed += string(rune('A' + i))
		sc.input(tea.KeyPressMsg{Code: rune('A' + i), Text: typed[20+i:]})
		sc.wait(10 * time.Millisecond)
	}
	if sc.wait(lowFrameTime); !shown() || sc.writes-before > 5 {
		t.Errorf("a held key: drawn %d times, all of it %t", sc.writes-before, shown())
	}
}

// TestLowBandwidthStill: nothing changes by itself while a turn runs.
func TestLowBandwidthStill(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Settings.Terminal.LowBandwidth, c.Settings.Times = "on", "ago"
		c.Settings.Status.Right = append(c.Settings.Status.Right, "clock")
	})
	sc.answering()
	sc.wait(10 * time.Second)
	before := sc.writes
	if sc.wait(time.Hour); sc.writes != before {
		t.Errorf("drawn %d times by itself", sc.writes-before)
	}
}

// TestLowBandwidthUses: the terminal gets no images, no links and few colours, and all of them
// back when the mode ends.
func TestLowBandwidthUses(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Env = []string{"TERM_PROGRAM=ghostty", "TERM=xterm-ghostty", "COLORTERM=truecolor"}
		c.Settings.Terminal.LowBandwidth = "auto"
	})
	sc.redress()
	sc.update(tea.TerminalVersionMsg{Name: "ghostty 1.2.0"})
	sc.say(session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{MessageID: "m", Content: "Read [the guide](https://example.com/guide) first."}})
	uses := func() string {
		sc.wait(time.Second)
		return fmt.Sprintf("links %t, images %t, colours %s", strings.Contains(sc.m.View().Content, "\x1b]8;"),
			sc.m.win.Images.On, sc.m.appearance.Profile())
	}
	all, few := fmt.Sprintf("links true, images true, colours %s", colorprofile.TrueColor),
		fmt.Sprintf("links false, images false, colours %s", colorprofile.ANSI256)
	if got := uses(); got != all {
		t.Errorf("at first: %s, want %s", got, all)
	}
	if sc.update(conversation.RoundTripMsg(time.Second)); uses() != few {
		t.Errorf("in low-bandwidth mode: %s, want %s", uses(), few)
	}
	c := watched{sc: sc, now: Preferences{Settings: sc.m.win.Config.Settings}}
	c.set(func(s *settings.Settings) { s.Terminal.LowBandwidth = "off" })
	sc.update(tea.TerminalVersionMsg{Name: "ghostty 1.2.0"}) // it is asked again
	if got := uses(); got != all {
		t.Errorf("after it: %s, want %s", got, all)
	}
}

// slowLine is a line to a terminal that carries 30 KB a second, each byte 300 ms late, and
// notes what is on the screen at its end.
type slowLine struct {
	sc    *scenario
	from  time.Time
	clear time.Time // when what was written until now has left
	total int
	shown map[string]time.Duration // when a step of the answer came to the screen
}

const (
	lineDelay = 300 * time.Millisecond
	lineRate  = 30_000 // bytes a second
)

// Write implements io.Writer.
func (l *slowLine) Write(p []byte) (int, error) {
	if l.total += len(p); l.clear.Before(l.sc.at) {
		l.clear = l.sc.at
	}
	l.sc.bytes = uint64(l.total)
	l.clear = l.clear.Add(time.Duration(len(p)) * time.Second / lineRate)
	for _, step := range regexp.MustCompile(`Step \d+:`).FindAllString(ansi.Strip(l.sc.m.View().Content), -1) {
		if _, known := l.shown[step]; !known {
			l.shown[step] = l.clear.Add(lineDelay).Sub(l.from)
		}
	}
	return len(p), nil
}

// TestLowBandwidthBytes: of an answer of 20 KB in 100 deltas a second fewer than 40 KB reach
// a terminal at the end of a slow line, and what is on the screen there is never a second
// behind.
func TestLowBandwidthBytes(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a pseudo-terminal")
	for _, size := range []struct{ width, height int }{{80, 24}, {100, 30}, {140, 45}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, func(c *Config) { c.Settings.Terminal.LowBandwidth = "on" })
			dressed(sc.m)
			sc.size(size.width, size.height)
			l := &slowLine{sc: sc, from: sc.at, shown: map[string]time.Duration{}}
			terminal := newCounted(t, size.width, size.height)
			terminal.out = l
			sent := map[string]time.Duration{}
			said := ""
			var w sessiontest.Workload
			w.Stream(sessiontest.Answer(20<<10), 12, 10*time.Millisecond)
			for _, ev := range w.Events {
				sc.wait(max(0, l.from.Add(ev.Time.Sub(w.Events[0].Time)).Sub(sc.at)))
				terminal.show(sc.m.View()) // of the frame that began meanwhile
				if d, ok := ev.Body.(session.AssistantMessageDelta); ok {
					said += d.DeltaContent
					for _, step := range regexp.MustCompile(`Step \d+:`).FindAllString(said, -1) {
						if _, known := sent[step]; !known {
							sent[step] = sc.at.Sub(l.from)
						}
					}
				}
				sc.say(ev)
				terminal.show(sc.m.View())
			}
			sc.wait(time.Second)
			terminal.show(sc.m.View())
			var behind time.Duration
			for step, at := range sent {
				behind = max(behind, l.shown[step]-at)
			}
			t.Logf("%d bytes, %v behind", l.total, behind.Round(time.Millisecond))
			if l.total >= 40_000 || behind >= time.Second || len(sent) < 10 || len(l.shown) != len(sent) {
				t.Errorf("%d bytes reach the terminal, and its screen is %v behind; %d of %d steps were seen",
					l.total, behind, len(l.shown), len(sent))
			}
		})
	}
}
