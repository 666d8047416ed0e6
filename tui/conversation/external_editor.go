package conversation

import (
	"errors"
	"time"

	"parley/terminal/handover"

	tea "charm.land/bubbletea/v2"
)

// Edition is a text on its way through the user's own editor and back.
type Edition struct {
	Text     string
	Name     string // of the file, for its extension
	ReadOnly bool
	Result   string // what the user saved
	// back takes what was saved. It is called only when the editor ended well
	// and the text was to be written on.
	back func(text string) tea.Cmd
}

// ReturnedMsg ends an edition, or another program that had the terminal: it is
// the window's again.
type ReturnedMsg struct {
	At      time.Time
	Edition *Edition
	Err     error
	Then    func(err error) tea.Cmd // takes the end of another program; nil for an edition
}

// ProgramReturned takes what came of the other program.
func (c *Conversation) ProgramReturned(msg ReturnedMsg) tea.Cmd {
	if msg.Then != nil {
		return msg.Then(msg.Err)
	}
	e := msg.Edition
	if msg.Err != nil {
		next := "Set EDITOR to an editor that is installed, such as EDITOR=vim."
		var failed *handover.ExitError
		if errors.As(msg.Err, &failed) {
			next = "Your text is unchanged."
		}
		c.Fail("edit the text", msg.Err, next)
		return nil
	}
	if e.ReadOnly {
		return nil
	}
	return e.back(handover.EditedText(e.Text, e.Result))
}

// editDraft opens the draft in the editor.
func (c *promptDraft) editDraft(string) tea.Cmd {
	before := c.Composer.Draft()
	return c.request(EditText{&Edition{Text: before.Prompt(), Name: "prompt.md", back: func(text string) tea.Cmd {
		if text == c.Composer.Text() {
			return nil
		}
		if now := c.Composer.Draft(); now.Prompt() != before.Prompt() {
			c.win.Stash(now, "replaced") // something came back meanwhile
		}
		c.Composer.Editor.SetDraft(before.Edited(text))
		return c.edited()
	}}})
}
