// Package tui composes the window: it routes keys, owns the focus, keeps the
// draft and arranges the projections of the session on the screen. It is the
// only package that knows Bubble Tea's loop.
//
// Of bubbles, key is what a hint or a command of a panel is bound to, help draws
// the hints, spinner shows that something runs, progress shows shares of the
// context window, and viewport scrolls the panels of text. The others lose
// something that is promised here:
//
//   - textarea and textinput edit runes and have no undo; a draft is exact bytes in
//     grapheme clusters with chips, and every query takes the user's own keys.
//   - list brings its filter, its keys and its pages, and draws what it is given;
//     rows here are found by jobs, made safe as they are drawn, and never picked by
//     a key that came before them.
//   - table cuts cells and aligns all to the left; here they wrap, numbers are
//     aligned to the right, and what has no room becomes a record.
//   - filepicker reads one folder at a time by itself; files come from tui/files, by
//     the letters of their path and without what is ignored.
//   - paginator has nothing to page: whatever is longer than the screen scrolls.
//   - timer, stopwatch and a cursor of its own each wake the program while nothing
//     happens; there is one timer, which stops, and the cursor is the terminal's.
//   - tree and viewport, for what may be very long (the timeline, edits, the details
//     and the context), want all lines drawn at first; here those in view are.
//   - help's columns of all keys do not wrap; the panel of help does.
package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"parley/prompts/consent"
	"parley/session"
	"parley/settings"
	"parley/terminal"
	"parley/terminal/handover"
	"parley/tui/appearance"
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
	// AgentFlags are the flags, with their values, that a session of this agent goes
	// on with; none if it is taken without.
	AgentFlags []string
	// Keeper is who keeps its sessions, as sessions.Log names it; "" is any.
	Keeper   string
	Options  session.Options
	Resume   session.ID // the session to resume; "" starts a new one
	Continue bool       // resume the last session of Options.Dir
	Prompt   string     // sent as soon as the session is open
	Browse   bool       // the past sessions are shown first
	Note     string     // said once at the start
	// Permit says which questions were answered with yes on the command line;
	// nil permits none.
	Permit func(session.PermissionRequested) bool
	// AllowAll is true when Permit permits all that can be: the status line
	// warns of it all the time.
	AllowAll bool
	// Settings and Keys are what the user prefers.
	Settings settings.Settings
	Keys     settings.Keys
	// SettingsFile is the file of these settings; "" if there is no place for one.
	// A program that it names is looked for beside it.
	SettingsFile string
	// Changed waits until a file of the user's has changed, and reads them all
	// again; nil if none ever does.
	Changed func(ctx context.Context) (Preferences, error)
	// Prefer writes one setting into the user's file, and reads them all again.
	// It is called off the loop.
	Prefer func(ctx context.Context, name string, value any) (settings.Settings, error)
	// Themes is the folder of the user's own themes; "" is none.
	Themes string
	// Doctor finds out about Parley and what is around it; nil if nothing can.
	// The window says what it knows of the terminal, which is not asked again.
	Doctor func(ctx context.Context, c Config, t terminal.Description) (Examination, error)
	// Report writes the report of a mistake, without content and secrets; nil if
	// none is written.
	Report func(ctx context.Context, c Config, s Scene) (string, error)
	// Sessions are the past sessions; nil if there are none. They are asked off the
	// loop, and never before the first frame.
	Sessions Library
	// Reading opens an agent whose sessions are those of Sessions, to be read only;
	// nil if none can be read. It is called off the loop.
	Reading func(ctx context.Context) (session.Agent, error)
	// Unkept says why what is written here is not kept, if that is known; it is
	// said when the window opens.
	Unkept string
	// StateDir is the folder for what outlives the window: prompts and drafts.
	// Without one nothing is kept.
	StateDir string
	Version  string
	Home     string // home directory, shown as ~
	In, Out  *os.File
	Env      []string
	Now      func() time.Time
	// Err is where a fatal error of Go's runtime is to be read, once the terminal
	// was given back; nil leaves the terminal as the window had it.
	Err *os.File

	files appearance.Files // of the theme and the markdown style that the settings name
}

