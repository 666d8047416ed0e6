package render

import (
	"regexp"
	"strconv"
	"strings"

	"parley/theme"
	"parley/timeline"
)

// indents are line ends with the indentation after them: the notice has its own.
var indents = regexp.MustCompile(`\n[ \t]+`)

// drawNotice draws a mark in the margin and the text beside it. Each level has
// its own shape, so that meaning survives without colour. Under it stand what
// kind of notice it is, its link and what to do about it.
func drawNotice(e *timeline.Entry, o Options) []string {
	n, ok := e.Body.(*timeline.Notice)
	if !ok {
		return nil
	}
	mark, markTok, tok := noticeLook(n.Level)
	text := indents.ReplaceAllString(strings.TrimSpace(Sanitize(n.Text)), "\n")
	about := noticeAbout(n)
	if text == "" {
		text, about = about, ""
	}
	lines := wrapped(o, tok, text, room(o))
	if pad := room(o) - Width(lines[0]) - Width(about); about != "" && o.Width >= narrowBelow && len(lines) == 1 && pad >= 2 {
		lines[0] += spaces(pad) + o.Theme.Render(theme.Dim, about)
	} else if about != "" {
		lines = append(lines, wrapped(o, theme.Dim, about, room(o))...)
	}
	if n.URL != "" {
		for _, l := range Hard(SanitizeLine(brief(n.URL)), room(o)) {
			lines = append(lines, o.Theme.Render(theme.Link, l))
		}
	}
	if next := strings.TrimSpace(Sanitize(n.Next)); next != "" {
		lines = append(lines, wrapped(o, theme.Text, "What to do: "+next, room(o))...)
	}
	return hang(lead(o, markTok, mark), lines, margin(o.Width))
}

func noticeLook(l timeline.Level) (mark theme.Mark, markTok, tok theme.Token) {
	switch l {
	case timeline.Error:
		return theme.MarkError, theme.Error, theme.Strong
	case timeline.Warning:
		return theme.MarkWarning, theme.Warning, theme.Text
	case timeline.Info:
	}
	return theme.MarkInfo, theme.Dim, theme.Dim
}

// noticeAbout is the small print: category, status of the request, attempt.
// What the text says already is left out.
func noticeAbout(n *timeline.Notice) string {
	var facts []string
	category := strings.ReplaceAll(SanitizeLine(brief(n.Category)), "_", " ")
	switch said := strings.ToLower(clean(n.Text, runBytes)); {
	case category == "notification", said != "" && strings.Contains(said, strings.ToLower(category)):
	case n.Retry > 0 && strings.Contains(category, "retry"):
	default:
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
