package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"parley/cli/process"
	"parley/history"
	"parley/history/sessions"
	"parley/render"
	"parley/session"
	"parley/settings"
	"parley/theme"
	"parley/tui"
)

// pastSessions opens the sessions that a chat can look back at: those that its agent
// keeps while it lives, or those that are kept on this machine. It is nil for an
// agent that has neither.
func pastSessions(c process.Console, b backend) func(context.Context) (tui.Library, error) {
	switch {
	case b.stored != nil:
		return func(context.Context) (tui.Library, error) {
			return sessions.Open(sessions.Config{Sources: []sessions.Source{b.stored}, Now: time.Now, Location: time.Local})
		}
	case b.keeper != "":
		return func(context.Context) (tui.Library, error) { return openLibrary(c) }
	}
	return nil
}

// stores are where sessions are kept on this machine: by the Copilot CLI, and by
// Parley for agents that keep none themselves.
func stores(env []string) (all []*sessions.Folder, dirs []string) {
	home, _ := os.UserHomeDir()
	if dir := sessions.Home(env, home); dir != "" {
		all, dirs = append(all, sessions.Copilot(dir, copilotClaims(env))), append(dirs, dir)
	}
	if dir := history.StateDir(env, home); dir != "" {
		dir = ownSessions(dir)
		all, dirs = append(all, sessions.Own(dir)), append(dirs, dir)
	}
	return all, dirs
}

// copilotClaims say which sessions of the Copilot CLI windows of Parley have open;
// nil where there is no folder for that.
func copilotClaims(env []string) *sessions.Claims {
	home, _ := os.UserHomeDir()
	dir := history.StateDir(env, home)
	if dir == "" {
		return nil
	}
	return sessions.ClaimsIn(filepath.Join(dir, "locks", agentCopilot))
}

// ownSessions is the folder of the sessions that Parley keeps.
func ownSessions(state string) string { return filepath.Join(state, "sessions") }

// agentFor is the agent of a chat: the one that was asked for, unless another keeps
// the session that it is to go on with.
func agentFor(o options, env []string, prefer settings.Settings) (backend, error) {
	b, err := chooseAgent(o, env, prefer)
	if err == nil {
		err = b.kept(o, env)
	}
	return b, err
}

// kept finds a session that another than the agent keeps, before the agent is
// asked for it, and says what goes on with it.
func (b backend) kept(o options, env []string) error {
	all, _ := stores(env)
	var foreign sessions.Log
	for _, f := range all {
		l, err := f.Log(session.ID(o.resume))
		switch {
		case o.resume == "" || err != nil: // whatever is wrong with it, its agent says
		case f.Keeper() == b.keeper:
			return nil
		default:
			foreign = l
		}
	}
	if foreign.ID == "" || b.keeper != sessions.KeptByCopilot && b.keeper != sessions.KeptByParley {
		return nil
	}
	return fmt.Errorf("in session %s another agent answers, not %s; go on with it by `%s`", foreign.ID, b.name, foreign.GoOn())
}

// openLibrary is the library of the sessions that are kept on this machine. It
// reads nothing yet.
func openLibrary(c process.Console) (*sessions.Library, error) {
	home, _ := os.UserHomeDir()
	config := sessions.Config{Now: time.Now, Location: time.Local}
	folders, dirs := stores(c.Env)
	for _, f := range folders {
		config.Sources = append(config.Sources, f)
	}
	if dir := history.CacheDir(c.Env, home); dir != "" {
		config.Index = filepath.Join(dir, indexName(dirs...))
	}
	if dir := history.StateDir(c.Env, home); dir != "" {
		config.Marks = filepath.Join(dir, "marks.json")
	}
	l, err := sessions.Open(config)
	if err != nil {
		return nil, fmt.Errorf("open the past sessions: %w", err)
	}
	return l, nil
}

// indexName is the file of the index of the sessions in some folders. What is stored
// in these is not gone because it is not in others, which have an index of their own.
func indexName(dirs ...string) string {
	h := fnv.New64a()
	for _, dir := range dirs {
		_, _ = h.Write(append([]byte(filepath.Clean(dir)), 0))
	}
	return fmt.Sprintf("sessions-%016x.db", h.Sum64())
}

