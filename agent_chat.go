package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/cli/process"
	"parley/history"
	"parley/history/sessions"
	"parley/session"
	"parley/session/sse"
	"parley/settings"
)

// The prefixes of --agent before the address of a chat agent, and of an endpoint
// for chat completions (decision 25).
const (
	ssePrefix    = "sse:"
	openaiPrefix = "openai:"
)

// chatAgent is the agent that --agent names by its address, or by its name in the
// settings; not ok if it names neither.
func chatAgent(o options, named map[string]settings.Agent) (a settings.Agent, ok bool) {
	if url, is := strings.CutPrefix(o.agent, ssePrefix); is {
		return settings.Agent{URL: url, Kind: string(sse.Copilot), TokenEnv: o.tokenEnv}, true
	}
	if url, is := strings.CutPrefix(o.agent, openaiPrefix); is {
		return settings.Agent{URL: url, Kind: string(sse.OpenAI), TokenEnv: o.tokenEnv}, true
	}
	a, ok = named[o.agent]
	if o.tokenEnv != "" {
		a.TokenEnv, a.TokenCommand = o.tokenEnv, nil
	}
	return a, ok
}

// unknownAgent says that --agent names none, and which there are.
func unknownAgent(name string, named map[string]settings.Agent) error {
	mine := slices.Sorted(maps.Keys(named))
	all := append(slices.Clone(agents), mine...)
	if like := process.Nearest(name, append([]string{agentCopilot, agentDemo}, mine...)); like != "" {
		return fmt.Errorf("--agent is one of %s, not %q; did you mean %s?", strings.Join(all, ", "), name, like)
	}
	return fmt.Errorf("--agent is one of %s, not %q", strings.Join(all, ", "), name)
}

// chatConfig is how a chat agent is spoken to.
func chatConfig(a settings.Agent, env []string) (sse.Config, error) {
	config := sse.Config{
		Protocol: sse.Protocol(a.Kind), URL: a.URL, Model: a.Model, TokenHeader: sse.TokenHeader(a.TokenHeader),
		Headers: a.Headers, Token: tokenOf(a, env), Options: map[string]jsontext.Value{},
	}
	for name, value := range a.Options {
		raw, err := json.Marshal(value, json.Deterministic(true))
		if err != nil {
			return config, fmt.Errorf("the option %s of the agent cannot be sent: %w", name, err)
		}
		config.Options[name] = raw
	}
	return config, nil
}

// chatBackend is a chat agent.
func chatBackend(a settings.Agent, o options, env []string) (backend, error) {
	config, err := chatConfig(a, env)
	if err != nil {
		return backend{}, err
	}
	config.Dir = o.dir
	home, _ := os.UserHomeDir()
	if dir := history.StateDir(env, home); dir != "" {
		config.Keeper = sessions.KeeperIn(ownSessions(dir))
	}
	b := backend{
		keeper: sessions.KeptByParley,
		open:   func(ctx context.Context) (session.Agent, error) { return opened(sse.Open(ctx, config)) },
	}
	if o.agent == a.Kind+":"+a.URL {
		shown, err := config.Check()
		b.name = a.Kind + ":" + shown
		b.goesOnBy(o)
		return b, err
	}
	b.name, config.Name = o.agent, o.agent
	b.goesOnBy(o)
	if _, err := config.Check(); err != nil {
		return backend{}, fmt.Errorf("the agent %s of the settings: %w", o.agent, err)
	}
	return b, nil
}

// goesOnBy notes what goes on with a session of the agent.
func (b *backend) goesOnBy(o options) {
	b.flags = []string{"--agent", b.name}
	if o.tokenEnv != "" {
		b.flags = append(b.flags, "--token-env", o.tokenEnv)
	}
}

// tokenWait is how long a program may take that prints a token: it may ask the
// user to unlock something.
const tokenWait = 2 * time.Minute

// tokenOf is what gets the token of an agent; nil where the settings name none.
func tokenOf(a settings.Agent, env []string) func(context.Context) (string, error) {
	switch {
	case a.TokenEnv != "":
		return func(context.Context) (string, error) {
			if token := process.Lookup(env, a.TokenEnv); token != "" {
				return token, nil
			}
			return "", fmt.Errorf("the variable %s is not set", a.TokenEnv)
		}
	case len(a.TokenCommand) > 0:
		return func(ctx context.Context) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, tokenWait)
			defer cancel()
			cmd := exec.CommandContext(ctx, a.TokenCommand[0], a.TokenCommand[1:]...)
			cmd.Env, cmd.WaitDelay = env, time.Second
			printed, err := cmd.Output()
			var ended *exec.ExitError
			switch {
			case ctx.Err() != nil:
				return "", fmt.Errorf("%s did not print it in time", filepath.Base(a.TokenCommand[0]))
			case errors.As(err, &ended): // what it says about it may hold the token
				return "", fmt.Errorf("%s failed: %s", filepath.Base(a.TokenCommand[0]), ended.ProcessState)
			case err != nil:
				return "", err
			}
			return strings.TrimSpace(string(printed)), nil
		}
	}
	return nil
}
