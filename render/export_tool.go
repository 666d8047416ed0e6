package render

import (
	"strings"

	"parley/render/diff"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// Bounds of the line of a call, in cells. What is longer stands folded under it.
const (
	exportSubject = 160
	exportWords   = 240
)

// tool adds a line for a call: how it ended, what it did to what, its facts, and
// what was said about it. Folded under it are the arguments that the line has no
// room for and the output; a change stands open.
func (x *exporter) tool(e *timeline.Entry, c *timeline.ToolCall) {
	d := &toolDoc{call: c}
	d.parts(e, Whole)
	if c.Agent != nil {
		x.agent(d, e, c)
		return
	}
	f := familyOf(c, d.args)
	out := d.output(e, c, f)
	lines := d.tally.Lines(out)
	subject, whole := x.subject(d, f)
	words := x.words(d, e, c, subject)
	long := strings.Contains(words, "\n") || text.Width(words) > exportWords
	line := x.toolLine(d, e, c, f, subject, lines)
	if words != "" && !long {
		line += " — " + x.page.text(words)
	}
	x.paragraph(line)
	x.chips(c)
	if d.changes(f) {
		out = d.around(c, out)
		what := "Change, " + d.diff.ChangedLines(x.draw.Theme)
		if e.State != timeline.Done {
			what = "Change that was asked for, " + d.diff.ChangedLines(x.draw.Theme)
		}
		x.folded(what, true, x.page.listing(text.Sanitize(d.changeText()), "diff"))
	} else if len(d.wholeArguments(e, f)) > 0 && (!whole || f.fold != foldTail) {
		x.folded("Call", false, x.page.listing(text.Sanitize(d.asked), ""))
	}
	if long {
		x.folded("Message", false, x.page.listing(words, ""))
	}
	if lines = d.tally.Lines(out); lines > 0 {
		x.folded("Output, "+text.Count(lines, "line"), false, x.page.output(out))
	}
}

// subject is what a call is done to, on one line, and whether that is all.
func (x *exporter) subject(d *toolDoc, f family) (subject string, whole bool) {
	raw := strings.TrimSpace(f.subject(d.args, x.draw))
	subject = oneLine(raw, x.draw)
	whole = !strings.Contains(raw, "\n") && len(raw) <= briefBytes && text.Width(subject) <= exportSubject
	return text.Cut(x.draw.Theme, subject, exportSubject), whole
}

// toolLine reports how a call ended, what it did to what, and its facts.
func (x *exporter) toolLine(d *toolDoc, e *timeline.Entry, c *timeline.ToolCall, f family, subject string, lines int) string {
	r := row{}
	r.look(e, c, f)
	facts := d.facts(e, c, f, lines, x.draw)
	if r.took = took(e, x.draw.Now); !f.waits && e.State != timeline.Refused {
		facts = append(facts, dimKnown(r.duration())...)
	}
	return x.callLine(r.mark, x.page.text(f.verb), x.page.code(subject), facts)
}

// callLine puts the parts of the line of a call together.
func (x *exporter) callLine(mark theme.Mark, verb, subject string, facts []fact) string {
	line := strings.TrimSpace(x.page.mark(x.draw.Theme.Glyph(mark)) + " " + x.page.strong(verb) + " " + subject)
	if text := text.SpansText(joinFacts(x.draw, facts)); text != "" {
		line += " " + x.page.aside(x.draw.Theme.Glyph(theme.MarkDot)+" "+text)
	}
	return line
}

// words are the sentences that belong right under the line of a call.
func (x *exporter) words(d *toolDoc, e *timeline.Entry, c *timeline.ToolCall, subject string) string {
	lines := d.words(e, c, subject, x.draw)
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, text.Spaces(text.Nested(x.draw.Width)))
	}
	return strings.Join(lines, "\n")
}

// changeText is the change of a call as a unified diff: as the tool reports it,
// else as its arguments do.
func (d *toolDoc) changeText() string {
	for _, text := range []string{d.change, d.args.get(patchArguments...)} {
		if _, ok := diff.Parse(text); ok {
			return strings.Trim(text, "\n")
		}
	}
	return d.diff.Unified()
}
