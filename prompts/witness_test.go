package prompts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/session"
	"parley/theme"
)

// witness watches everything that reaches a queue and everything that comes
// out, and judges every answer by the decisions alone. It knows nothing of how
// the queue comes to one.
type witness struct {
	fail   func(format string, args ...any)
	q      *Queue
	theme  *theme.Theme
	meant  map[string]string // the user's keys, by name; nil: the cards' own
	now    time.Time
	width  int
	height int

	draftEmpty bool
	cleared    time.Time // when the draft became empty again; zero: it did not, or the card was put aside
	presses    []pressed
	away       bool
	focusIn    time.Time
	elsewhere  []time.Time

	// Of the card in front:
	front     session.RequestID
	read      map[string]bool // lines of a long command that were on the screen
	changed   time.Time       // when it last came up or moved
	drawn     time.Time       // first drawn after that
	confirmed time.Time       // by the terminal
	intended  bool            // empty draft when it came up, or focus moved to it
	reached   bool            // a row was reached by a key of the card
	page      string          // which rows of a form are on the screen; "": its fields are
	typed     bool            // something was written in a form
	asked     bool            // the focus was moved to it
	reading   bool            // a file is read for it
	sought    string          // of a path, and files for it are looked for
	went      bool            // the user opened the line, or has written on it

	answers int
	unasked int            // answers on a line that opened by itself
	longs   int            // approvals of long questions
	careful int            // answers that more than one key must give
	forms   map[string]int // answers of forms, by what they were and how they came
	trace   []string
}

// longLines is how many lines the command of a long question has.
const longLines = 60

type pressed struct {
	at        time.Time
	name      string // of the key that it stands for
	text      string // it writes
	code      rune
	printable bool
	repeat    bool
	onLine    bool   // written on an open line
	page      string // that was on the screen
	released  bool
}

func newWitness(fail func(string, ...any), th *theme.Theme) *witness {
	return &witness{
		fail: fail, q: NewQueue(), theme: th, now: start, width: 80, height: 40, draftEmpty: true, focusIn: start.Add(-time.Hour),
		read: map[string]bool{}, forms: map[string]int{},
	}
}

func (w *witness) note(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf("%8v ", w.now.Sub(start))+fmt.Sprintf(format, args...))
}

// look notices what is in front after something happened.
func (w *witness) look() {
	var front session.RequestID
	if w.q.Len() > 0 {
		front = w.q.dialogs[w.q.front].about().request
	}
	if front != w.front {
		w.front = front
		w.moved()
		w.intended, w.reached = w.draftEmpty, false
		w.page, w.typed, w.went, w.asked = "", false, false, false
		w.cleared = time.Time{}
	}
	switch {
	case !w.q.Focused():
		w.intended, w.reached, w.went = false, false, false
	case w.draftEmpty && !w.cleared.IsZero() && w.now.Sub(w.cleared) >= 400*ms && w.quietSince(w.cleared):
		w.intended = true
	}
}

// quietSince reports whether no key went elsewhere for 400 ms, since a time.
func (w *witness) quietSince(t time.Time) bool {
	for _, e := range w.elsewhere {
		if !e.Before(t) && w.now.Sub(e) < 400*ms {
			return false
		}
	}
	return true
}

func (w *witness) moved() {
	w.changed, w.drawn, w.confirmed = w.now, time.Time{}, time.Time{}
}

// draw draws if the last drawing may be out of date.
func (w *witness) draw() {
	if w.q.Len() == 0 {
		return
	}
	if w.opens() || w.q.changed || w.q.drawn.generation != w.q.consent.Frame() || w.q.drawn.width != w.width {
		lines := w.q.View(w.width, w.height, w.theme)
		w.turned(lines)
		for _, l := range lines {
			if !strings.HasPrefix(string(w.front), "long") {
				break
			}
			for _, word := range strings.Fields(l) {
				w.read[string(w.front)+word] = true
			}
		}
	}
	if w.drawn.IsZero() {
		w.drawn = w.now
	}
}

// take judges what came out.
func (w *witness) take(o Outcome, msg, cause tea.Msg, before session.RequestID) {
	if o.Answer != nil {
		w.answers++
		w.judge(o.Answer, cause, before)
	}
	if _, ok := o.Effect.(ReadFile); ok {
		w.reading = true
	}
	for _, m := range o.Draft {
		w.lost(m)
	}
	if msg != nil && !o.Taken {
		w.lost(msg)
		w.q.Elsewhere(w.now)
	}
	w.q.Draft(w.draftEmpty)
	w.look()
}

