package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parley/session/sessiontest/llm"
)

// TestCommentOnALine looks at a change in each way there is, which answers
// nothing, and refuses it with a comment on one of its lines.
func TestCommentOnALine(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{})
	before := "[look]\ncolour = red\nsize = 3\n"
	s.put("settings.ini", before)
	s.turn("go", llm.Call{Name: "edit", Args: map[string]any{
		"path": s.path("settings.ini"), "old_str": "colour = red", "new_str": "colour = green",
	}})
	s.card("Change this file?", "1 1   [look]", "2   − colour = red", "  2 + colour = green", "3 3   size = 3")
	for _, look := range [][2]string{{"t", "t one column"}, {"w", "w whole lines"}, {"v", "v smaller"}} {
		s.press(look[0])
		s.wait(textWaiting, look[1])
	}
	s.press("t")
	s.wait("t side by side")
	if got := s.file("settings.ini"); got != before {
		t.Errorf("looking at it changed the file to %q", got)
	}
	s.press("down", "down")
	s.breathe()
	s.press("c")
	s.wait("settings.ini:2`", "enter keep the comment")
	s.typed("why not blue?")
	s.press("enter")
	s.waitGone("enter keep the comment")
	s.breathe()
	s.press("n")
	s.wait(textFeedback)
	s.enter(textFeedback)
	s.over("go")
	s.told("tool", "settings.ini:2: why not blue?\n> +colour = green")
	if got := s.file("settings.ini"); got != before {
		t.Errorf("refused, the file holds %q", got)
	}
	s.leave()
}

// TestApprovedUnread has a command that is longer than the window: y does not
// approve it before it was read, unless the user says that it need not be.
func TestApprovedUnread(t *testing.T) {
	t.Parallel()
	long := func(name string) llm.Call {
		return bash("touch " + name + strings.Repeat("\necho one more line", 50))
	}
	s := play(t, nil, launch{width: 80, height: 24})
	s.turn("unread", long("unread.txt"))
	s.answer("y", "touch unread.txt", textMore, "with the rest unread")
	s.wait("read on first")
	s.breathe()
	s.press("u")
	s.wait("Type yes to allow it without having read all of it:")
	if s.exists("unread.txt") {
		t.Error("y allowed what was not read")
	}
	s.typed("yes")
	s.enter("Type yes to allow it")
	s.over("unread")
	s.turn("read", long("read.txt"))
	s.card("touch read.txt", "with the rest unread")
	s.readOn()
	s.waitGone("with the rest unread")
	s.press("y")
	s.over("read")
	if !s.exists("unread.txt") || !s.exists("read.txt") {
		t.Error("an approved command did not run")
	}
	s.leave()
}

// readOn reads a question to its end, page by page.
func (s *stage) readOn() {
	s.t.Helper()
	for screen := s.screen(); strings.Contains(screen, textMore); {
		s.press("pgdown")
		before := screen
		screen = s.waitFor("the next page", func(screen string) bool { return screen != before })
	}
}

// TestSmallWindow answers a command, a form and a plan in a small window.
func TestSmallWindow(t *testing.T) {
	t.Parallel()
	small := launch{width: 60, height: 16}
	t.Run("command", func(t *testing.T) {
		t.Parallel()
		s := play(t, nil, small)
		s.turn("go", bash("touch made.txt"))
		s.card("Run this command?", "touch made.txt", textOnce)
		s.refuse("not this")
		s.over("go")
		s.told("tool", "not this")
		s.leave()
	})
	t.Run("form", func(t *testing.T) {
		t.Parallel()
		s := playForms(t, small)
		s.asks("form", "short")
		s.card("Where to?", "tab fill it in")
		s.press("tab")
		s.wait("❯ Place")
		s.typed("the sea")
		s.press("tab")
		s.wait("❯ Soon")
		s.press("1", "enter")
		s.answer("y", "your answers", "the sea", "Yes", "y  Submit")
		s.over("form")
		if got, want := s.received(), `{"action":"accept","content":{"place":"the sea","soon":true}}`; got != want {
			t.Errorf("the server received %s, not %s", got, want)
		}
		s.leave()
	})
	t.Run("plan", func(t *testing.T) {
		t.Parallel()
		s, plan := playPlans(t, small)
		long := textPlanned + strings.Repeat("4. And once more.\n", 20)
		s.model.Add("plan", writes(plan, long), exits("Mend the tests."), llm.Step{Text: "Begun."})
		s.say("plan it @@plan")
		s.card(textPlan, "Mend the tests.", textMore)
		s.press("2")
		s.wait("read on first")
		s.readOn()
		s.breathe()
		s.press("2")
		s.idle("Begun.")
		s.last("Plan approved")
		s.leave()
	})
}

