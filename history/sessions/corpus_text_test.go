package sessions_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

const (
	corpusVocabulary = 40000
	corpusPool       = 8 << 20
)

// corpusText is words as often as in a language: a piece of it is cut out where one is
// needed.
type corpusText struct{ pool []byte }

func newCorpusText(seed uint64) *corpusText {
	r := rand.New(rand.NewPCG(seed, 2)) // #nosec G404 -- as above
	zipf := rand.NewZipf(r, 1.1, 2, corpusVocabulary-1)
	pool := make([]byte, 0, corpusPool+64)
	for n := 0; len(pool) < corpusPool; n++ {
		pool = append(pool, corpusWord(int(zipf.Uint64()))...)
		if n%11 == 10 {
			pool = append(pool, `.\n`...)
		}
		pool = append(pool, ' ')
	}
	return &corpusText{pool}
}

// corpusWord is the word that comes i-th most often; of a corpus with some megabytes
// all below 1,000 are in it.
func corpusWord(i int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b []byte
	for n := i; ; n /= len(consonants) * len(vowels) {
		at := n % (len(consonants) * len(vowels))
		b = append(b, consonants[at/len(vowels)], vowels[at%len(vowels)])
		if n < len(consonants)*len(vowels) {
			break
		}
	}
	return string(append(b, "nlrs"[i%4]))
}

// cut is about n bytes of text that may stand in a JSON string.
func (t *corpusText) cut(r *rand.Rand, n int) []byte {
	n = min(n, len(t.pool)/2)
	at := r.IntN(len(t.pool) - n - 64)
	at += bytes.IndexByte(t.pool[at:], ' ') + 1
	end := at + n
	return t.pool[at : end+bytes.IndexByte(t.pool[end:], ' ')]
}

// output is what a tool may write: text with names and numbers in it that are
// nowhere else.
func (t *corpusText) output(r *rand.Rand, n int) []byte {
	var b []byte
	for len(b) < n {
		b = fmt.Appendf(b, `src/%s.go:%d: %x %s\n`, corpusWord(r.IntN(2000)), r.Int64N(2000), r.Uint64()>>36, t.cut(r, 60+r.IntN(60)))
	}
	return b
}
