package settings

// StatusItems are the names that Status.Left and Status.Right may hold: the parts
// of the status line. docs/statusline.md says what each shows.
func StatusItems() []string {
	return []string{
		"activity", "rewording", "allow-all", "sessions", "demo", "vim", "mode", "model", "folder", "session", "waiting", "background",
		"servers", "todo", "spent", "tokens", "turns", "elapsed", "clock", "agent", "script", "context",
	}
}

// defaultStatus is the status line of a user who has chosen nothing.
func defaultStatus() Status {
	return Status{
		Left: []string{
			"activity", "rewording", "allow-all", "sessions", "demo", "vim", "mode", "model", "folder", "waiting", "background",
			"servers", "todo", "spent", "turns", "agent",
		},
		Right:         []string{"script", "context"},
		ScriptTimeout: 1000,
	}
}