// lost is a message that was not for the card.
func (w *witness) lost(msg tea.Msg) {
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		w.elsewhere = append(w.elsewhere, w.now)
		if m.Text != "" {
			w.draftEmpty, w.intended, w.cleared = false, false, time.Time{}
		}
	case tea.PasteMsg:
		w.elsewhere = append(w.elsewhere, w.now)
		w.draftEmpty, w.intended, w.cleared = false, false, time.Time{}
	}
}

// judge is the law: docs/decisions.md 1 to 4 and 7, word by word.
func (w *witness) judge(a session.Answer, msg tea.Msg, front session.RequestID) {
	bad := func(format string, args ...any) {
		w.fail("answer %+v of %q: %s\n%s", a, front, fmt.Sprintf(format, args...), strings.Join(w.trace, "\n"))
	}
	if a.Request() != front {
		bad("the card in front was another")
	}
	i := len(w.presses) - 1
	enter := false
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Code == tea.KeyEnter {
		enter = true
	} else {
		for i >= 0 && (!w.presses[i].printable || w.presses[i].repeat || w.presses[i].at.Add(200*ms).After(w.now)) {
			i--
		}
	}
	if i < 0 {
		bad("no key")
		return
	}
	key := w.presses[i]
	enter = enter || key.name == "enter"
	w.judgeKey(bad, key, i, enter)
	w.judgeCard(bad, key)
	if p, ok := a.(session.PermissionAnswer); ok && p.Decision.Approves() && strings.HasPrefix(string(front), "long") {
		if last := longLines - 1; !w.read[fmt.Sprintf("%sline%d.", front, last)] {
			bad("line %d, the last, was never on the screen", last)
		}
		w.longs++
	}
	if u, ok := a.(session.UserInputAnswer); ok && strings.HasPrefix(string(front), "free") && !w.asked {
		w.unasked++
		if strings.TrimSpace(u.Text) == "" {
			bad("nothing was written")
		}
	}
	if e, ok := a.(session.ElicitationAnswer); ok {
		w.judgeForm(bad, e, key, enter)
	}
	if p, ok := a.(session.ExitPlanModeAnswer); ok && p.Approved && (p.Action == planReject || p.Action == planEdit) {
		bad("a refusal approved")
	}
	if _, refused := a.(session.Refusal); !refused && strings.HasPrefix(string(front), "unread") {
		bad("what could not be read was answered")
	}
	if careful(a) {
		w.careful++
		if !enter {
			bad("one key gave more than one key may")
		}
	}
	danger := strings.HasPrefix(string(front), "danger")
	p, ok := a.(session.PermissionAnswer)
	if danger && ok && p.Decision.Approves() && (!enter || p.Decision != session.ApproveOnce) {
		bad("danger approved by one key, or for long")
	}
	if ok && !enter && map[string]session.Decision{
		"y": session.ApproveOnce, "s": session.ApproveForSession,
	}[key.name] != p.Decision {
		bad("%s gave %s", key.name, p.Decision)
	}
	if ok && !enter && p.Decision == session.ApproveForSession && w.now.Sub(key.at) < 650*ms {
		bad("it was given for longer than once %v after its letter", w.now.Sub(key.at))
	}
	if ok && p.Decision == session.ApprovePermanently {
		bad("nothing offers this")
	}
}

func (w *witness) judgeKey(bad func(string, ...any), key pressed, i int, enter bool) {
	if key.repeat {
		bad("a repeat")
	}
	for j, p := range w.presses[:i] {
		between := func(o pressed) bool { return o.code != key.code }
		switch {
		case key.at.Sub(p.at) >= 400*ms:
		case p.code == key.code && !p.released && !slices.ContainsFunc(w.presses[j+1:i], between):
			bad("the same key %v before", key.at.Sub(p.at))
		case p.printable && !p.repeat && !p.onLine:
			bad("%q was typed %v before", p.name, key.at.Sub(p.at))
		}
	}
	if enter {
		if !w.reached {
			bad("enter on no row")
		}
		if key.code == tea.KeyEnter {
			return
		}
	}
	if len([]rune(strings.TrimSpace(key.text))) != 1 {
		bad("%q is no letter or sign", key.text)
	}
	if !enter && (len(key.name) != 1 || !strings.Contains("yslndx123456789", key.name)) {
		bad("%q answers nothing", key.name)
	}
	for _, p := range w.presses[i+1:] {
		if p.printable && !p.repeat && p.at.Sub(key.at) < 200*ms {
			bad("%q was typed %v after", p.name, p.at.Sub(key.at))
		}
	}
}

