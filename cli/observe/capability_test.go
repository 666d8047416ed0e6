package observe

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/demo"
)

// granter is a session with things that are allowed.
type granter struct {
	bare
	granted []session.Grant
}

func (g *granter) Grants(context.Context) ([]session.Grant, error) { return g.granted, nil }

func (g *granter) Revoke(context.Context, session.Grant) error {
	g.granted = nil
	return nil
}

// TestLoggedGrants lists and takes back through the log, which says of it no
// more than how far it reached.
func TestLoggedGrants(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	grant := session.Grant{ID: secret, Scope: session.GrantLocation, What: secret, Where: secret, Revocable: true}
	granting := func(s session.Session) session.Session { return &granter{bare{s}, []session.Grant{grant}} }
	s, err := logged(bareAgent{&stubAgent{}, granting}, logger(&log)).Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keeper, ok := session.As[session.GrantManager](s)
	if !ok {
		t.Fatal("the logged session does not list what is allowed")
	}
	if all, err := keeper.Grants(t.Context()); err != nil || len(all) != 1 || all[0] != grant {
		t.Errorf("granted are %v, %v", all, err)
	}
	if err := keeper.Revoke(t.Context(), grant); err != nil {
		t.Error(err)
	}
	if all, err := keeper.Grants(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("granted are %v, %v", all, err)
	}
	grant.Scope = secret
	if err := keeper.Revoke(t.Context(), grant); err != nil {
		t.Error(err)
	}
	if said := log.String(); strings.Contains(said, secret) || !strings.Contains(said, `"scope":"location"`) || !strings.Contains(said, `"scope":"other"`) {
		t.Errorf("the log says %s", said)
	}
}

// has are the optional capabilities, and whether v has each of them.
func has(v any) map[string]bool {
	all := map[string]bool{}
	for name, as := range map[string]func(any) bool{
		"Accounts": found[session.Accounts], "AgentPicker": found[session.AgentPicker], "AllowAllSetter": found[session.AllowAllSetter],
		"CommandHost": found[session.CommandHost], "Compacter": found[session.Compacter], "Completer": found[session.Completer],
		"ContextReporter": found[session.ContextReporter], "Directories": found[session.Directories],
		"GrantManager": found[session.GrantManager], "Latest": found[session.Latest], "Library": found[session.Library],
		"McpManager": found[session.McpManager], "ModeSetter": found[session.ModeSetter], "ModelSetter": found[session.ModelSetter],
		"OptionSetter":   found[session.OptionSetter],
		"WorkdirChanger": found[session.WorkdirChanger], "PlanManager": found[session.PlanManager], "QueueEditor": found[session.QueueEditor],
		"Queuer": found[session.Queuer], "Renamer": found[session.Renamer], "Rewinder": found[session.Rewinder],
		"ShellRunner": found[session.ShellRunner], "SlashCommandRunner": found[session.SlashCommandRunner],
		"SideQuestionAsker": found[session.SideQuestionAsker], "SkillManager": found[session.SkillManager],
		"TaskManager": found[session.TaskManager], "TodoLister": found[session.TodoLister], "UsageReporter": found[session.UsageReporter],
	} {
		all[name] = as(v)
	}
	return all
}

func found[C any](v any) bool {
	_, ok := session.As[C](v)
	return ok
}

