package browser

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// titleOf is what a session is called, without the secrets of a prompt.
func (l *sessionList) titleOf(s *sessions.Session) string {
	return cmp.Or(l.shown.Hide(s.Title), "no prompt yet")
}

// repository is that of a session, or the folder it worked in.
func (b *Browser) repository(s *sessions.Session) string {
	if s.Repository != "" {
		return s.Repository
	}
	return widget.ShortPath(cmp.Or(s.Root, s.Dir), b.Home)
}

// place is the repository of a session and its branch, as far as they are not said of the
// whole list.
func (b *Browser) place(s *sessions.Session) string {
	where, branch := b.repository(s), s.Branch
	if b.list.repository != "" {
		where = ""
	}
	if b.list.branch != "" {
		branch = ""
	}
	return placeOf(where, branch)
}

func placeOf(repository, branch string) string {
	if repository != "" && branch != "" {
		return repository + " (" + branch + ")"
	}
	return cmp.Or(repository, branch)
}

// badge is a short text in a row of the list.
type badge struct {
	text string
	tok  theme.Token
}

// badgesOf shows the state of a session if it is unusual, and what the user noted.
func (b *Browser) badgesOf(s *sessions.Session) []badge {
	var all []badge
	say := func(is bool, text string, tok theme.Token) {
		if is {
			all = append(all, badge{text, tok})
		}
	}
	here := b.isOpen(s.ID)
	say(s.Keeper == sessions.AgentKeeper && !here, "kept by agent", theme.Dim)
	say(s.InUse && !b.isActive(s.ID), "open elsewhere", theme.Accent)
	say(b.isCurrent(s.ID), "this session", theme.Accent)
	say(here && !b.isCurrent(s.ID), "open here", theme.Accent)
	say(!s.Deleted.IsZero(), "deleted", theme.Warning)
	say(s.State == sessions.Failed, "failed", theme.Error)
	say(s.State == sessions.Interrupted && !here && !s.InUse, "interrupted", theme.Warning)
	say(s.ReadProblem != "", "not all readable", theme.Warning)
	say(s.Pinned, "pinned", theme.Text)
	say(s.Archived, "archived", theme.Dim)
	for _, tag := range s.Tags {
		say(true, "#"+tag, theme.Dim)
	}
	return all
}

// badges draws the badges of a session that there is room for, and returns their width.
func (b *Browser) badges(s *sessions.Session, room int) (line string, width int) {
	for _, one := range b.badgesOf(s) {
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

// formatCost formats a number of premium requests.
func formatCost(f float64) string {
	if f <= 0 {
		return ""
	}
	return text.Amount(f) + " req"
}

func countIfAny(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, noun)
}

// age is the time since a session was used last.
func (b *Browser) age(s *sessions.Session) string {
	if s.Used.IsZero() {
		return ""
	}
	return text.Age(max(0, b.Now.Sub(s.Used)))
}

func (b *Browser) changedLines(s *sessions.Session) string {
	if s.Added == 0 && s.Removed == 0 {
		return ""
	}
	return fmt.Sprintf("+%d %s%d", s.Added, b.Theme.Glyph(theme.MarkMinus), s.Removed)
}

func formatTokens(s *sessions.Session) string {
	if n := s.Tokens.Total(); n > 0 {
		return text.Tokens(n) + " tok"
	}
	return ""
}

// formatBusy is how long the turns of a session took.
func formatBusy(s *sessions.Session) string {
	if s.Busy < time.Second {
		return ""
	}
	return text.Duration(s.Busy)
}

// maxDepth is how far copies of copies are indented.
const maxDepth = 4

// drawItem draws line n of an item of the list, at most width cells.
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
		if b.previewFocused || b.queryFocused {
			tok = theme.Dim
		}
		lead = th.Render(tok, th.Glyph(theme.MarkChosen)) + " "
	}
	indent := widget.Margin * min(item.depth, maxDepth)
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
	return lead + widget.Indent + b.highlight(th.Render(theme.Dim, b.Cut(strings.TrimSpace(hit.Excerpt), max(0, room-widget.Margin))))
}

// titleRow is the first line of two: title and age.
func (b *Browser) titleRow(hit *sessions.Hit, room int, chosen bool) string {
	right := b.age(&hit.Session)
	left := b.Cut(b.list.titleOf(&hit.Session), max(0, room-ageWidth-widget.ColumnGap))
	return b.highlight(b.Theme.Render(titleToken(chosen), left)) +
		widget.Blank(room-text.Width(left)-text.Width(right)) + b.Theme.Render(theme.Dim, right)
}

