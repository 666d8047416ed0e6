package render

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	goldtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"parley/render/syntax"
	"parley/render/text"
	"parley/theme"
)

// htmlMarkdown is raw markdown as HTML. HTML in it is text, an image a link, and
// a link that may not be followed its label and its address. With breaks, line
// ends in paragraphs are kept, as a user means them.
func htmlMarkdown(source string, breaks bool) string {
	s := strings.Trim(tame(text.Sanitize(source)), "\n")
	if strings.Count(s, "]:") > mostDefinitions {
		return element("pre", "", escaped(s))
	}
	h := &htmlNodes{markdown: newMarkdown(), src: []byte(s)}
	h.markdown.Renderer().AddOptions(html.WithWriter(htmlText{}), renderer.WithNodeRenderers(util.Prioritized(h, 0)))
	if breaks {
		h.markdown.Renderer().AddOptions(html.WithHardWraps())
	}
	return strings.TrimRight(h.render(h.markdown.Parser().Parse(goldtext.NewReader(h.src))), "\n")
}

// htmlText writes the text of markdown.
type htmlText struct{}

// Write implements html.Writer.
func (htmlText) Write(w util.BufWriter, source []byte) {
	_, _ = w.WriteString(escaped(decode(string(source))))
}

// RawWrite implements html.Writer.
func (htmlText) RawWrite(w util.BufWriter, source []byte) {
	_, _ = w.WriteString(escaped(string(source)))
}

// SecureWrite implements html.Writer.
func (h htmlText) SecureWrite(w util.BufWriter, source []byte) { h.RawWrite(w, source) }

// htmlNodes makes HTML of the nodes of one source that are not written as Goldmark
// writes them.
type htmlNodes struct {
	markdown goldmark.Markdown
	src      []byte
}

// RegisterFuncs implements renderer.NodeRenderer.
func (h *htmlNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	for _, kind := range []ast.NodeKind{
		ast.KindHeading, ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindHTMLBlock, ast.KindLink, ast.KindAutoLink,
		ast.KindImage, ast.KindRawHTML, extast.KindTaskCheckBox, extast.KindTableCell,
	} {
		r.Register(kind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				_, _ = w.WriteString(h.node(n))
			}
			return ast.WalkSkipChildren, nil
		})
	}
}

// render is a node as HTML.
func (h *htmlNodes) render(n ast.Node) string {
	var b strings.Builder
	_ = h.markdown.Renderer().Render(&b, h.src, n) // a builder takes everything
	return b.String()
}

// inside is what is in a node as HTML.
func (h *htmlNodes) inside(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(h.render(c))
	}
	return b.String()
}

func (h *htmlNodes) node(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Heading:
		return element("h"+strconv.Itoa(min(n.Level+2, 6)), "", h.inside(n)) + "\n" // below those of the page
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		lang, code := codeText(n, h.src)
		if strings.EqualFold(lang, "diff") {
			return element("pre", "", htmlDiff(code)) + "\n"
		}
		return element("pre", "", element("code", "", htmlCode(lang, code))) + "\n"
	case *ast.HTMLBlock:
		return element("pre", "", escaped(htmlSource(n, h.src))) + "\n"
	case *ast.RawHTML:
		if source := string(n.Segments.Value(h.src)); !lineBreak(source) {
			return escaped(source)
		}
		return "<br>"
	case *ast.Link:
		return htmlLink(h.inside(n), plainText(n, h.src), string(n.Destination))
	case *ast.AutoLink:
		label, target := autoLink(n, h.src)
		return h.link(n, label, target)
	case *ast.Image:
		return h.link(n, "[image: "+strings.TrimSpace(plainText(n, h.src))+"]", string(n.Destination))
	case *extast.TaskCheckBox:
		return map[bool]string{true: "☑ ", false: "☐ "}[n.IsChecked]
	case *extast.TableCell:
		tag := map[bool]string{true: "th", false: "td"}[n.Parent().Kind() == extast.KindTableHeader]
		class := map[extast.Alignment]string{extast.AlignRight: "right", extast.AlignCenter: "centre"}[n.Alignment]
		return element(tag, class, h.inside(n)) + "\n"
	}
	return ""
}

// link is a link with a label of plain text; inside the label of another, that
// text alone.
func (h *htmlNodes) link(n ast.Node, label, target string) string {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink {
			return escaped(label)
		}
	}
	return htmlLink(escaped(label), label, target)
}

// htmlLink is a link with its label as markup and as text. An address that may
// not be followed stands behind the label, and so does one that the label
// pretends not to be.
func htmlLink(label, plain, target string) string {
	address := unescape(target)
	shown := strings.ReplaceAll(text.SanitizeShowHidden(address), "\n", " ")
	where := ""
	if bareURL(plain) != bareURL(shown) {
		where = " " + element("code", "", escaped(text.Truncate(shown, longestAddress, "…")))
	}
	followed := string(util.URLEscape([]byte(target), true))
	if !text.SafeURL(followed) || shown != address {
		return label + where
	}
	if !strings.Contains(plain, "://") && !strings.HasPrefix(strings.ToLower(plain), "www.") {
		where = "" // no address that could be taken for another
	}
	return `<a href="` + escaped(followed) + `" rel="noopener noreferrer nofollow">` + label + "</a>" + where
}

// mostHighlighted is the most code that is coloured, in bytes.
const mostHighlighted = 256 << 10

func htmlCode(lang, code string) string {
	code = text.Sanitize(code)
	if len(code) > mostHighlighted {
		return escaped(code)
	}
	var b strings.Builder
	h := &syntax.Highlighter{Lang: lang, Text: code}
	for _, line := range h.Spans(0, len(code)) {
		writeSpans(&b, line)
		b.WriteByte('\n')
	}
	return b.String()
}

// htmlDiff is a unified diff with its lines coloured, signs and all.
func htmlDiff(diff string) string {
	var b strings.Builder
	lines := strings.SplitAfter(strings.TrimRight(text.Sanitize(diff), "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	head := true // before the first hunk of a file
	for i, line := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		hunk := strings.HasPrefix(line, "@@")
		if hunk {
			head = false
		} else if strings.HasPrefix(line, "diff --") || strings.HasPrefix(line, "--- ") && strings.HasPrefix(next, "+++ ") {
			head = true
		}
		switch class := map[byte]string{'+': "add", '-': "del"}[line[0]]; {
		case head || hunk:
			b.WriteString(element("span", "hunk", escaped(line)))
		case class != "":
			b.WriteString(element("span", class, escaped(line)))
		default:
			b.WriteString(escaped(line))
		}
	}
	return b.String()
}

// tokenClasses are the classes of the roles that code and output have.
var tokenClasses = map[theme.Token]string{
	theme.SyntaxKeyword: "sk", theme.SyntaxString: "ss", theme.SyntaxNumber: "sn", theme.SyntaxComment: "sc",
	theme.SyntaxName: "sf", theme.SyntaxType: "st", theme.SyntaxOperator: "so",
	theme.Added: "good", theme.Removed: "bad", theme.Hunk: "dim", theme.Dim: "dim",
	theme.Error: "bad", theme.Success: "good", theme.Warning: "warn", theme.StrongText: "strong", theme.Emphasis: "em",
}

func writeSpans(b *strings.Builder, spans []text.Span) {
	for _, s := range spans {
		if class := tokenClasses[s.Token]; class != "" {
			b.WriteString(element("span", class, escaped(s.Text)))
		} else {
			b.WriteString(escaped(s.Text))
		}
	}
}
