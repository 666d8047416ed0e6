package doctor

import (
	"path/filepath"
	"reflect"
	"testing"

	"parley/session/sessiontest"
	"parley/settings"
)

func TestLookChats(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	sessiontest.Program(t, filepath.Join(bin, "pass"), "#!/bin/sh\ntouch ran\n")
	got := lookChats(map[string]settings.Agent{
		"plain":   {URL: "http://127.0.0.1:11434/v1", Kind: "openai"},
		"set":     {URL: "https://agent.example/chat?key=hidden", Kind: "sse", TokenEnv: "TIDE"},
		"unset":   {URL: "https://agent.example/chat", Kind: "sse", TokenEnv: "EBB"},
		"there":   {URL: "https://agent.example/chat", Kind: "sse", TokenCommand: []string{"pass", "tide"}},
		"missing": {URL: "https://agent.example/chat", Kind: "sse", TokenCommand: []string{"gone"}},
		"open":    {URL: "http://agent.example/chat", Kind: "sse", TokenEnv: "TIDE"},
		"odd":     {URL: "https://agent.example/v1", Kind: "openai", Options: map[string]any{"f": func() {}}},
	}, []string{"PATH=" + bin, "TIDE=hidden"})
	const shown = "sse:https://agent.example/chat"
	want := []chatFacts{
		{name: "missing", address: shown, token: "gone", noToken: "gone was not found"},
		{name: "odd", address: "openai:https://agent.example/v1", trouble: got[1].trouble},
		{name: "open", address: "sse:", token: "TIDE", trouble: got[2].trouble},
		{name: "plain", address: "openai:http://127.0.0.1:11434/v1"},
		{name: "set", address: shown, token: "TIDE"},
		{name: "there", address: shown, token: "pass"},
		{name: "unset", address: shown, token: "EBB", noToken: "the variable EBB is not set"},
	}
	if !reflect.DeepEqual(got, want) || got[1].trouble == "" || got[2].trouble == "" {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
