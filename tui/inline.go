package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
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
	last    conversation.ID // of which lines were written last
	waiting []string        // lines that the terminal does not have yet
	hidden  bool            // another program has the terminal, or the shell
}

// hiddenMsg says that the window has taken itself off the terminal, which is given away then.
type hiddenMsg struct{ then func() tea.Cmd }

// take adds what is finished of the conversation on the screen.
func (in *inline) take(c *conversation.Conversation) {
	if c.ReadOnly == nil && c.Pane.Agent == nil {
		in.add(c, in.of(c).Finished(&c.Pane, c.ShownID(), c.Busy()))
	}
}

// of is how far a conversation is in the terminal.
func (in *inline) of(c *conversation.Conversation) *transcript.Written {
	if in.done[c.ID] == nil {
		in.done[c.ID] = &transcript.Written{Marks: in.win.Config.Environment().MarksPrompts()}
	}
	return in.done[c.ID]
}

// add adds lines of a conversation, as they are drawn in the window. Where those before them are of another it is named.
func (in *inline) add(c *conversation.Conversation, lines []string) {
	switch {
	case len(lines) == 0:
		return
	case in.last != 0 && in.last != c.ID:
		mark := in.win.Theme.Glyph(theme.MarkBoundary) + " "
		name := in.win.Cut(c.Summary.Name(), max(1, in.win.Width-len(mark)))
		lines = append([]string{"", in.win.Theme.Render(theme.Dim, mark+name), ""}, lines...)
	}
	in.last = c.ID
	for _, l := range lines {
		if in.win.Theme.Apart {
			l = text.FirstOfEmoji(l)
		}
		in.waiting = append(in.waiting, in.looks.Limited(l))
	}
}

// write has the terminal take the lines that it does not have yet, with the view that is drawn.
func (in *inline) write() {
	if len(in.waiting) > 0 {
		in.win.Above(in.waiting)
		in.waiting = nil
	}
}

// rest is what the terminal does not have yet of the conversation on the screen when the window ends.
func (in *inline) rest(c *conversation.Conversation) string {
	c.Pane.LeaveAgents()
	if c.ReadOnly == nil {
		in.add(c, in.of(c).Rest(&c.Pane))
	}
	return strings.Join(append(in.waiting, ""), "\n")
}
