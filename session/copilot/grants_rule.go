package copilot

import (
	"slices"
	"sync"

	"parley/session"
)

// rule is what the runtime makes of an approval.
type rule struct {
	// Kind is shell, read, write, url, memory, custom-tool, mcp-sampling,
	// workflow, extension-..., or else the name of an MCP server.
	Kind     string  `json:"kind"`
	Argument *string `json:"argument"` // null where the kind takes none, and for every tool of a server
}

func addressRule(address string) rule { return rule{"url", &address} }

// rulesOf are the rules of an approval. A kind that is not known here
// has no rules.
func rulesOf(a session.Approval) []rule {
	switch a.Kind {
	case "commands":
		rules := make([]rule, len(a.CommandIdentifiers))
		for i, id := range a.CommandIdentifiers {
			rules[i] = rule{"shell", &id}
		}
		return rules
	case "read", "write", "memory":
		return []rule{{a.Kind, nil}}
	case "mcp":
		return []rule{{a.ServerName, a.ToolName}}
	case "mcp-sampling":
		return []rule{{a.Kind, &a.ServerName}}
	case "custom-tool":
		return []rule{{a.Kind, a.ToolName}}
	}
	return nil
}

func (r rule) argument() string {
	if r.Argument == nil {
		return ""
	}
	return *r.Argument
}

func (r rule) equal(o rule) bool {
	return r.Kind == o.Kind && r.argument() == o.argument() && (r.Argument == nil) == (o.Argument == nil)
}

// id names a grant of the rule.
func (r rule) id(scope session.GrantScope) string {
	id := string(scope) + "/" + quote(r.Kind)
	if r.Argument != nil {
		id += "/" + *r.Argument
	}
	return id
}

// what says what a rule allows, in the words in which it was asked for.
func (r rule) what() string {
	switch r.Kind {
	case "shell", "url":
		return quote(r.argument())
	case "read":
		return "reading any file in allowed folders"
	case "write":
		return "every file change"
	case "memory":
		return "every memory"
	case "custom-tool":
		return "the tool " + quote(r.argument())
	case "mcp-sampling":
		return "the use of the model by " + quote(r.argument())
	case "workflow", "extension-management", "extension-permission-access", "extension-env-access":
		if r.Argument == nil {
			return quote(r.Kind)
		}
		return quote(r.Kind) + " of " + quote(*r.Argument)
	}
	if r.Argument == nil {
		return "every tool of " + quote(r.Kind)
	}
	return quote(*r.Argument) + " of " + quote(r.Kind)
}

// ledger keeps what was approved for the session, which the runtime does not
// list. A session that has ended has no approvals when it is resumed.
type ledger struct {
	mu    sync.Mutex
	given map[session.RequestID]approved // by the question that was answered
}

// approved are the rules of one answer.
type approved struct {
	rules  []rule
	before bool // from the history: it may have been taken back
}

// note takes an event in.
func (l *ledger) note(ev session.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch b := ev.Body.(type) {
	case session.PermissionCompleted:
		if b.Result.Kind == "approved-for-session" && b.Result.Approval != nil {
			l.put(b.RequestID, approved{rulesOf(*b.Result.Approval), ev.Replayed})
		}
	case session.SessionShutdown:
		clear(l.given)
	}
}

func (l *ledger) put(id session.RequestID, a approved) {
	if _, known := l.given[id]; !known {
		put(&l.given, id, a)
	}
}

// learn takes the history in, behind which live events may have been noted.
func (l *ledger) learn(events []session.Event) {
	var stored ledger
	for _, ev := range events {
		stored.note(ev)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, a := range stored.given {
		l.put(id, a)
	}
}

// add keeps what was approved by an answer given here.
func (l *ledger) add(id session.RequestID, r rule) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.put(id, approved{rules: []rule{r}})
}

// drop forgets a rule.
func (l *ledger) drop(r rule) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, a := range l.given {
		a.rules = slices.DeleteFunc(slices.Clone(a.rules), r.equal)
		l.given[id] = a
	}
}

// given is a rule and how often it was approved.
type given struct {
	rule
	times  int
	before bool // all of it is from the history
}

// list are the rules that were approved, sorted.
func (l *ledger) list() []given {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []given
	for _, a := range l.given {
		for _, r := range a.rules {
			i := slices.IndexFunc(all, func(g given) bool { return g.equal(r) })
			if i < 0 {
				all = append(all, given{r, 1, a.before})
				continue
			}
			all[i].times++
			all[i].before = all[i].before && a.before
		}
	}
	slices.SortFunc(all, func(a, b given) int { return compareRules(a.rule, b.rule) })
	return all
}
