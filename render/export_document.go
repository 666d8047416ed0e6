package render

import (
	"bufio"
	"cmp"
	"iter"
	"strings"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// page is a form of document: what words, lines and blocks are in it. It is given
// safe text, and the raw words of agents and users where it says so, and
// returns markup.
type page interface {
	text(line string) string       // as it is
	aside(line string) string      // the same, less important
	mark(glyph string) string      // how it ended
	code(line string) string       // something to copy, among words
	strong(markup string) string   // a word for what follows
	emphasis(markup string) string // words of ours among others
	link(address string) string

	line(markup string) string
	list(items []string) string
	answer(source string) string // raw markdown
	quote(source string) string  // raw markdown of a user
	listing(text, lang string) string
	output(raw string) string // of a program, with its control sequences
	folded(summary string, open bool, blocks []string) []string
	heading(number int, words string) string // of a prompt
	nested(blocks []string) string           // what a sub-agent did; "" if that is not shown

	// begin is what stands before the entries, entry a whole one, and end what
	// stands after them.
	begin(o ExportOptions, entries iter.Seq2[int, *timeline.Entry]) string
	entry(e *timeline.Entry, blocks []string) string
	end() string
}

// exportPage writes a document, an entry at a time.
func exportPage(w *bufio.Writer, t *timeline.Timeline, o ExportOptions, p page) error {
	entries, err := exportEntries(t, o)
	if err != nil {
		return err
	}
	x := &exporter{ExportOptions: o, page: p, draw: o.options(roomy)}
	_, _ = w.WriteString(p.begin(o, entries)) // the writer keeps its first error for Flush
	for n, e := range entries {
		x.prompts = n
		_, _ = w.WriteString(x.whole(e))
	}
	_, _ = w.WriteString(p.end())
	return nil
}

// exporter collects the blocks of a document.
type exporter struct {
	ExportOptions
	page    page
	draw    Options // for what is shown as in the timeline
	blocks  []string
	prompts int  // so far
	inner   bool // it is the work of a sub-agent, and stands below that
}

func (x *exporter) whole(e *timeline.Entry) string {
	x.blocks = nil
	x.entry(e)
	return x.page.entry(e, x.blocks)
}

// add appends a block that is not empty.
func (x *exporter) add(block string) {
	if block != "" {
		x.blocks = append(x.blocks, block)
	}
}

func (x *exporter) paragraph(markup string) {
	if markup = strings.TrimSpace(markup); markup != "" {
		x.add(x.page.line(markup))
	}
}

// entry adds what an entry says. The set of bodies is closed; a test checks
// that each is named here.
func (x *exporter) entry(e *timeline.Entry) {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		x.prompt(e, b)
	case *timeline.Message:
		if e.Agent != "" && !x.inner {
			x.paragraph(x.page.strong("Sub-agent:"))
		}
		x.add(x.page.answer(b.Text.String()))
	case *timeline.Reasoning:
		x.folded(strings.TrimSpace(drawThought(e, true, x.draw)[0]), false, x.page.answer(b.Text.String()))
	case *timeline.ToolCall:
		x.tool(e, b)
	case *timeline.Notice:
		x.notice(e, b)
	case *timeline.AnsweredQuestion:
		answer := cmp.Or(text.SanitizeCompact(b.Answer), "not answered")
		if b.Answer == "" && !e.State.Final() {
			answer = "waiting for you"
		}
		arrow := " " + x.draw.Theme.Glyph(theme.MarkArrow) + " "
		x.line(e, "Question", x.page.text(text.SanitizeCompact(b.Question))+arrow+x.page.text(answer))
	case *timeline.Divider:
		x.paragraph(x.page.emphasis(x.page.text(cmp.Or(text.SanitizeCompact(b.Text), "Boundary"))) + " " + x.page.aside(x.time(e, "")))
	case *timeline.Summary:
		x.summary(e, b)
	case *timeline.SessionEnd:
		x.sessionEnd(e, b)
	case *timeline.Unrecognised:
		x.unrecognised(e, b)
	}
}

// line adds an entry that is one line behind a word for what it is.
func (x *exporter) line(e *timeline.Entry, label, text string) {
	if e.Agent != "" && !x.inner {
		label += " of a sub-agent"
	}
	x.paragraph(x.page.strong(label+":") + " " + text)
}

// time is the date and time of an entry behind a dot, with its zone in a layout of time.Format.
func (x *exporter) time(e *timeline.Entry, zone string) string {
	if e.At.IsZero() {
		return ""
	}
	return x.draw.Theme.Glyph(theme.MarkDot) + " " + x.moment(e.At, zone)
}

// folded adds blocks that a reader sees after opening them, under a summary in
// words of ours.
func (x *exporter) folded(summary string, open bool, block string) {
	for _, b := range x.page.folded(summary, open, []string{block}) {
		x.add(b)
	}
}

// prompt adds a heading and the words of the user, or of what acts as the
// user, as a quotation.
func (x *exporter) prompt(e *timeline.Entry, b *timeline.Prompt) {
	head := ""
	if b.Source != "" {
		head = "from " + text.SanitizeCompact(brief(b.Source))
	}
	head = strings.TrimSpace(head + " " + x.time(e, " MST"))
	for _, spans := range promptChips(&timeline.Prompt{Delivery: b.Delivery, Mode: b.Mode}, x.draw) {
		head += " " + text.SpansText(spans)
	}
	if x.inner {
		x.paragraph(x.page.strong("Prompt") + " " + x.page.aside(head))
	} else {
		x.add(x.page.heading(x.prompts, head))
	}
	x.add(x.page.quote(b.Text))
	var names []string
	for _, a := range b.Attachments {
		name := x.page.code(attachment(a, x.draw))
		if address := text.SanitizeCompact(a.URL); address != "" {
			name += " " + x.page.link(address)
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		x.paragraph("Attached: " + strings.Join(names, ", "))
	}
	for _, a := range b.Attachments {
		if text := text.Sanitize(a.Text); a.Type == "selection" && strings.TrimSpace(text) != "" {
			x.folded("Selected in "+attachment(a, x.draw), false, x.page.listing(text, ""))
		}
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
	s, about := text.SanitizeCompact(n.Text), text.SanitizeCompact(noticeAbout(n, false))
	if s == "" {
		s, about = about, ""
	}
	s = x.page.text(s)
	if about != "" {
		s += " (" + x.page.text(about) + ")"
	}
	if address := text.SanitizeCompact(n.URL); address != "" {
		s += " " + x.page.link(address)
	}
	if next := text.SanitizeCompact(n.Next); next != "" {
		s += " What to do: " + x.page.text(next)
	}
	x.line(e, label, s)
	if detail := text.Sanitize(n.Detail); strings.TrimSpace(detail) != "" {
		x.folded("Details", false, x.page.listing(detail, ""))
	}
}

// unrecognised adds the name of an event that Parley does not know, and folded
// what it holds. Why one could not be read is said by a library in words that
// it varies from run to run, so it is not shown.
func (x *exporter) unrecognised(e *timeline.Entry, u *timeline.Unrecognised) {
	name := "unknown event "
	if u.Reason != "" {
		name = "unreadable event "
	}
	name += x.page.code(text.SanitizeCompact(brief(string(u.Kind))))
	if u.Count > 1 {
		name += ", " + text.Count(u.Count, "time")
	}
	x.line(e, "Note", name)
	payload := parseArguments([]byte(text.CutBytes(string(u.Raw), 16*text.ChunkBytes))).lines()
	if payload = text.Sanitize(payload); strings.TrimSpace(payload) != "" {
		x.folded("Content", false, x.page.listing(payload, "json"))
	}
}
