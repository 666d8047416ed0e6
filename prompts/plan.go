package prompts

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/render/diff"
	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// planKind is the question whether a plan may be carried out. One whose answer
// could not be delivered comes back as it was.
func planKind(a session.ExitPlanModeRequested) askKind {
	return askKind{
		of: about{request: a.RequestID, call: a.ToolCallID, ends: withTurn}, topic: "the plan", wish: "has a plan for you",
		open: func(q *Queue, of about, ev session.Event) dialog {
			before := q.plans[ev.Agent]
			if before == nil || !planOf(before, a) {
				q.plans[ev.Agent] = q.signed(newPlan(a, of, before), ev)
			}
			return q.plans[ev.Agent]
		},
	}
}

// planOf reports whether a card is that of a question about a plan.
func planOf(c *choiceDialog, r session.ExitPlanModeRequested) bool {
	d, ok := c.payload.(*planDocument)
	return ok && reflect.DeepEqual(d.asked, r)
}

// newPlan asks whether a plan may be carried out (docs/protocol.md, section 7.4).
// Each of the agent's actions is a row that says what it permits, in the
// agent's order; digits choose, and those that let the agent continue alone take
// Enter as well. Whatever is written goes along with a no. Before is the card
// of the plan before this one, nil for the first.
func newPlan(r session.ExitPlanModeRequested, of about, before *choiceDialog) *choiceDialog {
	c := newCard(of, "Carry out this plan?")
	c.details = planDetails(r)
	doc := newPlanDocument(r)
	if before != nil {
		if earlier, ok := before.payload.(*planDocument); ok {
			doc.revises(earlier, before.scroll.required > 0 && !before.locked())
		}
	}
	c.payload = doc
	for i, action := range planActions(r) {
		if action == r.RecommendedAction {
			c.choices.begin = i
		}
		c.choices.rows = append(c.choices.rows, planRow(action, r))
	}
	c.warnOfHidden(append(planActions(r), r.Summary, r.PlanContent)...)
	no := planRefusal(r.RequestID, "")
	c.choices.rows = append(c.choices.rows, row{
		key: "n", also: "f", label: "No, and say what to change: nothing is carried out", opens: no,
	})
	c.rework = func(text string) *textAnswer { return doc.rework(text, no) }
	c.unseen = unreadPlan(r)
	return c
}

// planActions are the actions that are offered, each once. Where the agent
// names none, that is the one it takes for a plain yes.
func planActions(r session.ExitPlanModeRequested) []string {
	if len(r.Actions) == 0 {
		return []string{planInteractive}
	}
	return unique(r.Actions)
}

// The actions of a plan that approve it with the least (docs/protocol.md, section 7.4).
const planInteractive, planExit = "interactive", "exit_only"

// planEffect is what an action of a plan permits: in a few words and in more, and
// whether that is more than one key should give. One that refuses does not carry the
// plan out.
type planEffect struct {
	yes, permits, more string
	careful, refuses   bool
}

// planEffects are the effects of the actions that are known.
var planEffects = map[string]planEffect{
	planInteractive: {"Yes, step by step", "asks as usual", "starts now; what is not allowed yet is asked before it is done", false, false},
	planExit: {
		"Yes, but wait for me", "does nothing until you write",
		"leaves plan mode and waits; nothing is permitted by it", false, false,
	},
	"approve": {
		"Yes", "carries the plan out",
		"approves the plan; what else it permits is for the agent to say", false, false,
	},
	"autopilot": {
		"Yes, on autopilot", "may edit unasked",
		"starts now and continues by itself until all is done; files may be edited without asking", true, false,
	},
	"autopilot_fleet": {
		"Yes, on autopilot with several agents", "may edit unasked",
		"starts now, with agents side by side, and continues by itself until all is done; files may be edited without asking", true, false,
	},
	"edit":   {"Edit", "say what to change, and it plans again", "sends what to change; nothing is permitted by it", false, true},
	"reject": {"Reject", "not carried out, with a reason if you like", "says no; nothing is permitted by it", false, true},
}

