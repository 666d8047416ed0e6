package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/terminal/handover"
	"parley/tui/status"
)

// The jobs are the commands that block. Each runs outside the loop under the
// context of the window, and ends in one message.

// openedMsg ends open: a session is there, or why it is not.
type openedMsg struct {
	agent   session.Agent
	session session.Session
	past    sessions.Session // what is known of it, where it is only read
	resumed session.ID       // the session that it is, or was to be; "" is a new one
	err     error
}

// open starts the agent, if there is none yet, and a session on it. A session
// whose folder does not exist continues in another one.
func open(ctx context.Context, c Config, other string, agent session.Agent) tea.Cmd {
	return func() tea.Msg {
		var msg openedMsg
		if dir, err := os.Stat(c.Options.Dir); c.Resume != "" && (err != nil || !dir.IsDir()) {
			c.Options.Dir = other
		}
		if msg.agent = agent; agent == nil {
			if msg.agent, msg.err = c.Agent(ctx); msg.err != nil {
				return msg
			}
		}
		msg.session, msg.resumed, msg.err = openSession(ctx, c, msg.agent)
		if msg.err != nil && agent == nil {
			closing, done := context.WithTimeout(ctx, closeTimeout)
			defer done()
			_ = msg.agent.Close(closing) // it is not used; the error is the session's
			msg.agent = nil
		}
		return msg
	}
}

// openReading opens a past session to be read, on an agent of its own.
func openReading(ctx context.Context, c Config, id session.ID) tea.Cmd {
	return func() tea.Msg {
		var msg openedMsg
		if msg.past, msg.err = c.Sessions.Get(ctx, id); msg.err != nil {
			return msg
		}
		if msg.agent, msg.err = c.Reading(ctx); msg.err != nil {
			return msg
		}
		if msg.session, msg.err = msg.agent.Resume(ctx, msg.past.ID, c.Options); msg.err != nil {
			_ = msg.agent.Close(ctx) // the error is the session's
			msg.agent = nil
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
		if id, err = latest.LatestID(ctx, c.Options.Dir); err != nil {
			return nil, "", fmt.Errorf("find the last session of %s: %w", c.Options.Dir, err)
		}
	}
	if id != "" {
		if s, err = agent.Resume(ctx, id, c.Options); err != nil {
			return nil, id, fmt.Errorf("resume session %s: %w", id, err)
		}
		return s, id, nil
	}
	if s, err = agent.Open(ctx, c.Options); err != nil {
		return nil, "", fmt.Errorf("open a session: %w", err)
	}
	return s, "", nil
}

// respondedMsg ends respond.
type respondedMsg struct {
	session session.Session
	answer  session.Answer
	err     error
}

func respond(ctx context.Context, s session.Session, a session.Answer) tea.Cmd {
	return func() tea.Msg { return respondedMsg{s, a, s.Respond(ctx, a)} }
}

// abortedMsg ends abort: the agent took the request, or not.
type abortedMsg struct {
	session session.Session
	err     error
}

func abort(ctx context.Context, s session.Session) tea.Cmd {
	return func() tea.Msg { return abortedMsg{s, s.Abort(ctx)} }
}

// doneMsg ends a job that has nothing to show but its failure.
type doneMsg struct {
	session session.Session
	what    string // what was attempted, as in "switch the model"
	err     error
}

func (c *core) job(what string, f func(context.Context) error) tea.Cmd {
	ctx, s := c.win.ctx, c.session
	return c.own(func() tea.Msg { return doneMsg{s, what, f(ctx)} })
}

// inOrder is a job that no prompt overtakes, and without which none behind it is
// sent.
func (c *core) inOrder(what string, f func(context.Context) error) tea.Cmd {
	ctx, s := c.win.ctx, c.session
	return c.own(c.turnstile.pass(ctx, func() (tea.Msg, error) {
		err := f(ctx)
		return doneMsg{s, what, err}, err
	}))
}

// pendingMsg is the agent's queue as it is now.
type pendingMsg struct {
	session session.Session
	items   []session.Pending
	err     error
}

func readPending(ctx context.Context, s session.Session) tea.Cmd {
	q, ok := session.As[session.Queuer](s)
	if !ok {
		return nil
	}
	return func() tea.Msg {
		items, err := q.Pending(ctx)
		return pendingMsg{s, items, err}
	}
}

// endedMsg says why a session ended; nil is on purpose.
type endedMsg struct {
	session session.Session
	err     error
}

// leave closes a session that the window no longer shows. Whatever keeps it
// from closing, the agent's own end will.
func leave(ctx context.Context, s session.Session) tea.Cmd {
	return func() tea.Msg {
		ctx, done := context.WithTimeout(ctx, closeTimeout)
		defer done()
		_ = s.Close(ctx)
		return nil
	}
}

// settled gives the terminal back with cmd once it has answered what it was
// asked: an answer that comes later is typed into the shell.
func (w *windowState) settled(cmd tea.Cmd) tea.Cmd {
	settle := w.settle
	return func() tea.Msg {
		settle()
		return cmd()
	}
}

// tickMsg comes once a second or so while something runs.
type tickMsg time.Time

// wakeMsg is the time at which the queue of questions asked to be called.
type wakeMsg time.Time

// frameMsg says that the next frame may be built.
type frameMsg struct{}

// paintMsg asks whether a card has reached the terminal.
type paintMsg struct{ generation uint64 }

// effects are what the loop cannot do without the outside: time passing and a
// session speaking. Tests put their own in their place.
type effects struct {
	after func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
	pump  func(s session.Session) tea.Cmd
	// flushed is how often the terminal was written to so far.
	flushed func() uint64
	// settle waits for the terminal's answers that are still to come.
	settle func()
	// lend gives the terminal to something else, such as the shell, while run lasts.
	lend func(run func() error, back func(error) tea.Msg) tea.Cmd
	// ring writes to the terminal although something else has it.
	ring func(sequence string)
	// edit takes a text to the user's editor and ends in a returnedMsg.
	edit func(*edition) tea.Cmd
	// handOver gives the terminal to another program and ends in what back makes of
	// its end.
	handOver func(ctx context.Context, argv []string, back func(error) tea.Msg) tea.Cmd
	// start runs another program that needs no terminal, to its end.
	start func(ctx context.Context, argv, env []string) error
	// program runs one that is given something, and is to write something.
	program func(ctx context.Context, p status.Program) (string, error)
}

// outside are the real effects.
func outside(ctx context.Context, c Config, flushed func() uint64, settle func(), lend func(run func() error) error) effects {
	tty := handover.TTY{In: c.In, Out: c.Out, Env: c.Env}
	return effects{
		after:   func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd { return tea.Tick(max(d, 0), msg) },
		pump:    func(s session.Session) tea.Cmd { return pump(s, c.Now) },
		flushed: flushed,
		settle:  settle,
		lend: func(run func() error, back func(error) tea.Msg) tea.Cmd {
			return func() tea.Msg { return back(lend(run)) }
		},
		ring: func(sequence string) { _, _ = c.Out.WriteString(sequence) },
		edit: func(e *edition) tea.Cmd {
			return func() tea.Msg {
				var err error
				e.result, err = tty.Edit(ctx, handover.File{Name: e.name, Text: e.text, ReadOnly: e.readOnly}, lend)
				return returnedMsg{edition: e, err: err}
			}
		},
		handOver: func(ctx context.Context, argv []string, back func(error) tea.Msg) tea.Cmd {
			return func() tea.Msg { return back(lend(func() error { return tty.Run(ctx, argv) })) }
		},
		start:   start,
		program: func(ctx context.Context, p status.Program) (string, error) { return p.Run(ctx) },
	}
}

// start runs a program without a terminal.
func start(ctx context.Context, argv, env []string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w", argv[0], err)
	}
	return nil
}

