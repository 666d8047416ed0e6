package copilot_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// signedOut is the environment of a runtime that has no account to answer with and
// no provider of its own. It reaches no network.
func signedOut(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "COPILOT_") || strings.HasPrefix(name, "GH_") || strings.HasPrefix(name, "GITHUB_") ||
			name == "HOME" || strings.HasPrefix(name, "XDG_")
	})
	cache, _ := os.UserCacheDir()
	return append(env, "HOME="+home, "COPILOT_HOME="+home, "XDG_CACHE_HOME="+cache, "HTTPS_PROXY=http://127.0.0.1:9")
}

// TestNotSignedIn asks the real runtime in a home of its own.
func TestNotSignedIn(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.cfg.Env, b.cfg.Model = signedOut(b.home), ""
	b.cfg.Provider = nil
	b.start()
	accounts, ok := session.As[session.Accounts](b.agent)
	if !ok {
		t.Fatal("the agent has no accounts")
	}
	if got, err := accounts.Account(t.Context()); err != nil || got != (session.Account{Needed: true}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := accounts.SignOut(t.Context()); err == nil {
		t.Error("signed out of nothing")
	}
}
