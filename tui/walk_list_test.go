package tui

// listRounds press the keys of lists.
func listRounds() []round {
	return []round{
		{name: "list", steps: listSteps()},
		{name: "long list", begin: inOrder(pressing("f1"), until("tab words for it")), steps: longListSteps()},
		{name: "history list", begin: withHistory, steps: historyListSteps()},
		{name: "model list", begin: inOrder(sends("/model", "Demo Fast"), enters("deep", "[high]")), steps: modelListSteps()},
		{name: "switch lists", steps: switchListSteps()},
		{name: "rewind list", begin: withAnEdit, steps: rewindListSteps()},
		{name: "queue list", begin: withAQueue, steps: queueListSteps()},
		{name: "task list", begin: sends("background", "I hear of it", textReady), steps: taskListSteps()},
		{name: "running list", agent: withACommand, begin: inOrder(until("line 1 of 20"), sends("/tasks"), chooses("shell  count")), steps: runningListSteps()},
	}
}

// listSteps go through the modes, which are a list of three.
func listSteps() []step {
	on := func(row, key, mode string) step { return step{row: row, key: key, want: sees("❯ " + mode)} }
	open := on("mode", "/mode", "interactive")
	open.want = sees("❯ interactive", "enter choose")
	return []step{
		open,
		on("list-move", "down", "plan"), on("list-move", "up", "interactive"),
		on("list-move", "ctrl+n", "plan"), on("list-move", "ctrl+p", "interactive"),
		on("list-letters", "j", "plan"), on("list-letters", "k", "interactive"),
		on("list-letters", "G", "autopilot"), on("list-letters", "g", "interactive"),
		{row: "list-filter", key: "/", want: sees("\n  /\n"), back: enters("pla", "❯ plan", "/ pla")},
		{row: "list-choose", key: "enter", want: both(sees("· plan ·"), gone("enter choose"))},
		{row: "mode", key: "/mode", want: sees("❯ plan", "enter choose")},
		{row: "list-close", key: "esc", want: both(sees("· plan ·"), gone("enter choose"))},
	}
}

// longListSteps go through the palette, which is longer than the screen.
func longListSteps() []step {
	first, last := chosenAfter("  /"), chosenBefore("enter choose")
	return []step{
		{row: "list-page", key: "ctrl+end", want: last},
		{row: "list-page", key: "ctrl+home", want: first},
		{row: "list-page", key: "pgdown", want: not(first)},
		{row: "list-page", key: "pgup", want: first},
		{
			row: "list-words", key: "tab", lead: enters("rename", "/ rename", "❯ Rename the session"), want: sees("  / /rename\n"),
			back: func(w *walker) {
				enters("Walked", "/ /rename Walked")(w)
				w.press("enter")
				sends("/session", "name    Walked")(w)
			},
		},
	}
}

// historyListSteps go through the prompts that were sent.
func historyListSteps() []step {
	return []step{
		{row: "list-scope", key: "ctrl+r", lead: pressing("ctrl+r"), want: sees("this repository · 2")},
		{row: "list-scope", key: "ctrl+s", want: sees("❯ /version")},
	}
}

// modelListSteps choose how hard a model thinks.
func modelListSteps() []step {
	return []step{
		{row: "list-effort", key: "right", want: sees("[xhigh]")},
		{row: "list-effort", key: "left", want: sees("[high]")},
		{row: "list-choose", key: "enter", lead: pressing("left"), want: sees("demo-deep medium")},
	}
}

// switchListSteps switch skills and servers.
func switchListSteps() []step {
	return []step{
		{
			row: "list-switch", key: "space", lead: inOrder(sends("/skills"), chooses("✓ tidy")),
			want: sees("− tidy"), back: closes("esc", "− tidy"),
		},
		{
			row: "list-switch", key: "space", lead: inOrder(sends("/mcp"), chooses("✓ demo-notes")),
			want: sees("− demo-notes", "disabled"),
		},
		{row: "list-switch", key: "r", lead: chooses("✗ demo-weather"), want: sees("✓ demo-weather")},
		{row: "list-server", key: "a", want: sees("Fixed by this agent")},
		{row: "list-server", key: "d", lead: inOrder(pressing("up"), chooses("− demo-notes")), want: sees("Fixed by this agent")},
		{row: "list-server", key: "t", lead: inOrder(pressing("down"), chooses("✓ demo-weather")), want: sees("Fixed by this agent")},
		{row: "list-choose", key: "enter", lead: inOrder(pressing("up"), chooses("✓ demo-weather")), want: sees("Tools of demo-weather", "forecast")},
	}
}

// withAnEdit has the demo change a file.
func withAnEdit(w *walker) {
	w.t.Helper()
	w.say("write")
	w.answer("y", textOnce)
	w.idle("The file is changed")
}

// rewindListSteps go back to before the change.
func rewindListSteps() []step {
	return []step{
		{
			row: "list-files", key: "f", lead: inOrder(sends("/rewind", "conversation only"), chooses("write  1 file")),
			want: sees("conversation and files", "it is restored", "hello.go"),
		},
		{row: "list-choose", key: "enter", want: sees("Restore 1 file?"), rest: func(w *walker) {
			w.wait("enter again does it")
			w.breathe()
		}},
		{row: "list-choose", key: "enter", want: both(sees("Rewound, 1 file restored"), draft("write"))},
	}
}

// withAQueue has three prompts wait behind a question.
func withAQueue(w *walker) {
	w.t.Helper()
	atQuestion(w)
	for _, prompt := range []string{"first", "second", "third"} {
		typing(prompt)(w)
		w.press("ctrl+q")
		w.wait(textTyping, "tab answers the question")
	}
	w.wait("3 queued")
	w.press("ctrl+x", "q")
	chooses("first")(w)
}

// queueListSteps change prompts that wait.
func queueListSteps() []step {
	return []step{
		{row: "list-queue", key: "shift+down", want: stacked("  second", "❯ first")},
		{row: "list-queue", key: "shift+up", want: stacked("❯ first", "  second")},
		{row: "list-queue", key: "h", want: sees("first", "held")},
		{row: "list-queue", key: "h", want: gone("held")},
		{row: "list-queue", key: "s", lead: chooses("first"), want: sees("⋯ next step")},
		{row: "list-drop", key: "x", lead: chooses("second"), want: gone("second")},
		{row: "list-queue", key: "e", lead: chooses("third"), want: draft("third")},
	}
}

// taskListSteps end a task of the background and take it off the list.
func taskListSteps() []step {
	return []step{
		{
			row: "list-drop", key: "x", lead: inOrder(sends("/tasks"), chooses("shell  wait")),
			want: sees("Cancel wait for a minute?"), back: func(w *walker) { w.breathe() },
		},
		{row: "list-drop", key: "x", want: sees("cancelled")},
		{row: "list-drop", key: "x", lead: chooses("shell  wait"), want: both(sees("agent  lookout"), gone("shell  wait"))},
	}
}

// runningListSteps send the command to the background.
func runningListSteps() []step {
	return []step{{row: "list-background", key: "b", want: sees(unattended)}}
}
