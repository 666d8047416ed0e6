package navigation

import (
	"parley/timeline"
	"parley/tui/picker"
	"parley/tui/search"
)

// Action is what the conversation is asked for. The set is closed; nil is nothing.
type Action interface{ action() }

type (
	// Hint shows a text to the user for a while. {name} in Format is the user's key for
	// that action.
	Hint struct {
		Format string
		Args   []any
	}
	// Uncover closes what lies over the timeline: the user goes to something in it.
	Uncover struct{}
	// Searched does what came of a search. Its bar was opened just now if Opened is set,
	// and what lies over the timeline is to be closed.
	Searched struct {
		search.Outcome
		Opened bool
	}
	// Copy puts a text on the clipboard.
	Copy struct{ Text string }
	// Pick opens a list with a row chosen.
	Pick struct {
		List   *picker.Picker
		Chosen string
	}
	// Details shows events, field by field.
	Details struct {
		Title   string
		Records func() []timeline.Record
	}
	// ShowEdit shows an edit in full screen.
	ShowEdit struct{ Entry timeline.EntryID }
	// OpenInEditor shows a text in the user's own editor. Name is the name of its file.
	OpenInEditor struct{ Text, Name string }
	// OpenLink lets the user choose what is opened of some links, the first one chosen. Places
	// in files that do not exist are left out; None is shown if nothing is left.
	OpenLink struct {
		Links []timeline.Link
		None  string
	}
	// Fork continues in a copy of the session that ends with what an entry belongs to.
	Fork struct{ Entry int }
	// Save writes the files that an entry has.
	Save struct{ Files []timeline.Block }
)

func (Hint) action()         {}
func (Uncover) action()      {}
func (Searched) action()     {}
func (Copy) action()         {}
func (Pick) action()         {}
func (Details) action()      {}
func (ShowEdit) action()     {}
func (OpenInEditor) action() {}
func (OpenLink) action()     {}
func (Fork) action()         {}
func (Save) action()         {}

// hint is a Hint.
func hint(format string, args ...any) Action { return Hint{format, args} }
