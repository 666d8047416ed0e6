package render

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/theme"
)

// Document is a complete markdown text that a user reads to approve it. It
// is made safe as SanitizeShowHidden does, drawn once for a width, and never shows
// less than it says: markdown leaves out link definitions, titles of links,
// surplus cells of tables and more, and a text that would lose anything so is
// shown as it was written. It is for one goroutine.
type Document struct {
	source   string // safe
	markdown Markdown
	judged   bool
	written  bool // markdown would leave something out

	width int
	theme *theme.Theme
	lines []string
}

// NewDocument returns the document of a markdown text from anywhere.
func NewDocument(source string) *Document {
	d := &Document{source: text.SanitizeShowHidden(source)}
	d.markdown.Extend(d.source)
	d.markdown.Seal()
	return d
}

// Layout draws the document in rows of at most width cells, unless it was drawn
// so before, and returns their number.
func (d *Document) Layout(width int, th *theme.Theme) (rows int) {
	width = max(width, 1)
	if d.lines != nil && d.width == width && d.theme == th {
		return len(d.lines)
	}
	d.width, d.theme = width, th
	lines := d.draw(width, th)
	if !d.judged {
		// A table that was squeezed mixes its cells up; in all the room it wants
		// it does not.
		d.judged = true
		d.written = !d.shownBy(lines) && !d.shownBy(d.draw(roomy, th))
	}
	if d.written {
		lines = text.Wrap(d.source, width)
		for i, l := range lines {
			lines[i] = th.Render(theme.Text, l)
		}
	}
	d.lines = lines
	return len(lines)
}

// roomy is a width at which nothing has to be squeezed.
const roomy = 1 << 14

// Rows returns the rows of the last Layout from one to before another. Callers
// must not change them.
func (d *Document) Rows(from, to int) []string { return d.lines[from:to] }

// Written reports whether Layout found that markdown would leave something out,
// so that the text is shown as it was written.
func (d *Document) Written() bool { return d.written }

func (d *Document) draw(width int, th *theme.Theme) []string {
	lines := []string{}
	for i := range d.markdown.Len() {
		lines = append(lines, DrawBlock(d.markdown.At(i), width, th)...)
	}
	return lines
}

var (
	// silent are the parts of markdown that are only shown by what they do: the
	// language of a fence, the numbers of a list, which are counted anew.
	silent = text.Regexp("(?m)^[ >*+-]*(?:(?:`{3,}|~{3,}) *[\\w+#.-]{0,16} *$|\\d{1,9}[.)] )")
	// links are those whose text may be where they lead, which is shown once.
	links = text.Regexp(`\[([^\]\n]+)\]\(([^)\s]+)\)`)
)

// shownBy reports whether all letters and digits of the source are in lines, in
// their order.
func (d *Document) shownBy(lines []string) bool {
	shown := []rune(ansi.Strip(strings.Join(lines, "\n")))
	once := links().ReplaceAllStringFunc(silent().ReplaceAllString(d.source, ""), func(link string) string {
		if m := links().FindStringSubmatch(link); m[1] == m[2] {
			return m[1]
		}
		return link
	})
	for _, r := range once {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			continue
		}
		at := slices.Index(shown, r)
		if at < 0 {
			return false
		}
		shown = shown[at+1:]
	}
	return true
}
