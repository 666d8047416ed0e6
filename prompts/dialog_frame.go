package prompts

import (
	"cmp"
	"fmt"
	"strings"

	"parley/render/text"
	"parley/theme"
)

// pad fills s with blanks to width cells.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-text.Width(s)))
}

// hang draws text behind a lead of the given width; further rows hang under
// the text.
func hang(lead string, leadWidth int, s string, tok theme.Token, width int, th *theme.Theme) []string {
	var lines []string
	for i, l := range text.Wrap(s, max(width-leadWidth, 1)) {
		if i > 0 {
			lead = strings.Repeat(" ", leadWidth)
		}
		lines = append(lines, lead+text.DrawVisible(l, tok, th))
	}
	return lines
}

// fact is a line with a label in front.
type fact struct {
	label, text string
	warn        bool
}

// factList collects facts of untrusted text.
type factList []fact

// add makes a text safe and adds it, if it says anything.
func (l *factList) add(label, s string) {
	if s != "" {
		*l = append(*l, fact{label: label, text: text.SanitizeShowHidden(s)})
	}
}

// factWidth is the column that the texts of facts begin at.
const factWidth = 10

func factLines(facts []fact, width int, th *theme.Theme) []string {
	var lines []string
	for _, f := range facts {
		tok := theme.Text
		if f.warn {
			tok = theme.Warning
		}
		lead := "  " + th.Render(theme.Dim, pad(f.label, factWidth))
		lines = append(lines, hang(lead, factWidth+2, f.text, tok, width+2, th)...)
	}
	return lines
}

// framing is what stands on the border of a dialog.
type framing struct {
	title   string
	subject string    // behind the title, as far as there is room
	place   string    // before the position
	status  string    // words in place of the keys
	keys    []keyHint // at least one
}

// leastSubject is how many cells say enough of a subject that is longer; leastRule is what
// stays of the edge behind it.
const leastSubject, leastRule = 12, 3

// frame puts the border around lines: the title on its top edge, the position
// at the right of it, the keys on its bottom edge.
func frame(lines []string, width int, th *theme.Theme, f framing, s state) []string {
	if th.Spoken {
		return f.spoken(lines, s)
	}
	b, edge, title := th.Frame(), theme.Border, theme.Dim
	if s.armed {
		edge, title = theme.BorderArmed, theme.Strong
	}
	out := make([]string, 0, len(lines)+2)
	position := fmt.Sprintf("%d of %d", s.position, s.total)
	switch room := width - titleRoom - 2; {
	case f.place == "" || text.Width(f.place) > room:
	case s.total == 1:
		position = f.place
	case text.Width(f.place+", "+position) <= room:
		position = f.place + ", " + position
	}
	room := width - 6 - text.Width(position)
	left := room - text.Width(f.title) - text.Width(th.Dot()) - leastRule
	if f.subject != "" && left >= min(text.Width(f.subject), leastSubject) {
		f.title += th.Dot() + text.CutMiddle(th, f.subject, left)
	}
	head := text.Truncate(f.title, room, th.Glyph(theme.MarkEllipsis))
	fill := width - 6 - text.Width(head) - text.Width(position)
	out = append(out, th.Render(edge, b.TopLeft)+" "+th.Render(title, head)+" "+
		th.Render(edge, strings.Repeat(b.Top, max(fill, 0)))+" "+th.Render(theme.Dim, position)+" "+th.Render(edge, b.TopRight))
	for _, l := range lines {
		l = text.Truncate(l, width-4, "")
		out = append(out, th.Render(edge, b.Left)+" "+pad(l, width-4)+" "+th.Render(edge, b.Right))
	}
	keys, keysWidth := f.bottom(width-4, th)
	return append(out, th.Render(edge, b.BottomLeft)+" "+keys+" "+
		th.Render(edge, strings.Repeat(b.Bottom, max(width-4-keysWidth, 0))+b.BottomRight))
}

// spoken are lines behind the title, and before what else can be typed.
func (f framing) spoken(lines []string, s state) []string {
	last := f.status
	if last == "" && len(f.keys) > 0 {
		ways := make([]string, len(f.keys))
		for i, h := range f.keys {
			ways[i] = h.key + " for " + h.does
		}
		last = "Or type " + strings.Join(ways, ", ") + "."
	}
	title := fmt.Sprintf("%s, %d of %d", f.title, s.position, s.total)
	return append(append([]string{title}, lines...), last)
}

// bottom draws the bottom line: what is needed before the card listens, or the
// keys that do something now. Those that do not fit are left out, the last one
// never.
func (f framing) bottom(width int, th *theme.Theme) (string, int) {
	if f.status != "" {
		says := text.Truncate(f.status, width, "")
		return th.Render(theme.Accent, says), text.Width(says)
	}
	hints := f.keys
	dot := th.Dot()
	last := hints[len(hints)-1]
	used := text.Width(last.key) + 1 + text.Width(last.does)
	var parts []string
	for _, h := range hints[:len(hints)-1] {
		w := text.Width(h.key) + 1 + text.Width(h.does) + text.Width(dot)
		if used+w > width {
			continue
		}
		used += w
		parts = append(parts, h.draw(th))
	}
	parts = append(parts, last.draw(th))
	if used > width {
		s := text.Truncate(last.key+" "+last.does, width, "")
		return th.Render(theme.Dim, s), text.Width(s)
	}
	return strings.Join(parts, th.Render(theme.Dim, dot)), used
}

