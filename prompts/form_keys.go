package prompts

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/prompts/schema"
	"parley/session"
)

func (f *form) role(k tea.KeyPressMsg) consent.Role {
	name := k.Keystroke()
	_, scrolls := f.scrollBy(name)
	switch {
	case f.card != nil:
		if r := f.card.role(k); r != consent.Unused || name != "ctrl+d" {
			return r
		}
		return consent.Moves // it would quit elsewhere
	case scrolls && f.drawn.total <= f.drawn.height: // what is behind it scrolls
		return consent.Unused
	case scrolls:
		return consent.Moves
	case f.active && f.ends(k) && f.last():
		return f.submitRole()
	case f.active && f.property().Written():
		return consent.Types
	case f.active && (printable(k) || f.ends(k)): // before the user went into the form letters are not for it
		return consent.Moves
	}
	switch name {
	case "tab", "shift+tab", "up", "down", "ctrl+d":
		return consent.Moves
	case "enter":
		if !f.active {
			return consent.Moves
		}
	case "ctrl+p", "ctrl+n", "home", "end", "backspace", "delete":
		if f.active {
			return consent.Moves
		}
	}
	return consent.Unused
}

// last reports whether the end of the answer is the end of the form: it is the
// only one, and the user gave it, or moved to it. What the schema proposes, or
// was written on another form, is shown for review before it is sent, and so is
// the answer to a question that hides something.
func (f *form) last() bool {
	return len(f.entries) == 1 && f.of.own == nil && !f.hidesCharacters &&
		(f.given || f.property().Kind == schema.One && f.entry().cursor >= 0)
}

// submitRole is the role of the key that submits the only answer. It submits
// nothing that was not on the screen yet.
func (f *form) submitRole() consent.Role {
	switch {
	case f.drawn.input != f.at:
		return consent.Moves
	case f.property().Written() && !f.entry().field.blank():
		return consent.Submits
	}
	return consent.Chooses
}

// ends reports whether a key ends the answer in focus. In a text of many lines
// Enter is a line end; the only answer of a form ends with it unless it has
// lines already, or a backslash asks for one.
func (f *form) ends(k tea.KeyPressMsg) bool {
	if k.Keystroke() == "ctrl+enter" {
		return true
	}
	if !enter(k) || !f.property().Multiline {
		return enter(k)
	}
	text := &f.entry().field
	return len(f.entries) == 1 && !strings.Contains(text.text(), "\n") && !text.continued()
}

func (f *form) press(k tea.KeyPressMsg) result {
	f.hint = ""
	name := k.Keystroke()
	switch {
	case f.card != nil:
		return f.pressCard(k)
	case f.scrolls(name):
		return result{}
	case !f.active:
		f.active, f.follow = name != "ctrl+d", true
		f.arrive()
		return result{}
	}
	f.follow = true
	switch {
	case name == "tab" && f.openField() != nil && f.openField().completes():
		f.openField().complete()
		f.change(f.at, true)
	case name == "tab":
		f.step(1)
	case name == "shift+tab":
		f.step(-1)
	case f.ends(k):
		if !k.IsRepeat {
			return f.end()
		}
	case name == "ctrl+g" && f.writing() && !f.property().Secret:
		f.asked = f.at
		return result{effect: OpenEditor{Text: f.entry().field.text(), Name: "answer.md"}}
	case f.writing():
		f.write(k)
	default:
		f.choose(k)
	}
	return result{}
}

// scrolls moves the window over the form, if the key does that.
func (f *form) scrolls(name string) bool {
	by, ok := f.scrollBy(name)
	f.top += by
	return ok
}

// scrollBy is by how many lines a key does.
func (f *form) scrollBy(name string) (lines int, ok bool) {
	page := max(1, f.drawn.height-1)
	lines, ok = map[string]int{"shift+up": -1, "shift+down": 1, "pgup": -page, "pgdown": page}[name]
	return lines, ok
}

// end ends the answer in focus: it continues, unless something is wrong with it,
// or submits the only one.
func (f *form) end() result {
	p, e, last := f.property(), f.entry(), f.last()
	if last && f.drawn.input != f.at {
		return result{}
	}
	if p.Kind == schema.One && e.cursor >= 0 && !slices.Contains(e.picked, e.cursor) {
		f.pick(e.cursor)
	}
	if last {
		return f.submit()
	}
	if _, _, problem := p.Value(e.reply()); problem != "" {
		e.problem = problem
		return result{}
	}
	if f.of.own != nil && f.at == len(f.entries)-1 {
		return f.send()
	}
	f.step(1)
	return result{}
}

