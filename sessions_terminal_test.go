package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"parley/cli/agents"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/tui"
)

// onPty carries out something on a terminal of 80 cells on which was typed, and
// returns what it wrote there.
func onPty(t *testing.T, typed string, do func(process.Console) int) (code int, wrote string) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(master, typed); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&out, master) // until the other end is closed
	}()
	code = do(process.Console{In: slave, Out: slave, Err: slave, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}})
	_ = slave.Close()
	<-read
	_ = master.Close()
	return code, out.String()
}

// TestPurgeAsks removes nothing without a yes.
func TestPurgeAsks(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]int{"\n": 0, "n\n": 0, "maybe\n": 0, "y\n": 1, "yes\n": 1} {
		l, r := someShelf(), &remover{}
		p := past{
			now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (tui.Library, error) { return l, nil },
			holder: func(context.Context, string, agents.Options) (holder, error) { return r, nil },
		}
		code, wrote := onPty(t, typed, func(c process.Console) int { return pastRunOn(c, p, "delete", "--purge") })
		if code != process.ExitOK || len(r.removed) != want || !strings.Contains(wrote, "Thrown away") || !strings.Contains(wrote, "Remove 1 session for good?") {
			t.Errorf("%q: code %d, removed %q, wrote %q", typed, code, r.removed, wrote)
		}
	}
}

// slowShelf is a library that is brought up to date once its progress was asked for.
type slowShelf struct {
	*shelf
	once  sync.Once
	asked chan struct{}
}

func (s *slowShelf) Refresh(context.Context) error {
	<-s.asked
	return nil
}

func (s *slowShelf) Progress() sessions.Progress {
	s.once.Do(func() { close(s.asked) })
	return sessions.Progress{Done: 10, All: 2000, Bytes: 10 << 20, Size: 2 << 30}
}

// TestProgressShown tells on a terminal how far the index is, and leaves nothing of
// that behind.
func TestProgressShown(t *testing.T) {
	t.Parallel()
	l := &slowShelf{shelf: someShelf(), asked: make(chan struct{})}
	p := past{now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (tui.Library, error) { return l, nil }}
	code, wrote := onPty(t, "", func(c process.Console) int { return pastRunOn(c, p, "list", "--color", "never") })
	progress, table, gone := strings.Cut(wrote, "\r\x1b[KID ")
	if code != process.ExitOK || !gone || !strings.HasPrefix(progress, "\rReading past sessions: 10 of 2 000, ") || strings.Contains(progress, "\n") {
		t.Errorf("code %d, wrote %q", code, wrote)
	}
	if strings.Contains(table, "\x1b") {
		t.Errorf("the table is coloured: %q", table)
	}
	html, refused := onPty(t, "", func(c process.Console) int { return pastRunOn(c, p, "export", "7f3a5", "--format", "html") })
	if html != process.ExitUsage || !strings.Contains(refused, "--output") {
		t.Errorf("code %d, wrote %q", html, refused)
	}
}

// TestPurgeOnCLI has the real Copilot CLI remove a session, and no other.
func TestPurgeOnCLI(t *testing.T) {
	t.Parallel()
	cli := onCLI(t)
	home, env := pastHome(t)
	env = append(append(cli, env...), "PATH="+os.Getenv("PATH"), "HOME="+t.TempDir(), "COPILOT_OFFLINE=true",
		"COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_MODEL=fake-model")
	if got := runIn(t, env, "", "sessions", "delete", "bbbb"); got.code != process.ExitOK {
		t.Fatalf("got %+v", got)
	}
	got := runIn(t, env, "", "sessions", "delete", "--purge", "--yes")
	if got.code != process.ExitOK || !strings.Contains(got.out, "Removed: bbbb0000") {
		t.Fatalf("got %+v", got)
	}
	left, err := filepath.Glob(filepath.Join(home, "session-state", "????0000-*"))
	if err != nil || len(left) != 3 || strings.Contains(strings.Join(left, " "), "bbbb0000") {
		t.Errorf("%v: %q are left", err, left)
	}
	if got := runIn(t, env, "", "sessions", "list", "--deleted"); strings.Contains(got.out, "bbbb") || !strings.Contains(got.out, "aaaa") {
		t.Errorf("got %+v", got)
	}
}
