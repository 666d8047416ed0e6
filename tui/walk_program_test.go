package tui

import "path/filepath"

// programRounds are about Parley itself, and the ways to leave it.
func programRounds() []round {
	leave := func(name string, s ...step) round { return round{name: "leaving by " + name, steps: s} }
	quit := func(row, key string) step { return step{row: row, key: key, want: noted("quit")} }
	again := func(row, key string) step { return step{row: row, key: key, want: sees(key + " again to quit")} }
	return []round{
		{name: "help", steps: helpSteps()},
		{name: "settings", steps: settingsSteps()},
		{name: "status line", steps: statusLineSteps()},
		{name: "doctor and report", steps: doctorSteps()},
		{name: "suspending", steps: suspendSteps()},
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
	themes := func(name string) step {
		return step{row: "theme", key: name, want: sees("high-contrast", "esc close"), back: closes("esc", "high-contrast")}
	}
	keys := func(key string) step {
		return step{row: "keys", key: key, want: sees("Your keys", "keys.toml"), back: closes("esc", "Your keys")}
	}
	return []step{
		{row: "chords", key: "ctrl+x ?", want: sees("Keys and commands", "/ ctrl+x", "1-"), back: closes("esc", "Keys and commands")},
		help("?"), help("/help"), keys("/keys"), keys("/keymap"), keys("/keybindings"),
		themes("/theme"), themes("/themes"),
		{row: "terminal-setup", key: "/terminal-setup", want: sees("Your terminal", "esc close"), back: closes("esc", "Your terminal")},
		{row: "version", key: "/version", want: sees("Parley 0.1.0 · demo")},
	}
}

// settingsSteps change a setting, and write another.
func settingsSteps() []step {
	open := func(key string) step {
		return step{row: "settings", key: key, want: sees("Settings", "❯ Theme", "enter change"), back: closes("esc", "enter change")}
	}
	change := func(row, key, want string) step { return step{row: row, key: key, want: sees(want)} }
	list := open("/settings")
	list.back = enters("density", "❯ How much is shown  enough to follow")
	return []step{
		open("/config"),
		list,
		change("list-effort", "right", "❯ How much is shown  everything (changed)"),
		change("list-effort", "left", "❯ How much is shown  enough to follow"),
		{row: "list-close", key: "esc", want: gone("enter change")},
	}
}

// statusLineSteps choose and order what the status line shows.
func statusLineSteps() []step {
	const model, mode = "✓ model", "✓ mode"
	return []step{
		{row: "status-line", key: "/statusline", want: sees("Status line", mode), back: closes("esc", mode)},
		{row: "status-line", key: "/footer", want: sees("Status line", mode), back: chooses(model)},
		{row: "list-queue", key: "shift+up", want: sees("demo · demo-fast · interactive")},
		{row: "list-queue", key: "shift+down", want: sees("demo · interactive · demo-fast")},
		{row: "list-switch", key: "space", want: both(sees("− model"), gone("interactive · demo-fast"))},
	}
}

// doctorSteps look at what is around the window, and report a mistake.
func doctorSteps() []step {
	look := func(key string) step {
		return step{row: "doctor", key: key, want: sees("Terminal", "100 by 30"), back: closes("esc", "100 by 30")}
	}
	report := func(key string, back ...func(*walker)) step {
		return step{row: "report", key: key, want: sees("This is all that would be written"), back: inOrder(back...)}
	}
	leave := closes("esc", "This is all that would be written")
	return []step{
		look("/doctor"), look("/diagnose"),
		report("/report", edited("e", "report.md 600 [# A report]", "Walked"), until("This is all"), leave),
		report("/bug", enters("c", "Copied"), leave),
		{
			row: "report", key: "/feedback", args: func(w *walker) string { return filepath.Join(w.folder, "report.md") },
			rest: inOrder(until("This is all that would be written"), enters("w", "The report is in")), want: file("report.md", "agent: demo"),
		},
	}
}

// suspendSteps suspend to the shell and come back.
func suspendSteps() []step {
	return []step{{
		row: "suspend", key: "ctrl+z", unix: "suspension", lead: typing("half a thought"), want: noted("suspend"),
		back: func(w *walker) {
			saves("", "half a thought", "interactive")(w)
			typing(" and the rest")(w)
		},
	}}
}
