package render

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
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
	h := &htmlWriter{src: []byte(s), breaks: breaks}
	h.blocks(newMarkdown().Parser().Parse(goldtext.NewReader(h.src)))
	return strings.TrimRight(h.b.String(), "\n")
}

// htmlWriter writes the nodes of one source.
type htmlWriter struct {
	src    []byte
	breaks bool
	linked bool // it is the label of a link, which holds no other
	b      strings.Builder
}

func (h *htmlWriter) blocks(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		h.block(c)
	}
}

// in writes the children of a node inside an element.
func (h *htmlWriter) in(tag, class string, n ast.Node, children func(ast.Node)) {
	open := tag
	if class != "" {
		open += ` class="` + class + `"`
	}
	h.b.WriteString("<" + open + ">")
	children(n)
	h.b.WriteString("</" + tag + ">")
}

func (h *htmlWriter) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		h.in("p", "", n, h.inlines)
	case *ast.TextBlock:
		h.inlines(n)
	case *ast.Heading:
		h.in("h"+strconv.Itoa(min(n.Level+2, 6)), "", n, h.inlines) // below those of the page
	case *ast.Blockquote:
		h.b.WriteString("<blockquote>\n")
		h.blocks(n)
		h.b.WriteString("</blockquote>")
	case *ast.List:
		h.list(n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		lang, code := codeText(n, h.src)
		if strings.EqualFold(lang, "diff") {
			h.b.WriteString(element("pre", "", htmlDiff(code)))
			break
		}
		h.b.WriteString(element("pre", "", element("code", "", htmlCode(lang, code))))
	case *ast.HTMLBlock:
		source := string(n.Lines().Value(h.src))
		if n.HasClosure() {
			source += string(n.ClosureLine.Value(h.src))
		}
		h.b.WriteString(element("pre", "", escaped(source)))
	case *ast.ThematicBreak:
		h.b.WriteString("<hr>")
	case *extast.Table:
		h.table(n)
	case *ast.LinkReferenceDefinition:
		return
	default:
		h.blocks(n)
	}
	h.b.WriteString("\n")
}

func (h *htmlWriter) list(n *ast.List) {
	tag, open := "ul", "<ul>\n"
	if n.IsOrdered() {
		tag, open = "ol", `<ol start="`+strconv.Itoa(n.Start)+"\">\n"
	}
	h.b.WriteString(open)
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		h.in("li", "", item, h.blocks)
		h.b.WriteString("\n")
	}
	h.b.WriteString("</" + tag + ">")
}

func (h *htmlWriter) table(n *extast.Table) {
	h.b.WriteString("<table>\n")
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		tag := "td"
		if row.Kind() == extast.KindTableHeader {
			tag = "th"
		}
		h.b.WriteString("<tr>")
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			class := ""
			if c, ok := cell.(*extast.TableCell); ok {
				class = map[extast.Alignment]string{extast.AlignRight: "right", extast.AlignCenter: "centre"}[c.Alignment]
			}
			h.in(tag, class, cell, h.inlines)
		}
		h.b.WriteString("</tr>\n")
	}
	h.b.WriteString("</table>")
}

func (h *htmlWriter) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		h.inline(c)
	}
}

func (h *htmlWriter) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		h.b.WriteString(escaped(decode(string(n.Segment.Value(h.src)))))
		switch {
		case n.HardLineBreak(), n.SoftLineBreak() && h.breaks:
			h.b.WriteString("<br>\n")
		case n.SoftLineBreak():
			h.b.WriteString("\n")
		}
	case *ast.CodeSpan:
		h.b.WriteString(element("code", "", escaped(codeSpan(n, h.src))))
	case *ast.Emphasis:
		h.in([...]string{"em", "strong"}[min(n.Level, 2)-1], "", n, h.inlines)
	case *extast.Strikethrough:
		h.in("del", "", n, h.inlines)
	case *ast.Link:
		label := &htmlWriter{src: h.src, breaks: h.breaks, linked: true}
		label.inlines(n)
		h.link(label.b.String(), plainText(n, h.src), string(n.Destination))
	case *ast.AutoLink:
		label, target := string(n.Label(h.src)), n.URL(h.src)
		if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(target), []byte("mailto:")) {
			target = append([]byte("mailto:"), target...)
		}
		h.link(escaped(label), label, string(target))
	case *ast.Image:
		label := "[image: " + strings.TrimSpace(plainText(n, h.src)) + "]"
		h.link(escaped(label), label, string(n.Destination))
	case *ast.RawHTML:
		if source := string(n.Segments.Value(h.src)); lineBreak(source) {
			h.b.WriteString("<br>")
		} else {
			h.b.WriteString(escaped(source))
		}
	case *extast.TaskCheckBox:
		h.b.WriteString(map[bool]string{true: "☑ ", false: "☐ "}[n.IsChecked])
	default:
		h.inlines(n)
	}
}

func (h *htmlWriter) link(label, plain, target string) {
	if h.linked {
		h.b.WriteString(label)
		return
	}
	h.b.WriteString(htmlLink(label, plain, target))
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
