package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/session/sessiontest/llm"
)

// past opens the browser and looks for words.
func (s *stage) past(words string, texts ...string) {
	s.t.Helper()
	s.press("ctrl+x", "s")
	s.wait(textPast)
	s.press("/")
	s.wait(textQuery)
	s.typed(words)
	s.wait(texts...)
	s.press("enter")
	s.waitGone(textQuery)
	s.pause() // keys that come at once are a paste
}

// hostile is a command that prints what would drive the terminal, and then so much that
// only the end is shown while it is folded.
const hostile = `printf 'neap \033]0;owned\007\033[?1049l\033[31mred\033[0m \033[6n after\n'; seq 101 130`

// TestPastSessions goes through the past by keyboard alone, on sessions that the
// real runtime wrote: finds one by what a tool said in it, sees it beside the list,
// reads it whole, continues it, copies it from a block, exports it, gives it a
// name, deletes it, takes that back, and deletes it for good. What the runtime wrote
// stays as it is until something is said in it.
func TestPastSessions(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"tide":  {shell(hostile), {Text: "The \x1b]0;owned\x07\x1b[2Jtide turns at six."}},
		"moon":  {{Text: "The moon is a waning crescent."}},
		"more":  {{Text: "And it is full in nine days."}},
		"fresh": {{Text: "A new beginning."}},
	}, launch{own: true, width: 140, height: 45, args: []string{"--allow-all"}})
	s.say("when does it turn @@tide")
	s.idle("tide turns at six.")
	s.say("and the moon @@moon")
	s.idle("waning crescent")
	first := s.id()
	s.command("/new")
	s.wait("New session.")
	s.waitGone("starting", "waning")
	s.say("something else @@fresh")
	s.idle("A new beginning.")
	log := filepath.Join(s.home(), "session-state", first, "events.jsonl")
	before := stored(t, log)

	s.past("neap", "1 of 1", "❯ when does it turn @@tide", "neap")
	s.press("o") // read
	s.waitGone(textPast)
	s.wait("read only", "tide turns at six.", "waning crescent")
	s.readThrough()
	s.typed("and when is it full @@more")
	s.press("enter")
	s.wait("Read only:", "❯ and when is it full @@more")
	if got := stored(t, log); got != before {
		t.Errorf("reading changed the log:\n%s", got)
	}
	s.press("ctrl+x", "g") // continue it
	s.waitGone("read only", "starting")
	s.wait("❯ and when is it full @@more")
	s.press("enter")
	s.idle("And it is full in nine days.")
	heard := s.heard("assistant")
	if !strings.Contains(heard, "waning crescent") {
		t.Errorf("the model does not know of it: %q", heard)
	}
	if got := stored(t, log); !strings.HasPrefix(got, before) {
		t.Errorf("what was in the log is not any more:\n%s", got)
	}
	s.forkPast()
	s.exportPast()
	s.namePast()
	s.deletePast(first)
	s.leave()
	if _, err := os.Stat(log); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was deleted is there after the end: %v\n%s", err, stored(t, log))
	}
	if raw := s.raw(); strings.Contains(raw, "owned\x07") {
		t.Error("a sequence of the tool or the model reached the terminal")
	}
}

// readThrough unfolds a block with the mouse, finds what is in it, and copies it through
// the terminal.
func (s *stage) readThrough() {
	s.t.Helper()
	const first, last = "    101\n", "    130\n"
	s.wait("✓ shell", last)
	s.waitGone(first)
	s.click("shell   printf")
	s.wait(first, last)
	s.click("shell   printf")
	s.waitGone(first)
	s.press("ctrl+f")
	s.wait("\n  /\n")
	s.send("10[12]$")
	s.wait("/ 10[12]$", "of 2", "regex")
	s.press("enter")
	s.wait("1 of 2", "  101\n", "  102\n", "n N match")
	s.press("n")
	s.wait("2 of 2")
	s.press("esc") // back to the draft, where the search began
	s.waitGone("2 of 2", "  101\n")
	s.blockOf("✓", "shell")
	s.copies("y", hostile)
	s.toDraft()
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

// home is where the runtime keeps its state.
func (s *stage) home() string {
	s.t.Helper()
	for _, v := range slices.Backward(s.launch.env) {
		if dir, ok := strings.CutPrefix(v, "COPILOT_HOME="); ok {
			return dir
		}
	}
	s.t.Fatal("no COPILOT_HOME")
	return ""
}

// kept reports whether the runtime has the log of a session.
func (s *stage) kept(id string) bool {
	_, err := os.Stat(filepath.Join(s.home(), "session-state", id, "events.jsonl"))
	return err == nil
}

// stored is what a file holds.
func stored(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// forkPast continues in a copy that ends before the last prompt, in a terminal that becomes
// small and large again.
func (s *stage) forkPast() {
	s.t.Helper()
	s.blockOf("▌", "and when is it full")
	s.press("F")
	s.wait("This is a copy.", "❯ and when is it full @@more")
	s.waitGone("starting", "full in nine days.")
	s.press("ctrl+c")
	s.wait(textReady)
	s.say("say it again @@more")
	s.idle("And it is full in nine days.")
	for _, size := range [][2]int{{40, 14}, {140, 45}} {
		s.fit(size[0], size[1])
		s.wait("say it again @@more", "full in nine days.")
	}
	if n := strings.Count(s.heard("assistant"), "nine days"); n != 0 {
		s.t.Errorf("the copy knows of %d answers that came after it", n)
	}
}

// exportPast writes the one that the copy was made of to a page.
func (s *stage) exportPast() {
	s.t.Helper()
	s.past(`"when does it turn" -is:fork`, "1 of 1")
	s.press("e")
	s.wait("write to  parley-")
	s.press("ctrl+u")
	s.typed("tides.html")
	s.press("enter")
	s.waitFor("the page, whole", func(string) bool { return s.exists("tides.html") && strings.Contains(s.file("tides.html"), "</html>") })
	if page := s.file("tides.html"); !strings.Contains(page, "full in nine days") || !strings.Contains(page, "<details") {
		s.t.Errorf("the page holds %q", page)
	}
	s.press("esc") // the list is there again
	s.waitGone(textPast)
}

// namePast gives it another name.
func (s *stage) namePast() {
	s.t.Helper()
	s.past(`"when does it turn" -is:fork`, "1 of 1")
	s.press("r")
	s.wait("name  ")
	s.press("ctrl+u")
	s.typed("Neap tides")
	s.press("enter")
	s.wait("❯ Neap tides")
	s.press("esc")
	s.waitGone(textPast)
}

// deletePast deletes it, in the list and not from the disk, and takes it back. Then
// it deletes it for good: it is gone when the window is left.
func (s *stage) deletePast(id string) {
	s.t.Helper()
	s.command("/new") // what is open here is not deleted
	s.started("New session.")
	s.past("id:"+id[:8], "1 of 1", "❯ Neap tides")
	twice := func() {
		s.pause() // letters that come fast are typed words
		s.press("x")
		s.wait("deletes it, no other key")
		s.pause()
		s.press("x")
		s.wait("Deleted when you leave Parley", "Nothing matches")
	}
	twice()
	s.pause()
	s.press("u")
	s.wait("Undone", "1 of 1")
	twice()
	if !s.kept(id) {
		s.t.Error("it is gone while it can be taken back")
	}
	s.press("esc")
	s.waitGone(textPast)
}
