package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"parley/theme"
	"parley/timeline"
)

// noticeDoc draws a line from the runtime or from Parley, and under it, when it
// is whole, what was folded away.
type noticeDoc struct{}

func (noticeDoc) parts(e *timeline.Entry, fold Fold) []part {
	n, ok := e.Body.(*timeline.Notice)
	if !ok {
		return nil
	}
	head := single{draw: drawNotice}
	if e.State == timeline.Live && !n.RetryAt.IsZero() {
		head.clock = second
	}
	parts := head.parts(e, fold)
	if fold != Whole || len(parts) == 0 {
		return parts
	}
	return append(parts, detailPart(e, strings.Trim(n.Detail, "\r\n")))
}

// detailPart is a text that was folded away, further in and dim.
func detailPart(e *timeline.Entry, detail string) part {
	return part{
		kind: partDetail, units: runs(detail), text: detail, stamp: at(e.Version),
		draw: func(i int, o Options) []string {
			lines := wrapped(o, theme.Dim, Sanitize(runAt(detail, i)), o.Width-nested(o))
			return hang(spaces(nested(o)), lines, nested(o))
		},
		source: func(i int) string { return Sanitize(runWhole(detail, i)) },
	}
}

// indents are line ends with the indentation after them: the notice has its own.
var indents = compiled(`\n[ \t]+`)

// drawNotice draws a mark in the margin and the text beside it. Each level has
// its own shape, so that meaning survives without colour. Under it stand what
// kind of notice it is, its link and what to do about it.
func drawNotice(e *timeline.Entry, o Options) []string {
	n, ok := e.Body.(*timeline.Notice)
	if !ok {
		return nil
	}
	mark, markTok, tok := noticeLook(n.Level)
	text := indents().ReplaceAllString(strings.TrimSpace(Sanitize(clean(n.Text, 16*runBytes))), "\n")
	about := noticeAbout(n, o.Fold == Whole)
	if text == "" {
		text, about = cmp.Or(about, "Details"), ""
	}
	about = joinedText(", ", about, noticeTimes(e, n, o))
	first, more := lead(o, markTok, mark), n.Detail != "" && o.Fold != Whole
	width := room(o)
	if more || o.Fold == Line {
		width -= foldMarkCells(o)
	}
	lines := wrapped(o, tok, text, width)
	if o.Fold == Line && (len(lines) > 1 || n.URL != "" || n.Next != "") {
		lines, more = lines[:1], true
	}
	if last := len(lines) - 1; more {
		lines[last] = foldMark(o, lines[last], room(o))
	}
	if pad := room(o) - Width(lines[0]) - Width(about); about != "" && o.Width >= narrowBelow && len(lines) == 1 && pad >= 2 {
		lines[0] += spaces(pad) + o.Theme.Render(theme.Dim, about)
	} else if about != "" && o.Fold != Line {
		lines = append(lines, wrapped(o, theme.Dim, about, room(o))...)
	}
	if o.Fold != Line {
		lines = append(lines, noticeHelp(n, o)...)
	}
	return hang(first, lines, margin(o.Width))
}

// noticeHelp is the link of a notice and what to do about it.
func noticeHelp(n *timeline.Notice, o Options) []string {
	var lines []string
	if n.URL != "" {
		for _, l := range Hard(SanitizeLine(brief(n.URL)), room(o)) {
			lines = append(lines, o.Theme.Render(theme.Link, l))
		}
	}
	if next := strings.TrimSpace(Sanitize(clean(n.Next, 16*runBytes))); next != "" {
		lines = append(lines, wrapped(o, theme.Text, "What to do: "+next, room(o))...)
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

// plainCategories are those that tell a user nothing beside the words.
var plainCategories = []string{
	"notification", "unclassified", "command", "compaction", "instruction discovered",
	"agent idle", "agent completed", "shell completed", "shell detached completed",
}

// noticeAbout is the small print: category, status of the request, attempt. All
// of it has the category as the agent gave it; else what the text says already is
// left out.
func noticeAbout(n *timeline.Notice, all bool) string {
	var facts []string
	raw := SanitizeLine(brief(n.Category))
	category, said := strings.ReplaceAll(raw, "_", " "), clean(n.Text, runBytes)
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

// hookWorth is how long a hook takes until it is worth telling.
const hookWorth = 100 * time.Millisecond

// noticeTimes is when the next attempt is made, and how long a hook took that
// has nothing worse to tell.
func noticeTimes(e *timeline.Entry, n *timeline.Notice, o Options) string {
	left := n.RetryAt.Sub(o.Now)
	switch {
	case e.State == timeline.Live && !n.RetryAt.IsZero() && !o.Now.IsZero() && left > 0:
		return "again in " + duration((left+time.Second-1).Truncate(time.Second), true)
	case n.Category == "hook" && n.Level <= timeline.Success && o.Width >= narrowBelow:
		if d := took(e, time.Time{}); d >= hookWorth {
			return duration(d, false)
		}
	}
	return ""
}

// joinedText joins the texts that are not empty.
func joinedText(sep string, texts ...string) string { return strings.Join(nonEmpty(texts), sep) }
