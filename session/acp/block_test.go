package acp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
)

// TestImagesInAnswers: what is no text is a message of its own, which has the bytes, between the texts around it.
func TestImagesInAnswers(t *testing.T) {
	t.Parallel()
	var events []session.Event
	talk := scriptedTalk()
	for _, block := range []string{
		`{"type":"text","text":"Look: "}`, `{"type":"image","data":"AAAA","mimeType":"image/png","uri":"file:///tmp/a.png"}`,
		`{"type":"text","text":"and "}`, `{"type":"resource_link","uri":"file:///tmp/b","name":"b"}`,
		`{"type":"audio","data":"BBBB","mimeType":"audio/wav"}`,
		`{"type":"resource","resource":{"uri":"file:///tmp/c.pdf","mimeType":"application/pdf","blob":"CCCC"}}`,
		`{"type":"resource","resource":{"uri":"file:///tmp/d.txt","text":"words"}}`, `{"type":"hologram"}`, `{"type":"text","text":"end"}`,
	} {
		for _, b := range talk.update(jsontext.Value(`{"sessionUpdate":"agent_message_chunk","content":` + block + `}`)) {
			events = append(events, session.Event{Body: b})
		}
	}
	for _, b := range talk.end(false, false) {
		events = append(events, session.Event{Body: b})
	}
	checkDeltas(t, events)
	var got []string
	for _, m := range sessiontest.All[session.AssistantMessage](events) {
		line := m.Content
		for _, a := range m.Attachments {
			line += fmt.Sprintf(" | %s %s %s %s", a.Type, a.DisplayName, a.MIMEType, a.Data)
		}
		got = append(got, line)
	}
	want := []string{
		"Look: ", "[file:///tmp/a.png](file:///tmp/a.png) | blob a.png image/png AAAA", "and [b](file:///tmp/b)",
		"(audio, audio/wav) | blob  audio/wav BBBB", "[file:///tmp/c.pdf](file:///tmp/c.pdf) | blob c.pdf application/pdf CCCC", "words", "end",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestImagesInResults: what a call shows and is no text is beside the text of its result.
func TestImagesInResults(t *testing.T) {
	t.Parallel()
	done := scriptedTalk().update(jsontext.Value(`{"sessionUpdate":"tool_call","toolCallId":"c","kind":"read","title":"Look","status":"completed",` +
		`"rawInput":{"path":"a.png"},"content":[{"type":"content","content":{"type":"text","text":"Here"}},` +
		`{"type":"content","content":{"type":"image","data":"AAAA","mimeType":"image/png"}},` +
		`{"type":"content","content":{"type":"resource","resource":{"uri":"file:///c.pdf","mimeType":"application/pdf","blob":"CCCC"}}}]}`))
	b, ok := done[len(done)-1].(session.ToolExecutionComplete)
	if !ok || b.Result.Content != "Here" || len(b.Result.Contents) != 2 || b.Result.Contents[0].Data != "AAAA" ||
		b.Result.Contents[1].Resource.Blob != "CCCC" {
		t.Errorf("ended as %+v", b.Result)
	}
}

// scriptedTalk is a conversation whose ids count.
func scriptedTalk() *talk {
	n := 0
	return newTalk(func() string { n++; return fmt.Sprint(n) }, func(string) (string, bool) { return "", false })
}

// TestCost: the cost of the session is passed on in its currency.
func TestCost(t *testing.T) {
	t.Parallel()
	for update, want := range map[string]*session.Money{
		`{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.5,"currency":"EUR"}}`: {Amount: 0.5, Currency: "EUR"},
		`{"sessionUpdate":"usage_update","used":1,"size":2,"cost":null}`:                            nil,
		`{"sessionUpdate":"usage_update","used":1,"size":2}`:                                        nil,
	} {
		said := scriptedTalk().update(jsontext.Value(update))
		if b, ok := said[0].(session.SessionUsageInfo); !ok || (b.Cost == nil) != (want == nil) || want != nil && *b.Cost != *want {
			t.Errorf("%s: %+v", update, said)
		}
	}
}

// TestPlacesOfCalls: the places that a call is about are beside its result, but the one in its title.
func TestPlacesOfCalls(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		`"kind":"search","rawInput":{"pattern":"x"},"locations":[{"path":"/w/a.go","line":3},{"path":"/w/b.go","line":9},{"path":"/w/a.go","line":3}]`: "/w/a.go:3, /w/b.go:9",
		`"kind":"read","rawInput":{"path":"/w/a.go"},"locations":[{"path":"/w/a.go","line":1}]`:                                                        "",
		`"kind":"read","rawInput":{"path":"/w/a.go"},"locations":[{"path":"/w/a.go","line":7},{"path":""}]`:                                            "/w/a.go:7",
		`"kind":"execute","rawInput":{"command":"ls"},"locations":[{"path":"/w"}]`:                                                                     "",
		`"kind":"edit","locations":[{"path":"/w/a.go","line":7}],"content":[{"type":"diff","path":"/w/a.go","oldText":"a","newText":"b"}]`:             "",
	} {
		done := scriptedTalk().update(jsontext.Value(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"Look","status":"completed",` + call + `}`))
		b, ok := done[len(done)-1].(session.ToolExecutionComplete)
		var got []string
		if b.Result != nil {
			for _, p := range b.Result.Contents {
				got = append(got, p.Name)
			}
		}
		if s := strings.Join(got, ", "); !ok || s != want {
			t.Errorf("%s: %q, not %q", call, s, want)
		}
	}
}
