package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/terminal"
)

// prefer is a change of the settings in their file.
func (sc *scenario) prefer(change func(*settings.Settings)) {
	s := sc.m.win.Config.Settings
	change(&s)
	sc.update(preferMsg{preferences: Preferences{Settings: s}})
}

// begin is a prompt and the start of its turn.
func (sc *scenario) begin(id string) {
	sc.say(session.Event{ID: session.EventID("u" + id), Time: sc.at, Body: session.UserMessage{Content: "Prompt " + id, MessageID: session.MessageID("u" + id)}},
		session.Event{ID: session.EventID("t" + id), Time: sc.at, Body: session.AssistantTurnStart{}})
}

// delta is more of an answer.
func (sc *scenario) delta(id, text string) {
	body := session.AssistantMessageDelta{MessageID: session.MessageID(id), DeltaContent: text}
	sc.say(session.Event{Time: sc.at, Ephemeral: true, Body: body})
}

// finish is the end of a turn.
func (sc *scenario) finish() {
	sc.say(session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantTurnEnd{}},
		session.Event{Time: sc.at, Ephemeral: true, Body: session.AssistantIdle{}},
		session.Event{Time: sc.at, Ephemeral: true, Body: session.SessionIdle{}})
}

// paragraphs streams numbered paragraphs of an answer.
func (sc *scenario) paragraphs(id string, from, to int) {
	for i := from; i < to; i++ {
		sc.delta(id, fmt.Sprintf("Paragraph %d of %s.\n\n", i, id))
	}
}

// lacks checks that a text is not on the screen.
func (sc *scenario) lacks(text string) {
	sc.t.Helper()
	if screen := strings.Join(sc.screen(), "\n"); strings.Contains(screen, text) {
		sc.t.Errorf("%q is on the screen:\n%s", text, screen)
	}
}

// TestFollow: while an answer comes the view stays at its end, at its first line,
// or where it is; the end key follows the end whatever the setting says.
func TestFollow(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"bottom", "response-top", "off"} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, func(c *Config) { c.Settings.Follow = setting })
			sc.step("replay", `{"type":"user.message","data":{"content":"Long ago"},"id":"h1"}`)
			for i := range 40 {
				sc.step("replay", fmt.Sprintf(`{"type":"assistant.message","data":{"messageId":"o%d","content":"Old answer %d."},"id":"o%d"}`, i, i, i))
			}
			sc.contains("Old answer 39.") // a session that is resumed is shown from its end
			sc.begin("1")
			sc.contains("Prompt 1")
			sc.paragraphs("a", 0, 5)
			sc.paragraphs("a", 5, 40)
			first, last := "Paragraph 0 of a.", "Paragraph 39 of a."
			switch setting {
			case "bottom":
				sc.contains(last)
				sc.lacks(first)
			case "response-top":
				if line := sc.screen()[0]; line != "  "+first {
					t.Errorf("the first line is %q:\n%s", line, strings.Join(sc.screen(), "\n"))
				}
				sc.contains("below · ctrl+end")
			case "off":
				sc.contains("Prompt 1")
				sc.lacks(last)
				sc.contains("below · ctrl+end")
			}
			sc.step("key", "ctrl+end")
			sc.contains(last)
			sc.paragraphs("a", 40, 45)
			sc.contains("Paragraph 44 of a.")
			sc.finish()
			sc.begin("2")
			sc.contains("Prompt 2")
		})
	}
}

// The setting works from the next event on, and only what was wanted moves.
func TestFollowLive(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.begin("1")
	sc.paragraphs("a", 0, 30)
	sc.contains("Paragraph 29 of a.")
	sc.prefer(func(s *settings.Settings) { s.Follow = "off" })
	before := sc.screen()
	sc.paragraphs("a", 30, 60)
	sc.contains("Paragraph 29 of a.")
	sc.lacks("Paragraph 31 of a.")
	if now := sc.screen(); now[0] != before[0] {
		t.Errorf("%q became %q", before[0], now[0])
	}
	sc.prefer(func(s *settings.Settings) { s.Follow = "bottom" })
	sc.step("key", "ctrl+end")
	sc.paragraphs("a", 60, 61)
	sc.contains("Paragraph 60 of a.")
}

