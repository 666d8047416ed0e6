package inspector

import (
	"fmt"
	"slices"
	"strings"

	"parley/render/text"

	"parley/session"
	"parley/theme"
	"parley/tui/panel"
	"parley/tui/widget"
)

// useFacts say how full the context is.
func (in *Inspector) useFacts(use *session.ContextUse, width int) []string {
	messages := ""
	if n := in.timeline.Status().ContextMessages; n > 0 {
		messages = text.Count(n, "message")
	}
	lines := panel.DrawFacts(in.Theme, panel.Known(
		panel.Fact{"model", use.Model},
		panel.Fact{
			"used",
			fmt.Sprintf("%s of %s, %s", text.Number(use.Total), text.Number(use.Limit), panel.Percent(use.Total, use.Limit)),
		},
		panel.Fact{"of it", in.split(use)},
		panel.Fact{"in context", messages},
		panel.Fact{"summarised", compactionAt(use)},
	), width)
	return append(lines, "", widget.Indent+panel.DrawBar(in.Theme, use.Total, use.Limit, min(60, width)), "")
}

// contextParts draws the parts of the context with a bar each.
func contextParts(th *theme.Theme, use *session.ContextUse, width int) []string {
	lines := make([]string, 0, len(use.Parts)+1)
	name := 0
	for _, p := range use.Parts {
		name = max(name, 2*p.Depth+text.Width(text.SanitizeLine(p.Name)))
	}
	name = min(name, width/2)
	bar := max(0, min(30, width-name-24))
	for _, p := range use.Parts {
		label := widget.Cut(th, widget.Blank(2*p.Depth)+p.Name, name)
		count := text.Number(p.Tokens)
		lines = append(lines, widget.Indent+th.Render(theme.Text, label)+widget.Blank(name-text.Width(label)+widget.ColumnGap)+
			widget.Blank(9-len(count))+th.Render(theme.Dim, count)+"  "+
			th.Render(theme.Dim, fmt.Sprintf("%6s", panel.Percent(p.Tokens, use.Limit)))+"  "+panel.DrawBar(th, p.Tokens, use.Limit, bar))
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// split says what the context is filled with, as the events say, where the agent
// itself names other parts.
func (in *Inspector) split(use *session.ContextUse) string {
	if in.ContextUse == nil || slices.Equal(in.ContextUse.Parts, use.Parts) {
		return ""
	}
	parts := make([]string, len(in.ContextUse.Parts))
	for i, p := range in.ContextUse.Parts {
		parts[i] = p.Name + " " + text.Tokens(p.Tokens)
	}
	return strings.Join(parts, in.Theme.Dot())
}

func compactionAt(use *session.ContextUse) string {
	if use.Compaction <= 0 {
		return ""
	}
	return "by itself from " + text.Number(use.Compaction) + " tokens on"
}
