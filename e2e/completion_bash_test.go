package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompletionInBash completes in a real bash.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	script := lineIn(t, nil, "", "completion", "bash").Out
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
