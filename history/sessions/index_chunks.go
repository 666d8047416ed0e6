package sessions

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"unicode/utf8"
)

// group is which texts of a session are indexed together. There are few, so that
// a session has few rows.
type group uint8

const (
	promptGroup group = iota
	answerGroup
	workGroup
	outputGroup
	groups = iota
)

// weights are what a hit in a group counts.
var weights = [groups]float64{promptGroup: 6, answerGroup: 3, workGroup: 2, outputGroup: 1}

func groupOf(k TextKind) group {
	switch k {
	case Prompt:
		return promptGroup
	case Answer, Question, Summary:
		return answerGroup
	case Command, File, Input:
		return workGroup
	default:
		return outputGroup
	}
}

// A row of texts, of starts and of parts is numbered by its session, its group and
// its place among them.
const (
	chunkBits = 20
	groupBits = 4
	rowBits   = chunkBits + groupBits
)

func rowOf(no int64, g group, part int) int64 {
	return no<<rowBits | int64(g)<<chunkBits | int64(part)
}

func sessionOf(row int64) int64 { return row >> rowBits }
func groupIn(row int64) group   { return group(row >> chunkBits & (1<<groupBits - 1)) }

// chunkSize is about how much text a part has, in bytes. A line of it is found by
// looking through all.
const chunkSize = 64 << 10

// textSeparator parts texts, so that no phrase is found across two: for FTS5 it is a
// word, and for fold it is none.
const textSeparator = "¶ "

// chunk is a piece of a session's texts as it is written.
type chunk struct {
	group         group
	words, starts []byte
	text          []byte // deflated
}

func (p chunk) size() int { return len(p.words) + len(p.starts) + len(p.text) }

// chunker makes parts of texts. It is used by one goroutine, for one session
// after another.
type chunker struct {
	open    [groups]struct{ text, words []byte }
	parts   []chunk
	size    int  // of the parts
	passed  bool // parts of this session were taken
	starts  prefixes
	deflate *flate.Writer
	out     bytes.Buffer
}

func newChunker() *chunker {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // the level is a valid one
	return &chunker{deflate: w, starts: prefixes{}}
}

// add takes a text over.
func (g *chunker) add(t Text) {
	if t.Text == "" {
		return
	}
	to := groupOf(t.Kind)
	open := &g.open[to]
	open.text = append(append(open.text, t.Text...), '\n')
	open.words = append(fold(open.words, t.Text), textSeparator...)
	if len(open.text) >= chunkSize {
		g.end(to)
	}
}

// take returns the parts that are whole, and with rest what is begun, too.
func (g *chunker) take(rest bool) []chunk {
	if rest {
		for to := range g.open {
			g.end(group(to))
		}
	}
	parts := g.parts
	g.parts, g.size = nil, 0
	return parts
}

// drop forgets what was added.
func (g *chunker) drop() {
	for to := range g.open {
		g.open[to].text, g.open[to].words = g.open[to].text[:0], g.open[to].words[:0]
	}
	g.parts, g.size, g.passed = nil, 0, false
}

func (g *chunker) end(to group) {
	open := &g.open[to]
	if len(open.text) == 0 {
		return
	}
	p := chunk{group: to, words: bytes.Clone(open.words)}
	p.starts = g.starts.of(p.words)
	g.out.Reset()
	g.deflate.Reset(&g.out)
	_, _ = g.deflate.Write(open.text) // a buffer takes everything
	_ = g.deflate.Close()
	p.text = bytes.Clone(g.out.Bytes())
	g.parts = append(g.parts, p)
	g.size += p.size()
	open.text, open.words = open.text[:0], open.words[:0]
}

// inflate is the text of a part.
func inflate(deflated []byte) (string, error) {
	r := flate.NewReader(bytes.NewReader(deflated))
	text, err := io.ReadAll(io.LimitReader(r, 16<<20))
	if err != nil {
		return "", fmt.Errorf("inflate a text: %w", err)
	}
	return string(text), nil
}

// prefixLength is up to how many characters the beginnings of words are indexed.
const prefixLength = 3

// prefixes gathers the beginnings of words, each once. They are kept by their characters,
// of 21 bits each.
type prefixes map[uint64]struct{}

func (s prefixes) of(words []byte) []byte {
	clear(s)
	var out []byte
	for len(words) > 0 {
		end := bytes.IndexByte(words, ' ')
		if string(words[:end+1]) != textSeparator {
			out = s.add(out, words[:end])
		}
		words = words[end+1:]
	}
	return out
}

func (s prefixes) add(out, word []byte) []byte {
	code, end := uint64(0), 0
	for n := 0; n < prefixLength && end < len(word); n++ {
		r, size := utf8.DecodeRune(word[end:])
		code, end = code<<21|uint64(r), end+size
	}
	for ; code != 0; code >>= 21 {
		if _, ok := s[code]; ok { // and so are the shorter ones
			break
		}
		s[code] = struct{}{}
		out = append(append(out, word[:end]...), ' ')
		_, size := utf8.DecodeLastRune(word[:end])
		end -= size
	}
	return out
}
