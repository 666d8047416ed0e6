package tui

import (
	"fmt"
	"strings"
)

// composerRounds press the keys of the composer, but for those that edit.
func composerRounds() []round {
	return []round{
		{name: "writing", steps: writingSteps()},
		{name: "sending", begin: atQuestion, steps: sendingSteps()},
		{name: "recalling", begin: withHistory, steps: recallSteps()},
		{name: "attaching", steps: attachSteps()},
		{name: "commanding", steps: commandSteps()},
	}
}

// atQuestion leads to a question that waits while the composer has the keys.
func atQuestion(w *walker) {
	w.t.Helper()
	w.say("question")
	listens(w)
	w.press("esc")
	w.wait(textTyping)
}

// listens waits until the question listens.
func listens(w *walker) {
	w.t.Helper()
	w.card()
}

// withHistory sends two commands, and waits for each until it is kept.
func withHistory(w *walker) {
	w.t.Helper()
	for i, command := range []string{"/version", "/stash"} {
		sends(command, []string{"· demo", "Nothing is stashed"}[i])(w)
		kept := fmt.Sprintf("this session · %d", i+1)
		for found := false; !found; {
			w.press("ctrl+r")
			found = strings.Contains(w.wait("esc close"), kept)
			closes("esc", "esc close")(w)
		}
	}
}

// writingSteps are about what is in the draft.
func writingSteps() []step {
	listed := func(key, want string) step {
		return step{key: key, want: sees(want), back: inOrder(closes("esc", want), empties)}
	}
	of := func(row string, s step) step {
		s.row = row
		return s
	}
	newline := func(key string) step {
		return step{row: "newline", key: key, lead: typing("one"), want: both(draft("one\n"), behind(0)), back: empties}
	}
	return []step{
		newline("shift+enter"),
		newline("alt+enter"),
		newline("ctrl+j"),
		of("mention", listed("@", "README.txt")),
		{
			row: "mention-file", key: "/mention", want: both(sees("README.txt", "notes.md"), draft("@")),
			back: inOrder(closes("esc", "README.txt"), empties),
		},
		{row: "ignored-files", key: "alt+i", want: sees("@ finds ignored files"), back: inOrder(pressing("alt+i"), until("@ leaves out"))},
		{row: "ignored-files", key: "/ignored", want: sees("@ finds ignored files"), back: inOrder(pressing("alt+i"), until("@ leaves out"))},
		of("issue", listed("#", "#12 The tide table")),
		{row: "complete", key: "tab", lead: typing("/vers"), want: both(draft("/version"), behind(9)), back: empties},
		{row: "delete", key: "ctrl+d", lead: inOrder(typing("ab"), pressing("left")), want: draft("a"), back: empties},
		{row: "cancel", key: "ctrl+c", lead: typing("a thought"), want: sees(textReady, "Draft cleared")},
		{row: "stash", key: "ctrl+s", lead: typing("aside"), want: sees(textReady, "Draft stashed")},
		{row: "stash", key: "ctrl+s", want: draft("aside"), back: pressing("ctrl+s")},
		{row: "stash", key: "/stash", want: draft("aside"), back: empties},
		{row: "interrupt", key: "esc", lead: typing("a thought"), want: sees("esc again to stash the draft")},
		{row: "interrupt", key: "esc", want: sees(textReady, "Draft stashed")},
		{row: "shell", key: "!", rest: sends("echo walked"), want: sees("✓ shell   echo walked", "by you", "    walked")},
		{row: "help", key: "?", want: sees("Keys and commands"), back: closes("esc", "Keys and commands")},
	}
}

// sendingSteps begin where a question waits, and so the agent is at work.
func sendingSteps() []step {
	queued := func(key, text string) step {
		return step{row: "queue", key: key, lead: typing(text), want: sees("⋯ queued     " + text)}
	}
	back := func(key, text string) step {
		return step{row: "recall", key: key, want: both(draft(text), sees("Taken back from the queue")), back: empties}
	}
	return []step{
		{row: "send", key: "enter", lead: typing("steer"), want: sees("What is it for?"), back: inOrder(
			pressing("down"), pressing("enter"), until("⋯ next step  steer"),
		)},
		queued("ctrl+q", "wait one"),
		back("up", "wait one"),
		queued("ctrl+enter", "wait two"),
		queued("ctrl+q", "wait three"),
		back("ctrl+p", "wait three"),
		{row: "queued", key: "ctrl+x q", want: sees("Queued prompts"), back: closes("esc", "Queued prompts")},
		{row: "queued", key: "/queue", want: sees("Queued prompts"), back: closes("esc", "Queued prompts")},
		{row: "complete", key: "tab", want: gone(textTyping), back: inOrder(listens, closes("esc", "tab write an answer"))},
		{row: "answer", key: "ctrl+x p", want: gone(textTyping), back: listens},
		{row: "cancel", key: "ctrl+c", want: sees(textTyping)},
		{row: "cancel", key: "ctrl+c", want: sees(textCancelled), back: empties},
		{row: "send", key: "enter", lead: typing("walk on"), want: sees("▌ walk on")},
	}
}

// recallSteps go through two commands that were sent before.
func recallSteps() []step {
	const first, second = "/version", "/stash"
	recall := func(key, want string) step { return step{row: "recall", key: key, want: draft(want)} }
	found := both(sees("Prompts", "this session · 2"), sees("❯ /stash"))
	return []step{
		recall("up", second), recall("up", first), recall("down", second), recall("down", textReady),
		recall("ctrl+p", second), recall("ctrl+p", first), recall("ctrl+n", second), recall("ctrl+n", textReady),
		{row: "recall", key: "up", lead: inOrder(typing("/ve"), closes("esc", "Which Parley")), want: draft(first), back: empties},
		{row: "history", key: "ctrl+r", want: found, back: closes("esc", "this session")},
		{row: "history", key: "/history", want: sees("Prompts", "this session · "), back: closes("esc", "this session")},
	}
}

// attachSteps attach files and images.
func attachSteps() []step {
	image := func(key string) step {
		return step{row: "paste-image", key: key, unix: "wl-paste", want: draft("[image-1.png 1x1, 69 bytes]"), back: empties}
	}
	edit := func(key string) step {
		return step{
			row: "edit", key: key, lead: typing("my words"), want: edits("prompt.md 600 [my words]"),
			back: inOrder(saves("-more", "❯ my words-more", "interactive"), empties),
		}
	}
	return []step{
		{row: "attach", key: "/attach notes.md", want: draft("[notes.md 95 bytes]"), back: empties},
		image("alt+v"),
		image("ctrl+v"),
		image("/paste"),
		edit("ctrl+g"),
		edit("ctrl+x e"),
		edit("ctrl+x ctrl+e"),
		{
			row: "edit", key: "/editor", want: edits("prompt.md 600 []"),
			back: inOrder(saves("new words", "❯ new words", "interactive"), empties),
		},
	}
}

// commandSteps find commands.
func commandSteps() []step {
	palette := func(key string) step {
		return step{row: "palette", key: key, want: sees("Commands", "tab words for it"), back: closes("esc", "tab words for it")}
	}
	return []step{
		palette("ctrl+x space"),
		palette("f1"),
		palette("/commands"),
		{
			row: "command", key: "ctrl+x /", lead: typing("keep me"), want: both(sees("\n  / /\n", "tab words for it"), draft("keep me")),
			back: inOrder(closes("esc", "tab words for it"), empties),
		},
	}
}
