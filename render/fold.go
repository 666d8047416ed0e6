package render

import (
	"slices"

	"parley/session"
	"parley/timeline"
)

// Fold is how much of an entry is shown.
type Fold uint8

// The folds. Whatever failed is never shown by less than Folded shows.
const (
	Folded  Fold = iota // what its kind is usually shown by
	Line                // one line
	Whole               // all of it
	Hidden              // nothing
	Bounded             // as Whole, each text up to VerboseBytes
)

// Density is how much of a conversation is shown where nothing else was said of
// an entry.
type Density uint8

// The densities, which one key goes through.
const (
	Normal Density = iota
	Verbose
	Compact
)

// densityNames are the names of the densities.
var densityNames = [...]string{"normal", "verbose", "compact"}

// String implements fmt.Stringer.
func (d Density) String() string { return densityNames[min(d, Compact)] }

// DensityNamed finds a density by its name; Normal if no density has it.
func DensityNamed(name string) (Density, bool) {
	i := slices.Index(densityNames[:], name)
	return Density(max(i, 0)), i >= 0
}

// FoldOf is how an entry is shown at a density. Normal shows what is usually enough
// to follow: the row of what was read or searched, the end of what a command
// printed, the changed lines of an edit, the row of a sub-agent. Compact keeps the
// conversation, the user's own commands and answers, what failed, a call that runs or
// was refused, and a line for all else. Verbose shows everything: all of what still grows, and of what has ended up
// to VerboseBytes of each text. What is shown for completeness is there only in
// Verbose.
func FoldOf(e *timeline.Entry, d Density) Fold {
	switch {
	case d == Verbose && e.State.Final() && bytesOf(e) > VerboseBytes:
		return Bounded
	case d == Verbose:
		return Whole
	case e.VerboseOnly:
		return Hidden
	case d == Compact && lineInCompact(e):
		return shownAs(e, Line)
	}
	return Folded
}

// lineInCompact reports whether Compact shows only a line of an entry that did not
// fail.
func lineInCompact(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return b.Source != "" // something else wrote it in the user's name
	case *timeline.Message, *timeline.Divider, *timeline.SessionEnd, *timeline.AnsweredQuestion:
		return false
	case *timeline.ToolCall:
		return b.Agent == nil && !b.UserRequested && b.Family() != session.AskUser &&
			e.State != timeline.Live && e.State != timeline.Refused
	}
	return true
}

// bytesOf is how much there is to show of an entry, about.
func bytesOf(e *timeline.Entry) int {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return len(b.Text)
	case *timeline.Reasoning:
		return b.Text.Len()
	case *timeline.ToolCall:
		return b.Output.Len() + len(b.Result) + len(b.Detail) + len(b.Arguments)
	case *timeline.Notice:
		return len(b.Detail)
	case *timeline.Unrecognised:
		return len(b.Raw)
	}
	return 0
}

// shownAs is how an entry is shown that is asked for at a fold: what failed is
// not made smaller.
func shownAs(e *timeline.Entry, f Fold) Fold {
	if (f == Line || f == Hidden) && failed(e) {
		return Folded
	}
	return f
}

func failed(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.ToolCall:
		return agentFailed(e, b)
	case *timeline.Notice:
		return e.State == timeline.Failed || b.Level >= timeline.Warning
	}
	return e.Failure()
}

// Shown reports whether an entry draws anything at all.
func Shown(e *timeline.Entry, o Options) bool {
	return shownAs(e, o.Fold) != Hidden && !blank(e)
}
