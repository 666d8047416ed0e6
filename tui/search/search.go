// Package search searches the timeline that a pane shows: a bar in which a query is
// typed, a job that counts what matches, and the way to the matches in the drawn lines.
package search

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/render"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/transcript"
)

// Search is a search in the timeline of a pane. It stays when its bar was closed with
// enter, for the next match and the one before. Counting the matches of a query is a job
// outside the loop; going to one is done on it, by looking at what is drawn.
type Search struct {
	ctx   context.Context
	pane  *transcript.Pane
	hint  string // for the user, since the last outcome; "" is none
	ended bool

	query   *editor.Editor
	open    bool // the bar is there and has the keys
	literal bool // what is typed stands for itself
	letters timeline.MatchCase
	filter  timeline.SearchFilter

	origin transcript.Position // what esc goes back to
	seen   transcript.Position // how the timeline was left by the search
	from   transcript.Spot     // where a query begins to look: where the reader was

	on      *timeline.Timeline         // what is searched
	matcher *timeline.Matcher          // nil: nothing is searched for
	exact   func(text string) [][2]int // finds the matches in what is drawn; nil is as the matcher does
	texts   *timeline.SearchCorpus
	last    *timeline.SearchJob // the last that counted everything
	running *timeline.SearchJob // that a job works on
	cancel  context.CancelFunc
	then    move // where to go when there is something to go to
	hits    timeline.SearchHits
	done    bool // hits are all there are

	at     *occurrence // the match that the user is at
	seek   *seek       // on the way to another one
	opened []opened
}

// opened is an entry that the search unfolded, and how it was before.
type opened struct {
	id   timeline.EntryID
	in   map[timeline.EntryID]render.Fold
	fold render.Fold
	set  bool // the fold was chosen, and is not that of its kind
}

// Outcome is what came of something that a search was given.
type Outcome struct {
	Hint  string  // for the user; "" is none
	Ended bool    // there is no search any more
	Next  tea.Cmd // the work that is to be done, which ends in a Msg; nil is none
}

// outcome takes what is for the user.
func (s *Search) outcome(next tea.Cmd) Outcome {
	o := Outcome{s.hint, s.ended, next}
	s.hint = ""
	return o
}

// Msg ends a stretch of work of a search: of a scan, or on the way to a match.
type Msg struct {
	of   *Search
	scan *timeline.SearchJob
	done bool
	seek *seek
}

// New opens the bar of a search in what a pane shows. Its jobs end with ctx.
func New(ctx context.Context, p *transcript.Pane) *Search {
	s := &Search{ctx: ctx, pane: p, query: editor.New(), open: true, on: p.Timeline}
	s.origin, s.seen, s.from = p.Position, p.Position, s.readersPlace()
	return s
}

// Open reports whether the bar is there and has the keys.
func (s *Search) Open() bool { return s != nil && s.open }

// Receive takes the end of a stretch of work. That of another search, nil included, is
// left alone.
func (s *Search) Receive(msg Msg) Outcome {
	switch {
	case s == nil || msg.of != s:
		return Outcome{Ended: s == nil}
	case msg.scan != nil && msg.scan == s.running: // else another query took its place
		s.cancel()
		return s.outcome(s.scanned(msg.scan, msg.done))
	case msg.seek != nil && msg.seek == s.seek:
		return s.outcome(s.seekOn())
	}
	return Outcome{}
}

