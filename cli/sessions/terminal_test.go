package sessions

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/cli/agents"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/history/sessions"
)

// TestPurgeAsks removes nothing without a yes.
func TestPurgeAsks(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]int{"\n": 0, "n\n": 0, "maybe\n": 0, "y\n": 1, "yes\n": 1} {
		l, r := someShelf(), &remover{}
		p := past{
			now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (library, error) { return l, nil },
			holder: func(context.Context, string, agents.Options) (holder, error) { return r.holder(), nil },
		}
		code, wrote := clitest.OnPty(t, typed, func(c process.Console) int { return pastRunOn(c, p, "delete", "--purge") })
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

// TestProgressShown shows on a terminal how far the index is, and leaves nothing of
// that behind.
func TestProgressShown(t *testing.T) {
	t.Parallel()
	l := &slowShelf{shelf: someShelf(), asked: make(chan struct{})}
	p := past{now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (library, error) { return l, nil }}
	code, wrote := clitest.OnPty(t, "", func(c process.Console) int { return pastRunOn(c, p, "list", "--color", "never") })
	progress, table, gone := strings.Cut(wrote, "\r\x1b[KID ")
	if code != process.ExitOK || !gone || !strings.HasPrefix(progress, "\rReading past sessions: 10 of 2 000, ") || strings.Contains(progress, "\n") {
		t.Errorf("code %d, wrote %q", code, wrote)
	}
	if strings.Contains(table, "\x1b") {
		t.Errorf("the table is coloured: %q", table)
	}
	html, refused := clitest.OnPty(t, "", func(c process.Console) int { return pastRunOn(c, p, "export", "7f3a5", "--format", "html") })
	if html != process.ExitUsage || !strings.Contains(refused, "--output") {
		t.Errorf("code %d, wrote %q", html, refused)
	}
}
