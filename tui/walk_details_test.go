package tui

import (
	"strings"
)

// detailsRounds press the keys of the details of an entry. A log is played.
func detailsRounds() []round {
	return []round{
		{name: "details", size: [2]int{80, 14}, agent: playsLog(walkMessages()...), begin: openAnswerDetails, steps: detailsSteps()},
	}
}

const textDetails = "Details of an answer"

func openAnswerDetails(w *walker) {
	w.t.Helper()
	w.wait("Answer 12.")
	w.press("alt+up")
	onBlock("Answer 12.")(w)
	w.press("i")
	w.awaits("its event", onField("assistant.message"))
}

// onField is that the keys are for a field with a name.
func onField(name string) sign {
	return sign{"field " + name + " chosen", func(_ *walker, screen string) bool {
		for line := range strings.Lines(screen) {
			if rest, ok := strings.CutPrefix(line, "❯"); ok && strings.Contains(rest, name) && strings.Contains(screen, textDetails) {
				return true
			}
		}
		return false
	}}
}

// detailsSteps go through the fields of an answer.
func detailsSteps() []step {
	to := func(row, key, name string) step { return step{row: row, key: key, want: onField(name)} }
	opens := func(w *walker) {
		w.press("i")
		w.wait(textDetails)
	}
	return []step{
		to("details-field", "down", "messageId"), to("details-field", "up", "assistant.message"),
		to("details-field", "j", "messageId"), to("details-field", "k", "assistant.message"),
		to("details-ends", "G", "parentId"), to("details-ends", "g", "assistant.message"),
		to("details-ends", "end", "parentId"), to("details-ends", "home", "assistant.message"),
		to("details-page", "pgdown", "parentId"), to("details-page", "pgup", "assistant.message"),
		to("details-page", "ctrl+d", "parentId"), to("details-page", "ctrl+u", "assistant.message"),
		{row: "details-fold", key: "enter", want: gone("messageId")},
		{row: "details-fold", key: "space", want: sees("messageId")},
		{row: "details-fold", key: "left", want: gone("messageId")},
		{row: "details-read", key: "r", want: sees("messageId"), back: closes("left", "messageId")},
		{row: "details-fold", key: "right", want: sees("messageId")},
		{row: "details-search", key: "/", want: sees("enter keep"), back: func(w *walker) {
			w.send("id")
			w.awaits("a match", onField("messageId"))
			w.press("enter")
			w.wait("1 of")
		}},
		{row: "details-search", key: "n", want: sees("2 of")},
		{row: "details-search", key: "N", want: sees("1 of")},
		{row: "details-copy", key: "y", want: sees("Copied")},
		{row: "details-editor", key: "e", want: edits("assistant.message.json 400"), back: comesBack(textDetails)},
		{row: "details-editor", key: "ctrl+g", want: edits("assistant.message.json 400"), back: comesBack(textDetails)},
		{row: "details-close", key: "esc", want: gone(textDetails), back: opens},
		{row: "details-close", key: "q", want: gone(textDetails)},
	}
}
