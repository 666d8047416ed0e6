package copilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// accountGrace is how long the runtime may take to say who is signed in.
const accountGrace = 10 * time.Second

// authStatus is the answer to auth.getStatus, which has no secrets.
type authStatus struct {
	IsAuthenticated bool   `json:"isAuthenticated"`
	AuthType        string `json:"authType"`
	Host            string `json:"host"`
	Login           string `json:"login"`
}

func (a *Agent) authStatus(ctx context.Context) (status authStatus, err error) {
	ctx, cancel := within(ctx, accountGrace)
	defer cancel()
	err = a.call(ctx, "auth.getStatus", nil, &status)
	return status, err
}

// Account implements session.Accounts.
func (a *Agent) Account(ctx context.Context) (session.Account, error) {
	status, err := a.authStatus(ctx)
	if err != nil {
		return session.Account{}, fmt.Errorf("find out who is signed in: %w", err)
	}
	_, host, found := strings.Cut(status.Host, "://")
	if !found {
		host = status.Host
	}
	return session.Account{
		Needed: a.cfg.Provider == nil, SignedIn: status.IsAuthenticated,
		User: status.Login, Host: strings.TrimSuffix(host, "/"),
	}, nil
}

// SignIn implements session.Accounts. A runtime that was running has its
// accounts where it runs.
func (a *Agent) SignIn() []string {
	if a.cfg.URL != "" {
		return nil
	}
	return append(append([]string{a.cfg.Path}, slices.Clone(a.cfg.Args)...), "login")
}

// SignOut implements session.Accounts. Only an account that was signed in to
// can be signed out of: a token from elsewhere is there again at once.
func (a *Agent) SignOut(ctx context.Context) error {
	status, err := a.authStatus(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("find out who is signed in: %w", err)
	case !status.IsAuthenticated:
		return errors.New("no account is signed in")
	case status.AuthType == "gh-cli":
		return errors.New("the account is that of the GitHub CLI: run `gh auth logout` in a shell")
	case status.AuthType != "user" && status.AuthType != "account":
		return errors.New("the token comes from the environment of the Copilot CLI: take it out there")
	}
	account := object{"type": status.AuthType, "host": status.Host, "login": status.Login}
	return a.call(ctx, "account.logout", object{"authInfo": account}, nil)
}
