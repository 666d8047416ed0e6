package session

import "context"

// LoadReporter is a Session that reports what its agent has loaded for its folder and for
// its user.
type LoadReporter interface {
	Loaded(ctx context.Context) (Loaded, error)
}

// FolderTruster is a Session that takes nothing from its folder until the user trusts that.
type FolderTruster interface {
	// FolderTrusted reports whether the folder that it works in now is trusted.
	FolderTrusted() bool
}

// Loaded is what an agent has loaded, by name. MCP servers are an McpManager's.
type Loaded struct {
	Instructions []string // the files with instructions for the model, as seen from the folder
	Skills       []string // that are switched on, without those that the agent brings along
	Hooks        []string // the moments at which commands run by themselves, such as "sessionStart", or the files that name them
	Wrong        []string // what could not be loaded, in the agent's words
}
