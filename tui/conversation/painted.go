package conversation

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
)

// PaintMsg asks whether a card has reached the terminal.
type PaintMsg struct{ Generation uint64 }

// painting follows one generation of a question's card to the terminal: it
// must have been part of a view, that view must have been flushed, and the
// terminal must have answered what was asked after it (docs/decisions.md 2).
type painting struct {
	generation uint64 // followed now; 0 is none
	Drawn      uint64 // generation of the card in the last view that showed one
	writes     uint64 // writes to the terminal when its first view was built
	Asked      bool   // the terminal was asked for its cursor
	checks     int    // times the flush was looked for
}

// paintTime is two frames: after it, a view that was built has been flushed.
const paintTime = 2 * time.Second / FrameRate

// paintChecks bounds how often a flush is looked for: half a second.
const paintChecks = 30

// draws follows that a view shows the card. A second view of it may write nothing.
func (p *painting) draws(w *Window, card uint64) {
	if p.Drawn != card {
		p.Drawn, p.writes = card, w.Flushed()
	}
}

// follow starts to follow a new generation of the card.
func (p *painting) follow(w *Window, q *prompts.Queue) tea.Cmd {
	g := q.Generation()
	if q.Len() == 0 || g == p.generation {
		return nil
	}
	p.generation, p.Asked, p.checks = g, false, 0
	return w.checkPaint(g)
}

func (w *Window) checkPaint(generation uint64) tea.Cmd {
	return w.After(paintTime, func(time.Time) tea.Msg { return PaintMsg{generation} })
}

// painted asks the terminal where its cursor is once the card was flushed. The
// answer comes after every key that was pressed before the card could be seen.
func (p *painting) painted(msg PaintMsg, w *Window, q *prompts.Queue) tea.Cmd {
	switch {
	case msg.Generation != p.generation || q.Len() == 0:
		return nil
	case p.Drawn != p.generation || w.Flushed() <= p.writes:
		if p.checks++; p.checks > paintChecks {
			return nil // nothing changed on screen; the queue's own time limit decides
		}
		return w.checkPaint(msg.Generation)
	}
	p.Asked = true
	return tea.RequestCursorPosition
}

// answered takes the terminal's answer.
func (p *painting) answered(q *prompts.Queue, at time.Time) {
	if p.Asked {
		p.Asked = false
		q.Painted(p.generation, at)
	}
}
