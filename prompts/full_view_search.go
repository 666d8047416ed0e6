package prompts

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// fullSearch is a search through what a card asks about, in its full view.
type fullSearch struct {
	matcher *timeline.Matcher // nil: no search
	rows    []int             // of the document that have a match
	at      int               // the one that was gone to
	width   int               // that rows are laid out for,
	length  int               // and their number
}

func (s *fullSearch) on() bool { return s.matcher != nil }

// endSearch forgets what is searched for.
func (c *choiceDialog) endSearch() { c.search = fullSearch{} }

// searches reports whether a key is one of the search. None of them is one that
// answers: n refuses while something is searched for too.
func (c *choiceDialog) searches(k tea.KeyPressMsg) bool {
	return c.large && printable(k) && (k.Text == "/" || c.search.on() && strings.Contains("<>", k.Text))
}

// searchKey opens the line of the search, or goes to another match.
func (c *choiceDialog) searchKey(key string) {
	switch key {
	case "/":
		c.begin(&textAnswer{label: "Find in this:", hint: "find", word: true, keep: c.find})
	case ">":
		c.goTo(c.search.at + 1)
	case "<":
		c.goTo(c.search.at - 1)
	}
}

// find goes to the first match from what is in view on.
func (c *choiceDialog) find(query string) {
	c.endSearch()
	if query == "" {
		return
	}
	c.search.matcher = timeline.NewMatcher(query, false, timeline.SmartCase)
	c.locate()
	if len(c.search.rows) == 0 {
		c.endSearch()
		c.hint = "not found: " + text.SanitizeLine(query)
		return
	}
	first := 0
	for first < len(c.search.rows)-1 && c.scroll.start+c.search.rows[first] < c.scroll.top {
		first++
	}
	c.goTo(first)
}

// locate finds the rows with a match if they are laid out in another way than before.
func (c *choiceDialog) locate() {
	s := &c.search
	if !s.on() || s.width == c.drawn.width && s.length == c.scroll.length {
		return
	}
	s.width, s.length = c.drawn.width, c.scroll.length
	s.rows = c.payload.find(func(line string) bool { return len(s.matcher.Find(line)) > 0 })
}

// goTo shows a match, around the ends.
func (c *choiceDialog) goTo(match int) {
	c.locate()
	n := len(c.search.rows)
	if n == 0 {
		return
	}
	c.search.at = (match + n) % n
	c.scroll.follow = false
	row := c.search.rows[c.search.at]
	c.scroll.top = max(0, c.scroll.start+row-c.scroll.height/3)
	if d, ok := c.payload.(interface{ selectAt(row int) }); ok {
		d.selectAt(row)
	}
}

// marked shows matches in rows of the document.
func (c *choiceDialog) marked(rows []string, th *theme.Theme) []string {
	if !c.search.on() {
		return rows
	}
	for i, row := range rows {
		rows[i] = text.Highlight(row, c.search.matcher.Find, theme.Match, th)
	}
	return rows
}

// found says which match was gone to.
func (c *choiceDialog) found() string {
	if !c.search.on() {
		return ""
	}
	return fmt.Sprintf("match %d of %d", min(c.search.at+1, len(c.search.rows)), len(c.search.rows))
}
