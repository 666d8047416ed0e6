package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/tui/appearance"
	"parley/tui/conversation"
	"parley/tui/transcript"
)

// inline writes what is finished of the conversations into the terminal, above the window, where the terminal
// keeps it. It is written once, as it is then.
type inline struct {
	win     *conversation.Window
	looks   *appearance.Appearance
	done    map[conversation.ID]*transcript.Written
	waiting []string // lines that the terminal does not have yet
	sending bool     // some of them are on their way: until they are there, the window stays where it is
	asked   bool     // a message will come when the alternate screen may be gone
	drawn   tea.View // what the terminal had when its size changed and that was not drawn yet
	hidden  bool     // another program has the terminal, or the shell
}

type (
	// wroteMsg says that the terminal has what was on its way.
	wroteMsg struct{}
	// uncoveredMsg says that the alternate screen may be gone.
	uncoveredMsg struct{}
	// hiddenMsg says that the window has taken itself off the terminal, which is given away then.
	hiddenMsg struct{ then func() tea.Cmd }
)

// take adds what is finished of the conversation on the screen, and returns what writes it.
func (in *inline) take(c *conversation.Conversation) tea.Cmd {
	if c.ReadOnly == nil && c.Pane.Agent == nil {
		in.add(in.of(c).Finished(&c.Pane, c.Busy()))
	}
	return in.write()
}

// of is how far a conversation is in the terminal.
func (in *inline) of(c *conversation.Conversation) *transcript.Written {
	if in.done[c.ID] == nil {
		in.done[c.ID] = &transcript.Written{}
	}
	return in.done[c.ID]
}

// add adds lines, as they are drawn in the window.
func (in *inline) add(lines []string) {
	for _, l := range lines {
		if in.win.Theme.Apart {
			l = text.FirstOfEmoji(l)
		}
		in.waiting = append(in.waiting, in.looks.Limited(l))
	}
}

// write has the terminal take the next lines, as many as have room above the window: more would be written over it.
func (in *inline) write() tea.Cmd {
	switch {
	case len(in.waiting) == 0 || in.sending || in.hidden:
		return nil
	case in.win.OnAlternate():
		if in.asked {
			return nil
		}
		in.asked = true
		return in.win.After(frameTime, func(time.Time) tea.Msg { return uncoveredMsg{} })
	}
	n := min(len(in.waiting), max(1, in.win.Height-1))
	lines := strings.Join(in.waiting[:n], "\n")
	in.waiting, in.sending = in.waiting[n:], true
	return tea.Sequence(tea.Println(lines), func() tea.Msg { return wroteMsg{} })
}

// rest is what the terminal does not have yet of the conversation on the screen when the window ends.
func (in *inline) rest(c *conversation.Conversation) string {
	c.Pane.LeaveAgents()
	if c.ReadOnly == nil {
		in.add(in.of(c).Rest(&c.Pane))
	}
	return strings.Join(append(in.waiting, ""), "\n")
}

// resized follows that the terminal has another width: one that is narrower breaks the lines of the window, as of
// all that it has, so that the cursor is further below the window's first line.
func (in *inline) resized(shown tea.View, width int) {
	if !in.win.Reflows() {
		return
	}
	if noted := in.win.Lower(0); !noted {
		in.drawn = shown
	}
	in.win.Lower(broken(in.drawn, width))
}

// broken is how many more rows than lines a view takes above its cursor in a terminal of a width.
func broken(v tea.View, width int) (rows int) {
	lines, column := strings.Split(v.Content, "\n"), 0
	last := len(lines) - 1
	if v.Cursor != nil {
		last, column = min(last, v.Cursor.Y), v.Cursor.X
	}
	for _, l := range lines[:last] {
		rows += max(0, ansi.StringWidth(strings.TrimRight(l, " "))-1) / max(1, width)
	}
	return rows + column/max(1, width)
}
