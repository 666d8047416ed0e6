package theme

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
)

// hue is one of the few colours that a theme is made of.
type hue uint8

// The hues. The ground, and the text on it, are the terminal's own: they are
// painted only where a background of ours makes the pair ours.
const (
	hueGround hue = iota // the background that the terminal is expected to have
	hueText              // normal text on a background of ours
	hueDim               // what is done, or secondary
	hueSoft              // output, quotations
	hueLine              // rules, frames
	hueAccent            // focus, and that the person is needed
	hueSuccess
	hueWarning
	hueFailure
	hueAlarm     // the background of a failure's mark; most themes have none
	huePrompt    // the background of a prompt
	huePromptDim // times on it
	hueSelected  // the background of what is selected, and of a chip
	hueAdded
	hueRemoved
	hueCode        // inline code
	hueAddedLine   // the background of an added line
	hueRemovedLine // and of a removed one
	hueAddedWord   // the background of what is new in a line
	hueRemovedWord // and of what went
	hueWord        // the text on what is new
	hueGone        // and on what went
	hueMatch       // the background of what was searched for
	hueMatchNow    // and of the match that one is at
	hueInk         // the text on that
	hueKeyword     // in code, down to operators
	hueString
	hueNumber
	hueComment
	hueName
	hueType
	hueOperator

	hues = int(hueOperator) + 1
)

// hueNames are how the files of themes call the hues.
var hueNames = [hues]string{
	hueGround:      "ground",
	hueText:        "text",
	hueDim:         "dim",
	hueSoft:        "soft",
	hueLine:        "line",
	hueAccent:      "accent",
	hueSuccess:     "success",
	hueWarning:     "warning",
	hueFailure:     "failure",
	hueAlarm:       "alarm",
	huePrompt:      "prompt",
	huePromptDim:   "prompt-dim",
	hueSelected:    "selected",
	hueAdded:       "added",
	hueRemoved:     "removed",
	hueCode:        "code",
	hueAddedLine:   "added-line",
	hueRemovedLine: "removed-line",
	hueAddedWord:   "added-word",
	hueRemovedWord: "removed-word",
	hueWord:        "word",
	hueGone:        "gone",
	hueMatch:       "match",
	hueMatchNow:    "match-now",
	hueInk:         "ink",
	hueKeyword:     "keyword",
	hueString:      "string",
	hueNumber:      "number",
	hueComment:     "comment",
	hueName:        "name",
	hueType:        "type",
	hueOperator:    "operator",
}

// palette is a colour for each hue: "#rrggbb", "0" to "15" for one of the
// terminal's own, or "" for none, which leaves the terminal its default. What
// must not be missed is bold, underlined or reversed where it has no colour.
type palette [hues]string

