package prompts

import (
	"parley/session"
)

// open puts a question on a card. A question that has no dialog gets none, and
// the text of a refusal that lets the turn go on (decision 6).
func (q *Queue) open(ev session.Event, ask session.Ask) (d dialog, refusal string) {
	switch a := ask.(type) {
	case session.PermissionRequested:
		if a.OwnerAgentID == "" {
			a.OwnerAgentID = ev.Agent
		}
		d = newPermission(a, q.agents[a.OwnerAgentID], q.places)
	case session.UserInputRequested:
		c := newInput(a)
		d, c.of.agent = c, ev.Agent
		if name := q.agents[ev.Agent]; name != "" {
			c.facts = []fact{{label: "asked by", text: name}}
		}
	case session.FolderTrustRequested:
		d = newTrust(a, q.places)
	case session.ElicitationRequested:
		refusal = "This version of Parley cannot show forms. Ask in plain text instead."
	case session.ExitPlanModeRequested:
		refusal = "This version of Parley cannot show plans for approval. Show the plan as text and wait for the person's answer."
	case session.ExternalToolRequested:
		refusal = "Parley offers no tools of its own."
	case session.CommandQueued, session.CommandExecute:
		refusal = "This version of Parley cannot run this command."
	case session.SamplingRequested:
		refusal = "This version of Parley does not let servers use the model."
	case session.McpOAuthRequired:
		refusal = "This version of Parley cannot sign in to servers."
	case session.McpHeadersRefreshRequired:
		refusal = "This version of Parley has no headers for servers."
	case session.AutoModeSwitchRequested:
		refusal = "This version of Parley cannot ask whether to switch the model."
	case session.SessionLimitsExhaustedRequested:
		refusal = "This version of Parley cannot ask for a higher limit."
	default:
		refusal = "This version of Parley cannot show this question."
	}
	return d, refusal
}
