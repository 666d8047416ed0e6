package prompts

// role is what the card in front would do with a key.
type role uint8

const (
	// ignores: the card has no use for the key.
	ignores role = iota
	// moves: it changes what is shown or chosen and answers nothing.
	moves
	// answers: a letter or digit that answers, opens the line an answer is
	// written on, or hands the screen to another program.
	answers
	// chooses: Enter on a chosen row or on an empty line, which answers with
	// nothing written.
	chooses
	// types: it belongs to the card's open text field.
	types
	// begins: it is the first text in a field that opened by itself, and counts as a
	// letter that opened it.
	begins
	// submits: Enter on a text field that holds something.
	submits
)

// writes reports whether a key is text of an open field.
func (r role) writes() bool { return r == types || r == begins }

// verdict is what becomes of a key.
type verdict uint8

const (
	// pass: the card takes no part; the key belongs to whoever is next.
	pass verdict = iota
	// act: the card does now what the key's role says.
	act
	// hold: the key waits, alone, until tick says that it counts.
	hold
	// swallow: nothing happens.
	swallow
	// spill: the key, and all that were held before it, belong to the draft.
	spill
)

// stroke is a key press without its meaning.
type stroke struct {
	key    rune // the physical key, the same with and without modifiers
	text   bool // it would print something
	repeat bool // the terminal says that the key is being held down
}