// An answer that fits is followed to its end, and what is called after it too.
func TestFollowShortAnswers(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Settings.Follow = "response-top" })
	sc.begin("1")
	sc.paragraphs("a", 0, 3)
	sc.say(session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{MessageID: "a", Content: "Paragraph 0 of a.\n"}})
	for i := range 40 {
		sc.say(session.Event{ID: session.EventID(fmt.Sprint("c", i)), Time: sc.at, Body: session.ToolExecutionStart{
			ToolCallID: session.CallID(fmt.Sprint("c", i)), ToolName: "bash", Arguments: fmt.Appendf(nil, `{"command":"run %d"}`, i),
		}})
	}
	sc.contains("run 39")
	sc.paragraphs("b", 0, 40) // the next answer stays at its own first line
	if line := sc.screen()[0]; line != "  Paragraph 0 of b." {
		t.Errorf("the first line is %q", line)
	}
}

// sends are what went to the session, with how it was sent.
func (sc *scenario) sends() (all []string) {
	for _, c := range sc.s.calls {
		if strings.HasPrefix(c, "send ") {
			all = append(all, c)
		}
	}
	return all
}

// TestBusyEnter: enter steers a running turn, or waits for its end; ctrl+q always
// waits, and what the composer and Tab say follows the setting.
func TestBusyEnter(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.begin("1")
	press := func(key, want, placeholder, hint string) {
		t.Helper()
		sc.contains(placeholder)
		sc.s.calls = nil
		sc.step("type", "go on")
		sc.step("key", "tab")
		sc.contains(hint)
		sc.step("key", key)
		if got := sc.sends(); len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("%s sends %q, want %s", key, got, want)
		}
		sc.wait(time.Second)
	}
	const steering, queueing = "enter: send for its next step · ctrl+q: send when it is done", "enter: send when it is done"
	press("enter", string(session.Immediate), steering, "ctrl+q queues the prompt")
	press("ctrl+q", string(session.Enqueue), steering, "ctrl+q queues the prompt")
	sc.prefer(func(s *settings.Settings) { s.BusyEnter = "queue" })
	press("enter", string(session.Enqueue), queueing, "enter queues the prompt")
	press("ctrl+q", string(session.Enqueue), queueing, "enter queues the prompt")
}

// TestInterruptSetting: esc interrupts when it is pressed twice, or at once; in
// vim's insert mode, in a list, a search or a question it is for these first.
func TestInterruptSetting(t *testing.T) {
	t.Parallel()
	aborts := func(sc *scenario) (n int) {
		for _, c := range sc.s.calls {
			if c == "abort" {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name           string
		open           func(sc *scenario)
		double, single int // presses until it is interrupted
	}{
		{"nothing open", func(*scenario) {}, 2, 1},
		{"a draft", func(sc *scenario) { sc.step("type", "draft") }, 2, 1},
		{"vim INSERT", func(sc *scenario) {
			sc.prefer(func(s *settings.Settings) { s.Vim = true })
			sc.step("type", "draft")
		}, 3, 3},
		{"a list", func(sc *scenario) { sc.step("key", "ctrl+x space"); sc.screen() }, 3, 2},
		{"a text", func(sc *scenario) { sc.step("key", "?"); sc.screen() }, 3, 2},
		{"a search", func(sc *scenario) { sc.step("key", "ctrl+f"); sc.step("type", "a") }, 3, 2},
		{"completions", func(sc *scenario) { sc.step("type", "/m") }, 3, 2},
		{"a block", func(sc *scenario) { sc.step("key", "tab") }, 3, 2},
		{"a question", func(sc *scenario) { sc.say(asking("p", "ls")); sc.wait(time.Second) }, 3, 2},
	} {
		for setting, want := range map[string]int{"double": c.double, "single": c.single} {
			t.Run(c.name+", "+setting, func(t *testing.T) {
				t.Parallel()
				sc := newScenario(t, func(c *Config) { c.Settings.Interrupt = setting })
				sc.begin("1")
				sc.paragraphs("a", 0, 1)
				c.open(sc)
				sc.s.calls = nil
				for n := 1; n <= want; n++ {
					sc.step("key", "esc")
					if got := aborts(sc); got != 0 && n < want || got != 1 && n == want {
						t.Fatalf("esc pressed %d times: %d interrupts, want one at %d", n, got, want)
					}
				}
				if got := answers(sc.s); len(got) > 0 {
					t.Errorf("answered: %v", got)
				}
			})
		}
	}
}

// TestNotifyAfter: a turn must have taken so long for its end to be news; 0 reports
// each.
func TestNotifyAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		after int
		took  time.Duration
		rings bool
	}{{5, 4 * time.Second, false}, {5, 5 * time.Second, true}, {0, 0, true}, {60, 59 * time.Second, false}, {60, time.Minute, true}} {
		sc := newScenario(t, nil)
		sc.prefer(func(s *settings.Settings) { s.Notify = settings.Notify{Done: "bell", After: c.after} })
		sc.step("blur", "")
		sc.begin("1")
		sc.m.win.Front.Queue.Prompted = true
		sc.wait(c.took)
		sc.s.calls = nil
		sc.finish()
		if got := sc.bells() != ""; got != c.rings {
			t.Errorf("after %d s, a turn of %v is reported: %t", c.after, c.took, got)
		}
	}
}

