package conversation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/status"
)

// The jobs are the commands that block. Each runs outside the loop under the
// context of the window, and ends in one message.

// OpenedMsg ends open: a session is there, or why it is not.
type OpenedMsg struct {
	Agent   session.Agent
	Session session.Session
	inDir   bool             // the folder that it works in is there
	past    sessions.Session // what is known of it, where it is only read
	resumed session.ID       // the session that it is, or was to be; "" is a new one
	Err     error
}

// open starts the agent, if it does not run yet, and a session on it. A session
// whose folder does not exist continues in another one.
func open(ctx context.Context, c Config, other string, agent session.Agent) tea.Cmd {
	return func() tea.Msg {
		var msg OpenedMsg
		if dir, err := os.Stat(c.Options.Dir); c.Resume != "" && (err != nil || !dir.IsDir()) {
			c.Options.Dir = other
		}
		if msg.Agent = agent; agent == nil {
			if msg.Agent, msg.Err = c.Agent(ctx); msg.Err != nil {
				return msg
			}
		}
		msg.Session, msg.resumed, msg.Err = openSession(ctx, c, msg.Agent)
		if msg.Err != nil && agent == nil {
			closing, done := context.WithTimeout(ctx, CloseTimeout)
			defer done()
			_ = msg.Agent.Close(closing) // it is not used; the error is the session's
			msg.Agent = nil
		}
		msg.inDir = msg.Err == nil && !msg.Session.Info().Remote && !isMissing(msg.Session.Info().Dir)
		return msg
	}
}

// isMissing reports whether there is no such folder.
func isMissing(dir string) bool {
	_, err := os.Stat(dir)
	return errors.Is(err, fs.ErrNotExist)
}

// openReading opens a past session to be read, on an agent of its own.
func openReading(ctx context.Context, c Config, id session.ID) tea.Cmd {
	return func() tea.Msg {
		var msg OpenedMsg
		if msg.past, msg.Err = c.Sessions.Get(ctx, id); msg.Err != nil {
			return msg
		}
		if msg.Agent, msg.Err = c.Reading(ctx); msg.Err != nil {
			return msg
		}
		if msg.Session, msg.Err = msg.Agent.Resume(ctx, msg.past.ID, c.Options); msg.Err != nil {
			_ = msg.Agent.Close(ctx) // the error is the session's
			msg.Agent = nil
		}
		return msg
	}
}

// openSession opens a session, and returns which one it resumes.
func openSession(ctx context.Context, c Config, agent session.Agent) (s session.Session, id session.ID, err error) {
	id = c.Resume
	if latest, ok := session.As[session.Latest](agent); c.Continue && id == "" {
		if !ok {
			return nil, "", errors.New("this agent keeps no sessions to continue")
		}
		if id, err = latest.LatestID(ctx, c.Options.Dir, c.deleted(ctx)...); err != nil {
			return nil, "", fmt.Errorf("find the last session of %s: %w", c.Options.Dir, err)
		}
	}
	if id != "" {
		s, err = agent.Resume(ctx, id, c.Options)
		return s, id, err
	}
	s, err = agent.Open(ctx, c.Options)
	return s, "", err
}

// deleted are the sessions that the user deleted and that are not removed yet.
func (c Config) deleted(ctx context.Context) []session.ID {
	if c.Sessions == nil {
		return nil
	}
	marked, _ := c.Sessions.Deleted(ctx) // what is wrong with the marks, the list of sessions says
	return sessions.IDs(marked)
}

// RespondedMsg ends respond.
type RespondedMsg struct {
	Session session.Session
	Answer  session.Answer
	Err     error
	stays   error // why autopilot was not left, if it was to be
}

