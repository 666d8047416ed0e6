package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/theme"
)

// list is an open list of choices above the composer: completions while a
// command is typed, or a picker that has the keys to itself.
type list struct {
	title   string // "" for completions
	moving  string // takes its place once the person moved; "" keeps it
	rows    []row
	chosen  int  // -1 is none
	moved   bool // the person moved in it; only then Enter takes a completion
	onPick  func(m *Model, r row) tea.Cmd
	picking bool // a picker: it has the focus
}

// row is one choice.
type row struct {
	value, label, detail string
}

// listRows bounds the rows on screen.
const listRows = 12

// move goes n rows down, around the ends.
func (l *list) move(n int) {
	if len(l.rows) == 0 {
		return
	}
	if l.chosen < 0 && n < 0 {
		l.chosen = 0 // from no row, up goes to the last
	}
	l.chosen = ((l.chosen+n)%len(l.rows) + len(l.rows)) % len(l.rows)
	l.moved = true
}

// height is the lines the list wants.
func (l *list) height() int {
	if l == nil {
		return 0
	}
	n := min(len(l.rows), listRows)
	if l.title != "" {
		n++
	}
	return n
}

// view draws at most height lines around the chosen row.
func (l *list) view(width, height int, th *theme.Theme) []string {
	var lines []string
	if l.title != "" {
		title := l.title
		if l.moved && l.moving != "" {
			title = l.moving
		}
		lines = append(lines, "  "+th.Render(theme.Strong, cut(th, title, max(0, width-2))))
	}
	shown := max(0, min(height-len(lines), len(l.rows)))
	first := max(0, min(l.chosen-shown/2, len(l.rows)-shown))
	label := 0
	for _, r := range l.rows {
		label = max(label, render.Width(render.SanitizeLine(r.label)))
	}
	label = min(label, width/2)
	for i := first; i < first+shown; i++ {
		lines = append(lines, l.row(i, label, width, th))
	}
	return lines
}

func (l *list) row(i, label, width int, th *theme.Theme) string {
	r, mark, tok := l.rows[i], "  ", theme.Text
	if i == l.chosen {
		mark, tok = th.Render(theme.Accent, th.Glyph(theme.MarkChosen))+" ", theme.Strong
	}
	text := cut(th, r.label, label)
	space := max(0, label-render.Width(text)) + 2
	detail := cut(th, r.detail, max(0, width-2-label-2))
	return mark + th.Render(tok, text) + blank(space) + th.Render(theme.Dim, detail)
}

// cut makes text safe and shortens it to a width.
func cut(th *theme.Theme, s string, width int) string {
	return render.Truncate(render.SanitizeLine(s), width, th.Glyph(theme.MarkEllipsis))
}

// picker opens a list that has the keys until one is picked or Esc closes it.
func (m *Model) picker(title string, rows []row, current string, onPick func(m *Model, r row) tea.Cmd) {
	chosen := slices.IndexFunc(rows, func(r row) bool { return r.value == current })
	m.list = &list{title: title, rows: rows, chosen: chosen, onPick: onPick, picking: true}
	m.tellDraft()
}

// pickerKey routes a key to an open picker.
func (m *Model) pickerKey(press tea.KeyPressMsg) tea.Cmd {
	switch press.Keystroke() {
	case "up", "ctrl+p", "k":
		m.list.move(-1)
	case "down", "ctrl+n", "j":
		m.list.move(1)
	case "enter":
		l := m.list
		if l.chosen < 0 || press.IsRepeat {
			return nil
		}
		m.closeOverlays()
		return l.onPick(m, l.rows[l.chosen])
	case "esc":
		m.closeOverlays()
	}
	return nil
}
