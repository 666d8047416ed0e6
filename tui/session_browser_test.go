package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/history/sessions/fake"
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
// beginning of one, it goes on with that session.
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
