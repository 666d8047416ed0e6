package theme

import "charm.land/lipgloss/v2"

// palette is the few colours a theme is made of, as #rrggbb. ground and text
// are what the terminal is expected to have; they are painted only where a
// background of ours makes the pair ours.
type palette struct {
	ground, text, dim, soft, line                        string
	accent, success, warning, failure                    string
	prompt, promptDim, selected                          string
	added, removed, code                                 string
	addedLine, removedLine, addedWord, removedWord, word string
	match, matchNow, ink                                 string // ink is the text on a match
	keyword, str, number, comment, name, typ, operator   string
}

// styles gives every token its style.
func (p palette) styles() [Tokens]lipgloss.Style {
	plain := lipgloss.NewStyle()
	fg := func(c string) lipgloss.Style { return plain.Foreground(lipgloss.Color(c)) }
	on := func(c, ground string) lipgloss.Style { return fg(c).Background(lipgloss.Color(ground)) }
	return [Tokens]lipgloss.Style{
		Text:           plain,
		Dim:            fg(p.dim),
		Strong:         plain.Bold(true),
		Accent:         fg(p.accent).Bold(true),
		Success:        fg(p.success),
		Warning:        fg(p.warning),
		Error:          fg(p.failure).Bold(true),
		Prompt:         on(p.text, p.prompt),
		PromptMark:     on(p.accent, p.prompt),
		PromptDim:      on(p.promptDim, p.prompt),
		Thinking:       fg(p.dim).Italic(true),
		ToolName:       plain,
		ToolSubject:    plain,
		Output:         fg(p.soft),
		Added:          fg(p.added),
		Removed:        fg(p.removed),
		Hunk:           fg(p.dim),
		Heading:        fg(p.accent).Bold(true),
		Emphasis:       plain.Italic(true),
		StrongText:     plain.Bold(true),
		Code:           fg(p.code),
		Link:           fg(p.accent).Underline(true),
		Quote:          fg(p.soft),
		Rule:           fg(p.line),
		Border:         fg(p.line),
		BorderArmed:    fg(p.accent),
		Selected:       on(p.text, p.selected).Bold(true),
		Key:            plain.Bold(true),
		Status:         fg(p.dim),
		StatusStrong:   fg(p.text),
		Hidden:         fg(p.warning).Reverse(true),
		SyntaxKeyword:  fg(p.keyword),
		SyntaxString:   fg(p.str),
		SyntaxNumber:   fg(p.number),
		SyntaxComment:  fg(p.comment).Italic(true),
		SyntaxName:     fg(p.name),
		SyntaxType:     fg(p.typ),
		SyntaxOperator: fg(p.operator),
		AddedLine:      on(p.text, p.addedLine),
		RemovedLine:    on(p.text, p.removedLine),
		AddedWord:      on(p.word, p.addedWord),
		RemovedWord:    on(p.word, p.removedWord),
		Chip:           on(p.accent, p.selected),
		Mention:        fg(p.accent),
		Match:          on(p.text, p.match),
		MatchNow:       on(p.ink, p.matchNow).Bold(true),
	}
}
