package tui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/history/sessions/fake"
	"parley/session"
	"parley/tui/browser"

	"pgregory.net/rapid"

	"parley/tui/conversation"
)

// withPast is a scenario with past sessions.
func withPast(t *testing.T, l *fake.Library) *scenario {
	t.Helper()
	return newScenario(t, func(c *Config) { c.Sessions = l })
}

// Whatever is pressed in the browser, and however often, no question beneath it is
// answered.
func TestBrowserAnswersNoQuestion(t *testing.T) {
	t.Parallel()
	keys := strings.Fields("up down j k / t i enter space tab a s b p r z x u y n N } { ? backspace f e o 1 2 P l Y")
	rapid.Check(t, func(rt *rapid.T) {
		sc := withPast(t, fake.Some(t))
		for i := range rapid.IntRange(1, 25).Draw(rt, "steps") {
			if conversation.Over[*browser.Browser](sc.m.win) == nil {
				sc.step("key", "ctrl+x s")
			}
			if rapid.IntRange(0, 4).Draw(rt, "step") == 0 {
				sc.say(asking(fmt.Sprint("p", i), "rm -rf build"))
			} else if conversation.Over[*browser.Browser](sc.m.win) != nil {
				sc.step("key", rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			fits(t, sc.m.View().Content, sc.m.win.Width, sc.m.win.Height)
		}
		if got := answers(sc.s); len(got) != 0 {
			rt.Fatalf("answered from the browser: %v", got)
		}
	})
}

// startedLibrary is of the sessions that an agent keeps, of which nothing is known
// before that agent has started.
type startedLibrary struct {
	*fake.Library
	started, read bool
}

func (l *startedLibrary) Refresh(context.Context) error {
	l.read = l.started
	return nil
}

func (l *startedLibrary) Find(ctx context.Context, r sessions.Request) (sessions.Found, error) {
	if !l.read {
		return sessions.Found{}, nil
	}
	return l.Library.Find(ctx, r)
}

// TestNoSessionsWithoutAnAgent: an empty list says which agent is missing, how to get it, and where
// the demo's sessions are.
func TestNoSessionsWithoutAnAgent(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) {
		c.Sessions, c.Missing = &startedLibrary{Library: fake.Some(t)}, "No agent is here; x installs it."
	})
	sc.step("key", "ctrl+x s")
	if screen := strings.Join(strings.Fields(strings.Join(sc.screen(), " ")), " "); !strings.Contains(screen,
		"There is no session yet. No agent is here; x installs it. `parley --agent demo -r` shows sessions of the demo.") {
		t.Errorf("%s", screen)
	}
}

// A list that is open while the agent starts shows the sessions which that agent
// keeps once it has started.
func TestBrowserBeforeTheAgent(t *testing.T) {
	t.Parallel()
	l := &startedLibrary{Library: fake.Some(t)}
	sc := newScenario(t, func(c *Config) {
		c.Sessions = l
	})
	start := sc.m.switcher.newSession("")
	sc.step("key", "ctrl+x s")
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "There is no session yet") {
		t.Fatalf("before the agent has started:\n%s", screen)
	}
	l.started = true
	sc.run(start)
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Drain the queue") {
		t.Errorf("the agent has started, and the list shows nothing:\n%s", screen)
	}
}

// A command of the user's with words looks for them; with an id, or the
// beginning of one, it resumes that session.
func TestResumeWords(t *testing.T) {
	t.Parallel()
	sc := withPast(t, fake.Some(t))
	sc.step("type", "/resume tide moon")
	sc.step("key", "enter")
	sc.wait(time.Second)
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "everywhere") || !strings.Contains(screen, "/ tide moon") || !strings.Contains(screen, "1 of 1") {
		t.Fatalf("the words are not looked for:\n%s", screen)
	}
	sc.step("key", "esc")
	sc.step("type", "/resume bbbb")
	sc.step("key", "enter")
	sc.wait(time.Second)
	if !contains(sc.s.calls, "resume bbbb-2") {
		t.Errorf("calls %v", sc.s.calls)
	}
	const elsewhere = "00000000-0000-4000-8000-000000000000"
	sc.step("type", "/resume "+elsewhere)
	sc.step("key", "enter")
	sc.wait(time.Second)
	if !contains(sc.s.calls, "resume "+elsewhere) {
		t.Errorf("calls %v", sc.s.calls)
	}
}

