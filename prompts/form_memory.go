package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"parley/prompts/schema"
	"parley/session"
)

// formMemory holds what was written on forms that closed, for when they are asked
// again: forms that were cancelled, declined or interrupted, and answers that
// could not be delivered. What an earlier run left comes in by Queue.Restore.
// The zero memory is empty.
type formMemory struct{ forms []WrittenForm }

// mostForms bounds how many forms are remembered.
const mostForms = 32

// keyOf distinguishes forms: by who asks, and for what.
func keyOf(r session.ElicitationRequested) string {
	return digest(r.ElicitationSource, string(r.RequestedSchema))
}

// digest is the hash of texts, in hexadecimal digits.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keep remembers what was answered on a form, in the place of what was kept for
// the same request before.
func (m *formMemory) keep(f WrittenForm) {
	m.forms = slices.DeleteFunc(m.forms, func(old WrittenForm) bool { return old.Key == f.Key && old.Request == f.Request })
	if len(f.Answers) == 0 {
		return
	}
	m.forms = append(m.forms, f)
	if extra := len(m.forms) - mostForms; extra > 0 {
		m.forms = slices.Delete(m.forms, 0, extra)
	}
}

// recall takes out what was kept for a form: for the same request, or the latest
// that was not sent.
func (m *formMemory) recall(key string, request session.RequestID) WrittenForm {
	at := -1
	for i, f := range m.forms {
		switch {
		case f.Key != key:
		case f.Request == request:
			at = i
		case !f.Sent && (at < 0 || m.forms[at].Request != request):
			at = i
		}
	}
	if at < 0 {
		return WrittenForm{}
	}
	f := m.forms[at]
	m.forms = slices.Delete(m.forms, at, at+1)
	return f
}

// confirm forgets what was sent to a request that is settled.
func (m *formMemory) confirm(request session.RequestID) {
	m.forms = slices.DeleteFunc(m.forms, func(f WrittenForm) bool { return f.Sent && f.Request == request })
}

// replyOf is an answer as a property can take it; not ok when it cannot.
func replyOf(p *schema.Property, a WrittenAnswer) (r schema.Reply, ok bool) {
	if p.Written() {
		return schema.Reply{Text: a.Text}, len(a.Picked) == 0
	}
	picked := slices.DeleteFunc(slices.Clone(a.Picked), func(i int) bool { return i < 0 || i >= len(p.Options) })
	if p.Kind == schema.One {
		picked = picked[:min(len(picked), 1)]
	}
	slices.Sort(picked)
	return schema.Reply{Picked: slices.Compact(picked)}, a.Text == "" && (len(picked) > 0 || len(a.Picked) == 0)
}

// writtenAnswer is what the user wrote or chose in a field.
func writtenAnswer(p *schema.Property, field int, e *entry) WrittenAnswer {
	a := WrittenAnswer{Field: field, Label: p.Label, Given: !e.undelivered}
	if p.Written() {
		a.Text = e.field.text()
		return a
	}
	a.Chosen, a.Picked = p.Words(e.reply()), append(a.Picked, e.picked...)
	return a
}
