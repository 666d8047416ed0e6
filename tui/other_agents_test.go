package tui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
)

// withMine adds another agent to a window of the Copilot CLI.
func withMine(mine session.Agent) func(*Config) {
	return func(c *Config) {
		c.Keeper, c.AgentName = sessions.CopilotKeeper, "Copilot CLI"
		c.Options.Model = "large"
		c.Others = []Backend{{
			Open: func(context.Context) (session.Agent, error) { return mine, nil }, Name: "mine", Option: "mine",
			Flags: []string{"--agent", "mine"}, Keeper: sessions.ParleyKeeper,
		}}
	}
}

// agentless is a session without custom agents.
type agentless struct{ *scriptedSession }

func (agentless) CustomAgents(context.Context) ([]session.CustomAgent, string, error) {
	return nil, "", nil
}

// TestNoOtherAgents: where there is none to choose, how another is had is said, and stays.
func TestNoOtherAgents(t *testing.T) {
	t.Parallel()
	for want, as := range map[string]func(s *scriptedSession) session.Session{
		"There is no custom agent here.":   func(s *scriptedSession) session.Session { return agentless{s} },
		"This agent has no custom agents.": func(s *scriptedSession) session.Session { return struct{ session.Session }{s} },
	} {
		sc := newScenario(t, func(c *Config) { c.Known = "Parley knows x." })
		sc.m.win.Front.Session = as(sc.s)
		sc.step("type", "/agent")
		sc.step("key", "enter")
		sc.wait(10 * time.Second)
		screen := strings.Join(strings.Fields(strings.Join(sc.screen(), " ")), " ")
		if want += " No other agent is installed. Parley knows x."; !strings.Contains(screen, want) {
			t.Errorf("%s: %s", want, screen)
		}
	}
}

// notingAgent notes with which options its last session was opened.
type notingAgent struct {
	manyAgent
	options session.Options
}

func (a *notingAgent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	a.options = o
	return a.manyAgent.Open(ctx, o)
}

// TestAgentsSideBySide: /agent begins a session with another agent in a tab of its own, and a further
// session there is the same agent's. Each agent ends with its last tab, and each session is resumed with its own.
func TestAgentsSideBySide(t *testing.T) {
	t.Parallel()
	mine := &notingAgent{}
	sc, first := sideBySide(t, 1, withMine(mine))
	sc.contains("other agents  mine: /agent")
	sc.step("type", "/agent")
	sc.step("key", "enter")
	sc.contains("other agents, in a new tab")
	sc.step("key", "up")
	sc.step("key", "enter")
	if len(sc.m.all) != 2 || len(first.opened) != 1 || len(mine.opened) != 1 || sc.m.win.Front.Agent != mine || mine.options.Model != "" {
		t.Fatalf("%d tabs, %d and %d sessions, with %+v", len(sc.m.all), len(first.opened), len(mine.opened), mine.options)
	}
	sc.step("key", "ctrl+x w")
	if len(first.opened) != 1 || len(mine.opened) != 2 {
		t.Errorf("a new tab is not of the agent on the screen: %d and %d sessions", len(first.opened), len(mine.opened))
	}
	sc.s = mine.opened[1]
	sc.spoken("s2")
	if commands := sc.m.resumeCommands(); !slices.Equal(commands, []string{"parley --agent mine --resume s2"}) {
		t.Errorf("resumed with %q", commands)
	}
	sc.step("type", "/agent Copilot CLI")
	sc.step("key", "enter")
	if len(first.opened) != 2 {
		t.Errorf("the first agent has %d sessions", len(first.opened))
	}
	sc.step("key", "ctrl+x x ctrl+x x")
	if first.closed != 0 {
		t.Errorf("the first agent was closed %d times, while it is in use", first.closed)
	}
	for len(sc.m.all) > 1 {
		sc.step("key", "ctrl+x x ctrl+x x")
	}
	if first.closed+mine.closed != 1 {
		t.Errorf("closed %d and %d times", first.closed, mine.closed)
	}
}

// TestPastOfAnotherAgent: a past session is resumed, and continued where it is read, by the agent that has it,
// in a tab of its own.
func TestPastOfAnotherAgent(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]func(*pasts){
		"resumed": func(p *pasts) {
			p.do(func(m *Model) tea.Cmd { return m.library.open(p.library.sessions["old"]) })
		},
		"read and continued": func(p *pasts) {
			p.read()
			if screen := strings.Join(p.screen(), "\n"); strings.Contains(screen, "In this session") {
				t.Errorf("it is another's:\n%s", screen)
			}
			p.step("key", "ctrl+x g")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mine := &manyAgent{}
			p := newPasts(t, tide(func(s *sessions.Session) { s.Keeper, s.Agent = sessions.ParleyKeeper, "mine" }), withMine(mine))
			way(p)
			c := p.m.win.Front
			if len(p.m.all) != 2 || c.Agent != mine || c.ReadOnly != nil || c.Info.ID != "old" || len(p.agent.opened) != 1 || len(mine.opened) != 1 {
				t.Errorf("%d tabs, %+v of %T, %d and %d sessions", len(p.m.all), c.Info, c.Agent, len(p.agent.opened), len(mine.opened))
			}
		})
	}
}
