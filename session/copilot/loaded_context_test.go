package copilot_test

import (
	"reflect"
	"slices"
	"testing"

	"parley/session"
)

// What is loaded is what the runtime says it loaded: nothing of a folder that is not
// trusted yet.
func TestLoaded(t *testing.T) {
	b := on(t, answers())
	b.write("AGENTS.md", "be good\n")
	b.write(".github/copilot-instructions.md", "be better\n")
	b.write(".github/skills/wave/SKILL.md", "---\nname: wave\ndescription: MARK-skill waves\n---\nWave.\n")
	b.write(".github/hooks/a.json", `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"true"}]}}`)
	s, r := b.open()
	got, err := s.Loaded(t.Context())
	b.must(err)
	slices.Sort(got.Held.Instructions)
	if held := (session.Held{
		Instructions: []string{".github/copilot-instructions.md", "AGENTS.md"}, Skills: []string{"wave"}, Hooks: []string{".github/hooks/a.json"},
	}); !reflect.DeepEqual(got, session.Loaded{Held: held}) {
		t.Errorf("before the folder is trusted: %+v", got)
	}
	b.trustFolder(s, r, false)
	got, err = s.Loaded(t.Context())
	b.must(err)
	want := session.Loaded{
		Instructions: []string{".github/copilot-instructions.md", "AGENTS.md"}, Skills: []string{"wave"}, Hooks: []string{".github/hooks/a.json"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestHooks lists the hooks of a folder once it is trusted for good, by their moments.
func TestHooks(t *testing.T) {
	b := on(t, answers())
	b.write(".github/hooks/a.json", `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"true"}]}}`)
	b.write(".github/hooks/b.json", `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"true"}]}}`)
	b.write(".github/hooks/c.json", `{"version":1,`)
	s, r := b.open()
	got, err := s.Hooks(t.Context())
	if b.must(err); !reflect.DeepEqual(got, session.Hooks{}) {
		t.Errorf("before the folder is trusted: %+v", got)
	}
	q := next[session.FolderTrustRequested](r)
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: true})
	next[session.FolderTrustCompleted](r)
	got, err = s.Hooks(t.Context())
	b.must(err)
	want := []session.Hook{
		{Event: "preToolUse", Source: ".github/hooks/b.json", Origin: "repository", Enabled: true},
		{Event: "sessionStart", Source: ".github/hooks/a.json", Origin: "repository", Enabled: true},
	}
	if !reflect.DeepEqual(got.All, want) || len(got.Wrong) != 1 {
		t.Errorf("%+v", got)
	}
}
