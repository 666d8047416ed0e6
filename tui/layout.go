package tui

// band is some lines of the screen at full width.
type band struct{ y, height int }

// layout is where everything is: pure arithmetic over heights, top to bottom.
type layout struct {
	timeline, pending, card, list, rule, composer, status band
}

// wants are the heights the parts ask for.
type wants struct {
	card, list, pending, composer int
	full                          bool // the card takes the timeline's place
}

const (
	// tooSmall is the least width and height that anything is drawn at.
	tooSmallWidth, tooSmallHeight = 20, 6
	// leastTimeline is kept for the timeline while a card is open, so that
	// what the question is about stays in view.
	leastTimeline = 3
	// mostPending bounds the lines of waiting prompts.
	mostPending = 3
)

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
	composer := take(max(1, min(w.composer, height/3)))
	keep := leastTimeline
	if w.full {
		keep = 0
	}
	card := max(0, min(w.card, left-keep))
	if w.full {
		card = left
	}
	left -= card
	list := take(min(w.list, max(0, left-1)))
	pending := take(min(w.pending, mostPending, max(0, left-1)))

	var l layout
	y := 0
	place := func(b *band, n int) {
		*b = band{y, n}
		y += n
	}
	place(&l.timeline, left)
	place(&l.pending, pending)
	place(&l.card, card)
	place(&l.list, list)
	place(&l.rule, rule)
	place(&l.composer, composer)
	place(&l.status, status)
	return l
}

// resize takes the size of the terminal.
func (m *Model) resize(width, height int) {
	m.width, m.height = width, height
	m.pane.opts.Width = max(1, width-1) // a column of air at the right edge
	m.queue.Resize(m.now)
}

// arrange lays the screen out anew.
func (m *Model) arrange() {
	w := wants{
		list: m.list.height(), pending: len(m.pending) + len(m.held),
		composer: m.composer.editor.Rows(m.composerWidth()),
	}
	if m.queue.Len() > 0 {
		w.card, w.full = m.height, m.queue.Full()
		if !w.full {
			w.card = len(m.queue.View(m.width, m.height-leastTimeline-3, m.theme))
		}
	}
	m.layout = arrange(m.height, w)
	m.pane.height = m.layout.timeline.height
}

// composerWidth is the width of the draft: the margin and the caret's column
// at the right edge are not part of it.
func (m *Model) composerWidth() int { return max(1, m.width-margin-1) }

// margin is the width of the column that holds the marks (design/look.md).
const margin = 2
