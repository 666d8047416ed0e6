package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/session/sessiontest/llm"
)

// The texts of the picker of prompts to go back to.
const (
	textRewind = "Go back to before"
	textWent   = "Rewound"
)

// playEdit starts on a folder with a file, has the model say something first,
// and then change a line of the file.
func playEdit(t *testing.T, l launch) *stage {
	t.Helper()
	l.own = true
	s := play(t, llm.Script{"first": {{Text: "The first answer."}}, "next": {{Text: "The next answer."}}}, l)
	s.put("settings.ini", "[look]\ncolour = red\nsize = 3\n")
	s.say("begin @@first")
	s.idle("The first answer.")
	s.turn("edit", llm.Call{Name: "edit", Args: object{"path": s.path("settings.ini"), "old_str": "colour = red", "new_str": "colour = green\nborder = none"}})
	s.answer("y", textOnce, "settings.ini")
	s.over("edit")
	return s
}

// goBack opens the picker with the keys that do it, at the last prompt. Enter asks once
// more, and to go to another row is no.
func (s *stage) goBack(texts ...string) {
	s.t.Helper()
	s.press("esc")
	s.wait("esc again to go back to an earlier prompt")
	s.press("esc")
	s.wait(textRewind, "do it @@edit   1 file +2 −1", "begin @@first  1 file +2 −1", "conversation only")
	s.wait("❯ do it @@edit")
	s.press("enter")
	s.wait("Go back, files stay?")
	s.press("down") // which is no
	s.wait("❯ begin @@first")
	s.waitGone("Go back, files stay?")
	s.press("up")
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

// TestRewind goes back to before an edit. The picker says what is at stake; the file
// stays unless a key more is pressed. What was rewound is taken back, in the folder
// that the session had moved to, as long as nothing else is said.
func TestRewind(t *testing.T) { bothWindows(t, journeyRewind) }

// journeyRewind is it in one window.
func journeyRewind(t *testing.T, l launch) {
	t.Helper()
	s := playEdit(t, l)
	clitest.Folder(t, s.path("elsewhere"))
	s.command("/cwd elsewhere")
	s.waitFor("the other folder", func(screen string) bool { return rowWith(screen, "interactive", "elsewhere") })

	s.goBack("1 file changed since; it stays as it is", "settings.ini  +2 −1")
	s.press("esc") // nothing happens by looking
	s.waitGone(textRewind)
	s.command("/rewind") // escape counts again a second later
	s.wait(textRewind)
	s.press("f")
	s.wait("conversation and files", "restored")
	s.press("enter")
	s.wait("Restore 1 file?")
	s.coloured("green")
	s.pause()
	s.press("enter")
	s.wait(textWent, "1 file restored")
	s.coloured("red")
	s.closed("The turn edit is over.")
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

	s.command("/rewind")
	s.wait(textRewind, "conversation only")
	s.wait("❯ go on @@next")
	s.press("enter")
	s.wait("Go back, files stay?")
	s.pause()
	s.press("enter")
	s.wait(textWent+" to before “go on @@next”", "❯ go on @@next") // it can be worded anew
	s.closed("The next answer.")
	s.waitGone(textRewind)
	before := strings.Count(s.screen(), "The next answer.")
	s.send(", once more")
	s.wait("❯ go on @@next, once more")
	s.press("enter")
	s.waitFor("another answer", func(screen string) bool {
		return strings.Count(screen, "The next answer.") > before && strings.Contains(screen, textReady)
	})
	s.knows("The first answer.", "The turn edit is over.")
	s.says("/redo", "Nothing to redo: nothing was rewound, or something was said since.")
	s.coloured("green")
	s.leave()
}

// id is the session's, as the window shows it.
func (s *stage) id() string {
	s.t.Helper()
	s.typed("/session")
	s.press("enter")
	found := resumeHint.FindStringSubmatch(s.wait("resume it", "parley --resume"))
	s.press("esc")
	s.wait(textReady)
	s.waitGone("resume it")
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
	s.pause() // two at once are a paste
	s.press("enter")
	s.waitGone("Sessions", "starting")
}

// playSessions starts in a home that outlives the window.
func playSessions(t *testing.T, script llm.Script, l launch) *stage {
	t.Helper()
	l.own, l.home = true, t.TempDir()
	return play(t, script, l)
}

// TestSessions goes from session to session: each has its timeline and the draft that
// was left in it, also after the window's end.
func TestSessions(t *testing.T) { bothWindows(t, journeySessions) }

// journeySessions is it in one window.
func journeySessions(t *testing.T, l launch) {
	t.Helper()
	s := playSessions(t, llm.Script{
		"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}, "three": {{Text: "The answer of three."}},
	}, l)
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	s.command("/new")
	s.wait("New session.", "parley --resume", textReady)
	s.closed("The answer of one.")
	s.waitGone("starting")
	s.say("cherries @@two")
	s.idle("The answer of two.")
	if heard := s.askedFor(); len(heard) != 1 {
		t.Errorf("the new session has %q", heard)
	}
	cherries := s.id()
	s.typed("half a word on cherries")
	s.resume("mangoes @@one")
	s.idle("The answer of one.")
	s.closed("The answer of two.")
	s.typed("half a word on mangoes")
	s.paste(strings.Repeat("a line of a paste\n", 30))
	s.wait("half a word on mangoes[Pasted 30 lines")
	s.quitWithDraft() // nothing was said in this one since

	s = s.after("--continue") // the runtime decides which was last
	s.waitFor("a session with its draft", func(screen string) bool {
		return strings.Contains(screen, "The answer of one.") && strings.Contains(screen, "❯ half a word on mangoes[Pasted 30 lines") ||
			strings.Contains(screen, "The answer of two.") && strings.Contains(screen, "❯ half a word on cherries")
	})
	s.quitWithDraft()

	s = s.after("--resume", cherries)
	s.wait("The answer of two.", "❯ half a word on cherries")
	s.resume("mangoes @@one")
	s.wait("The answer of one.", "❯ half a word on mangoes[Pasted 30 lines")
	s.send(" @@three")
	s.wait("30 lines", "@@three")
	s.press("enter")
	s.idle("The answer of three.")
	if heard := s.askedFor(); len(heard) != 2 || !strings.Contains(heard[1], "half a word on mangoesa line of a paste\n") {
		t.Errorf("the resumed session has %q", heard)
	}
	s.leave()
}

// TestRestart ends the runtime and resumes the session, in the folder that it was moved
// to and with its draft, on another.
func TestRestart(t *testing.T) { bothWindows(t, journeyRestart) }

// journeyRestart is it in one window.
func journeyRestart(t *testing.T, l launch) {
	t.Helper()
	s := playSessions(t, llm.Script{"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}}, l)
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	other := filepath.Join(t.TempDir(), "elsewhere")
	clitest.Folder(t, other)
	s.command("/cwd " + other)
	in := func(screen string) bool { return rowWith(screen, "interactive", "elsewhere") }
	s.waitFor("the other folder", in)
	before := s.runtimes()
	s.typed("once more")
	s.press("ctrl+x", "/")
	s.wait("Commands")
	s.typed("restart")
	s.wait("❯ Restart the agent")
	s.press("enter")
	s.wait("starting")
	s.started("The answer of one.", "❯ once more")
	screen := s.waitFor("the folder it was in", in)
	if strings.Count(screen, "The answer of one.") != 1 {
		t.Errorf("the conversation stands twice:\n%s", screen)
	}
	after := s.runtimes()
	if len(before) != 1 || len(after) != 1 || before[0] == after[0] {
		t.Errorf("of the runtimes %v there are %v", before, after)
	}
	s.send(" @@two")
	s.wait("❯ once more @@two")
	s.press("enter")
	s.idle("The answer of two.")
	if heard := s.askedFor(); len(heard) != 2 || !strings.Contains(heard[0], "mangoes") {
		t.Errorf("the session has %q", heard)
	}
	s.leave()
}

// TestFork continues in a copy, which leaves what it was made of as it was. A session
// that there is not is asked for then: Enter goes back to the one there was.
func TestFork(t *testing.T) { bothWindows(t, journeyFork) }

// journeyFork is it in one window.
func journeyFork(t *testing.T, l launch) {
	t.Helper()
	s := playSessions(t, llm.Script{"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}}, l)
	s.says("/fork", "Nothing was said yet that a copy would keep.")
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	original := s.id()
	s.command("/fork")
	s.started(`Forked from "mangoes @@one".`, "The answer of one.", textReady)
	s.say("plums @@two")
	s.idle("The answer of two.")
	if heard := s.askedFor(); len(heard) != 2 || !strings.Contains(heard[0], "mangoes") {
		t.Errorf("the copy has %q", heard)
	}
	if log := stored(t, filepath.Join(s.home(), "session-state", original, "events.jsonl")); strings.Contains(log, "plums") {
		t.Errorf("the original was changed:\n%s", log)
	}
	const none = "00000000-0000-4000-8000-000000000000"
	s.command("/resume " + none)
	s.wait("■", none, "Enter goes back to the one before")
	s.press("enter")
	s.wait("The answer of two.", textReady)
	s.waitGone("starting", "lost")
	s.leave()
}

// TestKilledWithQueue kills the window while a prompt waits in the queue. The next one
// has it in the composer, once, and does not send it; and it has the prompts that were
// sent before, those of another session among them.
func TestKilledWithQueue(t *testing.T) { bothWindows(t, journeyKilledWithQueue) }

// journeyKilledWithQueue is it in one window.
func journeyKilledWithQueue(t *testing.T, l launch) {
	t.Helper()
	s := playSessions(t, llm.Script{
		"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}},
		"slow": {{Text: "I begin slowly and go on.", Hold: llm.NewGate(), HoldAfter: 2}},
	}, l)
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	s.command("/new")
	s.started("New session.", textReady)
	s.say("plums @@two")
	s.idle("The answer of two.")
	id := s.id()
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	s.typed("then the cherries")
	s.press("ctrl+q")
	s.wait("1 queued", textBusy)
	s.typed("half a plum")
	s.waitFor("the draft to be written", func(string) bool { // it is drawn anew as long as the agent works
		return s.journaled("then the cherries") && s.journaled("half a plum")
	})
	asked := len(s.model.Requests())
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	next := s.after("--resume", id)
	next.waitFor("what was not sent", func(screen string) bool {
		return inOrder(screen, "begin @@slow", "❯ then the cherries", "half a plum") && strings.Count(screen, "then the cherries") == 1
	})
	if n := len(s.model.Requests()) - asked; n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	next.press("ctrl+c")
	next.wait(textReady)
	next.press("ctrl+r")
	next.wait("Prompts", "this session")
	next.press("ctrl+r") // further: those of other sessions
	next.wait("this repository")
	next.typed("mangoes @@o")
	next.wait("❯ mangoes @@one")
	next.press("enter")
	next.waitGone("this repository")
	next.wait("❯ mangoes @@one")
	next.press("ctrl+c")
	next.wait(textReady)
	next.leave()
}

// journaled reports whether a window has written a text to its drafts.
func (s *stage) journaled(text string) bool {
	files, err := filepath.Glob(filepath.Join(s.launch.home, ".local", "state", "parley", "*", "*", "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(name string) bool {
		raw, err := os.ReadFile(name) // an error is that of one that was replaced
		return err == nil && strings.Contains(string(raw), text)
	})
}

// quitWithDraft quits from the palette, which leaves the draft alone.
func (s *stage) quitWithDraft() {
	s.t.Helper()
	s.press("ctrl+x", "/")
	s.wait("Commands")
	s.typed("quit")
	s.wait("❯ Leave; the session can be resumed")
	s.press("enter")
	s.endsWell()
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

// runtimes are the processes of the Copilot CLI that the window has.
func (s *stage) runtimes() []descendant {
	s.t.Helper()
	return slices.DeleteFunc(s.descendants(), func(p descendant) bool { return !strings.Contains(p.command, "--headless") })
}

// TestDamagedLog resumes a session whose log has garbage in it and ends in the middle of a
// line: the runtime skips that without a word, and the window says so. One that the runtime
// does not accept, because its first line is damaged, is read.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}},
	}, launch{own: true, home: t.TempDir(), width: 100, height: 40})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	id := s.id()
	s.leave()
	path := filepath.Join(s.home(), "session-state", id, "events.jsonl")
	log := stored(t, path)
	first, _, _ := strings.Cut(log, "\n")
	if err := os.WriteFile(path, []byte(log+"garbage\n"+first[:len(first)/2]), 0o600); err != nil {
		t.Fatal(err)
	}
	s = s.after("--resume", id)
	s.wait("The answer of one.", "Not all of this session could be read: 2 lines of its log are damaged.")
	s.say("cherries @@two")
	s.idle("The answer of two.")
	s.leave()
	if err := os.WriteFile(path, []byte(stored(t, path)[len(first)/2:]), 0o600); err != nil {
		t.Fatal(err)
	}
	s.launch.args = []string{"--resume", id}
	s.terminal = start(t, s.launch)
	s.wait("The answer of two.", "The agent cannot resume this session:", "Session file is corrupted", "read only · ")
}
