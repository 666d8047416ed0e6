package conversation

import (
	"strings"

	tea "charm.land/bubbletea/v2"

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

	Entry   overlay.Overlay // what the window was opened for: to close it ends the window; nil for the conversation
	beneath overlay.Overlay // what is there again once Overlay is closed; nil for the conversation
}

// Over is what lies over the window, or is there again once that is closed, if it is of a
// type; nil if it is not.
func Over[T overlay.Overlay](w *Window) T {
	o, ok := w.Overlay.(T)
	if !ok {
		o, _ = w.beneath.(T)
	}
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
	c.win.closeOverlays()
	o.SetFacts(c.OverlayFacts())
	c.win.Overlay = o
	c.Composer.CloseCompletions()
}

// layer lays something over the conversation as Cover does, but over what takes the whole
// window: that is there again once it is closed.
func layer(c *core, o overlay.Overlay) {
	under := c.win.Overlay
	if !c.inFront() || under == nil || under.Cover() != overlay.OverAll {
		c.Cover(o)
		return
	}
	o.SetFacts(c.OverlayFacts())
	c.win.Overlay, c.win.beneath = o, under
}

// closeOverlay closes the overlay that has the keys. What it was laid over is there again;
// the window ends if that was opened for it.
func closeOverlay(c *core) tea.Cmd {
	switch {
	case !c.inFront():
	case c.win.beneath != nil:
		c.win.Overlay.Close()
		c.win.Overlay, c.win.beneath = c.win.beneath, nil
		c.win.Overlay.SetFacts(c.OverlayFacts())
	case c.win.Overlay != nil && c.win.Overlay == c.win.Entry:
		return c.win.Quit("")
	default:
		c.CloseOverlays()
	}
	return nil
}

// CloseOverlays closes all that lies over the conversation. What lies over another one
// stays.
func (c *core) CloseOverlays() {
	if !c.inFront() {
		return
	}
	if c.win.covered() {
		c.Questions.Resize(c.win.Now) // what was on the screen was no question
	}
	c.win.closeOverlays()
}

// closeOverlays ends what all that lies over the conversation waits for.
func (w *Window) closeOverlays() {
	for _, o := range []overlay.Overlay{w.Overlay, w.beneath} {
		if o != nil {
			o.Close()
		}
	}
	w.Overlay, w.beneath, w.Entry = nil, nil, nil
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
	return overlay.Facts{
		Theme: c.win.Theme, Keys: c.win.Keymap, Unicode: c.win.Config.Environment().Unicode(), Width: c.win.Width, Height: c.win.Height,
		Now: c.win.Now, Zone: c.win.Zone, Home: c.win.Config.Home, Dir: c.Info.Dir, Keeper: c.Backend.Keeper,
		Pending: c.Questions.Len() > 0, Hint: c.Hinted(), Options: c.Pane.Opts, Density: c.Pane.Density,
		ContextUse: c.ContextTold(),
	}
}

// ForOverlay does what an overlay asks for, if that is the conversation's.
func (c *Conversation) ForOverlay(r overlay.Request) (cmd tea.Cmd, ok bool) {
	switch r := r.(type) {
	case overlay.Close:
		cmd = closeOverlay(c.core)
	case overlay.Help:
		c.Reports.showKeysOf(r.Context)
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
