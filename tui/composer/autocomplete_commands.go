package composer

import (
	"slices"
	"strings"

	"parley/tui/keymap"
	"parley/tui/widget"
)

// commandRows are the commands that match what was typed after the slash, best first: by
// their names, or else by what they do.
func commandRows(table []keymap.Command, typed string) []widget.Row {
	var rows []widget.Row
	byID := map[string]keymap.Command{}
	for _, c := range table {
		if c.Slash != "" {
			rows = append(rows, widget.Row{Value: c.ID, Label: c.Slash, Detail: c.Title, Terms: strings.Join(c.Aliases, " ")})
			byID[c.ID] = c
		}
	}
	rows = exactFirst(table, misspelt(table, widget.Match(rows, typed), typed), typed)
	for i, r := range rows {
		c := byID[r.Value]
		for m := range r.Marks {
			r.Marks[m][0], r.Marks[m][1] = r.Marks[m][0]+1, r.Marks[m][1]+1 // the slash
		}
		rows[i] = widget.Row{
			Value: "/" + c.Slash, Label: strings.TrimSpace("/" + c.Slash + " " + c.Args), Detail: c.Title, Marks: r.Marks,
		}
	}
	return rows
}

// exactFirst puts the command first that what was typed runs as it is: its name, or another for it.
func exactFirst(table []keymap.Command, rows []widget.Row, typed string) []widget.Row {
	c, ok := keymap.Find(table, typed)
	i := slices.IndexFunc(rows, func(r widget.Row) bool { return r.Value == c.ID })
	if !ok || i < 1 {
		return rows
	}
	return toFront(rows, i)
}

// toFront moves row i before all others.
func toFront(rows []widget.Row, i int) []widget.Row {
	first := rows[i]
	return slices.Insert(slices.Delete(rows, i, i+1), 0, first)
}

// misspelt puts the command whose name is spelt most like what was typed before those that
// only have its letters somewhere.
func misspelt(table []keymap.Command, rows []widget.Row, typed string) []widget.Row {
	if len(rows) == 0 || strings.Contains(strings.ToLower(rows[0].Label+" "+rows[0].Detail+" "+rows[0].Terms), strings.ToLower(typed)) {
		return rows
	}
	near, ok := keymap.Misspelt(table, typed)
	if !ok {
		return rows
	}
	i := slices.IndexFunc(rows, func(r widget.Row) bool { return r.Value == near.ID })
	if i >= 0 {
		return toFront(rows, i)
	}
	return slices.Insert(rows, 0, widget.Row{Value: near.ID})
}

// argumentRows are the words that a command takes, as far as they are known, and no further
// than the word that is typed.
func argumentRows(all []keymap.Command, name, typed string) []widget.Row {
	command, _ := keymap.Find(all, name)
	var rows []widget.Row
	for _, choice := range command.Choices {
		if strings.HasPrefix(choice, typed) && choice != typed && strings.Count(choice, " ") == strings.Count(typed, " ") {
			rows = append(rows, widget.Row{Value: choice, Label: choice})
		}
	}
	return rows
}
