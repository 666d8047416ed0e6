package prompts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley/prompts/schema"
	"parley/render/text"
	"parley/theme"
)

type formDrawing struct {
	drawnOnce      // texts that stay as they are: of property i, and of the form at -1
	height    int  // lines in view
	total     int  // of so many
	keys      Keys // the user's
	input     int  // the field whose input was drawn; -1: none
	caret     bool
	x, y      int
}

// sheet is a form as lines, all of them, and where things are in it.
type sheet struct {
	lines  []string
	focus  lineRange // of the field in focus
	input  lineRange // of its text or its options
	caretX int
	caretY int // among the lines; -1: no caret
	option int // the line of the option that was moved to
}

type lineRange struct{ from, to int }

func (f *form) cursor() (x, y int, ok bool) {
	if f.card != nil {
		return f.card.cursor()
	}
	return f.drawn.x, f.drawn.y, f.drawn.caret
}

func (f *form) draw(width, height int, th *theme.Theme, s state) []string {
	f.drawn.caret, f.drawn.input, f.drawn.keys = false, -1, s.keys
	if f.card != nil {
		return f.card.draw(width, height, th, s)
	}
	if width < leastWidth || height < leastHeight {
		return nil
	}
	sh := f.sheet(width-4, th, roomy)
	for air := roomy; len(sh.lines) > height-2 && air > tight; {
		air--
		sh = f.sheet(width-4, th, air)
	}
	lines := f.window(&sh, height-2, width-4, th)
	if y := sh.caretY - f.top; sh.caretY >= 0 && y >= 0 && y < f.drawn.height {
		f.drawn.caret, f.drawn.x, f.drawn.y = s.focused, sh.caretX+2, y+1
	}
	if f.active && sh.input.from >= f.top && sh.input.from < f.top+f.drawn.height {
		f.drawn.input = f.at
	}
	return frame(lines, width, th, framing{title: f.title, status: f.status(s), keys: f.hints(s, th)}, s)
}

// spacing is where a form has blank lines.
type spacing uint8

const (
	tight spacing = iota
	airy          // around the field in focus
	roomy         // and at both edges
)

func (f *form) sheet(in int, th *theme.Theme, air spacing) sheet {
	sh := sheet{caretY: -1}
	blank := func(wanted bool) {
		if wanted {
			sh.lines = append(sh.lines, "")
		}
	}
	blank(air == roomy)
	sh.lines = append(sh.lines, f.drawn.once(-1, in, th, func() []string { return f.head(in, th) })...)
	labels := f.labelWidth(in)
	for i := range f.entries {
		if !f.active || i != f.at {
			sh.lines = append(sh.lines, f.folded(i, labels, in, th)...)
			continue
		}
		blank(air > tight && i > 0)
		f.focused(&sh, labels, in, th)
		blank(air > tight && i < len(f.entries)-1)
	}
	blank(air == roomy)
	return sh
}

// head is what the form says above its fields.
func (f *form) head(in int, th *theme.Theme) []string {
	var lines []string
	add := func(text string, tok theme.Token) {
		if text != "" {
			lines = append(lines, hang("  ", 2, text, tok, in, th)...)
		}
	}
	if text.Width(f.title) > in-titleRoom {
		add(f.title, theme.Strong)
	}
	add(text.SanitizeShowHidden(f.message), theme.Text)
	if f.asker != "" {
		add("asked by "+f.asker, theme.Dim)
	}
	if f.resumed {
		add("What you wrote here before is back.", theme.Accent)
	}
	for _, n := range f.schema.Notes {
		add(n, theme.Dim)
	}
	return append(lines, "")
}

func (f *form) labelWidth(in int) int {
	width := 0
	for i := range f.schema.Properties {
		width = max(width, text.Width(f.schema.Properties[i].Label))
	}
	return min(width, max(in/3, 8))
}

