package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/session/sessiontest"
)

// TestPrintAsModelBuilt runs the program itself: from a pipe, into a pipe, as
// wide as the environment says.
func TestPrintAsModelBuilt(t *testing.T) {
	t.Parallel()
	log, err := os.Open(filepath.Join(sessiontest.Root(t), "testdata", "sessions", "hand", "compaction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.CommandContext(t.Context(), parley(t), "print", "-", "--as", "model")
	cmd.Stdin, cmd.Env = log, []string{"COLUMNS=50", "HOME=" + t.TempDir(), "TERM=xterm-256color"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"What the model sees", "user · summary", "<summary>"} {
		if !strings.Contains(string(out), text) {
			t.Errorf("%q is not in\n%s", text, out)
		}
	}
	clitest.CheckPlain(t, string(out), 50)
}

// What `parley print --as model` writes of a log from anywhere is text and
// colours.
func TestPrintAsModelHostile(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			h := sessiontest.NewHostile(seed)
			log := hostileLog(t, h)
			width := 4 + h.IntN(150)
			got := lineIn(t, nil, log, "print", "-", "--as=model", "--width", strconv.Itoa(width), "--color", []string{"always", "never"}[seed%2])
			if got.Code != process.ExitOK || strings.Count(got.Out, "\n") < 20 {
				t.Fatalf("code %d, %d lines: %s", got.Code, strings.Count(got.Out, "\n"), got.Err)
			}
			if found := sessiontest.NewGuard(width, 50).Draw(got.Out); found != "" {
				t.Errorf("width %d: %s", width, found)
			}
		})
	}
}
