package acp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"parley/session"
)

// brought is a file by which a folder makes an agent load or start something.
type brought struct{ agent, path, what string }

// bringing are the files that agents look for. An agent that is not known may look for any of them.
var bringing = []brought{
	{"gemini", "GEMINI.md", "instructions"},
	{"gemini", ".gemini/settings.json", "settings, which may start MCP servers"},
	{"gemini", ".gemini/commands", "slash commands"},
	{"gemini", ".gemini/extensions", "extensions"},
	{"opencode", "AGENTS.md", "instructions"},
	{"opencode", "opencode.json", "settings, which may start MCP servers"},
	{"opencode", "opencode.jsonc", "settings, which may start MCP servers"},
	{"opencode", ".opencode/plugin", "plugins, which run as programs"},
	{"opencode", ".opencode/plugins", "plugins, which run as programs"},
	{"opencode", ".opencode/command", "slash commands"},
	{"opencode", ".opencode/agent", "agents"},
	{"claude", "CLAUDE.md", "instructions"},
	{"claude", ".mcp.json", "MCP servers, which run as programs"},
	{"claude", ".claude/settings.json", "settings, which may run hooks"},
	{"claude", ".claude/settings.local.json", "settings, which may run hooks"},
	{"claude", ".claude/commands", "slash commands"},
	{"claude", ".claude/agents", "agents"},
	{"claude", ".claude/skills", "skills"},
	{"codex", "AGENTS.md", "instructions"},
	{"codex", ".codex/config.toml", "settings, which may start MCP servers"},
	{"copilot", "AGENTS.md", "instructions"},
	{"copilot", ".github/copilot-instructions.md", "instructions"},
	{"copilot", ".github/hooks", "hooks, which run as programs"},
}

// loads are what an agent would load of a folder.
func loads(agent, dir string) (found []session.FolderContents) {
	known := false
	for _, b := range bringing {
		known = known || strings.Contains(strings.ToLower(agent), b.agent)
	}
	seen := map[string]bool{}
	for _, b := range bringing {
		if known && !strings.Contains(strings.ToLower(agent), b.agent) || seen[b.path] {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, b.path)); err == nil {
			seen[b.path] = true
			found = append(found, session.FolderContents{Path: b.path, What: b.what})
		}
	}
	return found
}

// errUntrusted is why no session was opened.
var errUntrusted = errors.New("the folder is not trusted, and the agent would load and start what is in it, " +
	"so no session was opened; resume it to be asked again, or work in another folder")

// askTrust asks whether the agent may load what the folder has, unless that is known.
func (s *Session) askTrust() error {
	agent := strings.Join(s.agent.cfg.Command, " ") + " " + s.agent.cfg.Name
	found := loads(agent, s.About.Dir)
	keeper := s.agent.cfg.Trust
	if len(found) == 0 || keeper != nil && keeper.Trusted(s.agent.cfg.Name, s.About.Dir) {
		return nil
	}
	answers := make(chan session.FolderTrustAnswer, 1)
	s.Mu.Lock()
	s.trusting = session.FolderTrustRequested{RequestID: session.RequestID(uuid.NewString()), Folder: s.About.Dir, Loads: found}
	s.trust = answers
	s.Log.Put(s.trusting)
	s.Mu.Unlock()
	select {
	case <-s.Life.Done():
		s.Log.Put(s.trusting.Withdrawn(""))
		return s.Life.Err()
	case a := <-answers:
		s.Log.Put(session.FolderTrustCompleted{RequestID: a.RequestID, Trusted: a.Trusted, Remembered: a.Remember})
		if !a.Trusted {
			return errUntrusted
		}
		if a.Remember && keeper != nil {
			if err := keeper.Keep(s.agent.cfg.Name, s.About.Dir); err != nil {
				s.Log.Put(session.SessionWarning{
					WarningType: "trust", Message: fmt.Sprintf("That the folder is trusted could not be kept: %v", err),
				})
			}
		}
		return nil
	}
}

// respondTrust takes the answer to the question about the folder. Mu is held.
func (s *Session) respondTrust(a session.Answer) error {
	switch a := a.(type) {
	case session.FolderTrustAnswer:
		s.trust <- a
	case session.Refusal:
		s.trust <- session.FolderTrustAnswer{RequestID: a.RequestID}
	default:
		return fmt.Errorf("%T is no answer to whether a folder is trusted", a)
	}
	s.trust = nil
	return nil
}
