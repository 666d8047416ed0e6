package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/render"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// picker is a list that has the keys until a row is picked or it is closed.
type picker struct {
	overlay.Base
	widget.List
	title  string
	state  func(p *picker) string // at the right of the title: a scope, a count; nil is the count
	query  *editor.Editor         // what is typed to filter; nil: letters are keys
	lead   string                 // before what is typed, where that is no filter
	all    []widget.Row           // those that the query filters
	search func(query string) tea.Cmd
	more   []pickerKey // keys besides those of every list
	empty  string      // said where there are no rows
	// onPick takes the row on Enter; nil where Enter does nothing.
	onPick func(r widget.Row) tea.Cmd
	// onMove is called when another row is the chosen one; it may be nil.
	onMove func(r widget.Row) tea.Cmd
	// live are the rows as they are now, where they change while the list is
	// open; nil where they do not.
	live func() []widget.Row
	// preview draws what else there is to know of a row; it may be nil.
	preview     func(r widget.Row, width, height int) []string
	previewRows int    // the most lines of it
	searching   bool   // the rows are those of an older query
	eager       bool   // Enter was pressed meanwhile
	strict      bool   // only the arrows move, and not around the ends
	note        string // said in the last line instead of the keys; a move clears it
	tall        int    // the most rows it had
	armed       string // the key and the row that were pressed once
	since       time.Time
}

// pickerKey is a further key of a picker.
type pickerKey struct {
	action, title string
	// sure is asked before it is done, and the key must be pressed again then;
	// nil, or "", asks nothing.
	sure func(r widget.Row) string
	// run does it for the chosen row, which is zero where there is none.
	run func(r widget.Row) tea.Cmd
}

// pick opens a picker with the row current chosen. Without one, the first is
// where the user asked for the list just now; a list that comes late has none,
// so that a key that was meant for something else picks nothing.
func (m *Model) pick(p *picker, current string) {
	if m.behind() {
		return
	}
	p.Chosen = slices.IndexFunc(p.Rows, func(r widget.Row) bool { return r.Value == current })
	if p.all == nil {
		p.all = p.Rows
	}
	if p.search != nil && p.Chosen < 0 && len(p.Rows) > 0 {
		p.Chosen = 0
	}
	m.cover(p)
}

// filtering makes the picker filter by what is typed.
func (p *picker) filtering(query string) *picker {
	p.query = editor.New()
	p.query.SetText(query)
	return p
}

func (p *picker) Cover() overlay.Cover { return overlay.AboveDraft }

// key takes a key. What the user chose is asked for, and before it that the picker
// is closed where it is.
func (p *picker) Key(press tea.KeyPressMsg) tea.Cmd {
	action := p.Keys.Action(keymap.InList, press)
	r, ok := p.Selected()
	for _, k := range p.more {
		if k.action == action {
			p.further(k, r, press)
			return nil
		}
	}
	if p.query != nil && editor.Types(press) {
		return p.typed(press)
	}
	switch action {
	case "list-choose":
		p.choose(r, ok && !press.IsRepeat)
		return nil
	case "list-close":
		p.Ask(overlay.Close{})
		return nil
	}
	if p.moves(action) {
		return p.followed()
	}
	switch name := press.Keystroke(); {
	case p.query == nil && action == "list-filter" && len(p.all) > 0 && !p.strict:
		p.query = editor.New()
		return nil
	case name == "tab" || name == "shift+enter":
		return nil
	}
	return p.typed(press)
}

// typed gives a key to the query, if there is one.
func (p *picker) typed(press tea.KeyPressMsg) tea.Cmd {
	if p.query == nil {
		return nil
	}
	before := p.query.Text()
	p.query.Update(p.Keys.Query(press))
	if p.query.Text() == before {
		return nil
	}
	return p.filter()
}

