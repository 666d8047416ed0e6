package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/export"
	"parley/tui/keymap"
	"parley/tui/picker"
	"parley/tui/viewer"
	"parley/tui/widget"
)

// Browsing is reading the timeline with the keys: they go to the block under the
// cursor until the user turns to the draft again.

// browse gives the keys to the timeline.
func (c *navigator) browse() {
	if c.pane.Lowest() < 0 {
		c.tell("There is nothing to read yet.")
		return
	}
	c.pane.Browsing = true
	if _, ok := c.pane.Block(); !ok {
		c.pane.Cursor = ""
		c.pane.Step(true)
	}
}

// forDraft reports whether a command does something to the draft, which has not
// the keys.
func (c *keyInput) forDraft(command keymap.Command) bool {
	switch command.ID {
	case "send", "queue":
		return true
	case "delete":
		return !c.composer.Empty()
	}
	return false
}

// leaveBlocks gives the keys back to the draft.
func (c *navigator) leaveBlocks() {
	c.pane.Browsing, c.pane.Cursor = false, ""
	if c.pane.Ends() {
		c.pane.End()
	}
}

// stepBlock moves the block cursor.
func (c *navigator) stepBlock(down bool) tea.Cmd {
	if !c.pane.Browsing {
		c.browse()
		return nil
	}
	c.pane.Step(down)
	return nil
}

// blockKey routes a key while the timeline has the keys. What it has no meaning
// for goes to the table of commands, and never to the draft.
func (c *keyInput) blockKey(press tea.KeyPressMsg) tea.Cmd {
	if command, ok := c.win.keys[keymap.Name(press)]; !ok || command.ID != c.armed.by {
		c.armed = armed{}
	}
	switch action := c.win.keymap.Action(keymap.InBlock, press); action {
	case "block-move.before":
		c.pane.Step(false)
	case "block-move.after":
		c.pane.Step(true)
	case "block-prompt.before":
		c.nav.stepPrompt(false)
	case "block-prompt.after":
		c.nav.stepPrompt(true)
	case "block-ends.first":
		c.pane.Home()
		c.pane.Cursor = ""
		if at, ok := c.pane.At(0); ok {
			c.pane.Point(at.Entry)
		}
	case "block-ends.last":
		c.pane.End()
		if i := c.pane.Lowest(); i >= 0 {
			c.pane.Point(i)
		}
	case "block-leave":
		c.nav.leaveBlock()
	case "block-search.next":
		return c.nav.nextMatch(false)
	case "block-search.before":
		return c.nav.nextMatch(true)
	case "block-search.open":
		return c.nav.openSearch("")
	case "":
		return c.besideBlock(press)
	default:
		if e, ok := c.pane.Block(); ok && !press.IsRepeat {
			return c.nav.onBlock(action, e)
		}
	}
	return nil
}

// besideBlock gives the table of commands a key that is not for the block.
func (c *keyInput) besideBlock(press tea.KeyPressMsg) tea.Cmd {
	if command, ok := c.win.keys[keymap.Name(press)]; ok && !c.forDraft(command) {
		return c.runKey(command, press)
	}
	if press.Text != "" {
		c.tell("{block-leave} goes back to the draft; the keys are for the block now, and {help} shows them")
	}
	return nil
}

// beneath reports whether something other than the conversation is shown though
// the draft has the keys: a search that is kept, or a sub-agent.
func (c *navigator) beneath() bool { return c.search != nil || c.pane.Over != nil }

// turnToCard takes the keys from the timeline, for a question.
func (c *navigator) turnToCard() {
	if c.search.Open() {
		c.closeSearch(true)
	}
	c.pane.Browsing = false
}

// leaveBlock goes back to what is around: from what was searched for to all, from
// a sub-agent to the conversation, from there to the draft.
func (c *navigator) leaveBlock() {
	switch {
	case c.search != nil:
		c.closeSearch(false)
	case c.pane.Over != nil:
		c.closeAgent()
	default:
		c.leaveBlocks()
	}
}

