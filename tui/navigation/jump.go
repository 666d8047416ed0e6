package navigation

import (
	"slices"

	"parley/render"
	"parley/timeline"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// StepPrompt goes to the prompt after the block, or the one before it.
func (n *Navigator) StepPrompt(down bool) Action {
	p := n.pane
	i, ok := p.Timeline.Find(p.Cursor)
	if !ok {
		i = p.Timeline.Len()
	}
	by := -1
	if down {
		by = 1
	}
	for i += by; i >= 0 && i < p.Timeline.Len(); i += by {
		if _, prompt := p.Timeline.At(i).Body.(*timeline.Prompt); prompt && p.Shown(i) {
			p.Point(i)
			p.ShowTop(i)
			return nil
		}
	}
	return hint("There is no other prompt that way.")
}

// LastFailure goes to what failed last; from there to what failed before.
func (n *Navigator) LastFailure() Action {
	p := n.pane
	from := p.Timeline.Len()
	if i, ok := p.Timeline.Find(p.Cursor); ok && p.Browsing && p.Timeline.At(i).Failure() {
		from = i
	}
	for i := from - 1; i >= 0; i-- {
		if p.Timeline.At(i).Failure() && p.Shown(i) {
			return n.goTo(i)
		}
	}
	if from < p.Timeline.Len() {
		return hint("Nothing failed before this.")
	}
	return hint("Nothing failed.")
}

// goTo gives the keys to the timeline, at entry i.
func (n *Navigator) goTo(i int) Action {
	n.pane.Browsing = true
	n.pane.Point(i)
	return Uncover{}
}

// FirstUnread goes to the first line that came below the screen while the user read above,
// or else to the first block that came while the user was elsewhere.
func (n *Navigator) FirstUnread() Action {
	p := n.pane
	p.LeaveAgents()
	if at, ok := p.FirstFresh(); ok {
		a := n.goTo(at.Entry)
		p.Settle(at)
		return a
	}
	i := p.Timeline.Len()
	if last, ok := p.Timeline.Find(n.seen.last); ok {
		i = last + 1
		if n.grown(last) {
			i = last
		}
	} else if n.seen.away {
		i = 0 // there was nothing to see
	}
	if i < p.Timeline.Len() && !p.Shown(i) {
		i = p.Below(i)
	}
	if i >= p.Timeline.Len() {
		return hint("You have seen all of it.")
	}
	a := n.goTo(i)
	p.ShowTop(i)
	return a
}

// LookAway notes what the user has seen when they turn away from the conversation.
func (n *Navigator) LookAway() {
	t := n.pane.Conversation()
	n.seen = seen{away: true, entries: t.Len()}
	if t.Len() > 0 {
		last := t.At(t.Len() - 1)
		n.seen.last = last.ID
		if _, answer := last.Body.(*timeline.Message); answer && !last.State.Final() {
			n.seen.growing = last.Version
		}
	}
}

// grown reports whether entry i is an answer that has grown since the user looked away.
func (n *Navigator) grown(i int) bool {
	e := n.pane.Conversation().At(i)
	return n.seen.growing > 0 && e.ID == n.seen.last && e.Version != n.seen.growing
}

// LookBack reports what came while the user was away.
func (n *Navigator) LookBack() Action {
	t, count := n.pane.Conversation(), 0
	from := n.seen.entries
	if from > 0 && from <= t.Len() && n.grown(from-1) {
		from--
	}
	for i := from; n.seen.entries > 0 && i < t.Len(); i++ {
		if render.Shown(t.At(i), n.pane.Options(t.At(i))) {
			count++
		}
	}
	if count > 1 {
		return hint("%d new since you left; {unread} goes to the first", count)
	}
	return nil
}

// Links offers the addresses and the places in files of the conversation, the last one
// first.
func (n *Navigator) Links() Action {
	return OpenLink{n.pane.Conversation().Links(), "There are no links yet."}
}

// LinkList is a list of links to open one.
func LinkList(links []timeline.Link) Pick {
	rows := widget.Rows(links, func(l timeline.Link) widget.Row { return widget.Row{Value: l.Text, Label: l.Text} })
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Open a link"}
	p.Pick = func(r widget.Row) overlay.Request {
		if l := links[slices.IndexFunc(links, func(l timeline.Link) bool { return l.Text == r.Value })]; l.Path != "" {
			return overlay.OpenPlace{Path: l.Path, Line: l.Line, Column: l.Column}
		}
		return overlay.OpenAddress{URL: r.Value}
	}
	p.More = []picker.Key{{Action: "list-copy", Title: "copy", Do: func(r widget.Row) overlay.Request {
		p.Ask(overlay.Close{})
		return overlay.Copy{Text: r.Value}
	}}}
	return Pick{p, links[0].Text}
}
