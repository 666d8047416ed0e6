package acp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parley/session"
)

var _ session.Accounts = (*Agent)(nil)

// terminalMethod is the type of a way to sign in that asks in a terminal.
const terminalMethod = "terminal"

// signIn is the command line of the first way to sign in that asks in a terminal, for an agent that is
// started with a command; none if there is no such way.
func signIn(ways []authMethod, command []string) []string {
	for _, m := range ways {
		switch in := m.Meta.Terminal; {
		case in.Command != "":
			return append([]string{in.Command}, in.Args...)
		case m.Type == terminalMethod:
			return append(slices.Clone(command), m.Args...)
		}
	}
	return nil
}

// Account implements session.Accounts. No agent says who is signed in.
func (a *Agent) Account(context.Context) (session.Account, error) {
	return session.Account{}, fmt.Errorf("%s does not say who is signed in: %w", a.cfg.Name, errors.ErrUnsupported)
}

// SignIn implements session.Accounts. The command is known once the agent was started.
func (a *Agent) SignIn() []string {
	if argv := a.login.Load(); argv != nil {
		return slices.Clone(*argv)
	}
	return nil
}

// SignOut implements session.Accounts.
func (a *Agent) SignOut(context.Context) error {
	return fmt.Errorf("%s cannot be signed out from here: %w", a.cfg.Name, errors.ErrUnsupported)
}