// respond delivers an answer. Autopilot is left before one that stops the turn: it would
// begin the next turn by itself (docs/decisions.md 4).
func (c *core) respond(a session.Answer) tea.Cmd {
	ctx, s := c.win.Ctx, c.Session
	modes, ok := session.As[session.ModeSetter](s)
	p, _ := a.(session.PermissionAnswer)
	leaves := ok && p.Decision == session.Reject && p.Feedback == "" && c.Mode() == session.Autopilot
	if leaves {
		c.Wanted = append(c.Wanted, session.Interactive)
		c.ShowHint("The mode is interactive now: autopilot would continue by itself.")
	}
	return c.own(func() tea.Msg {
		msg := RespondedMsg{Session: s, Answer: a}
		if leaves {
			msg.stays = modes.SetMode(ctx, session.Interactive)
		}
		msg.Err = s.Respond(ctx, a)
		return msg
	})
}

// AbortedMsg ends the request to stop: the agent took it, or not.
type AbortedMsg struct {
	Session session.Session
	Err     error
}

// job does what is said by what, as in "switch the model", and has nothing to show but its
// failure.
func (c *core) job(what string, f func(context.Context) error) tea.Cmd {
	return fetch(c, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) },
		func(_ struct{}, err error) tea.Cmd { return c.done(what, err) })
}

// done takes the end of a job.
func (c *core) done(what string, err error) tea.Cmd {
	if err != nil {
		c.turnstile.reopen()
		c.Wanted = nil
		c.Fail(what, err, "")
	}
	return nil
}

// inOrder is a job that no prompt overtakes, and without which none behind it is
// sent.
func (c *core) inOrder(what string, f func(context.Context) error) tea.Cmd {
	ctx, s := c.win.Ctx, c.Session
	return c.own(c.turnstile.pass(ctx, func() (tea.Msg, error) {
		err := f(ctx)
		return fetchedMsg{s, func() tea.Cmd { return c.done(what, err) }}, err
	}))
}

// fetchedMsg ends fetch.
type fetchedMsg struct {
	session session.Session
	take    func() tea.Cmd
}

// fetch reads or does something outside the loop, and gives take what came of it, unless
// the session was left meanwhile.
func fetch[T any](c *core, do func(context.Context) (T, error), take func(v T, err error) tea.Cmd) tea.Cmd {
	ctx, s := c.win.Ctx, c.Session
	return c.own(func() tea.Msg {
		v, err := do(ctx)
		return fetchedMsg{s, func() tea.Cmd { return take(v, err) }}
	})
}

// EndedMsg says why a session ended; nil is on purpose.
type EndedMsg struct {
	Session session.Session
	Err     error
}

// closer is a session or an agent.
type closer interface {
	Close(ctx context.Context) error
}

// Close closes a session that the window no longer shows, or an agent, within a time.
// Whatever keeps a session from closing, the agent's own end will.
func Close(ctx context.Context, of closer, patience time.Duration) tea.Cmd {
	return func() tea.Msg {
		ctx, done := context.WithTimeout(ctx, patience)
		defer done()
		_ = of.Close(ctx)
		return nil
	}
}

// Settled gives the terminal back with cmd once it has answered what it was
// asked: an answer that comes later is typed into the shell.
func (w *Window) Settled(cmd tea.Cmd) tea.Cmd {
	settle := w.Settle
	return func() tea.Msg {
		settle()
		return cmd()
	}
}

// TickMsg comes once a second or so while something runs.
type TickMsg time.Time

// WakeMsg is the time at which the queue of questions asked to be called.
type WakeMsg time.Time

// Effects are what the loop cannot do without the outside: time passing and a
// session speaking. Tests put their own in their place.
type Effects struct {
	After func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
	Pump  func(last EventsMsg) tea.Cmd
	// Flushed is how often the terminal was written to so far.
	Flushed func() uint64
	// Written is how many bytes the terminal has got so far.
	Written func() uint64
	// Above has lines written above the window, with the next view.
	Above func(lines []string)
	// Settle waits for the terminal's answers that are still to come.
	Settle func()
	// Lend gives the terminal to something else, such as the shell, while run lasts.
	Lend func(run func() error, back func(error) tea.Msg) tea.Cmd
	// Ring writes to the terminal although something else has it.
	Ring func(sequence string)
	// Edit takes a text to the user's editor and ends in a ReturnedMsg.
	Edit func(*Edition) tea.Cmd
	// HandOver gives the terminal to another program and ends in what back makes of
	// its end.
	HandOver func(ctx context.Context, argv []string, back func(error) tea.Msg) tea.Cmd
	// Start runs another program that needs no terminal, to its end.
	Start func(ctx context.Context, argv, env []string) error
	// Program runs one that is given something, and is to write something.
	Program func(ctx context.Context, p status.Program) (string, error)
}

