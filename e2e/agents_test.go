package e2e

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// textBackground stands in the status line while something runs that no turn
// waits for.
const textBackground = "in the background"

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
	if err := sessiontest.Mkfifo(s.path(name)); err != nil {
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
		s.t.Fatalf("no process reads the pipe %s; the screen:\n%s", name, s.screen())
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
	s.waitGone(textBackground, "· 1 agent ·", "· 1 shell ·") // in the status line
}

// blockOf gives the keys to the block that begins with a mark and a text, going up
// from the last one.
func (s *stage) blockOf(mark, text string) {
	s.t.Helper()
	s.press("alt+up")
	at := s.blockCursor("")
	for range 20 {
		if strings.Contains(at, mark+"▏"+text) {
			s.pause() // a letter that comes soon after another is typed for the draft
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

// scouting is what a sub-agent does that waits for the pipe "door", and then makes a
// file, where it is to.
func scouting(gate *llm.Gate, makes ...string) []llm.Step {
	steps := []llm.Step{{Text: "I look behind the door.", Calls: []llm.Call{bash("echo knock; cat door")}}}
	for _, name := range makes {
		steps = append(steps, shell("touch "+name))
	}
	return append(steps, llm.Step{Text: "The key is under the mat.", Hold: gate})
}

// TestSubagents follows a sub-agent that the turn waits for, allows what it asks for and
// looks at what it did; then one that runs on after its turn and reports when it is done,
// and a command that does.
func TestSubagents(t *testing.T) { bothWindows(t, journeySubagents) }

// journeySubagents is it in one window.
func journeySubagents(t *testing.T, l launch) {
	t.Helper()
	first, second := llm.NewGate(), llm.NewGate()
	wait := call("bash", object{"command": "echo begun; cat door", "description": "Wait at the door", "mode": "async", "shellId": "w"})
	s := play(t, llm.Script{
		"sub": scouting(first, "made.txt"), "sub2": scouting(second),
		// The runtime itself asks for the result, as if the model had.
		"beside": {
			calling(delegate("background", "find the key @@sub2")), said("It is on its way."), said("unheard"), said("The scout found it."),
		},
		"shell": {calling(wait), said("It runs."), said("unheard"), said("The door is open.")},
	}, l)
	s.pipe("door")
	s.turn("main", delegate("sync", "find the key @@sub"))
	s.row("◆ scout", "Look for the key", "1 call")
	s.wait("    running echo knock; cat door", "scout: running", textBusy)
	s.feed("door", "opened\n")
	s.answer("y", "Run this command?", "touch made.txt", "asked by")
	s.reached(first)
	first.Open()
	s.over("main")
	if !s.exists("made.txt") {
		t.Error("the command did not run")
	}
	s.row("✓ scout", "Look for the key", "fake-model", "2 calls", "tokens", " s")
	s.row("─ 2 commands", "tokens")
	s.quietly()
	s.blockOf("✓", "scout")
	s.press("enter")
	s.wait("◆ scout", "esc goes back", "find the key @@sub", "I look behind the door.", "✓ shell   echo knock; cat door", "opened",
		"The key is under the mat.")
	s.waitGone("The turn main is over.")
	s.press("esc")
	s.wait("The turn main is over.", "do it @@main", "✓▏scout")
	s.waitGone("The key is under the mat.", "esc goes back")
	s.toDraft()
	s.outlivesTurn(second)
	s.leave()
}

// outlivesTurn has a sub-agent and then a command run after the turn that began it.
func (s *stage) outlivesTurn(gate *llm.Gate) {
	s.t.Helper()
	s.say("do it @@beside")
	s.idle("It is on its way.", "1 agent in the background", "    running echo knock; cat door")
	s.row("◆ scout", "Look for the key", "background", "1 call")
	s.feed("door", "opened\n")
	s.reached(gate)
	if screen := s.wait("1 agent in the background"); strings.Contains(screen, "has finished") {
		s.t.Errorf("it is done before it has answered:\n%s", screen)
	}
	gate.Open()
	s.idle("Agent “scout” has finished", "The scout found it.")
	s.quietly()
	s.requested("tool", "The key is under the mat.")

	s.say("do it @@shell")
	s.idle("It runs.", "1 shell in the background")
	s.row("✓ shell", "echo begun; cat door", "background")
	s.feed("door", "opened\n")
	s.idle("Background command “Wait at the door” has finished", "The door is open.")
	s.quietly()
}
