package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest/llm"
)

// storyName is the name of the moving picture, which the README shows.
const storyName = "story"

// The titles of the parts of the story.
const (
	titleStart   = "parley"
	titlePrompt  = "you say what should be done"
	titleThought = "the agent thinks and answers"
	titleChange  = "it wants to change a file: you see the change first"
	titleYes     = "y: yes, once"
	titleCommand = "it wants to run a command: you see what it does"
	titleNo      = "n: no, and what to do instead"
	titleEnd     = "it does that, and says what came of it"
)

// playStory plays a turn from the first screen to its end, in which a change is allowed and a
// command is refused, and keeps the moments of it.
func playStory(t *testing.T, light bool) *film {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "src", "queue")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", "-b", "fix-drain", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	source := "package queue\n\nfunc TestDrain(t *testing.T) {\n\tw := start(t)\n\tw.Add(3)\n" +
		"\ttime.Sleep(50 * time.Millisecond)\n\tif n := w.Len(); n != 0 {\n\t\tt.Errorf(\"%d left\", n)\n\t}\n}\n"
	path := filepath.Join(dir, "worker_test.go")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	thought := "The test may be racing with the worker: it sleeps, and hopes that the queue is empty then."
	answer := "The test sleeps for 50 ms instead of waiting for the worker, so it fails on a slow machine. I will make it wait."
	done := "I left the cache alone. The test now waits until the worker has **drained** the queue:\n\n" +
		"- `worker_test.go`: a channel in the place of the sleep\n\nRun it with `go test -run TestDrain -count=50 .`"
	const slowly = 150 * time.Millisecond
	f := &film{stage: play(t, llm.Script{"": {
		{Reasoning: thought, Text: answer, ChunkDelay: slowly, Calls: []llm.Call{{Name: "edit", Args: map[string]any{
			"path": path, "old_str": "\ttime.Sleep(50 * time.Millisecond)\n", "new_str": "\t<-w.Drained()\n",
		}}}},
		{Text: "Now I will run it fifty times, without what Go has cached.", Calls: []llm.Call{{Name: "bash", Args: map[string]any{
			"command":     "rm -rf ~/.cache/go-build && go test -run TestDrain -count=50 .",
			"description": "Delete the cache and run the test fifty times",
		}}}},
		{Text: done, ChunkDelay: slowly},
	}}, launch{
		width: 100, height: 28, light: light, home: home, dir: dir, env: []string{"COPILOT_MODEL=scripted"},
	})}
	f.started(textReady, "(fix-drain)", "not needed", "hooks         none")
	f.show(titleStart, 1.5)

	prompt := "Fix the flaky test in this package."
	for i := range prompt {
		f.send(prompt[i : i+1])
		f.wait("❯ " + strings.TrimSpace(prompt[:i+1]))
		f.show(titlePrompt, 0.05)
	}
	f.show(titlePrompt, 0.6)
	f.press("enter")
	f.waitGone("❯ " + prompt)
	f.stream(textCard, titleThought)

	f.card(textOnce, "<-w.Drained()", textLater)
	f.show(titleChange, 3)
	f.show(titleYes, 0.8)
	f.press("y")
	f.card(textOnce, "go-build", textLater)
	f.show(titleCommand, 3)

	f.press("n")
	f.wait(textFeedback)
	f.show(titleNo, 0.8)
	feedback := "leave the cache alone: I run the test"
	for i := range feedback {
		f.send(feedback[i : i+1])
		f.wait(strings.TrimSpace(feedback[:i+1]))
		f.show(titleNo, 0.05)
	}
	f.show(titleNo, 0.8)
	f.pause()
	f.press("enter")
	f.waitGone(textFeedback)
	f.stream(textReady, titleEnd)
	f.show(titleEnd, 3.5)
	return f
}

// stream keeps a moment for each change of the screen until a text is on it.
func (f *film) stream(until, title string) {
	f.t.Helper()
	for seen := f.screen(); !strings.Contains(seen, until); f.show(title, 0.07) {
		seen = f.waitFor("what comes next, until "+until, func(screen string) bool { return screen != seen })
	}
}
