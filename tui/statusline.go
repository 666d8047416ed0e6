package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/settings"
	"parley/theme"
)

// status is the status line of the window.
type status struct {
	left, right []StatusItem // what it shows, in this order
	script      script
	saving      bool // the settings file is being written
}

// arrange takes the parts by their names, each once. What stands, and is not
// among them, comes first.
func (s *status) arrange(prefer settings.Status) {
	rest := StatusItems()
	take := func(names []string) []StatusItem {
		var some []StatusItem
		for _, name := range names {
			if i := slices.IndexFunc(rest, func(i StatusItem) bool { return i.Name == name }); i >= 0 {
				some = append(some, rest[i])
				rest = slices.Delete(rest, i, i+1)
			}
		}
		return some
	}
	left := take(prefer.Left)
	s.right = take(prefer.Right)
	s.left = slices.Concat(slices.DeleteFunc(rest, func(i StatusItem) bool { return !i.Standing }), left)
}

// names are the two sides as the settings have them.
func (s *status) names() settings.Status {
	of := func(side []StatusItem) []string {
		names := make([]string, len(side))
		for i, part := range side {
			names[i] = part.Name
		}
		return names
	}
	return settings.Status{Left: of(s.left), Right: of(s.right)}
}

// shows reports whether a part is on either side.
func (s *status) shows(name string) bool {
	is := func(i StatusItem) bool { return i.Name == name }
	return slices.ContainsFunc(s.left, is) || slices.ContainsFunc(s.right, is)
}

// statusTold takes the end of what the status line waited for.
func (m *Model) statusTold(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case scriptMsg:
		m.scriptEnded(msg)
	case restedMsg:
		m.pass(time.Time(msg))
		m.status.script.resting = false
	case statusSavedMsg:
		return m.statusSaved(msg)
	}
	return nil
}

// sameSides reports whether two settings show the same parts in the same order.
func sameSides(a, b settings.Status) bool {
	return slices.Equal(a.Left, b.Left) && slices.Equal(a.Right, b.Right)
}

// statusPreferred takes settings that have changed. While the window writes its
// own choice, that holds.
func (m *Model) statusPreferred(before, now settings.Status) {
	if !sameSides(before, now) && !m.status.saving {
		m.status.arrange(now)
	}
	if !slices.Equal(before.Script, now.Script) || before.ScriptTimeout != now.ScriptTimeout {
		m.status.script = script{run: m.status.script.run + 1}
	}
	m.refreshList()
}

// showStatusItems shows the parts of the status line, to choose and order them.
func (m *Model) showStatusItems(string) tea.Cmd {
	rows := m.statusRows()
	p := &picker{list: list{rows: rows}, title: "Status line", live: (*Model).statusRows, previewRows: 2, preview: statusPreview}
	p.keys = []pickerKey{
		{key: "space", title: "on or off", run: (*Model).switchStatusItem},
		{key: "shift+up", title: "sooner (down: later)", run: func(m *Model, r row) tea.Cmd { return m.moveStatusItem(r, -1) }},
		{key: "shift+down", run: func(m *Model, r row) tea.Cmd { return m.moveStatusItem(r, 1) }},
		{key: "enter", run: func(m *Model, _ row) tea.Cmd {
			m.closeOverlays()
			return nil
		}},
	}
	m.pick(p, rows[0].value)
	return nil
}

// statusRows are all parts: those that are shown in their order, then the others.
func (m *Model) statusRows() []row {
	now := m.timeline.Status()
	var rows []row
	add := func(part StatusItem, on bool, where string) {
		if part.Standing {
			where += ", always"
		}
		rows = append(rows, row{
			value: part.Name, label: m.onOff(on) + " " + part.Name, detail: m.clip(part.make(m, now).text, m.width), right: where,
		})
	}
	for _, part := range m.status.left {
		add(part, true, "left")
	}
	for _, part := range m.status.right {
		add(part, true, "right")
	}
	for _, part := range StatusItems() {
		if !m.status.shows(part.Name) {
			add(part, false, "")
		}
	}
	return rows
}

