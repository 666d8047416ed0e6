package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// sign is what shows that something was done.
type sign struct {
	what string
	ok   func(w *walker, screen string) bool
}

// sees is that texts are on the screen, all at once.
func sees(texts ...string) sign {
	return sign{fmt.Sprintf("%q", texts), func(_ *walker, screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	}}
}

// times is that a text is on the screen so many times.
func times(text string, n int) sign {
	return sign{fmt.Sprintf("%q %d times", text, n), func(_ *walker, screen string) bool { return strings.Count(screen, text) == n }}
}

// stacked is that texts are on the screen, the last of each below that of the one
// before.
func stacked(texts ...string) sign {
	return sign{fmt.Sprintf("%q in this order", texts), func(_ *walker, screen string) bool {
		at := -1
		for _, text := range texts {
			next := strings.LastIndex(screen, text)
			if next <= at {
				return false
			}
			at = next
		}
		return true
	}}
}

// inOneLine is that texts stand beside each other.
func inOneLine(texts ...string) sign {
	return sign{fmt.Sprintf("%q in one line", texts), func(_ *walker, screen string) bool {
		return slices.ContainsFunc(strings.Split(screen, "\n"), func(line string) bool {
			return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) })
		})
	}}
}

// gone is that none of the texts is on the screen.
func gone(texts ...string) sign {
	return sign{fmt.Sprintf("%q gone", texts), func(_ *walker, screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(screen, text) })
	}}
}

// both is that all of the signs are there.
func both(signs ...sign) sign {
	var whats []string
	for _, s := range signs {
		whats = append(whats, s.what)
	}
	return sign{strings.Join(whats, " and "), func(w *walker, screen string) bool {
		return !slices.ContainsFunc(signs, func(s sign) bool { return !s.ok(w, screen) })
	}}
}

// not is that a sign is not there.
func not(s sign) sign {
	return sign{"no " + s.what, func(w *walker, screen string) bool { return !s.ok(w, screen) }}
}

// chosenAfter is that the chosen row of a list comes right after a line with a
// text and nothing else.
func chosenAfter(text string) sign {
	return sign{fmt.Sprintf("the row after %q chosen", text), func(_ *walker, screen string) bool {
		return strings.Contains(screen, "\n"+text+"\n❯ ")
	}}
}

// chosenBefore is that it comes right before a line with a text.
func chosenBefore(text string) sign {
	return sign{fmt.Sprintf("the row before %q chosen", text), func(_ *walker, screen string) bool {
		before, _, found := strings.Cut(screen, text)
		lines := strings.Split(before, "\n")
		return found && len(lines) > 1 && strings.HasPrefix(lines[len(lines)-2], "❯ ")
	}}
}

// draft is that the composer holds a text and no other.
func draft(text string) sign {
	return sign{fmt.Sprintf("the draft %q", text), func(_ *walker, screen string) bool { return composed(screen) == text }}
}

// composed is the text in the composer, below the last rule or the card of a question,
// or what is said in its place.
func composed(screen string) string {
	lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if !strings.HasPrefix(lines[i], "  ────") && !strings.HasPrefix(lines[i], "╰") {
			continue
		}
		var text []string
		for _, line := range lines[i+1 : max(i+1, len(lines)-1)] {
			text = append(text, strings.TrimPrefix(strings.TrimPrefix(line, "❯"), " "))
		}
		for n := range text[min(1, len(text)):] {
			text[n+1] = strings.TrimPrefix(text[n+1], " ")
		}
		return strings.Join(text, "\n")
	}
	return ""
}

// behind is that the caret is behind so many columns of its line of the draft.
func behind(columns int) sign {
	return sign{fmt.Sprintf("the caret behind %d columns", columns), func(w *walker, _ string) bool {
		col, _, visible := w.cursor()
		return visible && col == columns+2
	}}
}

// noted is that a text reached the terminal, the editor or another program since
// the key.
func noted(text string) sign {
	return sign{fmt.Sprintf("%q noted", text), func(w *walker, _ string) bool {
		return slices.ContainsFunc(w.since(), func(note string) bool { return strings.HasPrefix(note, text) })
	}}
}

// copied is that the clipboard was given a text.
func copied(text string) sign { return noted(fmt.Sprintf("copy %q", text)) }

// edits is that the editor was started since the key: on a file of that name and
// mode, with that first line.
func edits(text string) sign { return noted("edit " + text) }

// titled is that the window has a title.
func titled(title string) sign {
	return sign{fmt.Sprintf("the title %q", title), func(w *walker, _ string) bool { return w.m.View().WindowTitle == title }}
}

// takesMouse is that the window has the mouse, or not.
func takesMouse(has bool) sign {
	return sign{fmt.Sprintf("the mouse taken: %t", has), func(w *walker, _ string) bool {
		return (w.m.View().MouseMode != tea.MouseModeNone) == has
	}}
}

// file is that a file of the walker's folder holds a text.
func file(name, text string) sign {
	return sign{fmt.Sprintf("the file %s with %q", name, text), func(w *walker, _ string) bool {
		got, err := os.ReadFile(filepath.Join(w.folder, name))
		return err == nil && strings.Contains(string(got), text)
	}}
}

// The texts of the screen that the walk waits for.
const (
	textReady     = "What should be done? / for commands"                          // an idle composer
	textBusy      = "enter: send for its next step · ctrl+q: send when it is done" // a composer while a turn runs
	textOnce      = "Yes, once"
	textTyping    = "ctrl+x p" // a card that has not the keys
	textFeedback  = "What should it do instead?"
	textEscAgain  = "esc again to interrupt"
	textCancelled = "Interrupted"
)
