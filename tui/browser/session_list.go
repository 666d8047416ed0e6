package browser

import (
	"cmp"
	"slices"
	"time"

	"parley/history/secrets"
	"parley/history/sessions"
	"parley/session"
)

// sessionList is what a search found, in groups, with one session chosen. It scrolls by
// lines.
type sessionList struct {
	shown       secrets.Shown // of the titles of all sessions
	hits        []sessions.Hit
	items       []sessionItem
	lines       []int // which item each line is of
	chosen      session.ID
	chooseNext  session.ID // is chosen once it is found; "" for none
	chosenItem  int        // -1 without a choice
	top         int        // the first line in view
	rowLines    int        // lines of a session
	resetChoice bool       // the query has changed: the first session is to be chosen

	// The repository, or folder, that all of them are of, and the branch in it; "" if they
	// differ. samePlace is that no two differ in either.
	repository, branch string
	samePlace          bool
}

// sessionItem is a heading, or a session.
type sessionItem struct {
	heading string
	hit     int // index in hits; -1 for a heading
	depth   int // in the tree of copies
	nth     int // of the session, from 1; a heading has that of the one before
	line    int // the first of the item
}

// grouping is how sessions are grouped.
type grouping uint8

const (
	ungrouped grouping = iota
	byDay
	byRepository
	byFork
	groupings // their number
)

// String is how the title of the browser names it.
func (g grouping) String() string {
	return [groupings]string{"", "by day", "by repository", "by fork"}[g]
}

// setHits shows what was found. The chosen session stays chosen, and on its line of the
// screen; if it is not found, the one in its place is chosen.
func (l *sessionList) setHits(b *Browser, hits []sessions.Hit) {
	line := l.lineOf(l.chosenItem) - l.top
	before := l.chosenItem
	if l.hits = hits; l.resetChoice {
		l.chosen, l.top, l.resetChoice, before = "", 0, false, -1
	}
	l.findPlace(b)
	l.arrange(b)
	if l.chooseNext != "" {
		if l.chosenItem = l.find(l.chooseNext); l.chosenItem >= 0 {
			l.chooseNext = ""
			l.choose()
			return
		}
	}
	if l.chosenItem = l.find(l.chosen); l.chosenItem >= 0 {
		l.top = max(0, l.lineOf(l.chosenItem)-line)
		return
	}
	l.chosenItem = l.nearest(max(before, 0))
	l.choose()
}

// findPlace finds what place all that was found shares.
func (l *sessionList) findPlace(b *Browser) {
	l.repository, l.branch, l.samePlace = "", "", len(l.hits) > 0
	for i := range l.hits {
		repository, branch := b.repository(&l.hits[i].Session), l.hits[i].Branch
		if i == 0 {
			l.repository, l.branch = repository, branch
		}
		if repository != l.repository {
			l.repository, l.branch, l.samePlace = "", "", false
			return
		}
		if branch != l.hits[0].Branch {
			l.branch, l.samePlace = "", false
		}
	}
}

// find returns the item of a session; -1 if it is not listed.
func (l *sessionList) find(id session.ID) int {
	return slices.IndexFunc(l.items, func(i sessionItem) bool { return i.hit >= 0 && l.hits[i.hit].ID == id })
}

// nearest returns the item of the session at item i or after it, or else before it; -1
// without sessions.
func (l *sessionList) nearest(i int) int {
	for n := i; n < len(l.items); n++ {
		if l.items[n].hit >= 0 {
			return n
		}
	}
	for n := min(i, len(l.items)) - 1; n >= 0; n-- {
		if l.items[n].hit >= 0 {
			return n
		}
	}
	return -1
}

func (l *sessionList) choose() {
	if l.chosen = ""; l.chosenItem >= 0 {
		l.chosen = l.hits[l.items[l.chosenItem].hit].ID
	}
}

// session is the chosen one; nil if no session is chosen.
func (l *sessionList) session() *sessions.Session {
	if l.chosenItem < 0 || l.chosenItem >= len(l.items) {
		return nil
	}
	return &l.hits[l.items[l.chosenItem].hit].Session
}

// number is that of the chosen session among those that were found, from 1.
func (l *sessionList) number() int {
	if l.chosenItem < 0 || l.chosenItem >= len(l.items) {
		return 0
	}
	return l.items[l.chosenItem].nth
}

