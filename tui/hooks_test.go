package tui

import (
	"context"
	"testing"

	"parley/session"
)

// hooked is a session whose agent runs hooks.
type hooked struct {
	*scriptedSession
	hooks session.Hooks
}

func (s *hooked) Hooks(context.Context) (session.Hooks, error) { return s.hooks, nil }

// TestHooks lists the hooks that are configured, and what could not be loaded.
func TestHooks(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.command("/hooks")
	sc.contains("This agent reports no hooks.")
	s := &hooked{scriptedSession: sc.s}
	sc.m.win.Front.Session = s
	sc.command("/hooks")
	sc.contains("No hooks run here.")
	s.hooks = session.Hooks{
		All: []session.Hook{
			{Event: "preToolUse", Source: ".github/hooks/\x1b[31mguard.json", Origin: "repository", Enabled: true},
			{Event: "agentStop", Source: "notify", Origin: "plugin"},
		},
		Wrong: []string{"Invalid JSON in b.json"},
	}
	sc.command("/hooks")
	sc.contains("preToolUse  .github/hooks/guard.json · repository")
	sc.contains("agentStop   notify · plugin · off")
	sc.contains("not loaded  Invalid JSON in b.json")
}
