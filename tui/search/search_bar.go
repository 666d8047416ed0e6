package search

import (
	"fmt"
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// leastQuery is the room that a query has at least.
const leastQuery = 12

// Bar draws the bar, at most width cells, and where its caret is.
func (s *Search) Bar(width int) (line string, caret int) {
	th := s.pane.Opts.Theme
	lead := "/ "
	room := max(1, width-len(lead)-1) // with one for the caret
	state := s.State()
	tok := theme.Dim
	if s.matcher != nil && s.done && len(s.hits) == 0 {
		tok = theme.Warning
	}
	for state != "" && text.Width(state)+widget.ColumnGap+leastQuery > room {
		i := strings.LastIndex(state, s.pane.Opts.Theme.Dot())
		state = state[:max(i, 0)] // the count comes first
	}
	if state != "" {
		room = max(1, room+1-text.Width(state)-widget.ColumnGap) // the caret may be in the gap
	}
	x, _ := s.query.Cursor(room, 1)
	query := s.query.View(room, 1, th)[0]
	line = th.Render(theme.Accent, lead) + query
	if state != "" {
		line += widget.Blank(room-text.Width(query)+widget.ColumnGap) + th.Render(tok, state)
	}
	return text.Truncate(line, width, ""), min(len(lead)+x, max(0, width-1))
}

// State is where one is in the matches, which entries are searched, and
// how the query is read: "3 of 17 · tools · regex · exact case".
func (s *Search) State() string {
	var parts []string
	nth, total := s.Place()
	more := ""
	if !s.done {
		more = "+"
	}
	switch {
	case s.matcher == nil:
	case total == 0 && !s.done:
		parts = append(parts, "searching")
	case total == 0:
		parts = append(parts, "no match")
	case nth > 0:
		parts = append(parts, fmt.Sprintf("%d of %d%s", nth, total, more))
	default:
		parts = append(parts, text.Count(total, "match")+more)
	}
	if s.filter != timeline.Everything {
		parts = append(parts, s.filter.String())
	}
	if how := s.reading(); how != "" {
		parts = append(parts, how)
	}
	if s.exactCase() {
		parts = append(parts, "exact case")
	} else if s.letters == timeline.AnyCase {
		parts = append(parts, "any case")
	}
	return strings.Join(parts, s.pane.Opts.Theme.Dot())
}

// Place is the number of the present match, 0 without one, and how many there are.
func (s *Search) Place() (nth, total int) {
	if s == nil {
		return 0, 0
	}
	total = s.hits.Total()
	if s.at == nil {
		return 0, total
	}
	pos, ok := s.on.Find(s.at.id)
	i := s.hits.From(pos)
	if !ok || i == len(s.hits) || s.hits[i].ID != s.at.id {
		return 0, total
	}
	return s.hits[i].Before + min(s.at.nth, s.hits[i].Count), total
}

// reading is how the query is read, if that makes a difference.
func (s *Search) reading() string {
	if s.literal {
		return "literal"
	}
	if s.matcher == nil {
		return ""
	}
	switch s.matcher.Mode() {
	case timeline.MatchExpression:
		return "regex"
	case timeline.MatchLiteral:
		if len(s.hits) == 0 {
			return "regex" // it was looked for as both
		}
		return "literal"
	case timeline.MatchInvalid:
		return "not a regex, taken literally"
	case timeline.MatchPlain:
	}
	return ""
}

// exactCase reports whether the case of letters matters: it was chosen, or the query
// has a capital letter.
func (s *Search) exactCase() bool {
	if s.matcher == nil {
		return s.letters == timeline.ExactCase
	}
	return s.matcher.Exact()
}

// Hints are the actions of the bar with what they do.
func (s *Search) Hints() []string {
	how := "text"
	if s.literal {
		how = "regex"
	}
	letters := "case"
	if s.exactCase() {
		letters = "any case"
	}
	return []string{
		"search-back", "back", "search-keep", "keep", "search-move.before search-move.after", "matches", "search-kind.next", "kind",
		"search-regex", how, "search-case", letters,
	}
}
