package transcript

import (
	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/timeline"
)

// Written is how far a timeline was written to where it stays as it is: what is finished, once. The zero value has
// written nothing.
type Written struct {
	Marks bool // prompts are marked, and what came of them

	of       *timeline.Timeline
	session  session.ID        // that the timeline is of, once it has one
	progress timeline.Progress // through the entries that were
	earlier  timeline.Progress // through those of the session before it was resumed with the timeline
	begun    bool              // a prompt was
	output   bool              // one was, and what came of it begins
}

// Finished returns the lines of the entries that cannot change any more and were not written yet, with the space above
// each. While the agent works, the last entry may change; so may what sums up a prompt, which continues when something ends in
// the background. The pane shows a session, with "" one that has no id yet.
func (w *Written) Finished(p *Pane, shown session.ID, busy bool) []string {
	w.follow(p, shown)
	from, end := w.progress.Next(p.Timeline), p.Timeline.Len()
	if busy || end > 0 && sumsUp(p.Timeline.At(end-1)) {
		end--
	}
	to := from
	for to < end && p.Timeline.At(to).State.Final() {
		to++
	}
	return w.whole(p, from, to)
}

// Rest returns the lines of all that was not written yet.
func (w *Written) Rest(p *Pane) []string {
	w.follow(p, w.session)
	return w.whole(p, w.progress.Next(p.Timeline), p.Timeline.Len())
}

// follow begins anew with another timeline, but for what was written of its session before.
func (w *Written) follow(p *Pane, shown session.ID) {
	if w.of != p.Timeline {
		next := Written{Marks: w.Marks, of: p.Timeline}
		if shown != "" && shown == w.session {
			next.earlier, next.begun = w.progress, w.begun
		}
		*w = next
	}
	if shown != "" {
		w.session = shown
	}
}

// sumsUp reports whether an entry is what came of a prompt.
func sumsUp(e *timeline.Entry) bool {
	_, is := e.Body.(*timeline.Summary)
	return is
}

// Hide has a pane that follows its end hide what was written.
func (w *Written) Hide(p *Pane) {
	p.Floor = Spot{}
	for i := p.Above(w.progress.Next(p.Timeline)); i >= 0; i = p.Above(i) {
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
		e := p.Timeline.At(i)
		if w.progress.Take(e); w.earlier.Took(e.ID) || !p.Shown(i) {
			continue
		}
		_, prompt := e.Body.(*timeline.Prompt)
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
