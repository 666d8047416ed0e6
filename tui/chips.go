package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/tui/files"
)

// A paste becomes a chip from so many lines or bytes on: more would take the
// composer.
const (
	longLines = 10
	longBytes = 2000
)

// pasted takes a paste into the draft, byte for byte. A large one is shown as a
// chip; paths of files become attachments, but not the words of a command.
func (m *conversation) pasted(text string) tea.Cmd {
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // so most terminals send the lines of a paste
	}
	d := m.composer.editor.Draft()
	paths := pastedPaths(text)
	m.insertPaste(text)
	if len(paths) > 0 && !begins(d, "/") && !begins(d, "!") {
		return tea.Batch(m.edited(), m.attachPaths(paths, text))
	}
	return m.edited()
}

// insertPaste inserts a paste. One that would make a command of the draft is a
// chip too: only what was typed runs.
func (c *conversation) insertPaste(text string) {
	e := c.composer.editor
	long := len(text) >= longBytes || strings.Count(text, "\n") >= longLines
	if long || strings.HasPrefix(text, "!") && e.Offset() == 0 {
		e.InsertChip(drafts.Chip{Paste: text})
		return
	}
	e.Insert(text)
}

// describedMsg is what pasted or named paths are.
type describedMsg struct {
	chips []drafts.Chip
	text  string // what stands in the draft for them
	named bool   // the user named them: it is told why not
	err   error
}

// attachPaths makes chips of the files that paths name. Without a text to put
// in their place, the user named them.
func (c *conversation) attachPaths(paths []string, text string) tea.Cmd {
	dir, home := c.info.Dir, c.config.Home
	return c.own(func() tea.Msg {
		msg := describedMsg{text: text, named: text == ""}
		for _, path := range paths {
			full, _ := absolute(path, dir, home)
			d, err := files.Describe(full)
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s does not exist", path)
			}
			if err != nil {
				msg.err = err
				return msg
			}
			msg.chips = append(msg.chips, chipFor(d))
		}
		return msg
	})
}

// described puts the chips into the draft, in the place of the paths if they
// were pasted and are still there.
func (m *conversation) described(msg describedMsg) tea.Cmd {
	e := m.composer.editor
	if msg.err != nil {
		if msg.named {
			m.tell("Not attached: %s", m.cut(msg.err.Error(), m.width))
		}
		return nil
	}
	if !msg.named {
		d := e.Draft()
		at := strings.LastIndex(d.Text, msg.text)
		if at < 0 {
			return nil // sent, or changed: it stays text
		}
		caret := d.Caret
		e.Delete(at, len(msg.text))
		e.SetOffset(at)
		switch {
		case caret < at:
			defer e.SetOffset(caret)
		case caret > at+len(msg.text): // a space stands behind each chip
			defer e.SetOffset(caret - len(msg.text) + len(msg.chips))
		}
	}
	for _, c := range msg.chips {
		e.InsertChip(c)
		e.Insert(" ")
	}
	return m.edited()
}

// mentionFile begins a mention.
func (m *conversation) mentionFile(string) tea.Cmd {
	m.insert("@")
	return m.complete()
}

// attach attaches a file or a folder.
func (c *conversation) attach(path string) tea.Cmd {
	if path == "" {
		c.tell("Say the path: /attach PATH, or mention it with @")
		return nil
	}
	return c.attachPaths([]string{path}, "")
}

// clipboardMsg is the picture on the clipboard.
type clipboardMsg struct {
	data []byte
	err  error
}

// pasteImage attaches the picture on the clipboard.
func (c *conversation) pasteImage(string) tea.Cmd {
	ctx, env := c.ctx, c.config.Env
	return c.own(func() tea.Msg {
		data, err := files.ClipboardImage(ctx, env, runtime.GOOS)
		return clipboardMsg{data, err}
	})
}

// clipboard takes the picture.
func (m *conversation) clipboard(msg clipboardMsg) tea.Cmd {
	chip, err := drafts.Chip{}, msg.err
	if err == nil {
		chip, err = imageChip(msg.data, m.composer.editor.Draft())
	}
	if err != nil {
		m.tell("No picture: %s", m.cut(err.Error(), m.width))
		return nil
	}
	m.composer.editor.InsertChip(chip)
	return m.edited()
}