// folded is a field that is not in focus: its label, its answer on one line,
// and what is wrong with it.
func (f *form) folded(i, labels, in int, th *theme.Theme) []string {
	p, e := &f.schema.Properties[i], &f.entries[i]
	said := e.field.veil(p.Words(e.reply()), th)
	tok := theme.Text
	if said == "" {
		tok, said = theme.Dim, "optional"
		if p.Required {
			said = "required"
		}
	}
	rest := max(in-labels-4, 1)
	first, _, more := strings.Cut(said[:min(len(said), 8*in)], "\n")
	if more || len(said) > 8*in {
		first += " " + th.Glyph(theme.MarkFolded)
	}
	shown := text.Truncate(text.SanitizeShowHidden(strings.ToValidUTF8(first, "")), rest, th.Glyph(theme.MarkEllipsis))
	label := pad(text.Truncate(p.Label, labels, th.Glyph(theme.MarkEllipsis)), labels)
	lines := []string{"  " + th.Render(theme.Dim, label) + "  " + text.DrawVisible(shown, tok, th)}
	return append(lines, wrong(e.problem, labels+4, in, th)...)
}

// wrong is what is wrong with an answer, under it.
func wrong(problem string, indent, in int, th *theme.Theme) []string {
	if problem == "" {
		return nil
	}
	lead := pad("", indent) + th.Render(theme.Error, th.Glyph(theme.MarkFailed)) + " "
	return hang(lead, indent+2, problem, theme.Error, in, th)
}

// focused draws the field in focus: all that is known about it, and its input.
func (f *form) focused(sh *sheet, labels, in int, th *theme.Theme) {
	p, e := f.property(), f.entry()
	sh.focus.from = len(sh.lines)
	sh.lines = append(sh.lines, f.drawn.once(f.at, in, th, func() []string { return headLines(p, labels, in, th) })...)
	sh.input.from = len(sh.lines)
	if p.Written() {
		rows, at := e.field.draw("", in-4, th)
		sh.caretX, sh.caretY = at.x+4, len(sh.lines)+at.y
		sh.lines = append(sh.lines, rows...)
	} else {
		rows, at := optionLines(p, e, in, th)
		sh.option = len(sh.lines) + at
		if e.cursor >= 0 {
			sh.caretX, sh.caretY = 2, sh.option
		}
		sh.lines = append(sh.lines, rows...)
	}
	sh.lines = append(sh.lines, wrong(e.problem, 4, in, th)...)
	sh.input.to, sh.focus.to = len(sh.lines), len(sh.lines)
}

func headLines(p *schema.Property, labels, in int, th *theme.Theme) []string {
	mark := th.Render(theme.Accent, th.Glyph(theme.MarkChosen)) + " "
	lines := hang(mark, 2, p.Label, theme.Strong, in, th)
	need := "optional"
	if p.Required {
		need = "required"
	}
	need = strings.TrimSuffix(need+": "+p.Needs, ": ")
	add := func(text string, tok theme.Token) {
		if text != "" {
			lines = append(lines, hang("    ", 4, text, tok, in, th)...)
		}
	}
	if width := max(text.Width(p.Label), labels); len(lines) == 1 && width+text.Width(need)+4 <= in {
		lines[0] += strings.Repeat(" ", width-text.Width(p.Label)) + "  " + th.Render(theme.Dim, need)
		need = ""
	}
	add(need, theme.Dim)
	add(p.About, theme.Text)
	for _, n := range p.Notes {
		add(n, theme.Dim)
	}
	if p.Source != "" {
		for _, l := range text.HardWrap(p.Source, max(in-4, 1)) {
			lines = append(lines, "    "+text.DrawVisible(l, theme.Code, th))
		}
	}
	return lines
}

// mostOptions is how many options are shown around the cursor.
const mostOptions = 9

// optionLines draws the options of a property around the cursor, and says which line that is on.
func optionLines(p *schema.Property, e *entry, in int, th *theme.Theme) (lines []string, row int) {
	at := max(e.cursor, 0)
	if e.cursor < 0 {
		at = max(e.first(), 0)
	}
	first := min(max(0, at-mostOptions/2), max(0, len(p.Options)-mostOptions))
	last := min(first+mostOptions, len(p.Options))
	more := func(mark theme.Mark, n int) {
		if n > 0 {
			lines = append(lines, "    "+th.Render(theme.Dim, fmt.Sprintf("%s %d more", th.Glyph(mark), n)))
		}
	}
	more(theme.MarkAbove, first)
	for i := first; i < last; i++ {
		cursor, digit, tick, tok := " ", " ", " ", theme.Text
		if i == e.cursor {
			cursor, tok, row = th.Render(theme.Accent, th.Glyph(theme.MarkChosen)), theme.Selected, len(lines)
		}
		if i < 9 {
			digit = th.Render(theme.Key, fmt.Sprint(i+1))
		}
		if slices.Contains(e.picked, i) {
			tick = th.Render(theme.Success, th.Glyph(theme.MarkDone))
		}
		lead := "  " + cursor + " " + digit + " " + tick + " "
		lines = append(lines, hang(lead, 8, p.Options[i].Label, tok, in, th)...)
		if about := p.Options[i].About; about != "" {
			lines = append(lines, hang(pad("", 8), 8, about, theme.Dim, in, th)...)
		}
	}
	more(theme.MarkBelow, len(p.Options)-last)
	return lines, row
}

