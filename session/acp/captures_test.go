package acp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/local"
	"parley/session/sessiontest"
)

// TestCaptures holds a conversation with what the real agents said, and compares what the log has of it.
// What is answered is what was answered then.
func TestCaptures(t *testing.T) {
	t.Parallel()
	for _, path := range captures(t) {
		scenario := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		name := filepath.Base(filepath.Dir(path)) + "/" + scenario
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := replay(t, path)
			checkDeltas(t, seen)
			if name != "codex/cancel_command" { // there the end of a call comes beside the end of its turn
				sessiontest.Golden(t, "acp/"+name, summary(seen))
			} else if done := sessiontest.All[session.ToolExecutionComplete](seen); len(done) != 1 || !done[0].Success {
				t.Errorf("the command that outlived its turn: %+v", done)
			}
		})
	}
}

// playing is an agent that plays a capture.
func playing(t *testing.T, path string) *Agent {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	agent := filepath.Base(filepath.Dir(path))
	a, err := Open(t.Context(), Config{
		Command: []string{program}, Env: append(os.Environ(), playVariable+"="+path, "GORACE=atexit_sleep_ms=0"), Name: agent, Dir: t.TempDir(), Store: local.NoStore{},
		Now: func() time.Time { return time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		if err := a.Close(ctx); err != nil {
			t.Errorf("close the agent: %v", err)
		}
	})
	return a
}

// replay holds the conversation of a capture and returns the events.
func replay(t *testing.T, path string) []session.Event {
	t.Helper()
	all, err := readCapture(path)
	if err != nil {
		t.Fatal(err)
	}
	s := opening(t, playing(t, path))
	d := &driver{t: t, s: s, r: sessiontest.Read(t, s)}
	sessiontest.Next[session.SessionStart](d.r)
	for _, e := range all {
		d.step(e)
	}
	if !d.killed {
		if err := s.link.call(t.Context(), "session/close", sessionParams{s.wire}, &struct{}{}); err != nil { // all is said
			t.Fatal(err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	d.r.Rest()
	if err := s.Wait(); d.killed != (err != nil) {
		t.Errorf("it ended with %v", err)
	}
	return d.r.Seen()
}

// opening is a new session of an agent.
func opening(t *testing.T, a *Agent) *Session {
	t.Helper()
	opened, err := a.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, ok := opened.(*Session)
	if !ok {
		t.Fatalf("a session is a %T", opened)
	}
	return s
}

// driver does what the client of a capture did.
type driver struct {
	t      *testing.T
	s      *Session
	r      *sessiontest.Reader
	asked  map[string]session.Ask // by the agent's id
	prompt string                 // the id of the call, until it is answered
	killed bool
}

func (d *driver) step(e entry) {
	d.t.Helper()
	m := e.message()
	var err error
	switch {
	case e.Dir == "exit":
		d.killed = strings.Contains(d.t.Name(), "killed")
	case e.Dir == "c2a" && m.Method == "session/prompt":
		d.heard()
		d.prompt = string(m.ID)
		err = d.s.Send(d.t.Context(), session.Input{Prompt: promptOf(m.Params)})
		sessiontest.Next[session.AssistantTurnStart](d.r)
	case e.Dir == "c2a" && m.Method == "_session/steering":
		d.heard()
		err = d.s.Send(d.t.Context(), session.Input{Prompt: promptOf(m.Params), Delivery: session.Immediate})
		sessiontest.Next[session.UserMessage](d.r)
	case e.Dir == "c2a" && m.Method == "session/cancel":
		d.asked = nil // stopping the turn answers them
		err = d.s.Abort(d.t.Context())
	case e.Dir == "a2c" && m.Method == "session/update" && d.prompt == "":
		d.late(m.Params)
	case e.Dir == "a2c" && m.Method == "" && d.prompt != "" && d.prompt == string(m.ID):
		d.prompt = ""
		sessiontest.Next[session.SessionIdle](d.r)
	case e.Dir == "a2c" && m.Method == "session/request_permission":
		d.ask(m.ID, sessiontest.Next[session.PermissionRequested](d.r))
	case e.Dir == "a2c" && m.Method == "elicitation/create":
		d.ask(m.ID, sessiontest.Next[session.ElicitationRequested](d.r))
	case e.Dir == "c2a" && m.Method == "":
		if q, ok := d.asked[string(m.ID)]; ok {
			err = d.answer(q, m.Result)
		}
	}
	if err != nil {
		d.t.Fatalf("%.200s: %v", e.Msg, err)
	}
}

// heard waits until all has come that the agent said before it waits: it answers a call then.
func (d *driver) heard() {
	d.t.Helper()
	if err := d.s.requestMode(d.t.Context(), "any"); err != nil {
		d.t.Fatal(err)
	}
}

// late waits for what came of a call after its turn had ended.
func (d *driver) late(params jsontext.Value) {
	d.t.Helper()
	var p updateParams
	var u update
	session.ReadWhatFits(params, &p)
	session.ReadWhatFits(p.Update, &u)
	if u.Status != "completed" && u.Status != "failed" || u.ID == "" {
		return
	}
	for _, b := range sessiontest.All[session.ToolExecutionComplete](d.r.Seen()) {
		if b.ToolCallID == u.ID {
			return
		}
	}
	sessiontest.Next[session.ToolExecutionComplete](d.r)
}

func (d *driver) ask(id jsontext.Value, q session.Ask) {
	if d.asked == nil {
		d.asked = map[string]session.Ask{}
	}
	d.asked[string(id)] = q
}

// answer answers as the client did. What it cancelled is refused.
func (d *driver) answer(ask session.Ask, result jsontext.Value) error {
	if form, is := ask.(session.ElicitationRequested); is {
		var r formResult
		session.ReadWhatFits(result, &r)
		return d.s.Respond(d.t.Context(), session.ElicitationAnswer{RequestID: form.RequestID, Action: r.Action, Content: r.Content})
	}
	q, is := ask.(session.PermissionRequested)
	if !is {
		return fmt.Errorf("no answer to a %T", ask)
	}
	var o outcome
	session.ReadWhatFits(result, &o)
	a := session.PermissionAnswer{RequestID: q.RequestID, Decision: session.Reject, OptionID: o.Outcome.Option}
	for _, option := range q.Options {
		if option.ID == a.OptionID && !option.Kind.Refuses() {
			a.Decision = session.ApproveOnce
		}
	}
	return d.s.Respond(d.t.Context(), a)
}

// promptOf is the text of a prompt.
func promptOf(params jsontext.Value) string {
	var p promptParams
	session.ReadWhatFits(params, &p)
	var texts []string
	for _, b := range p.Prompt {
		texts = append(texts, b.markdown())
	}
	return strings.Join(texts, " ")
}

// checkDeltas: what streamed is what the message has in the end.
func checkDeltas(t *testing.T, events []session.Event) {
	t.Helper()
	streamed := map[session.MessageID]string{}
	for _, ev := range events {
		switch b := ev.Body.(type) {
		case session.AssistantMessageDelta:
			streamed[b.MessageID] += b.DeltaContent
		case session.AssistantMessage:
			if streamed[b.MessageID] != b.Content {
				t.Errorf("%q streamed, and the message is %q", streamed[b.MessageID], b.Content)
			}
			delete(streamed, b.MessageID)
		}
	}
	for _, text := range streamed {
		t.Errorf("%q streamed and is in no message", text)
	}
}

// summary lists events for a golden file, without what differs from run to run.
func summary(events []session.Event) string {
	var b strings.Builder
	for _, ev := range events {
		if line := describe(ev.Body); line != "" {
			fmt.Fprintln(&b, line)
		}
	}
	return b.String()
}

func describe(body session.Body) string {
	kind := string(session.KindOf(body))
	switch b := body.(type) {
	case session.UserMessage:
		if b.Delivery == session.DeliveredSteering {
			kind += " into the turn"
		}
		return kind + " " + b.Content
	case session.AssistantMessage:
		calls := ""
		for _, r := range b.ToolRequests {
			calls += fmt.Sprintf(" calls %s", r.Name)
		}
		return fmt.Sprintf("%s %q%s %s", kind, b.Content, calls, b.Phase)
	case session.AssistantReasoning:
		return fmt.Sprintf("%s %q", kind, b.Content)
	case session.ToolExecutionStart:
		return fmt.Sprintf("%s %s %q %s parent %q", kind, b.ToolName, b.ToolTitle, b.Arguments, b.ParentToolCallID)
	case session.ToolShellOutput:
		return fmt.Sprintf("%s %q", kind, b.Text)
	case session.ToolExecutionPartialResult:
		return fmt.Sprintf("%s %q", kind, b.PartialOutput)
	case session.ToolExecutionComplete:
		return kind + " " + describeResult(b)
	case session.PermissionRequested:
		d := b.PermissionRequest.PermissionDetails
		text := fmt.Sprintf("%s %s command %q file %q path %q args %s why %q\n%s%s", kind, d.Kind, d.FullCommandText, d.FileName, d.Path, d.Args,
			d.Intention, d.Diff, d.ToolDescription)
		for _, o := range b.Options {
			text += fmt.Sprintf("\n  option %s %s %q", o.ID, o.Kind, o.Name)
		}
		return text
	case session.ElicitationRequested:
		return fmt.Sprintf("%s %s %q call %q\n%s", kind, b.Mode, b.Message, b.ToolCallID, b.RequestedSchema)
	case session.ElicitationCompleted:
		return fmt.Sprintf("%s %s %s", kind, b.Action, b.Content)
	case session.PermissionCompleted:
		return fmt.Sprintf("%s %s %q %q", kind, b.Result.Kind, b.Result.Message, b.Result.Reason)
	case session.SessionError:
		return fmt.Sprintf("%s %s %q", kind, b.ErrorType, b.Message)
	case session.SessionWarning:
		return fmt.Sprintf("%s %s %q", kind, b.WarningType, b.Message)
	case session.SessionIdle:
		return fmt.Sprintf("%s aborted %t", kind, b.Aborted)
	case session.Abort:
		return kind + " " + b.Reason
	case session.AssistantUsage:
		return fmt.Sprintf("%s in %d out %d", kind, b.InputTokens, b.OutputTokens)
	case session.SessionPermissionsChanged:
		return fmt.Sprintf("%s %s", kind, b.Mode)
	case session.Unknown:
		return fmt.Sprintf("%s %s", kind, b.Raw)
	case session.AssistantMessageStart, session.AssistantMessageDelta, session.AssistantReasoningDelta:
		return ""
	case session.CommandsChanged, session.PendingMessagesModified, session.SessionTitleChanged, session.SessionUsageInfo:
		return "" // they come beside the turns, at any time
	}
	return kind
}

func describeResult(b session.ToolExecutionComplete) string {
	text := fmt.Sprintf("success %t", b.Success)
	if b.ShellExecution != nil && b.ShellExecution.ExitCode != nil {
		text += fmt.Sprintf(" exit %d", *b.ShellExecution.ExitCode)
	}
	if b.Error != nil {
		text += fmt.Sprintf(" error %s %q", b.Error.Code, b.Error.Message)
	}
	if b.Result != nil {
		text += fmt.Sprintf(" result %.200q", b.Result.Content)
		if b.Result.DetailedContent != "" {
			text += "\n" + b.Result.DetailedContent
		}
	}
	return text
}
