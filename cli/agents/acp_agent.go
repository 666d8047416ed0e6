package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/cli/process"
	"parley/history/sessions"
	"parley/session"
	"parley/session/acp"
	"parley/session/local"
	"parley/settings/environ"
)

// ACPPrefix comes before the command of an agent that speaks the Agent Client Protocol.
const ACPPrefix = "acp:"

// acpProgram is a known agent that speaks the Agent Client Protocol, and what installs it.
type acpProgram struct {
	name    string
	command []string
	install string
}

// acpPrograms are the agents that --agent knows by name.
func acpPrograms() []acpProgram {
	return []acpProgram{
		{"gemini", []string{"gemini", "--acp"}, "npm install -g @google/gemini-cli"},
		{"opencode", []string{"opencode", "acp"}, "npm install -g opencode-ai"},
		{"claude", []string{"claude-agent-acp"}, "npm install -g @agentclientprotocol/claude-agent-acp"},
		{"codex", []string{"codex-acp"}, "npm install -g @agentclientprotocol/codex-acp"},
	}
}

// acpAgent is the program that --agent names by its command or by its name; not ok if it names none.
func acpAgent(name string) (p acpProgram, ok bool, err error) {
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

// acpBackend is an agent that speaks the Agent Client Protocol.
func acpBackend(p acpProgram, o Options, env []string) Backend {
	home, _ := os.UserHomeDir()
	config := acp.Config{
		Command: p.command, Env: env, Name: p.name, Install: p.install, Dir: o.Dir, Client: process.Version(), Store: local.NoStore{},
	}
	if dir := environ.StateDir(env, home); dir != "" {
		config.Store = sessions.StoreIn(OwnSessions(dir))
		config.Trust = trustedFolders(filepath.Join(dir, "trusted-folders"))
	}
	return Backend{
		Name: p.name, Keeper: sessions.ParleyKeeper, Flags: []string{"--agent", p.name},
		Open: func(ctx context.Context) (session.Agent, error) { return Opened(acp.Open(ctx, config)) },
	}
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
