package session

import "context"

// Accounts is an Agent that works for an account to which one can sign in.
type Accounts interface {
	// Account reads who is signed in. An error means that it is not known.
	Account(ctx context.Context) (Account, error)
	// SignIn is the command line of a program that signs in, asking in the
	// terminal that it is given; none where that is not possible from here. An
	// agent that runs may have to be started again to work for the account.
	SignIn() []string
	// SignOut makes the agent forget who is signed in.
	SignOut(ctx context.Context) error
}

// Account is who an agent works for.
type Account struct {
	// Needed is true when the agent cannot answer without an account. With a
	// provider of models of the user's own it can.
	Needed   bool
	SignedIn bool
	User     string // the name of the account; "" if it is not known
	Host     string // where the account is, such as "github.com"
}
