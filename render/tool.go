package render

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/render/diff"
	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// toolDoc draws a tool call: a row that says what is done to what, and under
// it what a user wants to see of it. A running call shows the end of its
// output, a finished one what matters in its family, a failed one is never
// folded away.
type toolDoc struct {
	call   *timeline.ToolCall
	raw    []byte // what args was read from
	args   arguments
	asked  string       // the arguments in full
	detail string       // what diff was read from
	diff   *diff.Inline // what the call did to files, or is to do
	change string       // the text of the change in detail; "" without one
	rest   string       // what detail says around it
	result string       // what shown was made from
	shown  string       // the result as it is shown
	tally  text.LineCounter

	answer Markdown // of a sub-agent
}

// How many lines are shown of a call that is folded.
const (
	liveLines   = 5
	headLines   = 5
	failedLines = 10
	errorLines  = 20
)

// streamedArguments is how much of arguments is read while they are streamed.
const streamedArguments = 4096

func (d *toolDoc) parts(e *timeline.Entry, fold Fold) []part {
	c := d.call
	fresh := d.readArguments(c)
	if c.Agent != nil {
		return d.agent(e, c, fold)
	}
	f, expanded := familyOf(c, d.args), fold == Whole
	if fresh || c.Detail != d.detail {
		d.readChange(c, f)
	}
	out := d.output(e, c, f)
	lines := d.tally.Lines(out)
	all := lines
	parts := []part{{
		kind: partHead, units: 1, clock: ticking(e), stamp: at(e.Version),
		draw: func(_ int, o Options) []string { return d.head(e, c, f, all, o) },
		source: func(int) string {
			return text.Sanitize(text.Paragraphs(strings.TrimSpace(brief(f.subject(d.args, Options{}))), c.Feedback, c.Error))
		},
	}}
	if fold == Line {
		return parts
	}
	if expanded {
		parts = append(parts, d.wholeArguments(e, f)...)
	}
	if d.diff != nil && (expanded || f.fold != foldAway && e.State == timeline.Done) {
		parts = append(parts, d.changed(e, expanded))
		out = d.around(c, out)
		lines = d.tally.Lines(out)
	}
	if p := d.body(e, c, f, out, expanded, lines); p.units > 0 {
		parts = append(parts, p)
	}
	return parts
}

// ticking is the clock of what is timed while it runs.
func ticking(e *timeline.Entry) clockwork {
	if e.State.Final() {
		return never
	}
	return second
}

// readArguments parses the arguments when they are new, and says whether they
// are. While they are still being streamed only their beginning is looked at.
func (d *toolDoc) readArguments(c *timeline.ToolCall) (fresh bool) {
	raw := []byte(c.Arguments)
	if len(raw) == 0 {
		raw = []byte(text.CutBytes(c.ArgumentText.String(), streamedArguments))
	}
	if d.args != nil && bytes.Equal(raw, d.raw) {
		return false
	}
	d.raw, d.args, d.asked = raw, parseArguments(raw), ""
	return true
}

// readChange parses what a call did to files, or will do: as its result reports it,
// whatever the tool is called, else as the arguments of a tool that changes files
// do.
func (d *toolDoc) readChange(c *timeline.ToolCall, f family) {
	d.detail, d.diff, d.change, d.rest = c.Detail, nil, "", ""
	if parsed, text, rest, ok := diff.OfCall(c); ok {
		parsed.NeedsTitle = !f.path && !bytes.Contains(d.raw, []byte(filepath.Base(parsed.Names()[0])))
		d.diff, d.change, d.rest = diff.NewInline(parsed), text, rest
		return
	}
	if f.fold != foldDiff || len(c.Arguments) == 0 {
		return
	}
	if parsed, ok := diff.Parse(d.args.get(patchArguments...)); ok {
		d.diff = diff.NewInline(parsed)
		return
	}
	old, replaced, whole := session.EditArguments()
	before, after := d.args.get(old...), d.args.get(slices.Concat(replaced, whole)...)
	if before+after != "" {
		d.diff = diff.NewInline(diff.Planned(d.args.get(session.EditFile.Subject()...), before, after))
	}
}

