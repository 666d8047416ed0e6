package render

import (
	"strings"

	"parley/theme"
	"parley/timeline"
)

// drawReceipt draws a question and how it ended, on one line if both fit.
func drawReceipt(e *timeline.Entry, o Options) []string {
	r, ok := e.Body.(*timeline.AnsweredQuestion)
	if !ok {
		return nil
	}
	question := strings.TrimSpace(Sanitize(r.Question))
	answer, tok := ExpandTabs(strings.TrimSpace(Sanitize(r.Answer))), theme.Strong
	if answer == "" {
		answer, tok = "not answered", theme.Dim
		if !e.State.Final() {
			answer = "waiting for you"
		}
	}
	arrow := o.Theme.Glyph(theme.MarkArrow) + " "
	if o.Fold == Line {
		question, answer = receiptLine(o, question, answer, Width("  "+arrow))
	}
	lines := wrapped(o, theme.Text, question, room(o))
	last := len(lines) - 1
	if !strings.Contains(answer, "\n") && Width(lines[last])+Width("  "+arrow+answer) <= room(o) {
		lines[last] += "  " + o.Theme.Render(theme.Dim, arrow) + o.Theme.Render(tok, answer)
	} else {
		indent := Width(arrow)
		lines = append(lines, hang(o.Theme.Render(theme.Dim, arrow), wrapped(o, tok, answer, room(o)-indent), indent)...)
	}
	return hang(lead(o, theme.Accent, theme.MarkQuestion), lines, margin(o.Width))
}

// receiptLine cuts a question and its answer so that they fit on one line, the
// question first.
func receiptLine(o Options, question, answer string, between int) (string, string) {
	question, answer = oneLine(question, o), oneLine(answer, o)
	avail := max(2, room(o)-between)
	answer = cut(o, answer, max(avail-Width(question), avail/2))
	return cut(o, question, max(1, avail-Width(answer))), answer
}

// drawBoundary draws where a part of the log begins or ends.
func drawBoundary(e *timeline.Entry, o Options) []string {
	b, ok := e.Body.(*timeline.Divider)
	if !ok {
		return nil
	}
	lines := oneWrapped(o, theme.Dim, strings.TrimSpace(Sanitize(b.Text)), promptRoom(o))
	if t := clock(e.At, o); t != "" && o.Width >= narrowBelow {
		lines[0] += spaces(room(o)-Width(lines[0])-len(t)) + o.Theme.Render(theme.Dim, t)
	}
	return hang(lead(o, theme.Dim, theme.MarkBoundary), lines, margin(o.Width))
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
	parts[0].source = func(int) string { return SanitizeLine(string(u.Kind)) }
	payload := strings.TrimSpace(paragraphs(u.Reason, parseArguments(u.Raw).lines()))
	return append(parts, part{
		kind: partDetail, units: runs(payload), text: payload, stamp: at(e.Version),
		draw: func(i int, o Options) []string {
			lines := wrappedHard(o, theme.Dim, Sanitize(runAt(payload, i)), o.Width-nested(o))
			return hang(spaces(nested(o)), lines, nested(o))
		},
		source: func(i int) string { return Sanitize(runWhole(payload, i)) },
	})
}

func drawUnrecognised(e *timeline.Entry, o Options) []string {
	u, ok := e.Body.(*timeline.Unrecognised)
	if !ok {
		return nil
	}
	name := "unknown event " + SanitizeLine(brief(string(u.Kind)))
	if u.Reason != "" {
		name = "event " + SanitizeLine(brief(string(u.Kind))) + " could not be read"
	}
	if u.Count > 1 {
		name += ", " + Count(u.Count, "time")
	}
	return []string{lead(o, theme.Dim, theme.MarkInfo) + o.Theme.Render(theme.Dim, cut(o, name, room(o)))}
}
