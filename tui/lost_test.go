package tui

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/session/sessiontest"
	"parley/tui/conversation"
	"parley/tui/panel"
	"parley/tui/picker"
)

// image is a chip of a pasted image.
func image(data string) drafts.Chip {
	return drafts.Chip{Attachment: &session.Attachment{Type: "blob", DisplayName: "image-1.png", Data: data, MIMEType: "image/png"}}
}

// spoken makes the session one that something was said in.
func (sc *scenario) spoken(id session.ID) {
	for _, b := range []session.Body{session.AssistantTurnStart{}, session.AssistantIdle{}, session.SessionIdle{}} {
		sc.say(session.Event{Body: b})
	}
	sc.m.win.Front.Info.ID = id
}

// later presses a key and returns what it asked for, to be run later.
func (sc *scenario) later(key string) tea.Cmd {
	_, cmd := sc.m.Update(conversation.InputMsg{At: sc.at, Msg: press(sc.t, key)})
	return cmd
}

// Only what was typed runs: not the beginning of a paste, nor what a chip hides.
func TestOnlyTypedCommandsRun(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("touch it\n", 20)
	for _, c := range []struct{ paste, typed, want string }{
		{"!! note: read this\n" + long, "", "send"},
		{"!touch it", "", "send"},
		{"/allow-all on\n" + long, "", "send"},
		{long, "!", ""},
	} {
		sc := newScenario(t, nil)
		sc.step("type", c.typed)
		sc.input(tea.PasteMsg{Content: c.paste})
		sc.step("key", "enter")
		if contains(sc.s.calls, "shell") || contains(sc.s.calls, "allow all") || c.want != "" && !contains(sc.s.calls, c.want) {
			t.Errorf("%.20q after %q: calls %.200q", c.paste, c.typed, sc.s.calls)
		}
		if c.want == "" && len(sc.m.win.Front.Composer.Draft().Chips) > 0 {
			t.Errorf("what would run is not shown")
		}
	}
}

// A list or a text that comes late opens over nothing that the user does
// meanwhile, and no key that was meant for something else acts in it.
func TestLateListsStayAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ open, key string }{
		{"/tasks", "b"}, {"/skills", "space"}, {"/mcp", "r"}, {"/mcp", "t"},
	} {
		sc := newScenario(t, nil)
		sc.step("task", "attached running t1 go test ./...")
		sc.step("type", c.open)
		sc.step("key", "enter")
		late := sc.later(c.key)
		sc.step("key", "esc")
		sc.step("type", "the bo")
		sc.s.calls = nil
		sc.run(late)
		sc.s.calls = nil // the change itself was asked for
		sc.step("type", "xes")
		if conversation.Over[*picker.Picker](sc.m.win) != nil || conversation.Over[*panel.Panel](sc.m.win) != nil || sc.draft() != "the boxes" || len(sc.s.calls) > 0 {
			t.Errorf("%s %s: draft %q, calls %v", c.open, c.key, sc.draft(), sc.s.calls)
		}
	}
	sc := newScenario(t, nil)
	sc.step("type", "/list-dirs")
	late := sc.later("enter")
	sc.step("type", "hello")
	sc.run(late)
	sc.step("type", " world")
	if sc.draft() != "hello world" {
		t.Errorf("draft %q", sc.draft())
	}
	sc.m.win.Pressed, sc.m.win.Asking = 10, 5
	sc.run(sc.m.win.Front.Commands.Invoked(session.SlashCommand{Name: "pick"}, "", session.SlashResult{Dialog: "model-picker"}))
	if conversation.Over[*picker.Picker](sc.m.win) != nil {
		t.Error("a dialog opened late")
	}
}

// Enter goes back only where it is pressed again once the question could be read.
func TestRewindNeedsAChoice(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "/rewind")
	sc.step("key", "enter enter enter")
	if contains(sc.s.calls, "rewind") {
		t.Errorf("calls %v", sc.s.calls)
	}
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "❯ Now explain it") || !strings.Contains(screen, "Go back, files stay?") {
		t.Errorf("screen\n%s", screen)
	}
}

