// Package picker has the list that one picks a row from.
package picker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/prompts/consent"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// Picker is a list that has the keys until a row is picked or it is closed. What its
// functions return is asked for; nil asks for nothing.
type Picker struct {
	overlay.Base
	widget.List
	Title string
	State func() string  // at the right of the title, before where one is: a scope; it may be nil
	Query *editor.Editor // what is typed to filter; nil: letters are keys
	Lead  string         // before what is typed, if that is no filter
	All   []widget.Row   // those that the query filters
	// Search takes what is typed in place of the filter; it may be nil. It calls Show.
	Search func(query string) overlay.Request
	More   []Key  // keys in addition to those of every list
	Empty  string // what is shown if there are no rows; a list without it is closed then
	// Pick takes the row on Enter, when the list is closed; nil if Enter does nothing.
	Pick func(r widget.Row) overlay.Request
	// OnMove is called when another row is the chosen one; it may be nil.
	OnMove func(r widget.Row) overlay.Request
	// Live returns the rows as they are now, if they change while the list is open.
	Live func() []widget.Row
	// Preview draws what else there is to know of a row; it may be nil.
	Preview     func(r widget.Row, width, height int) []string
	PreviewRows int    // the most lines of it
	Tall        bool   // it has as many lines as the window has for it
	Searching   bool   // the rows are those of an older query
	Eager       bool   // Enter was pressed meanwhile
	Strict      bool   // only the arrows move, and not around the ends
	Note        string // in the last line in place of the keys; a move clears it

	tallest int    // the most rows it had
	armed   string // the key and the row that were pressed once
	since   time.Time
}

// Key is a further key of a picker.
type Key struct {
	Action, Title string
	// TitleOf returns what it does for a row, where that differs; nil is the Title.
	TitleOf func(r widget.Row) string
	// Together are actions that one hint names the keys of, such as both ways to move a
	// row; "" is the Action alone.
	Together string
	// Refuse returns why the key does nothing for a row, which is then shown in place of
	// what it does; nil, or "", if it does something.
	Refuse func(r widget.Row) string
	// Sure returns what is asked before it is done, and the key must be pressed again
	// then; nil, or "", asks nothing.
	Sure func(r widget.Row) string
	// Do takes the chosen row, which is zero if no row is chosen.
	Do func(r widget.Row) overlay.Request
}

// refusal is why the key does nothing for a row; "" if it does something.
func (k *Key) refusal(r widget.Row) string {
	if k.Refuse == nil {
		return ""
	}
	return k.Refuse(r)
}

// Filter makes the picker filter by what is typed.
func (p *Picker) Filter(query string) *Picker {
	p.Query = editor.New()
	p.Query.SetText(query)
	return p
}

// Start chooses the row of a value. If no row has it, the first is chosen where the user
// asked for the list just now; a list that comes late has none, so that a key that was
// meant for something else picks nothing.
func (p *Picker) Start(value string) {
	p.Chosen = slices.IndexFunc(p.Rows, func(r widget.Row) bool { return r.Value == value })
	if p.All == nil {
		p.All = p.Rows
	}
	if p.Search != nil && p.Chosen < 0 && len(p.Rows) > 0 {
		p.Chosen = 0
	}
}

// Refresh takes the rows of a list that changes. If the chosen one was removed, none is
// chosen: the next key is not for its neighbour. It reports whether there is a row left
// to do something with.
func (p *Picker) Refresh() bool {
	if p.Live == nil {
		return true
	}
	chosen, _ := p.Selected()
	p.All = p.Live()
	p.Rows = p.All
	if p.Query != nil {
		p.Rows = widget.Match(p.All, p.Query.Text())
	}
	p.Chosen = slices.IndexFunc(p.Rows, func(r widget.Row) bool { return r.Value == chosen.Value })
	return p.Empty != "" || slices.ContainsFunc(p.All, func(r widget.Row) bool { return r.Off == "" })
}

// Cover implements overlay.Overlay.
func (p *Picker) Cover() overlay.Cover { return overlay.AboveDraft }

// Key takes a key. What the user chose is asked for, and before it that the picker
// is closed where it is.
func (p *Picker) Key(press tea.KeyPressMsg) tea.Cmd {
	action := p.Keys.Action(keymap.InList, press)
	if p.armed != "" && !strings.HasPrefix(p.armed, action+" ") && p.declined(action, press) {
		return nil
	}
	r, ok := p.Selected()
	for _, k := range p.More {
		if k.Action == action {
			p.further(k, r, press)
			return nil
		}
	}
	if p.Query != nil && editor.Types(press) {
		p.typed(press)
		return nil
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
		p.followed()
		return nil
	}
	switch name := press.Keystroke(); {
	case p.Query == nil && action == "list-filter" && len(p.All) > 0 && !p.Strict:
		p.Query = editor.New()
		return nil
	case name == "tab" || name == "shift+enter":
		return nil
	}
	p.typed(press)
	return nil
}

