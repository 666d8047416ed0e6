package prompts

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/render/text"
)

// choiceDialog is a question in front of the user: what it says, and the rows and
// lines it can be answered with. Each kind of question puts its own on it; which
// keys answer is the same for all.
type choiceDialog struct {
	of about

	title   string
	alerts  []string // warnings, above everything
	payload document // what is asked about, whole
	facts   []fact   // what else must be known to answer
	details []fact   // what ? shows
	danger  bool     // approving takes a second key
	words   bool     // a question of the agent's that takes the user's own words
	brief   bool     // the rows are short: more than mostRows stand side by side
	choices choices
	note    *textAnswer                   // goes along with an approval; nil: no note
	direct  *textAnswer                   // the only way to answer; open as soon as it may be
	rework  func(text string) *textAnswer // the line that what was saved of the payload is for; nil: it is of no use
	unseen  *row                          // approves without all having been on the screen; offered as long as that is so

	open   *textAnswer // being written on; nil: the rows have the keys
	opened bool        // the user opened it, or wrote on it since
	fresh  bool        // it is the only line, and the user opened it: its first letter still counts as one that opens it
	editor *textAnswer // is in the user's editor; nil: the payload is
	error  string      // what is wrong with the open line
	hint   string      // what the last key needs
	esc    string      // what Esc does; "": it leaves the card waiting
	large  bool        // the full view
	search fullSearch  // in it
	why    bool
	scroll scroll
	drawn  drawing
}

// newCard is a card with a title, and nothing on it yet.
func newCard(of about, title string) *choiceDialog {
	return &choiceDialog{of: of, title: title, choices: choices{chosen: -1}}
}

// warn puts a reason to be careful on a card: approving takes a second key then.
func (c *choiceDialog) warn(reason string) { c.alerts, c.danger = append(c.alerts, reason), true }

// warnOfHidden is warn for texts of which one is not what it looks like.
func (c *choiceDialog) warnOfHidden(texts ...string) {
	if slices.ContainsFunc(texts, text.HasHiddenChars) {
		c.warn(hidesCharacters)
	}
}

func (c *choiceDialog) about() about { return c.of }

func (c *choiceDialog) full() bool { return c.large }

func (c *choiceDialog) writing() bool { return c.open != nil }

func (c *choiceDialog) cursor() (x, y int, ok bool) { return c.drawn.x, c.drawn.y, c.drawn.caret }

func (c *choiceDialog) leave() {
	c.choices.chosen = -1
	c.open, c.hint, c.error, c.large = nil, "", "", false
	c.endSearch()
}

func (c *choiceDialog) unread() { c.scroll.seen = nil }

func (c *choiceDialog) enter() {
	if c.direct != nil {
		c.begin(c.direct)
		c.fresh = !c.direct.holds()
	}
}

func (c *choiceDialog) written() (unsent, dropped []string) {
	take := func(l *textAnswer) {
		if l == nil || l.word {
			return
		}
		if !l.field.blank() {
			unsent = append(unsent, l.field.text())
		}
		if l.earlier != "" {
			dropped = append(dropped, l.earlier)
		}
		l.field, l.earlier = field{}, ""
	}
	take(c.note)
	take(c.direct)
	if d := c.reviewed(); d != nil {
		dropped = append(dropped, d.takeUnfinished()...)
		for at, l := range d.lines { // what was not kept, too
			d.keep(at, l.field.text())
		}
		if said := d.takeComments(); said != "" {
			unsent = append(unsent, said)
		}
	}
	for _, r := range c.choices.rows {
		take(r.opens)
	}
	return unsent, dropped
}

func (c *choiceDialog) back() bool {
	switch {
	case c.open != nil && c.open == c.direct:
		return false
	case c.open != nil && c.open.problem() != "":
		c.open.field, c.error = field{}, ""
	case c.open != nil:
		c.open.cancel()
		c.open, c.error = nil, ""
	case c.search.on():
		c.endSearch()
	case c.large:
		c.large = false
	case c.why:
		c.why = false
	default:
		return false
	}
	c.hint = ""
	return true
}

// locked reports whether approving is off because part of what would be
// approved was not on the screen yet.
func (c *choiceDialog) locked() bool { return c.scroll.unseen() > 0 }

