package demo_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
)

// person answers every question that comes until nothing runs any more.
func (s *stage) person(answer func(session.Ask) session.Answer) {
	s.Helper()
	s.Until("the end", func(ev session.Event) bool {
		if q, ok := ev.Body.(session.Ask); ok {
			s.respond(answer(q))
		}
		return ev.Kind() == session.KindSessionIdle
	})
}

// agreeable is a user who agrees to everything, once.
func agreeable(q session.Ask) session.Answer {
	switch q := q.(type) {
	case session.PermissionRequested:
		return session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce}
	case session.UserInputRequested:
		return session.UserInputAnswer{RequestID: q.RequestID, Text: q.Choices[0]}
	case session.ElicitationRequested:
		return session.ElicitationAnswer{
			RequestID: q.RequestID, Action: session.Accept, Content: map[string]any{"name": "Oslo", "size": "m", "tags": []string{"home"}},
		}
	case session.ExitPlanModeRequested:
		return session.ExitPlanModeAnswer{RequestID: q.RequestID, Approved: true, Action: q.RecommendedAction}
	case session.McpOAuthRequired:
		return session.McpOAuthAnswer{RequestID: q.RequestID, SignIn: true}
	case session.SessionLimitsExhaustedRequested:
		return session.SessionLimitsExhaustedAnswer{RequestID: q.RequestID, Action: session.LimitAdd, Credits: 8}
	}
	return nil
}

// absent refuses everything, as a window does that has no dialog.
func absent(q session.Ask) session.Answer {
	return session.Refusal{RequestID: q.Request(), Kind: session.KindOf(q), Feedback: "There is no dialog for it."}
}

// The words of the scenes that ask, and of those that do not.
var (
	asking = []string{
		"tour", "permissions", "write", "read", "path", "url", "mcp", "memory", "custom", "danger", "form", "plan",
		"link", "sign-in", "limit",
	}
	silent = []string{"progress", "agent", "background", "todos", "notices", "retry"}
)

// Every scene goes as it should for a user who agrees, and continues sensibly
// when no user can answer.
func TestScenes(t *testing.T) {
	t.Parallel()
	play := func(word, golden string, answer func(session.Ask) session.Answer) {
		t.Run(golden, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			s.send(word, "")
			s.person(answer)
			s.countsLines()
			sessiontest.Golden(t, "demo/"+golden, sequence(s.Seen())+"\n"+said(s.Seen()))
			left, err := os.ReadDir(s.temp)
			if err != nil || len(left) != 1 {
				t.Errorf("outside its folder there is %v, %v", left, err)
			}
		})
	}
	for _, word := range slices.Concat(asking, silent) {
		play(word, word, agreeable)
	}
	for _, word := range asking {
		play(word, word+"_refused", absent)
	}
}

// A plain refusal ends the turn in every scene that asks for a permission, and
// the next prompt is answered.
func TestScenesRefusedPlainly(t *testing.T) {
	t.Parallel()
	for _, word := range asking[:slices.Index(asking, "form")] { // the others are no permissions
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			s.send(word, "")
			s.decide(session.PermissionAnswer{Decision: session.Reject})
			s.quiet()
			if n := len(sessiontest.All[session.PermissionRequested](s.Seen())); n != 1 {
				t.Errorf("%d questions after a plain refusal", n)
			}
			s.send("parallel", "")
			s.quiet()
		})
	}
}

// What is allowed for the session is not asked for again, and nothing else is
// allowed by it.
func TestGrants(t *testing.T) {
	t.Parallel()
	note, dice := "add_note", "roll_dice"
	what := map[string]string{
		"write": "every file change", "read": "reading any file in allowed folders", "path": "the path `/etc/hosts`",
		"url": "`https://example.org`", "mcp": "the tool `demo-notes/add_note`", "memory": "every memory", "custom": "the tool `roll_dice`",
	}
	for word, a := range map[string]session.PermissionAnswer{
		"write":  {Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "write"}},
		"read":   {Decision: session.ApproveForLocation, Approval: &session.Approval{Kind: "read"}},
		"path":   {Decision: session.ApproveForSession},
		"url":    {Decision: session.ApprovePermanently, Domain: "https://example.org"},
		"mcp":    {Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "mcp", ServerName: "demo-notes", ToolName: &note}},
		"memory": {Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "memory"}},
		"custom": {Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "custom-tool", ToolName: &dice}},
	} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			s.send(word, "")
			s.decide(a)
			s.quiet()
			asked := len(sessiontest.All[session.PermissionRequested](s.Seen()))
			s.send(word, "")
			s.quiet()
			if n := len(sessiontest.All[session.PermissionRequested](s.Seen())); n != asked {
				t.Errorf("asked %d times, then %d", asked, n)
			}
			all, err := s.Session.(session.GrantManager).Grants(t.Context())
			if err != nil || len(all) != 1 || all[0].What != what[word] || !all[0].Revocable {
				t.Errorf("granted are %+v, %v; want %s", all, err, what[word])
			}
			s.send("Hello", "")
			s.decide(once)
			s.quiet()
		})
	}
}

