package demo_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/demo"
	"parley/session/modelview"
	"parley/session/sessiontest"
)

// calls is what the model was sent, call by call.
type calls struct {
	mu  sync.Mutex
	all [][]modelview.Message
}

func (c *calls) add(messages []modelview.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, messages)
}

// take returns the calls since it was asked last.
func (c *calls) take() [][]modelview.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.all
	c.all = nil
	return all
}

// overheard is a stage on which is heard what the model is sent.
func overheard(t *testing.T, pace time.Duration) (*stage, *calls) {
	t.Helper()
	a, temp := start(t, pace)
	var heard calls
	demo.Overhear(a, heard.add)
	s, err := a.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &stage{T: t, Session: s, Reader: sessiontest.Read(t, s), agent: a, temp: temp}, &heard
}

// sees folds events, and hands over what the agent of a model call saw when it
// was made.
func sees(events []session.Event, call func([]modelview.Message)) *modelview.View {
	view := modelview.New()
	for _, ev := range events {
		if !ev.Replayed {
			switch b := ev.Body.(type) {
			case session.AssistantMessage:
				call(view.Of(ev.Agent))
			case session.ModelCallFailure:
				if b.RetryAttempt == 0 { // of the last one nothing was streamed
					call(view.Of(ev.Agent))
				}
			}
		}
		view.Apply(ev)
	}
	return view
}

// sent checks that what the model was sent in this session is what the events
// say that it saw, and returns that.
func (s *stage) sent(heard *calls) [][]modelview.Message {
	s.Helper()
	var want [][]modelview.Message
	sees(s.Seen(), func(messages []modelview.Message) { want = append(want, messages) })
	got := heard.take()
	if len(got) != len(want) || len(got) == 0 {
		s.Fatalf("the model was called %d times, by the events %d times", len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			s.Errorf("call %d: the model was sent\n%s\nand sees\n%s", i, gists(got[i]), gists(want[i]))
		}
	}
	return got
}

