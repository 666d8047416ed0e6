package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/history/sessions"
	"parley/session"
	"parley/tui/conversation"
)

// loadedSession reports what it has loaded.
type loadedSession struct {
	*scriptedSession
	loaded session.Loaded
	err    error
}

func (s *loadedSession) Loaded(context.Context) (session.Loaded, error) { return s.loaded, s.err }

// opens has the window open a session that reports what it has loaded.
func (sc *scenario) opensLoaded(loaded session.Loaded, err error) {
	sc.update(toFront(sc.m, conversation.OpenedMsg{Agent: sc.m.win.Front.Agent, Session: &loadedSession{sc.s, loaded, err}}))
}

// recentSessions is a window with a library.
func recentSessions(t *testing.T, lib *pastLibrary) *scenario {
	t.Helper()
	return newScenario(t, func(c *Config) { c.Sessions = lib })
}

// The first screen names what the session has loaded, shows loudly what does not work, and
// hints at the command that writes instructions only where the agent has it.
func TestFirstScreenFacts(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.servers = []session.McpServer{{Name: "notes", Status: "connected"}, {Name: "files", Status: "failed"}}
	sc.opensLoaded(session.Loaded{Instructions: []string{"AGENTS.md"}, Skills: []string{"wave", "\x1b[2Jnod"}, Hooks: []string{"sessionStart"}}, nil)
	for _, row := range []string{
		"instructions  AGENTS.md", "skills        wave, ", "nod", "MCP servers   notes · ▲ files does not work: /mcp", "hooks         sessionStart",
	} {
		sc.contains(row)
	}
	before := sc.screen()
	sc.update(toFront(sc.m, conversation.EventsMsg{Session: sc.m.win.Front.Session, At: sc.at, Events: []session.Event{
		{Ephemeral: true, Body: session.SessionMcpServerStatusChanged{ServerName: "notes", Status: "needs-auth"}},
	}}))
	if after := sc.screen(); sc.rowOf("hooks ") != slices.IndexFunc(before, func(l string) bool { return strings.Contains(l, "hooks ") }) {
		t.Errorf("a row moved:\n%s", strings.Join(after, "\n"))
	}
	sc.contains("▲ files does not work, notes wants you to sign in: /mcp")
	ask := session.FolderTrustRequested{RequestID: "t", Folder: "/home/ada/src/queue"}
	sc.update(toFront(sc.m, conversation.EventsMsg{Session: sc.m.win.Front.Session, At: sc.at, Events: []session.Event{
		{ID: "q", Ephemeral: true, Body: ask}, {ID: "a", Ephemeral: true, Body: session.FolderTrustCompleted{RequestID: "t", Trusted: true}},
	}}))
	sc.contains("instructions  AGENTS.md") // also when the folder has just been trusted
	sc.opensLoaded(session.Loaded{Skills: []string{"mine"}, Held: session.Held{
		Instructions: []string{"AGENTS.md", "x.md"}, Skills: []string{"\x1b[2Jnod"}, Hooks: []string{"h.json"},
	}}, nil)
	for _, row := range []string{"instructions  AGENTS.md, x.md, when trusted", "skills        mine, ", "nod, when trusted", "hooks         h.json, when trusted"} {
		sc.contains(row)
	}
	sc.opensLoaded(session.Loaded{}, nil)
	sc.contains("instructions  none")
	if sc.rowOf("/init") >= 0 {
		t.Error("a command that the agent has not")
	}
	sc.m.win.Front.AgentCommands = []session.SlashCommand{{Name: "init"}}
	sc.opensLoaded(session.Loaded{}, errors.New("it has no time"))
	sc.m.win.Front.AgentCommands = []session.SlashCommand{{Name: "init"}}
	sc.size(100, 30)
	sc.contains("instructions  none; /init writes them for this folder")
	sc.contains("it has no time")
}

// The demo says that its folder is its own; what is played again has no folder.
func TestFirstScreenDemo(t *testing.T) {
	t.Parallel()
	const own = "of the demo alone, deleted at the end: no file of yours changes"
	sc := newScenario(t, nil)
	sc.lacks(own)
	sc.m.win.Front.Info.Demo = true
	sc.opensLoaded(session.Loaded{}, nil)
	sc.m.win.Front.Info.Demo = true
	sc.size(80, 24)
	sc.contains(own)
	sc.contains("tour")
	sc.m.win.Front.Info.Dir = ""
	sc.size(81, 24)
	sc.lacks(own)
}