// TestLinksSetting: without links nothing on the screen can be followed, and an
// address is there where the words for it say something else; with them both are.
func TestLinksSetting(t *testing.T) {
	t.Parallel()
	const link = "\x1b]8;;https://example.com/guide\x1b\\"
	sc := newScenario(t, nil)
	sc.redress()
	sc.say(session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{MessageID: "m", Content: "Read [the guide](https://example.com/guide) first."}})
	for _, on := range []bool{true, false, true} {
		sc.prefer(func(s *settings.Settings) { s.Terminal.Links = on })
		sc.contains("the guide https://example.com/guide")
		content := sc.m.View().Content
		if strings.Contains(content, link) != on || !on && strings.Contains(content, "\x1b]8") {
			t.Errorf("links %t: %q", on, content)
		}
	}
}

// What the window sent to the terminal is undone at once when it is switched off.
func TestTerminalLive(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Env = []string{"TERM_PROGRAM=ghostty", "TERM=xterm-ghostty", "COLORTERM=truecolor"}
	})
	sc.begin("1")
	view := func() tea.View {
		sc.screen()
		return sc.m.View()
	}
	if v := view(); v.WindowTitle == "" || v.ProgressBar == nil {
		t.Fatal("no title, no progress")
	}
	sc.prefer(func(s *settings.Settings) { s.Terminal.Title, s.Terminal.Progress = false, false })
	if v := view(); v.WindowTitle != "" || v.ProgressBar != nil {
		t.Errorf("title %q, progress %v", v.WindowTitle, v.ProgressBar)
	}
	sc.update(tea.TerminalVersionMsg{Name: "ghostty 1.2.0"})
	sc.say(viewed(1, sessiontest.Image(t, "png", 20, 20))...)
	sc.pasteImage("a.png", 20, 20)
	sc.graphics()
	sc.prefer(func(s *settings.Settings) { s.Terminal.Pictures = false })
	if want := fmt.Sprintf("terminal %q", terminal.DeleteImage(0)+terminal.DeleteImage(1)); sc.m.win.Images.On || len(sc.s.calls) != 1 || sc.s.calls[0] != want {
		t.Errorf("on %t, %q, want %s", sc.m.win.Images.On, sc.s.calls, want)
	}
	sc.update(tea.TerminalVersionMsg{Name: "ghostty 1.2.0"})
	if sc.m.win.Images.On {
		t.Error("images are shown though they are switched off")
	}
}

// A mode that the session reports late does not undo those that were asked for
// since.
func TestModesInARow(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	reports := func(mode session.Mode) {
		sc.say(session.Event{ID: session.EventID("mode-" + mode), Time: sc.at, Body: session.SessionModeChanged{NewMode: mode}})
	}
	shows := func(mode session.Mode) {
		t.Helper()
		if got := sc.m.win.Front.Mode(); got != mode || !strings.Contains(sc.line(), string(mode)) {
			t.Errorf("it is %s, and the line %q; want %s", got, sc.line(), mode)
		}
	}
	sc.step("key", "shift+tab")
	sc.step("key", "shift+tab")
	reports(session.Plan)
	shows(session.Autopilot)
	sc.step("key", "shift+tab")
	shows(session.Interactive)
	reports(session.Autopilot)
	reports(session.Interactive)
	shows(session.Interactive)
	reports(session.Plan) // of the agent's own accord
	shows(session.Plan)
}
