package render

import (
	"hash/fnv"
	"io"
	"strconv"
	"strings"

	"parley/render/syntax"
	"parley/render/text"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	goldtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Kind says how a block of markdown is drawn.
type Kind uint8

// The kinds of blocks.
const (
	Prose Kind = iota // any markdown but top-level code
	Code              // up to chunkLines lines of a code block
	Rest              // the end of a long open block, shown as plain text for now
)

// Block is a piece of a markdown text that is drawn alone: a top-level block,
// an item of a top-level list, some lines of a code block.
type Block struct {
	// Key distinguishes drawings: blocks with the same Key are drawn alike, and
	// a block that is drawn otherwise than before has another.
	Key    uint64
	Kind   Kind
	Source string // safe text (Sanitize); of Code, the code alone
	Gap    bool   // an empty line belongs before it

	number int // of an item of an ordered list, else 0
	refs   []parser.Reference
	code   *syntax.Highlighter
	offset int // of Source in the text of code
}

// lines is the source of b as lines, after the empty one that belongs before
// it.
func (b Block) lines() string {
	text := b.Source
	if b.Gap {
		text = "\n" + text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// sign sets the key of b to a hash of all that its drawing depends on.
func (b *Block) sign() {
	h := fnv.New64a()
	put := func(parts ...string) {
		for _, p := range parts {
			_, _ = io.WriteString(h, p)
			_, _ = h.Write([]byte{0xff}) // in no safe text, so parts cannot run into each other
		}
	}
	put(strconv.Itoa(int(b.Kind)), strconv.FormatBool(b.Gap), strconv.Itoa(b.number), strconv.Itoa(b.offset), b.Source)
	for _, ref := range b.refs {
		put(string(ref.Label()), string(ref.Destination()))
	}
	if b.code != nil {
		put(b.code.Lang)
		if len(b.code.Text) != len(b.Source) {
			put(b.code.Text)
		}
	}
	b.Key = h.Sum64()
}

// bareAddress is an address that is a link without marks around it. The letters of its host
// may be those of alphabets that look like the Latin one, so that a host that looks like
// another is a link as well, which shows what it is; those of scripts that are written
// without spaces, such as Chinese, end it.
var bareAddress = text.Regexp(`^(?:http|https|ftp)://[-\w@:%.+~#=` + similarAlphabets + `]{1,256}\.[a-z` + similarAlphabets + `]+` +
	`(?::\d+)?(?:[/#?][-\w@:%+.~#$!?&/=();,'">^{}\[\]` + "`" + `]*)?`)

const similarAlphabets = `\p{Latin}\p{Cyrillic}\p{Greek}\p{Armenian}\p{Cherokee}\p{M}`

// newMarkdown returns the dialect of the program: CommonMark with tables,
// strikethrough, bare links and task lists.
func newMarkdown() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(
		extension.Table, extension.Strikethrough, extension.NewLinkify(extension.WithLinkifyURLRegexp(bareAddress())), extension.TaskList,
	))
}

// newSplitter returns a parser that finds blocks and link definitions and
// leaves the text inside them alone.
func newSplitter() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
	)
}

// piece is a top-level block in the source, or an item of a top-level list.
type piece struct {
	start, end int
	node       ast.Node
	marker     byte // of a list item, else 0
	number     int  // of an item of an ordered list, else 0
}

// listState is the open list that a source begins inside of.
type listState struct {
	marker byte
	number int // of the item the source begins with
}

type parsed struct {
	src    []byte
	pieces []piece // in order; they cover all but what is before the first
	refs   []parser.Reference
}

// split finds the pieces of src. A source that begins at an item of a list
// already begun counts on from open.
func split(p parser.Parser, src string, open listState) parsed {
	pc := parser.NewContext()
	b := []byte(src)
	doc := p.Parse(goldtext.NewReader(b), parser.WithContext(pc))
	var out []piece
	add := func(n ast.Node, pos int, marker byte, number int) {
		start := strings.LastIndexByte(src[:max(pos, 0)], '\n') + 1
		if len(out) > 0 {
			if start <= out[len(out)-1].start {
				return
			}
			out[len(out)-1].end = start
		}
		out = append(out, piece{start: start, end: len(src), node: n, marker: marker, number: number})
	}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.List:
			number := n.Start
			if n.PreviousSibling() == nil && n.Marker == open.marker {
				number = open.number
			}
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				if !n.IsOrdered() {
					number = 0
				}
				add(item, item.Pos(), n.Marker, number)
				number++
			}
		case *extast.Table:
			add(n, n.FirstChild().Pos(), 0, 0)
		default:
			add(n, n.Pos(), 0, 0)
		}
	}
	return parsed{b, out, pc.References()}
}

// gapBefore reports whether an empty line belongs before the piece at
// src[p.start:] when something is above it: always, but for a list item only
// if the source has one there, whatever the rest of its list does.
func gapBefore(src string, p piece) bool {
	if p.marker == 0 {
		return true
	}
	before := strings.TrimSuffix(src[:p.start], "\n")
	last := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.TrimLeft(last, " \t") == ""
}

// chunkLines and chunkBytes bound a block of code: it ends with the line that
// reaches one of them.
const (
	chunkLines = 16
	chunkBytes = 4096
)

// chunkEnd returns the end of the first chunk of code, or -1 if code does not
// fill one.
func chunkEnd(code string) int {
	end := 0
	for range chunkLines {
		i := strings.IndexByte(code[end:], '\n')
		if i < 0 {
			return -1
		}
		end += i + 1
		if end >= chunkBytes {
			break
		}
	}
	return end
}

func codeBlocks(lang, code string, gap bool) []Block {
	var out []Block
	for code != "" {
		n := chunkEnd(code)
		if n < 0 {
			n = len(code)
		}
		out = append(out, Block{Kind: Code, Source: code[:n], Gap: gap})
		code, gap = code[n:], false
	}
	share(lang, out)
	return out
}

// share gives runs of chunks of one code block a highlighter in common, each
// for at most syntax.MaxBytes or one chunk.
func share(lang string, chunks []Block) {
	for len(chunks) > 0 {
		n, size := 1, len(chunks[0].Source)
		for n < len(chunks) && size+len(chunks[n].Source) <= syntax.MaxBytes {
			size += len(chunks[n].Source)
			n++
		}
		var b strings.Builder
		h := &syntax.Highlighter{Lang: lang}
		for i := range chunks[:n] {
			chunks[i].code, chunks[i].offset = h, b.Len()
			b.WriteString(chunks[i].Source)
		}
		h.Text = b.String()
		for i := range chunks[:n] {
			chunks[i].sign()
		}
		chunks = chunks[n:]
	}
}

// codeText returns the language and the text of a code block.
func codeText(n ast.Node, src []byte) (lang, code string) {
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		lang = string(f.Language(src))
	}
	return lang, string(n.Lines().Value(src))
}

// labels calls yield for each text in brackets, in the form in which link
// definitions are named.
func labels(src string, yield func(label string)) {
	open := -1
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			open = i + 1
		case ']':
			if open >= 0 && i-open < 1000 {
				yield(util.ToLinkReference([]byte(src[open:i])))
			}
			open = -1
		}
	}
}
