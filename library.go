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

	"parley/history"
	"parley/history/sessions"
	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/tui"
)

// pastSessions opens the sessions that a chat can look back at: those that its agent
// keeps itself, or those of the Copilot CLI on this machine. It is nil for an agent
// that has neither.
func pastSessions(c console, b backend) func(context.Context) (tui.Library, error) {
	switch {
	case b.stored != nil:
		return func(context.Context) (tui.Library, error) {
			return sessions.Open(sessions.Config{Sources: []sessions.Source{b.stored}, Now: time.Now, Location: time.Local})
		}
	case b.local:
		return func(context.Context) (tui.Library, error) { return openLibrary(c) }
	}
	return nil
}

// openLibrary is the library of the sessions of the Copilot CLI. It reads nothing
// yet.
func openLibrary(c console) (*sessions.Library, error) {
	home, _ := os.UserHomeDir()
	config := sessions.Config{Now: time.Now, Location: time.Local}
	copilot := sessions.Home(c.env, home)
	if copilot != "" {
		config.Sources = []sessions.Source{sessions.Copilot(copilot)}
	}
	if dir := history.CacheDir(c.env, home); dir != "" {
		config.Index = filepath.Join(dir, indexName(copilot))
	}
	if dir := history.StateDir(c.env, home); dir != "" {
		config.Marks = filepath.Join(dir, "marks.json")
	}
	l, err := sessions.Open(config)
	if err != nil {
		return nil, fmt.Errorf("open the past sessions: %w", err)
	}
	return l, nil
}

// indexName is the file of the index of the sessions of a home. Each home has one of
// its own: what is stored in one is not gone because it is not in another.
func indexName(home string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(filepath.Clean(home)))
	return fmt.Sprintf("sessions-%016x.db", h.Sum64())
}

// library is what the commands about past sessions ask.
type library interface {
	Refresh(ctx context.Context) error
	Rebuild(ctx context.Context) error
	Progress() sessions.Progress
	Find(ctx context.Context, r sessions.Request) (sessions.Found, error)
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	Read(ctx context.Context, id session.ID) (io.ReadCloser, error)
	Mark(ctx context.Context, id session.ID, change func(*sessions.Mark)) error
	Known(ctx context.Context) (sessions.Known, error)
	Stats(ctx context.Context, r sessions.Request) (sessions.Stats, error)
	Close() error
}

// past is a command about past sessions: the process around it, its clock, and
// where it finds them.
type past struct {
	console
	now  func() time.Time
	zone *time.Location
	open func() (library, error)
	// browse shows the sessions in a window.
	browse func() error
	// agent starts the program that holds the sessions of an agent.
	agent func(ctx context.Context, name string, o options) (session.Agent, error)
}

// newPast is about the sessions of the past, now and here.
func newPast(c console) past {
	return past{
		console: c, now: time.Now, zone: time.Local,
		open: func() (library, error) { return openLibrary(c) },
		browse: func() error {
			o := options{browse: true}
			if err := o.findFolder(); err != nil {
				return err
			}
			var none headlessFlags
			return none.watching(c, func(h headlessFlags) error { return chat(c, o, h) })
		},
		agent: func(ctx context.Context, name string, o options) (session.Agent, error) {
			return holder(ctx, c, name, o)
		},
	}
}

// looking opens the library, brings its index up to date and has do look into it.
// What is wrong with the index or the sessions is told, and what is known is used.
func (p past) looking(do func(ctx context.Context, l library) error) error {
	return p.opened(func(ctx context.Context, l library) error {
		err := p.watched(ctx, l, l.Refresh)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if told := p.told(ctx, l); err != nil && !told {
			complain(p.err, fmt.Errorf("read the past sessions: %w", err))
		}
		return do(ctx, l)
	})
}

// opened opens the library for as long as do lasts, or until a signal.
func (p past) opened(do func(ctx context.Context, l library) error) error {
	ctx, stop := untilSignal(context.Background())
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
func (p past) watched(ctx context.Context, l library, job func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- job(ctx) }()
	if !term.IsTerminal(p.err.Fd()) || lookup(p.env, "TERM") == "dumb" {
		return <-done
	}
	shown := false
	defer func() {
		if shown {
			_, _ = io.WriteString(p.err, "\r\x1b[K")
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
		width, _, _ := term.GetSize(p.err.Fd())
		if line := progressLine(l.Progress(), width-1, p.unicode()); line != "" {
			shown = true
			_, _ = io.WriteString(p.err, "\r"+line+"\x1b[K")
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

// unicode reports whether the terminal shows more than ASCII.
func (c console) unicode() bool {
	return tui.Config{Env: c.env}.Terminal(tui.Heard{}, 0, 0).Unicode
}

// told writes what the person should know beside an answer, and reports whether
// there is something.
func (p past) told(ctx context.Context, l library) bool {
	found, err := l.Find(ctx, sessions.Request{Limit: 1})
	if err != nil {
		return false // so does the answer
	}
	for _, line := range found.Trouble {
		complain(p.err, errors.New(line))
	}
	return len(found.Trouble) > 0
}
