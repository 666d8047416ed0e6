package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/history/drafts"
	"parley/session"
	"parley/terminal/handover"
	"parley/tui/conversation"
)

// accountAgent is the scenario's agent with an account.
type accountAgent struct {
	scriptedAgent
	account *session.Account
	unknown error    // why it is not known who is signed in
	argv    []string // that signs in
}

func (a *accountAgent) Account(context.Context) (session.Account, error) {
	return *a.account, a.unknown
}

func (a *accountAgent) SignIn() []string { return a.argv }

func (a *accountAgent) SignOut(context.Context) error {
	if !a.account.SignedIn {
		return errors.New("no account is signed in")
	}
	a.s.note("sign out")
	*a.account = session.Account{Needed: a.account.Needed}
	return nil
}

func (a *accountAgent) Close(context.Context) error {
	a.s.note("agent ends")
	return nil
}

// on is a scenario with the agent.
func (a *accountAgent) on(t *testing.T) *scenario {
	t.Helper()
	return newScenario(t, func(c *Config) {
		start := c.Agent
		c.Agent = func(ctx context.Context) (session.Agent, error) {
			plain, err := start(ctx)
			a.scriptedAgent, _ = plain.(scriptedAgent)
			return a, err
		}
	})
}

// withAccount is a scenario whose agent has an account.
func withAccount(t *testing.T, now session.Account) (*scenario, *accountAgent) {
	t.Helper()
	agent := &accountAgent{account: &now, argv: []string{"/bin/copilot", "login"}}
	return agent.on(t), agent
}

func (sc *scenario) sees(texts ...string) {
	sc.t.Helper()
	screen := strings.Join(sc.screen(), "\n")
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			sc.t.Errorf("no %q on the screen:\n%s", text, screen)
		}
	}
}

func (sc *scenario) misses(texts ...string) {
	sc.t.Helper()
	screen := strings.Join(sc.screen(), "\n")
	for _, text := range texts {
		if strings.Contains(screen, text) {
			sc.t.Errorf("%q on the screen:\n%s", text, screen)
		}
	}
}

// noAccount is how the Copilot CLI fails a turn when no account is signed in.
var noAccount = session.SessionError{
	ErrorType: "query", Message: "Execution failed: InvalidArg, No GitHub OAuth token or Copilot HMAC key provided",
}