// patchArguments are the names by which tools call a patch; "" is that of arguments
// that are nothing else.
var patchArguments = []string{"input", "patch", "diff", ""}

// wholeArguments is the part that shows all arguments: those that the row had
// no space for.
func (d *toolDoc) wholeArguments(e *timeline.Entry, f family) []part {
	if d.asked == "" {
		d.asked = d.args.lines()
		if command := d.args.get(session.RunCommand.Subject()...); f.fold == foldTail && command != "" {
			d.asked = command
		}
	}
	short := f.path || len(d.asked) <= 40 && !strings.Contains(d.asked, "\n")
	if f.fold == foldDiff || short && (len(d.args) <= 1 || f.fold == foldTail) {
		return nil
	}
	return []part{textPart(e, partArguments, d.asked, drawVerbatim)}
}

// changes reports whether the diff of a call is a change: one that only shows a
// file has no line that is added or removed.
func (d *toolDoc) changes(f family) bool {
	return d.diff != nil && (f.fold == foldDiff || d.diff.Changes())
}

// changed is the part that shows a diff.
func (d *toolDoc) changed(e *timeline.Entry, expanded bool) part {
	p := part{kind: partDiff, units: 1, stamp: at(e.Version)}
	p.draw = func(_ int, o Options) []string { return d.diff.DrawFolded(o.Width, o.Theme) }
	p.source = func(int) string { return d.diff.FoldedSource() }
	if expanded {
		p.units, p.source = d.diff.Units(), d.diff.Source
		p.draw = func(unit int, o Options) []string { return d.diff.Draw(unit, o.Width, o.Theme, o.SplitDiffs) }
	}
	return p
}

// head draws the row and the words that belong right under it.
func (d *toolDoc) head(e *timeline.Entry, c *timeline.ToolCall, f family, lines int, o Options) []string {
	r := row{
		verb: f.verb, verbTok: theme.ToolName, subjTok: theme.ToolSubject, path: f.path,
		subject: oneLine(f.subject(d.args, o), o),
		facts:   d.facts(e, c, f, lines, o), live: !e.State.Final(), edge: c.Waiting,
	}
	r.look(e, c, f)
	if !c.Waiting && !f.waits && e.State != timeline.Refused {
		r.took = took(e, o.Now)
	}
	out := r.draw(o)
	if o.Fold == Line {
		return out
	}
	out = append(out, d.words(e, c, f.subject(d.args, o), o)...)
	return append(append(out, drawResultLabels(c, o)...), drawInline(e, o)...)
}

// lineEnds are the line ends of a subject with the indentation around them.
var lineEnds = text.Regexp(`[ \t]*\n\s*`)

// oneLine shows text on one line: safe, with its line ends visible, because a
// command on two lines is not the command on one.
func oneLine(s string, o Options) string {
	s = lineEnds().ReplaceAllString(text.Sanitize(strings.TrimSpace(brief(s))), " "+o.Theme.Glyph(theme.MarkReturn)+" ")
	return strings.TrimSpace(text.SanitizeLine(s))
}

// look gives a row the mark and the weight of its state.
func (r *row) look(e *timeline.Entry, c *timeline.ToolCall, f family) {
	switch {
	case e.Failure():
		r.mark, r.markTok, r.verbTok = theme.MarkFailed, theme.Error, theme.Strong
	case c.Answered:
		r.mark, r.markTok = theme.MarkArrow, theme.Dim
	case e.State == timeline.Done:
		r.mark, r.markTok = theme.MarkDone, theme.Success
	case e.State == timeline.Refused:
		r.mark, r.markTok, r.subjTok = theme.MarkRefused, theme.Warning, theme.Dim
	case e.State == timeline.Cancelled:
		r.mark, r.markTok, r.subjTok = theme.MarkRefused, theme.Dim, theme.Dim
	case c.Waiting:
		r.mark, r.markTok, r.verbTok = theme.MarkQuestion, theme.Accent, theme.Strong
	case f.verb == "agent":
		r.mark, r.markTok, r.verbTok = theme.MarkSubAgent, theme.Accent, theme.Strong
	default:
		r.mark, r.markTok, r.verbTok = theme.MarkRunning, theme.Accent, theme.Strong
	}
}

