// Package drafts keeps what users wrote and did not send, so that nothing typed is
// lost, whatever happens to the window.
package drafts

import (
	"slices"
	"strings"

	"parley/session"
)

// Draft is what is in a composer: text, the caret, and the chips between the
// letters. The zero Draft is empty.
type Draft struct {
	// Text is what was typed, byte for byte, without what the chips stand for.
	Text string `json:"text"`
	// Caret is a byte offset in Text.
	Caret int `json:"caret,omitzero"`
	// Behind is how many of the chips at the caret's offset lie before it.
	Behind int `json:"behind,omitzero"`
	// Chips stand in Text at their offsets, in order.
	Chips []Chip `json:"chips,omitzero"`
}

// Chip is one thing in a draft that is shown as a label: a large paste, or
// something attached.
type Chip struct {
	At int `json:"at"` // byte offset in Text
	// Paste is the text it stands for, byte for byte, unless Attachment is set.
	Paste string `json:"paste,omitzero"`
	// Attachment is what goes with the prompt.
	Attachment *session.Attachment `json:"attachment,omitzero"`
	// Detail is what is known of the attachment apart from its name, ready for a
	// user, such as "640x480, 12 kB".
	Detail string `json:"detail,omitzero"`
	// Width and Height are the size in pixels of an image that is attached, 0 of
	// anything else.
	Width  int `json:"width,omitzero"`
	Height int `json:"height,omitzero"`
}

// Empty reports whether there is nothing in the draft.
func (d Draft) Empty() bool { return d.Text == "" && len(d.Chips) == 0 }

// Prompt is the text that is sent: pastes stand in it as they were pasted,
// attachments by their name in brackets.
func (d Draft) Prompt() string {
	if len(d.Chips) == 0 {
		return d.Text
	}
	var b strings.Builder
	from := 0
	for _, c := range d.Chips {
		at := min(max(c.At, from), len(d.Text))
		b.WriteString(d.Text[from:at])
		b.WriteString(c.prompt())
		from = at
	}
	b.WriteString(d.Text[from:])
	return b.String()
}

// Edited is the draft after its Prompt was edited as plain text, as in another
// editor: what a chip stands for is that chip again where it is still there, in
// the order of the chips. The caret is at the end.
func (d Draft) Edited(text string) Draft {
	var out Draft
	for _, c := range d.Chips {
		stands := c.prompt()
		before, after, found := strings.Cut(text, stands)
		if !found || stands == "" {
			continue
		}
		out.Text += before
		c.At, text = len(out.Text), after
		out.Chips = append(out.Chips, c)
	}
	out.Text += text
	out.Caret = len(out.Text)
	for _, c := range out.Chips {
		if c.At == out.Caret {
			out.Behind++
		}
	}
	return out
}

func (c Chip) prompt() string {
	if c.Attachment == nil {
		return c.Paste
	}
	return "[" + c.Attachment.DisplayName + "]"
}

// Attachments are what goes with the prompt, in order.
func (d Draft) Attachments() []session.Attachment {
	var out []session.Attachment
	for _, c := range d.Chips {
		if c.Attachment != nil {
			out = append(out, *c.Attachment)
		}
	}
	return slices.Clip(out)
}

// AtEnd returns the draft with the caret behind everything in it.
func (d Draft) AtEnd() Draft {
	d.Caret, d.Behind = len(d.Text), 0
	for _, c := range d.Chips {
		if c.At >= len(d.Text) {
			d.Behind++
		}
	}
	return d
}

// Normalized returns the draft with every offset inside the text and in order, as
// one that was read need not be.
func (d Draft) Normalized() Draft {
	d.Caret = min(max(d.Caret, 0), len(d.Text))
	at, there := 0, 0
	for i := range d.Chips {
		at = min(max(d.Chips[i].At, at), len(d.Text))
		d.Chips[i].At = at
		if at == d.Caret {
			there++
		}
	}
	d.Behind = min(max(d.Behind, 0), there)
	return d
}

// Clone returns the draft with a copy of the chips.
func (d Draft) Clone() Draft {
	d.Chips = slices.Clone(d.Chips)
	return d
}
