package acp

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestCopy: a copy of a session is one of its own for the agent too: all of it, where the agent can copy, and else
// it begins anew, as the user is warned. What was said is there, once.
func TestCopy(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		how   string // what the agent keeps
		part  bool   // is copied
		warns string
	}{
		"it can":              {how: "all"},
		"it fails":            {how: "broken", warns: "does not know what was said in this copy (no luck)"},
		"it cannot":           {warns: "does not know what was said in this copy. It"},
		"of a part it cannot": {how: "all", part: true, warns: "does not know what was said in this copy. It"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := kept(t, tt.how)
			first := opening(t, a)
			said := sessiontest.Read(t, first)
			if err := first.Send(t.Context(), session.Input{Prompt: "answer"}); err != nil {
				t.Fatal(err)
			}
			original := sessiontest.Next[session.SessionStart](said).AgentSessionID
			sessiontest.Next[session.AssistantTurnEnd](said)
			end := said.Seen()[len(said.Seen())-1].ID
			sessiontest.Next[session.SessionIdle](said)
			before := session.EventID("")
			if tt.part {
				before = end
			}
			id, err := a.Fork(t.Context(), first.Info().ID, before)
			if err != nil {
				t.Fatal(err)
			}
			if id, err = a.Fork(t.Context(), id, ""); err != nil { // a copy of the copy
				t.Fatal(err)
			}
			second, err := a.Resume(t.Context(), id, session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, second)
			own := sessiontest.Next[session.SessionResume](r).AgentSessionID
			if forked := own == "fork of "+original; own == "" || own == original || forked != (tt.warns == "") {
				t.Errorf("it continues %q, and the original is %q", own, original)
			}
			warned := ""
			for _, w := range sessiontest.All[session.SessionWarning](r.Seen()) {
				warned += w.Message
			}
			if !strings.Contains(warned, tt.warns) || tt.warns == "" && warned != "" {
				t.Errorf("warned of %q", warned)
			}
			if err := second.Send(t.Context(), session.Input{Prompt: "answer"}); err != nil {
				t.Fatal(err)
			}
			sessiontest.Next[session.SessionIdle](r)
			if got := texts(r.Seen()); got != "answer|An answer.|answer|An answer." {
				t.Errorf("it has %q", got)
			}
		})
	}
}
