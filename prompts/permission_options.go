package prompts

import (
	"slices"

	"parley/render/text"
	"parley/session"
)

// noPayload is why a question is dangerous that does not say what it is about.
const noPayload = "the agent does not send what exactly it would do"

// saysNothing reports whether there is nothing to show of what is asked for but its name.
func (w *permissionRequest) saysNothing() bool {
	for _, said := range []string{w.command, w.diff, w.contents, w.path, w.url, w.args, w.description} {
		if said != "" {
			return false
		}
	}
	return true
}

// optionRows are the answers of an agent that takes no others: each by the name that the agent gives
// it. Of a kind that is not meant for once it takes a second key, since only the name says what it allows.
func (w *permissionRequest) optionRows(options []session.PermissionOption) []row {
	var once, more, never []row
	for _, o := range options {
		label := text.SanitizeLine(o.Name)
		if label == "" {
			label = text.SanitizeLine(o.ID)
		}
		switch {
		case o.Kind == session.RejectOnce:
			never = append(never, w.refusalRow(label, o.ID))
		case o.Kind.Refuses():
			never = append(never, row{label: label, answer: w.choice(session.Reject, o.ID), careful: true})
		case o.Kind == session.AllowOnce:
			once = append(once, row{label: label, answer: w.choice(session.ApproveOnce, o.ID), approves: true})
		default:
			more = append(more, row{label: label, answer: w.choice(session.ApproveForSession, o.ID), approves: true, careful: true})
		}
	}
	if len(never) == 0 {
		never = []row{w.refusalRow("No", "")}
	}
	if len(once) > 0 {
		once[0].key = "y"
	}
	if i := slices.IndexFunc(never, func(r row) bool { return r.opens != nil }); i >= 0 {
		never[i].key = "n"
	}
	return slices.Concat(once, more, never)
}

// choice is the answer that chooses an option.
func (w *permissionRequest) choice(d session.Decision, option string) session.PermissionAnswer {
	a := w.answer(d)
	a.OptionID = option
	return a
}

// refusalRow refuses, with words for the agent if the user has some.
func (w *permissionRequest) refusalRow(label, option string) row {
	return row{label: label, opens: &textAnswer{
		label: "What should it do instead? It is sent as the next prompt:", hint: "refuse",
		empty: "leave it empty and press enter to refuse",
		blank: w.choice(session.Reject, option),
		answer: func(text string) (session.Answer, string) {
			a := w.choice(session.Reject, option)
			a.Feedback = text
			return a, ""
		},
	}}
}