// An answer that does not fit a question never allows it.
func TestMisfits(t *testing.T) {
	t.Parallel()
	for word, a := range map[string]session.PermissionAnswer{
		"write": {Decision: session.ApprovePermanently, Domain: "https://example.org"},
		"url":   {Decision: session.ApprovePermanently, Domain: "https://example.com"},
		"path":  {Decision: session.ApproveReadOnlyForSession, Directories: []string{"/"}},
		"read":  {Decision: "allow"},
	} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			s.send(word, "")
			s.decide(a)
			s.quiet()
			if done := sessiontest.All[session.ToolExecutionComplete](s.Seen()); len(done) != 1 || done[0].Success {
				t.Errorf("%+v", done)
			}
		})
	}
}

// The file is changed as shown, to and fro, and only if it was what was shown.
func TestEdit(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	path := filepath.Join(s.Info().Dir, "hello.go")
	read := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := read()
	for _, want := range []bool{true, false} {
		s.send("write", "")
		s.decide(once)
		s.quiet()
		asked := sessiontest.All[session.PermissionRequested](s.Seen())
		if got := read(); got != asked[len(asked)-1].PermissionRequest.NewFileContents || (got != before) != want {
			t.Errorf("the file is\n%s", got)
		}
	}
	s.send("write", "")
	id := sessiontest.Next[session.PermissionRequested](s.Reader).RequestID
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.respond(session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce})
	if sessiontest.Next[session.ToolExecutionComplete](s.Reader).Success || read() != "mine" {
		t.Error("a file that was not what was shown was overwritten")
	}
	s.quiet()
}

// The folder that is shown is the one in which commands run.
func TestFolder(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	dir := s.Info().Dir
	if filepath.Dir(filepath.Dir(dir)) != s.temp {
		t.Errorf("the session works in %s, not below %s", dir, s.temp)
	}
	s.send("Hello", "")
	q := sessiontest.Next[session.PermissionRequested](s.Reader)
	for _, segment := range q.PermissionRequest.CommandSegments {
		if segment.WorkingDirectory != dir {
			t.Errorf("%s runs in %s", segment.FullCommandText, segment.WorkingDirectory)
		}
	}
	if c := sessiontest.All[session.SessionContextChanged](s.Seen()); len(c) != 1 || c[0].Cwd != dir {
		t.Errorf("%+v", c)
	}
	if c := sessiontest.All[session.SessionStart](s.Seen()); len(c) != 1 || c[0].Context.Cwd != dir {
		t.Errorf("%+v", c)
	}
	s.respond(session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	done := sessiontest.Next[session.ToolExecutionComplete](s.Reader)
	if got := done.Result.Contents[0].Cwd; got != dir {
		t.Errorf("the command ran in %s", got)
	}
	s.quiet()
}

// A form and a plan take each of the answers there are.
func TestFormAndPlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prompt string
		answer session.Answer
		want   string
	}{
		"declined":    {"form", session.ElicitationAnswer{Action: session.Decline}, "You did not fill it in"},
		"cancelled":   {"form", session.ElicitationAnswer{Action: session.Cancel}, "You did not fill it in"},
		"approved":    {"plan", session.ExitPlanModeAnswer{Approved: true, Action: "autopilot"}, "You chose **autopilot**"},
		"disapproved": {"plan", session.ExitPlanModeAnswer{Feedback: "shorter"}, "You did not approve"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			s.send(c.prompt, "")
			s.person(func(q session.Ask) session.Answer {
				switch a := c.answer.(type) {
				case session.ElicitationAnswer:
					a.RequestID = q.Request()
					return a
				case session.ExitPlanModeAnswer:
					a.RequestID = q.Request()
					return a
				}
				return nil
			})
			if got := said(s.Seen()); !strings.Contains(got, c.want) {
				t.Errorf("said:\n%s", got)
			}
			if modes := sessiontest.All[session.SessionModeChanged](s.Seen()); (name == "approved") != (len(modes) == 1) {
				t.Errorf("%+v", modes)
			}
		})
	}
}

