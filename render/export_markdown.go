package render

import (
	"iter"
	"strconv"
	"strings"

	"parley/render/text"
	"parley/timeline"
)

// markdownPage is a document of markdown. Each entry is one or more blocks at the
// left edge with an empty line between, so that no list, quotation or paragraph
// of one continues in the next.
type markdownPage struct{}

func (*markdownPage) text(line string) string       { return literal(line) }
func (*markdownPage) aside(line string) string      { return literal(line) }
func (*markdownPage) mark(glyph string) string      { return glyph }
func (*markdownPage) code(line string) string       { return ticked(line) }
func (*markdownPage) strong(markup string) string   { return "**" + markup + "**" }
func (*markdownPage) emphasis(markup string) string { return "*" + markup + "*" }
func (*markdownPage) link(address string) string    { return autolink(address) }

func (*markdownPage) line(markup string) string   { return markup }
func (*markdownPage) answer(source string) string { return safeMarkdown(source) }
func (*markdownPage) quote(source string) string  { return quoteMarkdown(source) }
func (*markdownPage) output(raw string) string    { return fenced(text.OutputText(raw), "") }
func (*markdownPage) nested([]string) string      { return "" }

func (*markdownPage) listing(text, lang string) string {
	if lang == "json" { // it only looks like it
		lang = ""
	}
	return fenced(text, lang)
}

func (*markdownPage) list(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return "- " + strings.Join(items, "\n- ")
}

func (*markdownPage) folded(summary string, open bool, blocks []string) []string {
	tag := "<details>"
	if open {
		tag = "<details open>"
	}
	return append(append([]string{tag + "<summary>" + summary + "</summary>"}, blocks...), "</details>")
}

func (*markdownPage) heading(number int, words string) string {
	return strings.TrimSpace("## Prompt " + strconv.Itoa(number) + " " + literal(words))
}

func (p *markdownPage) begin(o ExportOptions, _ iter.Seq2[int, *timeline.Entry]) string {
	blocks := []string{"# " + literal(o.title())}
	var facts []string
	for _, f := range o.facts() {
		facts = append(facts, f.name+": "+f.on(p))
	}
	if len(facts) > 0 {
		blocks = append(blocks, p.list(facts))
	}
	return strings.Join(append(blocks, "---"), "\n\n") + "\n"
}

func (*markdownPage) entry(_ *timeline.Entry, blocks []string) string {
	if len(blocks) == 0 {
		return ""
	}
	return "\n" + strings.Join(blocks, "\n\n") + "\n"
}

func (*markdownPage) end() string { return "" }