// A rewind is undone by a key, or by a /redo behind the prompt that it gave back, which is
// not sent unasked.
func TestRedoBehindPrompt(t *testing.T) {
	t.Parallel()
	back := func(t *testing.T) *scenario {
		t.Helper()
		sc := newScenario(t, nil)
		sc.step("type", "/rewind")
		sc.step("key", "enter enter")
		sc.wait(time.Second)
		sc.step("key", "enter")
		sc.contains("Rewound; ctrl+x z undoes this.")
		return sc
	}
	for _, c := range []struct {
		name, typed, keys, call string
		draft                   string
	}{
		{"key", "", "ctrl+x z", "redo", ""},
		{"key, prompt edited", " again", "ctrl+x z", "redo", "Now explain it again"},
		{"same line", "/redo", "enter enter", "redo", ""},
		{"line of its own", "\n/redo", "enter enter", "redo", ""},
		{"prompt edited", " again\n/redo ", "enter enter", "redo", "Now explain it again"},
		{"asked", "\n/redo", "enter", "", "Now explain it\n/redo"},
		{"not meant", "\n/redo", "enter down enter", "send", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := back(t)
			sc.step("paste", c.typed)
			for key := range strings.FieldsSeq(c.keys) {
				sc.step("key", key)
				sc.wait(time.Second)
			}
			did := func(call string) bool {
				return slices.ContainsFunc(sc.s.calls, func(s string) bool { return strings.HasPrefix(s, call) })
			}
			if did("redo") != (c.call == "redo") || did("send") != (c.call == "send") || sc.draft() != c.draft {
				t.Errorf("calls %q, draft %q\n%s", sc.s.calls, sc.draft(), strings.Join(sc.screen(), "\n"))
			}
		})
	}
}

// The key undoes the rewind also where a /redo was begun: nothing that offers it stays.
func TestRedoClosesWhatOffersIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, keys string }{{"/re", "ctrl+x z"}, {"\n/redo", "enter ctrl+x z"}} {
		sc := newScenario(t, nil)
		sc.step("type", "/rewind")
		sc.step("key", "enter enter")
		sc.wait(time.Second)
		sc.step("key", "enter")
		if c.typed == "/re" {
			sc.step("key", "ctrl+u")
		}
		sc.step("type", c.typed)
		sc.wait(time.Second)
		for key := range strings.FieldsSeq(c.keys) {
			sc.step("key", key)
			sc.wait(time.Second)
		}
		sc.contains("The rewind is undone")
		sc.lacks("It ends in /redo")
		sc.lacks("Undo the")
	}
}

// What is copied while an answer comes is what is there of it, and not the one before.
func TestCopyRunningAnswer(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{MessageID: "m1", Content: "The first."}})
	sc.working()
	sc.say(session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "m2", DeltaContent: "The sec"}})
	sc.command("/copy")
	sc.contains("Copied 1 line of the answer so far, through the terminal.")
}

// What a session does not keep is not offered, and no prompt of it is said to have
// changed no file.
func TestRewindWithoutFiles(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.fail = session.ErrFilesNotKept
	sc.run(sc.m.win.Front.Checkpoints.PickRewind(sc.s, []session.RewindPoint{{Event: "e2", Prompt: "Now explain it"}}))
	sc.step("key", "f")
	screen := strings.Join(sc.screen(), "\n")
	for _, want := range []string{"conversation only\n", "cannot put them back", "Files cannot be put back in this session"} {
		if !strings.Contains(screen, want) {
			t.Errorf("no %q in\n%s", want, screen)
		}
	}
	if strings.Contains(screen, "changed no files") {
		t.Errorf("screen\n%s", screen)
	}
}

// What was attached comes back with the words: from the queue, an interrupt,
// the end of the session, a new one, and from the user's own editor.
func TestAttachmentsComeBack(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"up", "abort", "end", "new", "editor"} {
		sc := newScenario(t, nil)
		sc.say(session.Event{Body: session.AssistantTurnStart{}})
		sc.m.win.Front.Composer.InsertChip(image("AAAA"))
		sc.step("type", " what is this?")
		if how == "editor" {
			sc.editor = func(e *conversation.Edition) error {
				e.Result = "Please say: " + e.Text
				return nil
			}
			sc.step("key", "ctrl+g")
		} else {
			sc.step("key", "ctrl+q")
			sc.step("queue", "q1 [image-1.png] what is this?")
		}
		if kept := sc.m.drafts.unsent(); how != "editor" && (len(kept.Waiting) != 1 || len(kept.Waiting[0].Chips) != 1) {
			t.Errorf("%s: kept %+v", how, kept)
		}
		switch how {
		case "up":
			sc.step("key", "up")
		case "abort":
			sc.say(session.Event{Body: session.Abort{}})
		case "end":
			sc.step("end", "")
		case "new":
			sc.run(sc.m.switcher.newSession(""))
		}
		if d := sc.m.win.Front.Composer.Draft(); len(d.Attachments()) != 1 || !strings.Contains(d.Text, "what is this?") {
			t.Errorf("%s: draft %+v", how, d)
		}
	}
}

