package conversation

import (
	"parley/tui/status"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// band is some lines of the screen at full width.
type band struct{ Y, Height int }

// layout is where everything is: pure arithmetic over heights, top to bottom.
type layout struct {
	tabs, Timeline, activity, pending, todo, air, Card, list, Rule, thumbnails, Composer, status band
}

// wants are the heights the parts ask for.
type wants struct {
	tabs, card, list, activity, pending, todo, thumbnails, composer int
	full                                                            bool // the card takes the timeline's place
}

const (
	// tooSmall is the least width and height that anything is drawn at.
	tooSmallWidth, tooSmallHeight = 20, 6
	// roomy is how many lines of the timeline leave one for air above a card.
	roomy = 6
	// activityRows are those of the line that shows what the session does, with one of air
	// above it.
	activityRows = 2
	// mostPending bounds the lines of waiting prompts.
	mostPending = 3
	// mostThumbnailRows bounds the height of thumbnails, which take at most one line of
	// thumbnailShare. A window of less than thumbnailHeight lines has none.
	mostThumbnailRows, thumbnailShare, thumbnailHeight = 4, 6, 20
)

// composerHeight bounds the composer: it never takes more than a third.
func composerHeight(height, rows int) int { return max(1, min(rows, height/3)) }

// thumbnailRows is how high the thumbnails of the images in a draft may be.
func thumbnailRows(height int) int {
	if height < thumbnailHeight {
		return 0
	}
	return min(mostThumbnailRows, height/thumbnailShare)
}

// kept is what the timeline keeps while a card is open, so that what the
// question is about stays in view. On a small screen the question needs it all.
func kept(height int, full bool) int {
	if full || height < 20 {
		return 0
	}
	return 3
}

// cardRoom is the most a card can have beside the composer and the status line.
func cardRoom(height, composer int, full bool) int {
	return max(0, height-1-composerHeight(height, composer)-kept(height, full))
}

// arrange gives each part its lines. The composer, the rule and the status line
// always have theirs; the card comes next, the timeline takes what is left. Where a
// card stands on the composer its frame is the rule.
func arrange(height int, w wants) layout {
	left := height
	take := func(n int) int {
		n = max(0, min(n, left))
		left -= n
		return n
	}
	var l layout
	l.status.Height = take(1)
	if w.card == 0 {
		l.Rule.Height = take(1)
	}
	l.Composer.Height = take(composerHeight(height, w.composer))
	l.tabs.Height = take(w.tabs)
	l.Card.Height = take(min(w.card, cardRoom(height-l.tabs.Height, w.composer, w.full)))
	if w.card > 0 && w.list > 0 {
		l.Rule.Height = take(min(1, max(0, left-1)))
	}
	l.list.Height = take(min(w.list, max(0, left-1)))
	l.pending.Height = take(min(w.pending, mostPending, max(0, left-1)))
	l.todo.Height = take(min(w.todo, max(0, left-roomy)))
	if l.Card.Height > 0 && left >= roomy {
		l.air.Height = take(1)
	}
	if left >= roomy+activityRows {
		l.activity.Height = take(w.activity)
	}
	if left >= roomy+w.thumbnails {
		l.thumbnails.Height = take(w.thumbnails)
	}
	l.Timeline.Height = left
	y := 0
	for _, b := range []*band{
		&l.tabs, &l.Timeline, &l.activity, &l.pending, &l.todo, &l.air, &l.Card, &l.list, &l.Rule,
		&l.thumbnails, &l.Composer, &l.status,
	} {
		b.Y = y
		y += b.Height
	}
	return l
}

// view draws the conversation on the screen and what is around it.
type view struct {
	win    *Window
	Layout layout
	Card   []string     // the open question as drawn in this frame
	Facts  status.Facts // what the status line shows in this frame
	Inline bool         // it is below what the terminal has, and no higher than it must be

	recents Recents // on the first screen

	thumbnails []string // of the images in the draft, as drawn in this frame
}

// LayOut draws the card, whose height only its drawing shows, and gives
// everything its place. The card is drawn once a frame: what it counts as seen
// is what is on the screen.
func (v *view) LayOut(tabs int) {
	rows, images := v.win.Front.Composer.Rows(v.win.composerWidth()), v.win.Front.Composer.Images()
	if v.win.Front.focus() == searching {
		rows, images = 1, nil
	}
	v.thumbnails = v.win.Images.Thumbnails(images, v.win.composerWidth(), thumbnailRows(v.win.Height))
	full := v.win.Front.Questions.Full()
	if v.Card = nil; !v.win.covered() {
		v.Card = v.win.Front.Questions.View(v.win.Width, cardRoom(v.win.Height-tabs, rows, full), v.win.Theme)
	}
	v.win.Front.Todos.lines = v.win.Front.Todos.Band(max(0, v.win.Width-1), v.win.Height >= TallScreen && len(v.Card) == 0)
	if len(v.win.Front.Todos.lines) > 0 && v.win.Height >= TallScreen {
		v.win.Front.Todos.lines = append([]string{""}, v.win.Front.Todos.lines...)
	}
	v.Layout = arrange(v.win.Height, wants{
		tabs: tabs, card: len(v.Card), full: full, list: v.listHeight(),
		pending: v.win.Front.Queue.waitingPrompts(), todo: len(v.win.Front.Todos.lines), composer: rows,
		activity: v.activityHeight(), thumbnails: len(v.thumbnails),
	})
	v.win.Front.Pane.Height = v.Layout.Timeline.Height
	if v.Inline {
		v.Layout.shrink(v.liveRows())
		v.win.Front.Pane.Height = max(0, v.Layout.Timeline.Height-len(v.apart()))
	}
	if v.win.Front.Pane.Agent != nil {
		v.win.Front.Pane.Height = max(0, v.win.Front.Pane.Height-2) // its title
	}
}

// shrink leaves the timeline no more than so many lines.
func (l *layout) shrink(rows int) {
	less := max(0, l.Timeline.Height-rows)
	l.Timeline.Height -= less
	for _, b := range []*band{
		&l.activity, &l.pending, &l.todo, &l.air, &l.Card, &l.list, &l.Rule, &l.thumbnails, &l.Composer, &l.status,
	} {
		b.Y -= less
	}
}

// liveRows is how many lines the timeline has that are not written into the terminal yet, or the first screen.
func (v *view) liveRows() int {
	if c := v.win.Front; c.conversing() {
		return len(v.apart()) + len(c.Pane.View())
	}
	return len(v.greeting(v.Layout.Timeline.Height))
}

// apart is what stands between what is written into the terminal and what is below it.
func (v *view) apart() []string {
	if v.Inline && v.win.Front.Pane.Floor != (transcript.Spot{}) {
		return []string{""}
	}
	return nil
}

// composerWidth is the width of the draft: the margin and the caret's column
// at the right edge are not part of it.
func (w *Window) composerWidth() int { return max(1, w.Width-widget.Margin-1) }
