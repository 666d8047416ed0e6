package prompts

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/schema"
	"parley/render/text"
	"parley/session"
)

// form asks for the answers of elicitation.requested: field by field, then on a
// page that shows all of them, which is the only one that submits more than one.
type form struct {
	of              about
	title           string
	message         string // as it came
	asker           string // the sub-agent; safe to show
	schema          schema.Schema
	key             string
	memory          *formMemory
	resumed         bool     // some of it was written on a form that closed
	changed         bool     // the user answered something on this one
	given           bool     // and did not only take away from what was there, since the form last got the focus
	hidesCharacters bool     // a text of the question does not show what it is
	ended           bool     // it was answered; what was written is in memory
	left            []string // what was written on it, when it ended without being submitted

	entries []entry
	at      int      // the field in focus
	active  bool     // it has the keys
	current formPage // filling has no card
	card    *choiceDialog
	asked   int // the field whose text is in an editor

	hint   string
	top    int  // the first line in view
	follow bool // show the field in focus
	drawn  formDrawing
}

type formPage uint8

const (
	filling   formPage = iota
	reviewing          // all answers, before they are sent
	leaving            // what Esc asks: whether to answer later, or not at all
)

// entry is what is written or chosen in a field.
type entry struct {
	field       field
	picked      []int // options, rising
	cursor      int   // the option that was moved to; -1: none
	touched     bool  // by the user, else it is what the schema proposes
	undelivered bool  // and it was not given away yet
	problem     string
}

// first is the first option that is picked; -1: none.
func (e *entry) first() int {
	if len(e.picked) == 0 {
		return -1
	}
	return e.picked[0]
}

func (e *entry) reply() schema.Reply { return schema.Reply{Text: e.field.text(), Picked: e.picked} }

// elicitationKind is a form, or an address to visit.
func elicitationKind(a session.ElicitationRequested) askKind {
	topic := cmp.Or(firstLine(a.Message), "a form")
	return askKind{
		of: about{request: a.RequestID, call: a.ToolCallID, ends: withTurn}, topic: topic, wish: "asks: " + topic,
		words: a.Mode != session.URLMode,
		open: func(q *Queue, of about, ev session.Event) dialog {
			of.agent = ev.Agent
			if a.Mode == session.URLMode {
				return newLink(a, of, q.asker(ev.Agent))
			}
			return newForm(a, of, q.asker(ev.Agent), &q.forms)
		},
	}
}

// newForm asks for what the schema of r wants.
func newForm(r session.ElicitationRequested, of about, asker string, m *formMemory) *form {
	f := &form{
		of:    of,
		title: asks(r), message: r.Message, asker: asker,
		schema: schema.Read(r.RequestedSchema), key: keyOf(r), memory: m,
	}
	f.hidesCharacters = text.HasHiddenChars(r.Message) || text.HasHiddenChars(r.ElicitationSource) ||
		slices.ContainsFunc(f.schema.Properties, schema.Property.HasHidden)
	for _, p := range f.schema.Properties {
		e := entry{cursor: -1, field: newField(p.Preset.Text), picked: p.Preset.Picked}
		e.field.secret = p.Secret
		f.entries = append(f.entries, e)
	}
	if len(f.entries) == 0 {
		f.turn(reviewing)
	}
	return f
}

// asks is the title of a question of r.
func asks(r session.ElicitationRequested) string {
	if r.ElicitationSource == "" {
		return "The agent asks"
	}
	return "The server " + quote(r.ElicitationSource) + " asks"
}

func (f *form) about() about { return f.of }

func (f *form) full() bool { return f.card != nil && f.card.full() }

// property and entry are those of the field in focus.
func (f *form) property() *schema.Property { return &f.schema.Properties[f.at] }

func (f *form) entry() *entry { return &f.entries[f.at] }

func (f *form) writing() bool {
	return f.current == filling && f.active && f.property().Written()
}

func (f *form) openField() *field {
	switch {
	case f.card != nil:
		return f.card.openField()
	case !f.writing() || f.of.own != nil:
		return nil
	}
	return &f.entry().field
}

func (f *form) enter() {
	if f.card != nil {
		f.card.enter()
		return
	}
	f.active, f.follow = true, true
}

func (f *form) leave() {
	f.active, f.hint, f.given = false, "", false
	if f.current == leaving {
		f.turn(filling)
	}
	if f.card != nil {
		f.card.leave()
	}
}

func (f *form) unread() {
	if f.card != nil {
		f.card.unread()
	}
}

func (f *form) back() bool {
	switch {
	case f.current == filling && f.active && (f.changed || f.of.own == nil):
		f.turn(leaving)
	case f.current != reviewing:
		return false
	case f.card.back():
	case len(f.entries) == 0:
		return false
	default:
		f.turn(filling)
		f.active = true
	}
	return true
}

