package doctor

import (
	"slices"
	"testing"

	"parley/settings"
)

func TestChatFindings(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	script(t, bin, "pass", "#!/bin/sh\ntouch ran\n", "@echo >ran\r\n")
	got := chatFindings(map[string]settings.Agent{
		"plain":   {URL: "http://127.0.0.1:11434/v1", Kind: "openai"},
		"set":     {URL: "https://agent.example/chat?key=hidden", Kind: "sse", TokenEnv: "TIDE"},
		"unset":   {URL: "https://agent.example/chat", Kind: "sse", TokenEnv: "EBB"},
		"there":   {URL: "https://agent.example/chat", Kind: "sse", TokenCommand: []string{"pass", "tide"}},
		"missing": {URL: "https://agent.example/chat", Kind: "sse", TokenCommand: []string{"gone"}},
		"open":    {URL: "http://agent.example/chat", Kind: "sse", TokenEnv: "TIDE"},
		"odd":     {URL: "https://agent.example/v1", Kind: "openai", Options: map[string]any{"f": func() {}}},
	}, []string{"PATH=" + bin, "TIDE=hidden"})
	const shown, token = "sse:https://agent.example/chat", "Provide its token, or name another variable with --token-env."
	var want findings
	want.note("missing", shown+", but gone was not found", token)
	want.problem("odd", got[1].Value, "Correct [agents.odd] in settings.toml.", false)
	want.problem("open", got[2].Value, "Correct [agents.open] in settings.toml.", false)
	want.ok("plain", "openai:http://127.0.0.1:11434/v1")
	want.ok("set", shown+", with a token from TIDE")
	want.ok("there", shown+", with a token from pass")
	want.note("unset", shown+", but the variable EBB is not set", token)
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
