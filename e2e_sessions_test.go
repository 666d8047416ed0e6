package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// The texts of the picker of prompts to go back to.
const (
	textRewind = "Go back to before"
	textWent   = "Went back"
	textRedone = "The rewind is taken back."
)

// playEdit starts on a folder with a file, has the model say something first,
// and then change a line of the file.
func playEdit(t *testing.T) *stage {
	t.Helper()
	s := play(t, llm.Script{"first": {{Text: "The first answer."}}, "next": {{Text: "The next answer."}}}, launch{own: true, width: 100, height: 40})
	s.put("settings.ini", "[look]\ncolour = red\nsize = 3\n")
	s.say("begin @@first")
	s.idle("The first answer.")
	s.turn("edit", llm.Call{Name: "edit", Args: object{"path": s.path("settings.ini"), "old_str": "colour = red", "new_str": "colour = green\nborder = none"}})
	s.answer("y", textOnce, "settings.ini")
	s.over("edit")
	return s
}

// goBack opens the picker with the keys that do it, and goes to the last prompt.
// At first none is chosen.
func (s *stage) goBack(texts ...string) {
	s.t.Helper()
	s.press("esc")
	s.wait("esc again to go back to an earlier prompt")
	s.press("esc")
	s.wait(textRewind, "do it @@edit   1 file +2 −1", "begin @@first  1 file +2 −1", "conversation only")
	s.press("enter")
	s.press("down")
	s.wait(append(texts, "❯ do it @@edit", textRewind)...)
}

// coloured checks what the file says.
func (s *stage) coloured(want string) {
	s.t.Helper()
	if got := s.file("settings.ini"); !strings.Contains(got, "colour = "+want+"\n") {
		s.t.Errorf("the file holds %q, want %s", got, want)
	}
}

// knows checks which answers the model had before it in the last request.
func (s *stage) knows(want ...string) {
	s.t.Helper()
	heard := s.heard("assistant")
	for _, answer := range []string{"The first answer.", "The turn edit is over.", "The next answer."} {
		if strings.Contains(heard, answer) != slices.Contains(want, answer) {
			s.t.Errorf("the model knows %q, want %q", heard, want)
		}
	}
}

// TestRewindTheConversation goes back to before an edit: the picker says what is
// at stake, the file stays, and the model does not know of it any more.
func TestRewindTheConversation(t *testing.T) {
	t.Parallel()
	s := playEdit(t)
	s.goBack("1 file changed since; they stay as they are", "settings.ini  +2 −1")
	s.press("esc") // nothing happens by looking
	s.waitGone(textRewind)
	s.goBack()
	s.press("enter")
	s.wait(textWent, "❯ do it @@edit") // it can be worded anew
	s.waitGone("The turn edit is over.", textRewind)
	s.coloured("green")
	s.press("ctrl+c")
	s.wait(textReady)
	s.say("go on @@next")
	s.idle("The next answer.")
	s.knows("The first answer.")
	s.typed("/redo") // something was said since
	s.press("enter")
	s.wait("There is nothing to take back.")
	s.coloured("green")
	s.leave()
}

// TestRewindIsTakenBack goes back and then takes that back: the conversation is
// there again, in the folder it had moved to, and the model knows all of it.
func TestRewindIsTakenBack(t *testing.T) {
	t.Parallel()
	s := playEdit(t)
	folder(t, s.path("elsewhere"))
	s.command("/cwd elsewhere")
	s.waitFor("the other folder", func(screen string) bool { return rowWith(screen, "interactive", "elsewhere") })
	s.goBack()
	s.press("enter")
	s.wait(textWent)
	s.press("ctrl+c")
	s.wait(textReady)
	s.typed("/redo")
	s.press("enter")
	s.idle("begin @@first", "The first answer.", "do it @@edit", "The turn edit is over.", "Resumed")
	s.started()
	s.waitFor("the folder it was in", func(screen string) bool { return rowWith(screen, "interactive", "elsewhere") })
	s.coloured("green")
	s.say("go on @@next")
	s.idle("The next answer.")
	s.knows("The first answer.", "The turn edit is over.")
	s.leave()
}

