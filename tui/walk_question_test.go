package tui

import (
	"parley/session"
)

// questionRounds press the keys of questions. The demo asks one at a time, and
// for small changes: where two or a large one are needed, a log is played.
func questionRounds() []round {
	large := [2]int{110, 34}
	return []round{
		{name: "reading questions", size: large, begin: asks("write"), steps: questionSteps()},
		{name: "writing on questions", size: large, begin: asks("write"), steps: lineSteps()},
		{name: "allowing", begin: asks("read"), steps: allowSteps()},
		{name: "choosing", begin: asks("memory"), steps: chooseSteps()},
		{name: "allowing for good", begin: asks("url"), steps: goodSteps()},
		{name: "allowing unread", size: [2]int{80, 12}, begin: asks("write"), steps: unreadSteps()},
		{name: "refusing", begin: asks("danger"), steps: refuseSteps()},
		{name: "plans", size: large, begin: asks("plan"), steps: planSteps()},
		{name: "two questions", size: large, agent: playsLog(walkQuestions()...), begin: listens, steps: severalSteps()},
	}
}

// asked plays a scene of the demo and waits until its question listens to
// letters.
func asks(scene string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.say(scene)
		ready(w)
	}
}

// ready waits until the question takes a letter for an answer.
func ready(w *walker) {
	w.t.Helper()
	w.card()
	w.breathe()
}

// returns ends the editor, and waits until the question it was opened from takes a
// letter.
func returns(text string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		saves("", text)(w)
		ready(w)
	}
}

// questionSteps look at a change that is asked about.
func questionSteps() []step {
	return []step{
		{row: "why", key: "?", want: sees("approvals manual"), back: pressing("?")},
		{row: "full-view", key: "v", want: sees("/ find"), back: pressing("v")},
		{row: "question-context", key: "+", want: sees("package main"), back: ready},
		{row: "question-context", key: "-", want: gone("package main"), back: ready},
		{row: "question-change", key: "t", want: both(inOneLine("hello from", "I was edited"), sees("t one column")), back: pressing("t")},
		{row: "question-change", key: "w", want: sees("w wrap"), back: pressing("w")},
		{row: "choose", key: "down", want: sees("❯ y  Yes, once"), back: pressing("down")},
		{row: "choose", key: "up", want: sees("❯ y  Yes, once")},
		{row: "leave-question", key: "esc", want: both(sees(textTyping), gone("❯ y"))},
		{row: "answer", key: "ctrl+x p", want: gone(textTyping), back: ready},
		{row: "question-editor", key: "e", want: edits("hello.go.diff 400"), back: returns("Change this file?")},
	}
}

// lineSteps open the lines of a question.
func lineSteps() []step {
	const note, comment = "A note for the agent", "About `hello.go:6 (removed)`"
	return []step{
		{row: "note", key: "tab", want: sees(note), back: inOrder(closes("esc", note), ready)},
		{row: "question-copy", key: "c", want: sees(comment), back: inOrder(closes("esc", comment), ready)},
		{row: "refuse", key: "n", want: sees(textFeedback)},
		{
			row: "edit-answer", key: "ctrl+g", lead: enters("because", "▏ because"), want: edits("answer.md 600 [because]"),
			back: saves("of it", "▏ becauseof it"),
		},
	}
}

// allowSteps allow once, and for the session.
func allowSteps() []step {
	return []step{
		{row: "approve", key: "y", want: sees("I have read my notes."), back: func(w *walker) { w.idle() }},
		{
			row: "approve-session", key: "s", lead: asks("custom"), rest: granted("The die shows 4"),
			want: sees("Allowed without asking", "`roll_dice`"),
		},
	}
}

// granted waits for the end of a turn and lists what is allowed.
func granted(text string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.idle(text)
		sends("/grants")(w)
	}
}

// chooseSteps choose rows of questions.
func chooseSteps() []step {
	return []step{
		{
			row: "approve-location", key: "l", rest: inOrder((*walker).enter, granted("the demo forgets everything")),
			want: sees("Allowed without asking", "every memory"), back: closes("esc", "Allowed without"),
		},
		{
			row: "choose", key: "1", lead: asks("mcp"), want: sees("enter allows it"),
			back: inOrder((*walker).enter, func(w *walker) { w.idle("there is no such server") }),
		},
		{
			row: "choose", key: "enter", lead: inOrder(asks("path"), pressing("down"), func(w *walker) { w.wait("❯ y") }, ready),
			want: sees("outside the scratch folder was touched"),
		},
	}
}

