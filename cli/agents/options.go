package agents

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"parley/cli/process"
	"parley/session"
	"parley/settings"
)

// Options are the flags and the argument of a chat.
type Options struct {
	Agent       string
	CopilotPath string
	CopilotURL  string // of a running runtime
	TokenEnv    string // names the variable, never holds the token
	Model       string
	Dir         string // absolute after check
	Resume      string
	Continued   bool
	Mode        string
	Speed       float64 // of a replay; 1 is the log's own, 0 all at once
	Prompt      string
	Browse      bool // the past sessions are shown first
	// ScreenReader is true where what happens is written in lines, whatever the settings say.
	ScreenReader bool
	// Inline is true where what is finished is written into the terminal, whatever the settings say.
	Inline bool
	// LowBandwidth is the value of --low-bandwidth; "" if it is not given.
	LowBandwidth string
}

// Modes are the modes a session can start in.
var Modes = []string{string(session.Interactive), string(session.Plan), string(session.Autopilot)}

// LowBandwidths are what --low-bandwidth takes.
func LowBandwidths() []string { return settings.LowBandwidths() }

// Names are what --agent takes.
func Names(named map[string]settings.Agent) []string {
	return append(Called(named), ACPPrefix+"COMMAND", SSEPrefix+"URL", OpenAIPrefix+"BASE", ReplayPrefix+"FILE")
}

