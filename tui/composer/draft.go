package composer

import (
	"slices"
	"strings"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/files"
)

// Outgoing is a prompt on its way: as it is sent, and as it was written, for when it
// cannot be sent.
type Outgoing struct {
	session.Input
	Draft drafts.Draft
}

// Attached is the prompt with the files that it mentions, by the working folder and the
// user's home. It looks at the file system: it is for a job.
func (o Outgoing) Attached(dir, home string) session.Input {
	in := o.Input
	in.Attachments = slices.Concat(in.Attachments, attachments(o.Draft, dir, home, files.Stat))
	return in
}

// keptDrafts bounds how many sent drafts with chips are kept.
const keptDrafts = 50

// Sent keeps a prompt that was sent with chips: the agent gives its text back only.
func (c *Composer) Sent(out Outgoing) {
	if len(out.Draft.Chips) == 0 {
		return
	}
	c.sent = append(c.sent, out)
	c.sent = c.sent[max(0, len(c.sent)-keptDrafts):]
}

// Drafts are texts that come back, with the chips they were sent with.
func (c *Composer) Drafts(texts ...string) []drafts.Draft {
	all := Plain(texts...)
	for i, text := range texts {
		for _, out := range slices.Backward(c.sent) {
			if out.Prompt == text {
				all[i] = out.Draft
				break
			}
		}
	}
	return all
}

// Plain are texts as drafts, with the caret at their end.
func Plain(texts ...string) []drafts.Draft {
	all := make([]drafts.Draft, len(texts))
	for i, text := range texts {
		all[i] = drafts.Draft{Text: text, Caret: len(text)}
	}
	return all
}

// Join puts drafts below each other; the caret is where it is in the last.
func Join(parts ...drafts.Draft) drafts.Draft {
	var all drafts.Draft
	for _, d := range parts {
		if d.Empty() {
			continue
		}
		if !all.Empty() {
			all.Text += "\n"
		}
		for _, c := range d.Chips {
			c.At += len(all.Text)
			all.Chips = append(all.Chips, c)
		}
		all.Caret, all.Behind = len(all.Text)+d.Caret, d.Behind
		all.Text += d.Text
	}
	return all
}

// Begins reports whether a draft begins with a sign that was typed: what is inside a
// chip is no command, and nothing that could not be read runs.
func Begins(d drafts.Draft, sign string) bool {
	return strings.HasPrefix(d.Text, sign) && (len(d.Chips) == 0 || d.Chips[0].At > 0)
}

// After is what follows n bytes of a draft's text.
func After(d drafts.Draft, n int) drafts.Draft {
	d.Text, d.Chips = d.Text[n:], slices.Clone(d.Chips)
	for i := range d.Chips {
		d.Chips[i].At = max(0, d.Chips[i].At-n)
	}
	d.Caret, d.Behind = len(d.Text), 0
	return d
}
