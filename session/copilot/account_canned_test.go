package copilot

import (
	"strings"
	"testing"

	"parley/session"
)

// TestAccount reads who is signed in from the answers of the runtime.
func TestAccount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status   string
		provider *Provider
		want     session.Account
	}{
		"none":     {`{"isAuthenticated":false,"statusMessage":"Not authenticated"}`, nil, session.Account{Needed: true}},
		"provider": {`{"isAuthenticated":false}`, &Provider{}, session.Account{}},
		"an account": {
			`{"isAuthenticated":true,"authType":"user","host":"https://github.com","login":"ada"}`, nil,
			session.Account{Needed: true, SignedIn: true, User: "ada", Host: "github.com"},
		},
		"a token": {
			`{"isAuthenticated":true,"authType":"env","host":"https://example.ghe.com/"}`, nil,
			session.Account{Needed: true, SignedIn: true, Host: "example.ghe.com"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agent := can(t, map[string]string{"auth.getStatus": c.status}).agent
			agent.cfg.Provider = c.provider
			if got, err := agent.Account(t.Context()); err != nil || got != c.want {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// TestSignOut signs out of the account that the runtime has signed in to, and of
// no other.
func TestSignOut(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{
		`{"isAuthenticated":false}`: "no account is signed in",
		`{"isAuthenticated":true,"authType":"gh-cli","host":"https://github.com","login":"ada"}`: "gh auth logout",
		`{"isAuthenticated":true,"authType":"env","host":"https://github.com"}`:                  "environment",
		`{"isAuthenticated":true,"authType":"user","host":"https://github.com","login":"ada"}`:   "",
	} {
		runtime := can(t, map[string]string{"auth.getStatus": status, "account.logout": `{"hasMoreUsers":false}`})
		err := runtime.agent.SignOut(t.Context())
		params := runtime.called("account.logout")
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) || params != nil {
				t.Errorf("%s: %v, called with %v", status, err, params)
			}
			continue
		}
		who, _ := params["authInfo"].(map[string]any)
		if err != nil || who["type"] != "user" || who["host"] != "https://github.com" || who["login"] != "ada" {
			t.Errorf("%s: %v, called with %v", status, err, params)
		}
	}
}

// TestSignInCommand runs the CLI itself, where it is here.
func TestSignInCommand(t *testing.T) {
	t.Parallel()
	agent := &Agent{cfg: Config{Path: "/bin/copilot", Args: []string{"--plain"}}}
	if got := strings.Join(agent.SignIn(), " "); got != "/bin/copilot --plain login" {
		t.Errorf("got %q", got)
	}
	agent.cfg.URL = "localhost:1"
	if got := agent.SignIn(); got != nil {
		t.Errorf("got %q for a runtime that is elsewhere", got)
	}
}
