package render

import (
	"bytes"
	"strconv"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	goldtext "github.com/yuin/goldmark/text"

	"parley/render/syntax"
	"parley/render/text"
	"parley/theme"
)

// DrawBlock draws a block of markdown in lines of at most width cells that each
// open and close their own styles. If an empty line belongs before the block it
// is the first. Blocks without anything to show have no lines.
//
// How it looks is the theme's style of Glamour's. Its layout is this package's
// own (see the package comment).
func DrawBlock(b Block, width int, th *theme.Theme) []string {
	width = max(width, 1)
	var lines []string
	switch b.Kind {
	case Code:
		lines = drawCode(b.code.Spans(b.offset, b.offset+len(b.Source)), width, th)
	case Rest:
		lines = text.Wrap(b.Source, width)
	case Prose:
		lines = drawProse(b, width, th)
	}
	if b.Gap && len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// drawProse parses the source of b and draws what it finds.
func drawProse(b Block, width int, th *theme.Theme) []string {
	pc := parser.NewContext()
	for _, ref := range b.refs {
		pc.AddReference(ref)
	}
	src := []byte(b.Source)
	doc := newMarkdown().Parser().Parse(goldtext.NewReader(src), parser.WithContext(pc))
	if list, ok := doc.FirstChild().(*ast.List); ok && b.number > 0 {
		list.Start = b.number
	}
	d := &drawer{src: src, th: th, look: th.Markdown()}
	return d.blocks(doc, width, d.look.Document.StylePrimitive)
}

// drawer draws the nodes of one source.
type drawer struct {
	src  []byte
	th   *theme.Theme
	look *theme.Markdown
}

// blocks draws the children of n below each other, with an empty line where the
// source has one and always between top-level blocks other than lists.
func (d *drawer) blocks(n ast.Node, width int, base gansi.StylePrimitive) []string {
	var out []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		lines := d.block(c, width, base)
		if len(lines) == 0 {
			continue
		}
		top := n.Kind() == ast.KindDocument && c.Kind() != ast.KindList
		if len(out) > 0 && (top || d.blankBefore(c.Pos())) {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

// blankBefore reports whether the line above the one at pos is empty, but for
// the marks of the quotation it is in.
func (d *drawer) blankBefore(pos int) bool {
	start := bytes.LastIndexByte(d.src[:max(pos, 0)], '\n')
	if start < 0 {
		return false
	}
	above := d.src[bytes.LastIndexByte(d.src[:start], '\n')+1 : start]
	return len(bytes.Trim(above, " \t>")) == 0
}

// block draws one block in at most width cells. base is the style of the text
// around it.
func (d *drawer) block(n ast.Node, width int, base gansi.StylePrimitive) []string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return text.Wrap(d.inline(n, base, d.look.Paragraph.StylePrimitive), width)
	case *ast.Heading:
		return text.Wrap(d.inline(n, d.look.Document.StylePrimitive, d.heading(n.Level)), width)
	case *ast.Blockquote:
		return d.quote(n, width)
	case *ast.List:
		return d.list(n, width, base)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		lang, code := codeText(n, d.src)
		h := &syntax.Highlighter{Lang: lang, Text: code}
		return drawCode(h.Spans(0, len(code)), width, d.th)
	case *ast.HTMLBlock:
		return d.html(n, width)
	case *ast.ThematicBreak:
		return d.rule(width)
	case *extast.Table:
		return d.table(n, width)
	case *ast.LinkReferenceDefinition:
		return nil
	}
	return d.blocks(n, width, base)
}

// narrowest is the width below which containers do not indent any more.
const narrowest = 8

func (d *drawer) heading(level int) gansi.StylePrimitive {
	s := d.look
	return [...]*gansi.StyleBlock{&s.H1, &s.H2, &s.H3, &s.H4, &s.H5, &s.H6}[min(max(level, 1), 6)-1].StylePrimitive
}

// rule draws a horizontal rule: the text of the style, or a line as wide as all.
func (d *drawer) rule(width int) []string {
	s := d.look.HorizontalRule.Format
	if s == "" {
		s = strings.Repeat(d.th.Glyph(theme.MarkBoundary), width)
	}
	return text.HardWrap(d.line(s), width)
}

// line draws what is no text: the rule, the bar of a quote, the lines of a table.
func (d *drawer) line(text string) string { return paint(unmarked(d.look.HorizontalRule), text) }

// quote draws a block quote behind the bar of the style.
func (d *drawer) quote(n ast.Node, width int) []string {
	q := &d.look.BlockQuote
	style := unmarked(q.StylePrimitive)
	lead := strings.Repeat(*q.IndentToken, int(*q.Indent)) //nolint:gosec // bounded by the theme
	if width < narrowest || width-text.Width(lead) < narrowest-2 {
		return d.blocks(n, width, style)
	}
	lines := d.blocks(n, width-text.Width(lead), style)
	bar := strings.TrimRight(lead, " ")
	lead = d.line(bar) + lead[len(bar):]
	return prefixed(lines, lead, lead)
}

// list draws the items of a list, each behind its bullet or number, with an
// empty line between items where the source has one.
func (d *drawer) list(n *ast.List, width int, base gansi.StylePrimitive) []string {
	var out []string
	base = theme.Overlay(base, d.look.List.StylePrimitive)
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		style, mark := d.look.Item, ""
		if n.IsOrdered() {
			style, mark = d.look.Enumeration, strconv.Itoa(number)
			number++
		}
		mark = strings.TrimSpace(mark + style.BlockPrefix + style.Prefix)
		if len(out) > 0 && d.blankBefore(item.Pos()) {
			out = append(out, "")
		}
		out = append(out, d.item(item, mark, unmarked(style), width, base)...)
	}
	return out
}

