package render

import (
	"strconv"
	"strings"

	"parley/session/modelview"
	"parley/theme"
)

// MessageHead draws a message of the model's context in one line of at most
// width cells, to be listed: its number, the last of which is count, in whose
// name the model gets it and where it comes from, how it begins, and its size at
// the right edge. It costs what the line holds, however long the message is.
func MessageHead(m modelview.Message, n, count, width int, th *theme.Theme) string {
	o := Options{Width: max(1, width), Theme: th}
	spans := []Span{{numbered(n, count), theme.Dim}, {roleWord(m, o.Width), roleToken(m)}}
	add := func(space string, s Span) {
		if s.Text != "" {
			spans = append(spans, Span{space, theme.Dim}, s)
		}
	}
	for _, f := range origins(m) {
		add("  ", f)
	}
	add("  ", Span{excerptOf(m), theme.Text})
	for _, c := range m.Calls[:min(len(m.Calls), mostCalls)] {
		add("  "+th.Glyph(theme.MarkArrow)+" ", Span{plainLine(c.Name), theme.ToolName})
		add(" ", Span{plainLine(parseArguments([]byte(brief(string(c.Arguments)))).inline()), theme.Dim})
	}
	if more := len(m.Calls) - mostCalls; more > 0 {
		add("  ", Span{"and " + Count(more, "more call"), theme.Dim})
	}
	facts := append(messageFacts(m), dim(Size(m.Size())))
	for len(facts) > 0 && o.Width-spansWidth(together(o, facts))-2 < leastHead {
		facts = facts[1:]
	}
	left := o.Width
	if len(facts) > 0 {
		left -= spansWidth(together(o, facts)) + 2
	}
	line := cut(o, DrawSpans(spans, th), left)
	return beside(o, line, Width(line), facts, "", 0)
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
	return spaces(len(strconv.Itoa(count))-len(number)) + number + "  "
}

// roleWord is a message's role, in a column where there is room for one.
func roleWord(m modelview.Message, width int) string {
	word := plainLine(string(m.Role))
	if width < tinyBelow {
		return word
	}
	return word + spaces(roleCells-Width(word))
}

// roleToken tells the words of the user and of the model from what a program
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
func origins(m modelview.Message) []Span {
	var out []Span
	for _, s := range []string{m.Name, sourceWords(m.Source), m.ToolName} {
		if s = plainLine(s); s != "" {
			out = append(out, Span{s, theme.Emphasis})
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
		return joinedText(" ", "shell command", s.Name)
	}
	return joinedText(" ", string(s.Kind), s.Name)
}

// messageFacts are what must be known of a message besides its text.
func messageFacts(m modelview.Message) []fact {
	var out []fact
	pictures, documents := 0, 0
	for _, p := range m.Content {
		switch {
		case p.Blob == nil:
		case strings.HasPrefix(p.Blob.MIMEType, "image/"):
			pictures++
		default:
			documents++
		}
	}
	if pictures > 0 {
		out = append(out, dim(Count(pictures, "picture")))
	}
	if documents > 0 {
		out = append(out, dim(Count(documents, "document")))
	}
	if m.Interrupted {
		out = append(out, fact{{"interrupted", theme.Warning}})
	}
	return out
}

// markup matches a line that is nothing but tags and what is between a pair of
// them, in which programs wrap what they tell the model.
var markup = compiled(`^\s*(?:<[^<>]*>|<[^<>]*>[^<>]*</[^<>]*>)\s*$`)

// excerptOf is the first line that a message says something in, or the command
// that it tells of.
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
	return strings.Join(strings.Fields(SanitizeVisible(brief(s))), " ")
}
