package acp

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
)

// scriptVariable names the file that the scripted agent makes when it is allowed to.
const scriptVariable = "PARLEY_ACP_SCRIPT"

// script is an agent whose prompts say what it does: "ask" asks before it makes its file, "form" asks for
// something to be filled in, "long" writes until it is stopped, "crash" ends it, and all else is answered
// in words.
type script struct {
	made string
	mu   sync.Mutex
	ids  int
	stop map[string]chan struct{} // by session
	wait map[string]chan message  // for answers, by id
	in   *bufio.Reader
}

func runScript(made string) {
	s := &script{made: made, stop: map[string]chan struct{}{}, wait: map[string]chan message{}, in: bufio.NewReader(os.Stdin)}
	for {
		line, err := s.in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if session.Unmarshal(line, &m) == nil {
			s.take(m)
		}
	}
}

func (s *script) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0",`+format+"}\n", args...)
}

func (s *script) take(m message) {
	var p struct {
		promptParams `json:",embed"`
	}
	session.ReadWhatFits(m.Params, &p)
	if s.keeps(m) {
		return
	}
	switch m.Method {
	case "initialize":
		s.say(`"id":%s,"result":{"protocolVersion":1,"agentInfo":{"name":"script","version":"1"},"agentCapabilities":%s,"_meta":{"steering":{"supported":true}}}`, m.ID, canKeep())
	case "session/new":
		s.say(`"id":%s,"result":{"sessionId":%q,"configOptions":%s}`, m.ID, uuid.NewString(), scriptOptions("ask", "small", false))
	case "session/set_config_option":
		s.say(`"id":%s,"result":{"configOptions":%s}`, m.ID, scriptOptionsAfter(m.Params))
	case "session/prompt":
		stop := make(chan struct{})
		s.mu.Lock()
		s.stop[p.SessionID] = stop
		s.mu.Unlock()
		go s.turn(m.ID, p.SessionID, p.Prompt[0].Text, stop)
	case "_session/steering":
		s.steer(m.ID, p.SessionID, p.Prompt[0].Text)
	case "session/cancel":
		s.mu.Lock()
		if stop := s.stop[p.SessionID]; stop != nil {
			delete(s.stop, p.SessionID)
			close(stop)
		}
		s.mu.Unlock()
	case "":
		s.mu.Lock()
		s.wait[string(m.ID)] <- m
		s.mu.Unlock()
	default:
		s.say(`"id":%s,"result":{}`, m.ID)
	}
}

func (s *script) update(id, update string) {
	s.say(`"method":"session/update","params":{"sessionId":%q,"update":%s}`, id, update)
}

func (s *script) turn(call jsontext.Value, id, prompt string, stop chan struct{}) {
	reason := "end_turn"
	switch {
	case strings.HasPrefix(prompt, "long"):
		for running := true; running; {
			s.update(id, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"more "}}`)
			select {
			case <-stop:
				reason, running = "cancelled", false
			case <-time.After(time.Millisecond):
			}
		}
	case strings.HasPrefix(prompt, "silent"):
		s.update(id, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Wait."}}`)
		<-stop
	case strings.HasPrefix(prompt, "ask"):
		reason = s.ask(id, stop)
	case strings.HasPrefix(prompt, "form"):
		reason = s.form(id, prompt, stop)
	case strings.HasPrefix(prompt, "crash"):
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	default:
		s.update(id, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"An "}}`)
		s.update(id, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"answer."}}`)
	}
	s.say(`"id":%s,"result":{"stopReason":%q}`, call, reason)
}