// ready reports whether row i can be answered with now.
func (c *choiceDialog) ready(i int) bool {
	return c.choices.visible(i) && (!c.choices.rows[i].approves || !c.locked())
}

// confirm is what the card says, after the key, before Enter answers with a row
// that takes it.
const confirm = "enter answers"

// needsEnter reports whether row i takes Enter after its key: it approves
// something dangerous (docs/decisions.md 7), or more than one key should give (43).
func (c *choiceDialog) needsEnter(i int) bool {
	r := c.choices.rows[i]
	return r.careful || c.danger && r.approves
}

// enterAnswers reports whether every row takes Enter after its key.
func (c *choiceDialog) enterAnswers() bool {
	for i := range c.choices.rows {
		if !c.needsEnter(i) {
			return false
		}
	}
	return len(c.choices.rows) > 0
}

// onlyPicks reports whether a key that names row i only chooses it: the row takes Enter
// after its key, or the key is its number and the card shows a letter in place of that. A
// line that it opens answers nothing yet.
func (c *choiceDialog) onlyPicks(i int, key string) bool {
	r := c.choices.rows[i]
	return c.needsEnter(i) || r.opens == nil && !r.named(key) && showsLetter(r, c.drawn.keys.Card)
}

// keyRole is the role of a key that names row i.
func (c *choiceDialog) keyRole(i int, key string) consent.Role {
	switch r := c.choices.rows[i]; {
	case !c.ready(i):
		return consent.Moves
	case c.onlyPicks(i, key):
		return consent.Picks
	case r.lasts:
		return consent.Lasts
	}
	return consent.Answers
}

// unconfirmed reports whether row i takes Enter and the card has not said yet
// that Enter would do it: what was not asked cannot be confirmed.
func (c *choiceDialog) unconfirmed(i int) bool {
	return i >= 0 && i < len(c.choices.rows) && c.needsEnter(i) && c.drawn.confirm != i+1
}

func (c *choiceDialog) role(k tea.KeyPressMsg) consent.Role {
	if c.open != nil {
		return c.openRole(k)
	}
	if enter(k) {
		if i := c.choices.chosen; i >= 0 && c.ready(i) && !c.unconfirmed(i) {
			return consent.Chooses
		}
		return consent.Moves
	}
	if c.searches(k) {
		return consent.Moves
	}
	if i, ok := c.choices.find(k.Text); ok {
		return c.keyRole(i, k.Text)
	}
	switch k.Text {
	case "e", "c": // no letter of a word opens the editor or a line, or takes the clipboard
		return consent.Answers
	}
	if c.payload.uses(k, c.large) || slices.Contains([]string{"j", "k", "v", "?", "g", "G"}, k.Text) || c.pages(k) != "" {
		return consent.Moves
	}
	switch k.Keystroke() {
	case "shift+up", "shift+down", "pgup", "pgdown":
		return c.scrollRole()
	case "tab":
		return consent.Opens
	case "up", "down", "left", "right", "ctrl+p", "ctrl+n", "home", "end", "shift+tab", "ctrl+f":
		return consent.Moves
	}
	return consent.Unused
}

func (c *choiceDialog) press(k tea.KeyPressMsg) result {
	c.hint = ""
	if l := c.open; l != nil {
		r := c.write(k)
		c.opened, c.fresh = c.opened || l.field.text() != "", c.fresh && l.field.text() == ""
		return r
	}
	if c.searches(k) {
		c.searchKey(k.Text)
		return result{}
	}
	if i, ok := c.choices.find(k.Text); ok {
		return c.choose(i, c.onlyPicks(i, k.Text))
	}
	if enter(k) {
		return c.choose(c.choices.chosen, c.unconfirmed(c.choices.chosen))
	}
	if c.payload.uses(k, c.large) {
		return c.pressPayload(k)
	}
	return c.pressCard(k)
}

