package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/session/sessiontest/llm"
)

// textAllowAll stands in the status line as long as nothing asks.
const textAllowAll = "allow-all: nothing asks"

// command types a command and runs it.
func (s *stage) command(text string) {
	s.t.Helper()
	s.typed(text)
	s.press("enter")
	s.waitGone("❯ " + text)
}

// says runs a command and waits for what it says.
func (s *stage) says(command string, texts ...string) {
	s.t.Helper()
	s.command(command)
	s.idle(texts...)
}

// reads runs a command that shows a text, looks for parts of it and closes it.
func (s *stage) reads(command string, texts ...string) {
	s.t.Helper()
	s.command(command)
	s.wait(append(texts, "esc close")...)
	s.press("esc")
	s.waitGone("esc close")
}

// windowTitle is the title that the window has set last (OSC 2).
func (x *terminal) windowTitle() string {
	raw := x.raw()
	_, title, _ := strings.Cut(raw[max(0, strings.LastIndex(raw, "\x1b]2;")):], "\x1b]2;")
	title, _, _ = strings.Cut(title, "\x07")
	return title
}

// TestCommands does by commands what can be done by them, in one window: they show,
// change, wait for a turn, run what the user types, and leave the draft alone.
func TestCommands(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := play(t, llm.Script{
		"a": {{Text: "An answer."}}, "b": {{Text: "It is quince."}}, "c": {{Text: "So I heard."}}, "d": {{Text: "Another answer."}},
		"e":    {{Text: "It says that."}},
		"slow": {{Text: "I begin slowly and go on.", Hold: gate, HoldAfter: 2}, {Text: "It is written."}},
	}, launch{home: t.TempDir(), width: 120, height: 40})
	s.unknownCommands()
	s.showingCommands()
	s.commandsDuringATurn(gate)
	s.ownCommands()
	s.backgroundShell()
	s.everythingAllowed()
	s.folderCommands()
	s.changedSettings()
	s.leave()
	kept := stored(t, filepath.Join(s.launch.home, ".local", "state", "parley", "prompts.jsonl"))
	if !strings.Contains(kept, "hello @@d") || strings.Contains(kept, "/contxt") {
		t.Errorf("of the prompts are kept\n%s", kept)
	}
}

// unknownCommands says what may be meant. Whatever begins with a slash stays in the
// composer and is never sent; behind a space it is a prompt, which is not kept. So is a path.
func (s *stage) unknownCommands() {
	s.t.Helper()
	for _, c := range [][2]string{
		{"/contxt now @@a", "No command /contxt. Did you mean /context?"},
		{"/", "A space before / sends it."},
	} {
		s.send(c[0])
		s.wait("❯ " + c[0])
		s.press("enter")
		s.wait(c[1], "❯ "+c[0])
		s.press("ctrl+c")
		s.wait(textReady)
	}
	s.says("/context", "There is nothing in the context before the first turn.")
	s.says("/tasks", "Nothing runs in the background.")
	if n := len(s.model.Requests()); n != 0 {
		s.t.Errorf("the model was asked %d times", n)
	}
	s.send(" /contxt @@a")
	s.press("enter")
	s.idle("An answer.")
	s.requested("user", "/contxt @@a")
	s.send("/etc/hosts, say it @@e")
	s.press("enter")
	s.idle("It says that.")
	s.requested("user", "/etc/hosts, say it @@e")
}

