package tui

// sessionRounds are about the session.
func sessionRounds() []round {
	tide := resumed("Tide", "And the moon?")
	return []round{
		{name: "interrupting", begin: inOrder(sends("huge", textBusy), until("Part 1")), steps: interruptSteps()},
		{name: "modes", steps: modeSteps()},
		{name: "models", steps: modelSteps()},
		{name: "resuming", steps: resumeSteps()},
		{name: "new sessions", begin: tide, steps: newSteps()},
		{name: "side by side", begin: tide, steps: besideSteps()},
		// There is room for the line of a new day: what is copied is two hours old.
		{name: "copies", size: [2]int{100, 40}, begin: tide, steps: copySteps()},
		{name: "copies of what was said", begin: withAnEdit, steps: copySteps()},
		{name: "going back", begin: tide, steps: backSteps()},
		{name: "summaries", begin: tide, steps: summarySteps()},
		{name: "reports", begin: tide, steps: reportSteps()},
	}
}

// interruptSteps interrupt the agent while it writes at length.
func interruptSteps() []step {
	return []step{
		{row: "interrupt", key: "esc", want: sees(textEscAgain)},
		{row: "interrupt", key: "esc", want: sees(textCancelled, textReady)},
		{row: "interrupt", key: "esc", want: sees("esc again to go back")},
		{row: "interrupt", key: "esc", want: sees("Go back to before", "conversation only")},
	}
}

// modeSteps change the mode.
func modeSteps() []step {
	in := func(row, key, mode string) step { return step{row: row, key: key, want: sees(mode + " ·")} }
	return []step{
		in("cycle-mode", "shift+tab", "plan"), in("cycle-mode", "shift+tab", "autopilot"), in("cycle-mode", "shift+tab", "interactive"),
		in("mode", "/mode autopilot", "autopilot"),
		{row: "plan", key: "/plan", want: sees("· plan ·")},
		{
			row: "plan", key: "/plan a walk", lead: inOrder(sends("/mode interactive"), until("· interactive ·")),
			want: sees("· plan ·", "▌ a walk"),
		},
	}
}

// modelSteps choose models.
func modelSteps() []step {
	list := func(key string) step {
		return step{row: "model", key: key, want: sees("Demo Wide (preview)", "Demo Slow"), back: closes("esc", "Demo Wide")}
	}
	return []step{
		list("ctrl+x l"), list("/model"), list("/models"),
		{row: "model", key: "/model demo-deep low", want: sees("· demo-deep low ·")},
		{row: "model", key: "/models demo-slow", want: sees("· demo-slow medium ·")},
	}
}

// resumeSteps list the earlier sessions, and continue one.
func resumeSteps() []step {
	list := func(key string) step {
		return step{row: "resume", key: key, want: sees("Sessions", "Tide table on one screen"), back: closes("esc", "Tide table")}
	}
	last := list("/sessions")
	last.back = func(w *walker) {
		pressing("/")(w)
		enters("winter", "❯ A plan for the winter garden")(w)
		closes("enter", textQuery)(w)
		w.breathe() // two at once are a paste
		w.press("enter")
		w.wait("What grows indoors in December?")
	}
	return []step{list("ctrl+x s"), list("/resume"), list("/continue"), last}
}

// newSteps leave the session, again and again.
func newSteps() []step {
	again := resumed("Tide", "And the moon?")
	left := both(gone("And the moon?", "starting"), sees("Say what should be done"), draft(textReady))
	return []step{
		{row: "continue-here", key: "ctrl+x g", want: sees("This session continues here")},
		{row: "new", key: "/new", want: left, back: again},
		{row: "new", key: "/reset", want: left, back: again},
		{row: "close", key: "ctrl+x x", want: sees("ctrl+x x again")},
		{row: "close", key: "ctrl+x x", want: left, back: again},
		// The demo keeps no session beyond its own end, so it begins a new one.
		{
			row: "restart", key: "/restart", lead: sends("!echo walked", "    walked"),
			want: both(gone("walked", "starting"), draft(textReady)), back: again,
		},
		{row: "login", key: "/login", want: sees("This agent has no account to sign in to.")},
		{row: "logout", key: "/logout", want: sees("This agent has no account to sign out of.")},
		{row: "continue-here", key: "/continue-here", want: sees("This session continues here")},
		{row: "stop", key: "/stop", want: sees("The session has ended.")},
	}
}

