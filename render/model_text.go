package render

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
	"parley/session/modelview"
	"parley/theme"
	"parley/timeline"
)

// MessageText is the content of a message of the model's context, as the model
// gets it: its texts word by word, every blank of them, and not as markdown; its
// calls with their arguments; its images as what they are. Only empty lines at
// the end of a text are left out. To make one costs a pass over what it shows,
// Layout another for each new width, and Rows what it returns. It is for one
// goroutine.
type MessageText struct {
	most   int // bytes of a text that are shown; 0 for all
	blocks []textBlock
	width  int
	rows   []textRow
}

// textBlock is a part of a message, safe to show.
type textBlock struct {
	label  []text.Span // before the text; nil for none
	text   string
	token  theme.Token
	inside bool   // the text stands further in than its label
	chip   string // what there is apart from a text, behind it; "" for none
}

type textRow struct {
	label  []text.Span // nil for a row of text
	indent int
	text   string
	token  theme.Token
}

// NewMessageText returns the content of m, of each text no more than the first
// so many bytes, with a word on the rest; 0 for all.
func NewMessageText(m modelview.Message, most int) *MessageText {
	t := &MessageText{most: most}
	token := theme.Text
	if m.Role == modelview.Tool {
		token = theme.Output
	}
	if m.Reasoning != "" {
		t.add(textBlock{label: []text.Span{{Text: "reasoning", Token: theme.Dim}}, text: m.Reasoning, token: theme.Thinking, inside: true})
	}
	if m.Interrupted {
		t.add(textBlock{
			label: []text.Span{{Text: "interrupted before it had a result; the model is told:", Token: theme.Warning}},
			text:  m.Text(), token: token,
		})
	} else {
		for _, p := range m.Content {
			b := textBlock{text: p.Text, token: token}
			if p.Blob != nil {
				b.chip = plainLine(enclosed(*p.Blob))
			}
			t.add(b)
		}
	}
	for _, c := range m.Calls {
		label := []text.Span{{Text: "calls ", Token: theme.Dim}, {Text: plainLine(c.Name), Token: theme.Strong}}
		if id := plainLine(string(c.ID)); id != "" {
			label = append(label, text.Span{Text: "  " + id, Token: theme.Dim})
		}
		t.add(textBlock{label: label, text: t.arguments(c.Arguments), token: theme.Text, inside: true})
	}
	for _, b := range m.ExtraFields {
		t.add(textBlock{label: []text.Span{{Text: b.Key, Token: theme.Dim}}, text: t.arguments(b.Value), token: theme.Text, inside: true})
	}
	if len(t.blocks) == 0 {
		t.blocks = []textBlock{{label: []text.Span{{Text: "(empty)", Token: theme.Dim}}}}
	}
	return t
}

// add adds as much of a block as is shown, unless there is nothing in it.
func (t *MessageText) add(b textBlock) {
	if t.most > 0 && len(b.text) > t.most {
		all := len(b.text)
		b.text = text.CutBytes(b.text, t.most)
		b.chip = text.JoinNonEmpty("\n", text.Size(all-len(b.text))+" more are not shown", b.chip)
	}
	b.text = strings.TrimRight(text.SanitizeShowHidden(b.text), "\n")
	if b.label != nil || b.text != "" || b.chip != "" {
		t.blocks = append(t.blocks, b)
	}
}

// enclosed returns what is known of an image or document.
func enclosed(b modelview.Blob) string {
	facts := []string{"document", brief(b.MIMEType)}
	if i, ok := timeline.AttachmentImage(session.Attachment{Type: "blob", MIMEType: b.MIMEType, Data: b.Data}); ok {
		facts[0] = "image"
		if i.Width > 0 && i.Height > 0 {
			facts = append(facts, fmt.Sprintf("%d×%d", i.Width, i.Height))
		}
	}
	size := "not in the log"
	if b.Data != "" {
		size = text.Size(base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(b.Data, "="))))
	}
	return "[" + text.JoinNonEmpty(", ", append(facts, size)...) + "]"
}

