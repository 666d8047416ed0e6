package tui

import (
	"parley/timeline"
)

// stand is where a pane is before something comes.
type stand struct {
	top     place
	shown   bool // there was a line
	entries int
}

func (p *pane) stand() stand {
	s := stand{entries: p.timeline.Len()}
	if p.follow {
		s.top, s.shown = p.first()
	}
	return s
}

// came follows the end after something came, as far as the setting goes: to
// where it is (bottom), until the first line of an answer would leave the screen
// (response-top), or only to what the user sent (off). Whoever went to the end
// by key follows it whatever the setting says.
func (p *pane) came(setting string, stood stand) {
	if setting == "bottom" || !p.follow || p.asked {
		return
	}
	now, ok := p.first()
	if !ok {
		return
	}
	switch setting {
	case "response-top":
		if i := p.answer(stood.entries); i >= 0 && before(place{entry: i}, now) {
			p.stay(place{entry: i}, i+1)
			p.answered = p.timeline.At(i).ID
		}
	case "off":
		if stood.shown && now != stood.top && !p.prompted(stood.entries) {
			p.stay(stood.top, stood.entries)
		}
	}
}

// stay shows a line first and follows the end no more. There were n entries that
// are not news.
func (p *pane) stay(at place, n int) {
	p.leave()
	p.follow, p.top = false, p.spot(at)
	p.left, p.counted, p.news = n, n, 0
}

// answer is the answer that is being said, or was among the entries from n on;
// -1 is none, and what was stayed at before is not one again.
func (p *pane) answer(n int) int {
	for i := p.timeline.Len() - 1; i >= 0; i-- {
		e := p.timeline.At(i)
		switch e.Body.(type) {
		case *timeline.Prompt:
			return -1
		case *timeline.Message:
			if i < n && e.State != timeline.Live || e.ID == p.answered || !p.shown(i) {
				return -1
			}
			return i
		}
	}
	return -1
}

// prompted reports whether the user's words are among the entries from n on.
func (p *pane) prompted(n int) bool {
	for i := n; i < p.timeline.Len(); i++ {
		if b, ok := p.timeline.At(i).Body.(*timeline.Prompt); ok && b.Source == "" {
			return true
		}
	}
	return false
}
