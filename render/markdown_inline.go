package render

import (
	"bytes"
	"html"
	"io"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"parley/theme"
)

// inline draws the inlines of n as one styled text. Hard breaks are line ends.
func (d *drawer) inline(n ast.Node, base gansi.StylePrimitive) string {
	var b bytes.Buffer
	group(d.elements(n)).draw(&b, d.ctx, base)
	return b.String()
}

// elements are Glamour's elements for the children of n.
func (d *drawer) elements(n ast.Node) []gansi.ElementRenderer {
	var out []gansi.ElementRenderer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, d.element(c)...)
	}
	return out
}

// element is what draws one inline. Text is decoded and made safe here, after
// which Glamour only adds style.
func (d *drawer) element(n ast.Node) []gansi.ElementRenderer {
	switch n := n.(type) {
	case *ast.Text:
		return d.text(n)
	case *ast.CodeSpan:
		return one(&gansi.CodeSpanElement{Text: codeSpan(n, d.src), Style: d.styles.Code.StylePrimitive})
	case *ast.Emphasis:
		return one(&gansi.EmphasisElement{Children: d.elements(n), Level: n.Level})
	case *extast.Strikethrough:
		return one(&styled{d.elements(n), d.styles.Strikethrough})
	case *ast.Link:
		return one(d.link(d.elements(n), plainText(n, d.src), n.Destination))
	case *ast.AutoLink:
		label := string(n.Label(d.src))
		target := n.URL(d.src)
		if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(target), []byte("mailto:")) {
			target = append([]byte("mailto:"), target...)
		}
		return one(d.link(one(base(label)), label, target))
	case *ast.Image:
		label := "[image: " + strings.TrimSpace(plainText(n, d.src)) + "]"
		return one(d.link(one(base(label)), label, n.Destination))
	case *ast.RawHTML:
		source := string(n.Segments.Value(d.src))
		if lineBreak(source) {
			return one(base("\n"))
		}
		return one(styledBase(source, d.styles.HTMLSpan.StylePrimitive))
	case *extast.TaskCheckBox:
		if n.IsChecked {
			return one(base("[x] "))
		}
		return one(base("[ ] "))
	}
	return d.elements(n)
}

// text draws a text node. What stands for hidden characters is marked.
func (d *drawer) text(n *ast.Text) []gansi.ElementRenderer {
	s := decode(string(n.Segment.Value(d.src)))
	switch {
	case n.HardLineBreak():
		s += "\n"
	case n.SoftLineBreak():
		s += " "
	}
	var out []gansi.ElementRenderer
	for {
		i := strings.Index(s, "⟦")
		j := strings.Index(s, "⟧")
		if i < 0 || j < i {
			return append(out, base(s))
		}
		j += len("⟧")
		out = append(out, base(s[:i]), styledBase(s[i:j], primitive(d.th, theme.Hidden)))
		s = s[j:]
	}
}

// base is an element of plain text. Glamour takes backslashes off a token, so
// each is given twice.
func base(s string) *gansi.BaseElement { return styledBase(s, gansi.StylePrimitive{}) }

func styledBase(s string, style gansi.StylePrimitive) *gansi.BaseElement {
	return &gansi.BaseElement{Token: strings.ReplaceAll(s, `\`, `\\`), Style: style}
}

func one(e gansi.ElementRenderer) []gansi.ElementRenderer { return []gansi.ElementRenderer{e} }

// group draws elements in a common style. Writing to a buffer does not fail.
type group []gansi.ElementRenderer

func (g group) draw(w io.Writer, ctx gansi.RenderContext, style gansi.StylePrimitive) {
	for _, e := range g {
		if o, ok := e.(gansi.StyleOverriderElementRenderer); ok && style != (gansi.StylePrimitive{}) {
			_ = o.StyleOverrideRender(w, ctx, style)
		} else {
			_ = e.Render(w, ctx)
		}
	}
}

// styled gives elements a style; Glamour's own strikethrough drops the links
// and code inside it.
type styled struct {
	children group
	style    gansi.StylePrimitive
}

// Render implements gansi.ElementRenderer.
func (s *styled) Render(w io.Writer, ctx gansi.RenderContext) error {
	s.children.draw(w, ctx, s.style)
	return nil
}

// StyleOverrideRender implements gansi.StyleOverriderElementRenderer.
func (s *styled) StyleOverrideRender(w io.Writer, ctx gansi.RenderContext, outer gansi.StylePrimitive) error {
	outer.CrossedOut = s.style.CrossedOut
	s.children.draw(w, ctx, outer)
	return nil
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
func decode(s string) string { return strings.ReplaceAll(Sanitize(unescape(s)), "\n", " ") }

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
// if there is none.
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