// choose takes the chosen row; not ok means that there is none, or that a key is
// held down.
func (p *picker) choose(r widget.Row, ok bool) {
	switch {
	case p.onPick == nil:
	case p.searching:
		p.eager = true // the row that is found then
	case !ok && p.Chosen < 0 && len(p.Rows) > 0:
		p.note = "Choose a row with the arrows first."
	case ok && r.Off != "":
		p.note = "Not possible: " + r.Off
	case ok:
		p.Ask(overlay.Close{})
		p.Ask(doThis{func() tea.Cmd { return p.onPick(r) }})
	}
}

// further asks for what a further key of the picker does, once it was pressed again
// where that is needed.
func (p *picker) further(k pickerKey, r widget.Row, press tea.KeyPressMsg) {
	if press.IsRepeat {
		return
	}
	p.note = ""
	run := doThis{func() tea.Cmd { return k.run(r) }}
	if k.sure == nil || k.sure(r) == "" {
		p.Ask(run)
		return
	}
	this := k.action + " " + r.Value
	if p.armed == this && p.Now.Sub(p.since) >= repeatTime {
		p.armed = ""
		p.Ask(run)
		return
	}
	p.armed, p.since = this, p.Now // a key that is held down does not count
	again, closes := p.Keys.Show(k.action), cmp.Or(p.Keys.Show("list-close"), "ctrl+c")
	p.note = fmt.Sprintf("%s   %s again does it, %s closes", k.sure(r), again, closes)
}

// moves goes to another row if that is what an action is for.
func (p *picker) moves(action string) bool {
	if strings.HasPrefix(action, "list-letters.") && (p.query != nil || p.strict) {
		return false // letters are no keys
	}
	step, all := p.Move, len(p.Rows)
	if p.strict {
		step = p.Leap
	}
	switch action {
	case "list-move.before", "list-letters.before":
		step(-1)
	case "list-move.after", "list-letters.after":
		step(1)
	case "list-page.up":
		p.Leap(-widget.ListRows)
	case "list-page.down":
		p.Leap(widget.ListRows)
	case "list-page.first", "list-letters.first":
		p.Leap(-all)
	case "list-page.last", "list-letters.last":
		p.Leap(all)
	default:
		return false
	}
	p.note, p.armed = "", ""
	return true
}

// followed is what comes of another row being the chosen one.
func (p *picker) followed() tea.Cmd {
	if r, ok := p.Selected(); ok && p.onMove != nil {
		return p.onMove(r)
	}
	return nil
}

