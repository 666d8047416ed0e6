package status

import (
	"slices"
	"strings"

	"parley/render/text"
	"parley/settings"
	"parley/theme"
	"parley/tui/widget"
)

// Line is the status line of a window: which items it has, and in which order.
type Line struct {
	sides    settings.Status
	items    [2][]Item // of the sides, the left one first
	facts    Facts     // that it was drawn with last: here, so that a frame allocates none
	segments []segment // their room is used again
}

// segment is an item as it is now. One without a text is left out.
type segment struct {
	text  string
	brief string // for a line that is too narrow; "" is the same text
	cells int    // the width of text
	token theme.Token
	rank  int
	right bool
}

// Arrange takes the items by their names, each once. What is always shown, and is
// not among them, comes first.
func (l *Line) Arrange(prefer settings.Status) {
	l.items, l.sides = [2][]Item{}, settings.Status{Left: []string{}, Right: []string{}}
	known := map[string]Item{}
	for _, i := range Items() {
		known[i.Name] = i
		if i.Always && !slices.Contains(prefer.Left, i.Name) && !slices.Contains(prefer.Right, i.Name) {
			l.sides.Left, l.items[0] = append(l.sides.Left, i.Name), append(l.items[0], i)
		}
	}
	add := func(side *[]string, items *[]Item, names []string) {
		for _, name := range names {
			if i, ok := known[name]; ok && !l.Shows(name) {
				*side, *items = append(*side, name), append(*items, i)
			}
		}
	}
	add(&l.sides.Left, &l.items[0], prefer.Left)
	add(&l.sides.Right, &l.items[1], prefer.Right)
}

// Spoken are all items that have something to say, a line each, with their names.
func Spoken(f Facts) (lines []string) {
	for _, i := range Items() {
		if said := strings.Trim(text.Unstyled(i.draw(&f).text), " "); said != "" {
			lines = append(lines, i.Name+": "+said)
		}
	}
	return lines
}

// Sides are the names of both sides, as the settings have them.
func (l *Line) Sides() settings.Status { return l.sides }

// SameSides reports whether two settings show the same items in the same order.
func SameSides(a, b settings.Status) bool {
	return slices.Equal(a.Left, b.Left) && slices.Equal(a.Right, b.Right)
}

// Shows reports whether an item is on either side.
func (l *Line) Shows(name string) bool {
	return slices.Contains(l.sides.Left, name) || slices.Contains(l.sides.Right, name)
}

// Draw draws the line, no wider than the window.
func (l *Line) Draw(f Facts) string {
	l.facts = f
	th, width := f.Theme, max(0, f.Width-widget.Margin-1)
	dot := th.Dot()
	segments := fit(l.now(width), width, text.Width(dot))
	gap := width
	for n := range segments {
		i := &segments[n]
		if i.cells > width {
			i.text = widget.Cut(th, i.text, width)
			i.cells = text.Width(i.text)
		}
		if gap -= i.cells; n > 0 && i.right == segments[n-1].right {
			gap -= text.Width(dot)
		}
	}
	var b strings.Builder
	b.Grow(2 * width) // with the sequences of its colours
	b.WriteString(widget.Indent)
	between := th.Render(theme.Status, dot)
	for n, i := range segments {
		switch first := n == 0 || i.right != segments[n-1].right; {
		case first && i.right:
			b.WriteString(widget.Blank(gap))
		case !first:
			b.WriteString(between)
		}
		b.WriteString(th.Render(i.token, i.text))
	}
	return b.String()
}

// now are the items that have something to show now, those at the right last. What
// an agent or a program writes is made safe, and no longer than what the line could
// show.
func (l *Line) now(width int) []segment {
	l.segments = l.segments[:0]
	for side, items := range l.items {
		for _, item := range items {
			i := item.draw(&l.facts)
			if i.text = widget.Clip(i.text, width); i.text == "" {
				continue
			}
			if i.rank, i.right, i.cells = item.Rank, side == 1, text.Width(i.text); i.token == 0 {
				i.token = theme.Status
			}
			l.segments = append(l.segments, i)
		}
	}
	return l.segments
}

// fit leaves segments out until the rest has room: the lowest rank first. What the
// user must know of becomes shorter before any of it goes. The last one stays.
func fit(segments []segment, width, dot int) []segment {
	for total(segments, dot) > width && len(segments) > 0 {
		lowest := 0
		for i := range segments {
			if segments[i].rank < segments[lowest].rank {
				lowest = i
			}
		}
		if (segments[lowest].rank >= mustRank || len(segments) == 1) && shorten(segments) {
			continue
		}
		if len(segments) == 1 {
			break
		}
		segments = slices.Delete(segments, lowest, lowest+1)
	}
	return segments
}

// shorten makes the next segment shorter that can be, and reports whether one could.
func shorten(segments []segment) bool {
	for n, i := range segments {
		if i.brief != "" {
			segments[n].text, segments[n].brief, segments[n].cells = i.brief, "", text.Width(i.brief)
			return true
		}
	}
	return false
}

// total is the width of segments with what is between them.
func total(segments []segment, dot int) int {
	n := 0
	for i, one := range segments {
		n += one.cells
		switch {
		case i == 0:
		case one.right && !segments[i-1].right:
			n += widget.ColumnGap
		default:
			n += dot
		}
	}
	return n
}
