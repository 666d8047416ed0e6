package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi/kitty"

	"parley/theme"
)

// Cell is a column of a line, both from 0.
type Cell struct{ Line, Column int }

func (c Cell) before(other Cell) bool {
	return c.Line < other.Line || c.Line == other.Line && c.Column < other.Column
}

// glyph is a character that is no blank: in a drawn line, or at a byte of a
// source.
type glyph struct {
	text string
	at   Cell
	from int
}

// Excerpt is what some cells of drawn lines say, from one up to another, in the
// words of the source that they were drawn from: without what drawing put beside them,
// and without the line ends that are only there because a line was full. What
// the source does not say is as it was drawn.
func Excerpt(source string, lines []string, from, to Cell) string {
	drawn, written := drawnGlyphs(lines), sourceGlyphs(source)
	places := align(drawn, written)
	first, last, found, all := -1, -1, 0, 0
	for i, g := range drawn {
		if g.at.before(from) || !g.at.before(to) {
			continue
		}
		all++
		if places[i] < 0 {
			continue
		}
		found++
		if first < 0 {
			first = i
		}
		last = i
	}
	if found == 0 || 3*found < all {
		return asDrawn(lines, from, to)
	}
	start, floor := written[places[first]].from, 0
	end, ceiling := written[places[last]].from+len(written[places[last]].text), len(source)
	opens, closes := true, true
	for i := range first {
		if places[i] >= 0 {
			floor = written[places[i]].from + len(written[places[i]].text)
			opens = opens && drawn[i].at.Line != drawn[first].at.Line
		}
	}
	for i := last + 1; i < len(drawn); i++ {
		if places[i] >= 0 {
			ceiling = min(ceiling, written[places[i]].from)
			closes = closes && drawn[i].at.Line != drawn[last].at.Line
		}
	}
	if opens {
		start = opening(source, floor, start, from.before(drawn[first].at))
	}
	if closes {
		end = closing(source, end, ceiling)
	}
	return source[start:end]
}

// opening goes back from start over the marks that begin a line or a word, not
// before floor; with whole, over the indentation too.
func opening(source string, floor, start int, whole bool) int {
	line := start
	for line > floor {
		r, n := utf8.DecodeLastRuneInString(source[:line])
		if r == '\n' || unicode.IsLetter(r) || unicode.IsNumber(r) {
			break
		}
		line -= n
	}
	if whole && (line == 0 || source[line-1] == '\n') {
		return line
	}
	if i := strings.LastIndexAny(source[line:start], " \t"); i >= 0 {
		return line + i + 1
	}
	return line
}

// closing moves on from end over the marks that end a word, not beyond ceiling.
func closing(source string, end, ceiling int) int {
	for end < ceiling {
		r, n := utf8.DecodeRuneInString(source[end:])
		if unicode.IsSpace(r) || unicode.IsLetter(r) || unicode.IsNumber(r) {
			break
		}
		end += n
	}
	return end
}

// SourceLine are the first and the last of the drawn lines that show the line of
// the source that line shows, too.
func SourceLine(source string, lines []string, line int) (first, last int) {
	drawn, written := drawnGlyphs(lines), sourceGlyphs(source)
	places := align(drawn, written)
	first, last = line, line
	row := func(i int) int { return strings.Count(source[:written[places[i]].from], "\n") }
	here := -1
	for i, g := range drawn {
		if g.at.Line == line && places[i] >= 0 {
			here = row(i)
			break
		}
	}
	for i, g := range drawn {
		if here >= 0 && places[i] >= 0 && row(i) == here {
			first, last = min(first, g.at.Line), max(last, g.at.Line)
		}
	}
	return first, last
}

// Blank reports whether there is nothing but blanks in some cells of drawn lines,
// from one up to another.
func Blank(lines []string, from, to Cell) bool {
	for i := from.Line; i <= min(to.Line, len(lines)-1); i++ {
		blank := true
		eachCell(lines[i], func(text string, col, _ int) {
			at := Cell{i, col}
			blank = blank && (at.before(from) || !at.before(to) || strings.TrimSpace(text) == "")
		})
		if !blank {
			return false
		}
	}
	return true
}

