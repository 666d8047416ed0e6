package sessions

import (
	"cmp"
	"strings"

	"parley/session"
)

// GoOn is what goes on with a session in a window of its own.
func (l Log) GoOn() string {
	if l.Keeper != KeptByParley {
		return GoOn("", l.ID)
	}
	return GoOn(cmp.Or(l.Agent, "NAME"), l.ID)
}

// GoOn is what goes on with a session of an agent, as --agent names it; "" is
// the one that is taken without.
func GoOn(agent string, id session.ID) string {
	words := []string{"parley", "--resume", string(id)}
	if agent != "" {
		words = []string{"parley", "--agent", word(agent), "--resume", string(id)}
	}
	return strings.Join(words, " ")
}

// word is a text as a shell takes it for one word.
func word(text string) string {
	const plain = "-_./:@%+=,"
	special := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune(plain, r)
	}
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
