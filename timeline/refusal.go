package timeline

import (
	"cmp"
	"strings"

	"parley/session"
)

// Refuser is who refused what the agent wanted to do (Streaming Session Events,
// permission.completed).
type Refuser uint8

// The refusers. Only the first is not known: the log does not say it.
const (
	UnknownRefuser Refuser = iota
	RefusedByUser
	RefusedByRule
	RefusedByPolicy // one that keeps content from the agent
	RefusedByHook
	RefusedUnasked // no rule allows it, and there was no user to ask

	refusers // how many there are
)

// Refusals count refused calls by who refused them.
type Refusals [refusers]int

// Each calls do with everyone who refused something, and how often, in the order
// of the refusers; the unknown come last.
func (r Refusals) Each(do func(by Refuser, n int)) {
	for i := range refusers {
		by := (i + 1) % refusers
		if r[by] > 0 {
			do(by, r[by])
		}
	}
}

// String says in words who refused, as what follows "refused"; "" where it is
// not known.
func (r Refuser) String() string {
	return [...]string{
		"", " by you", " by a rule", " by a content policy", " by a hook", ", no user to ask", "",
	}[min(r, refusers)]
}

// refuserOf reads who refused from the kind of a result that does not approve.
func refuserOf(r session.PermissionResult) Refuser {
	return map[string]Refuser{
		session.DeniedByUser: RefusedByUser, session.DeniedByRules: RefusedByRule, session.DeniedByPolicy: RefusedByPolicy,
		session.DeniedByHook: RefusedByHook, session.DeniedUnasked: RefusedUnasked,
	}[r.Kind]
}

// refusalReason is why something was refused, as far as the result says it.
func refusalReason(r session.PermissionResult) string {
	var rules []string
	for _, rule := range r.Rules {
		text := rule.Kind
		if rule.Argument != "" {
			text += "(" + rule.Argument + ")"
		}
		rules = append(rules, text)
	}
	return cmp.Or(strings.TrimSpace(r.Feedback), strings.TrimSpace(r.Reason), strings.TrimSpace(r.Message),
		strings.Join(rules, ", "), r.Path)
}

// refuse notes who refused a call, and why.
func (c *ToolCall) refuse(r session.PermissionResult) {
	c.RefusedBy = refuserOf(r)
	c.Feedback = cmp.Or(refusalReason(r), c.Feedback)
}
