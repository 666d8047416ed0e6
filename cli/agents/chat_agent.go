package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sse"
	"parley/settings"
	"parley/settings/didyoumean"
	"parley/settings/environ"
)

// The prefixes of --agent before the address of a chat agent, and of an endpoint
// for chat completions (docs/decisions.md 25).
const (
	SSEPrefix    = "sse:"
	OpenAIPrefix = "openai:"
)

// chatAgent is the agent that --agent names by its address, or by its name in the
// settings; not ok if it names neither.
func chatAgent(o Options, named map[string]settings.Agent) (a settings.Agent, ok bool) {
	for prefix, kind := range map[string]sse.Protocol{SSEPrefix: sse.Copilot, OpenAIPrefix: sse.OpenAI} {
		if url, is := strings.CutPrefix(o.Agent, prefix); is {
			return settings.Agent{URL: url, Kind: string(kind), TokenEnv: o.TokenEnv}, true
		}
	}
	if a, ok = named[o.Agent]; len(a.Command) > 0 {
		return a, false
	}
	if o.TokenEnv != "" {
		a.TokenEnv, a.TokenCommand = o.TokenEnv, nil
	}
	return a, ok
}

// unknownAgent says that --agent names none, and which there are.
func unknownAgent(name string, named map[string]settings.Agent) error {
	err := fmt.Errorf("--agent is one of %s, not %q", strings.Join(Names(named), ", "), name)
	if like := didyoumean.Nearest(name, Called(named)); like != "" {
		return fmt.Errorf("%w; did you mean %s?", err, like)
	}
	return err
}

// ChatConfig is how a chat agent is spoken to.
func ChatConfig(a settings.Agent, env []string) (sse.Config, error) {
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
func chatBackend(a settings.Agent, o Options, env []string) (Backend, error) {
	config, err := ChatConfig(a, env)
	if err != nil {
		return Backend{}, err
	}
	config.Dir = o.Dir
	home, _ := os.UserHomeDir()
	if dir := environ.StateDir(env, home); dir != "" {
		config.Store = sessions.StoreIn(OwnSessions(dir))
	}
	b := Backend{
		Keeper: sessions.ParleyKeeper,
		Open:   func(ctx context.Context) (session.Agent, error) { return Opened(sse.Open(ctx, config)) },
	}
	if o.Agent == a.Kind+":"+a.URL {
		shown, err := config.Check()
		b.Name = a.Kind + ":" + shown
		b.continuedBy(o)
		return b, err
	}
	b.Name, config.Name = o.Agent, o.Agent
	b.continuedBy(o)
	if _, err := config.Check(); err != nil {
		return Backend{}, fmt.Errorf("the agent %s of the settings: %w", o.Agent, err)
	}
	return b, nil
}

// continuedBy notes the flags that continue a session of the agent.
func (b *Backend) continuedBy(o Options) {
	b.Flags = []string{"--agent", b.Name}
	if o.TokenEnv != "" {
		b.Flags = append(b.Flags, "--token-env", o.TokenEnv)
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
			if token := environ.Get(env, a.TokenEnv); token != "" {
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
