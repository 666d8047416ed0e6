package render

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley/theme"
)

// diff is a change of files as lines to draw.
type diff struct {
	lines          []diffLine
	short          []diffLine // what is shown while it is folded: the changes and a line around
	added, removed int
	digits         int // of the largest line number
}

// diffLine is one line of a diff: raw text, with its number in the file it
// belongs to, 0 if unknown.
type diffLine struct {
	op   diffOp
	num  int
	text string
}

type diffOp uint8

const (
	diffSame diffOp = iota
	diffAdd
	diffDel
	diffGap  // between hunks
	diffFile // a file's name
)

const (
	diffFolded = 12 // lines shown of a folded diff
	diffUnit   = 64 // lines of one unit
)

// parseDiff reads a unified diff, git's or plain. It follows the counts of the
// hunk headers as far as they go and the signs of the lines where they do not,
// because a runtime's diffs are meant for eyes and not for patch: "create file
// mode", a context line too many. ok is false when s holds no hunk.
func parseDiff(s string) (d *diff, ok bool) {
	p := diffReader{d: &diff{}}
	for line := range strings.Lines(s) {
		p.line(strings.TrimSuffix(line, "\n"))
	}
	if !p.hunks {
		return nil, false
	}
	p.endFile()
	if p.files < 2 {
		p.d.lines = slices.DeleteFunc(p.d.lines, func(l diffLine) bool { return l.op == diffFile })
	}
	p.d.finish()
	return p.d, true
}

// diffReader is where parseDiff is in the text.
type diffReader struct {
	d             *diff
	files         int
	hunks         bool // there was one
	body          bool // inside a hunk
	before, after int  // numbers of the next line
	left, right   int  // lines that the hunk still promises
}

// hunkHeader has the first line and the number of lines on both sides.
var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

func (p *diffReader) line(l string) {
	promised := p.body && (p.left > 0 || p.right > 0)
	switch {
	case strings.HasPrefix(l, "@@"):
		p.hunk(l)
	case strings.HasPrefix(l, "diff --git "), !promised && strings.HasPrefix(l, "--- "):
		p.endFile()
	case !p.body && strings.HasPrefix(l, "+++ "):
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(l, "+++ "), "b/"), "\t")
		p.d.lines = append(p.d.lines, diffLine{op: diffFile, text: name})
		p.files++
	case !p.body, strings.HasPrefix(l, `\ `):
	case strings.HasPrefix(l, "+"):
		p.d.lines = append(p.d.lines, diffLine{diffAdd, p.after, l[1:]})
		p.step(0, 1)
	case strings.HasPrefix(l, "-"):
		p.d.lines = append(p.d.lines, diffLine{diffDel, p.before, l[1:]})
		p.step(1, 0)
	default:
		p.d.lines = append(p.d.lines, diffLine{diffSame, p.after, strings.TrimPrefix(l, " ")})
		p.step(1, 1)
	}
}

// hunk begins one. Without numbers in its header its lines have none.
func (p *diffReader) hunk(l string) {
	if p.body {
		p.d.lines = append(p.d.lines, diffLine{op: diffGap})
	}
	p.hunks, p.body = true, true
	p.before, p.after, p.left, p.right = 0, 0, 0, 0
	m := hunkHeader.FindStringSubmatch(l)
	if m == nil {
		return
	}
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, _ := strconv.Atoi(s)
		return min(n, 1<<30)
	}
	p.before, p.left, p.after, p.right = number(m[1]), number(m[2]), number(m[3]), number(m[4])
}

// step counts one line of a hunk.
func (p *diffReader) step(before, after int) {
	p.left, p.right = p.left-before, p.right-after
	if p.before > 0 || p.after > 0 {
		p.before, p.after = p.before+before, p.after+after
	}
}

// endFile ends the hunks of a file. The runtime takes the empty text after the
// last line end for a line; it is none.
func (p *diffReader) endFile() {
	if n := len(p.d.lines) - 1; p.body && n >= 0 && p.d.lines[n].op == diffSame && p.d.lines[n].text == "" {
		p.d.lines = p.d.lines[:n]
	}
	p.body = false
}

// plannedDiff is the change that the arguments of a call ask for, as long as
// there is no result that tells what was done. Its lines have no numbers.
func plannedDiff(before, after string) *diff {
	d := &diff{}
	for _, side := range []struct {
		op   diffOp
		text string
	}{{diffDel, before}, {diffAdd, after}} {
		if side.text == "" {
			continue
		}
		for l := range strings.SplitSeq(strings.TrimSuffix(side.text, "\n"), "\n") {
			d.lines = append(d.lines, diffLine{side.op, 0, l})
		}
	}
	d.finish()
	return d
}

