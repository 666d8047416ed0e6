package main

// programRounds are about Parley itself, and the ways to leave it.
func programRounds() []round {
	leave := func(name string, s ...step) round { return round{name: "leaving by " + name, steps: s} }
	quit := func(row, key string) step { return step{row: row, key: key, ends: true} }
	again := func(row, key string) step { return step{row: row, key: key, want: sees(key + " again to quit")} }
	return []round{
		{name: "help", steps: helpSteps()},
		{name: "suspending", keyboards: everyKeyboard(), shell: true, steps: suspendSteps()},
		leave("ctrl+c", again("cancel", "ctrl+c"), quit("cancel", "ctrl+c")),
		leave("ctrl+d", again("delete", "ctrl+d"), quit("delete", "ctrl+d")),
		leave("quit", quit("quit", "/quit")),
		leave("exit", quit("quit", "/exit")),
		leave("q", quit("quit", "/q")),
	}
}

// helpSteps show the keys and commands, and what this is.
func helpSteps() []step {
	help := func(key string) step {
		return step{row: "help", key: key, want: sees("Keys and commands", "Composer"), back: closes("esc", "Keys and commands")}
	}
	keys := func(key string) step {
		return step{row: "keys", key: key, want: sees("Your keys", "keys.toml"), back: closes("esc", "Your keys")}
	}
	return []step{
		help("?"), help("/help"), keys("/keys"), keys("/keymap"), keys("/keybindings"),
		{row: "terminal-setup", key: "/terminal-setup", want: sees("Your terminal", "esc closes"), back: closes("esc", "Your terminal")},
		{row: "version", key: "/version", want: sees("Parley " + release + " · demo")},
	}
}

// suspendSteps suspend to the shell and come back.
func suspendSteps() []step {
	return []step{{
		row: "suspend", key: "ctrl+z", lead: types("half a thought"), want: sees("Stopped"),
		back: func(w *walker) {
			w.checkModes()
			enters("fg\r", "half a thought", "interactive")(w)
			types(" and the rest")(w)
		},
	}}
}
