// Package render turns timeline entries into lines of a terminal. It is pure:
// an entry, a width and a theme give lines, and the only state is a cache of
// them. Every line fits its width, whatever the text, and nothing that came
// from an agent, a tool or a file reaches the terminal unfiltered.
//
// An entry is drawn in units: a block of markdown, a run of tool output, a
// piece of a diff. A unit is the smallest thing drawn alone, so the work of a
// frame is bounded by what the screen shows, not by what the entry holds.
package render

import (
	"strings"
	"time"

	"parley/theme"
	"parley/timeline"
)

// Options is everything that changes a line besides the entry itself. It is
// comparable and part of the cache key. Theme must be set.
type Options struct {
	Width    int // cells of a line; less than 1 counts as 1
	Theme    *theme.Theme
	Expanded bool           // shown whole instead of folded
	Times    bool           // show clock times at the right edge
	Location *time.Location // of the clock times; nil is UTC
	Now      time.Time      // whole seconds; for durations of live entries; zero hides them
	Home     string         // home directory, shown as ~
	Dir      string         // working directory; paths below it are shown relative

	// SplitDiffs shows changes that are expanded side by side, from SplitFrom
	// columns on.
	SplitDiffs bool
}

// Gap returns the number of blank lines between two entries that follow each
// other: none inside a group of tool calls and around an entry that draws
// nothing, else one.
func Gap(prev, next *timeline.Entry) int {
	if blank(prev) || blank(next) {
		return 0
	}
	if grouped(prev) && grouped(next) {
		return 0
	}
	if a, ok := prev.Body.(*timeline.Notice); ok {
		if b, ok := next.Body.(*timeline.Notice); ok && a.Level == b.Level && a.Category == b.Category {
			return 0
		}
	}
	return 1
}

// grouped reports whether e stands close to its neighbours of the same kind.
func grouped(e *timeline.Entry) bool {
	switch e.Body.(type) {
	case *timeline.ToolCall, *timeline.Receipt:
		return true
	}
	return false
}

// blank reports whether e draws no line at all.
func blank(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.Message:
		return strings.TrimSpace(b.Text.String()) == ""
	case *timeline.Prompt:
		return b.Text == "" && len(b.Attachments) == 0 && b.Source == ""
	case *timeline.Reasoning:
		return b.Text.Len() == 0 && e.State.Final()
	case *timeline.Notice:
		return b.Text == "" && b.URL == "" && b.Next == "" && b.Category == "" && b.Retry == 0
	}
	return false
}

// Foldable reports whether Options.Expanded may show more of e.
func Foldable(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return longPrompt(b.Text)
	case *timeline.Reasoning:
		return b.Text.Len() > 0
	case *timeline.ToolCall:
		return b.Output.Len() > 0 || b.Result != "" || b.Detail != "" || b.Error != "" || len(b.Arguments) > 2
	case *timeline.Unrecognised:
		return len(b.Raw) > 2
	}
	return false
}
