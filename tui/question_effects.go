package tui

import (
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/render/text"
	"parley/tui/files"
)

// effect does what a key on a question asked for outside of it.
func (c *conversation) effect(e prompts.Effect) tea.Cmd {
	switch e := e.(type) {
	case prompts.OpenEditor:
		return c.editAnswer(e)
	case prompts.CopyText:
		return c.copyText(e.Text)
	case prompts.OpenAddress:
		return c.openAddress(e.URL)
	}
	return nil
}

// editAnswer gives what is saved to the question that asks for it now. Words
// for one that is closed by then belong to the draft.
func (c *conversation) editAnswer(e prompts.OpenEditor) tea.Cmd {
	asking := c.questions
	return c.request(editText{&edition{text: e.Text, name: e.Name, readOnly: e.ReadOnly, back: func(text string) tea.Cmd {
		asking.Edited(text, c.win.now)
		c.draft.reclaimFrom(asking, "The question closed; what you wrote is in the composer.")
		return nil
	}}})
}

// copyText puts a text on the clipboard, exactly as it is (decision 17). The
// terminal does it (OSC 52), so it works over a network line too, and where the
// desktop is near and has a tool for it, that does; a hint says which.
func (c *core) copyText(s string) tea.Cmd {
	if s == "" {
		c.showHint("There is nothing to copy.")
		return nil
	}
	what, careful := "Copied "+text.Count(strings.Count(strings.TrimSuffix(s, "\n"), "\n")+1, "line"), ""
	if text.HasHiddenChars(s) {
		careful = " Careful: there are hidden or control characters in it."
	}
	c.showHint("%s, through the terminal.%s", what, careful)
	told, ctx, env, on, pressed := c.hint.text, c.win.ctx, c.win.config.Env, c.session, c.win.pressed
	return tea.Batch(tea.SetClipboard(s), c.own(func() tea.Msg {
		tool, _ := files.CopyText(ctx, env, runtime.GOOS, s) // the terminal has it all the same
		return resultMsg{session: on, pressed: pressed, show: func() tea.Cmd {
			if tool != "" && c.hint.text == told {
				c.showHint("%s, with %s.%s", what, tool, careful)
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
		c.showHint("Not opened: only http and https addresses are.")
		return nil
	}
	argv := c.win.config.Environment().Browser(runtime.GOOS, address)
	if argv == nil {
		c.showHint("No browser can be reached from here; the address is on the clipboard.")
		return tea.SetClipboard(address)
	}
	c.showHint("Opening %s in the browser", text.SanitizeLine(host))
	return c.show(address, argv)
}

// shown takes the end of opening an address.
func (c *conversation) shown(msg shownMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	c.fail("open the address", msg.err, "It is on the clipboard: open it yourself.")
	c.showHint("The address did not open; it is on the clipboard.")
	return tea.SetClipboard(msg.url)
}