// A number chooses a row when nothing follows it, or Enter: a prompt to try is written and
// not sent, a session is opened. What begins with a number and has more text is a prompt.
func TestFirstScreenNumbers(t *testing.T) {
	t.Parallel()
	draft := func(p *scenario) string { return p.m.win.Front.Composer.Draft().Text }
	p := recentSessions(t, usedBefore(3))
	p.step("type", "2 tests fail")
	p.wait(time.Second)
	if got := draft(p); got != "2 tests fail" {
		t.Errorf("a prompt became %q", got)
	}
	p.step("key", "ctrl+c")
	p.s.calls = nil
	p.step("type", "2")
	p.wait(time.Second)
	if got := draft(p); got != "Review the changes that are not committed" || len(p.sends()) > 0 {
		t.Errorf("2 wrote %q, and sent %q", got, p.sends())
	}
	p.step("key", "ctrl+c")
	p.step("type", "9")
	p.wait(time.Second)
	if got := draft(p); got != "9" {
		t.Errorf("without a row 9 wrote %q", got)
	}
	p.step("key", "ctrl+c")
	p.s.calls = nil
	p.step("type", "4")
	p.step("key", "enter")
	if !slices.Contains(p.s.calls, "resume p0") || len(p.sends()) > 0 {
		t.Errorf("4 and enter: %q", p.s.calls)
	}
}

// A letter typed next takes the place of a prompt to try, which undo brings back; a space and
// keys that move or delete keep it.
func TestFirstScreenTypedOver(t *testing.T) {
	t.Parallel()
	const review = "Review the changes that are not committed"
	for _, c := range []struct{ steps, want string }{
		{"type hello", "hello"},
		{"type hello; key ctrl+_ ctrl+_", review},
		{"type  and test them", review + " and test them"},
		{"key backspace; type t!", "Review the changes that are not committet!"},
		{"key left right; type !", review + "!"},
		{"key up down; type !", review + "!"},
		{"paste  now", review + " now"},
	} {
		p := recentSessions(t, usedBefore(3))
		p.screen()
		p.step("type", "2")
		p.wait(time.Second)
		for s := range strings.SplitSeq(c.steps, "; ") {
			do, rest, _ := strings.Cut(s, " ")
			p.step(do, rest)
		}
		if got := p.m.win.Front.Composer.Draft().Text; got != c.want {
			t.Errorf("%s: %q", c.steps, got)
		}
	}
}

// A number answers and chooses nothing while a question waits.
func TestFirstScreenNumbersWait(t *testing.T) {
	t.Parallel()
	p := recentSessions(t, usedBefore(3))
	p.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "1", Question: "Which?", Choices: []string{"a", "b"}}})
	p.step("key", "ctrl+x p esc")
	p.s.calls = nil
	p.step("type", "2")
	p.wait(time.Second)
	if got := p.m.win.Front.Composer.Draft().Text; strings.Contains(got, "Review") || slices.Contains(p.s.calls, "resume p0") {
		t.Errorf("it chose %q: %q", got, p.s.calls)
	}
}

// What was open when a window was killed comes first, and Enter resumes it. One that its
// user left has nothing open.
func TestFirstScreenReopens(t *testing.T) {
	t.Parallel()
	killed := recentSessions(t, usedBefore(3))
	killed.working()
	killed.wait(time.Second)
	if got := killed.m.drafts.open(); !slices.Equal(got, []session.ID{"s1"}) {
		t.Fatalf("open are %q", got)
	}
	for _, left := range []bool{false, true} {
		p := recentSessions(t, usedBefore(3))
		var open []session.ID
		if !left {
			open = []session.ID{"p2"}
		}
		p.m.win.Front.Receive(conversation.RecoveredMsg{At: started, States: []drafts.State{{Dir: "/home/ada/src/queue", Open: open}}})
		p.size(81, 24)
		if got := p.rowOf("was open      4  Why the parser is slow") >= 0 && p.rowOf("enter resumes") >= 0; got == left {
			t.Errorf("left %t:\n%s", left, strings.Join(p.screen(), "\n"))
		}
		p.s.calls = nil
		p.step("key", "enter")
		if got := slices.Contains(p.s.calls, "resume p2"); got == left {
			t.Errorf("left %t, enter: %q", left, p.s.calls)
		}
	}
	p := recentSessions(t, usedBefore(1))
	p.m.win.Front.Receive(conversation.RecoveredMsg{At: started, States: []drafts.State{{Dir: "/home/ada/src/queue", Open: []session.ID{"p0"}}}})
	p.size(140, 45)
	p.say(session.Event{Ephemeral: true, Body: session.UserInputRequested{RequestID: "q", Question: "Which?"}})
	if p.rowOf("was open") < 0 || p.rowOf("resumes") >= 0 {
		t.Errorf("with a question, which takes the key:\n%s", strings.Join(p.screen(), "\n"))
	}
}

