package copilot_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestRevokeOfAddresses allows an address for the session and one for good, and
// takes both back.
func TestRevokeOfAddresses(t *testing.T) {
	b := alone(t, nil)
	for _, path := range []string{"/one", "/two"} {
		b.model.Add(path[1:], shell("curl -s "+b.model.URL+path)...)
	}
	s, r := b.open()
	addresses := func(d session.Decision) func(session.PermissionRequested) session.PermissionAnswer {
		return func(q session.PermissionRequested) session.PermissionAnswer {
			if q.PromptRequest.Kind == "url" {
				return approve(d)(q)
			}
			return once(q)
		}
	}
	name := "`" + b.origin() + "`"
	b.play(s, r, "one", addresses(session.ApproveForSession))
	g := b.grants(s, "session: "+name)[0]
	if asked := b.play(s, r, "two", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("asked about %v", asked)
	}
	b.revoke(s, g)
	b.grants(s)
	if asked := b.play(s, r, "one", addresses(session.ApprovePermanently)); !slices.Equal(asked, []string{"url", "commands"}) {
		t.Errorf("after it was taken back it asked about %v", asked)
	}
	g = b.grants(s, "everywhere: "+name)[0]
	second, r2 := b.open()
	b.grants(second, "everywhere: "+name)
	if asked := b.play(second, r2, "two", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("another session asks about %v", asked)
	}
	b.revoke(s, g)
	b.grants(s)
	if asked := b.play(s, r, "two", once); !slices.Equal(asked, []string{"url", "commands"}) {
		t.Errorf("after it was taken back it asked about %v", asked)
	}
	third, r3 := b.open()
	b.grants(third)
	if asked := b.play(third, r3, "two", once); !slices.Equal(asked, []string{"url", "commands"}) {
		t.Errorf("a session after it asks about %v", asked)
	}
}

// TestAddressSettledElsewhere allows an address that is no longer asked about.
func TestAddressSettledElsewhere(t *testing.T) {
	b := on(t, nil)
	b.model.Add("go", shell("curl -s "+b.model.URL+"/x")...)
	s, r := b.open()
	b.play(s, r, "go", func(session.PermissionRequested) session.PermissionAnswer {
		return session.PermissionAnswer{Decision: session.Reject, Feedback: "no"}
	})
	asked := sessiontest.All[session.PermissionRequested](r.Seen())[0]
	b.settledAlready(s, session.PermissionAnswer{RequestID: asked.RequestID, Decision: session.ApproveForSession, Domain: b.origin()})
	b.grants(s)
	if asked := b.play(s, r, "go", once); !slices.Equal(asked, []string{"url", "commands"}) {
		t.Errorf("asked about %v", asked)
	}
}

// TestDeniedAddresses goes by what the user's settings deny, too.
func TestDeniedAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.model.Add("go", shell("curl -s "+b.model.URL+"/x")...)
	b.must(os.WriteFile(filepath.Join(b.home, "settings.json"),
		[]byte(`{"allowedUrls":["`+b.origin()+`"],"deniedUrls":["`+b.origin()+`"]}`), 0o600))
	b.start()
	s, r := b.open()
	if asked := b.play(s, r, "go", once); len(asked) != 0 {
		t.Errorf("asked about %v", asked)
	}
	if d := sessiontest.All[session.ToolExecutionComplete](r.Seen()); len(d) != 1 || d[0].Success {
		t.Errorf("the tool ended with %+v", d)
	}
}

// TestAddressNotWritten allows an address for good where the settings cannot be
// written: it holds for the session, and a warning says so.
func TestAddressNotWritten(t *testing.T) {
	b := alone(t, nil)
	b.model.Add("go", shell("curl -s "+b.origin()+"/x")...)
	s, r := b.open()
	b.must(os.WriteFile(filepath.Join(b.home, "settings.json"), []byte("{"), 0o600))
	b.play(s, r, "go", func(q session.PermissionRequested) session.PermissionAnswer {
		if q.PromptRequest.Kind == "url" {
			return approve(session.ApprovePermanently)(q)
		}
		return once(q)
	})
	if w := sessiontest.All[session.SessionWarning](r.Seen()); len(w) != 1 ||
		!strings.HasPrefix(w[0].Message, b.origin()+" is allowed for this session only: write the settings: ") {
		t.Errorf("warned %+v", w)
	}
	g := b.grants(s, "session: `"+b.origin()+"`")[0]
	b.revoke(s, g)
	if asked := b.play(s, r, "go", once); !slices.Equal(asked, []string{"url", "commands"}) {
		t.Errorf("asked about %v", asked)
	}
}
