package tui

import (
	"github.com/google/uuid"
)

// pastRounds press the keys of the browser of past sessions, on those that the
// demo pretends to have had.
func pastRounds() []round {
	rounds := []round{
		{name: "past sessions", begin: openPast, steps: pastSteps()},
		{name: "past sessions, noted", begin: openPast, steps: notedSteps()},
		{name: "past sessions, left", begin: openPast, steps: leftSteps()},
		{name: "preview", size: [2]int{80, 10}, begin: openPreview, steps: previewSteps()},
	}
	for _, r := range rounds {
		for i := range r.steps {
			r.steps[i].lead = (*walker).breathe // letters that come at once are no keys
		}
	}
	return rounds
}

const (
	textPast    = "Sessions   "
	textQuery   = "enter to the list"
	textPreview = "esc to the list"
	firstPast   = "❯ Tide table on one sc"
	secondPast  = "❯ Why the parser is slow"
	lastPast    = "❯ Build without the old compiler"
)

// openPast opens the browser on the four sessions in repositories of the demo's.
func openPast(w *walker) {
	w.t.Helper()
	sends("/resume repo:demo/", textPast, "1 of 4", firstPast)(w)
}

// openCopies opens the browser when there are copies too, on the last one.
func openCopies(w *walker) {
	w.t.Helper()
	sends("/resume repo:demo/", textPast, "❯ Tide table on one")(w)
	w.press("home") // copies that were found later stand above it
	w.wait("1 of ")
}

// pastKeys presses keys and waits for what is there then.
func pastKeys(texts []string, names ...string) func(*walker) {
	return func(w *walker) {
		w.t.Helper()
		for _, name := range names {
			pressing(name)(w)
		}
		w.wait(texts...)
	}
}

// pastSteps go through the list, and change how it is looked through.
func pastSteps() []step {
	to := func(row, key, title string) step { return step{row: row, key: key, want: sees(title)} }
	all4 := pastKeys([]string{"everywhere", "1 of 4"}, "a")
	return []step{
		to("session-move", "down", secondPast), to("session-move", "up", firstPast),
		to("session-move", "j", secondPast), to("session-move", "k", firstPast),
		to("session-ends", "G", lastPast), to("session-ends", "g", firstPast),
		to("session-ends", "end", lastPast), to("session-ends", "home", firstPast),
		to("session-page", "pgdown", lastPast), to("session-page", "pgup", firstPast),
		to("session-page", "ctrl+d", lastPast), to("session-page", "ctrl+u", firstPast),
		{row: "session-group", key: "b", want: sees("by day"), back: pastKeys([]string{"1 of 4"}, "b", "b", "b")},
		{row: "session-sort", key: "s", want: sees("newest first"), back: pastKeys([]string{"last used first"}, "s", "s", "s")},
		{row: "session-scope", key: "a", want: sees("Nothing matches in this folder."), back: all4},
		{row: "session-scope", key: "ctrl+r", want: sees("Nothing matches in this folder."), back: all4},
		{row: "session-preview", key: "space", want: sees(textPreview), back: closes("esc", textPreview)},
		{row: "session-preview", key: "tab", want: sees(textPreview), back: closes("esc", textPreview)},
		{row: "session-keys", key: "?", want: sees("Type to filter", "Continue in a copy"), back: closes("esc", "Type to filter")},
		{
			row: "session-query", key: "/", want: sees(textQuery),
			back: inOrder(enters(" moon", "repo:demo/ moon", "1 of 1"), closes("enter", textQuery), pastKeys([]string{"hit 1 of"}, "space"),
				closes("esc", textPreview)),
		},
		{row: "session-hit", key: "}", want: sees("hit 2 of"), back: closes("esc", textPreview)},
		{row: "session-hit", key: "{", want: sees("hit 1 of"), back: closes("esc", textPreview)},
		{row: "session-close", key: "esc", want: gone(textPast), back: openPast},
		{row: "session-close", key: "q", want: gone(textPast)},
	}
}

