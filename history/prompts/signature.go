package prompts

import (
	"iter"
	"math/bits"
	"slices"
)

// charset is a set of bytes.
type charset [4]uint64

func (c *charset) add(b byte) { c[b>>6] |= 1 << (b & 63) }

// holds reports whether all of o is in c.
func (c *charset) holds(o *charset) bool {
	return o[0]&^c[0]|o[1]&^c[1]|o[2]&^c[2]|o[3]&^c[3] == 0
}

// charsetOf is the bytes of a text, and of its folded form.
func charsetOf(s string, folded []byte) (c charset) {
	var in [256]bool // stores that do not wait for each other
	for i, b := range folded {
		in[b], in[s[i]] = true, true
	}
	for b, is := range in {
		if is {
			c.add(byte(b))
		}
	}
	return c
}

// signature is a Bloom filter with one hash function over the pairs and triples of
// bytes in a folded text. A word of some letters is excluded by it almost always
// where it does not stand: then a search reads a few texts instead of all.
type signature []uint64

// sign makes the signature of a folded text. It has two to four bits for each
// byte, so that about a quarter of them is set in plain English.
func sign(folded []byte) signature {
	s := make(signature, 1<<max(bits.Len(uint(len(folded)))-5, 0))
	shift := s.shift()
	for hash := range grams(folded) {
		n := hash >> shift
		s[n>>6] |= 1 << (n & 63)
	}
	return s
}

// shift is how much of a hash does not choose a bit.
func (s signature) shift() int { return 32 - 6 - bits.TrailingZeros(uint(len(s))) }

// excludes reports whether one of the hashes is not in the signature.
func (s signature) excludes(hashes []uint32) bool {
	shift := s.shift()
	return slices.ContainsFunc(hashes, func(hash uint32) bool {
		n := hash >> shift
		return s[n>>6]&(1<<(n&63)) == 0
	})
}

// grams yields 32 bits of hash of each pair and triple of bytes, by multiplication
// with an odd constant near the golden ratio of 2^32 (Knuth, The Art of Computer
// Programming, volume 3, section 6.4).
func grams(folded []byte) iter.Seq[uint32] {
	const golden = 0x9e3779b1
	return func(yield func(uint32) bool) {
		var gram uint32
		for i, b := range folded {
			gram = gram<<8 | uint32(b)
			if i > 0 && !yield(gram&0xffff*golden) || i > 1 && !yield(gram&0xffffff*golden) {
				return
			}
		}
	}
}
