package e2e

import (
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// What the window says where lines are said and read.
const (
	textChoose  = "Type the letter or the number of a choice and press Enter."
	textConfirm = "Type yes and press Enter to confirm."
	textTurn    = "Ready."
)

// playReader starts the window by lines.
func playReader(t *testing.T, l launch) *stage {
	t.Helper()
	l.home, l.width, l.height = t.TempDir(), 200, 500
	s := &stage{model: llm.Serve(t, llm.Script{}), dir: l.dir}
	l.env = slices.Concat(s.model.Env(t.TempDir()), onCLI(t), l.env)
	s.launch, s.terminal = l, start(t, l)
	s.wait("Parley, Copilot CLI", "/help has the commands.")
	return s
}

// heardQuestion waits until the question of a number, from 1, was said with these texts.
func (s *stage) heardQuestion(number int, texts ...string) {
	s.t.Helper()
	s.waitFor("question "+texts[0], func(screen string) bool {
		return strings.Count(screen, textChoose) == number && inOrder(screen, append(texts, textChoose)...)
	})
}

// TestScreenReader uses the window by lines, on the shell of an editor and by the flag:
// answers, commands that are allowed, confirmed with a word, refused with a reason, a change of a
// file, a question with choices, a plan, a turn that is interrupted, and the session again in
// another window. Nothing but lines is written, and each thing once.
func TestScreenReader(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]launch{
		"TERM=dumb":       {env: []string{"TERM=dumb"}},
		"--screen-reader": {args: []string{"--screen-reader"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.dir = t.TempDir()
			s := playReader(t, l)
			l = s.launch
			s.hearsCommands()
			s.hearsAChange()
			s.hearsChoices()
			s.hearsAPlan()
			s.hearsAnInterrupt()
			s.send("/quit\r")
			s.endsWell()
			s.wroteLines("The turn make is over.", "The turn remove is over.", "The turn again is over.", "The turn change is over.",
				"The turn choose is over.", "The turn plan is over.", "Refused: Tool, shell touch again.txt")
			hint := resumeHint.FindStringSubmatch(s.screen())
			if hint == nil {
				t.Fatalf("no hint how to resume:\n%s", s.screen())
			}
			l.args = append(slices.Clone(l.args), "--resume", hint[1])
			s.terminal = start(t, l)
			s.wait("Resuming", "do it @@sleep", "Cancelled: Tool, shell touch started.txt")
			s.turn("after")
			s.wait("Answer: The turn after is over.", textTurn)
			s.send("/quit\r")
			s.endsWell()
			s.wroteLines("Resuming", "do it @@sleep", "Cancelled: Tool, shell touch started.txt", "Answer: The turn after is over.")
		})
	}
}

// readerStep is a line that is typed once texts were said, in this order and after those of the
// step before.
type readerStep struct {
	said []string
	line string
}

// follows takes steps of what was not said so far.
func (s *stage) follows(said string, steps ...readerStep) {
	s.t.Helper()
	from := len(strings.TrimSpace(said))
	for _, step := range steps {
		s.waitFor("what is said: "+strings.Join(step.said, ", "), func(screen string) bool {
			at := from
			for _, text := range step.said {
				i := strings.Index(screen[min(at, len(screen)):], text)
				if i < 0 {
					return false
				}
				at += i + len(text)
			}
			from = at
			return true
		})
		if step.line != "" {
			s.pause()
			s.send(strings.TrimSpace(step.line) + "\r")
		}
	}
}

// TestScreenReaderFillsIn fills in the form of an MCP server, field by field, one of them wrong
// at first.
func TestScreenReaderFillsIn(t *testing.T) {
	t.Parallel()
	l := launch{dir: t.TempDir(), args: []string{"--screen-reader"}}
	withMCP(t, l.dir)
	s := playReader(t, l)
	s.follows("",
		readerStep{[]string{"Trust this folder?", "an MCP server", textChoose}, "y"},
		readerStep{[]string{textConfirm}, "yes"},
	)
	before := s.screen()
	s.asks("form", "trip")
	s.follows(before,
		readerStep{[]string{"Call this tool?", "ask (asker)", textChoose}, "s"},
		readerStep{[]string{"The server `asker` asks, 1 of 1", "Where to?", "> Place", "required", "Type your answer"}, "the sea"},
		readerStep{[]string{"> Guests", "a whole number"}, "none"},
		readerStep{[]string{"x Not a whole number", "> Day"}, "2026-02-28"},
		readerStep{[]string{"> Soon", "2   No", "Or type an empty line for next, a number for choose"}, "1"},
		readerStep{[]string{"+ Yes"}, " "},
		readerStep{[]string{"> Size", "2   Large"}, "2"},
		readerStep{[]string{"+ Large"}, " "},
		readerStep{[]string{"> Tags", "3   blue"}, "1"},
		readerStep{[]string{"+ red"}, "3"},
		readerStep{[]string{"+ blue"}, " "},
		readerStep{[]string{"your answers", "1 answer needs a change", "none", "x Not a whole number", "y  Change the first", textChoose}, "y"},
		readerStep{[]string{"> Guests", "none", "x Not a whole number", "Type your answer"}, "3"},
		readerStep{[]string{"> Day"}, " "},
		readerStep{[]string{"> Soon"}, " "},
		readerStep{[]string{"> Size"}, " "},
		readerStep{[]string{"> Tags"}, " "},
		readerStep{[]string{"your answers", "the sea", "2026-02-28", "Large", "red, blue", "y  Submit", textChoose}, "y"},
		readerStep{[]string{"Answer: The turn form is over.", textTurn}, ""},
	)
	const want = `{"action":"accept","content":{"day":"2026-02-28","guests":3,"place":"the sea","size":"l","soon":true,"tags":["red","blue"]}}`
	if got := s.received(); got != want {
		t.Errorf("the server received %s, not %s", got, want)
	}
	s.send("/quit\r")
	s.endsWell()
}

