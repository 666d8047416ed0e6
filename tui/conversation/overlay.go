package conversation

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/settingslist"
	"parley/tui/widget"
)

// screen is what the window shows: one conversation, and what lies over it.
type screen struct {
	Front   *Conversation   // the conversation that is on it
	Overlay overlay.Overlay // what lies over that one and has the keys; nil if nothing does
	Chord   chord
}

// Over is what lies over the window, if it is of a type; nil if it is not.
func Over[T overlay.Overlay](w *Window) T {
	o, _ := w.Overlay.(T)
	return o
}

// covered reports whether something that the user opened lies over the question: it
// has the room, and the question is painted anew behind it.
func (w *Window) covered() bool { return w.Overlay != nil || w.Chord.listed(w.Now) }

// inFront reports whether the conversation is the one on the screen. Another opens
// nothing there, and takes no key.
func (c *core) inFront() bool { return c == c.win.Front.core }

// Cover lays something over the conversation, in the place of what is there. It does
// nothing if another conversation is on the screen.
func (c *core) Cover(o overlay.Overlay) {
	if !c.inFront() {
		return
	}
	if c.win.Overlay != nil {
		c.win.Overlay.Close()
	}
	o.SetFacts(c.OverlayFacts())
	c.win.Overlay = o
	c.Composer.CloseCompletions()
}

// CloseOverlays closes what lies over the conversation. What lies over another one
// stays.
func (c *core) CloseOverlays() {
	if !c.inFront() {
		return
	}
	if c.win.covered() {
		c.Questions.Resize(c.win.Now) // what was on the screen was no question
	}
	if c.win.Overlay != nil {
		c.win.Overlay.Close()
		c.win.Overlay = nil
	}
}

// Pick opens a picker with the row current chosen.
func (c *core) Pick(p *picker.Picker, current string) {
	if c.inFront() {
		p.Start(current)
		c.Cover(p)
	}
}

// RefreshList follows what an open list is about, and closes it once there is nothing
// left in it.
func (c *core) RefreshList() {
	if p := Over[*picker.Picker](c.win); p != nil && c.inFront() && !p.Refresh() {
		c.CloseOverlays()
	}
}

// OverlayFacts are those of now, but for the sessions that are open.
func (c *core) OverlayFacts() overlay.Facts {
	_, renames := session.As[session.Renamer](c.Session)
	return overlay.Facts{
		Theme: c.win.Theme, Keys: c.win.Keymap, Unicode: c.win.Config.Environment().Unicode(), Width: c.win.Width, Height: c.win.Height,
		Now: c.win.Now, Zone: c.win.Zone, Home: c.win.Config.Home, Dir: c.Info.Dir, Keeper: c.win.Config.Keeper,
		Pending: c.Questions.Len() > 0, Hint: c.Hinted(), Options: c.Pane.Opts, Density: c.Pane.Density,
		Renames: renames && c.Session != nil, ContextUse: c.ContextTold(),
	}
}

// ForOverlay does what an overlay asks for, if that is the conversation's.
func (c *Conversation) ForOverlay(r overlay.Request) (cmd tea.Cmd, ok bool) {
	switch r := r.(type) {
	case overlay.Close:
		c.CloseOverlays()
	case overlay.Copy:
		cmd = c.copyText(r.Text)
	case overlay.OpenAddress:
		cmd = c.openAddress(r.URL)
	case overlay.OpenPlace:
		cmd = c.openPlace(r)
	case overlay.OpenInEditor:
		c.request(EditText{&Edition{Text: r.Text, Name: r.Name, ReadOnly: true}})
	case overlay.Comment:
		c.Draft.comment(r.Text)
	case settingslist.Open:
		c.Pick(r.List, r.Chosen)
	case doThis:
		cmd = r.do()
	default:
		return nil, false
	}
	return cmd, true
}

// doThis does what the user chose.
type doThis struct{ do func() tea.Cmd }

// OverlayRequest marks it as a request of an overlay.
func (doThis) OverlayRequest() {}

// Doing asks to do something with a row.
func Doing(do func(r widget.Row) tea.Cmd) func(r widget.Row) overlay.Request {
	return func(r widget.Row) overlay.Request { return doThis{func() tea.Cmd { return do(r) }} }
}

// OpenPanel shows a panel. What was open is closed. It returns nil, for callers that
// return a command.
func (c *core) OpenPanel(p *panel.Panel) tea.Cmd {
	c.CloseOverlays()
	c.Cover(p)
	return nil
}

// openText shows a markdown text.
func (c *core) openText(title, markdown string, keys ...panel.Key) tea.Cmd {
	return c.OpenPanel(panel.Markdown(title, markdown, keys...))
}

// onKey is a key of a panel that does something.
func onKey(name, description string, do func() tea.Cmd) panel.Key {
	return panel.NewKey(name, description, doThis{do})
}

// comment begins a comment on a line of a diff in the draft.
func (c *promptDraft) comment(on string) {
	c.CloseOverlays()
	if before := c.Composer.Text(); before != "" && !strings.HasSuffix(before, "\n") {
		on = "\n" + on
	}
	c.Composer.SetOffset(len(c.Composer.Text()))
	c.Insert(on)
	c.ShowHint("Write what is to be said about the line.")
}
