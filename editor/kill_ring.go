package editor

// killed is something that was cut or, in vim, copied.
type killed struct {
	text  string
	lines bool // whole lines, of vim, without the break after the last
}

// killRing is what was cut, the newest last.
type killRing struct {
	cuts   []killed
	turned int // how far alt+y went back
}

// What the ring keeps is bounded; the newest is always kept.
const (
	ringCuts  = 60
	ringBytes = 32 << 20
)

// add puts something into the ring.
func (r *killRing) add(k killed, c *chips) {
	if k.text != "" || k.lines {
		r.cuts = keepNewest(append(r.cuts, k), ringCuts, ringBytes, func(k *killed) int { return c.size(k.text) })
	}
}

// newest is what was cut last; not ok means that nothing was.
func (r *killRing) newest() (k killed, ok bool) {
	if len(r.cuts) == 0 {
		return killed{}, false
	}
	return r.cuts[len(r.cuts)-1], true
}

// kill cuts text; cuts in a row add up.
func (e *Editor) kill(was action, from, to textPos) {
	if from == to {
		return
	}
	text := e.slice(from, to)
	if last, ok := e.kills.newest(); was == killing && ok {
		e.kills.cuts = e.kills.cuts[:len(e.kills.cuts)-1]
		if to == e.caret {
			text += last.text
		} else {
			text = last.text + text
		}
	}
	e.kills.add(killed{text: text}, &e.chips)
	e.change(from, to, "")
	e.action = killing
}

// yank puts back what was cut last.
func (e *Editor) yank() {
	if last, _ := e.kills.newest(); last.text != "" {
		e.change(e.caret, e.caret, last.text)
		e.action, e.kills.turned = yanked, 0
	}
}

// turn puts what was cut before in the place of what the key before put back.
func (e *Editor) turn(was action) {
	if was != yanked {
		return
	}
	e.undo()
	r := &e.kills
	r.turned = (r.turned + 1) % len(r.cuts)
	e.change(e.caret, e.caret, r.cuts[len(r.cuts)-1-r.turned].text)
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