// planEffectOf is the effect of an action; one that is not known is careful. An agent
// that writes the name of one that refuses in another way must not get a yes for it.
func planEffectOf(action string) planEffect {
	e, known := planEffects[action]
	if !known {
		e = planEffects[strings.ToLower(strings.TrimSpace(action))]
	}
	if known || e.refuses {
		return e
	}
	return planEffect{
		quote(action), "sends yes with this name; Parley does not know what this permits",
		"an action that Parley does not know; sent is approved: true, action: " + quote(action), true, false,
	}
}

func planRow(action string, r session.ExitPlanModeRequested) row {
	advised := ""
	if action == r.RecommendedAction {
		advised = " (recommended)"
	}
	effect := planEffectOf(action)
	label := effect.yes + advised + ": " + effect.permits
	if effect.refuses {
		return row{label: label, opens: planRefusal(r.RequestID, action)}
	}
	return row{
		label: label, approves: true, careful: effect.careful,
		answer: session.ExitPlanModeAnswer{RequestID: r.RequestID, Approved: true, Action: action},
	}
}

// planRefusal is the line for what should change, with the agent's own action for
// that if it has one. Nothing on it ever approves.
func planRefusal(id session.RequestID, action string) *textAnswer {
	return &textAnswer{
		label: "What should change in the plan?", hint: "send it back",
		empty: "empty: enter says no and stops the turn",
		blank: session.ExitPlanModeAnswer{RequestID: id, Action: action},
		answer: func(text string) (session.Answer, string) {
			return session.ExitPlanModeAnswer{RequestID: id, Action: action, Feedback: text}, ""
		},
	}
}

// unreadPlan approves a plan that was not read to its end, with the least that
// is offered, and only with a word that is not typed by accident.
func unreadPlan(r session.ExitPlanModeRequested) *row {
	for _, action := range []string{planInteractive, planExit} {
		if !slices.Contains(planActions(r), action) {
			continue
		}
		answer := session.ExitPlanModeAnswer{RequestID: r.RequestID, Approved: true, Action: action}
		return &row{
			key: "u", label: planEffectOf(action).yes + ", rest unread (asks to type yes)", unseen: true,
			opens: sure("Type yes to approve it without having read all of it:", "approve it unread", answer),
		}
	}
	return nil
}

func planDetails(r session.ExitPlanModeRequested) []fact {
	var f factList
	for i, action := range planActions(r) {
		f.add(strconv.Itoa(i+1), planEffectOf(action).more)
	}
	f.add("advised", r.RecommendedAction)
	f.add("model", r.Model)
	return f
}

// planDocument is a plan below its summary, drawn as markdown. A plan that
// comes again is first shown as what has changed in it.
type planDocument struct {
	head textDocument // the summary
	raw  string
	plan *render.Document

	asked session.ExitPlanModeRequested

	changes        *diffDocument // from the plan before; nil: this is the first, or it was the same
	added, removed int
	read           bool // the plan before was read to its end
	brief          bool // shows the changes
	same           bool // the plan before was this one
	turned         bool // the last key went from the whole to the changes or back
	keys           Bindings

	parts body
	above int // rows before the changes
}

func newPlanDocument(r session.ExitPlanModeRequested) *planDocument {
	d := &planDocument{raw: r.PlanContent, asked: r}
	if strings.TrimSpace(d.raw) == "" {
		d.raw = r.Summary
	}
	if strings.TrimSpace(r.Summary) != strings.TrimSpace(d.raw) {
		d.head.spans = prose(strings.TrimSpace(r.Summary), theme.Strong)
	}
	d.plan = render.NewDocument(d.raw)
	return d
}

// revises takes which plan this one takes the place of. The changes stand for
// the whole only to somebody who has read the rest before, and where there is
// a rest.
func (d *planDocument) revises(earlier *planDocument, read bool) {
	if d.same = strings.TrimSpace(d.raw) == strings.TrimSpace(earlier.raw); d.same {
		return
	}
	diff := diff.Compare(planFile, earlier.raw, d.raw)
	d.added, d.removed = diff.Added, diff.Removed
	d.changes = newDiffDocument(nil, diff, d.raw, planFile)
	d.read = read
	d.brief = read && d.added < len(strings.Split(strings.TrimSpace(d.raw), "\n"))
}

