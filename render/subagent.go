package render

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// agent returns the parts of a call that runs a sub-agent: one line while it is
// folded, with what the agent does now under it while it works, and its failure
// when it failed; whole, also what it was asked for and what it answered.
func (d *toolDoc) agent(e *timeline.Entry, c *timeline.ToolCall, fold Fold) []part {
	parts := []part{{
		kind: partHead, units: 1, clock: ticking(e), stamp: at(e.Version),
		draw: func(_ int, o Options) []string { return d.drawAgent(e, c, o) },
	}}
	if fold != Whole {
		return parts
	}
	asked := d.agentTask()
	d.answer.Update(c.Shown(), e.State.Final())
	return append(parts, textPart(e, partArguments, asked, func(i int, s string, o Options) []string {
		return labelColumn(o, onFirst("asked", i), text.WrapStyled(o.Theme, theme.Dim, s, labelRoom(o)))
	}), d.answer.part(func(i int, o Options) []string {
		return labelColumn(o, onFirst("answer", i), slices.Clone(DrawBlock(d.answer.At(i), labelRoom(o), o.Theme)))
	}))
}

// onFirst is a word before the first of several things.
func onFirst(word string, i int) string {
	if i > 0 {
		return ""
	}
	return word
}

func (d *toolDoc) agentTask() string {
	if prompt := strings.Trim(d.args.get("prompt", "message"), "\r\n"); prompt != "" {
		return prompt
	}
	return d.args.lines()
}

// drawAgent draws the row of a sub-agent and the lines under it.
func (d *toolDoc) drawAgent(e *timeline.Entry, c *timeline.ToolCall, o Options) []string {
	a := c.Agent
	name := agentName(a)
	r := row{
		verb: text.Cut(o.Theme, name, max(verbCells, o.Width/4)), verbTok: theme.ToolName, subjTok: theme.ToolSubject,
		subject: oneLine(d.agentSubject(a), o), live: !e.State.Final(), edge: c.Waiting,
	}
	r.look(e, c, family{verb: "agent"})
	if agentFailed(e, c) {
		r.mark, r.markTok, r.verbTok = theme.MarkFailed, theme.Error, theme.Strong
	}
	if e.State != timeline.Refused {
		r.took = agentTook(e, a, o.Now)
	}
	var rest []fact
	r.facts, rest = agentFacts(e, c, r, o)
	out := r.draw(o)
	if o.Fold == Line {
		return out
	}
	out = append(out, d.agentWords(e, c, rest, o)...)
	return append(append(out, drawResultLabels(c, o)...), drawInline(e, o)...)
}

func agentName(a *timeline.Subagent) string {
	for _, name := range []string{a.Title, a.Name} {
		if name = text.SanitizeCompact(brief(name)); name != "" {
			return name
		}
	}
	return "agent"
}

// agentSubject is what the agent is to do, in a few words.
func (d *toolDoc) agentSubject(a *timeline.Subagent) string {
	return cmp.Or(d.args.get("description", "name", "prompt"), a.Description)
}

func agentFailed(e *timeline.Entry, c *timeline.ToolCall) bool {
	return e.Failure() || c.Agent != nil && c.Agent.State == timeline.Failed
}

// agentTook is how long a sub-agent worked, or works.
func agentTook(e *timeline.Entry, a *timeline.Subagent, now time.Time) time.Duration {
	if !e.State.Final() && !a.At.IsZero() && !now.IsZero() {
		return max(0, now.Sub(a.At))
	}
	if !a.At.IsZero() && !a.End.IsZero() {
		return max(0, a.End.Sub(a.At))
	}
	return took(e, now)
}

// agentFacts are the facts of the right edge, and those that would leave the
// subject no room: first the model, then the calls, then the tokens.
func agentFacts(e *timeline.Entry, c *timeline.ToolCall, r row, o Options) (facts, rest []fact) {
	a := c.Agent
	switch {
	case agentFailed(e, c):
		facts = append(facts, fact{{Text: "failed", Token: theme.Error}})
	case e.State == timeline.Refused:
		facts = append(facts, fact{{Text: "refused" + c.RefusedBy.String(), Token: theme.Warning}})
	case e.State == timeline.Cancelled:
		facts = append(facts, dim("cancelled"))
	case c.Waiting:
		facts = append(facts, fact{{Text: "waiting for you", Token: theme.Accent}})
	}
	if a.Background {
		facts = append(facts, dim("background"))
	}
	fixed := len(facts)
	if model := text.SanitizeCompact(brief(a.Model)); model != "" {
		facts = append(facts, dim(text.Cut(o.Theme, model, 24)))
	}
	if a.Calls > 0 {
		facts = append(facts, dim(text.Count(a.Calls, "call")))
	}
	if a.Tokens > 0 {
		facts = append(facts, dim(text.Tokens(a.Tokens)+" tokens"))
	}
	need, room := min(text.Width(r.subject), subjectCells), o.Width-text.Margin(o.Width)-max(verbCells, text.Width(r.verb)+2)-tookCells-2
	if o.Width < text.NarrowBelow { // they stand under the subject, the duration behind them
		need, room = 0, o.Width-text.Nested(o.Width)-text.Width(" · "+r.duration())
	}
	for len(facts) > fixed && room-factsWidth(o, facts) < need {
		rest = append(rest, facts[fixed])
		facts = append(facts[:fixed:fixed], facts[fixed+1:]...)
	}
	return facts, rest
}

// subjectCells is how much of a subject stays before facts give way to it.
const subjectCells = 28

// agentWords are the lines under the row: what the agent does now, beside what
// had no room above; why it failed; whole, also what kind of agent it is.
func (d *toolDoc) agentWords(e *timeline.Entry, c *timeline.ToolCall, rest []fact, o Options) []string {
	indent := text.Nested(o.Width)
	var out []string
	if o.Fold == Whole {
		var dropped []string
		for _, f := range rest {
			dropped = append(dropped, text.SpansText(f))
		}
		if name := text.SanitizeCompact(brief(c.Agent.Name)); name != "" && name != agentName(c.Agent) {
			dropped = append(dropped, "agent "+text.Cut(o.Theme, name, o.Width-indent))
		}
		about := append(dropped, oneLine(c.Agent.Description, o))
		if about := text.JoinNonEmpty(o.Theme.Dot(), about...); about != "" {
			out = nested(o, text.WrapStyled(o.Theme, theme.Dim, about, o.Width-indent))
		}
	}
	if !e.State.Final() {
		doing := oneLine(cmp.Or(c.Agent.Activity, lastText(c.Status, briefBytes)), o)
		if doing != "" && !c.Waiting {
			doing = text.Cut(o.Theme, doing, max(1, o.Width-indent))
			line, left := text.Spaces(indent)+o.Theme.Render(theme.Dim, doing), indent+text.Width(doing)
			if o.Fold != Whole && o.Width >= text.NarrowBelow {
				line = alignRight(o, line, left, factsThatFit(o, rest, o.Width-left-tookCells-2), "", tookCells)
			}
			out = append(out, line)
		}
		return out
	}
	why := cmp.Or(c.Agent.Error, c.ErrorText())
	if e.State == timeline.Refused && c.Feedback != "" {
		why = refusalText(c)
	}
	if why = cutText(why); why == "" {
		return out
	}
	return append(out, drawReason(o, theme.Strong, why)...)
}
