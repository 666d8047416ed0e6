package demo

import (
	"fmt"
	"slices"
	"strings"

	"parley/session/modelview"
)

// Overhear lets f know what the model is sent in the sessions that are opened
// from now on. None may be opened
// meanwhile.
func Overhear(a *Agent, f func([]modelview.Message)) {
	model := a.cfg.model
	a.cfg.model = func(messages []modelview.Message, line reply) reply {
		f(slices.Clone(messages))
		return model(messages, line)
	}
}

// Command is a command of the script, and the name of the tool that runs it.
func Command(name string) (tool, text string) {
	c := scenes().Tools[name]
	return c.Name, c.Shell
}

// InSh is what a test has written of a session as it is where commands run in sh.
func InSh(text string) string {
	if !usesCmd() {
		return text
	}
	pairs := []string{"tool_call shell", "tool_call bash"}
	cmd := readScript(true).Tools
	for name, sh := range readScript(false).Tools {
		if c := cmd[name]; c.Cmd != "" {
			pairs = append(pairs, c.Name+" "+string(c.Arguments), sh.Name+" "+string(sh.Arguments))
		}
		if c := cmd[name]; c.Asks {
			pairs = append(pairs, c.permit().asks(), sh.permit().asks())
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func (p permit) asks() string {
	return fmt.Sprint(p.Prompt.FullCommandText, p.Prompt.CommandIdentifiers)
}
