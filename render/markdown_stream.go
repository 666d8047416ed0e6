package render

import (
	"strings"
	"unicode/utf8"

	"parley/render/syntax"
	"parley/render/text"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Markdown splits a growing markdown text into blocks. Every block but the open end is final; only what follows the last
// final block is parsed again, and a long open block only after it grew by some
// part of its length, so the work is linear in the text. The zero Markdown is
// an empty text. It is for one goroutine, and so is drawing its blocks.
type Markdown struct {
	source  string           // as of the last call
	raw     int              // bytes of the source that are in text
	text    string           // the complete lines so far, made safe
	copied  *strings.Builder // holds text once it differs from the source
	line    string           // the raw line after text
	partial string           // that line, made safe; of a very long one, what there was of late

	blocks      []Block // final, but for later link definitions
	open        []Block // what stands for text[stable:] and partial
	stable      int     // bytes of text that are in blocks
	list        listState
	fence       *fence
	parsed      int // length of the tail when it was split
	drawn       int // length of the tail that is shown as markdown
	stableBytes int // length of the tail that the first stableBlocks of open show

	stableBlocks int

	parser parser.Parser
	refs   map[string]parser.Reference
	users  map[string][]int // label -> the blocks that have it in brackets
	sealed bool
}

// eager is the length up to which an open block is split and drawn anew
// whenever it grows.
const eager = 2048

// Len returns the number of blocks.
func (m *Markdown) Len() int { return len(m.blocks) + len(m.open) }

// At returns block i. Its Key stays as long as its drawing does.
func (m *Markdown) At(i int) Block {
	if i < len(m.blocks) {
		return m.blocks[i]
	}
	return m.open[i-len(m.blocks)]
}

// Extend takes the source as it is now: that of the last call and more after
// it. A shorter source, or a longer one after Seal, starts over.
func (m *Markdown) Extend(source string) {
	if len(source) == len(m.source) {
		return
	}
	if m.sealed || len(source) < len(m.source) {
		*m = Markdown{}
	}
	known := len(m.source) // the line after raw has no end before it
	m.source = source
	fresh := source[m.raw:]
	n := 0
	if i := strings.LastIndexByte(source[known:], '\n'); i >= 0 {
		n = known + i + 1 - m.raw
		m.append(source, fresh[:n])
	}
	before := len(m.line)
	m.line = fresh[n:]
	switch grown := len(m.line) - before; {
	case n > 0:
		m.partial = safeLine(m.line)
		m.advance()
	case len(m.line) > longLine && grown < len(m.line)/8:
		m.line = m.line[:before]
		return
	default:
		m.partial = safeLine(m.line)
	}
	m.show()
}

// Update takes the source as it is now, whatever it was, and whether it is
// complete. A text that was only appended to shares its memory with what was seen
// before, and the comparison ends at once. Anything else starts over.
func (m *Markdown) Update(source string, complete bool) {
	if !strings.HasPrefix(source, m.source) {
		*m = Markdown{}
	}
	m.Extend(source)
	if complete {
		m.Seal()
	}
}

// longLine is the length from which a line that is not complete is looked at
// only when it grew by an eighth.
const longLine = 16 << 10

// safeLine is an incomplete line without the start of a character at its end.
func safeLine(raw string) string { return tame(text.Sanitize(raw[:whole(raw)])) }

// whole returns the length of s without the start of a character at its end.
func whole(s string) int {
	for i := len(s) - 1; i >= max(0, len(s)-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return i
			}
			break
		}
	}
	return len(s)
}

// append adds complete lines to text. As long as nothing had to be changed the
// text is the source itself.
func (m *Markdown) append(source, lines string) {
	m.raw += len(lines)
	clean := tame(text.Sanitize(lines))
	if m.copied == nil && clean == lines {
		m.text = source[:m.raw]
		return
	}
	if m.copied == nil {
		m.copied = &strings.Builder{}
		m.copied.WriteString(m.text)
	}
	m.copied.WriteString(clean)
	m.text = m.copied.String()
}

