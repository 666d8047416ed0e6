package render

import (
	"bytes"
	"html"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"parley/render/text"
	"parley/theme"
)

// inline draws the inlines of n as one styled text. Hard breaks are line ends.
func (d *drawer) inline(n ast.Node, base, style gansi.StylePrimitive) string {
	var b bytes.Buffer
	around(&b, base, style, func(inner gansi.StylePrimitive) { d.inlines(&b, n, inner) })
	return b.String()
}

func (d *drawer) inlines(b *bytes.Buffer, n ast.Node, style gansi.StylePrimitive) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d.element(b, c, style)
	}
}

// element draws one inline. Text is decoded and made safe here.
func (d *drawer) element(b *bytes.Buffer, n ast.Node, outer gansi.StylePrimitive) {
	inside := func(style gansi.StylePrimitive) {
		around(b, outer, style, func(inner gansi.StylePrimitive) { d.inlines(b, n, inner) })
	}
	switch n := n.(type) {
	case *ast.Text:
		d.text(b, n, outer)
	case *ast.CodeSpan:
		style := d.look.Code.StylePrimitive
		around(b, outer, style, func(gansi.StylePrimitive) { put(b, unmarked(style), d.clusters(codeSpan(n, d.src))) })
	case *ast.Emphasis:
		if n.Level > 1 {
			inside(d.look.Strong)
		} else {
			inside(d.look.Emph)
		}
	case *extast.Strikethrough:
		inside(d.look.Strikethrough)
	case *ast.Link:
		l := d.link(plainText(n, d.src), string(n.Destination))
		l.draw(b, outer, func(style gansi.StylePrimitive) { d.inlines(b, n, style) })
	case *ast.AutoLink:
		label, target := autoLink(n, d.src)
		d.link(label, target).draw(b, outer, func(style gansi.StylePrimitive) { put(b, style, label) })
	case *ast.Image:
		l := d.link("", string(n.Destination))
		l.text, l.place = d.look.ImageText, d.look.Image
		l.draw(b, outer, func(style gansi.StylePrimitive) { put(b, style, strings.TrimSpace(plainText(n, d.src))) })
	case *ast.RawHTML:
		source := string(n.Segments.Value(d.src))
		if lineBreak(source) {
			put(b, outer, "\n")
			return
		}
		put(b, theme.Overlay(outer, d.look.HTMLSpan.StylePrimitive), source)
	case *extast.TaskCheckBox:
		tick := d.look.Task.Unticked
		if n.IsChecked {
			tick = d.look.Task.Ticked
		}
		put(b, theme.Overlay(outer, d.look.Task.StylePrimitive), tick)
	default:
		d.inlines(b, n, outer)
	}
}

// text draws a text node. What stands for hidden characters is marked.
func (d *drawer) text(b *bytes.Buffer, n *ast.Text, style gansi.StylePrimitive) {
	s := d.clusters(decode(string(n.Segment.Value(d.src))))
	switch {
	case n.HardLineBreak():
		s += "\n"
	case n.SoftLineBreak():
		s += " "
	}
	at := 0
	for _, h := range text.HiddenTokens(s) {
		if !strings.HasSuffix(s[:h.To], "⟧") {
			break // a bracket of the text's own
		}
		put(b, style, s[at:h.From])
		put(b, theme.Overlay(style, d.th.Primitive(theme.Hidden)), s[h.From:h.To])
		at = h.To
	}
	put(b, style, s[at:])
}

// clusters is a text as the terminal can draw it.
func (d *drawer) clusters(s string) string {
	if d.th.Apart {
		return text.SplitEmoji(s)
	}
	return s
}

// around draws a text and the marks of its style around it: those of the block in
// the style outside, those of the text in its own.
func around(b *bytes.Buffer, outer, style gansi.StylePrimitive, draw func(inner gansi.StylePrimitive)) {
	inner := theme.Overlay(outer, style)
	put(b, outer, style.BlockPrefix)
	put(b, inner, style.Prefix)
	draw(inner)
	put(b, inner, style.Suffix)
	put(b, outer, style.BlockSuffix)
}

// put writes a text in a style. Writing to a buffer does not fail.
func put(b *bytes.Buffer, style gansi.StylePrimitive, s string) {
	if style == (gansi.StylePrimitive{}) {
		b.WriteString(s)
		return
	}
	_ = (&gansi.CodeSpanElement{Text: s, Style: style}).Render(b, gansi.RenderContext{})
}

func paint(style gansi.StylePrimitive, s string) string {
	var b bytes.Buffer
	put(&b, style, s)
	return b.String()
}

// brush is paint for many texts in one style: what it writes before and after a
// text is found once.
func brush(style gansi.StylePrimitive) func(string) string {
	if style.Upper != nil || style.Lower != nil || style.Title != nil {
		return func(s string) string { return paint(style, s) } // the text depends on it, too
	}
	open, end, _ := strings.Cut(paint(style, "x"), "x")
	return func(s string) string {
		if s == "" {
			return ""
		}
		return open + s + end
	}
}

// unmarked is a style without the marks around its text.
func unmarked(p gansi.StylePrimitive) gansi.StylePrimitive {
	return theme.Overlay(gansi.StylePrimitive{}, p)
}

// autoLink is the label of a bare address, and where it leads.
func autoLink(n *ast.AutoLink, src []byte) (label, target string) {
	label, target = string(n.Label(src)), string(n.URL(src))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(target), "mailto:") {
		target = "mailto:" + target
	}
	return label, target
}

// htmlSource is a block of HTML as it is written.
func htmlSource(n *ast.HTMLBlock, src []byte) string {
	source := string(n.Lines().Value(src))
	if n.HasClosure() {
		source += string(n.ClosureLine.Value(src))
	}
	return source
}

// codeSpan is the text of a code span: its line ends are blanks.
func codeSpan(n *ast.CodeSpan, src []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(src))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// plainText is the text of the inlines of n without their style.
func plainText(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := c.(*ast.Text); ok && entering {
			s := string(t.Segment.Value(src))
			if t.Parent().Kind() != ast.KindCodeSpan {
				s = decode(s)
			}
			b.WriteString(s)
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// lineBreak reports whether an HTML tag is a line break.
func lineBreak(tag string) bool {
	tag = strings.ToLower(strings.ReplaceAll(tag, " ", ""))
	return tag == "<br>" || tag == "<br/>"
}

// decode resolves the backslash escapes and character references of a text.
// They may stand for control characters, so the result is made safe again.
func decode(s string) string { return strings.ReplaceAll(text.Sanitize(unescape(s)), "\n", " ") }

// unescape resolves backslash escapes and character references (CommonMark
// 0.31, 2.4 and 2.5). The result is not safe.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
			continue
		case s[i] == '&':
			if n := reference(s[i:]); n > 0 {
				b.WriteString(html.UnescapeString(s[i : i+n]))
				i += n
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// reference returns the length of the character reference at the start of s, 0
// if s begins with no reference.
func reference(s string) int {
	const longest = 33 // "&CounterClockwiseContourIntegral;"
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 2 {
		return 0
	}
	name := s[1:end]
	if name[0] == '#' {
		digits, set := name[1:], "0123456789"
		if strings.HasPrefix(strings.ToLower(digits), "x") {
			digits, set = digits[1:], "0123456789abcdefABCDEF"
		}
		if digits == "" || len(digits) > 7 || strings.Trim(digits, set) != "" {
			return 0
		}
		return end + 1
	}
	if _, ok := util.LookUpHTML5EntityByName(name); !ok {
		return 0
	}
	return end + 1
}
