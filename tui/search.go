package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/transcript"
)

// search is a search in the timeline that is shown. It
// goes on when its bar was closed with enter, for the next match and the one
// before. Counting the matches of a query is a job outside the loop; going to one
// is done here, by looking at what is drawn.
type search struct {
	query   *editor.Editor
	open    bool // the bar is there and has the keys
	literal bool // what is typed stands for itself
	filter  timeline.SearchFilter

	origin view            // what esc goes back to
	seen   view            // how the timeline was left by the search
	from   transcript.Spot // where a query begins to look: where the reader was

	on      *timeline.Timeline // what is searched
	matcher *timeline.Matcher  // nil: nothing is searched for
	texts   *timeline.SearchCorpus
	last    *timeline.SearchJob // the last that counted everything
	running *timeline.SearchJob // that a job works on
	under   session.Session     // the session at that time: what a job of another one finds is dropped
	cancel  context.CancelFunc
	then    move // where to go when there is something to go to
	hits    timeline.SearchHits
	done    bool // hits are all there are

	at     *occurrence // the match that the user is at
	seek   *seek       // on the way to another one
	opened []opened
}

// view is what of a timeline is on the screen, and who has the keys.
type view struct {
	follow, held, loose bool
	top, floor          transcript.Spot
	left                int
	cursor              timeline.EntryID
	browsing            bool
}

func (c *conversation) view() view {
	p := &c.pane
	return view{p.Follow, p.Held, p.Loose, p.Top, p.Floor, p.Left, p.Cursor, c.browsing}
}

func (c *conversation) restore(v view) {
	p := &c.pane
	p.Follow, p.Held, p.Loose, p.Top, p.Floor, p.Left, p.Cursor = v.follow, v.held, v.loose, v.top, v.floor, v.left, v.cursor
	c.browsing = v.browsing
}

// opened is an entry that the search unfolded, and how it was before.
type opened struct {
	id   timeline.EntryID
	in   map[timeline.EntryID]render.Fold
	fold render.Fold
	set  bool // the fold was chosen, and is not that of its kind
}

// openSearch opens the bar, with a query to start with.
func (c *conversation) openSearch(args string) tea.Cmd {
	if c.pane.Timeline.Len() == 0 {
		c.tell("There is nothing to search yet.")
		return nil
	}
	c.endSearch()
	c.closeOverlays()
	s := &search{query: editor.New(), open: true, on: c.pane.Timeline, origin: c.view(), from: c.readersPlace()}
	s.seen = s.origin
	c.search = s
	if args == "" {
		return nil
	}
	s.query.SetText(args)
	return c.find()
}

// readersPlace is where the user reads: the block they stand on if it is in
// view, or the first line of the screen.
func (c *conversation) readersPlace() transcript.Spot {
	p := &c.pane
	if i, ok := p.Timeline.Find(p.Cursor); ok && c.browsing {
		for _, at := range p.Rows() {
			if at.Entry == i && at.Unit >= 0 {
				return p.Spot(at)
			}
		}
	}
	if at, ok := p.First(); ok {
		return p.Spot(at)
	}
	return transcript.Spot{}
}

// closeSearch closes the bar. What was found stays on the screen if it is kept,
// and the keys are for the timeline then; else the screen is as it was before.
// Without a bar, the search ends and the screen stays.
func (c *conversation) closeSearch(keep bool) {
	s := c.search
	switch {
	case s == nil:
		return
	case s.open && keep && s.matcher != nil:
		s.open = false
		c.browsing = true
		if s.at != nil {
			c.pane.Cursor = s.at.id
		}
		s.seen = c.view()
	case s.open && s.on == c.pane.Timeline:
		c.endSearch()
		c.restore(s.origin)
	default:
		c.endSearch()
		if s.at == nil {
			break
		}
		if i, ok := c.pane.Timeline.Find(s.at.id); ok && c.pane.Shown(i) {
			c.pane.Reveal(i) // it may have been folded
		}
	}
}

// endSearch forgets the search.
func (c *conversation) endSearch() {
	s := c.search
	if s == nil {
		return
	}
	s.stop()
	s.refold("")
	for p := &c.pane; p != nil; p = p.Over {
		p.Highlight = nil
	}
	c.search = nil
}

// stop ends the counting that runs and the way to a match.
func (s *search) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel, s.running, s.seek, s.then = nil, nil, nil, stay
}

// searchKey routes a key to the bar.
func (c *conversation) searchKey(press tea.KeyPressMsg) tea.Cmd {
	s := c.search
	switch c.keymap.Action(keymap.InSearch, press) {
	case "search-keep":
		c.closeSearch(true)
		return nil
	case "search-back":
		c.closeSearch(false)
		return nil
	case "search-kind.next":
		return c.filterSearch(1)
	case "search-kind.before":
		return c.filterSearch(timeline.Filters - 1)
	case "search-regex":
		s.literal = !s.literal
		return c.find()
	case "search-move.after":
		return c.nextMatch(false)
	case "search-move.before":
		return c.nextMatch(true)
	case "search-page.up":
		return c.scroll(-c.page())
	case "search-page.down":
		return c.scroll(c.page())
	}
	switch press.Keystroke() {
	case "shift+enter", "alt+enter", "ctrl+j":
		return nil // a query is one line
	case "backspace", "shift+backspace":
		if s.query.Empty() {
			c.closeSearch(false)
			return nil
		}
	}
	before := s.query.Version()
	s.query.Update(c.inQuery(press))
	if s.query.Version() == before {
		return nil
	}
	return c.find()
}

