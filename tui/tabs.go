package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/picker"
	"parley/tui/transcript"
	"parley/tui/widget"
)

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
	c := m.newConversation(m.config.Options.Dir, session.ID(id))
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
	left.questions.Blur(m.now)
	typed := left.outcome(left.questions.Tick(m.now)) // keys that were held back
	left.closeOverlays()
	left.armed, m.pointer = armed{}, pointer{given: m.pointer.given, rolling: m.pointer.rolling}
	left.looked()
	m.front, m.shown = c, c.id
	c.news, m.waking = false, time.Time{}
	if width := max(1, m.width-1); width != c.pane.Opts.Width {
		c.pane.Deselect()
		c.pane.Opts.Width = width
	}
	c.pane.Opts.Theme = m.theme
	c.questions.Resize(m.now)
	c.questions.WindowFocus(m.focused, m.now)
	c.welcomeBack()
	m.journal.touch()
	return typed
}

// stepConversation shows the conversation after the one on the screen, or the one before,
// around the ends.
func (m *Model) stepConversation(by int) tea.Cmd {
	n := len(m.all)
	if n == 1 {
		m.front.tell("This is the only session here; /beside starts another.")
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
				Value: strconv.Itoa(i), Label: c.name(), Detail: widget.ShortPath(c.info.Dir, m.config.Home),
				Right: strings.TrimSpace(m.theme.Glyph(c.mark()) + " " + c.standing()),
			}
		}
		return rows
	}
	p.Rows = p.Live()
	m.front.pick(p, strconv.Itoa(slices.Index(m.all, m.front)))
	return nil
}

// name is what a conversation is called: its title, else the folder it works in.
func (c *conversation) name() string {
	if c.readOnly != nil && c.readOnly.Title != "" {
		return widget.FirstLine(c.readOnly.Title)
	}
	return cmp.Or(widget.FirstLine(c.timeline.Status().Title), widget.Base(c.info.Dir), c.info.Agent)
}

// standing is how a conversation stands, in a few words.
func (c *conversation) standing() string {
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
func (c *conversation) mark() theme.Mark {
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
func (m *Model) tabs() []string {
	if len(m.all) < 2 || m.height < tabScreen {
		return nil
	}
	room := max(0, m.width-widget.Margin-1)
	count := tabGap + len(fmt.Sprintf("+%d", len(m.all)))
	each := min(max(leastTab, (room+tabGap)/len(m.all)-tabGap), tabWidth, max(0, room-count))
	from, to, line := m.tabsIn(room, each)
	if to-from < len(m.all) {
		from, to, line = m.tabsIn(room-count, each)
		line += widget.Blank(tabGap) + m.theme.Render(theme.Dim, fmt.Sprintf("+%d", len(m.all)-(to-from)))
	}
	lines := []string{widget.Indent + line}
	if m.height >= tallScreen {
		lines = append(lines, "")
	}
	return lines
}

// tabsIn are as many as there is room for, around the one on the screen: those
// from one to before another, and how they look.
func (m *Model) tabsIn(room, each int) (from, to int, line string) {
	front := slices.Index(m.all, m.front)
	from, to, line = front, front+1, m.tabOf(m.front, each)
	for after, before := true, true; after || before; {
		if after = after && to < len(m.all); after {
			next := line + widget.Blank(tabGap) + m.tabOf(m.all[to], each)
			if after = text.Width(next) <= room; after {
				line, to = next, to+1
			}
		}
		if before = before && from > 0; before {
			next := m.tabOf(m.all[from-1], each) + widget.Blank(tabGap) + line
			if before = text.Width(next) <= room; before {
				line, from = next, from-1
			}
		}
	}
	return from, to, line
}

// tabOf is a conversation in the line of them.
func (m *Model) tabOf(c *conversation, width int) string {
	tok, mark := theme.Dim, theme.Dim
	switch {
	case c == m.front:
		tok, mark = theme.Selected, theme.Selected // without colour it is the only one reversed
	case c.questions.Len() > 0:
		tok, mark = theme.Accent, theme.Accent
	case c.lost:
		mark = theme.Error
	case c.news:
		tok = theme.Text
	}
	return m.theme.Render(mark, m.theme.Glyph(c.mark())+" ") + m.theme.Render(tok, m.cut(c.name(), max(1, width-2)))
}

const (
	// tabGap stands between two of them.
	tabGap = 3
	// leastTab is what a conversation needs in the line of them to be told apart.
	leastTab = 10
)

// tabWidth is the most a conversation has in the line of them.
const tabWidth = 30

// othersItem says which of the other conversations wait for the user.
func (m *Model) othersItem() string {
	var waiting []string
	for _, c := range m.all {
		if c != m.front && c.questions.Len() > 0 {
			waiting = append(waiting, c.name())
		}
	}
	switch len(waiting) {
	case 0:
		return ""
	case 1:
		return m.theme.Glyph(theme.MarkQuestion) + " " + m.cut(waiting[0], 20) + " waits for you"
	}
	return fmt.Sprintf("%s %d other sessions wait for you", m.theme.Glyph(theme.MarkQuestion), len(waiting))
}

// closeBeside leaves the conversation on the screen, which can be resumed, and
// shows its neighbour. Its draft stays with it.
func (m *Model) closeBeside() tea.Cmd {
	c, at := m.front, slices.Index(m.all, m.front)
	var left tea.Cmd
	switch {
	case c.agent != nil && !m.agentNeeded(c): // nobody needs it any more
		left = m.endAgent(c.agent, c, closeTimeout)
	case c.session != nil:
		left = leave(m.ctx, c.session)
	}
	c.abandon("The session was left; what you wrote stays with it.")
	c.stopShells()
	c.giveBackHeld()
	for _, p := range c.sending {
		if !p.back {
			m.keepAside(p.draft, "on its way")
		}
	}
	if d := c.composer.editor.Draft(); !d.Empty() {
		if c.info.ID == "" {
			m.keepAside(d, "not sent")
		} else {
			m.leftDraft(c.info.ID, d)
		}
		c.setDraft(drafts.Draft{})
	}
	next := m.all[(at+1)%len(m.all)]
	next.questions.Restore(c.questions.Written())
	cmd := m.bring(next)
	m.all = slices.Delete(m.all, at, at+1)
	if id := c.current(); id != "" {
		m.front.tell("Left: %s", m.goOnWith(id))
	}
	return tea.Batch(left, cmd)
}

// endsToo says what else ends with the window.
func (m *Model) endsToo() string {
	n := 0
	for _, c := range m.all {
		s := c.timeline.Status()
		works := c.session != nil && c.readOnly == nil && (s.Busy || s.Compacting || s.Agents > 0)
		if c != m.front && (works || c.questions.Len() > 0 || len(c.shells) > 0) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", and end " + text.Count(n, "other session") + " at work"
}
