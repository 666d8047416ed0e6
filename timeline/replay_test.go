package timeline_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// stored returns what the runtime keeps of a live log (docs/protocol.md, section
// 9): no ephemeral events, no structured contents, no detailed content that
// equals the content, no result of a failed MCP tool, and nothing that was
// taken back.
func stored(events []session.Event) []session.Event {
	var log []session.Event
	for _, ev := range events {
		if r, ok := ev.Body.(session.SessionSnapshotRewind); ok {
			from := slices.IndexFunc(log, func(ev session.Event) bool { return ev.ID == r.UpToEventID })
			log = slices.DeleteFunc(log, func(ev session.Event) bool { return slices.Contains(r.EventIDs, ev.ID) })
			if len(r.EventIDs) == 0 && from >= 0 {
				log = log[:from]
			}
		}
		if ev.Ephemeral {
			continue
		}
		ev.Replayed = true
		if c, ok := ev.Body.(session.ToolExecutionComplete); ok && c.Result != nil {
			r := *c.Result
			r.Contents = nil
			if r.DetailedContent == r.Content {
				r.DetailedContent = ""
			}
			c.Result = &r
			if c.Error != nil {
				c.Result = nil
			}
			ev.Body = c
		}
		log = append(log, ev)
	}
	return log
}

// unstored says why a replayed log does not have an entry of the live timeline.
// This is the whole list; TestUnstored holds it to what happens.
const (
	streamed = "what was streamed before an interruption is not stored"
	musing   = "nor is thinking that no message came of"
	question = "questions and answers are not stored, permissions excepted"
	rewound  = "what was taken back is not stored, nor that it was"
)

// unstoredNotices are the notices whose events are ephemeral, by category.
var unstoredNotices = map[string]string{
	"agents":           "lists of what there is to work with are sent anew by each process",
	"autopilot":        "why autopilot stopped",
	"cancellation":     "that something was cancelled, which no abort shows",
	"extension":        "lists of what there is to work with are sent anew by each process",
	"file_created":     "that a file was made, which no call shows",
	"filter":           "how a call of a model ended",
	"managed_settings": "what an organisation does not allow",
	"mcp":              "servers' states",
	"model":            "a switch of models that failed",
	"notification":     "what the agent or another program sends as ephemeral",
	"command":          "what the agent's queue has come to: it is asked of a client, and gone",
	"plugins":          "plugins that are installed",
	"retry":            "retries",
	"workflow":         "runs of workflows; their end is stored as a notification",
}

// notStored says of an entry of the live timeline why a replayed log does not
// have it; "" means that it must have it.
func notStored(e *timeline.Entry) string {
	if len(e.Origin) > 0 {
		return ""
	}
	switch b := e.Body.(type) {
	case *timeline.Message, *timeline.Reasoning, *timeline.ToolCall:
		if e.State != timeline.Done {
			return streamed
		}
		if _, ok := b.(*timeline.Reasoning); ok {
			return musing
		}
	case *timeline.AnsweredQuestion:
		return question
	case *timeline.Divider:
		if strings.HasPrefix(b.Text, "Rewound ") {
			return rewound
		}
	case *timeline.Notice:
		return unstoredNotices[b.Category]
	}
	return ""
}

// sealedForm writes what a replayed log must give again of an entry. It leaves
// out what the runtime does not store: when text and thinking began and ended,
// the ids of thoughts, live output that no result took the place of, the result and
// the images of a failed MCP tool, the contents of results; what calls of models used, which only live events say; and,
// for a call that nothing ended but the end of the process, when that was.
func sealedForm(e *timeline.Entry) string {
	var b strings.Builder
	fmt.Fprintln(&b, e.ID, e.Agent, e.State, e.VerboseOnly, e.Origin)
	switch body := e.Body.(type) {
	case *timeline.Message:
		fmt.Fprintln(&b, "message", body.MessageID, body.Text.String())
		return b.String()
	case *timeline.Reasoning:
		fmt.Fprintln(&b, "thinking", body.Text.String())
		return b.String()
	case *timeline.ToolCall:
		result := body.Result
		if body.Error != "" {
			result = ""
		}
		fmt.Fprintln(&b, "call", body.CallID, body.Name, body.Title, body.Intention, body.Server, body.Tool)
		fmt.Fprintln(&b, string(body.Arguments), body.UserRequested, body.Waiting, body.Feedback)
		fmt.Fprintln(&b, result, body.Detail, body.Error, body.ErrorCode, body.Edits)
		if body.ExitCode != nil {
			fmt.Fprintln(&b, "exit", *body.ExitCode)
		}
		if body.Error == "" {
			fmt.Fprintln(&b, body.Images)
		}
		if body.Error == "" && body.Result+body.Detail != "" {
			fmt.Fprintln(&b, "streamed", body.Output.String())
		}
		if e.State == timeline.Cancelled {
			return b.String()
		}
	case *timeline.Summary:
		s := *body
		s.Usage = timeline.Usage{}
		fmt.Fprintf(&b, "summary %+v\n", s)
	case *timeline.Unrecognised:
		fmt.Fprintln(&b, body.Kind, string(body.Raw), body.Count, body.Reason != "")
	default:
		fmt.Fprintf(&b, "%T %+v\n", body, body)
	}
	fmt.Fprintln(&b, e.At, e.End)
	return b.String()
}

