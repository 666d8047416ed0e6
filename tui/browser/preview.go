package browser

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render"
	"parley/session"
	"parley/timeline"
	"parley/tui/search"
	"parley/tui/transcript"
)

// preview is a past session as its timeline was.
type preview struct {
	log       sessions.Log
	pane      transcript.Pane
	truncated bool   // the log continues
	warning   string // why it is not all of the log; "" if it is

	matcher  *timeline.Matcher // of the words that were searched for last; nil without a search
	search   *search.Search    // nil until that ends
	hopPress uint64            // the number of the key press that asked for a hit: any other cancels the way to it
}

const (
	// previewDebounce is how long a session must be the chosen one before it is read.
	previewDebounce = 80 * time.Millisecond
	// maxPreviewBytes bounds what is read of a log.
	maxPreviewBytes = 32 << 20
	// maxPreviews is how many are cached in addition to the one that is shown.
	maxPreviews = 5
)

// sameLog reports whether a log is that of a session as it is now.
func sameLog(l *sessions.Log, s *sessions.Session) bool {
	return l.ID == s.ID && l.Agent == s.Agent && l.Size == s.Size && l.Modified.Equal(s.Modified)
}

// previewSoon shows the chosen session: at once if it was read before, else once it has
// been chosen for a moment.
func (b *Browser) previewSoon() tea.Cmd {
	s := b.list.session()
	if s == nil {
		b.stopReading()
		b.preview, b.previewFocused = nil, false
		return nil
	}
	if i := slices.IndexFunc(b.previews, func(p *preview) bool { return sameLog(&p.log, s) }); i >= 0 {
		p := b.previews[i]
		if b.preview != p {
			b.stopReading()
			b.previews = slices.Insert(slices.Delete(b.previews, i, i+1), 0, p)
			b.preview = p
			b.layoutPreview()
		}
		if p.matcher == b.matcher {
			return nil
		}
		return b.searchPreview(p)
	}
	if b.loading != nil && sameLog(b.loading, s) {
		return nil // another search that finds it must not start the reading again
	}
	if b.preview != nil && b.preview.log.ID != s.ID {
		b.preview = nil // that of a session that has grown stays until it is read again
	}
	b.stopReading()
	log, wanted := s.Log, b.previewRequests
	b.loading = &log
	return b.later(previewDebounce, func() tea.Cmd {
		if b.previewRequests != wanted {
			return nil
		}
		return b.readPreview()
	})
}

// stopReading cancels the reading of another session.
func (b *Browser) stopReading() {
	b.previewRequests++
	if b.cancelPreview != nil {
		b.cancelPreview()
	}
	b.cancelPreview, b.loading = nil, nil
}

// readPreview reads the chosen session.
func (b *Browser) readPreview() tea.Cmd {
	s := b.list.session()
	if s == nil {
		return nil
	}
	ctx, stop := context.WithCancel(b.ctx)
	b.cancelPreview = stop
	wanted, library, log, matcher, exact, whole := b.previewRequests, b.library, s.Log, b.matcher, b.parsed.Matches, b.ctx
	return job(ctx, b, func(ctx context.Context) (*preview, error) {
		p, err := newPreview(ctx, library, log)
		if err != nil || matcher == nil {
			return p, err
		}
		p.matcher, p.search = matcher, search.Of(whole, &p.pane, matcher, exact)
		return p, p.search.Count(ctx)
	}, func(p *preview, err error) tea.Cmd {
		stop()
		if b.previewRequests != wanted {
			return nil
		}
		if err != nil {
			p = &preview{log: log, warning: "It cannot be read: " + err.Error()}
			if errors.Is(err, sessions.ErrKept) {
				p.warning = b.Keys.Fill("Its agent keeps this session: {session-open} opens it and shows what was said.")
			}
			p.pane = transcript.New(timeline.New(), render.Options{})
		}
		before := b.preview
		b.preview, b.cancelPreview, b.loading = p, nil, nil
		b.previews = slices.Insert(slices.DeleteFunc(b.previews, func(o *preview) bool { return o.log.ID == log.ID }), 0, p)
		b.previews = b.previews[:min(len(b.previews), maxPreviews+1)]
		b.layoutPreview()
		switch {
		case p.matcher != b.matcher: // the query has changed since
			return b.searchPreview(p)
		case before != nil && !before.pane.Follow: // of a session that has grown
			p.pane.Follow, p.pane.Top = false, before.pane.Top
		case p.search != nil:
			return b.hop(p, p.search.First())
		}
		return nil
	})
}

// newPreview reads a session.
func newPreview(ctx context.Context, l Library, log sessions.Log) (*preview, error) {
	in, err := l.Read(ctx, log.ID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	p := &preview{log: log}
	limited := &io.LimitedReader{R: in, N: maxPreviewBytes}
	t, last := timeline.New(), time.Time{}
	for ev, err := range session.ReadLog(limited) {
		var line *session.LineError
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, &line):
			continue // partly written, or no event
		case err != nil:
			p.warning = "It ends here: " + err.Error()
			continue // the last that comes
		}
		if ev.Replayed = true; !ev.Time.IsZero() {
			last = ev.Time
		}
		t.Apply(ev)
	}
	p.truncated = limited.N <= 0
	// What the log leaves unfinished does not continue here.
	t.Apply(session.Event{Time: last, Ephemeral: true, Replayed: true, Body: session.SessionShutdown{}})
	p.pane = transcript.New(t, render.Options{})
	return p, nil
}

// searchPreview searches a session that was read before for the words of the present
// query.
func (b *Browser) searchPreview(p *preview) tea.Cmd {
	b.stopReading()
	if p.search != nil {
		p.search.End()
	}
	matcher := b.matcher
	if p.search, p.matcher = nil, matcher; matcher == nil {
		return nil
	}
	wanted, found := b.previewRequests, search.Of(b.ctx, &p.pane, matcher, b.parsed.Matches)
	ctx, stop := context.WithCancel(b.ctx)
	b.cancelPreview = stop
	return job(ctx, b, func(ctx context.Context) (struct{}, error) { return struct{}{}, found.Count(ctx) },
		func(_ struct{}, err error) tea.Cmd {
			stop()
			if b.previewRequests != wanted {
				if p.matcher == matcher {
					p.matcher = nil // so that it is searched when it is shown again
				}
				return nil
			}
			if b.cancelPreview = nil; err != nil {
				return nil
			}
			p.search = found
			return b.hop(p, found.First())
		})
}

// hop moves to a hit in a preview, until another key is pressed.
func (b *Browser) hop(p *preview, o search.Outcome) tea.Cmd {
	p.hopPress = b.typing.presses
	if o.Next == nil {
		return nil
	}
	return func() tea.Msg {
		step, _ := o.Next().(search.Msg)
		return Msg{Of: b, do: func() tea.Cmd {
			if b.preview != p || b.typing.presses != p.hopPress {
				p.search.Stay()
				return nil
			}
			return b.hop(p, p.search.Receive(step))
		}}
	}
}

// layoutPreview gives the preview its size and the look of the window.
func (b *Browser) layoutPreview() {
	p := b.preview
	if p == nil {
		return
	}
	width, height := b.previewSize()
	o := b.Options
	o.Width, o.Theme, o.Now, o.Dir, o.Images, o.Unfold = max(1, width), b.Theme, time.Time{}, p.log.Dir, nil, ""
	p.pane.Opts, p.pane.Height = o, max(0, height)
	p.pane.Density = b.Density
	if p.pane.Highlight = nil; p.search != nil {
		p.pane.Highlight = p.search.Mark
	}
}