// request returns the id of a new request, and where its answer comes.
func (s *script) request() (int, chan message) {
	answer := make(chan message, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids++
	s.wait[fmt.Sprint(s.ids)] = answer
	return s.ids, answer
}

// ask asks whether it may make its file.
func (s *script) ask(id string, stop chan struct{}) (reason string) {
	tool := uuid.NewString()
	n, answer := s.request()
	s.update(id, fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":%q,"title":"Make it","kind":"execute","status":"pending","rawInput":{"command":"make it"}}`, tool))
	s.say(`"id":%d,"method":"session/request_permission","params":{"sessionId":%q,"toolCall":{"toolCallId":%q},"options":[`+
		`{"optionId":"all","kind":"allow_always","name":"Always"},{"optionId":"one","kind":"allow_once","name":"Once"},`+
		`{"optionId":"no","kind":"reject_once","name":"No"}]}`, n, id, tool)
	var o outcome
	select {
	case m := <-answer:
		session.ReadWhatFits(m.Result, &o)
	case <-stop:
		session.ReadWhatFits((<-answer).Result, &o)
		return "cancelled"
	}
	status := "failed"
	if o.Outcome.Option == "one" || o.Outcome.Option == "all" {
		status = "completed"
		if os.WriteFile(s.made, []byte(o.Outcome.Option), 0o600) != nil {
			return "refusal"
		}
	}
	s.update(id, fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":%q,"status":%q}`, tool, status))
	return "end_turn"
}

// scripted returns an agent that runs the script, and the file that it makes.
func scripted(t *testing.T, env ...string) (a *Agent, made string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	made = filepath.Join(t.TempDir(), "made")
	a, err = Open(t.Context(), Config{
		Command: []string{program}, Env: append(append(os.Environ(), scriptVariable+"="+made, "GORACE=atexit_sleep_ms=0"), env...), Name: "script",
		Dir: t.TempDir(), Store: sessions.StoreIn(t.TempDir()),
	})
	if err != nil {
		t.Fatal(err)
	}
	return a, made
}

func (a *Agent) started() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.link != nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestConformance(t *testing.T) {
	t.Parallel()
	sessiontest.Conformance(t, func(t *testing.T) sessiontest.Harness {
		t.Helper()
		a, made := scripted(t)
		return sessiontest.Harness{
			Agent: a, Options: session.Options{Dir: t.TempDir()}, Answer: "answer", Ask: "ask", Long: "long",
			Ran: func() bool { return exists(made) },
		}
	})
}

// TestAgentGone: what streamed is kept, the question is closed and not approved, the error names what the
// agent wrote last, and the session can be resumed with a new process.
func TestAgentGone(t *testing.T) {
	t.Parallel()
	a, made := scripted(t)
	s, err := a.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := sessiontest.Read(t, s)
	for _, prompt := range []string{"answer", "crash"} {
		if err := s.Send(t.Context(), session.Input{Prompt: prompt}); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.AssistantIdle](r)
	}
	r.Rest()
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "out of luck") {
		t.Errorf("it ended with %v", err)
	}
	again, err := a.Resume(t.Context(), s.Info().ID, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r = sessiontest.Read(t, again)
	if err := again.Send(t.Context(), session.Input{Prompt: "ask"}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.PermissionRequested](r)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := a.Close(ctx); err != nil {
		t.Error(err)
	}
	if exists(made) {
		t.Error("closing has approved something")
	}
}

// TestOptions: what is answered is one of the agent's options, and what it does not offer is no answer.
func TestOptions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer session.PermissionAnswer
		made   string
		fails  bool
	}{
		"once":                         {session.PermissionAnswer{Decision: session.ApproveOnce}, "one", false},
		"always, by its id":            {session.PermissionAnswer{Decision: session.ApproveForSession, OptionID: "all"}, "all", false},
		"always, not by its id":        {session.PermissionAnswer{Decision: session.ApproveForSession}, "", true},
		"an option that there is not":  {session.PermissionAnswer{Decision: session.ApproveOnce, OptionID: "none"}, "", true},
		"a refusal that would approve": {session.PermissionAnswer{Decision: session.Reject, OptionID: "all"}, "", true},
		"an approval that would not":   {session.PermissionAnswer{Decision: session.ApproveOnce, OptionID: "no"}, "", true},
		"no":                           {session.PermissionAnswer{Decision: session.Reject}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, made := scripted(t)
			t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
			s, err := a.Open(t.Context(), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			if err := s.Send(t.Context(), session.Input{Prompt: "ask"}); err != nil {
				t.Fatal(err)
			}
			tt.answer.RequestID = sessiontest.Next[session.PermissionRequested](r).RequestID
			if err := s.Respond(t.Context(), tt.answer); (err != nil) != tt.fails {
				t.Fatalf("answered with %v", err)
			}
			if tt.fails { // it is still open
				if err := s.Respond(t.Context(), session.Refusal{RequestID: tt.answer.RequestID}); err != nil {
					t.Fatal(err)
				}
			}
			sessiontest.Next[session.AssistantIdle](r)
			if got, _ := os.ReadFile(made); string(got) != tt.made {
				t.Errorf("it was allowed %q, not %q", got, tt.made)
			}
		})
	}
}

