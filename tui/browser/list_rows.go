package browser

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// titleOf is what a session is called.
func titleOf(s *sessions.Session) string {
	return cmp.Or(s.Title, "no prompt yet")
}

// repositoryOf is the repository of a session, or the folder it worked in.
func (b *Browser) repositoryOf(s *sessions.Session) string {
	return cmp.Or(s.Repository, widget.ShortPath(s.Root, b.Home), widget.ShortPath(s.Dir, b.Home))
}

// placeOf is where a session worked.
func (b *Browser) placeOf(s *sessions.Session) string {
	where := b.repositoryOf(s)
	if s.Branch != "" {
		where += " (" + s.Branch + ")"
	}
	return where
}

// remark is a word that a row says of a session.
type remark struct {
	text string
	tok  theme.Token
}

// remarksOf says how a session stands, as far as that is not as usual, and what
// the user noted.
func (b *Browser) remarksOf(s *sessions.Session) []remark {
	var all []remark
	say := func(is bool, text string, tok theme.Token) {
		if is {
			all = append(all, remark{text, tok})
		}
	}
	here := b.openHere(s.ID)
	say(s.InUse && !b.livesHere(s.ID), "open elsewhere", theme.Accent)
	say(b.holds(s.ID), "this session", theme.Accent)
	say(here && !b.holds(s.ID), "open here", theme.Accent)
	say(!s.Deleted.IsZero(), "deleted", theme.Warning)
	say(s.State == sessions.Failed, "failed", theme.Error)
	say(s.State == sessions.Interrupted && !here && !s.InUse, "interrupted", theme.Warning)
	say(s.Unread != "", "not all readable", theme.Warning)
	say(s.Pinned, "pinned", theme.Text)
	say(s.Archived, "archived", theme.Dim)
	for _, tag := range s.Tags {
		say(true, "#"+tag, theme.Dim)
	}
	return all
}

// remarks draws what a row says of a session, in some room, and its width.
func (b *Browser) remarks(s *sessions.Session, room int) (line string, width int) {
	for _, one := range b.remarksOf(s) {
		content := text.SanitizeLine(one.text)
		lead := ""
		if line != "" {
			lead = b.Dot()
		}
		w := text.Width(content) + text.Width(lead)
		if width+w > room {
			break
		}
		line += b.Theme.Render(theme.Dim, lead) + b.Theme.Render(one.tok, content)
		width += w
	}
	return line, width
}

// costOf is a number of premium requests.
func costOf(f float64) string {
	if f <= 0 {
		return ""
	}
	s := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
	return s + " req"
}

func countUnless(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, noun)
}

// ageOf says how long ago a session was used last.
func (b *Browser) ageOf(s *sessions.Session) string {
	if s.Used.IsZero() {
		return ""
	}
	return widget.Age(max(0, b.Now.Sub(s.Used)))
}

// changedOf are the lines that a session changed.
func (b *Browser) changedOf(s *sessions.Session) string {
	if s.Added == 0 && s.Removed == 0 {
		return ""
	}
	return fmt.Sprintf("+%d %s%d", s.Added, b.Theme.Glyph(theme.MarkMinus), s.Removed)
}

func tokensOf(s *sessions.Session) string {
	if n := s.Tokens.Total(); n > 0 {
		return text.Tokens(n) + " tok"
	}
	return ""
}

// joined are those texts that say something, with a dot between them.
func (b *Browser) joined(texts ...string) string {
	var said []string
	for _, t := range texts {
		if t != "" {
			said = append(said, t)
		}
	}
	return strings.Join(said, b.Dot())
}

// deepest is how far a copy of copies is indented.
const deepest = 4

// drawItem draws one line of an item of the list, at most width cells.
func (b *Browser) drawItem(item sessionItem, n, width int, chosen, wide bool) string {
	th := b.Theme
	if item.hit < 0 {
		if n > 0 || b.list.items[0] == item {
			return widget.Indent + th.Render(theme.Heading, b.Cut(item.heading, max(0, width-widget.Margin)))
		}
		return ""
	}
	hit := &b.list.hits[item.hit]
	lead := widget.Indent
	if chosen && n == 0 {
		tok := theme.Accent
		if b.looking || b.writing {
			tok = theme.Dim
		}
		lead = th.Render(tok, th.Glyph(theme.MarkChosen)) + " "
	}
	indent := widget.Margin * min(item.depth, deepest)
	lead += widget.Blank(indent)
	room := max(0, width-widget.Margin-indent)
	switch {
	case n == 0 && wide:
		return lead + b.titleRow(hit, room, chosen)
	case n == 0:
		return lead + b.columnsRow(&hit.Session, room, chosen)
	case wide:
		return lead + b.factsRow(&hit.Session, room)
	}
	return lead + widget.Indent + b.marked(th.Render(theme.Dim, b.Cut(strings.TrimSpace(hit.Excerpt), max(0, room-widget.Margin))))
}

