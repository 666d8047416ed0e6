package generate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	cards "parley/prompts"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// TestEventPlaces plays the sample of each type to a timeline and a queue of
// questions that were made ready for it. What changes must be what its row says.
func TestEventPlaces(t *testing.T) {
	t.Parallel()
	samples := sessiontest.Events(t)
	for _, d := range rows(t) {
		kind := session.KindOf(d.body)
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			claimed := slices.DeleteFunc(d.places(), func(place string) bool {
				return slices.Contains([]string{"title", "panel", "badge", "nothing"}, place)
			})
			w := newWatcher()
			for _, ev := range before(t, samples, kind) {
				w.apply(ev)
			}
			seen, how := w.watch(rootEvent(t, samples[kind]))
			slices.Sort(claimed)
			if !slices.Equal(seen, claimed) {
				t.Errorf("the row of %s says %q, and this changes: %s. Mend the row, or what the event does.\n%s",
					kind, d.where, strings.Join(seen, ", "), how)
			}
		})
	}
}

// watcher is what the window makes of events, without the window.
type watcher struct {
	timeline  *timeline.Timeline
	questions *cards.Queue
	at        time.Time
}

func newWatcher() *watcher {
	return &watcher{timeline.New(), cards.NewQueue(), time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
}

// apply follows an event. What cannot be answered is reported, as the window does it.
func (w *watcher) apply(ev session.Event) {
	w.at = w.at.Add(time.Second)
	ev.Time = w.at
	w.timeline.Apply(ev)
	for range w.questions.Apply(ev, w.at) {
		if ask, ok := ev.Body.(session.Ask); ok {
			w.timeline.Apply(session.Event{
				ID: "refused", Time: w.at, Ephemeral: true,
				Body: session.SessionWarning{WarningType: "refused", Message: cards.Notice(ask)},
			})
		}
	}
}

// watch applies an event and returns the places that changed, sorted, with how
// the timeline is then.
func (w *watcher) watch(ev session.Event) (places []string, how string) {
	entries, status, questions := w.entries(), w.timeline.Status(), w.questions.Len()
	w.apply(ev)
	changed := map[string]bool{
		"status":   !reflect.DeepEqual(plainStatus(status), plainStatus(w.timeline.Status())),
		"question": questions != w.questions.Len(),
	}
	now := w.entries()
	for id, version := range now {
		i, _ := w.timeline.Find(id)
		switch old, was := entries[id]; {
		case !was && w.timeline.At(i).VerboseOnly:
			changed["minor entry"] = true
		case !was:
			changed["entry"] = true
		case old != version:
			changed["part of an entry"] = true
		}
	}
	for id := range entries {
		if _, is := now[id]; !is {
			changed["entry"] = true
		}
	}
	maps.DeleteFunc(changed, func(_ string, yes bool) bool { return !yes })
	return slices.Sorted(maps.Keys(changed)), w.shown()
}

// shown are the texts of the entries.
func (w *watcher) shown() string {
	var b strings.Builder
	for i := range w.timeline.Len() {
		e := w.timeline.At(i)
		fmt.Fprintf(&b, "%T (%v) %s\n", e.Body, e.State, timeline.Source(e))
	}
	return b.String()
}

// entries are the versions of what is on the timeline.
func (w *watcher) entries() map[timeline.EntryID]uint64 {
	entries := map[timeline.EntryID]uint64{}
	for i := range w.timeline.Len() {
		e := w.timeline.At(i)
		entries[e.ID] = e.Version
	}
	return entries
}

// plainStatus leaves out of a status what changes with every event: the clock.
func plainStatus(s timeline.Status) timeline.Status {
	s.LastActivity, s.Since, s.WaitingSince, s.Waited = time.Time{}, time.Time{}, time.Time{}, 0
	return s
}

// linked are the members of a payload that join it with another event's.
var linked = []string{
	"toolCallId", "requestId", "hookInvocationId", "compactionAttemptId", "runId", "serverName", "messageId", "reasoningId",
}

// earlier names the event that must have come before one: its sample is played
// first, with the ids of the later one.
var earlier = map[session.Kind]session.Kind{
	"hook.end":                           "hook.start",
	"hook.progress":                      "hook.start",
	"session.compaction_complete":        "session.compaction_start",
	"subagent.completed":                 "subagent.started",
	"subagent.failed":                    "subagent.started",
	"subagent.configured":                "subagent.started",
	"subagent.deselected":                "subagent.selected",
	"permission.completed":               "permission.requested",
	"user_input.completed":               "user_input.requested",
	"elicitation.completed":              "elicitation.requested",
	"exit_plan_mode.completed":           "exit_plan_mode.requested",
	"sampling.completed":                 "sampling.requested",
	"external_tool.completed":            "external_tool.requested",
	"command.completed":                  "command.execute",
	"mcp.oauth_completed":                "mcp.oauth_required",
	"mcp.headers_refresh_completed":      "mcp.headers_refresh_required",
	"auto_mode_switch.completed":         "auto_mode_switch.requested",
	"session_limits_exhausted.completed": "session_limits_exhausted.requested",
	"parley.folder_trust.completed":      "parley.folder_trust.requested",
	"parley.confirmation.completed":      "parley.confirmation.requested",
	"workflow.run_updated":               "workflow.run_started",
	"workflow.run_settled":               "workflow.run_started",
	"skill.context_delivered":            "skill.invoked",
	"skill.context_delivered_ref":        "skill.invoked_ref",
	"session.schedule_cancelled":         "session.schedule_created",
	"session.schedule_rearmed":           "session.schedule_created",
	"session.mcp_server_tools_loaded":    "session.mcp_servers_loaded",
	"session.mcp_server_removed":         "session.mcp_servers_loaded",
	"session.mcp_server_needs_reconnect": "session.mcp_servers_loaded",
	"session.mcp_server_status_changed":  "session.mcp_servers_loaded",
	"assistant.reasoning":                "assistant.reasoning_delta",
	"abort":                              "assistant.message_delta",
	"agent.interrupted":                  "assistant.message_delta",
	"session.autopilot_stopped":          "session.autopilot_objective_changed",
	"session.task_complete":              "session.autopilot_objective_changed",
}

// before are the events that make a session ready for the sample of a type: a
// turn that runs, the call that the sample is about, and what it follows.
func before(t *testing.T, samples map[session.Kind][]byte, kind session.Kind) []session.Event {
	t.Helper()
	if kind == "session.start" {
		return nil
	}
	data := payload(t, samples[kind])
	events := []session.Event{
		{ID: "start", Body: session.SessionStart{
			SelectedModel: "fake-model", ReasoningEffort: "low",
			Context: &session.WorkingContext{Cwd: "/home/ada/queue", Repository: "acme/queue", Branch: "main"},
		}},
		{ID: "prompt", Body: session.UserMessage{Content: "Fix the flaky test"}},
		{ID: "turn", Body: session.AssistantTurnStart{TurnID: "0"}},
	}
	switch kind {
	case session.KindUserMessage:
		return events[:1]
	case session.KindAssistantTurnStart:
		return events[:2]
	case "session.snapshot_rewind":
		events[1].ID = session.EventID(text(data["upToEventId"]))
	case "assistant.turn_end", "assistant.idle", session.KindSessionIdle,
		"session.resume", "session.shutdown":
		done := session.ToolExecutionComplete{ToolCallID: "work", Success: true}
		return append(events, startOfCall("work", false), session.Event{ID: "work", Body: done})
	case "tool.execution_start", "tool.user_requested", session.KindAssistantToolCallDelta:
		return events
	default: // the call and the event before it are in the sample
	}
	call := text(data["toolCallId"])
	if asks, ok := session.Decode(samples[kind]).Body.(session.PermissionRequested); ok {
		call = string(asks.Call())
	}
	if call != "" {
		events = append(events, startOfCall(call, strings.HasPrefix(string(kind), "subagent.")))
	}
	if first := earlier[kind]; first != "" {
		ev := rootEvent(t, relinked(t, samples[first], data))
		if ev.Agent != "" {
			ev.Agent = session.Decode(samples[kind]).Agent
		}
		events = append(events, ev)
	}
	return events
}

// startOfCall starts a call of a tool: a shell command, or a sub-agent.
func startOfCall(id string, agent bool) session.Event {
	start := session.ToolExecutionStart{
		ToolCallID: session.CallID(id), ToolName: "bash", Arguments: jsontext.Value(`{"command":"go test ./..."}`),
	}
	if agent {
		start.ToolName, start.Arguments = "task", jsontext.Value(`{"description":"Look for the race"}`)
	}
	return session.Event{ID: "call", Body: start}
}

// rootEvent decodes a sample as the root agent would say it: a sub-agent's
// events appear in its own timeline. What is about a sub-agent stays its own.
func rootEvent(t *testing.T, line []byte) session.Event {
	t.Helper()
	ev := session.Decode(line)
	switch ev.Body.(type) {
	case session.SubagentStarted, session.SubagentConfigured, session.SubagentCompleted, session.SubagentFailed:
		return ev
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(line, &members); err != nil {
		t.Fatal(err)
	}
	data := payload(t, line)
	delete(members, "agentId")
	delete(data, "parentToolCallId")
	return session.Decode(eventLine(t, members, data))
}

// relinked is a line with the ids of another event's payload, wherever it has
// them.
func relinked(t *testing.T, line []byte, ids map[string]jsontext.Value) []byte {
	t.Helper()
	var members map[string]jsontext.Value
	if err := json.Unmarshal(line, &members); err != nil {
		t.Fatal(err)
	}
	data := payload(t, line)
	for _, name := range linked {
		old, id := data[name], ids[name]
		if id == nil {
			continue
		}
		if name == "toolCallId" {
			for _, nested := range []string{"permissionRequest", "promptRequest"} {
				if inner := map[string]jsontext.Value{}; json.Unmarshal(data[nested], &inner) == nil && inner[name] != nil {
					inner[name] = id
					data[nested] = marshal(t, inner)
				}
			}
		}
		if old != nil {
			data[name] = id
		}
	}
	return eventLine(t, members, data)
}

func eventLine(t *testing.T, members, data map[string]jsontext.Value) []byte {
	t.Helper()
	members["data"] = marshal(t, data)
	return marshal(t, members)
}

func payload(t *testing.T, line []byte) map[string]jsontext.Value {
	t.Helper()
	var ev struct {
		Data map[string]jsontext.Value `json:"data"`
	}
	if err := json.Unmarshal(line, &ev); err != nil {
		t.Fatal(fmt.Errorf("a sample: %w", err))
	}
	return ev.Data
}

func marshal(t *testing.T, v any) jsontext.Value {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// text is a JSON text; "" for anything else.
func text(v jsontext.Value) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}
