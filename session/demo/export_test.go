package demo

import (
	"slices"

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
