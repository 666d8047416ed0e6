package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrintQuestions prints logs in the documents' form: what was asked, and no
// more of how it ended than the log says.
func TestPrintQuestions(t *testing.T) {
	t.Parallel()
	const (
		begin = `{"type":"user.message","data":{"content":"go"}} {"type":"assistant.turn_start","data":{"turnId":"0"}}`
		end   = `{"type":"assistant.turn_end","data":{"turnId":"0"}}`
		shell = `{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"bash","arguments":{"command":"make"}}} ` +
			`{"type":"permission.requested","data":{"requestId":"r","permissionRequest":{"kind":"shell","toolCallId":"c","fullCommandText":"make"}}}`
	)
	denied := func(kind string) string {
		return shell + ` {"type":"permission.completed","data":{"requestId":"r","result":{"kind":"` + kind + `"}}}`
	}
	asked := func(kind, data string) string {
		return fmt.Sprintf(`{"type":"%s.requested","data":{"requestId":"r",%s}} {"type":"%[1]s.completed","data":{"requestId":"r"}}`, kind, data)
	}
	for name, tt := range map[string]struct {
		events    string
		want, not []string
	}{
		"refused by the user": {
			denied("denied-interactively-by-user"), []string{"make refused by you", "1 tool call · 1 refused by you"}, []string{"1 command"},
		},
		"refused by a rule": {
			denied("denied-by-rules"), []string{"make refused by a rule", "1 tool call · 1 refused by a rule"}, []string{"by you", "1 command"},
		},
		"refused unasked": {
			denied("denied-no-approval-rule-and-could-not-request-from-user"),
			[]string{"make refused, no user to ask", "1 tool call · 1 refused, no user to ask"},
			[]string{"by you", "1 command"},
		},
		"refused by a policy": {
			denied("denied-by-content-exclusion-policy"),
			[]string{"make refused by a content policy", "1 tool call · 1 refused by a content policy"},
			[]string{"by you", "1 command"},
		},
		"never answered": {shell, []string{"1 tool call"}, []string{"1 command", "refused"}},
		"question":       {asked("user_input", `"question":"Which?"`), []string{"Which?  → Answered"}, []string{"not answered"}},
		"form": {
			asked("elicitation", `"message":"Where?","mode":"form","requestedSchema":{"type":"object","properties":{}}`),
			[]string{"Where?  → Answered"},
			[]string{"Accepted", "not answered"},
		},
		"plan": {
			asked("exit_plan_mode", `"summary":"Do it","planContent":"1.","actions":["approve","edit","reject"],"recommendedAction":"reject"`),
			[]string{"Carry out the plan? Do it  → Answered"},
			[]string{"not answered", "Yes"},
		},
		"external tool": {
			asked("external_tool", `"sessionId":"s","toolCallId":"d","toolName":"get_weather","arguments":{"city":"Oslo"}`),
			[]string{"→ tool    get_weather  city=Oslo answered"},
			[]string{"●", "running"},
		},
		"queued command": {
			`{"type":"command.queued","data":{"requestId":"r","command":"/help"}}`,
			[]string{"The agent's queue has come to the command “/help”"},
			nil,
		},
	} {
		log := filepath.Join(t.TempDir(), "events.jsonl")
		lines := strings.ReplaceAll(begin+" "+tt.events+" "+end, `} {"type"`, "}\n{\"type\"")
		if err := os.WriteFile(log, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		got := runWith(t, "", "print", log, "--density", "verbose", "--width", "100")
		text := spaces(got.Out)
		for _, want := range tt.want {
			if !strings.Contains(text, spaces(want)) {
				t.Errorf("%s: %q is not there:\n%s%s", name, want, got.Out, got.Err)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(got.Out, not) {
				t.Errorf("%s: %q is there:\n%s", name, not, got.Out)
			}
		}
	}
}

// spaces is a text with single spaces only.
func spaces(text string) string { return strings.Join(strings.Fields(text), " ") }
