package keymap

// unavailable says why a command of the Copilot CLI's own window, or of another
// agent's, is none here, and what to do instead; "" where it is not known. They
// are those that no runtime runs for a client.
func unavailable(name string) string {
	switch name {
	case "user":
		return "/login and /logout change who is signed in."
	case "update", "upgrade", "changelog", "release-notes", "experimental":
		return "It is about the Copilot CLI itself: run `copilot` in a shell."
	case "a11y":
		return "/settings has what helps: motion, times, density and the theme."
	case "limits":
		return "The agent asks when a session has used up its limit."
	case "delegate", "subagents", "ide", "app", "voice", "computer", "keep-alive", "lsp", "pr", "worktree", "move":
		return "It lives in the Copilot CLI's own window, and its runtime does not offer it to others."
	case "collect-debug-logs":
		return "/report writes what happened, without content; parley --log-file FILE keeps a longer log of the same."
	case "refine", "instructions":
		return "Ask the agent for it in a prompt."
	}
	return ""
}
