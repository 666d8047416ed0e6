package tui

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// contextRounds press the keys of what the model sees. A log is played, in which
// a sub-agent works.
func contextRounds() []round {
	return []round{
		{name: "context", size: [2]int{80, 14}, agent: playsLog(walkMessages()...), begin: openContext, steps: contextSteps()},
	}
}

// walkMessages are twelve messages to a model, and two to a sub-agent's.
func walkMessages() []session.Body {
	all := []session.Body{
		session.SystemMessage{Role: "system", Content: "Be brief.\nBe kind."},
		session.UserMessage{Content: "Look around."},
		session.AssistantTurnStart{TurnID: "0"},
		session.AssistantMessage{ToolRequests: []session.ToolRequest{
			{ToolCallID: "call-a", Name: "task", Arguments: jsontext.Value(`{"prompt":"look"}`)},
		}},
		session.ToolExecutionStart{ToolCallID: "call-a", ToolName: "task", Arguments: jsontext.Value(`{"prompt":"look"}`)},
		session.SubagentStarted{ToolCallID: "call-a", AgentName: "explore", AgentDisplayName: "Explore"},
		session.AssistantMessage{Content: "Nothing here.", ParentToolCallID: "call-a"},
		session.SubagentCompleted{ToolCallID: "call-a", AgentName: "explore"},
		session.ToolExecutionComplete{ToolCallID: "call-a", Success: true, Result: &session.ToolResult{Content: "Nothing here."}},
	}
	for n := 5; n <= 12; n++ {
		all = append(all, session.AssistantMessage{Content: fmt.Sprintf("Answer %d.\nIts second line.", n)})
	}
	return append(all, session.AssistantTurnEnd{TurnID: "0"}, session.AssistantIdle{})
}

const textContext = "esc close · enter unfold"

func openContext(w *walker) {
	w.t.Helper()
	w.wait("Answer 12.")
	w.press("ctrl+x", "c")
	w.awaits("the first message", both(onMessage(1), sees(textContext, "12 messages")))
}

// onMessage is that the keys are for a message.
func onMessage(n int) sign {
	return sign{fmt.Sprintf("message %d chosen", n), func(_ *walker, screen string) bool {
		for line := range strings.Lines(screen) {
			f := strings.Fields(line)
			if len(f) > 2 && f[0] == "❯" && f[1] == fmt.Sprint(n) {
				return true
			}
		}
		return false
	}}
}

// contextSteps go through the messages.
func contextSteps() []step {
	to := func(row, key string, n int) step { return step{row: row, key: key, want: onMessage(n)} }
	unfolded := sees("Be kind.")
	return []step{
		to("context-message", "down", 2), to("context-message", "up", 1),
		to("context-message", "j", 2), to("context-message", "k", 1),
		to("context-ends", "G", 12), to("context-ends", "g", 1), to("context-ends", "end", 12), to("context-ends", "home", 1),
		{row: "context-page", key: "pgdown", want: gone("Be brief.")},
		{row: "context-page", key: "pgup", want: sees("Be brief.")},
		{row: "context-page", key: "ctrl+d", want: gone("Be brief.")},
		{row: "context-page", key: "ctrl+u", want: sees("Be brief.")},
		{row: "context-fold", key: "enter", want: unfolded},
		{row: "context-fold", key: "space", want: gone("Be kind.")},
		{row: "context-fold", key: "right", want: unfolded},
		{row: "context-fold", key: "left", want: gone("Be kind.")},
		{row: "context-agent", key: "tab", want: sees("What the model of “Explore” sees", "Nothing here.")},
		{row: "context-agent", key: "shift+tab", want: sees("12 messages")},
		{row: "context-copy", key: "y", want: copied("Be brief.\nBe kind.")},
		{row: "context-editor", key: "e", want: edits("message-1.md 400 [Be brief.]"), back: comesBack(textContext)},
		{row: "context-editor", key: "ctrl+g", want: edits("message-1.md 400 [Be brief.]"), back: comesBack(textContext)},
		{row: "context-close", key: "esc", want: gone(textContext), back: func(w *walker) {
			w.press("ctrl+x", "c")
			w.wait(textContext)
		}},
		{row: "context-close", key: "q", want: gone(textContext)},
	}
}
