package main

import (
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/session/sessiontest/llm"
	"parley/session/sessiontest/otlp"
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

// TestTelemetry exports a chat with the real Copilot CLI: tools side by side, a
// sub-agent, a command in the background and the notification of its end. Of what
// was said nothing is exported.
func TestTelemetry(t *testing.T) {
	t.Parallel()
	r := otlp.Serve(t)
	async := call("bash", object{"command": "echo begun; cat door", "description": "Wait at the door", "mode": "async", "shellId": "w"})
	s := play(t, llm.Script{
		"main": {calling(bash("touch MARKER"), bash("exit 3")), calling(delegate("sync", "find the key @@sub")), said("Both are done.")},
		"sub":  {calling(bash("echo found")), said("The key is under the mat.")},
		"late": {calling(async), said("It runs."), said("unheard"), said("The door is open.")},
	}, launch{env: toReceiver(r), width: 100, height: 40})
	s.pipe("door")
	s.say("do it @@main")
	s.answer("y", "1 of 2", textOnce)
	s.answer("y", "1 of 1", textOnce)
	s.idle("Both are done.")
	s.say("go on @@late")
	s.idle("It runs.", "1 shell in the background")
	s.feed("door", "opened\n")
	s.idle("The door is open.")
	s.quietly()
	s.leave()

	tree := r.Tree(shown...)
	t.Log("\n" + tree)
	want := `
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
	if tree != want[1:] {
		t.Errorf("the receiver has\n%s\nwant%s", tree, want)
	}
	for _, s := range r.Spans() {
		if text := s.String(); strings.Contains(text, "MARKER") || strings.Contains(text, "door") || strings.Contains(text, "mat") && strings.Contains(text, "under") {
			t.Errorf("content is exported: %s", text)
		}
	}
	if r.Metrics()["gen_ai.client.token.usage"] != "{token}" || r.Resource()["service.name"] != "parley" {
		t.Errorf("metrics %v of %v", r.Metrics(), r.Resource())
	}
}

// TestTelemetryHeadless exports a turn without a window, with content where that
// is asked for, and says once when nobody takes it.
func TestTelemetryHeadless(t *testing.T) {
	s := headlessOn(t, llm.Script{"go": {shell("touch made.txt"), {Text: "Made it."}}})
	plain := s.env
	ask := func(env ...string) ran {
		s.env = append(plain[:len(plain):len(plain)], env...)
		return s.ask("", "-p", "make it @@go", "--allow-all")
	}
	r := otlp.Serve(t)
	s.expect(ask(toReceiver(r, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true")...), exitOK, "Made it.\n")
	want := "invoke_agent Copilot CLI\n  turn\n    chat fake-model\n    execute_tool bash\n" +
		"      * github.copilot.permission.requested\n      * github.copilot.permission.completed\n  turn\n    chat fake-model\n"
	if got := r.Tree(); got != want {
		t.Errorf("the receiver has\n%s", got)
	}
	root := r.Spans()[0]
	if in, out := otlp.Attribute(root, "gen_ai.input.messages"), otlp.Attribute(root, "gen_ai.output.messages"); !strings.Contains(in, "make it @@go") || !strings.Contains(out, "Made it.") {
		t.Errorf("what was said is %q and %q", in, out)
	}
	r.Refuse(403)
	got := ask(toReceiver(r)...)
	s.expect(got, exitOK, "Made it.\n", "parley: the telemetry is not complete: ", "403")
	if n := strings.Count(got.err, "telemetry"); n != 1 {
		t.Errorf("it was said %d times:\n%s", n, got.err)
	}
	s.expect(ask("OTEL_TRACES_EXPORTER=zipkin"), exitOK, "Made it.\n", `parley: telemetry is off: OTEL_TRACES_EXPORTER is "zipkin"`)
}

// terminated ends a window from outside, whatever it shows.
func terminated(x *terminal) {
	x.t.Helper()
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		x.t.Fatal(err)
	}
	if code := x.exit(); code != 128+int(syscall.SIGTERM) {
		x.t.Errorf("exit code %d", code)
	}
}

// TestTelemetryOfTheDemo exports a chat with the demo, and none that is played
// again.
func TestTelemetryOfTheDemo(t *testing.T) {
	t.Parallel()
	r := otlp.Serve(t)
	x := start(t, launch{args: []string{"--agent", "demo", "hello"}, env: toReceiver(r)})
	x.wait(textWaiting)
	terminated(x)
	x.checkRestored()
	tree := r.Tree("gen_ai.provider.name")
	for _, want := range []string{"invoke_agent demo gen_ai.provider.name=demo\n  turn\n", "\n    chat demo-fast gen_ai.provider.name=demo\n", "\n    execute_tool bash\n"} {
		if !strings.Contains(tree, want) {
			t.Errorf("%q is not in\n%s", want, tree)
		}
	}
	again := otlp.Serve(t)
	log, err := filepath.Abs("testdata/sessions/tool_parallel_three.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	x = start(t, launch{args: []string{"--agent", "replay:" + log, "--speed", "0"}, env: toReceiver(again)})
	x.wait("─ 2 commands", "240 tokens")
	terminated(x)
	if tree := again.Tree(); tree != "" {
		t.Errorf("what was played again was exported:\n%s", tree)
	}
}

// TestNoTelemetry opens no connection without a variable that asks for it: a
// receiver that listens where the SDK sends by itself, and one that is named and
// switched off, stay untouched.
func TestNoTelemetry(t *testing.T) {
	t.Parallel()
	r := otlp.Serve(t)
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
	for _, env := range [][]string{{"OTEL_SERVICE_NAME=x"}, toReceiver(r, "OTEL_SDK_DISABLED=true")} {
		x := start(t, launch{args: []string{"--agent", "demo", "hello"}, env: env})
		x.wait(textWaiting)
		terminated(x)
	}
	if n := r.Connections(); n != 0 {
		t.Errorf("%d connections were opened", n)
	}
}
