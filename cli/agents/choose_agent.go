// Package agents chooses the agent that a command line names, and knows where the
// sessions of each are stored on this machine.
package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"parley/history/sessions"
	"parley/session"
	"parley/session/copilot"
	"parley/session/replay"
	"parley/settings"
	"parley/settings/environ"
)

// The agents that --agent names.
const (
	Copilot = "copilot"
	Demo    = "demo"
	// ReplayPrefix comes before the path of the log that is played again.
	ReplayPrefix = "replay:"
)

// CloseGrace is how long an agent may take to end itself.
const CloseGrace = 10 * time.Second

// Backend is an agent that was chosen and is not yet started.
type Backend struct {
	Name   string // shown until the session says who answers
	Option string // of --agent, where it is one of Others
	Note   string // said once at the start; "" for none
	// Missing says which agent is not installed, so that its sessions are only read, and what
	// installs it; "" for none.
	Missing string
	Open    func(ctx context.Context) (session.Agent, error)

	Replayed bool // it plays what happened before
	// stored are the sessions that the agent itself keeps, while it lives; nil where
	// they are kept in files, or not at all.
	Stored sessions.Source
	// Keeper is who keeps its sessions on this machine, as sessions.Log names it; ""
	// if they are not kept.
	Keeper string
	// Kept lists the sessions that the agent itself has of which there is nothing on this machine
	// that Parley can read; nil where it has none.
	Kept  func(ctx context.Context) ([]sessions.Log, error)
	Flags []string // that continue its sessions; none if that needs none
}

// Choose takes the agent that was asked for. Without a wish it is the
// Copilot CLI where one is found, else the demo.
func Choose(o Options, env []string, prefer settings.Settings) (Backend, error) {
	if o.Agent == Demo {
		return demoBackend(), nil
	}
	if path, ok := strings.CutPrefix(o.Agent, ReplayPrefix); ok {
		return replayBackend(path, o.Speed), nil
	}
	if a, ok := chatAgent(o, prefer.Agents); ok {
		return chatBackend(a, o, env)
	}
	if p, ok, err := acpAgent(o.Agent, prefer.Agents); ok || err != nil {
		return acpBackend(p, o, env, prefer.Telemetry.Agent), err
	}
	if o.Agent != "" && o.Agent != Copilot {
		return Backend{}, unknownAgent(o.Agent, prefer.Agents)
	}
	if o.TokenEnv != "" {
		return Backend{}, errors.New("--token-env is for a chat agent: sse:URL, openai:BASE or one of the settings")
	}
	getenv := func(name string) string { return environ.Get(env, name) }
	asks := prefer.Reads == "ask"
	if o.CopilotURL != "" {
		return copilotBackend(copilot.Config{URL: o.CopilotURL, Token: getenv("COPILOT_CONNECTION_TOKEN"), AskReads: asks}, o, getenv)
	}
	path, err := copilot.Find(o.CopilotPath, getenv, exec.LookPath)
	switch {
	case err == nil:
		return copilotBackend(copilot.Config{
			Path: path, Env: programEnv(env, prefer.Telemetry.Agent), Claims: copilotClaims(env), AskReads: asks,
		}, o, getenv)
	case o.Agent == "" && errors.Is(err, copilot.ErrNotFound):
		return fallback(o, err)
	}
	return Backend{}, err
}

// programEnv is what an agent that is a program gets of the environment. The variables of OpenTelemetry configure
// Parley, and may hold credentials: it gets them only where the setting telemetry.agent says so.
func programEnv(env []string, telemetry bool) []string {
	if telemetry {
		return env
	}
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, "OTEL_") })
}

// Others are the agents beside the one that was asked for that can be started here: the Copilot CLI
// and the known programs where they are found, and those of the settings.
func Others(o Options, env []string, prefer settings.Settings) []Backend {
	var all []Backend
	for _, name := range Called(prefer.Agents) {
		if name == Demo || name == cmp.Or(o.Agent, Copilot) {
			continue
		}
		if p, ok, err := acpAgent(name, prefer.Agents); ok && (err != nil || !p.installed(env)) {
			continue
		}
		b, err := Choose(Options{Agent: name, Dir: o.Dir}, env, prefer)
		if err != nil {
			continue // it is not installed, or what is wrong with it is said when it is asked for
		}
		b.Option = name
		all = append(all, b)
	}
	return all
}