// readersPlace is where the user reads: the block they stand on if it is in
// view, or the first line of the screen.
func (s *Search) readersPlace() transcript.Spot {
	p := s.pane
	if i, ok := p.Timeline.Find(p.Cursor); ok && s.pane.Browsing {
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

// Close closes the bar. What was found stays on the screen if it is kept, and the keys
// are for the timeline then; else the screen is as it was before. Without a bar, the
// search ends and the screen stays.
func (s *Search) Close(keep bool) Outcome {
	s.close(keep)
	return s.outcome(nil)
}

func (s *Search) close(keep bool) {
	switch {
	case s.open && keep && s.matcher != nil:
		s.open, s.pane.Browsing = false, true
		if s.at != nil {
			s.pane.Cursor = s.at.id
		}
		s.seen = s.pane.Position
	case s.open && s.on == s.pane.Timeline:
		s.End()
		s.pane.Position = s.origin
	default:
		s.End()
		if s.at == nil {
			break
		}
		if i, ok := s.pane.Timeline.Find(s.at.id); ok && s.pane.Shown(i) {
			s.pane.Reveal(i) // it may have been folded
		}
	}
}

// End ends the search; what is on the screen stays. Of no search there is nothing to end.
func (s *Search) End() {
	if s == nil {
		return
	}
	s.stop()
	s.refold("")
	for p := s.pane; p != nil; p = p.Over {
		p.Highlight = nil
	}
	s.ended = true
}

// stop ends the counting that runs and the way to a match.
func (s *Search) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel, s.running, s.seek, s.then = nil, nil, nil, stay
}

// Key takes a key of the bar.
func (s *Search) Key(keys *keymap.Map, press tea.KeyPressMsg) Outcome {
	return s.outcome(s.key(keys, press))
}

func (s *Search) key(keys *keymap.Map, press tea.KeyPressMsg) tea.Cmd {
	page := max(1, s.pane.Height-2)
	switch keys.Action(keymap.InSearch, press) {
	case "search-keep":
		s.close(true)
		return nil
	case "search-back":
		s.close(false)
		return nil
	case "search-kind.next":
		return s.filterBy(1)
	case "search-kind.before":
		return s.filterBy(timeline.Filters - 1)
	case "search-regex":
		s.literal = !s.literal
		return s.find()
	case "search-case":
		letters := timeline.ExactCase
		if s.exactCase() {
			letters = timeline.AnyCase
		}
		s.letters = letters
		return s.find()
	case "search-move.after":
		return s.next(false)
	case "search-move.before":
		return s.next(true)
	case "search-page.up":
		s.pane.Scroll(-page)
		return nil
	case "search-page.down":
		s.pane.Scroll(page)
		return nil
	}
	switch press.Keystroke() {
	case "shift+enter", "alt+enter", "ctrl+j":
		return nil // a query is one line
	case "backspace", "shift+backspace":
		if s.query.Empty() {
			s.close(false)
			return nil
		}
	}
	before := s.query.Version()
	s.query.Update(keys.Query(press))
	if s.query.Version() == before {
		return nil
	}
	return s.find()
}

// Paste takes the first line of a paste into the query.
func (s *Search) Paste(text string) Outcome {
	line, _, _ := strings.Cut(strings.Trim(text, "\r\n"), "\n")
	s.query.Insert(strings.TrimSuffix(line, "\r"))
	return s.outcome(s.find())
}

// filterBy goes to another kind of entries.
func (s *Search) filterBy(n int) tea.Cmd {
	s.filter = timeline.SearchFilter((int(s.filter) + n) % timeline.Filters)
	if s.matcher == nil {
		return nil
	}
	return s.scan(nearest)
}

// find searches for what is typed now, from where the reader was before.
func (s *Search) find() tea.Cmd {
	if s.pane.Position != s.seen { // they moved meanwhile
		s.from = s.readersPlace()
		if s.at != nil {
			s.at.first = false
		}
	}
	text := s.query.Text()
	if text == "" {
		s.stop()
		s.refold("")
		s.matcher, s.hits, s.at, s.pane.Highlight = nil, nil, nil, nil
		s.backToOrigin()
		return nil
	}
	s.matcher = timeline.NewMatcher(text, s.literal, s.letters)
	return s.scan(nearest)
}

// backToOrigin shows again what was shown before the search, unless the user
// has moved since it showed something else.
func (s *Search) backToOrigin() {
	if s.open && s.pane.Position == s.seen {
		s.pane.Position = s.origin
		s.seen = s.origin
	}
}

// scanWork is how much a scan does before it reports what it found so far: some
// ten milliseconds of an expression that nothing makes fast, and all of 10 MB of
// any other.
const scanWork = 512 << 10

// scan counts the matches, and goes where then is for when it can.
func (s *Search) scan(then move) tea.Cmd {
	s.stop()
	s.then, s.done = then, false
	s.texts = s.pane.Timeline.SearchCorpus(s.texts)
	s.pane.Highlight = s.Mark
	return s.scanOn(timeline.NewSearchJob(s.texts, s.matcher, s.last))
}

// scanOn lets a scan do a stretch of its work, outside the loop.
func (s *Search) scanOn(scan *timeline.SearchJob) tea.Cmd {
	ctx, cancel := context.WithCancel(s.ctx)
	s.running, s.cancel = scan, cancel
	return func() tea.Msg { return Msg{of: s, scan: scan, done: scan.Step(ctx, scanWork)} }
}

// scanned takes what a scan found so far.
func (s *Search) scanned(scan *timeline.SearchJob, done bool) tea.Cmd {
	s.running, s.cancel, s.done = nil, nil, done
	s.hits = scan.Hits(s.filter)
	var cmds []tea.Cmd
	if done {
		s.last = scan
		if s.matcher.Mode() == timeline.MatchExpression && len(scan.Hits(timeline.Everything)) == 0 {
			s.matcher = timeline.NewMatcher(s.query.Text(), true, s.letters) // as in a[0] or $HOME
			return s.scan(s.then)
		}
	} else {
		cmds = append(cmds, s.scanOn(scan))
	}
	if s.then != stay && (done || s.then == nearest && s.hits.From(s.posOf(s.from.ID)+1) < len(s.hits)) {
		then := s.then
		s.then = stay
		cmds = append(cmds, s.move(then))
	}
	return tea.Batch(cmds...)
}

// Next goes to the next match, or the one before.
func (s *Search) Next(back bool) Outcome {
	if s == nil {
		return Outcome{Hint: noSearch, Ended: true}
	}
	return s.outcome(s.next(back))
}

func (s *Search) next(back bool) tea.Cmd {
	if s.matcher == nil {
		s.hint = noSearch
		return nil
	}
	then := onward
	if back {
		then = backward
	}
	switch {
	case s.on != s.pane.Timeline: // that of a sub-agent was opened, or left
		s.stop()
		s.refold("")
		s.on, s.texts, s.last, s.hits, s.at = s.pane.Timeline, nil, nil, nil, nil
		return s.scan(then)
	case s.running != nil:
		s.then = then
		return nil
	case s.seek != nil && s.seek.move == then:
		return nil // it is on its way
	case !s.on.Current(s.texts):
		return s.scan(then)
	}
	return s.move(then)
}

// noSearch is shown if a match is asked for and nothing is searched for.
const noSearch = "Nothing is searched for; / searches the conversation."

// matches are the matches in what is drawn.
func (s *Search) matches(text string) [][2]int {
	if s.exact != nil {
		return s.exact(text)
	}
	return s.matcher.Find(text)
}

// Mark marks the matches in a drawn line.
func (s *Search) Mark(line string) string {
	th := s.pane.Opts.Theme
	if s.matcher == nil || s.done && len(s.hits) == 0 {
		return line
	}
	out := text.Highlight(line, s.matches, theme.Match, th)
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
