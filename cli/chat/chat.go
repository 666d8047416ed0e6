// Package chat opens the window of a chat.
package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"parley/cli/agents"
	"parley/cli/config"
	"parley/cli/doctor"
	"parley/cli/headless"
	"parley/cli/mcp"
	"parley/cli/observe"
	"parley/cli/process"
	"parley/cli/report"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/session/replay"
	"parley/settings"
	"parley/settings/environ"
	"parley/theme"
	"parley/tui"
)

// Run opens the window and stays in it until the user leaves.
func Run(c process.Console, o agents.Options, h headless.Flags, w observe.Observer) error {
	if !term.IsTerminal(c.In.Fd()) || !term.IsTerminal(c.Out.Fd()) {
		return errors.New("a chat needs a terminal for its input and output; run parley in one, without pipes or redirection; " +
			"`parley -p 'a prompt'` answers one prompt without a window")
	}
	err := open(c, o, h, w)
	if failed := new(tui.NotOpenedError); errors.As(err, failed) {
		return withDemo(o, err)
	}
	return err
}

// open opens the window of a chat and stays in it until the user leaves.
func open(c process.Console, o agents.Options, h headless.Flags, w observe.Observer) error {
	home, _ := os.UserHomeDir() // without one, paths are shown whole
	changes := config.Changed(c)
	prefer, err := config.Preferences(c)
	if err != nil {
		return err
	}
	backend, err := agents.ForChat(o, c.Env, prefer.Settings)
	if err != nil {
		return withDemo(o, err)
	}
	past, err := agents.PastSessions(c, backend)
	if err != nil {
		return err
	}
	ctx, stop := process.UntilSignal(context.Background())
	defer stop()
	window := tui.Config{
		Agent:      w.Open(backend),
		AgentName:  backend.Name,
		AgentFlags: backend.Flags,
		Keeper:     backend.Keeper,
		Note:       backend.Note,
		Missing:    backend.Missing,
		Known:      agents.Known(),
		Unkept:     unkept(c.Env, home),
		Permit:     func(p session.PermissionRequested) bool { ok, _ := h.Policy.Permits(p); return ok },
		AllowAll:   h.AllowAll,
		Options:    session.Options{Model: o.Model, Mode: session.Mode(o.Mode), Dir: o.Dir},
		Resume:     session.ID(o.Resume),
		Continue:   o.Continued,
		Prompt:     o.Prompt,
		Browse:     o.Browse,
		Settings:   prefer.Settings,
		Keys:       prefer.Keys,
		Themes:     theme.Dir(process.SettingsPath(c)),
		Changed:    changes,
		Prefer: func(ctx context.Context, name string, value any) (settings.Settings, error) {
			return config.Put(ctx, c, name, value)
		},
		Doctor:   doctor.Examine(o),
		TryMcp:   mcp.Try,
		Report:   report.Account(w.LogFile),
		StateDir: environ.StateDir(c.Env, home),
		Version:  process.Version(),
		Home:     home,
		In:       c.In, Out: c.Out, Err: c.Err, Env: c.Env, Now: time.Now,

		Lines:        o.ScreenReader || prefer.Settings.Screen == settings.Reader || environ.Dumb(c.Env),
		Inline:       o.Inline || prefer.Settings.Screen == settings.Inline,
		LowBandwidth: o.LowBandwidth,
		SettingsFile: process.SettingsPath(c),
		Others:       others(agents.Others(o, c.Env, prefer.Settings), w),
	}
	if past != nil {
		window.Sessions = past
		window.Reading = func(context.Context) (session.Agent, error) { return replay.NewReader(past.Read), nil }
	}
	return cmp.Or(run(ctx, c, window, past), context.Cause(ctx))
}

// withDemo adds to what keeps the agent from starting how the window can be used until that is
// mended. A user who named an agent or a session has a window to come back to.
func withDemo(o agents.Options, err error) error {
	if o.Agent != "" || o.Resume != "" || o.Continued {
		return err
	}
	return errors.Join(err, errors.New("until then, `parley --agent demo` shows the window without an agent, and "+
		"`parley doctor` looks for what else is missing"))
}

// others are the other agents, as the window takes them.
func others(all []agents.Backend, w observe.Observer) []tui.Backend {
	taken := make([]tui.Backend, len(all))
	for i, b := range all {
		taken[i] = tui.Backend{Open: w.Open(b), Name: b.Name, Option: b.Option, Flags: b.Flags, Keeper: b.Keeper}
	}
	return taken
}

// run opens the window, and writes how each session that was open in it can be
// resumed.
func run(ctx context.Context, c process.Console, window tui.Config, past *sessions.Library) error {
	commands, err := tui.Run(ctx, window)
	if past != nil {
		err = errors.Join(err, past.Close())
	}
	for _, command := range commands {
		_, _ = fmt.Fprintln(c.Err, "Resume this session with: "+text.SanitizeLine(command))
	}
	return err
}

// unkept says why what the user writes cannot be kept, what that is, and what to
// do; "" if it can be.
func unkept(env []string, home string) string {
	dir := environ.StateDir(env, home)
	if dir == "" {
		return fmt.Sprintf("There is no home folder (%s is not set): drafts, the history of prompts and changes of settings are not kept. "+
			"Set %[1]s to a folder of yours, or XDG_STATE_HOME and XDG_CONFIG_HOME.", environ.HomeVariable)
	}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = environ.Writable(dir)
	}
	if err == nil {
		return ""
	}
	var cause syscall.Errno
	why := "it cannot be written to"
	if errors.As(err, &cause) {
		why = strings.TrimSuffix(cause.Error(), ".")
	}
	lost := "drafts and the history of prompts"
	if info, err := os.Stat(home); err != nil || !info.IsDir() || environ.Writable(home) != nil {
		lost = "drafts, the history of prompts and changes of settings" // all that is below it
	}
	return fmt.Sprintf("Nothing can be written to %s (%s): %s are not kept. "+
		"Make it writable, or set %s, or XDG_STATE_HOME, to a folder that is.", dir, why, lost, environ.StateVariable)
}

// Browse opens the window on the past sessions.
func Browse(c process.Console) error {
	o := agents.Options{Browse: true}
	if err := o.FindFolder(); err != nil {
		return err
	}
	return observe.Observer{}.Around(c, func(w observe.Observer) error { return Run(c, o, headless.Flags{}, w) })
}
