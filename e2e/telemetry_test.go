package e2e

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/agents"
	"parley/cli/observe"
	"parley/cli/process"
	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
	"parley/session/sessiontest/otlp"
	"parley/settings"
)

// toReceiver is the environment of a window that exports to a receiver.
func toReceiver(r *otlp.Receiver, more ...string) []string {
	return append([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + r.URL}, more...)
}

// shown are the attributes that the trees of these tests show.
var shown = []string{
	"error.type", "process.exit.code", "gen_ai.agent.name", "gen_ai.response.finish_reasons", "github.copilot.permission.kind",
	"github.copilot.permission.result", "github.copilot.system.notification.type", "github.copilot.system.notification.shell_id",
	"github.copilot.system.notification.exit_code", "parley.outcome",
}

// exporting talks in a session of an agent in this process, which is exported to a
// receiver. The libraries of OpenTelemetry read the environment of the process, so that
// the test is not parallel.
func exporting(t *testing.T, to *otlp.Receiver, b agents.Backend, o agents.Options, talk func(session.Session)) {
	t.Helper()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", to.URL)
	err := observe.Observer{}.Around(process.Console{Err: os.Stderr, Env: toReceiver(to)}, func(w observe.Observer) error {
		agent, err := w.Open(b)(t.Context())
		if err != nil {
			return err
		}
		s, err := agent.Open(t.Context(), session.Options{Dir: o.Dir})
		if err == nil {
			talk(s)
			err = s.Close(t.Context())
		}
		return errors.Join(err, agent.Close(t.Context()))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// telemetryTree is what TestTelemetry exports.
const telemetryTree = `
invoke_agent Copilot CLI gen_ai.agent.name=Copilot CLI
  turn
    chat fake-model gen_ai.response.finish_reasons=[tool_calls]
    execute_tool bash process.exit.code=0
      * github.copilot.permission.requested github.copilot.permission.kind=shell
      * github.copilot.permission.completed github.copilot.permission.kind=shell github.copilot.permission.result=approved
    execute_tool bash process.exit.code=3
      * github.copilot.permission.requested github.copilot.permission.kind=shell
      * github.copilot.permission.completed github.copilot.permission.kind=shell github.copilot.permission.result=approved
  turn
    chat fake-model gen_ai.response.finish_reasons=[tool_calls]
    execute_tool task
      invoke_agent explore gen_ai.agent.name=explore
        turn
          chat fake-model gen_ai.response.finish_reasons=[tool_calls]
          execute_tool bash process.exit.code=0
        turn
          chat fake-model gen_ai.response.finish_reasons=[stop]
  turn
    chat fake-model gen_ai.response.finish_reasons=[stop]
invoke_agent Copilot CLI gen_ai.agent.name=Copilot CLI
  turn
    chat fake-model gen_ai.response.finish_reasons=[tool_calls]
    execute_tool bash
  turn
    chat fake-model gen_ai.response.finish_reasons=[stop]
invoke_agent Copilot CLI (follows) gen_ai.agent.name=Copilot CLI
  * github.copilot.system.notification github.copilot.system.notification.type=shell_completed` +
	` github.copilot.system.notification.shell_id=w github.copilot.system.notification.exit_code=0
  execute_tool read_bash
  turn
    chat fake-model gen_ai.response.finish_reasons=[stop]
`

// TestTelemetry exports a session of the real Copilot CLI: tools side by side, a
// sub-agent, a command in the background and the notification of its end. Of what
// was said nothing is exported.
func TestTelemetry(t *testing.T) {
	onCLI(t)
	address, err := sharedRuntime() // it does not export
	if err != nil {
		t.Fatal(err)
	}
	receiver, dir := otlp.Serve(t), t.TempDir()
	async := llm.Call{Name: "bash", Args: object{"command": "echo begun; cat door", "description": "Wait at the door", "mode": "async", "shellId": "w"}}
	scout := llm.Call{Name: "task", Args: object{
		"name": "scout", "agent_type": "explore", "description": "Look for the key", "prompt": "find the key @@sub", "mode": "sync",
	}}
	model := llm.Serve(t, llm.Script{
		"main": {{Calls: []llm.Call{bash("touch MARKER"), bash("exit 3")}}, {Calls: []llm.Call{scout}}, {Text: "Both are done."}},
		"sub":  {shell("echo found"), {Text: "The key is under the mat."}},
		"late": {{Calls: []llm.Call{async}}, {Text: "It runs."}, {Text: "unheard"}, {Text: "The door is open."}},
	})
	door := filepath.Join(dir, "door")
	if err := sessiontest.Mkfifo(door); err != nil {
		t.Fatal(err)
	}
	o := agents.Options{Agent: agents.Copilot, CopilotURL: address, Dir: dir}
	b, err := agents.Choose(o, model.Env(t.TempDir()), settings.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	exporting(t, receiver, b, o, func(s session.Session) {
		r := sessiontest.Read(t, s)
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		do(s.Send(t.Context(), session.Input{Prompt: "do it @@main"}))
		for range 2 {
			q := sessiontest.Next[session.PermissionRequested](r)
			do(s.Respond(t.Context(), session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce}))
		}
		sessiontest.Next[session.AssistantIdle](r)
		do(s.Send(t.Context(), session.Input{Prompt: "go on @@late"}))
		sessiontest.Next[session.AssistantIdle](r)
		do(os.WriteFile(door, []byte("opened\n"), 0o600)) // once the command reads it
		sessiontest.Next[session.SystemNotification](r)
		sessiontest.Next[session.AssistantIdle](r)
	})

	tree := receiver.Tree(shown...)
	if tree != telemetryTree[1:] {
		t.Errorf("the receiver has\n%s\nwant%s", tree, telemetryTree)
	}
	for _, span := range receiver.Spans() {
		if text := span.String(); strings.Contains(text, "MARKER") || strings.Contains(text, "door") || strings.Contains(text, "mat") && strings.Contains(text, "under") {
			t.Errorf("content is exported: %s", text)
		}
	}
	if receiver.Metrics()["gen_ai.client.token.usage"] != "{token}" || receiver.Resource()["service.name"] != "parley" {
		t.Errorf("metrics %v of %v", receiver.Metrics(), receiver.Resource())
	}
}

// TestTelemetryHeadless exports a turn without a window, with content where that
// is asked for.
func TestTelemetryHeadless(t *testing.T) {
	s := headlessShared(t, llm.Script{"go": {shell("touch made.txt"), {Text: "Made it."}}})
	r := otlp.Serve(t)
	s.env = append(s.env, toReceiver(r, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true")...)
	s.expect(s.ask("", "-p", "make it @@go", "--allow-all"), process.ExitOK, "Made it.\n")
	want := "invoke_agent Copilot CLI\n  turn\n    chat fake-model\n    execute_tool bash\n" +
		"      * github.copilot.permission.requested\n      * github.copilot.permission.completed\n  turn\n    chat fake-model\n"
	if got := r.Tree(); got != want {
		t.Fatalf("the receiver has\n%s", got)
	}
	root := r.Spans()[0]
	if in, out := otlp.Attribute(root, "gen_ai.input.messages"), otlp.Attribute(root, "gen_ai.output.messages"); !strings.Contains(in, "make it @@go") || !strings.Contains(out, "Made it.") {
		t.Errorf("what was said is %q and %q", in, out)
	}
}

// TestTelemetryOfTheDemo exports a turn of the demo, says once when no receiver takes it or
// when it cannot start, and opens no connection without a variable that asks for one: a
// receiver that listens where the SDK sends by itself, and one that is named and
// switched off, stay untouched.
func TestTelemetryOfTheDemo(t *testing.T) {
	t.Parallel()
	x := &chatting{T: t, home: t.TempDir()}
	ask := func(says string, env ...string) {
		t.Helper()
		got := x.ask(env, "--agent", "demo", "-p", "parallel")
		if n := strings.Count(got.Err, "telemetry is"); !strings.Contains(got.Err, says) || n > 0 != (says != "") || n > 1 {
			t.Errorf("%q: exit code %d, it said\n%s", env, got.Code, got.Err)
		}
	}
	r := otlp.Serve(t)
	ask("", toReceiver(r)...)
	if tree := r.Tree("gen_ai.provider.name"); !strings.HasPrefix(tree, "invoke_agent demo gen_ai.provider.name=demo\n  turn\n") ||
		!strings.Contains(tree, "    execute_tool bash\n") {
		t.Errorf("the receiver has\n%s", tree)
	}
	refusing := otlp.Serve(t)
	refusing.Refuse(403)
	ask("parley: the telemetry is not complete: ", toReceiver(refusing)...)
	ask(`parley: telemetry is off: OTEL_TRACES_EXPORTER is "zipkin"`, toReceiver(r, "OTEL_TRACES_EXPORTER=zipkin")...)

	standard, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:4318")
	if err == nil {
		t.Cleanup(func() { standard.Close() })
		go func() {
			if c, err := standard.Accept(); err == nil {
				c.Close()
				t.Error("something connected to the standard address")
			}
		}()
	}
	untouched := otlp.Serve(t)
	ask("", "OTEL_SERVICE_NAME=x")
	ask("", toReceiver(untouched, "OTEL_SDK_DISABLED=true")...)
	if n := untouched.Connections(); n != 0 {
		t.Errorf("%d connections were opened", n)
	}
}

// TestNoTelemetryOfReplays: what is played again was exported when it happened.
func TestNoTelemetryOfReplays(t *testing.T) {
	r := otlp.Serve(t)
	o := agents.Options{Agent: agents.ReplayPrefix + "testdata/sessions/tool_parallel_three.jsonl"}
	b, err := agents.Choose(o, nil, settings.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	exporting(t, r, b, o, func(s session.Session) {
		sessiontest.Next[session.AssistantIdle](sessiontest.Read(t, s))
	})
	if tree := r.Tree(); tree != "" {
		t.Errorf("what was played again was exported:\n%s", tree)
	}
}