// A window that was opened on the past sessions ends when the list is closed; one that was
// not shows the conversation again.
func TestBrowserAsEntry(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "q", "ctrl+c"} {
		sc := newScenario(t, func(c *Config) { c.Sessions, c.Browse = fake.Some(t), true })
		sc.wait(time.Second)
		sc.sees("Sessions   ", "esc quit")
		sc.step("key", "?")
		sc.step("key", "esc")
		if sc.sees("Sessions   "); sc.quit {
			t.Fatalf("%s: help has ended the window", key)
		}
		sc.step("key", key)
		if sc.wait(time.Second); !sc.quit {
			t.Errorf("%s: the window stays open:\n%s", key, strings.Join(sc.screen(), "\n"))
		}
		sc = newScenario(t, func(c *Config) { c.Sessions, c.Browse = fake.Some(t), true })
		sc.step("key", "n")
		sc.wait(time.Second)
		sc.step("key", "n")
		sc.wait(time.Second)
		sc.step("key", "ctrl+x s")
		sc.sees("esc close")
		sc.step("key", key)
		if sc.wait(time.Second); sc.quit {
			t.Errorf("%s: the window ends with a list that was opened in it", key)
		}
		sc.misses("Sessions   ")
	}
}

// TestBrowsingStartsNoAgent: past sessions are found and read without an agent. It is
// started for a session that is resumed, and for the conversation behind the list once that
// is on the screen; that it cannot be started does not end the window.
func TestBrowsingStartsNoAgent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		keys  []string
		fails error
		sees  string
		want  int // agents
	}{
		"listed":      {nil, nil, "Sessions ", 0},
		"searched":    {[]string{"/", "q"}, nil, "Sessions ", 0},
		"read":        {[]string{"o"}, nil, "Read only", 0},
		"resumed":     {[]string{"enter"}, nil, "", 1},
		"a new one":   {[]string{"n", "n"}, nil, "What should be done?", 1},
		"read, left":  {[]string{"o", "ctrl+x x", "ctrl+x x"}, nil, "What should be done?", 1},
		"not started": {[]string{"enter"}, errors.New("no such program"), "no such program", 1},
	} {
		started := 0
		sc := newScenario(t, func(c *Config) {
			open := c.Agent
			c.Sessions, c.Browse = fake.Some(t), true
			c.Reading = func(context.Context) (session.Agent, error) { return &pastAgent{}, nil }
			c.Agent = func(ctx context.Context) (session.Agent, error) {
				started++
				a, err := open(ctx)
				return a, errors.Join(err, tt.fails)
			}
		})
		sc.wait(time.Second)
		for _, key := range tt.keys {
			sc.step("key", key)
			sc.wait(time.Second)
		}
		if sc.sees(tt.sees); started != tt.want || sc.quit {
			t.Errorf("%s: %d agents were started, the window ended is %v:\n%s", name, started, sc.quit, strings.Join(sc.screen(), "\n"))
		}
	}
}

// What is opened from the list of sessions gives way to it again.
func TestBrowserIsBeneath(t *testing.T) {
	t.Parallel()
	l := fake.Some(t)
	l.Logs["aaaa-1"] = storedTurns()
	sc := withPast(t, l)
	sc.size(100, 30)
	name := filepath.Join(t.TempDir(), "x.md")
	sc.step("key", "ctrl+x s")
	sc.step("key", "?")
	sc.sees("Keys and commands", "Sessions")
	sc.step("key", "esc")
	sc.sees("Drain the queue", "enter resume")
	sc.step("key", "e")
	sc.wait(time.Second)
	sc.sees("write to  parley-drain")
	sc.step("key", "ctrl+u")
	sc.step("type", name)
	sc.step("key", "enter")
	sc.sees("1 secret found in")
	sc.step("key", "esc")
	sc.sees("Drain the queue", "Nothing was written.")
	sc.step("key", "e")
	sc.wait(time.Second)
	sc.step("key", "ctrl+u")
	sc.step("type", name)
	sc.step("key", "enter")
	sc.step("key", "enter")
	sc.sees("Drain the queue", "Written to")
	if !strings.Contains(sc.written(name), "the moon") {
		t.Error("not what was said")
	}
}

// A session that is open in another tab is renamed there too.
func TestBrowserRenamesOtherTab(t *testing.T) {
	t.Parallel()
	sc, agent := sideBySide(t, 1, func(c *Config) { c.Sessions = fake.Some(t) })
	sc.command("/new-tab aaaa-1")
	sc.step("key", "ctrl+x left")
	sc.step("key", "ctrl+x s")
	sc.step("key", "r")
	sc.wait(time.Second)
	sc.step("key", "ctrl+u")
	sc.step("type", "Queue, drained")
	sc.step("key", "enter")
	sc.sees("❯ Queue, drained")
	if calls := agent.opened[1].calls; !contains(calls, `rename "Queue, drained"`) {
		t.Errorf("the tab is not renamed: calls %q", calls)
	}
	if calls := agent.opened[0].calls; contains(calls, `rename "Queue, drained"`) {
		t.Errorf("the session on the screen is renamed: calls %q", calls)
	}
}
