package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// noticeParts draw a line from the runtime or from Parley, and under it, when it
// is whole, what was folded away.
func noticeParts(e *timeline.Entry, n *timeline.Notice, fold Fold) []part {
	clock := never
	if e.State == timeline.Live && !n.RetryAt.IsZero() {
		clock = second
	}
	head := shortPart(e, n, clock, drawNotice)
	head.source = func(int) string { return text.Sanitize(text.Paragraphs(n.Text, n.URL, n.Next)) }
	if fold != Whole {
		return []part{head}
	}
	return []part{head, detailPart(e, strings.Trim(n.Detail, "\r\n"))}
}

// detailPart is a text that was folded away, further in and dim.
func detailPart(e *timeline.Entry, detail string) part {
	return textPart(e, partDetail, detail, func(_ int, s string, o Options) []string {
		return nested(o, text.WrapStyled(o.Theme, theme.Dim, s, o.Width-text.Nested(o.Width)))
	})
}

// indents are line ends with the indentation after them: the notice has its own.
var indents = text.Regexp(`\n[ \t]+`)

// drawNotice draws a mark in the margin and the text beside it. Each level has
// its own shape, so that meaning survives without colour. Under it stand what
// kind of notice it is, its link and what to do about it.
func drawNotice(e *timeline.Entry, n *timeline.Notice, o Options) []string {
	mark, markTok, tok := noticeLook(n.Level)
	s := indents().ReplaceAllString(cutText(n.Text), "\n")
	about := noticeAbout(n, o.Fold == Whole)
	if s == "" {
		s, about = cmp.Or(about, "Details"), ""
	}
	about = text.JoinNonEmpty(", ", about, noticeTimes(e, n, o))
	more := n.Detail != "" && o.Fold != Whole
	width := text.Room(o.Width)
	if more || o.Fold == Line {
		width -= foldMarkCells(o)
	}
	lines := text.WrapStyled(o.Theme, tok, s, width)
	if o.Fold == Line && (len(lines) > 1 || n.URL != "" || n.Next != "") {
		lines, more = lines[:1], true
	}
	if last := len(lines) - 1; more {
		lines[last] = foldMark(o, lines[last], text.Room(o.Width))
	}
	pad := text.Room(o.Width) - text.Width(lines[0]) - text.Width(about)
	if about != "" && o.Width >= text.NarrowBelow && len(lines) == 1 && pad >= 2 {
		lines[0] += text.Spaces(pad) + o.Theme.Render(theme.Dim, about)
	} else if about != "" && o.Fold != Line {
		lines = append(lines, text.WrapStyled(o.Theme, theme.Dim, about, text.Room(o.Width))...)
	}
	if o.Fold != Line {
		lines = append(lines, noticeHelp(n, o)...)
	}
	return besideMargin(o, markTok, mark, lines)
}

// noticeHelp is the link of a notice and what to do about it.
func noticeHelp(n *timeline.Notice, o Options) []string {
	var lines []string
	if n.URL != "" {
		for _, l := range text.HardWrap(text.SanitizeLine(brief(n.URL)), text.Room(o.Width)) {
			lines = append(lines, o.Theme.Render(theme.Link, l))
		}
	}
	if next := cutText(n.Next); next != "" {
		lines = append(lines, text.WrapStyled(o.Theme, theme.Text, "What to do: "+next, text.Room(o.Width))...)
	}
	return lines
}

func noticeLook(l timeline.Level) (mark theme.Mark, markTok, tok theme.Token) {
	switch l {
	case timeline.Error:
		return theme.MarkError, theme.Error, theme.Strong
	case timeline.Warning:
		return theme.MarkWarning, theme.Warning, theme.Text
	case timeline.Success:
		return theme.MarkDone, theme.Success, theme.Text
	case timeline.Info:
	}
	return theme.MarkInfo, theme.Dim, theme.Dim
}

// plainCategories are those that say nothing to a user beyond the words.
var plainCategories = []string{
	"notification", "unclassified", "command", "compaction", "instruction discovered",
	"agent idle", "agent completed", "shell completed", "shell detached completed", "in use", "query", "session ended", "reading",
	ExportNotice,
}

// noticeAbout is the small print: category, status of the request, attempt. All
// of it has the category as the agent gave it; else what the text says already is
// left out.
func noticeAbout(n *timeline.Notice, all bool) string {
	var facts []string
	raw := text.SanitizeLine(brief(n.Category))
	category, said := strings.ReplaceAll(raw, "_", " "), text.CutBytes(n.Text, text.ChunkBytes)
	switch {
	case all && raw != "":
		facts = append(facts, "type: "+raw)
	case strings.TrimSpace(said) != "" && (slices.Contains(plainCategories, category) || hasWords(said, category)):
	case n.Retry > 0 && strings.Contains(category, "retry"):
	case category != "":
		facts = append(facts, category)
	}
	if n.StatusCode != 0 {
		facts = append(facts, "status "+strconv.Itoa(n.StatusCode))
	}
	if n.Retry > 0 {
		facts = append(facts, "attempt "+strconv.Itoa(n.Retry))
	}
	return strings.Join(facts, ", ")
}

// hasWords reports whether a text has some words next to each other, in any case.
func hasWords(text, words string) bool {
	plain := func(s string) string {
		fields := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		return " " + strings.Join(fields, " ") + " "
	}
	return strings.Contains(plain(text), plain(words))
}

// leastHookTime is how long a hook takes until it is worth showing.
const leastHookTime = 100 * time.Millisecond

// noticeTimes is when the next attempt is made, and how long a hook took that
// has nothing worse to report.
func noticeTimes(e *timeline.Entry, n *timeline.Notice, o Options) string {
	left := n.RetryAt.Sub(o.Now)
	switch {
	case e.State == timeline.Live && !n.RetryAt.IsZero() && !o.Now.IsZero() && left >= time.Second:
		return "again in " + text.Elapsed(left, true)
	case n.Category == "hook" && n.Level <= timeline.Success && o.Width >= text.NarrowBelow:
		if d := took(e, time.Time{}); d >= leastHookTime {
			return text.Elapsed(d, false)
		}
	}
	return ""
}
