package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/conversation"
	"parley/tui/picker"
)

// plainSession is a session without any capability.
type plainSession struct{ session.Session }

// A list that cannot be read, or only in part, and a session that keeps none.
func TestGrantsThatCannotBeListed(t *testing.T) {
	t.Parallel()
	some := []session.Grant{{ID: "a", What: "`git push`", Revocable: true}}
	for _, c := range []struct {
		name string
		msg  conversation.GrantList
		want []string
	}{
		{"unsupported", conversation.GrantList{Err: fmt.Errorf("ask: %w", errors.ErrUnsupported)}, []string{"does not report what is allowed"}},
		{"failed", conversation.GrantList{What: "list what is allowed", Err: errors.New("broken pipe")}, []string{"Could not list what is allowed: broken pipe"}},
		{"revoke failed", conversation.GrantList{What: "revoke `x`", Err: errors.New("broken pipe")}, []string{"Could not revoke `x`: broken pipe"}},
		{"a part", conversation.GrantList{All: some, What: "list what is allowed", Err: errors.New("no folder")}, []string{"no folder", "`git push`"}},
	} {
		sc := newScenario(t, nil)
		list := func() tea.Cmd { return sc.m.win.Front.Options.PickGrant(c.msg) }
		sc.update(toFront(sc.m, conversation.ResultMsg{Session: sc.s, Show: list}))
		screen := strings.Join(sc.screen(), "\n")
		for _, want := range c.want {
			if !strings.Contains(screen, want) {
				t.Errorf("%s: no %q:\n%s", c.name, want, screen)
			}
		}
	}
	sc := newScenario(t, nil)
	sc.m.win.Front.Session = plainSession{sc.s}
	sc.step("type", "/grants")
	sc.step("key", "enter")
	if got := sc.m.win.Front.Hinted(); got != "This agent does not report what is allowed." {
		t.Errorf("hint %q", got)
	}
}

// A key that is held down, and one press on each of two grants, revoke nothing;
// nor does a list of a session that was left.
func TestGrantsNeedTwoPresses(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("grant", "session a")
	sc.step("grant", "session b")
	sc.run(sc.m.win.Front.Commands.Run("grants", ""))
	sc.step("key", "down enter")
	for range 30 { // without reports of repeats, as most terminals are
		sc.input(press(t, "enter"))
		sc.wait(30 * time.Millisecond)
	}
	held := press(t, "enter")
	held.IsRepeat = true
	sc.wait(time.Second)
	sc.input(held)
	sc.step("key", "down")
	sc.wait(time.Second)
	sc.step("key", "enter esc esc")
	if contains(sc.s.calls, "revoke") {
		t.Errorf("calls %v", sc.s.calls)
	}
	grants, err := sc.s.Grants(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list := func() tea.Cmd { return sc.m.win.Front.Options.PickGrant(conversation.GrantList{All: grants}) }
	sc.update(conversation.ResultMsg{Session: plainSession{}, Show: list})
	if conversation.Over[*picker.Picker](sc.m.win) != nil {
		t.Error("the grants of another session are shown")
	}
}

// What cannot be revoked stands last and says why, also where the reason is long
// or the agent gives none.
func TestFixedGrants(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.grants = []session.Grant{
		{ID: "a", What: "the first folder", Reason: "it is one of the runtime's own folders, or was added as a whole; it ends with the session and not before"},
		{ID: "b", What: "`git push`", Revocable: true},
		{ID: "c", What: "the last folder"},
	}
	sc.run(sc.m.win.Front.Commands.Run("grants", ""))
	screen := strings.Join(sc.screen(), "\n")
	if strings.Index(screen, "git push") > strings.Index(screen, "the first folder") {
		t.Errorf("what can be revoked is not first:\n%s", screen)
	}
	for i, want := range []string{"`git push`", "it ends with the session and not before", "set by the agent, until this session ends"} {
		if i > 0 {
			sc.step("key", "down")
			want = "Cannot be revoked: " + map[bool]string{true: "it is one of the runtime's own folders, or was added as a whole; "}[i == 1] + want
			sc.step("key", "enter")
			sc.step("key", "enter")
		}
		screen := strings.Join(strings.Fields(strings.Join(sc.screen(), "\n")), " ")
		if !strings.Contains(screen, want) || strings.Contains(screen, "This cannot be revoked.") != (i > 0) {
			t.Errorf("no %q:\n%s", want, screen)
		}
	}
	if contains(sc.s.calls, "revoke") {
		t.Errorf("calls %v", sc.s.calls)
	}
}

// What waits for Enter again is left by any other key: who types no, and Enter, allows
// nothing.
func TestAllowAllIsDeclinedByTyping(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"n", "no", "wait", "z", "j"} {
		sc := newScenario(t, nil)
		sc.step("type", "/allow-all")
		sc.step("key", "enter")
		sc.wait(time.Second)
		sc.step("key", "down down enter")
		screen := strings.Join(sc.screen(), "\n")
		if !strings.Contains(screen, "Really?   enter again does it, any other key does not") {
			t.Fatalf("it is not asked again:\n%s", screen)
		}
		sc.wait(time.Second)
		sc.step("type", typed)
		if screen := strings.Join(sc.screen(), "\n"); strings.Contains(screen, "Really?") || !strings.Contains(screen, "Not done.") {
			t.Errorf("%s does not leave it:\n%s", typed, screen)
		}
		for range 3 {
			sc.wait(time.Second)
			sc.step("key", "enter")
		}
		if contains(sc.s.calls, "allow-all") || contains(sc.s.calls, "allow all") {
			t.Errorf("%s and enter: %v", typed, sc.s.calls)
		}
		sc.step("key", "down down enter")
		sc.wait(time.Second)
		sc.step("key", "enter")
		if len(sc.s.calls) == 0 {
			t.Errorf("%s: it cannot be allowed any more", typed)
		}
	}
}
