package status

import (
	"slices"

	"parley/settings"
	"parley/theme"
	"parley/tui/widget"
)

// Order is a choice of items that the user changes: all of them, so that one that is
// switched off keeps its place.
type Order struct {
	names []string // the left side, then the right
	left  int      // how many of them are at the left
	on    map[string]bool
}

// Order is the order of the items as they are shown now. One that is not shown is
// where it usually would be.
func (l *Line) Order() *Order {
	now, usual := l.Sides(), settings.Defaults().Status
	o := &Order{slices.Concat(now.Left, now.Right), len(now.Left), map[string]bool{}}
	for _, name := range o.names {
		o.on[name] = true
	}
	after := 0 // where the item before it in the usual order is at the left
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

// Sides are the names that are on, as the settings have them.
func (o *Order) Sides() settings.Status {
	on := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !o.on[name] })
	}
	return settings.Status{Left: on(o.names[:o.left]), Right: on(o.names[o.left:])}
}

// Move moves a name one place; from one side to the other at its end.
func (o *Order) Move(name string, by int) {
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

// Toggle switches an item on or off; not ok means that it is always shown.
func (o *Order) Toggle(name string) (ok bool) {
	if slices.ContainsFunc(Items(), func(i Item) bool { return i.Name == name && i.Always }) {
		return false
	}
	o.on[name] = !o.on[name]
	return true
}

// Rows are all items, with what they show now, or what that would be.
func (o *Order) Rows(f Facts) []widget.Row {
	all := Items()
	rows := make([]widget.Row, len(o.names))
	for n, name := range o.names {
		item := all[slices.IndexFunc(all, func(i Item) bool { return i.Name == name })]
		mark := theme.MarkMinus
		if o.on[name] {
			mark = theme.MarkDone
		}
		r := widget.Row{Value: name, Label: f.Theme.Glyph(mark) + " " + name, Right: "left"}
		if r.Detail = widget.Clip(item.draw(&f).text, f.Width); r.Detail == "" {
			r.Detail = item.Description
		}
		if n >= o.left {
			r.Right = "right"
		}
		switch {
		case item.Always:
			r.Right += ", always"
		case !o.on[name]:
			r.Right = ""
		}
		rows[n] = r
	}
	return rows
}

// Description is what an item is for, as a sentence; "" if there is no such item.
func Description(name string) string {
	i := slices.IndexFunc(Items(), func(i Item) bool { return i.Name == name })
	if i < 0 {
		return ""
	}
	return Items()[i].Description + "."
}
