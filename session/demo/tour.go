package demo

import "parley/session"

// playTour shows everything a newcomer should see, step by step. Before each
// card it tells what to press.
func (t *turn) playTour() error {
	for _, step := range []func(*turn) error{
		(*turn).tourText, (*turn).tourCards, (*turn).tourQuestion, (*turn).tourWork, (*turn).tourTrouble,
	} {
		if err := step(t); err != nil {
			return err
		}
	}
	return t.call(reply{text: "# That was the tour\n\n" + keys + "\n" + words() + "\n" + realThing()})
}

// tourText shows thinking, markdown and tools that nobody is asked for.
func (t *turn) tourText() error {
	if err := t.emit(session.AssistantIntent{Intent: "Showing you around"}); err != nil {
		return err
	}
	return t.parallel("# A tour, in five steps\n\nThis is the **demo**: no model is behind it, nothing leaves this machine, and only " +
		"a scratch folder is touched. You can stop me at any time with `Esc` `Esc`.\n\n## 1. Text and tools\n\n" +
		"Answers are *markdown*: lists, tables, and code with colours.\n\n" +
		"```go\nfunc greet(name string) string { return \"hello, \" + name }\n```\n\n" +
		"Now I look at three things at once. Tools that **only read** do not ask. Their output is folded; `ctrl+o` shows it whole.")
}

// tourCards asks for two permissions.
func (t *turn) tourCards() error {
	c := t.hello()
	if err := t.show("## 2. Permission\n\nWhatever changes something asks first, in a **card**. It says what will happen, and where, "+
		"and why it asks. No key counts before the card is there to be read.\n\nPress `y` to allow this command once.", c,
		"It ran, in the scratch folder, and its output is above."); err != nil {
		return err
	}
	return t.write("Now a change to a file. The card shows it line by line.\n\nPress `n`, write why not, and `Enter`: that " +
		"refuses it, and I go on. Or allow it with `y`.")
}

// tourQuestion asks the user something.
func (t *turn) tourQuestion() error {
	if err := t.call(reply{
		text: "## 3. Questions\n\nSometimes I need to know something. Press a **number**, or choose *Something else* and write.",
		tools: []*tool{
			askUser("How do you like the tour so far?", "very much", "it is fine", "too long"),
		},
	}); err != nil {
		return err
	}
	return t.call(reply{hears: func(h heard) string {
		return "You answered *" + h.answer() + "*. Meanwhile your draft is safe: a card never takes the keys of " +
			"a prompt that you are writing. `Tab` goes to the card from an empty line."
	}})
}

// tourWork shows work that takes a while.
func (t *turn) tourWork() error {
	if err := t.call(reply{
		reasoning: "The next step needs no permission: an index that only reads, and a sub-agent that looks around.",
		text: "## 4. Longer work\n\nA tool that says how far it is, then a **sub-agent**, an agent that works for me. " +
			"The status line at the bottom tells what goes on. Write something and press `Enter` while I work: I read it at my next step.",
		tools: []*tool{indexing(), scout()},
	}); err != nil {
		return err
	}
	return t.call(reply{text: "Both are done. Thinking like mine just now is folded when it is over; `ctrl+t` shows it."})
}

// tourTrouble shows notices and a request that is tried again.
func (t *turn) tourTrouble() error {
	if err := t.call(reply{text: "## 5. When something goes wrong\n\nNotices tell you, and the model does not see them:"}); err != nil {
		return err
	}
	if err := t.emit(notices()...); err != nil {
		return err
	}
	if err := t.cutOff(); err != nil {
		return err
	}
	return t.respond(reply{text: "That request was cut off, and tried again by itself: this is the second attempt."})
}
