// Package render turns timeline entries into lines of a terminal. It is pure:
// an entry, a width and a theme give lines, and the only state is a cache of
// them. Every line fits its width, whatever the text, and nothing that came
// from an agent, a tool or a file reaches the terminal unfiltered.
//
// An entry is drawn in units: a block of markdown, a run of tool output, a
// piece of a diff. A unit is the smallest thing drawn alone, so the work of a
// frame is bounded by what the screen shows, not by what the entry holds.
//
// How markdown looks is a style of Glamour's, its texts are styled by Glamour's
// elements, and it is parsed by Goldmark as Glamour's is. Its renderer as a whole
// (glamour.NewTermRenderer) is used nowhere: it draws a text at once, so an answer
// that streams would be drawn anew with every piece, and it joins the paragraphs
// of loose lists, drops hard breaks and HTML, breaks code at words, squeezes wide
// tables, and lets control characters through.
package render

import (
	"time"

	"parley/theme"
	"parley/timeline"
)

// Options is everything that changes a line apart from the entry itself. It is
// comparable and part of the cache key. Theme must be set.
type Options struct {
	Width    int // cells of a line; less than 1 counts as 1
	Theme    *theme.Theme
	Fold     Fold           // how much of the entry is shown
	Times    Times          // how times are shown at the right edge
	Location *time.Location // of the clock times; nil is UTC
	Now      time.Time      // whole seconds; for durations of live entries; zero hides them
	Home     string         // home directory, shown as ~
	Dir      string         // working directory; paths below it are shown relative

	// SplitDiffs shows changes that are expanded side by side, from SplitFrom
	// columns on.
	SplitDiffs bool

	// Unfold says how all of an entry is shown, where some of it is not; "" says
	// nothing.
	Unfold string

	// Images are those of this entry that the terminal can show in its cells;
	// nil shows none.
	Images *Images
}

// Foldable reports whether Whole may show more of e than the least that a
// density shows of it.
func Foldable(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return longPrompt(b.Text) || b.Source != "" && len(b.Text) > 0 || promptDetail(b) != ""
	case *timeline.Reasoning:
		return b.Text.Len() > 0
	case *timeline.ToolCall:
		return foldableCall(b)
	case *timeline.Notice:
		return b.Detail != "" || b.Category != "" || b.Level < timeline.Warning && len(b.URL)+len(b.Next)+len(b.Text) > surelyLine
	case *timeline.AnsweredQuestion:
		return len(b.Question)+len(b.Answer) > surelyLine
	case *timeline.Summary:
		return true
	case *timeline.SessionEnd:
		return len(b.Files) > 0 || len(b.Models) > 0 || b.Thinking > 0
	case *timeline.Unrecognised:
		return len(b.Raw) > 2
	}
	return false
}

func foldableCall(c *timeline.ToolCall) bool {
	return c.Agent != nil || c.Output.Len() > 0 || c.Result != "" || c.Detail != "" || c.Error != "" || len(c.Arguments) > 2 ||
		len(c.Images)+len(c.Blocks) > 0
}

// surelyLine is how long a text may be that fits on a line wherever there is
// room for one.
const surelyLine = 40
