// Package lines writes lines to a terminal that only ever gets more of them, and reads those
// that the user types: one that a screen reader reads, a serial console, or a shell in an
// editor (docs/accessibility.md).
package lines

import (
	"time"
	"unicode"
	"unicode/utf8"

	"parley/render/text"
)

// Line is what the user typed before Enter.
type Line struct {
	Text string
	// Heard is how many times something had been said when its first letter was typed, or
	// Enter where there is none: what was said later was not known to who began the line.
	Heard uint64
}

// Key is a key that ends or leaves no line.
type Key uint8

// The keys that are more than letters.
const (
	NoKey     Key = iota
	Interrupt     // ctrl+c
	EndOfText     // ctrl+d on an empty line
)

// Input makes lines of the bytes that a terminal sends, and says what is to be echoed. It
// never moves the cursor but one letter back, over what it takes away.
type Input struct {
	line    []byte
	last    time.Time
	rest    []byte // the beginning of a letter
	escape  escape
	newline bool // the last byte was a carriage return, whose line feed ends no other line
}

// escape is where in a control sequence the input is: those do nothing here.
type escape uint8

const (
	outside  escape = iota
	escaped         // after ESC
	sequence        // in one that begins with ESC [ or ESC O
)

// Typing returns what was typed of a line that has not ended, and when its last letter was.
func (in *Input) Typing() (line string, last time.Time) { return string(in.line), in.last }

// Read takes a byte that was read at a time. It returns what is to be echoed, the line that
// the byte ends, and the key that it is.
func (in *Input) Read(b byte, at time.Time) (echo string, line *Line, key Key) {
	newline := in.newline
	in.newline = b == '\r'
	switch {
	case in.skips(b):
	case b == '\n' && newline:
	case b == '\r' || b == '\n':
		l := &Line{Text: string(in.line)}
		in.line, in.rest = nil, nil
		return "\n", l, NoKey
	case b == 0x03:
		in.line, in.rest = nil, nil
		return "\n", nil, Interrupt
	case b == 0x04 && len(in.line) == 0:
		return "", nil, EndOfText
	case b == 0x7f || b == 0x08:
		return in.erase(), nil, NoKey
	case b == 0x15: // ctrl+u
		for len(in.line) > 0 {
			echo += in.erase()
		}
		return echo, nil, NoKey
	case b == '\t', b >= 0x20:
		return in.add(b, at), nil, NoKey
	}
	return "", nil, NoKey
}

// skips reports whether a byte belongs to a control sequence.
func (in *Input) skips(b byte) bool {
	switch {
	case b == 0x1b:
		in.escape = escaped
	case in.escape == escaped && (b == '[' || b == 'O'):
		in.escape = sequence
	case in.escape == escaped, in.escape == sequence && b >= 0x40:
		in.escape = outside
	case in.escape == outside:
		return false
	}
	return true
}

// add takes a byte of a letter, and returns the letter once it is whole.
func (in *Input) add(b byte, at time.Time) string {
	in.last = at
	if in.rest = append(in.rest, b); !utf8.FullRune(in.rest) {
		return ""
	}
	r, _ := utf8.DecodeRune(in.rest)
	letter := string(in.rest)
	in.rest = nil
	if r == utf8.RuneError || !unicode.IsPrint(r) && r != '\t' {
		return ""
	}
	in.line = append(in.line, letter...)
	return text.Sanitize(letter)
}

// erase takes the last letter away.
func (in *Input) erase() (echo string) {
	if len(in.line) == 0 {
		return ""
	}
	_, n := utf8.DecodeLastRune(in.line)
	letter := string(in.line[len(in.line)-n:])
	in.line = in.line[:len(in.line)-n]
	for range text.Width(letter) {
		echo += "\b \b"
	}
	return echo
}
