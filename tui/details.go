package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/timeline"
	"parley/tui/details"
	"parley/tui/panel"
)

// openDetails opens the details of the block under the cursor, else of the last
// entry that is shown.
func (m *navigator) openDetails(string) tea.Cmd {
	if e, ok := m.pane.Block(); ok && m.pane.Browsing {
		m.showDetails(e)
		return nil
	}
	if e := m.pane.LastShown(); e != nil {
		m.showDetails(e)
		return nil
	}
	if len(m.pane.Timeline.Unplaced()) == 0 {
		m.tell("There are no events yet.")
		return nil
	}
	m.showRecords("Events so far", m.pane.Timeline.Unplaced)
	return nil
}

// showDetails opens the details of an entry.
func (m *navigator) showDetails(e *timeline.Entry) {
	m.showRecords("Details of "+kindOf(e), func() []timeline.Record { return e.Events })
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

func (m *navigator) showRecords(title string, records func() []timeline.Record) {
	m.openPanel(&panel.Panel{Title: title, Body: details.New(m.overlayFacts(), records)})
}