// TestRewindWithFiles puts the file back too, which takes a key more, and takes
// it back.
func TestRewindWithFiles(t *testing.T) {
	t.Parallel()
	s := playEdit(t)
	s.goBack()
	s.press("f")
	s.wait("conversation and files", "put back")
	s.press("enter")
	s.wait("Put 1 file back?")
	s.coloured("green")
	s.breathe()
	s.press("enter")
	s.wait(textWent, "1 file put back")
	s.coloured("red")
	s.waitGone("The turn edit is over.")
	s.press("ctrl+c")
	s.wait(textReady)
	s.typed("/redo")
	s.press("enter")
	s.idle("The turn edit is over.")
	s.started()
	s.coloured("green")
	s.say("go on @@next")
	s.idle("The next answer.")
	s.knows("The first answer.", "The turn edit is over.")
	s.leave()
}

// id is the session's, as the window tells it.
func (s *stage) id() string {
	s.t.Helper()
	s.typed("/session")
	s.press("enter")
	found := resumeHint.FindStringSubmatch(s.wait("go on with it  parley --resume"))
	s.press("esc")
	s.wait(textReady)
	s.waitGone("go on with it")
	return found[1]
}

// resume opens the list of sessions and goes to the one of a title.
func (s *stage) resume(title string) {
	s.t.Helper()
	s.press("ctrl+x", "s")
	s.wait("Sessions", title)
	s.press("/")
	s.wait(textQuery)
	s.typed(title)
	s.wait("❯ " + title)
	s.press("enter")
	s.waitGone(textQuery)
	s.breathe() // two at once are a paste
	s.press("enter")
	s.waitGone("Sessions", "starting")
}

// TestSessionsAndTheirDrafts starts a new session, goes back to the one before
// and to the new one again: each has its timeline and the draft that was left in
// it. What was not sent is there after the end, too.
func TestSessionsAndTheirDrafts(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}, "three": {{Text: "The answer of three."}},
	}, launch{own: true, home: t.TempDir()})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	s.typed("/new")
	s.press("enter")
	s.wait("New session.", "parley --resume", textReady)
	s.waitGone("The answer of one.", "starting")
	s.say("cherries @@two")
	s.idle("The answer of two.")
	if heard := s.askedFor(); len(heard) != 1 {
		t.Errorf("the new session has %q", heard)
	}
	second := s.id()
	s.typed("half a word on cherries")
	s.resume("mangoes @@one")
	s.idle("The answer of one.")
	s.waitGone("The answer of two.")
	s.typed("half a word on mangoes")
	s.resume("cherries @@two")
	s.wait("The answer of two.", "❯ half a word on cherries")
	s.waitGone("mangoes")
	s.resume("mangoes @@one")
	s.wait("The answer of one.", "❯ half a word on mangoes")
	s.waitGone("cherries")
	s.quitWithDraft()

	s = s.after("--resume", second)
	s.wait("The answer of two.", "❯ half a word on cherries")
	s.waitGone("mangoes")
	s.resume("mangoes @@one")
	s.wait("The answer of one.", "❯ half a word on mangoes")
	s.send(" @@three")
	s.wait("❯ half a word on mangoes @@three")
	s.press("enter")
	s.idle("The answer of three.")
	if heard := s.askedFor(); len(heard) != 2 || !strings.HasSuffix(heard[1], "half a word on mangoes @@three") {
		t.Errorf("the resumed session has %q", heard)
	}
	s.resume("cherries @@two")
	s.wait("The answer of two.", "❯ half a word on cherries")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// TestContinueAfterLooking leaves the window in a session in which nothing was