// shownMsg ends show: a browser has the address, or why it has not.
type shownMsg struct {
	url string
	err error
}

// show gives an address to the browser.
func (c *core) show(url string, argv []string) tea.Cmd {
	ctx, start, env := c.win.Ctx, c.win.Start, c.win.Config.Env
	return c.own(func() tea.Msg { return shownMsg{url, start(ctx, argv, env)} })
}

// ResultMsg ends a job that reads or does something for the user.
type ResultMsg struct {
	Session session.Session
	what    string // what was attempted, as in "list the models"
	err     error
	Pressed uint64 // keys so far when it was asked for
	// Show shows the result.
	Show func() tea.Cmd
	// owner is the result if it owns something, or nil.
	owner owning
}

// owning is a result that owns something, such as an agent that was started for it.
type owning interface {
	// Drop ends that when nothing is shown of the result.
	Drop(ctx context.Context) tea.Cmd
}

// ask does something on the session, outside the loop, and shows what came of
// it.
func ask[T any](c *core, what string, do func(ctx context.Context) (T, error), show func(v T) tea.Cmd) tea.Cmd {
	ctx, s, pressed := c.win.Ctx, c.Session, c.win.Pressed
	return c.own(func() tea.Msg {
		v, err := do(ctx)
		owner, _ := any(v).(owning)
		return ResultMsg{s, what, err, pressed, func() tea.Cmd { return show(v) }, owner}
	})
}

// attempt does something on the session that has no result, outside the loop, and then
// what follows its success.
func attempt(c *core, what string, do func(ctx context.Context) error, then func() tea.Cmd) tea.Cmd {
	return ask(c, what, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) },
		func(struct{}) tea.Cmd { return then() })
}

// sessionStarts is said of what needs the session, before it is there.
const sessionStarts = "The session is starting: try again in a moment."

// capability returns what the session can do that not every session can. A hint says so
// if this one cannot, or is not there yet.
func capability[T any](c *core, none string) (T, bool) {
	able, ok := session.As[T](c.Session)
	switch {
	case ok:
	case c.Opening:
		c.ShowHint(sessionStarts)
	default:
		c.ShowHint(none)
	}
	return able, ok
}

// Ask does something on the session of a conversation, outside the loop, and shows what
// came of it.
func Ask[T any](c *Conversation, what string, do func(ctx context.Context) (T, error), show func(v T) tea.Cmd) tea.Cmd {
	return ask(c.core, what, do, show)
}

// drop ends what a result owns of which nothing is shown.
func (msg ResultMsg) drop(ctx context.Context) tea.Cmd {
	if msg.owner == nil {
		return nil
	}
	return msg.owner.Drop(ctx)
}

// result takes the end of a job.
func (c *core) result(msg ResultMsg) tea.Cmd {
	switch {
	case msg.Session != c.Session: // one that was left
	case errors.Is(msg.err, errors.ErrUnsupported):
		c.ShowHint("This agent cannot %s.", msg.what)
	case msg.err != nil:
		c.Fail(msg.what, msg.err, "")
		c.Pane.ToEnd()
	default:
		c.win.Asking = msg.Pressed
		return msg.Show()
	}
	return msg.drop(c.win.Ctx)
}

// Elsewhere reports whether the user has turned to something else, so that
// what they asked for before must not open over it.
func (c *core) Elsewhere() bool {
	f := c.focus()
	return !c.inFront() || f != composing && f != answering && f != browsing || c.win.Pressed != c.win.Asking
}

// Opens reports whether what was asked for is shown now. It is not if there
// is nothing to show, or when the user has turned to something else; a hint says so.
func (c *core) Opens(some bool, none, later string) bool {
	switch {
	case !some:
		c.ShowHint("%s", none)
	case c.Elsewhere():
		c.ShowHint("%s", later)
	default:
		return true
	}
	return false
}
