package agents

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"parley/cli/process"
	"parley/history/sessions"
	"parley/session"
	"parley/session/acp"
	"parley/session/local"
	"parley/settings"
	"parley/settings/environ"
)

// ACPPrefix comes before the command of an agent that speaks the Agent Client Protocol.
const ACPPrefix = "acp:"

// acpProgram is an agent that speaks the Agent Client Protocol, and what installs it.
type acpProgram struct {
	name    string
	command []string
	install string // "" is not known

	env         []string // beside what all have
	mode, model string   // that sessions begin with; "" leaves it to the agent
}

// acpPrograms are the agents that --agent knows by name.
func acpPrograms() []acpProgram {
	return []acpProgram{
		{name: "gemini", command: []string{"gemini", "--acp"}, install: "npm install -g @google/gemini-cli"},
		{name: "opencode", command: []string{"opencode", "acp"}, install: "npm install -g opencode-ai"},
		{name: "claude", command: []string{"claude-agent-acp"}, install: "npm install -g @agentclientprotocol/claude-agent-acp"},
		{name: "codex", command: []string{"codex-acp"}, install: "npm install -g @agentclientprotocol/codex-acp"},
	}
}

// acpAgent is the program that --agent names by its command, or by its name in the settings or
// of those that are known; not ok if it names none.
func acpAgent(name string, named map[string]settings.Agent) (p acpProgram, ok bool, err error) {
	if a := named[name]; len(a.Command) > 0 {
		p = acpProgram{name: name, command: a.Command, mode: a.Mode, model: a.Model}
		for _, variable := range slices.Sorted(maps.Keys(a.Env)) {
			p.env = append(p.env, variable+"="+a.Env[variable])
		}
		return p, true, nil
	}
	if line, is := strings.CutPrefix(name, ACPPrefix); is {
		words, err := environ.ShellWords(line)
		if err == nil && len(words) == 0 {
			err = errors.New("the command is missing")
		}
		if err != nil {
			return p, true, fmt.Errorf("--agent %s: %w; write acp:COMMAND, such as \"acp:gemini --acp\"", name, err)
		}
		return acpProgram{name: name, command: words}, true, nil
	}
	all := acpPrograms()
	i := slices.IndexFunc(all, func(p acpProgram) bool { return p.name == name })
	if i < 0 {
		return p, false, nil
	}
	return all[i], true, nil
}

// config is how the program is started. What the settings add to its environment it gets in any case.
func (p acpProgram) config(env []string, telemetry bool) acp.Config {
	return acp.Config{
		Command: p.command, Env: append(slices.Clip(programEnv(env, telemetry)), p.env...),
		Name: p.name, Install: p.install, Mode: p.mode, Model: p.model, Client: process.Version(),
	}
}

// installed reports whether the program is found as a shell finds it.
func (p acpProgram) installed(env []string) bool {
	_, err := acp.LookPath(p.command[0], env)
	return err == nil
}

// Program is an agent that speaks the Agent Client Protocol, as it is on this machine.
type Program struct {
	acp.Found
	Option string // of --agent
	Err    error  // why it said nothing
}

// Probe starts the agents of the settings, and those that are known and on the PATH, side by
// side, and returns what they say of themselves. No session is opened.
func Probe(ctx context.Context, prefer settings.Settings, env []string) []Program {
	named := prefer.Agents
	names := Called(named)
	slices.Sort(names)
	found := make([]Program, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		if p, ok, err := acpAgent(name, named); ok && err == nil {
			all.Go(func() {
				says, err := acp.Probe(ctx, p.config(env, prefer.Telemetry.Agent))
				found[i] = Program{Found: says, Option: name, Err: err}
			})
		}
	}
	all.Wait()
	return slices.DeleteFunc(found, func(p Program) bool {
		var missing *acp.MissingError
		return p.Option == "" || errors.As(p.Err, &missing) && len(named[p.Option].Command) == 0
	})
}

// acpBackend is an agent that speaks the Agent Client Protocol.
func acpBackend(p acpProgram, o Options, env []string, telemetry bool) Backend {
	home, _ := os.UserHomeDir()
	config := p.config(env, telemetry)
	config.Dir, config.Store = o.Dir, local.NoStore{}
	if dir := environ.StateDir(env, home); dir != "" {
		config.Store = sessions.StoreIn(OwnSessions(dir))
		config.Trust = trustedFolders(filepath.Join(dir, "trusted-folders"))
	}
	kept := &keptSessions{config: config}
	return Backend{
		Name: p.name, Keeper: sessions.ParleyKeeper, Flags: []string{"--agent", p.name}, Kept: kept.list,
		Open: func(ctx context.Context) (session.Agent, error) {
			agent, err := acp.Open(ctx, config)
			if err == nil {
				kept.agent.Store(agent)
			}
			return Opened(agent, err)
		},
	}
}

// keptSessions are those that an agent keeps and that are not stored here.
type keptSessions struct {
	config acp.Config
	agent  atomic.Pointer[acp.Agent] // that was opened last; nil is none
}

// list asks the agent that runs, or one that is started for it.
func (k *keptSessions) list(ctx context.Context) (logs []sessions.Log, err error) {
	agent := k.agent.Load()
	kept, err := []session.Stored(nil), local.ErrClosed
	if agent != nil {
		kept, err = agent.Kept(ctx)
	}
	if errors.Is(err, local.ErrClosed) {
		if agent, err = acp.Open(ctx, k.config); err != nil {
			return nil, err
		}
		kept, err = agent.Kept(ctx)
		err = errors.Join(err, agent.Close(ctx))
	}
	for _, s := range kept {
		logs = append(logs, sessions.Log{
			ID: s.ID, Agent: s.Agent, Modified: s.Used, Name: s.Title, Dir: s.Dir, Client: s.Client, AgentSessionID: s.AgentSessionID,
		})
	}
	return logs, err
}

// trustedFolders is a file with a line for each agent and folder in which it is trusted.
type trustedFolders string

func trustLine(agent, dir string) string { return fmt.Sprintf("%q %q", agent, dir) }

// Trusted implements acp.Trust. A file that cannot be read trusts nothing.
func (f trustedFolders) Trusted(agent, dir string) bool {
	text, err := os.ReadFile(string(f))
	return err == nil && slices.Contains(strings.Split(string(text), "\n"), trustLine(agent, dir))
}

// Keep implements acp.Trust.
func (f trustedFolders) Keep(agent, dir string) (err error) {
	if err := os.MkdirAll(filepath.Dir(string(f)), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(string(f), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = fmt.Fprintln(file, trustLine(agent, dir))
	return err
}
