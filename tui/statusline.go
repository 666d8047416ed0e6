package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/settings"
	"parley/theme"
	"parley/tui/widget"
)

// status is the status line of the window.
type status struct {
	left, right []StatusItem // what it shows, in this order
	items       []item       // what they told last; their room is used again
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
		s := m.status.script
		m.status.script = script{run: s.run + 1, running: s.running, resting: s.resting}
	}
	m.refreshList()
}

// statusOrder is the open list of the parts: all of them, so that one that is
// switched off keeps its place.
type statusOrder struct {
	names []string // the left side, then the right
	left  int      // how many of them are at the left
	on    map[string]bool
}

// statusOrder is the order of the parts as they are shown now. One that is not is
// where it usually would be.
func (m *Model) statusOrder() *statusOrder {
	now, usual := m.status.names(), settings.Defaults().Status
	o := &statusOrder{slices.Concat(now.Left, now.Right), len(now.Left), map[string]bool{}}
	for _, name := range o.names {
		o.on[name] = true
	}
	after := 0 // where the part before it in the usual order is at the left
	for _, name := range settings.StatusItems() {
		at := slices.Index(o.names, name)
		switch {
		case at < 0 && slices.Contains(usual.Right, name):
			o.names = slices.Insert(o.names, o.left, name)
		case at < 0:
			o.names = slices.Insert(o.names, after, name)
			after++
			o.left++
		case at < o.left:
			after = at + 1
		}
	}
	return o
}

// shown are the names that are on, as the settings have them.
func (o *statusOrder) shown() settings.Status {
	on := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !o.on[name] })
	}
	return settings.Status{Left: on(o.names[:o.left]), Right: on(o.names[o.left:])}
}

// move moves a name one place; from one side to the other at its end.
func (o *statusOrder) move(name string, by int) {
	switch i := slices.Index(o.names, name); {
	case by > 0 && i == o.left-1:
		o.left-- // now the first at the right
	case by < 0 && i == o.left && i >= 0:
		o.left++
	case i < 0 || i+by < 0 || i+by >= len(o.names):
	default:
		o.names[i], o.names[i+by] = o.names[i+by], o.names[i]
	}
}

// showStatusItems shows the parts of the status line, to choose and order them.
func (m *Model) showStatusItems(string) tea.Cmd {
	o := m.statusOrder()
	rows := m.statusRows(o)
	p := &picker{List: widget.List{Rows: rows, Steady: true}, title: "Status line", previewRows: 3}
	p.preview = func(r widget.Row, width, height int) []string { return statusPreview(m.theme, r, width, height) }
	p.live = func() []widget.Row { return m.statusRows(o) }
	move := func(by int) func(widget.Row) tea.Cmd {
		return func(r widget.Row) tea.Cmd {
			o.move(r.Value, by)
			return m.rearrange(o.shown())
		}
	}
	p.more = []pickerKey{
		{action: "list-switch.toggle", title: "on or off", run: func(r widget.Row) tea.Cmd {
			if standing(r.Value) {
				p.note = r.Value + " is always shown; shift+up and shift+down move it."
				return nil
			}
			o.on[r.Value] = !o.on[r.Value]
			return m.rearrange(o.shown())
		}},
		{action: "list-queue.sooner", title: "sooner", run: move(-1)},
		{action: "list-queue.later", title: "later", run: move(1)},
		{action: "list-choose", run: func(widget.Row) tea.Cmd {
			m.closeOverlays()
			return nil
		}},
	}
	m.pick(p, rows[0].Value)
	return nil
}

// standing reports whether a part is shown whatever the settings say.
func standing(name string) bool {
	return slices.ContainsFunc(StatusItems(), func(i StatusItem) bool { return i.Name == name && i.Standing })
}

// statusRows are all parts, with what they tell now, or what that would be.
func (m *Model) statusRows(o *statusOrder) []widget.Row {
	now, all := m.statusFacts(), StatusItems()
	rows := make([]widget.Row, len(o.names))
	for n, name := range o.names {
		part := all[slices.IndexFunc(all, func(i StatusItem) bool { return i.Name == name })]
		r := widget.Row{Value: name, Label: m.onOff(o.on[name]) + " " + name, Right: "left"}
		if r.Detail = clip(part.make(now).text, m.width); r.Detail == "" {
			r.Detail = part.Tells
		}
		if n >= o.left {
			r.Right = "right"
		}
		switch {
		case part.Standing:
			r.Right += ", always"
		case !o.on[name]:
			r.Right = ""
		}
		rows[n] = r
	}
	return rows
}

// statusPreview says what a part tells.
func statusPreview(th *theme.Theme, r widget.Row, width, height int) []string {
	all := StatusItems()
	i := slices.IndexFunc(all, func(i StatusItem) bool { return i.Name == r.Value })
	if i < 0 {
		return nil
	}
	var lines []string
	for _, l := range render.Wrap(all[i].Tells+".", max(1, width-widget.Margin-1)) {
		lines = append(lines, widget.Indent+th.Render(theme.Dim, l))
	}
	return lines[:min(len(lines), height)]
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

// saveStatus writes the order into the user's file: one write at a time.
func (m *Model) saveStatus() tea.Cmd {
	prefer := m.config.Prefer
	if prefer == nil {
		over[*picker](m).note = "It holds until this window closes: there is no file for settings."
		return nil
	}
	if m.status.saving {
		return nil // the end of that write looks again
	}
	m.status.saving = true
	names, ctx := m.status.names(), m.ctx
	return func() tea.Msg {
		_, err := prefer(ctx, "status.left", names.Left)
		if err == nil && ctx.Err() == nil {
			_, err = prefer(ctx, "status.right", names.Right)
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
