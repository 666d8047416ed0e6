package timeline

import (
	"cmp"
	"strings"

	"parley/session"
)

func (ns *notices) agentError(ev session.Event, b session.AgentError) ApplyResult {
	return ns.notice(ev, &Notice{
		Level:    Error,
		Category: b.Type,
		Text:     about(cmp.Or(b.Message, "The agent met an error and did not say which."), cmp.Or(b.About, b.Identifier)),
		Detail: joinLines(
			labelled("Code", b.Code), labelled("Identifier", b.Identifier), labelled("About", b.About),
		),
	})
}

// about is what is said about something.
func about(text, what string) string {
	if what == "" || strings.Contains(text, what) {
		return text
	}
	return text + " (" + what + ")"
}

// references lists what an answer was made from: the names in the line, and the
// rest folded away. What may not be shown is not counted either.
func (ns *notices) references(ev session.Event, b session.References) ApplyResult {
	var names, details, links []string
	for _, r := range b.List() {
		if !r.Shown() {
			continue
		}
		m := r.Metadata
		name := m.DisplayName
		if r.IsImplicit {
			name += " (implicit)"
		}
		names = append(names, name)
		links = append(links, m.DisplayURL)
		details = append(details, joinLines(
			"["+m.DisplayIcon+"] "+name, "  "+m.DisplayURL,
			"  "+labelled("Type", r.Type), "  "+labelled("ID", r.ID), indented(labelled("Data", compactJSON(r.Data)))))
	}
	if len(names) == 0 {
		return Ignored
	}
	return ns.notice(ev, &Notice{
		Category: "references", Text: "References: " + strings.Join(names, ", "), Detail: strings.Join(details, "\n\n"), links: links,
	})
}

// indented is a text that stands further in, if there is one.
func indented(text string) string {
	if text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}
