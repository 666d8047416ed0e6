package cli

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"parley/cli/process"
)

// TestCompletion asks for completions as the shells' scripts do.
func TestCompletion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"one.jsonl", "two.txt", ".hidden.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o700); err != nil {
		t.Fatal(err)
	}
	const files, nothing, noSpace, folders, ids = ":0", ":4", ":6", ":16", ":36"
	for _, c := range []struct {
		words     []string
		want      string // the completions, without what they are said to be
		directive string
	}{
		{[]string{"--agent", ""}, "copilot demo gemini opencode claude codex acp: sse: openai: replay:", nothing},
		{[]string{"--agent", "co"}, "copilot codex", nothing},
		{[]string{"--agent", "ac"}, "acp:", noSpace},
		{[]string{"--agent", "rep"}, "replay:", noSpace},
		{[]string{""}, "completion doctor help print report", nothing},
		{[]string{"--agent", "replay:" + dir + "/"}, "replay:" + dir + "/more/ replay:" + dir + "/one.jsonl", noSpace},
		{[]string{"--agent", "replay:" + dir + "/."}, "replay:" + dir + "/.hidden.jsonl", noSpace},
		{[]string{"--agent", "replay:" + dir + "/none/"}, "", nothing},
		{[]string{"--mode", ""}, "interactive plan autopilot", nothing},
		{[]string{"--output", ""}, "text json", nothing},
		{[]string{"--resume", ""}, "", ids},
		{[]string{"-r", ""}, "", ids},
		{[]string{"--model", ""}, "", nothing},
		{[]string{"--cwd", ""}, "", folders},
		{[]string{"--copilot-path", ""}, "", files},
		{[]string{"--log-file", ""}, "", files},
		{[]string{"print", ""}, "", files},
		{[]string{"print", "--as", ""}, "timeline model", nothing},
		{[]string{"print", "--color", ""}, "auto always never", nothing},
		{[]string{"sessions", ""}, "list search show export stats delete reindex", nothing},
		{[]string{"sessions", "export", "--format", ""}, "md html txt jsonl", nothing},
		{[]string{"sessions", "list", "--sort", ""}, "used started title cost", nothing},
		{[]string{"sessions", "--sort", ""}, "used started title cost", nothing},
		{[]string{"sessions", "show", "--as", ""}, "timeline model", nothing},
		{[]string{"sessions", "show", "--width", ""}, "", nothing},
		{[]string{"sessions", "export", "--output", ""}, "", files},
		{[]string{"report", ""}, "", files},
		{[]string{"doctor", ""}, "", nothing},
		{[]string{"mcp", ""}, "add edit get list remove try", nothing},
		{[]string{"mcp", "add", "--scope", ""}, "user project", nothing},
		{[]string{"mcp", "add", "--transport", ""}, "stdio http sse", nothing},
		{[]string{"completion", ""}, "bash zsh fish powershell", nothing},
		{[]string{"--resu"}, "--resume", nothing},
	} {
		got := runWith(t, "", append([]string{"__complete"}, c.words...)...)
		var words []string
		directive := ""
		for line := range strings.Lines(got.Out) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if strings.HasPrefix(word, ":") {
				directive = word
				continue
			}
			words = append(words, word)
		}
		for _, w := range strings.Fields(c.want) {
			if !slices.Contains(words, w) {
				t.Errorf("%q: %q is missing in %q", c.words, w, words)
			}
		}
		if len(words) > len(strings.Fields(c.want)) && !slices.Contains(words, "completion") || directive != c.directive || got.Code != process.ExitOK {
			t.Errorf("%q: %q %s, want %q %s", c.words, words, directive, c.want, c.directive)
		}
	}
}

// TestPowerShellCompletion reads the script for PowerShell as a highlighter of code does, for
// PowerShell itself is seldom there: it registers for parley, asks parley, and what it opens it closes.
func TestPowerShellCompletion(t *testing.T) {
	t.Parallel()
	script := runWith(t, "", "completion", "powershell").Out
	tokens, err := lexers.Get("powershell").Tokenise(nil, script)
	if err != nil {
		t.Fatal(err)
	}
	var open []byte
	closes := map[string]byte{"}": '{', ")": '(', "]": '['}
	for _, token := range tokens.Tokens() {
		if token.Type == chroma.Error && token.Value != ":" { // it does not know each use of a colon
			t.Errorf("%q is not PowerShell", token.Value)
		}
		if token.Type != chroma.Punctuation {
			continue
		}
		for _, mark := range strings.Split(token.Value, "") {
			switch opener := closes[mark]; {
			case strings.ContainsAny(mark, "{(["):
				open = append(open, mark[0])
			case opener != 0 && (len(open) == 0 || open[len(open)-1] != opener):
				t.Fatalf("%q closes what is not open", mark)
			case opener != 0:
				open = open[:len(open)-1]
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("%q is not closed", open)
	}
	for _, part := range []string{"Register-ArgumentCompleter -CommandName 'parley'", " __complete "} {
		if !strings.Contains(script, part) {
			t.Errorf("%q is missing in the script", part)
		}
	}
}

// TestCompletionScripts has each shell read its script, where it is installed.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range shells {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			got := runWith(t, "", "completion", shell)
			if got.Code != process.ExitOK || got.Err != "" || !strings.Contains(got.Out, "parley") {
				t.Fatalf("code %d, %q", got.Code, got.Err)
			}
			program, err := exec.LookPath(cmp.Or(map[string]string{"powershell": "pwsh"}[shell], shell))
			if err != nil {
				t.Skipf("%s is not installed, so nothing has read the script for it", shell)
			}
			file := filepath.Join(t.TempDir(), "script.ps1")
			if err := os.WriteFile(file, []byte(got.Out), 0o600); err != nil {
				t.Fatal(err)
			}
			read := []string{"-n", file}
			if shell == "powershell" {
				read = []string{"-NoProfile", "-NonInteractive", "-Command", "$wrong = $null; [void][System.Management.Automation.Language.Parser]::" +
					"ParseFile('" + file + "', [ref]$null, [ref]$wrong); $wrong; exit $wrong.Count"}
			}
			if out, err := exec.CommandContext(t.Context(), program, read...).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for _, args := range [][]string{{"completion"}, {"completion", "tcsh"}, {"completion", "bash", "zsh"}} {
		if got := runWith(t, "", args...); got.Code != process.ExitUsage || !strings.Contains(got.Err, "bash, zsh, fish, powershell") {
			t.Errorf("%q: code %d, %q", args, got.Code, got.Err)
		}
	}
}
