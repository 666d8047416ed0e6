package copilot

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

const listed = `{"commands":[
	{"name":"model","aliases":["models"],"description":"","kind":"builtin","allowDuringAgentExecution":true},
	{"name":"theirs","description":"","kind":"client","allowDuringAgentExecution":true}]}`

// TestInvocation reads each kind of result that the schema has. The real
// runtime gives some of them to no client of this kind.
func TestInvocation(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		result string
		want   session.SlashResult
		fails  string
		calls  string // what is called for it
	}{
		"text": {
			result: `{"kind":"text","text":"**a**","markdown":true,"preserveAnsi":true}`,
			want:   session.SlashResult{Text: "**a**", Markdown: true},
		},
		"prompt": {
			result: `{"kind":"agent-prompt","prompt":"long","displayPrompt":"short","mode":"plan","notice":"mind","reservationToken":"t"}`,
			want: session.SlashResult{
				Text: "mind", Prompt: &session.Input{Prompt: "long", Display: "short", Mode: session.Plan},
			},
		},
		"done":           {result: `{"kind":"completed"}`},
		"done, and said": {result: `{"kind":"completed","message":"well"}`, want: session.SlashResult{Text: "well"}},
		"done, in a mode": {
			result: `{"kind":"completed","mode":"plan"}`, calls: "session.mode.set",
		},
		"ways to continue": {
			result: `{"kind":"select-subcommand","command":"x","title":"Which","options":[` +
				`{"name":"one","description":"the first","group":"g"},{"name":"two","description":"the second"}]}`,
			want: session.SlashResult{Title: "Which", Options: []session.SlashOption{
				{Input: "one", Label: "one", Description: "the first"}, {Input: "two", Label: "two", Description: "the second"},
			}},
		},
		"entry": {
			result: `{"kind":"add-timeline-entry","entry":{"type":"info","text":"look","url":"https://example.org"},"prefillInput":"/exit"}`,
			want: session.SlashResult{
				Entries: []session.SlashEntry{{Kind: "info", Text: "look", URL: "https://example.org"}}, Draft: "/exit",
			},
		},
		"entry of an error": {
			result: `{"kind":"add-timeline-entry","entry":{"type":"error","text":"no such thing","remediation":"sign_in"}}`,
			want:   session.SlashResult{Entries: []session.SlashEntry{{Kind: "error", Text: "no such thing", Remedy: "sign_in"}}},
		},
		"entry of the agent": {
			result: `{"kind":"add-timeline-entry","entry":{"type":"copilot","text":"**a**"}}`,
			want:   session.SlashResult{Entries: []session.SlashEntry{{Kind: "copilot", Text: "**a**"}}},
		},
		"dialog": {
			result: `{"kind":"show-dialog","dialog":{"kind":"model-picker","modelToEnable":"m"}}`,
			want:   session.SlashResult{Dialog: "model-picker"},
		},
		"model": {
			result: `{"kind":"set-model","model":"m-2","reasoningEffort":"high","warning":"It is slow.","revertOnCancel":{}}`,
			want:   session.SlashResult{Text: "The model is m-2 now.\nIt is slow.\nMind the gap."}, calls: "session.model.switchTo",
		},
		"plan model": {
			result: `{"kind":"set-plan-model","planModel":"m","message":"Plans are made by m."}`,
			want:   session.SlashResult{Text: "Plans are made by m."},
		},
		"another kind": {result: `{"kind":"sing"}`, fails: `run /x: the runtime answered with "sing", which is not known here`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := can(t, map[string]string{
				"session.commands.list": listed, "session.commands.invoke": test.result,
				"session.mode.set":       `{"status":"changed","modeApplied":true}`,
				"session.model.switchTo": `{"status":"applied","deferred":false,"warning":"Mind the gap."}`,
			})
			got, err := a.Invoke(t.Context(), "/X", "in put")
			if (err == nil) != (test.fails == "") || err != nil && err.Error() != test.fails {
				t.Errorf("failed with %v, want %q", err, test.fails)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if p := a.called("session.commands.invoke"); p["name"] != "x" || p["input"] != "in put" {
				t.Errorf("invoked with %v", p)
			}
			if test.calls != "" && a.called(test.calls) == nil {
				t.Errorf("%s was not called", test.calls)
			}
			if p := a.called("session.model.switchTo"); p != nil && (p["modelId"] != "m-2" || p["reasoningEffort"] != "high") {
				t.Errorf("the model was changed with %v", p)
			}
		})
	}
}

// TestModelCommand does what the runtime says it has done and has not.
func TestModelCommand(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]struct{ dialog, model, text string }{
		"":             {dialog: "model-picker"},
		"  ":           {dialog: "model-picker"},
		"m-2":          {model: "m-2", text: "The model will be m-2 when this turn has ended."},
		"plan":         {},
		"plan m-2":     {},
		"--plan":       {},
		"m-2 --repo x": {},
	} {
		a := can(t, map[string]string{
			"session.commands.list": listed, "session.commands.invoke": `{"kind":"completed"}`,
			"session.model.switchTo": `{"status":"queued","deferred":true}`,
		})
		got, err := a.Invoke(t.Context(), "models", input)
		if refused := want.dialog == "" && want.model == ""; (err != nil) != refused {
			t.Errorf("%q: %v", input, err)
		}
		if got.Dialog != want.dialog || got.Text != want.text {
			t.Errorf("%q: %+v", input, got)
		}
		if model, _ := a.called("session.model.switchTo")["modelId"].(string); model != want.model {
			t.Errorf("%q: the model was changed to %q", input, model)
		}
	}
}

// TestClientCommandDoesNotHang waits for a command of another program that has
// gone. One of the runtime's may take its time.
func TestClientCommandDoesNotHang(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := can(t, map[string]string{"session.commands.list": listed})
		start := time.Now()
		_, err := a.Invoke(t.Context(), "theirs", "")
		if err == nil || err.Error() != "run /theirs: the program that brought this command along has not answered" {
			t.Errorf("failed with %v", err)
		}
		if took := time.Since(start); took != clientCommandGrace {
			t.Errorf("it took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if _, err = a.Invoke(ctx, "model", ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("failed with %v", err)
		}
		if took := time.Since(start); took != clientCommandGrace+time.Hour {
			t.Errorf("both took %v", took)
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		if _, err = a.Invoke(ctx, "theirs", ""); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "program") {
			t.Errorf("failed with %v", err)
		}
	})
}
