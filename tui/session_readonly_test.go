package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
	"parley/tui/browser"
	"parley/tui/conversation"
	"parley/tui/keymap"
	"parley/tui/picker"
)

// A past session is a timeline like any other. What one writes there is kept, and
// goes along when the user continues it, in its place.
func TestReadSession(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	p.read()
	sessiontest.Golden(t, "tui/reading", strings.Join(p.screen(), "\n")+"\n")
	if len(p.m.all) != 2 || p.m.win.Front.Timeline.Status().Busy || p.m.win.Front.Questions.Len() != 0 {
		t.Errorf("%d open, status %+v", len(p.m.all), p.m.win.Front.Timeline.Status())
	}
	if len(p.timers) > 0 {
		p.wait(time.Minute)
		if n := len(p.timers); n > 0 {
			t.Errorf("%d timers run while it is read", n)
		}
	}
	p.step("type", "and the sun?")
	p.step("key", "enter")
	p.sees("Read only: ctrl+x g continues this session, with what you wrote.")
	for _, line := range []string{"/mode plan", "/model", "/rewind", "/compact", "/allow-all on", "/stop", "/restart"} {
		p.step("key", "ctrl+s")
		p.step("type", line)
		p.step("key", "enter")
		p.sees("Read only: ctrl+x g continues")
		p.step("key", "ctrl+u ctrl+s")
	}
	if p.draft() != "and the sun?" || len(p.reader.opened[0].calls) != 0 || len(p.agent.opened) != 1 {
		t.Fatalf("draft %q, calls %v, %d sessions", p.draft(), p.reader.opened[0].calls, len(p.agent.opened))
	}
	before := p.m.win.Front.Timeline.Len()
	p.step("key", "ctrl+x g")
	if len(p.m.all) != 2 || p.m.win.Front.ReadOnly != nil || p.m.win.Front.Info.ID != "old" || p.reader.closed != 1 || p.draft() != "and the sun?" {
		t.Errorf("%d open, on %s, closed %d, draft %q", len(p.m.all), p.m.win.Front.Info.ID, p.reader.closed, p.draft())
	}
	p.sayIn(1, past()[:9]...) // what the agent sends of the past is there already
	if p.m.win.Front.Timeline.Len() != before {
		t.Errorf("%d entries, and %d before", p.m.win.Front.Timeline.Len(), before)
	}
	p.step("key", "enter")
	if live := p.agent.opened[1]; !contains(live.calls, "and the sun?") || p.draft() != "" {
		t.Errorf("calls %v, draft %q", live.calls, p.draft())
	}
}

// One that is open is not opened again, and continues where it is read.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	p.read()
	p.step("key", "ctrl+x left")
	p.do(func(m *Model) tea.Cmd { return m.switcher.read("old") })
	if len(p.m.all) != 2 || p.m.win.Front.ReadOnly == nil {
		t.Fatalf("%d open", len(p.m.all))
	}
	p.step("key", "ctrl+x left")
	p.do(func(m *Model) tea.Cmd { return m.switcher.resume(m.win.Front, "old") })
	if len(p.m.all) != 2 || p.m.win.Front.ReadOnly != nil || p.m.win.Front.Info.ID != "old" || p.m.all[0].Info.ID != "s1" {
		t.Errorf("%d open, on %s", len(p.m.all), p.m.win.Front.Info.ID)
	}
	p.do(func(m *Model) tea.Cmd { return m.switcher.read("old") })
	if len(p.m.all) != 2 || p.m.win.Front.ReadOnly != nil {
		t.Error("an open session is read in a second tab")
	}
	p.step("key", "ctrl+x g")
	p.sees("This session continues here")
}

// One that somebody else has is read first, with a word about them.
func TestReadInUse(t *testing.T) {
	t.Parallel()
	lib := tide(func(s *sessions.Session) { s.InUse = true })
	p := newPasts(t, lib, nil)
	p.do(func(m *Model) tea.Cmd { return m.switcher.read("old") })
	p.sayIn(1, past()...)
	p.sees("Another program, copilot-cli, has this session open.", "ctrl+x g continues it here", "And the moon?")
	for _, from := range []string{"ctrl+x left", ""} { // from the other session, and from itself
		p.step("key", from+" ctrl+x s")
		p.wait(time.Second)
		p.m.library.options.Scope = sessions.Everywhere
		p.run(p.m.library.refresh())
		p.sees("open elsewhere")
		p.step("key", "enter")
		p.sees("Open in another window: read-only here.")
		if p.m.win.Front.ReadOnly == nil || len(p.m.all) != 2 {
			t.Fatalf("%d open, and it continues a session that is open elsewhere", len(p.m.all))
		}
	}
	p.step("key", "ctrl+x g")
	if p.m.win.Front.ReadOnly != nil || p.m.win.Front.Info.ID != "old" {
		t.Error("it is not continued all the same")
	}
}

