package search

import (
	"context"

	"parley/editor"
	"parley/timeline"
	"parley/tui/transcript"
)

// Of returns a search without a bar, in a timeline that does not change: a matcher finds
// the entries with matches, and exact the matches in what is drawn. What only the
// verbose density shows is left out: every system prompt has the same words. The work
// for a match ends with ctx.
func Of(ctx context.Context, p *transcript.Pane, m *timeline.Matcher, exact func(text string) [][2]int) *Search {
	return &Search{ctx: ctx, pane: p, query: editor.New(), on: p.Timeline, matcher: m, exact: exact}
}

// Count counts the matches. It blocks, and uses nothing of the pane, which may be drawn
// meanwhile.
func (s *Search) Count(ctx context.Context) error {
	s.texts = s.on.SearchCorpus(nil)
	scan := timeline.NewSearchJob(s.texts, s.matcher, nil)
	for !scan.Step(ctx, scanWork) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, h := range scan.Hits(timeline.Everything) {
		if !s.on.At(h.Pos).VerboseOnly {
			h.Before = s.hits.Total()
			s.hits = append(s.hits, h)
		}
	}
	s.done = true
	return ctx.Err()
}

// First goes to the first match, once they were counted.
func (s *Search) First() Outcome { return s.outcome(s.move(nearest)) }

// Stay ends the way to a match.
func (s *Search) Stay() {
	if s != nil {
		s.seek = nil
	}
}
