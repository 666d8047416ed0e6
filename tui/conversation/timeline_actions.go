package conversation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/render/text"
	"parley/session"
	"parley/timeline"
	"parley/tui/details"
	"parley/tui/export"
	"parley/tui/keymap"
	"parley/tui/navigation"
	"parley/tui/panel"
	"parley/tui/viewer"
	"parley/tui/widget"
)

// blockActions do for a conversation what the user asks for in its timeline.
type blockActions struct{ *core }

// Do does what the user asks for.
func (c *blockActions) Do(a navigation.Action) tea.Cmd {
	switch a := a.(type) {
	case navigation.Hint:
		c.ShowHint(a.Format, a.Args...)
	case navigation.Uncover:
		c.CloseOverlays()
	case navigation.Searched:
		if a.Opened {
			c.CloseOverlays()
		}
		if a.Hint != "" {
			c.ShowHint("%s", a.Hint)
		}
		return c.own(a.Next)
	case navigation.Copy:
		return c.copyText(a.Text)
	case navigation.Pick:
		c.Pick(a.List, a.Chosen)
	case navigation.Details:
		c.OpenPanel(&panel.Panel{Title: a.Title, Body: details.New(c.OverlayFacts(), a.Records)})
	case navigation.ShowEdit:
		c.CloseOverlays()
		edits := viewer.Edits(c.Timeline)
		if n := slices.Index(edits, a.Entry); n >= 0 {
			openViewer(c.core, edits, nil).Open(n)
		}
	case navigation.OpenInEditor:
		return c.request(EditText{&Edition{Text: a.Text, Name: a.Name, ReadOnly: true}})
	case navigation.OpenLink:
		return c.chooseLink(a)
	case navigation.Fork:
		return c.ForkAt(a.Entry)
	case navigation.Save:
		return c.saveFiles(a.Files)
	}
	return nil
}

// blockLetters distinguishes keys for a block from a text that is typed (docs/decisions.md 42).
type blockLetters struct {
	pressed []tea.KeyPressMsg // letters that nothing but letters came between, each soon after the one before
	last    time.Time
}

// typed takes a press, and returns the letters of a text if it is not the first of one.
// One key again and again is a key that is held down, and letters that only move are
// steps.
func (b *blockLetters) typed(press tea.KeyPressMsg, steps bool, at time.Time) []tea.KeyPressMsg {
	if n := len(b.pressed); n > 0 && (at.Sub(b.last) >= consent.Alone || press.Text == "" || steps || press.Text == b.pressed[n-1].Text) {
		b.pressed = nil
	}
	if press.Text == "" {
		return nil
	}
	b.pressed, b.last = append(b.pressed, press), at
	if len(b.pressed) == 1 {
		return nil
	}
	defer func() { b.pressed = nil }()
	return b.pressed
}

// blockSteps are the actions of a block's keys that only move: what they did is undone by
// another. Those of blockWaits take a letter that stays alone.
var (
	blockSteps = []string{"block-move", "block-prompt", "block-ends", "block-fold", "block-search"}
	blockWaits = []string{"block-editor", "block-save", "block-fork", "block-links", "block-copy", "block-details"}
)

// alone does something for a letter once no other key has followed it.
func (c *keyInput) alone(do func() tea.Cmd) tea.Cmd {
	pressed, on, id := c.win.Pressed, c.Session, c.ID
	return c.win.After(consent.Alone, func(at time.Time) tea.Msg {
		return Message{id, fetchedMsg{on, func() tea.Cmd {
			c.win.Pass(at)
			if c.win.Pressed != pressed || c.focus() != browsing {
				return nil
			}
			return do()
		}}}
	})
}

// blockKey routes a key while the timeline has the keys. What it has no meaning
// for goes to the table of commands. Letters that are typed go to the draft, which has
// the keys then.
func (c *keyInput) blockKey(press tea.KeyPressMsg) tea.Cmd {
	command, bound := c.win.keys[keymap.Name(press)]
	if !bound || command.ID != c.Armed.by {
		c.Armed = Armed{}
	}
	action := c.win.Keymap.Action(keymap.InBlock, press)
	row, _, _ := strings.Cut(action, ".")
	if letters := c.letters.typed(press, slices.Contains(blockSteps, row), c.win.Now); letters != nil && !press.IsRepeat {
		c.Nav.LeaveBlocks()
		var cmds []tea.Cmd
		for _, l := range letters {
			cmds = append(cmds, c.composerKey(l))
		}
		return tea.Batch(cmds...)
	}
	switch {
	case slices.Contains(blockWaits, row) && press.Text != "" && !press.IsRepeat:
		return c.alone(func() tea.Cmd { return c.blocks.Do(c.Nav.Act(action, false)) })
	case action != "":
		return c.blocks.Do(c.Nav.Act(action, press.IsRepeat))
	}
	if bound && !c.forDraft(command) {
		return c.runKey(command, press)
	}
	if press.Text != "" {
		c.ShowHint("{block-leave} goes back to the draft; the keys are for the block now, and {help} shows them")
	}
	return nil
}