// said this time. What is gone on with, and the draft in it, belong together.
func TestContinueAfterLooking(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}}, launch{own: true, home: t.TempDir()})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	s.typed("/new")
	s.press("enter")
	s.waitGone("The answer of one.", "starting")
	s.say("cherries @@two")
	s.idle("The answer of two.")
	s.typed("half a word on cherries")
	s.resume("mangoes @@one")
	s.idle("The answer of one.")
	s.typed("half a word on mangoes")
	s.quitWithDraft()
	s = s.after("--continue")
	s.waitFor("a session with its draft", func(screen string) bool {
		return strings.Contains(screen, "The answer of one.") && strings.Contains(screen, "❯ half a word on mangoes") ||
			strings.Contains(screen, "The answer of two.") && strings.Contains(screen, "❯ half a word on cherries")
	})
	s.quitWithDraft()
}

// quitWithDraft quits from the palette, which leaves the draft alone.
func (s *stage) quitWithDraft() {
	s.t.Helper()
	s.press("ctrl+x", "/")
	s.wait("Commands")
	s.typed("quit")
	s.wait("❯ Leave; the session can be resumed")
	s.press("enter")
	if code := s.exit(); code != exitOK {
		s.t.Errorf("exit code %d", code)
	}
	s.checkRestored()
	s.checkAlone()
}

// after starts another window with what this one has left behind. Its draft need
// not be empty.
func (s *stage) after(args ...string) *stage {
	s.t.Helper()
	next := *s
	next.launch.args = args
	next.terminal = start(s.t, next.launch)
	next.started("interactive")
	return &next
}

// TestDraftOfTheFolder leaves a window with a draft of which nothing was sent.
// The next window in that folder has it, one elsewhere does not.
func TestDraftOfTheFolder(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"one": {{Text: "The answer of one."}}}, launch{own: true, home: t.TempDir()})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	s.typed("an unsent word")
	s.paste(strings.Repeat("a line of a paste\n", 30))
	s.wait("an unsent word[Pasted 30 lines")
	s.quitWithDraft()
	elsewhere := *s
	elsewhere.launch.dir = t.TempDir()
	other := elsewhere.after()
	if strings.Contains(other.wait(textReady), "unsent word") {
		t.Error("a draft of another folder came")
	}
	other.leave()
	again := s.after("--continue")
	again.wait("The answer of one.", "❯ an unsent word[Pasted 30 lines")
	again.press("ctrl+c")
	again.wait(textReady)
	again.leave()
}

// TestFork goes on in a copy. The session it was made of stays as it was.
func TestFork(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s := play(t, llm.Script{"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}},
		launch{own: true, env: []string{"COPILOT_HOME=" + home}})
	s.typed("/fork")
	s.press("enter")
	s.wait("Nothing was said yet that a copy would keep.")
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	original := filepath.Join(workspace(t, home), "events.jsonl")
	s.typed("/fork")
	s.press("enter")
	s.started("This is a copy.", "parley --resume "+filepath.Base(filepath.Dir(original)), "The answer of one.", textReady)
	s.say("cherries @@two")
	s.idle("The answer of two.")
	if heard := s.askedFor(); len(heard) != 2 || !strings.Contains(heard[0], "mangoes") {
		t.Errorf("the copy has %q", heard)
	}
	log, err := os.ReadFile(original)
	if err != nil || strings.Contains(string(log), "cherries") {
		t.Errorf("the original was changed: %v", err)
	}
	s.press("ctrl+x", "s")
	s.wait("Sessions", "mangoes")
	s.press("down", "enter")
	s.waitGone("Sessions", "starting", "cherries")
	s.idle("The answer of one.")
	s.leave()
}

// TestResumeOfNothing asks for a session that there is not. Enter goes back to
// the one there was.
func TestResumeOfNothing(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}}, launch{})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	const none = "00000000-0000-4000-8000-000000000000"
	s.command("/resume " + none)
	s.wait("■", none, "Enter goes back to the one before")
	s.press("enter")
	s.wait("The answer of one.", textReady)
	s.waitGone("starting", "lost")
	s.say("cherries @@two")
	s.idle("The answer of two.")
	if heard := s.askedFor(); len(heard) != 2 || !strings.Contains(heard[0], "mangoes") {
		t.Errorf("the session has %q", heard)
	}
	s.leave()
}