// Known says which agents --agent knows by name beside the Copilot CLI and the demo, and how they are installed.
func Known() string {
	var names []string
	for _, p := range acpPrograms() {
		names = append(names, p.name)
	}
	last := len(names) - 1
	return fmt.Sprintf("Parley knows %s and %s: `parley --agent %s` says what installs that one.",
		strings.Join(names[:last], ", "), names[last], names[0])
}

// copilotBackend is the Copilot CLI of c, with the model and the provider that
// its environment variables name.
func copilotBackend(c copilot.Config, o Options, getenv func(string) string) (Backend, error) {
	provider, err := copilot.ProviderFromEnv(getenv)
	if err != nil {
		return Backend{}, err
	}
	c.Dir, c.Model, c.Provider = o.Dir, getenv("COPILOT_MODEL"), provider
	keeper := sessions.CopilotKeeper
	if c.URL != "" { // they are on its machine
		keeper = ""
	}
	return Backend{
		Name:   "Copilot CLI",
		Keeper: keeper,
		Open:   func(ctx context.Context) (session.Agent, error) { return Opened(copilot.Open(ctx, c)) },
	}, nil
}

// fallback is the demo where no agent is installed and none was asked for. Past sessions are
// those on this machine then, and not the demo's, which nobody asked for (docs/decisions.md 49).
func fallback(o Options, missing error) (Backend, error) {
	if o.Resume != "" || o.Continued {
		return Backend{Name: "Copilot CLI", Keeper: sessions.CopilotKeeper},
			fmt.Errorf("%w; `parley sessions` reads past sessions without it", missing)
	}
	b := demoBackend()
	b.Note = "There is no Copilot CLI on the PATH, so this is the demo. To chat with the real one, " +
		"install it with `npm install -g @github/copilot`, or name it with --copilot-path."
	b.Missing = "No Copilot CLI is on the PATH; `npm install -g @github/copilot` installs it."
	b.Stored = nil
	return b, nil
}

func demoBackend() Backend {
	stored := &demoSessions{}
	return Backend{
		Name:   "demo",
		Stored: stored,
		Keeper: stored.Keeper(),
		Open: func(ctx context.Context) (session.Agent, error) {
			return Opened(stored.open(ctx, true))
		},
	}
}

// replayBackend plays the log at path.
func replayBackend(path string, speed float64) Backend {
	return Backend{
		Name:     "replay",
		Replayed: true,
		Open: func(ctx context.Context) (session.Agent, error) {
			return Opened(replay.Open(ctx, replay.Config{Path: path, Speed: speed}))
		},
	}
}

// Opened is an agent as its port. After an error that is no agent at all, and
// not a nil one of its type.
func Opened[A session.Agent](a A, err error) (session.Agent, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// ForChat is the agent of a chat: the one that was asked for, unless another keeps
// the session that it is to continue. That this is so says more than an error of the choice.
func ForChat(o Options, env []string, prefer settings.Settings) (Backend, error) {
	b, err := Choose(o, env, prefer)
	if kept := b.kept(o, env); kept != nil {
		err = kept
	}
	return b, err
}

// kept finds a session that another than the agent keeps, before the agent is
// asked for it, and says what continues it.
func (b Backend) kept(o Options, env []string) error {
	all, _ := stores(env)
	var foreign sessions.Log
	for _, f := range all {
		l, err := f.Log(session.ID(o.Resume))
		switch {
		case o.Resume == "" || err != nil: // whatever is wrong with it, its agent says
		case f.Keeper() == b.Keeper:
			return nil
		default:
			foreign = l
		}
	}
	if foreign.ID == "" || b.Keeper != sessions.CopilotKeeper && b.Keeper != sessions.ParleyKeeper {
		return nil
	}
	return fmt.Errorf("in session %s another agent answers, not %s; resume it with `%s`", foreign.ID, b.Name, foreign.ResumeCommand())
}