// notedSteps note things about the first session, and take them back.
func notedSteps() []step {
	tide := uuid.NewSHA1(uuid.NameSpaceOID, []byte("Tide table on one screen")).String()
	return []step{
		{row: "session-pin", key: "p", want: sees("pinned"), back: func(w *walker) {
			w.press("p")
			w.waitGone("pinned")
		}},
		{row: "session-tag", key: "t", want: sees("enter save"), back: inOrder(enters("walked", "tags  walked"), closes("enter", "enter save"), until("#walked"))},
		{row: "session-rename", key: "r", want: sees("name  Tide table"), back: closes("esc", "name  ")},
		{row: "session-archive", key: "z", want: sees("Archived;", "of 3"), back: pastKeys([]string{firstPast, "1 of 4"}, "u")},
		{row: "session-delete", key: "x", want: sees("Delete “Tide table on one screen”?")},
		{row: "session-delete", key: "x", want: sees("Deleted when you leave", "of 3")},
		{row: "session-delete", key: "u", want: sees("Undone", firstPast)},
		{row: "session-copy", key: "y", want: copied("parley --resume " + tide)},
		{row: "session-copy", key: "c", want: copied("parley --resume " + tide)},
		{row: "session-export", key: "e", want: sees("write to  parley-tide-table"), back: closes("esc", "write to")},
	}
}

// leftSteps leave the browser for a session.
func leftSteps() []step {
	return []step{
		{row: "session-read", key: "o", want: both(gone(textPast), sees("And the moon?")), back: openPast},
		{row: "session-fork", key: "f", want: both(gone(textPast), sees("one screen (f")), back: openCopies},
		{row: "session-fork", key: "ctrl+f", want: both(gone(textPast), sees("one screen (f")), back: openCopies},
		{row: "session-new", key: "n", want: sees("Start a new session?")},
		{row: "session-new", key: "n", want: both(gone(textPast), sees("Say what should be done")), back: openCopies},
		{row: "session-open", key: "enter", want: both(gone(textPast), sees("─ Resumed"))},
	}
}

// openPreview shows the preview of a session with two hits, from its start.
func openPreview(w *walker) {
	w.t.Helper()
	sends("/resume tide moon", "1 of 1", "❯ Tide table on one")(w)
	w.press("space")
	w.wait(textPreview, "hit 1 of")
	w.press("g")
	w.wait("The tide table needs two screens")
}

// previewSteps go through the preview, and from it on.
func previewSteps() []step {
	const first, last = "The tide table needs two screens", "The phase of the moon is in"
	again := func(w *walker) {
		closes("esc", textPast)(w)
		openPreview(w)
	}
	return []step{
		{row: "preview-line", key: "down", want: gone(first)},
		{row: "preview-line", key: "up", want: sees(first)},
		{row: "preview-line", key: "j", want: gone(first)},
		{row: "preview-line", key: "k", want: sees(first)},
		{row: "preview-ends", key: "G", want: sees(last)},
		{row: "preview-ends", key: "g", want: sees(first)},
		{row: "preview-ends", key: "end", want: sees(last)},
		{row: "preview-ends", key: "home", want: sees(first)},
		{row: "preview-page", key: "pgdown", want: gone(first)},
		{row: "preview-page", key: "pgup", want: sees(first)},
		{row: "preview-page", key: "ctrl+d", want: gone(first)},
		{row: "preview-page", key: "ctrl+u", want: sees(first)},
		{row: "preview-hit", key: "n", want: sees("hit 2 of")},
		{row: "preview-hit", key: "N", want: sees("hit 1 of")},
		{row: "preview-keys", key: "?", want: sees("Type to filter", "A line up, a line down"), back: closes("esc", "Type to filter")},
		{row: "preview-close", key: "esc", want: gone(textPreview), back: pastKeys([]string{textPreview}, "space")},
		{row: "preview-close", key: "space", want: gone(textPreview), back: pastKeys([]string{textPreview}, "space")},
		{row: "preview-close", key: "tab", want: gone(textPreview), back: again},
		{row: "preview-open", key: "o", want: both(gone(textPast), sees("Read only: ctrl+x g")), back: openPreview},
		{row: "preview-open", key: "enter", want: both(gone(textPast), sees("─ Resumed"))},
	}
}
