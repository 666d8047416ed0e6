package render

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/render/text"

	"github.com/yuin/goldmark/ast"
	goldtext "github.com/yuin/goldmark/text"
)

// safeMarkdown makes the markdown of an agent safe to stand in a document of
// ours, as it is otherwise: no HTML, no images, which a viewer would fetch from
// anywhere, no links that run something, no character references to what is
// hidden, and no code block that the rest of the document would fall into. What
// cannot be made so becomes code as a whole.
func safeMarkdown(source string) string {
	s := strings.TrimRight(tame(text.Sanitize(source)), " \t\n")
	for line, rest, more := strings.Cut(s, "\n"); more && strings.TrimSpace(line) == ""; line, rest, more = strings.Cut(s, "\n") {
		s = rest
	}
	safe, ok := defused(s, false)
	if !ok {
		return fenced(s, "")
	}
	return fenceClosed(safe)
}

// quoteMarkdown is safeMarkdown for what a user wrote: a quotation in which
// their line ends are kept.
func quoteMarkdown(source string) string {
	source = strings.Trim(tame(text.Sanitize(source)), "\n")
	if strings.TrimSpace(source) == "" {
		return ""
	}
	quote := func(s string) string {
		lines := strings.Split(s, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimRight("> "+l, " \t")
		}
		return strings.Join(lines, "\n")
	}
	safe, ok := defused(quote(source), true)
	if !ok {
		return quote(fenced(source, ""))
	}
	return safe
}

// repair puts text in the place of src[start:end].
type repair struct {
	start, end int
	text       string
}

// Bounds of defused: how often a text is read anew, and how many ends of link
// definitions it may have, for which the parser takes time that grows with
// their square.
const (
	rounds          = 5
	mostDefinitions = 4000
)

// defused applies what defuse finds until it finds nothing: a text reads
// differently once something in it is no HTML any more. ok is false if that does
// not come to an end soon, which is no accident.
func defused(s string, breaks bool) (safe string, ok bool) {
	if strings.Count(s, "]:") > mostDefinitions {
		return "", false
	}
	for range rounds {
		repairs := defuse([]byte(s), breaks)
		if len(repairs) == 0 {
			return s, true
		}
		slices.SortStableFunc(repairs, func(a, b repair) int { return a.start - b.start })
		var b strings.Builder
		done := 0
		for _, e := range repairs {
			if e.start < done { // two reasons for one character
				continue
			}
			b.WriteString(s[done:e.start] + e.text)
			done = e.end
		}
		s = b.String() + s[done:]
	}
	return "", false
}

// defuse finds what is to be changed in src. With breaks, line ends in
// paragraphs become hard ones.
func defuse(src []byte, breaks bool) []repair {
	d := &defuser{src: src, code: make([]extent, 0, 8)}
	doc := newMarkdown().Parser().Parse(goldtext.NewReader(src))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			d.node(n, breaks)
		}
		return ast.WalkContinue, nil
	})
	d.outsideCode()
	return d.repairs
}

// defuser collects repairs of one source.
type defuser struct {
	src     []byte
	repairs []repair
	code    []extent // where characters stand for themselves, in order
}

// extent is a part of a source.
type extent struct{ start, end int }

func (d *defuser) replace(start, end int, text string) {
	d.repairs = append(d.repairs, repair{start, end, text})
}

