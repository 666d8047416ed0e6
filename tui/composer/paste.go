package composer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
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

// Paste takes a paste into the draft, byte for byte. A large one is shown as a chip,
// and so is one that would make a command of the draft; paths of files become attachments, but not the words of a command.
func (c *Composer) Paste(text string) tea.Cmd {
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // so most terminals send the lines of a paste
	}
	d := c.Draft()
	paths := pastedPaths(text)
	long := len(text) >= longBytes || strings.Count(text, "\n") >= longLines
	if long || strings.HasPrefix(text, "!") && c.Offset() == 0 { // only what was typed runs
		c.InsertChip(drafts.Chip{Paste: text})
	} else {
		c.Insert(text)
	}
	if len(paths) > 0 && !Begins(d, "/") && !Begins(d, "!") {
		return tea.Batch(c.Edited(), c.attachPaths(paths, text))
	}
	return c.Edited()
}

// describedMsg is what pasted or named paths are.
type describedMsg struct {
	chips []drafts.Chip
	text  string // what stands in the draft for them
	named bool   // the user named them: the reason is shown why not
	err   error
}

// attachPaths makes chips of the files that paths name. Without a text to put
// in their place, the user named them.
func (c *Composer) attachPaths(paths []string, text string) tea.Cmd {
	dir, home := c.facts.Dir, c.facts.Home
	return func() tea.Msg {
		msg := describedMsg{text: text, named: text == ""}
		for _, path := range paths {
			full, _ := files.Absolute(path, dir, home)
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
	}
}

// receive puts the chips into the draft, in the place of the paths if they
// were pasted and are still there.
func (msg describedMsg) receive(c *Composer) tea.Cmd {
	if msg.err != nil {
		if msg.named {
			c.hint("Not attached: %s", msg.err.Error())
		}
		return nil
	}
	if !msg.named {
		d := c.Draft()
		at := strings.LastIndex(d.Text, msg.text)
		if at < 0 || slices.ContainsFunc(d.Chips, func(chip drafts.Chip) bool { return at < chip.At && chip.At < at+len(msg.text) }) {
			return nil // sent, or changed: it stays text
		}
		caret := d.Caret
		c.Delete(at, len(msg.text))
		switch {
		case caret < at:
			defer c.SetOffset(caret)
		case caret > at+len(msg.text): // a space stands behind each chip
			defer c.SetOffset(caret - len(msg.text) + len(msg.chips))
		}
	}
	for _, chip := range msg.chips {
		c.InsertChip(chip)
		c.Insert(" ")
	}
	return c.Edited()
}

// Attach attaches a file or a folder.
func (c *Composer) Attach(path string) tea.Cmd {
	if path == "" {
		c.hint("Say the path: /attach PATH, or mention it with @", "")
		return nil
	}
	return c.attachPaths([]string{path}, "")
}

// clipboardMsg is the image on the clipboard.
type clipboardMsg struct {
	data []byte
	err  error
}

// PasteImage attaches the image on the clipboard.
func (c *Composer) PasteImage() tea.Cmd {
	until, env := c.ctx, c.facts.Env
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(until, files.ClipboardTime)
		defer cancel()
		data, err := files.ClipboardImage(ctx, env, runtime.GOOS)
		return clipboardMsg{data, err}
	}
}

// receive takes the image.
func (msg clipboardMsg) receive(c *Composer) tea.Cmd {
	chip, err := drafts.Chip{}, msg.err
	if err == nil {
		chip, err = imageChip(msg.data, c.Draft())
	}
	if err != nil {
		c.hint("No image: %s", err.Error())
		return nil
	}
	c.InsertChip(chip)
	return c.Edited()
}
