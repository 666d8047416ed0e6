package render

import (
	"bytes"
	"strconv"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"parley/theme"
)

// DrawBlock draws a block of markdown in lines of at most width cells that each
// open and close their own styles. If an empty line belongs before the block it
// is the first. Blocks without anything to show have no lines.
//
// Inlines are drawn by Glamour's elements with a style made of the theme's
// tokens; the layout of blocks is this package's own, because Glamour glues
// the paragraphs of loose lists, loses hard breaks, drops HTML, breaks code at
// words and squeezes wide tables.
func DrawBlock(b Block, width int, th *theme.Theme) []string {
	width = max(width, 1)
	var lines []string
	switch b.Kind {
	case Code:
		lines = drawCode(b.code.spans(b.offset, b.offset+len(b.Source)), width, th)
	case Rest:
		lines = Wrap(b.Source, width)
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
	doc := newMarkdown().Parser().Parse(text.NewReader(src), parser.WithContext(pc))
	if list, ok := doc.FirstChild().(*ast.List); ok && b.number > 0 {
		list.Start = b.number
	}
	styles := glamourStyle(th)
	d := &drawer{
		src: src, th: th, styles: styles,
		ctx: gansi.NewRenderContext(gansi.Options{Styles: styles, WordWrap: width}),
	}
	return d.blocks(doc, width, gansi.StylePrimitive{})
}

// drawer draws the nodes of one source.
type drawer struct {
	src    []byte
	th     *theme.Theme
	styles gansi.StyleConfig
	ctx    gansi.RenderContext
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
		return Wrap(d.inline(n, base), width)
	case *ast.Heading:
		style := d.styles.Heading.StylePrimitive
		if n.Level > 2 {
			style = d.styles.H3.StylePrimitive
		}
		return Wrap(d.inline(n, style), width)
	case *ast.Blockquote:
		return d.quote(n, width)
	case *ast.List:
		return d.list(n, width, base)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		lang, code := codeText(n, d.src)
		h := &highlighter{lang: lang, text: code}
		return drawCode(h.spans(0, len(code)), width, d.th)
	case *ast.HTMLBlock:
		return d.html(n, width)
	case *ast.ThematicBreak:
		return []string{d.th.Render(theme.Rule, strings.Repeat(d.th.Glyph(theme.MarkBoundary), width))}
	case *extast.Table:
		return d.table(n, width)
	case *ast.LinkReferenceDefinition:
		return nil
	}
	return d.blocks(n, width, base)
}

// narrowest is the width below which containers do not indent any more.
const narrowest = 8

// quote draws a block quote behind a bar.
func (d *drawer) quote(n ast.Node, width int) []string {
	if width < narrowest {
		return d.blocks(n, width, d.styles.BlockQuote.StylePrimitive)
	}
	lines := d.blocks(n, width-2, d.styles.BlockQuote.StylePrimitive)
	bar := d.th.Render(theme.Rule, d.th.Glyph(theme.MarkQuote))
	return prefixed(lines, bar+" ", bar+" ")
}

// list draws the items of a list, each behind its bullet or number, with an
// empty line between items where the source has one.
func (d *drawer) list(n *ast.List, width int, base gansi.StylePrimitive) []string {
	var out []string
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := d.th.Glyph(theme.MarkBullet)
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + "."
			number++
		}
		if len(out) > 0 && d.blankBefore(item.Pos()) {
			out = append(out, "")
		}
		out = append(out, d.item(item, mark, width, base)...)
	}
	return out
}

// item draws one item of a list. Where there is no room to indent, the mark
// gets a line of its own.
func (d *drawer) item(n ast.Node, mark string, width int, base gansi.StylePrimitive) []string {
	indent := Width(mark) + 1
	if width-indent < narrowest/2 {
		out := Hard(mark, width)
		return append(out, d.blocks(n, width, base)...)
	}
	lines := d.blocks(n, width-indent, base)
	if len(lines) == 0 {
		lines = []string{""}
	}
	return prefixed(lines, d.th.Render(theme.Dim, mark)+" ", strings.Repeat(" ", indent))
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

// html shows HTML as the text it is.
func (d *drawer) html(n *ast.HTMLBlock, width int) []string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(d.src))
	}
	if n.HasClosure() {
		b.Write(n.ClosureLine.Value(d.src))
	}
	var out []string
	for line := range strings.Lines(b.String()) {
		for _, row := range Hard(strings.TrimRight(line, " \t\n"), width) {
			out = append(out, d.th.Render(theme.Dim, row))
		}
	}
	return out
}
