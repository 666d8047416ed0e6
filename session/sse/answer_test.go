package sse_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/chat"
	"parley/session/sse"
)

// said is what came of one prompt.
type said struct {
	text, reasoning, streamed, thought string
	phase                              string
	events                             []session.Event
}

func of(events []session.Event) said {
	s := said{events: events}
	for _, ev := range events {
		switch b := ev.Body.(type) {
		case session.AssistantMessage:
			s.text, s.reasoning, s.phase = b.Content, b.ReasoningText, b.Phase
		case session.AssistantMessageDelta:
			s.streamed += b.DeltaContent
		case session.AssistantReasoningDelta:
			s.thought += b.DeltaContent
		}
	}
	return s
}

// kinds are the kinds of the events, without those that stream.
func (s said) kinds() string {
	var kinds []string
	for _, ev := range s.events {
		if k := string(ev.Kind()); !strings.HasSuffix(k, "_delta") {
			kinds = append(kinds, k)
		}
	}
	return strings.Join(kinds, " ")
}

// one returns the only body of a type among events.
func one[B session.Body](t *testing.T, events []session.Event) B {
	t.Helper()
	all := sessiontest.All[B](events)
	if len(all) != 1 {
		var zero B
		t.Fatalf("%d events are %s, want one:\n%s", len(all), session.KindOf(zero), sessiontest.Describe(events))
	}
	return all[0]
}

// TestAnswers: whatever form an answer has, it is the same events.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ scene, text, reasoning string }{
		{"hello there", "You said: hello there", ""},
		{"think", "Then that.", "First this."},
		{"json", "All at once.", "Quickly."},
		{"odd", "One two.", ""},
		{"malformed", "Before. After.", ""},
	} {
		for _, protocol := range []sse.Protocol{sse.Copilot, sse.OpenAI} {
			t.Run(tt.scene+" "+string(protocol), func(t *testing.T) {
				t.Parallel()
				b := lay(t, protocol, nil)
				s, r := b.open()
				got := of(b.send(s, r, tt.scene))
				if got.text != tt.text || got.streamed != tt.text || got.reasoning != tt.reasoning || got.thought != tt.reasoning || got.phase != "" {
					t.Errorf("got %+v", got)
				}
				if n := len(sessiontest.All[session.SessionError](got.events)); n > 0 {
					t.Errorf("%d errors", n)
				}
			})
		}
	}
}

// TestOrder: the events of an answer come in the runtime's order.
func TestOrder(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	const want = "pending_messages.modified session.title_changed pending_messages.modified user.message assistant.turn_start " +
		"session.auto_mode_resolved assistant.message_start assistant.usage assistant.message parley.references " +
		"parley.agent_error parley.agent_error parley.agent_error assistant.turn_end assistant.idle session.idle"
	got := of(b.send(s, r, "errors"))
	_, rest, _ := strings.Cut(got.kinds(), "pending_messages.modified ")
	if "pending_messages.modified "+rest != want {
		t.Errorf("got  %s\nwant %s", got.kinds(), want)
	}
	u := one[session.AssistantUsage](t, got.events)
	if u.InputTokens != 12 || u.OutputTokens != 5 || u.CacheReadTokens != 4 || u.ReasoningTokens != 2 || u.Model != "scripted" ||
		u.FinishReason != "stop" || u.Duration <= 0 || u.TimeToFirstTokenMs <= 0 {
		t.Errorf("used were %+v", u)
	}
}

// TestCalls: what a model calls is shown, and nothing of it is run.
func TestCalls(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.OpenAI, nil)
	s, r := b.open()
	events := b.send(s, r, "calls")
	m := one[session.AssistantMessage](t, events)
	if len(m.ToolRequests) != 2 || m.ToolRequests[0].Name != "lookup" || string(m.ToolRequests[0].Arguments) != `{"word":"tide"}` ||
		m.ToolRequests[1].ToolCallID != "call-2" {
		t.Errorf("got %+v", m.ToolRequests)
	}
	deltas := sessiontest.All[session.AssistantToolCallDelta](events)
	if len(deltas) != 3 || deltas[2].ToolCallID != "call-1" || deltas[2].ToolName != "lookup" {
		t.Errorf("streamed were %+v", deltas)
	}
	b.send(s, r, "hello")
	var body struct{ Messages []map[string]any }
	if err := json.Unmarshal(b.chat.Requests()[1].Body, &body); err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, m := range body.Messages {
		roles = append(roles, fmt.Sprint(m["role"], len(m)))
	}
	// Each call has a result, or endpoints refuse the conversation.
	if want := []string{"user2", "assistant3", "tool3", "tool3", "user2"}; !slices.Equal(roles, want) {
		t.Errorf("the next request has %q: %s", roles, b.chat.Requests()[1].Body)
	}
}

