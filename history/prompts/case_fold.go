package prompts

import (
	"unicode"
	"unicode/utf8"
)

// fold is s with every letter in lower case, in dst, byte for byte as long as
// s, so that an offset in one is an offset in the other. A letter whose lower
// case takes another number of bytes, such as the Kelvin sign, stays.
func fold(dst []byte, s string) []byte {
	dst = append(dst[:0], s...)
	for i := 0; i < len(dst); {
		if b := dst[i]; b < utf8.RuneSelf {
			if 'A' <= b && b <= 'Z' {
				dst[i] = b + ('a' - 'A')
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(dst[i:])
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == n {
			utf8.EncodeRune(dst[i:], l)
		}
		i += n
	}
	return dst
}
