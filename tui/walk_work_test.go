package tui

// workRounds are about what the agent works on, and with what.
func workRounds() []round {
	return []round{
		{name: "tasks", agent: withACommand, begin: until("line 1 of 20"), steps: taskSteps()},
		{name: "more tasks", agent: withACommand, begin: until("line 1 of 20"), steps: moreTaskSteps()},
		{name: "todos", begin: sends("todos", "All but one are done", textReady), steps: todoSteps()},
		{name: "helpers", steps: helperSteps()},
		{name: "permissions", begin: withAGrant, steps: permissionSteps()},
		{name: "folders", steps: folderSteps()},
	}
}

// taskSteps list what runs and send it to the background.
func taskSteps() []step {
	return []step{
		{row: "tasks", key: "/tasks", want: sees("Tasks", "shell  count slowly"), back: closes("esc", "count slowly")},
		{row: "background", key: "ctrl+x b", want: sees("Moved to the background"), back: sends("/tasks", unattended)},
	}
}

// moreTaskSteps send what runs to the background by its name.
func moreTaskSteps() []step {
	return []step{{row: "background", key: "/background", want: sees("Moved to the background"), back: sends("/tasks", unattended)}}
}

// todoSteps show what is to be done.
func todoSteps() []step {
	list := func(key string) step {
		return step{row: "todos", key: key, want: sees("To do, 3 of 4 done", "Look around"), back: closes("esc", "To do,")}
	}
	return []step{
		list("/todos"),
		{row: "todo-band", key: "ctrl+x t", want: sees("To-do list: all lines")},
	}
}

// helperSteps are about who and what helps.
func helperSteps() []step {
	aside := func(key string) step {
		return step{
			row: "ask", key: key + " how far", want: sees("On the side", "You asked on the side: how far."),
			back: closes("esc", "On the side "),
		}
	}
	agents := func(key string) step {
		return step{row: "agent", key: key, want: sees("Poet", "Reviewer", "enter choose"), back: closes("esc", "Reviewer")}
	}
	return []step{
		aside("/ask"), aside("/btw"),
		agents("/agent"), agents("/agents"),
		{row: "agent", key: "/agent poet", rest: sends("/session"), want: sees("handled by  Poet"), back: closes("esc", "handled by")},
		{row: "skills", key: "/skills", want: sees("Skills", "✓ tidy"), back: closes("esc", "✓ tidy")},
		{row: "hooks", key: "/hooks", want: sees("This agent reports no hooks.")},
		{row: "options", key: "/options", want: sees("This agent has no options of its own; /settings has Parley's.")},
		{row: "mcp", key: "/mcp", want: sees("MCP servers", "✓ demo-notes"), back: closes("esc", "✓ demo-notes")},
	}
}

// withAGrant allows a tool for the session.
func withAGrant(w *walker) {
	w.t.Helper()
	w.say("custom")
	w.answer("s", textOnce)
	w.idle("The die shows 4")
}

// permissionSteps are about what is allowed without asking.
func permissionSteps() []step {
	grants := func(key string) step {
		return step{row: "grants", key: key, want: sees("Allowed without asking", "`roll_dice`"), back: closes("esc", "Allowed without")}
	}
	everything := func(key string) step {
		return step{row: "allow-all", key: key, want: sees("Allow everything without asking?", "Yes, allow everything")}
	}
	const warning = "allow-all: nothing asks"
	first, second := everything("/allow-all"), everything("/yolo")
	first.back = inOrder(closes("esc", "Yes, allow everything"))
	second.back = func(w *walker) {
		chooses("Yes, allow everything")(w)
		sure(w)
		w.wait(warning)
	}
	return []step{
		grants("/grants"), grants("/permissions"), grants("/approvals"), first, second,
		{row: "allow-all", key: "/allow-all off", want: gone(warning)},
	}
}

// folderSteps are about the folders of a session.
func folderSteps() []step {
	const noDrive = "paths without a drive"
	return []step{
		{row: "add-dir", key: "/add-dir /usr/lib", unix: noDrive, want: sees("The agent may work in /usr/lib too.")},
		{row: "trust", key: "/trust", want: sees("This agent asks about no folder.")},
		{row: "list-dirs", key: "/list-dirs", unix: noDrive, want: sees("Folders   ", "\n  /usr/lib\n"), back: closes("esc", "Folders   ")},
		{row: "cwd", key: "/cwd /usr/bin", unix: noDrive, want: sees("Working folder changed to /usr/bin", "· bin")},
		{row: "cwd", key: "/cd /usr/lib", unix: noDrive, want: sees("Working folder changed to /usr/lib", "· lib")},
	}
}
