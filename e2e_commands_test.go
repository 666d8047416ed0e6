package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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
	s.wait(append(texts, "esc closes")...)
	s.press("esc")
	s.waitGone("esc closes")
}

// windowTitle is the title that the window has set last (OSC 2).
func (x *terminal) windowTitle() string {
	raw := x.raw()
	_, title, _ := strings.Cut(raw[max(0, strings.LastIndex(raw, "\x1b]2;")):], "\x1b]2;")
	title, _, _ = strings.Cut(title, "\x07")
	return title
}

// TestCommands runs commands that tell and change something, before a turn and
// behind it.
func TestCommands(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"a": {{Text: "An answer."}}}, launch{height: 40, width: 100})
	s.says("/context", "There is nothing in the context before the first turn.")
	s.says("/tasks", "Nothing runs in the background.")
	s.say("hello @@a")
	s.idle("An answer.")
	s.reads("/context", "fake-model", "System prompt", "Tool definitions", "of 128 000")
	s.reads("/cost", "Usage", "tokens in", "1 000", "fake-model") // as another program calls it
	s.reads("/usage", "Usage", "calls", "prompts")

	s.command("/rename Mending the gate")
	s.waitFor("the title of the window", func(string) bool { return strings.HasPrefix(s.windowTitle(), "Mending the gate") })
	s.reads("/session", "Mending the gate", "fake-model", "go on with it  parley --resume")

	s.command("/model")
	s.wait("Model", "❯ fake-model", "enter choose")
	s.press("esc")
	s.waitGone("enter choose")
	s.says("/model other-model", "Model changed from fake-model to other-model")
	s.wait("interactive · other-model")
	s.say("hello again @@a")
	s.idle("hello again", "2 turns")
	requests := s.model.Requests()
	if got := requests[len(requests)-1].Model; got != "other-model" {
		t.Errorf("the model is %s", got)
	}
	s.command("/models")
	s.wait("Model", "❯ other-model", "enter choose")
	s.press("esc")
	s.waitGone("enter choose")
	s.says("/model fake-model", "from other-model to fake-model", "interactive · fake-model")
	s.leave()
}

// TestAgentCommands runs commands of the runtime: one that returns a text, one
// that asks how to go on, one that comes to a prompt.
func TestAgentCommands(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"": {{Text: "It is written."}}}, launch{own: true, height: 40, width: 100})
	s.says("/env", "Custom Instructions", "Skills")
	s.command("/chronicle")
	s.wait("Chronicle", "standup", "reindex", "enter choose")
	s.press("enter") // nothing is chosen yet
	s.press("esc")
	s.waitGone("Chronicle")
	if n := len(s.model.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	s.says("/init", "/init", "It is written.")
	s.told("user", "Analyze this codebase and create a .github/copilot-instructions.md")
	s.leave()
}

// TestUnknownCommands says what may be meant. Whatever begins with a slash stays
// in the composer and is never sent; behind a space it is a prompt.
func TestUnknownCommands(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"a": {{Text: "An answer."}}}, launch{})
	for command, answer := range map[string]string{
		"/contxt now @@a":    "There is no command /contxt. Did you mean /context?",
		"/frobnicate":        "There is no command /frobnicate.",
		"/user":              "There is no /user here. /login and /logout change who",
		"/etc/hosts, say it": "There is no command /etc/hosts,.",
		"/":                  "A space before the slash sends it as a prompt.",
	} {
		s.send(command)
		s.wait("❯ " + command)
		s.press("enter")
		s.wait(answer, "❯ "+command)
		s.press("ctrl+c")
		s.wait(textReady)
	}
	if n := len(s.model.Requests()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	s.send(" /contxt @@a")
	s.press("enter")
	s.idle("An answer.")
	s.told("user", "/contxt @@a")
	s.leave()
}