// Seal says that the source is complete. The text is split once more as a
// whole, so that the blocks depend on it alone and not on how it came.
func (m *Markdown) Seal() {
	if m.sealed {
		return
	}
	text := m.text + tame(text.Sanitize(m.source[m.raw:]))
	*m = Markdown{source: m.source, text: text}
	m.setup()
	all := split(m.parser, text, listState{})
	m.define(all.refs)
	for _, p := range all.pieces {
		m.commit(p, 0, all.src)
	}
	*m = Markdown{source: m.source, blocks: m.blocks, sealed: true}
}

func (m *Markdown) setup() {
	if m.parser == nil {
		m.parser = newSplitter()
		m.refs = map[string]parser.Reference{}
		m.users = map[string][]int{}
	}
}

// advance moves all blocks of the complete lines but the last into blocks.
func (m *Markdown) advance() {
	m.setup()
	for m.fence == nil || m.fenceLines() {
		tail := m.text[m.stable:]
		if !m.due(tail) {
			return
		}
		m.parsed = len(tail)
		found := split(m.parser, tail, m.list)
		pieces := found.pieces
		m.define(found.refs)
		if len(pieces) == 0 {
			return
		}
		last := len(pieces) - 1
		for last > 0 && pieces[last-1].node.Kind() == ast.KindLinkReferenceDefinition &&
			!strings.HasSuffix(tail[:pieces[last].start], "\n\n") {
			last-- // a definition may yet take the next line for its title
		}
		base, p := m.stable, pieces[last]
		for _, p := range pieces[:last] {
			m.commit(p, base, found.src)
		}
		m.list = listState{p.marker, p.number}
		if last > 0 {
			m.moveTo(base + p.start)
			m.parsed = len(m.text) - m.stable
		}
		if p.node.Kind() != ast.KindFencedCodeBlock {
			return
		}
		m.enterFence(p, base, found.src)
	}
}

// moveTo makes text before pos stable.
func (m *Markdown) moveTo(pos int) {
	m.stable = pos
	m.parsed, m.drawn, m.open = 0, 0, nil
}

// due reports whether the open tail is to be split again: always while it is
// short, else when it grew by half, or by a little and an empty line makes it
// likely that its first block has ended.
func (m *Markdown) due(tail string) bool {
	switch grown := len(tail) - m.parsed; {
	case grown <= 0:
		return false
	case len(tail) <= eager || grown >= m.parsed/2:
		return true
	case grown >= m.parsed/32:
		return strings.Contains(tail[max(m.parsed-1, 0):], "\n\n")
	}
	return false
}

// commit makes a piece of src, which is text[base:], a final block, or several.
func (m *Markdown) commit(p piece, base int, src []byte) {
	p.start += base
	p.end += base
	gap := len(m.blocks) > 0 && gapBefore(m.text, p)
	switch p.node.Kind() {
	case ast.KindLinkReferenceDefinition:
	case ast.KindFencedCodeBlock, ast.KindCodeBlock:
		lang, code := codeText(p.node, src)
		for _, b := range codeBlocks(lang, code, gap) {
			m.add(b)
		}
	default:
		source := strings.TrimRight(m.text[p.start:p.end], " \t\n")
		m.add(Block{Kind: Prose, Source: source, Gap: gap, number: p.number})
	}
}

// add appends a final block.
func (m *Markdown) add(b Block) {
	if b.Kind == Prose {
		b.refs = m.uses(b.Source, len(m.blocks))
	}
	b.sign()
	m.blocks = append(m.blocks, b)
}

// uses returns the link definitions that src uses, and notes, unless block is
// negative, that this block has these labels.
func (m *Markdown) uses(src string, block int) []parser.Reference {
	var refs []parser.Reference
	var seen map[string]bool
	labels(src, func(label string) {
		if seen[label] {
			return
		}
		if seen == nil {
			seen = map[string]bool{}
		}
		seen[label] = true
		if block >= 0 {
			m.users[label] = append(m.users[label], block)
		}
		if ref, ok := m.refs[label]; ok {
			refs = append(refs, ref)
		}
	})
	return refs
}

