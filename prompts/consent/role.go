package consent

// Role is what the card in front would do with a key.
type Role uint8

const (
	// Unused is a key that the card has no use for.
	Unused Role = iota
	// Moves changes what is shown or chosen and answers nothing.
	Moves
	// Opens opens a line to write on, by a key that prints nothing. It answers nothing, and
	// counts only on a card that listens: what is typed next is for that line.
	Opens
	// Answers is a letter or digit that answers, opens the line an answer is
	// written on, or hands the screen to another program.
	Answers
	// Lasts is a letter or digit that answers for more than once: it must stay alone
	// for as long as a slow typist takes to the next letter.
	Lasts
	// Picks is a letter or digit that chooses a row, which only Enter answers with. With
	// another right after it, it is typing.
	Picks
	// Chooses is Enter on a chosen row or on an empty line, which answers with
	// nothing written.
	Chooses
	// Types belongs to the card's open text field.
	Types
	// Begins is the first text in a field that opened by itself, and counts as a
	// letter that opened it.
	Begins
	// Submits is Enter on a text field that holds something.
	Submits
)

// writes reports whether a key is text of an open field.
func (r Role) writes() bool { return r == Types || r == Begins }

// MayAnswer reports whether a key of that role may end the dialog.
func (r Role) MayAnswer() bool { return r == Answers || r == Lasts || r == Chooses || r == Submits }

// Decision is what becomes of a key.
type Decision uint8

const (
	// Ignore means that the card takes no part; the key belongs to whoever is next.
	Ignore Decision = iota
	// Accept means that the card does now what the key's role says.
	Accept
	// Defer means that the key waits, alone, until Tick reports that it counts.
	Defer
	// Drop means that nothing happens.
	Drop
	// Hasty is Drop for a key that came too soon, or with others, to count: the user
	// learns that.
	Hasty
	// ToComposer means that the key, and all that were held before it, belong to the draft.
	ToComposer
)

// KeyPress is a key press without its meaning.
type KeyPress struct {
	Key    rune // the physical key, the same with and without modifiers
	Text   bool // it would print something
	Repeat bool // the terminal says that the key is being held down
}
