package acp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/local"
	"parley/session/sessiontest"
)

// keepsVariable says what the scripted agent does with sessions that it keeps: "all", "load" or "resume" is
// what it can, "late" loads and answers before it says what was said, and "broken" cannot list them.
const keepsVariable = "PARLEY_ACP_KEEPS"

func canKeep() string {
	switch os.Getenv(keepsVariable) {
	case "":
		return `{"sessionCapabilities":{"resume":{},"close":{}}}`
	case "load", "late":
		return `{"loadSession":true,"sessionCapabilities":{"list":{},"close":{}}}`
	case "resume":
		return `{"sessionCapabilities":{"list":{},"resume":{},"close":{}}}`
	}
	return `{"loadSession":true,"sessionCapabilities":{"list":{},"fork":{},"resume":{},"close":{}}}`
}

// replayed is what was said in a session that the scripted agent keeps.
var replayed = []string{
	`{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"first"}]}`,
	`{"sessionUpdate":"user_message_chunk","messageId":"u1","content":{"type":"text","text":"What is it?"}}`,
	`{"sessionUpdate":"user_message_chunk","messageId":"u1","content":{"type":"resource_link","uri":"file:///tmp/x","name":"x"}}`,
	`{"sessionUpdate":"agent_thought_chunk","messageId":"t1","content":{"type":"text","text":"I look."}}`,
	`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Read x","kind":"read","status":"completed","rawInput":{"path":"x"}}`,
	`{"sessionUpdate":"tool_call","toolCallId":"c2","title":"Read y","kind":"read","status":"pending","rawInput":{"path":"y"}}`,
	`{"sessionUpdate":"agent_message_chunk","messageId":"a1","content":{"type":"text","text":"It is x."}}`,
	`{"sessionUpdate":"plan","entries":[{"content":"look","status":"completed"}]}`,
	`{"sessionUpdate":"user_message_chunk","messageId":"u2","content":{"type":"text","text":"And now?"}}`,
	`{"sessionUpdate":"agent_message_chunk","messageId":"a2","content":{"type":"text","text":"Nothing."}}`,
}

// keeps answers a call that is about sessions that are kept, if the script has some.
func (s *script) keeps(m message) bool {
	how := os.Getenv(keepsVariable)
	var p struct {
		SessionID string `json:"sessionId"`
		Cursor    string `json:"cursor"`
		Cwd       string `json:"cwd"`
	}
	session.ReadWhatFits(m.Params, &p)
	switch {
	case how == "":
		return false
	case m.Method == "session/list" && how == "broken":
		s.say(`"id":%s,"error":{"code":-32603,"message":"no luck"}`, m.ID)
	case m.Method == "session/list" && p.Cursor == "":
		s.say(`"id":%s,"result":{"sessions":[{"sessionId":"ses_old","cwd":"/tmp","title":"An old one\nof two lines","updatedAt":"2026-11-20T10:00:00Z"}],"nextCursor":"2"}`, m.ID)
	case m.Method == "session/list":
		s.say(`"id":%s,"result":{"sessions":[{"sessionId":7},{"sessionId":"../up","cwd":"/tmp","title":null,"updatedAt":"2026-11-22T10:00:00.5+01:00"}],"nextCursor":null}`, m.ID)
	case m.Method == "session/new" && how == "free":
		s.say(`"id":%s,"result":{"sessionId":"s","modes":{"currentModeId":"yolo","availableModes":[{"id":"yolo"},{"id":"workspace-write"}]}}`, m.ID)
	case m.Method == "session/set_mode" && how == "free":
		s.say(`"id":%s,"result":{}`, m.ID)
	case m.Method == "session/fork" && how == "broken":
		s.say(`"id":%s,"error":{"code":-32603,"message":"no luck"}`, m.ID)
	case m.Method == "session/fork": // as opencode does
		for _, u := range replayed {
			s.update("fork of "+p.SessionID, u)
		}
		s.say(`"id":%s,"result":{"sessionId":%q}`, m.ID, "fork of "+p.SessionID)
	case m.Method == "session/load" && p.SessionID == "../up":
		s.say(`"id":%s,"error":{"code":-32002,"message":"gone"}`, m.ID)
	case m.Method == "session/load":
		answer := func() { s.say(`"id":%s,"result":{"modes":{"currentModeId":"plain","availableModes":[]}}`, m.ID) }
		for i, u := range replayed {
			if i == 1 && how == "late" {
				answer()
			}
			s.update(p.SessionID, u)
		}
		if how != "late" {
			answer()
		}
	default:
		return false
	}
	return true
}

