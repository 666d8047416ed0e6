package tui

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// settingPreview is how many lines tell what a setting does.
const settingPreview = 6

// openSettings lists the settings, or those that match what was typed. With the
// name of one and a value, that one is set.
func (m *Model) openSettings(args string) tea.Cmd {
	if m.win.config.Prefer == nil {
		m.front.tell("There is no folder for settings here.")
		return nil
	}
	name, value, _ := strings.Cut(args, " ")
	if s, ok := settings.Find(name); ok && value != "" {
		v, err := s.Parse(value)
		if err != nil {
			m.front.tell("%s.", err)
			return nil
		}
		return m.win.prefer(s, v)
	}
	m.listSettings(args, "")
	return nil
}

// listSettings opens the list with one chosen, or the first.
func (m *Model) listSettings(query, chosen string) {
	p := &picker.Picker{List: widget.List{Steady: true}, Title: "Settings", PreviewRows: settingPreview}
	p.Live = m.win.settingRows
	p.All = p.Live()
	p.Rows = widget.Match(p.All, query)
	if chosen == "" && len(p.Rows) > 0 {
		chosen = p.Rows[0].Value
	}
	step := func(n int) func(r widget.Row) tea.Cmd {
		return func(r widget.Row) tea.Cmd {
			s, ok := settings.Find(r.Value)
			if !ok {
				return nil
			}
			if next, ok := nextValue(s, s.Value(m.win.config.Settings), n); ok {
				return m.win.prefer(s, next)
			}
			m.askSetting(s, p.Query.Text())
			return nil
		}
	}
	p.More = []picker.Key{
		{Action: "list-choose", Title: "change", Do: doing(step(1))},
		{Action: "list-effort.more", Do: doing(step(1))},
		{Action: "list-effort.less", Do: doing(step(-1))},
	}
	p.Preview = func(r widget.Row, width, height int) []string {
		return m.win.previewText(settingText(r.Value), width, height)
	}
	m.front.pick(p.Filter(query), chosen)
}

// settingRows are the settings with what they are now.
func (w *windowState) settingRows() []widget.Row {
	var rows []widget.Row
	for _, s := range settings.Table() {
		value := s.Value(w.config.Settings)
		r := widget.Row{Value: s.Name, Label: s.Name, Detail: cmp.Or(settingValue(value), "none")}
		if !reflect.DeepEqual(value, s.Default) {
			r.Right = "changed"
		}
		rows = append(rows, r)
	}
	return rows
}

// settingValue is a value as a user types it.
func settingValue(value any) string {
	switch v := value.(type) {
	case bool:
		return map[bool]string{true: "on", false: "off"}[v]
	case []string:
		if slices.ContainsFunc(v, func(item string) bool { return item == "" || strings.ContainsAny(item, " \t[\"") }) {
			return settings.TOML(v)
		}
		return strings.Join(v, " ")
	}
	return fmt.Sprint(value)
}

// settingText is what there is to know of a setting.
func settingText(name string) string {
	s, ok := settings.Find(name)
	if !ok {
		return ""
	}
	text := widget.Capitalised(s.Short) + ". " + strings.ReplaceAll(s.Long, "`", "")
	switch s.Kind {
	case settings.Word:
		text += "\nOne of " + strings.Join(s.Words, ", ") + "."
	case settings.Words:
		text += "\nAny of " + strings.Join(s.Words, ", ") + "."
	case settings.Number:
		text += fmt.Sprintf("\nFrom %d to %d.", s.Min, s.Max)
	case settings.Switch, settings.Text, settings.List, settings.Pairs, settings.Values:
	}
	if s.When != settings.AtOnce {
		text += "\nA change takes effect " + string(s.When) + "."
	}
	return text
}

// nextValue is the value n steps on, of a setting that has so few that one goes
// through them.
func nextValue(s settings.Setting, now any, n int) (next any, ok bool) {
	switch s.Kind {
	case settings.Switch:
		return now != true, true
	case settings.Word:
		i := slices.IndexFunc(s.Words, func(word string) bool { return word == now })
		return s.Words[(i+n+len(s.Words))%len(s.Words)], true
	case settings.Text, settings.Words, settings.List, settings.Number, settings.Pairs, settings.Values:
	}
	return nil, false
}

// askSetting asks for the value of one that is written, in the line of the
// query; the list comes back after it.
func (m *Model) askSetting(s settings.Setting, query string) {
	p := &picker.Picker{Title: s.Name, Lead: "=", PreviewRows: settingPreview}
	state := func(typed string) widget.Row {
		if _, err := s.Parse(typed); err != nil {
			return widget.Row{Value: s.Name, Label: "not yet", Off: strings.TrimPrefix(err.Error(), s.Name+" ")}
		}
		return widget.Row{Value: s.Name, Label: "set it"}
	}
	now := settingValue(s.Value(m.win.config.Settings))
	p.Rows = []widget.Row{state(now)}
	p.Search = func(typed string) overlay.Request {
		p.Show([]widget.Row{state(typed)})
		return nil
	}
	back := func() { m.listSettings(query, s.Name) }
	p.More = []picker.Key{{Action: "list-close", Title: "back", Do: doing(func(widget.Row) tea.Cmd {
		back()
		return nil
	})}}
	p.Pick = doing(func(widget.Row) tea.Cmd {
		back()
		value, err := s.Parse(p.Query.Text())
		if err != nil {
			return nil // such a row cannot be picked
		}
		return m.win.prefer(s, value)
	})
	p.Preview = func(_ widget.Row, width, height int) []string {
		return m.win.previewText(settingText(s.Name), width, height)
	}
	m.front.pick(p.Filter(now), "")
}

// prefer writes a setting into the user's file.
func (w *windowState) prefer(s settings.Setting, value any) tea.Cmd {
	put, ctx := w.config.Prefer, w.ctx
	return func() tea.Msg {
		now, err := put(ctx, s.Name, value)
		return preferMsg{Preferences{Settings: now}, err, s.Name}
	}
}

// put takes a setting that was written.
func (m *Model) put(msg preferMsg) tea.Cmd {
	if msg.err != nil {
		m.front.mistaken(msg.err, msg.put+" stays as it is.")
		return nil
	}
	cmd := m.apply(Preferences{msg.preferences.Settings, m.win.config.Keys})
	if s, ok := settings.Find(msg.put); ok && over[*picker.Picker](m.win) == nil {
		m.front.tell("%s is %s now.", s.Name, settingValue(s.Value(m.win.config.Settings)))
	}
	return cmd
}