// past is a command about past sessions: the process around it, its clock, and
// where it finds them.
type past struct {
	process.Console
	now  func() time.Time
	zone *time.Location
	open func() (tui.Library, error)
	// browse shows the sessions in a window.
	browse func() error
	// holder is who holds the sessions of a keeper.
	holder func(ctx context.Context, keeper string, o options) (holder, error)
}

// newPast is about the sessions of the past, now and here.
func newPast(c process.Console) past {
	return past{
		Console: c, now: time.Now, zone: time.Local,
		open: func() (tui.Library, error) { return openLibrary(c) },
		browse: func() error {
			o := options{browse: true}
			if err := o.findFolder(); err != nil {
				return err
			}
			var none headlessFlags
			return none.watching(c, func(h headlessFlags) error { return chat(c, o, h) })
		},
		holder: func(ctx context.Context, keeper string, o options) (holder, error) {
			return openHolder(ctx, c, keeper, o)
		},
	}
}

// looking opens the library, brings its index up to date and has do look into it.
// What is wrong with the index or the sessions is told, and what is known is used.
func (p past) looking(do func(ctx context.Context, l tui.Library) error) error {
	return p.opened(func(ctx context.Context, l tui.Library) error {
		err := p.watched(ctx, l, l.Refresh)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if told := p.told(ctx, l); err != nil && !told {
			process.Complain(p.Err, fmt.Errorf("read the past sessions: %w", err))
		}
		return do(ctx, l)
	})
}

// opened opens the library for as long as do lasts, or until a signal.
func (p past) opened(do func(ctx context.Context, l tui.Library) error) error {
	ctx, stop := process.UntilSignal(context.Background())
	defer stop()
	l, err := p.open()
	if err != nil {
		return err
	}
	err = do(ctx, l)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return errors.Join(err, l.Close())
}

const (
	// quietFor is how long an index may take before anybody is told.
	quietFor = 300 * time.Millisecond
	// redrawn is how often its progress is.
	redrawn = 100 * time.Millisecond
)

// watched runs a job on the index. On a terminal one line says how far it is, and
// is gone in the end.
func (p past) watched(ctx context.Context, l tui.Library, job func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- job(ctx) }()
	if !term.IsTerminal(p.Err.Fd()) || process.Lookup(p.Env, "TERM") == "dumb" {
		return <-done
	}
	shown := false
	defer func() {
		if shown {
			_, _ = io.WriteString(p.Err, "\r\x1b[K")
		}
	}()
	wait := quietFor
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(wait):
		}
		wait = redrawn
		width, _, _ := term.GetSize(p.Err.Fd())
		if line := progressLine(l.Progress(), width-1, showsUnicode(p.Console)); line != "" {
			shown = true
			_, _ = io.WriteString(p.Err, "\r"+line+"\x1b[K")
		}
	}
}

// progressLine says how far an index is; "" where there is nothing to say.
func progressLine(at sessions.Progress, width int, unicode bool) string {
	if !at.Busy() || width < 1 {
		return ""
	}
	line := fmt.Sprintf("Reading past sessions: %s of %s, %s of %s",
		render.Number(at.Done), render.Number(at.All), render.Bytes(int(at.Bytes)), render.Bytes(int(at.Size)))
	if room := min(width-render.Width(line)-2, 30); room >= 8 && at.Size > 0 {
		th := theme.Plain()
		th.ASCII = !unicode
		full := int(float64(room) * min(1, float64(at.Bytes)/float64(at.Size)))
		line += "  " + strings.Repeat(th.Glyph(theme.MarkBar), full) + strings.Repeat(th.Glyph(theme.MarkBarRest), room-full)
	}
	return render.Truncate(line, width, "")
}

// told writes what the user should know beside an answer, and reports whether
// there is something.
func (p past) told(ctx context.Context, l tui.Library) bool {
	found, err := l.Find(ctx, sessions.Request{Limit: 1})
	if err != nil {
		return false // so does the answer
	}
	for _, line := range found.Trouble {
		process.Complain(p.Err, errors.New(line))
	}
	return len(found.Trouble) > 0
}
