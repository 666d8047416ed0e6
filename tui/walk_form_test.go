package tui

// formRounds press the keys of a form.
func formRounds() []round {
	return []round{{name: "form", begin: asks("form"), steps: formSteps()}}
}

// formSteps fill in the form of the demo.
func formSteps() []step {
	return []step{
		{row: "form-step", key: "tab", want: sees("❯ Name")},
		{row: "form-end", key: "enter", lead: enters("Groceries", "▏ Groceries"), want: sees("Name    Groceries", "❯ Size")},
		{row: "form-step", key: "shift+tab", want: sees("❯ Name")},
		{row: "form-step", key: "tab", want: sees("❯ Size")},
		{row: "form-choose", key: "down", want: sees("❯ 3   Large")},
		{row: "form-choose", key: "space", want: sees("❯ 3 ✓ Large")},
		{row: "form-choose", key: "up", want: sees("❯ 2   Medium")},
		{
			row: "form-end-lines", key: "ctrl+enter", lead: inOrder(
				closes("tab", "❯ Size"), pressing("tab", "tab", "tab", "tab", "tab"), until("❯ Text"),
				enters("one", "▏ one"), pressing("enter"), enters("two", "two"),
			),
			want: sees("your answers", "Size    Large", "Text    one"),
		},
	}
}
