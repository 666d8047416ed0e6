package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest"
)

// loginCLI is the real Copilot CLI, but for its sign-in, which would reach the
// network: it waits for a line instead, and fails unless that is "yes".
func loginCLI(t *testing.T, env []string) []string {
	t.Helper()
	i := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, "COPILOT_CLI_PATH=") })
	path := filepath.Join(t.TempDir(), "copilot")
	script := fmt.Sprintf(`#!/bin/sh
[ "$1" = login ] || exec '%s' "$@"
mkdir "$0.tried" 2>/dev/null && n=first || n=second
printf 'Enter the %%s code: ' $n
read line
[ "$line" = yes ]
`, strings.TrimPrefix(env[i], "COPILOT_CLI_PATH="))
	sessiontest.Program(t, path, script)
	env = slices.Clone(env)
	env[i] = "COPILOT_CLI_PATH=" + path
	return env
}

// TestSignedOut goes from the first screen to the agent's own sign-in and back,
// where no account is signed in: nothing is lost on the way, and what is said fits.
func TestSignedOut(t *testing.T) {
	t.Parallel()
	const signedOut = "You are not signed in. /login signs in."
	s := &stage{dir: t.TempDir()}
	s.terminal = start(t, launch{dir: s.dir, env: append(loginCLI(t, onCLI(t)), "HTTPS_PROXY=http://127.0.0.1:9")})
	s.wait(textReady, signedOut, "Say what you want done")
	s.typed("count the files")
	s.press("enter")
	s.wait("No GitHub OAuth token", "What to do: Sign in: /login in the window, or `copilot login` in a shell", "❯ count the files")
	s.press("ctrl+s")
	s.wait(textReady)

	s.typed("/login")
	s.press("enter")
	s.wait("Enter the first code:")
	s.send("no\n")
	s.wait("Could not sign in: copilot ended with exit code 1", "/login tries again")

	s.typed("/login")
	s.press("enter")
	s.wait("Enter the second code:")
	s.send("yes\n")
	s.wait("You are still not signed in. /login tries again.")
	s.press("ctrl+s")
	s.wait("❯ count the files")
	s.press("ctrl+c")
	s.wait(textReady)

	s.typed("/logout")
	s.press("enter")
	s.wait("Could not sign out: no account is signed in")
	s.leave()
}
