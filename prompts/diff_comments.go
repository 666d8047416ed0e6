package prompts

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"parley/render/text"
	"parley/session"
)

// comment is what is kept about a line that was asked about.
func (d *diffDocument) comment(line int) string { return d.review.CommentAt(d.shown(line)) }

// kept is how many comments are kept.
func (d *diffDocument) kept() (n int) {
	for line := range d.lines {
		if d.comment(line) != "" {
			n++
		}
	}
	return n
}

// commentLine is the line on which the user says something about the selected line of
// the change, or the nearest that was asked about. It goes along with a refusal.
func (d *diffDocument) commentLine() *textAnswer {
	line := d.askedAt(max(d.cursor, 0))
	d.cursor = d.shown(line)
	l := d.line(line)
	l.field.toEnd()
	return l
}

func (d *diffDocument) line(line int) *textAnswer {
	l := d.lines[line]
	if l == nil {
		l = &textAnswer{
			label: fmt.Sprintf("About %s, sent when you refuse:", quote(filepath.Base(d.place(line)))), hint: "keep the comment",
			keep: func(text string) { d.keep(line, text) },
			kept: func() string { return d.comment(line) },
		}
		d.lines[line] = l
	}
	return l
}

// keep keeps what was written about a line.
func (d *diffDocument) keep(line int, text string) { d.review.Comment(d.shown(line), text) }

// finish adds the note to an approval, and to a refusal the comments on what
// was refused. What is sent is not written any more.
func (c *choiceDialog) finish(a session.Answer) session.Answer {
	with := func(feedback string) string {
		if d := c.reviewed(); d != nil {
			return text.JoinNonEmpty("\n\n", feedback, d.takeComments())
		}
		return feedback
	}
	switch p := a.(type) {
	case session.PermissionAnswer:
		if !p.Decision.Approves() {
			p.Feedback = with(p.Feedback)
		} else if c.note != nil && !c.note.field.blank() {
			p.Note, c.note.field = c.note.field.text(), field{}
		}
		return p
	case session.ExitPlanModeAnswer:
		if !p.Approved {
			p.Feedback = with(p.Feedback)
		}
		return p
	}
	return a
}

// reviewed is the change that comments were written on, shown or not; nil
// without such a change.
func (c *choiceDialog) reviewed() *diffDocument {
	switch p := c.payload.(type) {
	case *diffDocument:
		return p
	case *planDocument:
		return p.changes
	}
	return nil
}

// takeComments takes what the user said about lines of the change and kept.
func (d *diffDocument) takeComments() string {
	said := d.review.Comments(d.folder)
	d.restored = 0
	for at, l := range d.lines {
		if d.comment(at) != "" {
			d.keep(at, "")
			l.field = field{}
		}
	}
	return said
}

// takeUnfinished takes the comments of before that the user did not continue.
func (d *diffDocument) takeUnfinished() []string {
	var texts []string
	for _, at := range slices.Sorted(maps.Keys(d.lines)) {
		if l := d.lines[at]; l.earlier != "" {
			texts = append(texts, WrittenText{Place: d.place(at), Text: l.earlier}.line())
			l.earlier = ""
		}
	}
	return texts
}
