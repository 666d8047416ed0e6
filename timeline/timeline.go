package timeline

import (
	"parley/session"
)

// ApplyResult is what Apply did with an event.
type ApplyResult uint8

// The results. Unhandled is the zero value, so that a kind without a decision
// shows as the defect it is.
const (
	Unhandled ApplyResult = iota // no decision was written down for this kind: a bug
	Ignored                      // nothing to show, by decision
	Applied                      // the timeline or its status changed
)

// Timeline is the list of entries that the events so far make, and the status
// they leave the session in. It is not safe for concurrent use.
type Timeline struct {
	entryList
	status Status

	// Each takes the events of its subject. A subject that builds on another one
	// embeds it, up to the list.
	turns     turns
	calls     toolCalls
	messages  messages
	summaries summaries
	questions questions
	subagents subagents
	lifecycle lifecycle
	usage     tokenUsage
	catalog   catalog
	context   contextWindow
	settings  settings
	notices   notices
	skills    skills
	hooks     hooks
	workflows workflows
}

// New returns an empty timeline.
func New() *Timeline { return newTimeline(assets{}) }

// newTimeline returns an empty timeline that looks up binary data in assets.
func newTimeline(stored assets) *Timeline {
	t := &Timeline{entryList: entryList{index: map[EntryID]*Entry{}}}
	t.turns = turns{entryList: &t.entryList, status: &t.status}
	t.calls = toolCalls{
		turns: &t.turns, pending: pendingQuestions{}, external: map[session.RequestID]*Entry{},
		created: map[string]*Entry{}, assets: stored,
		agents: map[session.AgentID]*agent{}, owners: map[session.CallID]*agent{},
	}
	t.summaries = summaries{&t.turns}
	t.messages = messages{turns: &t.turns, calls: &t.calls, summaries: &t.summaries, reasonings: map[session.ReasoningID]*Entry{}}
	t.questions = questions{&t.calls}
	t.subagents = subagents{toolCalls: &t.calls, questions: &t.questions}
	t.lifecycle = lifecycle{toolCalls: &t.calls, summaries: &t.summaries}
	t.usage = tokenUsage{turns: &t.turns, ledger: ledger{models: map[string]*ModelSpending{}}}
	t.catalog = catalog{turns: &t.turns, servers: map[string]string{}, reported: map[string]bool{}}
	t.context = contextWindow{turns: &t.turns}
	t.settings = settings{turns: &t.turns, changes: map[string]change{}}
	t.notices = notices{toolCalls: &t.calls, prompts: map[string]*Entry{}}
	t.skills = skills{&t.turns}
	t.hooks = hooks{entryList: &t.entryList, names: map[EntryID]string{}}
	t.workflows = workflows{entryList: &t.entryList, names: map[EntryID]string{}}
	return t
}

// reducer takes the events of one subject. Of others it returns Unhandled.
type reducer interface {
	apply(ev session.Event) ApplyResult
}

func (t *Timeline) dispatch(ev session.Event) ApplyResult {
	for _, subject := range [...]reducer{
		&t.messages, &t.calls, &t.lifecycle, &t.questions, &t.usage, &t.catalog, &t.context,
		&t.notices, &t.skills, &t.hooks, &t.workflows, &t.settings, &t.subagents,
	} {
		if out := subject.apply(ev); out != Unhandled {
			return out
		}
	}
	if isIgnored(ev.Body) {
		return Ignored
	}
	return Unhandled
}

// Apply folds one event into the timeline. It is total: any event in any order
// with any content is taken, and it costs what the event adds, not what the
// timeline holds. Only a rewind looks at every entry.
func (t *Timeline) Apply(ev session.Event) ApplyResult {
	if ev.Body == nil {
		return Ignored
	}
	t.usage.spent(ev.Body)
	out := t.take(ev)
	t.noteWaiting(ev.Time)
	return out
}

// take gives an event to the agent that it is of.
func (t *Timeline) take(ev session.Event) ApplyResult {
	if t.depth < maxAgentDepth {
		if a, own := t.subagents.route(ev); a != nil {
			t.turns.noteActivity(ev)
			return t.subagents.applySubagent(ev, a, own)
		}
	}
	return t.fold(ev, &ev)
}

// fold takes an event of the agent that the timeline is of, which is recorded
// as it came.
func (t *Timeline) fold(ev session.Event, came *session.Event) ApplyResult {
	t.turns.noteActivity(ev)
	t.history.begin(came)
	version := t.version
	t.summaries.beforeEvent(ev)
	t.interaction.noteWaiting(ev)
	moved := t.version != version
	out := t.dispatch(ev)
	version = t.version
	t.summaries.afterEvent(ev)
	t.history.end(t.entries)
	if out == Ignored && (moved || t.version != version) {
		return Applied
	}
	return out
}
