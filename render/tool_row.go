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
	path    bool   // the subject is a path and is cut in its middle
	facts   []fact // numbers and short words
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
	took, column := r.duration(), 0
	if o.Width < text.NarrowBelow {
		return r.drawNarrow(o, first, left, took)
	}
	if took != "" || len(r.facts) > 0 && !r.edge {
		column = tookCells
	}
	subject := r.cut(o, max(0, o.Width-left-factsWidth(o, r.facts)-column-2))
	return []string{alignRight(o, first+o.Theme.Render(r.subjTok, subject), left+text.Width(subject), r.facts, took, column)}
}

// drawNarrow puts the right edge beside the subject if both fit, else under it.
// A duration alone is not worth a line, and a short one is not worth space.
func (r row) drawNarrow(o Options, first string, left int, took string) []string {
	facts, room := r.facts, o.Width-left-text.Width(r.subject)
	if took != "" && r.took >= time.Second {
		with := append(slices.Clone(r.facts), dim(took))
		if len(facts) > 0 || r.live || room-factsWidth(o, with) >= 2 {
			facts = with
		}
	}
	line := first + o.Theme.Render(r.subjTok, r.cut(o, o.Width-left))
	if len(facts) == 0 || room-factsWidth(o, facts) >= 2 {
		return []string{alignRight(o, line, o.Width-room, facts, "", 0)}
	}
	return []string{line, text.Cut(o.Theme, text.Spaces(text.Nested(o.Width))+text.DrawSpans(joinFacts(o, facts), o.Theme), o.Width)}
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
	if r.live && r.took < leastLiveTime {
		return ""
	}
	return elapsed(r.took, r.live)
}

// elapsed is how long something took; "" if that is too short to be shown.
func elapsed(d time.Duration, whole bool) string {
	if d < leastTime {
		return ""
	}
	return text.Elapsed(d, whole)
}

// How long a running call takes until it shows for how long, and what is too
// short to be shown of a finished one.
const (
	leastLiveTime = 5 * time.Second
	leastTime     = 50 * time.Millisecond
)

// dimRow is a row of one dim text, cut to the width, behind a mark in the margin.
func dimRow(o Options, mark theme.Mark, s string) string {
	return text.MarginMark(o.Theme, o.Width, theme.Dim, mark) + o.Theme.Render(theme.Dim, text.Cut(o.Theme, s, text.Room(o.Width)))
}