// typed gives a key to the query, if there is one. The mark that a filter begins with is
// no part of it; a search may be for one.
func (p *Picker) typed(press tea.KeyPressMsg) {
	if p.Query == nil || p.Search == nil && p.Query.Text() == "" && press.Text == widget.FilterMark {
		return
	}
	before := p.Query.Text()
	p.Query.Update(p.Keys.Query(press))
	if p.Query.Text() != before {
		p.filter()
	}
}

// ChooseFirst is said of a key for a row where no row is chosen.
const ChooseFirst = "Choose a row with the arrows first."

// choose takes the chosen row; not ok means that no row is chosen, or that a key is
// held down.
func (p *Picker) choose(r widget.Row, ok bool) {
	switch {
	case p.Pick == nil:
	case p.Searching:
		p.Eager = true // the row that is found then
	case !ok && p.Chosen < 0 && len(p.Rows) > 0:
		p.Note = ChooseFirst
	case ok && r.Off != "":
		p.Note = "Not possible: " + r.Off
	case ok:
		p.Ask(overlay.Close{})
		p.Ask(p.Pick(r))
	}
}

// further asks for what a further key of the picker does, once it was pressed again
// where that is needed.
func (p *Picker) further(k Key, r widget.Row, press tea.KeyPressMsg) {
	if press.IsRepeat {
		return
	}
	if p.Note = k.refusal(r); k.Action == "list-choose" && p.Chosen < 0 && len(p.Rows) > 0 {
		p.Note = ChooseFirst
	}
	if p.Note != "" {
		return
	}
	if k.Sure == nil || k.Sure(r) == "" {
		p.Ask(k.Do(r))
		return
	}
	this := k.Action + " " + r.Value
	if p.armed == this && p.Now.Sub(p.since) >= consent.Quiet {
		p.armed = ""
		p.Ask(k.Do(r))
		return
	}
	does := "again does it, any other key does not"
	if p.armed == this {
		does = "once more: that was too quick" // a key that is held down does not count
	}
	p.armed, p.since = this, p.Now
	p.Note = fmt.Sprintf("%s   %s %s", k.Sure(r), p.Keys.Show(k.Action), does)
}

// declined leaves what waits for its key again, and reports whether the press was for
// that alone: the key that closes the list, or a letter of no other use, as in "no".
func (p *Picker) declined(action string, press tea.KeyPressMsg) bool {
	p.armed, p.Note = "", ""
	if action == "list-close" {
		return true
	}
	if press.Text == "" || p.Query != nil || action != "" && !p.Strict {
		return false
	}
	p.Note = "Not done."
	if p.Strict {
		p.Chosen = -1 // and no Enter does it but on a row that is chosen anew
	}
	return true
}

// moves goes to another row if that is what an action is for.
func (p *Picker) moves(action string) bool {
	if strings.HasPrefix(action, "list-letters.") && (p.Query != nil || p.Strict) {
		return false // letters are no keys
	}
	all := len(p.Rows)
	by, ok := map[string]int{
		"list-move.before": -1, "list-letters.before": -1, "list-move.after": 1, "list-letters.after": 1,
		"list-page.up": -p.Most(), "list-page.down": p.Most(),
		"list-page.first": -all, "list-letters.first": -all, "list-page.last": all, "list-letters.last": all,
	}[action]
	if !ok {
		return false
	}
	if one := by == 1 || by == -1; one && !p.Strict {
		p.Move(by)
	} else {
		p.Leap(by)
	}
	p.Note, p.armed = "", ""
	return true
}

// followed is what comes of another row being the chosen one.
func (p *Picker) followed() {
	if r, ok := p.Selected(); ok && p.OnMove != nil {
		p.Ask(p.OnMove(r))
	}
}

// Paste takes a paste into the query. It never picks anything.
func (p *Picker) Paste(text string) (tea.Cmd, bool) {
	if p.Query == nil {
		return nil, false
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	p.Query.Insert(line)
	p.filter()
	return nil, true
}

// Wheel implements overlay.Overlay.
func (p *Picker) Wheel(_, n int) tea.Cmd {
	if !p.Strict {
		p.Leap(cmp.Compare(n, 0))
		p.followed()
	}
	return nil
}

// Click implements overlay.Overlay.
func (p *Picker) Click(tea.MouseClickMsg) tea.Cmd { return nil }

// filter finds the rows that match what was typed, best first.
func (p *Picker) filter() {
	query := p.Query.Text()
	if p.Search != nil {
		p.Ask(p.Search(query))
		return
	}
	p.Show(widget.Match(p.All, query))
	p.tallest = 0 // what the user types may change how tall it is; what happens meanwhile may not
	p.followed()
}

// SetQuery replaces what is typed, as if it was.
func (p *Picker) SetQuery(text string) {
	p.Query.SetText(text)
	p.filter()
}

// Show puts other rows in, and chooses the first.
func (p *Picker) Show(rows []widget.Row) {
	p.Rows, p.Chosen, p.Moved = rows, min(0, len(rows)-1), false
}
