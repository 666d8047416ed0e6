package editor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// action is what a key did to the text, so far as the next key asks: typing,
// erasing and killing continue where they stopped.
type action uint8

const (
	acted     action = iota // anything that ends the step before
	typed                   // text by a key
	erased                  // a grapheme by a key
	killing                 // something that ctrl+y puts back
	yanked                  // what was put back, which alt+y exchanges
	completed               // what was completed has a blank behind it that yields
)

// textEdit is one step to undo: inserted took the place of removed at a place.
type textEdit struct {
	at                textPos
	removed, inserted string
	before, after     textPos // the caret
	size              int     // bytes that it keeps, with those of chips
	number            int     // among all steps made
	joined            bool    // it goes with the step before
}

// undoHistory is what can be undone and done again.
type undoHistory struct {
	past, future []textEdit
	steps        int // made so far
}

// What can be undone is bounded; the last step always can.
const (
	undoSteps = 1000
	undoBytes = 32 << 20
)

// change replaces the text between two places, puts the caret behind s and
// remembers it as a step to undo.
func (e *Editor) change(from, to textPos, s string) {
	step := textEdit{at: from, removed: e.slice(from, to), inserted: s, before: e.caret}
	if step.removed == s {
		e.caret = e.after(to)
		return
	}
	e.caret = e.after(e.splice(from, to, s))
	step.after, step.size = e.caret, e.chips.size(step.removed)+e.chips.size(s)
	e.add(step)
}

// add makes a step.
func (h *undoHistory) add(step textEdit) {
	h.steps++
	step.number = h.steps
	h.past = keepNewest(append(h.past, step), undoSteps, undoBytes, func(t *textEdit) int { return t.size })
	h.future = nil
}

// extend is change for a key of a run: when the key before did the same right
// here, its step grows instead of a new one being made, up to the next word.
func (e *Editor) extend(was, run action, from, to textPos, s string) {
	if from == to && s == "" {
		return
	}
	removed := e.slice(from, to)
	n := len(e.past)
	grow := n > 0 && was == run && e.past[n-1].after == e.caret
	if grow {
		switch last := e.past[n-1]; {
		case run == typed:
			grow = from == last.at.advance(last.inserted) && !endsWord(last.inserted, s)
		case to == last.at:
			grow = !endsWord(removed, last.removed)
		default:
			grow = from == last.at && !endsWord(last.removed, removed)
		}
	}
	e.change(from, to, s)
	e.action = run
	if n = len(e.past); !grow || n < 2 {
		return
	}
	last, step := e.past[n-2], e.past[n-1]
	if to == last.at {
		last.at, last.removed = from, removed+last.removed
	} else {
		last.removed += removed
	}
	last.inserted += s
	last.after = step.after
	last.size += step.size
	e.past = append(e.past[:n-2], last)
}

// endsWord reports whether a space separates two runs of text, the second of
// which begins a word.
func endsWord(a, b string) bool {
	ra, _ := utf8.DecodeLastRuneInString(a)
	rb, _ := utf8.DecodeRuneInString(b)
	return unicode.IsSpace(ra) && !unicode.IsSpace(rb)
}

// keepNewest drops the oldest of a list beyond a number of them and of bytes; the
// newest always stays.
func keepNewest[T any](list []T, most, bytes int, size func(*T) int) []T {
	sum, keep := 0, 0
	for keep < min(len(list), most) {
		if sum += size(&list[len(list)-1-keep]); sum > bytes && keep > 0 {
			break
		}
		keep++
	}
	return slices.Delete(list, 0, len(list)-keep)
}

// join makes one step to undo of those made after the one of a number.
func (h *undoHistory) join(number int) {
	i := len(h.past)
	for i > 0 && h.past[i-1].number > number {
		i--
	}
	for i++; i < len(h.past); i++ {
		h.past[i].joined = true
	}
}

// undo takes the last step back, with those before that it is joined to.
func (e *Editor) undo() {
	for n := len(e.past); n > 0; n-- {
		step := e.past[n-1]
		e.past, e.future = e.past[:n-1], append(e.future, step)
		e.splice(step.at, step.at.advance(step.inserted), step.removed)
		if e.caret = step.before; !step.joined {
			return
		}
	}
}

// redo does again what was taken back last.
func (e *Editor) redo() {
	for n := len(e.future); n > 0; n-- {
		step := e.future[n-1]
		e.past, e.future = append(e.past, step), e.future[:n-1]
		e.splice(step.at, step.at.advance(step.removed), step.inserted)
		if e.caret = step.after; n < 2 || !e.future[n-2].joined {
			return
		}
	}
}

// splice puts s in place of the text between two places and returns its end,
// which may be inside a grapheme that it formed with its surroundings.
func (e *Editor) splice(from, to textPos, s string) textPos {
	e.version++
	end := from.advance(s)
	if to.before(e.top) {
		e.top = textPos{e.top.line + end.line - to.line, 0}
	} else if from.before(e.top) {
		e.top = from
	}
	text := e.lines[from.line].text[:from.off] + s + e.lines[to.line].text[to.off:]
	if from.line == to.line && end.line == from.line {
		old := len(e.content(from.line))
		l := &e.lines[from.line]
		l.text = text
		l.rows = l.rows.edited(e.content(from.line), old, from.off, to.off-from.off, len(s))
		return end
	}
	lines := make([]textLine, 0, strings.Count(text, "\n")+1)
	for part := range strings.SplitSeq(text, "\n") {
		lines = append(lines, textLine{text: part})
	}
	e.lines = slices.Replace(e.lines, from.line, to.line+1, lines...)
	return end
}
