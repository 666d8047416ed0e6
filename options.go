package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"parley/cli/process"
	"parley/session"
	"parley/settings"
)

// options are the flags and the argument of a chat.
type options struct {
	agent       string
	copilotPath string
	copilotURL  string // of a running runtime
	tokenEnv    string // names the variable, never holds the token
	model       string
	dir         string // absolute after check
	resume      string
	continued   bool
	mode        string
	speed       float64 // of a replay; 1 is the log's own, 0 all at once
	prompt      string
	browse      bool // the past sessions are shown first
}

// modes are the modes a session can start in.
var modes = []string{string(session.Interactive), string(session.Plan), string(session.Autopilot)}

// agents are what --agent takes.
var agents = []string{agentCopilot, agentDemo, ssePrefix + "URL", openaiPrefix + "BASE", replayPrefix + "FILE"}

// register adds the flags that choose the agent and what it begins with.
func (o *options) register(f *pflag.FlagSet) {
	f.StringVar(&o.agent, "agent", "",
		"which `agent` answers: copilot, demo, sse:URL, openai:BASE, replay:FILE or a name of the settings\n"+
			"(default: copilot if it is found, else demo)")
	f.Float64Var(&o.speed, "speed", 1, "how `fast` a replay is: 1 is the log's own pace, 10 ten times faster, 0 all at once")
	f.StringVar(&o.copilotPath, "copilot-path", "", "the Copilot CLI to drive, a `file` (default: $COPILOT_CLI_PATH, then the PATH)")
	f.StringVar(&o.copilotURL, "copilot-url", "", "a Copilot CLI that runs already, its `host:port` (its token: $COPILOT_CONNECTION_TOKEN)")
	f.StringVar(&o.tokenEnv, "token-env", "", "the `variable` that holds the token of a chat agent (sse:URL, openai:BASE)")
	f.StringVar(&o.model, "model", "", "the model to use, by `name` (default: $COPILOT_MODEL, then the agent's own choice)")
	f.StringVar(&o.dir, "cwd", "", "the `folder` the agent works in (default: this one)")
	f.StringVar(&o.resume, "resume", "", "go on with the session of this `id`")
	f.BoolVar(&o.continued, "continue", false, "go on with the last session of the folder")
	f.StringVar(&o.mode, "mode", "", "the `mode` to start in: interactive, plan or autopilot (default: interactive)")
}

// check finds what the flags cannot mean, and makes the folder absolute.
func (o *options) check(given *pflag.FlagSet) error {
	if err := o.checkAgent(given); err != nil {
		return err
	}
	switch {
	case given.Changed("mode") && !slices.Contains(modes, o.mode):
		return fmt.Errorf("--mode is one of %s, not %q", strings.Join(modes, ", "), o.mode)
	case given.Changed("resume") && o.resume == "":
		return errors.New("--resume needs the id of a session; --continue takes the last one of this folder")
	case o.resume != "" && o.continued:
		return errors.New("--resume and --continue name two sessions; leave one of them out")
	}
	return o.findFolder()
}

// checkAgent finds what the flags that choose the agent cannot mean together.
func (o *options) checkAgent(given *pflag.FlagSet) error {
	replays := strings.HasPrefix(o.agent, replayPrefix)
	other := o.agent != "" && o.agent != agentCopilot
	switch {
	case given.Changed("agent") && o.agent == "":
		return fmt.Errorf("--agent is one of %s, or a name of the settings", strings.Join(agents, ", "))
	case given.Changed("speed") && !replays:
		return errors.New("--speed is for a replay; name one with --agent replay:FILE")
	case o.copilotPath != "" && other:
		return fmt.Errorf("--copilot-path has no meaning with --agent %s; leave one of them out", o.agent)
	case o.copilotURL != "" && other:
		return fmt.Errorf("--copilot-url has no meaning with --agent %s; leave one of them out", o.agent)
	case o.copilotURL != "" && o.copilotPath != "":
		return errors.New("--copilot-url and --copilot-path name two Copilot CLIs; leave one of them out")
	case o.copilotPath != "" || o.copilotURL != "":
		o.agent = agentCopilot
	}
	return nil
}

// findFolder makes the folder absolute and sees that it is one.
func (o *options) findFolder() error {
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return process.Fail(fmt.Errorf("find the working folder: %w", err))
	}
	o.dir = dir
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return process.Fail(fmt.Errorf("the folder %s does not exist; make it, or give another --cwd", dir))
	case err != nil:
		return process.Fail(fmt.Errorf("look at the working folder: %w", err))
	case !info.IsDir():
		return process.Fail(fmt.Errorf("%s is not a folder; give --cwd a folder", dir))
	}
	return nil
}

// checkName finds an --agent that is neither of Parley's own nor of the settings.
// Mistakes in these are told later.
func (o *options) checkName(c process.Console) error {
	if o.agent == "" || o.agent == agentCopilot || o.agent == agentDemo || strings.HasPrefix(o.agent, replayPrefix) {
		return nil
	}
	prefer, err := settings.Load(process.SettingsPath(c))
	if _, known := chatAgent(*o, prefer.Agents); known || err != nil {
		return nil //nolint:nilerr // it is told where the settings are needed
	}
	return unknownAgent(o.agent, prefer.Agents)
}
