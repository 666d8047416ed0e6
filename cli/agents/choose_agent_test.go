package agents_test

import (
	"errors"
	"strings"
	"testing"

	"parley/cli/agents"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/session/copilot"
	"parley/settings"
)

// TestWithoutAnAgent: where none is installed, past sessions are those on this machine. Those of
// the demo are listed and resumed only where the demo was asked for.
func TestWithoutAnAgent(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	home, env := clitest.PastHome(t)
	for _, o := range []agents.Options{{}, {Browse: true}} {
		b, err := agents.ForChat(o, env, settings.Defaults())
		if err != nil || b.Stored != nil || b.Name != agents.Demo || !strings.Contains(b.Missing, "npm install") {
			t.Fatalf("%+v, %v", b, err)
		}
		lib, err := agents.PastSessions(process.Console{Env: env}, b)
		if err != nil {
			t.Fatal(err)
		}
		if err := lib.Refresh(t.Context()); err != nil {
			t.Error(err)
		}
		found, err := lib.Find(t.Context(), sessions.Request{Scope: sessions.Everywhere})
		if err != nil || len(found.Sessions) != 4 {
			t.Errorf("of the sessions in %s there are %d, %v", home, len(found.Sessions), err)
		}
		for _, s := range found.Sessions {
			if !s.Foreign(b.Keeper) {
				t.Errorf("the demo would resume %s", s.ID)
			}
		}
		if err := lib.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, o := range []agents.Options{{Continued: true}, {Resume: "bbbb0000-1111-4222-8333-444444444441"}} {
		if _, err := agents.ForChat(o, env, settings.Defaults()); !errors.Is(err, copilot.ErrNotFound) || !strings.Contains(err.Error(), "`parley sessions` reads") {
			t.Errorf("%+v: %v", o, err)
		}
		o.Agent = agents.Demo
		if b, err := agents.ForChat(o, env, settings.Defaults()); err != nil || b.Stored == nil || b.Missing != "" {
			t.Errorf("%+v: %+v, %v", o, b, err)
		}
	}
}
