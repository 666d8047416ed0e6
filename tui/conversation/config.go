package conversation

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"

	prompthistory "parley/history/prompts"
	"parley/history/sessions"
	"parley/render"
	"parley/session"
	"parley/session/trace"
	"parley/settings"
	"parley/settings/mcpfile"
	"parley/terminal"
	"parley/theme"
	"parley/tui/browser"
	"parley/tui/files"
)

// FrameRate is the most frames a second. A key that comes alone is drawn at once all the
// same, and an idle window writes nothing.
const FrameRate = 60

// CloseTimeout is how long a graceful end of the agent may take.
const CloseTimeout = 10 * time.Second

// Backend is an agent that conversations can be held with, started for the first of them.
type Backend struct {
	// Open starts the agent, off the loop.
	Open func(ctx context.Context) (session.Agent, error)
	Name string // shown until the session says who answers
	// Option is what names it on the command line and for /agent; "" of the one that the
	// window was opened with.
	Option string
	// Flags, with their values, are what its sessions continue with; none if it is taken without.
	Flags []string
	// Keeper is who keeps its sessions, as sessions.Log names it; "" is any.
	Keeper string
}

// called is how the agent is chosen.
func (b *Backend) called() string { return cmp.Or(b.Option, b.Name) }

// ResumeCommand is what resumes a session of the agent on a command line.
func (b *Backend) ResumeCommand(id session.ID) string { return sessions.ResumeCommand(id, b.Flags...) }

// keeps reports whether a session is the agent's own, and not another's with the same keeper.
func (b *Backend) keeps(s sessions.Session) bool {
	return s.Keeper == b.Keeper && (s.Keeper != sessions.ParleyKeeper || s.Agent == b.Option)
}

// Config is what a window needs from the program around it.
type Config struct {
	// Agent opens the agent. It is called once, off the loop, so that the
	// first frame does not wait for it.
	Agent func(ctx context.Context) (session.Agent, error)
	// AgentName is shown until the session says who answers.
	AgentName string
	// AgentFlags are the flags, with their values, that a session of this agent
	// continues with; none if it is taken without.
	AgentFlags []string
	// Keeper is who keeps its sessions, as sessions.Log names it; "" is any.
	Keeper string
	// Others are the other agents that there are on this machine.
	Others   []Backend
	Options  session.Options
	Resume   session.ID // the session to resume; "" starts a new one
	Continue bool       // resume the last session of Options.Dir
	Prompt   string     // sent as soon as the session is open
	Browse   bool       // the past sessions are shown first
	Note     string     // said once at the start
	// Missing says which agent is not installed, so that its sessions are only read, and what
	// installs it; "" if none is missing.
	Missing string
	// Known says which other agents could be installed, and how.
	Known string
	// Permit says which questions were answered with yes on the command line;
	// nil permits none.
	Permit func(session.PermissionRequested) bool
	// AllowAll is true when Permit permits all that can be: the status line
	// warns of it all the time.
	AllowAll bool
	// Settings and Keys are what the user prefers.
	Settings settings.Settings
	Keys     settings.Keys
	// Lines is true where the terminal only ever gets more lines: what happens is said once,
	// and lines are read.
	Lines bool
	// Inline is true where what is finished is written into the terminal, which keeps it, and
	// the window is below that. It has the whole screen while it shows something else.
	Inline bool
	// LowBandwidth stands in for that of the settings: auto, on or off; "" leaves it to them.
	LowBandwidth string
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
	// TryMcp starts an MCP server as the agent does, with its environment and in a folder, or
	// connects to it, and returns what it calls
	// itself and its tools; nil if none can be tried. It is called off the loop.
	TryMcp func(ctx context.Context, env []string, dir string, s mcpfile.Server) (about string, tools []session.McpTool, err error)
	// Sessions are the past sessions; nil without a library. They are asked off the
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
}

// Environment is what the terminal lets be known of itself without being asked.
func (c Config) Environment() terminal.Environment {
	prefer := c.Settings.Terminal
	prefer.LowBandwidth = cmp.Or(c.LowBandwidth, prefer.LowBandwidth)
	return terminal.Environment{Vars: c.Env, Prefer: prefer, Lines: c.Lines, Inline: c.Inline}
}

// InputMsg is something the user did, with the time at which it was read.
type InputMsg struct {
	At  time.Time
	Msg tea.Msg
	// Late is true when the loop took it long after it was read: the user
	// acted on an older screen than the one there is now.
	Late bool
}

// Library is what the window uses of a sessions.Library. It is safe for concurrent
// use. All of it may block, and is called outside the loop.
type Library interface {
	browser.Library
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	ReadProblem(ctx context.Context, id session.ID) (string, error)
	Deleted(ctx context.Context) ([]sessions.Session, error)
}

// Preferences are what the user prefers, as their files say it now.
type Preferences struct {
	Settings settings.Settings
	Keys     settings.Keys
}

// Times is how an entry shows when it came.
func (c Config) Times() render.Times {
	if times, ok := render.TimesNamed(c.Settings.Times); ok {
		return times
	}
	return render.TimesClock
}

// density is how much of the conversation is shown at first.
func (c Config) density() render.Density {
	d, _ := render.DensityNamed(c.Settings.Density)
	return d
}

// Browser is the command line that opens an address here; nil where no browser
// can be reached.
func (c Config) Browser() []string { return c.Environment().Browser(runtime.GOOS, "") }

// ClipboardTool is the program that takes a text for the clipboard of the
// desktop; "" where only the terminal can.
func (c Config) ClipboardTool() string { return files.Writer(c.Env, runtime.GOOS) }

// Examination draws what was found out about Parley and what is around it, in
// lines of a width.
type Examination func(width int, th *theme.Theme) []string

// Scene is where a mistake happened, as far as the window knows.
type Scene struct {
	Terminal terminal.Description
	Agent    string // as it calls itself
	Settings settings.Settings
	Keys     settings.Keys
	Recent   trace.RecentEvents // the last events of the session
}

// prompts are those sent before, from all windows.
func (c Config) prompts() *prompthistory.History {
	if c.StateDir == "" {
		return prompthistory.Open("")
	}
	return prompthistory.Open(filepath.Join(c.StateDir, "prompts.jsonl"))
}