// move moves n sessions down, and stops at the ends.
func (l *sessionList) move(n int) {
	step := cmp.Compare(n, 0)
	for i := l.chosenItem + step; n != 0 && i >= 0 && i < len(l.items); i += step {
		if l.items[i].hit >= 0 {
			l.chosenItem = i
			n -= step
		}
	}
	l.choose()
}

// arrange groups what was found. A group is where its first session is.
func (l *sessionList) arrange(b *Browser) {
	l.items = l.items[:0]
	switch b.options.group {
	case byFork:
		l.tree()
	case byDay, byRepository:
		names, groups := []string{}, map[string][]int{}
		for i := range l.hits {
			name := b.groupOf(&l.hits[i].Session)
			if groups[name] == nil {
				names = append(names, name)
			}
			groups[name] = append(groups[name], i)
		}
		for _, name := range names {
			l.items = append(l.items, sessionItem{heading: name, hit: -1})
			for _, i := range groups[name] {
				l.items = append(l.items, sessionItem{hit: i})
			}
		}
	default:
		for i := range l.hits {
			l.items = append(l.items, sessionItem{hit: i})
		}
	}
	l.measure(l.rowLines)
}

// groupOf is the heading that a session is below.
func (b *Browser) groupOf(s *sessions.Session) string {
	if b.options.group == byRepository {
		return cmp.Or(b.repository(s), "no repository")
	}
	day := func(t time.Time) time.Time {
		y, month, d := t.In(b.Zone).Date()
		return time.Date(y, month, d, 0, 0, 0, 0, time.UTC)
	}
	switch now, then := day(b.Now), day(s.Used); {
	case s.Used.IsZero():
		return "no date"
	case then.Equal(now):
		return "Today"
	case then.Equal(now.AddDate(0, 0, -1)):
		return "Yesterday"
	case then.Year() == now.Year():
		return then.Format("Monday, 2 January")
	default:
		return then.Format("Monday, 2 January 2006")
	}
}

// tree puts copies below what they were copied from, if that was found. Sessions that are
// copies of each other, as a log may claim, begin with the first.
func (l *sessionList) tree() {
	found, copies := make(map[session.ID]bool, len(l.hits)), map[session.ID][]int{}
	for i := range l.hits {
		found[l.hits[i].ID] = true
		copies[l.hits[i].Parent] = append(copies[l.hits[i].Parent], i)
	}
	placed := make([]bool, len(l.hits))
	var place func(i, depth int)
	place = func(i, depth int) {
		if placed[i] {
			return
		}
		placed[i] = true
		l.items = append(l.items, sessionItem{hit: i, depth: depth})
		for _, below := range copies[l.hits[i].ID] {
			place(below, depth+1)
		}
	}
	for i := range l.hits {
		if !found[l.hits[i].Parent] {
			place(i, 0)
		}
	}
	for i := range l.hits {
		place(i, 0)
	}
}

// measure computes the lines of the items, with so many for a session. A heading has a
// blank line above it, but for the first.
func (l *sessionList) measure(span int) {
	l.rowLines, l.lines = span, l.lines[:0]
	nth := 0
	for i := range l.items {
		item, n := &l.items[i], span
		switch {
		case item.hit >= 0:
			nth++
		case i == 0:
			n = 1
		default:
			n = 2
		}
		item.nth, item.line = nth, len(l.lines)
		for range n {
			l.lines = append(l.lines, i)
		}
	}
}

// lineOf is the first line of an item.
func (l *sessionList) lineOf(i int) int {
	if i < 0 || i >= len(l.items) {
		return 0
	}
	return l.items[i].line
}

// follow scrolls as little as needed to show the chosen session and a heading above it.
func (l *sessionList) follow(height int) {
	if i := l.chosenItem; i >= 0 {
		first, last := l.items[i].line, l.items[i].line+l.rowLines
		if i > 0 && l.items[i-1].hit < 0 && last-l.items[i-1].line <= height {
			first = l.items[i-1].line
		}
		l.top = max(min(l.top, first), last-height)
	}
	l.top = max(0, min(l.top, len(l.lines)-height))
}
