package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/render/text"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// panel is a text that takes the timeline's place until it is closed. It is
// drawn anew for every size.
type panel struct {
	overlay.Base
	title string
	lines func(width int) []string
	more  []panelKey // keys besides those that scroll and close it
	text  viewport.Model
	head  int // the rows above what is in view, when it was drawn last

	body panelBody // in place of lines and keys; nil for a text
}

// panelBody is what a panel shows that has keys of its own.
type panelBody interface {
	scope() string  // whose keys it takes
	closes() string // the action that closes it
	SetFacts(f overlay.Facts)
	rows(width, height int) []string
	cursor() *tea.Cursor // in the rows that were drawn; nil if there is none
	// typed gives it a press before that is taken for a key; not ok means that it
	// is one.
	typed(press tea.KeyPressMsg) (ok bool)
	paste(text string) (ok bool)
	act(action string)
	scroll(n int)
	click(row int)
	hints() []string
	Requests() []overlay.Request
}

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

// openPanel shows a panel. What was open is closed.
func (m *conversation) openPanel(p *panel) {
	m.closeOverlays()
	p.text = viewport.New()
	m.cover(p)
}

func (p *panel) SetFacts(f overlay.Facts) {
	if p.Facts = f; p.body != nil {
		p.body.SetFacts(f)
	}
}

func (p *panel) Requests() []overlay.Request {
	asked := p.Base.Requests()
	if p.body != nil {
		asked = append(asked, p.body.Requests()...)
	}
	return asked
}

func (p *panel) Cover() overlay.Cover { return overlay.OverTimeline }

// View draws the part of the text that is in view.
func (p *panel) View(width, height int) ([]string, *tea.Cursor) {
	lines := []string{"", p.heading(), ""}
	if height < len(lines)+2 {
		lines = lines[1:2]
	}
	if p.head = len(lines); p.body != nil {
		lines = append(lines, p.body.rows(max(1, width-1), max(1, height-len(lines)))...)
		return lines, widget.MoveCursor(p.body.cursor(), p.head)
	}
	p.text.SetWidth(width)
	p.text.SetHeight(max(1, height-len(lines)))
	p.text.SetContentLines(p.lines(max(1, width-widget.Margin-1)))
	for line := range strings.SplitSeq(p.text.View(), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines, nil
}

func (p *panel) heading() string {
	hints := keymap.HintsOf("esc", "closes")
	for _, k := range p.more {
		if k.Help().Desc != "" {
			hints = append(hints, k.Binding)
		}
	}
	switch {
	case p.body != nil:
		hints = p.Hints(p.body.hints()...)
	case p.Unicode:
		hints = append(hints, keymap.HintsOf("↑↓", "scroll")...) // the first to go where there is no room
	}
	room := max(0, p.Width-widget.Margin-1)
	title := p.Theme.Render(theme.Strong, p.Cut(p.title, room)) + "   "
	title += p.FitHints(room-text.Width(title), hints...)
	return widget.Indent + text.Truncate(title, room, p.Theme.Glyph(theme.MarkEllipsis))
}

// key takes a key.
func (p *panel) Key(press tea.KeyPressMsg) tea.Cmd {
	name := press.Keystroke()
	for _, k := range p.more {
		if key.Matches(pressed(name), k.Binding) && !press.IsRepeat {
			p.Ask(doThis{k.run})
			return nil
		}
	}
	if p.body != nil {
		p.bodyKey(press)
		return nil
	}
	switch name {
	case "esc", "q", "enter":
		p.Ask(overlay.Close{})
	case "home", "g", "ctrl+home":
		p.text.GotoTop()
	case "end", "shift+g", "ctrl+end":
		p.text.GotoBottom()
	default:
		p.text, _ = p.text.Update(press)
	}
	return nil
}

// bodyKey gives a key to the body.
func (p *panel) bodyKey(press tea.KeyPressMsg) {
	name := press.Keystroke()
	if p.body.typed(press) || press.IsRepeat && (name == "enter" || name == "space") {
		return
	}
	action := p.Keys.Action(p.body.scope(), press)
	if action == p.body.closes() {
		p.Ask(overlay.Close{})
		return
	}
	p.body.act(action)
}

// paste gives a paste to the body, which may be written in.
func (p *panel) Paste(text string) (tea.Cmd, bool) { return nil, p.body != nil && p.body.paste(text) }

func (p *panel) Wheel(_, n int) tea.Cmd {
	switch {
	case p.body != nil:
		p.body.scroll(n)
	case n < 0:
		p.text.ScrollUp(-n)
	default:
		p.text.ScrollDown(n)
	}
	return nil
}

func (p *panel) Click(c tea.MouseClickMsg) tea.Cmd {
	if p.body != nil {
		p.body.click(c.Y - p.head)
	}
	return nil
}

// textBytes bounds a text that is shown; a longer one says that it goes on.
const textBytes = 256 << 10

// openText shows a markdown text that is made safe.
func (m *conversation) openText(title, markdown string, keys ...panelKey) {
	if len(markdown) > textBytes {
		markdown = strings.ToValidUTF8(markdown[:textBytes], "") + "\n\n(" + text.Bytes(len(markdown)-textBytes) + " more are not shown)"
	}
	d := render.NewDocument(markdown)
	m.openPanel(&panel{title: title, more: keys, lines: func(width int) []string {
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
