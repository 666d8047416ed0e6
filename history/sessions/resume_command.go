package sessions

import (
	"cmp"
	"slices"
	"strings"

	"parley/session"
)

// ResumeCommand is what continues a session in a window of its own.
func (l Log) ResumeCommand() string {
	if l.Keeper != ParleyKeeper && l.Keeper != AgentKeeper {
		return ResumeCommand(l.ID)
	}
	return ResumeCommand(l.ID, "--agent", cmp.Or(l.Agent, "NAME"))
}

// ResumeCommand is what continues a session of the agent that the flags name, such as
// --agent and a name; without any, that is the one that is taken then.
func ResumeCommand(id session.ID, flags ...string) string {
	var b strings.Builder
	b.WriteString("parley")
	for _, flag := range slices.Concat(flags, []string{"--resume", string(id)}) {
		b.WriteString(" " + shellWord(flag))
	}
	return b.String()
}

// shellWord is a text as a shell takes it for one word.
func shellWord(text string) string {
	const plain = "-_./:@%+=,"
	special := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune(plain, r)
	}
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
