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
	"parley/tui/transcript"
)

// preview is a past session as the timeline shows it.
type preview struct {
	log     sessions.Log
	pane    transcript.Pane
	texts   *timeline.SearchCorpus
	cut     bool   // it goes on
	trouble string // why there is not more of it; "" if there is all

	query   sessions.Query    // whose hits these are
	matcher *timeline.Matcher // of its words
	hits    timeline.SearchHits
	now     *transcript.Spot // the line of the hit that is shown
	nth     int              // among the hits
	hit     int              // which entry with hits it is in
	opened  timeline.EntryID
	stops   stops // of the entry that was looked through last
	way     *way  // to another hit; nil if there is none
}

const (
	// previewTime is how long a session must be the chosen one before it is read.
	previewTime = 80 * time.Millisecond
	// previewBytes bounds what of a log is read for the preview.
	previewBytes = 32 << 20
	// stepBytes is how much of it is searched before it is asked whether that is still
	// wanted.
	stepBytes = 512 << 10
	// previewsKept is how many are kept besides the one that is shown.
	previewsKept = 5
)

// of reports whether the preview shows a session as it is now.
func (p *preview) of(s *sessions.Session) bool { return sameLog(&p.log, s) }

func sameLog(l *sessions.Log, s *sessions.Session) bool {
	return l.ID == s.ID && l.Agent == s.Agent && l.Size == s.Size && l.Modified.Equal(s.Modified)
}

// previewSoon shows the chosen session: at once if it is known, else when it has
// been chosen for a moment.
func (b *Browser) previewSoon() tea.Cmd {
	s := b.list.session()
	if s == nil {
		b.stopReading()
		b.preview, b.looking = nil, false
		return nil
	}
	if i := slices.IndexFunc(b.kept, func(p *preview) bool { return p.of(s) }); i >= 0 {
		p := b.kept[i]
		if b.preview != p {
			b.stopReading()
			b.kept = slices.Insert(slices.Delete(b.kept, i, i+1), 0, p)
			b.preview = p
			b.sizePreview()
		}
		if p.matcher == b.matcher {
			return nil
		}
		return b.searchPreview(p)
	}
	if b.coming != nil && sameLog(b.coming, s) {
		return nil // what is found again and again, as the index grows, begins nothing anew
	}
	if b.preview != nil && b.preview.log.ID != s.ID {
		b.preview = nil // one that has grown stays until it is read again
	}
	b.stopReading()
	log, wanted := s.Log, b.wanted
	b.coming = &log
	return b.later(previewTime, func() tea.Cmd {
		if b.closed || b.wanted != wanted {
			return nil
		}
		return b.readPreview()
	})
}

// stopReading ends what is read for another session.
func (b *Browser) stopReading() {
	b.wanted++
	if b.reading != nil {
		b.reading()
	}
	b.reading, b.coming = nil, nil
}

// readPreview reads the chosen session.
func (b *Browser) readPreview() tea.Cmd {
	s := b.list.session()
	if s == nil {
		return nil
	}
	ctx, stop := context.WithCancel(b.ctx)
	b.reading = stop
	wanted, library, log, query, matcher := b.wanted, b.library, s.Log, b.read, b.matcher
	return job(ctx, b, func(ctx context.Context) (*preview, error) {
		p, err := newPreview(ctx, library, log)
		if err == nil {
			p.query = query
			p.seek(ctx, matcher)
			err = ctx.Err()
		}
		return p, err
	}, func(p *preview, err error) tea.Cmd {
		stop()
		if b.closed || b.wanted != wanted {
			return nil
		}
		if err != nil {
			p = &preview{log: log, trouble: "It cannot be read: " + err.Error()}
			p.pane = transcript.New(timeline.New(), render.Options{})
		}
		before := b.preview
		b.preview, b.reading, b.coming = p, nil, nil
		b.kept = slices.Insert(slices.DeleteFunc(b.kept, func(o *preview) bool { return o.log.ID == log.ID }), 0, p)
		b.kept = b.kept[:min(len(b.kept), previewsKept+1)]
		b.sizePreview()
		var hop tea.Cmd
		if before != nil && !before.pane.Follow { // the one that has grown
			p.pane.Follow, p.pane.Top = false, before.pane.Top
		} else {
			hop = b.hopIn(p, 1)
		}
		if p.matcher != b.matcher { // other words are looked for since
			return b.searchPreview(p)
		}
		return hop
	})
}

