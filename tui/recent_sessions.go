package tui

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// recents are the sessions of the folder that were used last, for the first
// screen.
type recents struct {
	win  *conversation.Window
	tabs *tabs
	recent
}

// mostRecents bounds how many are shown.
const mostRecents = 5

// recent is what was used last.
type recent struct {
	hits []sessions.Hit
	at   time.Time // when they were found; how long ago is counted from it
}

// find looks for the sessions that the first screen shows: at the start
// those that are known, and once the session is open, when nothing else is to be
// started any more, those that there are. It is not done where no first screen is
// to come.
func (r *recents) find() tea.Cmd {
	if r.win.Config.Sessions == nil || r.win.Front.ReadOnly != nil || r.win.Front.Resume != "" || r.win.Front.Continued ||
		r.win.Front.Talked || r.win.Front.Wrote || r.win.Config.Prompt != "" {
		return nil
	}
	lib, now, at, refresh := r.win.Config.Sessions, r.win.Config.Now, r.win.Now, !r.win.Front.Opening
	request := sessions.Request{
		Scope: sessions.InFolder, Dir: r.win.Config.Options.Dir, Order: sessions.ByUsed, Limit: mostRecents + len(r.tabs.all),
	}
	return consult(r.win.Ctx, func(ctx context.Context) (recent, error) {
		if refresh {
			_ = lib.Refresh(ctx) // what is known is shown all the same
		}
		found, err := lib.Find(ctx, request)
		if now != nil {
			at = now()
		}
		return recent{found.Sessions, at}, err
	}, func(found recent, err error) tea.Cmd {
		if err == nil && !found.at.Before(r.at) { // the list of sessions shows an error
			r.recent = found
		}
		return nil
	})
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
	hint := r.win.Theme.Render(theme.Dim, "Recent sessions in this folder")
	way := r.win.Theme.Render(theme.Dim, r.win.Dot()) + r.win.KeyHints(keymap.HintsOf(r.win.KeyFor("resume"), "opens one")...)
	if r.win.KeyFor("resume") != "" && widget.Margin+text.Width(hint+way) < r.win.Width {
		hint += way
	}
	lines := []string{"", widget.Indent + text.Truncate(hint, max(0, r.win.Width-widget.Margin-1), "")}
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
	room := max(1, r.win.Width-widget.Margin-ago-1)
	if note != "" {
		note = r.win.Cut(note, room/2)
		room = max(1, room-text.Width(note)-widget.ColumnGap)
	}
	title := r.win.Cut(widget.FirstLine(cmp.Or(h.Title, string(h.ID))), room)
	text := widget.Indent + r.win.Theme.Render(theme.Dim, when+widget.Blank(ago-text.Width(when))) + r.win.Theme.Render(theme.Text, title)
	if note != "" {
		text += widget.Blank(widget.ColumnGap) + r.win.Theme.Render(theme.Accent, note)
	}
	return text
}
