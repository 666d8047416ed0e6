package transcript

import (
	"parley/timeline"
)

// Snapshot is where a pane is before something comes.
type Snapshot struct {
	top     Place
	shown   bool // there was a line
	last    Spot // the last line
	entries int
}

// Snapshot is where the pane is now.
func (p *Pane) Snapshot() Snapshot {
	s := Snapshot{entries: p.Timeline.Len()}
	if p.Follow {
		s.top, s.shown = p.First()
		s.last = p.last()
	}
	return s
}

// FollowOutput follows the end after something came, as far as the setting goes: to
// where it is (bottom), until the first line of an answer would leave the screen
// (response-top), or only to what the user sent (off). Whoever went to the end
// by key follows it whatever the setting is.
func (p *Pane) FollowOutput(setting string, before Snapshot) {
	if setting == "bottom" || !p.Follow || p.Asked {
		return
	}
	now, ok := p.First()
	if !ok {
		return
	}
	switch setting {
	case "response-top":
		if i := p.answer(before.entries); i >= 0 && Before(Place{Entry: i}, now) {
			p.stay(Place{Entry: i}, before.last)
			p.answered = p.Timeline.At(i).ID
		}
	case "off":
		if before.shown && now != before.top && !p.prompted(before.entries) {
			p.stay(before.top, before.last)
		}
	}
}

// stay shows a line first and follows the end no more. What comes after last is new.
func (p *Pane) stay(at Place, last Spot) {
	p.Follow, p.Asked, p.Top, p.Left = false, false, p.Spot(at), last
}

// answer is the answer that is being said, or was among the entries from n on;
// -1 is none, and what was stayed at before is not one again.
func (p *Pane) answer(n int) int {
	for i := p.Timeline.Len() - 1; i >= 0; i-- {
		e := p.Timeline.At(i)
		switch e.Body.(type) {
		case *timeline.Prompt:
			return -1
		case *timeline.Message:
			if i < n && e.State != timeline.Live || e.ID == p.answered || !p.Shown(i) {
				return -1
			}
			return i
		}
	}
	return -1
}

// prompted reports whether the user's words are among the entries from n on.
func (p *Pane) prompted(n int) bool {
	for i := n; i < p.Timeline.Len(); i++ {
		if b, ok := p.Timeline.At(i).Body.(*timeline.Prompt); ok && b.Source == "" {
			return true
		}
	}
	return false
}

// MaxFresh bounds the lines that Fresh counts, and so its work.
const MaxFresh = 1000

// Fresh is the number of lines below the screen that came while the reader was
// elsewhere, at most MaxFresh.
func (p *Pane) Fresh() int {
	n := 0
	for at, ok := p.FirstFresh(); ok && n < MaxFresh; at, ok = p.Forth(at) {
		rest := len(p.Lines(at.Entry, at.Unit)) - at.Line
		n, at.Line = n+rest, at.Line+rest-1
	}
	return min(n, MaxFresh)
}

// FirstFresh is the first line that Fresh counts, if there is one.
func (p *Pane) FirstFresh() (Place, bool) {
	if p.Follow {
		return Place{}, false
	}
	at, ok := p.Find(p.Left)
	if !ok {
		return Place{}, false
	}
	bottom, _ := p.First()
	for range p.Height - 1 {
		if bottom, ok = p.Forth(bottom); !ok {
			return Place{}, false
		}
	}
	if Before(at, bottom) {
		at = bottom
	}
	return p.Forth(at)
}
