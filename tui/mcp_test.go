package tui

import (
	"errors"
	"slices"
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
		t.Error("that a list cannot be read again is told")
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
