// Package headless answers one prompt without a window.
package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"parley/cli/agents"
	"parley/cli/observe"
	"parley/cli/output"
	"parley/cli/policy"
	"parley/cli/process"
	"parley/session"
	"parley/settings"
)

// The forms of --output.
const (
	outputText = "text" // the answer, as text
	outputJSON = "json" // every event, one JSON object a line
)

// Outputs are what --output takes.
var Outputs = []string{outputText, outputJSON}

// promptLimit is how many bytes of prompt are read from the standard input. It
// is far more than any model takes.
const promptLimit = 16 << 20

// promptGrace is how long the standard input may stay open without a word.
const promptGrace = 2 * time.Second

// Flags are the flags of a turn without a window, and those that it
// shares with a chat.
type Flags struct {
	Given    bool   // -p: there is to be no window
	prompt   string // "-" takes it from the standard input alone
	output   string
	allow    []string // the rules of --allow-tool
	AllowAll bool

	Policy policy.Policy // of the rules, after check
}

// Register adds the flags to a command line.
func (h *Flags) Register(f *pflag.FlagSet) {
	f.StringVarP(&h.prompt, "prompt", "p", "",
		"answer this `prompt` without a window and exit; - or a pipe reads (the rest of) it from the standard input")
	f.StringVar(&h.output, "output", outputText, "with -p, the `form` of the standard output: text, or json for all events as JSON lines")
	f.StringArrayVar(&h.allow, "allow-tool", nil,
		"permit what matches this `rule` without asking, such as 'shell(git diff)' or write; may be repeated")
	f.BoolVar(&h.AllowAll, "allow-all", false, "permit everything without asking")
}

// Check finds what the flags cannot mean, and reads the rules. o are the flags
// of the chat, checked.
func (h *Flags) Check(given *pflag.FlagSet, o agents.Options) error {
	h.Given = given.Changed("prompt")
	switch {
	case given.Changed("output") && !slices.Contains(Outputs, h.output):
		return fmt.Errorf("--output is %s, not %q", strings.Join(Outputs, " or "), h.output)
	case given.Changed("output") && !h.Given:
		return errors.New("--output has a meaning with -p only")
	case h.Given && o.Prompt != "":
		return errors.New("there are two prompts: that of -p and the argument; leave one of them out")
	case h.Given && o.Browse:
		return errors.New("with -p, --resume needs the id of a session; --continue takes the last one of this folder")
	case h.Given && strings.TrimSpace(h.prompt) == "":
		return errors.New("the prompt of -p is empty; -p - reads it from the standard input")
	case strings.HasPrefix(h.prompt, "/"):
		return errors.New("a prompt that begins with / is a command, and -p runs none; a space before it sends it as it is")
	}
	var err error
	h.Policy, err = policy.New(h.allow, h.AllowAll, o.Dir)
	return err
}

// Run runs one turn without a window: the answer goes to the standard
// output, what happens beside it to the standard error. It returns when the
// turn has really ended.
func Run(c process.Console, o agents.Options, h Flags, w observe.Observer) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	// Without this the process would die of it, and the agent's end be left to chance.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)
	prompt, err := awaitPrompt(c, h.prompt, signals, time.After)
	if err != nil {
		return err
	}
	if o.Agent == "" {
		o.Agent = agents.Copilot // a script must not take the demo's words for an answer
	}
	home, _ := os.UserHomeDir() // without one, paths are shown whole
	prefer, err := settings.Load(process.SettingsPath(c))
	if err != nil {
		return err
	}
	backend, err := agents.ForChat(o, c.Env, prefer)
	if err != nil {
		return err
	}
	t := &turn{
		prompt: prompt, policy: h.Policy, signals: signals, after: time.After,
		activity: newActivity(c.Err, output.Width(process.Console{Out: c.Err, Env: c.Env}), home, o.Dir),
	}
	open := w.Open(backend)
	t.show(c.Out, h.output, term.IsTerminal(c.Out.Fd()), term.IsTerminal(c.Err.Fd()))
	return t.run(func(ctx context.Context) (session.Agent, session.Session, error) {
		agent, err := open(ctx)
		if err != nil {
			return nil, nil, err
		}
		var s session.Session
		err = session.Guard(func() (err error) { s, err = openSession(ctx, c, agent, o); return err })
		return agent, s, err // the agent is closed also after a panic
	})
}

// openSession starts or resumes the session that the flags name.
func openSession(ctx context.Context, c process.Console, agent session.Agent, o agents.Options) (session.Session, error) {
	with := session.Options{Model: o.Model, Mode: session.Mode(o.Mode), Dir: o.Dir}
	id := session.ID(o.Resume)
	if o.Continued {
		latest, ok := session.As[session.Latest](agent)
		if !ok {
			return nil, errors.New("this agent keeps no sessions to continue")
		}
		deleted, err := agents.DeletedSessions(ctx, c)
		if err != nil {
			return nil, err
		}
		if id, err = latest.LatestID(ctx, o.Dir, deleted...); err != nil {
			return nil, fmt.Errorf("find the last session of %s: %w", o.Dir, err)
		}
	}
	if id != "" {
		return agent.Resume(ctx, id, with)
	}
	return agent.Open(ctx, with)
}

// awaitPrompt reads the prompt. When the standard input does not end, it says
// what is waited for; a signal ends that.
func awaitPrompt(c process.Console, flag string, signals <-chan os.Signal, after func(time.Duration) <-chan time.Time) (string, error) {
	var prompt string
	var err error
	read := make(chan struct{})
	go func() {
		defer close(read)
		err = session.Guard(func() (err error) { prompt, err = readPrompt(c.In, flag); return err })
	}()
	late := after(promptGrace)
	for {
		select {
		case <-read:
			return prompt, err
		case s := <-signals:
			return "", ended(s)
		case <-late:
			process.Complain(c.Err, errors.New("waiting for the rest of the prompt from standard input; </dev/null if there is no more"))
		}
	}
}

// readPrompt returns the prompt: that of the flag, and below it, after a blank
// line, what is piped in. "-" stands for what is piped in alone.
func readPrompt(in *os.File, flag string) (string, error) {
	alone := flag == "-"
	if alone && term.IsTerminal(in.Fd()) {
		return "", errors.New("-p - reads the prompt from a pipe, and nothing is piped in")
	}
	piped := ""
	if alone || isPiped(in) {
		text, err := io.ReadAll(io.LimitReader(in, promptLimit+1))
		switch {
		case err != nil:
			return "", fmt.Errorf("read the prompt from the standard input: %w", err)
		case len(text) > promptLimit:
			return "", fmt.Errorf("the standard input holds more than %d MB; name a file in the prompt instead", promptLimit>>20)
		}
		piped = strings.Trim(strings.ToValidUTF8(string(text), "\uFFFD"), "\r\n")
	}
	switch {
	case alone && strings.TrimSpace(piped) == "":
		return "", errors.New("the standard input holds no prompt")
	case alone:
		return piped, nil
	case strings.TrimSpace(piped) == "":
		return flag, nil
	}
	return flag + "\n\n" + piped, nil
}

// isPiped reports whether something other than a user or nothing is at the
// standard input.
func isPiped(in *os.File) bool {
	info, err := in.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0)
}
