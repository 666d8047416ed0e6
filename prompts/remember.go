package prompts

import (
	"crypto/sha256"
	"slices"

	"parley/session"
)

// memory holds what was written on forms that closed, for when they are asked
// again: forms that were cancelled, declined or interrupted, and answers that
// could not be delivered. The zero memory is empty.
type memory struct{ forms []remembered }

// mostForms bounds how many forms are remembered.
const mostForms = 32

// remembered is what was written on one form.
type remembered struct {
	key     formKey
	request session.RequestID
	sent    bool          // it was submitted: of use only for the very same request
	replies map[int]reply // by property; those that the person gave
}

// formKey tells forms apart: by who asks, and for what.
type formKey [sha256.Size]byte

func keyOf(r session.ElicitationRequested) formKey {
	return sha256.Sum256([]byte(r.ElicitationSource + "\x00" + string(r.RequestedSchema)))
}

// keep takes the place of what was kept for the same form before.
func (m *memory) keep(r remembered) {
	m.forms = slices.DeleteFunc(m.forms, func(old remembered) bool { return old.key == r.key })
	if len(r.replies) == 0 {
		return
	}
	m.forms = append(m.forms, r)
	if extra := len(m.forms) - mostForms; extra > 0 {
		m.forms = slices.Delete(m.forms, 0, extra)
	}
}

// recall returns what was kept for a form.
func (m *memory) recall(key formKey, request session.RequestID) map[int]reply {
	for _, r := range m.forms {
		if r.key == key && (!r.sent || r.request == request) {
			return r.replies
		}
	}
	return nil
}
