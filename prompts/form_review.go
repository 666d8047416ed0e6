package prompts

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/schema"
	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// localAction stands in a row that does something else than to answer. The dialog
// that made the row takes it out again; it never leaves it.
type localAction struct {
	session.Answer
	away bool // leave the dialog waiting
}

// review is the page with all answers. It submits them, where they fit.
func (f *form) review() *choiceDialog {
	content, wrong, whole := f.check()
	c := newCard(f.of, f.title+": your answers")
	c.esc = "back"
	submit := row{key: "y", label: "Submit", approves: true, answer: f.accept(content)}
	change := row{label: "Change an answer", answer: localAction{}}
	switch {
	case wrong > 0:
		needs := " need"
		if wrong == 1 {
			needs = " needs"
		}
		c.alerts = append(c.alerts, text.Count(wrong, "answer")+needs+" a change before this can be submitted.")
		submit = row{key: "y", label: "Change the first of them", answer: localAction{}}
	case whole != "":
		c.alerts = append(c.alerts, whole)
		submit = row{key: "y", label: "Submit all the same", approves: true, answer: submit.answer}
	}
	if f.deceptive() {
		c.warn(hidesCharacters)
	}
	c.choices.rows = []row{submit, change}
	switch {
	case wrong > 0:
		c.choices.rows = c.choices.rows[:1]
	case len(f.entries) == 0:
		c.title, c.esc, c.choices.rows = f.title, "", c.choices.rows[:1]
		c.choices.rows[0].label = strings.Replace(submit.label, "Submit", "Accept", 1)
	}
	c.choices.rows = append(c.choices.rows, refusals(f.of, declines)...)
	c.payload = f.summary()
	return c
}

// refusals are the rows that end a form, or the question about an address,
// without an answer.
func refusals(of about, declines string) []row {
	decline := session.ElicitationAnswer{RequestID: of.request, Action: session.Decline}
	cancel := session.ElicitationAnswer{RequestID: of.request, Action: session.Cancel}
	return []row{
		{key: declines, label: "Decline: tell the agent no", answer: decline},
		{key: cancels, label: "Cancel: dismiss it without an answer", answer: cancel},
	}
}

// deceptive reports whether something that is shown does not show what it is.
func (f *form) deceptive() bool {
	if f.hidesCharacters {
		return true
	}
	for i := range f.entries {
		if p := &f.schema.Properties[i]; p.Written() && !f.entries[i].touched && text.HasHiddenChars(f.entries[i].field.text()) {
			return true
		}
	}
	return false
}

// summary shows every answer beside its question, with what is wrong with it.
type summary struct {
	textDocument
	form *form
}

func (d *summary) layout(width int, th *theme.Theme) int {
	d.drawn = d.cache.once(0, width, th, func() (lines []string) {
		labels := d.form.labelWidth(width)
		for i := range d.form.entries {
			e, p := &d.form.entries[i], &d.form.schema.Properties[i]
			said, tok := e.field.veil(p.Words(e.reply()), th), theme.Text
			switch {
			case said == "" && p.Required && p.Kind == schema.Many:
				said = "none"
			case said == "":
				said, tok = "left out", theme.Dim
			}
			question := text.Wrap(p.Label, labels)
			answer := text.Wrap(text.SanitizeShowHidden(said), max(width-labels-2, 1))
			for n := range max(len(question), len(answer)) {
				label, shown := "", ""
				if n < len(question) {
					label = question[n]
				}
				if n < len(answer) {
					shown = text.DrawVisible(answer[n], tok, th)
				}
				lines = append(lines, th.Render(theme.Dim, pad(label, labels))+"  "+shown)
			}
			lines = append(lines, wrong(e.problem, labels+2, width, th)...)
		}
		return lines
	})
	return len(d.drawn)
}

// summary is what the review is about: the answers, or the message alone where
// nothing else is asked for.
func (f *form) summary() document {
	if len(f.entries) == 0 {
		return &textDocument{spans: prose(f.message, theme.Text), raw: f.message}
	}
	d := &summary{form: f}
	for i := range f.entries {
		p := &f.schema.Properties[i]
		if !p.Secret {
			d.raw += p.Label + ": " + p.Words(f.entries[i].reply()) + "\n"
		}
	}
	return d
}

// farewell is what Esc asks: of the window's own form only when something was written.
func (f *form) farewell() *choiceDialog {
	c := newCard(f.of, f.title)
	if f.of.own != nil {
		c.esc = "back"
		c.payload = &textDocument{spans: prose("Nothing was done yet.", theme.Text)}
		c.choices.rows = []row{
			{label: "Continue with the form", answer: localAction{}},
			{label: "Discard what you wrote", answer: ownAnswer{}},
		}
		return c
	}
	c.payload = &textDocument{spans: prose("The form is not sent yet.", theme.Text)}
	later := "Leave it for later"
	if f.changed {
		later += "; what you wrote stays"
	}
	c.choices.rows = append([]row{
		{label: "Continue with the form", answer: localAction{}},
		{label: later, answer: localAction{away: true}},
	}, refusals(f.of, declines)...)
	return c
}

func (f *form) pressCard(k tea.KeyPressMsg) result {
	if k.Keystroke() == "shift+tab" && f.current == reviewing && len(f.entries) > 0 {
		f.resume(false)
		return result{}
	}
	r := f.card.press(k)
	switch a := r.answer.(type) {
	case localAction:
		if a.away {
			f.leave()
			return result{away: true}
		}
		f.resume(f.current == reviewing)
		return result{}
	case session.ElicitationAnswer:
		if a.Action != session.Accept {
			f.left = f.words()
		}
		f.keep(a.Action == session.Accept)
		f.ended = true
	}
	return r
}

// resume goes back to the fields: to the one that was in focus, or to the first
// that needs a change.
func (f *form) resume(first bool) {
	f.turn(filling)
	f.active = true
	if first {
		f.at = max(slices.IndexFunc(f.entries, func(e entry) bool { return e.problem != "" }), 0)
	}
	f.arrive()
}
