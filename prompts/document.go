package prompts

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
)

// document is what a card asks about: text, a change of files, a plan. It is
// drawn in parts, so that one of any length costs what is on the screen.
type document interface {
	// layout fits the document to a width and returns its number of rows. It
	// is cheap when called again with the same.
	layout(width int, th *theme.Theme) (rows int)
	// rows draws the rows from one to before another, at most as wide as laid
	// out, below the left margin of two columns.
	rows(from, to int) []string
	// heading is how many rows of the last layout come before what is asked about, such
	// as the name of the file.
	heading() int
	// subject names what the rows from one on are of, such as a file, on one line that is
	// safe to show; "" where the title of the card says it all.
	subject(row int) string
	// whole reports whether the rows hold all of it, and none is cut short.
	whole() bool
	// uses reports whether press does something with a key; large is true when
	// the card takes all the room. Keys it uses answer nothing.
	uses(k tea.KeyPressMsg, large bool) bool
	press(k tea.KeyPressMsg, large bool) Effect
	// focus is the row the last press led to; the card shows it. Not ok: the
	// card scrolls as it likes.
	focus() (row int, ok bool)
	// find returns the rows, in order, on which something begins that a text is found
	// in, in the last layout.
	find(in func(string) bool) (rows []int)
	// hints are the keys it uses.
	hints(large bool) []keyHint
	// source is the document as it came, and a file name for its kind.
	source() (text, name string)
}

// span is a text with a role; untrusted text is made safe before it becomes
// one.
type span struct {
	text  string
	token theme.Token
	prose bool // broken between words; code is broken where the row ends
}

// textDocument is a document of spans, each on rows of its own.
type textDocument struct {
	spans []span
	raw   string // as it came, for the clipboard and the editor
	copy  bool   // it is worth a hint that it can be copied
	name  string // of what it is of, safe to show on one line; "": it has none

	cache drawnOnce
	drawn []string
}

func (d *textDocument) layout(width int, th *theme.Theme) int {
	d.drawn = d.cache.once(0, width, th, func() (lines []string) {
		for _, s := range d.spans {
			breaker := text.HardWrap
			if s.prose {
				breaker = text.Wrap
			}
			for _, l := range breaker(s.text, width) {
				lines = append(lines, text.DrawVisible(l, s.token, th))
			}
		}
		for len(lines) > 1 && empty(lines[len(lines)-1:]) {
			lines = lines[:len(lines)-1]
		}
		return lines
	})
	return len(d.drawn)
}

func (d *textDocument) rows(from, to int) []string { return inset("  ", d.drawn[from:to]) }

// inset puts a margin before rows.
func inset(margin string, rows []string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = margin + r
	}
	return out
}

func (d *textDocument) heading() int { return 0 }

func (d *textDocument) subject(int) string { return d.name }

func (d *textDocument) whole() bool { return true }

func (d *textDocument) uses(tea.KeyPressMsg, bool) bool { return false }

func (d *textDocument) press(tea.KeyPressMsg, bool) Effect { return nil }

func (d *textDocument) focus() (int, bool) { return 0, false }

func (d *textDocument) find(in func(string) bool) []int { return rowsWith(d.drawn, in) }

// rowsWith returns which of some drawn rows a text is found in.
func rowsWith(drawn []string, in func(string) bool) (rows []int) {
	for i, line := range drawn {
		if in(text.Unstyled(line)) {
			rows = append(rows, i)
		}
	}
	return rows
}

func (d *textDocument) hints(bool) []keyHint {
	if d.copy {
		return []keyHint{{"c", "copy"}}
	}
	return nil
}

func (d *textDocument) source() (text, name string) {
	if d.raw != "" {
		return d.raw, "question.txt"
	}
	lines := make([]string, len(d.spans))
	for i, s := range d.spans {
		lines[i] = s.text
	}
	return strings.Join(lines, "\n"), "question.txt"
}

// drawnOnce holds texts that are drawn once for a width and a theme, by number.
type drawnOnce struct {
	width int
	theme *theme.Theme
	lines map[int][]string
}

func (d *drawnOnce) once(i, width int, th *theme.Theme, draw func() []string) []string {
	if d.lines == nil || d.width != width || d.theme != th {
		*d = drawnOnce{width, th, map[int][]string{}}
	}
	lines, ok := d.lines[i]
	if !ok {
		lines = draw()
		d.lines[i] = lines
	}
	return lines
}

// body is what scrolls on a card: stretches of rows, one after the other, of
// which only those in view are drawn.
type body struct {
	stretches     []stretch
	start, length int   // where the document begins, and its rows
	ends          []int // where each of the parts ends that are below it
}

type stretch struct {
	n    int
	rows func(from, to int) []string
}

func (b *body) lines(drawn ...string) {
	b.stretches = append(b.stretches, stretch{len(drawn), func(from, to int) []string { return drawn[from:to] }})
}

// parts adds parts below the document.
func (b *body) parts(drawn [][]string) {
	for _, part := range drawn {
		b.lines(part...)
		b.ends = append(b.ends, b.len())
	}
}

func (b *body) add(n int, rows func(from, to int) []string) {
	b.stretches = append(b.stretches, stretch{n, rows})
}

func (b *body) len() int {
	n := 0
	for _, s := range b.stretches {
		n += s.n
	}
	return n
}

// rows draws the rows from one to before another.
func (b *body) rows(from, to int) []string {
	var out []string
	start := 0
	for _, s := range b.stretches {
		if first, last := max(from-start, 0), min(to-start, s.n); first < last {
			out = append(out, s.rows(first, last)...)
		}
		start += s.n
	}
	return out
}