func (w *witness) judgeCard(bad func(string, ...any), key pressed) {
	switch {
	case w.away || key.at.Sub(w.focusIn) < 400*ms:
		bad("the window had no focus, or for less than 400 ms")
	case !w.intended:
		bad("the focus was not on the card by intent")
	case w.drawn.IsZero() || w.drawn.Before(w.changed):
		bad("the card was never drawn")
	}
	painted := w.drawn.Add(400 * ms)
	if !w.confirmed.IsZero() && w.confirmed.Before(painted) {
		painted = w.confirmed
	}
	if key.at.Sub(painted) < 400*ms {
		bad("on the screen for %v", key.at.Sub(painted))
	}
	for _, e := range w.elsewhere {
		if e.Before(key.at) && key.at.Sub(e) < 400*ms {
			bad("a key went elsewhere %v before", key.at.Sub(e))
		}
	}
}

// opens reports whether the window would draw now because the card has begun to
// listen.
func (w *witness) opens() bool {
	c, ok := w.q.dialogs[w.q.front].(*choiceDialog)
	return ok && c.direct != nil && c.open == nil && w.q.consent.Armed(w.q.now)
}

// own is what is written on the only line of the card in front.
func (w *witness) own() string {
	if w.q.Len() == 0 {
		return ""
	}
	if c, ok := w.q.dialogs[w.q.front].(*choiceDialog); ok && c.direct != nil {
		return c.direct.field.text()
	}
	return ""
}

// judgeLine is the law for a line that opens by itself: the first key that is
// written there comes when a key would answer, and none of it is the draft's.
func (w *witness) judgeLine(o Outcome, before string, front session.RequestID) {
	if o.Answer != nil || w.q.Len() == 0 || w.q.dialogs[w.q.front].about().request != front || w.own() == before {
		return
	}
	bad := func(format string, args ...any) {
		w.fail("%q is written on %q: %s\n%s", w.own(), front, fmt.Sprintf(format, args...), strings.Join(w.trace, "\n"))
	}
	if !o.Taken || len(o.Draft) > 0 {
		bad("it is in the draft as well")
	}
	if !w.went {
		w.judgeCard(bad, pressed{at: w.now})
	}
	w.went, w.reached = true, true
}

// openedByTab is the law for the same line where Tab opens it: that key must come when
// one would answer. What is written there then is on a line that the user opened.
func (w *witness) openedByTab(front session.RequestID) {
	w.look() // the focus may have come back in the same call
	w.judgeCard(func(format string, args ...any) {
		w.fail("tab opened a line of %q: %s\n%s", front, fmt.Sprintf(format, args...), strings.Join(w.trace, "\n"))
	}, pressed{at: w.now})
	w.went = true
}

// pass lets time go by; with ticks the queue is woken as it asked.
func (w *witness) pass(d time.Duration, ticks bool) {
	end := w.now.Add(d)
	for ticks {
		wake := w.q.Wake()
		if wake.IsZero() || wake.After(end) {
			break
		}
		w.now = consent.Later(w.now, wake)
		w.take(w.q.Tick(w.now), nil, nil, w.front)
		w.draw()
	}
	w.now = end
}

func (w *witness) press(k tea.KeyPressMsg) {
	w.note("press %q repeat %v", k.String(), k.IsRepeat)
	before := w.front
	var cause tea.Msg = k
	if due := w.q.consent.HeldUntil(); !due.IsZero() && !w.now.Before(due) {
		cause = nil // an earlier key may come due in this call
	}
	name := w.meaning(k)
	w.presses = append(w.presses, pressed{
		at: w.now, name: name, text: k.Text, code: k.Code, printable: k.Text != "", repeat: k.IsRepeat, page: w.page,
	})
	written, first, closed := w.own(), !w.went && w.own() == "", w.q.Len() > 0 && w.open() == nil
	o := w.q.Key(k, w.now)
	w.judgeLine(o, written, before)
	if query, ok := w.q.SoughtFiles(); ok {
		w.sought = query
	}
	if closed && name == "tab" && o.Answer == nil && w.front == before && w.q.Len() > 0 && w.open() != nil {
		w.openedByTab(before)
	}
	first = first && w.front == before && w.own() != ""
	if w.wrote(k) { // a line opens by a key of the card, or by the focus key
		w.reached, w.typed = true, true
		w.presses[len(w.presses)-1].onLine = !first
	}
	arrow := name == "up" || name == "down" // one that is held moves as well
	if o.Taken && len(o.Draft) == 0 && (arrow || !k.IsRepeat) && strings.Contains("up down j k y n l 1 2 3 4", name) {
		w.reached = true
	}
	if o.Taken && name == "tab" && w.q.Len() > 0 && w.open() != nil { // a line with what was written before
		w.reached = true
		w.went = w.went || w.own() != ""
	}
	stepped := w.intended && o.Taken && len(o.Draft) == 0 && (name == "[" || name == "]")
	enter := k.Code == tea.KeyEnter
	if p, ok := o.Answer.(session.PermissionAnswer); ok && p.Decision.Approves() && strings.HasPrefix(string(before), "danger") && enter {
		cause = k // no letter alone does this
	}
	if o.Answer != nil && careful(o.Answer) && enter {
		cause = k
	}
	w.take(o, k, cause, before)
	if stepped && w.front != before { // a key of the card moved the focus
		w.intended = true
	}
}

