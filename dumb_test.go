package main

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/session/sessiontest"
)

// TestDumbTerminal: in a terminal that can move no cursor and has no colours a
// chat says so and what to do, and a log is printed with all that it says
// elsewhere.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	x := start(t, launch{args: []string{"--agent", "demo"}, env: []string{"TERM=dumb"}})
	x.exit()
	if said := strings.Join(strings.Fields(x.screen()), " "); !strings.Contains(said, "TERM=dumb") || !strings.Contains(said, "set TERM") {
		t.Errorf("said %q", said)
	}
	x.checkRestored()
	file := filepath.Join(sessiontest.Root(t), "testdata", "sessions", "subagent_task_background.jsonl")
	printed := start(t, launch{args: []string{"print", file, "--width", "80"}, env: []string{"TERM=dumb"}, width: 100, height: 500})
	printed.exit()
	want := runWith(t, "", "print", file, "--width", "80")
	if got := strings.ReplaceAll(printed.raw(), "\r\n", "\n"); got != want.out || strings.Contains(got, "\x1b") {
		t.Errorf("printed %q, want %q", got, want.out)
	}
}