// TestReadWithoutItsAgent: a session of an agent that is not installed is read, with a word about
// how to install that.
func TestReadWithoutItsAgent(t *testing.T) {
	t.Parallel()
	lib := tide(func(s *sessions.Session) { s.Keeper = sessions.CopilotKeeper })
	p := newPasts(t, lib, func(c *Config) { c.Keeper, c.AgentName, c.Missing = "demo", "demo", "No agent is here; x installs it." })
	p.do(func(m *Model) tea.Cmd { return m.library.open(lib.sessions["old"]) })
	p.sayIn(1, past()...)
	p.sees("In this session the Copilot CLI answers, not demo. To resume it: parley", "--resume old", "No agent is here; x installs it.", "And the moon?")
}

// One of another agent is read, with a word about how to continue it, and is never
// opened or copied here.
func TestReadForeign(t *testing.T) {
	t.Parallel()
	lib := tide(func(s *sessions.Session) { s.Keeper, s.Agent = sessions.ParleyKeeper, "mine" })
	p := newPasts(t, lib, func(c *Config) { c.Keeper, c.AgentName = sessions.CopilotKeeper, "Copilot CLI" })
	p.do(func(m *Model) tea.Cmd { return m.library.open(lib.sessions["old"]) })
	p.sayIn(1, past()...)
	p.sees("In this session mine answers, not Copilot CLI. To resume it: parley --agent", "mine --resume old")
	entries := p.m.win.Front.Timeline.Len()
	p.step("key", "ctrl+x g")
	p.do(func(m *Model) tea.Cmd { return m.switcher.resume(m.win.Front, "old") })
	p.do(func(m *Model) tea.Cmd { return m.win.Front.Blocks.ForkAt(m.win.Front.Timeline.Len() - 1) })
	if p.m.win.Front.ReadOnly == nil || len(p.agent.opened) != 1 || len(p.agent.calls) > 0 || p.m.win.Front.Timeline.Len() <= entries {
		t.Errorf("it is continued here: %d opened, %v", len(p.agent.opened), p.agent.calls)
	}
}

// Whatever is pressed, pasted and received, nothing reaches a session that is read.
func TestReadOnlyRunsNoCommand(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	p.do(func(m *Model) tea.Cmd { return m.switcher.read("old") })
	p.step("key", "ctrl+x")
	p.step("key", "/")
	p.step("type", "tidy")
	p.sees("Tidy")
	p.step("key", "enter")
	p.sees("Read only: ctrl+x g continues this session")
	for _, s := range p.reader.opened {
		if i := slices.IndexFunc(s.calls, func(c string) bool { return strings.HasPrefix(c, "invoke") || strings.HasPrefix(c, "send") }); i >= 0 {
			t.Errorf("a session that is read-only got %q", s.calls[i])
		}
	}
}

