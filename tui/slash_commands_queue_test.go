package tui

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/tui/conversation"
	"parley/tui/keymap"
	"parley/tui/panel"
)

// queued says that it is the turn of a command in the agent's queue.
func queued(sc *scenario, command string, replayed bool) {
	sc.say(session.Event{Ephemeral: true, Replayed: replayed, Body: session.CommandQueued{RequestID: "q", Command: command}})
}

// TestQueuedCommandsThatShow: a command of the agent's queue that only shows
// something, or changes how the conversation is shown, is carried out once, and
// the agent gets an answer.
func TestQueuedCommandsThatShow(t *testing.T) {
	t.Parallel()
	for command, shows := range map[string]string{
		"/help": "Keys and commands", "/version": "Parley", "/status": "Session", "/clear": "Carried out: the command `/clear`",
	} {
		sc := newScenario(t, nil)
		sc.say(session.Event{ID: "1", Body: session.UserMessage{Content: "before"}})
		sc.screen()
		queued(sc, command, false)
		text := strings.Join(sc.screen(), "\n")
		if !strings.Contains(text, shows) || command == "/clear" && strings.Contains(text, "before") {
			t.Errorf("%s does not show %q:\n%s", command, shows, text)
		}
		if !slices.Equal(sc.s.calls, []string{"handled q"}) {
			t.Errorf("%s: the agent heard %q", command, sc.s.calls)
		}
	}
}

// TestQueuedCommandsThatAreLeftOut: what could permit, send, change or end
// something is not carried out at the wish of an agent, nor is anything over what
// the user is at, in a log that is played, or for an agent that does not ask.
func TestQueuedCommandsThatAreLeftOut(t *testing.T) {
	t.Parallel()
	show := session.Event{ID: "p", Body: session.PermissionRequested{
		RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: "ls"}},
	}}
	left := map[string]struct {
		command string
		before  func(sc *scenario)
	}{
		"unknown":             {"/deploy now", nil},
		"with words":          {"/help me", nil},
		"no command":          {"help", nil},
		"another's":           {"/theirs", func(sc *scenario) { sc.m.win.Front.AgentCommands = []session.SlashCommand{{Name: "theirs"}} }},
		"over a draft":        {"/help", func(sc *scenario) { sc.m.win.Front.Composer.SetText("half a") }},
		"over a panel":        {"/help", func(sc *scenario) { sc.m.win.Front.Commands.Run("palette", "") }},
		"over a question":     {"/help", func(sc *scenario) { sc.say(show) }},
		"over one that waits": {"/help", func(sc *scenario) { sc.say(show); sc.m.win.Front.Questions.Blur(sc.at) }},
	}
	for _, c := range keymap.Commands() {
		if c.Slash != "" && !c.Queued {
			left[c.ID] = struct {
				command string
				before  func(sc *scenario)
			}{"/" + c.Slash, nil}
		}
	}
	for name, c := range left {
		sc := newScenario(t, nil)
		if c.before != nil {
			c.before(sc)
		}
		before := focus(sc.m)
		queued(sc, c.command, false)
		if slices.Contains(sc.s.calls, "handled q") || len(sc.s.calls) != 1 || sc.quit || focus(sc.m) != before {
			t.Errorf("%s: the agent heard %q", name, sc.s.calls)
		}
	}
	sc := newScenario(t, nil)
	queued(sc, "/help", true)
	if len(sc.s.calls) != 0 || conversation.Over[*panel.Panel](sc.m.win) != nil {
		t.Errorf("in history: the agent heard %q", sc.s.calls)
	}
	sc.m.win.Front.Session = struct{ session.Session }{sc.s} // as one that plays a log
	if c, _, ok := sc.m.win.Front.Commands.QueuedCommand(session.Event{Body: session.CommandQueued{Command: "/help"}}); ok {
		t.Errorf("/%s is carried out though it is not asked for", c.Slash)
	}
}

// TestQueuedCommandsAreFew: a command may be carried out at the wish of an agent
// only after somebody has thought about it. Each of these shows something, or
// changes how the conversation is shown, and does nothing else.
func TestQueuedCommandsAreFew(t *testing.T) {
	t.Parallel()
	var few []string
	for _, c := range keymap.Commands() {
		if c.Queued {
			few = append(few, c.ID)
		}
	}
	slices.Sort(few)
	if got := strings.Join(few, " "); got != "clear help keys list-dirs session todos usage version" {
		t.Errorf("these are carried out: %s", got)
	}
}
