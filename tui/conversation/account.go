package conversation

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/timeline"
	"parley/tui/composer"
)

// account is what a conversation has to do with signing in.
type account struct {
	*core
	draft *promptDraft
	queue *promptQueue

	// settled is what was done to the account before the agent started again.
	// Then it is said who is signed in.
	settled settled
	warned  bool // it was said that no account is signed in
	// signedOut is whether prompts are not answered until an account is signed in, which is
	// possible from here.
	signedOut bool
	who       string           // the account, for the first screen; "" if the agent has none
	accounts  session.Accounts // of the last agent that had them; nil if none had
	waiting   string           // the prompt that is sent when an account is signed in; "" if no prompt waits
}

// settled is what a user did about the account.
type settled string

// What a user does about the account.
const (
	signedIn  settled = "signed in"
	signedOut settled = "signed out"
)

// readAccount finds out who the agent works for, and says that no account is signed in
// where one is needed. What is not known is shown only to a user who asked. After a
// sign-in the prompt that waited for it is sent.
func (c *account) readAccount() tea.Cmd {
	done, prompt := c.settled, ""
	c.settled = ""
	if done == signedIn {
		prompt, c.waiting = c.waiting, ""
	}
	return c.readFor(done, prompt)
}

// readFor reads the account after something was done to it, or for a prompt that is to be
// sent, or offers to sign in for that; "" is neither.
func (c *account) readFor(done settled, prompt string) tea.Cmd {
	a, ok := session.As[session.Accounts](c.Agent)
	if !ok || c.ReadOnly != nil {
		return nil
	}
	c.accounts, c.who = a, "…"
	return fetch(c.core, a.Account, func(w session.Account, err error) tea.Cmd {
		if errors.Is(err, errors.ErrUnsupported) { // it says so when it opens a session
			c.who = ""
			return c.sendRead(prompt, done)
		}
		c.who = c.win.account(w, err)
		c.signedOut = err == nil && w.Needed && !w.SignedIn && a.SignIn() != nil
		switch {
		case err != nil && done != "":
			c.Fail("find out who is signed in", err, "")
		case err != nil:
		case w.SignedIn && done != "":
			c.AddNotice(session.SessionInfo{Message: "You are signed in" + c.win.as(w) + "."})
		case done == signedIn:
			c.warnSignedOut("You are still not signed in. /login tries again.")
		case done == signedOut:
			c.warnSignedOut("You are signed out. /login signs in.")
		case w.Needed && !w.SignedIn && !c.warned:
			text := "You are not signed in. /login signs in. `parley --agent demo` needs no account."
			if a.SignIn() == nil {
				text = "The agent is not signed in. Sign in where it runs."
			}
			c.warnSignedOut(text)
		}
		return c.sendRead(prompt, done)
	})
}

// sendRead sends the prompt for which the account was read, if it is the draft still and
// an account is signed in.
func (c *account) sendRead(prompt string, done settled) tea.Cmd {
	switch {
	case prompt == "" || prompt != c.Composer.Draft().Prompt():
	case !c.signedOut:
		return c.request(SendDraft{})
	case done == "":
		c.ShowHint("You are not signed in: {send} again signs in, and then sends this.")
		c.Armed = Armed{signInFirst, "send", c.Hint.until} // also where the agent took its time to answer
	}
	return nil
}

// stopsPrompt reports whether a prompt that is sent now would be answered by nothing,
// because no account is signed in.
func (c *account) stopsPrompt(busy bool) bool { return c.signedOut && c.Session != nil && !busy }

// signInFirst is what is armed when a prompt is not sent.
const signInFirst = "sign in"

// signInToSend sends the draft if an account is signed in by now. If not, the key pressed
// again signs in and sends the draft then, unless it was changed.
func (c *account) signInToSend() tea.Cmd {
	prompt := c.Composer.Draft().Prompt()
	if c.Again(signInFirst, "send") {
		c.waiting = prompt
		return c.signIn("")
	}
	return c.readFor("", prompt)
}

// account is who is signed in, for the first screen.
func (w *Window) account(a session.Account, err error) string {
	switch {
	case err != nil:
		return "not known"
	case a.SignedIn:
		return cmp.Or(strings.TrimSpace(strings.TrimPrefix(w.as(a), " as ")), "signed in")
	case a.Needed:
		return "not signed in: /login"
	}
	return "not needed"
}

