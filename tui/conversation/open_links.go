package conversation

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/terminal/handover"
	"parley/timeline"
	"parley/tui/files"
	"parley/tui/navigation"
	"parley/tui/overlay"
)

// chooseLink lists links, those in files as far as they lead to a file in the session's
// folder.
func (c *blockActions) chooseLink(a navigation.OpenLink) tea.Cmd {
	dir, home, remote := c.absolute("."), c.win.Config.Home, c.Info.Remote
	missing := func(l timeline.Link) bool {
		if l.Path == "" {
			return false
		}
		path, _ := files.Absolute(l.Path, dir, home)
		if remote || !strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
		folder, ok := files.Stat(path)
		return folder || !ok
	}
	return ask(c.core, "look for the files", func(context.Context) ([]timeline.Link, error) {
		return slices.DeleteFunc(slices.Clone(a.Links), missing), nil
	}, func(links []timeline.Link) tea.Cmd {
		if c.Opens(len(links) > 0, a.None, "The links are here: /open shows them.") {
			return c.Do(navigation.LinkList(links))
		}
		return nil
	})
}

// opening is what opens a file.
type opening struct {
	argv   []string
	window bool // it needs no terminal
}

// openPlace opens a file in the user's editor.
func (c *core) openPlace(at overlay.OpenPlace) tea.Cmd {
	const what = "open the file"
	env, start, place := c.win.Config.Env, c.win.Start, handover.Place{File: c.absolute(at.Path), Line: at.Line, Column: at.Column}
	return ask(c, what, func(context.Context) (o opening, err error) {
		o.argv, o.window, err = handover.EditorAt(env, place)
		return o, err
	}, func(o opening) tea.Cmd {
		if o.window {
			c.ShowHint("Opening %s", text.SanitizeLine(at.Path))
			return attempt(c, what, func(ctx context.Context) error {
				return start(context.WithoutCancel(ctx), o.argv, env) // the editor outlives the window
			}, func() tea.Cmd { return nil })
		}
		return c.request(RunProgram{o.argv, func(err error) tea.Cmd {
			if err != nil {
				c.Fail(what, err, "")
			}
			return nil
		}})
	})
}
