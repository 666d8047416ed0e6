package prompts

import "parley/session"

// finish adds the note to an approval, and to a refusal the comments on what
// was refused.
func (c *card) finish(a session.Answer) session.Answer {
	switch p := a.(type) {
	case session.PermissionAnswer:
		if !p.Decision.Approves() {
			p.Feedback = joined(p.Feedback, c.comments())
		} else if c.note != nil && !c.note.field.blank() {
			p.Note = c.note.field.text
		}
		return p
	case session.ExitPlanModeAnswer:
		if !p.Approved {
			p.Feedback = joined(p.Feedback, c.comments())
		}
		return p
	}
	return a
}

// change is the change that the card shows and comments can be written on, and
// how many rows of what is asked about come before it; nil: there is none.
func (c *card) change() (d *diffDocument, above int) {
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

// comments are what the person wrote about lines of a change.
func (c *card) comments() string {
	switch p := c.payload.(type) {
	case *diffDocument:
		return p.review.Comments()
	case *planDocument:
		if p.changes != nil {
			return p.changes.review.Comments()
		}
	}
	return ""
}

// joined puts a blank line between two texts, if there are two.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
