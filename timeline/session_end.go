package timeline

import (
	"maps"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// sessionShutdown ends the session with a card that sums it up. One in which
// nothing happened ends without a word.
func (lc *lifecycle) sessionShutdown(ev session.Event, b session.SessionShutdown) ApplyResult {
	cut := lc.turn.open && len(lc.pending) == 0 // with a question, its turn continues where it is resumed
	lc.endProcess(ev)
	lc.turn.open = cut // which is said where the session is resumed
	lc.status.Ended = true
	if b.CurrentModel != "" && b.CurrentModel != lc.status.Model {
		lc.status.Model, lc.status.Effort = b.CurrentModel, ""
	}
	c := newSessionEnd(ev, b, lc.closed)
	s := Done
	switch {
	case c.Failed:
		s = Failed
	case len(c.Models) == 0 && c.Premium == 0 && len(c.Files) == 0 && c.Added+c.Removed == 0:
		return Applied
	}
	lc.add(ev, entryID("closing", string(ev.ID)), c, s)
	return Applied
}

// newSessionEnd sums up a session; the time that it was closed in does not count.
func newSessionEnd(ev session.Event, b session.SessionShutdown, closed []span) *SessionEnd {
	c := &SessionEnd{
		Failed:   b.ShutdownType == "error",
		Reason:   strings.TrimSpace(b.ErrorReason),
		Thinking: milliseconds(b.TotalAPIDurationMs),
		Premium:  b.TotalPremiumRequests,
		Added:    b.CodeChanges.LinesAdded,
		Removed:  b.CodeChanges.LinesRemoved,
		Files:    b.CodeChanges.FilesModified,
	}
	if b.SessionStartTime > 0 && !ev.Time.IsZero() {
		start := time.UnixMilli(b.SessionStartTime)
		c.Took = ev.Time.Sub(start)
		for _, s := range closed {
			if s.from.Before(start) {
				s.from = start
			}
			c.Took -= max(0, s.to.Sub(s.from))
		}
		c.Took = max(0, c.Took)
	}
	for _, model := range slices.Sorted(maps.Keys(b.ModelMetrics)) {
		u := modelUsage(b.ModelMetrics[model])
		if u != (Usage{}) {
			c.Models = append(c.Models, ModelUse{Model: model, Usage: u})
		}
	}
	return c
}