func (c *account) warnSignedOut(text string) {
	c.warned = true
	c.Warn("account", text)
}

// as says who is signed in, as far as it is known.
func (w *Window) as(a session.Account) string {
	who := ""
	if a.User != "" {
		who = " as " + a.User
	}
	if a.Host != "" {
		who += " on " + a.Host
	}
	return text.SanitizeLine(who)
}

// changeable are the accounts of the agent, if it can do something to its account now, as in "sign
// in to". To work for another account it must start again, which would end a turn.
func (c *account) changeable(what string) (session.Accounts, bool) {
	a, ok := session.As[session.Accounts](c.Agent)
	switch {
	case c.Opening:
		c.ShowHint(sessionStarts)
	case c.Session == nil || c.Agent == nil:
		c.ShowHint("No agent is running. {send} starts it again.")
	case c.ReadOnly != nil:
		c.OnlyRead()
	case !ok:
		c.ShowHint("This agent has no account to %s.", what)
	case c.Busy():
		c.ShowHint("A turn is running. Try again when it is over.")
	default:
		return a, true
	}
	return nil, false
}

// signIn gives the terminal to the agent's own sign-in. Afterwards the agent
// starts again, with the same session.
func (c *account) signIn(string) tea.Cmd {
	a, ok := c.accounts, c.Disconnected && c.accounts != nil // an agent that is signed out may hold no session
	if !ok {
		if a, ok = c.changeable("sign in to"); !ok {
			c.waiting = ""
			return nil
		}
	}
	argv := a.SignIn()
	if len(argv) == 0 {
		return c.ShowHint("The agent has no sign-in that Parley can start. Sign in where it runs.")
	}
	return c.request(RunProgram{argv, func(err error) tea.Cmd {
		if err != nil {
			c.waiting = ""
			c.Fail("sign in", err, c.win.says("{suspend} shows what "+filepath.Base(argv[0])+" wrote; /login tries again."))
			return nil
		}
		return c.startFor(signedIn)
	}})
}

// signOut makes the agent forget who is signed in, and starts it again.
func (c *account) signOut(string) tea.Cmd {
	a, ok := c.changeable("sign out of")
	if !ok {
		return nil
	}
	return attempt(c.core, "sign out", a.SignOut, func() tea.Cmd { return c.startFor(signedOut) })
}

// startFor starts the agent again after something was done to the account.
func (c *account) startFor(done settled) tea.Cmd {
	c.settled = done
	return c.request(RestartAgent{})
}

// unanswered follows the prompts that wait for an answer: a turn that fails because
// no account is signed in gives its prompt back. The runtime may report the failure
// and never of the prompt.
func (c *account) unanswered(ev session.Event) tea.Cmd {
	if ev.Agent != "" {
		return nil
	}
	switch b := ev.Body.(type) {
	case session.UserMessage:
		of := func(out composer.Outgoing) bool { return cmp.Or(out.Display, out.Prompt) == b.Content }
		if b.Source == "" && !slices.ContainsFunc(c.queue.unanswered, of) {
			c.queue.unanswered = append(c.queue.unanswered, composer.Outgoing{
				Input: session.Input{Prompt: b.Content}, Draft: c.Composer.Drafts(b.Content)[0],
			})
		}
	case session.AssistantMessage:
		c.queue.unanswered = nil
	case session.SessionError:
		if len(c.queue.unanswered) == 0 || !timeline.SignInHelps(b) {
			return nil
		}
		d := c.queue.unanswered[0].Draft
		c.queue.unanswered = c.queue.unanswered[1:]
		if c.Composer.Empty() {
			c.draft.giveBack(d)
			c.ShowHint("The prompt was not answered; it is in the composer.")
		} else {
			c.win.Stash(d, "not answered")
			c.ShowHint("The prompt was not answered; {history} shows it.")
		}
		c.warned = true // by the error
		if a, ok := session.As[session.Accounts](c.Agent); ok {
			c.signedOut = a.SignIn() != nil // until the agent says otherwise, which may take a while
		}
		return c.readAccount()
	}
	return nil
}
