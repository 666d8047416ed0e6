package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// tabs are the conversations of a window.
type tabs struct {
	win    *conversation.Window
	all    []*conversation.Conversation // in their order on the screen
	lastID conversation.ID              // the last that was given
}

// newConversation returns one that is in no tab yet, as the function does.
func (t *tabs) newConversation(with *conversation.Backend, dir string, resume session.ID) *conversation.Conversation {
	t.lastID++
	return conversation.New(t.win, t.lastID, with, dir, resume)
}

// deliver gives a message to the conversation that it is for, whether that is on the
// screen or not. It reports whether that one is still open.
func (t *tabs) deliver(in conversation.Message) (cmd tea.Cmd, ok bool) {
	i := slices.IndexFunc(t.all, func(c *conversation.Conversation) bool { return c.ID == in.To })
	if i < 0 {
		return nil, false
	}
	cmd = t.all[i].Receive(in.Msg)
	if t.all[i] != t.win.Front {
		t.win.Front.RefreshList() // it may be in it
	}
	return cmd, true
}

// otherWith is a conversation other than one, which may be nil, that has a session; nil if
// none has.
func (t *tabs) otherWith(id session.ID, than *conversation.Conversation) *conversation.Conversation {
	for _, c := range t.all {
		if c != than && c.Holds(id) {
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
		ids = append(ids, c.Info.ID, c.Resume)
	}
	return ids
}

// livesHere reports whether this window resumes a session: not where it only
// reads it.
func (t *tabs) livesHere(id session.ID) bool {
	return slices.ContainsFunc(t.all, func(c *conversation.Conversation) bool { return c.ReadOnly == nil && c.Holds(id) })
}

// resumeCommands are what resumes the last sessions of all conversations that can be
// resumed, the one on the screen last.
func (t *tabs) resumeCommands() []string {
	var commands []string
	last := t.win.Front.Resumable()
	for _, c := range t.all {
		command := c.Backend.ResumeCommand(c.Resumable())
		if id := c.Resumable(); id != "" && id != last && !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	if last != "" {
		commands = append(commands, t.win.Front.Backend.ResumeCommand(last))
	}
	return commands
}

// othersItem says which of the other conversations wait for the user.
func (t *tabs) othersItem() string {
	var waiting []string
	for _, c := range t.all {
		if c != t.win.Front && c.Questions.Len() > 0 {
			waiting = append(waiting, c.Summary.Name())
		}
	}
	switch len(waiting) {
	case 0:
		return ""
	case 1:
		return t.win.Theme.Glyph(theme.MarkQuestion) + " " + t.win.Cut(waiting[0], 20) + " waits for you"
	}
	return fmt.Sprintf("%s %d other sessions wait for you", t.win.Theme.Glyph(theme.MarkQuestion), len(waiting))
}

// endsToo says what else ends with the window.
func (t *tabs) endsToo() string {
	n := 0
	for _, c := range t.all {
		if c != t.win.Front && c.Summary.AtWork() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", and end " + text.Count(n, "other session") + " at work"
}

// add opens another conversation beside the one on the screen, and shows it.
func (t *tabs) add(c *conversation.Conversation) tea.Cmd {
	from := t.win.Front
	t.all = slices.Insert(t.all, slices.Index(t.all, from)+1, c)
	c.ShowLike(from)
	return tea.Batch(c.Open(), t.show(c))
}

// show shows another conversation. What lies open over the one before closes,
// and its question waits without the focus. A question of the one that comes must
// be painted, and listens no sooner.
func (t *tabs) show(c *conversation.Conversation) tea.Cmd {
	if c == t.win.Front {
		return nil
	}
	typed := t.win.Front.LeaveScreen()
	t.win.Front = c
	c.EnterScreen()
	t.win.Journal.Touch()
	return typed
}

// step shows the conversation after the one on the screen, or the one before,
// around the ends.
func (t *tabs) step(by int) tea.Cmd {
	n := len(t.all)
	if n == 1 {
		return t.win.Front.ShowHint("This is the only session here; /new-tab starts another.")
	}
	return t.show(t.all[(slices.Index(t.all, t.win.Front)+by+n)%n])
}

// pick shows those that are open side by side.
func (t *tabs) pick(string) tea.Cmd {
	p := &picker.Picker{Title: "Open sessions", Pick: conversation.Doing(func(r widget.Row) tea.Cmd {
		if i, err := strconv.Atoi(r.Value); err == nil && i < len(t.all) {
			return t.show(t.all[i])
		}
		return nil
	})}
	p.Live = func() []widget.Row {
		rows := make([]widget.Row, len(t.all))
		for i, c := range t.all {
			words, mark := c.Summary.State()
			rows[i] = widget.Row{
				Value: strconv.Itoa(i), Label: c.Summary.Name(), Detail: widget.ShortPath(c.Info.Dir, t.win.Config.Home),
				Right: strings.TrimSpace(t.win.Theme.Glyph(mark) + " " + words),
			}
		}
		return rows
	}
	p.Rows = p.Live()
	t.win.Front.Pick(p, strconv.Itoa(slices.Index(t.all, t.win.Front)))
	return nil
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
	_, _, line, _ := t.fitting(th, width)
	lines := []string{widget.Indent + line}
	if height >= conversation.TallScreen {
		lines = append(lines, "")
	}
	return lines
}

// fitting are those that there is room for in a window of a width: from one to before
// another, how they look, and the width of each at most.
func (t *tabs) fitting(th *theme.Theme, width int) (from, to int, line string, each int) {
	room := max(0, width-widget.Margin-1)
	count := tabGap + len(fmt.Sprintf("+%d", len(t.all)))
	each = min(max(leastTab, (room+tabGap)/len(t.all)-tabGap), tabWidth, max(0, room-count))
	if from, to, line = t.tabsIn(th, room, each); to-from < len(t.all) {
		from, to, line = t.tabsIn(th, room-count, each)
		line += widget.Blank(tabGap) + th.Render(theme.Dim, fmt.Sprintf("+%d", len(t.all)-(to-from)))
	}
	return from, to, line, each
}

// click shows the conversation of which the tab is at a column of the screen.
func (t *tabs) click(x int) tea.Cmd {
	from, to, _, each := t.fitting(t.win.Theme, t.win.Width)
	end := widget.Margin
	for _, c := range t.all[from:to] {
		begin := end
		if end += text.Width(t.tabOf(t.win.Theme, c, each)); x >= begin && x < end {
			return t.show(c)
		}
		end += tabGap
	}
	return nil
}

// tabsIn are as many as there is room for, around the one on the screen: those
// from one to before another, and how they look.
func (t *tabs) tabsIn(th *theme.Theme, room, each int) (from, to int, line string) {
	front := slices.Index(t.all, t.win.Front)
	from, to, line = front, front+1, t.tabOf(th, t.win.Front, each)
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
func (t *tabs) tabOf(th *theme.Theme, c *conversation.Conversation, width int) string {
	tok, mark := theme.Dim, theme.Dim
	switch {
	case c == t.win.Front:
		tok, mark = theme.Selected, theme.Selected // without colour it is the only one reversed
	case c.Questions.Len() > 0:
		tok, mark = theme.Accent, theme.Accent
	case c.Disconnected:
		mark = theme.Error
	case c.News:
		tok = theme.Text
	}
	_, state := c.Summary.State()
	return th.Render(mark, th.Glyph(state)+" ") + th.Render(tok, widget.Cut(th, c.Summary.Name(), max(1, width-2)))
}

const (
	// tabGap stands between two of them.
	tabGap = 3
	// leastTab is what a conversation needs in the line of them to be distinguished.
	leastTab = 10
	// tabWidth is the most a conversation has in the line of them.
	tabWidth = 30
)

// overlayFacts are those of now.
func (t *tabs) overlayFacts() overlay.Facts {
	f := t.win.Front.OverlayFacts()
	f.Open = make([]overlay.Session, 0, len(t.all))
	for _, c := range t.all {
		one := overlay.Session{ID: c.ShownID(), ReadOnly: c.ReadOnly != nil, Renames: c.Summary.Renames()}
		if c == t.win.Front {
			f.Open = slices.Insert(f.Open, 0, one)
		} else {
			f.Open = append(f.Open, one)
		}
	}
	return f
}
