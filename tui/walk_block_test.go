package tui

import (
	"fmt"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// blockRounds press the keys for the block under the cursor, and those that go
// to one.
func blockRounds() []round {
	return []round{
		{name: "blocks", size: [2]int{160, 40}, begin: delegated, steps: blockSteps()},
		{name: "copying blocks", size: [2]int{160, 40}, begin: delegated, steps: blockCopySteps()},
		{name: "searching", size: [2]int{160, 40}, begin: delegated, steps: searchSteps()},
		{name: "searching low", size: [2]int{160, 12}, begin: delegated, steps: []step{
			{row: "search-page", key: "pgup", lead: pressing("ctrl+f"), want: both(sees("▌ agent"), gone(summary))},
			{row: "search-page", key: "pgdown", want: both(gone("▌ agent"), sees(summary))},
		}},
		{name: "density", size: [2]int{160, 40}, begin: delegated, steps: densitySteps()},
		{name: "failures and news", size: [2]int{160, 40}, begin: delegated, steps: jumpSteps()},
	}
}

// delegated has the demo delegate to two sub-agents, of which the second fails,
// and waits for the end.
func delegated(w *walker) {
	w.t.Helper()
	sends("agent", "I read why and go on", textReady)(w)
	w.waitFor("the turn to end", func(screen string) bool { return strings.Contains(screen, "─ 1 command · 2 agents · 1 failed") })
}

// pointed is that the block cursor stands on a line with a text.
func pointed(text string) sign {
	return sign{fmt.Sprintf("the block with %q", text), func(_ *walker, screen string) bool {
		for line := range strings.Lines(screen) {
			letters := []rune(line)
			if len(letters) > 1 && letters[1] == '▏' && strings.Contains(line, text) {
				return true
			}
		}
		return false
	}}
}

const (
	blockKeys = "esc back · ↑↓ block" // while the timeline has the keys
	summary   = "1 command · 2 agents · 1 failed"
	scoutSaid = "count.sh counts slowly"
)

// blockSteps move the cursor and open what it is on.
func blockSteps() []step {
	const answer = "The first found four files"
	first := both(pointed("▌"), sees(blockKeys))
	return []step{
		{row: "block-above", key: "alt+up", want: both(pointed(answer), sees(blockKeys)), back: closes("esc", blockKeys)},
		{row: "block-below", key: "alt+down", want: pointed(answer), back: closes("tab", blockKeys)},
		{row: "complete", key: "tab", want: pointed(answer), back: closes("esc", blockKeys)},
		{row: "block-leave", key: "tab", lead: inOrder(pressing("tab"), until(blockKeys)), want: gone(blockKeys)},
		{row: "block-leave", key: "esc", lead: inOrder(pressing("tab"), until(blockKeys)), want: gone(blockKeys)},
		{row: "block-move", key: "down", lead: inOrder(pressing("tab"), until(blockKeys)), want: pointed(summary)},
		{row: "block-move", key: "up", want: pointed(answer)},
		{row: "block-move", key: "j", want: pointed(summary)},
		{row: "block-move", key: "k", want: pointed(answer)},
		{row: "block-ends", key: "g", want: first},
		{row: "block-ends", key: "G", want: pointed(summary)},
		{row: "block-ends", key: "home", want: first},
		{row: "block-ends", key: "end", want: pointed(summary)},
		{row: "block-prompt", key: "{", want: first, back: pressing("end")},
		{row: "block-prompt", key: "}", lead: pressing("k", "k", "k", "k", "k"), want: sees("There is no other prompt that way.")},
		{row: "block-fold", key: "space", lead: inOrder(pressing("g", "j", "j"), onBlock("scout")), want: sees(scoutSaid), back: closes("space", scoutSaid)},
		{row: "block-open", key: "enter", want: sees("esc goes back", "notes.md holds notes")},
		{row: "block-leave", key: "esc", want: both(gone("esc goes back"), sees(summary))},
		{row: "block-details", key: "i", want: sees("Details of"), back: closes("q", "Details of")},
		{row: "block-editor", key: "e", want: edits("block.txt 400"), back: comesBack(summary)},
	}
}

// onBlock waits until the block cursor stands on a line with a text.
func onBlock(text string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		w.awaits(pointed(text).what, pointed(text))
	}
}