// arguments are those of a call, legible where all of that can be shown.
func (t *MessageText) arguments(v jsontext.Value) string {
	if t.most == 0 {
		return asJSON(v)
	}
	if len(v) <= t.most {
		if text := asJSON(v); len(text) <= t.most {
			return text
		}
	}
	return string(v)
}

// mostNesting is how deep arguments may nest that are indented: an indentation
// for each level costs the square of their number.
const mostNesting = 24

// asJSON writes the arguments of a call as indented JSON, or the text that
// they are.
func asJSON(v jsontext.Value) string {
	if text, err := jsontext.AppendUnquote(nil, bytes.TrimSpace(v)); err == nil {
		return string(text)
	}
	v = v.Clone()
	if !deep(v) {
		_ = v.Indent(jsontext.WithIndent("  ")) // what is no JSON stays as it is
	}
	return string(v)
}

// deep reports whether a value nests deeper than is indented, or is broken.
func deep(v jsontext.Value) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		if _, err := dec.ReadToken(); err != nil || dec.StackDepth() > mostNesting {
			return dec.StackDepth() > 0
		}
	}
}

// Layout breaks the message into rows of at most width cells, unless it was
// broken for this width before, and returns their number.
func (t *MessageText) Layout(width int) (rows int) {
	width = max(width, 1)
	if t.width == width {
		return len(t.rows)
	}
	t.width, t.rows = width, t.rows[:0]
	for i, b := range t.blocks {
		if i > 0 {
			t.rows = append(t.rows, textRow{})
		}
		if b.label != nil {
			for _, spans := range text.HardWrapSpans(b.label, width, 0) {
				if spans = trimSpans(spans); len(spans) > 0 {
					t.rows = append(t.rows, textRow{label: spans})
				}
			}
		}
		indent := 0
		if b.inside && width >= text.TinyBelow {
			indent = text.MarginCells
		}
		t.wrap(b.text, b.token, indent)
		t.wrap(b.chip, theme.Dim, indent)
	}
	return len(t.rows)
}

func (t *MessageText) wrap(s string, token theme.Token, indent int) {
	if s == "" {
		return
	}
	for _, line := range text.WrapKeepBlanks(s, t.width-indent) {
		t.rows = append(t.rows, textRow{indent: indent, text: line, token: token})
	}
}

// trimSpans is spans without the blanks at their end.
func trimSpans(spans []text.Span) []text.Span {
	for n := len(spans) - 1; n >= 0; n-- {
		if spans[n].Text = strings.TrimRight(spans[n].Text, " "); spans[n].Text != "" {
			return spans[:n+1]
		}
	}
	return nil
}

// Rows draws the rows of the last Layout from one to before another.
func (t *MessageText) Rows(from, to int, th *theme.Theme) []string {
	out := make([]string, 0, to-from)
	for _, r := range t.rows[from:to] {
		out = append(out, r.draw(th))
	}
	return out
}

func (r textRow) draw(th *theme.Theme) string {
	switch {
	case r.label != nil:
		return text.DrawSpans(r.label, th)
	case r.text == "":
		return ""
	}
	return text.Spaces(r.indent) + text.DrawVisible(r.text, r.token, th)
}

// MessageSource is a message of the model's context as it is, to be copied:
// what of it is text is not made safe to show.
func MessageSource(m modelview.Message) string {
	var parts, sections []string
	if m.Reasoning != "" {
		sections = append(sections, "reasoning:\n"+m.Reasoning)
	}
	for _, p := range m.Content {
		if p.Text != "" {
			parts = append(parts, p.Text)
		}
		if p.Blob != nil {
			parts = append(parts, enclosed(*p.Blob))
		}
	}
	if len(parts) > 0 {
		sections = append(sections, strings.Join(parts, "\n"))
	}
	for _, c := range m.Calls {
		asked := text.JoinNonEmpty(" ", "calls", c.Name, string(c.ID))
		sections = append(sections, text.JoinNonEmpty("\n", asked, string(c.Arguments)))
	}
	for _, b := range m.ExtraFields {
		sections = append(sections, b.Key+":\n"+string(b.Value))
	}
	return strings.Join(sections, "\n\n")
}