// styles gives every token its style.
func (p *palette) styles() [Tokens]lipgloss.Style {
	plain := lipgloss.NewStyle()
	return [Tokens]lipgloss.Style{
		Text:           plain,
		Dim:            p.fg(hueDim),
		Strong:         plain.Bold(true),
		Accent:         p.fg(hueAccent).Bold(true),
		Success:        p.fg(hueSuccess),
		Warning:        p.fg(hueWarning),
		Error:          p.over(hueFailure, hueAlarm).Bold(true),
		Prompt:         p.on(hueText, huePrompt),
		PromptMark:     p.loud(hueAccent, p.over(hueAccent, huePrompt)),
		PromptDim:      p.on(huePromptDim, huePrompt),
		Thinking:       p.slanted(hueDim),
		ToolName:       plain,
		ToolSubject:    plain,
		Output:         p.fg(hueSoft),
		Added:          p.fg(hueAdded),
		Removed:        p.fg(hueRemoved),
		Hunk:           p.fg(hueDim),
		Heading:        p.fg(hueAccent).Bold(true),
		Emphasis:       plain.Italic(true),
		StrongText:     plain.Bold(true),
		Code:           p.fg(hueCode),
		Link:           p.fg(hueAccent).Underline(true).UnderlineSpaces(p[hueAccent] == ""),
		Quote:          p.fg(hueSoft),
		Rule:           p.fg(hueLine),
		Border:         p.fg(hueLine),
		BorderArmed:    p.loud(hueAccent, p.fg(hueAccent)),
		Selected:       p.chosen(hueText, hueSelected),
		Key:            plain.Bold(true),
		Status:         p.fg(hueDim),
		StatusStrong:   p.loud(hueText, p.fg(hueText)),
		Hidden:         p.fg(hueWarning).Reverse(true),
		SyntaxKeyword:  p.fg(hueKeyword),
		SyntaxString:   p.fg(hueString),
		SyntaxNumber:   p.fg(hueNumber),
		SyntaxComment:  p.slanted(hueComment),
		SyntaxName:     p.fg(hueName),
		SyntaxType:     p.fg(hueType),
		SyntaxOperator: p.fg(hueOperator),
		AddedLine:      p.on(hueText, hueAddedLine),
		RemovedLine:    p.on(hueText, hueRemovedLine),
		AddedWord:      p.marked(hueWord, hueAddedWord),
		RemovedWord:    p.marked(hueGone, hueRemovedWord),
		Chip:           p.loud(hueSelected, p.over(hueAccent, hueSelected)),
		Mention:        p.loud(hueAccent, p.fg(hueAccent)),
		Match:          p.marked(hueText, hueMatch),
		MatchNow:       p.chosen(hueInk, hueMatchNow),
	}
}

// theme is the theme of the palette.
func (p *palette) theme(name string, dark bool, opts []Option) *Theme {
	var asked Theme
	for _, o := range opts {
		o(&asked)
	}
	if asked.few {
		fewer := *p
		fewer[hueAddedLine], fewer[hueRemovedLine] = "", ""
		for i := hueText; int(i) < hues; i++ {
			fewer[i] = grey(fewer[i], dark)
		}
		p = &fewer
	}
	t := build(name, dark, p.styles(), opts)
	t.palette = *p
	t.Own = !slices.ContainsFunc(p[:], func(c string) bool { return strings.HasPrefix(c, "#") })
	return t
}

// fg is text in a hue.
func (p *palette) fg(h hue) lipgloss.Style {
	if p[h] == "" {
		return lipgloss.NewStyle()
	}
	return lipgloss.NewStyle().Foreground(lipgloss.Color(p[h]))
}

// over is text in a hue, on a background of ours if there is one.
func (p *palette) over(h, ground hue) lipgloss.Style {
	if p[ground] == "" {
		return p.fg(h)
	}
	return p.on(h, ground)
}

// on is text in a hue on a background of ours; without one it has no colour.
func (p *palette) on(h, ground hue) lipgloss.Style {
	if p[ground] == "" {
		return lipgloss.NewStyle()
	}
	return p.fg(h).Background(lipgloss.Color(p[ground]))
}

// loud makes a style bold where it has no colour of its own to stand out by.
func (p *palette) loud(h hue, s lipgloss.Style) lipgloss.Style {
	if p[h] == "" {
		return s.Bold(true)
	}
	return s
}

// slanted is text in a hue, in italics where it has a colour too: alone they
// would say something else.
func (p *palette) slanted(h hue) lipgloss.Style { return p.fg(h).Italic(p[h] != "") }

// marked is text on a background of ours, or underlined without one.
func (p *palette) marked(h, ground hue) lipgloss.Style {
	if p[ground] == "" {
		return lipgloss.NewStyle().Underline(true).UnderlineSpaces(true)
	}
	return p.on(h, ground)
}

// chosen is bold text on a background of ours, or reversed without one.
func (p *palette) chosen(h, ground hue) lipgloss.Style {
	if p[ground] == "" {
		return lipgloss.NewStyle().Reverse(true)
	}
	return p.on(h, ground).Bold(true)
}
