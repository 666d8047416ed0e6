package transcript

import (
	"github.com/charmbracelet/x/ansi"

	"parley/timeline"
)

// Written is how far a timeline was written to where it stays as it is: what is finished, once. The zero value has
// written nothing.
type Written struct {
	Marks bool // prompts are marked, and what came of them

	of     *timeline.Timeline
	next   int  // all entries before it were
	begun  bool // a prompt was
	output bool // one was, and what came of it begins
}

// Finished returns the lines of the entries that cannot change any more and were not written yet, with the space above
// each. While the agent works, the last entry may change.
func (w *Written) Finished(p *Pane, busy bool) []string {
	w.follow(p)
	from, end := w.next, p.Timeline.Len()
	if busy {
		end--
	}
	for w.next < end && p.Timeline.At(w.next).State.Final() {
		w.next++
	}
	return w.whole(p, from, w.next)
}

// Rest returns the lines of all that was not written yet.
func (w *Written) Rest(p *Pane) []string {
	w.follow(p)
	from := w.next
	w.next = p.Timeline.Len()
	return w.whole(p, from, w.next)
}

// follow begins anew with another timeline, and goes back where one was cut.
func (w *Written) follow(p *Pane) {
	if w.of != p.Timeline {
		*w = Written{Marks: w.Marks, of: p.Timeline}
	}
	w.next = min(w.next, p.Timeline.Len())
}

// Hide has a pane that follows its end hide what was written.
func (w *Written) Hide(p *Pane) {
	p.Floor = Spot{}
	for i := p.Above(w.next); i >= 0; i = p.Above(i) {
		for unit := p.Units(i) - 1; unit >= 0; unit-- {
			if n := len(p.Lines(i, unit)); n > 0 {
				p.Floor = p.Spot(Place{i, unit, n - 1})
				return
			}
		}
	}
}

// whole returns all lines of the entries from one up to another.
func (w *Written) whole(p *Pane, from, to int) (lines []string) {
	for i := from; i < to; i++ {
		if !p.Shown(i) {
			continue
		}
		_, prompt := p.Timeline.At(i).Body.(*timeline.Prompt)
		for unit := -1; unit < p.Units(i); unit++ {
			of := p.Lines(i, unit)
			if mark := w.mark(prompt && unit == 0); mark != "" && len(of) > 0 {
				of = append([]string{mark + of[0]}, of[1:]...)
				w.begun, w.output = w.begun || prompt, false
			}
			lines = append(lines, of...)
		}
		w.output = w.output || w.Marks && prompt
	}
	return lines
}

// mark is what the next line begins with, which begins a prompt, or not: a terminal finds prompts, and what came of each, by it
// (OSC 133). What comes of one begins on the line after it. kitty erases a prompt when its size changes, for the shell
// to write it again, unless the mark says that nothing will.
func (w *Written) mark(prompt bool) string {
	switch {
	case !w.Marks:
	case prompt && w.begun:
		return ansi.FinalTermCmdFinished() + ansi.FinalTermPrompt("redraw=0")
	case prompt:
		return ansi.FinalTermPrompt("redraw=0")
	case w.output:
		return ansi.FinalTermCmdExecuted()
	}
	return ""
}
