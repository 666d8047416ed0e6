package acp

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
)

// scriptOptions are the options of the scripted agent: its large model has an effort too.
func scriptOptions(mode, model string, fast bool) string {
	effort := ""
	if model == "large" {
		effort = `,{"id":"how","name":"Effort","category":"thought_level","type":"select","currentValue":"low",
			"options":[{"name":"levels","options":[{"value":"low","name":"Low"},{"value":"high","name":"High"}]}]}`
	}
	all := jsontext.Value(fmt.Sprintf(`[{"id":"fast","name":"Fast","type":"boolean","currentValue":%t},
		{"id":"which","name":"Model","category":"model","type":"select","currentValue":%q,"options":[{"value":"small"},{"value":"large"}]}%s,
		{"id":"m","name":"Mode","category":"mode","type":"select","currentValue":%q,
			"options":[{"value":"ask","name":"Ask first"},{"value":"edits","name":"Edits"},{"value":"yolo","name":"Free"}]}]`, fast, model, effort, mode))
	if err := all.Compact(); err != nil { // a message is one line
		panic(err)
	}
	return string(all)
}

// scriptOptionsAfter are the options once one was set. Who asks for "Free" gets "Edits".
func scriptOptionsAfter(params jsontext.Value) string {
	var p struct {
		ID    string `json:"configId"`
		Value any    `json:"value"`
	}
	session.ReadWhatFits(params, &p)
	switch {
	case p.ID == "fast":
		return scriptOptions("ask", "small", p.Value == true)
	case p.ID == "which":
		return scriptOptions("ask", fmt.Sprint(p.Value), false)
	case p.ID == "how":
		return scriptOptions("ask", "small", false) // the small one has none
	case p.Value == "yolo":
		return scriptOptions("edits", "small", false)
	}
	return scriptOptions(fmt.Sprint(p.Value), "small", false)
}

// TestSettings: the options are the agent's, the mode first; one in which no user is asked says so; what
// the agent answers holds, and not what was asked for; and what comes next has the mode as it is shown.
func TestSettings(t *testing.T) {
	t.Parallel()
	a, _ := scripted(t)
	t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
	s := opening(t, a)
	r := sessiontest.Read(t, s)
	sessiontest.Next[session.SessionModeChanged](r)
	options := func() []session.Option {
		all, err := s.Options(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := []session.Option{
		{ID: "m", Name: "Mode", Category: session.OptionMode, Value: "ask", Values: []session.OptionValue{
			{ID: "ask", Name: "Ask first"}, {ID: "edits", Name: "Edits"}, {ID: "yolo", Name: "Free", Unasked: true},
		}},
		{ID: "which", Name: "Model", Category: session.OptionModel, Value: "small", Values: []session.OptionValue{{ID: "small"}, {ID: "large"}}},
		{ID: "fast", Name: "Fast", Value: "false", Values: []session.OptionValue{{ID: "true", Name: "on"}, {ID: "false", Name: "off"}}},
	}
	if got := options(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if err := s.SetOption(t.Context(), "fast", "true"); err != nil || options()[2].Value != "true" {
		t.Errorf("fast is %+v, %v", options()[2], err)
	}
	if err := s.SetModel(t.Context(), "large", "high"); err != nil {
		t.Error(err)
	}
	if models, err := s.Models(t.Context()); err != nil || len(models) != 2 {
		t.Errorf("the models are %+v, %v", models, err)
	}
	if err := s.SetOption(t.Context(), "how", "high"); err == nil {
		t.Error("an option that is gone was set")
	}
	if err := s.SetOption(t.Context(), "m", "yolo"); err != nil {
		t.Error(err)
	}
	if got := sessiontest.Next[session.SessionModeChanged](r); got.NewMode != "edits" || got.PreviousMode != "ask first" {
		t.Errorf("the mode changed: %+v", got)
	}
	if err := s.Send(t.Context(), session.Input{Prompt: "answer"}); err != nil {
		t.Fatal(err)
	}
	said, idle := sessiontest.Next[session.UserMessage](r), sessiontest.Next[session.SessionIdle](r)
	if said.AgentMode != "edits" || idle.Mode != "edits" {
		t.Errorf("the prompt is in %q, and what follows in %q", said.AgentMode, idle.Mode)
	}
}

// TestAskingModeFirst: an agent that begins in a mode in which no user is asked is in the other one before anything
// else, and the user is not warned of a mode in which nothing was done.
func TestAskingModeFirst(t *testing.T) {
	t.Parallel()
	s := opening(t, kept(t, "free"))
	r := sessiontest.Read(t, s)
	if err := s.Send(t.Context(), session.Input{Prompt: "answer"}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.SessionIdle](r)
	var modes []session.Mode
	for _, m := range sessiontest.All[session.SessionModeChanged](r.Seen()) {
		modes = append(modes, m.NewMode)
	}
	warned := len(sessiontest.All[session.SessionWarning](r.Seen())) + len(sessiontest.All[session.SessionPermissionsChanged](r.Seen()))
	if len(modes) != 1 || modes[0] != "workspace-write" || warned > 0 {
		t.Errorf("it was in the modes %q; %d warnings", modes, warned)
	}
}