// TestUntrustedFolder: nothing is started in a folder that brings something before it is trusted.
func TestUntrustedFolder(t *testing.T) {
	t.Parallel()
	for _, trusted := range []bool{true, false} {
		a, _ := scripted(t)
		t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := a.Open(t.Context(), session.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		r := sessiontest.Read(t, s)
		q := sessiontest.Next[session.FolderTrustRequested](r)
		if len(q.Loads) != 1 || q.Loads[0].Path != ".mcp.json" {
			t.Errorf("it names %v", q.Loads)
		}
		if a.started() {
			t.Error("the agent was started before the answer")
		}
		if err := s.Respond(t.Context(), session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: trusted}); err != nil {
			t.Fatal(err)
		}
		if trusted {
			sessiontest.Next[session.SessionStart](r)
			continue
		}
		r.Rest()
		if err := s.Wait(); err == nil || a.started() {
			t.Errorf("it ended with %v, and the agent was started: %t", err, a.started())
		}
	}
}

// FuzzUpdate: whatever an agent says, it is taken without a panic, a message is what streamed of it, and a
// call ends at most once.
func FuzzUpdate(f *testing.F) {
	for _, line := range []string{
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}`,
		`{"sessionUpdate":"tool_call","toolCallId":"c","kind":"edit","status":"pending","content":[{"type":"diff","path":"f","oldText":null,"newText":"x"}]}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","_meta":{"terminal_exit":{"exit_code":1}}}`,
		`{"sessionUpdate":"usage_update","used":-1,"size":1}`, `{"sessionUpdate":7}`, `[]`, `null`,
	} {
		f.Add(line, line)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		talk := newTalk(uuid.NewString, func(string) (string, bool) { return "text", true })
		var events []session.Event
		for _, raw := range []string{first, second, first} {
			for _, b := range talk.past(jsontext.Value(raw)) {
				events = append(events, session.Event{Body: b})
			}
		}
		for _, b := range talk.endPast() {
			events = append(events, session.Event{Body: b})
		}
		for _, raw := range []string{first, second, first} {
			for _, b := range talk.update(jsontext.Value(raw)) {
				events = append(events, session.Event{Body: b})
			}
		}
		for _, b := range talk.end(true, true) {
			events = append(events, session.Event{Body: b})
		}
		checkDeltas(t, events)
		ended := map[session.CallID]int{}
		for _, done := range sessiontest.All[session.ToolExecutionComplete](events) {
			ended[done.ToolCallID]++
		}
		starts := sessiontest.All[session.ToolExecutionStart](events)
		for _, b := range starts {
			if ended[b.ToolCallID] == 0 {
				t.Errorf("the call %q has no end", b.ToolCallID)
			}
		}
		if len(starts) != len(sessiontest.All[session.ToolExecutionComplete](events)) {
			t.Errorf("%d calls began, and %d ended", len(starts), len(sessiontest.All[session.ToolExecutionComplete](events)))
		}
	})
}