// Whatever is pressed, pasted and received, nothing reaches a session that is read.
func TestReadOnlySendsNothing(t *testing.T) {
	t.Parallel()
	var keys []string
	for _, c := range keymap.Commands() {
		for _, k := range c.Keys {
			if _, odd := map[string]bool{"ctrl+z": true, "f1": true, "#": true, "ctrl+_": true, "alt+_": true}[k]; !odd && c.ID != "continue-here" {
				keys = append(keys, k)
			}
		}
	}
	texts := []string{"hello there", "/compact", "/plan do it", "!ls", "/rewind", "/ask why", "/queue", "/stop", "/rename moon", "/cwd /tmp", "/add-dir /tmp", "y", "1", "@", "/fork"}
	rapid.Check(t, func(rt *rapid.T) {
		p := newPasts(t, tide(nil), nil)
		p.do(func(m *Model) tea.Cmd { return m.switcher.read("old") })
		read := p.m.win.Front
		for i := range rapid.IntRange(5, 40).Draw(rt, "steps") {
			choosing := conversation.Over[*browser.Browser](p.m.win) != nil || conversation.Over[*picker.Picker](p.m.win) != nil
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			case 0: // an agent that reads badly
				ev := asking(fmt.Sprint("q", i), "rm -rf build")
				msg := conversation.EventsMsg{Session: read.Session, Events: []session.Event{ev}, At: p.at}
				p.update(conversation.Message{To: read.ID, Msg: msg})
			case 1:
				p.update(conversation.Message{To: read.ID, Msg: conversation.EventsMsg{Session: read.Session, Events: past(), At: p.at}})
			case 2:
				p.step("type", rapid.SampledFrom(texts).Draw(rt, "text"))
				p.step("key", "enter")
			case 3:
				p.step("paste", rapid.SampledFrom(texts).Draw(rt, "paste"))
			case 4:
				p.wait(time.Duration(rapid.IntRange(0, 2000).Draw(rt, "ms")) * time.Millisecond)
			default:
				for k := range strings.FieldsSeq(rapid.SampledFrom(keys).Draw(rt, "key")) {
					if k == "leader" || strings.Contains(k, "shift+enter") {
						continue
					}
					p.step("key", k)
				}
			}
			for _, s := range p.reader.opened {
				if slices.ContainsFunc(s.calls, func(c string) bool {
					return c != "close" && !strings.HasPrefix(c, "edit ") && !strings.HasPrefix(c, "copy ") && !strings.HasPrefix(c, "start ")
				}) {
					rt.Fatalf("a session that is only read was called: %v", s.calls)
				}
			}
			if choosing && read.ReadOnly == nil {
				return // it was chosen there to be continued
			}
			if read.Questions.Len() > 0 {
				rt.Fatal("the past opens a question")
			}
			if p.quit {
				return
			}
		}
	})
}

// A copy ends before the prompt after the block; from a prompt, before it.
func TestForkFromBlock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		block      string // the text of the block
		want, text string // what the agent is asked, what is in the draft
	}{
		{"And the moon?", `fork old before "e5"`, "And the moon?"},
		{"Yes: six hours to a row.", `fork old before "e5"`, ""},
		{"I look for the phase.", `fork old before ""`, ""},
		{"Can the tide table", "", ""},
	} {
		p := newPasts(t, tide(nil), nil)
		p.read()
		i := 0
		for i < p.m.win.Front.Timeline.Len() && !strings.Contains(timeline.Source(p.m.win.Front.Timeline.At(i)), c.block) {
			i++
		}
		p.step("key", "tab")
		p.m.win.Front.Pane.Point(i)
		p.calm("F")
		if got := strings.Join(p.agent.calls, ", "); got != c.want {
			t.Errorf("from %q: %q, want %q", c.block, got, c.want)
		}
		if c.want == "" {
			p.sees("Nothing was said before this prompt")
			continue
		}
		if len(p.m.all) != 3 || p.m.win.Front.Info.ID != "copy" || p.m.win.Front.ReadOnly != nil || p.draft() != c.text {
			t.Errorf("from %q: %d open, on %s, draft %q", c.block, len(p.m.all), p.m.win.Front.Info.ID, p.draft())
		}
		p.sees("This is a copy. The session it was made of: parley --resume old")
	}
}

// A block of a live session, too; the draft that there is goes before the prompt.
func TestForkLive(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	for _, ev := range past()[:8] {
		ev.Replayed = false
		p.sayIn(0, ev)
	}
	p.step("type", "mine")
	p.calm("alt+up", "{", "F")
	if len(p.m.all) != 1 || p.m.win.Front.Info.ID != "copy" || p.draft() != "mine" || len(p.m.win.Unsent().Stash) != 1 ||
		!contains(p.agent.calls, `before "e5"`) {
		t.Errorf("on %s, draft %q, aside %v, calls %v", p.m.win.Front.Info.ID, p.draft(), p.m.win.Unsent().Stash, p.agent.calls)
	}
}

// The draft of a session stays with it when the user continues in a copy of another.
func TestForkAnother(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	p.step("type", "mine")
	p.do(func(m *Model) tea.Cmd { return m.forks.forkFrom("old") })
	if p.m.win.Front.Info.ID != "copy" || p.draft() != "" || p.m.win.Unsent().Drafts["s1"].Text != "mine" {
		t.Errorf("on %s, draft %q, left %+v", p.m.win.Front.Info.ID, p.draft(), p.m.win.Unsent().Drafts)
	}
}