func kept(t *testing.T, how string) *Agent {
	t.Helper()
	a, _ := scripted(t, keepsVariable+"="+how)
	t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
	return a
}

// TestList: beside what is stored here stands what the agent keeps, of all pages, once. An agent that cannot say
// so takes nothing away.
func TestList(t *testing.T) {
	t.Parallel()
	for how, want := range map[string][]string{
		"all": {"0a02c373", "ses_old"}, "load": {"0a02c373", "ses_old"}, "broken": nil, "": nil,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			a := kept(t, how)
			s, err := a.Open(t.Context(), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			if err := s.Send(t.Context(), session.Input{Prompt: "hello"}); err != nil {
				t.Fatal(err)
			}
			sessiontest.Next[session.AssistantIdle](r)
			all, err := a.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(all) == 0 || all[0].ID != s.Info().ID || all[0].AgentSessionID == "" {
				t.Fatalf("its own session is not the first: %+v", all)
			}
			var got []string
			for _, k := range all[1:] {
				id, _, _ := strings.Cut(string(k.ID), "-")
				got = append(got, id)
				if k.Agent != "script" || k.Dir != "/tmp" || k.AgentSessionID == "" || k.Used.IsZero() || strings.Contains(k.Title, "\n") {
					t.Errorf("it is listed as %+v", k)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("listed are %q, not %q", got, want)
			}
		})
	}
}

// TestReadKept: a session that the agent keeps is opened with what was said in it, which is stored
// then, and not listed as the agent's any more. It is continued as any other.
func TestReadKept(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"all", "load", "late"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			a := kept(t, how)
			s, err := a.Resume(t.Context(), "ses_old", session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			sessiontest.Next[session.SessionResume](r)
			for _, ev := range r.Seen()[:len(r.Seen())-1] {
				if !ev.Ephemeral && !ev.Replayed || ev.Replayed && !ev.Time.Equal(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)) {
					t.Errorf("a past event is %+v", ev)
				}
			}
			if err := s.Send(t.Context(), session.Input{Prompt: "go on"}); err != nil {
				t.Fatal(err)
			}
			sessiontest.Next[session.AssistantIdle](r)
			commands, _ := s.(session.SlashCommandRunner).SlashCommands(t.Context())
			todos, _ := s.(session.TodoLister).Todos(t.Context())
			if len(commands) != 1 || len(todos) != 1 {
				t.Errorf("it has %d commands and %d todos", len(commands), len(todos))
			}
			sessiontest.Golden(t, "acp/kept", summary(r.Seen()))
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			r.Rest()
			all, err := a.List(t.Context())
			if err != nil || len(all) != 2 || all[0].ID != "ses_old" || all[0].Client != producer || all[0].Title != "An old one" {
				t.Fatalf("listed are %+v, %v", all, err)
			}
			again, err := a.Resume(t.Context(), "ses_old", session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r = sessiontest.Read(t, again)
			if err := again.Send(t.Context(), session.Input{Prompt: "once more"}); err != nil { // at once
				t.Fatal(err)
			}
			sessiontest.Next[session.SessionIdle](r)
			if got := texts(r.Seen()); got != "What is it?\n[x](file:///tmp/x)|It is x.|And now?|Nothing.|go on|An answer.|once more|An answer." {
				t.Errorf("it is resumed with %q", got)
			}
		})
	}
}

// texts are the prompts and answers of a session.
func texts(events []session.Event) string {
	var out []string
	for _, ev := range events {
		switch b := ev.Body.(type) {
		case session.UserMessage:
			out = append(out, b.Content)
		case session.AssistantMessage:
			if b.Content != "" {
				out = append(out, b.Content)
			}
		}
	}
	return strings.Join(out, "|")
}

