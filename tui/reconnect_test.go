package tui

import (
	"errors"
	"slices"
	"testing"

	"parley/session"
)

// losing is a window whose session was lost, after something was said in it.
func losing(t *testing.T) (sc *scenario, a *manyAgent) {
	t.Helper()
	sc, a = sideBySide(t, 1, nil)
	sc.spoken("s1")
	sc.step("end", "")
	if !sc.m.win.Front.Disconnected {
		t.Fatal("it is not lost")
	}
	return sc, a
}

// One enter reconnects and sends what is in the composer, once the session is there.
func TestReconnectSends(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"go on with it", "/tmp/x.go is wrong"} {
		sc, a := losing(t)
		sc.step("type", prompt)
		open := sc.later("enter")
		if got := sc.waitingTexts(); sc.draft() != "" || !slices.Equal(got, []string{prompt}) {
			t.Errorf("draft %q, waiting %q", sc.draft(), got)
		}
		sc.contains("queued    " + prompt)
		sc.run(open)
		if len(a.opened) != 2 || a.opened[1].id != "s1" || !slices.Equal(a.opened[1].calls, []string{`send enqueue "` + prompt + `"`}) || sc.draft() != "" {
			t.Errorf("%d opened, draft %q", len(a.opened), sc.draft())
		}
	}
}

// With nothing in the composer it only reconnects.
func TestReconnectWithoutADraft(t *testing.T) {
	t.Parallel()
	sc, a := losing(t)
	sc.step("key", "enter")
	if len(a.opened) != 2 || len(a.opened[1].calls) > 0 || sc.m.win.Front.Session == nil {
		t.Errorf("%d opened, session %v", len(a.opened), sc.m.win.Front.Session)
	}
}

// When it fails, the prompt is a draft again, and the next enter tries both again,
// also in a window that had another session before.
func TestReconnectFails(t *testing.T) {
	t.Parallel()
	for _, before := range []session.ID{"", "s0"} {
		sc, a := losing(t)
		sc.m.win.Front.Before = before
		a.fails = errors.New("it does not start")
		sc.step("type", "go on with it")
		sc.step("key", "enter")
		sc.contains("it does not start")
		sc.contains("Enter tries again and sends what is in the composer")
		if !sc.m.win.Front.Disconnected || sc.draft() != "go on with it" {
			t.Errorf("lost %t, draft %q", sc.m.win.Front.Disconnected, sc.draft())
		}
		a.fails = nil
		sc.step("key", "enter")
		if n := len(a.opened) - 1; a.opened[n].id != "s1" || !slices.Equal(a.opened[n].calls, []string{`send enqueue "go on with it"`}) {
			t.Errorf("on %s: calls %q", a.opened[n].id, a.opened[n].calls)
		}
	}
}

// What was written for a session that is not there is not sent to the one before.
func TestGoingBackSendsNothing(t *testing.T) {
	t.Parallel()
	sc, a := sideBySide(t, 1, nil)
	sc.spoken("s1")
	a.fails = errors.New("no such session")
	sc.step("type", "/resume typo")
	sc.step("key", "enter")
	sc.step("type", "for another one")
	for range 2 { // it fails once more
		sc.step("key", "enter")
		if !sc.m.win.Front.Disconnected || sc.draft() != "for another one" {
			t.Errorf("lost %t, draft %q", sc.m.win.Front.Disconnected, sc.draft())
		}
	}
	a.fails = nil
	sc.step("key", "enter")
	if n := len(a.opened) - 1; a.opened[n].id != "s1" || len(a.opened[n].calls) > 0 || sc.draft() != "for another one" {
		t.Errorf("on %s, calls %q, draft %q", a.opened[n].id, a.opened[n].calls, sc.draft())
	}
}