// besideSteps open sessions beside this one, and go from one to another.
func besideSteps() []step {
	const tab = "Tide table on one screen   "
	first := inOrder(sends("/tabs", "Open sessions"), func(w *walker) {
		chooses("Tide table")(w)
		w.press("enter")
		w.wait("And the moon?")
	})
	beside := func(key string) step {
		return step{row: "new-tab", key: key, want: both(gone("And the moon?", "starting"), sees(tab, "Say what should be done")), back: first}
	}
	list := func(key string) step {
		return step{row: "open-sessions", key: key, want: sees("Open sessions", "idle"), back: closes("esc", "Open sessions")}
	}
	return []step{
		beside("ctrl+x w"), beside("/new-tab"),
		{row: "next-session", key: "ctrl+x right", want: gone("And the moon?")},
		{row: "previous-session", key: "ctrl+x left", want: sees("And the moon?")},
		list("ctrl+x a"), list("/open-sessions"), list("/tabs"),
	}
}

// copySteps continue in copies, and give one a name.
func copySteps() []step {
	return []step{
		{row: "rename", key: "/rename A long walk", want: titled("A long walk · parley")},
		{row: "block-fork", key: "F", lead: inOrder(pressing("tab"), until(blockKeys)), want: sees("This is a copy."), back: inOrder(until("─ Resumed"), func(w *walker) {
			sends("/clear")(w)
			w.waitGone("This is a copy.")
		})},
		{row: "fork", key: "/fork", want: sees("This is a copy."), back: until("─ Resumed")},
		{row: "clear", key: "/clear", want: gone("This is a copy.")},
		{row: "fork", key: "/branch", want: sees("This is a copy."), back: until("─ Resumed")},
	}
}

// backSteps go back to before a prompt, and take that back.
func backSteps() []step {
	const moon = "And the moon?"
	list := func(key string) step {
		return step{row: "rewind", key: key, want: sees("Go back to before", "conversation only"), back: closes("esc", "Go back to")}
	}
	last := list("/undo")
	last.back = func(w *walker) {
		chooses(moon)(w)
		w.press("enter")
		w.wait("Go back, files stay?")
		w.breathe()
		w.press("enter")
		w.wait("Rewound")
		w.waitGone("The phase of the moon")
		empties(w)
	}
	again := list("/rewind")
	again.back = last.back
	redo := func(key string) step { return step{row: "redo", key: key, want: sees("The phase of the moon")} }
	return []step{list("/rewind"), last, redo("/redo"), again, redo("ctrl+x z")}
}

// summarySteps summarise the conversation.
func summarySteps() []step {
	sum := func(key string, number int) step {
		return step{row: "compact", key: key, want: times("The conversation so far was summarised", number)}
	}
	return []step{
		sum("/compact", 1), sum("/summarize", 2),
		{row: "commit", key: "/commit", unix: "git", want: sees("Could not commit: the folder")},
	}
}

// reportSteps show what there is to know of a session.
func reportSteps() []step {
	report := func(row, key string, texts ...string) step {
		return step{row: row, key: key, want: sees(append(texts, "esc close")...), back: closes("esc", "esc close")}
	}
	return []step{
		report("session", "/session", "Session   ", "name         Tide table on one screen"),
		report("session", "/status", "Session   ", "name         Tide table on one screen"),
		report("context", "ctrl+x c", "Context   ", "Conversation"),
		report("context", "/context", "Context   ", "Conversation"),
		report("details", "/details", "Details of"),
		report("usage", "/usage", "Usage   ", "pretended requests"),
		report("usage", "/cost", "Usage   ", "pretended requests"),
		report("usage", "/stats", "Usage   ", "pretended requests"),
	}
}