func titleToken(chosen bool) theme.Token {
	if chosen {
		return theme.Strong
	}
	return theme.Text
}

// factsRow is the second line of two: repository, badges, prompts and cost.
func (b *Browser) factsRow(s *sessions.Session, room int) string {
	right := b.Cut(text.JoinNonEmpty(b.Dot(), countIfAny(s.Prompts, "prompt"), formatCost(s.Cost)), room/2)
	room -= text.Width(right)
	said, width := b.badges(s, max(0, room-widget.ColumnGap-minPlace))
	place := b.place(s)
	if width > 0 && place != "" {
		said = b.Theme.Render(theme.Dim, b.Dot()) + said
		width += text.Width(b.Dot())
	}
	where := b.Cut(place, max(0, room-widget.ColumnGap-width))
	return b.Theme.Render(theme.Dim, where) + said +
		widget.Blank(room-text.Width(where)-width) + b.Theme.Render(theme.Dim, right)
}

const (
	// ageWidth fits the longest age, as in "59 min".
	ageWidth = 6
	// minPlace is the room that a repository has beside badges.
	minPlace = 12
	// minBadge fits the most important badge, "open elsewhere".
	minBadge = 14
	// branchWidth is the room for a branch where all are of one repository.
	branchWidth = 12
	// minTitle is the room that a title has before there is another column.
	minTitle = 34
)

// column is a fact of a session in a fixed width, so that nothing moves when the list
// scrolls.
type column struct {
	width int
	right bool // aligned right
	text  func(b *Browser, s *sessions.Session) string
}

// sessionColumns are the columns other than title and age, the most important first.
func sessionColumns() []column {
	return []column{
		{22, false, (*Browser).place},
		{10, true, func(_ *Browser, s *sessions.Session) string { return countIfAny(s.Prompts, "prompt") }},
		{14, false, func(_ *Browser, s *sessions.Session) string { return s.Model }},
		{9, true, func(_ *Browser, s *sessions.Session) string { return formatTokens(s) }},
		{8, true, func(_ *Browser, s *sessions.Session) string { return formatBusy(s) }},
		{9, true, func(_ *Browser, s *sessions.Session) string { return formatCost(s.Cost) }},
		{11, true, (*Browser).changedLines},
	}
}

// columnsRow is a session in one line: title, badges, as many columns as there is room
// for, and age.
func (b *Browser) columnsRow(s *sessions.Session, room int, chosen bool) string {
	left := max(0, room-widget.ColumnGap-ageWidth)
	right := ""
	columns := sessionColumns()
	switch {
	case b.list.samePlace:
		columns = columns[1:]
	case b.list.repository != "":
		columns[0].width = branchWidth
	}
	for _, c := range columns {
		if left-widget.ColumnGap-c.width < minTitle {
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
	old := b.Cut(b.age(s), ageWidth)
	right += widget.Blank(widget.ColumnGap+ageWidth-text.Width(old)) + b.Theme.Render(theme.Dim, old)
	room = max(left*2/5, min(left/2, minBadge), left-widget.ColumnGap-text.Width(text.SanitizeLine(b.list.titleOf(s))))
	said, width := b.badges(s, room)
	if width > 0 {
		said = widget.Blank(widget.ColumnGap) + said
		width += widget.ColumnGap
	}
	title := b.Cut(b.list.titleOf(s), max(0, left-width))
	return b.highlight(b.Theme.Render(titleToken(chosen), title)) + said + widget.Blank(left-text.Width(title)-width) + right
}

// previewFacts are shown above the preview.
func (b *Browser) previewFacts(s *sessions.Session) []string {
	return []string{
		s.Model, countIfAny(s.Prompts, "prompt"), formatBusy(s), formatTokens(s), countIfAny(s.Edits, "file"), b.changedLines(s),
		countIfAny(s.Failures, "failure"), s.Agent,
	}
}

// highlight marks the words of the query in a drawn line.
func (b *Browser) highlight(line string) string {
	if len(b.parsed.Words) == 0 {
		return line
	}
	return text.Highlight(line, b.parsed.Matches, theme.Match, b.Theme)
}
