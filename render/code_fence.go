package render

import (
	"strings"

	"parley/render/syntax"

	"github.com/yuin/goldmark/ast"
)

// fence is a fenced code block that is still open. Its lines need no parser.
type fence struct {
	lang   string
	mark   byte // ` or ~
	count  int  // of marks that open it
	indent int  // of the opening line, taken off the others
	chunks int  // blocks so far
	code   strings.Builder
}

func (m *Markdown) enterFence(p piece, base int, src []byte) {
	m.moveTo(base + p.start)
	line, _, _ := strings.Cut(m.text[m.stable:], "\n")
	body := strings.TrimLeft(line, " ")
	f := &fence{mark: body[0], indent: len(line) - len(body)}
	f.count = len(body) - len(strings.TrimLeft(body, body[:1]))
	if n, ok := p.node.(*ast.FencedCodeBlock); ok {
		f.lang = string(n.Language(src))
	}
	m.fence = f
	m.stable += len(line) + 1
}

// fenceLines takes the complete lines after stable into the open fence and
// reports whether they closed it.
func (m *Markdown) fenceLines() bool {
	f := m.fence
	for {
		line, _, ok := strings.Cut(m.text[m.stable:], "\n")
		if !ok {
			return false
		}
		m.moveTo(m.stable + len(line) + 1)
		if f.closedBy(line) {
			break
		}
		f.code.WriteString(f.dedent(line) + "\n")
		if chunkEnd(f.code.String()) > 0 {
			m.flush()
		}
	}
	m.flush()
	m.fence, m.list = nil, listState{}
	share(f.lang, m.blocks[len(m.blocks)-f.chunks:])
	return true
}

// flush makes the code that is not in a block yet one.
func (m *Markdown) flush() {
	f := m.fence
	if f.code.Len() == 0 {
		return
	}
	code := f.code.String()
	m.add(Block{
		Kind: Code, Source: code, Gap: f.chunks == 0 && len(m.blocks) > 0,
		code: &syntax.Highlighter{Lang: f.lang, Text: code},
	})
	f.chunks++
	f.code.Reset()
}

// tail returns the code that is not in a block yet. A line that may become the
// closing one is not shown.
func (f *fence) tail(partial string) string {
	line := f.dedent(partial)
	if strings.Trim(line, string(f.mark)+" ") == "" {
		line = ""
	}
	return f.code.String() + line
}

// closedBy reports whether line closes the fence (CommonMark 0.31, 4.5).
func (f *fence) closedBy(line string) bool {
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) > 3 {
		return false
	}
	rest := strings.TrimLeft(body, string(f.mark))
	return len(body)-len(rest) >= f.count && strings.Trim(rest, " \t") == ""
}

// dedent takes the indentation of the fence off a line.
func (f *fence) dedent(line string) string {
	return line[min(f.indent, len(line)-len(strings.TrimLeft(line, " "))):]
}
