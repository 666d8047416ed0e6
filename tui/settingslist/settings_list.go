// Package settingslist is the list of the settings, which changes them. It asks the
// window to set one, or to open another list in its place.
package settingslist

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"parley/settings"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// Now returns the settings as they are now.
type Now func() settings.Settings

// What the list asks for, in addition to what any overlay may.
type (
	// Open opens a list, with one row chosen.
	Open struct {
		List   *picker.Picker
		Chosen string
	}
	// Themes opens the list of themes, which shows each.
	Themes struct{}
	// StatusItems opens the list of what the status line shows.
	StatusItems struct{}
	// Set writes a setting into the user's file.
	Set struct {
		Setting settings.Setting
		Value   any
	}
)

// OverlayRequest implements overlay.Request.
func (Open) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Themes) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (StatusItems) OverlayRequest() {}

// OverlayRequest implements overlay.Request.
func (Set) OverlayRequest() {}

// previewRows is how many lines describe a setting.
const previewRows = 6

// Request returns what the words of the command ask for: to set a setting, if they are
// its name and a value, or to open the list of those that match. The error is what is
// wrong with the value.
func Request(words string, now Now) (overlay.Request, error) {
	name, value, _ := strings.Cut(words, " ")
	if s, ok := settings.Find(name); ok && value != "" {
		v, err := s.Parse(value)
		if err != nil {
			return nil, err //nolint:wrapcheck // it is a sentence about the value
		}
		return Set{s, v}, nil
	}
	return list(now, words, ""), nil
}

// list lists the settings that match a query, with one chosen, or the first.
func list(now Now, query, chosen string) Open {
	p := &picker.Picker{List: widget.List{Steady: true}, Title: "Settings", PreviewRows: previewRows, Tall: true}
	p.Live = func() []widget.Row { return rows(now()) }
	p.All = p.Live()
	p.Rows = widget.Match(p.All, query)
	if chosen == "" && len(p.Rows) > 0 {
		chosen = p.Rows[0].Value
	}
	step := func(n int) func(r widget.Row) overlay.Request {
		return func(r widget.Row) overlay.Request {
			s, _ := settings.Find(r.Value)
			next, _ := nextValue(s, s.Value(now()), n) // a row without one refuses the key
			return Set{s, next}
		}
	}
	refuse := func(r widget.Row) string {
		s, _ := settings.Find(r.Value)
		if _, ok := nextValue(s, nil, 1); !ok {
			return p.Keys.Show("list-choose") + " changes it."
		}
		return ""
	}
	p.More = []picker.Key{
		{Action: "list-choose", Title: "change", Do: func(r widget.Row) overlay.Request { return change(now, r.Value, p.Query.Text()) }},
		{Action: "list-effort.less list-effort.more", Title: "previous or next value", Refuse: refuse}, // the hint for both
		{Action: "list-effort.more", Refuse: refuse, Do: step(1)},
		{Action: "list-effort.less", Refuse: refuse, Do: step(-1)},
	}
	p.Preview = func(r widget.Row, width, height int) []string {
		return widget.PreviewText(p.Theme, description(r.Value), width, height)
	}
	return Open{p.Filter(query), chosen}
}

// rows are the settings with what they are now.
func rows(now settings.Settings) []widget.Row {
	return widget.Rows(settings.Table(), func(s settings.Setting) widget.Row {
		value := s.Value(now)
		r := widget.Row{
			Value: s.Name, Group: s.Group, Label: s.Title, Detail: inWords(s, value), Right: s.Name,
			Terms: strings.Join([]string{s.Group, s.Long, strings.Join(s.Words, " "), strings.Join(s.Meanings, " ")}, " "),
		}
		if !reflect.DeepEqual(value, s.Default) {
			r.Detail += " (changed)"
		}
		return r
	})
}

// inWords is what a value means, in a few words.
func inWords(s settings.Setting, value any) string {
	if i := slices.IndexFunc(s.Words, func(word string) bool { return word == value }); i >= 0 && s.Kind == settings.Word {
		return s.Meanings[i]
	}
	return strings.TrimSpace(cmp.Or(Value(value), "none") + " " + s.Unit)
}

