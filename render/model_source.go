package render

import (
	"strings"

	"parley/render/text"
	"parley/session/modelview"
)

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
