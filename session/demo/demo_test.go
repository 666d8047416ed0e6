package demo_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
)

// noon is when everything happens.
func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// stage is an open session and what a test needs around it.
type stage struct {
	*testing.T
	session.Session
	*sessiontest.Reader
	agent *demo.Agent
	temp  string
}

func open(t *testing.T, pace time.Duration) *stage {
	t.Helper()
	a, temp := start(t, pace)
	s, err := a.Open(t.Context(), session.Options{Dir: "/home/ada"})
	if err != nil {
		t.Fatal(err)
	}
	return &stage{T: t, Session: s, Reader: sessiontest.Read(t, s), agent: a, temp: temp}
}

// start starts an agent that leaves nothing behind in its folder.
func start(t *testing.T, pace time.Duration) (a *demo.Agent, temp string) {
	t.Helper()
	temp = t.TempDir()
	a, err := demo.Open(t.Context(), demo.Config{Pace: pace, Now: noon, TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if left := scratch(temp); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return a, temp
}

// resumed is a stored session that is continued.
func (s *stage) resumed(id session.ID) *stage {
	s.Helper()
	again, err := s.agent.Resume(s.Context(), id, session.Options{})
	if err != nil {
		s.Fatal(err)
	}
	return &stage{T: s.T, Session: again, Reader: sessiontest.Read(s.T, again), agent: s.agent, temp: s.temp}
}

// scratch returns the scratch folders there are.
func scratch(temp string) []string {
	dirs, _ := filepath.Glob(filepath.Join(temp, "*"))
	return dirs
}

func (s *stage) send(prompt string, delivery session.Delivery) {
	s.Helper()
	if err := s.Send(s.Context(), session.Input{Prompt: prompt, Delivery: delivery}); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) respond(a session.Answer) {
	s.Helper()
	if err := s.Respond(s.Context(), a); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) abort() {
	s.Helper()
	if err := s.Abort(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// said is the text of all answers of the root agent.
func said(events []session.Event) string {
	var b strings.Builder
	for _, ev := range events {
		if m, ok := ev.Body.(session.AssistantMessage); ok && ev.Agent == "" && m.Content != "" {
			fmt.Fprintf(&b, "%s\n\n", m.Content)
		}
	}
	return b.String()
}

// quiet reads up to the moment when nothing runs any more.
func (s *stage) quiet() { sessiontest.Next[session.SessionIdle](s.Reader) }

// decide answers the next permission.
func (s *stage) decide(a session.PermissionAnswer) {
	s.Helper()
	a.RequestID = sessiontest.Next[session.PermissionRequested](s.Reader).RequestID
	s.respond(a)
}

var once = session.PermissionAnswer{Decision: session.ApproveOnce}

// sequence is the kinds of what was seen, with what distinguishes them; runs of
// the same are one. The scratch folder, which has another name each time, is
// SCRATCH.
func sequence(events []session.Event) string {
	var b strings.Builder
	last, scratch := "", ""
	for _, ev := range events {
		mark := "P"
		if ev.Ephemeral {
			mark = "e"
		}
		if ev.Agent != "" {
			mark += " sub"
		}
		if c, ok := ev.Body.(session.SessionContextChanged); ok {
			scratch = c.Cwd
		}
		if line := strings.TrimSpace(fmt.Sprintf("%s %s %s", mark, ev.Kind(), gist(ev.Body))); line != last {
			fmt.Fprintln(&b, line)
			last = line
		}
	}
	if scratch == "" {
		return demo.InSh(b.String())
	}
	const separator = string(filepath.Separator)
	return strings.NewReplacer(
		strings.ReplaceAll(scratch+separator, `\`, `\\`), "SCRATCH/", scratch+separator, "SCRATCH/", scratch, "SCRATCH",
	).Replace(demo.InSh(b.String()))
}

// countsLines skips the test in Wine 8, whose find cannot.
func (s *stage) countsLines() {
	s.Helper()
	for _, out := range sessiontest.All[session.ToolShellOutput](s.Seen()) {
		if strings.HasPrefix(out.Text, "FIND: Invalid switch") {
			s.Skip("not in Wine 8: find has no /c")
		}
	}
}

func gist(b session.Body) string {
	switch b := b.(type) {
	case session.UserMessage:
		return fmt.Sprintf("%s %q", b.Delivery, b.Content)
	case session.AssistantTurnStart:
		return b.TurnID
	case session.AssistantTurnEnd:
		return b.TurnID
	case session.AssistantMessage:
		line, _, _ := strings.Cut(b.Content, "\n")
		return fmt.Sprintf("%q, %d tools", line, len(b.ToolRequests))
	case session.ToolExecutionStart:
		return fmt.Sprintf("%s %s", b.ToolName, b.Arguments)
	case session.ToolExecutionComplete:
		if b.Error != nil {
			return fmt.Sprintf("%s: %s", b.Error.Code, b.Error.Message)
		}
		if b.ShellExecution != nil {
			return fmt.Sprintf("exit %d", *b.ShellExecution.ExitCode)
		}
		return "ok"
	case session.PermissionRequested:
		p := b.PromptRequest
		return strings.TrimSpace(fmt.Sprint(p.Kind, " ", p.FullCommandText, p.CommandIdentifiers, p.FileName, p.Path, p.Paths,
			p.URL, p.ServerName, " ", p.ToolName, string(p.Args), p.Fact))
	case session.PermissionCompleted:
		return strings.TrimSpace(b.Result.Kind + " " + b.Result.Feedback)
	case session.UserInputRequested:
		return fmt.Sprintf("%s %v", b.Question, b.Choices)
	case session.UserInputCompleted:
		return fmt.Sprintf("%s %v", b.Answer, b.WasFreeform)
	case session.ElicitationRequested:
		return b.Message
	case session.ElicitationCompleted:
		return fmt.Sprintf("%s %s", b.Action, b.Content)
	case session.ExitPlanModeRequested:
		return fmt.Sprintf("%s %v", b.Summary, b.Actions)
	case session.ExitPlanModeCompleted:
		return fmt.Sprintf("%t %s %s", *b.Approved, b.SelectedAction, b.Feedback)
	case session.SubagentStarted:
		return b.AgentDisplayName
	case session.SubagentCompleted:
		return fmt.Sprintf("%s, %d tools, cancelled %t", b.AgentDisplayName, b.TotalToolCalls, b.Cancelled)
	case session.SubagentFailed:
		return b.AgentDisplayName + ": " + b.Error
	case session.ToolExecutionProgress:
		return b.ProgressMessage
	case session.AssistantIntent:
		return b.Intent
	case session.SessionError:
		return b.Message
	case session.SessionWarning:
		return b.WarningType + " " + b.URL
	case session.SessionInfo:
		return b.InfoType
	case session.AssistantTurnRetry:
		return b.Reason
	case session.SessionTitleChanged:
		return b.Title
	case session.SessionCompactionComplete:
		return b.Outcome
	case session.SessionModeChanged:
		return string(b.PreviousMode) + " to " + string(b.NewMode)
	case session.SessionModelChange:
		return strings.TrimSuffix(b.PreviousModel+" to "+b.NewModel+", "+b.ReasoningEffort, ", ")
	case session.AssistantIdle:
		return map[bool]string{true: "aborted"}[b.Aborted]
	case session.SessionIdle:
		return map[bool]string{true: "aborted "}[b.Aborted] + string(b.Mode)
	case session.AgentInterrupted:
		return strings.TrimSpace(fmt.Sprint(b.Activity, " ", b.CancelPhase, strings.Join(b.ToolNames, " ")))
	default:
		return ""
	}
}

// Every scene in the runtime's order of events.
func TestSequences(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(*stage){
		"hello": func(s *stage) {
			s.send("Hello\nthere", "")
			s.decide(once)
		},
		"session approval": func(s *stage) {
			s.send("Hello", "")
			s.decide(session.PermissionAnswer{Decision: session.ApproveForSession, Approval: &session.Approval{
				Kind: "commands", CommandIdentifiers: []string{"touch", "copy", "ls", "dir", "rm"},
			}})
			s.quiet()
			s.send("Again", "")
		},
		"refused with feedback": func(s *stage) {
			s.send("Hello", "")
			s.decide(session.PermissionAnswer{Decision: session.Reject, Feedback: "not today"})
		},
		"refused plainly": func(s *stage) {
			s.send("Hello", "")
			s.decide(session.PermissionAnswer{Decision: session.Reject})
		},
		"question": func(s *stage) {
			s.send("Ask a question!", "")
			id := sessiontest.Next[session.UserInputRequested](s.Reader).RequestID
			s.respond(session.UserInputAnswer{RequestID: id, Text: "tabs"})
		},
		"question refused": func(s *stage) {
			s.send("question", "")
			id := sessiontest.Next[session.UserInputRequested](s.Reader).RequestID
			s.respond(session.Refusal{RequestID: id, Kind: session.KindUserInputRequested})
		},
		"parallel": func(s *stage) { s.send("in parallel, please", "") },
		"long":     func(s *stage) { s.send("a long answer", "") },
		"error":    func(s *stage) { s.send("an error", "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			play(s)
			s.quiet()
			s.countsLines()
			sessiontest.Golden(t, "demo/"+strings.ReplaceAll(name, " ", "_"), sequence(s.Seen()))
		})
	}
}

// What the demo says is read as a user reads it.
func TestHello(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("Hello", "")
	s.decide(once)
	s.quiet()
	sessiontest.Golden(t, "demo/hello_text", said(s.Seen()))
	done := sessiontest.All[session.ToolExecutionComplete](s.Seen())
	if len(done) != 1 || !strings.Contains(done[0].Result.Content, "hello.txt") {
		t.Errorf("the command did not run: %+v", done)
	}
	printed := ""
	for _, o := range sessiontest.All[session.ToolShellOutput](s.Seen()) {
		printed += o.Text
	}
	if got := done[0].Result.Contents[0].OutputPreview; got != printed {
		t.Errorf("streamed %q, the result says %q", printed, got)
	}
}

func TestHuge(t *testing.T) {
	t.Parallel()
	for prompt, kilobytes := range map[string]int{
		"HUGE": 200, "huge 12": 12, "huge, 3 KB": 3, "huge 0": 1, "huge 1000": 1000, "a huge one of 99999999999999999999": 20_000,
	} {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			s.send(prompt, "")
			s.quiet()
			message := sessiontest.All[session.AssistantMessage](s.Seen())[0]
			if n := len(message.Content); n < kilobytes<<10 || n > (kilobytes+2)<<10 {
				t.Errorf("%d bytes, want %d KB", n, kilobytes)
			}
			if n := len(sessiontest.All[session.AssistantMessageDelta](s.Seen())); n > 800 {
				t.Errorf("%d pieces: too slow at a human pace", n)
			}
		})
	}
}

// Steering goes into the running turn, a queued prompt follows it.
func TestSteerAndQueue(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("Hello", "")
	id := sessiontest.Next[session.PermissionRequested](s.Reader).RequestID
	s.send("later, a long one", session.Enqueue)
	s.send("be quick", session.Immediate)
	for range 2 {
		sessiontest.Next[session.PendingMessagesModified](s.Reader)
	}
	pending, err := s.Session.(session.Queuer).Pending(t.Context())
	if err != nil || len(pending) != 2 || pending[0].Text != "be quick" || !pending[0].Steering ||
		pending[1].Text != "later, a long one" || pending[1].Steering || pending[0].ID == pending[1].ID {
		t.Errorf("pending: %+v, %v", pending, err)
	}
	s.respond(session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce})
	s.quiet()
	sessiontest.Golden(t, "demo/steer_and_queue", sequence(s.Seen()))
	if pending, _ := s.Session.(session.Queuer).Pending(t.Context()); len(pending) != 0 {
		t.Errorf("still pending: %+v", pending)
	}
}

// What is said during the last model call gets one of its own.
func TestSteerLate(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("huge", "")
	sessiontest.Next[session.AssistantMessageDelta](s.Reader)
	s.send("thanks", session.Immediate)
	s.quiet()
	said := sessiontest.All[session.AssistantMessage](s.Seen())
	if len(said) != 2 || !strings.Contains(said[1].Content, "thanks") {
		t.Errorf("%d messages", len(said))
	}
	var got []string
	for _, m := range sessiontest.All[session.UserMessage](s.Seen()) {
		got = append(got, string(m.Delivery))
	}
	if strings.Join(got, " ") != "idle steering" {
		t.Errorf("delivered: %v", got)
	}
}