// asDrawn is what was drawn in the cells from up to to, without the margin.
func asDrawn(lines []string, from, to Cell) string {
	var out []string
	for i := from.Line; i <= min(to.Line, len(lines)-1); i++ {
		left, right := MarginCells, 1<<30
		if i == from.Line {
			left = max(left, from.Column)
		}
		if i == to.Line {
			right = to.Column
		}
		var b strings.Builder
		eachCell(lines[i], func(text string, col, width int) {
			if col+width > left && col < right {
				b.WriteString(text)
			}
		})
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return strings.Join(out, "\n")
}

// eachCell gives the characters of a drawn line with their columns and widths, and
// leaves the escape sequences out.
func eachCell(line string, yield func(text string, col, width int)) {
	col := 0
	for i := 0; i < len(line); {
		if line[i] == 0x1b {
			i = escapeEnd(line, i)
			continue
		}
		n, w := Cluster(line[i:])
		yield(line[i:i+n], col, w)
		col += w
		i += n
	}
}

func drawnGlyphs(lines []string) []glyph {
	var out []glyph
	for i, line := range lines {
		eachCell(line, func(text string, col, width int) {
			if width > 0 && strings.TrimSpace(text) != "" {
				out = append(out, glyph{text: text, at: Cell{i, col}})
			}
		})
	}
	return out
}

func sourceGlyphs(source string) []glyph {
	var out []glyph
	for i := 0; i < len(source); {
		n, _ := Cluster(source[i:])
		if text := source[i : i+n]; strings.TrimSpace(text) != "" {
			out = append(out, glyph{text: text, from: i})
		}
		i += n
	}
	return out
}

// alignWork bounds how many characters are compared in all.
const alignWork = 1 << 22

// alignTry is one way to look for where two texts continue alike: so many characters
// of one or both are passed over at most, and so many in a row must agree.
type alignTry struct{ reach, run int }

// align finds for each drawn character its place in the source; -1 for what
// drawing added. Both are nearly the same text in the same order: where they
// part, little is passed over, the less the fewer characters agree after it.
func align(drawn, source []glyph) []int {
	places := make([]int, len(drawn))
	work := alignWork
	j := 0
	for i := 0; i < len(drawn); i++ {
		places[i] = -1
		if j == len(source) || work < 0 {
			continue
		}
		over, ahead, found := 0, 0, drawn[i].text == source[j].text
		for _, try := range []alignTry{{8, 3}, {40, 4}, {400, 6}, {8, 1}} {
			for skip := 1; skip <= try.reach && !found && work > 0; skip++ {
				over, ahead, found = meet(drawn[i:], source[j:], skip, try.run, &work)
			}
		}
		if !found {
			continue
		}
		for range over {
			places[i] = -1
			i++
		}
		places[i] = j + ahead
		j += ahead + 1
	}
	return places
}

// meet looks for the place at which both continue alike after skip characters of
// the two were passed over: some drawn ones, and those ahead in the source.
func meet(drawn, source []glyph, skip, run int, work *int) (over, ahead int, found bool) {
	for ahead := min(skip, len(source)-1); ahead >= 0; ahead-- {
		if over := skip - ahead; over < len(drawn) && agree(drawn[over:], source[ahead:], run, work) {
			return over, ahead, true
		}
	}
	return 0, 0, false
}

// agree reports whether two texts begin alike, for a run of characters or to the
// end of what is drawn. After the first the source may have marks in between that
// are not drawn.
func agree(drawn, source []glyph, run int, work *int) bool {
	j := 0
	for i := range min(run, len(drawn)) {
		for j < len(source) && source[j].text != drawn[i].text {
			*work--
			if r, _ := utf8.DecodeRuneInString(source[j].text); i == 0 || j > 2*run || unicode.IsLetter(r) || unicode.IsNumber(r) {
				return false
			}
			j++
		}
		if j == len(source) {
			return false
		}
		*work--
		j++
	}
	return true
}

// inWords are the signs that words have apart from letters and digits: a path and
// an address are one.
const inWords = "_-./~@:%+#=&?"

// Word are the column at which the word around a column of a drawn line begins,
// and that behind it; where no word is, the character's. Both are 0 behind the
// line.
func Word(line string, column int) (from, to int) {
	var cols []int
	var texts []string
	here := -1
	end := 0
	eachCell(line, func(text string, col, width int) {
		if col <= column && column < col+width {
			here = len(cols)
		}
		cols, texts, end = append(cols, col), append(texts, text), col+width
	})
	if here < 0 {
		return 0, 0
	}
	inside := func(i int) bool {
		r, _ := utf8.DecodeRuneInString(texts[i])
		return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune(inWords, r)
	}
	first, behind := here, here+1
	for inside(here) && first > 0 && inside(first-1) {
		first--
	}
	for inside(here) && behind < len(cols) && inside(behind) {
		behind++
	}
	for behind > here+1 && strings.Contains(".:?", texts[behind-1]) {
		behind-- // they end a sentence
	}
	return cols[first], append(cols, end)[behind]
}

// Paint draws some columns of a drawn line, from one up to another, in the style
// of tok. The line keeps its width: a character that is partly inside is inside.
func Paint(line string, from, to int, tok theme.Token, th *theme.Theme) string {
	if from >= to || strings.ContainsRune(line, kitty.Placeholder) {
		return line
	}
	var b, inside strings.Builder
	var p penState
	col := 0
	flush := func() {
		if inside.Len() > 0 {
			b.WriteString(th.Render(tok, inside.String()))
			inside.Reset()
			b.WriteString(p.link + p.sgr)
		}
	}
	for i := 0; i < len(line); {
		if line[i] == 0x1b {
			end := escapeEnd(line, i)
			if seq := p.take(line[i:end]); inside.Len() == 0 {
				b.WriteString(seq)
			}
			i = end
			continue
		}
		n, w := Cluster(line[i:])
		switch {
		case col+w > from && col < to || w == 0 && inside.Len() > 0:
			if inside.Len() == 0 {
				b.WriteString(unpenned(p))
			}
			inside.WriteString(line[i : i+n])
		default:
			flush()
			b.WriteString(line[i : i+n])
		}
		col += w
		i += n
	}
	flush()
	return b.String()
}

// unpenned ends the styles and the link that are open.
func unpenned(p penState) string {
	out := ""
	if p.sgr != "" {
		out = resetSGR
	}
	if p.link != "" {
		out += CloseLink
	}
	return out
}