// Run shows the window until the user leaves it or ctx ends, restores the
// terminal, and closes the sessions and their agent. It returns the ids of those
// that have something to resume, the one on the screen last, also beside an
// error.
func Run(ctx context.Context, c Config) ([]session.ID, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	owner := &agentLifecycle{}
	c.Agent, c.Reading = owner.owning(c.Agent), owner.owning(c.Reading)
	c.files = c.looks().Load()
	in := terminal.NewInput(c.In, c.Now)
	out := terminal.NewOutput(c.Out, in)
	shown, hide := context.WithCancel(context.WithoutCancel(ctx))
	defer hide()
	redraw := &handover.Redraw{Frame: frameTime}
	lender := handover.NewLender(shown, in, out, redraw)
	m := newModel(ctx, c, outside(ctx, c, out.Count, in.Settle, lender.Lend))
	over, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(over, func() { lender.WhenBack(hide) })()
	w := &window{
		model: m, out: out, redraw: redraw, hide: end, stops: make(chan os.Signal, 1),
		crash: terminal.NewCrashRestore(c.In, c.Out, c.Err, c.Env),
	}
	signal.Notify(w.stops, syscall.SIGTSTP)
	defer signal.Stop(w.stops)
	if width, height, err := term.GetSize(c.Out.Fd()); err == nil {
		m.resize(width, height)
		w.sized = true
	}
	redraw.Program = tea.NewProgram(w,
		tea.WithContext(shown),
		tea.WithoutSignalHandler(), // signals end ctx
		tea.WithInput(in),
		tea.WithOutput(out),
		tea.WithEnvironment(c.Env),
		tea.WithColorProfile(colorprofile.Env(c.Env)),
		tea.WithFPS(frameRate),
		tea.WithFilter(incoming(in, lender)),
	)
	_, err := redraw.Program.Run()
	w.crash.Stop()
	if out.OnAlternate() { // ended before its first frame
		_, _ = out.Write([]byte(ansi.ResetModeAltScreenSaveCursor))
	}
	if crash := w.panic.Load(); crash != nil {
		err = crash
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil // ended from outside, on purpose
	}
	if jerr := m.drafts.end(); err == nil {
		err = jerr
	}
	owner.purge(ctx, c.Sessions, c.Keeper, m.openIDs())
	cancel() // ends what the window still waits for, such as an agent that starts
	closing, done := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer done()
	if cerr := owner.close(closing); err == nil {
		err = cerr
	}
	switch {
	case m.switcher.failed != nil:
		return nil, m.switcher.failed
	case err != nil:
		return m.resumableIDs(), fmt.Errorf("run the window: %w", err)
	}
	return m.resumableIDs(), nil
}

// incoming stamps what the user does. The terminal is not lent any more once the window is
// to end.
func incoming(in *terminal.Input, lender *handover.Lender) func(tea.Model, tea.Msg) tea.Msg {
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		if _, quit := msg.(tea.QuitMsg); quit {
			lender.Keep()
		}
		return stamp(in, msg)
	}
}

// Environment is what the terminal lets be known of itself without being asked.
func (c Config) Environment() terminal.Environment {
	return terminal.Environment{Vars: c.Env, Prefer: c.Settings.Terminal}
}

// inputMsg is something the user did, with the time at which it was read.
type inputMsg struct {
	At  time.Time
	Msg tea.Msg
	// Late is true when the loop took it long after it was read: the user
	// acted on an older screen than the one there is now.
	Late bool
}

// lateInput is how long a key may wait for the loop before it counts as meant
// for an older screen. Where tests run faster than a user, many windows share the
// machine, and the loop may be that much slower.
const lateInput = 100 * time.Millisecond * consent.Pace

// escapeWait is how long Bubble Tea's reader may wait for what follows an Escape
// before that is a key of its own: its 50 ms, twice if its timer is early. The
// loop is not late for that.
const escapeWait = 100 * time.Millisecond

// stamp puts the time of reading on everything the
// user does. A read that happened after the message's own is the later of
// the two, so the wait of a message is never overestimated.
func stamp(i *terminal.Input, msg tea.Msg) tea.Msg {
	switch in := msg.(type) {
	case tea.PasteMsg:
		msg = i.Resolve(in)
	case returnedMsg:
		in.at = i.Now()
		return in
	case tea.ResumeMsg, tea.KeyMsg, tea.MouseMsg, tea.FocusMsg, tea.BlurMsg, tea.CursorPositionMsg:
	default:
		return msg
	}
	now := i.Now()
	read := now
	if _, resumed := msg.(tea.ResumeMsg); !resumed {
		read = i.LastRead(now)
	}
	late := lateInput
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Code == tea.KeyEscape {
		late += escapeWait
	}
	return inputMsg{At: read, Msg: msg, Late: now.Sub(read) > late}
}