// window returns what is in view, with the field in focus in it. What is
// outside is counted on a line of its own.
func (f *form) window(sh *sheet, height, in int, th *theme.Theme) []string {
	total := len(sh.lines)
	f.drawn.total = total
	if total <= height {
		f.top, f.drawn.height, f.follow = 0, total, false
		return sh.lines
	}
	height = max(height-1, 1)
	if f.follow && f.active {
		f.reveal(sh, height)
	}
	f.top = max(0, min(f.top, total-height))
	f.follow, f.drawn.height = false, height
	said := outside(f.top, total-f.top-height, th)
	lines := slices.Clone(sh.lines[f.top : f.top+height])
	return append(lines, "  "+th.Render(theme.Accent, text.Truncate(said, in-2, "")))
}

// reveal moves the window over the field in focus: over all of it if that fits,
// else over its input, and in that over the caret or the cursor.
func (f *form) reveal(sh *sheet, height int) {
	show := sh.focus
	if show.to-show.from > height {
		show = sh.input
	}
	if show.to-show.from > height {
		row := max(sh.caretY, sh.input.from)
		if e := f.entry(); sh.caretY < 0 && e.cursor > 0 {
			row = sh.option
		}
		show = lineRange{max(row-height+1, sh.input.from), row + 1}
	}
	f.top = max(min(f.top, show.from), show.to-height)
}

// status returns the words that take the place of the keys.
func (f *form) status(s state) string {
	switch {
	case !s.focused:
		return s.waits()
	case !f.active && !s.armed:
		return cmp.Or(s.hasty.says(), notArmed)
	}
	return cmp.Or(s.hasty.says(), f.hint)
}

func (f *form) hints(s state, th *theme.Theme) []keyHint {
	if !f.active {
		h := []keyHint{{"tab", "fill it in"}}
		if s.total > 1 {
			h = append(h, keyHint{"[ ]", "others"})
		}
		return f.drawn.keys.Form.hints(append(h, keyHint{"esc", f.later()}))
	}
	p := f.property()
	goes := "next"
	switch {
	case f.last():
		goes = "submit"
	case f.at == len(f.entries)-1 && f.of.own == nil:
		goes = "review"
	case f.at == len(f.entries)-1:
		goes = "continue"
	}
	var h []keyHint
	keys := f.drawn.keys.Form
	arrows := keys.arrows(th.Glyph(theme.MarkAbove) + th.Glyph(theme.MarkBelow))
	if f.writing() {
		keys = f.drawn.keys.FormLine
	}
	switch {
	case p.Kind == schema.Many:
		h = []keyHint{{"space", "choose"}, {"enter", goes}, {arrows, "options"}}
	case p.Kind == schema.One:
		h = []keyHint{{"enter", goes}, {"space", "choose"}, {arrows, "options"}}
	case p.Multiline && (len(f.entries) > 1 || strings.Contains(f.entry().field.text(), "\n")):
		h = []keyHint{{"tab", goes}, {"enter", "new line"}, {"ctrl+g", "editor"}}
	case p.Multiline:
		h = []keyHint{{"enter", goes}, {"shift+enter", "new line"}, {"ctrl+g", "editor"}}
	case p.Secret:
		h = []keyHint{{"enter", goes}}
	default:
		h = []keyHint{{"enter", goes}, {"ctrl+g", "editor"}}
	}
	if field := f.openField(); field != nil && field.completes() {
		h = slices.DeleteFunc(h, func(one keyHint) bool { return one.key == "tab" })
		h = append(field.completionHint(f.drawn.width/2, th), h...)
	}
	if f.at > 0 {
		h = append(h, keyHint{"shift+tab", "back"})
	}
	return keys.hints(append(h, keyHint{"esc", f.later()}))
}
