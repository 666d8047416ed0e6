package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	const files, nothing, noSpace, folders = ":0", ":4", ":6", ":16"
	for _, c := range []struct {
		words     []string
		want      string // the completions, without what they are said to be
		directive string
	}{
		{[]string{"--agent", ""}, "copilot demo sse: openai: replay:", nothing},
		{[]string{"--agent", "rep"}, "replay:", noSpace},
		{[]string{""}, "completion doctor help print report", nothing},
		{[]string{"--agent", "replay:" + dir + "/"}, "replay:" + dir + "/more/ replay:" + dir + "/one.jsonl", noSpace},
		{[]string{"--agent", "replay:" + dir + "/."}, "replay:" + dir + "/.hidden.jsonl", noSpace},
		{[]string{"--agent", "replay:" + dir + "/none/"}, "", nothing},
		{[]string{"--mode", ""}, "interactive plan autopilot", nothing},
		{[]string{"--output", ""}, "text json", nothing},
		{[]string{"--resume", ""}, "", nothing},
		{[]string{"--model", ""}, "", nothing},
		{[]string{"--cwd", ""}, "", folders},
		{[]string{"--copilot-path", ""}, "", files},
		{[]string{"--log-file", ""}, "", files},
		{[]string{"print", ""}, "", files},
		{[]string{"print", "--as", ""}, "timeline model", nothing},
		{[]string{"print", "--color", ""}, "auto always never", nothing},
		{[]string{"sessions", ""}, "list search show export stats delete reindex", nothing},
		{[]string{"sessions", "export", "--format", ""}, "md html txt jsonl", nothing},
		{[]string{"sessions", "export", "--output", ""}, "", files},
		{[]string{"report", ""}, "", files},
		{[]string{"doctor", ""}, "", nothing},
		{[]string{"completion", ""}, "bash zsh fish", nothing},
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

// TestCompletionInBash completes in a real bash.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	script := runWith(t, "", "completion", "bash").Out
	file := filepath.Join(t.TempDir(), "parley.bash")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	// Nothing of the package bash-completion is there.
	const complete = `set -e; . "$1"; shift
compopt() { :; } # it works inside of a completion only
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
complete -p parley >/dev/null
set +e; __start_parley parley; printf '%s\n' "${COMPREPLY[@]}"`
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"--mode", "au"}, "autopilot"},
		{[]string{"doc"}, "doctor"},
		{[]string{"print", "--as", "m"}, "model"},
		{[]string{"completion", "f"}, "fish"},
		{[]string{"keys", "--preset=cl"}, "claude"},
		{[]string{"sessions", "sh"}, "show"},
		{[]string{"sessions", "list", "--sort", "t"}, "title"},
	} {
		argv := append([]string{"--noprofile", "--norc", "-c", complete, "bash", file, "parley"}, c.words...)
		cmd := exec.CommandContext(t.Context(), "bash", argv...)
		cmd.Env = []string{"PATH=" + filepath.Dir(parley(t)) + ":/usr/bin:/bin", "HOME=" + t.TempDir()}
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%q completes to %q (%v), want %q", c.words, got, err, c.want)
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
			program, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed, so nothing has read the script for it", shell)
			}
			file := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(file, []byte(got.Out), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), program, "-n", file).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for _, args := range [][]string{{"completion"}, {"completion", "powershell"}, {"completion", "bash", "zsh"}} {
		if got := runWith(t, "", args...); got.Code != process.ExitUsage || !strings.Contains(got.Err, "bash, zsh, fish") {
			t.Errorf("%q: code %d, %q", args, got.Code, got.Err)
		}
	}
}