// newPreview reads a session.
func newPreview(ctx context.Context, l Library, log sessions.Log) (*preview, error) {
	in, err := l.Read(ctx, log.ID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	p := &preview{log: log, hit: -1}
	limited := &io.LimitedReader{R: in, N: previewBytes}
	t, last := timeline.New(), time.Time{}
	for ev, err := range session.ReadLog(limited) {
		var line *session.LineError
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, &line):
			continue // half written, or no event
		case err != nil:
			p.trouble = "It ends here: " + err.Error()
			continue // the last that comes
		}
		if ev.Replayed = true; !ev.Time.IsZero() {
			last = ev.Time
		}
		t.Apply(ev)
	}
	p.cut = limited.N <= 0
	// What the log left open does not go on here.
	t.Apply(session.Event{Time: last, Ephemeral: true, Replayed: true, Body: session.SessionShutdown{}})
	p.pane = transcript.New(t, render.Options{})
	return p, nil
}

// seek finds the entries with words of a query. The timeline does not change any
// more, so that it may be drawn meanwhile.
func (p *preview) seek(ctx context.Context, matcher *timeline.Matcher) {
	p.matcher, p.hits = matcher, nil
	if matcher == nil {
		return
	}
	p.texts = p.pane.Timeline.SearchCorpus(p.texts)
	p.hits = hitsIn(ctx, p.pane.Timeline, p.texts, matcher)
}

// hitsIn finds the entries of a timeline with words of a query, but for what is told
// for completeness: what every system prompt says is nothing to look for.
func hitsIn(ctx context.Context, t *timeline.Timeline, texts *timeline.SearchCorpus, matcher *timeline.Matcher) timeline.SearchHits {
	scan := timeline.NewSearchJob(texts, matcher, nil)
	for !scan.Step(ctx, stepBytes) {
		if ctx.Err() != nil {
			return nil
		}
	}
	var hits timeline.SearchHits
	for _, h := range scan.Hits(timeline.Everything) {
		if t.At(h.Pos).VerboseOnly {
			continue
		}
		h.Before = hits.Total()
		hits = append(hits, h)
	}
	return hits
}

// searchPreview looks for the words that are asked for now in a session that was
// read before.
func (b *Browser) searchPreview(p *preview) tea.Cmd {
	b.stopReading()
	p.forget()
	matcher := b.matcher
	p.query = b.read
	if p.matcher, p.hits = matcher, nil; matcher == nil {
		return nil
	}
	p.texts = p.pane.Timeline.SearchCorpus(p.texts)
	texts, wanted := p.texts, b.wanted
	ctx, stop := context.WithCancel(b.ctx)
	b.reading = stop
	return job(ctx, b, func(ctx context.Context) (timeline.SearchHits, error) {
		return hitsIn(ctx, p.pane.Timeline, texts, matcher), ctx.Err()
	},
		func(hits timeline.SearchHits, err error) tea.Cmd {
			stop()
			if b.closed || b.wanted != wanted {
				if p.matcher == matcher {
					p.matcher = nil // to be searched when it is shown again
				}
				return nil
			}
			if b.reading = nil; err == nil {
				p.hits = hits
				return b.hopIn(p, 1)
			}
			return nil
		})
}

// sizePreview gives the preview its place and the looks of the window.
func (b *Browser) sizePreview() {
	p := b.preview
	if p == nil {
		return
	}
	width, height := b.previewSize()
	o := b.Options
	o.Width, o.Theme, o.Now, o.Dir, o.Pictures, o.Unfold = max(1, width), b.Theme, time.Time{}, p.log.Dir, nil, ""
	p.pane.Opts, p.pane.Height = o, max(0, height)
	p.pane.Density = b.Density
	p.pane.Highlight = b.marked
}
