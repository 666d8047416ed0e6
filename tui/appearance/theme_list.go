package appearance

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// Choose takes a theme by name, or lists those that there are if the name is "". So
// many keys had been pressed then.
func (a *Appearance) Choose(name string, pressed uint64) (act Action, cmd tea.Cmd) {
	if a.preferences.colourless(a.profile) {
		act = Hint("There is no colour here: NO_COLOR is set, or the terminal has none.")
		if name == "" {
			return act, nil
		}
	}
	switch dir := a.preferences.Themes; {
	case builtIn(name):
		return a.Keep(Chosen{choice{name: name}}), nil
	case name != "":
		return act, a.load(name, true)
	default:
		return act, func() tea.Msg {
			files, err := theme.LoadDir(dir)
			return themesMsg{files, err, pressed}
		}
	}
}

// themesMsg are the user's own themes, to be listed.
type themesMsg struct {
	files   []*theme.File
	err     error
	pressed uint64
}

// Chosen asks the window to keep the theme that was chosen in the list.
type Chosen struct{ choice }

// OverlayRequest implements overlay.Request.
func (Chosen) OverlayRequest() {}

// Keep takes the theme that was chosen.
func (a *Appearance) Keep(c Chosen) Action {
	a.chosen = c.choice
	return Save(c.name)
}

// themeList makes the list of themes. While it is open the window has the one that it
// is at.
func (a *Appearance) themeList(files []*theme.File, err error) *picker.Picker {
	var rows []widget.Row
	own := map[string]*theme.File{}
	for _, name := range theme.Names() {
		rows = append(rows, widget.Row{Value: name, Label: name, Detail: theme.About(name)})
	}
	for _, f := range files {
		own[f.Name] = f
		rows = append(rows, widget.Row{Value: f.Name, Label: f.Name, Detail: fmt.Sprintf("your own, %s.toml", f.Name)})
	}
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Theme", PreviewRows: previewRows}
	if err != nil {
		p.Note, _, _ = strings.Cut(err.Error(), "\n")
	}
	p.Preview = func(_ widget.Row, width, height int) []string { return preview(a.theme, width, height) }
	p.OnMove = func(r widget.Row) overlay.Request {
		a.tried = choice{r.Value, own[r.Value]}
		return nil
	}
	p.Pick = func(r widget.Row) overlay.Request { return Chosen{choice{r.Value, own[r.Value]}} }
	a.list, a.tried = p, a.chosen
	return p.Filter("")
}

// Follow takes the list that is open, nil if none is: with the list of themes, however
// it was closed, its theme goes.
func (a *Appearance) Follow(open *picker.Picker) {
	if a.list != nil && open != a.list {
		a.list, a.tried = nil, choice{}
	}
}
