package tui

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/secrets"
	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/widget"
)

// recents are the sessions of the folder that were used last, for the first
// screen.
type recents struct {
	win  *conversation.Window
	tabs *tabs
	recent
	shown []sessions.Session // in their order on the first screen
}

// mostRecents bounds how many are shown.
const mostRecents = 6

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
		for i := range found.Sessions {
			found.Sessions[i].Title = secrets.Hide(found.Sessions[i].Title)
		}
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

// view draws the sessions that were used last, in so many lines at most, with numbers from
// first on, first what was open when a window was killed. It reports how many have a
// number, and whether the first was open.
func (r *recents) view(first, height int) (lines []string, n int, reopens bool) {
	r.shown = slices.Clone(r.shown[:0])
	open, wereOpen := r.tabs.openIDs(), 0
	for _, h := range r.hits {
		switch {
		case slices.Contains(open, h.ID):
		case !h.InUse && slices.Contains(r.win.Journal.Reopen, h.ID):
			r.shown = slices.Insert(r.shown, wereOpen, h.Session)
			wereOpen++
		default:
			r.shown = append(r.shown, h.Session)
		}
	}
	r.shown = r.shown[:max(0, min(len(r.shown), mostRecents, height-1, 10-first))]
	if len(r.shown) == 0 {
		return nil, 0, false
	}
	lines = []string{""}
	for i := range r.shown {
		label, note := "", ""
		switch {
		case i == 0 && wereOpen > 0:
			if label = "was open"; r.win.Front.Questions.Len() == 0 { // that takes the key
				note = r.win.KeyFor("send") + " resumes"
			}
		case i == wereOpen:
			label = "recent"
		}
		row := r.win.FirstRow(label, r.win.Numbered(first+i, r.line(&r.shown[i], note, i == 0)))
		lines = append(lines, text.Truncate(row, max(0, r.win.Width-1), ""))
	}
	return lines, len(r.shown), wereOpen > 0
}

// line is one of them, with a note, and how long ago it was used. Without a note the last
// one says so if its program ended before its turn did.
func (r *recents) line(s *sessions.Session, note string, last bool) string {
	const ago, number = 8, 3 // cells
	when := text.Age(max(0, r.at.Sub(s.Used)))
	switch {
	case note != "":
	case s.Keeper == sessions.AgentKeeper:
		note = "kept by agent"
	case s.InUse:
		note = "open elsewhere"
	case last && s.State == sessions.Interrupted:
		note = "ended while it worked"
	}
	room := max(1, r.win.Width-widget.Margin-conversation.FirstColumn-number-ago-1)
	if note != "" {
		note = r.win.Cut(note, room/2)
		room = max(1, room-text.Width(note)-widget.ColumnGap)
	}
	title := r.win.Cut(widget.FirstLine(cmp.Or(s.Title, string(s.ID))), room)
	line := r.win.Theme.Render(theme.Text, title) + widget.Blank(room-text.Width(title))
	if note != "" {
		line += widget.Blank(widget.ColumnGap) + r.win.Theme.Render(theme.Accent, note)
	}
	return line + widget.Blank(ago-text.Width(when)) + r.win.Theme.Render(theme.Dim, when)
}