// titleRow is the first line of two: what it is called, and how long ago.
func (b *Browser) titleRow(hit *sessions.Hit, room int, chosen bool) string {
	right := b.ageOf(&hit.Session)
	left := b.Cut(titleOf(&hit.Session), max(0, room-ageWidth-widget.ColumnGap))
	return b.marked(b.Theme.Render(titleToken(chosen), left)) +
		widget.Blank(room-text.Width(left)-text.Width(right)) + b.Theme.Render(theme.Dim, right)
}

func titleToken(chosen bool) theme.Token {
	if chosen {
		return theme.Strong
	}
	return theme.Text
}

// factsRow is the second line of two: where, how it stands, what it took.
func (b *Browser) factsRow(s *sessions.Session, room int) string {
	right := b.Cut(b.joined(countUnless(s.Turns, "turn"), costOf(s.Cost)), room/2)
	room -= text.Width(right)
	said, width := b.remarks(s, max(0, room-widget.ColumnGap-leastPlace))
	place := b.placeOf(s)
	if width > 0 && place != "" {
		said = b.Theme.Render(theme.Dim, b.Dot()) + said
		width += text.Width(b.Dot())
	}
	where := b.Cut(place, max(0, room-widget.ColumnGap-width))
	return b.Theme.Render(theme.Dim, where) + said +
		widget.Blank(room-text.Width(where)-width) + b.Theme.Render(theme.Dim, right)
}

const (
	// ageWidth is that of the longest age, as in "59 min".
	ageWidth = 6
	// leastPlace is the room that a repository keeps beside what is said of a
	// session.
	leastPlace = 12
	// leastRemark is the room for what matters most of how a session stands, as in
	// "open elsewhere".
	leastRemark = 14
	// leastTitle is the room that a title has before there is another column.
	leastTitle = 34
)

// column is something to know of a session, in a width that is always the same:
// nothing moves when other rows come into view.
type column struct {
	width int
	right bool // numbers line up there
	text  func(b *Browser, s *sessions.Session) string
}

// sessionColumns are the columns besides title and age, the one that matters most
// first.
func sessionColumns() []column {
	return []column{
		{22, false, (*Browser).placeOf},
		{9, true, func(_ *Browser, s *sessions.Session) string { return countUnless(s.Turns, "turn") }},
		{14, false, func(_ *Browser, s *sessions.Session) string { return s.Model }},
		{9, true, func(_ *Browser, s *sessions.Session) string { return tokensOf(s) }},
		{9, true, func(_ *Browser, s *sessions.Session) string { return costOf(s.Cost) }},
		{11, true, (*Browser).changedOf},
	}
}

// columnsRow is a session in one line: its title and how it stands, as many
// columns as there is room for, and its age.
func (b *Browser) columnsRow(s *sessions.Session, room int, chosen bool) string {
	left := max(0, room-widget.ColumnGap-ageWidth)
	right := ""
	for _, c := range sessionColumns() {
		if left-widget.ColumnGap-c.width < leastTitle {
			break
		}
		left -= widget.ColumnGap + c.width
		content := b.Cut(c.text(b, s), c.width)
		space := widget.Blank(c.width - text.Width(content))
		content = b.Theme.Render(theme.Dim, content)
		if c.right {
			content = space + content
		} else {
			content += space
		}
		right += widget.Blank(widget.ColumnGap) + content
	}
	old := b.Cut(b.ageOf(s), ageWidth)
	right += widget.Blank(widget.ColumnGap+ageWidth-text.Width(old)) + b.Theme.Render(theme.Dim, old)
	room = max(left*2/5, min(left/2, leastRemark), left-widget.ColumnGap-text.Width(text.SanitizeLine(titleOf(s))))
	said, width := b.remarks(s, room)
	if width > 0 {
		said = widget.Blank(widget.ColumnGap) + said
		width += widget.ColumnGap
	}
	title := b.Cut(titleOf(s), max(0, left-width))
	return b.marked(b.Theme.Render(titleToken(chosen), title)) + said + widget.Blank(left-text.Width(title)-width) + right
}

// previewFacts is what the line above the preview says of a session.
func (b *Browser) previewFacts(s *sessions.Session) []string {
	busy := ""
	if s.Busy >= time.Second {
		busy = worked(s.Busy)
	}
	return []string{
		s.Model, countUnless(s.Prompts, "prompt"), busy, tokensOf(s), countUnless(s.Edits, "file"), b.changedOf(s),
		countUnless(s.Failures, "failure"), s.Agent,
	}
}

// worked is how long something took, in minutes or hours.
func worked(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	}
	return fmt.Sprintf("%d h %d min", int(d/time.Hour), int(d%time.Hour/time.Minute))
}
