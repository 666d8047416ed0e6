package main

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parley/session/sessiontest/llm"
)

// textBesides stands in the status line while something goes on that no turn
// waits for.
const textBesides = "in the background"

// playFree is a chat in which nothing asks.
func playFree(t *testing.T, script llm.Script, l launch) *stage {
	t.Helper()
	if l.width == 0 {
		l.width, l.height = 100, 40
	}
	l.args = append([]string{"--allow-all"}, l.args...)
	return play(t, script, l)
}

// call is a call of a tool.
func call(name string, args object) llm.Call { return llm.Call{Name: name, Args: args} }

// calling is a step that makes calls and says nothing.
func calling(calls ...llm.Call) llm.Step { return llm.Step{Calls: calls} }

// said is a step that says a text.
func said(text string) llm.Step { return llm.Step{Text: text} }

// delegate is a call that has a sub-agent do what a prompt says.
func delegate(mode, prompt string) llm.Call {
	return call("task", object{
		"name": "scout", "agent_type": "explore", "description": "Look for the key", "prompt": prompt, "mode": mode,
	})
}

// pipe makes a named pipe in the agent's folder: who reads it waits until the
// test writes to it.
func (s *stage) pipe(name string) {
	s.t.Helper()
	if err := syscall.Mkfifo(s.path(name), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// feed writes to a named pipe and closes it, once somebody reads it.
func (s *stage) feed(name, text string) {
	s.t.Helper()
	late, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	fed := make(chan error, 1)
	go func() { fed <- os.WriteFile(s.path(name), []byte(text), 0o600) }()
	select {
	case err := <-fed:
		if err != nil {
			s.t.Fatal(err)
		}
	case <-late.Done():
		s.t.Fatalf("nobody reads the pipe %s; the screen:\n%s", name, s.screen())
	}
}

// reached waits until the model stands at a gate.
func (s *stage) reached(gate *llm.Gate) {
	s.t.Helper()
	late, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	select {
	case <-gate.Reached():
	case <-late.Done():
		s.t.Fatalf("the model was not asked; the screen:\n%s", s.screen())
	}
}

// row waits for a line with these texts in this order.
func (s *stage) row(texts ...string) string {
	s.t.Helper()
	return s.waitFor("a row "+strings.Join(texts, " … "), func(screen string) bool { return rowWith(screen, texts...) })
}

// quietly waits until the session is as if nothing had ever run in it.
func (s *stage) quietly() {
	s.t.Helper()
	s.idle()
	s.waitGone(textBesides, "1 agent", "1 shell")
}

// blockOf gives the keys to the block that begins with a mark and a text, going up
// from the last one.
func (s *stage) blockOf(mark, text string) {
	s.t.Helper()
	s.press("alt+up")
	at := s.blockCursor("")
	for range 20 {
		if strings.Contains(at, mark+"▏"+text) {
			return
		}
		s.press("k")
		at = s.blockCursor(at)
	}
	s.t.Fatalf("there is no block with %q:\n%s", text, s.screen())
}

// blockCursor waits until the block cursor stands elsewhere, and returns the row it
// begins in.
func (s *stage) blockCursor(before string) string {
	s.t.Helper()
	at := ""
	s.waitFor("another block under the cursor than "+before, func(screen string) bool {
		for y, line := range strings.Split(screen, "\n") {
			if strings.Contains(line, "▏") {
				at = strconv.Itoa(y) + " " + line
				return at != before
			}
		}
		return false
	})
	return at
}

// toDraft gives the keys back to the draft.
func (s *stage) toDraft() {
	s.t.Helper()
	s.press("esc")
	s.waitGone("▏")
}

// scouting is what a sub-agent does that waits for the pipe "door".
func scouting(gate *llm.Gate) []llm.Step {
	return []llm.Step{
		{Text: "I look behind the door.", Calls: []llm.Call{bash("echo knock; cat door")}},
		{Text: "The key is under the mat.", Hold: gate},
	}
}

// TestSubagent follows a sub-agent that the turn waits for, and then looks at
// what it did.
func TestSubagent(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := playFree(t, llm.Script{"sub": scouting(gate)}, launch{})
	s.pipe("door")
	s.turn("main", delegate("sync", "find the key @@sub"))
	s.row("◆ scout", "Look for the key", "1 call")
	s.wait("    running echo knock; cat door", "scout: running", textBusy)
	s.feed("door", "opened\n")
	s.reached(gate)
	gate.Open()
	s.over("main")
	s.row("✓ scout", "Look for the key", "fake-model", "1 call", "tokens", " s")
	s.row("─ 1 command", "tokens")
	s.quietly()

	s.blockOf("✓", "scout")
	s.press("enter")
	s.wait("◆ scout", "esc goes back", "find the key @@sub", "I look behind the door.", "✓ shell   echo knock; cat door", "opened", "The key is under the mat.")
	s.waitGone("The turn main is over.")
	s.press("esc")
	s.wait("The turn main is over.", "do it @@main", "✓▏scout")
	s.waitGone("The key is under the mat.", "esc goes back")
	s.toDraft()
	s.leave()
}

// TestSubagentInTheBackground has a sub-agent go on after the turn that began it,
// and tell when it is done.
func TestSubagentInTheBackground(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := playFree(t, llm.Script{
		"sub": scouting(gate),
		// The runtime itself asks for the result, as if the model had.
		"main": {calling(delegate("background", "find the key @@sub")), said("It is on its way."), said("unheard"), said("The scout found it.")},
	}, launch{})
	s.pipe("door")
	s.say("do it @@main")
	s.idle("It is on its way.", "1 agent in the background", "    running echo knock; cat door")
	s.row("◆ scout", "Look for the key", "background", "1 call")
	s.command("/tasks")
	s.wait("Tasks", "❯ agent", "running")
	s.press("esc")
	s.waitGone("Tasks")
	s.wait("1 agent in the background", "    running echo knock; cat door")
	s.feed("door", "opened\n")
	s.reached(gate)
	s.wait("1 agent in the background")
	if strings.Contains(s.screen(), "✓ scout") {
		t.Errorf("it is done before it has answered:\n%s", s.screen())
	}
	gate.Open()
	s.idle("Agent “scout” has finished", "The scout found it.")
	s.row("✓ scout", "Look for the key", "1 call", "tokens")
	s.quietly()
	s.told("tool", "The key is under the mat.")
	s.leave()
}

// TestSubagentFails is loud about a sub-agent that the model has no answer for,
// at every density.
func TestSubagentFails(t *testing.T) {
	t.Parallel()
	jammed := object{"error": object{"message": "the frobnicator is jammed", "code": "jammed"}}
	s := playFree(t, llm.Script{"sub": {{Status: 400, Body: jammed}}}, launch{})
	s.turn("main", delegate("sync", "find the key @@sub"), bash("echo plain"))
	s.over("main", "    plain")
	failed := func() {
		t.Helper()
		s.row("✗ scout", "Look for the key", "failed")
		s.wait("    400 the frobnicator is jammed")
		s.row("─ 1 command", "1 failed")
	}
	failed()
	s.command("/density compact")
	s.wait("Density: compact")
	s.waitGone("    plain")
	failed()
	s.press("ctrl+x", "f")
	s.wait("✗▏scout")
	s.toDraft()
	s.quietly()
	s.leave()
}

// TestBackgroundShellEnds tells of a command that the agent does not wait for,
// while it runs and when it has ended.
func TestBackgroundShellEnds(t *testing.T) {
	t.Parallel()
	async := call("bash", object{"command": "echo begun; cat door", "description": "Wait at the door", "mode": "async", "shellId": "w"})
	s := playFree(t, llm.Script{"main": {calling(async), said("It runs."), said("unheard"), said("The door is open.")}}, launch{})
	s.pipe("door")
	s.say("do it @@main")
	s.idle("It runs.", "1 shell in the background")
	s.row("✓ shell", "echo begun; cat door", "background")
	s.feed("door", "opened\n")
	s.idle("Background command “Wait at the door” has finished", "    opened", "The door is open.")
	s.quietly()
	s.leave()
}
