package tui

import (
	"parley/tui/widget"
)

// band is some lines of the screen at full width.
type band struct{ y, height int }

// layout is where everything is: pure arithmetic over heights, top to bottom.
type layout struct {
	tabs, timeline, pending, todo, air, card, list, rule, composer, status band
}

// wants are the heights the parts ask for.
type wants struct {
	tabs, card, list, pending, todo, composer int
	full                                      bool // the card takes the timeline's place
}

const (
	// tooSmall is the least width and height that anything is drawn at.
	tooSmallWidth, tooSmallHeight = 20, 6
	// roomy is how many lines of the timeline leave one for air above a card.
	roomy = 6
	// mostPending bounds the lines of waiting prompts.
	mostPending = 3
)

// composerHeight bounds the composer: it never takes more than a third.
func composerHeight(height, rows int) int { return max(1, min(rows, height/3)) }

// kept is what the timeline keeps while a card is open, so that what the
// question is about stays in view. On a small screen the question needs it all.
func kept(height int, full bool) int {
	if full || height < 20 {
		return 0
	}
	return 3
}

// cardRoom is the most a card can have beside the composer, the rule and the
// status line.
func cardRoom(height, composer int, full bool) int {
	return max(0, height-2-composerHeight(height, composer)-kept(height, full))
}

// arrange gives each part its lines. The composer, the rule and the status line
// always have theirs; the card comes next, the timeline takes what is left.
func arrange(height int, w wants) layout {
	left := height
	take := func(n int) int {
		n = max(0, min(n, left))
		left -= n
		return n
	}
	status, rule := take(1), take(1)
	composer := take(composerHeight(height, w.composer))
	tabs := take(w.tabs)
	card := take(min(w.card, cardRoom(height-tabs, w.composer, w.full)))
	list := take(min(w.list, max(0, left-1)))
	pending := take(min(w.pending, mostPending, max(0, left-1)))
	todo := take(min(w.todo, max(0, left-roomy)))
	air := 0
	if card > 0 && left >= roomy {
		air = take(1)
	}

	var l layout
	y := 0
	place := func(b *band, n int) {
		*b = band{y, n}
		y += n
	}
	place(&l.tabs, tabs)
	place(&l.timeline, left)
	place(&l.pending, pending)
	place(&l.todo, todo)
	place(&l.air, air)
	place(&l.card, card)
	place(&l.list, list)
	place(&l.rule, rule)
	place(&l.composer, composer)
	place(&l.status, status)
	return l
}

// resize takes the size of the terminal.
func (m *Model) resize(width, height int) {
	if m.win.width != width {
		m.front.pane.Deselect() // lines are others now
	}
	m.win.width, m.win.height = width, height
	m.front.pane.Opts.Width = max(1, width-1) // a column of air at the right edge
	m.front.questions.Resize(m.win.now)
}

// view draws the conversation on the screen and what is around it.
type view struct {
	win     *windowState
	tabs    *tabs
	recents *recents
	layout  layout
	card    []string // the open question as drawn in this frame
}

// layOut draws the card, whose height only its drawing shows, and gives
// everything its place. The card is drawn once a frame: what it counts as seen
// is what is on the screen.
func (v *view) layOut() {
	rows := v.tabs.front.composer.Rows(v.win.composerWidth())
	if v.tabs.front.focus() == searching {
		rows = 1
	}
	full, tabs := v.tabs.front.questions.Full(), v.tabs.view(v.win.theme, v.win.width, v.win.height)
	if v.card = nil; !v.win.covered() {
		v.card = v.tabs.front.questions.View(v.win.width, cardRoom(v.win.height-len(tabs), rows, full), v.win.theme)
	}
	v.tabs.front.todos.lines = v.tabs.front.todos.band(max(0, v.win.width-1), v.win.height >= tallScreen && len(v.card) == 0)
	if len(v.tabs.front.todos.lines) > 0 && v.win.height >= tallScreen {
		v.tabs.front.todos.lines = append([]string{""}, v.tabs.front.todos.lines...)
	}
	v.layout = arrange(v.win.height, wants{
		tabs: len(tabs), card: len(v.card), full: full, list: v.listHeight(),
		pending: v.tabs.front.queue.waitingPrompts(), todo: len(v.tabs.front.todos.lines), composer: rows,
	})
	v.tabs.front.pane.Height = v.layout.timeline.height
	if v.tabs.front.pane.Agent != nil {
		v.tabs.front.pane.Height = max(0, v.tabs.front.pane.Height-2) // its title
	}
}

// composerWidth is the width of the draft: the margin and the caret's column
// at the right edge are not part of it.
func (w *windowState) composerWidth() int { return max(1, w.width-widget.Margin-1) }
