// Package navigation is how a user moves in the timeline of a conversation: scrolling,
// the cursor on a block and what its keys do, searching, and going to what failed or is
// new. It changes the pane, and answers with an Action where it wants something of the
// conversation.
package navigation

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/render/diff"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/search"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// Msg ends a stretch of work of a search.
type Msg = search.Msg

// Navigator moves in what a pane shows.
type Navigator struct {
	ctx    context.Context
	pane   *transcript.Pane
	search *search.Search // nil if no search is open
	drafts bool           // the draft had the keys when the search was opened
	seen   seen
}

// seen is what the user has seen of the timeline.
type seen struct {
	last    timeline.EntryID // the last entry when they looked away; "" if the timeline was empty
	entries int              // how many there were
	growing uint64           // the version of the last one, if it was an answer that grew; else 0
	away    bool             // they have looked away, at least once
}

// New moves in a pane. What a search does outside the loop ends with ctx.
func New(ctx context.Context, p *transcript.Pane) *Navigator {
	return &Navigator{ctx: ctx, pane: p}
}

// Reset forgets what there was in a session that is not shown any more.
func (n *Navigator) Reset() {
	n.search.End()
	n.search, n.seen = nil, seen{}
}

// Page is how many lines a page has.
func (n *Navigator) Page() int { return max(1, n.pane.Height-2) }

// End goes to the last line, which is followed then whatever the settings say.
func (n *Navigator) End() {
	n.pane.End()
	n.pane.Asked = true
}

// Browse gives the keys to the timeline.
func (n *Navigator) Browse() Action {
	if n.pane.Lowest() < 0 {
		return hint("There is nothing to read yet.")
	}
	n.pane.Browsing = true
	if _, ok := n.pane.Block(); !ok {
		n.pane.Cursor = ""
		n.pane.Step(true)
	}
	return nil
}

// LeaveBlocks gives the keys back to the draft.
func (n *Navigator) LeaveBlocks() {
	n.pane.Browsing, n.pane.Cursor = false, ""
	if n.pane.Ends() {
		n.pane.End()
	}
}

// Step moves the cursor on blocks, or begins with it.
func (n *Navigator) Step(down bool) Action {
	if !n.pane.Browsing {
		return n.Browse()
	}
	n.pane.Step(down)
	return nil
}

// Beneath reports whether something other than the conversation is shown though the draft
// has the keys: a search without its bar, or a sub-agent.
func (n *Navigator) Beneath() bool { return n.search != nil || n.pane.Over != nil }

// Leave goes back to what is around: from what was searched for to all, from a sub-agent
// to the conversation, from there to the draft.
func (n *Navigator) Leave() Action {
	switch {
	case n.search != nil:
		if n.drafts {
			n.LeaveBlocks()
		}
		return n.CloseSearch(false)
	case n.pane.Over != nil:
		n.pane.LeaveAgent()
	default:
		n.LeaveBlocks()
	}
	return nil
}

// TurnAway takes the keys from the timeline, for a question.
func (n *Navigator) TurnAway() Action {
	var a Action
	if n.search.Open() {
		a = n.CloseSearch(true)
	}
	n.pane.Browsing = false
	return a
}

// CopySelection copies what is selected, and selects nothing.
func (n *Navigator) CopySelection() Action {
	selected := n.pane.SelectedText()
	n.pane.Deselect()
	return Copy{selected}
}

// SetDensity shows more of the conversation, or less: the density of a name, or the next
// one for "".
func (n *Navigator) SetDensity(to string) Action {
	next, ok := render.DensityNamed(to)
	if to == "" {
		next, ok = (n.pane.Density+1)%(render.Compact+1), true
	}
	if !ok {
		return hint("/density takes compact, normal or verbose.")
	}
	n.pane.ShowBy(next)
	return hint("%s", map[render.Density]string{
		render.Normal:  "Density: normal",
		render.Verbose: "Density: verbose, everything up to " + text.Size(render.VerboseBytes) + " is shown whole",
		render.Compact: "Density: compact, a line for each step",
	}[next])
}

// SetTimes shows times in the way of a name, or in the next one for "".
func (n *Navigator) SetTimes(to string) Action {
	times, ok := render.TimesNamed(to)
	if to == "" {
		times, ok = (n.pane.Opts.Times+1)%(render.TimesFull+1), true
	}
	if !ok {
		return hint("/timestamps takes off, clock, ago or full.")
	}
	n.pane.Opts.Times = times
	return hint("Times: %s", times)
}

// ToggleSplit changes how the timeline shows the edits that it shows whole. Width is that
// of the window.
func (n *Navigator) ToggleSplit(width int) Action {
	o := &n.pane.Opts
	o.SplitDiffs = !o.SplitDiffs
	switch {
	case !o.SplitDiffs:
		return hint("Edits in one column")
	case width < diff.SplitFrom:
		return hint("Edits side by side, in a window of %d columns or more", diff.SplitFrom)
	case !n.pane.Expanded:
		return hint("Edits side by side, when {expand} shows them whole")
	}
	return hint("Edits side by side")
}

// AgentTitle heads the timeline of a sub-agent, at most width cells, with how to go back.
func (n *Navigator) AgentTitle(width int, back string) string {
	a, th := n.pane.Agent, n.pane.Opts.Theme
	mark := th.Render(theme.Accent, th.Glyph(theme.MarkSubAgent))
	title := th.Render(theme.Strong, widget.Cut(th, cmp.Or(a.Title, a.Name, "sub-agent"), width/3))
	what := th.Render(theme.Dim, widget.Cut(th, cmp.Or(a.Description, a.Activity), max(0, width/2)))
	return mark + " " + text.Truncate(title+"  "+what+"   "+back, width, "")
}

// Searching reports whether the bar of a search has the keys.
func (n *Navigator) Searching() bool { return n.search.Open() }

// Search opens the bar of a search, with a query to start with.
func (n *Navigator) Search(query string) Action {
	if n.pane.Timeline.Len() == 0 {
		return hint("There is nothing to search yet.")
	}
	n.drafts = !n.pane.Browsing
	n.search.End()
	n.search = search.New(n.ctx, n.pane)
	var o search.Outcome
	if query != "" {
		o = n.search.Paste(query)
	}
	return Searched{o, true}
}

// searched is what came of something that the search was given.
func (n *Navigator) searched(o search.Outcome) Action {
	if o.Ended {
		n.search = nil
	}
	return Searched{o, false}
}

// SearchKey takes a key of the bar.
func (n *Navigator) SearchKey(keys *keymap.Map, press tea.KeyPressMsg) Action {
	return n.searched(n.search.Key(keys, press))
}

// SearchPaste takes a paste into the query.
func (n *Navigator) SearchPaste(s string) Action { return n.searched(n.search.Paste(s)) }

// Receive takes the end of a stretch of work of a search.
func (n *Navigator) Receive(msg Msg) Action { return n.searched(n.search.Receive(msg)) }

// NextMatch goes to the next match, or the one before.
func (n *Navigator) NextMatch(back bool) Action { return n.searched(n.search.Next(back)) }

// CloseSearch closes the bar of the search, if there is one. What was found stays on the
// screen if it is kept.
func (n *Navigator) CloseSearch(keep bool) Action {
	if n.search == nil {
		return nil
	}
	return n.searched(n.search.Close(keep))
}

// SearchBar draws the bar, at most width cells, and where its caret is.
func (n *Navigator) SearchBar(width int) (line string, caret int) { return n.search.Bar(width) }

// SearchHints are the actions of the bar with what they do.
func (n *Navigator) SearchHints() []string { return n.search.Hints() }
