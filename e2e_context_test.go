package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/session/sessiontest/llm"
)

// TestContext looks at what the model sees after a summary: each message is the
// one that the model was sent last, and what it was not sent any more is marked
// in the conversation.
func TestContext(t *testing.T) {
	t.Parallel()
	s := playFree(t, llm.Script{
		"a":               {{Text: "I count.", Calls: []llm.Call{bash("echo $((20+3))")}}, said("The first answer.")},
		"b":               {said("The second answer.")},
		llm.CompactScript: {{Text: "<summary>We counted to 23.</summary>"}},
	}, launch{width: 100, height: 40})
	s.say("hello @@a")
	s.idle("The first answer.")
	s.outside(0)
	s.command("/compact")
	s.idle("i " + textSummarised)
	s.say("again @@b")
	s.idle("The second answer.")
	s.outside(8)

	requests := s.model.Requests()
	sent := requests[len(requests)-1].Messages
	s.command("/context")
	s.wait("What the model sees · "+fmt.Sprint(len(sent)+1)+" messages", "┊ marks what is out of context", "❯ 1  system")
	for i, m := range sent {
		from := len(s.raw())
		s.press("y")
		s.waitFor(fmt.Sprintf("message %d on the clipboard", i+1), func(string) bool {
			return strings.Contains(s.raw()[from:], ansi.SetSystemClipboard(m.Text()))
		})
		s.press("down")
		s.wait(fmt.Sprintf("❯ %d  ", i+2))
	}
	s.press("up", "up", "enter")
	s.wait("summary  Some of the conversation history", "    hello @@a", "    <summary>We counted to 23.</summary>")
	s.press("esc")
	s.waitGone("esc closes")
	s.leave()
}

// outside waits until that many lines of the conversation, or more, are marked as
// what the model does not see any more.
func (s *stage) outside(lines int) {
	s.t.Helper()
	s.waitFor(fmt.Sprintf("%d marked lines", lines), func(screen string) bool {
		marked := strings.Count(screen, "┊")
		return marked >= lines && (lines > 0 || marked == 0)
	})
}
