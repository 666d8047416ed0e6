package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// loginCLI is the real Copilot CLI, but for its sign-in, which would reach the
// network: it waits for a line instead, and fails unless that is "yes". From then on
// the service at an address answers, for as long as the file in exists.
func loginCLI(t *testing.T, env []string, service string) (signed []string, in string) {
	t.Helper()
	i := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, "COPILOT_CLI_PATH=") })
	path := filepath.Join(t.TempDir(), "copilot")
	script := fmt.Sprintf(`#!/bin/sh
if [ "$1" != login ]; then
	[ -e "$0.in" ] && export COPILOT_HMAC_KEY=none COPILOT_API_URL='%s'
	exec '%s' "$@"
fi
mkdir "$0.tried" 2>/dev/null && n=first || n=second
printf 'Enter the %%s code: ' $n
read line
[ "$line" = yes ] && : > "$0.in"
`, service, strings.TrimPrefix(env[i], "COPILOT_CLI_PATH="))
	sessiontest.Program(t, path, script)
	env = append(slices.Clone(env), "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1")
	env[i] = "COPILOT_CLI_PATH=" + path
	return env, path + ".in"
}

// service is the Copilot service for an account: one model, which answers by a script.
func service(t *testing.T, script llm.Script) string {
	t.Helper()
	model, err := url.Parse(llm.Serve(t, script).URL)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /models", func(w http.ResponseWriter, _ *http.Request) {
		respond(w, http.StatusOK, object{"object": "list", "data": []object{{
			"id": "fast", "name": "Fast", "vendor": "Azure OpenAI", "object": "model", "version": "1", "preview": false,
			"model_picker_enabled": true, "supported_endpoints": []string{"/chat/completions"},
			"capabilities": object{
				"family": "fast", "type": "chat", "supports": object{"tool_calls": true, "streaming": true},
				"limits": object{"max_context_window_tokens": 264_000, "max_output_tokens": 64_000, "max_prompt_tokens": 128_000},
			},
		}}})
	})
	mux.Handle("POST /chat/completions", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(model) }})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, object{}) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// TestSignedOut goes from the first screen to the first answer where no account is signed
// in, over the agent's own sign-in: the prompt is kept all the way, and sent at its end. In
// the middle of the session it is the same.
func TestSignedOut(t *testing.T) { bothWindows(t, journeySignedOut) }

// journeySignedOut is it in one window.
func journeySignedOut(t *testing.T, l launch) {
	t.Helper()
	const signedOut, prompt = "You are not signed in. /login signs in.", "count the files @@count"
	const offer = "enter again signs in, and then sends this."
	env, in := loginCLI(t, onCLI(t), service(t, llm.Script{"count": {{Text: "There are three files."}}, "more": {{Text: "And a fourth."}}}))
	s := &stage{dir: t.TempDir()}
	l.dir, l.env, l.args = s.dir, env, []string{prompt}
	s.terminal = start(t, l)
	s.wait("No account is signed in, so the prompt was not answered.", "What to do: Sign in: /login in the window, or `copilot login` in a shell.", "❯ "+prompt)
	s.press("enter")
	s.wait(offer)
	s.press("enter")
	s.wait("Enter the first code:")
	s.send("no\n")
	s.wait("Could not sign in: copilot ended with exit code 1", "/login tries again", "❯ "+prompt)
	s.wait("What to do: Sign in: /login in the window, or `copilot login` in a shell.")
	s.press("enter")
	s.wait(offer)
	s.press("enter")
	s.wait("Enter the second code:")
	s.send("yes\n")
	before := strings.Count(s.wait("You are signed in", "There are three files.", textReady), signedOut)

	if err := os.Remove(in); err != nil {
		t.Fatal(err)
	}
	s.typed("/restart")
	s.press("enter")
	s.started("─ Resumed", signedOut)
	s.waitFor("the account to be read once more", func(screen string) bool { // an inline window shows also what it said before
		return strings.Count(screen, signedOut) > before
	})
	s.typed("how many @@more")
	s.press("enter")
	s.wait(offer, "❯ how many @@more")
	s.press("enter")
	s.waitFor("the sign-in once more", func(screen string) bool { return strings.Count(screen, "Enter the second code:") == 2 })
	s.send("yes\n")
	s.wait("You are signed in", "And a fourth.", textReady)
	s.leave()
}

// TestSignedOutAtFirst says on the first screen that no account is signed in.
func TestSignedOutAtFirst(t *testing.T) {
	t.Parallel()
	env, _ := loginCLI(t, onCLI(t), "")
	s := &stage{terminal: start(t, launch{env: env})}
	s.wait(textReady, "You are not signed in. /login signs in.")
	s.typed("/login")
	s.press("enter")
	s.wait("Enter the first code:")
	s.send("no\n")
	s.wait("Could not sign in: copilot ended with exit code 1", "/login tries again")
	s.typed("/logout")
	s.press("enter")
	s.wait("Could not sign out: no account is signed in")
	s.leave()
}
