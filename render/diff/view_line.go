package diff

import (
	"strings"

	"parley/render/patch"
	"parley/render/syntax"
	"parley/render/text"
	"parley/theme"
)

// viewLine is a line of a diff made ready to be drawn: safe text in its roles,
// with its tabs expanded.
type viewLine struct {
	spans []text.Span
	cells int

	width int // rows are for
	rows  [][]text.Span
}

type measure struct {
	cells  int32
	simple bool // every byte but tabs is one cell
}

// What a line may be to have its words compared and its syntax coloured is a
// matter of bytes; what the caches may hold is one of lines. Long lines count
// for several.
const (
	syntaxLine  = 400
	syntaxChunk = 32
	keptLines   = 2048
	keptChunks  = 128
	weightBytes = 256
)

// clean is the safe text of a line, with its tabs.
func (r *View) clean(l patch.Line) string {
	s, returned := strings.CutSuffix(l.Text, "\r")
	s = r.safe(s)
	if returned && !r.d.returns {
		s += text.ControlToken('\r')
	}
	return s
}

// safe makes one line of raw text safe to show; tabs stay.
func (r *View) safe(s string) string {
	if !r.o.Visible {
		return strings.ReplaceAll(text.Sanitize(s), "\n", " ")
	}
	if !strings.Contains(s, "\t") {
		return text.SanitizeShowHidden(s)
	}
	parts := strings.Split(s, "\t")
	for i, part := range parts {
		parts[i] = text.SanitizeShowHidden(part)
	}
	return strings.Join(parts, "\t")
}

// measured is the width of a line. Most are ASCII, which needs no cleaning.
func (r *View) measured(l patch.Line) measure {
	col := 0
	for i := range len(l.Text) {
		switch c := l.Text[i]; {
		case c >= 0x20 && c < 0x7f:
			col++
		case c == '\t':
			col += text.TabStop - col%text.TabStop
		case c == '\r' && i == len(l.Text)-1 && r.d.returns:
		default:
			return measure{cells: int32(text.Width(text.ExpandTabsAt(r.clean(l), 0)))}
		}
	}
	return measure{int32(col), true}
}

// line returns a line ready to be drawn, from the cache if it is there.
func (r *View) line(i int) *viewLine {
	if l, ok := r.ready.Get(i); ok {
		return l
	}
	s := r.clean(r.d.Lines[i])
	runs := append(r.roles(i, s), syntax.Run{Start: len(s)})
	spans := make([]text.Span, 0, len(runs))
	for k, run := range runs[:len(runs)-1] {
		spans = append(spans, text.Span{Text: s[min(run.Start, len(s)):min(runs[k+1].Start, len(s))], Token: run.Token})
	}
	l := &viewLine{spans: text.HardWrapSpans(spans, wholeLine, 0)[0], cells: int(r.sizes[i].cells)}
	r.ready.Put(i, l, 1+len(s)/weightBytes)
	return l
}

// wholeLine is a width that no line has.
const wholeLine = 1 << 30

// roles finds the roles of a line's clean text: its syntax, the words that
// changed, and what was hidden in it. Runs stand in order, the first at 0.
func (r *View) roles(i int, s string) []syntax.Run {
	op := r.d.Lines[i].Op
	base := theme.Text
	if op == patch.Same && r.inline {
		base = theme.Dim
	}
	runs := []syntax.Run{{Start: 0, Token: base}}
	if base == theme.Text {
		if syntax := r.syntax(i, s); len(syntax) > 0 {
			runs = syntax
		}
	}
	if other := r.pairs[i]; other >= 0 && len(s) <= wordsLine {
		partner := r.clean(r.d.Lines[other])
		if op == patch.Delete {
			gone, _ := changedWords(s, partner)
			runs = overlay(runs, gone, theme.RemovedWord)
		} else {
			_, come := changedWords(partner, s)
			runs = overlay(runs, come, theme.AddedWord)
		}
	}
	return overlay(runs, text.HiddenTokens(s), theme.Hidden)
}

// overlay gives stretches of a text another role.
func overlay(runs []syntax.Run, over []text.Stretch, tok theme.Token) []syntax.Run {
	if len(over) == 0 {
		return runs
	}
	var out []syntax.Run
	add := func(start int, tok theme.Token) {
		if n := len(out) - 1; n >= 0 && out[n].Start == start {
			out[n].Token = tok
			return
		}
		out = append(out, syntax.Run{Start: start, Token: tok})
	}
	k, under := 0, runs[0].Token
	for _, s := range over {
		for ; k < len(runs) && runs[k].Start < s.From; k++ {
			under = runs[k].Token
			add(runs[k].Start, under)
		}
		add(s.From, tok)
		for ; k < len(runs) && runs[k].Start <= s.To; k++ {
			under = runs[k].Token
		}
		add(s.To, under)
	}
	return append(out, runs[k:]...)
}

// syntax is the roles of one line by the language of its file. Lines are
// lexed in chunks, each side of the diff by itself and only as far as it is
// shown.
func (r *View) syntax(i int, text string) []syntax.Run {
	if len(text) > syntaxLine {
		return nil
	}
	h := r.d.HunkOf(i)
	start := i - (i-r.d.Hunks[h].From)%syntaxChunk
	c, ok := r.chunks.Get(start)
	if !ok {
		c = r.chunk(start, min(start+syntaxChunk, r.d.HunkEnd(h)))
		r.chunks.Put(start, c, 1)
	}
	if c == nil {
		return nil
	}
	side := &c.now
	if r.d.Lines[i].Op == patch.Delete {
		side = &c.was
	}
	from := c.at[i-start]
	side.Advance(from + len(text))
	return side.Within(from, from+len(text))
}

// viewChunk is some lines of a hunk as the text they were and the text they
// are.
type viewChunk struct {
	was, now syntax.Highlighter
	at       []int // where each line begins in the text of its side
}

// chunk collects lines for their highlighters; nil in no known language.
func (r *View) chunk(from, to int) *viewChunk {
	lang := syntax.LanguageOf(r.d.Files[r.d.FileOf(from)].Name)
	if lang == "" {
		return nil
	}
	c := &viewChunk{at: make([]int, 0, to-from)}
	var was, now strings.Builder
	for _, l := range r.d.Lines[from:to] {
		text := r.clean(l)
		if len(text) > syntaxLine {
			text = ""
		}
		if l.Op != patch.Add {
			c.at = append(c.at, was.Len())
			was.WriteString(text + "\n")
		}
		if l.Op != patch.Delete {
			if l.Op == patch.Add {
				c.at = append(c.at, 0)
			}
			c.at[len(c.at)-1] = now.Len()
			now.WriteString(text + "\n")
		}
	}
	c.was = syntax.Highlighter{Lang: lang, Text: was.String()}
	c.now = syntax.Highlighter{Lang: lang, Text: now.String()}
	return c
}
