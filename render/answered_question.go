package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// drawAnsweredQuestion draws a question and how it ended, on one line if both fit.
func drawAnsweredQuestion(e *timeline.Entry, r *timeline.AnsweredQuestion, o Options) []string {
	question := strings.TrimSpace(text.Sanitize(r.Question))
	answer, tok := text.ExpandTabs(strings.TrimSpace(text.Sanitize(r.Answer))), theme.Strong
	if e.State == timeline.Refused {
		tok = theme.Warning
	}
	if answer == "" {
		answer, tok = "not answered", theme.Dim
		if !e.State.Final() {
			answer = "waiting for you"
		}
	}
	arrow := o.Theme.Glyph(theme.MarkArrow) + " "
	if o.Fold == Line {
		question, answer = oneLine(question, o), oneLine(answer, o)
		avail := max(2, text.Room(o.Width)-text.Width("  "+arrow))
		answer = text.Cut(o.Theme, answer, max(avail-text.Width(question), avail/2)) // the question is cut first
		question = text.Cut(o.Theme, question, max(1, avail-text.Width(answer)))
	}
	lines := text.WrapStyled(o.Theme, theme.Text, question, text.Room(o.Width))
	last := len(lines) - 1
	if !strings.Contains(answer, "\n") && text.Width(lines[last])+text.Width("  "+arrow+answer) <= text.Room(o.Width) {
		lines[last] += "  " + o.Theme.Render(theme.Dim, arrow) + o.Theme.Render(tok, answer)
	} else {
		indent := text.Width(arrow)
		lines = append(lines, text.HangingIndent(o.Theme.Render(theme.Dim, arrow),
			text.WrapStyled(o.Theme, tok, answer, text.Room(o.Width)-indent), indent)...)
	}
	return besideMargin(o, theme.Accent, theme.MarkQuestion, lines)
}

// drawDivider draws where a part of the log begins or ends.
func drawDivider(e *timeline.Entry, b *timeline.Divider, o Options) []string {
	lines := oneWrapped(o, theme.Dim, strings.TrimSpace(text.Sanitize(b.Text)), promptRoom(o))
	if t := clock(e.At, o); t != "" && o.Width >= text.NarrowBelow {
		lines[0] += text.Spaces(text.Room(o.Width)-text.Width(lines[0])-len(t)) + o.Theme.Render(theme.Dim, t)
	}
	return besideMargin(o, theme.Dim, theme.MarkBoundary, lines)
}

// unrecognisedParts draw an event that Parley does not know: its name, and what it
// holds only where all is shown.
func unrecognisedParts(e *timeline.Entry, u *timeline.Unrecognised, fold Fold) []part {
	head := shortPart(e, u, never, drawUnrecognised)
	if fold != Whole {
		return []part{head}
	}
	head.source = func(int) string { return text.SanitizeLine(string(u.Kind)) }
	payload := strings.TrimSpace(text.Paragraphs(u.Reason, parseArguments(u.Raw).lines()))
	return []part{head, textPart(e, partDetail, payload, drawVerbatim)}
}

// drawVerbatim draws text whose blanks count, dim and nested.
func drawVerbatim(_ int, s string, o Options) []string {
	return nested(o, wrappedHard(o, theme.Dim, s, o.Width-text.Nested(o.Width)))
}

func drawUnrecognised(_ *timeline.Entry, u *timeline.Unrecognised, o Options) []string {
	name := "unknown event " + text.SanitizeLine(brief(string(u.Kind)))
	if u.Reason != "" {
		name = "event " + text.SanitizeLine(brief(string(u.Kind))) + " could not be read"
	}
	if u.Count > 1 {
		name += ", " + text.Count(u.Count, "time")
	}
	return []string{dimRow(o, theme.MarkInfo, name)}
}
