package doctor

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/settings"
)

// TestACPFindings: what is installed says its version and how it signs in, what does not speak the
// protocol is noted with what to try, and what is not installed is left out unless the settings name it.
func TestACPFindings(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	const answer = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"gemini","version":"9.8"},` +
		`"authMethods":[{"id":"key","name":"a key"}]}}`
	script(t, bin, "gemini", "#!/bin/sh\nread line\necho '"+answer+"'\ncat >/dev/null\n",
		"@set /p line=\r\n@echo "+answer+"\r\n@set /p line=\r\n")
	script(t, bin, "opencode", "#!/bin/sh\necho broken >&2\nexit 3\n", "@echo broken>&2\r\n@exit 3\r\n")
	got := acpFindings(t.Context(), settings.Settings{Agents: map[string]settings.Agent{
		"chat": {URL: "http://127.0.0.1:1/v1", Kind: "openai"},
		"mine": {Command: []string{"not-there"}},
	}}, []string{"PATH=" + strings.Join([]string{bin, "/usr/bin", "/bin"}, string(filepath.ListSeparator))})
	want := []struct{ name, value, next string }{
		{"gemini", "gemini 9.8, starts in ", ""},
		{"mine", "not-there", "parley --agent mine"},
		{"opencode", "broken", "parley --agent opencode"},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		g := got[i]
		if g.Name != w.name || !strings.Contains(g.Value, w.value) || !strings.Contains(g.Do, w.next) {
			t.Errorf("got %+v, want %+v", g, w)
		}
	}
	if !strings.HasSuffix(got[0].Value, "signs in with a key") {
		t.Errorf("got %q", got[0].Value)
	}
}
