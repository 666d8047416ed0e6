package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
	"parley/theme"
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

// holder is another conversation than one that has a session; nil if none has.
func (t *tabs) holder(id session.ID, than *conversation) *conversation {
	for _, c := range t.all {
		if c != than && c.holds(id) {
			return c
		}
	}
	return nil
}

// agentNeeded reports whether another conversation needs the agent of one.
func (t *tabs) agentNeeded(of *conversation) bool {
	return slices.ContainsFunc(t.all, func(c *conversation) bool {
		return c != of && c.agent == of.agent && (c.session != nil || c.opening)
	})
}

// served reports whether a conversation has an agent.
func (t *tabs) served(agent session.Agent) bool {
	return slices.ContainsFunc(t.all, func(c *conversation) bool { return c.agent == agent })
}

// forgetAgent drops an agent that has ended, for one conversation and for all that have
// no session on it: they start another one.
func (t *tabs) forgetAgent(agent session.Agent, of *conversation) {
	for _, c := range t.all {
		if c.agent == agent && (c.session == nil || c == of) {
			c.agent = nil
		}
	}
}

// living is the agent of a conversation that goes on: this one's, or another's;
// nil if none runs.
func (t *tabs) living(first *conversation) session.Agent {
	for _, c := range append([]*conversation{first}, t.all...) {
		if c.readOnly == nil && c.agent != nil {
			return c.agent
		}
	}
	return nil
}

// openIDs are the sessions that the window has open, whether they go on or are
// read.
func (t *tabs) openIDs() []session.ID {
	var ids []session.ID
	for _, c := range t.all {
		ids = append(ids, c.info.ID, c.resume)
	}
	return ids
}

// livesHere reports whether this window goes on with a session: not where it only
// reads it.
func (t *tabs) livesHere(id session.ID) bool {
	return slices.ContainsFunc(t.all, func(c *conversation) bool { return c.readOnly == nil && c.holds(id) })
}

