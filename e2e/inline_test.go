package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/session/sessiontest/llm"
)

// history is all that the terminal has: what has left the screen, and the screen.
func (x *terminal) history() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	for y := range x.emu.ScrollbackLen() {
		b.WriteString(strings.TrimRight(x.emu.Scrollback().Line(y).String(), " ") + "\n")
	}
	return b.String() + x.text()
}

// inlineScript has answers that are longer than the window, and some that are short.
func inlineScript(command string) llm.Script {
	long := ""
	for i := range 60 {
		long += fmt.Sprintf("- item %d of the long answer\n", i)
	}
	return llm.Script{
		"long": {{Text: long}}, "short": {{Text: "A short answer."}},
		"run": {{Calls: []llm.Call{call("bash", object{"command": command, "description": "Make it"})}}, {Text: "It is made."}},
	}
}

// TestInline has a conversation below what the terminal has: what is finished is in the terminal once, as `parley print`
// writes it, what needs the whole screen gives it back, and at the end nothing of the window is left.
func TestInline(t *testing.T) {
	t.Parallel()
	s := play(t, inlineScript("touch made.txt"), launch{own: true, home: t.TempDir(), inline: true})
	s.say("much @@long")
	s.idle("item 59 of the long answer")
	s.say("little @@short")
	s.idle("A short answer.")
	s.say("make it @@run")
	s.answer("y", "Run this command?", "touch made.txt")
	s.idle("It is made.")
	s.press("pgup")
	s.wait("below")
	s.onAlternate(true)
	s.press("end")
	s.waitGone("below")
	s.onAlternate(false)
	s.say("/help")
	s.onAlternate(true)
	s.press("esc")
	s.onAlternate(false)
	s.say("once more @@short")
	s.until("the next answer", func() bool { return strings.Count(s.history(), "A short answer.") == 2 })
	id := s.id()
	s.leave()
	kept := s.history()
	for _, once := range []string{"item 0 of", "item 30 of", "item 59 of", "much @@long", "little @@short", "It is made.", "once more @@short"} {
		if n := strings.Count(kept, once); n != 1 {
			t.Errorf("%q stands %d times in the terminal:\n%s", once, n, kept)
		}
	}
	for mark, want := range map[string]int{ansi.FinalTermPrompt("redraw=0"): 4, ansi.FinalTermCmdExecuted(): 4, ansi.FinalTermCmdFinished(): 3} {
		if n := strings.Count(s.raw(), mark); n != want {
			t.Errorf("%q was written %d times instead of %d", mark, n, want)
		}
	}
	if strings.Contains(kept, "What should be done?") {
		t.Errorf("the window is left in the terminal:\n%s", kept)
	}
	path := filepath.Join(s.home(), "session-state", id, "events.jsonl")
	printed := lineIn(t, nil, "", "print", "--width", "99", path).Out
	if got, want := conversationIn(kept), conversationIn(printed); got != want {
		t.Errorf("the terminal has\n%s\nand the log is printed as\n%s", got, want)
	}
}

// took is how long something took, which the log knows only as far as its events are stored.
var took = regexp.MustCompile(` +\d+(\.\d)? m?s$`)

// conversationIn are the lines from the first prompt on that are part of both a conversation and its log.
func conversationIn(s string) string {
	_, s, _ = strings.Cut(s, "much @@long")
	s, _, _ = strings.Cut(s, "─ Session ended")
	s, _, _ = strings.Cut(s, "Resume this session with")
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		lines[i] = took.ReplaceAllString(l, "")
	}
	return strings.Join(lines, "\n")
}

// onAlternate waits until the terminal shows its alternate screen, or its own.
func (x *terminal) onAlternate(want bool) {
	x.t.Helper()
	x.until(fmt.Sprintf("the alternate screen to be %t", want), func() bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.emu.IsAltScreen() == want
	})
}