// TestScreenReaderHears has a call fail, and sends a plan back.
func TestScreenReaderHears(t *testing.T) {
	t.Parallel()
	s := playReader(t, launch{dir: t.TempDir(), args: []string{"--screen-reader"}})
	for _, turn := range []struct {
		name  string
		calls []llm.Call
		steps []readerStep
	}{
		{"failing", []llm.Call{call("view", object{"path": s.path("missing.txt")})}, []readerStep{
			{[]string{"Read this path?", "missing.txt", textChoose}, "y"},
			{[]string{"Failed: Tool, ", "missing.txt"}, ""},
		}},
		{"plan", exits("Mend the tests.").Calls, []readerStep{
			{[]string{textPlan, "Mend the tests.", textChoose}, "n"},
			{[]string{textRevise, "Or type . for back"}, "only two"},
		}},
	} {
		if turn.name == "plan" {
			s.send("/mode plan\r")
			s.wait("Note: Mode changed from interactive to plan")
		}
		before := s.screen()
		s.turn(turn.name, turn.calls...)
		s.follows(before, append(turn.steps, readerStep{[]string{"Answer: The turn " + turn.name + " is over.", textTurn}, ""})...)
	}
	s.requested("tool", "only two")
	s.send("/quit\r")
	s.endsWell()
}

// TestScreenReaderHearsLater has a command end after the turn that began it, and leaves a question by an interrupt.
func TestScreenReaderHearsLater(t *testing.T) {
	t.Parallel()
	s := playReader(t, launch{dir: t.TempDir(), args: []string{"--screen-reader"}})
	s.pipe("door")
	wait := call("bash", object{"command": "cat door", "description": "Wait at the door", "mode": "async", "shellId": "w"})
	s.model.Add("shell", calling(wait), said("It runs."), said("unheard"), said("The door is open."))
	before := s.screen()
	s.send("do it @@shell\r")
	s.follows(before, readerStep{[]string{"Tool, shell cat door", "Answer: It runs.", textTurn}, ""})
	before = s.screen()
	s.feed("door", "opened\n")
	s.follows(before, readerStep{[]string{"Background command “Wait at the door” has finished", "Answer: The door is open.", textTurn}, ""})
	before = s.screen()
	s.turn("left", bash("touch never.txt"))
	s.follows(before, readerStep{[]string{"touch never.txt", textChoose}, ""})
	s.pause()
	s.send("\x03")
	s.wait("The question waits. ctrl+c again interrupts the agent.")
	s.send("\x03")
	s.follows(before, readerStep{[]string{"The question waits.", "Cancelled: Tool, shell touch never.txt", textTurn}, ""})
	if s.exists("never.txt") {
		t.Error("it was done")
	}
	s.send("/quit\r")
	s.endsWell()
}

// TestScreenReaderSignsIn signs in at the second attempt, over the agent's own program, and has its prompt answered.
func TestScreenReaderSignsIn(t *testing.T) {
	t.Parallel()
	env, _ := loginCLI(t, onCLI(t), service(t, llm.Script{"count": {{Text: "There are three files."}}}))
	s := &stage{dir: t.TempDir()}
	s.terminal = start(t, launch{dir: s.dir, env: env, args: []string{"--screen-reader"}, width: 200, height: 500})
	s.follows("",
		readerStep{[]string{"/help has the commands.", "You are not signed in. /login signs in."}, "count the files @@count"},
		readerStep{[]string{"enter again signs in, and then sends this."}, " "},
		readerStep{[]string{"Enter the first code:"}, "no"},
		readerStep{[]string{"Could not sign in: copilot ended with exit code 1", "/login tries again"}, " "},
		readerStep{[]string{"enter again signs in, and then sends this."}, " "},
		readerStep{[]string{"Enter the second code:"}, "yes"},
		readerStep{[]string{"You are signed in", "Answer: There are three files.", textTurn}, "/quit"},
	)
	s.endsWell()
}

