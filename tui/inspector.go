package tui

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/session/modelview"
	"parley/theme"
)

// inspector shows what a model sees now, message by message, as it is sent. It
// follows the session while it is open, and draws only the rows in view.
type inspector struct {
	use   *session.ContextUse // what fills the context; nil where nobody tells
	agent session.AgentID     // whose model; "" is the session's own

	version      uint64 // of the view that messages are of
	messages     []modelview.Message
	size         int                   // of all of them, in bytes
	texts        []*render.MessageText // of each that is unfolded
	chosen       int                   // the message that keys are for
	top          int                   // the first row in view
	intro, outro []string              // what stands above the messages, and below them
	width        int
	height       int
}

// inspect opens the inspector on the session's own conversation.
func (m *Model) inspect(use *session.ContextUse) {
	in := &inspector{use: use}
	in.follow(m)
	m.openPanel(&panel{title: "Context", body: in})
}

// follow takes what the model sees now. What was unfolded stays so.
func (in *inspector) follow(m *Model) {
	if in.messages != nil && in.version == m.modelView.Version() {
		return
	}
	open := map[string]*render.MessageText{}
	for i, t := range in.texts {
		if t != nil {
			open[in.name(i)] = t
		}
	}
	in.version, in.messages, in.size = m.modelView.Version(), m.modelView.Of(in.agent), 0
	in.texts = make([]*render.MessageText, len(in.messages))
	for i, msg := range in.messages {
		in.size += msg.Size()
		if len(open) > 0 {
			in.texts[i] = open[in.name(i)]
		}
	}
	in.chosen = max(0, min(in.chosen, len(in.messages)-1))
}

// name names a message for as long as it is in context.
func (in *inspector) name(i int) string {
	msg := in.messages[i]
	return fmt.Sprint(msg.Role, msg.Name, msg.Source, msg.CallID, msg.Origin, len(msg.Content))
}

// span is how many rows a message takes.
func (in *inspector) span(i int) int {
	if t := in.texts[i]; t != nil {
		return 1 + t.Layout(in.textWidth())
	}
	return 1
}

// textWidth is the room that an unfolded text has, below the name of its message.
func (in *inspector) textWidth() int { return max(1, in.width-2*margin) }

// rowOf is the first row of a message, counted from the first of all, and their
// number.
func (in *inspector) rowOf(message int) (row, span int) {
	row = len(in.intro)
	for i := range message {
		row += in.span(i)
	}
	return row, in.span(message)
}

// rows draws what is in view.
func (in *inspector) rows(m *Model, width, height int) []string {
	in.width, in.height = width, height
	in.follow(m)
	in.frame(m)
	shown := slices.Clone(in.intro[min(in.top, len(in.intro)):])
	row := len(in.intro)
	for i := range in.messages {
		span := in.span(i)
		if from, to := max(0, in.top-row), min(span, in.top+height-row); from < to {
			shown = append(shown, in.draw(m, i, from, to)...)
		}
		row += span
	}
	if most := max(0, row+len(in.outro)-height); in.top > most { // there is less than there was
		in.top = most
		return in.rows(m, width, height)
	}
	shown = append(shown, in.outro[min(max(0, in.top-row), len(in.outro)):]...)
	shown = shown[:min(height, len(shown))]
	for i, l := range shown {
		shown[i] = render.Truncate(l, width, "")
	}
	return shown
}

// draw draws some rows of a message.
func (in *inspector) draw(m *Model, i, from, to int) []string {
	var lines []string
	if from == 0 {
		lead := blank(margin)
		if i == in.chosen {
			lead = m.theme.Render(theme.Accent, m.theme.Glyph(theme.MarkChosen)) + " "
		}
		lines = append(lines, lead+render.MessageHead(in.messages[i], i+1, len(in.messages), in.width-margin, m.theme))
	}
	if t := in.texts[i]; t != nil {
		for _, l := range t.Rows(max(0, from-1), to-1, m.theme) {
			lines = append(lines, blank(2*margin)+l)
		}
	}
	return lines
}