// Two drafts with images of one name are two, and a plan has its image.
func TestImagesAreKeptApart(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	for _, data := range []string{"AAAA", "BBBB"} {
		sc.m.win.Front.Composer.InsertChip(image(data))
		sc.step("key", "ctrl+s")
	}
	if len(sc.m.win.Unsent().Stash) != 2 {
		t.Errorf("%d put away", len(sc.m.win.Unsent().Stash))
	}
	sc.step("type", "/plan like this: ")
	sc.m.win.Front.Composer.InsertChip(image("CCCC"))
	sc.step("key", "enter")
	if !contains(sc.s.calls, "mode plan") || !contains(sc.s.calls, `send enqueue "like this: [image-1.png]"`) || len(sc.m.win.Front.Composer.Drafts("like this: [image-1.png]")[0].Chips) != 1 {
		t.Errorf("calls %v", sc.s.calls)
	}
}

// A draft stays with a session that the user turns away from, and goes along
// to a copy of it.
func TestDraftsOnTheWayToAnotherSession(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.spoken("s-first")
	sc.step("queue", "q1 waiting")
	sc.step("type", "/resume s2")
	sc.step("key", "enter")
	if sc.draft() != "" || sc.m.win.Unsent().Drafts["s-first"].Text != "waiting" {
		t.Errorf("draft %q, kept %v", sc.draft(), sc.m.win.Unsent().Drafts)
	}
	sc.step("key", "ctrl+r")
	if r, ok := conversation.Over[*picker.Picker](sc.m.win).Selected(); !ok || r.Label != "waiting" {
		t.Errorf("ctrl+r shows %+v", conversation.Over[*picker.Picker](sc.m.win).Rows)
	}
	sc = newScenario(t, nil)
	sc.spoken("s-first")
	sc.step("type", "/fork")
	late := sc.later("enter")
	sc.step("type", "now the notes")
	sc.run(late)
	if sc.draft() != "now the notes" {
		t.Errorf("draft %q, kept %v", sc.draft(), sc.m.win.Unsent().Drafts)
	}
}

// Resuming a session that does not exist leads back to the one before, with
// its draft.
func TestResumeOfNothingLeadsBack(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.spoken("s-first")
	sc.step("type", "an important draft")
	agent := sc.m.win.Front.Agent
	sc.m.switcher.resume(sc.m.win.Front, "typo")
	sc.update(toFront(sc.m, conversation.OpenedMsg{Agent: agent, Err: errors.New("no such session")}))
	if sc.draft() != "an important draft" || sc.m.win.Front.Agent == nil || sc.m.win.Front.Resume != "s-first" {
		t.Errorf("draft %q, agent %v, resume %q", sc.draft(), sc.m.win.Front.Agent, sc.m.win.Front.Resume)
	}
	sc.step("key", "enter")
	if !contains(sc.s.calls, "resume s-first") {
		t.Errorf("calls %v", sc.s.calls)
	}
}

// A path in a command stays its words, and a path in a prompt stands where it
// was pasted.
func TestPathsStayInPlace(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	dir := sc.inFolder("a.txt")
	for _, command := range []string{"/add-dir ", "!ls "} {
		sc.step("type", command)
		sc.input(tea.PasteMsg{Content: dir})
		if sc.draft() != command+dir {
			t.Errorf("draft %q", sc.draft())
		}
		sc.step("key", "ctrl+c")
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "a.txt"), "look at [a.txt]  please|"},
		{"/no/such/file.go", "look at /no/such/file.go please|"},
	} {
		sc.step("type", "look at ")
		_, late := sc.m.Update(conversation.InputMsg{At: sc.at, Msg: tea.PasteMsg{Content: c.path}})
		sc.step("type", " please")
		sc.run(late)
		sc.step("type", "|")
		if sc.draft() != c.want {
			t.Errorf("draft %q, want %q", sc.draft(), c.want)
		}
		sc.step("key", "ctrl+c")
	}
}

// Of two windows that left a draft for one session, neither is lost.
func TestTwoDraftsForOneSession(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	text := func(s string) map[session.ID]drafts.Draft {
		return map[session.ID]drafts.Draft{"z": {Text: s}}
	}
	sc.m.win.Journal.Session = "other"
	sc.update(toFront(sc.m, conversation.RecoveredMsg{States: []drafts.State{{Drafts: text("newer")}, {Drafts: text("older")}, {Session: "z"}}, At: started}))
	if sc.m.win.Unsent().Drafts["z"].Text != "newer" || len(sc.m.win.Unsent().Stash) != 1 || sc.m.win.Unsent().Stash[0].Draft.Text != "older" {
		t.Errorf("drafts %v, stash %v", sc.m.win.Unsent().Drafts, sc.m.win.Unsent().Stash)
	}
}

