package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
)

// reviewLine is a line of a diff made ready to be drawn: safe text with its
// tabs expanded, and the roles of its parts.
type reviewLine struct {
	text   string
	runs   []run
	simple bool // every byte is one cell

	width  int   // breaks are for
	breaks []int // where its rows begin, the first left out
}

// measure is how wide a line is.
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
func (r *Review) clean(l diffLine) string {
	s, returned := strings.CutSuffix(l.text, "\r")
	s = r.safe(s)
	if returned && !r.d.returns {
		s += text.ControlToken('\r')
	}
	return s
}

// safe makes one line of raw text safe to show; tabs stay.
func (r *Review) safe(s string) string {
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
func (r *Review) measured(l diffLine) measure {
	col := 0
	for i := range len(l.text) {
		switch c := l.text[i]; {
		case c >= 0x20 && c < 0x7f:
			col++
		case c == '\t':
			col += text.TabStop - col%text.TabStop
		case c == '\r' && i == len(l.text)-1 && r.d.returns:
		default:
			return measure{cells: int32(text.Width(text.ExpandTabsAt(r.clean(l), 0)))}
		}
	}
	return measure{int32(col), true}
}

// line returns a line ready to be drawn, from the cache if it is there.
func (r *Review) line(i int) *reviewLine {
	if l, ok := r.ready.get(i); ok {
		return l
	}
	text := r.clean(r.d.lines[i])
	l := &reviewLine{simple: r.sizes[i].simple}
	l.text, l.runs = expandRuns(text, r.roles(i, text))
	r.ready.put(i, l, 1+len(l.text)/weightBytes)
	return l
}

// roles finds the roles of a line's clean text: its syntax, the words that
// changed, and what was hidden in it. Runs stand in order, the first at 0.
func (r *Review) roles(i int, text string) []run {
	op := r.d.lines[i].op
	base := theme.Text
	if op == diffSame && r.quiet {
		base = theme.Dim
	}
	runs := []run{{0, base}}
	if base == theme.Text {
		if syntax := r.syntax(i, text); len(syntax) > 0 {
			runs = syntax
		}
	}
	if other := r.pairs[i]; other >= 0 && len(text) <= wordsLine {
		partner := r.clean(r.d.lines[other])
		if op == diffDel {
			gone, _ := changedWords(text, partner)
			runs = overlay(runs, gone, theme.RemovedWord)
		} else {
			_, come := changedWords(partner, text)
			runs = overlay(runs, come, theme.AddedWord)
		}
	}
	return overlay(runs, hiddenStretches(text), theme.Hidden)
}

// hiddenStretches are the tokens that stand for hidden characters.
func hiddenStretches(s string) []stretch {
	var out []stretch
	for at := 0; ; {
		from := strings.Index(s[at:], "⟦")
		if from < 0 {
			return out
		}
		from += at
		at = len(s)
		if n := strings.Index(s[from:], "⟧"); n >= 0 {
			at = from + n + len("⟧")
		}
		out = append(out, stretch{from, at})
	}
}

// overlay gives stretches of a text another role.
func overlay(runs []run, over []stretch, tok theme.Token) []run {
	if len(over) == 0 {
		return runs
	}
	var out []run
	add := func(start int, tok theme.Token) {
		if n := len(out) - 1; n >= 0 && out[n].start == start {
			out[n].token = tok
			return
		}
		out = append(out, run{start, tok})
	}
	k, under := 0, runs[0].token
	for _, s := range over {
		for ; k < len(runs) && runs[k].start < s.from; k++ {
			under = runs[k].token
			add(runs[k].start, under)
		}
		add(s.from, tok)
		for ; k < len(runs) && runs[k].start <= s.to; k++ {
			under = runs[k].token
		}
		add(s.to, under)
	}
	return append(out, runs[k:]...)
}

// expandRuns expands the tabs of a line and moves the roles along.
func expandRuns(s string, runs []run) (string, []run) {
	if !strings.Contains(s, "\t") {
		return s, runs
	}
	var b strings.Builder
	out := make([]run, 0, len(runs))
	k, col, start := 0, 0, 0
	upTo := func(end int) { // text[start:end] has no tab
		for ; k < len(runs) && runs[k].start <= end; k++ {
			out = append(out, run{b.Len() + runs[k].start - start, runs[k].token})
		}
		b.WriteString(s[start:end])
		col += text.Width(s[start:end])
	}
	for i := range len(s) {
		if s[i] != '\t' {
			continue
		}
		upTo(i)
		n := text.TabStop - col%text.TabStop
		b.WriteString("    "[:n])
		col, start = col+n, i+1
	}
	upTo(len(s))
	return b.String(), out
}

// syntax is the roles of one line by the language of its file. Lines are
// lexed in chunks, each side of the diff by itself and only as far as it is
// shown.
func (r *Review) syntax(i int, text string) []run {
	if len(text) > syntaxLine {
		return nil
	}
	h := r.d.hunkOf(i)
	start := i - (i-r.d.hunks[h].from)%syntaxChunk
	c, ok := r.chunks.get(start)
	if !ok {
		c = r.chunk(start, min(start+syntaxChunk, r.d.hunkEnd(h)))
		r.chunks.put(start, c, 1)
	}
	if c == nil {
		return nil
	}
	side := &c.now
	if r.d.lines[i].op == diffDel {
		side = &c.was
	}
	from := c.at[i-start]
	side.advance(from + len(text))
	return side.within(from, from+len(text))
}

// reviewChunk is some lines of a hunk as the text they were and the text they
// are.
type reviewChunk struct {
	was, now highlighter
	at       []int // where each line begins in the text of its side
}

// chunk collects lines for their highlighters; nil in no known language.
func (r *Review) chunk(from, to int) *reviewChunk {
	lang := languageOf(r.d.files[r.d.fileOf(from)].name)
	if lang == "" {
		return nil
	}
	c := &reviewChunk{at: make([]int, 0, to-from)}
	var was, now strings.Builder
	for _, l := range r.d.lines[from:to] {
		text := r.clean(l)
		if len(text) > syntaxLine {
			text = ""
		}
		if l.op != diffAdd {
			c.at = append(c.at, was.Len())
			was.WriteString(text + "\n")
		}
		if l.op != diffDel {
			if l.op == diffAdd {
				c.at = append(c.at, 0)
			}
			c.at[len(c.at)-1] = now.Len()
			now.WriteString(text + "\n")
		}
	}
	c.was = highlighter{lang: lang, text: was.String()}
	c.now = highlighter{lang: lang, text: now.String()}
	return c
}