// TestReferencesAndErrors: they come as they were sent, with the answer, and
// errors say what they are about.
func TestReferencesAndErrors(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	events := b.send(s, r, "errors")
	m := one[session.AssistantMessage](t, events)
	refs := one[session.References](t, events)
	if raw, _ := json.Marshal(refs.Items); refs.MessageID != m.MessageID || string(raw) != chat.References {
		t.Errorf("got %s", raw)
	}
	got := sessiontest.All[session.AgentError](events)
	if len(got) != 3 || got[0].Type != "function" || got[0].Code != "recentchanges" || got[0].Identifier != "github/hello-world" ||
		got[0].Message != "The repository does not exist" || got[0].About != "" || got[1].About != "Lines 1-13 from story.go" || got[2].Type != "agent" {
		t.Errorf("got %+v", got)
	}
	b.send(s, r, "hello")
	if body := string(b.chat.Requests()[1].Body); !strings.Contains(body, `"role":"assistant","content":"Not all went well. ","copilot_references":`+chat.References) {
		t.Errorf("the agent does not get its references back: %s", body)
	}
}

// TestEndpointsAskNothing: an endpoint whose requests have no place for an
// answer cannot ask.
func TestEndpointsAskNothing(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.OpenAI, nil)
	s, r := b.open()
	events := b.send(s, r, "confirm")
	if n := len(sessiontest.All[session.ConfirmationRequested](events)); n > 0 {
		t.Errorf("%d questions", n)
	}
	b.send(s, r, "errors")
	b.send(s, r, "hello")
	for _, request := range b.chat.Requests() {
		if strings.Contains(string(request.Body), "copilot_") {
			t.Errorf("the endpoint gets %s", request.Body)
		}
	}
}

// TestLength: an answer that has reached the limit of tokens says so.
func TestLength(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.OpenAI, nil)
	s, r := b.open()
	events := b.send(s, r, "length")
	if m := one[session.AssistantMessage](t, events); m.Phase != session.PhaseCutOff || m.Content != "It goes " {
		t.Errorf("got %+v", m)
	}
	if w := one[session.SessionWarning](t, events); w.WarningType != "length" {
		t.Errorf("got %+v", w)
	}
}

// TestEmptyAnswers: an answer that is complete and says nothing says so, in every
// form; one that asks, complains or refers to something is none.
func TestEmptyAnswers(t *testing.T) {
	t.Parallel()
	const (
		piece   = `data: {"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}` + "\n\n"
		blank   = `data: {"choices":[{"delta":{"content":" \n"}}]}` + "\n\n"
		thought = `data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}` + "\n\n"
		stop    = `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n"
		over    = "data: [DONE]\n\n"
	)
	for text, want := range map[string]bool{
		piece: true, piece + stop + over: true, piece + over: true, over: true, blank + over: true, thought + over: true,
		`{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`: true,
		"": false, ": nothing\n\n": false, "data: {}\n\n": false,
		`data: {"choices":[{"delta":{"content":"a"}}]}` + "\n\n" + over:                            false,
		`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"f"}}]}}]}` + "\n\n" + over: false,
		"event: copilot_errors\ndata: [{\"type\":\"agent\"}]\n\n" + over:                           false,
		"event: copilot_references\ndata: [{\"id\":\"r\"}]\n\n" + over:                             false,
		"event: copilot_confirmation\ndata: {\"type\":\"action\"}\n\n" + over:                      false,
		`data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + "\n\n":                       false,
	} {
		b := lay(t, sse.Copilot, func(cfg *sse.Config) { cfg.Transport = carrier{"", text} })
		s, r := b.open()
		if err := s.Send(t.Context(), session.Input{Prompt: "go"}); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.AssistantTurnEnd](r)
		said := 0
		for _, w := range sessiontest.All[session.SessionWarning](r.Seen()) {
			if w.Message == "The agent's answer is empty." && w.OriginatingMessageID != "" {
				said++
			}
		}
		if said != map[bool]int{true: 1}[want] {
			t.Errorf("%q: it says so %d times\n%s", text, said, sessiontest.Describe(r.Seen()))
		}
	}
}

