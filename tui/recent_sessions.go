package tui

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// recents are the sessions of the folder that were used last, for the first
// screen.
type recents struct {
	win  *windowState
	tabs *tabs
	hits []sessions.Hit
	at   time.Time // when they were found; how long ago is counted from it
}

// mostRecents bounds how many are shown.
const mostRecents = 5

// recentMsg is what was used last.
type recentMsg struct {
	hits []sessions.Hit
	at   time.Time
}

// find looks for the sessions that the first screen shows: at the start
// those that are known, and once the session is open, when nothing else is to be
// started any more, those that there are. It is not done where no first screen is
// to come.
func (r *recents) find() tea.Cmd {
	if r.win.config.Sessions == nil || r.tabs.front.readOnly != nil || r.tabs.front.resume != "" || r.tabs.front.continued ||
		r.tabs.front.talked || r.tabs.front.wrote || r.win.config.Prompt != "" {
		return nil
	}
	ctx, lib, now, at, refresh := r.win.ctx, r.win.config.Sessions, r.win.config.Now, r.win.now, !r.tabs.front.opening
	request := sessions.Request{
		Scope: sessions.InFolder, Dir: r.win.config.Options.Dir, Order: sessions.ByUsed, Limit: mostRecents + len(r.tabs.all),
	}
	return func() tea.Msg {
		if refresh {
			_ = lib.Refresh(ctx) // what is known is shown all the same
		}
		found, err := lib.Find(ctx, request)
		if err != nil {
			return nil // the list of sessions shows it
		}
		if now != nil {
			at = now()
		}
		return recentMsg{found.Sessions, at}
	}
}

// found takes what was found, if it is no older than what there is.
func (r *recents) found(msg tea.Msg) {
	if found, ok := msg.(recentMsg); ok && !found.at.Before(r.at) {
		r.hits, r.at = found.hits, found.at
	}
}

// view draws the sessions that were used last, in so many lines at most.
func (r *recents) view(height int) []string {
	const head = 2 // lines above the sessions
	open := r.tabs.openIDs()
	hits := slices.DeleteFunc(slices.Clone(r.hits), func(h sessions.Hit) bool { return slices.Contains(open, h.ID) })
	hits = hits[:max(0, min(len(hits), mostRecents, height-head))]
	if len(hits) == 0 {
		return nil
	}
	hint := r.win.theme.Render(theme.Dim, "Recent sessions in this folder")
	way := r.win.theme.Render(theme.Dim, r.win.dot()) + r.win.keyHints(keymap.HintsOf(r.win.keyFor("resume"), "opens one")...)
	if r.win.keyFor("resume") != "" && widget.Margin+text.Width(hint+way) < r.win.width {
		hint += way
	}
	lines := []string{"", widget.Indent + text.Truncate(hint, max(0, r.win.width-widget.Margin-1), "")}
	for i, h := range hits {
		lines = append(lines, r.line(h, i == 0))
	}
	return lines
}

// line is one of them. The last one says so if its program ended before its
// turn did.
func (r *recents) line(h sessions.Hit, last bool) string {
	const ago = 8 // cells
	when := text.Age(max(0, r.at.Sub(h.Used)))
	note := ""
	switch {
	case h.InUse:
		note = "open elsewhere"
	case last && h.State == sessions.Interrupted:
		note = "ended while it worked"
	}
	room := max(1, r.win.width-widget.Margin-ago-1)
	if note != "" {
		note = r.win.cut(note, room/2)
		room = max(1, room-text.Width(note)-widget.ColumnGap)
	}
	title := r.win.cut(widget.FirstLine(cmp.Or(h.Title, string(h.ID))), room)
	text := widget.Indent + r.win.theme.Render(theme.Dim, when+widget.Blank(ago-text.Width(when))) + r.win.theme.Render(theme.Text, title)
	if note != "" {
		text += widget.Blank(widget.ColumnGap) + r.win.theme.Render(theme.Accent, note)
	}
	return text
}
