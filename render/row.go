package render

import (
	"slices"
	"time"

	"parley/render/text"
	"parley/theme"
)

// The columns of a row: the verb, and the duration at the right edge.
const (
	verbCells = 8
	tookCells = 10
)

// row is the first line of a tool call: mark, verb, subject, and at the right
// edge facts and a duration.
type row struct {
	mark    theme.Mark
	markTok theme.Token
	verb    string
	verbTok theme.Token
	subject string // one safe line
	subjTok theme.Token
	path    bool        // the subject is a path and is cut in its middle
	facts   []text.Span // numbers and short words
	took    time.Duration
	live    bool
	edge    bool // facts stand in the column of the duration
}

// draw returns the row as one line, or two where the right edge does not fit.
func (r row) draw(o Options) []string {
	first := text.MarginMark(o.Theme, o.Width, r.markTok, r.mark) + o.Theme.Render(r.verbTok, r.verb)
	left := text.Margin(o.Width) + text.Width(r.verb)
	if r.subject != "" {
		gap := 1
		switch {
		case text.Width(r.verb) >= verbCells:
			gap = 2
		case o.Width >= text.TinyBelow:
			gap = text.Margin(o.Width) + verbCells - left
		}
		first, left = first+text.Spaces(gap), left+gap
	}
	facts, took := text.JoinSpans(o.Theme, r.facts), r.duration()
	if o.Width < text.NarrowBelow {
		return r.drawNarrow(o, first, left, took)
	}
	right := text.SpansWidth(facts)
	if took != "" || right > 0 && !r.edge {
		right += tookCells
	}
	subject := r.cut(o, max(0, o.Width-left-right-2))
	line := first + o.Theme.Render(r.subjTok, subject)
	if right == 0 {
		return []string{line}
	}
	pad := o.Width - left - text.Width(subject) - right
	line += text.Spaces(pad) + text.DrawSpans(facts, o.Theme)
	if took != "" {
		line += text.Spaces(tookCells-text.Width(took)) + o.Theme.Render(theme.Dim, took)
	}
	return []string{line}
}

// drawNarrow puts the right edge beside the subject if both fit, else under it.
// A duration alone is not worth a line, and a short one is not worth space.
func (r row) drawNarrow(o Options, first string, left int, took string) []string {
	facts := text.JoinSpans(o.Theme, r.facts)
	if took != "" && r.took >= time.Second {
		with := text.JoinSpans(o.Theme, append(slices.Clone(r.facts), text.Span{Text: took, Token: theme.Dim}))
		if len(facts) > 0 || r.live || o.Width-left-text.Width(r.subject)-text.SpansWidth(with) >= 2 {
			facts = with
		}
	}
	line := first + o.Theme.Render(r.subjTok, r.cut(o, o.Width-left))
	n := text.SpansWidth(facts)
	switch pad := o.Width - left - text.Width(r.subject) - n; {
	case n == 0:
		return []string{line}
	case pad >= 2:
		return []string{line + text.Spaces(pad) + text.DrawSpans(facts, o.Theme)}
	}
	return []string{line, text.Cut(o.Theme, text.Spaces(text.Nested(o.Width))+text.DrawSpans(facts, o.Theme), o.Width)}
}

func (r row) cut(o Options, width int) string {
	if r.path {
		return text.CutMiddle(o.Theme, r.subject, max(0, width))
	}
	return text.Cut(o.Theme, r.subject, max(0, width))
}

// duration is how long the call took, or takes: live ones are shown once they
// are long enough to wonder about, and in whole seconds.
func (r row) duration() string {
	switch {
	case r.live && r.took < wait, r.took < instant:
		return ""
	}
	return text.Elapsed(r.took, r.live)
}

// How long a running call goes on until it shows for how long, and what is too
// short to be told of a finished one.
const (
	wait    = 5 * time.Second
	instant = 50 * time.Millisecond
)

// dimRow is a row of one dim text, cut to the width, behind a mark in the margin.
func dimRow(o Options, mark theme.Mark, s string) string {
	return text.MarginMark(o.Theme, o.Width, theme.Dim, mark) + o.Theme.Render(theme.Dim, text.Cut(o.Theme, s, text.Room(o.Width)))
}
