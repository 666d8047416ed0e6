package settings

// StatusItems are the names that Status.Left and Status.Right may hold: the parts
// of the status line. docs/statusline.md says what each shows.
func StatusItems() []string {
	return []string{
		"activity", "rewording", "allow-all", "sessions", "demo", "vim", "mode", "model", "folder", "session", "queued", "background",
		"servers", "todo", "spent", "tokens", "model-calls", "elapsed", "clock", "agent", "script", "context",
	}
}

// defaultStatus is the status line of a user who has chosen nothing.
func defaultStatus() Status {
	return Status{
		Left: []string{
			"activity", "rewording", "allow-all", "sessions", "demo", "vim", "mode", "model", "folder", "queued", "background",
			"servers", "todo", "spent", "model-calls", "agent",
		},
		Right:         []string{"script", "context"},
		ScriptTimeout: 1000,
	}
}

// renamedItem is what a part of the status line is called now that a file may have by its
// name of before.
func renamedItem(name string) string {
	switch name {
	case "waiting":
		return "queued"
	case "turns":
		return "model-calls"
	}
	return name
}
