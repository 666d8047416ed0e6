package conversation

import (
	"context"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/render/text"
	"parley/tui/composer"
	"parley/tui/files"
)

// effect does what a key on a question asked for outside of it.
func (c *pendingAnswers) effect(e prompts.Effect) tea.Cmd {
	switch e := e.(type) {
	case prompts.OpenEditor:
		return c.editAnswer(e)
	case prompts.CopyText:
		return c.copyText(e.Text)
	case prompts.OpenAddress:
		return c.openAddress(e.URL)
	case prompts.ReadFile:
		return c.readChanged(e.Path)
	}
	return nil
}

// mostChanged is how many bytes a file may have of which more is shown around a change.
const mostChanged = 4 << 20

// readChanged gives the question that asks for it the file that it is about.
func (c *pendingAnswers) readChanged(path string) tea.Cmd {
	asking := c.Questions
	return fetch(c.core, func(context.Context) (string, error) { return files.ReadText(path, mostChanged) },
		func(text string, err error) tea.Cmd {
			asking.FileRead(text, err, c.win.Now)
			return nil
		})
}

// findFiles looks for the files that are meant on the open line of a question.
func (c *pendingAnswers) findFiles() tea.Cmd {
	asking := c.Questions
	query, ok := asking.SoughtFiles()
	if !ok {
		return nil
	}
	return c.draft.compose(func(of *composer.Composer) tea.Cmd {
		return of.FindFiles(query, func(found composer.Mentions) {
			asking.FilesFound(query, found.Texts, found.More, c.win.Now)
		})
	})
}

// editAnswer gives what is saved to the question that asks for it now. Words
// for one that is closed by then belong to the draft.
func (c *pendingAnswers) editAnswer(e prompts.OpenEditor) tea.Cmd {
	asking := c.Questions
	return c.request(EditText{&Edition{Text: e.Text, Name: e.Name, ReadOnly: e.ReadOnly, back: func(text string) tea.Cmd {
		asking.Edited(text, c.win.Now)
		c.draft.reclaimFrom(asking, "The question closed; what you wrote is in the composer.")
		return nil
	}}})
}

// copyText puts a text on the clipboard, exactly as it is (docs/decisions.md 17). The
// terminal does it (OSC 52), so it works over a network line too, and where the
// desktop is near and has a tool for it, that does; a hint says which.
func (c *core) copyText(s string) tea.Cmd { return copyPart(c, s, "") }

// copyPart is copyText for a part of something, and says of what.
func copyPart(c *core, s, of string) tea.Cmd {
	if s == "" {
		return c.ShowHint("There is nothing to copy.")
	}
	what, careful := "Copied "+text.Count(strings.Count(strings.TrimSuffix(s, "\n"), "\n")+1, "line")+of, ""
	if text.HasHiddenChars(s) {
		careful = " Careful: there are hidden or control characters in it."
	}
	console := c.win.Environment().Console()
	if console {
		c.ShowHint("Not copied: the Linux console has no clipboard. tmux keeps what is copied in it.")
	} else {
		c.ShowHint("%s, through the terminal.%s", what, careful)
	}
	shown, ctx, env, on, pressed := c.Hint.text, c.win.Ctx, c.win.Config.Env, c.Session, c.win.Pressed
	return tea.Batch(tea.SetClipboard(s), c.own(func() tea.Msg {
		tool, err := files.CopyText(ctx, env, runtime.GOOS, s) // the terminal has it all the same
		return ResultMsg{Session: on, Pressed: pressed, Show: func() tea.Cmd {
			switch {
			case c.Hint.text != shown:
			case tool != "":
				c.ShowHint("%s, with %s.%s", what, tool, careful)
			case err != nil && !console:
				c.ShowHint("%s, through the terminal only: %s.%s", what, text.SanitizeLine(err.Error()), careful)
			}
			return nil
		}}
	}))
}

// openAddress shows an address in the browser, if it is one of the web. Where
// no browser can be, the user gets the address itself.
func (c *core) openAddress(address string) tea.Cmd {
	host, ok := prompts.WebHost(address)
	if !ok {
		return c.ShowHint("Not opened: only http and https addresses are.")
	}
	argv := c.win.Config.Environment().Browser(runtime.GOOS, address)
	if argv == nil {
		c.ShowHint("No browser can be reached from here; the address is on the clipboard.")
		return tea.SetClipboard(address)
	}
	c.ShowHint("Opening %s in the browser", text.SanitizeLine(host))
	return c.show(address, argv)
}

// shown takes the end of opening an address.
func (c *Conversation) shown(msg shownMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	c.Fail("open the address", msg.err, "It is on the clipboard: open it yourself.")
	c.ShowHint("The address did not open; it is on the clipboard.")
	return tea.SetClipboard(msg.url)
}

// Outcome does what the questions made of a message.
func (c *Conversation) Outcome(o prompts.Outcome) tea.Cmd {
	var cmds []tea.Cmd
	for _, msg := range o.Draft {
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			if msg.Text != "" && len(o.Draft) > 1 { // typed with the others: ? is no command there
				cmds = append(cmds, c.Input.editorKey(msg))
			} else {
				cmds = append(cmds, c.Input.composerKey(msg))
			}
		case tea.PasteMsg:
			cmds = append(cmds, c.Draft.pasted(msg.Content))
		}
	}
	if o.Own != nil {
		cmds = append(cmds, o.Question.Answered(*o.Own))
	}
	if o.Answer != nil && c.Session != nil {
		c.Answers.KeepNote(o.Answer)
		cmds = append(cmds, c.respond(o.Answer))
	}
	c.Draft.reclaimFrom(c.Questions, "What you wrote and did not send is in the composer.")
	if o.Effect != nil {
		cmds = append(cmds, c.Answers.effect(o.Effect))
	}
	cmds = append(cmds, c.Answers.findFiles())
	return tea.Batch(cmds...)
}
