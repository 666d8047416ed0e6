package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/session/sessiontest/llm"
)

// seqOutput is what the command of counted prints, with its first and its last
// line: only the end is shown while it is folded.
const seqFirst, seqLast = "    101\n", "    130\n"

// counted is a chat in which a command has printed a lot and another one failed.
func counted(t *testing.T, height int) *stage {
	t.Helper()
	s := playFree(t, nil, launch{width: 100, height: height})
	s.turn("count", bash("seq 101 130"), bash("echo oops >&2; exit 3"))
	s.over("count", "✓ shell   seq 101 130", "✗ shell   echo oops", "    oops\n", seqLast)
	s.waitGone(seqFirst)
	s.quietly()
	return s
}

// click presses and releases the left button on a text of the screen.
func (s *stage) click(text string) {
	s.t.Helper()
	for y, line := range strings.Split(s.screen(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			at := fmt.Sprintf("\x1b[<0;%d;%d", ansi.StringWidth(before)+1, y+1)
			s.send(at + "M" + at + "m")
			return
		}
	}
	s.t.Fatalf("%q is not on the screen:\n%s", text, s.screen())
}

// copies presses a key and waits for a text to be on the terminal's clipboard.
func (s *stage) copies(key, text string) {
	s.t.Helper()
	from := len(s.raw())
	s.press(key)
	s.waitFor(fmt.Sprintf("%q to be copied", text), func(string) bool {
		return strings.Contains(s.raw()[from:], ansi.SetSystemClipboard(text))
	})
	s.wait("Copied", "through the terminal")
}

// TestDensities goes through what is shown of a turn. What failed is always
// there.
func TestDensities(t *testing.T) {
	t.Parallel()
	s := counted(t, 60)
	for _, d := range []struct {
		name        string
		first, last bool
	}{{"verbose", true, true}, {"compact", false, false}, {"normal", false, true}} {
		s.press("ctrl+x", "y")
		s.wait("Density: "+d.name, "✗ shell   echo oops", "    oops\n")
		s.waitFor("the lines of "+d.name, func(screen string) bool {
			return strings.Contains(screen, seqFirst) == d.first && strings.Contains(screen, seqLast) == d.last
		})
	}
	s.leave()
}

// TestFolds unfolds a block with the mouse and folds it with a key, and the other
// way round. It stays where it is.
func TestFolds(t *testing.T) {
	t.Parallel()
	s := counted(t, 60)
	row := func() int {
		before, _, _ := strings.Cut(s.screen(), "shell   seq 101 130")
		return strings.Count(before, "\n")
	}
	at := row()
	s.click("seq 101 130")
	s.wait(seqFirst, seqLast)
	s.blockOf("✓", "shell   seq 101 130")
	s.press("space")
	s.waitGone("  101\n")
	s.press("space")
	s.wait("  101\n")
	s.toDraft()
	s.click("seq 101 130")
	s.waitGone(seqFirst)
	if now := row(); now != at {
		t.Errorf("it was in row %d and is in row %d", at, now)
	}
	s.click("oops") // on any line of it
	s.wait("    oops\n")
	s.leave()
}

// TestJumpsAndCopies goes to what failed and to prompts, and copies the source of
// what is there.
func TestJumpsAndCopies(t *testing.T) {
	t.Parallel()
	s := counted(t, 60)
	const code = "func main() {\n\tprintln(\"hi\")\n}"
	const answer = "Here is **it**, which is a long line that the window has to wrap so that it ends somewhere else than it does here:\n\n" +
		"```go\n" + code + "\n```\n\nThe quince is ripe."
	s.model.Add("code", said(answer))
	s.say("show it @@code")
	s.idle("The quince is ripe.")
	s.press("ctrl+x", "f")
	s.wait("✗▏shell", "▏  oops", "esc back")
	s.copies("y", "echo oops >&2; exit 3")
	s.press("ctrl+x", "f")
	s.wait("Nothing failed before this.")
	s.press("}")
	s.wait("▌▏show it @@code")
	s.press("{")
	s.wait("▌▏do it @@count")
	s.press("}", "j")
	s.wait(" ▏Here is it, which")
	s.copies("c", answer)
	s.copies("y", code)
	s.press("}")
	s.wait("There is no other prompt that way.")
	s.toDraft()
	s.leave()
}

// TestSearch finds what is folded away, goes from match to match, and leaves the
// conversation as it was.
func TestSearch(t *testing.T) {
	t.Parallel()
	s := counted(t, 60)
	s.press("ctrl+f")
	s.wait("\n  /\n")
	s.send("quince")
	s.wait("/ quince", "no match")
	s.press("ctrl+u")
	s.send("11[0-2]$")
	s.wait("/ 11[0-2]$", "of 3", "regex")
	s.press("enter")
	s.wait("1 of 3", "  110\n", "  112\n", "n N match")
	s.press("n")
	s.wait("2 of 3")
	s.press("n")
	s.wait("3 of 3")
	s.press("N")
	s.wait("2 of 3")
	s.press("esc")
	s.waitGone("2 of 3", "  110\n")
	s.toDraft()
	s.wait(seqLast)
	s.leave()
}

// TestUnread tells what came while the user looked elsewhere, and goes there.
func TestUnread(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := playFree(t, nil, launch{})
	s.turn("first", bash("echo early"))
	s.over("first")
	s.model.Add("slow",
		llm.Step{Text: "Carefully now.", Hold: gate, HoldAfter: 1, Calls: []llm.Call{bash("seq 201 240")}}, said("I have counted."))
	s.say("go on @@slow")
	s.wait("  Carefully", textBusy)
	s.lookAway()
	gate.Open()
	s.idle("I have counted.")
	s.row("─ 1 command")
	s.press("focus")
	s.wait("new since you left; ctrl+x u goes to the first")
	s.press("ctrl+x", "u")
	s.row("✓▏shell", "seq 201 240")
	s.toDraft()
	s.leave()
}
