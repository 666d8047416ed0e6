package prompts

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
	"time"

	"parley/history/drafts"
)

// searched is how much of a prompt is searched, in bytes. What is longer holds
// a paste that nobody remembers by its end.
const searched = 64 << 10

// index holds in memory what is searched: each distinct text once, and for
// each prompt which text it was and where. Attachments, and pastes as pastes,
// stay in the file.
type index struct {
	entries []entry // in the order of the file
	// added are the prompts that this process wrote and has not read yet. Each is
	// newer than those before it.
	added []entry

	seed    maphash.Seed
	ids     map[uint64]int32 // texts by the hash of the whole text
	texts   []text
	heads   []uint64 // the first eight bytes of each text, for comparing without reading it
	places  []Place
	sites   map[Place]int32 // places by what they are
	scratch []byte
}

// entry is one prompt that was sent.
type entry struct {
	time        time.Time
	text, place int32
	// Where the line is in the file, if not all of the prompt is in the text.
	off  int64
	size int32
	// draft is the prompt if it is more than its text and not in the file.
	draft *drafts.Draft
}

// text is one distinct text.
type text struct {
	s     string   // at most as much as is searched
	whole bool     // s is all of it
	sig   []uint64 // its signature
	bytes charset  // which bytes stand in it, or in its folded form
	// mentions are the paths that it mentions.
	mentions []string
}

// charset is a set of bytes.
type charset [4]uint64

func (c *charset) add(b byte) { c[b>>6] |= 1 << (b & 63) }

// holds reports whether all of o is in c.
func (c *charset) holds(o *charset) bool {
	return o[0]&^c[0]|o[1]&^c[1]|o[2]&^c[2]|o[3]&^c[3] == 0
}

func newIndex() *index {
	return &index{seed: maphash.MakeSeed(), ids: map[uint64]int32{}, sites: map[Place]int32{}}
}

// entry makes an entry of a prompt whose text is given. off and size say where
// its line is; without a size the prompt is kept in memory.
func (x *index) entry(p Prompt, whole string, off int64, size int) entry {
	e := entry{time: p.Time, text: x.text(whole), place: x.place(Place{p.Session, p.Dir, p.Repository})}
	switch {
	case len(p.Chips) == 0 && x.texts[e.text].whole:
	case size == 0:
		e.draft = &p.Draft
	default:
		e.off, e.size = off, int32(size)
	}
	return e
}

func (x *index) place(p Place) int32 {
	id, ok := x.sites[p]
	if !ok {
		id = int32(len(x.places))
		x.sites[p] = id
		x.places = append(x.places, p)
	}
	return id
}

func (x *index) text(whole string) int32 {
	hash := maphash.String(x.seed, whole)
	id, ok := x.ids[hash]
	if ok {
		return id
	}
	id = int32(len(x.texts))
	x.ids[hash] = id
	t := text{s: whole, whole: len(whole) <= searched}
	if !t.whole {
		t.s = string([]byte(whole[:searched])) // lets go of the rest
	}
	x.scratch = fold(x.scratch, t.s)
	t.sig, t.bytes, t.mentions = sign(x.scratch), bytesOf(t.s, x.scratch), mentioned(t.s)
	x.texts, x.heads = append(x.texts, t), append(x.heads, head(whole))
	return id
}

// head is the first eight bytes of a text as a number, filled up with zeros.
func head(s string) uint64 {
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}

// bytesOf are the bytes in a text and in its folded form.
func bytesOf(s string, folded []byte) (c charset) {
	var seen [256]bool // stores that do not wait for each other
	s = s[:len(folded)]
	for i, b := range folded {
		seen[b], seen[s[i]] = true, true
	}
	for b, is := range seen {
		if is {
			c.add(byte(b))
		}
	}
	return c
}

// sign makes the signature of a folded text: a Bloom filter with one hash
// function over all its pairs and triples of bytes. It has two to four bits for
// each byte, so that about a quarter of them is set in plain English, and a word
// of some letters is excluded almost always where it does not stand: then a
// search reads a few texts instead of all.
func sign(folded []byte) []uint64 {
	width := max(bits.Len(uint(len(folded)))+1, 6) // of a hash, in bits
	sig := make([]uint64, 1<<(width-6))
	set := func(hash uint32) {
		n := hash >> (32 - width)
		sig[n>>6] |= 1 << (n & 63)
	}
	if len(folded) < 2 {
		return sig
	}
	gram := uint32(folded[0])<<8 | uint32(folded[1])
	set(pair(gram))
	for _, b := range folded[2:] {
		gram = gram<<8 | uint32(b)
		set(pair(gram))
		set(triple(gram))
	}
	return sig
}

// pair and triple are 32 bits of hash of the last two and three bytes of a
// gram, by multiplication with an odd constant near the golden ratio of 2^32
// (Knuth, The Art of Computer Programming, volume 3, section 6.4).
func pair(gram uint32) uint32   { return (gram & 0xffff) * 0x9e3779b1 }
func triple(gram uint32) uint32 { return (gram & 0xffffff) * 0x9e3779b1 }

// has reports whether all hashes are in the signature of a text.
func (t *text) has(hashes []uint32) bool {
	shift := 32 - 6 - bits.TrailingZeros(uint(len(t.sig)))
	for _, h := range hashes {
		n := h >> shift
		if t.sig[n>>6]&(1<<(n&63)) == 0 {
			return false
		}
	}
	return true
}

// grams are the hashes of the pairs and triples in a folded word, the triples
// first since they tell more.
func grams(folded []byte) []uint32 {
	var pairs, triples []uint32
	var gram uint32
	for i, b := range folded {
		if gram = gram<<8 | uint32(b); i > 0 {
			pairs = append(pairs, pair(gram))
		}
		if i > 1 {
			triples = append(triples, triple(gram))
		}
	}
	return slices.Concat(triples, pairs)
}