// Value is the value of a setting as a user types it.
func Value(value any) string {
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

// description is what there is to know of a setting.
func description(name string) string {
	s, ok := settings.Find(name)
	if !ok {
		return ""
	}
	text := strings.ReplaceAll(s.Long, "`", "")
	switch s.Kind {
	case settings.Switch:
		text += "\nOn or off"
	case settings.Word:
		values := make([]string, len(s.Words))
		for i, word := range s.Words {
			values[i] = word + " (" + s.Meanings[i] + ")"
		}
		text += "\nOne of " + strings.Join(values, ", ")
	case settings.Number:
		text += fmt.Sprintf("\nFrom %d to %d %s", s.Min, s.Max, s.Unit)
	case settings.Text, settings.Words, settings.List, settings.Pairs, settings.Variables, settings.Values:
	}
	text = strings.TrimSuffix(text, ".") + ".\nDefault: " + cmp.Or(Value(s.Default), "none") + "."
	return text + when(s)
}

// when says when a change of a setting takes effect, if that is not at once.
func when(s settings.Setting) string {
	if s.When == settings.AtOnce {
		return ""
	}
	return " A change takes effect " + string(s.When) + "."
}

// change asks for what Enter does with a setting: it switches it, or opens what there is
// to choose from, after which the list of settings comes back with its query.
func change(now Now, name, query string) overlay.Request {
	s, ok := settings.Find(name)
	switch {
	case !ok:
		return nil
	case s.Name == "theme":
		return Themes{}
	case s.Kind == settings.Words:
		return StatusItems{}
	case s.Kind == settings.Switch:
		next, _ := nextValue(s, s.Value(now()), 1)
		return Set{s, next}
	case s.Meanings != nil:
		return choices(now, s, query)
	}
	return ask(now, s, query)
}

// choices lists the values of a setting.
func choices(now Now, s settings.Setting, query string) Open {
	const write = "" // the row for a value that is not listed
	p := &picker.Picker{Title: s.Title, State: func() string { return s.Name }, PreviewRows: previewRows}
	value := Value(s.Value(now()))
	for i, word := range slices.Concat(s.Words, s.Known) {
		r := widget.Row{Value: word, Label: word, Detail: s.Meanings[i]}
		switch word {
		case value:
			r.Right = "current"
		case s.Default:
			r.Right = "default"
		}
		p.Rows = append(p.Rows, r)
	}
	if s.Kind == settings.Text {
		r := widget.Row{Value: write, Label: "other", Detail: "write its value"}
		if !slices.Contains(s.Known, value) {
			r.Label, r.Right, value = value, "current", write
		}
		p.Rows = append(p.Rows, r)
	}
	back := func(widget.Row) overlay.Request { return list(now, query, s.Name) }
	p.More = []picker.Key{{Action: "list-close", Title: "back", Do: back}}
	p.Pick = func(r widget.Row) overlay.Request {
		if r.Value == write {
			return ask(now, s, query)
		}
		p.Ask(back(r))
		return Set{s, r.Value}
	}
	p.Preview = func(_ widget.Row, width, height int) []string {
		return widget.PreviewText(p.Theme, strings.ReplaceAll(s.Long, "`", "")+when(s), width, height)
	}
	return Open{p, value}
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
	case settings.Text, settings.Words, settings.List, settings.Number, settings.Pairs, settings.Variables, settings.Values:
	}
	return nil, false
}

// ask asks for the value of a setting that is written, in the line of the query; the
// list comes back after it.
func ask(now Now, s settings.Setting, query string) Open {
	p := &picker.Picker{Title: s.Title, State: func() string { return s.Name }, Lead: "=", PreviewRows: previewRows}
	state := func(typed string) widget.Row {
		if _, err := s.Parse(typed); err != nil {
			return widget.Row{Value: s.Name, Label: "not yet", Off: strings.TrimPrefix(err.Error(), s.Name+" ")}
		}
		return widget.Row{Value: s.Name, Label: "set it"}
	}
	value := Value(s.Value(now()))
	if slices.Contains(s.Known, value) {
		value = "" // those are in the list; another is meant
	}
	p.Rows = []widget.Row{state(value)}
	p.Search = func(typed string) overlay.Request {
		p.Show([]widget.Row{state(typed)})
		return nil
	}
	p.More = []picker.Key{{Action: "list-close", Title: "back", Do: func(widget.Row) overlay.Request { return list(now, query, s.Name) }}}
	p.Pick = func(widget.Row) overlay.Request {
		p.Ask(list(now, query, s.Name))
		value, err := s.Parse(p.Query.Text())
		if err != nil {
			return nil // such a row cannot be picked
		}
		return Set{s, value}
	}
	p.Preview = func(_ widget.Row, width, height int) []string {
		return widget.PreviewText(p.Theme, description(s.Name), width, height)
	}
	return Open{p.Filter(value), ""}
}
