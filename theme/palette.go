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
	hueAccent            // focus, and that the user is needed
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

// Colour is a colour that a theme is made of.
type Colour struct {
	Name  string // in the files of themes
	About string // what has it
}

// Colours are all of them.
func Colours() []Colour { return slices.Clone(colours[:]) }

func colourNames() []string {
	var names []string
	for _, c := range colours {
		names = append(names, c.Name)
	}
	return names
}

var colours = [hues]Colour{
	hueGround:      {"ground", "the background that the terminal is expected to have; never painted, the others are measured on it"},
	hueText:        {"text", "normal text on a background of the theme"},
	hueDim:         {"dim", "what is done, or secondary"},
	hueSoft:        {"soft", "output and quotations"},
	hueLine:        {"line", "rules and frames"},
	hueAccent:      {"accent", "focus, and that you are needed"},
	hueSuccess:     {"success", "what went well"},
	hueWarning:     {"warning", "warnings and danger"},
	hueFailure:     {"failure", "what failed"},
	hueAlarm:       {"alarm", "the background of the mark of a failure; none in most themes"},
	huePrompt:      {"prompt", "the background of your prompts"},
	huePromptDim:   {"prompt-dim", "times on it"},
	hueSelected:    {"selected", "the background of what is selected, and of a chip"},
	hueAdded:       {"added", "the sign and count of added lines"},
	hueRemoved:     {"removed", "those of removed lines"},
	hueCode:        {"code", "code inside a sentence"},
	hueAddedLine:   {"added-line", "the background of an added line"},
	hueRemovedLine: {"removed-line", "the background of a removed line"},
	hueAddedWord:   {"added-word", "the background of what is new in a line"},
	hueRemovedWord: {"removed-word", "the background of what went from a line"},
	hueWord:        {"word", "the text on what is new"},
	hueGone:        {"gone", "the text on what went"},
	hueMatch:       {"match", "the background of what was searched for"},
	hueMatchNow:    {"match-now", "the background of the match you are at"},
	hueInk:         {"ink", "the text on that match"},
	hueKeyword:     {"keyword", "keywords in code"},
	hueString:      {"string", "strings in code"},
	hueNumber:      {"number", "numbers in code"},
	hueComment:     {"comment", "comments in code"},
	hueName:        {"name", "names of functions in code"},
	hueType:        {"type", "types in code"},
	hueOperator:    {"operator", "operators in code"},
}

// palette is a colour for each hue: "#rrggbb", "0" to "15" for one of the
// terminal's own, or "" for none, which leaves the terminal its default. What
// must not be missed is bold, underlined or reversed where it has no colour, and
// so is a prompt that has no background.
type palette [hues]string

// styles gives every token its style.
func (p *palette) styles() [Tokens]lipgloss.Style {
	plain := lipgloss.NewStyle()
	return [Tokens]lipgloss.Style{
		Text:           plain,
		Dim:            p.quiet(hueDim),
		Strong:         plain.Bold(true),
		Accent:         p.fg(hueAccent).Bold(true),
		Success:        p.fg(hueSuccess),
		Warning:        p.loud(hueWarning, p.fg(hueWarning)),
		Error:          p.over(hueFailure, hueAlarm).Bold(true),
		Prompt:         p.loud(huePrompt, p.on(hueText, huePrompt)),
		PromptMark:     p.loud(hueAccent, p.over(hueAccent, huePrompt)),
		PromptDim:      p.promptDim(),
		Thinking:       p.slanted(hueDim),
		ToolName:       plain,
		ToolSubject:    plain,
		Output:         p.fg(hueSoft),
		Added:          p.loud(hueAdded, p.fg(hueAdded)),
		Removed:        p.loud(hueRemoved, p.fg(hueRemoved)),
		Hunk:           p.quiet(hueDim),
		Heading:        p.fg(hueAccent).Bold(true),
		Emphasis:       plain.Italic(true),
		StrongText:     plain.Bold(true),
		Code:           p.fg(hueCode),
		Link:           p.fg(hueAccent).Underline(true).UnderlineSpaces(p[hueAccent] == ""),
		Quote:          p.fg(hueSoft),
		Rule:           p.quiet(hueLine),
		Border:         p.quiet(hueLine),
		BorderArmed:    p.loud(hueAccent, p.fg(hueAccent)),
		Selected:       p.chosen(hueText, hueSelected),
		Key:            plain.Bold(true),
		Status:         p.quiet(hueDim),
		StatusStrong:   p.loud(hueText, p.fg(hueText)),
		StatusLoud:     p.fg(hueWarning).Reverse(true).Bold(true),
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
	t.Own = p.own()
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

// quiet is text in a hue that is less than the text around it. Where all colours are
// the terminal's own, none of which is that on every background, it is faint.
func (p *palette) quiet(h hue) lipgloss.Style { return p.fg(h).Faint(p[h] == "" && p.own()) }

// slanted is quiet text, in italics where it has a colour too: alone they would
// say something else.
func (p *palette) slanted(h hue) lipgloss.Style { return p.quiet(h).Italic(p[h] != "") }

// promptDim is what is quiet beside a prompt.
func (p *palette) promptDim() lipgloss.Style {
	if p[huePrompt] == "" {
		return p.quiet(hueDim)
	}
	return p.on(huePromptDim, huePrompt)
}

// own reports whether there are no colours but the terminal's own.
func (p *palette) own() bool {
	return !slices.ContainsFunc(p[:], func(c string) bool { return strings.HasPrefix(c, "#") })
}

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

// Colour is the colour of a theme that has one of the names of Colours, as
// "#rrggbb"; "" where it is the terminal's own, or no colour has the name.
func (t *Theme) Colour(name string) string {
	i := slices.Index(colourNames(), name)
	if i < 0 || !strings.HasPrefix(t.palette[i], "#") {
		return ""
	}
	return t.palette[i]
}
