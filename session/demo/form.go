package demo

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// formSchema is a form with a field of each kind that the reference document
// has, in the order in which they are asked for.
const formSchema = `{
	"type": "object",
	"properties": {
		"name": {"type": "string", "title": "Name", "description": "What the note is called", "minLength": 1, "maxLength": 40},
		"size": {
			"type": "string", "title": "Size", "enum": ["s", "m", "l"], "enumNames": ["Small", "Medium", "Large"], "default": "m"
		},
		"pinned": {"type": "boolean", "title": "Pinned", "default": false},
		"copies": {"type": "integer", "title": "Copies", "minimum": 1, "maximum": 9, "default": 1},
		"weight": {"type": "number", "title": "Weight", "description": "In grams", "minimum": 0},
		"due": {"type": "string", "title": "Due", "format": "date"},
		"tags": {
			"type": "array", "title": "Tags", "minItems": 0, "maxItems": 2,
			"items": {"type": "string", "enum": ["home", "work", "travel"]}
		},
		"text": {"type": "string", "title": "Text", "description": "As long as you like"}
	},
	"required": ["name", "size"]
}`

// filledIn is what the model is told with what was filled in.
const filledIn = "The person filled in: "

// form is a tool of an MCP server that asks the user to fill in a form.
func form() *tool {
	c := mcp("describe_note", "ask for the details of a note", map[string]any{})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) {
		request := session.ElicitationRequested{
			RequestID: session.RequestID(uuid.NewString()), ToolCallID: c.id, ElicitationSource: demoServer,
			Message: "What should the note be like?", Mode: session.FormMode, RequestedSchema: jsontext.Value(formSchema),
		}
		a, err := t.ask(request)
		if err != nil {
			return session.ToolExecutionComplete{}, err
		}
		done := session.ElicitationCompleted{RequestID: request.RequestID, Action: session.Decline}
		result := ""
		switch a := a.(type) {
		case session.Refusal:
			result = unseen + a.Feedback
		case session.ElicitationAnswer:
			done.Action = a.Action
			result = fmt.Sprintf("The person ended the form with %q.", a.Action)
			if a.Action == session.Accept {
				done.Content = encoded(a.Content)
				result = filledIn + string(done.Content)
			}
		}
		return success(result), t.emit(done)
	}
	return c
}

// playForm asks the user to fill in a form.
func (t *turn) playForm() error {
	if err := t.call(reply{
		text:  "A tool asks you to fill in a **form**. `Tab` goes from field to field.",
		tools: []*tool{form()},
	}); err != nil {
		return err
	}
	return t.call(reply{hears: func(h heard) string {
		if why, refused := strings.CutPrefix(h.result, unseen); refused {
			return notShown("The form", why, "in plain words")
		}
		if content, filled := strings.CutPrefix(h.result, filledIn); filled {
			return fmt.Sprintf("The form came back: `%s`. Nothing was written; I pretended.", firstLine(content))
		}
		return "You did not fill it in. A real agent goes on without, or asks in plain words."
	}})
}

// notShown is said of a question that was refused without the user.
func notShown(what, why, instead string) string {
	return fmt.Sprintf("%s was refused: *%s* A real agent reads that and asks %s instead; the turn goes on.",
		what, strings.Join(strings.Fields(why), " "), instead)
}

// plan is the plan that the demo would carry out.
const plan = "# Plan\n\n1. **Look** at the files of the scratch folder\n2. **Change** what `hello.go` says\n" +
	"3. **Report** what was done\n\n" +
	"Nothing is touched before you approve.\n"

// exitPlanMode is the tool that asks whether a plan may be carried out.
func exitPlanMode() *tool {
	const summary, recommended = "Look around, change one line, report", "interactive"
	actions := []string{"autopilot", "interactive", "exit_only"}
	c := newTool("exit_plan_mode", "Plan ready for review", summary, map[string]any{
		"summary": summary, "actions": actions, "recommendedAction": recommended,
	})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) {
		request := session.ExitPlanModeRequested{
			RequestID: session.RequestID(uuid.NewString()), Summary: summary, PlanContent: t.s.drafted(), Actions: actions,
			RecommendedAction: recommended, ToolCallID: c.id, Model: t.s.currentModel(),
		}
		a, err := t.ask(request)
		if err != nil {
			return session.ToolExecutionComplete{}, err
		}
		return t.planned(request, a)
	}
	return c
}

// planned is what an answer to a plan means.
func (t *turn) planned(request session.ExitPlanModeRequested, a session.Answer) (session.ToolExecutionComplete, error) {
	approved, refused := false, false
	done := session.ExitPlanModeCompleted{RequestID: request.RequestID, Approved: &approved}
	switch a := a.(type) {
	case session.Refusal:
		done.Feedback, refused = a.Feedback, true
	case session.ExitPlanModeAnswer:
		approved, done.Feedback = a.Approved, a.Feedback
		if approved {
			done.SelectedAction, done.AutoApproveEdits = a.Action, a.AutoApproveEdits
		}
	}
	if err := t.emit(done); err != nil {
		return session.ToolExecutionComplete{}, err
	}
	switch {
	case refused:
		return success(unseen + done.Feedback + planFollows + request.PlanContent), nil
	case !approved:
		return success("The plan was not approved. " + done.Feedback), nil
	}
	mode := session.Interactive
	if done.SelectedAction == "autopilot" {
		mode = session.Autopilot
	}
	if err := t.s.SetMode(t.ctx, mode); err != nil {
		return session.ToolExecutionComplete{}, err
	}
	return success(planApproved + "(" + done.SelectedAction + ")"), nil
}

// What the model is told of a plan.
const (
	planApproved = "Plan approved, exited plan mode "
	planFollows  = "\n\nThe plan is:\n\n"
)

// playPlan shows a plan for approval.
func (t *turn) playPlan() error {
	if err := t.call(reply{
		reasoning: "The person wants to see a plan. It needs a goal, a few steps, and their word before anything is touched.",
		text:      "My **plan** is ready. Read it, and choose how I go on; nothing is touched before you do.",
		tools:     []*tool{exitPlanMode()},
	}); err != nil {
		return err
	}
	return t.call(reply{hears: func(h heard) string {
		if action, approved := strings.CutPrefix(h.result, planApproved); approved {
			return fmt.Sprintf("You chose **%s**. This is where a real agent begins; the demo stops here.", strings.Trim(action, "()"))
		}
		if why, refused := strings.CutPrefix(h.result, unseen); refused {
			why, text, _ := strings.Cut(why, planFollows)
			return notShown("The plan", why, "for your word in plain text") + " Here it is:\n\n" + text
		}
		return "You did not approve the plan. A real agent changes it and asks again."
	}})
}