// forDraft reports whether a command does something to the draft, which has not
// the keys.
func (c *keyInput) forDraft(command keymap.Command) bool {
	switch command.ID {
	case "send", "queue":
		return true
	case "delete":
		return !c.Composer.Empty()
	}
	return false
}

// timelineHints are keys for the timeline as far as there is room, after a text.
func (w *Window) timelineHints(lead string, pairs []string) string {
	return widget.Indent + lead + w.FittingHints(w.Width-widget.Margin-1-text.Width(lead), w.Ways(pairs...)...)
}

// toggleExpanded shows every entry whole, or folded; on a paste in the draft, that.
func (c *keyInput) toggleExpanded(string) tea.Cmd {
	if chip, ok := c.Composer.ChipAt(); ok && chip.Attachment == nil && c.Composer.Expand() {
		return c.draft.edited()
	}
	c.Pane.Expanded = !c.Pane.Expanded
	return nil
}

// OpenAgent shows what a sub-agent did and does.
func (c *core) OpenAgent(id session.AgentID) tea.Cmd {
	a, ok := c.Timeline.Subagent(id)
	if !ok {
		return c.ShowHint("What this agent did is not recorded here.")
	}
	c.CloseOverlays()
	c.Pane.Enter(a)
	return nil
}

// showDiff opens the viewer on what changed since the session began, as git says it, with
// the edits behind that, or closes it. A session that is only read began at some time: what
// git says since is not its own, so that its newest edit comes first.
func (c *blockActions) showDiff(string) tea.Cmd {
	open := Over[*viewer.Viewer](c.win) != nil
	c.CloseOverlays()
	if open {
		return nil
	}
	dir, base := c.Info.Dir, c.Timeline.Status().Commit
	if c.Info.Remote {
		dir = "" // it is on another machine
	}
	return ask(c.core, "find what changed", func(ctx context.Context) (changes, error) {
		trees, err := viewer.ReadTrees(ctx, dir, base)
		return changes{trees, err}, nil
	}, func(found changes) tea.Cmd {
		edits := viewer.Edits(c.Timeline)
		if found.err != nil {
			c.Fail("find what changed", found.err, "")
		}
		some := len(edits)+len(found.trees) > 0
		if some || found.err == nil {
			some = c.Opens(some, "No file was changed in this session yet.", "The changes are here: /diff shows them.")
		}
		if !some {
			return nil
		}
		n := 0
		if c.ReadOnly != nil && len(edits) > 0 {
			n = len(found.trees)
		}
		openViewer(c.core, edits, found.trees).Reopen(n)
		return nil
	})
}

// changes are what git reports, or why it does not.
type changes struct {
	trees viewer.Trees
	err   error
}

// openViewer covers the window with a viewer of some edits, which shows none yet.
func openViewer(c *core, edits []timeline.EntryID, t viewer.Trees) *viewer.Viewer {
	v := viewer.New(c.Timeline, &c.win.viewing, edits, t)
	c.Cover(v)
	return v
}

// saveFiles writes images, sounds and documents to files in the folder of the session.
// No file that is there is changed.
func (c *blockActions) saveFiles(parts []timeline.Block) tea.Cmd {
	dir := lastingPath(c.core, ".")
	return ask(c.core, "save "+text.Count(len(parts), "file"), func(context.Context) (export.Saved, error) {
		return export.SaveFiles(dir, parts), nil
	}, func(s export.Saved) tea.Cmd {
		if len(s.Names) > 0 {
			where := widget.ShortPath(dir, c.win.Config.Home)
			c.AddNotice(session.SessionInfo{Message: fmt.Sprintf("Saved to %s: %s", where, strings.Join(s.Names, ", "))})
		}
		if s.Err != nil {
			c.Fail("save "+text.Count(len(parts)-len(s.Names), "file"), s.Err, "")
		}
		c.Pane.ToEnd()
		return nil
	})
}