// The form holds a field of every kind.
func TestFormSchema(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("form", "")
	q := sessiontest.Next[session.ElicitationRequested](s.Reader)
	var schema struct {
		Properties map[string]struct{ Type string }
		Required   []string
	}
	if err := json.Unmarshal(q.RequestedSchema, &schema, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, p := range schema.Properties {
		kinds[p.Type] = true
	}
	for _, kind := range []string{"string", "boolean", "integer", "number", "array"} {
		if !kinds[kind] {
			t.Errorf("no field is a %s: %s", kind, q.RequestedSchema)
		}
	}
	if !q.IsForm() || len(schema.Required) == 0 {
		t.Errorf("%+v", q)
	}
	s.abort()
	s.quiet()
}

// A sub-agent that is interrupted ends too.
func TestAbortAgent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, demo.HumanPace)
		s.send("agent", "")
		s.Until("an answer of the sub-agent", func(ev session.Event) bool {
			return ev.Agent != "" && ev.Kind() == session.KindAssistantMessageDelta
		})
		s.abort()
		s.quiet()
		ends := sessiontest.All[session.SubagentCompleted](s.Seen())
		if len(ends) != 1 || !ends[0].Cancelled || ends[0].TotalToolCalls != 2 {
			t.Errorf("%+v", ends)
		}
		s.send("parallel", "")
		s.quiet()
		for _, ev := range s.Seen()[len(s.Seen())-5:] {
			if ev.Agent != "" {
				t.Errorf("%s is sent in the name of the sub-agent", ev.Kind())
			}
		}
	})
}

// The tour leaves time to read and to press keys within two minutes.
func TestTourTakesTwoMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, demo.HumanPace)
		began := time.Now()
		s.send("tour", "")
		for ev := range s.Events() { // for longer than a Reader has patience
			if q, ok := ev.Body.(session.Ask); ok {
				time.Sleep(5 * time.Second)
				s.respond(agreeable(q))
			}
			if ev.Kind() == session.KindSessionIdle {
				break
			}
		}
		if took := time.Since(began); took > 2*time.Minute || took < 30*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// A sign-in that belongs to a turn which is stopped is settled with it: unlike
// other questions, an abort alone does not close it.
func TestSignInEndsWithItsTurn(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("sign-in", "")
	var asked session.RequestID
	s.Until("the question", func(ev session.Event) bool {
		q, ok := ev.Body.(session.McpOAuthRequired)
		asked = q.RequestID
		return ok
	})
	s.abort()
	s.quiet()
	done := sessiontest.All[session.McpOAuthCompleted](s.Seen())
	if len(done) != 1 || done[0].RequestID != asked || done[0].Outcome != "cancelled" {
		t.Errorf("settled %+v, want %s", done, asked)
	}
}

// Words of a scene count in a short prompt, in the singular and the plural, and
// not in a long one.
func TestNamed(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]session.Kind{
		"Questions?":                            session.KindUserInputRequested,
		"sign-in!":                              session.KindMcpOAuthRequired,
		"a form":                                session.KindElicitationRequested,
		"show me the plan, please":              session.KindExitPlanModeRequested,
		"explain the plan of this whole folder": session.KindPermissionRequested,
		"informal":                              session.KindPermissionRequested,
	} {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			s.send(prompt, "")
			ev := s.Until("a question", func(ev session.Event) bool {
				_, ok := ev.Body.(session.Ask)
				return ok
			})
			if ev.Kind() != want {
				t.Errorf("asked %s, want %s", ev.Kind(), want)
			}
			s.abort()
			s.quiet()
		})
	}
}