// A copy of what is read does not need an open session.
func TestForkAlone(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	p.read()
	p.step("key", "ctrl+x left ctrl+x x ctrl+x x")
	if len(p.m.all) != 1 || p.m.win.Front.ReadOnly == nil || p.agent.closed != 1 {
		t.Fatalf("%d open, agent closed %d times", len(p.m.all), p.agent.closed)
	}
	p.step("type", "/fork")
	p.step("key", "enter")
	if len(p.m.all) != 2 || p.m.win.Front.Info.ID != "copy" || p.m.win.Front.Agent != session.Agent(p.agent) {
		t.Errorf("%d open, on %s", len(p.m.all), p.m.win.Front.Info.ID)
	}
	p.step("key", "ctrl+x left")
	p.step("type", "/new")
	p.step("key", "enter")
	if p.m.win.Front.ReadOnly != nil || p.m.win.Front.Agent != session.Agent(p.agent) || p.reader.closed != 1 {
		t.Errorf("/new continues with %s, reader closed %d times", p.m.win.Front.Info.Agent, p.reader.closed)
	}
}

// One that cannot be opened says why; enter tries again, and the draft stays.
func TestReadFails(t *testing.T) {
	t.Parallel()
	lib := tide(nil)
	p := newPasts(t, lib, nil)
	lib.fails = errors.New("the index is damaged")
	p.do(func(m *Model) tea.Cmd { return m.switcher.read("old") })
	p.step("type", "later")
	p.sees("the index is damaged", "Enter tries again")
	lib.fails = nil
	p.step("key", "enter")
	if p.m.win.Front.ReadOnly == nil || p.m.win.Front.Session == nil || p.draft() != "later" || len(p.agent.opened) != 1 {
		t.Errorf("draft %q, sessions %d", p.draft(), len(p.agent.opened))
	}
	none := newScenario(t, nil)
	none.run(none.m.switcher.read("old"))
	if len(none.m.all) != 1 {
		t.Error("a session is read without a library")
	}
}

// One that cannot be continued stays on the screen, with the draft, which is sent
// when the session is there.
func TestContinueFails(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	p.read()
	p.step("type", "mine")
	p.agent.manyAgent.fails = errors.New("it is gone")
	p.step("key", "ctrl+x g")
	p.sees("it is gone", "And the moon?", "Enter tries again")
	if p.draft() != "mine" || !p.m.win.Front.Disconnected {
		t.Errorf("draft %q, lost %t", p.draft(), p.m.win.Front.Disconnected)
	}
	p.agent.manyAgent.fails = nil
	p.step("key", "enter")
	last := p.agent.opened[len(p.agent.opened)-1]
	if p.m.win.Front.Info.ID != "old" || p.m.win.Front.ReadOnly != nil || p.m.win.Front.Session == nil || p.draft() != "" || !contains(last.calls, `send enqueue "mine"`) {
		t.Errorf("on %s, draft %q, calls %q", p.m.win.Front.Info.ID, p.draft(), last.calls)
	}
}

// What is written where one only reads is kept as any draft is, and a draft that
// waits for the session is not lost by it.
func TestReadDrafts(t *testing.T) {
	t.Parallel()
	kept := func(c *Config) { c.StateDir, c.Now = t.TempDir(), func() time.Time { return started } }
	p := newPasts(t, tide(nil), kept)
	p.m.win.KeepDraftOf("old", drafts.Draft{Text: "from before", Caret: 11})
	p.read()
	if p.draft() != "from before" {
		t.Fatalf("draft %q", p.draft())
	}
	p.step("type", " and now")
	p.step("key", "ctrl+x left")
	if s := p.m.drafts.unsent(); s.Drafts["old"].Text != "from before and now" {
		t.Errorf("kept %v", s.Drafts)
	}
	p.step("key", "ctrl+x right ctrl+x x ctrl+x x")
	if len(p.m.all) != 1 || p.m.win.Unsent().Drafts["old"].Text != "from before and now" || p.draft() != "" {
		t.Errorf("left %v", p.m.win.Unsent().Drafts)
	}
	if commands := p.m.resumeCommands(); len(commands) != 0 {
		t.Errorf("%v resumes what was only read", commands)
	}
}

