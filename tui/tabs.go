package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// tabs are the conversations of a window.
type tabs struct {
	win    *windowState
	all    []*conversation // in their order on the screen
	front  *conversation   // the one that is on it
	lastID conversationID  // the last that was given
}

// newConversation returns one that is in no tab yet, as the function does.
func (t *tabs) newConversation(dir string, resume session.ID) *conversation {
	t.lastID++
	return newConversation(t.win, t.lastID, dir, resume)
}

// deliver gives a message to the conversation that it is for, whether that is on the
// screen or not. It reports whether that one is still open.
func (t *tabs) deliver(in inMsg) (cmd tea.Cmd, ok bool) {
	i := slices.IndexFunc(t.all, func(c *conversation) bool { return c.id == in.to })
	if i < 0 {
		return nil, false
	}
	cmd = t.all[i].receive(in.msg)
	if t.all[i] != t.front {
		t.front.refreshList() // it may be in it
	}
	return cmd, true
}

// otherWith is another conversation than one that has a session; nil if none has.
func (t *tabs) otherWith(id session.ID, than *conversation) *conversation {
	for _, c := range t.all {
		if c != than && c.holds(id) {
			return c
		}
	}
	return nil
}

// openIDs are the sessions that the window has open, whether they are live or
// read.
func (t *tabs) openIDs() []session.ID {
	var ids []session.ID
	for _, c := range t.all {
		ids = append(ids, c.info.ID, c.resume)
	}
	return ids
}

// livesHere reports whether this window resumes a session: not where it only
// reads it.
func (t *tabs) livesHere(id session.ID) bool {
	return slices.ContainsFunc(t.all, func(c *conversation) bool { return c.readOnly == nil && c.holds(id) })
}

