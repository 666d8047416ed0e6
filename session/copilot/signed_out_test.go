package copilot_test

import (
	"strings"
	"testing"

	"parley/session"
)

// TestPromptSignedOut: the runtime fails a prompt where no account is signed in, in the
// words by which the window knows that.
func TestPromptSignedOut(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.cfg.Env, b.cfg.Model = signedOut(b.home), ""
	b.cfg.Provider = nil
	b.start()
	s, r := b.open()
	b.send(s, "count the files")
	if e := next[session.SessionError](r); !strings.Contains(e.Message, "No GitHub OAuth token") {
		t.Errorf("error %+v", e)
	}
}