// submit sends the only answer, or says what is wrong with it.
func (f *form) submit() result {
	content, wrong, whole := f.check()
	switch {
	case wrong > 0:
		return result{}
	case whole != "":
		f.turn(reviewing)
		return result{}
	}
	f.keep(true)
	f.ended = true
	return result{answer: f.accept(content)}
}

// accept is the answer that sends the form.
func (f *form) accept(content map[string]any) session.ElicitationAnswer {
	return session.ElicitationAnswer{
		RequestID: f.of.request, Action: session.Accept, Content: content, Secret: f.schema.Secrets(),
	}
}

// write gives a key to the text in focus. At its first and last row the arrows
// continue to the other fields.
func (f *form) write(k tea.KeyPressMsg) {
	e := f.entry()
	before := e.field.text()
	switch {
	case newline(k) && !f.property().Multiline:
	case enter(k) && len(f.entries) > 1, enter(k) && strings.Contains(before, "\n"):
		e.field.insert("\n")
	case !e.field.press(k):
	case k.Keystroke() == "up" && f.at > 0:
		f.step(-1)
	case k.Keystroke() == "down" && f.at < len(f.entries)-1:
		f.step(1)
	}
	if e.field.text() != before {
		f.change(f.at, printable(k) || newline(k) || enter(k)) // only what the key itself wrote was given
	}
}

// choose gives a key to the options in focus.
func (f *form) choose(k tea.KeyPressMsg) {
	p, e := f.property(), f.entry()
	switch name := k.Keystroke(); name {
	case "up", "ctrl+p":
		f.over(-1)
	case "down", "ctrl+n":
		f.over(1)
	case "home":
		e.cursor = 0
	case "end":
		e.cursor = len(p.Options) - 1
	case "backspace", "delete":
		e.picked, e.cursor = nil, -1
		f.change(f.at, false)
	case "space":
		f.space()
	default:
		if len(k.Text) == 1 && k.Text[0] >= '1' && k.Text[0] <= '9' {
			if i := int(k.Text[0] - '1'); i < len(p.Options) {
				f.pick(i)
			}
			return
		}
		f.seek(k.Text)
	}
}

// over moves over the options, and beyond the first and the last to the other
// fields.
func (f *form) over(by int) {
	e, last := f.entry(), len(f.property().Options)-1
	from := e.cursor
	if from < 0 {
		from = e.first()
	}
	to := from + by
	if from < 0 && by < 0 {
		to = last
	}
	switch {
	case to < 0 && f.at > 0, to > last && f.at < len(f.entries)-1:
		f.step(by)
	default:
		e.cursor = min(max(to, 0), last)
	}
}

// space picks the option under the cursor; without a cursor it turns a yes into
// a no, and back.
func (f *form) space() {
	p, e := f.property(), f.entry()
	switch {
	case e.cursor >= 0 && (p.Kind == schema.Many || !slices.Contains(e.picked, e.cursor)):
		f.pick(e.cursor)
	case p.Kind == schema.One && len(p.Options) == 2:
		f.pick((e.first() + 1) % 2)
	default:
		f.hint = "choose with the arrows first"
	}
}

// pick chooses option i. Of many it is one more, or one less.
func (f *form) pick(i int) {
	p, e := f.property(), f.entry()
	switch at, on := slices.BinarySearch(e.picked, i); {
	case p.Kind == schema.One:
		e.picked = []int{i}
	case on:
		e.picked = slices.Delete(slices.Clone(e.picked), at, at+1)
	default:
		e.picked = slices.Insert(slices.Clone(e.picked), at, i)
	}
	e.cursor = i
	f.change(f.at, true)
}

// seek moves to the next option that begins with the letter that was typed.
func (f *form) seek(letter string) {
	p, e := f.property(), f.entry()
	for n := range p.Options {
		i := (e.cursor + 1 + n) % len(p.Options)
		if letter != "" && strings.HasPrefix(strings.ToLower(p.Options[i].Label), strings.ToLower(letter)) {
			e.cursor = i
			return
		}
	}
}
