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
	hits []sessions.Hit
	at   time.Time // when they were found; how long ago is counted from it
}

// mostRecents bounds how many are shown.
const mostRecents = 5

// recentMsg is what was used last.
type recentMsg recents

// findRecent looks for the sessions that the first screen shows: at the start
// those that are known, and once the session is open, when nothing else is to be
// started any more, those that there are. It is not done where no first screen is
// to come.
func (m *Model) findRecent() tea.Cmd {
	if m.win.config.Sessions == nil || m.front.readOnly != nil || m.front.resume != "" || m.front.continued ||
		m.front.talked || m.front.wrote || m.win.config.Prompt != "" {
		return nil
	}
	ctx, lib, now, at, refresh := m.win.ctx, m.win.config.Sessions, m.win.config.Now, m.win.now, !m.front.opening
	request := sessions.Request{
		Scope: sessions.InFolder, Dir: m.win.config.Options.Dir, Order: sessions.ByUsed, Limit: mostRecents + len(m.all),
	}
	return func() tea.Msg {
		if refresh {
			_ = lib.Refresh(ctx) // what is known is shown all the same
		}
		found, err := lib.Find(ctx, request)
		if err != nil {
			return nil // whoever looks for sessions is told
		}
		if now != nil {
			at = now()
		}
		return recentMsg{found.Sessions, at}
	}
}

// recentFound takes what was found, if it is no older than what there is.
func (m *Model) recentFound(msg tea.Msg) {
	if found, ok := msg.(recentMsg); ok && !found.at.Before(m.recents.at) {
		m.recents = recents(found)
	}
}

// recentSessions draws the sessions that were used last, in so many lines at most.
func (m *Model) recentSessions(height int) []string {
	const head = 2 // lines above the sessions
	open := m.openIDs()
	hits := slices.DeleteFunc(slices.Clone(m.recents.hits), func(h sessions.Hit) bool { return slices.Contains(open, h.ID) })
	hits = hits[:max(0, min(len(hits), mostRecents, height-head))]
	if len(hits) == 0 {
		return nil
	}
	hint := m.win.theme.Render(theme.Dim, "Recent sessions in this folder")
	way := m.win.theme.Render(theme.Dim, m.win.dot()) + m.win.keyHints(keymap.HintsOf(m.win.keyFor("resume"), "opens one")...)
	if m.win.keyFor("resume") != "" && widget.Margin+text.Width(hint+way) < m.win.width {
		hint += way
	}
	lines := []string{"", widget.Indent + text.Truncate(hint, max(0, m.win.width-widget.Margin-1), "")}
	for i, h := range hits {
		lines = append(lines, m.recentLine(h, i == 0))
	}
	return lines
}

// recentLine is one of them. The last one says so if its program ended before its
// turn did.
func (m *Model) recentLine(h sessions.Hit, last bool) string {
	const ago = 8 // cells
	when := widget.Age(max(0, m.recents.at.Sub(h.Used)))
	note := ""
	switch {
	case h.InUse:
		note = "open elsewhere"
	case last && h.State == sessions.Interrupted:
		note = "ended while it worked"
	}
	room := max(1, m.win.width-widget.Margin-ago-1)
	if note != "" {
		note = m.win.cut(note, room/2)
		room = max(1, room-text.Width(note)-widget.ColumnGap)
	}
	title := m.win.cut(widget.FirstLine(cmp.Or(h.Title, string(h.ID))), room)
	text := widget.Indent + m.win.theme.Render(theme.Dim, when+widget.Blank(ago-text.Width(when))) + m.win.theme.Render(theme.Text, title)
	if note != "" {
		text += widget.Blank(widget.ColumnGap) + m.win.theme.Render(theme.Accent, note)
	}
	return text
}
