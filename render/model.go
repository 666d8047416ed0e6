package render

import (
	"strconv"
	"strings"

	"parley/render/text"
	"parley/session/modelview"
	"parley/theme"
)

// MessageHead draws a message of the model's context in one line of at most
// width cells, to be listed: its number, the last of which is count, in whose
// name the model gets it and where it comes from, how it begins, and its size at
// the right edge. It costs what the line holds, however long the message is.
func MessageHead(m modelview.Message, n, count, width int, th *theme.Theme) string {
	o := Options{Width: max(1, width), Theme: th}
	role := plainLine(string(m.Role))
	if o.Width >= text.TinyBelow { // there is room for a column
		role += text.Spaces(roleCells - text.Width(role))
	}
	spans := []text.Span{{Text: numbered(n, count), Token: theme.Dim}, {Text: role, Token: roleToken(m)}}
	add := func(space string, s text.Span) {
		if s.Text != "" {
			spans = append(spans, text.Span{Text: space, Token: theme.Dim}, s)
		}
	}
	for _, f := range origins(m) {
		add("  ", f)
	}
	add("  ", text.Span{Text: excerptOf(m), Token: theme.Text})
	for _, c := range m.Calls[:min(len(m.Calls), mostCalls)] {
		add("  "+th.Glyph(theme.MarkArrow)+" ", text.Span{Text: plainLine(c.Name), Token: theme.ToolName})
		add(" ", text.Span{Text: plainLine(parseArguments([]byte(brief(string(c.Arguments)))).inline()), Token: theme.Dim})
	}
	if more := len(m.Calls) - mostCalls; more > 0 {
		add("  ", text.Span{Text: "and " + text.Count(more, "more call"), Token: theme.Dim})
	}
	facts := append(messageFacts(m), dim(text.Size(m.Size())))
	for len(facts) > 0 && o.Width-factsWidth(o, facts)-2 < leastHead {
		facts = facts[1:]
	}
	left := o.Width
	if len(facts) > 0 {
		left -= factsWidth(o, facts) + 2
	}
	line := text.Cut(o.Theme, text.DrawSpans(spans, th), left)
	return alignRight(o, line, text.Width(line), facts, "", 0)
}

const (
	leastHead = 24 // cells of a head that are not given to its facts
	mostCalls = 8  // that a head names
	roleCells = 9  // of the longest role: developer, assistant
)

// numbered is the number of a message, as wide as the last one's, and the space
// behind it.
func numbered(n, count int) string {
	number := strconv.Itoa(n)
	return text.Spaces(len(strconv.Itoa(count))-len(number)) + number + "  "
}

// roleToken distinguishes the words of the user and of the model from what a program
// put there.
func roleToken(m modelview.Message) theme.Token {
	switch {
	case m.Role == modelview.Assistant:
		return theme.Strong
	case m.Role == modelview.User && m.Source == modelview.Source{}:
		return theme.Mention
	case m.Role == modelview.Tool:
		return theme.Output
	}
	return theme.Dim
}

// origins say what else is known of where a message comes from: who put it there,
// which tool, which of several of its role.
func origins(m modelview.Message) []text.Span {
	var out []text.Span
	for _, s := range []string{m.Name, sourceWords(m.Source), m.ToolName} {
		if s = plainLine(s); s != "" {
			out = append(out, text.Span{Text: s, Token: theme.Emphasis})
		}
	}
	return out
}

// sourceWords name a source: "notification shell_completed", "skill wave",
// "autopilot".
func sourceWords(s modelview.Source) string {
	switch {
	case s.Kind == modelview.FromSender && strings.HasPrefix(s.Name, "agent-"):
		return "another agent" // its id would say no more
	case s.Kind == modelview.FromSender:
		return s.Name
	case s.Kind == modelview.FromShell:
		return text.JoinNonEmpty(" ", "shell command", s.Name)
	}
	return text.JoinNonEmpty(" ", string(s.Kind), s.Name)
}

// messageFacts are what must be known of a message in addition to its text.
func messageFacts(m modelview.Message) []fact {
	var out []fact
	images, documents := 0, 0
	for _, p := range m.Content {
		switch {
		case p.Blob == nil:
		case strings.HasPrefix(p.Blob.MIMEType, "image/"):
			images++
		default:
			documents++
		}
	}
	if images > 0 {
		out = append(out, dim(text.Count(images, "image")))
	}
	if documents > 0 {
		out = append(out, dim(text.Count(documents, "document")))
	}
	if m.Interrupted {
		out = append(out, fact{{Text: "interrupted", Token: theme.Warning}})
	}
	return out
}

// markup matches a line that is nothing but tags and what is between a pair of
// them, in which programs wrap what they give the model.
var markup = text.Regexp(`^\s*(?:<[^<>]*>|<[^<>]*>[^<>]*</[^<>]*>)\s*$`)

// excerptOf is the first line that a message says something in, or the command
// that it is about.
func excerptOf(m modelview.Message) string {
	first := ""
	for _, p := range m.Content {
		text := brief(p.Text)
		if _, command, ok := strings.Cut(text, "\nCommand:\n"); ok && m.Source.Kind == modelview.FromShell {
			text = command
		}
		for line := range strings.Lines(text) {
			said := plainLine(line)
			switch {
			case said == "":
			case !markup().MatchString(line):
				return said
			case first == "":
				first = said
			}
		}
	}
	return first
}

// plainLine makes a short text safe for one line, with nothing hidden.
func plainLine(s string) string {
	return strings.Join(strings.Fields(text.SanitizeShowHidden(brief(s))), " ")
}