// item draws one item of a list. Where there is no room to indent, the mark
// gets a line of its own.
func (d *drawer) item(n ast.Node, mark string, style gansi.StylePrimitive, width int, base gansi.StylePrimitive) []string {
	indent := text.Width(mark) + 1
	if width-indent < narrowest/2 {
		out := text.HardWrap(mark, width)
		return append(out, d.blocks(n, width, base)...)
	}
	lines := d.blocks(n, width-indent, base)
	if len(lines) == 0 {
		lines = []string{""}
	}
	return prefixed(lines, paint(style, mark)+" ", strings.Repeat(" ", indent))
}

// prefixed puts first before the first line and rest before the others. Empty
// lines get no blanks at their end.
func prefixed(lines []string, first, rest string) []string {
	for i, l := range lines {
		lead := rest
		if i == 0 {
			lead = first
		}
		if l == "" {
			lead = strings.TrimRight(lead, " ")
		}
		lines[i] = lead + l
	}
	return lines
}

func (d *drawer) html(n *ast.HTMLBlock, width int) []string {
	draw := brush(unmarked(d.look.HTMLBlock.StylePrimitive))
	var out []string
	for line := range strings.Lines(htmlSource(n, d.src)) {
		for _, row := range text.HardWrap(strings.TrimRight(line, " \t\n"), width) {
			out = append(out, draw(row))
		}
	}
	return out
}

// drawCode draws lines of code as a style does, cut where the width ends so that
// nothing is lost. Rows that continue a line have a mark before them, so that
// they are not taken for lines.
func drawCode(lines [][]text.Span, width int, th *theme.Theme) []string {
	indent, look := "", th.Markdown()
	if n := codeIndent(look); width >= 4*n {
		indent = strings.Repeat(" ", n)
		width -= n
	}
	mark := ""
	if width >= narrowest {
		mark = th.Render(theme.Dim, th.Glyph(theme.MarkWrapped)) + " "
	}
	var out []string
	for _, line := range lines {
		for i, row := range text.HardWrapSpans(line, width, text.Width(mark)) {
			switch {
			case len(row) == 0:
				out = append(out, "")
			case i == 0:
				out = append(out, indent+text.DrawSpans(row, look.CodeTheme))
			default:
				out = append(out, indent+mark+text.DrawSpans(row, look.CodeTheme))
			}
		}
	}
	return out
}

// codeIndent is the indentation of code inside the text column.
func codeIndent(look *theme.Markdown) int {
	n := uint(0)
	for _, part := range []*uint{look.CodeBlock.Margin, look.CodeBlock.Indent} {
		if part != nil {
			n += *part
		}
	}
	return int(n) //nolint:gosec // bounded by the theme
}
