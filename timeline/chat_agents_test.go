package timeline_test

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/timeline"
)

// TestReferences: what an answer was made from stands under it, folded, without
// what may not be shown.
func TestReferences(t *testing.T) {
	t.Parallel()
	items := session.References{MessageID: "m"}
	for _, raw := range []string{
		`{"type":"t","id":"a","data":{"file":"story.go"},"is_implicit":false,"metadata":{"display_name":"Story","display_icon":"icon","display_url":"https://summer-heart-0930.chufeiyun1688.workers.dev:443/http/x.example/1"}}`,
		`{"type":"t","id":"b","is_implicit":true,"metadata":{"display_name":"Notes","display_icon":"book","display_url":"https://summer-heart-0930.chufeiyun1688.workers.dev:443/https/x.example/2"}}`,
		`{"type":"t","id":"c","metadata":{"display_name":"Bare","display_icon":"icon"}}`,
		`{"type":"t","id":"d"}`,
		`"none"`,
	} {
		items.Items = append(items.Items, []byte(raw))
	}
	f := newFeed().stored(session.UserMessage{Content: "go"}, session.AssistantMessage{MessageID: "m", Content: "A story."}, items)
	e := f.At(f.Len() - 1)
	n, ok := e.Body.(*timeline.Notice)
	if !ok || n.Text != "References: Story, Notes (implicit)" || n.Level != timeline.Info {
		t.Fatalf("got %+v", e.Body)
	}
	for _, want := range []string{"[icon] Story", "https://summer-heart-0930.chufeiyun1688.workers.dev:443/http/x.example/1", "Type: t", "ID: a", `Data: {"file":"story.go"}`, "[book] Notes (implicit)"} {
		if !strings.Contains(n.Detail, want) {
			t.Errorf("%q is not in\n%s", want, n.Detail)
		}
	}
	if strings.Contains(n.Detail, "Bare") || strings.Contains(n.Detail, "ID: d") {
		t.Errorf("what may not be shown is:\n%s", n.Detail)
	}
	if want := "[book] Notes (implicit)\n  https://summer-heart-0930.chufeiyun1688.workers.dev:443/https/x.example/2\n  Type: t\n  ID: b"; !strings.HasSuffix(n.Detail, want) {
		t.Errorf("one without data is not\n%q in\n%q", want, n.Detail)
	}
	if links := addresses(f.Links()); !slices.Contains(links, "https://summer-heart-0930.chufeiyun1688.workers.dev:443/http/x.example/1") {
		t.Errorf("the links are %q", links)
	}
	if out := f.Apply(session.Event{ID: "x", Body: session.References{MessageID: "m"}}); out != timeline.Ignored {
		t.Errorf("none at all are %v", out)
	}
}

// TestErrorsOfAgents: each is an error by its type, and ends nothing.
func TestErrorsOfAgents(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(
		session.UserMessage{Content: "go"}, session.AssistantTurnStart{TurnID: "0"},
		session.AgentError{Type: "function", Code: "recentchanges", Message: "The repository does not exist", Identifier: "github/hello-world", About: "recent"},
		session.AgentError{Type: "agent"},
	)
	n, ok := f.At(1).Body.(*timeline.Notice)
	if !ok || n.Level != timeline.Error || n.Category != "function" || n.Text != "The repository does not exist (recent)" ||
		n.Detail != "Code: recentchanges\nIdentifier: github/hello-world\nAbout: recent" {
		t.Errorf("got %+v", f.At(1).Body)
	}
	if n, ok := f.At(2).Body.(*timeline.Notice); !ok || n.Text == "" {
		t.Errorf("one without words is %+v", f.At(2).Body)
	}
	if !f.Status().Busy {
		t.Error("the turn is over")
	}
}

// TestAnswersThatBrokeOff: what came of an answer stays, and is no complete one.
func TestAnswersThatBrokeOff(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(
		session.UserMessage{Content: "go"},
		session.AssistantMessage{MessageID: "m", Content: "Half of", Phase: session.PhaseCutOff},
	)
	if e := f.At(1); e.State != timeline.Cancelled {
		t.Errorf("it is %v", e.State)
	}
}