// meaning is the name of the key that a press stands for: on an open line itself.
// The letters that end a form, esc and ctrl+c cannot be rebound.
func (w *witness) meaning(k tea.KeyPressMsg) string {
	name := k.String()
	if k.Code == tea.KeySpace {
		name = "space"
	}
	if w.q.Len() == 0 || w.q.dialogs[w.q.front].writing() && (k.Text != "" || k.Code == tea.KeyEnter) || name == "esc" || name == "ctrl+c" {
		return name
	}
	if f, ok := w.q.dialogs[w.q.front].(*form); name == "x" || name == "d" && ok && f.card != nil {
		return name
	}
	if as, ok := w.meant[name]; ok {
		return as
	}
	return name
}

// careful reports whether an answer lets the agent continue alone, without a limit or in
// later sessions too, or is one about trust.
func careful(a session.Answer) bool {
	switch a := a.(type) {
	case session.ExitPlanModeAnswer:
		return a.Approved && a.Action != planInteractive && a.Action != planApprove
	case session.SessionLimitsExhaustedAnswer:
		return a.Action != session.LimitCancel
	case session.FolderTrustAnswer:
		return true
	case session.PermissionAnswer:
		return a.Decision == session.ApproveForLocation || a.OptionID != "" && a.Decision == session.ApproveForSession
	}
	return false
}

// wrote reports whether a key ended up on an open line.
func (w *witness) wrote(k tea.KeyPressMsg) bool {
	if w.q.Len() == 0 || k.Text == "" {
		return false
	}
	if f, ok := w.q.dialogs[w.q.front].(*form); ok {
		return f.writing() && strings.HasSuffix(beforeCaret(f.entry().field), k.Text)
	}
	open := w.open()
	return open != nil && strings.HasSuffix(beforeCaret(open.field), k.Text)
}

// open is the line of the card in front that is written on.
func (w *witness) open() *textAnswer {
	if c, ok := w.q.dialogs[w.q.front].(*choiceDialog); ok {
		return c.open
	}
	return nil
}

// turned notices which rows of a form are on the screen. Another page is
// another card: what was reached on the one before counts no more. A row that
// is chosen when the page is seen first was reached if the last key did that.
func (w *witness) turned(lines []string) {
	if !strings.HasPrefix(string(w.front), "form") {
		return
	}
	page := ""
	for _, mark := range []string{"Submit", "Change the first", "Leave it for"} {
		if strings.Contains(strings.Join(lines, "\n"), mark) {
			page += mark
		}
	}
	if page != w.page {
		chosen := page != "" && strings.Contains(strings.Join(lines, "\n"), "❯") && len(w.presses) > 0 &&
			slices.Contains([]string{"up", "down", "j", "k", "1", "2", "3", "4"}, w.presses[len(w.presses)-1].name)
		w.page, w.reached = page, page == "" && w.typed || chosen
		w.moved()
	}
}

// judgeForm is the law for forms: the fields answer nothing but the only one
// that there is, by Enter, after something was written in it. All else is
// answered by a row that was on the screen, by its own key.
func (w *witness) judgeForm(bad func(string, ...any), a session.ElicitationAnswer, key pressed, enter bool) {
	how := "letter"
	if enter {
		how = "enter"
	}
	switch {
	case key.page == "":
		if how = "field"; !enter || a.Action != session.Accept || !strings.HasPrefix(string(w.front), "form1") || !w.typed {
			bad("%q answered on the fields", key.name)
		}
	case a.Action == session.Accept && !strings.Contains(key.page, "Submit"):
		bad("%q accepted, and nothing on the screen said so", key.name)
	case !enter && a.Action != map[string]session.ElicitationAction{
		"y": session.Accept, "d": session.Decline, "x": session.Cancel,
	}[key.name]:
		bad("%q gave %s", key.name, a.Action)
	}
	w.forms[string(a.Action)+" "+how]++
}