// TestCommandsDuringATurn runs commands while the model speaks. What they show is
// closed without touching the turn, and what has to wait says so.
func TestCommandsDuringATurn(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := play(t, llm.Script{"slow": {{Text: "I begin slowly and go on.", Hold: gate, HoldAfter: 2}}, "a": {{Text: "An answer."}}}, launch{})
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	for _, c := range [][]string{{"/usage", "Usage", "prompts"}, {"/session", "go on with it"}, {"/help", "Composer"}} {
		s.reads(c[0], c[1:]...)
		s.wait(textBusy)
	}
	s.command("/rename Slowly")
	s.waitFor("the title of the window", func(string) bool { return strings.HasPrefix(s.windowTitle(), "Slowly") })
	s.command("/rewind")
	s.wait("Interrupt the agent first")
	s.command("/init")
	s.wait("/init waits for no turn")
	s.command("/model other-model")
	s.wait(textBusy)
	if n := len(s.model.Requests()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
	gate.Open()
	s.idle("I begin slowly and go on.")
	s.wait("interactive · other-model")
	s.press("ctrl+s") // the command that had to wait is there
	s.wait("❯ /init")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// TestPalette runs a command beside a draft, which stays.
func TestPalette(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{height: 40, width: 100})
	s.typed("half a draft")
	s.press("ctrl+x", "/")
	s.wait("Commands", "half a draft")
	s.typed("rename A gate")
	s.press("enter")
	s.waitFor("the title of the window", func(string) bool { return strings.HasPrefix(s.windowTitle(), "A gate") })
	s.wait("❯ half a draft")
	s.press("f1")
	s.wait("Commands")
	s.typed("fills the model")
	s.wait("❯ What the model sees, and what fills its context")
	s.press("enter")
	s.wait("❯ half a draft", "There is nothing in the context")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
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
	s.breathe()
	s.press("enter")
	s.wait(textAllowAll)
}

// TestAllowAll allows everything by a command and a choice, and takes it back. No
// single key and no paste does it.
func TestAllowAll(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{home: t.TempDir()})
	allowed := func() bool { return strings.Contains(s.screen(), textAllowAll) }
	s.paste("/allow-all on\n")
	s.wait("❯ /allow-all on")
	s.press("ctrl+c")
	s.wait(textReady)

	s.command("/allow-all on")
	s.wait("Allow everything without asking?", "No, keep asking", "Yes, allow everything")
	for _, key := range []string{"enter", "y", "2", "space", "tab"} { // nothing is chosen
		s.press(key)
	}
	s.paste("y\n")
	s.waitGone("Allow everything without asking?")
	s.press("ctrl+c")
	s.wait(textReady)
	s.command("/yolo")
	s.wait("No, keep asking", "Yes, allow everything")
	s.press("down", "enter")
	s.waitGone("Allow everything without asking?")
	s.turn("still", bash("touch still.txt"))
	s.answer("y", textOnce, "touch still.txt")
	s.over("still")
	if allowed() {
		t.Fatalf("everything is allowed by no deliberate choice:\n%s", s.screen())
	}

	s.allowAll()
	s.turn("free", bash("touch free.txt && mkdir free"))
	s.over("free", textAllowAll)
	if strings.Contains(s.raw(), "touch free.txt && mkdir free?") || !s.exists("free") {
		t.Error("it asked, or did not run")
	}
	s.reads("/session", "everything is allowed, nothing asks")

	s.command("/allow-all off")
	s.waitGone(textAllowAll)
	s.turn("again", bash("touch again.txt"))
	s.card(textOnce, "touch again.txt")
	if s.exists("again.txt") {
		t.Error("it was not asked for")
	}
	s.press("y")
	s.over("again")
	s.leave()
}

// TestAllowAllEnds allows everything and leaves. Who goes on with the session is
// asked again.
func TestAllowAllEnds(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{own: true, home: t.TempDir()})
	s.allowAll()
	s.turn("free", bash("touch free.txt"))
	s.over("free")
	asks := func(where string) {
		t.Helper()
		if strings.Contains(s.screen(), textAllowAll) {
			t.Errorf("nothing asks in the %s session:\n%s", where, s.screen())
		}
		s.turn(where, bash("touch "+where+".txt"))
		s.answer("y", textOnce, "touch "+where)
		s.over(where)
	}
	s.command("/new")
	s.waitGone("The turn free is over.", "starting")
	asks("new")
	s.resume("do it @@free")
	s.wait("The turn free is over.")
	asks("old")
	s.leave()
	s = s.again("--continue")
	s.wait("The turn old is over.")
	asks("last")
	s.leave()
}

// TestBackgroundShell moves a command that the agent waits for to the background,
// finds it among the tasks and cancels it.
func TestBackgroundShell(t *testing.T) {
	t.Parallel()
	s := play(t, nil, launch{width: 100, height: 40})
	s.turn("long", bash("echo $$ > pid; echo begun; exec sleep 600"))
	s.answer("y", textOnce, "sleep 600")
	s.wait("enter to allow it") // it writes a file
	s.breathe()
	s.press("enter")
	s.waitFor("the command to run", func(string) bool { return strings.HasSuffix(s.file("pid"), "\n") })
	s.press("ctrl+x", "b")
	s.over("long")
	pid, err := strconv.Atoi(strings.TrimSpace(s.file("pid")))
	if err != nil {
		t.Fatal(err)
	}
	runs := func() bool { // one that has ended and was not waited for has no command line
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err == nil && strings.Contains(string(line), "sleep")
	}
	if !runs() {
		t.Error("it does not go on in the background")
	}
	s.wait("in the background")
	s.command("/tasks")
	s.wait("Tasks", "❯ shell  a test", "running", "sleep 600", "begun")
	s.press("x")
	s.wait("Cancel a test?")
	if !runs() {
		t.Error("one key cancelled it")
	}
	s.breathe()
	s.press("x")
	s.wait("cancelled") // the runtime says so before it has ended the command, which takes it its time
	s.press("esc")
	s.waitGone("Tasks", "in the background")
	s.leave()
}

