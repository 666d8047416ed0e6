package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parley/session/sessiontest/llm"
)

// scenes are what the pictures of the README show. A change of this file has make
// docs draw them anew.
var scenes = map[string]func(t *testing.T, light bool) *stage{
	"chat": playScene, "change": playToChange, "form": playForm, "plan": playPlan, "models": playModels,
}

// textLater is at the foot of a question that takes keys: the last of it to be
// drawn.
const textLater = "esc later"

// looks are the backgrounds that each is drawn on.
var looks = []string{"dark", "light"}

// playDemo plays a scene of the demo up to a question that shows the texts.
func playDemo(t *testing.T, light bool, word string, texts ...string) *stage {
	t.Helper()
	l := launch{width: 100, height: 30, light: light, args: []string{"--agent", "demo"}}
	s := &stage{terminal: start(t, l), launch: l}
	s.wait(textReady)
	s.say(word)
	s.card(append(texts, textLater)...)
	return s
}

// playForm shows a form with something filled in.
func playForm(t *testing.T, light bool) *stage {
	t.Helper()
	s := playDemo(t, light, "form", "What should the note be like?")
	s.press("tab")
	s.typed("Groceries")
	s.wait("Groceries")
	return s
}

// playModels shows the models that can be chosen.
func playModels(t *testing.T, light bool) *stage {
	t.Helper()
	l := launch{width: 100, height: 24, light: light, args: []string{"--agent", "demo"}}
	s := &stage{terminal: start(t, l), launch: l}
	s.started(textReady)
	s.press("ctrl+x", "l")
	s.wait("Demo Deep", "esc")
	s.press("down", "down", "right")
	s.wait("[xhigh]")
	return s
}

// playPlan shows a plan that waits for approval.
func playPlan(t *testing.T, light bool) *stage {
	t.Helper()
	return playDemo(t, light, "plan", "(recommended)")
}

// playScene shows a turn with reasoning, an answer, tools and a question.
func playScene(t *testing.T, light bool) *stage {
	t.Helper()
	s := playToChange(t, light)
	s.press("y")
	s.card(textOnce, "-count=50", textLater)
	return s
}

// playToChange plays the turn up to the question whether the test may be
// changed.
func playToChange(t *testing.T, light bool) *stage {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "src", "queue")
	path := filepath.Join(dir, "worker_test.go")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", "-b", "fix-drain", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	source := "package queue\n\nfunc TestDrain(t *testing.T) {\n\tw := start(t)\n\tw.Add(3)\n" +
		"\ttime.Sleep(50 * time.Millisecond)\n\tif n := w.Len(); n != 0 {\n\t\tt.Errorf(\"%d left\", n)\n\t}\n}\n"
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	view := llm.Call{Name: "view", Args: map[string]any{"path": path}}
	edit := llm.Call{Name: "edit", Args: map[string]any{
		"path": path, "old_str": "\ttime.Sleep(50 * time.Millisecond)\n", "new_str": "\t<-w.Drained()\n",
	}}
	s := play(t, llm.Script{"": {
		{
			Reasoning: "The test may be racing with the worker. I should read it first.",
			Text:      "The test sleeps instead of waiting for the worker. I will look at it, then make it wait.",
			Calls:     []llm.Call{view},
		},
		{Calls: []llm.Call{edit}},
		{
			Text: "The test now waits until the worker has **drained**. I will run it fifty times.",
			Calls: []llm.Call{{Name: "bash", Args: map[string]any{
				"command": "go test -run TestDrain -count=50 .", "description": "Run the test fifty times",
			}}},
		},
	}}, launch{
		width: 100, height: 38, light: light, home: home, dir: dir, env: []string{"COPILOT_MODEL=scripted"},
	})
	s.say("Fix the flaky test in this package and run it fifty times.")
	s.card(textOnce, "1 of 1")
	s.press("y")
	s.card(textOnce, "<-w.Drained()", textLater)
	return s
}