// finish counts, and chooses what a folded diff shows.
func (d *diff) finish() {
	near := func(i int) bool { return i >= 0 && i < len(d.lines) && d.lines[i].op.change() }
	skipped := false
	for i, l := range d.lines {
		d.digits = max(d.digits, len(strconv.Itoa(l.num)))
		switch l.op {
		case diffAdd:
			d.added++
		case diffDel:
			d.removed++
		case diffSame, diffGap, diffFile:
		}
		switch {
		case l.op == diffFile, l.op.change(), l.op == diffSame && (near(i-1) || near(i+1)):
			if skipped && len(d.short) > 0 && l.op != diffFile {
				d.short = append(d.short, diffLine{op: diffGap})
			}
			d.short, skipped = append(d.short, l), false
		default:
			skipped = true
		}
	}
}

// counts is the numbers of added and removed lines: "+6 −4".
func (d *diff) counts(th *theme.Theme) string {
	var out []string
	if d.added > 0 || d.removed == 0 {
		out = append(out, "+"+strconv.Itoa(d.added))
	}
	if d.removed > 0 {
		out = append(out, th.Glyph(theme.MarkMinus)+strconv.Itoa(d.removed))
	}
	return strings.Join(out, " ")
}

func (op diffOp) change() bool { return op == diffAdd || op == diffDel }

// units is the number of units of the whole diff.
func (d *diff) units() int { return (len(d.lines) + diffUnit - 1) / diffUnit }

// draw draws one unit of the whole diff.
func (d *diff) draw(unit int, o Options) []string {
	var out []string
	from := unit * diffUnit
	for _, l := range d.lines[from:min(from+diffUnit, len(d.lines))] {
		out = append(out, d.line(l, o, true)...)
	}
	return out
}

// drawFolded draws the first changes.
func (d *diff) drawFolded(o Options) []string {
	shown := d.short[:min(len(d.short), diffFolded)]
	for len(shown) > 0 && shown[len(shown)-1].op == diffGap {
		shown = shown[:len(shown)-1]
	}
	var out []string
	for _, l := range shown {
		out = append(out, d.line(l, o, false)...)
	}
	if rest := len(d.short) - len(shown); rest > 0 {
		out = append(out, folded(o, rest, nested(o), "more"))
	}
	return out
}

// line draws one line: its number at the right of a column, its sign, its
// text. A long one goes on under its text, or is cut.
func (d *diff) line(l diffLine, o Options, whole bool) []string {
	sign, tok := " ", theme.Dim
	switch l.op {
	case diffSame:
	case diffAdd:
		sign, tok = "+", theme.Added
	case diffDel:
		sign, tok = o.Theme.Glyph(theme.MarkMinus), theme.Removed
	case diffFile:
		name := cut(o, SanitizeLine(brief(l.text)), max(1, o.Width-nested(o)))
		return []string{spaces(nested(o)) + o.Theme.Render(theme.Strong, name)}
	case diffGap:
		return []string{spaces(nested(o)) + o.Theme.Render(theme.Hunk, o.Theme.Glyph(theme.MarkFolded))}
	}
	gutter, left := d.gutter(l.num, o)
	width := max(1, o.Width-left-2)
	text := ExpandTabs(strings.ReplaceAll(Sanitize(l.text), "\n", " "))
	rows := []string{cut(o, text, width)}
	if whole {
		rows = Hard(text, width)
	}
	for i, r := range rows {
		if i > 0 {
			gutter, sign = spaces(left), " "
		}
		rows[i] = strings.TrimRight(gutter+o.Theme.Render(tok, strings.TrimRight(sign+" "+r, " ")), " ")
	}
	return rows
}

// gutter is what stands before a line's sign, and its width: the line's number
// where there is space for it.
func (d *diff) gutter(num int, o Options) (gutter string, width int) {
	const numbersBelow, usual = 24, 4
	indent := margin(o.Width)
	if o.Width < numbersBelow {
		return spaces(indent), indent
	}
	digits := d.digits
	if o.Width >= tinyBelow {
		digits = max(usual, digits)
	}
	var number string
	if num > 0 {
		number = strconv.Itoa(num)
	}
	return spaces(indent) + o.Theme.Render(theme.Hunk, fmt.Sprintf("%*s", digits, number)) + " ", indent + digits + 1
}
