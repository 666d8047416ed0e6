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

// vimFollow follows a motion from p. ok is false if it is none or leads
// nowhere.
func (e *Editor) vimFollow(c vimCommand, p textPos) (m vimMotion, ok bool) {
	n, last := c.times(), len(e.lines)-1
	switch c.key {
	case "h":
		to := p
		for ; n > 0 && to.off > 0; n-- {
			to = e.prev(to)
		}
		return vimMotion{to: to}, to != p
	case "l":
		return vimMotion{to: e.alongLine(p, n)}, true
	case "backspace", " ":
		step := e.next
		if c.key == "backspace" {
			step = e.prev
		}
		for ; n > 0; n-- {
			if p = step(p); p.off > 0 && p.off == len(e.content(p.line)) && c.op == "" {
				p = step(p)
			}
		}
		return vimMotion{to: p}, true
	case "0", "home":
		return vimMotion{to: textPos{p.line, 0}}, true
	case "^":
		return vimMotion{to: textPos{p.line, e.indent(p.line)}}, true
	case "$", "end":
		line := min(p.line+n-1, last)
		return vimMotion{to: textPos{line, len(e.content(line))}}, true
	case "gg", "G":
		line := min(n-1, last)
		if c.key == "G" && !c.counted() {
			line = last
		}
		return vimMotion{textPos{line, e.indent(line)}, vimWhole}, true
	case "j", "k":
		line := min(p.line+n, last)
		if c.key == "k" {
			line = max(0, p.line-n)
		}
		return vimMotion{textPos{line, 0}, vimWhole}, line != p.line
	}
	return e.vimFollowFar(c, p)
}

// vimFollowFar is vimFollow for words and letters.
func (e *Editor) vimFollowFar(c vimCommand, p textPos) (m vimMotion, ok bool) {
	switch c.key {
	case "w", "W":
		return vimMotion{to: e.vimWord(c, p)}, true
	case "b", "B":
		return vimMotion{to: e.vimWordBack(c, p)}, true
	case "e", "E":
		return vimMotion{e.vimWordEnd(c, p, false), vimThrough}, true
	case "f", "F", "t", "T":
		e.vim.find = vimCommand{key: c.key, letter: c.letter}
		return e.vimFind(c, p, false)
	case ";", ",":
		find := e.vim.find
		if find.key == "" {
			return m, false
		}
		if c.key == "," {
			find.key = map[string]string{"f": "F", "F": "f", "t": "T", "T": "t"}[find.key]
		}
		find.count, find.again = c.count, c.again
		return e.vimFind(find, p, true)
	}
	return m, false
}

// vimFind looks for a letter in the line of p. When t and T go on, they pass
// the letter that they stopped at.
func (e *Editor) vimFind(c vimCommand, p textPos, on bool) (m vimMotion, ok bool) {
	text, n := e.content(p.line), c.times()
	till := c.key == "t" || c.key == "T"
	if c.key == "f" || c.key == "t" {
		from := e.alongLine(p, 1)
		if on && till {
			from = e.alongLine(from, 1)
		}
		for at := from; at.off < len(text); at.off += graphemeLen(text[at.off:]) {
			if !strings.HasPrefix(text[at.off:], c.letter) || graphemeLen(text[at.off:]) != len(c.letter) {
				continue
			}
			if n--; n > 0 {
				continue
			}
			if till {
				at = e.prev(at)
			}
			return vimMotion{at, vimThrough}, true
		}
		return m, false
	}
	var found []textPos
	for at := (textPos{line: p.line}); at.off < p.off; {
		after := at.off + graphemeLen(text[at.off:])
		if text[at.off:after] == c.letter && (!on || !till || after < p.off) {
			found = append(found, textPos{p.line, at.off})
			if till {
				found[len(found)-1].off = after
			}
		}
		at.off = after
	}
	if len(found) < n {
		return m, false
	}
	return vimMotion{to: found[len(found)-n]}, true
}

// vimClass is what words are made of: a word is a run of one class. Each chip
// is a word.
type vimClass uint8

const (
	vimBlank vimClass = iota // and the break behind a line
	vimEmpty                 // a line without text
	vimMark
	vimLetters
	vimChip
)

func (e *Editor) vimClass(p textPos, big bool) vimClass {
	text := e.content(p.line)
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

// vimWord returns where the next word begins. The last word that an operator
// takes ends with its line.
func (e *Editor) vimWord(c vimCommand, p textPos) textPos {
	big := c.key == "W"
	for n := c.times(); n > 0 && p != e.end(); n-- {
		stay := c.op != "" && n == 1
		switch class := e.vimClass(p, big); class {
		case vimBlank:
		case vimEmpty:
			if stay {
				return p
			}
			p = e.next(p)
		default:
			p = e.vimRunEnd(p, big)
		}
		for p != e.end() && e.vimClass(p, big) == vimBlank {
			if stay && p.off == len(e.content(p.line)) {
				return p
			}
			p = e.next(p)
		}
	}
	return p
}

// vimRunEnd returns where the run of one class ends that begins at p, which is
// before the end of a line.
func (e *Editor) vimRunEnd(p textPos, big bool) textPos {
	class := e.vimClass(p, big)
	end := len(e.content(p.line))
	for p = e.next(p); p.off < end && class != vimChip && e.vimClass(p, big) == class; {
		p = e.next(p)
	}
	return p
}

// vimWordBack returns where the word before p begins.
func (e *Editor) vimWordBack(c vimCommand, p textPos) textPos {
	big, start := c.key == "B", textPos{}
	for n := c.times(); n > 0 && p != start; n-- {
		p = e.prev(p)
		for p != start && e.vimClass(p, big) == vimBlank {
			p = e.prev(p)
		}
		class := e.vimClass(p, big)
		for p.off > 0 && class != vimChip && e.vimClass(e.prev(p), big) == class {
			p = e.prev(p)
		}
	}
	return p
}

// vimWordEnd returns the last letter of the next word; with within, that of the
// word which p is in, if that is the first.
func (e *Editor) vimWordEnd(c vimCommand, p textPos, within bool) textPos {
	big := c.key == "E" || c.key == "W"
	for n := c.times(); n > 0 && p != e.end(); n-- {
		if !within {
			p = e.next(p)
		}
		within = false
		for p != e.end() && e.vimClass(p, big) <= vimEmpty {
			p = e.next(p)
		}
		if p != e.end() {
			p = e.prev(e.vimRunEnd(p, big))
		}
	}
	return p
}

// alongLine returns the place n graphemes behind p, at most the end of the line.
func (e *Editor) alongLine(p textPos, n int) textPos {
	for end := len(e.content(p.line)); n > 0 && p.off < end; n-- {
		p = e.next(p)
	}
	return p
}

// indent returns where the text of a line begins behind its spaces.
func (e *Editor) indent(line int) int {
	text := e.content(line)
	return e.before(textPos{line, len(text) - len(strings.TrimLeft(text, " \t"))}).off
}
