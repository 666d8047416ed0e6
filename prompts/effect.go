package prompts

// Effect is what a key asked for that happens outside the questions: it comes
// with an Outcome, and only a deliberate key makes one.
type Effect interface{ effect() }

// OpenEditor wants the user's own editor for a text. What they saved goes to
// Queue.Edited; after an editor that failed, nothing is called.
type OpenEditor struct {
	Text     string
	Name     string // a file name, for its extension: "plan.md"
	ReadOnly bool   // to read only: what was saved is of no use
}

// CopyText wants a text on the clipboard, exactly as it is.
type CopyText struct{ Text string }

// OpenAddress wants an address, always http or https, in the user's browser.
type OpenAddress struct{ URL string }

// ReadFile wants a file as it is now, to show more of it around a change. It goes to
// Queue.FileRead.
type ReadFile struct{ Path string }

func (OpenEditor) effect()  {}
func (CopyText) effect()    {}
func (OpenAddress) effect() {}
func (ReadFile) effect()    {}