// TestKeptWithoutPast: an agent that only resumes does not give back what was said, and that is said.
// One that does not have the session any more opens no other in its place.
func TestKeptWithoutPast(t *testing.T) {
	t.Parallel()
	a := kept(t, "resume")
	s, err := a.Resume(t.Context(), "ses_old", session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := sessiontest.Read(t, s)
	if w := sessiontest.Next[session.SessionWarning](r); !strings.Contains(w.Message, "not shown") {
		t.Errorf("it says %q", w.Message)
	}
	sessiontest.Next[session.SessionResume](r)
	gone, err := kept(t, "all").Resume(t.Context(), ownID("../up"), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sessiontest.Read(t, gone).Rest()
	if err := gone.Wait(); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("it ended with %v", err)
	}
	if _, err := a.Resume(t.Context(), "none", session.Options{}); err == nil {
		t.Error("a session that does not exist was opened")
	}
}

// TestKeptCaptures reads sessions that the real agents kept.
func TestKeptCaptures(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"opencode", "codex", "claude", "copilot"} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			a := playing(t, filepath.Join(sessiontest.Root(t), "testdata", "acp-kept", agent+".jsonl"))
			all, err := a.List(t.Context())
			if err != nil || len(all) != 1 {
				t.Fatalf("listed are %+v, %v", all, err)
			}
			s, err := a.begin(t.Context(), session.Options{Dir: t.TempDir()}, session.StoredSession{Stored: all[0]}, local.NoStore{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			sessiontest.Next[session.SessionResume](r)
			if err := s.Send(t.Context(), session.Input{Prompt: "Which number?"}); err != nil {
				t.Fatal(err)
			}
			sessiontest.Next[session.SessionIdle](r)
			sessiontest.Golden(t, "acp-kept/"+agent, summary(r.Seen()))
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRepeated: what an agent repeats of a session that is stored here is not in it twice, also where it comes
// after the agent has said that the session is open, as that of Gemini CLI.
func TestRepeated(t *testing.T) {
	t.Parallel()
	for agent, wire := range map[string]string{
		"gemini": "a41f2f0b-e83d-40d7-b49d-3c0b1179b4b7", "copilot": "9c447d18-e918-4845-bc62-4264b06dc404",
	} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(sessiontest.Root(t), "testdata", "acp-kept", agent+".jsonl")
			a := playing(t, path)
			if agent == "copilot" { // its capture begins with a list
				if _, err := a.Kept(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			stored := session.StoredSession{Stored: session.Stored{ID: "1"}, Events: []session.Event{
				{ID: "a", Body: session.SessionStart{SessionID: "1", AgentSessionID: wire}},
				{ID: "b", Body: session.UserMessage{Content: "Remember the number 42."}},
				{ID: "c", Body: session.AssistantMessage{Content: "Kept."}},
			}}
			s, err := a.begin(t.Context(), session.Options{Dir: t.TempDir()}, stored, local.NoStore{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			if err := s.Send(t.Context(), session.Input{Prompt: "Which number?"}); err != nil { // before it is open
				t.Fatal(err)
			}
			sessiontest.Next[session.SessionIdle](r)
			if got := texts(r.Seen()); got != "Remember the number 42.|Kept.|Which number?|It is 42." {
				t.Errorf("it has %q", got)
			}
			if calls := sessiontest.All[session.ToolExecutionStart](r.Seen()); len(calls) > 0 {
				t.Errorf("it has the calls %+v", calls)
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestKeptUntrusted: nothing of a folder is run before it is trusted, and then not without a question.
func TestKeptUntrusted(t *testing.T) {
	t.Parallel()
	a := kept(t, "all")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := a.Resume(t.Context(), "ses_old", session.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	r := sessiontest.Read(t, s)
	q := sessiontest.Next[session.FolderTrustRequested](r)
	if err := s.Respond(t.Context(), session.FolderTrustAnswer{RequestID: q.RequestID}); err != nil {
		t.Fatal(err)
	}
	r.Rest()
	if err := s.Wait(); err == nil || len(sessiontest.All[session.UserMessage](r.Seen())) > 0 {
		t.Errorf("it ended with %v after %s", err, texts(r.Seen()))
	}
	if got := fmt.Sprint(ownID("ses_1"), ownID("-x"), ownID(strings.Repeat("a", 65))); strings.Count(got, "-") != 8 {
		t.Errorf("ids are %s", got)
	}
}
