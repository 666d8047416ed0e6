package modelview_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/modelview"
)

// talk gives a view one event after the other, with the ids e1, e2 and so on.
type talk struct {
	*modelview.View
	n int
}

func newTalk(bodies ...session.Body) *talk {
	k := &talk{View: modelview.New()}
	return k.hear(bodies...)
}

func (k *talk) next(b session.Body) session.Event {
	k.n++
	return session.Event{
		ID:   session.EventID(fmt.Sprintf("e%d", k.n)),
		Time: time.Date(2026, 3, 2, 9, 0, k.n, 0, time.UTC),
		Body: b,
	}
}

// hear applies events of the root agent.
func (k *talk) hear(bodies ...session.Body) *talk { return k.agent("", bodies...) }

// agent applies events of a sub-agent.
func (k *talk) agent(id session.AgentID, bodies ...session.Body) *talk {
	for _, b := range bodies {
		ev := k.next(b)
		ev.Agent = id
		k.Apply(ev)
	}
	return k
}

// want compares what the model of an agent sees, in the words of outline.
func (k *talk) want(t *testing.T, agent session.AgentID, want ...string) {
	t.Helper()
	all := k.Of(agent)
	if complaint := unsoundRequest(all); complaint != "" {
		t.Errorf("%s\n%s", complaint, k.Dump())
	}
	if got := outline(all); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// wantGone says which events, by number, made what the model sees no more.
func (k *talk) wantGone(t *testing.T, numbers ...int) {
	t.Helper()
	var got []int
	for i := range k.n + 1 {
		if k.Removed(session.EventID(fmt.Sprintf("e%d", i))) {
			got = append(got, i)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(numbers) {
		t.Errorf("gone are %v, want %v\n%s", got, numbers, k.Dump())
	}
}

// outline writes a message a line: role, name, source, and what it holds.
func outline(all []modelview.Message) string {
	var lines []string
	for _, m := range all {
		head := string(m.Role)
		if m.Name != "" {
			head += " " + m.Name
		}
		if m.Source != (modelview.Source{}) {
			head += fmt.Sprintf(" (%s)", strings.TrimSpace(string(m.Source.Kind)+" "+m.Source.Name))
		}
		if m.CallID != "" {
			head += fmt.Sprintf(" %s %s", m.CallID, m.ToolName)
		}
		if m.Interrupted {
			head += ", interrupted"
		}
		var parts []string
		for _, p := range m.Content {
			part := p.Text
			if b := p.Blob; b != nil {
				part = strings.TrimSpace(part + " <" + b.MIMEType + " " + b.Data + ">")
			}
			parts = append(parts, part)
		}
		for _, c := range m.Calls {
			parts = append(parts, fmt.Sprintf("%s=%s%s", c.ID, c.Name, c.Arguments))
		}
		lines = append(lines, head+": "+strings.Join(parts, " + "))
	}
	return strings.Join(lines, "\n")
}

func user(text string) session.UserMessage { return session.UserMessage{Content: text} }

func system(role, name, text string) session.SystemMessage {
	return session.SystemMessage{Role: role, Name: name, Content: text}
}

// says is an answer of the model that asks for calls of bash.
func says(text string, calls ...session.CallID) session.AssistantMessage {
	m := session.AssistantMessage{Content: text}
	for _, id := range calls {
		m.ToolRequests = append(m.ToolRequests, session.ToolRequest{
			ToolCallID: id, Name: "bash", Arguments: jsontext.Value(`{}`),
		})
	}
	return m
}

func result(id session.CallID, text string) session.ToolExecutionComplete {
	return session.ToolExecutionComplete{ToolCallID: id, Success: true, Result: &session.ToolResult{Content: text}}
}

func notification(kind, text string) session.SystemNotification {
	return session.SystemNotification{Content: text, Notification: session.Notification{Type: kind}}
}

func compacts(attempt string) session.SessionCompactionStart {
	return session.SessionCompactionStart{CompactionAttemptID: attempt}
}

func compacted(attempt, summary string) session.SessionCompactionComplete {
	return session.SessionCompactionComplete{CompactionAttemptID: attempt, Success: true, SummaryContent: summary}
}

// summary is a message that stands for what was compacted away, by hand and
// without a call in it.
func summary(text string, prompts ...string) string { return summaryOf("The", text, prompts) }

// summaryOfWork is one of a conversation with calls.
func summaryOfWork(text string, prompts ...string) string {
	return summaryOf("Some of the", text, prompts)
}

func summaryOf(much, text string, prompts []string) string {
	s := "user (summary): " + much + " conversation history has been summarized to free up context.\n\n" +
		"You were originally given instructions from a user over one or more turns. Here were the user messages:\n"
	for _, p := range prompts {
		s += "<user_message>\n" + p + "\n</user_message>\n"
	}
	return s + "\nHere is a summary of the prior context:\n<summary>\n" + text + "\n</summary>\n"
}

const (
	interrupted = "The execution of this tool, or a previous tool was interrupted."
	image       = "iVBORw0KGgo="
)