// What came back while the editor was open is put away, not lost.
func TestEditorOverwritesNothing(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.fail = errors.New("broken pipe")
	sc.step("type", "first prompt")
	late := sc.later("enter")
	sc.editor = func(e *conversation.Edition) error {
		sc.run(late) // the send fails meanwhile
		e.Result = "second prompt"
		return nil
	}
	sc.step("key", "ctrl+g")
	if n := len(sc.m.win.Unsent().Stash); sc.draft() != "second prompt" || n != 1 || sc.m.win.Unsent().Stash[0].Draft.Text != "first prompt" {
		t.Errorf("draft %q, stash %v", sc.draft(), sc.m.win.Unsent().Stash)
	}
}

// A closed list of files stays closed when its search ends.
func TestClosedCompletionStaysClosed(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.inFolder("a.go", "ab.go")
	sc.step("type", "@x")
	sc.step("key", "backspace")
	_, late := sc.m.Update(conversation.InputMsg{At: sc.at, Msg: tea.KeyPressMsg{Code: 'a', Text: "a"}})
	sc.step("key", "esc")
	sc.run(late)
	if sc.m.win.Front.Composer.Completions() != nil {
		t.Error("it opened again")
	}
}

// A prompt that was gone back before is put away when there is a draft.
func TestRewoundPromptIsKept(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", "a draft")
	sc.step("key", "ctrl+x space")
	sc.step("type", "rewind")
	sc.step("key", "enter enter")
	sc.wait(time.Second)
	sc.step("key", "enter")
	if sc.draft() != "a draft" || len(sc.m.win.Unsent().Stash) != 1 || sc.m.win.Unsent().Stash[0].Draft.Text != "Now explain it" {
		t.Errorf("draft %q, stash %v, calls %v", sc.draft(), sc.m.win.Unsent().Stash, sc.s.calls)
	}
}

// A command without a session stays in the composer.
func TestCommandsWaitForASession(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("end", "")
	sc.wait(time.Second)
	sc.step("type", "/plan a long thought")
	sc.step("key", "enter")
	if sc.draft() != "/plan a long thought" {
		t.Errorf("draft %q", sc.draft())
	}
}

// A prompt on its way back from the queue comes back once.
func TestWithdrawnOnce(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(session.Event{Body: session.AssistantTurnStart{}})
	sc.step("queue", "q1 the second thing")
	late := sc.later("up")
	sc.say(session.Event{Body: session.Abort{}})
	sc.run(late)
	if sc.draft() != "the second thing" {
		t.Errorf("draft %q", sc.draft())
	}
}

// A command that is entered before the agent has said which it has runs once it has
// said so, if the composer still holds it; one that it does not have stays.
func TestCommandBeforeTheAgentsAreKnown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, typed, meanwhile, call, screen string }{
		{"the agent has it", "/review all", "", `invoke review "all"`, "Nothing to review."},
		{"it was changed meanwhile", "/review all", "!", "", "❯ /review all!"},
		{"the agent does not have it", "/revieww", "", "", "No command /revieww. Did you mean /review?"},
	} {
		sc := newScenario(t, nil)
		start := sc.m.switcher.newSession("")
		sc.step("type", c.typed)
		sc.step("key", "enter")
		if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "once the agent has said") || strings.Contains(screen, "No command") {
			t.Errorf("%s: before\n%s", c.name, screen)
		}
		if c.meanwhile != "" {
			sc.step("type", c.meanwhile)
		}
		sc.s.calls = nil
		sc.run(start)
		sc.wait(time.Second)
		calls, screen := strings.Join(sc.s.calls, "\n"), strings.Join(sc.screen(), "\n")
		if strings.Contains(calls, "invoke") != (c.call != "") || !strings.Contains(calls, c.call) || !strings.Contains(screen, c.screen) {
			t.Errorf("%s: %s\n%s", c.name, calls, screen)
		}
	}
}

// TestCopyFails: a tool that fails is named, and the Linux console, which has no clipboard, is
// not said to have one.
func TestCopyFails(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a POSIX shell")
	dir := t.TempDir()
	sessiontest.Program(t, filepath.Join(dir, "xclip"), "#!/bin/sh\nexit 1\n")
	for _, tt := range []struct {
		env  []string
		sees string
	}{
		{[]string{"PATH=" + dir, "DISPLAY=:9"}, "through the terminal only: run xclip: exit status 1."},
		{[]string{"PATH=" + dir, "TERM=linux"}, "Not copied: the Linux console has no clipboard."},
		{[]string{"PATH=" + dir, "TERM=linux", "DISPLAY=:9"}, "Not copied: the Linux console has no clipboard."},
	} {
		sc := newScenario(t, func(c *Config) { c.Env = tt.env })
		sc.size(110, 24)
		sc.say(session.Event{ID: "m", Time: sc.at, Body: session.AssistantMessage{MessageID: "m1", Content: "The first."}})
		sc.command("/copy")
		sc.wait(time.Second)
		sc.contains(tt.sees)
	}
}