// showingCommands reads what commands show of the session, the palette's beside a
// draft, and changes its name and its model.
func (s *stage) showingCommands() {
	s.t.Helper()
	s.reads("/context", "fake-model", "System prompt", "Tool definitions", "of 128 000")
	s.reads("/cost", "Usage", "tokens in", "2 000", "fake-model") // as another program calls it
	s.says("/env", "Custom Instructions", "Skills")               // the agent's own

	s.typed("half a draft")
	s.press("ctrl+x", "/")
	s.wait("Commands", "half a draft")
	s.typed("rename Mending the gate")
	s.press("enter")
	s.waitFor("the title of the window", func(string) bool { return strings.HasPrefix(s.windowTitle(), "Mending the gate") })
	s.wait("❯ half a draft")
	s.press("ctrl+c")
	s.wait(textReady)
	s.reads("/session", "Mending the gate", "fake-model", "resume it", "parley --resume")

	s.command("/model")
	s.wait("Model", "❯ fake-model", "enter choose")
	s.press("esc")
	s.waitGone("enter choose")
	s.says("/model other-model", "Model changed from fake-model to other-model")
	s.wait("interactive · other-model")
	s.say("hello @@d")
	s.idle("Another answer.")
	requests := s.model.Requests()
	if got := requests[len(requests)-1].Model; got != "other-model" {
		s.t.Errorf("the model is %s", got)
	}
}

// commandsDuringATurn runs commands while the model speaks. What they show is closed
// without touching the turn, and what has to wait says so.
func (s *stage) commandsDuringATurn(gate *llm.Gate) {
	s.t.Helper()
	before := len(s.model.Requests())
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	s.reads("/usage", "Usage", "prompts")
	s.wait(textBusy)
	s.command("/rewind")
	s.wait("Interrupt the agent first")
	s.command("/init")
	s.wait("/init waits for no turn")
	s.command("/model fake-model")
	s.wait(textBusy)
	if n := len(s.model.Requests()) - before; n != 1 {
		s.t.Errorf("the model was asked %d times", n)
	}
	gate.Open()
	s.idle("I begin slowly and go on.")
	s.wait("interactive · fake-model")
	s.press("ctrl+s") // the command that had to wait is there
	s.wait("❯ /init")
	s.press("enter")
	s.idle("It is written.")
	s.requested("user", "Analyze this codebase and create a .github/copilot-instructions.md")
}

// ownCommands runs a command of the user's own: nothing asks, and the model has what
// it says with the next prompt. Another is stopped by a key.
func (s *stage) ownCommands() {
	s.t.Helper()
	s.typed("!echo hi-$((40+2)); touch mine.txt; exit 3")
	s.press("enter")
	s.idle("hi-42", "echo hi-")
	s.waitGone("running your command")
	if strings.Contains(s.screen(), textOnce) || !s.exists("mine.txt") {
		s.t.Errorf("it asked, or did not run:\n%s", s.screen())
	}
	s.typed("!echo on-$((1+1)) && sleep 600")
	s.press("enter")
	s.wait("on-2", "running your command")
	s.press("esc")
	s.waitGone("running your command")
	s.wait(textReady)
	s.say("what did it say? @@c")
	s.idle("So I heard.")
	s.requested("user", "hi-42", "touch mine.txt; exit 3", "what did it say?")
}

// folderCommands adds a folder to those the agent may work in, writes the
// conversation to a file, and goes to the other folder, where the files are others.
func (s *stage) folderCommands() {
	s.t.Helper()
	other := s.t.TempDir()
	clitest.Put(s.t, filepath.Join(other, "note.txt"), "the word is quince\n")
	s.says("/add-dir "+other, "The agent may work in")
	s.reads("/list-dirs", "Folders", s.dir, other)
	s.command("/export talk.md")
	s.wait("Written to")
	if text := s.file("talk.md"); !strings.Contains(text, "do it @@new") || !strings.Contains(text, "The turn new is over.") {
		s.t.Errorf("the file holds %q", text)
	}
	s.command("/cwd " + other)
	s.waitFor("the other folder", func(screen string) bool { return rowWith(screen, "interactive", filepath.Base(other)) })
	s.send("see @not")
	s.wait("❯ note.txt")
	s.press("tab")
	s.typed("@@b")
	s.press("enter")
	s.idle("It is quince.")
	s.requested("user", "see @note.txt @@b", filepath.Join(other, "note.txt")+" (2 lines)")
}