// hearsCommands has commands asked for: one that is allowed, one that is confirmed with a word,
// one that is refused with a reason.
func (s *stage) hearsCommands() {
	s.t.Helper()
	s.turn("make", bash("touch made.txt"))
	s.heardQuestion(1, "Run this command?", "touch made.txt")
	s.send("y\r")
	s.wait("Tool, shell touch made.txt", "Answer: The turn make is over.", textTurn)
	s.turn("remove", bash("rm made.txt"))
	s.heardQuestion(2, "`rm` deletes or overwrites")
	s.send("y\r")
	s.wait(textConfirm)
	s.pause()
	s.send("yes\r")
	s.wait("Tool, shell rm made.txt", "Answer: The turn remove is over.")
	if s.exists("made.txt") {
		s.t.Error("it was not removed")
	}
	s.turn("again", bash("touch again.txt"))
	s.heardQuestion(3, "touch again.txt")
	s.send("n\r")
	s.wait(textFeedback)
	s.send("use another name\r")
	s.wait("Refused: Tool, shell touch again.txt", "use another name", "Answer: The turn again is over.")
	if s.exists("again.txt") {
		s.t.Error("what was refused was done")
	}
	s.requested("tool", "use another name")
}

// hearsAChange has a change of a file asked for, and allows it.
func (s *stage) hearsAChange() {
	s.t.Helper()
	s.put("settings.ini", "[look]\ncolour = red\nsize = 3\n")
	s.turn("change", llm.Call{Name: "edit", Args: object{"path": s.path("settings.ini"), "old_str": "colour = red", "new_str": "colour = green"}})
	s.heardQuestion(4, "settings.ini", "line 2 removed: colour = red", "line 2 added: colour = green")
	s.send("y\r")
	s.wait("removed: colour = red", "added: colour = green", "Answer: The turn change is over.")
	if got := s.file("settings.ini"); got != "[look]\ncolour = green\nsize = 3\n" {
		s.t.Errorf("the file holds %q", got)
	}
}

// hearsChoices answers a question by the number of a choice.
func (s *stage) hearsChoices() {
	s.t.Helper()
	s.turn("choose", call("ask_user", object{"question": "Which colour?", "choices": []string{"crimson", "teal"}}))
	s.heardQuestion(5, "Which colour?", "1  crimson", "2  teal")
	s.send("2\r")
	s.wait("Answer: The turn choose is over.")
	s.requested("tool", "teal")
}

// hearsAPlan approves a plan.
func (s *stage) hearsAPlan() {
	s.t.Helper()
	s.send("/mode plan\r")
	s.wait("Note: Mode changed from interactive to plan")
	s.turn("plan", call("exit_plan_mode", object{
		"summary": "Mend the tests.", "actions": []string{"interactive", "autopilot"}, "recommendedAction": "interactive",
	}))
	s.heardQuestion(6, "Carry out this plan?", "Mend the tests.", "2  Yes, step by step")
	s.send("2\r")
	s.wait("Answer: The turn plan is over.")
	s.requested("tool", "Plan approved")
}

// hearsAnInterrupt stops a command that runs.
func (s *stage) hearsAnInterrupt() {
	s.t.Helper()
	s.turn("sleep", bash("touch started.txt; sleep 600"))
	s.heardQuestion(7, "touch started.txt; sleep 600")
	s.send("y\r")
	s.until("the command to run", func() bool { return s.exists("started.txt") })
	ended := strings.Count(s.screen(), textTurn)
	s.send("\x03")
	s.waitFor("the end of the turn", func(screen string) bool {
		return strings.Count(screen, textTurn) > ended && strings.Contains(screen, "Cancelled: Tool, shell touch started.txt")
	})
}

// wroteLines checks that a window wrote nothing but lines, and each of these texts once.
func (s *stage) wroteLines(once ...string) {
	s.t.Helper()
	said := strings.ReplaceAll(strings.ReplaceAll(s.raw(), lastWord, ""), "\r\n", "\n")
	if i := strings.IndexFunc(said, func(r rune) bool { return r < ' ' && r != '\n' && r != '\a' || r >= 0x7f && r < 0xa0 }); i >= 0 {
		s.t.Errorf("a control character: %q", said[max(0, i-40):min(len(said), i+40)])
	}
	for _, text := range once {
		if n := strings.Count(said, text); n != 1 {
			s.t.Errorf("%q is written %d times:\n%s", text, n, said)
		}
	}
}
