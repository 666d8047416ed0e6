// Package tui composes the window: it routes keys, owns the focus, keeps the
// draft and arranges the projections of the session on the screen. It is the
// only package that knows Bubble Tea's loop.
package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"parley/session"
)

// frameRate is in frames a second. At 60 a key waits 8 ms longer for its frame
// at the median than at 120; an idle window writes nothing at either.
const frameRate = 120

// closeTimeout is how long a graceful end of the agent may take.
const closeTimeout = 10 * time.Second

// Config is what a window needs from the program around it.
type Config struct {
	// Agent opens the agent. It is called once, off the loop, so that the
	// first frame does not wait for it.
	Agent func(ctx context.Context) (session.Agent, error)
	// AgentName is shown until the session says who answers.
	AgentName string
	Options   session.Options
	Resume    session.ID // the session to go on with; "" starts a new one
	Continue  bool       // go on with the last session of Options.Dir
	Prompt    string     // sent as soon as the session is open
	Note      string     // said once at the start
	// Permit says which questions were answered with yes on the command line;
	// nil permits none.
	Permit func(session.PermissionRequested) bool
	// AllowAll is true when Permit permits all that can be: the status line
	// warns of it all the time.
	AllowAll bool
	Version  string
	Home     string // home directory, shown as ~
	In, Out  *os.File
	Env      []string
	Now      func() time.Time
}

// Run shows the window until the person leaves it or ctx ends, restores the
// terminal, and closes the session and its agent. It returns the id of the
// session when there is something in it to resume.
func Run(ctx context.Context, c Config) (session.ID, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	owner := &owner{start: c.Agent}
	c.Agent = owner.open
	out := &countedOutput{File: c.Out}
	in := &stampedInput{File: c.In, now: c.Now}
	m := newModel(ctx, c, outside(c.Now, out.writes.Load))
	if w, h, err := term.GetSize(c.Out.Fd()); err == nil {
		m.resize(w, h)
		prePaint(c.Out, m)
	}
	p := tea.NewProgram(m,
		tea.WithContext(ctx),
		tea.WithoutSignalHandler(), // signals end ctx
		tea.WithInput(in),
		tea.WithOutput(out),
		tea.WithEnvironment(c.Env),
		tea.WithColorProfile(colorprofile.Env(c.Env)),
		tea.WithFPS(frameRate),
		tea.WithFilter(in.stamp),
	)
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil // ended from outside, on purpose
	}
	cancel() // ends what the window still waits for, such as an agent that starts
	closing, done := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer done()
	if cerr := owner.close(closing); err == nil {
		err = cerr
	}
	switch {
	case m.failed != nil:
		return "", m.failed
	case err != nil:
		return "", fmt.Errorf("run the window: %w", err)
	}
	return m.resumable(), nil
}

// owner ends what the window started: every agent, also one that was still
// starting when the window closed.
type owner struct {
	start   func(context.Context) (session.Agent, error)
	pending sync.WaitGroup
	mu      sync.Mutex
	agents  []session.Agent
}

// open starts an agent.
func (o *owner) open(ctx context.Context) (session.Agent, error) {
	o.pending.Add(1)
	defer o.pending.Done()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.agents = append(o.agents, a)
	return a, nil
}

// close ends the agents and their sessions. It comes after the window's
// context has ended, so that none is starting for long.
func (o *owner) close(ctx context.Context) error {
	o.pending.Wait()
	o.mu.Lock()
	defer o.mu.Unlock()
	var errs []error
	for _, a := range o.agents {
		errs = append(errs, a.Close(ctx))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the agent: %w", err)
	}
	return nil
}

// env returns a variable of the window's environment.
func (c Config) env(name string) string {
	for _, entry := range slices.Backward(c.Env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// unicode reports whether the locale has more letters than ASCII (POSIX: the
// first of LC_ALL, LC_CTYPE and LANG that is set decides). No locale at all is
// what many containers have, on terminals that show everything.
func (c Config) unicode() bool {
	locale := strings.ToLower(cmp.Or(c.env("LC_ALL"), c.env("LC_CTYPE"), c.env("LANG")))
	return locale == "" || strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") || locale == "c" || locale == "posix"
}

// prePaint shows the first frame before the program's first tick, which comes
// a frame later. Bubble Tea enters the alternate screen again, which changes
// nothing, and paints over it.
func prePaint(out *os.File, m *Model) {
	_, _ = out.WriteString(ansi.SetModeAltScreenSaveCursor + ansi.CursorHomePosition + m.View().Content)
}

// countedOutput counts what is written to the terminal, so that the model can
// tell that a frame was flushed (decision 2).
type countedOutput struct {
	*os.File
	writes atomic.Uint64
}

// Write implements io.Writer.
func (o *countedOutput) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	o.writes.Add(1)
	return n, err
}

// inputMsg is something the person did, with the time at which it was read.
type inputMsg struct {
	At  time.Time
	Msg tea.Msg
	// Late is true when the loop took it long after it was read: the person
	// acted on an older screen than the one there is now.
	Late bool
}

// lateInput is how long a key may wait for the loop before it counts as meant
// for an older screen.
const lateInput = 100 * time.Millisecond

// stampedInput notes when the terminal was read last, and keeps pastes exact.
type stampedInput struct {
	*os.File
	pastes
	now  func() time.Time
	read atomic.Int64 // unix nanoseconds; 0 before the first read
}

// Read implements io.Reader. The half of p that is not read into has room for
// the numbers that take the place of pastes.
func (i *stampedInput) Read(p []byte) (int, error) {
	n, err := i.File.Read(p[:(len(p)+1)/2])
	i.read.Store(i.now().UnixNano())
	return copy(p, i.filter(p[:n])), err
}

// stamp is a Bubble Tea filter: it puts the time of reading on everything the
// person does. A read that happened after the message's own is the later of
// the two, so the wait of a message is never overestimated.
func (i *stampedInput) stamp(_ tea.Model, msg tea.Msg) tea.Msg {
	switch in := msg.(type) {
	case tea.PasteMsg:
		msg = i.resolve(in)
	case tea.KeyMsg, tea.MouseMsg, tea.FocusMsg, tea.BlurMsg, tea.CursorPositionMsg, tea.ResumeMsg:
	default:
		return msg
	}
	now := i.now()
	read := now
	if _, resumed := msg.(tea.ResumeMsg); !resumed && i.read.Load() != 0 {
		read = time.Unix(0, min(i.read.Load(), now.UnixNano()))
	}
	return inputMsg{At: read, Msg: msg, Late: now.Sub(read) > lateInput}
}
