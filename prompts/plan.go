package prompts

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"parley/session"
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
// of the plan before this one, nil if there was none.
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
	for _, action := range planActions(r) {
		c.choices.rows = append(c.choices.rows, planRow(action, r))
	}
	c.warnOfHidden(append(planActions(r), r.Summary, r.PlanContent)...)
	no := planRefusal(r.RequestID, "")
	c.choices.rows = append(c.choices.rows, row{
		key: "n", also: "f", label: "No, and say what to change: stays in plan mode", opens: no,
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

// The actions of a plan that approve it with the least (docs/protocol.md, section 7.4,
// and Streaming Session Events, exit_plan_mode.requested).
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
// is offered, and only with a word that nobody types by accident.
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