// node looks at one node of the parsed source.
func (d *defuser) node(n ast.Node, breaks bool) {
	switch n := n.(type) {
	case *ast.HTMLBlock:
		for i := range n.Lines().Len() {
			d.html(n.Lines().At(i))
		}
		if n.HasClosure() {
			d.html(n.ClosureLine)
		}
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			d.html(n.Segments.At(i))
		}
	case *ast.Link:
		d.address(n.Pos(), n.Destination)
	case *ast.LinkReferenceDefinition:
		d.address(n.Pos(), n.Destination)
	case *ast.AutoLink:
		d.address(n.Pos(), n.URL(d.src))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		for i := range n.Lines().Len() {
			d.code = append(d.code, extent{n.Lines().At(i).Start, n.Lines().At(i).Stop})
		}
	case *ast.Text:
		if n.Parent().Kind() == ast.KindCodeSpan {
			d.code = append(d.code, extent{n.Segment.Start, n.Segment.Stop})
			return
		}
		d.almost(n.Segment)
		if breaks && n.SoftLineBreak() && !n.HardLineBreak() {
			d.replace(n.Segment.Stop, n.Segment.Stop, `\`)
		}
	}
}

// html makes a piece of HTML text.
func (d *defuser) html(s goldtext.Segment) {
	for i := s.Start; i < s.Stop; i++ {
		if d.src[i] == '<' {
			d.replace(i, i+1, "&lt;")
		}
	}
}

// almost escapes what begins like HTML and is none here: another parser may be
// of another opinion.
func (d *defuser) almost(s goldtext.Segment) {
	for i := s.Start; i+1 < s.Stop; i++ {
		if next := d.src[i+1]; d.src[i] == '<' && (next == '/' || next == '!' || next == '?' || isLetter(next)) && !d.escaped(i) {
			d.replace(i, i+1, "&lt;")
		}
	}
}

// escaped reports whether there is a backslash before src[i] that counts.
func (d *defuser) escaped(i int) bool {
	before := d.src[:i]
	return (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 1
}

// address makes a link text if following it would run something.
func (d *defuser) address(pos int, target []byte) {
	address := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, unescape(string(target))))
	for _, scheme := range []string{"javascript:", "vbscript:", "data:"} {
		if !strings.HasPrefix(address, scheme) || pos < 0 || pos >= len(d.src) {
			continue
		}
		switch d.src[pos] {
		case '[':
			d.replace(pos, pos, `\`)
		case '<':
			d.replace(pos, pos+1, "&lt;")
		}
	}
}

// outsideCode finds images, and references to hidden characters.
func (d *defuser) outsideCode() {
	slices.SortFunc(d.code, func(a, b extent) int { return a.start - b.start })
	code := d.code
	for i := 0; i < len(d.src); i++ {
		for len(code) > 0 && i >= code[0].end {
			code = code[1:]
		}
		if len(code) > 0 && i >= code[0].start {
			i = code[0].end - 1
			continue
		}
		switch c := d.src[i]; {
		case c == '\\':
			i++
		case c == '!' && i+1 < len(d.src) && d.src[i+1] == '[':
			d.replace(i, i, `\`)
		case c == '&':
			ref := string(d.src[i:min(len(d.src), i+40)])
			if n := reference(ref); n > 0 {
				if shown := text.SanitizeShowHidden(referred(ref[:n])); shown != referred(ref[:n]) {
					d.replace(i, i+n, shown)
				}
			}
		}
	}
}

// referred is what a character reference stands for (CommonMark 0.31, 2.5).
func referred(ref string) string {
	digits, ok := strings.CutPrefix(strings.Trim(ref, "&;"), "#")
	if !ok {
		return html.UnescapeString(ref)
	}
	base := 10
	if hex := strings.TrimLeft(digits, "xX"); hex != digits {
		digits, base = hex, 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil || n == 0 {
		n = utf8.RuneError
	}
	return string(rune(n))
}

// fenceClosed ends a code block that is open at the end of s. One in a list or
// a quotation ends with that.
func fenceClosed(s string) string {
	const probe = "x"
	all := split(newSplitter(), s+"\n\n"+probe, listState{})
	if len(all.pieces) == 0 {
		return s
	}
	last := all.pieces[len(all.pieces)-1]
	if last.node.Kind() != ast.KindFencedCodeBlock {
		return s
	}
	if _, code := codeText(last.node, all.src); !strings.HasSuffix("\n"+strings.TrimSuffix(code, "\n"), "\n"+probe) {
		return s
	}
	line, _, _ := strings.Cut(s[last.start:], "\n")
	line = strings.TrimLeft(line, " ")
	marks := len(line) - len(strings.TrimLeft(line, line[:1]))
	return s + "\n" + line[:marks]
}

// fenced is text as a block of code, in a fence longer than any in it.
func fenced(text, info string) string {
	fence := strings.Repeat("`", max(3, ticks(text)+1))
	return fence + info + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// ticked is a safe line as code among words.
func ticked(s string) string {
	if s == "" {
		return ""
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	fence := strings.Repeat("`", ticks(s)+1)
	return fence + s + fence
}

// ticks is the length of the longest run of backticks in s.
func ticks(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// literal is a safe line with what markdown would take for markup escaped.
func literal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '<':
			b.WriteString("&lt;")
			continue
		case strings.IndexByte("\\`*[]~|#!", c) >= 0, c == '&' && reference(s[i:]) > 0,
			c == '_' && (!wordByte(s, i-1) || !wordByte(s, i+1)):
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// wordByte reports whether s[i] is part of a word.
func wordByte(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= utf8.RuneSelf || s[i] >= '0' && s[i] <= '9' || isLetter(s[i]))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// autolink is an address as a link, or as code if it is not to be followed.
func autolink(address string) string {
	if text.SafeURL(address) && !strings.ContainsAny(address, "<>") {
		return "<" + address + ">"
	}
	return ticked(address)
}
