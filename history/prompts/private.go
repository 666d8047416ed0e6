package prompts

import (
	"strings"

	"parley/history/secrets"
)

// Private reports whether a prompt is kept out of the history, and why, as the
// end of a sentence about it: because it begins with a space, as in a shell with
// HISTCONTROL=ignorespace, or because it looks like it holds a secret.
//
// Secrets are what secrets.Find finds. The first call takes tens of milliseconds, and
// one of a long text too. It is safe for concurrent use.
func Private(text string) (why string, private bool) {
	if strings.HasPrefix(text, " ") {
		return "it begins with a space", true
	}
	for _, part := range parts(text) {
		found, err := secrets.Find(part)
		if err != nil {
			return "it could not be checked for secrets: " + err.Error(), true // what was not checked is not kept
		}
		if len(found) > 0 {
			return "it looks like it holds a secret (" + found[0].Kind + ")", true
		}
	}
	return "", false
}

// scanned is how much of a text is searched for secrets, in bytes: half of it
// from the start, half to the end. What is longer is data that was pasted.
const scanned = 512 << 10

func parts(text string) []string {
	if len(text) <= scanned {
		return []string{text}
	}
	return []string{text[:scanned/2], text[len(text)-scanned/2:]}
}