// facts are the numbers and words at the right edge.
func (d *toolDoc) facts(e *timeline.Entry, c *timeline.ToolCall, f family, lines int, o Options) []fact {
	var out []fact
	if e.Agent != "" {
		out = append(out, dim(o.Theme.Glyph(theme.MarkSubAgent)+" sub-agent"))
	}
	if c.UserRequested {
		out = append(out, dim("by you"))
	}
	if dir := shortPath(brief(c.Dir), o); dir != "" && dir != "." {
		out = append(out, dim("in "+text.SanitizeCompact(dir)))
	}
	switch {
	case c.ExitCode != nil && *c.ExitCode != 0 && e.State.Final():
		out = append(out, fact{{Text: "exit " + strconv.Itoa(*c.ExitCode), Token: theme.Error}})
	case e.State == timeline.Failed:
		out = append(out, fact{{Text: "failed", Token: theme.Error}})
	case e.State == timeline.Refused:
		out = append(out, fact{{Text: "refused" + c.RefusedBy.String(), Token: theme.Warning}})
	case e.State == timeline.Cancelled:
		out = append(out, dim("cancelled"))
	case c.Answered:
		out = append(out, dim("answered"))
	case c.Waiting:
		return append(out, fact{{Text: "waiting for you", Token: theme.Accent}})
	case e.State == timeline.Live:
		if n := c.ArgumentText.Len(); n >= 1000 && len(c.Arguments) == 0 {
			out = append(out, dim(text.Size(n)))
		}
		return out
	}
	if e.State == timeline.Done {
		out = append(out, d.counts(c, f, lines, o)...)
	}
	return out
}

// counts is how much a call that is done changed or found, if the agent says what came of it.
func (d *toolDoc) counts(c *timeline.ToolCall, f family, lines int, o Options) []fact {
	switch {
	case d.changes(f):
		return []fact{dim(d.diff.ChangedLines(o.Theme))}
	case f.facts == nil || c.Unreported:
		return nil
	}
	return dimKnown(f.facts(c, d.args, lines))
}

// refusalText is why a call was refused. Only what the user said is said by "you".
func refusalText(c *timeline.ToolCall) string {
	if c.RefusedBy == timeline.RefusedByUser {
		return "You said: " + c.Feedback
	}
	return "Reason: " + c.Feedback
}

// words are the sentences under the row: progress, what the user said, what
// went wrong. That the agent makes the call in order to make it is not worth
// saying.
func (d *toolDoc) words(e *timeline.Entry, c *timeline.ToolCall, subject string, o Options) []string {
	s, tok, most := "", theme.Text, 0
	switch {
	case e.State == timeline.Live && !c.Waiting:
		s, tok, most = lastText(c.Status, briefBytes), theme.Dim, 1
	case c.Feedback != "":
		s = refusalText(c)
	case e.State == timeline.Refused && strings.HasPrefix(c.Error, "The user rejected"):
		if _, said, ok := strings.Cut(c.Error, "User feedback: "); ok {
			s = "You said: " + said
		}
	case e.State.Final():
		s = c.ErrorText()
	}
	if o.Fold == Whole {
		most = 0
		if s == "" && c.Intention != "" && c.Intention != subject {
			s, tok = "Why: "+c.Intention, theme.Dim
		}
	}
	if s = cutText(s); s == "" || s == strings.TrimSpace(c.Result) {
		return nil
	}
	if most == 1 {
		return nested(o, text.WrapStyled(o.Theme, tok, s, o.Width-text.Nested(o.Width))[:1])
	}
	return drawReason(o, tok, s)
}