const planFile = "plan.md"

func (d *planDocument) layout(width int, th *theme.Theme) int {
	d.parts = body{}
	if n := d.head.layout(width, th); n > 0 {
		d.parts.add(n, d.head.rows)
		d.parts.lines("")
	}
	layout, draw := d.plan.Layout, func(from, to int) []string { return inset("  ", d.plan.Rows(from, to)) }
	if d.brief {
		layout, draw = d.changes.layout, d.changes.rows
	}
	rows := layout(width, th) // before the notes, which say how it is shown
	for _, note := range d.notes(th) {
		for _, l := range text.Wrap(note, width) {
			d.parts.lines("  " + th.Render(theme.Dim, l))
		}
		d.parts.lines("")
	}
	d.above = d.parts.len()
	d.parts.add(rows, draw)
	return d.parts.len()
}

func (d *planDocument) notes(th *theme.Theme) []string {
	var notes []string
	counts := fmt.Sprintf("+%d %s%d", d.added, th.Glyph(theme.MarkMinus), d.removed)
	switch {
	case d.same:
		notes = append(notes, "The same plan as before.")
	case d.brief:
		notes = append(notes, "What has changed since the plan before, "+counts+"."+d.shows("all of it"))
	case d.changes != nil:
		notes = append(notes, "Changed since the plan before, "+counts+"."+d.shows("only that"))
	}
	if !d.brief && d.plan.Written() {
		notes = append(notes, "Shown as it was written, because formatted it would not show everything.")
	}
	return notes
}

// shows names the key that shows something else.
func (d *planDocument) shows(what string) string {
	if key := d.keys.Show("d"); key != "" {
		return " " + key + " shows " + what + "."
	}
	return ""
}

func (d *planDocument) rows(from, to int) []string { return d.parts.rows(from, to) }

func (d *planDocument) heading() int { return d.above }

func (d *planDocument) subject(int) string { return "" }

func (d *planDocument) whole() bool { return !d.brief || d.read && d.changes.whole() }

func (d *planDocument) uses(k tea.KeyPressMsg, large bool) bool {
	switch {
	case k.Text == "e" || k.Keystroke() == "ctrl+y":
		return true
	case k.Text == "d":
		return d.changes != nil
	}
	return d.brief && d.changes.uses(k, large)
}

func (d *planDocument) press(k tea.KeyPressMsg, large bool) Effect {
	d.turned = false
	switch {
	case k.Text == "e" || k.Keystroke() == "ctrl+y":
		return OpenEditor{Text: d.raw, Name: planFile}
	case k.Text == "d":
		d.brief, d.turned = !d.brief, true
		return nil
	}
	return d.changes.press(k, large)
}

func (d *planDocument) focus() (row int, ok bool) {
	if d.turned || !d.brief {
		return 0, d.turned
	}
	row, ok = d.changes.focus()
	return d.above + row, ok
}

func (d *planDocument) find(in func(string) bool) []int {
	return rowsWith(d.parts.rows(0, d.parts.len()), in)
}

func (d *planDocument) hints(large bool) []keyHint {
	switch {
	case d.brief:
		return slices.Concat([]keyHint{{"d", "all of it"}, {"e", "edit"}}, d.changes.hints(large))
	case d.changes != nil:
		return []keyHint{{"d", "what changed"}, {"e", "edit"}}
	}
	return []keyHint{{"e", "edit"}}
}

func (d *planDocument) source() (text, name string) { return d.raw, planFile }

// rework takes the plan as the user has changed it: it goes back as
// feedback, on the line that refuses, so that nothing is approved by it. A plan
// that was only read changes nothing.
func (d *planDocument) rework(changed string, no *textAnswer) *textAnswer {
	if strings.TrimSpace(changed) == strings.TrimSpace(d.raw) {
		return nil
	}
	no.recall()
	no.field.set(text.JoinNonEmpty("\n\n", no.field.text(), "I changed the plan. Use this version:\n\n"+strings.TrimRight(changed, "\n")))
	return no
}
