package sessions

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// playTake is a window that continues a session of a Keeper, and writes a line
// each time that it has it.
func playTake(dir, who string) error {
	return playWindow(func() (io.Closer, error) {
		_, r, err := StoreIn(dir).Take(context.Background(), "one", who)
		if err != nil {
			return nil, err
		}
		return r, r.Append(session.Event{ID: session.EventID(who), Body: session.AssistantMessage{Content: who}})
	})
}

// playClaim is a window that continues a session that another program keeps.
func playClaim(dir, _ string) error {
	return playWindow(func() (io.Closer, error) { return ClaimsIn(dir).Claim(context.Background(), "one") })
}

// playWindow takes a session when it reads a line, says whether it has it, and lets go
// of it when it reads another line.
func playWindow(take func() (io.Closer, error)) error {
	in := bufio.NewReader(os.Stdin)
	for {
		if _, err := in.ReadString('\n'); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		said := "has it"
		has, err := take()
		if held := (*session.HeldError)(nil); errors.As(err, &held) {
			said, has, err = "refused", io.NopCloser(nil), nil
		}
		if err != nil {
			return err
		}
		fmt.Println(said) //nolint:forbidigo // to the test that waits for it
		if _, err := in.ReadString('\n'); err != nil {
			return err
		}
		if err := has.Close(); err != nil {
			return err
		}
		fmt.Println("let go") //nolint:forbidigo // likewise
	}
}

// window is a process that takes a session when it gets a line.
type window struct{ *sessiontest.Process }

func windowOf(t *testing.T, as, dir, who string) window {
	t.Helper()
	return window{sessiontest.Start(t, as, dir, who)}
}

func (w window) signal(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(w.In, "\n"); err != nil {
		t.Fatal(err)
	}
}

func (w window) hears(t *testing.T) string {
	t.Helper()
	said, err := w.Out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, w.Errors)
	}
	return strings.TrimSpace(said)
}

// contended has two processes take a session at once, again and again. One of them
// has it each time.
func contended(t *testing.T, as, dir string, listed func()) {
	t.Helper()
	windows := []window{windowOf(t, as, dir, "first"), windowOf(t, as, dir, "second")}
	had := 0
	for round := range 50 {
		for _, w := range windows {
			w.signal(t)
		}
		listed() // a listing takes no lock, and keeps no window from it
		first, second := windows[0].hears(t), windows[1].hears(t)
		if (first == "has it") == (second == "has it") {
			t.Fatalf("round %d: the one %s, the other %s", round, first, second)
		}
		if first == "has it" {
			had++
		}
		for _, w := range windows {
			w.signal(t)
			w.hears(t)
		}
	}
	t.Logf("50 rounds: one had it %d times, the other %d; refused was the other one each time", had, 50-had)
	for _, w := range windows {
		if err := w.In.Close(); err != nil {
			t.Fatal(err)
		}
		w.End(t)
	}
}

// TestTwoTakeOne: of two windows that are started together on one session, one
// writes it, whatever the library looks at meanwhile.
func TestTwoTakeOne(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	k := StoreIn(dir)
	r, err := k.Begin(session.Stored{ID: "one"})
	if err == nil {
		err = errors.Join(r.Append(session.Event{ID: "0", Body: session.UserMessage{Content: "hello"}}), r.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	contended(t, "take", dir, func() {
		for range 5 {
			if _, err := Own(dir).List(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	kept, err := k.Read(t.Context(), "one")
	if err != nil || len(kept.Events) != 51 {
		t.Errorf("%d events, %v", len(kept.Events), err)
	}
}

// TestTwoClaimOne: the same for a session that another program keeps.
func TestTwoClaimOne(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "locks")
	home := t.TempDir()
	log := filepath.Join(home, "session-state", "one", eventsFile)
	if err := errors.Join(os.MkdirAll(filepath.Dir(log), 0o700), os.WriteFile(log, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	source := Copilot(home, ClaimsIn(dir))
	contended(t, "claim", dir, func() {
		for range 5 {
			if _, err := source.List(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	claim, err := ClaimsIn(dir).Claim(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	if l, err := source.Log("one"); err != nil || !l.InUse {
		t.Errorf("while it is claimed: %+v, %v", l, err)
	}
	if err := claim.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err := source.Log("one"); err != nil || l.InUse {
		t.Errorf("after that: %+v, %v", l, err)
	}
}

// TestClaimEndsWithItsProcess: a session is open for as long as its window lives,
// and the listing says who has it. A window that is killed leaves nothing that keeps others
// from it.
func TestClaimEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "sessions")
	k, listed := StoreIn(dir), Own(dir)
	r, err := k.Begin(session.Stored{ID: "one"})
	if err == nil {
		err = errors.Join(r.Append(session.Event{ID: "0", Body: session.UserMessage{Content: "hello"}}), r.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	w := windowOf(t, "take", dir, "first")
	w.signal(t)
	if said := w.hears(t); said != "has it" {
		t.Fatal(said)
	}
	_, _, err = k.Take(t.Context(), "one", "mine")
	var held *session.HeldError
	if !errors.As(err, &held) || held.Who != fmt.Sprintf("process %d", w.Cmd.Process.Pid) || held.Since.IsZero() {
		t.Errorf("who has it: %v", err)
	}
	if l, err := listed.Log("one"); err != nil || !l.InUse {
		t.Errorf("while it lives: %+v, %v", l, err)
	}
	if err := w.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = w.Wait() // it was killed
	if l, err := listed.Log("one"); err != nil || l.InUse {
		t.Errorf("after it was killed: %+v, %v", l, err)
	}
	_, r, err = k.Take(t.Context(), "one", "mine")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, ".locks")); err != nil || len(left) != 1 || left[0].Name() != gateName {
		t.Errorf("left is %v, %v", left, err)
	}
}

// TestClaimsOfNoFolder: where nothing can be locked, nothing is refused.
func TestClaimsOfNoFolder(t *testing.T) {
	t.Parallel()
	var none *Claims
	for range 2 {
		if claim, err := none.Claim(t.Context(), "one"); err != nil || claim.Close() != nil {
			t.Errorf("%v, %v", claim, err)
		}
	}
	for _, id := range []session.ID{"", "..", "a/b", ".hidden", "gate/../x"} {
		if _, err := ClaimsIn(t.TempDir()).Claim(t.Context(), id); err == nil {
			t.Errorf("%q was claimed", id)
		}
	}
}
