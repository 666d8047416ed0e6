package timeline

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Copy returns the timeline's entries as they are now, with those of its
// sub-agents but without their events, for readers that run while the timeline
// grows. Nothing can be applied to a copy. It copies no text.
func (t *Timeline) Copy() *Timeline { return t.copy(nil) }

// Copy returns the entry as it is now, in which every text that came from
// elsewhere is what change makes of it: strings in JSON decoded. Numbers, times
// and images stay, and a nil change keeps all.
func (e *Entry) Copy(change func(string) string) *Entry {
	return e.copy(change)
}

func (e *Entry) copy(change textEdit) *Entry {
	c := *e
	c.Events = nil // they grow in place
	switch b := e.Body.(type) {
	case *Prompt:
		body := *b
		body.Text, body.Source = change.of(b.Text), change.of(b.Source)
		body.Attachments = slices.Clone(b.Attachments)
		for i := range body.Attachments {
			a := &body.Attachments[i]
			for _, text := range []*string{
				&a.Path, &a.FilePath, &a.DisplayName, &a.Text, &a.Type, &a.MIMEType, &a.TaggedFilesEntry,
				&a.Title, &a.ReferenceType, &a.State, &a.URL,
			} {
				*text = change.of(*text)
			}
			a.Selection, a.Extra = changeJSON(a.Selection, change), changeJSON(a.Extra, change)
			if a.LineRange != nil {
				lines := *a.LineRange
				lines.Extra = changeJSON(lines.Extra, change)
				a.LineRange = &lines
			}
		}
		c.Body = &body
	case *Message:
		c.Body = &Message{MessageID: b.MessageID, Text: changeText(&b.Text, change)}
	case *Reasoning:
		c.Body = &Reasoning{ReasoningID: b.ReasoningID, MessageID: b.MessageID, Text: changeText(&b.Text, change), isMessage: b.isMessage}
	case *ToolCall:
		c.Body = b.copy(change)
	case *Notice:
		body := *b
		body.Category, body.Text, body.URL = change.of(b.Category), change.of(b.Text), change.of(b.URL)
		body.Next, body.Detail = change.of(b.Next), change.of(b.Detail)
		c.Body = &body
	case *AnsweredQuestion:
		c.Body = &AnsweredQuestion{Question: change.of(b.Question), Answer: change.of(b.Answer)}
	case *Divider:
		body := *b
		body.Text = change.of(b.Text)
		c.Body = &body
	case *Summary:
		body := *b
		body.Files = slices.Clone(b.Files)
		for i := range body.Files {
			body.Files[i].Path, body.Files[i].Kind = change.of(body.Files[i].Path), change.of(body.Files[i].Kind)
		}
		c.Body = &body
	case *SessionEnd:
		c.Body = b.copy(change)
	case *Unrecognised:
		body := *b
		body.Kind, body.Raw = session.Kind(change.of(string(b.Kind))), changeJSON(b.Raw, change)
		c.Body = &body
	}
	return &c
}

func (c *ToolCall) copy(change textEdit) *ToolCall {
	body := *c
	for _, text := range []*string{
		&body.Name, &body.Title, &body.Intention, &body.Server, &body.Tool, &body.Status,
		&body.Result, &body.Detail, &body.Error, &body.ErrorCode, &body.Feedback, &body.Dir, &body.activity,
	} {
		*text = change.of(*text)
	}
	body.Arguments = changeJSON(c.Arguments, change)
	body.ArgumentText, body.Output = changeText(&c.ArgumentText, change), changeText(&c.Output, change)
	if c.ExitCode != nil {
		code := *c.ExitCode
		body.ExitCode = &code
	}
	body.Edits = slices.Clone(c.Edits)
	for i := range body.Edits {
		edit := &body.Edits[i]
		edit.Path, edit.Kind, edit.Extra = change.of(edit.Path), change.of(edit.Kind), changeJSON(edit.Extra, change)
	}
	body.Images = slices.Clone(c.Images)
	for i := range body.Images {
		body.Images[i].Name, body.Images[i].MIMEType = change.of(body.Images[i].Name), change.of(body.Images[i].MIMEType)
	}
	body.Blocks = slices.Clone(c.Blocks)
	for i := range body.Blocks {
		b := &body.Blocks[i]
		for _, text := range []*string{&b.Kind, &b.Name, &b.URI, &b.Description, &b.MIMEType} {
			*text = change.of(*text)
		}
	}
	if c.Agent != nil {
		a := *c.Agent
		a.Name, a.Title, a.Description = change.of(a.Name), change.of(a.Title), change.of(a.Description)
		a.Model, a.Activity, a.Error = change.of(a.Model), change.of(a.Activity), change.of(a.Error)
		a.Timeline = c.Agent.Timeline.copy(change)
		body.Agent = &a
	}
	return &body
}

func (b *SessionEnd) copy(change textEdit) *SessionEnd {
	c := *b
	c.Reason = change.of(b.Reason)
	c.Files, c.Models = slices.Clone(b.Files), slices.Clone(b.Models)
	for i := range c.Files {
		c.Files[i] = change.of(c.Files[i])
	}
	for i := range c.Models {
		c.Models[i].Model = change.of(c.Models[i].Model)
	}
	return &c
}

func (t *Timeline) copy(change textEdit) *Timeline {
	c := New()
	c.version, c.depth = t.version, t.depth
	for i, e := range t.entries {
		entry := e.copy(change)
		entry.pos = i
		c.entries = append(c.entries, entry)
		c.index[entry.ID] = entry
	}
	return c
}

// textEdit changes a text; nil keeps it.
type textEdit func(string) string

func (change textEdit) of(s string) string {
	if change == nil {
		return s
	}
	return change(s)
}

// changeText is a text after a change. It shares the bytes of what is the same.
func changeText(t *Text, change textEdit) Text { return Text{set: change.of(t.String())} }

// changeJSON is a JSON text after a change of its strings. What is no JSON is
// changed as it stands.
func changeJSON(v jsontext.Value, change textEdit) jsontext.Value {
	if len(v) == 0 || change == nil {
		return v
	}
	if changed, err := session.EditStrings(v, func(_, s string) string { return change(s) }); err == nil {
		return changed
	}
	return jsontext.Value(change.of(string(v)))
}
