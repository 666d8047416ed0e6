package timeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
	"parley/timeline"
)

// agentForm writes what a replayed log must give again of a sub-agent and its
// timeline.
func agentForm(b *strings.Builder, a *timeline.Subagent, replayed bool) {
	shown := *a
	shown.Timeline, shown.Activity = nil, ""
	fmt.Fprintf(b, "%+v\n", shown)
	for i := range a.Timeline.Len() {
		e := a.Timeline.At(i)
		if !replayed && notStored(e) != "" {
			continue
		}
		b.WriteString(sealedForm(e))
		if c, ok := e.Body.(*timeline.ToolCall); ok && c.Agent != nil {
			agentForm(b, c.Agent, replayed)
		}
	}
}

// TestReplayedSubagentsEqualLive: a log without its ephemeral events gives the
// same sub-agents, with the same timelines.
func TestReplayedSubagentsEqualLive(t *testing.T) {
	t.Parallel()
	agents := func(tl *timeline.Timeline, replayed bool) []string {
		var forms []string
		for i := range tl.Len() {
			if c, ok := tl.At(i).Body.(*timeline.ToolCall); ok && c.Agent != nil {
				var b strings.Builder
				agentForm(&b, c.Agent, replayed)
				forms = append(forms, b.String())
			}
		}
		return forms
	}
	for _, log := range []struct {
		name   string
		agents int
	}{
		{"subagent_failed", 1},
		{"subagent_task_background", 1},
		{"second_client_view", 0},
		{"hand/reference_subagent", 1},
	} {
		t.Run(log.name, func(t *testing.T) {
			t.Parallel()
			events := sessiontest.Log(t, log.name)
			want, got := agents(reduce(events), false), agents(reduce(stored(events)), true)
			if len(want) != log.agents || !slices.Equal(want, got) {
				t.Errorf("live:\n%s\nreplayed:\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}

// TestRecordedSubagents: what the lines of real sub-agents say in the end.
func TestRecordedSubagents(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"subagent_failed": "f1, an explore agent on fake-model, failed after 15s: 0 calls, 0 tokens: " +
			"Failed to get response from the AI model; retried 5 times (total retry wait time: 14.65 seconds) Last error: 500 scripted error",
		"subagent_task_background": "bg1, an general-purpose agent on fake-model, done after 4s: 1 calls, 240 tokens: ",
	} {
		tl := reduce(sessiontest.Log(t, name))
		i := slices.IndexFunc(entriesOf(tl), func(e *timeline.Entry) bool {
			c, ok := e.Body.(*timeline.ToolCall)
			return ok && c.Agent != nil
		})
		if i < 0 {
			t.Fatalf("%s has no sub-agent", name)
		}
		a := tl.At(i).Body.(*timeline.ToolCall).Agent
		got := fmt.Sprintf("%s, an %s agent on %s, %v after %v: %d calls, %d tokens: %s",
			a.Title, a.Name, a.Model, a.State, a.End.Sub(a.At).Round(time.Second), a.Calls, a.Tokens, a.Error)
		if got != want || tl.At(i).State != a.State || tl.Status().Agents != 0 {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
}

func entriesOf(tl *timeline.Timeline) []*timeline.Entry {
	list := make([]*timeline.Entry, tl.Len())
	for i := range list {
		list[i] = tl.At(i)
	}
	return list
}
