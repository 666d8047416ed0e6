package generate

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// roffText is a text of the program in the language of manual pages: `code` and **what is
// strong** are bold, and nothing else in it means anything there.
func roffText(text string) string {
	text = regexp.MustCompile("`([^`]+)`|\\*\\*([^*\\s][^*]*)\\*\\*").ReplaceAllString(text, "\x00$1$2\x01")
	text = strings.NewReplacer("\x00", `\fB`, "\x01", `\fR`).Replace(roffChars(text))
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, `\(aq`) {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// roffChars escapes what roff would take for something else: a hyphen that is a minus to those
// who copy it, accents, quotes, and all that is not ASCII.
func roffChars(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch named := map[rune]string{
			'\\': `\e`, '-': `\-`, '\'': `\(aq`, '`': `\(ga`, '^': `\(ha`, '~': `\(ti`, '"': `\(dq`, '…': `...`,
		}[r]; {
		case named != "":
			b.WriteString(named)
		case r >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// roffBold is a word as it is typed.
func roffBold(word string) string { return `\fB` + roffChars(word) + `\fR` }

// roffItem is a paragraph below what it is about.
func roffItem(tag, text string) string { return ".TP\n" + tag + "\n" + roffText(text) + "\n" }

// roffHelp is a help text: paragraphs, and lines that are indented as they are.
func roffHelp(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		if strings.HasPrefix(paragraph, "  ") {
			b.WriteString(roffVerbatim(paragraph))
			continue
		}
		b.WriteString(".PP\n" + roffText(paragraph) + "\n")
	}
	return b.String()
}

// roffVerbatim are lines as they are.
func roffVerbatim(lines string) string {
	var b strings.Builder
	b.WriteString(".PP\n.RS 4\n.nf\n")
	for line := range strings.SplitSeq(strings.Trim(lines, "\n"), "\n") {
		b.WriteString(strings.TrimRight(`\&`+roffChars(strings.TrimPrefix(line, "  ")), " ") + "\n")
	}
	return b.String() + ".fi\n.RE\n"
}
