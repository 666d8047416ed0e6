package conversation

import (
	"context"
	"errors"

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
	s, ok := session.As[session.WorkdirChanger](c.Session)
	switch {
	case dir == "":
		return c.ShowHint("%s", c.win.Cut(c.Info.Dir, c.win.Width))
	case c.ReadOnly != nil:
		return c.OnlyRead()
	case c.Disconnected:
		return c.reconnectIn(c.absolute(dir))
	case !ok:
		return c.ShowHint("This agent stays where it is.")
	}
	to := c.absolute(dir)
	return c.job("work in "+dir, func(ctx context.Context) error { return s.SetDir(ctx, to) })
}

// reconnectIn chooses the folder of a session that is to be connected again.
func (c *workingFolders) reconnectIn(dir string) tea.Cmd {
	return attempt(c.core, "work in "+dir, func(context.Context) error {
		if folder, ok := files.Stat(dir); !ok || !folder {
			return errors.New("it is no folder")
		}
		return nil
	}, func() tea.Cmd {
		c.Work(dir)
		return c.ShowHint("{send} reconnects in %s.", c.win.Cut(dir, c.win.Width/2))
	})
}

// addDir lets the agent's tools work in another folder too.
func (c *workingFolders) addDir(dir string) tea.Cmd {
	s, ok := session.As[session.Directories](c.Session)
	switch {
	case !ok:
		return c.ShowHint("This agent works in one folder only.")
	case dir == "":
		return c.ShowHint("Say the folder: /add-dir PATH")
	}
	dir = c.absolute(dir)
	return attempt(c.core, "add the folder", func(ctx context.Context) error { return s.AddDir(ctx, dir) }, func() tea.Cmd {
		return c.ShowHint("The agent may work in %s too.", c.win.Cut(dir, c.win.Width/2))
	})
}

// listDirs shows the folders the agent may work in.
func (c *workingFolders) listDirs(string) tea.Cmd {
	s, ok := session.As[session.Directories](c.Session)
	if !ok {
		return c.ShowHint("This agent works in one folder only.")
	}
	return ask(c.core, "list the folders", s.Dirs, func(dirs []string) tea.Cmd {
		if c.Elsewhere() {
			return c.ShowHint("The folders are here: /list-dirs shows them.")
		}
		return c.OpenPanel(&panel.Panel{Title: "Folders", Text: func(th *theme.Theme, width int) []string {
			var lines []string
			for _, d := range dirs {
				lines = append(lines, widget.Indent+th.Render(theme.Text, c.win.Cut(widget.ShortPath(d, c.win.Config.Home), width)))
			}
			return lines
		}})
	})
}

// absolute is a path as the user wrote it, seen from the session's folder.
func (c *core) absolute(path string) string {
	full, _ := files.Absolute(path, c.Info.Dir, c.win.Config.Home)
	return full
}

// lastingPath is the path of a file that Parley writes for the user. The folder of a demo is deleted
// with the session: there it is seen from the folder that Parley was started in.
func lastingPath(c *core, path string) string {
	if !c.Info.Demo {
		return c.absolute(path)
	}
	full, _ := files.Absolute(path, c.win.Config.Options.Dir, c.win.Config.Home)
	return full
}