// TestToolbox switches a skill and an MCP server of a trusted folder off and on,
// looks at the server's tools, and gives the conversation to the folder's agent.
func TestToolbox(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	withMCP(t, dir)
	for name, text := range map[string]string{
		".github/skills/wave/SKILL.md": "---\nname: wave\ndescription: MARK-skill waves\n---\nWave.\n",
		".github/agents/fox.agent.md":  "---\nname: fox\ndescription: a sly one\n---\nMARK-fox be sly.\n",
	} {
		folder(t, filepath.Dir(filepath.Join(dir, name)))
		put(t, filepath.Join(dir, name), text)
	}
	s := play(t, llm.Script{"": {{Text: "I see."}}}, launch{dir: dir, width: 100, height: 40})
	s.card("Trust this folder?")
	s.readOn()
	s.answer("y")
	s.waitGone("Trust this folder?")
	has := func(skill, server, agent bool) {
		t.Helper()
		n := len(s.model.Requests())
		s.say("what is there?")
		s.waitFor("the answer", func(screen string) bool { return len(s.model.Requests()) > n && strings.Contains(screen, textReady) })
		r := s.model.Requests()[n]
		for what, got := range map[string][2]bool{
			"skill":  {strings.Contains(string(r.Raw), "MARK-skill"), skill},
			"server": {r.Offers("asker-echo"), server},
			"agent":  {strings.Contains(r.System(), "MARK-fox be sly."), agent},
		} {
			if got[0] != got[1] {
				t.Errorf("the model has the %s: %t, want %t", what, got[0], got[1])
			}
		}
	}
	has(true, true, false)

	s.command("/skills")
	s.wait("Skills", "✓ wave", "MARK-skill waves", "project")
	s.to("wave")
	s.press("space")
	s.waitFor("the skill to be off", func(screen string) bool {
		return rowWith(screen, "❯", "wave") && !strings.Contains(screen, "✓ wave")
	})
	s.press("esc")
	s.waitGone("on or off")
	s.command("/mcp")
	s.wait("MCP servers", "✓ asker", "connected")
	s.press("t")
	s.wait("Tools of asker", "echo", "a test", "esc closes")
	s.press("esc")
	s.waitGone("Tools of asker")
	s.command("/mcp")
	s.wait("❯ ✓ asker", "connected")
	s.press("space")
	s.wait("disabled")
	s.press("esc")
	s.waitGone("on or off")
	has(false, false, false)

	s.command("/agents")
	s.wait("Agent", "❯ default", "fox", "a sly one")
	s.press("down", "enter")
	s.waitGone("a sly one")
	s.command("/skills")
	s.wait("Skills")
	s.to("wave")
	s.press("space")
	s.wait("✓ wave")
	s.press("esc")
	s.waitGone("on or off")
	s.command("/mcp")
	s.wait("disabled")
	s.press("space")
	s.wait("✓ asker", "connected")
	s.press("r")
	s.wait("✓ asker", "connected")
	s.press("esc")
	s.waitGone("on or off")
	has(true, true, true)
	s.reads("/session", "handled by", "fox")
	s.command("/agent")
	s.wait("❯ fox", "default")
	s.press("up", "enter")
	s.waitGone("a sly one")
	has(true, true, false)
	s.leave()
}

// to goes down an open list to a row.
func (s *stage) to(text string) {
	s.t.Helper()
	for range 20 {
		if rowWith(s.screen(), "❯", text) {
			return
		}
		before := chosen(s.screen()) // not the screen, on which a spinner turns
		s.press("down")
		s.waitFor("another row", func(screen string) bool { return chosen(screen) != before })
	}
	s.t.Fatalf("there is no row with %q:\n%s", text, s.screen())
}

// TestFoldersAndTheRest adds a folder to those the agent may work in, and writes
// the conversation to a file.
func TestFoldersAndTheRest(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	put(t, filepath.Join(other, "note.txt"), "the word is quince\n")
	s := play(t, llm.Script{"a": {{Text: "An **answer**."}}, "b": {{Text: "It is quince."}}}, launch{width: 120, height: 40})
	s.says("/add-dir "+other, "The agent may work in")
	s.reads("/list-dirs", "Folders", s.dir, other)
	s.say("hello @@a")
	s.idle("An answer.")
	s.command("/export talk.md")
	s.wait("Written to")
	if text := s.file("talk.md"); !strings.Contains(text, "hello @@a") || !strings.Contains(text, "An **answer**.") {
		t.Errorf("the file holds %q", text)
	}
	s.command("/cwd " + other)
	s.waitFor("the other folder", func(screen string) bool { return rowWith(screen, "interactive", filepath.Base(other)) })
	s.send("see @not")
	s.wait("❯ note.txt")
	s.press("tab")
	s.typed("@@b")
	s.press("enter")
	s.idle("It is quince.")
	s.told("user", "see @note.txt @@b", filepath.Join(other, "note.txt")+" (2 lines)")
	if _, err := os.Stat(s.path("note.txt")); err == nil {
		t.Error("the file is in the first folder")
	}
	s.leave()
}
