package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/tui/conversation"
)

// A command says what it did, or why it did nothing.
func TestCommandsSayWhatTheyDid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, want, call string }{
		{"/rename Drain the queue", "Renamed to Drain the queue.", `rename "Drain the queue"`},
		{"/model gtp-5.4", "the agent has no model of this name; did you mean gpt-5.4?", ""},
		{"/model nope", "the agent has no model of this name; /model lists", ""},
		{"/model claude-opus high", "", "model claude-opus high"},
		{"/mcp nope", "There is no MCP server nope: /mcp lists them, and /mcp add adds one.", ""},
		{"/mcp remove", "/mcp remove takes the name of a server.", ""},
		{"/mcp add x --env A=B y", "/mcp add alone asks for the rest.", ""},
		{"/mcp add x 'y", "is not closed", ""},
		{"/mcp weather", "❯ ✗ weather", ""},
	} {
		sc := newScenario(t, nil)
		sc.step("type", c.typed)
		sc.step("key", "enter")
		if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(strings.Join(strings.Fields(screen), " "), c.want) {
			t.Errorf("%s: no %q:\n%s", c.typed, c.want, screen)
		}
		if got := strings.Join(sc.s.calls, "; "); got != c.call {
			t.Errorf("%s: calls %q, want %q", c.typed, got, c.call)
		}
	}
}

// A command of the agent that cannot be undone is asked for again, with nothing
// chosen, before it is run.
func TestCommandThatIsConfirmed(t *testing.T) {
	t.Parallel()
	forget := session.SlashCommand{Name: "forget", Description: "Forget all", Confirm: "Forget all?"}
	for _, c := range []struct {
		keys string
		runs bool
	}{{"enter", false}, {"esc", false}, {"down enter", false}, {"down down enter", true}} {
		sc := newScenario(t, nil)
		sc.m.win.Front.AgentCommands = append(sc.m.win.Front.AgentCommands, forget)
		sc.step("type", "/forget ")
		sc.step("key", "enter")
		if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "Forget all?") || len(sc.s.calls) > 0 {
			t.Errorf("%s: calls %v:\n%s", c.keys, sc.s.calls, screen)
		}
		sc.step("key", c.keys)
		if contains(sc.s.calls, `invoke forget ""`) != c.runs {
			t.Errorf("%s: calls %v", c.keys, sc.s.calls)
		}
	}
}

// What is not kept is said on the first screen, and not again when the first
// draft could not be written.
func TestUnkeptIsSaid(t *testing.T) {
	t.Parallel()
	const why = "There is no home folder: drafts are not kept."
	sc := newScenario(t, func(c *Config) { c.Unkept = why })
	sc.m.win.Front.Recovery.Saved(conversation.SavedMsg{Err: errors.New("no folder")})
	if screen := strings.Join(sc.screen(), "\n"); strings.Count(screen, why) != 1 || strings.Contains(screen, "What you write is not kept") {
		t.Errorf("screen:\n%s", screen)
	}
}

// A terminal that has not said that it counts by grapheme clusters gets emoji
// without what joins them.
func TestClustersOfTheTerminal(t *testing.T) {
	t.Parallel()
	for value, want := range map[ansi.ModeSetting]bool{ansi.ModeNotRecognized: true, ansi.ModeReset: false} {
		sc := newScenario(t, nil)
		sc.redress()
		if !sc.m.win.Theme.Apart {
			t.Error("joined before the terminal answers")
		}
		sc.update(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: value})
		if sc.m.win.Theme.Apart != want || sc.m.win.Front.Pane.Opts.Theme.Apart != want {
			t.Errorf("%v: %v", value, sc.m.win.Theme.Apart)
		}
		sc.say(session.Event{ID: "u", Body: session.UserMessage{Content: "a 👨\u200d👩\u200d👧 b", MessageID: "m"}})
		screen := strings.Join(sc.screen(), "\n")
		if got := strings.Contains(screen, "a 👨 b"); got != want {
			t.Errorf("%v:\n%s", value, screen)
		}
	}
}