// Secrets in a title are not shown.
func TestRecentHidesSecrets(t *testing.T) {
	t.Parallel()
	lib := usedBefore(1)
	s := lib.sessions["p0"]
	s.Title = "Use ghp_0123456789abcdefABCDEF0123456789abcd for the release"
	lib.sessions["p0"] = s
	p := recentSessions(t, lib)
	if p.rowOf("ghp_0123") >= 0 || p.rowOf("Use [github pat hidden]") < 0 {
		t.Errorf("%s", strings.Join(p.screen(), "\n"))
	}
}

// A notice comes below what there is to do, which stays where it was with its numbers, also
// where the things to try have no room any more.
func TestFirstScreenNotices(t *testing.T) {
	t.Parallel()
	p := recentSessions(t, usedBefore(3))
	try, recent := p.rowOf("press to try  1  "), p.rowOf("recent        4  Tide table")
	if try < 0 || recent < 0 {
		t.Fatalf("%s", strings.Join(p.screen(), "\n"))
	}
	p.m.win.Front.Mistaken(errors.New("line 3 is wrong"), "It stays.")
	p.size(81, 24)
	if said := p.rowOf("line 3 is wrong"); p.rowOf("press to try  1  ") != try || p.rowOf("recent        4  Tide table") != recent || said < recent {
		t.Errorf("it moved:\n%s", strings.Join(p.screen(), "\n"))
	}
	p.size(80, 17)
	if p.rowOf("press to try") >= 0 || p.rowOf("recent        4  Tide table") < 0 {
		t.Errorf("with little room:\n%s", strings.Join(p.screen(), "\n"))
	}
	p.s.calls = nil
	p.step("type", "1")
	p.wait(time.Second)
	if got := p.m.win.Front.Composer.Draft().Text; got != "1" {
		t.Errorf("a row that is not shown wrote %q", got)
	}
	p.step("key", "ctrl+c")
	p.step("type", "4")
	p.wait(time.Second)
	if !slices.Contains(p.s.calls, "resume p0") {
		t.Errorf("4: %q", p.s.calls)
	}
}

// Where a folder is too long its path is shortened, then the branch, and nothing of what is
// said of it.
func TestFirstScreenLongFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("far/", 12)+"queue")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", strings.Repeat("long-", 12)+"branch")
	if err := os.WriteFile(filepath.Join(dir, "new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sc := newScenario(t, nil)
	sc.m.win.Front.Info.Dir = dir
	sc.types("!true")
	sc.step("key", "enter")
	sc.step("key", "ctrl+l")
	for _, width := range []int{60, 80, 140} {
		sc.size(width, 30)
		row := sc.screen()[sc.rowOf("folder  ")]
		if !strings.HasSuffix(row, "branch, uncommitted changes") || !strings.Contains(row, "queue on lo") {
			t.Errorf("at %d: %q", width, row)
		}
	}
	sc.size(44, 30)
	if row := sc.screen()[sc.rowOf("folder  ")]; !strings.HasSuffix(row, "branch") {
		t.Errorf("at 44: %q", row)
	}
}

// TestFirstScreenSaysWhatIsResumed names the session that is resumed while its agent starts, as the
// list of sessions does, and says nothing of a stash that was not read yet.
func TestFirstScreenSaysWhatIsResumed(t *testing.T) {
	t.Parallel()
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	titled := func(title string) *pastLibrary { return tide(func(s *sessions.Session) { s.Title = title }) }
	for name, c := range map[string]struct {
		id   session.ID
		lib  *pastLibrary
		want string
	}{
		"continued":        {"", tide(nil), "Resuming “Tide table on one screen”."},
		"by its id":        {"old", tide(nil), "Resuming “Tide table on one screen”."},
		"hostile":          {"", titled("log in\x1b[2J with " + token + "\nand more"), "Resuming “log in with [github pat hidden]”."},
		"of another agent": {"", tide(func(s *sessions.Session) { s.Keeper = "parley" }), "Looking for the last session of this folder."},
		"unknown":          {"new", tide(nil), "Resuming “new”."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			starts := func() {}
			p := newPasts(t, c.lib, func(config *Config) {
				config.Keeper = "copilot"
				config.StateDir, config.Now = t.TempDir(), func() time.Time { return started }
				config.Agent = func(context.Context) (session.Agent, error) {
					starts()
					return &keepingAgent{}, nil
				}
			})
			front := p.m.win.Front
			front.Session, front.Agent, front.Opening = nil, nil, true
			front.Resume, front.Continued = c.id, c.id == ""
			_ = p.m.win.Journal.File.Close()
			p.m.win.Journal.File = nil
			starts = func() {
				p.sees(c.want, "What you send now waits for it.")
				p.lacks("Say what should be done")
				p.lacks(token)
				p.step("key", "ctrl+s")
				p.sees("What was stashed comes once the session is open.")
			}
			p.do(func(*Model) tea.Cmd { return front.Open() })
		})
	}
}
