package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"parley/history/lock"
	"parley/session"
)

// Claims say which sessions are open in a window: a folder with a file for each,
// which its window has locked. It implements session.Claims. The nil Claims claims
// everything and knows of nothing: it is for when there is no folder.
//
// Who looks whether a file is locked locks it, for an instant. So that no process that
// claims a session is refused for that, whoever touches the files has the lock of
// the gate meanwhile.
type Claims struct{ dir string }

var _ session.Claims = (*Claims)(nil)

// ClaimsIn returns the claims in a folder, which is made with the first of them.
func ClaimsIn(dir string) *Claims { return &Claims{dir: dir} }

const (
	claimSuffix = ".lock"
	gateName    = "gate"
	// gateWait is how long the gate is waited for. It is held no longer than it
	// takes to look at some files.
	gateWait = 5 * time.Second
)

// claimer is what the file of a claim says of who has it.
type claimer struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host,omitzero"`
	Since time.Time `json:"since"`
}

// Claim implements session.Claims.
func (c *Claims) Claim(ctx context.Context, id session.ID) (io.Closer, error) {
	if c == nil {
		return io.NopCloser(nil), nil
	}
	if !validID(string(id)) {
		return nil, fmt.Errorf("hold the session: %q is no id of one", string(id))
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, fmt.Errorf("hold the session: %w", err)
	}
	gate, err := c.enter(ctx)
	if err != nil {
		return nil, fmt.Errorf("hold the session: %w", err)
	}
	defer func() { _ = gate.Release() }() // nothing was written
	path := c.file(id)
	held, err := lock.Try(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("hold the session: %w", err)
	case held == nil:
		return nil, heldBy(path)
	}
	now := claimer{PID: os.Getpid(), Since: time.Now().UTC()}
	now.Host, _ = os.Hostname()
	if about, err := json.Marshal(now); err == nil {
		_ = os.WriteFile(path, about, 0o600) // the lock counts, and not what is in the file
	}
	return &claim{c, held}, nil
}

// claim is a session that this process has.
type claim struct {
	of   *Claims
	held *lock.Lock
}

// Close gives the session back. The file goes, unless it may not be touched now:
// then it goes with the next look at it.
func (c *claim) Close() error {
	give := c.held.Release
	if gate, err := c.of.enter(context.Background()); err == nil {
		give = c.held.Remove
		defer func() { _ = gate.Release() }()
	}
	if err := give(); err != nil {
		return fmt.Errorf("release the session: %w", err)
	}
	return nil
}

// enter waits for the gate.
func (c *Claims) enter(ctx context.Context) (*lock.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, gateWait)
	defer cancel()
	return lock.Wait(ctx, filepath.Join(c.dir, gateName))
}

func (c *Claims) file(id session.ID) string { return filepath.Join(c.dir, string(id)+claimSuffix) }

// heldBy says what the file of a claim says of who has it.
func heldBy(path string) *session.HeldError {
	var by claimer
	about, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(about, &by) != nil || by.PID == 0 {
		return &session.HeldError{} // it is locked, which is what counts
	}
	who := fmt.Sprintf("process %d", by.PID)
	if here, _ := os.Hostname(); by.Host != "" && by.Host != here {
		who += " on " + strings.ToValidUTF8(by.Host, "\ufffd")
	}
	return &session.HeldError{Who: who, Since: by.Since}
}

// held are the sessions that a window has open, this one's among them. Where that
// cannot be known of one, it counts as open.
func (c *Claims) held(ctx context.Context) (map[session.ID]bool, error) {
	if c == nil {
		return nil, nil
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("see which sessions are open: %w", err)
	}
	held := map[session.ID]bool{}
	for _, e := range entries {
		if id, is := strings.CutSuffix(e.Name(), claimSuffix); is {
			held[session.ID(id)] = true
		}
	}
	if len(held) == 0 {
		return nil, nil
	}
	gate, err := c.enter(ctx)
	if err != nil {
		return held, nil // whoever has the gate is about to open or close one of them
	}
	defer func() { _ = gate.Release() }() // nothing was written
	for id := range held {
		free, err := lock.Try(c.file(id))
		if free == nil || err != nil {
			continue
		}
		_ = free.Remove() // its window was killed
		delete(held, id)
	}
	return held, nil
}