// sealedAgent writes a sub-agent and its timeline. What it does now is of the
// moment; when one ended that nothing but the end of the process did, and what
// it used until then, is not known.
func sealedAgent(e *timeline.Entry, live bool) string {
	c, ok := e.Body.(*timeline.ToolCall)
	if !ok || c.Agent == nil {
		return ""
	}
	a := *c.Agent
	a.Timeline, a.Activity = nil, ""
	if a.State == timeline.Cancelled {
		a.End, a.Tokens = time.Time{}, 0
	}
	inner := strings.Join(sealed(c.Agent.Timeline, live), "")
	return fmt.Sprintf("agent %+v\n  %s\n", a, strings.ReplaceAll(inner, "\n", "\n  "))
}

// sealed writes the entries of a timeline that a replayed log must give again.
func sealed(tl *timeline.Timeline, live bool) []string {
	var forms []string
	for i := range tl.Len() {
		e := tl.At(i)
		if e.State.Final() && (!live || notStored(e) == "") {
			forms = append(forms, sealedForm(e)+sealedAgent(e, live))
		}
	}
	return forms
}

// TestUnstored: each reason for an entry to be missing is one that some log
// needs, and so are the notices of each kind.
func TestUnstored(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, name := range sessiontest.LogNames(t) {
		live := reduce(sessiontest.Log(t, name))
		for i := range live.Len() {
			e := live.At(i)
			used[notStored(e)] = true
			if n, ok := e.Body.(*timeline.Notice); ok && len(e.Origin) == 0 {
				used["notice "+n.Category] = true
			}
		}
	}
	for _, reason := range []string{streamed, musing, question, rewound} {
		if !used[reason] {
			t.Errorf("no log shows that %s", reason)
		}
	}
	for category := range unstoredNotices {
		if !used["notice "+category] {
			t.Errorf("no log has a notice of %q that is not stored", category)
		}
	}
}

// TestReplayEqualsLive: a log without its ephemeral events gives the same
// sealed entries, in the same order, as the live one, but for the list above.
func TestReplayEqualsLive(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := sessiontest.Log(t, name)
			live, replayed := reduce(events), reduce(stored(events))
			want, got := sealed(live, true), sealed(replayed, false)
			if !slices.Equal(want, got) {
				t.Errorf("%s", differing(want, got))
			}
			if live, replayed := keptState(live), keptState(replayed); !reflect.DeepEqual(live, replayed) && !tookBack(events) {
				t.Errorf("live     %+v\nreplayed %+v", live, replayed)
			}
			if s := replayed.Status(); s.Waiting != 0 || s.Stopping {
				t.Errorf("a replayed log waits: %+v", s)
			}
		})
	}
}

// keptState is what of a status only stored events make.
func keptState(tl *timeline.Timeline) timeline.Status {
	s := tl.Status()
	return timeline.Status{
		Model: s.Model, Effort: s.Effort, Persona: s.Persona, AllowAll: s.AllowAll, Dir: s.Dir, GitRoot: s.GitRoot,
		Repository: s.Repository, Branch: s.Branch, Checkpoint: s.Checkpoint, Turns: s.Turns, Calls: s.Calls,
		MessageOutput: s.MessageOutput, Usage: tl.Spending().Compaction.Usage,
	}
}

// tookBack reports whether a part of a log was taken back: what it used was used
// all the same, and is not stored.
func tookBack(events []session.Event) bool {
	return slices.ContainsFunc(events, func(ev session.Event) bool { return ev.Kind() == "session.snapshot_rewind" })
}

// differing writes the forms that only one of two lists has, then how each
// begins where they part.
func differing(live, replayed []string) string {
	n := 0
	for n < len(live) && n < len(replayed) && live[n] == replayed[n] {
		n++
	}
	var b strings.Builder
	for _, side := range []struct {
		name      string
		has, lack []string
	}{{"live", live, replayed}, {"replayed", replayed, live}} {
		for _, form := range side.has[n:] {
			if !slices.Contains(side.lack, form) {
				fmt.Fprintf(&b, "only %s:\n%s\n", side.name, form)
			}
		}
		if n < len(side.has) {
			first, _, _ := strings.Cut(side.has[n], "\n")
			fmt.Fprintf(&b, "%s has as entry %d: %s\n", side.name, n, first)
		}
	}
	return b.String()
}

// TestReplayIsQuiet: after a stored log nothing runs, though no event of it
// says so.
func TestReplayIsQuiet(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		log := stored(sessiontest.Log(t, name))
		last := session.Kind("")
		for _, ev := range log {
			if ev.Agent == "" && (ev.Kind() == "assistant.turn_end" || ev.Kind() == session.KindAssistantTurnStart ||
				ev.Kind() == session.KindUserMessage || ev.Kind() == session.KindAbort) {
				last = ev.Kind()
			}
		}
		busy := last == session.KindAssistantTurnStart || last == session.KindUserMessage
		tl := reduce(log)
		if s := tl.Status(); s.Busy != busy && !s.Ended {
			t.Errorf("%s: busy is %v after %s", name, s.Busy, last)
		}
	}
}
