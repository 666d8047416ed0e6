package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// What the window says where lines are said and read.
const (
	textChoose  = "Type the letter or the number of a choice and press Enter."
	textConfirm = "Type yes and press Enter to confirm."
	textTurn    = "Ready."
)

// heardQuestion waits until the question of a number, from 1, was said with these texts.
func (s *stage) heardQuestion(number int, texts ...string) {
	s.t.Helper()
	s.waitFor("question "+texts[0], func(screen string) bool {
		return strings.Count(screen, textChoose) == number && inOrder(screen, append(texts, textChoose)...)
	})
}

// TestScreenReader uses the window by lines, on the shell of an editor and by the flag:
// a command that is allowed, one that is confirmed with a word, one that is refused with a
// reason. Nothing but lines is written.
func TestScreenReader(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]launch{
		"TERM=dumb":       {env: []string{"TERM=dumb"}},
		"--screen-reader": {args: []string{"--screen-reader"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.dir, l.width, l.height = t.TempDir(), 200, 100
			s := &stage{model: llm.Serve(t, llm.Script{}), dir: l.dir}
			l.env = slices.Concat(s.model.Env(t.TempDir()), onCLI(t), l.env)
			s.launch, s.terminal = l, start(t, l)
			s.wait("Parley, Copilot CLI", "/help has the commands.")
			s.turn("make", bash("touch made.txt"))
			s.heardQuestion(1, "Run this command?", "touch made.txt")
			s.send("y\r")
			s.wait("Tool, shell touch made.txt", "Answer: The turn make is over.", textTurn)
			s.turn("remove", bash("rm made.txt"))
			s.heardQuestion(2, "`rm` deletes or overwrites")
			s.send("y\r")
			s.wait(textConfirm)
			s.pause()
			s.send("yes\r")
			s.wait("Tool, shell rm made.txt", "Answer: The turn remove is over.")
			if _, err := os.Stat(s.path("made.txt")); !os.IsNotExist(err) {
				t.Errorf("it was not removed: %v", err)
			}
			s.turn("again", bash("touch again.txt"))
			s.heardQuestion(3, "touch again.txt")
			s.send("n\r")
			s.wait(textFeedback)
			s.send("use another name\r")
			s.wait("Refused: Tool, shell touch again.txt", "use another name", "Answer: The turn again is over.")
			if s.file("again.txt") != "" {
				t.Error("what was refused was done")
			}
			s.requested("tool", "use another name")
			s.send("/quit\r")
			s.endsWell()
			said := strings.ReplaceAll(s.raw(), lastWord, "")
			if i := strings.IndexByte(said, 0x1b); i >= 0 {
				t.Errorf("an escape sequence: %q", said[max(0, i-40):min(len(said), i+40)])
			}
		})
	}
}