// pressCard gives a key to the card itself.
func (c *choiceDialog) pressCard(k tea.KeyPressMsg) result {
	switch key := KeyName(k); key {
	case "up", "ctrl+p", "k", "down", "ctrl+n", "j":
		c.step(key == "down" || key == "ctrl+n" || key == "j", c.large || key == "up" || key == "down")
	case "left", "right":
		c.step(key == "right", false)
	case "shift+up", "shift+down", "pgup", "pgdown", "home", "end", "g", "G":
		c.scroll.key(key)
	case "space", "b":
		c.scroll.key(c.pages(k))
	case "tab":
		c.tab()
	case "v", "ctrl+f":
		c.large = !c.large
		d, _ := c.change()
		c.scroll.follow = c.large && d != nil && d.kept() > 0 // the card says that they are read there
		c.endSearch()
	case "e":
		text, name := c.payload.source()
		return result{effect: OpenEditor{Text: text, Name: name, ReadOnly: true}}
	case "c":
		text, _ := c.payload.source()
		return result{effect: CopyText{Text: text}}
	default:
		if k.Text == "?" && len(c.details) > 0 {
			c.why = !c.why
			c.scroll.reveal = c.why
		}
	}
	return result{}
}

// pressPayload gives a key to what the card asks about.
func (c *choiceDialog) pressPayload(k tea.KeyPressMsg) result {
	d, above := c.change()
	if d != nil && d.widens(k) { // what was selected stays so, and nothing is selected by it
		d.nearTo(c.scroll.top + c.scroll.height/2 - c.scroll.start - above)
		c.scroll.centre = k.Text == "-"
		return result{effect: d.press(k, c.large)}
	}
	if d != nil && k.Text == "t" && !d.twoSides() {
		c.hint = d.whyOneSide()
		return result{}
	}
	c.scroll.follow = true
	top := c.scroll.top - c.scroll.start - above
	anew := d != nil && d.look(top, c.scroll.height)
	if anew && d.steps(k) {
		return result{}
	}
	if d != nil && k.Text == "c" {
		if anew {
			d.selectChange(top, c.scroll.height)
		}
		c.begin(d.commentLine())
		return result{}
	}
	if anew && k.Text == "}" {
		d.cursor-- // the line itself may begin a change
	}
	c.editor = nil
	if r := k.Text; r == "t" || r == "w" || r == "d" {
		c.scroll.anew()
	}
	return result{effect: c.payload.press(k, c.large)}
}

// choose answers with row i, opens its line, or says what is missing. With pick it
// says that Enter does the rest (docs/decisions.md 7).
func (c *choiceDialog) choose(i int, pick bool) result {
	switch {
	case c.direct != nil:
		c.hint = c.drawn.keys.Card.Show("tab") + " to continue your answer"
		return result{}
	case i < 0 || i >= len(c.choices.rows):
		c.hint = c.noRow()
		return result{}
	}
	r := c.choices.rows[i]
	switch {
	case r.approves && c.locked():
		what := text.Count(c.scroll.unseen(), "more line") + " to read first"
		if c.drawn.width < 40 {
			what = text.Count(c.scroll.unseen(), "line") + " to read"
		}
		c.hint = c.ways(what, c.drawn.width)
		return result{}
	case r.opens != nil:
		c.choices.chosen = i
		c.begin(r.opens)
		return result{}
	}
	c.choices.chosen = i
	if !c.choices.visible(i) {
		return result{}
	}
	if pick {
		c.hint = confirm
		return result{}
	}
	return result{answer: c.finish(r.answer), effect: r.effect}
}

// noRow says which keys choose a row, if there is room for that and the card was read to
// its end.
func (c *choiceDialog) noRow() string {
	const first = "choose a row first"
	var keys []string
	for i, r := range c.choices.rows {
		if c.choices.visible(i) {
			keys = append(keys, strings.Fields(rowKey(r, i, c.drawn.keys.Card))...)
		}
	}
	if len(keys) == 0 || c.locked() {
		return first
	}
	last := len(keys) - 1
	all := "press " + text.JoinNonEmpty(" or ", strings.Join(keys[:last], ", "), keys[last]) + ", or " + first
	if text.Width(all) > c.drawn.width {
		return first
	}
	return all
}

func (c *choiceDialog) unmark() { c.choices.chosen = -1 }

func (c *choiceDialog) mark(k tea.KeyPressMsg) {
	if i, ok := c.choices.find(k.Text); ok {
		c.choices.chosen = i
	}
}
