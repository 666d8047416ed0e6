// Package replay plays a stored log of events as if it were a session that
// happens now: at its own pace, faster, or at once. Nothing is behind it, so it
// takes no prompts and its questions cannot be answered.
package replay

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"parley/session"
	"parley/session/local"
)

// LongestPause is the longest pause that a replay makes, before it is divided
// by the speed. A log with a night in it can be watched.
const LongestPause = 3 * time.Second

// slowest is the lowest speed at which pauses are made.
const slowest = 0.01

// eventsFile is the log in a session's folder, as the Copilot CLI names it.
const eventsFile = "events.jsonl"

// The errors of calls that a replay cannot carry out.
var (
	// ErrNoPrompts is returned by Send.
	ErrNoPrompts = errors.New("a replay takes no prompts; it only shows what was said. Start Parley without it to chat")
	// ErrNotStored is returned by Resume.
	ErrNotStored = errors.New("a replay is not stored; open it anew to play it from its start")
)

// Config says what is played and how fast.
type Config struct {
	// Path is a log of JSON lines (docs/protocol.md, section 9), or the folder of
	// a session of the Copilot CLI, which holds one.
	Path string
	// Speed divides the pauses between the timestamps of events: 1 is the
	// log's own pace, 10 is ten times faster, 0 makes no pauses. Pauses longer
	// than LongestPause are cut to it first.
	Speed float64
	// Now and After are the clock; nil are those of package time.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// Agent plays one log, from its start in each session. It implements
// session.Agent.
type Agent struct {
	cfg  Config
	path string // of the log itself
	name string

	local.Sessions
}

var _ session.Agent = (*Agent)(nil)

// Open returns an agent that plays the log of c. The error is about a log that
// is not there or cannot be read, and of a speed that is none. The agent must
// be closed.
func Open(ctx context.Context, c Config) (*Agent, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open a replay: %w", err)
	}
	if c.Speed != 0 && (math.IsNaN(c.Speed) || math.IsInf(c.Speed, 0) || c.Speed < slowest) {
		return nil, fmt.Errorf("the speed of a replay is 0 (at once), 1 (its own pace) or another number from %v on, not %v",
			slowest, c.Speed)
	}
	path, err := find(c.Path)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	return &Agent{cfg: c, path: path, name: name(path)}, file.Close()
}

// find returns the log that a path means.
func find(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		folder := path
		path = filepath.Join(folder, eventsFile)
		if info, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the folder %s holds no %s; give a log file or the folder of a session", folder, eventsFile)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no log %s; the Copilot CLI keeps its logs in ~/.copilot/session-state/ID/%s", path, eventsFile)
	case err != nil:
		return "", fmt.Errorf("look for the log: %w", err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no file that can be replayed; give a log file or the folder of a session", path)
	}
	return path, nil
}

// name is what a log is called: its file, or the folder of a session.
func name(path string) string {
	base := filepath.Base(path)
	if base != eventsFile {
		return base
	}
	if abs, err := filepath.Abs(path); err == nil {
		base = filepath.Base(filepath.Dir(abs))
	}
	return base
}

// Open implements session.Agent. Options are not used: what they would choose
// was chosen when the log was written.
func (a *Agent) Open(ctx context.Context, _ session.Options) (session.Session, error) {
	s, err := a.Start(func() (local.Running, error) {
		file, err := os.Open(a.path)
		if err != nil {
			return nil, fmt.Errorf("open the log: %w", err)
		}
		log := newLog(file)
		if !log.more {
			log.close()
			return nil, fmt.Errorf("%s holds no events; a session log has one JSON object a line, each with a type", a.path)
		}
		// A log has no model behind it, which is what Demo means.
		info := session.Info{
			ID: session.ID("replay-" + rand.Text()), Agent: "replay of " + a.name, Mode: session.Interactive, Demo: true,
		}
		s := &Session{
			player: newPlayer(local.NewLifetime(ctx), info, log), cfg: a.cfg, name: a.name,
			wake: make(chan struct{}, 1), open: map[session.RequestID]*question{},
		}
		s.playing, s.stop = context.WithCancel(s.Life)
		go s.live("the replay", s.run)
		return s, nil
	})
	if err != nil {
		return nil, fmt.Errorf("open a replay: %w", err)
	}
	return s, nil
}

// Resume implements session.Agent. It always fails.
func (a *Agent) Resume(_ context.Context, id session.ID, _ session.Options) (session.Session, error) {
	return nil, fmt.Errorf("resume session %s: %w", id, ErrNotStored)
}