// TestLoggedKeepsCapabilities finds behind the log what a session and an agent
// can do, and nothing else.
func TestLoggedKeepsCapabilities(t *testing.T) {
	t.Parallel()
	embedded, err := demo.Open(t.Context(), demo.Config{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	queue := func(s session.Session) session.Session {
		q, _ := s.(session.Queuer)
		return struct {
			bare
			session.Queuer
		}{bare{s}, q}
	}
	for name, c := range map[string]struct {
		agent session.Agent
		can   string
	}{
		"nothing": {bareAgent{&stubAgent{}, func(s session.Session) session.Session { return bare{s} }}, ""},
		"a queue": {bareAgent{&stubAgent{}, queue}, "Queuer"},
		"stub":    {&stubAgent{}, "Latest"},
		"demo": {embedded, "AgentPicker AllowAllSetter Compacter Completer ContextReporter Directories GrantManager " +
			"Latest Library McpManager ModeSetter ModelSetter PlanManager QueueEditor Queuer Renamer Rewinder ShellRunner " +
			"SideQuestionAsker SkillManager SlashCommandRunner TaskManager TodoLister UsageReporter WorkdirChanger"},
	} {
		agent := logged(c.agent, slog.New(slog.DiscardHandler))
		s, err := agent.Open(t.Context(), session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		decorator, ok := s.(session.Decorator)
		if !ok {
			t.Fatal("the logged session decorates nothing")
		}
		var can []string
		for _, of := range []struct{ outer, inner any }{{agent, c.agent}, {s, decorator.Inner()}} {
			inner := has(of.inner)
			for what, is := range has(of.outer) {
				if is != inner[what] {
					t.Errorf("%s: %T is a %s: %t", name, of.inner, what, !is)
				}
				if is {
					can = append(can, what)
				}
			}
		}
		slices.Sort(can)
		if got := strings.Join(can, " "); got != c.can {
			t.Errorf("%s: it can %s, want %s", name, got, c.can)
		}
		if err := agent.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestLoggedUnable holds that a caller who asks the log for what the session lacks
// gets an error that says so.
func TestLoggedUnable(t *testing.T) {
	t.Parallel()
	strip := func(s session.Session) session.Session { return bare{s} }
	agent := logged(bareAgent{&stubAgent{}, strip}, slog.New(slog.DiscardHandler))
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, v := range []any{agent, s} {
		for name, returned := range everyCall(t, v) {
			calls++
			if err, _ := returned[len(returned)-1].Interface().(error); !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if calls < 40 {
		t.Errorf("%d calls", calls)
	}
}

// everyCall calls each method of an optional capability that the log has, with
// the secret for every text, and returns what came of it.
func everyCall(t *testing.T, v any) iter.Seq2[string, []reflect.Value] {
	t.Helper()
	port := reflect.TypeFor[session.Session]()
	if _, ok := v.(session.Agent); ok {
		port = reflect.TypeFor[session.Agent]()
	}
	return func(yield func(string, []reflect.Value) bool) {
		on := reflect.ValueOf(v)
		for i := range on.NumMethod() {
			name := on.Type().Method(i).Name
			if _, ours := port.MethodByName(name); ours || name == "Inner" {
				continue
			}
			call := on.Method(i)
			args := []reflect.Value{reflect.ValueOf(t.Context())}
			in := call.Type().NumIn()
			switch {
			case in == 0:
				continue // it asks the agent nothing
			case call.Type().IsVariadic():
				in-- // without any
			}
			for n := 1; n < in; n++ {
				arg := reflect.New(call.Type().In(n)).Elem()
				switch arg.Kind() {
				case reflect.String:
					arg.SetString(secret)
				case reflect.Bool:
					arg.SetBool(true)
				case reflect.Struct:
					arg.Set(reflect.ValueOf(session.Grant{ID: secret, Scope: secret, What: secret, Where: secret}))
				default:
				}
				args = append(args, arg)
			}
			if !yield(name, call.Call(args)) {
				return
			}
		}
	}
}

// TestLoggedCallsHoldNoSecret makes every call there is of an agent that can do
// everything, with the secret in each text, and looks for it in the log. What
// changes something has a line there.
func TestLoggedCallsHoldNoSecret(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	inner, err := demo.Open(t.Context(), demo.Config{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	agent := logged(inner, logger(&log))
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for range s.Events() {
			continue // somebody has to read
		}
	}()
	for _, v := range []any{agent, s} {
		for range everyCall(t, v) {
			continue
		}
	}
	capable, ok := s.(interface {
		session.SlashCommandRunner
		session.AgentPicker
		session.SkillManager
		session.McpManager
		session.WorkdirChanger
	})
	if !ok {
		t.Fatal("the session has lost what it can do")
	}
	ctx := t.Context()
	dir, err := filepath.Abs("/home/me/secret/project") // on a drive, where there are any
	if err != nil {
		t.Fatal(err)
	}
	_, invoked := capable.Invoke(ctx, "env", secret) // it is listed by now
	if err := errors.Join(
		invoked, capable.SelectAgent(ctx, "poet"), capable.EnableSkill(ctx, "haiku", true), capable.RestartMcp(ctx, "demo-weather"),
		capable.SetDir(ctx, dir), agent.Close(ctx),
	); err != nil {
		t.Error(err)
	}
	for _, word := range []string{"hunter2", "secret", "/home", "/me", "poet", "haiku", "demo-weather"} {
		if at := strings.Index(log.String(), word); at >= 0 {
			t.Errorf("the log holds %q: …%s…", word, log.String()[max(0, at-200):min(log.Len(), at+100)])
		}
	}
	for _, msg := range []string{
		"latest", "fork", "delete", "set mode", "set model", "compact", "revoke", "set allow all", "withdraw", "reword", "move",
		"send now", "rewind", "redo", "rename", "set folder", "add folder", "invoke", "run shell", "ask aside", "cancel task",
		"remove task", "background", "write plan", "select agent", "enable skill", "enable MCP server", "restart MCP server",
	} {
		if !strings.Contains(log.String(), `"msg":"`+msg+`"`) {
			t.Errorf("no line for %q", msg)
		}
	}
	for _, want := range []string{`"command":"(other)"`, `"command":"env"`, `"effort":"(odd)"`, `"task":"(odd)"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %s", want)
		}
	}
}
