package tui

// editingRounds press the keys that edit the draft.
func editingRounds() []round {
	return []round{
		{name: "moving", begin: typing("one two three"), steps: movingSteps()},
		{name: "changing", steps: changingSteps()},
		{name: "vim", steps: vimSteps()},
	}
}

// movingSteps move the caret in "one two three".
func movingSteps() []step {
	to := func(row, key string, columns int) step { return step{row: row, key: key, want: behind(columns)} }
	return []step{
		to("words", "alt+b", 8), to("words", "ctrl+left", 4), to("words", "alt+f", 7), to("words", "ctrl+right", 13),
		to("line-ends", "ctrl+a", 0), to("line-ends", "ctrl+e", 13), to("line-ends", "home", 0), to("line-ends", "end", 13),
		to("letters", "left", 12), to("letters", "ctrl+b", 11), to("letters", "right", 12), to("letters", "ctrl+f", 13),
	}
}

// changingSteps change the text of the draft.
func changingSteps() []step {
	change := func(row, key, before, after string, moves ...string) step {
		return step{row: row, key: key, lead: inOrder(typing(before), pressing(moves...)), want: draft(after), back: empties}
	}
	cased := func(key, after string) step { return change("case", key, "oNe two", after, "home") }
	return []step{
		change("kill", "ctrl+k", "one two three", "one", "home", "alt+f"),
		change("kill", "ctrl+u", "one two three", "three", "alt+b"),
		change("kill", "ctrl+w", "one two three", "one two"),
		change("kill", "alt+d", "one two three", " two three", "home"),
		change("yank", "ctrl+y", "new old", "new old", "ctrl+w"),
		{
			row: "yank", key: "alt+y", lead: inOrder(typing("one"), pressing("ctrl+u"), typing("two"), pressing("ctrl+u", "ctrl+y")),
			want: draft("one"), back: empties,
		},
		cased("alt+u", "ONE two"),
		cased("alt+l", "one two"),
		cased("alt+c", "One two"),
		change("case", "alt+t", "one two", "two one"),
		{row: "undo", key: "ctrl+_", lead: inOrder(typing("one two"), pressing("ctrl+w")), want: draft("one two")},
		{row: "undo", key: "alt+_", want: draft("one")},
	}
}

// vimSteps switch vim's way of editing on and off.
func vimSteps() []step {
	return []step{
		{row: "vim", key: "/vim", want: sees("Vim editing is on"), back: inOrder(pressing("x"), until("INSERT"), empties)},
		{row: "vim", key: "/vim off", want: sees("Vim editing is off"), back: inOrder(typing("x"), until("· interactive"), empties)},
	}
}