// TestRestart ends the runtime and goes on with the same session, in the folder
// that it was moved to, on another.
func TestRestart(t *testing.T) {
	t.Parallel()
	other := filepath.Join(t.TempDir(), "elsewhere")
	folder(t, other)
	s := play(t, llm.Script{"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}}, launch{own: true})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	s.command("/cwd " + other)
	s.waitFor("the other folder", func(screen string) bool { return rowWith(screen, "interactive", "elsewhere") })
	before := s.runtimes()
	s.typed("half a word")
	s.press("ctrl+x", "/")
	s.wait("Commands")
	s.typed("restart")
	s.wait("❯ Start the agent anew")
	s.press("enter")
	s.wait("starting")
	s.started()
	s.wait("The answer of one.", "❯ half a word")
	after := s.runtimes()
	if len(before) != 1 || len(after) != 1 || before[0] == after[0] {
		t.Errorf("of the runtimes %v there are %v", before, after)
	}
	s.waitFor("the folder it was in", func(screen string) bool { return rowWith(screen, "interactive", "elsewhere") })
	s.send(" @@two")
	s.wait("half a word @@two")
	s.press("enter")
	s.idle("The answer of two.")
	if heard := s.askedFor(); len(heard) != 2 || !strings.Contains(heard[0], "mangoes") {
		t.Errorf("the session has %q", heard)
	}
	s.leave()
}

// runtimes are the processes of the Copilot CLI that the window has.
func (s *stage) runtimes() []process {
	s.t.Helper()
	return slices.DeleteFunc(s.descendants(), func(p process) bool { return !strings.Contains(p.command, "--headless") })
}

// TestQueuedPromptOutlivesTheWindow kills the window while a prompt waits in the
// queue. The next one has it in the composer, once, and does not send it.
func TestQueuedPromptOutlivesTheWindow(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"slow": {{Text: "I begin slowly and go on.", Hold: llm.NewGate(), HoldAfter: 2}}}, launch{own: true, home: t.TempDir()})
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	s.typed("then the cherries")
	s.press("ctrl+q")
	s.wait("1 waiting", textBusy)
	s.typed("half a word")
	s.breathe() // what is older than a moment is kept
	s.breathe()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	s = s.after("--continue")
	s.waitFor("what was not sent", func(screen string) bool {
		return inOrder(screen, "begin @@slow", "❯ then the cherries", "half a word") && strings.Count(screen, "then the cherries") == 1
	})
	if n := len(s.model.Requests()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// TestHistoryOnDisk keeps the prompts that were sent for the next window, but for
// those that begin with a space or look like a secret.
func TestHistoryOnDisk(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	s := play(t, llm.Script{"go": {{Text: "Done so."}}}, launch{own: true, env: []string{"XDG_STATE_HOME=" + state}})
	const token = "ghp_9fKx2LmQ7RtVb4NzYc8WpJd1HsGe5AuT3oXi"
	for i, prompt := range []string{"count the mangoes @@go", " count in private @@go", "use " + token + " @@go"} {
		s.send(prompt)
		s.waitFor("the prompt", func(screen string) bool { return rowWith(screen, "❯", strings.TrimSpace(prompt)) })
		s.press("enter")
		s.waitFor("the answer", func(screen string) bool {
			return strings.Count(screen, "Done so.") == i+1 && strings.Contains(screen, textReady)
		})
	}
	s.leave()
	s = s.again()
	s.press("ctrl+r")
	s.wait("Prompts", "count the mangoes @@go") // this session has none: it looks further by itself
	s.press("ctrl+r")
	s.wait("count the mangoes @@go", "everywhere")
	if screen := s.screen(); strings.Contains(screen, "private") || strings.Contains(screen, token) {
		t.Errorf("what is not to be kept was:\n%s", screen)
	}
	s.typed("mang")
	s.press("enter")
	s.wait("❯ count the mangoes @@go")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
	file := filepath.Join(state, "parley", "prompts.jsonl")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "mangoes") || strings.Contains(string(text), token) || strings.Contains(string(text), "private") {
		t.Errorf("the file holds %s (%v)", text, err)
	}
	if at, err := os.Stat(file); err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("the file is open to others: %v, %v", at.Mode(), err)
	}
}
