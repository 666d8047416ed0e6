package prompts

import (
	"maps"
	"slices"

	"parley/render/text"
	"parley/session"
)

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

// change is the change that the card shows and comments can be written on, and
// how many rows of what is asked about come before it; nil: there is none.
func (c *choiceDialog) change() (d *diffDocument, above int) {
	if p, ok := c.payload.(*planDocument); ok {
		if !p.brief {
			return nil, 0
		}
		above = p.above
	}
	return c.reviewed(), above
}

// reviewed is the change that comments were written on, shown or not; nil:
// there is none.
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
	said := d.review.Comments()
	d.restored = 0
	for at, l := range d.lines {
		if d.review.CommentAt(at) != "" {
			d.review.Comment(at, "")
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
			texts = append(texts, WrittenText{Place: d.review.Place(at), Text: l.earlier}.line())
			l.earlier = ""
		}
	}
	return texts
}
