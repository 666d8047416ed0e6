package editor

import "slices"

// killed is something that was cut or, in vim, copied.
type killed struct {
	text  string
	lines bool // whole lines, of vim, without the break after the last
}

// What the ring of cuts keeps is bounded; the newest is always kept.
const (
	ringCuts  = 60
	ringBytes = 32 << 20
)

// keep puts something into the ring.
func (e *Editor) keep(c killed) {
	if c.text == "" && !c.lines {
		return
	}
	e.ring = append(e.ring, c)
	size, n := 0, 0
	for n < min(len(e.ring), ringCuts) {
		if size += e.chips.size(e.ring[len(e.ring)-1-n].text); size > ringBytes && n > 0 {
			break
		}
		n++
	}
	e.ring = slices.Delete(e.ring, 0, len(e.ring)-n)
}

// kill cuts text; cuts in a row add up.
func (e *Editor) kill(was action, from, to textPos) {
	if from == to {
		return
	}
	text := e.slice(from, to)
	if n := len(e.ring); was == killing && n > 0 {
		last := e.ring[n-1].text
		if e.ring = e.ring[:n-1]; to == e.caret {
			text += last
		} else {
			text = last + text
		}
	}
	e.keep(killed{text: text})
	e.change(from, to, "")
	e.action = killing
}

// yank puts back what was cut last.
func (e *Editor) yank() {
	if n := len(e.ring); n > 0 && e.ring[n-1].text != "" {
		e.change(e.caret, e.caret, e.ring[n-1].text)
		e.action, e.turned = yanked, 0
	}
}

// turn puts what was cut before in the place of what the key before put back.
func (e *Editor) turn(was action) {
	if was != yanked {
		return
	}
	e.undo()
	e.turned = (e.turned + 1) % len(e.ring)
	e.change(e.caret, e.caret, e.ring[len(e.ring)-1-e.turned].text)
	e.action = yanked
}

// killStart is the start of the caret's line or, there, the end of the line
// above.
func (e *Editor) killStart() textPos {
	if e.caret.off == 0 {
		return e.prev(e.caret)
	}
	return textPos{e.caret.line, 0}
}

// killEnd is the end of the caret's line or, there, the start of the line
// below.
func (e *Editor) killEnd() textPos {
	if end := len(e.content(e.caret.line)); e.caret.off < end {
		return textPos{e.caret.line, end}
	}
	return e.next(e.caret)
}
