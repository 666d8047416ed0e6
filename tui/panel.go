package tui

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// panel is a text that takes the timeline's place until it is closed. It is
// drawn anew for every size.
type panel struct {
	title string
	lines func(width int) []string
	keys  []panelKey
	view  viewport.Model
	head  int // the rows above what is in view, when it was drawn last

	body panelBody // in place of lines and keys; nil for a text
}

// panelBody is what a panel shows that has keys of its own.
type panelBody interface {
	scope() string  // whose keys it takes
	closes() string // the action that closes it
	know(f panelFacts)
	rows(width, height int) []string
	caret() (x, y int) // in the rows that were drawn; y is -1 without one
	// typed gives it a press before that is taken for a key; not ok means that it
	// is one.
	typed(press tea.KeyPressMsg) (ok bool)
	paste(text string) (ok bool)
	act(action string)
	scroll(n int)
	click(row int)
	hints() []string
	requests() []overlayRequest
}

// panelFacts are what the window knows that a panel draws with.
type panelFacts struct {
	overlayFacts
	zone *time.Location
	// told is how the context is filled as the events say; nil if they do not.
	told             *session.ContextUse
	tokens, messages int // in the context, as the events say
}

// panelFacts are those of now.
func (m *Model) panelFacts() panelFacts {
	s := m.timeline.Status()
	return panelFacts{m.overlayFacts(), m.zone, m.contextTold(), s.ContextTokens, s.ContextMessages}
}

// panelBase is what the body of a panel knows, and asks the window for.
type panelBase struct {
	panelFacts
	outbox
}

func (b *panelBase) know(f panelFacts) { b.panelFacts = f }

// panelKey is a key of a panel, besides those that scroll and close it.
type panelKey struct {
	key.Binding // without a description it is not in the hints
	run         func() tea.Cmd
}

// onKey is a key of a panel.
func onKey(name, what string, run func() tea.Cmd) panelKey {
	return panelKey{key.NewBinding(key.WithKeys(name), key.WithHelp(name, what)), run}
}

// pressed is the name of a press, as key.Matches wants it.
type pressed string

// String implements fmt.Stringer.
func (p pressed) String() string { return string(p) }

// open shows a panel. What was open is closed.
func (m *Model) openPanel(p *panel) {
	if m.behind() {
		return
	}
	m.closeOverlays()
	p.view = viewport.New()
	m.panel = p
	m.tellDraft()
}

// panelView draws the part of the text that is in view.
func (m *Model) panelView(height int) []string {
	p := m.panel
	lines := []string{"", m.panelTitle(), ""}
	if height < len(lines)+2 {
		lines = lines[1:2]
	}
	p.head = len(lines)
	if p.body != nil {
		p.body.know(m.panelFacts())
		return append(lines, p.body.rows(max(1, m.width-1), max(1, height-len(lines)))...)
	}
	p.view.SetWidth(m.width)
	p.view.SetHeight(max(1, height-len(lines)))
	p.view.SetContentLines(p.lines(max(1, m.width-widget.Margin-1)))
	for line := range strings.SplitSeq(p.view.View(), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

func (m *Model) panelTitle() string {
	hints := keymap.HintsOf("esc", "closes")
	for _, k := range m.panel.keys {
		if k.Help().Desc != "" {
			hints = append(hints, k.Binding)
		}
	}
	switch {
	case m.panel.body != nil:
		hints = m.ways(m.panel.body.hints()...)
	case m.config.Environment().Unicode():
		hints = append(hints, keymap.HintsOf("↑↓", "scroll")...) // the first to go where there is no room
	}
	room := max(0, m.width-widget.Margin-1)
	title := m.theme.Render(theme.Strong, m.cut(m.panel.title, room)) + "   "
	title += m.fittingHints(room-render.Width(title), hints...)
	return widget.Indent + render.Truncate(title, room, m.theme.Glyph(theme.MarkEllipsis))
}

// panelKey routes a key to the open panel.
func (m *Model) panelKey(press tea.KeyPressMsg) tea.Cmd {
	p, name := m.panel, press.Keystroke()
	for _, k := range p.keys {
		if key.Matches(pressed(name), k.Binding) && !press.IsRepeat {
			return k.run()
		}
	}
	if p.body != nil {
		p.body.know(m.panelFacts())
		if p.body.typed(press) {
			return nil
		}
		if press.IsRepeat && (name == "enter" || name == "space") {
			return nil
		}
		if action := m.keymap.Action(p.body.scope(), press); action != p.body.closes() {
			p.body.act(action)
			return m.answer(p.body, nil)
		}
		m.closeOverlays()
		return nil
	}
	switch name {
	case "esc", "q", "enter":
		m.closeOverlays()
	case "home", "g", "ctrl+home":
		p.view.GotoTop()
	case "end", "shift+g", "ctrl+end":
		p.view.GotoBottom()
	default:
		p.view, _ = p.view.Update(press)
	}
	return nil
}

// textBytes bounds a text that is shown; a longer one says that it goes on.
const textBytes = 256 << 10

// openText shows a markdown text that is made safe.
func (m *Model) openText(title, markdown string, keys ...panelKey) {
	if len(markdown) > textBytes {
		markdown = strings.ToValidUTF8(markdown[:textBytes], "") + "\n\n(" + render.Bytes(len(markdown)-textBytes) + " more are not shown)"
	}
	d := render.NewDocument(markdown)
	m.openPanel(&panel{title: title, keys: keys, lines: func(width int) []string {
		rows := d.Layout(min(width, textWidth), m.theme)
		lines := make([]string, 0, rows)
		for _, l := range d.Rows(0, rows) {
			lines = append(lines, widget.Indent+l)
		}
		return lines
	}})
}

// textWidth is the widest that text to read is drawn.
const textWidth = 100