func (f *form) turn(page formPage) {
	f.current, f.card, f.hint, f.follow = page, nil, "", true
	switch page {
	case filling:
	case reviewing:
		f.card = f.review()
	case leaving:
		f.card = f.farewell()
	}
}

// step goes to the next or the previous field, and after the last to the
// review. What is wrong with an answer is said when it is left.
func (f *form) step(by int) {
	f.hint, f.follow = "", true
	if e := f.entry(); e.touched {
		_, _, e.problem = f.property().Value(e.reply())
	}
	if f.at+by >= len(f.entries) {
		if f.of.own != nil { // its end is that of its last answer
			return
		}
		f.turn(reviewing)
		return
	}
	f.at = max(f.at+by, 0)
	f.arrive()
}

// arrive puts the caret at the end, and the cursor on no option: nothing is
// chosen by going past it.
func (f *form) arrive() {
	e := f.entry()
	e.cursor = -1
	e.field.toEnd()
}

// change notes that the user changed an answer, and whether they gave something,
// rather than taking it away.
func (f *form) change(field int, given bool) {
	e := &f.entries[field]
	e.touched, e.undelivered, e.problem = true, true, ""
	f.hint, f.changed, f.given = "", true, f.given || given
}

func (f *form) unmark() {
	if f.card != nil {
		f.card.unmark()
	}
}

func (f *form) mark(k tea.KeyPressMsg) {
	if f.card != nil {
		f.card.mark(k)
	}
}

func (f *form) paste(s string) {
	if f.writing() {
		f.entry().field.insert(s)
		f.change(f.at, true)
		f.follow = true
	}
}

// edited takes a text from the editor. Editors end a text with a line end, which
// is no part of an answer of one line.
func (f *form) edited(s string) {
	if f.asked >= len(f.entries) || !f.schema.Properties[f.asked].Written() {
		return
	}
	if !f.schema.Properties[f.asked].Multiline {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	}
	f.entries[f.asked].field.set(s)
	f.change(f.asked, true)
	f.follow = true
	if f.current == reviewing {
		f.turn(reviewing)
	}
}

// replies are all answers, in the order of the properties.
func (f *form) replies() []schema.Reply {
	replies := make([]schema.Reply, len(f.entries))
	for i := range f.entries {
		replies[i] = f.entries[i].reply()
	}
	return replies
}

// check returns what is wrong with the answers; whole is what is wrong with all of
// them together.
func (f *form) check() (content map[string]any, wrong int, whole string) {
	content, problems, whole := f.schema.Content(f.replies())
	for i, p := range problems {
		f.entries[i].problem = p
		if p != "" {
			wrong++
		}
	}
	return content, wrong, whole
}

// refill fills in what was answered on this form before, unless the user is
// answering it. It counts as nothing that was given here: all of it is reviewed
// before it is sent.
func (f *form) refill() {
	if f.current != filling || len(f.record(false).Answers) > 0 {
		return
	}
	for _, a := range f.memory.recall(f.key, f.of.request).Answers {
		if a.Field < 0 || a.Field >= len(f.entries) {
			continue
		}
		old, ok := replyOf(&f.schema.Properties[a.Field], a)
		if !ok {
			continue
		}
		e := &f.entries[a.Field]
		e.field, e.picked = newField(old.Text), old.Picked
		e.touched, e.undelivered, f.resumed = true, !a.Given, true
	}
}

// written keeps what the user wrote for the same form, and returns it where it
// was not returned before. Names and values are no prompt, so that they do not go to the
// draft.
func (f *form) written() (unsent, dropped []string) {
	if !f.ended {
		f.left = f.words()
		f.keep(false)
	}
	dropped, f.left = f.left, nil
	return nil, dropped
}

// words are what the user wrote and was not given away yet, field by field.
func (f *form) words() []string {
	text := f.record(false).line()
	for i := range f.entries {
		f.entries[i].undelivered = false
	}
	if text == "" {
		return nil
	}
	return []string{text}
}

// record is what the user wrote or chose; nothing of it is kept of the window's own question.
func (f *form) record(sent bool) WrittenForm {
	if f.of.own != nil {
		return WrittenForm{}
	}
	w := WrittenForm{Key: f.key, Request: f.of.request, Sent: sent}
	for i := range f.entries {
		if e := &f.entries[i]; e.touched && !e.field.secret {
			w.Answers = append(w.Answers, writtenAnswer(&f.schema.Properties[i], i, e))
		}
	}
	return w
}

// keep puts what the user wrote into the memory of forms.
func (f *form) keep(sent bool) { f.memory.keep(f.record(sent)) }
