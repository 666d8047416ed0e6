package prompts

import (
	"maps"
	"slices"
	"strings"

	"parley/session"
)

// finish adds the note to an approval, and to a refusal the comments on what
// was refused. What is sent is not written any more.
func (c *choiceDialog) finish(a session.Answer) session.Answer {
	switch p := a.(type) {
	case session.PermissionAnswer:
		if !p.Decision.Approves() {
			p.Feedback = joinParagraphs(p.Feedback, c.comments())
		} else if c.note != nil && !c.note.field.blank() {
			p.Note, c.note.field = c.note.field.text(), field{}
		}
		return p
	case session.ExitPlanModeAnswer:
		if !p.Approved {
			p.Feedback = joinParagraphs(p.Feedback, c.comments())
		}
		return p
	}
	return a
}

// change is the change that the card shows and comments can be written on, and
// how many rows of what is asked about come before it; nil: there is none.
func (c *choiceDialog) change() (d *diffDocument, above int) {
	switch p := c.payload.(type) {
	case *diffDocument:
		return p, 0
	case *planDocument:
		if p.brief {
			return p.changes, p.above
		}
	}
	return nil, 0
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

// comments takes what the user said about lines of a change.
func (c *choiceDialog) comments() string {
	d := c.reviewed()
	if d == nil {
		return ""
	}
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

// takeComments takes what the user wrote about lines of the change, with those that
// they did not keep.
func (d *diffDocument) takeComments() []string {
	for _, at := range slices.Sorted(maps.Keys(d.lines)) {
		d.review.Comment(at, d.lines[at].field.text())
	}
	d.restored = 0
	said := d.review.Comments()
	for at, l := range d.lines {
		d.review.Comment(at, "")
		l.field = field{}
	}
	if strings.TrimSpace(said) == "" {
		return nil
	}
	return []string{said}
}

// joinParagraphs puts a blank line between two texts, if there are two.
func joinParagraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
