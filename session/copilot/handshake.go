package copilot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/creachadair/jrpc2"

	"parley/session"
)

const (
	// protocolVersion is the one version of the protocol that is spoken here.
	protocolVersion = 3
	// connectGrace is how long a runtime may take to answer for the first
	// time. Its first start ever unpacks 235 MB.
	connectGrace = time.Minute
	// remoteGrace is that time for a runtime that is running.
	remoteGrace = 10 * time.Second

	updateCLI = "update it with `npm install -g @github/copilot@latest`"
)

// The errors of connect that are about the token (docs/protocol.md, section 2).
const (
	authenticationRequired      jrpc2.Code = -32001
	authenticationFailed        jrpc2.Code = -32002
	authenticationNotConfigured jrpc2.Code = -32003
)

// connect shakes hands and checks the version.
func (a *Agent) connect(ctx context.Context) error {
	grace, params := connectGrace, object{}
	if a.cfg.URL != "" {
		grace = remoteGrace
		if a.cfg.Token != "" {
			params["token"] = a.cfg.Token
		}
	}
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	var hello struct {
		ProtocolVersion float64 `json:"protocolVersion"` // the runtime may write 3.0
		Version         string  `json:"version"`
	}
	err := a.call(ctx, "connect", params, &hello)
	var failed *callError
	switch {
	case errors.As(err, &failed):
		return a.refused(failed)
	case err != nil:
		return a.unusable(err)
	case hello.ProtocolVersion < protocolVersion:
		return a.mismatch(fmt.Sprintf("protocol %v", hello.ProtocolVersion), updateCLI)
	case hello.ProtocolVersion > protocolVersion:
		return a.mismatch(fmt.Sprintf("protocol %v", hello.ProtocolVersion), "update Parley")
	case TooOld(hello.Version):
		return a.tooOld("is version " + hello.Version)
	}
	a.version = hello.Version
	return nil
}

// refused explains why a runtime does not want us.
func (a *Agent) refused(err *callError) error {
	const variable = "COPILOT_CONNECTION_TOKEN"
	name := a.peer.name()
	switch {
	case err.code == jrpc2.MethodNotFound:
		return a.mismatch("an older protocol", updateCLI)
	case err.code == authenticationNotConfigured:
		return kindedf(ErrToken, "%s takes no connection token, and %s is set: unset it, or start the runtime with the same one",
			name, variable)
	case (err.code == authenticationRequired || err.code == authenticationFailed) && a.cfg.Token == "":
		return kindedf(ErrToken, "%s wants a connection token: set %s to the one that it was started with", name, variable)
	case err.code == authenticationRequired || err.code == authenticationFailed:
		return kindedf(ErrToken, "%s was started with another connection token than the one in %s: correct it", name, variable)
	}
	return fmt.Errorf("%s refuses the connection: %w; %s", name, err, a.peer.advice())
}

func (a *Agent) mismatch(speaks, remedy string) error {
	return kindedf(ErrProtocol, "%s speaks %s and Parley speaks %d: %s", a.peer.name(), speaks, protocolVersion, remedy)
}

// tooOld explains that the runtime is too old to be driven, and by what that is known.
func (a *Agent) tooOld(is string) error {
	return kindedf(ErrVersion, "%s %s and Parley needs %s or later: %s", a.peer.name(), is, MinVersion, updateCLI)
}

// unusable explains why what was reached is not the runtime, or not well.
func (a *Agent) unusable(err error) error {
	name, said, remedy := a.peer.name(), a.peer.said(), a.peer.advice()
	garbled := func(err error) error {
		return kindedf(ErrGarbled, "%s does not speak the Copilot CLI's protocol: %w; %s%s", name, err, remedy, said)
	}
	if !a.client.IsStopped() {
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return fmt.Errorf("%s does not answer: %w; %s%s", name, err, remedy, said)
		}
		return garbled(err)
	}
	<-a.read
	a.mu.Lock()
	wire := a.wire
	a.mu.Unlock()
	if crash := crashed(wire); crash != nil {
		return crash
	}
	if !ended(wire) {
		return garbled(wire)
	}
	what, why := a.peer.fate(wire)
	said = a.peer.said() // it may have said more by now
	if strings.Contains(said, "unknown option") {
		return a.tooOld("is too old")
	}
	return kindedf(ErrEnded, "%s %s before it answered%w; %s%s", name, what, why, remedy, said)
}

// ended reports whether a connection ended as one does when the program at its
// other end does, and not because of what that sent or of a panic in here.
func ended(err error) bool {
	var sent protocolError
	var refused *jrpc2.Error // what the client could not read
	return !errors.As(err, &sent) && !errors.As(err, &refused) && crashed(err) == nil
}

// crashed is the error of a connection that ended with a panic in here; nil for
// any other end.
func crashed(wire error) error {
	if crash := (*session.PanicError)(nil); !errors.As(wire, &crash) {
		return nil
	}
	return fmt.Errorf("the connection to the Copilot CLI was given up: %w", wire)
}

// unexpectedEnd returns how the runtime ended that should not have.
func (a *Agent) unexpectedEnd(wire error) error {
	said := a.peer.said()
	if crash := crashed(wire); crash != nil {
		return fmt.Errorf("%w; resume the session to continue%s", crash, said)
	}
	if !ended(wire) {
		return kindedf(ErrGarbled, "the Copilot CLI sent what is not its protocol and was left: %w; resume the session to continue%s",
			wire, said)
	}
	what, why := a.peer.fate(wire)
	return kindedf(ErrEnded, "the Copilot CLI %s unexpectedly%w; resume the session to continue%s", what, why, said)
}
