package render

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // a page and its style
	"encoding/base64"
	"fmt"
	"html"
	"iter"
	"strconv"
	"strings"
	"sync"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// htmlPage is one page of HTML that needs nothing else: no script, no address
// that a browser fetches by itself, and a policy that forbids both. Everything
// that comes from a log passes escaped, and where it stands is decided here.
type htmlPage struct{}

// escaped is text as HTML, inside an element or a quoted attribute.
func escaped(s string) string { return html.EscapeString(text.Sanitize(s)) }

// element is markup in an element with a class; "" is none.
func element(tag, class, markup string) string {
	if class != "" {
		return "<" + tag + ` class="` + class + `">` + markup + "</" + tag + ">"
	}
	return "<" + tag + ">" + markup + "</" + tag + ">"
}

// words are a line in an element with a class; an empty one has no element.
func words(tag, class, line string) string {
	if line == "" {
		return ""
	}
	return element(tag, class, escaped(line))
}

func (*htmlPage) text(line string) string       { return escaped(line) }
func (*htmlPage) aside(line string) string      { return words("span", "dim", line) }
func (*htmlPage) code(line string) string       { return words("code", "", line) }
func (*htmlPage) mark(glyph string) string      { return element("span", "mark", escaped(glyph)) }
func (*htmlPage) strong(markup string) string   { return element("b", "", markup) }
func (*htmlPage) emphasis(markup string) string { return element("em", "", markup) }
func (*htmlPage) line(markup string) string     { return element("p", "", markup) }
func (*htmlPage) answer(source string) string   { return htmlMarkdown(source, false) }

func (*htmlPage) link(address string) string { return htmlLink(escaped(address), address, address) }

func (*htmlPage) list(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return "<ul>\n<li>" + strings.Join(items, "</li>\n<li>") + "</li>\n</ul>"
}

func (*htmlPage) quote(source string) string {
	if strings.TrimSpace(source) == "" {
		return ""
	}
	return element("div", "said", "\n"+htmlMarkdown(source, true)+"\n")
}

func (*htmlPage) listing(text, lang string) string {
	if lang == "diff" {
		return element("pre", "", htmlDiff(text))
	}
	return element("pre", "", element("code", "", htmlCode(lang, text)))
}

func (*htmlPage) output(raw string) string {
	var b strings.Builder
	for _, line := range text.ToolOutput(raw) {
		writeSpans(&b, line)
		b.WriteByte('\n')
	}
	return element("pre", "output", b.String())
}

func (*htmlPage) folded(summary string, open bool, blocks []string) []string {
	tag := "<details>"
	if open {
		tag = "<details open>"
	}
	return []string{tag + element("summary", "", escaped(summary)) + "\n" + strings.Join(blocks, "\n") + "\n</details>"}
}

func (*htmlPage) heading(number int, words string) string {
	n := strconv.Itoa(number)
	return `<h2 id="turn-` + n + `"><a href="#turn-` + n + `">Prompt ` + n + "</a> " + escaped(words) + "</h2>"
}

func (*htmlPage) nested(entries []string) string {
	if len(entries) == 0 {
		return ""
	}
	return element("div", "work", "\n"+strings.Join(entries, ""))
}

// stateClasses and levelClasses are further classes of a call and of a notice.
var (
	stateClasses = map[timeline.State]string{
		timeline.Live: " live", timeline.Failed: " failed", timeline.Refused: " refused", timeline.Cancelled: " cancelled",
	}
	levelClasses = map[timeline.Level]string{timeline.Success: " success", timeline.Warning: " warning", timeline.Error: " error"}
)

// entry puts an entry in a section whose class says what it is.
func (*htmlPage) entry(e *timeline.Entry, blocks []string) string {
	if len(blocks) == 0 {
		return ""
	}
	class := "unknown"
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		class = "prompt"
	case *timeline.Message:
		class = "message"
	case *timeline.Reasoning:
		class = "reasoning"
	case *timeline.ToolCall:
		class = "tool"
		if class += stateClasses[e.State]; b.Agent != nil && agentFailed(e, b) {
			class = "tool failed"
		}
	case *timeline.Notice:
		class = "notice" + levelClasses[b.Level]
	case *timeline.AnsweredQuestion:
		class = "question"
	case *timeline.Divider:
		class = "boundary"
	case *timeline.Summary:
		class = "summary"
	case *timeline.SessionEnd:
		class = "closing"
	case *timeline.Unrecognised:
	}
	return element("section", class, "\n"+strings.Join(blocks, "\n")+"\n") + "\n"
}

//go:embed export.css
var exportCSS string

// pageStyle is the style of a page with the colours of Parley's own themes, and
// its hash, by which the page allows this one alone.
var pageStyle = sync.OnceValues(func() (style, hash string) {
	var b strings.Builder
	colours := func(t *theme.Theme, sheet, edge string) {
		b.WriteString(":root { --sheet: " + sheet + "; --edge: " + edge)
		for _, c := range theme.Colours() {
			if hex := t.Colour(c.Name); hex != "" {
				b.WriteString("; --" + c.Name + ": " + hex)
			}
		}
		b.WriteString(" }\n")
	}
	colours(theme.Light(), "#f6f8fa", "#d8dee4")
	b.WriteString("@media screen and (prefers-color-scheme: dark) {\n")
	colours(theme.Dark(), "#161b22", "#30363d")
	b.WriteString("}\n" + exportCSS)
	sum := sha256.Sum256([]byte(b.String()))
	return b.String(), base64.StdEncoding.EncodeToString(sum[:])
})

// longestPrompt is how much of a prompt stands in the table of contents, in cells.
const longestPrompt = 120

//go:embed export_page.html
var exportPageHTML string

func (p *htmlPage) begin(o ExportOptions, entries iter.Seq2[int, *timeline.Entry]) string {
	var facts, turns strings.Builder
	for _, f := range o.facts() {
		fmt.Fprintf(&facts, "<dt>%s</dt><dd>%s</dd>\n", f.name, f.on(p))
	}
	draw := o.options(roomy)
	count := 0
	for n, e := range entries {
		if prompt(e) {
			line := text.Cut(draw.Theme, oneLine(timeline.Source(e), draw), longestPrompt)
			fmt.Fprintf(&turns, "<li><span>%[1]d</span><a href=\"#turn-%[1]d\">%[2]s</a></li>\n", n, escaped(cmp.Or(line, "(no words)")))
			count++
		}
	}
	contents := ""
	if count > 1 {
		contents = fmt.Sprintf(contentsHTML, text.Count(count, "prompt"), turns.String())
	}
	style, hash := pageStyle()
	return strings.NewReplacer("{{title}}", escaped(o.title()), "{{style}}", style, "{{hash}}", hash,
		"{{facts}}", facts.String(), "{{contents}}", contents).Replace(exportPageHTML)
}

// contentsHTML is the table of contents, with the number of prompts and the list of them.
const contentsHTML = `<nav aria-label="Prompts">
<details open><summary>%s</summary>
<ol>
%s</ol>
</details>
</nav>
`

func (*htmlPage) end() string {
	return "</main>\n<footer>Exported from Parley. This page loads nothing and runs nothing.</footer>\n</body>\n</html>\n"
}