// goodSteps allow an address for good.
func goodSteps() []step {
	return []step{
		{row: "question-copy", key: "c", want: copied("https://example.org/weather?city=Oslo"), back: ready},
		{row: "approve-permanently", key: "P", want: sees("Type yes to allow"), back: func(w *walker) {
			w.typed("yes")
			w.enter()
			granted("nothing was fetched")(w)
			w.wait("Allowed without asking", "`https://example.org`")
		}},
	}
}

// unreadSteps allow what is longer than the window.
func unreadSteps() []step {
	return []step{{row: "approve-unseen", key: "u", want: sees("Type yes to allow it without having read"), back: func(w *walker) {
		w.typed("yes")
		w.enter()
		w.wait("The file is changed")
	}}}
}

// refuseSteps refuse, and say why.
func refuseSteps() []step {
	return []step{{row: "refuse", key: "n", want: sees("You refused it and said why: not today"), rest: func(w *walker) {
		w.wait(textFeedback)
		w.typed("not today")
		w.enter()
	}}}
}

// planSteps are about plans: one, and then it again with a line more.
func planSteps() []step {
	const title, changed = "Plan   esc close", "What has changed since the plan before"
	return []step{
		{row: "question-editor", key: "e", want: edits("plan.md 600 [# Plan]"), back: returns("Carry out this plan?")},
		{row: "question-plan", key: "f", want: sees("What should change in the plan?"), back: func(w *walker) {
			w.typed("more walking")
			w.enter()
			w.idle("You did not approve the plan.")
		}},
		{row: "show-plan", key: "/show-plan", want: sees(title, "3. Report what was done"), back: inOrder(
			edited("e", "plan.md 600 [# Plan]", "4. Walk"), until("The plan is changed."),
		)},
		{
			row: "show-plan", key: "ctrl+y", lead: inOrder(pressing("shift+tab"), until("· plan ·")),
			want: sees(title, "4. Walk"), back: closes("esc", title),
		},
		{
			row: "question-plan", key: "d", lead: inOrder(asks("plan"), until(changed, "4. Walk")),
			want: both(sees("d what changed"), gone(changed)),
		},
		{row: "question-plan", key: "d", want: sees("d all of it", changed)},
	}
}

// walkQuestions are two changes that are asked about at once.
func walkQuestions() []session.Body {
	all := []session.Body{session.UserMessage{Content: "Edit it."}, session.AssistantTurnStart{TurnID: "0"}}
	for _, name := range []string{"one.txt", "two.txt"} {
		id, diff := session.CallID("call-"+name), walkDiff(name)
		all = append(all,
			session.ToolExecutionStart{ToolCallID: id, ToolName: "edit"},
			session.PermissionRequested{
				RequestID:         session.RequestID(name),
				PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "write", ToolCallID: id, FileName: name, Diff: diff}},
				PromptRequest:     &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "write", ToolCallID: id, FileName: name, Diff: diff}},
			})
	}
	return all
}

// severalSteps go from one of two questions to the other, and through the change
// that is asked about.
func severalSteps() []step {
	return []step{
		{row: "other-question", key: "]", want: sees("2 of 2"), back: listens},
		{row: "other-question", key: "[", want: sees("1 of 2"), back: listens},
		{row: "question-find", key: "/", lead: pressing("v"), want: sees("Find in this:"), back: func(w *walker) {
			w.typed("line 5")
			w.enter()
			w.wait("match 1 of")
			ready(w)
		}},
		{row: "question-ends", key: "g", want: sees("line 10"), back: ready},
		{row: "question-page", key: "space", want: gone("line 10"), back: ready},
		{row: "question-page", key: "b", want: sees("line 10"), back: ready},
		{row: "question-ends", key: "G", want: gone("line 10"), back: inOrder(pressing("esc"), pressing("esc"), ready)},
		{row: "question-change", key: "{", want: selected("old 13")}, // the search selected a line before the next change
		{row: "question-change", key: "}", want: selected("old 53")},
	}
}
