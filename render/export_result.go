package render

import (
	"cmp"
	"strings"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// agent adds a line for a sub-agent, as its row has it, and folded under it what
// it was asked for and what it answered, both in full.
func (x *exporter) agent(d *toolDoc, e *timeline.Entry, c *timeline.ToolCall) {
	r := row{}
	r.look(e, c, family{verb: "agent"})
	if agentFailed(e, c) {
		r.mark = theme.MarkFailed
	}
	name := x.page.code(agentName(c.Agent))
	if about := oneLine(d.agentSubject(c.Agent), x.draw); about != "" {
		name += " " + x.page.text(text.Cut(x.draw.Theme, about, exportSubject))
	}
	facts, _ := agentFacts(e, c, row{}, x.draw)
	if r.took = agentTook(e, c.Agent, time.Time{}); e.State.Final() {
		facts = append(facts, dimKnown(r.duration())...)
	}
	x.paragraph(x.callLine(r.mark, "agent", name, facts))
	if why := text.Sanitize(cmp.Or(c.Agent.Error, c.ErrorText())); strings.TrimSpace(why) != "" {
		x.folded("Failure", true, x.page.listing(why, ""))
	}
	x.chips(c)
	if task := text.Sanitize(d.agentTask()); strings.TrimSpace(task) != "" {
		x.folded("Task", false, x.page.listing(task, ""))
	}
	x.work(c.Agent.Timeline)
	if answer := c.Shown(); answer != "" {
		x.folded("Answer, "+text.Count(d.tally.Lines(answer), "line"), false, x.page.output(answer))
	}
}

// work adds what a sub-agent said and did, folded, where the page shows that.
func (x *exporter) work(t *timeline.Timeline) {
	inner := &exporter{ExportOptions: x.ExportOptions, page: x.page, draw: x.draw, inner: true}
	var entries []string
	for _, e := range all(t) {
		if !e.VerboseOnly && !blank(e) {
			entries = append(entries, inner.whole(e))
		}
	}
	if block := x.page.nested(entries); block != "" {
		x.folded("Work, "+text.Count(len(entries), "step"), false, block)
	}
}

// chips adds a line that names what a result has beside its text.
func (x *exporter) chips(c *timeline.ToolCall) {
	names := resultLabels(c, x.draw)
	for i, name := range names {
		names[i] = x.page.code(name)
	}
	if len(names) > 0 {
		x.paragraph("Attached: " + strings.Join(names, ", "))
	}
}

// summary adds what a prompt led to in one line, and its files.
func (x *exporter) summary(e *timeline.Entry, s *timeline.Summary) {
	facts := append(summaryWords(s), changed(s.Added, s.Removed, x.draw.Theme)...)
	x.line(e, "Summary", x.factLine(append(facts, usageFacts(s.Usage)...), elapsed(s.Took, false)))
	x.files(s.Files)
}

// sessionEnd adds how the session ended, what it took of each model, and the files
// it changed.
func (x *exporter) sessionEnd(e *timeline.Entry, c *timeline.SessionEnd) {
	head, facts := sessionEndHead(c, x.draw)
	ended := x.page.emphasis(x.page.text(head))
	x.paragraph(text.JoinNonEmpty(" ", ended, x.factLine(facts, elapsed(c.Took, true)), x.page.aside(x.time(e, ""))))
	if reason := text.Sanitize(c.Reason); strings.TrimSpace(reason) != "" {
		x.folded("Reason", true, x.page.listing(reason, ""))
	}
	var models []string
	for _, m := range c.Models {
		models = append(models, x.page.code(modelName(m))+" "+x.factLine(modelFacts(m.Usage, true), ""))
	}
	x.add(x.page.list(models))
	var files []timeline.FileChange
	for _, f := range c.Files {
		files = append(files, timeline.FileChange{Path: f})
	}
	x.files(files)
}

func (x *exporter) factLine(facts []fact, took string) string {
	facts = append(facts, dimKnown(took)...)
	return x.page.aside(text.SpansText(joinFacts(x.draw, facts)))
}

func (x *exporter) files(files []timeline.FileChange) {
	var lines []string
	for _, f := range files {
		line := x.page.code(text.SanitizeCompact(shortPath(f.Path, x.draw)))
		if kind := text.SanitizeCompact(brief(f.Kind)); kind != "" {
			line = x.page.text(kind) + " " + line
		}
		lines = append(lines, strings.TrimSpace(line+" "+x.factLine(changed(f.Added, f.Removed, x.draw.Theme), "")))
	}
	x.add(x.page.list(lines))
}
