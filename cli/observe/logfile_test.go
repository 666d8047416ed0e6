package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/cli/process"
	"parley/session"
	"parley/session/copilot"
	"parley/session/demo"
	"parley/session/observe"
	"parley/session/sessiontest"
	"parley/session/trace"
)

// secret is put wherever a text can be.
const secret = "hunter2 /home/me/secret"

// bare is a session without any optional capability.
type bare struct{ session.Session }

// bareAgent opens what strip leaves of a session. It is no
// session.Latest.
type bareAgent struct {
	session.Agent
	strip func(session.Session) session.Session
}

func (a bareAgent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	s, err := a.Agent.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return a.strip(s), nil
}

// logged is an agent with a log.
func logged(agent session.Agent, log *slog.Logger) session.Agent {
	return observe.Agent(agent, begun(log))
}

func logger(w *bytes.Buffer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }

func TestLoggedLatest(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	agent := logged(&stubAgent{}, logger(&log))
	latest, ok := session.As[session.Latest](agent)
	if !ok {
		t.Fatal("an agent that knows its latest session has forgotten it")
	}
	s, err := agent.Open(t.Context(), session.Options{Dir: "/work/here"})
	if err != nil {
		t.Fatal(err)
	}
	if id, err := latest.LatestID(t.Context(), "/work/here"); err != nil || id != s.Info().ID {
		t.Errorf("latest %q, %v", id, err)
	}
	if err := agent.Close(t.Context()); err != nil || !strings.Contains(log.String(), `"folder":"here"`) || strings.Contains(log.String(), "/work") {
		t.Errorf("%v: %s", err, log.String())
	}
}

// TestLoggedConforms holds a logged agent to the port.
func TestLoggedConforms(t *testing.T) {
	t.Parallel()
	sessiontest.Conformance(t, func(t *testing.T) sessiontest.Harness {
		t.Helper()
		temp := t.TempDir()
		a, err := demo.Open(t.Context(), demo.Config{TempDir: temp})
		if err != nil {
			t.Fatal(err)
		}
		return sessiontest.Harness{
			Agent: logged(a, slog.New(slog.DiscardHandler)), Options: session.Options{Dir: temp},
			Answer: "a long answer", Ask: "Hello", Long: "huge", Remembers: true,
			Ran: func() bool {
				made, _ := filepath.Glob(filepath.Join(temp, "*", "*", "hello.txt"))
				return len(made) > 0
			},
		}
	})
}

// poison puts the secret into every string of a JSON value but those that are
// identifiers, and into every name that is free.
func poison(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			v[k] = poison(inner, k)
		}
		v["unknownMember"] = secret
		return v
	case []any:
		for i := range v {
			v[i] = poison(v[i], key)
		}
		return append(v, poisonLike(v)...)
	case string:
		if lower := strings.ToLower(key); strings.HasSuffix(lower, "id") || lower == "timestamp" || lower == "type" {
			return v
		}
		return secret
	}
	return v
}

// poisonLike is one more element for a list of strings.
func poisonLike(list []any) []any {
	for _, v := range list {
		if _, ok := v.(string); !ok {
			return nil
		}
	}
	return []any{secret}
}

