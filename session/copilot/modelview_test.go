package copilot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/modelview"
	"parley/session/sessiontest/llm"
)

// difference is one message that a model gets otherwise than the view says, or
// that only one of both has.
type difference struct {
	scene  string
	asker  string // whose requests: "" the session's own, else a sub-agent's or those for a summary
	view   string // the message of the view, a pattern of its whole line; "" for none
	sent   string // what the model gets in its place; "" for nothing
	reason string
}

// differences are all there are. One that no scene shows fails the test.
var differences = slices.Concat([]difference{
	{"cut short", "", ``, `assistant: "Half a"`, "the runtime keeps no event of an answer that was cut by its length"},
	{"cut short", "", ``, `user: "Please continue from where you left off."`, "nor of what it says then"},
	{
		"folder", "", ``, `user: "\\n<system_reminder>\\nCustom instructions from deep/AGENTS.md. .*MARK-deep.*</system_reminder>"`,
		"an instruction that was discovered is in no event, only the news of it",
	},
	{
		"truncation", llm.CompactScript, `(assistant: |tool of=|user: "Image file at path ).*`, ``,
		"a request for a summary leaves out more answers, so that there is room for what it asks",
	},
	{
		"images, a blind model", "", `user: "Image file at path .*/dot.png" <image/png .*>`, ``,
		"no event says that a model sees no images",
	},
	{"servers, a blind model", "", `user: "Here is an image:" <image/png .*>`, ``, "no event says that a model sees no images"},
},
	failures(
		`Tool 'nonesuch' does not exist.`, `Tool 'nonesuch' does not exist. Available tools that can be called are bash, .*`,
		`Expected property name .*`, `The arguments for the tool call 'view' were not valid JSON. .* Arguments: {bad. JSON parse error: Expected property name .*`,
		`\\"path\\": Required`, `Invalid input: \\"path\\": Required`,
		`Path does not exist`, `Path /nonesuch does not exist. Please provide a valid path.`,
		`Unhandled error: Error: ENOENT: .*`, `Failed to execute with arguments: .* due to error: Error: ENOENT: .*`,
		`Skill not found: nonesuch`, `Skill \\"nonesuch\\" not found. Available skills: .*`,
		`rg: regex parse error:.*`, `Error: rg: regex parse error:.*`,
		`Error: near \\"SELEC\\": syntax error`, `SQL Error: Error: near \\"SELEC\\": syntax error`,
		`Agent not found`, `No agent found with agent_id: nonesuch. The agent may have been cleared or never existed.`,
	),
)

// failures are what tools write to the log of a failure, each with what they return to
// the model.
func failures(texts ...string) (all []difference) {
	said := func(s string) string { return `tool of="call_\d+": "` + s + `"` }
	for pair := range slices.Chunk(texts, 2) {
		all = append(all, difference{"failing tools", "", said(pair[0]), said(pair[1]), "the log holds another text of this failure"})
	}
	return all
}

// TestModelView: what a model gets is what the view shows at that moment, word
// for word, of the events as they come and of the log as it is stored.
func TestModelView(t *testing.T) {
	t.Parallel()
	shown := &tally{of: map[difference]int{}}
	t.Run("scene", func(t *testing.T) {
		for name, play := range scenes() {
			t.Run(name, func(t *testing.T) {
				p := play(t)
				c := &comparison{T: t, scene: name, shown: shown}
				c.assign(p.r.Seen(), p.model.Requests())
				live := c.fold("live", p.r.Seen())
				p.must(p.s.Close(p.Context()))
				stored := c.fold("stored", p.log(p.s.Info().ID))
				if live != len(c.begun) || live == 0 || stored == 0 {
					t.Errorf("of %d requests, compared %d with the live log and %d with the stored one", len(c.begun), live, stored)
				}
				shown.played(name)
				t.Logf("%d requests, %d of them again from the stored log", live, stored)
			})
		}
	})
	for _, d := range differences {
		if shown.scenes[d.scene] && shown.of[d] == 0 {
			t.Errorf("%s: the model view has not missed %q (%q) any more", d.scene, d.sent, d.view)
		}
		if scenes()[d.scene] == nil {
			t.Errorf("no scene is named %s", d.scene)
		}
	}
}

// tally counts, over all scenes, how often each difference was met.
type tally struct {
	mu     sync.Mutex
	of     map[difference]int
	scenes map[string]bool
}

func (y *tally) met(d difference) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.of[d]++
}

func (y *tally) played(scene string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.scenes == nil {
		y.scenes = map[string]bool{}
	}
	y.scenes[scene] = true
}

// log is the stored log of a session.
func (b *bench) log(id session.ID) []session.Event {
	b.Helper()
	home := b.home
	if home == "" {
		home = sharedHome
	}
	f, err := os.Open(filepath.Join(home, "session-state", string(id), "events.jsonl"))
	b.must(err)
	defer func() { _ = f.Close() }()
	var events []session.Event
	for ev, err := range session.ReadLog(f) {
		b.must(err)
		events = append(events, ev)
	}
	return events
}

