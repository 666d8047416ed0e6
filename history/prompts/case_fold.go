package prompts

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// fold is s with every letter in lower case, in dst, byte for byte as long as
// s, so that an offset in one is an offset in the other. A letter whose lower
// case takes another number of bytes, such as the Kelvin sign, stays.
func fold(dst []byte, s string) []byte {
	dst = append(dst[:0], s...)
	rest := dst
	var all uint64
	for ; len(rest) >= 8; rest = rest[8:] {
		w := binary.LittleEndian.Uint64(rest)
		all |= w
		binary.LittleEndian.PutUint64(rest, lower(w))
	}
	for i, b := range rest {
		all |= uint64(b)
		if 'A' <= b && b <= 'Z' {
			rest[i] = b + ('a' - 'A')
		}
	}
	if all&high != 0 {
		foldLetters(dst)
	}
	return dst
}

// high is the highest bit of each of eight bytes.
const high = 0x8080808080808080

// lower is eight bytes with the ASCII letters in lower case: a byte between 'A'
// and 'Z' is one where adding 0x3f carries into the highest bit and adding 0x25
// does not.
func lower(w uint64) uint64 {
	low := w &^ high
	capital := ((low + 0x3f3f3f3f3f3f3f3f) &^ (low + 0x2525252525252525)) & high &^ w
	return w | capital>>2
}

// foldLetters does what fold says to the letters outside ASCII.
func foldLetters(b []byte) {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == n {
			utf8.EncodeRune(b[i:], l)
		}
		i += n
	}
}
