// Package inspector shows what a model sees, message by message.
package inspector

import (
	"cmp"
	"fmt"
	"slices"

	"parley/render/text"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/session/modelview"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// Inspector shows what a model sees now, message by message, as it is sent. It
// follows the session while it is open, and draws only the rows in view.
type Inspector struct {
	overlay.Base
	modelView *modelview.View
	timeline  *timeline.Timeline

	use    *session.ContextUse // what fills the context; nil if not known
	usedAt int                 // how full it was by the events, when use was reported
	agent  session.AgentID     // whose model; "" is the session's own
	name   string              // of that agent

	version      uint64 // of the view that messages are of; 0 for none
	messages     []modelview.Message
	size         int                   // of all of them, in bytes
	texts        []*render.MessageText // of each that is unfolded
	chosen       int                   // the message that keys are for
	top          int                   // the first row in view
	intro, outro []string              // what stands above the messages, and below them
	width        int
	height       int // 0 before it was drawn
}

// New returns the inspector of what the models of a session see. Use is what the agent
// reports of how full the context is; nil if it does not.
func New(f overlay.Facts, view *modelview.View, tl *timeline.Timeline, use *session.ContextUse) *Inspector {
	in := &Inspector{Base: overlay.Base{Facts: f}, modelView: view, timeline: tl}
	in.SetUse(use)
	in.follow()
	return in
}

// Scope implements panel.Body.
func (in *Inspector) Scope() string { return keymap.InContext }

// CloseAction is the action that closes it.
func (in *Inspector) CloseAction() string { return "context-close" }

// Cursor implements panel.Body: it is at the chosen message.
func (in *Inspector) Cursor() *tea.Cursor {
	if len(in.messages) == 0 || !in.inView(in.chosen) {
		return nil
	}
	return widget.CaretAt(0, in.rowOf(in.chosen)-in.top)
}

// Typed implements panel.Body.
func (in *Inspector) Typed(tea.KeyPressMsg) bool { return false }

// Paste implements panel.Body.
func (in *Inspector) Paste(string) bool { return false }

// SetUse takes what the agent says about how full the context is.
func (in *Inspector) SetUse(use *session.ContextUse) {
	in.use, in.usedAt = cmp.Or(use, in.ContextUse), in.timeline.Status().ContextTokens
}

// follow takes what the model sees now. What was unfolded stays so, the chosen
// message stays chosen, and where it is.
func (in *Inspector) follow() {
	version := in.modelView.Version() + 1
	if in.version == version {
		return
	}
	if in.agent != "" && !slices.Contains(in.modelView.Agents(), in.agent) {
		in.to("") // what it was given was taken back
	}
	before, texts := in.messages, in.texts
	row, chosen := in.rowOf(in.chosen), in.chosen
	in.version, in.messages, in.size = version, in.modelView.Of(in.agent), 0
	in.texts, in.chosen = make([]*render.MessageText, len(in.messages)), min(in.chosen, max(0, len(in.messages)-1))
	at := make(map[modelview.ID]int, len(before))
	for i, msg := range before {
		at[msg.ID] = i
	}
	for i, msg := range in.messages {
		in.size += msg.Size()
		was, ok := at[msg.ID]
		if !ok {
			continue
		}
		in.texts[i] = texts[was]
		if was == chosen {
			in.chosen = i
		}
	}
	if in.top > 0 {
		in.top = max(0, in.top+in.rowOf(in.chosen)-row)
	}
}

// span is how many rows a message takes.
func (in *Inspector) span(i int) int {
	if t := in.texts[i]; t != nil {
		return 1 + t.Layout(max(1, in.width-2*widget.Margin)) // below the name of the message
	}
	return 1
}

// rowOf is the first row of a message, counted from the first of all.
func (in *Inspector) rowOf(message int) int {
	row := len(in.intro)
	for i := range min(message, len(in.messages)) {
		row += in.span(i)
	}
	return row
}

// inView reports whether the first row of a message is in view.
func (in *Inspector) inView(message int) bool {
	row := in.rowOf(message)
	return in.top <= row && row < in.top+in.height
}

// Rows draws what is in view.
func (in *Inspector) Rows(width, height int) ([]string, widget.Scroll) {
	marked := width
	width-- // for the marks
	first, before := in.height == 0, [3]int{in.width, in.height, len(in.intro)}
	in.width, in.height = width, height
	in.follow()
	in.frame()
	moved := before != [3]int{width, height, len(in.intro)}
	if len(in.messages) > 0 && (first || moved && !in.inView(in.chosen)) {
		in.choose(in.chosen) // what stands above it may leave it no room
	}
	shown := slices.Clone(in.intro[min(in.top, len(in.intro)):])
	row := len(in.intro)
	for i := range in.messages {
		span := in.span(i)
		if from, to := max(0, in.top-row), min(span, in.top+height-row); from < to {
			shown = append(shown, in.draw(i, from, to)...)
		}
		row += span
	}
	if most := max(0, row+len(in.outro)-height); in.top > most { // there is less than there was
		in.top = most
		return in.Rows(marked, height)
	}
	shown = append(shown, in.outro[min(max(0, in.top-row), len(in.outro)):]...)
	shown = shown[:min(height, len(shown))]
	for i, l := range shown {
		shown[i] = text.Truncate(l, width, "")
	}
	view := widget.Scroll{First: in.top, Shown: height, All: row + len(in.outro)}
	view.Mark(in.Theme, shown, marked)
	return shown, view
}

// draw draws some rows of a message.
func (in *Inspector) draw(i, from, to int) []string {
	var lines []string
	if from == 0 {
		lead := widget.Indent
		if i == in.chosen {
			lead = in.Theme.Render(theme.Accent, in.Theme.Glyph(theme.MarkChosen)) + " "
		}
		lines = append(lines, lead+render.MessageHead(in.messages[i], i+1, len(in.messages), in.width-widget.Margin, in.Theme))
	}
	if t := in.texts[i]; t != nil {
		for _, l := range t.Rows(max(0, from-1), to-1, in.Theme) {
			lines = append(lines, widget.Blank(2*widget.Margin)+l)
		}
	}
	return lines
}

// frame draws what stands around the messages: how full the context is, and what
// fills it, which stands below them where there is no room above.
func (in *Inspector) frame() {
	in.intro, in.outro = nil, nil
	use := in.use
	if in.ContextUse != nil && in.timeline.Status().ContextTokens != in.usedAt {
		use = in.ContextUse // what the agent said is not so any more
	}
	if use != nil && in.agent == "" {
		parts := contextParts(in.Theme, use, in.width-widget.Margin)
		in.intro = in.useFacts(use, in.width-widget.Margin)
		if len(in.intro)+len(parts)+min(len(in.messages), leastListed) < in.height {
			in.intro = append(in.intro, parts...)
		} else if len(parts) > 0 {
			in.outro = append([]string{"", in.heading("What fills it", in.width), ""}, parts...)
		}
	}
	what := "What the model sees"
	if in.agent != "" {
		what = "What the model of “" + in.name + "” sees"
	}
	if len(in.messages) == 0 {
		what += in.Theme.Dot() + "nothing yet"
	} else {
		what += in.Theme.Dot() + text.Count(len(in.messages), "message") + ", " + text.Size(in.size)
	}
	in.intro = append(in.intro, in.heading(what, in.width))
	if in.modelView.Partial() {
		in.note("The agent does not say which instructions and tools it gives the model.")
	}
	if in.modelView.HasRemoved(in.agent) {
		in.note(in.Theme.Glyph(theme.MarkOutside) + " marks what is out of context, but for what a summary says of it")
	}
	in.intro = append(in.intro, "")
}

// note adds a line about what the messages are.
func (in *Inspector) note(note string) {
	in.intro = append(in.intro, widget.Indent+in.Theme.Render(theme.Dim, widget.Cut(in.Theme, note, in.width-widget.Margin)))
}

// leastListed is how many messages are in view before all that fills the context
// is shown above them.
const leastListed = 8

func (in *Inspector) heading(text string, width int) string {
	return widget.Indent + in.Theme.Render(theme.Heading, widget.Cut(in.Theme, text, width-widget.Margin))
}

// Act does an action.
func (in *Inspector) Act(action string) {
	switch {
	case action == "context-agent.next":
		in.turn(1)
	case action == "context-agent.before":
		in.turn(-1)
	case len(in.messages) > 0:
		in.read(action)
	}
}

// read does an action on the messages.
func (in *Inspector) read(action string) {
	switch action {
	case "context-message.before":
		in.choose(in.chosen - 1)
	case "context-message.after":
		in.choose(in.chosen + 1)
	case "context-page.up":
		in.Scroll(1 - in.height)
	case "context-page.down":
		in.Scroll(in.height - 1)
	case "context-ends.start":
		in.choose(0)
		in.top = 0
	case "context-ends.end":
		in.choose(len(in.messages) - 1)
		in.top = max(0, in.rowOf(len(in.messages))-in.height)
	case "context-fold.turn":
		in.toggle(true, true)
	case "context-fold.unfold":
		in.toggle(true, false)
	case "context-fold.fold":
		in.toggle(false, true)
	case "context-copy":
		in.Ask(overlay.Copy{Text: render.MessageSource(in.messages[in.chosen])})
	case "context-editor":
		text, name := render.MessageSource(in.messages[in.chosen]), fmt.Sprintf("message-%d.md", in.chosen+1)
		in.Ask(overlay.OpenInEditor{Text: text, Name: name})
	}
}

// choose gives the keys to another message and brings it into view; before the
// first one what stands above them, behind the last what stands below.
func (in *Inspector) choose(i int) {
	in.chosen = max(0, min(i, len(in.messages)-1))
	row, span := in.rowOf(in.chosen), in.span(in.chosen)
	switch {
	case i < 0:
		in.top = 0
	case i >= len(in.messages):
		in.top = row + span // or as far as there is something
	default:
		in.top = max(min(in.top, row), min(row, row+span-in.height))
	}
}

// Scroll moves the view. The keys go along with it.
func (in *Inspector) Scroll(n int) {
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

// messageBytes bounds each text of a message that is shown.
const messageBytes = 1 << 20

// toggle unfolds the chosen message, or folds it, as far as it may.
func (in *Inspector) toggle(unfolds, folds bool) {
	switch open := in.texts[in.chosen] != nil; {
	case open && folds:
		in.texts[in.chosen] = nil
	case !open && unfolds:
		in.texts[in.chosen] = render.NewMessageText(in.messages[in.chosen], messageBytes)
	}
	in.choose(in.chosen)
}

// turn shows what the model of the next agent sees.
func (in *Inspector) turn(by int) {
	agents := append([]session.AgentID{""}, in.modelView.Agents()...)
	at := max(0, slices.Index(agents, in.agent))
	if next := agents[(at+by+len(agents))%len(agents)]; next != in.agent {
		in.to(next)
		in.follow()
	}
}

// to turns to an agent.
func (in *Inspector) to(agent session.AgentID) {
	in.agent, in.name, in.version = agent, string(agent), 0
	in.messages, in.texts, in.chosen, in.top = nil, nil, 0, 0
	if a, ok := in.timeline.Subagent(agent); ok {
		in.name = cmp.Or(a.Title, a.Name, in.name)
	}
}

// Click unfolds the message in a row of the view, or folds it.
func (in *Inspector) Click(row int) {
	at := len(in.intro)
	for i := range in.messages {
		if at == in.top+row {
			in.chosen = i
			in.toggle(true, true)
		}
		at += in.span(i)
	}
}

// HintPairs are the keys and what they do.
func (in *Inspector) HintPairs() []string {
	pairs := []string{
		"context-close", "close", "context-fold.turn", "unfold", "context-copy", "copy", "context-editor", "editor",
	}
	if len(in.modelView.Agents()) > 0 {
		pairs = slices.Insert(pairs, 4, "context-agent.next", "other agents")
	}
	return pairs
}
