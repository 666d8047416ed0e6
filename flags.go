package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/session"
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

// commandLine is the whole command line of Parley.
type commandLine struct{ *cobra.Command }

// execute runs the command that args name.
func (l commandLine) execute(args []string) error {
	l.SetArgs(append([]string{}, args...)) // Cobra takes nil for the arguments of the process
	return l.Execute()
}

// root builds the command line: a chat, unless the first argument names a
// subcommand; "--" ends that, so that every word can be a prompt (decision 21).
func root(c console) commandLine {
	var o options
	var h headlessFlags
	var showVersion bool
	cmd := &cobra.Command{
		Use:   "parley [prompt]",
		Short: "Chat with a coding agent in the terminal",
		Long: "Parley is a terminal chat for coding-agent sessions. It drives the GitHub Copilot CLI\n" +
			"if that is installed, else an embedded demo. It asks before anything happens.",
		Example: "  parley\n" +
			"  parley 'explain the tests in this folder'\n" +
			"  parley --continue\n" +
			"  git diff | parley -p 'review this' --allow-tool 'shell(git diff)'\n" +
			"  parley -- print                    # the prompt \"print\", not the subcommand\n" +
			"  parley print session.jsonl --width 100",
		Args:          onePrompt,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if showVersion {
				_, err := fmt.Fprintln(c.out, "parley", version())
				return fail(err)
			}
			o.prompt = strings.Join(args, "")
			if err := o.check(cmd.Flags()); err != nil {
				return err
			}
			if err := o.checkName(c); err != nil {
				return err
			}
			if err := h.check(cmd.Flags(), o); err != nil {
				return err
			}
			return fail(h.watching(c, func(h headlessFlags) error {
				if h.given {
					return headless(c, o, h)
				}
				return chat(c, o, h)
			}))
		},
	}
	f := cmd.Flags()
	o.register(f)
	h.register(f)
	f.BoolVar(&showVersion, "version", false, "print the version and leave")
	f.BoolP("help", "h", false, "print this help and leave")
	f.SortFlags = false
	cmd.SetIn(c.in)
	cmd.SetOut(c.out)
	cmd.SetErr(c.err)
	cmd.SetFlagErrorFunc(flagError)
	cmd.AddCommand(printCommand(c), newPast(c).command(), configCommand(c), keysCommand(c), doctorCommand(c),
		completionCommand(c), reportCommand(c))
	cmd.SetHelpCommand(helpCommand())
	completing(cmd)
	return commandLine{cmd}
}

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

// helpCommand is "parley help", which knows when there is nothing to help with.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Print the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("there is no command %q; `parley --help` lists them, and a prompt of several words needs quotes",
					strings.Join(args, " "))
			}
			return fail(about.Help())
		},
	}
}

// onePrompt accepts one argument at most: a prompt of several words is one
// argument in quotes, so that a misspelt command never becomes a prompt.
func onePrompt(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 1 && strings.TrimSpace(args[0]) == "":
		return errors.New("the prompt is empty; leave it out to start without one")
	case len(args) < 2:
		return nil
	}
	if like := nearest(args[0], commandNames(cmd)); like != "" {
		return fmt.Errorf("unknown command %q; did you mean `parley %s`? (a prompt of several words needs quotes)", args[0], like)
	}
	return fmt.Errorf("a prompt is one argument; put it in quotes: parley %q", strings.Join(args, " "))
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return names
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
		return fail(fmt.Errorf("find the working folder: %w", err))
	}
	o.dir = dir
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fail(fmt.Errorf("the folder %s does not exist; make it, or give another --cwd", dir))
	case err != nil:
		return fail(fmt.Errorf("look at the working folder: %w", err))
	case !info.IsDir():
		return fail(fmt.Errorf("%s is not a folder; give --cwd a folder", dir))
	}
	return nil
}

// flagError says which flag is wrong, and which one may be meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		err = fmt.Errorf("--%s cannot be %q%s", invalid.GetFlag().Name, invalid.GetValue(), flagTakes(invalid.GetFlag()))
	}
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w; `%s --help` tells what it takes", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if like := nearest(unknown.GetSpecifiedName(), names); like != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, like)
	}
	return fmt.Errorf("%w; `%s --help` lists the flags", err, cmd.CommandPath())
}

// flagTakes says which values a flag takes, at the end of a sentence; "" where its
// type does not say it.
func flagTakes(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "; it takes a whole number"
	case "float64":
		return "; it takes a number"
	case "bool":
		return "; it takes true or false"
	}
	return ""
}

// nearest returns the name that a misspelt one may mean: two letters away at
// most, or begun by it; "" if there is none.
func nearest(typed string, names []string) string {
	best, distance := "", 3
	for _, name := range names {
		d := levenshtein.ComputeDistance(typed, name)
		if len(typed) > 2 && strings.HasPrefix(name, typed) {
			d = min(d, 2)
		}
		if d < distance && d < len(name) {
			best, distance = name, d
		}
	}
	return best
}