// The first screen says that no account is signed in where one is needed, and
// only where that is known.
func TestFirstScreenSaysSignedOut(t *testing.T) {
	t.Parallel()
	const said = "You are not signed in. /login signs in. `parley --agent demo` needs no"
	for name, c := range map[string]struct {
		account session.Account
		want    bool
	}{
		"signed out":      {session.Account{Needed: true}, true},
		"signed in":       {session.Account{Needed: true, SignedIn: true, User: "ada"}, false},
		"an own provider": {session.Account{}, false},
	} {
		sc, _ := withAccount(t, c.account)
		if sc.sees("Say what should be done"); c.want {
			sc.sees(said)
		} else {
			sc.misses("signed in")
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
	agent := &accountAgent{account: &session.Account{Needed: true}, unknown: errors.New("no answer")}
	agent.on(t).misses("signed in", "no answer")
	agent.unknown = nil
	agent.on(t).sees("The agent is not signed in. Sign in where it runs.")
}

// /login gives the terminal to the agent's own sign-in and continues with the same
// session, on an agent that started afterwards.
func TestLogin(t *testing.T) {
	t.Parallel()
	sc, agent := withAccount(t, session.Account{Needed: true})
	sc.spoken("s-first")
	sc.lent = func() error {
		*agent.account = session.Account{Needed: true, SignedIn: true, User: "ada\x1b[2J", Host: "github.com"}
		return nil
	}
	sc.step("type", "/login")
	sc.step("key", "enter")
	calls := strings.Join(sc.s.calls, "\n")
	if !strings.Contains(calls, "terminal for [\"/bin/copilot\" \"login\"]\nagent ends\nresume s-first") {
		t.Errorf("calls %s", calls)
	}
	sc.sees("You are signed in as ada", "on github.com.")
	sc.misses("You are not signed in")
	sc.step("type", "go on")
	if sc.draft() != "go on" {
		t.Errorf("draft %q: the window has not the keys", sc.draft())
	}
}

// A sign-in that fails leaves the session as it is, and one that signs in to no account
// is reported.
func TestLoginFails(t *testing.T) {
	t.Parallel()
	sc, _ := withAccount(t, session.Account{Needed: true})
	sc.lent = func() error { return &handover.ExitError{Name: "copilot", How: "ended with exit code 1"} }
	sc.step("type", "/login")
	sc.step("key", "enter")
	sc.sees("Could not sign in: copilot ended with exit code 1", "/login tries again")
	if contains(sc.s.calls, "agent ends") {
		t.Errorf("calls %v", sc.s.calls)
	}
	sc.lent = func() error { return nil }
	sc.step("type", "/login")
	sc.step("key", "enter")
	sc.sees("You are still not signed in. /login tries again.")
	sc.misses("Could not")
}

// /logout signs out and says who is signed in then.
func TestLogout(t *testing.T) {
	t.Parallel()
	sc, _ := withAccount(t, session.Account{Needed: true, SignedIn: true, User: "ada"})
	sc.spoken("s-first")
	sc.step("type", "/logout")
	sc.step("key", "enter")
	if calls := strings.Join(sc.s.calls, "\n"); !strings.Contains(calls, "sign out\nagent ends\nresume s-first") {
		t.Errorf("calls %s", calls)
	}
	sc.sees("You are signed out. /login signs in.")
	sc.step("type", "/logout")
	sc.step("key", "enter")
	sc.sees("Could not sign out: no account is signed in")
}

// Where there is nothing to sign in to, or a turn would end, that is said.
func TestNoLogin(t *testing.T) {
	t.Parallel()
	for command, says := range map[string]string{"/login": "no account to sign in to.", "/logout": "no account to sign out of."} {
		sc := newScenario(t, nil)
		sc.step("type", command)
		sc.step("key", "enter")
		sc.sees(says)
		sc, _ = withAccount(t, session.Account{Needed: true, SignedIn: true})
		sc.say(session.Event{Body: session.AssistantTurnStart{}})
		sc.step("type", command)
		sc.step("key", "enter")
		sc.sees("A turn is running. Try again when it is over.")
		if contains(sc.s.calls, "terminal") || contains(sc.s.calls, "sign out") {
			t.Errorf("%s: calls %v", command, sc.s.calls)
		}
	}
	sc, agent := withAccount(t, session.Account{Needed: true})
	agent.argv = nil
	sc.step("type", "/login")
	sc.step("key", "enter")
	sc.sees("Sign in where it runs.")
}

// A prompt that was not answered because no account is signed in comes back, with
// what was attached, and replaces no other draft.
func TestPromptComesBackSignedOut(t *testing.T) {
	t.Parallel()
	sc, _ := withAccount(t, session.Account{Needed: true, SignedIn: true})
	sc.m.win.Front.Composer.InsertChip(image("AAAA"))
	sc.step("type", " what is this?")
	sc.step("key", "enter")
	prompt := session.Event{Body: session.UserMessage{Content: "[image-1.png] what is this?"}}
	failed := session.Event{Body: noAccount}
	sc.say(failed)
	if d := sc.m.win.Front.Composer.Draft(); len(d.Attachments()) != 1 || !strings.Contains(d.Text, "what is this?") {
		t.Errorf("draft %+v", d)
	}
	sc.sees("No account is signed in, so the prompt was not answered.", "/login in the window")
	sc.say(failed)
	if got := strings.Count(sc.draft(), "what"); got != 1 {
		t.Errorf("it came back %d times", got)
	}
	sc.m.win.Front.Draft.SetDraft(drafts.Draft{})
	sc.s.calls = nil
	sc.step("type", "another")
	sc.say(prompt, failed)
	if sc.draft() != "another" || len(sc.m.win.Unsent().Stash) != 1 || len(sc.m.win.Unsent().Stash[0].Draft.Attachments()) != 1 {
		t.Errorf("draft %q, put away %+v", sc.draft(), sc.m.win.Unsent().Stash)
	}
	sc.m.win.Front.Draft.SetDraft(drafts.Draft{})
	for name, events := range map[string][]session.Event{
		"of another failure":  {prompt, {Body: session.SessionError{ErrorType: "query", Message: "no"}}},
		"that was answered":   {prompt, {Body: session.AssistantMessage{Content: "Yes."}}, failed},
		"of an earlier run":   {{Replayed: true, Body: prompt.Body}, {Replayed: true, Body: noAccount}},
		"of the agent itself": {{Body: session.UserMessage{Content: "on", Source: "autopilot"}}, failed},
		"of a sub-agent":      {{Agent: "a", Body: prompt.Body}, {Agent: "a", Body: noAccount}},
	} {
		sc, _ := withAccount(t, session.Account{Needed: true, SignedIn: true})
		if sc.say(events...); sc.draft() != "" {
			t.Errorf("a prompt %s came back: %q", name, sc.draft())
		}
	}
}

// A prompt is not sent if no model would answer it. The key pressed again signs in, and the
// prompt is sent then, unless it was changed.
func TestSendSignsIn(t *testing.T) {
	t.Parallel()
	const offer = "You are not signed in: enter again signs in, and then sends this."
	in := session.Account{Needed: true, SignedIn: true, User: "ada"}
	prepare := func() (*scenario, *accountAgent) {
		sc, agent := withAccount(t, session.Account{Needed: true})
		sc.lent = func() error { *agent.account = in; return nil }
		sc.step("type", "count the files")
		sc.step("key", "enter")
		if sc.sees(offer); sc.draft() != "count the files" || contains(sc.s.calls, "send") {
			t.Fatalf("draft %q, calls %v", sc.draft(), sc.s.calls)
		}
		return sc, agent
	}
	sent := func(sc *scenario) bool { return contains(sc.s.calls, `"count the files`) }

	sc, _ := prepare()
	sc.step("key", "enter")
	calls := strings.Join(sc.s.calls, "\n")
	if login := strings.Index(calls, "terminal for"); login < 0 || strings.Index(calls, `"count the files"`) < login || sc.draft() != "" {
		t.Errorf("draft %q, calls %s", sc.draft(), calls)
	}
	sc.sees("You are signed in as ada.")

	sc, _ = prepare()
	sc.wait(3500 * time.Millisecond) // the offer holds as long as it stands
	sc.sees(offer)
	if sc.step("key", "enter"); !sent(sc) {
		t.Errorf("calls %v", sc.s.calls)
	}

	sc, agent := prepare()
	*agent.account = in // elsewhere
	sc.step("key", "esc")
	sc.step("type", " ")
	sc.step("key", "enter")
	if contains(sc.s.calls, "terminal for") || !sent(sc) {
		t.Errorf("calls %v", sc.s.calls)
	}

	sc, agent = prepare()
	agent.unknown = errors.New("no answer")
	sc.step("type", " ")
	sc.step("key", "enter")
	if !sent(sc) {
		t.Errorf("it is not known whether it would be answered: calls %v", sc.s.calls)
	}

	for name, lent := range map[string]func() error{
		"that failed":               func() error { return errors.New("exit code 1") },
		"that signed in to nothing": func() error { return nil },
		"while the draft was edited": func() error {
			*agent.account = in
			sc.m.win.Front.Draft.SetDraft(drafts.Draft{Text: "count"})
			return nil
		},
	} {
		sc, agent = prepare()
		sc.lent = lent
		sc.step("key", "enter")
		if sent(sc) || !strings.HasPrefix(sc.draft(), "count") {
			t.Errorf("a sign-in %s sent the prompt: draft %q, calls %v", name, sc.draft(), sc.s.calls)
		}
	}
}

// Two presses that are faster than the agent's answer to the first sign in, and send, too.
func TestSendSignsInInHaste(t *testing.T) {
	t.Parallel()
	sc, agent := withAccount(t, session.Account{Needed: true})
	sc.step("type", "count")
	first := sc.later("enter")
	sc.lent = func() error {
		sc.run(first) // the answer, while the terminal is lent
		*agent.account = session.Account{Needed: true, SignedIn: true}
		return nil
	}
	sc.step("key", "enter")
	if !contains(sc.s.calls, "terminal for") || !contains(sc.s.calls, `"count"`) || sc.draft() != "" {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
}

// A prompt that came back because no account is signed in is not sent in vain again while the agent has not said who is.
func TestComesBackOnce(t *testing.T) {
	t.Parallel()
	sc, agent := withAccount(t, session.Account{Needed: true, SignedIn: true})
	sc.step("type", "count")
	sc.step("key", "enter")
	*agent.account = session.Account{Needed: true}
	failed := []session.Event{{Body: session.UserMessage{Content: "count"}}, {Body: noAccount}, {Body: session.SessionIdle{}}}
	_, account := sc.m.Update(toFront(sc.m, conversation.EventsMsg{Session: sc.s, Events: failed, At: sc.at}))
	sc.s.calls = nil
	sc.step("key", "enter")
	sc.run(account)
	sc.sees("enter again signs in, and then sends this.")
	if contains(sc.s.calls, `"count"`) || sc.draft() != "count" {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
}

// Who is signed out in the middle of a session is not sent to the agent again.
func TestSignedOutInTheMiddle(t *testing.T) {
	t.Parallel()
	sc, agent := withAccount(t, session.Account{Needed: true, SignedIn: true, User: "ada"})
	sc.step("type", "count")
	sc.step("key", "enter")
	*agent.account = session.Account{Needed: true}
	sc.say(session.Event{Body: session.UserMessage{Content: "count"}}, session.Event{Body: noAccount}, session.Event{Body: session.SessionIdle{}})
	sc.s.calls = nil
	sc.step("key", "enter")
	if sc.draft() != "count" || contains(sc.s.calls, "send") {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
	sc.sees("enter again signs in, and then sends this.")
	sc.lent = func() error { *agent.account = session.Account{Needed: true, SignedIn: true}; return nil }
	sc.step("key", "enter")
	if !contains(sc.s.calls, `"count"`) || sc.draft() != "" {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
}

// TestLoginWithoutSession: an agent that opens no session because the user is signed out, and does not say who is
// signed in, has its sign-in run, and is reconnected then.
func TestLoginWithoutSession(t *testing.T) {
	t.Parallel()
	sc, agent := withAccount(t, session.Account{})
	agent.unknown = errors.ErrUnsupported
	sc.spoken("s-first")
	sc.step("end", "")
	c := sc.m.win.Front
	c.Disconnected = false // as it is until the end has its reason
	sc.update(toFront(sc.m, conversation.EndedMsg{Session: sc.s, Err: fmt.Errorf("it asks: %w", session.ErrSignedOut)}))
	sc.sees("it asks: not signed in", "/login signs in and continues here.")
	sc.step("type", "/login")
	sc.step("key", "enter")
	if calls := strings.Join(sc.s.calls, "\n"); !strings.Contains(calls, "terminal for [\"/bin/copilot\" \"login\"]\n") || c.Session == nil {
		t.Errorf("calls %s, session %v", calls, c.Session)
	}
	sc.misses("not known")
}