// outside counts the lines that are out of view.
func outside(above, below int, th *theme.Theme) string {
	var parts []string
	if th.Spoken && below > 0 {
		return text.Count(below, "more line")
	}
	if above > 0 {
		parts = append(parts, th.Glyph(theme.MarkAbove)+" "+text.Count(above, "line")+" above")
	}
	if below > 0 {
		parts = append(parts, th.Glyph(theme.MarkBelow)+" +"+text.Count(below, "line"))
	}
	return strings.Join(parts, "  ")
}

// waits returns the words of a dialog that does not have the focus: how to get there.
func (s state) waits() string {
	what, keys := "keys go to your draft", s.keys
	ways := []string{keys.Focus}
	switch {
	case s.hasty.name != "":
		what = "too quick, " + s.hasty.name + " went to your draft"
	case s.away:
		what = "waiting"
	case s.draftEmpty:
		what, ways = "waiting", append(ways, keys.Turn)
	}
	return what + ": " + cmp.Or(text.JoinNonEmpty(" or ", ways...), "click on it") + " to answer"
}

// notArmed is shown until an answer key counts.
const notArmed = "keys count in a moment"

// status returns the words that take the place of the keys.
func (c *choiceDialog) status(s state, th *theme.Theme) string {
	switch {
	case !s.focused && c.words && !s.draftEmpty && !s.away:
		return s.waits() + ", enter offers your draft"
	case !s.focused:
		return s.waits()
	case c.choices.shown == 0 && c.open == nil && c.direct == nil:
		return "enlarge the window to answer"
	case !s.armed && c.open == nil:
		return cmp.Or(s.hasty.says(), notArmed)
	case c.hint == confirm:
		return c.confirmation(s, th)
	case s.hasty.name != "":
		return s.hasty.says()
	case c.hint != "":
		return c.hint
	}
	return ""
}

// confirmation says what Enter does with the row that was chosen. Where that is said, a word is asked for.
func (c *choiceDialog) confirmation(s state, th *theme.Theme) string {
	does, key := " chooses it", c.drawn.keys.Card.Show("enter")
	switch i := c.choices.chosen; {
	case th.Spoken && s.hasty.name != "":
		return "too quick"
	case th.Spoken:
		return ""
	case i < 0:
	case c.choices.rows[i].approves:
		does = " allows it"
	case c.needsEnter(i):
		does = " refuses"
	}
	if s.hasty.name != "" {
		return "too quick: " + key + " again" + does
	}
	return key + does
}

type keyHint struct{ key, does string }

func (h keyHint) draw(th *theme.Theme) string {
	return th.Render(theme.Key, h.key) + th.Render(theme.Dim, " "+h.does)
}

// lineHints are the keys of the line that is written on.
func (c *choiceDialog) lineHints(s state, th *theme.Theme) []keyHint {
	h := []keyHint{}
	if f := c.openField(); f != nil {
		h = f.completionHint(c.drawn.width/2, th)
	}
	if s.total > 1 && c.untouched() {
		h = append(h, keyHint{"[ ]", "others"})
	}
	if c.open.hint != "" {
		h = append(h, keyHint{"enter", c.open.hint})
	}
	if !c.open.word {
		h = append(h, keyHint{"shift+enter", "new line"})
	}
	esc := keyHint{"esc", "back"}
	switch {
	case c.open == c.direct:
		esc.does = "later"
	case c.open.kept != nil:
		esc.does = "cancel"
	}
	return c.drawn.keys.Line.hints(append(h, esc))
}

func (c *choiceDialog) hints(s state, th *theme.Theme) []keyHint {
	if c.open != nil {
		return c.lineHints(s, th)
	}
	var h []keyHint
	if c.enterAnswers() && !th.Spoken {
		h = append(h, keyHint{"enter", "answers, after a letter"})
	}
	if s.total > 1 {
		h = append(h, keyHint{"[ ]", "others"})
	}
	if n := len(c.choices.rows); c.choices.shown < n {
		h = append(h, keyHint{c.drawn.keys.Card.arrows(th.Glyph(theme.MarkAbove) + th.Glyph(theme.MarkBelow)), fmt.Sprintf("%d rows", n)})
	}
	if c.locked() {
		key := c.readOn()
		if strings.Contains(key, " ") {
			key = strings.ReplaceAll(c.drawn.keys.Card.Show(key), " ", "/")
		}
		h = append(h, keyHint{key, "read on"})
	}
	switch {
	case c.note != nil:
		h = append(h, keyHint{"tab", "note"})
	case c.answerLine() != nil:
		h = append(h, keyHint{"tab", cmp.Or(c.answerLine().does, "write an answer")})
	}
	change, _ := c.change()
	last := keyHint{"esc", cmp.Or(c.esc, "later")}
	switch {
	case c.search.on():
		h, last = append(h, keyHint{"< >", "matches"}), keyHint{"esc", "end the search"}
	case c.large:
		h, last = append(h, keyHint{"/", "find"}), keyHint{"esc", "back"}
	case change != nil || c.scroll.total > c.scroll.height:
		h = append(h, keyHint{"v", "full view"})
	}
	h = append(h, c.payload.hints(c.large)...)
	if len(c.details) > 0 {
		h = append(h, keyHint{"?", "why"})
	}
	return c.drawn.keys.Card.hints(append(h, last))
}