// TestLogHoldsNoSecret says the secret in every text of every kind of event, in
// every call and in every error, and looks for it in the log.
func TestLogHoldsNoSecret(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	inner := &stubAgent{}
	agent := logged(inner, logger(&log))
	opened, err := agent.Open(t.Context(), session.Options{Dir: "/home/me/secret/project", Model: secret, Mode: secret})
	if err != nil {
		t.Fatal(err)
	}
	s, stub := opened, inner.sessions[0]
	kinds := 0
	for kind, line := range sessiontest.Events(t) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		poisoned, err := json.Marshal(poison(v, ""))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{line, poisoned} {
			ev := session.Decode(text)
			if ask, ok := ev.Body.(session.Ask); ok && ask.Request() == "" {
				t.Fatalf("%s has no request", kind)
			}
			stub.events <- ev
			<-s.Events()
			kinds++
		}
	}
	for _, ev := range []session.Event{
		{Body: session.Unknown{Type: secret, Raw: jsontext.Value(`{"a":"` + secret + `"}`)}},
		{ID: secret, Agent: secret, Body: session.AssistantMessageDelta{MessageID: secret, DeltaContent: secret}},
		{Body: session.SessionError{ErrorType: secret, Message: secret, ErrorCode: secret}},
		{Body: session.ToolExecutionStart{ToolCallID: secret, ToolName: secret}},
	} {
		stub.events <- ev
		<-s.Events()
	}
	ctx := t.Context()
	if err := s.Send(ctx, session.Input{
		Prompt: secret, Display: secret, Mode: secret, Delivery: secret, Attachments: []session.Attachment{{Path: secret}},
	}); err != nil {
		t.Error(err)
	}
	for _, a := range []session.Answer{
		session.PermissionAnswer{RequestID: secret, Decision: secret, Feedback: secret, Domain: secret},
		session.UserInputAnswer{RequestID: secret, Text: secret},
		session.ElicitationAnswer{RequestID: secret, Action: secret, Content: map[string]any{secret: secret}},
		session.ExitPlanModeAnswer{RequestID: secret, Action: secret, Feedback: secret},
		session.FolderTrustAnswer{RequestID: secret},
		session.Refusal{RequestID: secret, Kind: secret, Feedback: secret},
	} {
		if err := s.Respond(ctx, a); !errors.Is(err, session.ErrResolved) {
			t.Errorf("%T: %v", a, err)
		}
	}
	_, _ = agent.Resume(ctx, secret, session.Options{Dir: "/home/me/secret/project", Mode: secret}) // it does not exist
	stub.end(errors.New(secret))
	if err := agent.Close(ctx); err != nil {
		t.Error(err)
	}
	for _, word := range []string{"hunter2", "secret", "/home", "/me", "unknownMember"} {
		if at := strings.Index(log.String(), word); at >= 0 {
			t.Errorf("the log holds %q: …%s…", word, log.String()[max(0, at-200):min(log.Len(), at+100)])
		}
	}
	if n := strings.Count(log.String(), `"msg":"event"`); n != kinds+4 {
		t.Errorf("%d events of %d were logged", n, kinds+4)
	}
	for _, want := range []string{`"msg":"start"`, `"kind":"assistant.message_delta"`, `"folder":"project"`, `"kind":"(unknown)"`, `"category":"other"`, `"error":"settled"`, `"answer":"refusal"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %s", want)
		}
	}
}

// TestLogRecordedSessions reads every recorded log through a logged session:
// each line of the log is JSON, and none holds a word that was said.
func TestLogRecordedSessions(t *testing.T) {
	t.Parallel()
	for _, file := range sessiontest.Logs(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		calls := trace.NewCalls()
		for _, ev := range sessiontest.Log(t, name) {
			var log bytes.Buffer
			logger(&log).LogAttrs(t.Context(), slog.LevelInfo, "event", trace.Describe(ev, calls)...)
			var fields map[string]any
			if err := json.Unmarshal(log.Bytes(), &fields); err != nil || fields["kind"] == "" || fields["bytes"] == nil {
				t.Errorf("%s: %v: %s", name, err, log.String())
			}
			for _, value := range fields {
				if text, ok := value.(string); ok && strings.ContainsAny(text, "/<\n") {
					t.Errorf("%s: %q is in the log of a %s", name, text, ev.Kind())
				}
			}
		}
	}
}

func TestLogFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "log")
	for range 2 {
		f, err := openLogFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("line\n"); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	text, err := os.ReadFile(name)
	if err != nil || string(text) != "line\nline\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestLogFileIsKeptFromOthers makes a file for the user alone, and takes away what others may do with
// one that was there.
func TestLogFileIsKeptFromOthers(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "modes of files")
	name := filepath.Join(t.TempDir(), "log")
	made, err := openLogFile(name)
	if err != nil {
		t.Fatal(err)
	}
	made.Close()
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(name, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := openLogFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 || info.Size() != 4 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestLogWriteError says once that the log could not be written.
func TestLogWriteError(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "/dev/full")
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no full device here")
	}
	said, err := os.Create(filepath.Join(t.TempDir(), "err"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	failed := errors.New("the command's own")
	got := Observer{LogFile: "/dev/full"}.withLog(process.Console{Err: said}, func(o Observer) error {
		o.log.Info("one")
		o.log.Info("two")
		return failed
	})
	text, err := os.ReadFile(said.Name())
	if !errors.Is(got, failed) || err != nil || strings.Count(string(text), "the log file is not complete") != 1 || !strings.Contains(string(text), "no space") {
		t.Errorf("%v, %v: %q", got, err, text)
	}
}

// TestLogNumbersCalls logs the same call under the same number, and never its
// id.
func TestLogNumbersCalls(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	calls := trace.NewCalls()
	for _, b := range []session.Body{
		session.ToolExecutionStart{ToolCallID: "call_a"},
		session.ToolExecutionStart{ToolCallID: "call_b"},
		session.ToolExecutionComplete{ToolCallID: "call_b"},
		session.ToolExecutionComplete{ToolCallID: "call_a"},
	} {
		logger(&log).LogAttrs(t.Context(), slog.LevelInfo, "event", trace.Describe(session.Event{Body: b}, calls)...)
	}
	var numbers []any
	for line := range strings.Lines(log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, fields["call"])
	}
	if got := fmt.Sprint(numbers); got != "[1 2 2 1]" || strings.Contains(log.String(), "call_") {
		t.Errorf("%s: %s", got, log.String())
	}
}

func TestErrorCategories(t *testing.T) {
	t.Parallel()
	_, missing := os.Open(filepath.Join(t.TempDir(), secret))
	for want, err := range map[string]error{
		"settled": session.ErrResolved, "cancelled": context.Canceled, "deadline": context.DeadlineExceeded,
		"not found": missing, "not permitted": fs.ErrPermission, "file read": &fs.PathError{Op: "read", Path: secret, Err: errors.New(secret)},
		"other": errors.New(secret), "closed": fmt.Errorf("x: %w", copilot.ErrClosed), "no runtime": copilot.ErrNotFound,
		"unreachable":                fmt.Errorf("x: %w", &net.OpError{Op: "dial", Err: errors.New(secret)}),
		"runtime version":            fmt.Errorf("x: %w", copilot.ErrVersion),
		"protocol version":           fmt.Errorf("x: %w", copilot.ErrProtocol),
		"connection token":           fmt.Errorf("x: %w", copilot.ErrToken),
		"not the protocol":           fmt.Errorf("x: %w", copilot.ErrGarbled),
		"runtime ended":              fmt.Errorf("x: %w", copilot.ErrEnded),
		"panic":                      fmt.Errorf("x: %w", errors.Join(copilot.ErrEnded, &session.PanicError{Value: secret})),
		"runtime ended, exit code 3": played(t, "runtime ended, exit code 3").Run(),
	} {
		if got := category(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}

// jammed is a log handler that panics at an event of a kind.
type jammed struct {
	slog.Handler
	kind session.Kind
}

func (j jammed) WithAttrs([]slog.Attr) slog.Handler { return j }

func (j jammed) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Value.String() == string(j.kind) {
			panic("the frobnicator is jammed")
		}
		return true
	})
	return nil
}

// TestLogPanics ends the session when the log of its events panics, and says so.
func TestLogPanics(t *testing.T) {
	t.Parallel()
	inner := &stubAgent{}
	agent := logged(inner, slog.New(jammed{slog.NewJSONHandler(io.Discard, nil), session.KindSessionIdle}))
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	inner.sessions[0].events <- session.Event{Body: session.SessionIdle{}}
	r := sessiontest.Read(t, s)
	r.Rest()
	var crash *session.PanicError
	if err := s.Wait(); !errors.As(err, &crash) || !strings.Contains(err.Error(), "the log of the session has ended: the program panicked") {
		t.Errorf("ended with %v", err)
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
}