// Called are the agents that --agent takes by a name of their own or of the settings.
func Called(named map[string]settings.Agent) []string {
	names := []string{Copilot, Demo}
	for _, p := range acpPrograms() {
		names = append(names, p.name)
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// CalledHere are those with the settings of a command line.
func CalledHere(c process.Console) []string {
	prefer, _ := settings.Load(process.SettingsPath(c)) // what is wrong with them is reported where they are needed
	return Called(prefer.Agents)
}

// Register adds the flags that choose the agent and what it begins with.
func (o *Options) Register(f *pflag.FlagSet) {
	f.StringVar(&o.Agent, "agent", "",
		"which `agent` answers: "+strings.Join(Called(nil), ", ")+", acp:COMMAND, sse:URL, openai:BASE,\n"+
			"replay:FILE or a name of the settings\n"+
			"(default: copilot if it is found, else demo)")
	f.Float64Var(&o.Speed, "speed", 1, "how fast a replay is, a `factor`: 1 is the pace of the log, 10 ten times that, 0 all at once")
	f.StringVar(&o.CopilotPath, "copilot-path", "", "the Copilot CLI to drive, a `file` (default: $COPILOT_CLI_PATH, then the PATH)")
	f.StringVar(&o.CopilotURL, "copilot-url", "", "a running Copilot CLI, its `host:port` (its token: $COPILOT_CONNECTION_TOKEN)")
	f.StringVar(&o.TokenEnv, "token-env", "", "the `variable` that holds the token of a chat agent (sse:URL, openai:BASE)")
	f.StringVar(&o.Model, "model", "", "the model to use, by `name` (default: $COPILOT_MODEL, then the agent's own choice)")
	f.StringVar(&o.Dir, "cwd", "", "the `folder` the agent works in (default: this one)")
	f.StringVarP(&o.Resume, "resume", "r", "", "the `[id]` of the session to resume; without one, choose it from a list")
	f.BoolVarP(&o.Continued, "continue", "c", false, "resume the last session of the folder")
	f.BoolVar(&o.Inline, "inline", false, "write what is finished into the terminal, which keeps it, and show what still runs below")
	f.BoolVar(&o.ScreenReader, "screen-reader", false, "write what happens once, in lines of words, and read lines (as with TERM=dumb)")
	f.StringVar(&o.LowBandwidth, "low-bandwidth", "",
		"spare a slow line to the terminal: `when`, on, off or auto (default: the setting terminal.low_bandwidth;\n"+
			"on if no value follows)")
	f.Lookup("low-bandwidth").NoOptDefVal = "on"
	f.StringVar(&o.Mode, "mode", "", "the `mode` to start in: interactive, plan or autopilot (default: interactive)")
}

// anySession is the value of a --resume without an id.
const anySession = "?"

// ResumeAny returns the arguments of a command line in which each --resume has a value:
// anySession where nothing, or another flag, follows it.
func ResumeAny(args []string) []string {
	args = append([]string{}, args...) // never nil, which Cobra takes for the arguments of the process
	for i, arg := range args {
		switch {
		case arg == "--":
			return args
		case (arg == "-r" || arg == "--resume") && (i+1 == len(args) || strings.HasPrefix(args[i+1], "-")):
			args[i] = "--resume=" + anySession
		}
	}
	return args
}

// Check finds what the flags cannot mean, and makes the folder absolute.
func (o *Options) Check(given *pflag.FlagSet) error {
	if err := o.checkAgent(given); err != nil {
		return err
	}
	switch {
	case given.Changed("mode") && !slices.Contains(Modes, o.Mode):
		return fmt.Errorf("--mode is one of %s, not %q", strings.Join(Modes, ", "), o.Mode)
	case given.Changed("low-bandwidth") && !slices.Contains(LowBandwidths(), o.LowBandwidth):
		return fmt.Errorf("--low-bandwidth is one of %s, not %q", strings.Join(LowBandwidths(), ", "), o.LowBandwidth)
	case given.Changed("low-bandwidth") && given.ArgsLenAtDash() != 0 && slices.Contains(LowBandwidths(), given.Arg(0)):
		return fmt.Errorf("--low-bandwidth takes its value after an equals sign: --low-bandwidth=%s", given.Arg(0))
	case given.Changed("resume") && o.Resume == "":
		return errors.New("--resume needs the id of a session; --continue takes the last one of this folder")
	case o.Resume != "" && o.Continued:
		return errors.New("--resume and --continue name two sessions; leave one of them out")
	case strings.ContainsFunc(o.Resume, unicode.IsSpace):
		return fmt.Errorf("--resume takes the id of a session, not %q; without one it lists them", o.Resume)
	case o.Resume == anySession:
		o.Resume, o.Browse = "", true
	}
	return o.FindFolder()
}

// checkAgent finds what the flags that choose the agent cannot mean together.
func (o *Options) checkAgent(given *pflag.FlagSet) error {
	replays := strings.HasPrefix(o.Agent, ReplayPrefix)
	other := o.Agent != "" && o.Agent != Copilot
	switch {
	case given.Changed("agent") && o.Agent == "":
		return fmt.Errorf("--agent is one of %s, or a name of the settings", strings.Join(Names(nil), ", "))
	case given.Changed("speed") && !replays:
		return errors.New("--speed is for a replay; name one with --agent replay:FILE")
	case o.CopilotPath != "" && other:
		return fmt.Errorf("--copilot-path has no meaning with --agent %s; leave one of them out", o.Agent)
	case o.CopilotURL != "" && other:
		return fmt.Errorf("--copilot-url has no meaning with --agent %s; leave one of them out", o.Agent)
	case o.CopilotURL != "" && o.CopilotPath != "":
		return errors.New("--copilot-url and --copilot-path name two Copilot CLIs; leave one of them out")
	case o.CopilotPath != "" || o.CopilotURL != "":
		o.Agent = Copilot
	}
	return nil
}

// FindFolder makes the folder absolute and sees that it is one. One that was deleted under
// the user has no name any more.
func (o *Options) FindFolder() error {
	dir, err := filepath.Abs(o.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return process.Fail(errors.New("the folder that you are in was deleted; change to one that exists, or give another --cwd"))
	}
	if err != nil {
		return process.Fail(fmt.Errorf("find the working folder: %w", err))
	}
	o.Dir = dir
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

// CheckName finds an --agent that is neither of Parley's own nor of the settings.
// Mistakes in these are reported later.
func (o *Options) CheckName(c process.Console) error {
	if o.Agent == "" || o.Agent == Copilot || o.Agent == Demo || strings.HasPrefix(o.Agent, ReplayPrefix) {
		return nil
	}
	prefer, err := settings.Load(process.SettingsPath(c))
	if _, known := chatAgent(*o, prefer.Agents); known || err != nil {
		return nil //nolint:nilerr // it is reported where the settings are needed
	}
	if _, known, err := acpAgent(o.Agent, prefer.Agents); known || err != nil {
		return err
	}
	return unknownAgent(o.Agent, prefer.Agents)
}
