package render

import (
	"cmp"
	"strconv"
	"strings"

	"parley/theme"
	"parley/timeline"
)

// exportMarkdown writes the conversation as a document of markdown. Each entry
// is one or more blocks at the left edge with an empty line between, so that no
// list, quotation or paragraph of one goes on in the next.
func exportMarkdown(t *timeline.Timeline, o ExportOptions) string {
	x := &exporter{ExportOptions: o, draw: o.options(roomy)}
	x.add("# " + literal(o.title()))
	var head []string
	for _, f := range o.facts() {
		value := literal(f.value)
		if f.code {
			value = ticked(f.value)
		}
		head = append(head, "- "+f.name+": "+value)
	}
	x.add(strings.Join(head, "\n"))
	x.add("---")
	for i := range t.Len() {
		if e := t.At(i); !e.Minor && !blank(e) {
			x.entry(e)
		}
	}
	return strings.Join(x.blocks, "\n\n") + "\n"
}

// exporter collects the blocks of a document.
type exporter struct {
	ExportOptions
	draw    Options // for what is told as the timeline does
	blocks  []string
	prompts int
}

// add appends a block that is not empty.
func (x *exporter) add(block string) {
	if block != "" {
		x.blocks = append(x.blocks, block)
	}
}

// entry adds what an entry says. The set of bodies is closed; a test checks
// that each is named here.
func (x *exporter) entry(e *timeline.Entry) {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		x.prompt(e, b)
	case *timeline.Message:
		if e.Agent != "" {
			x.add("**Sub-agent:**")
		}
		x.add(safeMarkdown(b.Text.String()))
	case *timeline.Reasoning:
		x.folded(strings.TrimSpace(drawThought(e, true, x.draw)[0]), false, safeMarkdown(b.Text.String()))
	case *timeline.ToolCall:
		x.tool(e, b)
	case *timeline.Notice:
		x.notice(e, b)
	case *timeline.Receipt:
		answer := cmp.Or(squeeze(b.Answer), "not answered")
		if b.Answer == "" && !e.State.Final() {
			answer = "waiting for you"
		}
		arrow := " " + x.draw.Theme.Glyph(theme.MarkArrow) + " "
		x.line(e, "Question", strings.TrimSpace(literal(squeeze(b.Question))+arrow+literal(answer)))
	case *timeline.Boundary:
		x.add(strings.TrimSpace("*" + cmp.Or(literal(squeeze(b.Text)), "Boundary") + "* " + x.time(e)))
	case *timeline.Summary:
		x.summary(e, b)
	case *timeline.Closing:
		x.closing(e, b)
	case *timeline.Unrecognised:
		x.unrecognised(e, b)
	}
}

// line adds an entry that is one line behind a word for what it is.
func (x *exporter) line(e *timeline.Entry, label, text string) {
	if e.Agent != "" {
		label += " of a sub-agent"
	}
	x.add(strings.TrimSpace("**" + label + ":** " + text))
}

// time is the date and time of an entry behind a dot.
func (x *exporter) time(e *timeline.Entry) string {
	if e.At.IsZero() {
		return ""
	}
	return x.draw.Theme.Glyph(theme.MarkDot) + " " + x.moment(e.At)
}

// folded adds blocks that a reader sees after opening them, under a summary in
// words of ours.
func (x *exporter) folded(summary string, open bool, blocks ...string) {
	tag := "<details>"
	if open {
		tag = "<details open>"
	}
	x.add(tag + "<summary>" + summary + "</summary>")
	for _, b := range blocks {
		x.add(b)
	}
	x.add("</details>")
}

// prompt adds a heading and the words of the person, or of what acts as the
// user, as a quotation.
func (x *exporter) prompt(e *timeline.Entry, b *timeline.Prompt) {
	x.prompts++
	head := "## Prompt " + strconv.Itoa(x.prompts)
	if b.Source != "" {
		head += " from " + literal(squeeze(brief(b.Source)))
	}
	head = strings.TrimSpace(head + " " + x.time(e))
	for _, spans := range promptChips(&timeline.Prompt{Delivery: b.Delivery, Mode: b.Mode}, x.draw) {
		head += " " + literal(spansText(spans))
	}
	x.add(head)
	x.add(quoteMarkdown(b.Text))
	var names []string
	for _, a := range b.Attachments {
		names = append(names, ticked(attachment(a, x.draw)))
	}
	if len(names) > 0 {
		x.add("Attached: " + strings.Join(names, ", "))
	}
}

// notice adds a notice with what kind it is, its address and what to do.
func (x *exporter) notice(e *timeline.Entry, n *timeline.Notice) {
	label := "Note"
	switch n.Level {
	case timeline.Error:
		label = "Error"
	case timeline.Warning:
		label = "Warning"
	case timeline.Success, timeline.Info:
	}
	text, about := squeeze(n.Text), squeeze(noticeAbout(n))
	if text == "" {
		text, about = about, ""
	}
	text = literal(text)
	if about != "" {
		text += " (" + literal(about) + ")"
	}
	if address := squeeze(n.URL); address != "" {
		text += " " + autolink(address)
	}
	if next := squeeze(n.Next); next != "" {
		text += " What to do: " + literal(next)
	}
	x.line(e, label, text)
	if detail := Sanitize(n.Detail); strings.TrimSpace(detail) != "" {
		x.folded("Details", false, fenced(detail, ""))
	}
}

// unrecognised adds the name of an event that Parley does not know, and folded
// what it holds. Why one could not be read is said by a library in words that
// it varies from run to run, so it is not told.
func (x *exporter) unrecognised(e *timeline.Entry, u *timeline.Unrecognised) {
	name := "unknown event "
	if u.Reason != "" {
		name = "unreadable event "
	}
	name += ticked(squeeze(brief(string(u.Kind))))
	if u.Count > 1 {
		name += ", " + Count(u.Count, "time")
	}
	x.line(e, "Note", name)
	payload := parseArguments([]byte(clean(string(u.Raw), 16*runBytes))).lines()
	if payload = Sanitize(payload); strings.TrimSpace(payload) != "" {
		x.folded("Content", false, fenced(payload, ""))
	}
}
