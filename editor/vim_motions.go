package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// vimMotion is where a motion leads, and what an operator takes on the way.
type vimMotion struct {
	to   textPos
	take vimTake
}

type vimTake uint8

const (
	vimBetween vimTake = iota // what is between both places
	vimThrough                // and the letter at the later one
	vimWhole                  // the lines of both places, whole
)

// motion follows a motion from p. ok is false if it is none or leads
// nowhere.
func (v *vim) motion(c vimCommand, p textPos) (m vimMotion, ok bool) {
	n, last := c.times(), len(v.ed.lines)-1
	switch c.key {
	case "h":
		to := p
		for ; n > 0 && to.off > 0; n-- {
			to = v.ed.prev(to)
		}
		return vimMotion{to: to}, to != p
	case "l":
		return vimMotion{to: v.alongLine(p, n)}, true
	case "backspace", " ":
		step := v.ed.next
		if c.key == "backspace" {
			step = v.ed.prev
		}
		for ; n > 0; n-- {
			if p = step(p); p.off > 0 && p.off == len(v.ed.content(p.line)) && c.op == "" {
				p = step(p)
			}
		}
		return vimMotion{to: p}, true
	case "0", "home":
		return vimMotion{to: textPos{p.line, 0}}, true
	case "^":
		return vimMotion{to: textPos{p.line, v.indent(p.line)}}, true
	case "$", "end":
		line := min(p.line+n-1, last)
		return vimMotion{to: textPos{line, len(v.ed.content(line))}}, true
	case "gg", "G":
		line := min(n-1, last)
		if c.key == "G" && !c.counted() {
			line = last
		}
		return vimMotion{textPos{line, v.indent(line)}, vimWhole}, true
	case "j", "k":
		line := min(p.line+n, last)
		if c.key == "k" {
			line = max(0, p.line-n)
		}
		return vimMotion{textPos{line, 0}, vimWhole}, line != p.line
	}
	return v.wordMotion(c, p)
}

// wordMotion is motion for words and letters.
func (v *vim) wordMotion(c vimCommand, p textPos) (m vimMotion, ok bool) {
	switch c.key {
	case "w", "W":
		return vimMotion{to: v.wordStart(c, p)}, true
	case "b", "B":
		return vimMotion{to: v.wordBackward(c, p)}, true
	case "e", "E":
		return vimMotion{v.wordEnd(c, p, false), vimThrough}, true
	case "f", "F", "t", "T":
		v.find = vimCommand{key: c.key, letter: c.letter}
		return v.findLetter(c, p, false)
	case ";", ",":
		find := v.find
		if find.key == "" {
			return m, false
		}
		if c.key == "," {
			find.key = map[string]string{"f": "F", "F": "f", "t": "T", "T": "t"}[find.key]
		}
		find.count, find.again = c.count, c.again
		return v.findLetter(find, p, true)
	}
	return m, false
}

// findLetter looks for a letter in the line of p. When t and T are repeated, they pass
// the letter that they stopped at.
func (v *vim) findLetter(c vimCommand, p textPos, on bool) (m vimMotion, ok bool) {
	text, n := v.ed.content(p.line), c.times()
	till, forward := strings.Contains("tT", c.key), strings.Contains("ft", c.key)
	from, to := v.alongLine(p, 1).off, p.off // where forward begins, and backward ends
	passes := on && till
	if passes {
		from = v.alongLine(p, 2).off
	}
	var found [][2]int // the first and the last byte of each
	for at := 0; at < len(text); {
		end := at + graphemeLen(text[at:])
		here := at >= from
		if !forward {
			here = end < to || end == to && !passes
		}
		if here && text[at:end] == c.letter {
			found = append(found, [2]int{at, end})
		}
		at = end
	}
	switch {
	case len(found) < n:
		return m, false
	case forward && till:
		return vimMotion{v.ed.prev(textPos{p.line, found[n-1][0]}), vimThrough}, true
	case forward:
		return vimMotion{textPos{p.line, found[n-1][0]}, vimThrough}, true
	case till:
		return vimMotion{to: textPos{p.line, found[len(found)-n][1]}}, true
	}
	return vimMotion{to: textPos{p.line, found[len(found)-n][0]}}, true
}

// classAt is what words are made of: a word is a run of one class. Each chip
// is a word.
type vimClass uint8

const (
	vimBlank vimClass = iota // and the break behind a line
	vimEmpty                 // a line without text
	vimMark
	vimLetters
	vimChip
)

func (v *vim) classAt(p textPos, big bool) vimClass {
	text := v.ed.content(p.line)
	r, _ := utf8.DecodeRuneInString(text[p.off:])
	switch {
	case text == "":
		return vimEmpty
	case p.off == len(text), unicode.IsSpace(r):
		return vimBlank
	case isChip(text[p.off:]):
		return vimChip
	case big, wordRune(r):
		return vimLetters
	}
	return vimMark
}

// wordStart returns where the next word begins. The last word that an operator
// takes ends with its line.
func (v *vim) wordStart(c vimCommand, p textPos) textPos {
	big := c.key == "W"
	for n := c.times(); n > 0 && p != v.ed.end(); n-- {
		stay := c.op != "" && n == 1
		switch class := v.classAt(p, big); class {
		case vimBlank:
		case vimEmpty:
			if stay {
				return p
			}
			p = v.ed.next(p)
		default:
			p = v.classEnd(p, big)
		}
		for p != v.ed.end() && v.classAt(p, big) == vimBlank {
			if stay && p.off == len(v.ed.content(p.line)) {
				return p
			}
			p = v.ed.next(p)
		}
	}
	return p
}

// classEnd returns where the run of one class ends that begins at p, which is
// before the end of a line.
func (v *vim) classEnd(p textPos, big bool) textPos {
	class := v.classAt(p, big)
	end := len(v.ed.content(p.line))
	for p = v.ed.next(p); p.off < end && class != vimChip && v.classAt(p, big) == class; {
		p = v.ed.next(p)
	}
	return p
}

// wordBackward returns where the word before p begins.
func (v *vim) wordBackward(c vimCommand, p textPos) textPos {
	big, start := c.key == "B", textPos{}
	for n := c.times(); n > 0 && p != start; n-- {
		p = v.ed.prev(p)
		for p != start && v.classAt(p, big) == vimBlank {
			p = v.ed.prev(p)
		}
		class := v.classAt(p, big)
		for p.off > 0 && class != vimChip && v.classAt(v.ed.prev(p), big) == class {
			p = v.ed.prev(p)
		}
	}
	return p
}

// wordEnd returns the last letter of the next word; with within, that of the
// word which p is in, if that is the first.
func (v *vim) wordEnd(c vimCommand, p textPos, within bool) textPos {
	big := c.key == "E" || c.key == "W"
	for n := c.times(); n > 0 && p != v.ed.end(); n-- {
		if !within {
			p = v.ed.next(p)
		}
		within = false
		for p != v.ed.end() && v.classAt(p, big) <= vimEmpty {
			p = v.ed.next(p)
		}
		if p != v.ed.end() {
			p = v.ed.prev(v.classEnd(p, big))
		}
	}
	return p
}

// alongLine returns the place n graphemes behind p, at most the end of the line.
func (v *vim) alongLine(p textPos, n int) textPos {
	for end := len(v.ed.content(p.line)); n > 0 && p.off < end; n-- {
		p = v.ed.next(p)
	}
	return p
}

// indent returns where the text of a line begins behind its spaces.
func (v *vim) indent(line int) int {
	text := v.ed.content(line)
	return v.ed.before(textPos{line, len(text) - len(strings.TrimLeft(text, " \t"))}).off
}