// shownMsg ends show: a browser has the address, or why it has not.
type shownMsg struct {
	url string
	err error
}

// show gives an address to the browser.
func (c *core) show(url string, argv []string) tea.Cmd {
	ctx, start, env := c.win.ctx, c.win.start, c.win.config.Env
	return c.own(func() tea.Msg { return shownMsg{url, start(ctx, argv, env)} })
}

// resultMsg ends a job that reads or does something for the user.
type resultMsg struct {
	session session.Session
	what    string // what was attempted, as in "list the models"
	err     error
	pressed uint64 // keys so far when it was asked for
	// show shows the result.
	show func() tea.Cmd
	// owner is the result if it owns something, or nil.
	owner owning
}

// owning is a result that owns something, such as an agent that was started for it.
type owning interface {
	// drop ends that when nothing is shown of the result.
	drop(ctx context.Context) tea.Cmd
}

// ask does something on the session, outside the loop, and shows what came of
// it.
func ask[T any](c *core, what string, do func(ctx context.Context) (T, error), show func(v T) tea.Cmd) tea.Cmd {
	ctx, s, pressed := c.win.ctx, c.session, c.win.pressed
	return c.own(func() tea.Msg {
		v, err := do(ctx)
		owner, _ := any(v).(owning)
		return resultMsg{s, what, err, pressed, func() tea.Cmd { return show(v) }, owner}
	})
}

// drop ends what a result owns of which nothing is shown.
func (msg resultMsg) drop(ctx context.Context) tea.Cmd {
	if msg.owner == nil {
		return nil
	}
	return msg.owner.drop(ctx)
}

// result takes the end of a job.
func (c *core) result(msg resultMsg) tea.Cmd {
	switch {
	case msg.session != c.session:
		return msg.drop(c.win.ctx) // of a session that was left
	case errors.Is(msg.err, errors.ErrUnsupported):
		c.showHint("This agent cannot %s.", msg.what)
		return msg.drop(c.win.ctx)
	case msg.err != nil:
		c.fail(msg.what, msg.err, "")
		c.pane.ToEnd()
		return msg.drop(c.win.ctx)
	}
	c.win.asking = msg.pressed
	return msg.show()
}

// elsewhere reports whether the user has turned to something else, so that
// what they asked for before must not open over it.
func (c *core) elsewhere() bool {
	f := c.focus()
	return !c.inFront() || f != composing && f != answering && f != browsing || c.win.pressed != c.win.asking
}

// opens reports whether what was asked for is shown now. It is not where there
// is none of it, or when the user has turned to something else; a hint says so.
func (c *core) opens(some bool, none, later string) bool {
	switch {
	case !some:
		c.showHint("%s", none)
	case c.elsewhere():
		c.showHint("%s", later)
	default:
		return true
	}
	return false
}

// consultedMsg ends a job on the library.
type consultedMsg struct {
	show func() tea.Cmd
}

// consult does something with the library outside the loop, and shows what came
// of it. It belongs to no conversation.
func consult[T any](ctx context.Context, do func(context.Context) (T, error), show func(v T, err error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		v, err := do(ctx)
		return consultedMsg{func() tea.Cmd { return show(v, err) }}
	}
}

// consulted takes the end of a job on the library.
func (w *windowState) consulted(msg tea.Msg) tea.Cmd {
	done, ok := msg.(consultedMsg)
	if !ok {
		return nil
	}
	return done.show()
}
