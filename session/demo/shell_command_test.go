package demo

import (
	"fmt"
	"testing"
)

// TestScriptCommands: each command of the script has its form for cmd.exe, and one that asks is allowed by what runs.
func TestScriptCommands(t *testing.T) {
	t.Parallel()
	sh, cmd := readScript(false).Tools, readScript(true).Tools
	asks := map[string]string{"hello": "[touch ls] [copy dir]", "count": "[sh] [for]", "delete": "[rm] [del]"}
	for name, c := range sh {
		if c.Name != "bash" {
			continue
		}
		if c.Cmd == "" || cmd[name].Shell+cmd[name].Background != c.Cmd {
			t.Errorf("%s: in cmd.exe it is %q%q, want %q", name, cmd[name].Shell, cmd[name].Background, c.Cmd)
		}
		if !c.Asks {
			continue
		}
		identifiers := fmt.Sprint(c.permit().Prompt.CommandIdentifiers, " ", cmd[name].permit().Prompt.CommandIdentifiers)
		if identifiers != asks[name] {
			t.Errorf("%s: asks for %s, want %s", name, identifiers, asks[name])
		}
	}
}