// TestModelOfTheAnswer: the model that a chat agent names is reported once until it
// names another, also after a resume.
func TestModelOfTheAnswer(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	if m := one[session.SessionAutoModeResolved](t, b.send(s, r, "hello")); m.ChosenModel != "scripted" {
		t.Errorf("it is %+v", m)
	}
	again := func(s session.Session, r *sessiontest.Reader) {
		t.Helper()
		for _, ev := range b.send(s, r, "hello") {
			if _, is := ev.Body.(session.SessionAutoModeResolved); is && !ev.Replayed {
				t.Error("it is reported once more")
			}
		}
	}
	again(s, r)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	resumed, err := b.start().Resume(t.Context(), s.Info().ID, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again(resumed, sessiontest.Read(t, resumed))
	endpoint := lay(t, sse.OpenAI, nil)
	s, r = endpoint.open()
	if n := len(sessiontest.All[session.SessionAutoModeResolved](endpoint.send(s, r, "hello"))); n > 0 {
		t.Errorf("an endpoint, which is given its model, reports it %d times", n)
	}
}

// TestFilesAsReferences: a file that a prompt mentions goes as a reference to an
// agent that has referred to something itself, and as text to any other.
func TestFilesAsReferences(t *testing.T) {
	t.Parallel()
	const (
		text      = `\n<attachment mimeType=\"text/plain\" name=\"notes.txt\">\nlow tide\nhigh tide\n\n</attachment>","copilot_references":[]}`
		reference = `,"copilot_references":[{"type":"client.file","id":"notes.txt","data":{"file":"notes.txt","content":"low tide\nhigh tide\n"},` +
			`"is_implicit":false,"metadata":{"display_name":"notes.txt"}}]}`
		lines = `,"copilot_references":[{"type":"client.file","id":"notes.txt","data":{"file":"notes.txt","start":"2","end":"2",` +
			`"content":"high tide\n"},"is_implicit":false,"metadata":{"display_name":"notes.txt"}}]}`
	)
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, []byte("low tide\nhigh tide\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	mention := func(prompt string, lines *session.LineRange, want ...string) {
		t.Helper()
		in := session.Input{Prompt: prompt, Attachments: []session.Attachment{
			{Type: "file", Path: file, DisplayName: "notes.txt", LineRange: lines}, {Type: "directory", Path: "/src"},
		}}
		if err := s.Send(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.SessionIdle](r)
		for _, want := range want {
			if !strings.Contains(b.last(), want) {
				t.Errorf("%s is not in\n%s", want, b.last())
			}
		}
	}
	const folder = `\n\n\n\n<tagged_files>\n* /src\n</tagged_files>`
	mention("hello it is", nil, `"content":"hello it is`+folder+text)
	mention("references please", nil, `"content":"references please`+folder+text)
	// What was sent before the agent referred to anything stays as it was sent.
	mention("again", nil, `"content":"references please`+folder+text, `"content":"again`+folder+`"`+reference)
	mention("a part", &session.LineRange{Start: 2, End: 2}, `"content":"again`+folder+`"`+reference, `"content":"a part`+folder+`"`+lines)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.cfg.Protocol = sse.OpenAI // an endpoint that continues the session has no place for references
	again, err := b.start().Resume(t.Context(), s.Info().ID, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.send(again, sessiontest.Read(t, again), "hello")
	if body := b.last(); strings.Contains(body, "copilot_") || strings.Count(body, "low tide") != 4 {
		t.Errorf("the endpoint gets %s", body)
	}
}
