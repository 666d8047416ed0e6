package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// trusting is a session whose folder is trusted or not.
type trusting struct {
	*scriptedSession
	trusted bool
}

func (s *trusting) FolderTrusted() bool { return s.trusted }

func (*trusting) AskTrust(context.Context) error { return nil }

// prompts writes the prompt files of a session's folder, by name.
func (sc *scenario) prompts(files map[string]string) {
	sc.t.Helper()
	dir := sc.inFolder()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			sc.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			sc.t.Fatal(err)
		}
	}
}

// TestPromptFiles runs prompt files as commands: they fill the draft, which a key sends. What
// a name belongs to already has the file behind a prefix.
func TestPromptFiles(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.prompts(map[string]string{
		".github/prompts/polish.prompt.md": "---\ndescription: polishes \x1b[31ma file\nargument-hint: [file]\n---\nPolish $1 well.\n",
		".claude/commands/git/shell.md":    "!rm -rf $ARGUMENTS",
		".claude/commands/help.md":         "/quit is no command here",
	})
	front := sc.m.win.Front
	sc.say(session.Event{Body: session.FolderTrustCompleted{Trusted: true}})
	sc.step("type", "/polish")
	sc.contains("/polish [file]")
	sc.contains("polishes a file")
	sc.contains(filepath.FromSlash(".github/prompts/polish.prompt.md"))
	sc.step("type", " main.go")
	sc.step("key", "enter")
	if got := sc.draft(); got != "Polish main.go well." {
		t.Fatalf("the draft is %q", got)
	}
	sc.contains("This is /polish: enter sends it.")
	if sc.sends() != nil {
		t.Errorf("sent %q", sc.sends())
	}
	sc.step("key", "enter")
	if got := strings.Join(sc.sends(), "\n"); !strings.Contains(got, "Polish main.go well.") {
		t.Errorf("sent %q", got)
	}
	sc.command("/git:shell .")
	if got := sc.draft(); got != " !rm -rf ." {
		t.Fatalf("the draft is %q", got)
	}
	sc.step("key", "enter")
	if got := strings.Join(sc.sends(), "\n"); !strings.Contains(got, "!rm -rf .") {
		t.Errorf("sent %q", got)
	}
	sc.command("/prompt:help")
	if got := sc.draft(); got != " /quit is no command here" {
		t.Errorf("the draft is %q", got)
	}
	sc.step("key", "ctrl+u")
	sc.command("/help")
	sc.step("type", "prompt:help")
	sc.contains("/prompt:help")
	sc.contains("Prompt files")
	sc.step("key", "esc")
	sc.step("key", "esc")
	if err := os.WriteFile(filepath.Join(front.Info.Dir, ".claude/commands/late.md"), []byte("Late."), 0o600); err != nil {
		t.Fatal(err)
	}
	sc.command("/late")
	if got := sc.draft(); got != "Late." {
		t.Errorf("one that is new is %q", got)
	}
	sc.step("key", "ctrl+u")
	sc.command("/never")
	sc.contains("No command /never.")
}

// TestPromptFilesOfUntrustedFolder offers none of a folder that the agent does not trust.
func TestPromptFilesOfUntrustedFolder(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.prompts(map[string]string{".github/prompts/polish.prompt.md": "Polish."})
	s := &trusting{scriptedSession: sc.s}
	sc.m.win.Front.Session = s
	sc.command("/polish")
	sc.contains("No command /polish.")
	s.trusted = true
	sc.say(session.Event{Body: session.FolderTrustCompleted{Trusted: true}})
	sc.step("key", "ctrl+u")
	sc.command("/polish")
	if got := sc.draft(); got != "Polish." {
		t.Errorf("the draft is %q", got)
	}
}