// onBlock does an action to the block under the cursor.
func (c *navigator) onBlock(action string, e *timeline.Entry) tea.Cmd {
	i, _ := c.pane.Timeline.Find(e.ID)
	switch action {
	case "block-fold":
		return c.foldBlock(i)
	case "block-open":
		return c.openBlock(i)
	case "block-details":
		c.showDetails(e)
		return nil
	case "block-copy.source":
		return c.copyText(timeline.Source(e))
	case "block-copy.code":
		return c.copyCode(e)
	case "block-copy.turn":
		return c.copyText(c.pane.Timeline.TurnSource(i))
	case "block-fork":
		return c.forkBlock(i)
	case "block-save":
		return c.saveBlock(e)
	case "block-editor":
		return c.request(editText{&edition{text: timeline.Source(e), name: blockName(e), readOnly: true}})
	}
	return nil
}

// foldBlock shows the block whole, or folded.
func (c *navigator) foldBlock(i int) tea.Cmd {
	if !render.Foldable(c.pane.Timeline.At(i)) {
		c.tell("Nothing is folded here.")
		return nil
	}
	c.pane.Toggle(i)
	c.pane.Peek(i)
	return nil
}

// openBlock shows what lies behind the block: what a sub-agent did, an edit in
// full screen, or all of it.
func (c *navigator) openBlock(i int) tea.Cmd {
	e := c.pane.Timeline.At(i)
	call, ok := e.Body.(*timeline.ToolCall)
	switch {
	case ok && call.Agent != nil:
		c.enterAgent(call.Agent)
	case ok && e.State == timeline.Done && viewer.Changes(call) && c.pane.Over == nil:
		c.showEdit(e.ID)
	default:
		return c.foldBlock(i)
	}
	return nil
}

// copyCode copies what a block has that can be run: the command of a call, the
// code of an answer.
func (c *navigator) copyCode(e *timeline.Entry) tea.Cmd {
	if call, ok := e.Body.(*timeline.ToolCall); ok {
		return c.copyText(cmp.Or(call.Command(), timeline.Source(e)))
	}
	codes := render.Codes(timeline.Source(e))
	switch len(codes) {
	case 0:
		c.tell("There is no code in it.")
		return nil
	case 1:
		return c.copyText(codes[0])
	}
	rows := make([]widget.Row, len(codes))
	for i, code := range codes {
		first, _, _ := strings.Cut(strings.TrimSpace(code), "\n")
		rows[i] = widget.Row{Value: fmt.Sprint(i), Label: widget.FirstLine(first), Right: text.Count(strings.Count(code, "\n")+1, "line")}
	}
	c.pick(&picker.Picker{List: widget.List{Rows: rows}, Title: "Copy which code?", Pick: doing(func(r widget.Row) tea.Cmd {
		c.closeOverlays()
		for i, code := range codes {
			if fmt.Sprint(i) == r.Value {
				return c.copyText(code)
			}
		}
		return nil
	})}, "0")
	return nil
}

// blockName names a block as a file, for the user's editor.
func blockName(e *timeline.Entry) string {
	switch e.Body.(type) {
	case *timeline.Message, *timeline.Prompt, *timeline.Reasoning:
		return "block.md"
	}
	return "block.txt"
}

// showEdit opens the viewer on one edit.
func (c *navigator) showEdit(id timeline.EntryID) {
	c.closeOverlays()
	edits := viewer.Edits(c.timeline)
	if n := slices.Index(edits, id); n >= 0 {
		c.openViewer(edits, viewer.Tree{}, n)
	}
}

// blockHints are the keys for the block, as far as there is room.
func (c *navigator) blockHints() string {
	pairs := []string{
		"block-leave", "back", "block-move.before block-move.after", "block", "block-fold", "fold", "block-open", "open",
		"block-details", "details", "block-copy.source", "copy", "block-copy.code", "code",
		"block-search.open", "search", "block-prompt.before block-prompt.after", "prompts", "block-editor", "editor",
	}
	if e, ok := c.pane.Block(); ok && export.HasFiles(e) {
		pairs = slices.Insert(pairs, 2, "block-save", "save")
	}
	found := ""
	if c.search != nil {
		found = c.win.theme.Render(theme.Accent, c.search.State()) + c.win.theme.Render(theme.Dim, c.win.dot())
		pairs = append([]string{"block-search.next block-search.before", "match", "block-leave", "end the search"}, pairs[2:]...)
	}
	return widget.Indent + found + c.win.fittingHints(c.win.width-widget.Margin-1-text.Width(found), c.win.ways(pairs...)...)
}
