package tui

import (
	"fmt"
	"path/filepath"
	"runtime"

	tea "charm.land/bubbletea/v2"

	"parley/terminal"
)

// timelineRounds press the keys of the conversation.
func timelineRounds() []round {
	low := [2]int{80, 22}
	return []round{
		{name: "scrolling", size: low, begin: resumed("Tide", "And the moon?"), steps: scrollingSteps()},
		{name: "unfolding", size: [2]int{80, 40}, steps: unfoldingSteps()},
		{name: "links", begin: sends("!echo https://example.org/walk", "    https://example.org/walk"), steps: linkSteps()},
		{name: "copying", begin: resumed("Why the parser", "Changed: 10 MB"), steps: copyingSteps()},
		{name: "clearing", begin: resumed("Tide", "And the moon?"), steps: clearingSteps()},
		{name: "edits", size: [2]int{130, 30}, begin: withAnEdit, steps: editSteps()},
		{name: "mouse", begin: withTheMouse, steps: mouseSteps()},
	}
}

// resumed continues an earlier session of the demo.
func resumed(title string, texts ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		sends("/resume", "Tide table on one screen")(w)
		pressing("/")(w)
		enters(title, "/ "+title, "❯ "+title)(w)
		closes("enter", textQuery)(w)
		w.breathe() // two at once are a paste
		w.press("enter")
		w.wait(append(texts, "─ Resumed")...)
	}
}

// The first and the last line of the session that is scrolled.
const (
	tideFirst = "The tide table needs two screens"
	tideLast  = "─ Resumed"
)

// scrollingSteps go through a conversation that is a little longer than the
// window.
func scrollingSteps() []step {
	top, end := both(sees(tideFirst), gone(tideLast)), both(sees(tideLast), gone(tideFirst, "more below"))
	return []step{
		{row: "line-up", key: "shift+up", want: both(sees("more below"), gone(tideLast, tideFirst))},
		{row: "line-down", key: "shift+down", want: end},
		{row: "top", key: "ctrl+home", want: top},
		{row: "page-down", key: "pgdown", want: end},
		{row: "page-up", key: "pgup", want: top},
		{row: "page-down", key: "alt+pgdown", want: end},
		{row: "page-up", key: "alt+pgup", want: top},
		{row: "end", key: "ctrl+end", want: end},
		{row: "end", key: "end", lead: pressing("ctrl+home"), want: end},
		{row: "redraw", key: "ctrl+l", lead: pressing("ctrl+home"), want: both(end, noted("clear"))},
	}
}

// unfoldingSteps show entries and reasoning whole.
func unfoldingSteps() []step {
	const inside, thought = "you can always interrupt", "that needs permission, and its result."
	const lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11"
	return []step{
		{row: "expand", key: "ctrl+o", lead: sends("parallel", "All three are done", textReady), want: sees(inside)},
		{row: "expand", key: "ctrl+o", want: gone(inside)},
		{row: "expand-all", key: "ctrl+e", want: sees(inside), back: closes("ctrl+e", inside)},
		{
			row: "expand", key: "ctrl+o", lead: func(w *walker) {
				w.input(tea.PasteMsg{Content: lines})
				w.wait("[Pasted 11 lines")
			}, want: sees("\n  9\n  10\n  11"), back: empties,
		},
		{row: "reasoning", key: "ctrl+t", lead: inOrder(sends("Hello"), listens), want: sees(thought)},
		{row: "reasoning", key: "ctrl+t", want: gone(thought)},
	}
}

// linkSteps open and copy a link.
func linkSteps() []step {
	const link = "https://example.org/walk"
	open := func(key string) step {
		return step{row: "open-link", key: key, want: sees("Open a link", "❯ "+link)}
	}
	first, second := open("ctrl+x o"), open("/open")
	opener := terminal.Environment{Vars: []string{"DISPLAY=:0"}}.Browser(runtime.GOOS, link)
	return []step{
		first,
		{row: "list-choose", key: "enter", want: both(sees("Opening example.org in the browser"), noted(fmt.Sprintf("start %q", opener)))},
		second,
		{row: "list-copy", key: "c", want: both(copied(link), gone("Open a link"))},
	}
}

// copyingSteps copy what was said, and write it to files.
func copyingSteps() []step {
	const answer = "*A pretended session of the demo.* Changed: 10 MB take 80 ms."
	const code = "type parser struct {\n\ttext string\n\tat   int\n}"
	export := func(name, file string) step {
		return step{row: "export", key: name, want: sees("Written to")}.into(file)
	}
	return []step{
		{row: "copy", key: "/copy", want: copied(answer)},
		{row: "copy", key: "/copy code", want: copied(code)},
		export("/export", "walk.md"),
		export("/share", "walk.txt"),
	}
}

// into makes an export write a file of the walker's folder.
func (s step) into(name string) step {
	s.args = func(w *walker) string { return filepath.Join(w.folder, name) }
	s.want = both(s.want, file(name, "Why the parser is slow"), file(name, "10 MB take 80 ms"))
	return s
}

// clearingSteps clear the screen of a conversation that is not ended.
func clearingSteps() []step {
	return []step{{row: "clear", key: "/clear", want: both(gone("And the moon?", tideLast), draft(textReady))}}
}

// editSteps look at the edits of a session.
func editSteps() []step {
	const viewer = "esc close · n next change"
	beside := inOneLine("hello from the demo", "hello, I was edited")
	return []step{
		{row: "diff", key: "ctrl+x d", want: sees(viewer, "hello.go"), back: closes("esc", viewer)},
		{row: "diff", key: "/diff", want: sees(viewer, "hello.go"), back: closes("esc", viewer)},
		{row: "split", key: "ctrl+x 2", lead: pressing("ctrl+o"), want: both(sees("Edits side by side"), beside)},
		{row: "split", key: "/split", want: both(sees("Edits in one column"), not(beside))},
	}
}

// withTheMouse waits until the window has the mouse, which it takes first.
func withTheMouse(w *walker) {
	w.t.Helper()
	w.awaits("", takesMouse(true))
}

// mouseSteps give the mouse to the terminal and take it back.
func mouseSteps() []step {
	return []step{
		{row: "mouse", key: "ctrl+x m", want: takesMouse(false)},
		{row: "mouse", key: "/mouse", want: takesMouse(true)},
	}
}