// paste takes a paste into the query. It never picks anything.
func (p *picker) Paste(text string) (tea.Cmd, bool) {
	if p.query == nil {
		return nil, false
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	p.query.Insert(line)
	return p.filter(), true
}

func (p *picker) Wheel(_, n int) tea.Cmd {
	if p.strict {
		return nil
	}
	p.Leap(n / wheelLines)
	return p.followed()
}

func (p *picker) Click(tea.MouseClickMsg) tea.Cmd { return nil }

// filter finds the rows that match what was typed, best first.
func (p *picker) filter() tea.Cmd {
	query := p.query.Text()
	if p.search != nil {
		return p.search(query)
	}
	p.show(widget.Match(p.all, query))
	return p.followed()
}

// show puts other rows in, and chooses the first.
func (p *picker) show(rows []widget.Row) {
	p.Rows, p.Chosen, p.Moved = rows, min(0, len(rows)-1), false
}

// leastPreview is the least room for a preview that may be longer.
const leastPreview = 3

// wants is the lines the picker wants.
func (p *picker) Lines() int {
	p.tall = max(p.tall, 1, min(len(p.Rows), widget.ListRows)) // it does not shrink under the eye
	n := 3 + p.tall                                            // air, title, rows, keys
	if p.query != nil {
		n++
	}
	if p.previewRows > 0 {
		n += p.previewRows + 1
	}
	return n
}

// View implements overlay.Overlay.
func (p *picker) View(width, height int) (lines []string, cursor *tea.Cursor) {
	th := p.Theme
	if height >= p.Lines() {
		lines = append(lines, "")
	}
	lines = append(lines, p.heading(width, th))
	if p.query != nil {
		lead := cmp.Or(p.lead, "/") + " "
		room := max(1, width-2*widget.Margin-1)
		cx, _ := p.query.Cursor(room, 1)
		cursor = widget.CaretAt(widget.Margin+len(lead)+cx, len(lines))
		lines = append(lines, widget.Indent+th.Render(theme.Dim, lead)+p.query.View(room, 1, th)[0])
	}
	left := height - len(lines) - 1 // the keys
	var preview []string
	below := 0 // what the preview has, however long it is: rows do not come and go as one moves
	if r, ok := p.Selected(); ok && p.previewRows > 0 {
		if room := left - min(len(p.Rows), widget.ListRows, max(1, left/2)) - 1; room >= min(leastPreview, p.previewRows) {
			below = min(room, p.previewRows) + 1
			preview = append([]string{""}, p.preview(r, width, below-1)...)
		}
	}
	rows := p.List.View(width, min(widget.ListRows, left-below), th)
	if len(p.Rows) == 0 {
		empty := p.empty
		if empty == "" {
			empty = "Nothing matches."
		}
		rows = []string{widget.Indent + th.Render(theme.Dim, widget.Cut(th, empty, max(0, width-widget.Margin-1)))}
	}
	lines = append(append(lines, rows...), preview...)
	lines = lines[:min(len(lines), max(0, height-1))]
	for len(lines) < height-1 {
		lines = append(lines, "")
	}
	return append(lines, p.footer()), cursor
}

// heading is the title, and at the right where one is in the list.
func (p *picker) heading(width int, th *theme.Theme) string {
	state := ""
	switch {
	case p.state != nil:
		state = p.state(p)
	case len(p.all) > widget.ListRows:
		state = widget.CountOf(len(p.Rows), len(p.all))
	}
	room := max(0, width-widget.Margin-1)
	title := widget.Cut(th, p.title, room)
	state = widget.Cut(th, state, max(0, room-render.Width(title)-widget.ColumnGap))
	return widget.Indent + th.Render(theme.Strong, title) +
		widget.Blank(room-render.Width(title)-render.Width(state)) + th.Render(theme.Dim, state)
}

// footer names the keys.
func (p *picker) footer() string {
	room := max(0, p.Width-widget.Margin-1)
	if p.note != "" {
		return widget.Indent + p.Theme.Render(theme.Accent, widget.Cut(p.Theme, p.note, room))
	}
	closes := "close"
	var pairs []string
	if p.onPick != nil {
		pairs = append(pairs, "list-choose", "choose")
	}
	for _, k := range p.more {
		switch {
		case k.title == "":
		case k.action == "list-close":
			closes = k.title
		case k.action == "list-choose":
			pairs = append([]string{k.action, k.title}, pairs...)
		default:
			pairs = append(pairs, k.action, k.title)
		}
	}
	if p.query == nil && len(p.all) > widget.ListRows {
		pairs = append(pairs, "list-filter", "filter")
	}
	hints := p.Keys.Hints(p.Unicode, append(pairs, "list-close", closes)...)
	for len(hints) > 1 && widget.Fitting(room, widget.Dot(p.Theme), hints) < len(hints) {
		hints = slices.Delete(hints, len(hints)-2, len(hints)-1) // how to close it stays
	}
	return widget.Indent + render.Truncate(p.HintLine(hints...), room, "")
}

// listHeight is the lines that lists above the composer want.
func (m *Model) listHeight() int {
	switch {
	case m.overlay != nil:
		return m.overlay.Lines()
	case m.which():
		return len(m.chordLines())
	case m.completion != nil:
		return 1 + min(len(m.completion.Rows), widget.ListRows) // a line of air above
	}
	return 0
}

// listView draws the list above the composer, with the cursor of a picker.
func (m *Model) listView(height int) ([]string, *tea.Cursor) {
	switch {
	case height == 0:
	case m.overlay != nil && m.overlay.Cover() == overlay.AboveDraft:
		return m.overlay.View(m.width, height)
	case m.which():
		return m.chordLines(), nil
	case m.completion != nil:
		rows := m.completion.View(m.width, max(1, height-1), m.theme)
		if height > len(rows) {
			rows = append([]string{""}, rows...)
		}
		return rows, nil
	}
	return nil, nil
}
