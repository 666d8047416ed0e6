package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/output"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/settings/environ"
	"parley/theme"
)

// library is what the commands use of a sessions.Library.
type library interface {
	Refresh(ctx context.Context) error
	Rebuild(ctx context.Context) error
	Erase(ctx context.Context) error
	Progress() sessions.Progress
	Find(ctx context.Context, r sessions.Request) (sessions.Found, error)
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	Read(ctx context.Context, id session.ID) (io.ReadCloser, error)
	Mark(ctx context.Context, id session.ID, change func(*sessions.Mark)) error
	Deleted(ctx context.Context) ([]sessions.Session, error)
	Known(ctx context.Context) (sessions.Known, error)
	Stats(ctx context.Context, r sessions.Request) (sessions.Stats, error)
	Close() error
}

// past is a command about past sessions: the process around it, its clock, and
// where it finds them.
type past struct {
	process.Console
	now  func() time.Time
	zone *time.Location
	open func() (library, error)
	// browse shows the sessions in a window.
	browse func() error
	// holder is who holds the sessions of a keeper.
	holder func(ctx context.Context, keeper string, o agents.Options) (holder, error)
}

// Command is about the sessions of the past, now and here. browse shows them in a
// window.
func Command(c process.Console, browse func() error) *cobra.Command {
	p := pastOf(c)
	p.browse = browse
	return p.command()
}

// CompleteID completes the id of a past session for a shell.
func CompleteID(c process.Console) cobra.CompletionFunc { return pastOf(c).completeIDs }

// pastOf are the past sessions, now and here.
func pastOf(c process.Console) past {
	return past{
		Console: c, now: time.Now, zone: time.Local,
		open: func() (library, error) { return agents.OpenLibrary(c) },
		holder: func(ctx context.Context, keeper string, o agents.Options) (holder, error) {
			return openHolder(ctx, c, keeper, o)
		},
	}
}

// looking opens the library, brings its index up to date and has do look into it.
// What is wrong with the index or the sessions is reported, and what is known is used.
func (p past) looking(do func(ctx context.Context, l library) error) error {
	return p.opened(func(ctx context.Context, l library) error {
		err := p.watched(ctx, l, l.Refresh)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if warned := p.warned(ctx, l); err != nil && !warned {
			process.Complain(p.Err, fmt.Errorf("read the past sessions: %w", err))
		}
		return do(ctx, l)
	})
}

// opened opens the library for as long as do lasts, or until a signal.
func (p past) opened(do func(ctx context.Context, l library) error) error {
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
	// quietFor is how long an index may take before a line reports it.
	quietFor = 300 * time.Millisecond
	// redrawn is how often its progress is.
	redrawn = 100 * time.Millisecond
)

// watched runs a job on the index. On a terminal one line says how far it is, and
// is removed in the end.
func (p past) watched(ctx context.Context, l library, job func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- job(ctx) }()
	if !term.IsTerminal(p.Err.Fd()) || environ.Dumb(p.Env) {
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
		if line := progressLine(l.Progress(), width-1, output.ShowsUnicode(p.Console)); line != "" {
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
		text.Number(at.Done), text.Number(at.All), text.Size(int(at.Bytes)), text.Size(int(at.Size)))
	if room := min(width-text.Width(line)-2, 30); room >= 8 && at.Size > 0 {
		th := theme.Plain()
		th.ASCII = !unicode
		full := int(float64(room) * min(1, float64(at.Bytes)/float64(at.Size)))
		line += "  " + strings.Repeat(th.Glyph(theme.MarkBar), full) + strings.Repeat(th.Glyph(theme.MarkBarRest), room-full)
	}
	return text.Truncate(line, width, "")
}

// warned writes what the user should know beside an answer, and reports whether
// there is something.
func (p past) warned(ctx context.Context, l library) bool {
	found, err := l.Find(ctx, sessions.Request{Limit: 1})
	if err != nil {
		return false // so does the answer
	}
	for _, line := range found.Warnings {
		process.Complain(p.Err, errors.New(line))
	}
	return len(found.Warnings) > 0
}