// TestEachItsOwnAnswer answers three questions that wait side by side, the
// second first.
func TestEachItsOwnAnswer(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{width: 100, height: 40})
	calls := []string{"touch a.txt && echo 'a '$((40+1))", "touch b.txt && echo 'b '$((40+2))", "touch c.txt && echo 'c '$((40+3))"}
	s.turn("three", bash(calls[0]), bash(calls[1]), bash(calls[2]))
	s.card("1 of 3")
	s.press("]")
	s.card("2 of 3")
	s.press("]")
	s.card("3 of 3")
	s.press("[")
	s.card("2 of 3")
	second := s.asked(calls)
	s.press("y")
	s.card("1 of 2")
	first := s.asked(calls)
	s.refuse("not that one")
	s.card("1 of 1")
	third := s.asked(calls)
	s.press("y")
	s.over("three")
	results := s.results()
	if len(results) != 3 || first+second+third != 3 {
		t.Fatalf("%d results; asked for %d, %d and %d", len(results), first, second, third)
	}
	for i, want := range map[int]string{first: "not that one", second: fmt.Sprint(41 + second), third: fmt.Sprint(41 + third)} {
		if !strings.Contains(results[i], want) {
			t.Errorf("call %d ended with %q, not with %q", i, results[i], want)
		}
		if name := string(rune('a'+i)) + ".txt"; s.exists(name) != (i != first) {
			t.Errorf("%s exists: %t", name, s.exists(name))
		}
	}
	s.leave()
}

// asked is which of several texts the question in front asks about.
func (s *stage) asked(texts []string) int {
	s.t.Helper()
	for line := range strings.Lines(s.screen()) {
		if at := slices.IndexFunc(texts, func(text string) bool { return strings.HasPrefix(line, "│") && strings.Contains(line, text) }); at >= 0 {
			return at
		}
	}
	s.t.Fatalf("no question about any of %q:\n%s", texts, s.screen())
	return -1
}

// TestQuestionInOwnWords answers with what was not offered, and where nothing is.
func TestQuestionInOwnWords(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{})
	s.turn("choices", llm.Call{Name: "ask_user", Args: object{"question": "Which colour?", "choices": []string{"red", "green"}}})
	s.answer("3", "Which colour?", "1  red", "2  green", "3  Something else")
	s.wait("Your answer:")
	s.typed("mauve")
	s.enter("Your answer:")
	s.over("choices")
	s.told("tool", "mauve")
	s.turn("open", llm.Call{Name: "ask_user", Args: object{"question": "And why?"}})
	s.card("And why?", "Your answer:", "enter answer")
	s.typed("it is a test")
	s.enter("Your answer:")
	s.over("open")
	s.told("tool", "it is a test")
	s.leave()
}

// TestSubAgentAsks shows which sub-agent asks.
func TestSubAgentAsks(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"sub": {shell("touch made.txt"), {Text: "The sub-agent is done."}}}, launch{})
	s.turn("go", llm.Call{Name: "task", Args: object{
		"name": "helper", "prompt": "touch it @@sub", "agent_type": "task", "description": "Touch a file", "mode": "sync",
	}})
	s.answer("y", "Run this command?", "touch made.txt", "asked by")
	s.over("go")
	s.told("tool", "The sub-agent is done.")
	if !s.exists("made.txt") {
		t.Error("the command did not run")
	}
	s.leave()
}

// startRuntime starts the Copilot CLI as a server, with env on top of what a
// window gets, and returns its address.
func startRuntime(t *testing.T, env []string) string {
	t.Helper()
	cli, err := findCLI()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), cli, "--headless", "--no-auto-update", "--port", "0")
	cmd.Dir, cmd.Env = t.TempDir(), slices.Concat(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, port, ok := strings.Cut(strings.TrimSpace(line), "listening on port ")
	if !ok {
		t.Fatalf("the runtime says %q (%v)", line, err)
	}
	return "127.0.0.1:" + port
}

// TestAnsweredElsewhere shows one session in two windows: what is answered in
// one closes in the other, which says so.
func TestAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	model, home := llm.Serve(t, nil), t.TempDir()
	env := slices.Concat(model.Env(home), onCLI(t))
	l := launch{dir: t.TempDir(), env: env, args: []string{"--copilot-url", startRuntime(t, env)}}
	open := func(l launch) *stage {
		s := &stage{terminal: start(t, l), model: model, dir: l.dir, launch: l}
		s.started(textReady)
		return s
	}
	here := open(l)
	here.turn("hello")
	here.over("hello")
	l.args = append(l.args, "--resume", filepath.Base(workspace(t, home)))
	there := open(l)
	there.wait("The turn hello is over.")
	here.turn("go", bash("touch made.txt"))
	here.card("touch made.txt", textOnce)
	there.card("touch made.txt", textOnce)
	there.press("n")
	there.wait(textFeedback)
	there.typed("not like this")
	here.press("y")
	there.wait("Answered elsewhere: touch made.txt; what you wrote is in the composer.", "❯ not like this")
	there.waitGone(textOnce)
	here.over("go")
	if !here.exists("made.txt") {
		t.Error("the command did not run")
	}
	there.press("ctrl+c")
	there.wait(textReady)
	there.breathe() // an Enter right after a question closed sends nothing
	there.leave()
	here.leave()
}

// TestFeedbackInTheEditor writes what to do instead in the user's own editor.
func TestFeedbackInTheEditor(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{env: []string{scriptEditor(t)}})
	s.turn("go", bash("touch made.txt"))
	s.answer("n", textOnce, "touch made.txt")
	s.wait(textFeedback)
	s.typed("First")
	s.press("ctrl+g")
	s.wait("editing 2 answer.md 600 700")
	s.send("words of the editor\r")
	s.wait(textFeedback, "Firstappended words of the editor")
	s.enter(textFeedback)
	s.over("go")
	s.told("tool", "Firstappended words of the editor")
	if s.exists("made.txt") {
		t.Error("a refused command ran")
	}
	s.leave()
}