// gists is messages, a line each.
func gists(messages []modelview.Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(string(m.Role))
		if m.Source != (modelview.Source{}) {
			b.WriteString(strings.TrimRight(" "+string(m.Source.Kind)+" "+m.Source.Name, " "))
		}
		if line, _, _ := strings.Cut(m.Text(), "\n"); line != "" && (m.Role == modelview.User || m.Role == modelview.Assistant) {
			b.WriteString(": " + line)
		}
		for _, c := range m.Calls {
			b.WriteString(" [" + c.Name + "]")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// In every scene, also those of sub-agents and of requests that are cut off, the
// model is sent what the projection says, and nothing else.
func TestModelIsSentTheView(t *testing.T) {
	t.Parallel()
	for _, word := range slices.Concat(asking, silent, []string{"Hello", "question", "parallel", "long", "huge 3", "error"}) {
		for name, user := range map[string]func(session.Ask) session.Answer{"agrees": agreeable, "is not there": absent} {
			t.Run(word+" "+name, func(t *testing.T) {
				t.Parallel()
				s, heard := overheard(t, 0)
				for range 2 {
					s.send(word, "")
					s.person(user)
				}
				s.sent(heard)
			})
		}
	}
}

// What is sent to a sub-agent is its own conversation.
func TestSubAgentIsSentItsOwn(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	s.send("agent", "")
	s.quiet()
	tool, _ := demo.Command("look")
	want := "system\nuser sender agent-" + string(s.Info().ID) + ": Look at the files of the scratch folder and say what they are.\n" +
		"assistant [" + tool + "]\ntool\nassistant [view]\ntool\n"
	if got := gists(s.sent(heard)[3]); got != want {
		t.Errorf("the sub-agent was sent\n%swant\n%s", got, want)
	}
}

// What steers, what a user ran and what a prompt brought along reach the
// model as the projection puts it.
func TestModelIsSentWhatCameAlong(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	if err := s.Session.(session.ShellRunner).RunShell(t.Context(), "echo hi"); err != nil {
		t.Fatal(err)
	}
	err := s.Send(t.Context(), session.Input{
		Prompt: "question, please", Display: "/ask", Mode: session.Plan,
		Attachments: []session.Attachment{{Type: "file", Path: "notes.md", DisplayName: "notes.md"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	id := sessiontest.Next[session.UserInputRequested](s.Reader).RequestID
	s.send("be quick", session.Immediate)
	s.respond(session.UserInputAnswer{RequestID: id, Text: "tabs"})
	s.quiet()
	all := s.sent(heard)
	want := "system\nuser shell: <user_shell_command_output>\nuser: question, please\nuser mode plan: <mode_changed_notice>\n" +
		"assistant: I have a question. Press the **number** of an answer, or choose *Something else* and write your own. [ask_user]\n" +
		"tool\nuser: be quick\n"
	if got := gists(all[len(all)-1]); got != want {
		t.Errorf("the model was sent\n%swant\n%s", got, want)
	}
	if got := said(s.Seen()); !strings.Contains(got, "You said meanwhile: *be quick*") || !strings.Contains(got, "You answered *tabs*") {
		t.Errorf("said:\n%s", got)
	}
	if shown := sessiontest.All[session.UserMessage](s.Seen())[0].Content; shown != "/ask" {
		t.Errorf("shown is %q", shown)
	}
}

// Steering that comes at once does not hide the prompt.
func TestSteerAtOnce(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	s.send("long", "")
	s.Until("the prompt", func(ev session.Event) bool { return ev.Kind() == session.KindUserMessage })
	s.send("be quick", session.Immediate)
	s.quiet()
	s.sent(heard)
	if got := said(s.Seen()); !strings.HasPrefix(got, "## Part 1") || !strings.Contains(got, "You said meanwhile: *be quick*") {
		t.Errorf("said:\n%s", got)
	}
}

// What steering names is played behind what was asked, whether it comes early or at the end.
func TestSteerToScene(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"question", "long"} {
		s, _ := overheard(t, 0)
		s.send(first, "")
		if first == "question" {
			id := sessiontest.Next[session.UserInputRequested](s.Reader).RequestID
			s.send("todos", session.Immediate)
			s.respond(session.UserInputAnswer{RequestID: id, Text: "tabs"})
		} else {
			s.Until("the prompt", func(ev session.Event) bool { return ev.Kind() == session.KindUserMessage })
			s.send("todos", session.Immediate)
		}
		s.quiet()
		if got := said(s.Seen()); !strings.Contains(got, "You said meanwhile: *todos*. The demo does that next;") {
			t.Errorf("%s: said:\n%s", first, got)
		}
		if len(sessiontest.All[session.SessionTodosChanged](s.Seen())) == 0 || len(sessiontest.All[session.SessionIdle](s.Seen())) != 1 {
			t.Errorf("%s: no list of todos in the turn", first)
		}
	}
}

// After a rewind, a compaction and in another life of the session the model is
// sent what is left, and the instructions are in the log again.
func TestModelFollows(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	say := func(s *stage, word, want string) {
		t.Helper()
		s.send(word, "")
		s.quiet()
		all := s.sent(heard)
		heard.all = all // of a session, for the next time
		if got := gists(all[len(all)-1]); got != want {
			t.Errorf("%s: the model was sent\n%swant\n%s", word, got, want)
		}
	}
	const (
		notices = "user: notices\nassistant: Three notices follow: a note, a warning and an error.\n"
		retried = "user: retry\nassistant: The first attempt was cut off and taken back; this is the second. The model never saw the first.\n"
		rest    = "assistant: Each level has its own mark, so that you can tell them apart without colours.\n"
	)
	say(s, "retry", "system\nuser: retry\n")
	say(s, "notices", "system\n"+retried+notices)
	s.rewind(s.points()[1].Event, false)
	say(s, "retry", "system\n"+retried+"user: retry\n")
	s.rewind(s.points()[0].Event, false)
	say(s, "notices", "system\n"+notices)
	heard.take()
	if err := s.Session.(session.Compacter).Compact(t.Context(), "Be brief."); err != nil {
		t.Fatal(err)
	}
	got := heard.take()
	if want := "system\n" + notices + rest + "user: Summarise the conversation. Be brief.\n"; len(got) != 1 || gists(got[0]) != want {
		t.Fatalf("to summarise, the model was sent %d times\n%swant\n%s", len(got), gists(got[0]), want)
	}
	const summary = "user summary: Some of the conversation history has been summarized to free up context.\n"
	s.send("retry", "")
	s.quiet()
	if all := heard.take(); gists(all[0]) != "system\n"+summary+"user: retry\n" || !strings.Contains(all[0][1].Text(), "exchanged 3 messages") {
		t.Errorf("after the compaction the model was sent\n%s", gists(all[0]))
	}
	live := sees(s.Seen(), func([]modelview.Message) {}).Messages()
	live[0].Origin = live[0].Origin[len(live[0].Origin)-1:] // the rewinds took the earlier ones out of the log
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := s.resumed(s.Info().ID)
	sessiontest.Next[session.SessionResume](again.Reader)
	stored := sees(again.Seen(), func([]modelview.Message) {}).Messages()
	for _, messages := range [][]modelview.Message{stored, live} {
		for i := range messages {
			messages[i].ID = modelview.ID{} // the log is shorter than what happened
		}
	}
	if !reflect.DeepEqual(stored, live) {
		t.Errorf("stored is\n%s\nand it was\n%s", gists(stored), gists(live))
	}
	say(again, "retry", "system\n"+summary+retried+"user: retry\n")
}

// The instructions are sent once, and again when they change.
func TestInstructions(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	ctx := t.Context()
	turns := func(want ...string) {
		t.Helper()
		before := len(sessiontest.All[session.SystemMessage](s.Seen()))
		s.send("parallel", "")
		s.quiet()
		sent := sessiontest.All[session.SystemMessage](s.Seen())[before:]
		if (len(sent) > 0) != (len(want) > 0) || len(sent) > 1 {
			t.Fatalf("got %+v, want one that has %q", sent, want)
		}
		for _, w := range want {
			if !strings.Contains(sent[0].Content, w) {
				t.Errorf("got %q, want %q in it", sent[0].Content, w)
			}
		}
	}
	turns("No model reads this", demo.Fast, s.Info().Dir, "Ask for everything else")
	turns()
	for _, err := range []error{
		s.Session.(session.ModelSetter).SetModel(ctx, "demo-deep", ""), s.Session.(session.AgentPicker).SelectAgent(ctx, "poet"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	turns("demo-deep", `"poet"`)
	s.send("write", "")
	s.decide(session.PermissionAnswer{Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "write"}})
	s.quiet() // sent before the answer to it
	turns()
	if err := s.Session.(session.AllowAllSetter).SetAllowAll(ctx, true); err != nil {
		t.Fatal(err)
	}
	turns("Nothing needs permission")
	last := s.sent(heard)
	if n := strings.Count(gists(last[len(last)-1]), "system"); n != 1 {
		t.Errorf("the model sees %d instructions", n)
	}
}

// A mode is sent to the model with the first prompt in it.
func TestModeNotice(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	modes := s.Session.(session.ModeSetter)
	for _, m := range []session.Mode{session.Plan, session.Plan, session.Interactive} {
		if err := modes.SetMode(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		s.send("parallel", "")
		s.quiet()
	}
	s.sent(heard)
	notices := sessiontest.All[session.SessionModeNoticeDelivered](s.Seen())
	if len(notices) != 2 || notices[0].Mode != session.Plan || notices[1].Mode != session.Interactive || !strings.Contains(notices[0].Content, "plan mode") {
		t.Errorf("got %+v", notices)
	}
}

// What was interrupted is in the conversation as the projection says.
func TestModelSeesAnAbort(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	s.send("Hello", "")
	sessiontest.Next[session.PermissionRequested](s.Reader)
	s.abort()
	s.quiet()
	s.send("long", "")
	s.quiet()
	all := s.sent(heard)
	last := all[len(all)-1]
	tool, _ := demo.Command("hello")
	if result := last[len(last)-2]; !result.Interrupted || result.ToolName != tool || last[len(last)-1].Text() != "long" {
		t.Errorf("the model was sent\n%s", gists(last))
	}
}

// The end of what ran in the background reaches the model as a notification.
func TestModelHearsOfTheBackground(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, heard := overheard(t, demo.HumanPace)
		s.send("background", "")
		s.quiet()
		time.Sleep(time.Minute) // longer than a Reader has patience
		s.quiet()
		s.quiet()
		all := s.sent(heard)
		got := gists(all[len(all)-1])
		if !strings.Contains(got, "user notification agent_completed: ") || !strings.HasSuffix(got, "user notification shell_completed: "+
			"<system_notification>wait for a minute has ended; the demo pretended it.</system_notification>\n") {
			t.Errorf("the model was sent\n%s", got)
		}
	})
}

// A question on the side is sent behind what the model sees, and is not kept.
func TestModelHearsAside(t *testing.T) {
	t.Parallel()
	s, heard := overheard(t, 0)
	s.send("retry", "")
	s.quiet()
	s.sent(heard)
	text, err := s.Session.(session.SideQuestionAsker).AskAside(context.WithoutCancel(t.Context()), "why?")
	if err != nil || !strings.Contains(text, "*why?*") {
		t.Errorf("%q, %v", text, err)
	}
	s.send("retry", "")
	s.quiet()
	all := heard.take()
	if got := gists(all[0]); !strings.HasSuffix(got, "assistant: The first attempt was cut off and taken back; this is the second. "+
		"The model never saw the first.\nuser: why?\n") || strings.Contains(gists(all[1]), "why?") {
		t.Errorf("the model was sent\n%s, then\n%s", got, gists(all[1]))
	}
}

// The figures are those of the messages.
func TestFiguresFollow(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	var last session.SessionUsageInfo
	check := func() {
		t.Helper()
		reports := sessiontest.All[session.SessionUsageInfo](s.Seen())
		last = reports[len(reports)-1]
		conversation, n := 0, 0
		for _, m := range sees(s.Seen(), func([]modelview.Message) {}).Messages() {
			if m.Role != modelview.System {
				conversation, n = conversation+(m.Size()+3)/4, n+1
			}
		}
		if last.ConversationTokens != conversation || last.MessagesLength != n || last.CurrentTokens != last.SystemTokens+conversation {
			t.Errorf("%+v, want %d tokens in %d messages", last, conversation, n)
		}
	}
	s.send("long", "")
	s.quiet()
	s.send("parallel", "")
	s.quiet()
	s.rewind(s.points()[1].Event, false)
	sessiontest.Next[session.SessionUsageInfo](s.Reader)
	check()
	if err := s.Session.(session.Compacter).Compact(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	done := sessiontest.Next[session.SessionCompactionComplete](s.Reader)
	before := last
	sessiontest.Next[session.SessionUsageInfo](s.Reader)
	check()
	if done.PreCompactionTokens != before.CurrentTokens || done.PostCompactionTokens != last.CurrentTokens {
		t.Errorf("%+v, and the context went from %d to %d", done, before.CurrentTokens, last.CurrentTokens)
	}
}
