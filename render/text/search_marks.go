package text

import (
	"strings"

	"parley/theme"
)

// Highlight marks parts of a drawn line in the style of tok: those that find
// names, as spans of bytes in order, when it is given the text of the line
// without its styles. A mark covers whole characters, so the width stays what it
// was; other styles and links of the line stay too, under a mark as far as it
// leaves them visible.
func Highlight(line string, find func(plain string) [][2]int, tok theme.Token, th *theme.Theme) string {
	on, off, painted := strings.Cut(th.Render(tok, "\x00"), "\x00")
	if !painted || on == "" {
		return line
	}
	spans := find(Unstyled(line))
	if len(spans) == 0 {
		return line
	}
	var (
		b    strings.Builder
		pen  penState
		mark bool
		at   int // in the text without styles
	)
	b.Grow(len(line) + len(spans)*(len(on)+len(off)))
	set := func(want bool) {
		if mark == want {
			return
		}
		if mark = want; mark {
			b.WriteString(on)
		} else {
			b.WriteString(off + pen.sgr)
		}
	}
	for i := 0; i < len(line); {
		if line[i] == 0x1b {
			end := escapeEnd(line, i)
			seq := line[i:end]
			b.WriteString(seq)
			if isSGR(seq) {
				pen.take(seq)
				if mark {
					b.WriteString(on) // over the new style
				}
			}
			i = end
			continue
		}
		text := line[i:]
		if esc := strings.IndexByte(text, 0x1b); esc >= 0 {
			text = text[:esc]
		}
		for text != "" {
			n, _ := Cluster(text)
			for len(spans) > 0 && spans[0][1] <= at {
				spans = spans[1:]
			}
			set(len(spans) > 0 && spans[0][0] < at+n && spans[0][0] < spans[0][1])
			b.WriteString(text[:n])
			text = text[n:]
			at, i = at+n, i+n
		}
	}
	set(false)
	return b.String()
}

// Unstyled is the text of a drawn line without its escape sequences.
func Unstyled(line string) string {
	if strings.IndexByte(line, 0x1b) < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	for i := 0; i < len(line); {
		if line[i] == 0x1b {
			i = escapeEnd(line, i)
			continue
		}
		j := strings.IndexByte(line[i:], 0x1b)
		if j < 0 {
			j = len(line) - i
		}
		b.WriteString(line[i : i+j])
		i += j
	}
	return b.String()
}
