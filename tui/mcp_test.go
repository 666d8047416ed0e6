package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/tui/conversation"
	"parley/tui/picker"
)

// TestToolsAreReadAgain: the open list of servers, and that of a server's tools,
// follow session.tools_updated and say so; nothing else is said of it.
func TestToolsAreReadAgain(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	update := func(model string) {
		sc.wait(time.Second / 4)
		sc.say(session.Event{Time: started, Ephemeral: true, Body: session.SessionToolsUpdated{Model: model}})
	}
	update("gpt-5.4")
	sc.lacks("Tools updated")
	sc.command("/mcp")
	sc.contains("weather")
	sc.step("key", "down")
	sc.s.servers = []session.McpServer{
		{Name: "notes", Status: "connected"},
		{Name: "weather", Status: "connected"},
		{Name: "brand new", Status: "pending"},
	}
	update("gpt-5.4-\x1b[31mmini")
	sc.contains("Tools updated for gpt-5.4-mini.")
	sc.contains("brand new")
	sc.lacks("exit code 1")
	if r, _ := conversation.Over[*picker.Picker](sc.m.win).Selected(); r.Value != "weather" {
		t.Errorf("%q is chosen", r.Value)
	}
	sc.s.fail = errors.New("gone")
	update("")
	sc.contains("Tools updated.")
	sc.contains("brand new")
	if sc.m.win.Front.Timeline.Len() != 0 {
		t.Error("it is reported that a list cannot be read again")
	}
	sc.s.fail = nil
	sc.step("key", "esc")
	sc.command("/mcp")
	sc.step("key", "enter")
	sc.contains("reads a note")
	sc.s.tools = []session.McpTool{{Name: "erase", Description: "erases a note"}}
	update("gpt-5.4")
	sc.contains("erases a note")
	sc.lacks("reads a note")
	sc.step("key", "esc")
	sc.command("/session")
	sc.contains("updated at 10:41 for gpt-5.4")
	sc.step("key", "esc")
	sc.command("/mcp")
	sc.say(session.Event{Agent: "a", Ephemeral: true, Body: session.SessionToolsUpdated{Model: "other"}})
	sc.lacks("other")
}

// TestReloadServers: /mcp reload has the files of the servers read again and shows what there
// is then; enter shows the tools of one.
func TestReloadServers(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.command("/mcp reload")
	if !slices.Contains(sc.s.calls, "reload mcp") {
		t.Errorf("did %q", sc.s.calls)
	}
	sc.contains("weather")
	sc.step("key", "enter")
	sc.contains("reads a note")
	sc.step("key", "esc")
	sc.s.fail = errors.New("the file is broken")
	sc.command("/mcp reload")
	sc.contains("the file is broken")
	sc.s.fail, sc.s.servers = nil, []session.McpServer{}
	sc.command("/mcp")
	sc.contains("No MCP servers yet.")
}

// TestUpdatesWithoutServers: an agent that has none is not asked.
func TestUpdatesWithoutServers(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.m.win.Front.Session = bareSession{sc.s}
	sc.update(
		conversation.Message{
			To: sc.m.win.Front.ID,
			Msg: conversation.EventsMsg{
				Session: sc.m.win.Front.Session,
				At:      sc.at,
				Events:  []session.Event{{Ephemeral: true, Body: session.SessionToolsUpdated{}}},
			},
		},
	)
	sc.command("/session")
	sc.lacks("updated")
}

// TestMcpWithoutServers: of an empty list of servers only what can be done is offered, and the
// other keys say why they do nothing.
func TestMcpWithoutServers(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.servers = []session.McpServer{}
	sc.command("/mcp")
	sc.contains("No MCP servers yet.")
	sc.contains("\n  a add · esc close\n")
	sc.step("key", "t")
	sc.contains("There is no server yet.")
}

// TestMcpNames: behind /mcp edit, remove and try the servers are completed by their names, and
// behind /mcp none is.
func TestMcpNames(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.servers = []session.McpServer{{Name: "notes", Status: "connected"}, {Name: "two words"}, {Name: "files", Status: "failed"}}
	sc.opensLoaded(session.Loaded{}, nil)
	for _, c := range []struct{ typed, keys, rows, draft string }{
		{"/mcp ", "", "add edit remove try reload", "/mcp "},
		{"/mcp edit ", "", "edit notes edit files", "/mcp edit "},
		{"/mcp remove n", "tab", "", "/mcp remove notes "},
		{"/mcp tr", "tab", "try notes try files", "/mcp try "},
		{"/mcp ed", "enter", "edit notes edit files", "/mcp edit "},
	} {
		sc.step("type", c.typed)
		sc.step("key", c.keys)
		if sc.rows() != c.rows || sc.draft() != c.draft {
			t.Errorf("%s %s: %q, %q", c.typed, c.keys, sc.rows(), sc.draft())
		}
		sc.step("key", "esc ctrl+c")
	}
}

// unlistedSession knows no models but the one in use.
type unlistedSession struct{ *scriptedSession }

func (s *unlistedSession) Models(context.Context) ([]session.Model, error) {
	return []session.Model{{ID: "gpt-5.4"}}, nil
}

// TestModelUnchecked: where the agent has no list of models, that a name was not checked is
// said, and one that is near its only model is not taken for a mistake.
func TestModelUnchecked(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.update(toFront(sc.m, conversation.OpenedMsg{Agent: sc.m.win.Front.Agent, Session: &unlistedSession{sc.s}}))
	sc.command("/model gpt-5.5")
	sc.contains("gpt-5.5 was passed on unchecked: the agent has no list of models.")
}

// warningSession has a model with a long warning.
type warningSession struct{ *scriptedSession }

func (s *warningSession) Models(context.Context) ([]session.Model, error) {
	return []session.Model{{ID: "gpt-5.4", Price: "3x", Warning: strings.Repeat("a word and ", 10) + "the end"}}, nil
}

// TestModelWarning: what a model warns of is readable to its end, and what stands at the right
// edge has a heading.
func TestModelWarning(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.update(toFront(sc.m, conversation.OpenedMsg{Agent: sc.m.win.Front.Agent, Session: &warningSession{sc.s}}))
	sc.command("/model")
	sc.sees("price\n", "3x\n", "the end\n")
}