// statusPreview says what a part tells.
func statusPreview(m *Model, r row, width, height int) []string {
	all := StatusItems()
	i := slices.IndexFunc(all, func(i StatusItem) bool { return i.Name == r.value })
	if i < 0 {
		return nil
	}
	var lines []string
	for _, l := range render.Wrap(all[i].Tells+".", max(1, width-margin-1)) {
		lines = append(lines, blank(margin)+m.theme.Render(theme.Dim, l))
	}
	return lines[:min(len(lines), height)]
}

// switchStatusItem shows a part, at its usual place among the others, or shows it
// no more.
func (m *Model) switchStatusItem(r row) tea.Cmd {
	order := settings.StatusItems()
	at := func(name string) int { return slices.Index(order, name) }
	names, usual := m.status.names(), settings.Defaults().Status
	switch part := slices.IndexFunc(StatusItems(), func(i StatusItem) bool { return i.Name == r.value }); {
	case part < 0:
		return nil
	case m.status.shows(r.value) && StatusItems()[part].Standing:
		m.picker.note = r.value + " is always shown; shift+up and shift+down move it."
		return nil
	case m.status.shows(r.value):
		gone := func(name string) bool { return name == r.value }
		names.Left, names.Right = slices.DeleteFunc(names.Left, gone), slices.DeleteFunc(names.Right, gone)
	default:
		side := &names.Left
		if slices.Contains(usual.Right, r.value) {
			side = &names.Right
		}
		next := slices.IndexFunc(*side, func(name string) bool { return at(name) > at(r.value) })
		if next < 0 {
			next = len(*side)
		}
		*side = slices.Insert(*side, next, r.value)
	}
	return m.rearrange(names)
}

// moveStatusItem moves a part one place; from one side to the other at its end.
func (m *Model) moveStatusItem(r row, by int) tea.Cmd {
	names := m.status.names()
	all, left := slices.Concat(names.Left, names.Right), len(names.Left)
	i := slices.Index(all, r.value)
	switch {
	case i < 0:
		m.picker.note = "Space shows it first."
		return nil
	case by > 0 && i == left-1:
		left-- // now the first at the right
	case by < 0 && i == left:
		left++
	case i+by < 0 || i+by >= len(all):
		return nil
	default:
		all[i], all[i+by] = all[i+by], all[i]
	}
	return m.rearrange(settings.Status{Left: all[:left:left], Right: all[left:]})
}

// rearrange shows the parts in another order, at once, and keeps that.
func (m *Model) rearrange(names settings.Status) tea.Cmd {
	m.status.arrange(names)
	m.refreshList()
	return m.saveStatus()
}

// statusSavedMsg ends saveStatus.
type statusSavedMsg struct {
	names settings.Status
	err   error
}

// saveStatus writes the order into the person's file: one write at a time.
func (m *Model) saveStatus() tea.Cmd {
	prefer := m.config.Prefer
	if prefer == nil {
		m.picker.note = "It holds until this window closes: there is no file for settings."
		return nil
	}
	if m.status.saving {
		return nil // the end of that write looks again
	}
	m.status.saving = true
	names, ctx := m.status.names(), m.ctx
	return func() tea.Msg {
		_, err := prefer("status.left", names.Left)
		if err == nil && ctx.Err() == nil {
			_, err = prefer("status.right", names.Right)
		}
		return statusSavedMsg{names, err}
	}
}

// statusSaved takes the end of a write.
func (m *Model) statusSaved(msg statusSavedMsg) tea.Cmd {
	m.status.saving = false
	if msg.err != nil {
		m.fail("keep the order of the status line", msg.err, "It holds until this window closes.")
		return nil
	}
	m.config.Settings.Status.Left, m.config.Settings.Status.Right = msg.names.Left, msg.names.Right
	if !sameSides(m.status.names(), msg.names) {
		return m.saveStatus()
	}
	return nil
}