// define takes the link definitions that a parser found; the first of a label
// counts. Blocks that use a new label are drawn anew.
func (m *Markdown) define(refs []parser.Reference) {
	for _, ref := range refs {
		label := util.ToLinkReference(ref.Label())
		if _, ok := m.refs[label]; ok {
			continue
		}
		m.refs[label] = ref
		for _, i := range m.users[label] {
			b := &m.blocks[i]
			b.refs = append(b.refs[:len(b.refs):len(b.refs)], ref)
			b.sign()
		}
	}
}

// show brings open up to date with the tail. Of a long one only the part that
// was there when it was last drawn is markdown; what came since is plain text,
// in blocks that stay but for the last.
func (m *Markdown) show() {
	tail := m.tail()
	if strings.TrimSpace(tail) == "" {
		m.open, m.drawn = nil, 0
		return
	}
	if m.stale(tail) {
		m.drawn = drawable(tail)
		m.open, m.stableBytes = []Block{m.headBlock(tail[:m.drawn])}, m.drawn
	} else if m.stableBytes < len(tail) {
		m.open = m.open[:m.stableBlocks]
	}
	m.stableBlocks = len(m.open)
	for rest := tail[m.stableBytes:]; strings.TrimSpace(rest) != ""; {
		n := restEnd(rest)
		b := Block{Kind: Rest, Source: strings.Trim(rest[:n], "\n")}
		if m.fence != nil {
			b = Block{Kind: Code, Source: rest[:n], code: &syntax.Highlighter{Text: rest[:n]}}
		}
		b.sign()
		m.open = append(m.open, b)
		if rest = rest[n:]; rest != "" {
			m.stableBytes += n
			m.stableBlocks = len(m.open)
		}
	}
}

// patient is the length from which an open block is drawn anew only when it
// has doubled; below, when it grew by a quarter.
const patient = 8 << 10

// stale reports whether the open block is to be drawn anew.
func (m *Markdown) stale(tail string) bool {
	switch grown := len(tail) - m.drawn; {
	case len(tail) <= eager || len(tail) < m.stableBytes || len(m.open) == 0:
		return true
	case len(tail) <= patient:
		return grown >= m.drawn/4
	default:
		return grown >= m.drawn
	}
}

// restEnd returns the end of the first block of plain text in s: a line, a word
// or a character after chunkBytes, or all of s if it is shorter.
func restEnd(s string) int {
	if len(s) <= chunkBytes {
		return len(s)
	}
	if n := strings.LastIndexByte(s[:chunkBytes], '\n'); n > 0 {
		return n + 1
	}
	if n := strings.LastIndexByte(s[:chunkBytes], ' '); n > 0 {
		return n + 1
	}
	return whole(s[:chunkBytes])
}

// tail is the text that no final block stands for.
func (m *Markdown) tail() string {
	if m.fence != nil {
		return m.fence.tail(m.partial)
	}
	if m.copied == nil && strings.HasPrefix(m.line, m.partial) {
		return m.source[m.stable : m.raw+len(m.partial)] // the same text, not copied
	}
	return m.text[m.stable:] + m.partial
}

// drawable returns how much of tail is drawn as markdown: of a long one not the
// word that is still growing.
func drawable(tail string) int {
	if len(tail) <= eager {
		return len(tail)
	}
	n := strings.LastIndexAny(tail, " \n") + 1
	if len(tail)-n > eager/8 {
		return len(tail)
	}
	return n
}

// headBlock is the block for the part of the tail that is drawn as what it is.
func (m *Markdown) headBlock(source string) Block {
	b := Block{Kind: Prose, Source: source, Gap: len(m.blocks) > 0}
	switch {
	case m.fence != nil:
		b.Kind, b.code = Code, &syntax.Highlighter{Lang: m.fence.lang, Text: source}
		b.Gap = b.Gap && m.fence.chunks == 0
	case m.list.marker != 0:
		b.Gap = b.Gap && gapBefore(m.text, piece{start: m.stable, marker: m.list.marker})
		b.number = m.list.number
		fallthrough
	default:
		b.Source = strings.TrimRight(source, " \t\n")
		b.refs = m.uses(b.Source, -1)
	}
	b.sign()
	return b
}