// frame draws what stands around the messages: how full the context is, and what
// fills it, which stands below them where there is no room above.
func (in *inspector) frame(m *Model) {
	in.intro, in.outro = nil, nil
	if in.use != nil && in.agent == "" {
		parts := m.contextParts(in.use, in.width-margin)
		in.intro = m.contextFacts(in.use, in.width-margin)
		if len(in.intro)+len(parts)+min(len(in.messages), leastListed) < in.height {
			in.intro = append(in.intro, parts...)
		} else if len(parts) > 0 {
			in.outro = append([]string{"", m.inspectorHeading("What fills it", in.width), ""}, parts...)
		}
	}
	what := "What the model sees"
	if in.agent != "" {
		what = "What the model of “" + in.nameOf(m) + "” sees"
	}
	if len(in.messages) == 0 {
		what += m.dot() + "nothing yet"
	} else {
		what += m.dot() + render.Count(len(in.messages), "message") + ", " + render.Size(in.size)
	}
	in.intro = append(in.intro, m.inspectorHeading(what, in.width))
	if slices.ContainsFunc(in.messages, func(msg modelview.Message) bool { return msg.Source.Kind == modelview.FromSummary }) {
		note := m.theme.Glyph(theme.MarkOutside) + " marks what was summarised: the model does not see it any more"
		in.intro = append(in.intro, blank(margin)+m.theme.Render(theme.Dim, m.cut(note, in.width-margin)))
	}
	in.intro = append(in.intro, "")
}

// leastListed is how many messages are in view before all that fills the context
// is told above them.
const leastListed = 8

func (m *Model) inspectorHeading(text string, width int) string {
	return blank(margin) + m.theme.Render(theme.Heading, m.cut(text, width-margin))
}

// nameOf is the name of the sub-agent that is shown.
func (in *inspector) nameOf(m *Model) string {
	if a, ok := m.timeline.Subagent(in.agent); ok {
		return line(cmp.Or(a.Title, a.Name, string(in.agent)))
	}
	return line(string(in.agent))
}

// press takes a key.
func (in *inspector) press(m *Model, name string) tea.Cmd {
	if len(in.messages) == 0 {
		return nil
	}
	switch name {
	case "up", "k", "ctrl+p":
		in.choose(in.chosen - 1)
	case "down", "j", "ctrl+n":
		in.choose(in.chosen + 1)
	case "pgup", "ctrl+u":
		in.scroll(1 - in.height)
	case "pgdown", "ctrl+d":
		in.scroll(in.height - 1)
	case "home", "g", "ctrl+home":
		in.choose(0)
		in.top = 0
	case "end", "shift+g", "ctrl+end":
		in.choose(len(in.messages) - 1)
	case "enter", "space", "right", "left":
		in.toggle(name)
	case "tab":
		in.turn(m, 1)
	case "shift+tab":
		in.turn(m, -1)
	case "y":
		return m.copyText(in.messages[in.chosen].Text())
	case "e", "ctrl+g":
		return m.visit(&edition{text: in.messages[in.chosen].Text(), name: fmt.Sprintf("message-%d.md", in.chosen+1), readOnly: true})
	}
	return nil
}

// choose gives the keys to another message and brings it into view. At the first
// one, what stands above it comes too.
func (in *inspector) choose(i int) {
	if i < 0 {
		in.top = 0
	}
	in.chosen = max(0, min(i, len(in.messages)-1))
	row, span := in.rowOf(in.chosen)
	in.top = max(min(in.top, row), min(row, row+span-in.height))
}

// scroll moves the view. The keys go along with it.
func (in *inspector) scroll(n int) {
	in.top = max(0, in.top+n)
	row := len(in.intro)
	for i := range in.messages {
		in.chosen = i
		span := in.span(i)
		if row >= in.top || row+span >= in.top+in.height {
			return
		}
		row += span
	}
}

// toggle unfolds the chosen message, or folds it; right and left do only one of
// the two.
func (in *inspector) toggle(name string) {
	switch open := in.texts[in.chosen] != nil; {
	case open && name != "right":
		in.texts[in.chosen] = nil
	case !open && name != "left":
		in.texts[in.chosen] = render.NewMessageText(in.messages[in.chosen])
	}
	in.choose(in.chosen)
}

// turn shows what the model of the next agent sees.
func (in *inspector) turn(m *Model, by int) {
	agents := append([]session.AgentID{""}, m.modelView.Agents()...)
	at := max(0, slices.Index(agents, in.agent))
	if next := agents[(at+by+len(agents))%len(agents)]; next != in.agent {
		in.agent, in.messages, in.texts, in.chosen, in.top = next, nil, nil, 0, 0
		in.follow(m)
	}
}

// hints are the keys and what they do.
func (in *inspector) hints(m *Model) []string {
	pairs := []string{"esc", "closes", "enter", "unfolds", "y", "copies", "e", "editor"}
	if len(m.modelView.Agents()) > 0 {
		pairs = slices.Insert(pairs, 4, "tab", "other agents")
	}
	return pairs
}
