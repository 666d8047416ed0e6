package render

import (
	"bufio"
	"io"

	"parley/render/text"
	"parley/session/modelview"
	"parley/theme"
	"parley/timeline"
)

// PrintModel writes what the model of a session sees, every message whole, and
// then what those of its sub-agents see, whose names t knows. Of the options the
// width and the theme count; a nil theme is theme.Plain, which writes no escape
// sequence at all.
func PrintModel(w io.Writer, v *modelview.View, t *timeline.Timeline, o Options) error {
	return printed(w, o, "the model's context", func(out *bufio.Writer, o Options) {
		printMessages(out, "What the model sees", v.Messages(), o)
		for _, id := range v.Agents() {
			messages := v.Of(id)
			if len(messages) == 0 {
				continue
			}
			name := plainLine(string(id))
			if a, ok := t.Subagent(id); ok {
				name = agentName(a)
			}
			write(out, []string{"", ""})
			printMessages(out, o.Theme.Glyph(theme.MarkSubAgent)+" What the sub-agent "+name+" sees", messages, o)
		}
	})
}

// printMessages writes the messages of one model under a heading.
func printMessages(out *bufio.Writer, title string, messages []modelview.Message, o Options) {
	all := 0
	for _, m := range messages {
		all += m.Size()
	}
	if len(messages) == 0 {
		write(out, text.WrapStyled(o.Theme, theme.Text, "Nothing is in the model's context.", o.Width))
		return
	}
	write(out, printHead(o, []text.Span{{Text: title, Token: theme.Strong}}, []fact{dim(text.Count(len(messages), "message"))},
		all, text.Margin(o.Width)))
	indent := text.Width(numbered(1, len(messages)))
	if o.Width < text.TinyBelow {
		indent = text.Margin(o.Width)
	}
	for i, m := range messages {
		words := []text.Span{{Text: numbered(i+1, len(messages)), Token: theme.Dim}, {Text: plainLine(string(m.Role)), Token: roleToken(m)}}
		for _, l := range origins(m) {
			words = append(words, text.Span{Text: o.Theme.Dot(), Token: theme.Dim}, l)
		}
		if id := plainLine(string(m.CallID)); id != "" {
			words = append(words, text.Span{Text: "  " + id, Token: theme.Dim})
		}
		write(out, []string{""})
		write(out, printHead(o, words, messageFacts(m), m.Size(), indent))
		t := NewMessageText(m, 0)
		for from := range t.Layout(o.Width - indent) {
			for _, l := range text.HangingIndent(text.Spaces(indent), t.Rows(from, from+1, o.Theme), indent) {
				_, _ = out.WriteString(l + "\n") // and the blanks at its end
			}
		}
	}
}

// printHead is a heading with facts and a size at the right edge, or under it
// and indented if there is no room.
func printHead(o Options, words []text.Span, facts []fact, size, indent int) []string {
	facts = append(facts, dim(text.Size(size)))
	words = text.JoinClusters(words)
	line, left := text.DrawSpans(words, o.Theme), text.SpansWidth(words)
	if left+2+factsWidth(o, facts) <= o.Width {
		return []string{alignRight(o, line, left, facts, "", 0)}
	}
	lines := text.HangingIndent("", text.Wrap(line, o.Width-indent), indent)
	return append(lines, text.HangingIndent(text.Spaces(indent), wrapFacts(o, facts, o.Width-indent), indent)...)
}
