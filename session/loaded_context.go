package session

import "context"

// LoadReporter is a Session that reports what its agent has loaded for its folder and for
// its user.
type LoadReporter interface {
	Loaded(ctx context.Context) (Loaded, error)
}

// FolderTruster is a Session that takes nothing from its folder, and starts no MCP server of
// the user's in it, until the user trusts that.
type FolderTruster interface {
	// FolderTrusted reports whether the folder that it works in now is trusted.
	FolderTrusted() bool
	// AskTrust asks by a FolderTrustRequested, also if the user was asked before, and
	// does nothing while that is open.
	AskTrust(ctx context.Context) error
}

// HookLister is a Session that lists the hooks it runs: commands of the user's, a folder's
// or a plugin's that the agent runs by itself at certain moments.
type HookLister interface {
	Hooks(ctx context.Context) (Hooks, error)
}

// Hooks are those that are configured.
type Hooks struct {
	All   []Hook
	Wrong []string // what could not be loaded, in the agent's words
}

// Hook is one command, or a file with some.
type Hook struct {
	Event   string // the moment, such as "preToolUse"; "" for all in a file
	Source  string // the file or plugin that it is from
	Origin  string // user, repository, plugin or policy; "" if that is not known
	Enabled bool
}

// Loaded is what an agent has loaded, by name. MCP servers are an McpManager's.
type Loaded struct {
	Instructions []string // the files with instructions for the model, as seen from the folder
	Skills       []string // that are switched on, without those that the agent brings along
	Hooks        []string // the moments at which commands run by themselves, such as "sessionStart", or the files that name them
	Wrong        []string // what could not be loaded, in the agent's words
	Held         Held     // what is loaded once the folder is trusted
}

// Held is what a folder holds and a session has not loaded, as it is not trusted.
type Held struct {
	Instructions []string // files, as seen from the folder
	Skills       []string // by name
	Hooks        []string // the files that can name some
}
