package prompts

import (
	"encoding/binary"
	"hash/maphash"
	"time"

	"parley/history/drafts"
)

// searched is how much of a prompt is searched, in bytes. What is longer holds
// a paste, which is not searched for by its end.
const searched = 64 << 10

// index holds in memory what is searched: each distinct text once, and for
// each prompt which text it was and where. Attachments, and pastes as pastes,
// stay in the file.
type index struct {
	entries []entry // in the order of the file
	// added are the prompts that this process wrote and has not read yet. Each is
	// newer than those before it.
	added []entry

	seed   maphash.Seed
	ids    map[uint64]int32 // texts by the hash of the whole text
	texts  []text
	heads  []uint64 // the first eight bytes of each text, compared without reading it
	places []Place
	sites  map[Place]int32 // places by what they are
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
	s        string   // at most as much as is searched
	whole    bool     // s is all of it
	mentions []string // the paths that it mentions
	// The signature and the bytes are of the part that is searched, made by the
	// first search that reads it.
	signature
	bytes charset
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
	t.mentions = mentioned(t.s)
	x.texts, x.heads = append(x.texts, t), append(x.heads, head(whole))
	return id
}

// head is the first eight bytes of a text as a number, filled up with zeros.
func head(s string) uint64 {
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