// searchPaste takes the first line of a paste into the query.
func (c *conversation) searchPaste(text string) tea.Cmd {
	line, _, _ := strings.Cut(strings.Trim(text, "\r\n"), "\n")
	c.search.query.Insert(strings.TrimSuffix(line, "\r"))
	return c.find()
}

// filterSearch goes to another kind of entries.
func (c *conversation) filterSearch(by int) tea.Cmd {
	s := c.search
	s.filter = timeline.SearchFilter((int(s.filter) + by) % timeline.Filters)
	if s.matcher == nil {
		return nil
	}
	return c.scan(nearest)
}

// find searches for what is typed now, from where the reader was before.
func (c *conversation) find() tea.Cmd {
	s := c.search
	if c.view() != s.seen { // they moved meanwhile
		s.from = c.readersPlace()
		if s.at != nil {
			s.at.first = false
		}
	}
	text := s.query.Text()
	if text == "" {
		s.stop()
		s.refold("")
		s.matcher, s.hits, s.at, c.pane.Highlight = nil, nil, nil, nil
		c.backToOrigin()
		return nil
	}
	s.matcher = timeline.NewMatcher(text, s.literal)
	return c.scan(nearest)
}

// backToOrigin shows again what was shown before the search, unless the user
// has moved since it showed something else.
func (c *conversation) backToOrigin() {
	if s := c.search; s.open && c.view() == s.seen {
		c.restore(s.origin)
		s.seen = s.origin
	}
}

// scanWork is how much a scan does before it tells what it found so far: some
// ten milliseconds of an expression that nothing makes fast, and all of 10 MB of
// any other.
const scanWork = 512 << 10

// scan counts the matches, and goes where then says when it can.
func (c *conversation) scan(then move) tea.Cmd {
	s := c.search
	s.stop()
	s.then, s.done = then, false
	s.texts = c.pane.Timeline.SearchCorpus(s.texts)
	c.pane.Highlight = func(line string) string { return s.mark(line, c.theme) }
	return c.scanOn(timeline.NewSearchJob(s.texts, s.matcher, s.last))
}

// scanOn lets a scan do a stretch of its work, outside the loop.
func (c *conversation) scanOn(scan *timeline.SearchJob) tea.Cmd {
	s := c.search
	ctx, cancel := context.WithCancel(c.ctx)
	s.running, s.under, s.cancel = scan, c.session, cancel
	step := func(context.Context) (bool, error) { return scan.Step(ctx, scanWork), nil }
	return ask(c, "search", step, func(done bool) tea.Cmd {
		cancel()
		if c.search != s || s.running != scan {
			return nil // another query took its place
		}
		return c.scanned(scan, done)
	})
}

// scanned takes what a scan found so far.
func (c *conversation) scanned(scan *timeline.SearchJob, done bool) tea.Cmd {
	s := c.search
	s.running, s.cancel, s.done = nil, nil, done
	s.hits = scan.Hits(s.filter)
	var cmds []tea.Cmd
	if done {
		s.last = scan
		if s.matcher.Mode() == timeline.MatchExpression && len(scan.Hits(timeline.Everything)) == 0 {
			s.matcher = timeline.NewMatcher(s.query.Text(), true) // as in a[0] or $HOME
			return c.scan(s.then)
		}
	} else {
		cmds = append(cmds, c.scanOn(scan))
	}
	if s.then != stay && (done || s.then == nearest && s.hits.From(c.posOf(s.from.ID)+1) < len(s.hits)) {
		then := s.then
		s.then = stay
		cmds = append(cmds, c.move(then))
	}
	return tea.Batch(cmds...)
}

// nextMatch goes to the next match, or the one before.
func (c *conversation) nextMatch(back bool) tea.Cmd {
	s := c.search
	if s == nil || s.matcher == nil {
		c.tell("Nothing is searched for; / searches the conversation.")
		return nil
	}
	then := onward
	if back {
		then = backward
	}
	switch {
	case s.on != c.pane.Timeline: // that of a sub-agent was opened, or left
		s.stop()
		s.refold("")
		s.on, s.texts, s.last, s.hits, s.at = c.pane.Timeline, nil, nil, nil, nil
		return c.scan(then)
	case s.running != nil && s.under == c.session:
		s.then = then
		return nil
	case !s.on.Current(s.texts):
		return c.scan(then)
	}
	return c.move(then)
}

// mark marks what was found in a drawn line.
func (s *search) mark(line string, th *theme.Theme) string {
	if s.matcher == nil || s.done && len(s.hits) == 0 {
		return line
	}
	out := text.Highlight(line, s.matcher.Find, theme.Match, th)
	if s.at == nil || len(s.at.marks) == 0 {
		return out
	}
	content, from := body(line)
	for _, now := range s.at.marks {
		if now.body == content {
			span := [2]int{max(0, now.span[0]+from), now.span[1] + from}
			out = text.Highlight(out, func(string) [][2]int { return [][2]int{span} }, theme.MatchNow, th)
		}
	}
	return out
}