// changedSettings changes the file of the settings beside the window, with mistakes
// and without, and then by a command. Its folder was not there when the window opened.
func (s *stage) changedSettings() {
	s.t.Helper()
	file := filepath.Join(s.launch.home, ".config", "parley", "settings.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		s.t.Fatal(err)
	}
	clitest.Put(s.t, file, "vim = true # mine\n")
	s.wait("INSERT")
	clitest.Put(s.t, file, "vim = false\nmotoin = \"none\"\n\n[notify]\ndone = \"bel\"\n")
	s.wait(`~/.config/parley/settings.toml, line 2: there is no setting "motoin"; did you mean "motion"?`,
		"~/.config/parley/settings.toml, line 5: notify.done is \"bel\"", "What was set before stays.", "INSERT")
	beside := filepath.Join(filepath.Dir(file), "settings.toml.new")
	clitest.Put(s.t, beside, "# how I write\nvim = false # mine\n")
	if err := os.Rename(beside, file); err != nil {
		s.t.Fatal(err)
	}
	s.waitGone("INSERT")
	s.says("/settings notify.after 30", "notify.after is 30 now.")
	if text, want := stored(s.t, file), "# how I write\nvim = false # mine\n\n[notify]\nafter = 30\n"; text != want {
		s.t.Errorf("the file is %q; want %q", text, want)
	}
}

// allowAll allows everything: the arrows choose it, and enter twice does it.
func (s *stage) allowAll() {
	s.t.Helper()
	s.command("/allow-all on")
	s.wait("Allow everything without asking?", "No, keep asking", "Yes, allow everything")
	s.press("down", "down", "enter")
	if screen := s.wait("Really?"); strings.Contains(screen, textAllowAll) {
		s.t.Errorf("everything is allowed already:\n%s", screen)
	}
	s.pause()
	s.press("enter")
	s.wait(textAllowAll)
}

// everythingAllowed allows everything for a session, and takes it back. The next one
// asks too.
func (s *stage) everythingAllowed() {
	s.t.Helper()
	s.allowAll()
	s.turn("free", bash("touch free.txt && mkdir free"))
	s.over("free", textAllowAll)
	if strings.Contains(s.raw(), "touch free.txt && mkdir free?") || !s.exists("free") {
		s.t.Error("it asked, or did not run")
	}
	s.reads("/session", "everything is allowed, nothing asks")
	s.command("/allow-all off")
	s.waitGone(textAllowAll)
	s.stillAsks("again")
	s.allowAll()
	s.command("/new")
	s.waitGone("The turn again is over.", "starting", textAllowAll)
	s.stillAsks("new")
}

// stillAsks has the model run a command, and sees that it is asked for.
func (s *stage) stillAsks(name string) {
	s.t.Helper()
	s.turn(name, bash("touch "+name+".txt"))
	s.card(textOnce, "touch "+name+".txt")
	if s.exists(name + ".txt") {
		s.t.Error("it was not asked for")
	}
	s.press("y")
	s.over(name)
}

// backgroundShell moves a command that the agent waits for to the background, finds
// it among the tasks and cancels it.
func (s *stage) backgroundShell() {
	s.t.Helper()
	s.turn("long", bash("echo $$ > pid; echo begun; exec sleep 600"))
	s.answer("y", textOnce, "sleep 600")
	s.wait("enter allows it") // it writes a file
	s.pause()
	s.press("enter")
	s.wait("\n    begun\n") // the runtime knows of it since it passed this on, and not as soon as it runs
	s.press("ctrl+x", "b")
	s.over("long")
	pid, err := strconv.Atoi(strings.TrimSpace(s.file("pid")))
	if err != nil {
		s.t.Fatal(err)
	}
	runs := func() bool { // one that has ended and was not waited for has no command line
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err == nil && strings.Contains(string(line), "sleep")
	}
	if !runs() {
		s.t.Error("it does not run in the background")
	}
	s.wait("in the background")
	s.command("/tasks")
	s.wait("Tasks", "❯ shell  a test", "running", "sleep 600", "begun")
	s.press("x")
	s.wait("Cancel a test?")
	if !runs() {
		s.t.Error("one key cancelled it")
	}
	s.pause()
	s.press("x")
	s.wait("cancelled") // the runtime says so before it has ended the command, which takes it its time
	s.press("esc")
	s.waitGone("Tasks", "in the background")
}
