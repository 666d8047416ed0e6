package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	s.breathe() // keys that come at once are a paste
}

// TestPastSessions goes through the past by keyboard alone, on sessions that the
// real runtime wrote: finds one by what a tool said in it, sees it beside the list,
// reads it whole, goes on with it, copies it from a block, exports it, deletes it,
// takes that back, and deletes it for good. What the runtime wrote stays as it is
// until something is said in it.
func TestPastSessions(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"tide":  {shell("echo the neap is at six"), {Text: "The tide turns at six."}},
		"moon":  {{Text: "The moon is a waning crescent."}},
		"more":  {{Text: "And it is full in nine days."}},
		"fresh": {{Text: "A new beginning."}},
	}, launch{own: true, width: 140, height: 45, args: []string{"--allow-all"}})
	s.say("when does it turn @@tide")
	s.idle("The tide turns at six.")
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

	s.past("neap", "1 of 1", "❯ when does it turn @@tide", "echo the neap is at six")
	s.press("o") // read
	s.waitGone(textPast)
	s.wait("read only", "The tide turns at six.", "waning crescent")
	s.typed("and when is it full @@more")
	s.press("enter")
	s.wait("Read only:", "❯ and when is it full @@more")
	if got := stored(t, log); got != before {
		t.Errorf("reading changed the log:\n%s", got)
	}
	s.press("ctrl+x", "g") // go on with it
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
	s.deletePast(first)
	s.leave()
	if _, err := os.Stat(log); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was deleted is there after the end: %v\n%s", err, stored(t, log))
	}
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
func stored(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// forkPast goes on in a copy that ends before the last prompt.
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
	if n := strings.Count(s.heard("assistant"), "nine days"); n != 0 {
		s.t.Errorf("the copy knows of %d answers that came after it", n)
	}
}

// exportPast writes the one that the copy was made of to a page.
func (s *stage) exportPast() {
	s.t.Helper()
	s.past(`"when does it turn" -is:fork`, "1 of 1")
	s.press("e")
	s.wait("Export")
	s.press("ctrl+u")
	s.typed("tides.html")
	s.press("enter")
	s.waitFor("the page, whole", func(string) bool { return s.exists("tides.html") && strings.Contains(s.file("tides.html"), "</html>") })
	if page := s.file("tides.html"); !strings.Contains(page, "full in nine days") || !strings.Contains(page, "<details") {
		s.t.Errorf("the page holds %q", page)
	}
}

// deletePast deletes it, in the list and not from the disk, and takes it back. Then
// it deletes it for good: it is gone when the window is left.
func (s *stage) deletePast(id string) {
	s.t.Helper()
	s.command("/new") // what is open here is not deleted
	s.started("New session.")
	s.past("id:"+id[:8], "1 of 1")
	twice := func() {
		s.breathe() // letters that come fast are words that somebody types
		s.press("x")
		s.wait("again does it")
		s.breathe()
		s.press("x")
		s.wait("Deleted when you leave", "Nothing matches")
	}
	twice()
	s.breathe()
	s.press("u")
	s.wait("Taken back", "1 of 1")
	twice()
	if !s.kept(id) {
		s.t.Error("it is gone while it can be taken back")
	}
	s.press("esc")
	s.waitGone(textPast)
}
