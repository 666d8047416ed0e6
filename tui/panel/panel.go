// Package panel has the texts that are read in the place of the timeline.
package panel

import (
	"strings"

	"parley/render/text"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// Panel is a text, or a Body, that takes the timeline's place until it is closed.
type Panel struct {
	overlay.Base
	Title string
	// Text draws a text in lines of a width, anew for every frame.
	Text func(th *theme.Theme, width int) []string
	More []Key // keys in addition to those that scroll and close it
	Body Body  // in place of Text and More; nil for a text

	view viewport.Model
	head int // the rows above what is in view, when it was drawn last
}

// Body is what a panel shows that has keys of its own.
type Body interface {
	SetFacts(f overlay.Facts)
	Requests() []overlay.Request
	// Scope is the part of the window whose keys it takes, and CloseAction the action
	// that closes it.
	Scope() string
	CloseAction() string
	// Rows draws what is in view, at most height rows, and marks where there is more.
	Rows(width, height int) ([]string, widget.Scroll)
	// Cursor is counted from the rows that were drawn; nil without a cursor.
	Cursor() *tea.Cursor
	// Typed takes a press before that is taken for a key; not ok means that it is one.
	Typed(press tea.KeyPressMsg) (ok bool)
	Paste(text string) (ok bool)
	Act(action string)
	Scroll(n int)
	Click(row int)
	// HintPairs are its actions, each with what it does.
	HintPairs() []string
}

// Key is a key of a panel, in addition to those that scroll and close it. One without a
// description is not in the hints.
type Key struct {
	key.Binding
	Do overlay.Request
}

// NewKey returns a key that asks for something.
func NewKey(name, description string, do overlay.Request) Key {
	return Key{key.NewBinding(key.WithKeys(name), key.WithHelp(name, description)), do}
}

// pressed is the name of a press, as key.Matches wants it.
type pressed string

// String implements fmt.Stringer.
func (p pressed) String() string { return string(p) }

// SetFacts implements overlay.Overlay.
func (p *Panel) SetFacts(f overlay.Facts) {
	if p.Theme == nil {
		p.view = viewport.New()
	}
	if p.Facts = f; p.Body != nil {
		p.Body.SetFacts(f)
	}
}

// Requests implements overlay.Overlay.
func (p *Panel) Requests() []overlay.Request {
	asked := p.Base.Requests()
	if p.Body != nil {
		asked = append(asked, p.Body.Requests()...)
	}
	return asked
}

// Cover implements overlay.Overlay.
func (p *Panel) Cover() overlay.Cover { return overlay.OverTimeline }

// View draws the part of the text that is in view.
func (p *Panel) View(width, height int) ([]string, *tea.Cursor) {
	p.head = 3 // air, the heading, air
	if height < p.head+2 {
		p.head = 1
	}
	rows, in := p.rows(width, max(1, height-p.head))
	lines := []string{p.heading(in.Rows())}
	if p.head > 1 {
		lines = []string{"", lines[0], ""}
	}
	if p.Body != nil {
		return append(lines, rows...), widget.MoveCursor(p.Body.Cursor(), p.head)
	}
	return append(lines, rows...), nil
}

// rows draws what is in view.
func (p *Panel) rows(width, height int) ([]string, widget.Scroll) {
	if p.Body != nil {
		return p.Body.Rows(width, height)
	}
	p.view.SetWidth(width)
	p.view.SetHeight(height)
	p.view.SetContentLines(p.Text(p.Theme, max(1, width-widget.Margin-1)))
	var lines []string
	for line := range strings.SplitSeq(p.view.View(), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	in := widget.Scroll{First: p.view.YOffset(), Shown: height, All: p.view.TotalLineCount()}
	in.Mark(p.Theme, lines, width)
	return lines, in
}

// heading is the title with the keys, and at the right what is in view.
func (p *Panel) heading(where string) string {
	hints := keymap.HintsOf("esc", "close")
	for _, k := range p.More {
		if k.Help().Desc != "" {
			hints = append(hints, k.Binding)
		}
	}
	switch {
	case p.Body != nil:
		hints = p.Hints(p.Body.HintPairs()...)
	case p.Unicode:
		hints = append(hints, keymap.HintsOf("↑↓", "scroll")...) // the first to go if there is no room
	}
	room := max(0, p.Width-widget.Margin-1)
	const gap = "   "
	left := room - text.Width(where) - widget.ColumnGap - text.Width(gap)
	keys := p.FitHints(left-text.Width(p.Title), hints...)
	title := p.Theme.Render(theme.Strong, p.Cut(p.Title, min(room, max(leastTitle, left-text.Width(keys)))))
	return widget.Indent + widget.Spread(p.Theme, title+gap+keys, where, room)
}

// leastTitle is how many cells of a title stay where there is no room for it and a key.
const leastTitle = 8

// Key implements overlay.Overlay.
func (p *Panel) Key(press tea.KeyPressMsg) tea.Cmd {
	name := press.Keystroke()
	for _, k := range p.More {
		if key.Matches(pressed(name), k.Binding) && !press.IsRepeat {
			p.Ask(k.Do)
			return nil
		}
	}
	if p.Body != nil {
		p.bodyKey(press)
		return nil
	}
	switch name {
	case "esc", "q", "enter":
		p.Ask(overlay.Close{})
	case "home", "g", "ctrl+home":
		p.view.GotoTop()
	case "end", "shift+g", "ctrl+end":
		p.view.GotoBottom()
	default:
		p.view, _ = p.view.Update(press)
	}
	return nil
}

// bodyKey gives a key to the body.
func (p *Panel) bodyKey(press tea.KeyPressMsg) {
	name := press.Keystroke()
	if p.Body.Typed(press) || press.IsRepeat && (name == "enter" || name == "space") {
		return
	}
	action := p.Keys.Action(p.Body.Scope(), press)
	if action == p.Body.CloseAction() {
		p.Ask(overlay.Close{})
		return
	}
	p.Body.Act(action)
}

// Paste gives a paste to the body, which may be written in.
func (p *Panel) Paste(text string) (tea.Cmd, bool) {
	return nil, p.Body != nil && p.Body.Paste(text)
}

// Wheel implements overlay.Overlay.
func (p *Panel) Wheel(_, n int) tea.Cmd {
	switch {
	case p.Body != nil:
		p.Body.Scroll(n)
	case n < 0:
		p.view.ScrollUp(-n)
	default:
		p.view.ScrollDown(n)
	}
	return nil
}

// Click implements overlay.Overlay.
func (p *Panel) Click(c tea.MouseClickMsg) tea.Cmd {
	if p.Body != nil {
		p.Body.Click(c.Y - p.head)
	}
	return nil
}
