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
	for rest := dst; len(rest) > 0; {
		for len(rest) >= 8 { // eight bytes of ASCII at a time
			w := binary.LittleEndian.Uint64(rest)
			if w&highBits != 0 {
				break
			}
			binary.LittleEndian.PutUint64(rest, lower(w))
			rest = rest[8:]
		}
		r, n := utf8.DecodeRune(rest)
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == n {
			utf8.EncodeRune(rest, l)
		}
		rest = rest[n:]
	}
	return dst
}

// highBits is the highest bit of each of eight bytes.
const highBits = 0x8080808080808080

// lower is eight bytes of ASCII with the letters in lower case: a byte is a
// capital letter if adding 0x3f sets its highest bit and adding 0x25 does not.
func lower(w uint64) uint64 {
	return w | (w+0x3f3f3f3f3f3f3f3f)&^(w+0x2525252525252525)&highBits>>2
}