// resumableIDs are the last sessions of all conversations that can be resumed,
// the one on the screen last.
func (t *tabs) resumableIDs() []session.ID {
	var ids []session.ID
	for _, c := range t.all {
		if id := c.resumable(); c != t.front && id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	last := t.front.resumable()
	ids = slices.DeleteFunc(ids, func(id session.ID) bool { return id == last })
	if last != "" {
		ids = append(ids, last)
	}
	return ids
}

// othersItem says which of the other conversations wait for the user.
func (t *tabs) othersItem() string {
	var waiting []string
	for _, c := range t.all {
		if c != t.front && c.questions.Len() > 0 {
			waiting = append(waiting, c.displayName())
		}
	}
	switch len(waiting) {
	case 0:
		return ""
	case 1:
		return t.front.win.theme.Glyph(theme.MarkQuestion) + " " + t.front.win.cut(waiting[0], 20) + " waits for you"
	}
	return fmt.Sprintf("%s %d other sessions wait for you", t.front.win.theme.Glyph(theme.MarkQuestion), len(waiting))
}

// endsToo says what else ends with the window.
func (t *tabs) endsToo() string {
	n := 0
	for _, c := range t.all {
		s := c.timeline.Status()
		works := c.session != nil && c.readOnly == nil && (s.Busy || s.Compacting || s.Agents > 0)
		if c != t.front && (works || c.questions.Len() > 0 || len(c.shells) > 0) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", and end " + text.Count(n, "other session") + " at work"
}

// add opens another conversation beside the one on the screen, and shows it.
func (t *tabs) add(c *conversation) tea.Cmd {
	from := t.front
	c.pane = transcript.Pane{Density: from.pane.Density, Opts: from.pane.Opts}
	t.all = slices.Insert(t.all, slices.Index(t.all, from)+1, c)
	c.reset()
	return tea.Batch(c.open(), t.show(c))
}

// show shows another conversation. What lies open over the one before closes,
// and its question waits without the focus. A question of the one that comes must
// be painted, and listens no sooner.
func (t *tabs) show(c *conversation) tea.Cmd {
	if c == t.front {
		return nil
	}
	left := t.front
	left.questions.Blur(t.win.now)
	typed := left.outcome(left.questions.Tick(t.win.now)) // keys that were held back
	left.closeOverlays()
	left.armed = armed{}
	left.nav.LookAway()
	t.front, t.win.shown = c, c.id
	c.news = false
	if width := max(1, t.win.width-1); width != c.pane.Opts.Width {
		c.pane.Deselect()
		c.pane.Opts.Width = width
	}
	c.pane.Opts.Theme = t.win.theme
	c.questions.Resize(t.win.now)
	c.questions.WindowFocus(t.win.focused, t.win.now)
	c.blocks.do(c.nav.LookBack())
	t.win.journal.touch()
	return typed
}

// step shows the conversation after the one on the screen, or the one before,
// around the ends.
func (t *tabs) step(by int) tea.Cmd {
	n := len(t.all)
	if n == 1 {
		t.front.showHint("This is the only session here; /new-tab starts another.")
		return nil
	}
	return t.show(t.all[(slices.Index(t.all, t.front)+by+n)%n])
}

// pick shows those that are open side by side.
func (t *tabs) pick(string) tea.Cmd {
	p := &picker.Picker{Title: "Open sessions", Pick: doing(func(r widget.Row) tea.Cmd {
		if i, err := strconv.Atoi(r.Value); err == nil && i < len(t.all) {
			return t.show(t.all[i])
		}
		return nil
	})}
	p.Live = func() []widget.Row {
		rows := make([]widget.Row, len(t.all))
		for i, c := range t.all {
			rows[i] = widget.Row{
				Value: strconv.Itoa(i), Label: c.displayName(), Detail: widget.ShortPath(c.info.Dir, t.win.config.Home),
				Right: strings.TrimSpace(t.win.theme.Glyph(c.stateMark()) + " " + c.stateText()),
			}
		}
		return rows
	}
	p.Rows = p.Live()
	t.front.pick(p, strconv.Itoa(slices.Index(t.all, t.front)))
	return nil
}

// displayName is what a conversation is called: its title, else the folder it works in.
func (c *core) displayName() string {
	if c.readOnly != nil && c.readOnly.Title != "" {
		return widget.FirstLine(c.readOnly.Title)
	}
	return cmp.Or(widget.FirstLine(c.timeline.Status().Title), widget.Base(c.info.Dir), c.info.Agent)
}

// stateText is how a conversation stands, in a few words.
func (c *core) stateText() string {
	s := c.timeline.Status()
	switch {
	case c.questions.Len() > 0:
		return "waits for you"
	case c.opening:
		return "starting"
	case c.disconnected || c.session == nil:
		return "ended"
	case c.readOnly != nil:
		return "read only"
	case s.Busy || s.Compacting || s.Agents > 0:
		return cmp.Or(widget.FirstLine(s.Activity), "working")
	case c.news:
		return "done"
	}
	return "idle"
}

// stateMark is how a conversation stands, at a glance.
func (c *core) stateMark() theme.Mark {
	s := c.timeline.Status()
	switch {
	case c.questions.Len() > 0:
		return theme.MarkQuestion
	case c.disconnected || c.session == nil && !c.opening:
		return theme.MarkFailed
	case c.readOnly != nil && !c.opening:
		return theme.MarkBullet
	case c.opening || s.Busy || s.Compacting || s.Agents > 0:
		return theme.MarkRunning
	case c.news:
		return theme.MarkDone
	}
	return theme.MarkBullet
}

// tabScreen is the least height of a window that has a line for the tabs.
const tabScreen = 12

// tabs are the conversations in a line, when there are several: which one is on
// the screen, and how the others stand. Where there is no room for all, the one on
// the screen is among those that are shown, and the others are counted.
func (t *tabs) view(th *theme.Theme, width, height int) []string {
	if len(t.all) < 2 || height < tabScreen {
		return nil
	}
	room := max(0, width-widget.Margin-1)
	count := tabGap + len(fmt.Sprintf("+%d", len(t.all)))
	each := min(max(leastTab, (room+tabGap)/len(t.all)-tabGap), tabWidth, max(0, room-count))
	from, to, line := t.tabsIn(th, room, each)
	if to-from < len(t.all) {
		from, to, line = t.tabsIn(th, room-count, each)
		line += widget.Blank(tabGap) + th.Render(theme.Dim, fmt.Sprintf("+%d", len(t.all)-(to-from)))
	}
	lines := []string{widget.Indent + line}
	if height >= tallScreen {
		lines = append(lines, "")
	}
	return lines
}

// tabsIn are as many as there is room for, around the one on the screen: those
// from one to before another, and how they look.
func (t *tabs) tabsIn(th *theme.Theme, room, each int) (from, to int, line string) {
	front := slices.Index(t.all, t.front)
	from, to, line = front, front+1, t.tabOf(th, t.front, each)
	for after, before := true, true; after || before; {
		if after = after && to < len(t.all); after {
			next := line + widget.Blank(tabGap) + t.tabOf(th, t.all[to], each)
			if after = text.Width(next) <= room; after {
				line, to = next, to+1
			}
		}
		if before = before && from > 0; before {
			next := t.tabOf(th, t.all[from-1], each) + widget.Blank(tabGap) + line
			if before = text.Width(next) <= room; before {
				line, from = next, from-1
			}
		}
	}
	return from, to, line
}

// tabOf is a conversation in the line of them.
func (t *tabs) tabOf(th *theme.Theme, c *conversation, width int) string {
	tok, mark := theme.Dim, theme.Dim
	switch {
	case c == t.front:
		tok, mark = theme.Selected, theme.Selected // without colour it is the only one reversed
	case c.questions.Len() > 0:
		tok, mark = theme.Accent, theme.Accent
	case c.disconnected:
		mark = theme.Error
	case c.news:
		tok = theme.Text
	}
	return th.Render(mark, th.Glyph(c.stateMark())+" ") + th.Render(tok, widget.Cut(th, c.displayName(), max(1, width-2)))
}

const (
	// tabGap stands between two of them.
	tabGap = 3
	// leastTab is what a conversation needs in the line of them to be distinguished.
	leastTab = 10
)

// tabWidth is the most a conversation has in the line of them.
const tabWidth = 30

// overlayFacts are those of now.
func (t *tabs) overlayFacts() overlay.Facts {
	f := t.front.overlayFacts()
	f.Open = make([]overlay.Session, 0, len(t.all))
	for _, c := range t.all {
		if one := (overlay.Session{ID: c.shownID(), ReadOnly: c.readOnly != nil}); c == t.front {
			f.Open = slices.Insert(f.Open, 0, one)
		} else {
			f.Open = append(f.Open, one)
		}
	}
	return f
}

// overlaid gives what lies over the window something. What it asks for is done then.
func (t *tabs) overlaid(do func(o overlay.Overlay) tea.Cmd) tea.Cmd {
	o := t.win.overlay
	o.SetFacts(t.overlayFacts())
	return do(o)
}