// blockCopySteps copy blocks.
func blockCopySteps() []step {
	const answer = "The first found four files, the second did not reach its model. " +
		"A sub-agent that fails does not stop me: I read why and go on."
	return []step{
		{row: "block-copy", key: "c", lead: inOrder(pressing("tab"), onBlock("The first found")), want: copied(answer)},
		{row: "block-links", key: "o", want: sees("There is no link in it")},
		{row: "block-copy", key: "y", want: sees("There is no code in it.")},
		{row: "block-save", key: "s", want: sees("There is no image, sound or document in it to save.")},
		{row: "block-copy", key: "Y", want: sees("Copied", "lines, through the terminal.")},
	}
}

// searchSteps search in the conversation.
func searchSteps() []step {
	quit := func(w *walker) {
		w.t.Helper()
		w.press("esc")
		w.waitGone("esc back")
	}
	return []step{
		{row: "search", key: "ctrl+f", want: sees("\n  /\n"), back: quit},
		{row: "search", key: "/search four files", want: both(sees("\n  / four files"), sees(" of ")), back: quit},
		{row: "search", key: "/find reach its model", want: sees("/ reach its model", " of "), back: quit},
		{row: "block-search", key: "/", lead: pressing("tab", "g"), want: sees("\n  /\n")},
		{row: "block-search", key: "n", lead: inOrder(seeks("fail"), until("1 of 8"), entered), want: sees("2 of 8")},
		{row: "block-search", key: "N", want: sees("1 of 8"), back: inOrder(closes("esc", "end the search"), quit)},
		{row: "search-move", key: "down", lead: inOrder(pressing("ctrl+f"), seeks("fail"), until(" of 8")), want: moved()},
		{row: "search-move", key: "up", want: moved()},
		{row: "search-move", key: "ctrl+n", want: moved()},
		{row: "search-move", key: "ctrl+p", want: moved()},
		{row: "search-kind", key: "tab", want: sees("· prompts")},
		{row: "search-kind", key: "shift+tab", want: both(gone("· prompts"), sees(" of 8"))},
		{row: "search-regex", key: "ctrl+r", want: sees("ctrl+r regex")},
		{row: "search-case", key: "alt+c", want: sees("· exact case")},
		{row: "search-keep", key: "enter", want: sees("end the search"), back: inOrder(closes("esc", "end the search"), quit)},
		{row: "search-back", key: "esc", lead: inOrder(pressing("ctrl+f"), seeks("fail"), until(" of 8")), want: draft(textReady)},
	}
}

// moved is that another match is the present one than before the key.
func moved() sign {
	nth, before := regexp.MustCompile(`\d+ of \d+`), ""
	return sign{"another match", func(_ *walker, screen string) bool {
		now := nth.FindString(screen)
		if before == "" {
			before = now
		}
		return now != "" && now != before
	}}
}

// seeks writes a text into the bar of the search.
func seeks(text string) func(*walker) { return enters(text, "/ "+text) }

// entered keeps what was found.
func entered(w *walker) {
	w.t.Helper()
	w.press("enter")
	w.wait("esc end the search")
}

// densitySteps show more and less.
func densitySteps() []step {
	const tokens = "of tools"
	return []step{
		{row: "density", key: "ctrl+x y", want: sees(scoutSaid, tokens, "Density: verbose")},
		{row: "density", key: "/density compact", want: both(gone(scoutSaid, tokens), sees("Density: compact"))},
		{row: "times", key: "/timestamps full", want: both(sees("Times: full"), inOneLine("▌ agent", "20"))},
	}
}

// jumpSteps go to what failed, and to what is new.
func jumpSteps() []step {
	return []step{
		{row: "last-failure", key: "ctrl+x f", want: pointed("pessimist"), back: closes("esc", blockKeys)},
		{row: "unread", key: "ctrl+x u", lead: looksAway, want: pointed("I look at three things"), back: closes("esc", blockKeys)},
	}
}

// looksAway turns away from the window while the demo answers, and comes back.
func looksAway(w *walker) {
	w.t.Helper()
	typing("parallel")(w)
	w.press("enter")
	w.input(tea.BlurMsg{})
	w.wait("▌ parallel", "All three are done", textReady)
	w.input(tea.FocusMsg{})
}
