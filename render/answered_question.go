package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// drawReceipt draws a question and how it ended, on one line if both fit.
func drawReceipt(e *timeline.Entry, o Options) []string {
	r, ok := e.Body.(*timeline.AnsweredQuestion)
	if !ok {
		return nil
	}
	question := strings.TrimSpace(text.Sanitize(r.Question))
	answer, tok := text.ExpandTabs(strings.TrimSpace(text.Sanitize(r.Answer))), theme.Strong
	if answer == "" {
		answer, tok = "not answered", theme.Dim
		if !e.State.Final() {
			answer = "waiting for you"
		}
	}
	arrow := o.Theme.Glyph(theme.MarkArrow) + " "
	if o.Fold == Line {
		question, answer = receiptLine(o, question, answer, text.Width("  "+arrow))
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
	return text.HangingIndent(text.MarginMark(o.Theme, o.Width, theme.Accent, theme.MarkQuestion), lines, text.Margin(o.Width))
}

// receiptLine cuts a question and its answer so that they fit on one line, the
// question first.
func receiptLine(o Options, question, answer string, between int) (string, string) {
	question, answer = oneLine(question, o), oneLine(answer, o)
	avail := max(2, text.Room(o.Width)-between)
	answer = text.Cut(o.Theme, answer, max(avail-text.Width(question), avail/2))
	return text.Cut(o.Theme, question, max(1, avail-text.Width(answer))), answer
}

// drawBoundary draws where a part of the log begins or ends.
func drawBoundary(e *timeline.Entry, o Options) []string {
	b, ok := e.Body.(*timeline.Divider)
	if !ok {
		return nil
	}
	lines := oneWrapped(o, theme.Dim, strings.TrimSpace(text.Sanitize(b.Text)), promptRoom(o))
	if t := clock(e.At, o); t != "" && o.Width >= text.NarrowBelow {
		lines[0] += text.Spaces(text.Room(o.Width)-text.Width(lines[0])-len(t)) + o.Theme.Render(theme.Dim, t)
	}
	return text.HangingIndent(text.MarginMark(o.Theme, o.Width, theme.Dim, theme.MarkBoundary), lines, text.Margin(o.Width))
}

// unrecognisedDoc draws an event that Parley does not know: its name, and what it
// holds only where all is shown.
type unrecognisedDoc struct{}

func (unrecognisedDoc) parts(e *timeline.Entry, fold Fold) []part {
	u, ok := e.Body.(*timeline.Unrecognised)
	if !ok {
		return nil
	}
	parts := single{draw: drawUnrecognised}.parts(e, fold)
	if fold != Whole {
		return parts
	}
	parts[0].source = func(int) string { return text.SanitizeLine(string(u.Kind)) }
	payload := strings.TrimSpace(text.Paragraphs(u.Reason, parseArguments(u.Raw).lines()))
	return append(parts, part{
		kind: partDetail, units: text.Chunks(payload), text: payload, stamp: at(e.Version),
		draw: func(i int, o Options) []string {
			lines := wrappedHard(o, theme.Dim, text.Sanitize(text.Chunk(payload, i)), o.Width-text.Nested(o.Width))
			return text.HangingIndent(text.Spaces(text.Nested(o.Width)), lines, text.Nested(o.Width))
		},
		source: func(i int) string { return text.Sanitize(text.ChunkWithEnd(payload, i)) },
	})
}

func drawUnrecognised(e *timeline.Entry, o Options) []string {
	u, ok := e.Body.(*timeline.Unrecognised)
	if !ok {
		return nil
	}
	name := "unknown event " + text.SanitizeLine(brief(string(u.Kind)))
	if u.Reason != "" {
		name = "event " + text.SanitizeLine(brief(string(u.Kind))) + " could not be read"
	}
	if u.Count > 1 {
		name += ", " + text.Count(u.Count, "time")
	}
	return []string{dimRow(o, theme.MarkInfo, name)}
}
