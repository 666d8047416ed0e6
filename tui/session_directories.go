package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/theme"
	"parley/tui/files"
	"parley/tui/panel"
	"parley/tui/widget"
)

// workingFolders are the folders that the agent may work in.
type workingFolders struct{ *core }

// setDir lets the session work in another folder.
func (c *workingFolders) setDir(dir string) tea.Cmd {
	s, ok := session.As[session.WorkdirChanger](c.session)
	switch {
	case dir == "":
		c.showHint("%s", c.win.cut(c.info.Dir, c.win.width))
		return nil
	case c.readOnly != nil:
		return c.onlyRead()
	case !ok:
		c.showHint("This agent stays where it is.")
		return nil
	}
	to := c.absolute(dir)
	return c.job("work in "+dir, func(ctx context.Context) error { return s.SetDir(ctx, to) })
}

// addDir lets the agent's tools work in another folder too.
func (c *workingFolders) addDir(dir string) tea.Cmd {
	s, ok := session.As[session.Directories](c.session)
	switch {
	case !ok:
		c.showHint("This agent works in one folder only.")
		return nil
	case dir == "":
		c.showHint("Say the folder: /add-dir PATH")
		return nil
	}
	dir = c.absolute(dir)
	return ask(c.core, "add the folder", func(ctx context.Context) (struct{}, error) { return struct{}{}, s.AddDir(ctx, dir) },
		func(_ struct{}) tea.Cmd {
			c.showHint("The agent may work in %s too.", c.win.cut(dir, c.win.width/2))
			return nil
		})
}

// listDirs shows the folders the agent may work in.
func (c *workingFolders) listDirs(string) tea.Cmd {
	s, ok := session.As[session.Directories](c.session)
	if !ok {
		c.showHint("This agent works in one folder only.")
		return nil
	}
	return ask(c.core, "list the folders", s.Dirs, func(dirs []string) tea.Cmd {
		if c.elsewhere() {
			c.showHint("The folders are here: /list-dirs shows them.")
			return nil
		}
		c.openPanel(&panel.Panel{Title: "Folders", Text: func(th *theme.Theme, width int) []string {
			var lines []string
			for _, d := range dirs {
				lines = append(lines, widget.Indent+th.Render(theme.Text, c.win.cut(widget.ShortPath(d, c.win.config.Home), width)))
			}
			return lines
		}})
		return nil
	})
}

// absolute is a path as the user wrote it, seen from the session's folder.
func (c *core) absolute(path string) string {
	full, _ := files.Absolute(path, c.info.Dir, c.win.config.Home)
	return full
}
