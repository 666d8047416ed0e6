package navigation

import (
	"cmp"

	"parley/timeline"
)

// Details shows the events of the block under the cursor, else of the last entry that is
// shown, else those that are in no entry.
func (n *Navigator) Details() Action {
	if e, ok := n.pane.Block(); ok && n.pane.Browsing {
		return DetailsOf(e)
	}
	if e := n.pane.LastShown(); e != nil {
		return DetailsOf(e)
	}
	if len(n.pane.Timeline.Unplaced()) == 0 {
		return hint("There are no events yet.")
	}
	return Details{"Events so far", n.pane.Timeline.Unplaced}
}

// DetailsOf shows the events of an entry.
func DetailsOf(e *timeline.Entry) Action {
	return Details{"Details of " + kindOf(e), func() []timeline.Record { return e.Events }}
}

// kindOf names an entry by what it is.
func kindOf(e *timeline.Entry) string {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return "a prompt"
	case *timeline.Message:
		return "an answer"
	case *timeline.Reasoning:
		return "reasoning"
	case *timeline.ToolCall:
		return "the call of " + cmp.Or(b.Name, b.Tool, "a tool")
	case *timeline.AnsweredQuestion:
		return "a question"
	case *timeline.Summary:
		return "a summary"
	case *timeline.SessionEnd:
		return "the end of the session"
	case *timeline.Notice:
		switch {
		case b.Level == timeline.Error:
			return "an error"
		case b.Level == timeline.Warning:
			return "a warning"
		case b.Category == "compaction":
			return "a compaction"
		}
	case *timeline.Divider, *timeline.Unrecognised:
	}
	return "a notice"
}
