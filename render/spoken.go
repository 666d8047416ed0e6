package render

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// spokenOutput is how many lines of the output of a call are spoken.
const spokenOutput = 20

var spokenTheme = sync.OnceValue(func() *theme.Theme { return theme.Plain(theme.ASCII()) })

// Speak returns an entry as lines that are heard or felt one after the other, and that no
// escape sequence is in: what it is and how it ended comes first, in words.
func Speak(e *timeline.Entry, o ExportOptions) []string {
	x := &exporter{ExportOptions: o, page: &spokenPage{}, draw: o.options(roomy)}
	x.draw.Theme = spokenTheme()
	var lines []string
	switch b := e.Body.(type) {
	case *timeline.Message:
		lines = slices.Collect(wholeLines(NewCache(1), e, x.draw))
	case *timeline.Reasoning: // what it says is not said, as it is folded elsewhere
		lines = []string{thoughtTitle(e, false, x.draw)}
	case *timeline.Prompt:
		lines = strings.Split(text.Sanitize(b.Text), "\n")
	default:
		x.entry(e)
		lines = strings.Split(strings.Join(x.blocks, "\n"), "\n")
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	if len(lines) == 0 {
		return nil
	}
	lines[0] = spokenKind(e) + strings.TrimSpace(lines[0])
	return lines
}

// spokenKind is what an entry is, where its text does not begin with that.
func spokenKind(e *timeline.Entry) string {
	kind := ""
	switch e.Body.(type) {
	case *timeline.Notice: // it says so itself
		return ""
	case *timeline.Prompt:
		kind = "You: "
	case *timeline.Message:
		kind = "Answer: "
	case *timeline.ToolCall:
		kind = "Tool, "
	}
	switch e.State {
	case timeline.Failed:
		kind = "Failed: " + kind
	case timeline.Refused:
		kind = "Refused: " + kind
	case timeline.Cancelled:
		kind = "Cancelled: " + kind
	case timeline.Live, timeline.Done:
	}
	return kind
}

// spokenPage is a document of words alone. A part that is folded elsewhere follows its
// summary.
type spokenPage struct{}

func (*spokenPage) text(line string) string       { return line }
func (*spokenPage) aside(line string) string      { return line }
func (*spokenPage) mark(string) string            { return "" }
func (*spokenPage) code(line string) string       { return line }
func (*spokenPage) strong(markup string) string   { return markup }
func (*spokenPage) emphasis(markup string) string { return markup }
func (*spokenPage) link(address string) string    { return address }
func (*spokenPage) line(markup string) string     { return markup }
func (*spokenPage) list(items []string) string    { return strings.Join(items, "\n") }
func (*spokenPage) answer(source string) string   { return strings.TrimSpace(text.Sanitize(source)) }

func (*spokenPage) quote(source string) string { return strings.TrimSpace(text.Sanitize(source)) }

func (*spokenPage) listing(listed, lang string) string {
	if lang != "diff" {
		return listed
	}
	var lines []string
	before, after := 0, 0 // the numbers of the next lines; 0 is not known
	numbered := func(change, line string, n *int) {
		if *n > 0 {
			change = "line " + strconv.Itoa(*n) + " " + change
			*n++
		}
		lines = append(lines, change+": "+line)
	}
	for l := range strings.SplitSeq(listed, "\n") {
		switch {
		case strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "--- "):
			lines = append(lines, l)
		case strings.HasPrefix(l, "@@ "):
			before, after = hunkLines(l)
		case strings.HasPrefix(l, "+"):
			numbered("added", l[1:], &after)
		case strings.HasPrefix(l, "-"):
			numbered("removed", l[1:], &before)
		default:
			lines = append(lines, l)
			if before > 0 && after > 0 {
				before, after = before+1, after+1
			}
		}
	}
	return strings.Join(lines, "\n")
}

// hunkLines returns the lines at which a hunk begins, by its head; 0 if it does not say.
func hunkLines(head string) (before, after int) {
	for field := range strings.FieldsSeq(head) {
		number, _, _ := strings.Cut(field[1:], ",")
		n, err := strconv.Atoi(number)
		switch {
		case err != nil:
		case field[0] == '-' && before == 0:
			before = n
		case field[0] == '+' && after == 0:
			after = n
		}
	}
	return before, after
}

func (*spokenPage) output(raw string) string {
	lines := strings.Split(strings.TrimRight(text.OutputText(raw), "\n"), "\n")
	if more := len(lines) - spokenOutput; more > 0 {
		lines = append(lines[:spokenOutput], "and "+text.Count(more, "more line"))
	}
	return strings.Join(lines, "\n")
}

func (*spokenPage) folded(summary string, _ bool, blocks []string) []string {
	return append([]string{summary + ":"}, blocks...)
}

func (*spokenPage) heading(_ int, words string) string { return words }

// nested leaves out what a sub-agent did: what it answered is said.
func (*spokenPage) nested([]string) string { return "" }

func (*spokenPage) begin(ExportOptions, iter.Seq2[int, *timeline.Entry]) string { return "" }

func (*spokenPage) entry(_ *timeline.Entry, blocks []string) string {
	return strings.Join(blocks, "\n")
}

func (*spokenPage) end() string { return "" }