// resumables are the last sessions of all conversations that can be gone on with,
// the one on the screen last.
func (t *tabs) resumables() []session.ID {
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
			waiting = append(waiting, c.name())
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

// openBeside starts another session beside the one on the screen, or goes on
// with an earlier one there.
func (m *Model) openBeside(id string) tea.Cmd {
	if m.front.opening {
		m.front.tell("A session is starting already.")
		return nil
	}
	if i := slices.IndexFunc(m.all, func(c *conversation) bool { return c.holds(session.ID(id)) }); i >= 0 {
		return m.bringLive(m.all[i])
	}
	c := m.newConversation(m.win.config.Options.Dir, session.ID(id))
	c.agent, c.before = m.living(m.front), m.front.resumable()
	return m.add(c)
}

// add opens another conversation beside the one on the screen, and shows it.
func (m *Model) add(c *conversation) tea.Cmd {
	from := m.front
	c.pane = transcript.Pane{Density: from.pane.Density, Opts: from.pane.Opts}
	m.all = slices.Insert(m.all, slices.Index(m.all, from)+1, c)
	c.reset()
	return tea.Batch(c.open(), m.bring(c))
}

// bringLive shows another conversation, and goes on with a session that is only
// read there.
func (m *Model) bringLive(c *conversation) tea.Cmd {
	cmd := m.bring(c)
	if c.readOnly == nil {
		return cmd
	}
	return tea.Batch(cmd, m.goOnReading(c))
}

// bring shows another conversation. What lies open over the one before closes,
// and its question waits without the focus. A question of the one that comes must
// be painted, and listens no sooner.
func (m *Model) bring(c *conversation) tea.Cmd {
	if c == m.front {
		return nil
	}
	left := m.front
	left.questions.Blur(m.win.now)
	typed := left.outcome(left.questions.Tick(m.win.now)) // keys that were held back
	left.closeOverlays()
	left.armed = armed{}
	left.looked()
	m.front, m.win.shown = c, c.id
	c.news = false
	if width := max(1, m.win.width-1); width != c.pane.Opts.Width {
		c.pane.Deselect()
		c.pane.Opts.Width = width
	}
	c.pane.Opts.Theme = m.win.theme
	c.questions.Resize(m.win.now)
	c.questions.WindowFocus(m.win.focused, m.win.now)
	c.welcomeBack()
	m.win.journal.touch()
	return typed
}

// stepConversation shows the conversation after the one on the screen, or the one before,
// around the ends.
func (m *Model) stepConversation(by int) tea.Cmd {
	n := len(m.all)
	if n == 1 {
		m.front.tell("This is the only session here; /new-tab starts another.")
		return nil
	}
	return m.bring(m.all[(slices.Index(m.all, m.front)+by+n)%n])
}

// pickConversation shows those that are open side by side.
func (m *Model) pickConversation(string) tea.Cmd {
	p := &picker.Picker{Title: "Open sessions", Pick: doing(func(r widget.Row) tea.Cmd {
		if i, err := strconv.Atoi(r.Value); err == nil && i < len(m.all) {
			return m.bring(m.all[i])
		}
		return nil
	})}
	p.Live = func() []widget.Row {
		rows := make([]widget.Row, len(m.all))
		for i, c := range m.all {
			rows[i] = widget.Row{
				Value: strconv.Itoa(i), Label: c.name(), Detail: widget.ShortPath(c.info.Dir, m.win.config.Home),
				Right: strings.TrimSpace(m.win.theme.Glyph(c.mark()) + " " + c.standing()),
			}
		}
		return rows
	}
	p.Rows = p.Live()
	m.front.pick(p, strconv.Itoa(slices.Index(m.all, m.front)))
	return nil
}

// name is what a conversation is called: its title, else the folder it works in.
func (c *core) name() string {
	if c.readOnly != nil && c.readOnly.Title != "" {
		return widget.FirstLine(c.readOnly.Title)
	}
	return cmp.Or(widget.FirstLine(c.timeline.Status().Title), widget.Base(c.info.Dir), c.info.Agent)
}

// standing is how a conversation stands, in a few words.
func (c *core) standing() string {
	s := c.timeline.Status()
	switch {
	case c.questions.Len() > 0:
		return "waits for you"
	case c.opening:
		return "starting"
	case c.lost || c.session == nil:
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

// mark is how a conversation stands, at a glance.
func (c *core) mark() theme.Mark {
	s := c.timeline.Status()
	switch {
	case c.questions.Len() > 0:
		return theme.MarkQuestion
	case c.lost || c.session == nil && !c.opening:
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
	case c.lost:
		mark = theme.Error
	case c.news:
		tok = theme.Text
	}
	return th.Render(mark, th.Glyph(c.mark())+" ") + th.Render(tok, widget.Cut(th, c.name(), max(1, width-2)))
}

const (
	// tabGap stands between two of them.
	tabGap = 3
	// leastTab is what a conversation needs in the line of them to be told apart.
	leastTab = 10
)

// tabWidth is the most a conversation has in the line of them.
const tabWidth = 30

// closeBeside leaves the conversation on the screen, which can be resumed, and
// shows its neighbour. Its draft stays with it.
func (m *Model) closeBeside() tea.Cmd {
	c, at := m.front, slices.Index(m.all, m.front)
	var left tea.Cmd
	switch {
	case c.agent != nil && !m.agentNeeded(c): // nobody needs it any more
		left = m.endAgent(c.agent, c, closeTimeout)
	case c.session != nil:
		left = leave(m.win.ctx, c.session)
	}
	c.abandon("The session was left; what you wrote stays with it.")
	c.shell.stopShells()
	c.queue.giveBackHeld()
	for _, p := range c.queue.sending {
		if !p.back {
			m.win.keepAside(p.Draft, "on its way")
		}
	}
	if d := c.composer.Draft(); !d.Empty() {
		if c.info.ID == "" {
			m.win.keepAside(d, "not sent")
		} else {
			m.win.leftDraft(c.info.ID, d)
		}
		c.draft.setDraft(drafts.Draft{})
	}
	next := m.all[(at+1)%len(m.all)]
	next.questions.Restore(c.questions.Written())
	cmd := m.bring(next)
	m.all = slices.Delete(m.all, at, at+1)
	if id := c.current(); id != "" {
		m.front.tell("Session closed. Reopen: %s", m.win.goOnWith(id))
	}
	return tea.Batch(left, cmd)
}