// The user's name for it is a mark. Continuing one that was deleted takes
// that back.
func TestPastMarks(t *testing.T) {
	t.Parallel()
	lib := tide(func(s *sessions.Session) { s.Deleted = started })
	p := newPasts(t, lib, nil)
	p.read()
	p.step("type", "/rename Six to a row")
	p.step("key", "enter")
	if lib.sessions["old"].Mark.Name != "Six to a row" || p.m.win.Front.Summary.Name() != "Six to a row" || lib.sessions["old"].Deleted.IsZero() {
		t.Errorf("marks %+v, name %q", lib.sessions["old"].Mark, p.m.win.Front.Summary.Name())
	}
	p.step("key", "ctrl+x g")
	if !lib.sessions["old"].Deleted.IsZero() {
		t.Error("it will be deleted though it was continued")
	}
}

// A session that is resumed says what of it could not be read, once, after what was
// replayed; one that is only read has the notice of its reader.
func TestResumedSessionSaysWhatIsDamaged(t *testing.T) {
	t.Parallel()
	for _, problem := range []string{"", "2 lines of its log are damaged"} {
		lib := tide(nil)
		lib.problem = problem
		p := newPasts(t, lib, nil)
		p.read()
		p.step("key", "ctrl+x g")
		p.lacks("damaged")
		for range 2 {
			p.sayIn(slices.Index(p.m.all, p.m.win.Front), session.Event{Ephemeral: true, Time: p.at, Body: session.SessionIdle{}})
		}
		notice, before := "Not all of this session could be read: "+problem+".", p.screen()
		last := strings.TrimSpace(before[slices.IndexFunc(before, func(l string) bool { return strings.Contains(l, "▲") })+1])
		switch n := strings.Count(strings.Join(before, "\n"), notice); {
		case problem == "" && n != 0, problem != "" && (n != 1 || last != ""):
			t.Errorf("%q is said %d times, with %q under it", notice, n, last)
		}
	}
}

// What was deleted goes when the window is left, if it can.
func TestPurge(t *testing.T) {
	t.Parallel()
	gone := func(id session.ID, change func(*sessions.Session)) sessions.Session {
		s := sessions.Session{Log: sessions.Log{ID: id}, Mark: sessions.Mark{Deleted: started}}
		if change != nil {
			change(&s)
		}
		return s
	}
	lib := &pastLibrary{sessions: map[session.ID]sessions.Session{
		"a": gone("a", nil), "b": gone("b", func(s *sessions.Session) { s.InUse = true }), "c": gone("c", nil),
		"d": gone("d", func(s *sessions.Session) { s.Deleted = time.Time{} }),
		"e": gone("e", func(s *sessions.Session) { s.Modified = started.Add(time.Hour) }), // it was continued elsewhere
		"f": gone("f", nil),
	}}
	lib.refreshed = func() { // somebody opened it since the window looked
		lib.sessions["f"] = gone("f", func(s *sessions.Session) { s.InUse = true })
	}
	keeper := &keepingAgent{}
	o := &agentLifecycle{agents: []session.Agent{&pastAgent{}, keeper}}
	o.purge(t.Context(), lib, "", []session.ID{"c"})
	if got := strings.Join(keeper.calls, ", "); got != "delete a" {
		t.Errorf("deleted %q", got)
	}
	if s := lib.sessions; !s["a"].Deleted.IsZero() || s["b"].Deleted.IsZero() || s["c"].Deleted.IsZero() ||
		!s["e"].Deleted.IsZero() || s["f"].Deleted.IsZero() {
		t.Errorf("marks: %v", lib.calls)
	}
	keeper.fails = errors.New("not now")
	lib.sessions["a"] = gone("a", nil)
	o.purge(t.Context(), lib, "", nil)
	if lib.sessions["a"].Deleted.IsZero() {
		t.Error("one that could not be deleted is not marked any more")
	}
	keeper.fails, keeper.calls, lib.fails = nil, nil, errors.New("the disk is full")
	o.purge(t.Context(), lib, "", nil)
	if len(keeper.calls) != 0 {
		t.Errorf("%v, and who has them open is not known", keeper.calls)
	}
	o.purge(t.Context(), nil, "", nil)
	lib.fails, lib.refreshed = nil, nil
	lib.sessions = map[session.ID]sessions.Session{
		"e": gone("e", func(s *sessions.Session) { s.Keeper = sessions.ParleyKeeper }),
		"f": gone("f", func(s *sessions.Session) { s.Keeper = sessions.CopilotKeeper }),
	}
	o.purge(t.Context(), lib, sessions.CopilotKeeper, nil)
	if got := strings.Join(keeper.calls, ", "); got != "delete f" || lib.sessions["e"].Deleted.IsZero() {
		t.Errorf("of two keepers deleted %q", got)
	}
}
