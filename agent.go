package main

import (
	"context"
	"errors"
	"os/exec"
	"strings"

	"parley/cli/process"
	"parley/history/sessions"
	"parley/session"
	"parley/session/copilot"
	"parley/session/demo"
	"parley/session/replay"
	"parley/settings"
)

// The agents that --agent names.
const (
	agentCopilot = "copilot"
	agentDemo    = "demo"
	// replayPrefix comes before the path of the log that is played again.
	replayPrefix = "replay:"
)

// backend is an agent that was chosen and is not yet started.
type backend struct {
	name string // shown until the session says who answers
	note string // said once at the start; "" for none
	open func(ctx context.Context) (session.Agent, error)

	replayed bool // it plays what happened before
	// stored are the sessions that the agent itself keeps, while it lives; nil where
	// they are kept in files, or not at all.
	stored sessions.Source
	// keeper is who keeps its sessions on this machine, as sessions.Log names it; ""
	// is nobody.
	keeper string
	flags  []string // to go on with its sessions; none if that goes without
}

// chooseAgent takes the agent that was asked for. Without a wish it is the
// Copilot CLI where one is found, else the demo.
func chooseAgent(o options, env []string, prefer settings.Settings) (backend, error) {
	if o.agent == agentDemo {
		return demoBackend(""), nil
	}
	if path, ok := strings.CutPrefix(o.agent, replayPrefix); ok {
		return replayBackend(path, o.speed), nil
	}
	if a, ok := chatAgent(o, prefer.Agents); ok {
		return chatBackend(a, o, env)
	}
	if o.agent != "" && o.agent != agentCopilot {
		return backend{}, unknownAgent(o.agent, prefer.Agents)
	}
	if o.tokenEnv != "" {
		return backend{}, errors.New("--token-env is for a chat agent: sse:URL, openai:BASE or one of the settings")
	}
	getenv := func(name string) string { return process.Lookup(env, name) }
	asks := prefer.Reads == "ask"
	if o.copilotURL != "" {
		return copilotBackend(copilot.Config{URL: o.copilotURL, Token: getenv("COPILOT_CONNECTION_TOKEN"), AskReads: asks}, o, getenv)
	}
	path, err := copilot.Find(o.copilotPath, getenv, exec.LookPath)
	switch {
	case err == nil:
		return copilotBackend(copilot.Config{
			Path: path, Env: env, Telemetry: prefer.Telemetry.Agent, Claims: copilotClaims(env), AskReads: asks,
		}, o, getenv)
	case o.agent == "" && errors.Is(err, copilot.ErrNotFound):
		return demoBackend("There is no Copilot CLI on the PATH, so this is the demo. To chat with the real one, " +
			"install it with `npm install -g @github/copilot`, or name it with --copilot-path."), nil
	}
	return backend{}, err
}

// copilotBackend is the Copilot CLI of c, with the model and the provider that
// its environment variables name.
func copilotBackend(c copilot.Config, o options, getenv func(string) string) (backend, error) {
	provider, err := copilot.ProviderFromEnv(getenv)
	if err != nil {
		return backend{}, err
	}
	c.Dir, c.Model, c.Provider = o.dir, getenv("COPILOT_MODEL"), provider
	keeper := sessions.KeptByCopilot
	if c.URL != "" { // they are on its machine
		keeper = ""
	}
	return backend{
		name:   "Copilot CLI",
		keeper: keeper,
		open:   func(ctx context.Context) (session.Agent, error) { return opened(copilot.Open(ctx, c)) },
	}, nil
}

func demoBackend(note string) backend {
	stored := &demoSessions{}
	return backend{
		name:   "demo",
		note:   note,
		stored: stored,
		keeper: stored.Keeper(),
		open: func(ctx context.Context) (session.Agent, error) {
			agent, err := demo.Open(ctx, demo.Config{Pace: demo.HumanPace})
			if err == nil {
				stored.opened(agent)
			}
			return opened(agent, err)
		},
	}
}

// replayBackend plays the log at path.
func replayBackend(path string, speed float64) backend {
	return backend{
		name:     "replay",
		replayed: true,
		open: func(ctx context.Context) (session.Agent, error) {
			return opened(replay.Open(ctx, replay.Config{Path: path, Speed: speed}))
		},
	}
}

// opened is an agent as its port. After an error that is no agent at all, and
// not a nil one of its type.
func opened[A session.Agent](a A, err error) (session.Agent, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}