// comparison holds the requests of a session against a view of it.
type comparison struct {
	*testing.T
	scene string
	shown *tally
	begun map[session.EventID]llm.Request // by the turn, or compaction, that made it
}

// assign finds the event that made each request: the start of a turn, its next
// try, or the start of a compaction.
func (c *comparison) assign(events []session.Event, requests []llm.Request) {
	c.Helper()
	c.begun = map[session.EventID]llm.Request{}
	queues := map[string][]llm.Request{}
	for _, r := range requests {
		queues[asker(r)] = append(queues[asker(r)], r)
	}
	scripts := map[session.AgentID]string{}
	for _, ev := range events {
		var queue string
		switch b := ev.Body.(type) {
		case session.UserMessage:
			if ev.Agent != "" && scripts[ev.Agent] == "" {
				scripts[ev.Agent] = b.Content
			}
			continue
		case session.AssistantTurnStart, session.AssistantTurnRetry:
			queue = scripts[ev.Agent]
		case session.SessionCompactionStart:
			queue = llm.CompactScript
		default:
			continue
		}
		if len(queues[queue]) == 0 {
			c.Errorf("%s of %q asked nothing", ev.Kind(), queue)
			continue
		}
		c.begun[ev.ID], queues[queue] = queues[queue][0], queues[queue][1:]
	}
	for name, rest := range queues {
		if len(rest) > 0 {
			c.Errorf("%d requests of %q belong to no turn", len(rest), name)
		}
	}
}

// fold compares the requests with a view of events, and returns how many. What
// comes between the start of a turn and the first sign of an answer is in the
// request: the runtime makes room and steers there.
func (c *comparison) fold(how string, events []session.Event) (n int) {
	c.Helper()
	v, asked := modelview.New(), map[session.AgentID][]session.Event{}
	for _, ev := range events {
		if answered(ev) {
			for _, turn := range asked[ev.Agent] {
				c.compare(how, v, turn)
				n++
			}
			delete(asked, ev.Agent)
		}
		if v.Apply(ev) == modelview.Unhandled {
			c.Errorf("%s is not handled", ev.Kind())
		}
		if _, ok := c.begun[ev.ID]; ok {
			asked[ev.Agent] = append(asked[ev.Agent], ev)
		}
	}
	return n
}

// answered reports whether an event is the first that can follow a request.
func answered(ev session.Event) bool {
	switch b := ev.Body.(type) {
	case session.SessionCompactionComplete:
		return b.Trigger == "" // by hand, and not in a turn
	case session.AssistantMessage:
		return b.Model != "" // otherwise the runtime says it in the model's name
	case session.AssistantMessageStart, session.AssistantReasoningDelta, session.AssistantStreamingDelta,
		session.AssistantToolCallDelta, session.AssistantUsage, session.AssistantTurnRetry, session.AssistantTurnEnd,
		session.ModelCallFailure, session.SessionError, session.Abort:
		return true
	}
	return false
}

// asker distinguishes who has asked the model: the session itself "", its
// summaries, or a sub-agent by its prompt.
func asker(r llm.Request) string {
	switch r.Interaction {
	case "conversation-compaction":
		return llm.CompactScript
	case "conversation-subagent":
		return "@@" + r.Script
	}
	return ""
}

// compare holds what a view shows against what a model got.
func (c *comparison) compare(how string, v *modelview.View, at session.Event) {
	c.Helper()
	r := c.begun[at.ID]
	messages := v.Messages()
	if at.Agent != "" {
		messages = v.Of(at.Agent)
	}
	view := viewed(messages)
	sent := c.sent(r)
	if asker(r) == llm.CompactScript {
		last := len(sent) - 1
		if !strings.HasPrefix(sent[last], `user: "Please create a detailed summary of the conversation so far.`) {
			c.Errorf("a compaction asks %.200s", sent[last])
		}
		sent = sent[:last]
	}
	for i, j := 0, 0; i < len(view) || j < len(sent); {
		if i < len(view) && j < len(sent) && view[i] == sent[j] {
			i, j = i+1, j+1
			continue
		}
		d, ok := c.known(asker(r), view[i:], sent[j:])
		if !ok {
			c.Errorf("%s, request of %s %s (script %q, step %d), message %d:\n%s", how, at.Kind(), at.ID, r.Script, r.Step, j, apart(view[i:], sent[j:]))
			return
		}
		c.shown.met(d)
		if d.view != "" {
			i++
		}
		if d.sent != "" {
			j++
		}
	}
}

// known finds the difference that explains where both go apart.
func (c *comparison) known(asker string, view, sent []string) (difference, bool) {
	matches := func(pattern string, lines []string) bool {
		return pattern == "" || len(lines) > 0 && regexp.MustCompile(`^(?s:`+pattern+`)$`).MatchString(lines[0])
	}
	for _, d := range differences {
		if d.scene == c.scene && d.asker == asker && matches(d.view, view) && matches(d.sent, sent) {
			return d, true
		}
	}
	return difference{}, false
}
